"""The store of compiled kernels: nothing that happens to it changes an answer."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
import tiny_kernel
from conftest import Run

import equity
from equity.kernels import comparing, compiler, jit, loader, sampling_records, store
from equity.kernels.registry import KERNELS

SPOT = ("odds", "AhAsKhKs", "9c8c7d6d", "--json")
COMPILING = "compiling"


def equity_of(stdout: str) -> str:
    answer: str = json.loads(stdout)["players"][0]["equity_exact"]
    return answer


def tiny(cache: Path | str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a small kernel with a folder for its code; it prints 42."""
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, str(folder / "tiny_kernel.py")],
        capture_output=True,
        text=True,
        env={**os.environ, "EQUITY_CACHE_DIR": str(cache), **more},
        check=True,
    )
    assert done.stdout == "42\n"
    return done


def test_stored_once_and_read_again(run: Run, tmp_path: Path) -> None:
    env: dict[str, str | None] = {"EQUITY_CACHE_DIR": str(tmp_path)}
    first = run(*SPOT, env=env)
    assert first.stderr.count("\n") == 1
    assert COMPILING in first.stderr
    second = run(*SPOT, env=env)
    assert second.stderr == ""
    assert equity_of(first.stdout) == equity_of(second.stdout) == "326093/543004"
    (path,) = tmp_path.iterdir()
    shown = run("cache", env=env).stdout
    assert str(tmp_path) in shown
    assert str(path) in shown
    assert "find_fault: not compiled yet" in shown
    assert run("cache", "clear", env=env).stdout == "removed 1 compiled kernel\n"
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_misses(tmp_path: Path) -> None:
    assert COMPILING in tiny(tmp_path).stderr
    assert tiny(tmp_path).stderr == ""
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    for damage in (b"", b"x", b"x" * 1000, good[:-7], good[:-1] + b"x"):
        path.write_bytes(damage)
        assert COMPILING in tiny(tmp_path).stderr
        assert len(path.read_bytes()) == len(good)
    assert tiny(tmp_path).stderr == ""


def test_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path / "chosen"))
    assert list(store.folders()) == [tmp_path / "chosen"]
    monkeypatch.setenv("EQUITY_CACHE_DIR", "off")
    assert list(store.folders()) == []
    assert store.write("name", b"content") is None
    assert store.read("name") is None
    monkeypatch.delenv("EQUITY_CACHE_DIR")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first, *_, last = store.folders()
    assert first == tmp_path / "numba" / "equity"
    assert last.parent == tmp_path


def test_what_is_written_is_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path))
    path = store.write("name", b"content")
    assert path is not None
    assert store.read("name") == b"content"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert store.entries() == [path]
    assert store.clear() == 1


def test_nowhere_to_write(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    done = tiny(blocked / "folder")
    assert "could not be stored" in done.stderr
    assert done.stderr.count("\n") == 2
    assert tiny("off").stderr.count("\n") == 1


def test_no_home(tmp_path: Path) -> None:
    """Neither a home nor a folder of its own: the temporary one will do."""
    cleared = dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA", "EQUITY_CACHE_DIR"), "")
    places = {"HOME": "/nonexistent/home", "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    tiny("", **cleared, **places)
    assert tiny("", **cleared, **places).stderr == ""


def copy_of_package(folder: Path, cache: str = "") -> dict[str, str | None]:
    """The package and its data in a folder; the environment that uses it.

    With the usual cache unless another is given: the kernels are the same.
    """
    package = Path(equity.__file__).parent
    shutil.copytree(package, folder / "equity", ignore=shutil.ignore_patterns("__pycache__"))
    if not (folder / "equity" / "data").exists():
        shutil.copytree(package.parent / "data", folder / "data")
    return {"PYTHONPATH": str(folder), "EQUITY_CACHE_DIR": cache or None}


def ask_copy(env: dict[str, str | None]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **{name: value for name, value in env.items() if value}}
    return subprocess.run(
        [sys.executable, "-m", "equity", *SPOT],
        capture_output=True,
        text=True,
        env=environment,
        cwd=str(env["PYTHONPATH"]),
        check=True,
    )


def test_a_changed_kernel_is_compiled_anew(tmp_path: Path) -> None:
    equity.odds(["AhAsKhKs", "9c8c7d6d"])  # so that the kernel is stored
    env = copy_of_package(tmp_path, str(tmp_path / "cache"))
    shutil.copytree(next(store.folders()), tmp_path / "cache")
    assert equity_of(ask_copy(env).stdout) == "326093/543004"
    assert ask_copy(env).stderr == ""
    # A helper of the kernel, in the same package: count every result twice.
    kernel = tmp_path / "equity" / "kernels" / "runouts.py"
    text = kernel.read_text()
    changed = text.replace(
        "counts[player, high, low] += count", "counts[player, high, low] += 2 * count"
    )
    assert changed != text
    kernel.write_text(changed)
    done = ask_copy(env)
    assert COMPILING in done.stderr
    assert json.loads(done.stdout)["deals"] == 2 * 1_086_008


def test_a_read_only_install(tmp_path: Path) -> None:
    env = copy_of_package(tmp_path)
    for path in [*(tmp_path / "equity").rglob("*"), tmp_path / "equity"]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert equity_of(ask_copy(env).stdout) == "326093/543004"
    finally:
        for path in [tmp_path / "equity", *(tmp_path / "equity").rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.parametrize("damage", [False, True])
def test_missing_and_damaged_tables_are_an_error(tmp_path: Path, damage: bool) -> None:
    env = copy_of_package(tmp_path)
    (table,) = tmp_path.rglob("high.npy")
    if damage:
        table.write_bytes(table.read_bytes()[:-1])
    else:
        table.unlink()
    environment = {**os.environ, **{name: value for name, value in env.items() if value}}
    done = subprocess.run(
        [sys.executable, "-m", "equity", *SPOT],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert "high.npy" in json.loads(done.stdout)["error"]
    assert "high.npy" in done.stderr
    assert done.stderr.count("\n") <= 2


def test_two_processes_start_cold_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(tiny, [tmp_path, tmp_path])
    assert COMPILING in first.stderr + second.stderr
    assert len(list(tmp_path.iterdir())) == 1


def test_warm_finds_all_compiled(run: Run) -> None:
    assert f"{len(KERNELS)} kernels" in run("cache", "warm").stdout
    assert "not compiled" not in run("cache").stdout


def test_numba_without_compilation_gives_the_same() -> None:
    """The kernels are Python that also runs as such."""
    program = (
        "import equity\n"
        "result = equity.odds(['AhAsKhKs', '9c8c7d6d'], 'o8', '2c3d4h')\n"
        "print(result.tally == equity.odds(['AsAhKsKh', '6d7d8c9c'], 'o8', '4h3d2c').tally)\n"
        "print(result.equities_exact, equity.evaluate('AhAsKhKs', '2c3d4h5sTd', 'o8').low)\n"
    )

    def output(**extra: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env={**os.environ, **extra},
            check=True,
        ).stdout

    assert output(NUMBA_DISABLE_JIT="1") == output()


def test_memory_of_records_is_what_they_declare() -> None:
    record = loader.Record("some", {"count": ("int64", ()), "values": ("int32", ("2 * count", 3))})
    block = record.allocate(count=5)
    assert len(block.values["values"]) == 30
    assert block.arguments[0] == 5
    block.put(count=3)
    assert block.arguments[0] == 3
    assert ctypes.addressof(block.values["values"]) == block.arguments[1]


def some_record(**limits: tuple[int, int]) -> loader.Record:
    fields = {"count": ("int64", ()), "values": ("int32", ("count", 3))}
    return loader.Record("some", fields, limits)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        (np.zeros((2, 3), np.int64), TypeError, "C-ordered array of int32"),
        (np.zeros((3, 2), np.int32).T, TypeError, "C-ordered array of int32"),
        (np.zeros((2, 6), np.int32)[:, ::2], TypeError, "C-ordered array of int32"),
        (np.broadcast_to(np.int32(1), (2, 3)), TypeError, "C-ordered array of int32"),
        ((ctypes.c_int64 * 6)(), TypeError, "C-ordered array of int32"),
        (7, TypeError, "C-ordered array of int32"),
        (np.zeros(5, np.int32), ValueError, "5 items, not 6"),
        (bytes(23), ValueError, "5 items, not 6"),
        ((ctypes.c_int32 * 5)(), ValueError, "5 items, not 6"),
        (np.zeros((2, 3), np.int32), None, ""),
        (bytes(24), None, ""),
    ],
)
def test_blocks_are_checked(values: object, error: type[Exception] | None, words: str) -> None:
    record = some_record()
    kernel = loader.Kernel("fill", "nowhere", [record])
    seen: list[int] = []
    kernel._function = lambda arguments: seen.append(arguments[0])
    if error is None:
        block = loader.Block(record, {"count": 2, "values": values})
        kernel(block)
        kernel(block)
        assert seen == [2, 2]
        return
    with pytest.raises(error, match=words):
        kernel(loader.Block(record, {"count": 2, "values": values}))
    assert seen == []


def test_an_integer_is_an_integer_and_within_its_limits() -> None:
    with pytest.raises(TypeError, match=r"some\.count must be an integer"):
        loader.Block(some_record(), {"count": np.zeros(1), "values": bytes(12)})
    some_record(count=(1, 2)).allocate(count=2)
    with pytest.raises(ValueError, match=r"some\.count is 3, not from 1 to 2"):
        some_record(count=(1, 2)).allocate(count=3)


def test_limits_of_packed_counts() -> None:
    """Two lists are compared in counters of 20 bits: below 1,024 hands of each."""
    least, most = sampling_records.DRAW.limits["board_hands"]
    assert (least, most) == (1, 1023)
    assert most * most < 1 << comparing.WIDE <= (most + 1) ** 2


def test_blocks_of_another_record_are_refused(tmp_path: Path) -> None:
    record, other = some_record(), loader.Record("other", some_record().fields)
    block, mistaken = record.allocate(count=1), other.allocate(count=1)
    kernel = loader.Kernel("fill", "nowhere", [record])
    kernel._function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(record.arguments_type))(
        lambda _: 0
    )
    kernel(block)
    with pytest.raises(TypeError, match="other"):
        kernel(mistaken)
    # Also when it has been checked for a kernel of its own.
    mistaken.checked = mistaken.arguments
    with pytest.raises(ctypes.ArgumentError):
        kernel(mistaken)


def broken(*_: object) -> Any:
    raise AttributeError("no attribute 'create_mcjit_compiler'\nand more")


@pytest.mark.parametrize("what", ["compiling", "loading", "loading what is stored"])
def test_without_stand_alone_code_numba_runs_the_kernel(
    what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    notices: list[str] = []
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("equity.kernels.log.listeners", [notices.append])
    monkeypatch.setattr("equity.kernels.log.failed", [])
    record = loader.Record("some", tiny_kernel.RECORD)

    def run() -> int:
        block = record.allocate(count=6)
        loader.Kernel("fill", "tiny_kernel_code", [record])(block)
        return sum(block.values["values"])

    if what == "loading what is stored":
        assert run() == 42
        notices.clear()
    monkeypatch.setattr(
        *((compiler, "compile_kernel") if what == "compiling" else (loader, "load")), broken
    )
    assert [run(), run()] == [42, 42]
    (told,) = [line for line in notices if "Please report" in line]
    assert "no attribute 'create_mcjit_compiler');" in told
    assert f"numba {numba.__version__}" in told
    assert f"equity {equity.__version__}" in told


def test_the_dispatcher_releases_the_gil() -> None:
    from tiny_kernel_code import fill

    assert jit.callable_from_python(fill).targetoptions["nogil"]  # type: ignore[attr-defined]


#: Numba alone takes a minute to compile these.
SLOW_TO_COMPILE = ("deal_tables", "find_facts", "sample", "sample_deals", "tally_holdings")


def test_every_kernel_is_right_without_stand_alone_code() -> None:
    """Questions of ``test_every_kernel`` again, where nothing compiles or loads.

    All of them with ``EQUITY_COVERAGE`` in the environment, else those that take seconds.
    """
    folder = Path(__file__).parent
    left_out = () if "EQUITY_COVERAGE" in os.environ else SLOW_TO_COMPILE
    names = sorted(kernel.name for kernel in KERNELS if kernel.name not in left_out)
    tests = [f"test_every_kernel.py::test_known_answers[{name}]" for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "broken_compiler", *tests],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_OPT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout
    (failed,) = [line for line in done.stdout.splitlines() if line.startswith("failed: ")]
    # Questions about some kernels call others too.
    assert set(failed.split()[1:]) >= set(names)
    told = [line for line in done.stdout.splitlines() if line.startswith("notice: cannot compile")]
    assert len(told) == 1
