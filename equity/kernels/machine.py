"""The processor that kernels are compiled for, and object files loaded into the process."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from equity.kernels.elf import FaultError

__all__ = [
    "LEVELS",
    "Target",
    "level_target",
    "load",
    "load_with_llvm",
    "processor_name",
    "target",
    "target_machine",
]


class Target(NamedTuple):
    """What machine code is made for; the names are those of LLVM."""

    triple: str
    #: The processor, or a level of x86-64.
    cpu: str
    features: str
    #: The processor whose timings count when instructions are chosen; empty for ``cpu``.
    tuning: str = ""

    @property
    def is_mapped(self) -> bool:
        """Whether its code is loaded without LLVM."""
        return self.triple == _LEVEL_TRIPLE


_LEVEL_TRIPLE = "x86_64-unknown-linux-gnu"
_V3_FLAGS = frozenset(
    {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
    | {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"}
)
#: On Linux, kernels are compiled for levels of x86-64 and not for single processors, so that
#: machine code can come with the package.  It is as fast, see benchmarks/README.md.  By level,
#: best first, what a processor must have, by the names of /proc/cpuinfo.
LEVELS = {
    "x86-64-v4": _V3_FLAGS | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": _V3_FLAGS,
}
#: LLVM takes the least of the processors of a level for an old one, on which it prefers
#: branches to conditional moves; that costs `evaluate` a third of its speed.
_TUNING = "znver3"
_CPUINFO = "/proc/cpuinfo"
#: The first processor of /proc/cpuinfo is described within so many bytes.
_FIRST_PROCESSOR = 1 << 14


@cache
def target() -> Target:
    """What kernels are compiled for on this machine.

    On Linux with x86-64 this does not import LLVM, unless the processor is below all levels.
    """
    level = _level()
    if level:
        return level_target(level)
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)


def level_target(level: str) -> Target:
    """The target of all processors of a level."""
    return Target(_LEVEL_TRIPLE, level, "", _TUNING)


def _level() -> str | None:
    """The best level of this processor; None where there is none, or Linux does not say."""
    if sys.platform != "linux" or os.uname().machine != "x86_64" or sys.maxsize < 1 << 32:
        return None
    known = set(_told_by_linux("flags").split())
    return next((level for level, flags in LEVELS.items() if flags <= known), None)


def processor_name() -> str:
    """The processor as its maker calls it."""
    import platform

    return _told_by_linux("model name") or platform.processor() or platform.machine()


def _told_by_linux(field: str) -> str:
    """What Linux says of the first processor, or nothing."""
    with suppress(OSError), open(_CPUINFO, encoding="ascii", errors="replace") as file:
        for line in file.read(_FIRST_PROCESSOR).splitlines():
            name, _, value = line.partition(":")
            if name.strip() == field:
                return value.strip()
    return ""


@cache
def _initialize_llvm() -> None:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # required before llvmlite 0.45, refused from then on
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine(made_for: Target | None = None) -> Any:
    """Create an LLVM target machine, for this processor unless another target is given.

    An execution engine takes ownership of the one it is given.
    """
    import llvmlite.binding as llvm

    _initialize_llvm()
    made_for = made_for or target()
    # The addresses of the large code model, which this is with jit, let code be mapped anywhere.
    return llvm.Target.from_triple(made_for.triple).create_target_machine(
        cpu=made_for.cpu,
        features=made_for.features,
        opt=3,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def load(code: bytes, symbol: str) -> tuple[int, object]:
    """Load an object file.

    Returns
    -------
    tuple of int and object
        The address of the function ``symbol``, and the owner of its memory.
    """
    if target().is_mapped:
        from equity.kernels.mapping import map_function

        # LLVM may know what to do with a file, or a system, that is not as expected.
        with suppress(OSError, FaultError):
            return map_function(code, symbol), None
    return load_with_llvm(code, symbol)


def load_with_llvm(code: bytes, symbol: str) -> tuple[int, object]:
    """Load an object file of any format; as :func:`load`."""
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"no function {symbol} in the object file")
    return address, engine
