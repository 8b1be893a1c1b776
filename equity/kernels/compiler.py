"""Compiles a kernel to an object file that needs neither numba nor Python.

Of numba this uses the ``njit`` decorator, ``carray`` and ``inspect_llvm``, and three
things that numba does not promise: a compiled function takes a pointer for its
result, a pointer for an exception and then its arguments; its name is in its
``fndesc``; ``numba.config.OPT`` sets the level of optimization.  Where another version
differs, compilation raises, and the caller falls back on numba's dispatcher.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import llvmlite.binding as llvm
import numba
from numba import types

from equity.kernels.machine import Target, target_machine

__all__ = ["compile_kernel"]


class _Record(Protocol):
    """What is compiled of :class:`equity.kernels.loader.Record`."""

    name: str
    type: Any

    @property
    def fields(self) -> Mapping[str, tuple[str, Sequence[int | str]]]: ...


class _Kernel(Protocol):
    """What is compiled of :class:`equity.kernels.loader.Kernel`."""

    name: str
    module: str

    @property
    def records(self) -> Sequence[_Record]: ...


def compile_kernel(kernel: _Kernel, targets: Sequence[Target]) -> list[bytes]:
    """Compile a kernel to an object file for each target.

    A file defines one function of the kernel's name, which takes the addresses of the
    arguments of its blocks and returns 0.

    Raises
    ------
    RuntimeError
        The code refers to functions outside itself: the kernel can raise or allocates.
    """
    function = getattr(importlib.import_module(kernel.module), kernel.name)
    source, names, signature = _adapter(kernel)
    names |= {"kernel": function, "carray": numba.carray}
    exec(source, names)  # noqa: S102 - made of our own declarations
    with _light_optimization():
        adapter = numba.njit(
            signature, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
        )(names["adapter"])
    (compiled,) = adapter.overloads.values()
    name = compiled.fndesc.llvm_func_name
    assembly = next(iter(adapter.inspect_llvm().values()))
    return [_object_file(kernel, assembly, name, target) for target in targets]


def _object_file(kernel: _Kernel, assembly: str, name: str, target: Target) -> bytes:
    """The object file of a kernel whose IR has the function ``name``."""
    machine = target_machine(target)
    module = _stand_alone(
        llvm.parse_assembly(_annotated(assembly, name, target.tuning)), name, machine
    )
    module.link_in(llvm.parse_assembly(_entry(kernel, module.get_function(name))))
    return bytes(machine.emit_object(module))


@contextmanager
def _light_optimization() -> Iterator[None]:
    """Have numba optimize lightly; the linked module is optimized again as a whole."""
    level = numba.config.OPT
    numba.config.OPT = type(level)(1)
    try:
        yield
    finally:
        numba.config.OPT = level


def _adapter(kernel: _Kernel) -> tuple[str, dict[str, Any], Any]:
    """The source of a function that builds the records from pointers and integers.

    Returns the source, the names it refers to, and its signature.
    """
    names: dict[str, Any] = {}
    parameters: list[str] = []
    argument_types: list[Any] = []
    records: list[str] = []
    for record in kernel.records:
        names[record.name] = record.type
        parts = []
        for field, (dtype, dimensions) in record.fields.items():
            # An integer keeps its name, so that dimensions can refer to it.
            parameter = f"{record.name}_{field}" if dimensions else field
            parameters.append(parameter)
            scalar = getattr(types, dtype)
            argument_types.append(types.CPointer(scalar) if dimensions else scalar)
            shape = "".join(f"{size}," for size in dimensions)
            parts.append(f"carray({parameter}, ({shape}))" if dimensions else parameter)
        records.append(f"{record.name}({', '.join(parts)})")
    source = f"def adapter({', '.join(parameters)}):\n    kernel({', '.join(records)})\n"
    return source, names, types.void(*argument_types)


def _annotated(assembly: str, function: str, tuning: str) -> str:
    """Annotate the IR: ``noalias`` on the kernel's arguments, ``alwaysinline`` on helpers.

    And on all the processor that they are tuned for.

    The arrays of a block do not overlap, so values can stay in registers and more loops
    are vectorized.  (The text is edited because older versions of llvmlite attach
    attributes in the wrong places.)
    """

    def annotate(definition: re.Match[str]) -> str:
        text = definition.group()
        tuned = f'"tune-cpu"="{tuning}" ' if tuning else ""
        if f"@{function}(" in text:
            text = re.sub(r"(\w+\*|\bptr)(?= [^,]*%arg)", r"\1 noalias", text)
            return f"{text.removesuffix('{')}{tuned}{{"
        return f"{text.removesuffix('{')}alwaysinline {tuned}{{"

    return re.sub(r"^define .*\{$", annotate, assembly, flags=re.MULTILINE)


def _entry(kernel: _Kernel, function: Any) -> str:
    """The IR of a module with the function that Python calls.

    It takes the addresses of the blocks' arguments, loads these, and passes them to
    ``function`` one by one.
    """
    kinds = [str(argument.type) for argument in function.arguments]
    # Older LLVM has typed pointers.
    pointer = "ptr" if kinds[0] == "ptr" else "i64*"
    lines = ["%a.place = alloca i64, i64 2", f"%unused = ptrtoint {pointer} %a.place to i64"]
    # numba's calling convention: pointers for the result and for an exception come first.
    integers = ["%unused", "%unused"]
    for record in kernel.records:
        for at, field in enumerate(record.fields):
            name = f"{record.name}.{field}"
            lines += [
                f"%at.{name} = getelementptr i64, {pointer} %{record.name}, i64 {at}",
                f"%{name} = load i64, {pointer} %at.{name}",
            ]
            integers.append(f"%{name}")
    arguments = []
    for number, (kind, integer) in enumerate(zip(kinds, integers, strict=True)):
        if kind != "i64":
            lines.append(f"%argument.{number} = inttoptr i64 {integer} to {kind}")
        arguments.append(f"{kind} {integer if kind == 'i64' else f'%argument.{number}'}")
    lines += [
        f'%status = call i32 @"{function.name}"({", ".join(arguments)})',
        "ret i32 %status",
    ]
    parameters = ", ".join(f"{pointer} %{record.name}" for record in kernel.records)
    return "\n".join(
        [
            f'declare i32 @"{function.name}"({", ".join(kinds)})',
            f'define i32 @"{kernel.name}"({parameters}) {{',
            *lines,
            "}",
        ]
    )


def _stand_alone(module: Any, function: str, machine: Any) -> Any:
    """Optimize a module for one of its functions; verify that it refers to no others.

    Everything else becomes internal, and is dropped where it is not used.
    """
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration:
            value.linkage = "external" if value.name == function else "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    outside = [
        value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration and not value.name.startswith("llvm.")
    ]
    if outside:
        raise RuntimeError(
            f"{function} refers to {', '.join(outside)}; it must not raise or allocate"
        )
    return module
