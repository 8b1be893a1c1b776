"""The processor as LLVM sees it, and object files loaded into the process."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

__all__ = ["load", "processor", "target_machine"]


@cache
def processor() -> tuple[str, str, str]:
    """Triple, name and features of the processor, as LLVM calls them."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


@cache
def _initialize_llvm() -> None:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # required before llvmlite 0.45, refused from then on
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine() -> Any:
    """Create an LLVM target machine for this processor.

    An execution engine takes ownership of the one it is given.
    """
    import llvmlite.binding as llvm

    _initialize_llvm()
    triple, name, features = processor()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=name, features=features, opt=3, reloc="default", codemodel="jitdefault", jit=True
    )


def load(code: bytes, symbol: str) -> tuple[int, object]:
    """Load an object file.

    Returns
    -------
    tuple of int and object
        The address of the function ``symbol``, and the owner of its memory.
    """
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"no function {symbol} in the object file")
    return address, engine
