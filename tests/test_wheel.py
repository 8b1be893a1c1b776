"""The wheel that comes with compiled kernels, and the one without."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from equity.kernels import store
from equity.kernels.machine import LEVELS, target

ROOT = Path(__file__).parents[1]
#: Two that take a second to compile; the others are built by the same code.
KERNELS = ("evaluate", "find_fault")
#: Asks a question that takes these two, and prints what was said and imported besides.
PROGRAM = """
import sys
import equity
from equity.kernels import log
log.listeners.append(print)
print(equity.evaluate([[51, 50, 47, 46]], [[0, 5, 10, 15, 20]]).high)
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""
NOTHING = "[3933]\n[]\n"

pytestmark = pytest.mark.skipif(
    not target().is_mapped, reason="such wheels are for Linux on x86-64"
)


def build(folder: Path, **environment: str) -> Path:
    """Build a wheel into a folder of its own."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    (wheel,) = folder.iterdir()
    return wheel


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """The folder that the wheel is installed into."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", tmp_path, wheel], check=True)
    return tmp_path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(
        tmp_path_factory.mktemp("wheel"),
        EQUITY_WHEEL_KERNELS=" ".join(KERNELS),
    )


def ask(folder: Path) -> str:
    """What the program prints with the package of a folder, and no cache."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder), store.CACHE_VARIABLE: "off"},
        cwd=folder,
        check=True,
    ).stdout


def test_a_wheel_has_kernels_for_every_level(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-manylinux_2_17_x86_64.whl")
    found = [name for name in names(wheel) if name.endswith(store.SUFFIX)]
    assert len(found) == len(set(found)) == len(LEVELS) * len(KERNELS)
    assert all(name.startswith("equity/kernels/compiled/") for name in found)


def test_nothing_is_compiled_on_a_fresh_machine(installed: Path) -> None:
    assert ask(installed) == NOTHING


def test_a_missing_or_damaged_kernel_is_compiled(installed: Path) -> None:
    for path in (installed / "equity" / "kernels" / "compiled").iterdir():
        if path.name.startswith("find_fault"):
            path.write_bytes(path.read_bytes()[:-1])
    first, *rest = ask(installed).splitlines()
    assert first.startswith("compiling the kernel 'find_fault'")
    assert rest == ["[3933]", "['numba', 'llvmlite']"]


def test_the_code_of_other_source_is_not_used(installed: Path) -> None:
    with (installed / "equity" / "kernels" / "values.py").open("a") as file:
        file.write("# changed\n")
    assert ask(installed).count("compiling the kernel") == len(KERNELS)


def test_without_being_asked_for_no_kernel_is_built(tmp_path: Path) -> None:
    # As pip does it, modules for the build are on a path that the environment names.
    seen, modules = tmp_path / "seen", tmp_path / "modules"
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(f"open({str(seen)!r}, 'a').write('x')\n")
    wheel = build(tmp_path / "wheel", PYTHONPATH=str(modules))
    assert len(seen.read_text()) > 1
    assert wheel.name.endswith("-py3-none-any.whl")
    found = names(wheel)
    assert not [name for name in found if name.endswith(store.SUFFIX)]
    pages = {name.rpartition("/")[2] for name in found if "/data/share/man/man1/" in name}
    assert pages >= {"equity.1", "equity-odds.1", "equity-serve.1"}
    # The files that are no modules: the page, the styles, the type marker, the tables.
    for name in ("server/static/index.html", "html/answers.css", "html/report.css", "py.typed"):
        assert f"equity/{name}" in found
    assert any(name.startswith("equity/data/orderings/") for name in found)
