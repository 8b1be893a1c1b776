"""Whose code is loaded: nothing that another user can have put into the cache."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from attack_kernels import damaged
from conftest import Run
from test_kernels import COMPILING, SPOT, equity_of, tiny

import equity
from equity.kernels import log, store, trust
from equity.kernels.objects import find_fault
from equity.kernels.registry import KERNELS

HAS_USERS = hasattr(os, "geteuid")
IS_ROOT = HAS_USERS and os.geteuid() == 0
SOMEBODY = 12345
#: A function by the name of the tiny kernel that does nothing: its result is 0, not 42.
PLANTED = "define i32 @fill(i64* %block) { ret i32 0 }"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A cache folder in the environment, and the lines of the log."""
    lines: list[str] = []
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(log, "listeners", [lines.append])
    store._pass_over.cache_clear()
    yield lines
    store._pass_over.cache_clear()


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a path that of another user; or, where that is not allowed, be another user."""
    if IS_ROOT:
        os.chown(path, SOMEBODY, -1)
    else:
        monkeypatch.setattr(trust, "user_number", lambda: SOMEBODY)


def object_file(text: str, triple: str) -> bytes:
    """The object file of LLVM's text, for any processor and system."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(text)
    module.triple = triple
    machine = llvm.Target.from_triple(triple).create_target_machine(
        codemodel="jitdefault", jit=True
    )
    return bytes(machine.emit_object(module))


def plant(folder: Path, content: bytes) -> Path:
    """Put content with a valid digest in place of the tiny kernel."""
    tiny(folder)
    (path,) = folder.iterdir()
    path.write_bytes(hashlib.sha256(content).digest() + content)
    return path


def kept(folder: Path) -> bytes | None:
    """What is read of a file that is written."""
    assert store.write("name", b"content") is None or folder.exists()
    return store.read("name")


def test_folders_are_made_for_this_user_alone(told: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    for umask in (0, 0o077, 0o777):
        before = os.umask(umask)
        try:
            os.environ["EQUITY_CACHE_DIR"] = str(folder / "a" / "b")
            assert store.write("name", b"content")
        finally:
            os.umask(before)
        assert store.read("name") == b"content"
        if HAS_USERS:
            made = [folder, folder / "a", folder / "a" / "b"]
            assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}
            (path,) = (folder / "a" / "b").iterdir()
            assert not stat.S_IMODE(path.stat().st_mode) & 0o077
        shutil.rmtree(folder)
    assert told == []


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
@pytest.mark.parametrize("where", ["cache", "."])
def test_what_others_can_write_to(told: list[str], tmp_path: Path, mode: int, where: str) -> None:
    folder = tmp_path / "cache"
    assert store.write("name", b"content")
    (tmp_path / where).chmod(mode)
    # Others can make files in a folder like /tmp, but not move those of this user.
    is_on_the_way = where == "." and mode & stat.S_ISVTX
    is_refused = HAS_USERS and not is_on_the_way
    assert kept(folder) == (None if is_refused else b"content")
    assert len(told) == is_refused
    assert all("other users can write to" in line and "EQUITY_CACHE_DIR" in line for line in told)


def test_a_file_that_others_can_write_to(told: list[str], tmp_path: Path) -> None:
    path = store.write("name", b"content")
    assert path is not None
    path.chmod(0o666)
    assert store.read("name") == (None if HAS_USERS else b"content")
    assert len(told) == HAS_USERS
    assert store.write("name", b"other")
    assert store.read("name") == b"other"


def test_what_belongs_to_another_user(
    told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.write("name", b"content")
    assert path is not None
    if HAS_USERS:
        give_away(path, monkeypatch)
        assert store.read("name") is None
        give_away(tmp_path / "cache", monkeypatch)
        assert kept(tmp_path / "cache") is None
        assert told
        assert all("belongs to another user" in line for line in told)


def test_a_folder_below_that_of_another_user(
    told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home of another user, as sudo leaves it."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(home / ".cache" / "equity"))
    if HAS_USERS:
        give_away(home, monkeypatch)
        assert store.write("name", b"content") is None
        assert list(home.iterdir()) == []
        assert len(told) == 1


@pytest.mark.parametrize("link", ["cache", "cache/inside"])
def test_symbolic_links_are_not_followed(
    told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str
) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "cache").symlink_to(real)
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path / link))
    if HAS_USERS:
        # Those of root are, as systems have some near the top.
        is_system = IS_ROOT and link != "cache"
        assert (store.write("name", b"content") is not None) == is_system
        assert len(told) == (not is_system)
        assert all("symbolic link" in line for line in told)


def test_files_are_regular_ones(told: list[str], tmp_path: Path) -> None:
    path = store.write("name", b"content")
    assert path is not None
    content = path.read_bytes()
    path.unlink()
    if HAS_USERS:
        (tmp_path / "elsewhere").write_bytes(content)
        path.symlink_to(tmp_path / "elsewhere")
        assert store.read("name") is None
        assert "symbolic link" in told.pop()
        path.unlink()
        os.mkfifo(path)
        assert store.read("name") is None
        assert "no regular file" in told.pop()
        path.unlink()
    path.mkdir()
    assert store.read("name") is None


def test_a_temporary_folder_that_is_shared(
    told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EQUITY_CACHE_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    planted = tmp_path / f"equity-{os.getuid() if HAS_USERS else 'user'}"
    assert planted in list(store.folders())
    planted.mkdir()
    planted.chmod(0o777)
    assert (planted in list(store.folders())) == (not HAS_USERS)
    planted.rmdir()
    if HAS_USERS:
        planted.symlink_to(tmp_path)
        assert planted not in list(store.folders())


def test_planted_code_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = object_file(PLANTED, llvm.get_process_triple())
    path = plant(tmp_path / "cache", planted)
    # It would be run if it were ours, so the test can fail.
    with pytest.raises(AssertionError, match="0"):
        tiny(tmp_path / "cache")
    if HAS_USERS:
        (tmp_path / "cache").chmod(0o777)
        done = tiny(tmp_path / "cache")
        assert "other users can write to" in done.stderr
        assert COMPILING in done.stderr
        assert path.read_bytes()[32:] == planted
    if IS_ROOT:
        (tmp_path / "cache").chmod(0o700)
        os.chown(path, SOMEBODY, -1)
        assert "belongs to another user" in tiny(tmp_path / "cache").stderr
        # It has been replaced, in a folder that is ours.
        assert tiny(tmp_path / "cache").stderr == ""


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"garbage" * 1000, "no object file of this system"),
        (object_file(PLANTED, "riscv64-unknown-linux-gnu")[:10], ""),
        (object_file(PLANTED, "aarch64-unknown-linux-gnu"), "another processor"),
        (object_file(PLANTED.replace("fill", "full"), llvm.get_process_triple()), "no function"),
        (object_file(PLANTED, llvm.get_process_triple())[:-30], "beyond its end"),
    ],
)
def test_garbage_with_a_valid_digest_is_a_miss(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    plant(tmp_path, content)
    done = tiny(tmp_path)
    assert "is not used: " in done.stderr
    assert COMPILING in done.stderr
    if llvm.get_process_triple().startswith("x86_64-unknown-linux"):
        assert problem in done.stderr
    assert tiny(tmp_path).stderr == ""


@pytest.mark.parametrize(
    "triple",
    [
        "x86_64-unknown-linux-gnu",
        "aarch64-unknown-linux-gnu",
        "x86_64-apple-darwin",
        "arm64-apple-darwin20",
        "x86_64-pc-windows-msvc",
        "aarch64-pc-windows-msvc",
    ],
)
def test_object_files_of_every_system(triple: str) -> None:
    text = "define i32 @a_function_with_a_name(i64* %block) { ret i32 0 }\n" + PLANTED
    code = object_file(text, triple)
    assert find_fault(code, "fill", triple) == ""
    assert find_fault(code, "a_function_with_a_name", triple) == ""
    assert "no function" in find_fault(code, "other", triple)
    assert find_fault(code[: len(code) // 2], "fill", triple)
    other = "aarch64" if triple.startswith("x86_64") else "x86_64"
    assert "another processor" in find_fault(code, "fill", f"{other}-{triple.partition('-')[2]}")


def test_damaged_object_files_are_told_from_good_ones() -> None:
    triple = llvm.get_process_triple()
    rng = random.Random(1)
    for kernel in KERNELS:
        code = store.read(kernel.stored_name())
        if code is None:
            continue
        assert find_fault(code, kernel.name, triple) == ""
        if llvm.get_object_format(triple) == "ELF":
            found = [find_fault(damaged(code, rng), kernel.name, triple) for _ in range(100)]
            assert any(found)


def test_the_command_says_what_it_passes_over(run: Run, tmp_path: Path) -> None:
    equity.odds(["AhAsKhKs", "9c8c7d6d"])  # so that the kernel is stored
    shutil.copytree(next(store.folders()), tmp_path / "cache")
    env: dict[str, str | None] = {"EQUITY_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "cache").chmod(0o700)
    assert run(*SPOT, env=env).stderr == ""
    if HAS_USERS:
        (tmp_path / "cache").chmod(0o777)
        done = run("cache", env=env)
        assert done.stdout.startswith("folder  none")
        assert "other users can write to" in done.stderr
        done = run(*SPOT, env=env)
        assert done.stderr.count("\n") == 3
        assert equity_of(done.stdout) == "326093/543004"
