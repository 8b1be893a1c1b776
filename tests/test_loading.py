"""Machine code in memory: for which processors it is made, and how it is loaded."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import tiny_kernel
from test_kernels import tiny

from equity.kernels import elf, loader, machine, mapping, names
from equity.kernels.elf import ADDRESS, FaultError, ObjectFile
from equity.kernels.registry import KERNELS

mapped = pytest.mark.skipif(not machine.target().is_mapped, reason="LLVM loads the code here")
V4, V3 = machine.LEVELS


def run_tiny() -> tuple[loader.Kernel, int]:
    """A small kernel that has been run, and its result."""
    record = loader.Record("some", tiny_kernel.RECORD)
    kernel = loader.Kernel("fill", "tiny_kernel_code", [record])
    block = record.allocate(count=6)
    kernel(block)
    return kernel, sum(block.values["values"])


@pytest.fixture
def failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The kernels that run through numba's dispatcher, with a cache that is empty."""
    kernels: list[str] = []
    monkeypatch.setenv("EQUITY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("equity.kernels.log.failed", kernels)
    return kernels


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        (machine.LEVELS[V4] | {"fpu", "avx512_vbmi"}, V4),
        (machine.LEVELS[V4] - {"avx512dq"}, V3),
        (machine.LEVELS[V3], V3),
        (machine.LEVELS[V3] - {"bmi2"}, None),
        (set(), None),
    ],
)
def test_the_level_of_a_processor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: set[str], level: str | None
) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text(
        f"processor\t: 0\nvmx flags\t: none\nflags\t\t: {' '.join(flags)}\n\nflags: x\n"
    )
    monkeypatch.setattr(machine, "_CPUINFO", str(told))
    if machine.target().is_mapped:
        assert machine._level() == level
    monkeypatch.setattr(sys, "platform", "darwin")
    assert machine._level() is None


def test_names_tell_all_that_code_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (machine.level_target(level) for level in (V4, V3))
    kernel, *_ = KERNELS
    found = {kernel.name_for(first), kernel.name_for(second), kernel.name_for(first, "numba")}
    other = loader.Kernel(kernel.name, kernel.module, kernel.records[1:])
    found |= {other.name_for(first), names.name_of("other", "", first)}
    monkeypatch.setattr(names, "sources", lambda: "changed")
    found.add(kernel.name_for(first))
    assert len(found) == 6


@mapped
def test_neither_numba_nor_llvm_is_needed_for_code_that_is_kept(tmp_path: Path) -> None:
    tiny(tmp_path)
    blocked = tmp_path / "blocked"
    for package in ("numba", "llvmlite"):
        (blocked / package).mkdir(parents=True)
        (blocked / package / "__init__.py").write_text("raise SystemExit('imported')")
        # The versions are read, and must be those of the compiler.
        __import__(package)
        version = Path(str(sys.modules[package].__file__)).with_name("_version.py")
        (blocked / package / "_version.py").write_bytes(version.read_bytes())
    before = os.environ.get("PYTHONPATH")
    path = str(blocked) if before is None else os.pathsep.join([str(blocked), before])
    assert tiny(tmp_path, PYTHONPATH=path).stderr == ""


@mapped
def test_no_memory_is_writable_and_executable(failed: list[str]) -> None:
    kernel, result = run_tiny()
    assert (result, failed, kernel._keep) == (42, [], None)
    code = kernel._kept()
    assert code is not None
    found = mapping.map_function(code, "fill")
    for line in Path("/proc/self/maps").read_text().splitlines():
        start, end = (int(part, 16) for part in line.split()[0].split("-"))
        if start <= found < end:
            assert line.split()[1] == "r-xp"
            break
    else:
        pytest.fail("it is nowhere in memory")


@mapped
@pytest.mark.parametrize("error", [OSError(13, "denied"), FaultError("32 bits")])
def test_what_cannot_be_mapped_is_loaded_by_llvm(
    monkeypatch: pytest.MonkeyPatch, failed: list[str], error: Exception
) -> None:
    def refuse(code: bytes, name: str) -> int:
        raise error

    monkeypatch.setattr(mapping, "map_function", refuse)
    kernel, result = run_tiny()
    assert (result, failed) == (42, [])
    assert kernel._keep is not None


@mapped
def test_other_relocations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = next(kernel for kernel in KERNELS if kernel.name == "deal_tables")
    code = kernel._kept()
    assert code is not None
    mapping.map_function(code, kernel.name)
    read = elf.read_object

    def short(*given: object) -> ObjectFile:
        file = read(*given)  # type: ignore[arg-type]
        assert {item.kind for item in file.relocations} >= {ADDRESS}
        return file._replace(relocations=[item._replace(kind=2) for item in file.relocations])

    monkeypatch.setattr(mapping, "read_object", short)
    with pytest.raises(FaultError, match="32 bits"):
        mapping.map_function(code, kernel.name)
