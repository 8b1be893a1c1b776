"""Kernels as callable objects, and the loading of their machine code.

Importing numba takes longer than most questions take to answer.  So a kernel
is compiled once for a machine, and its machine code is stored; later runs load
that with llvmlite alone and call it through ctypes, which also lets go of
Python's global lock.  A kernel qualifies by neither raising nor allocating:
then its code refers to nothing outside itself.

With ``NUMBA_BOUNDSCHECK=1`` or ``NUMBA_DISABLE_JIT=1`` in the environment
kernels run through numba's own dispatcher, checked or interpreted.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import threading
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from equity.kernels import store
from equity.kernels.notices import listeners, notice
from equity.kernels.objects import find_fault

__all__ = ["Block", "Kernel", "Record", "listeners", "notice"]

#: A dtype and the sizes of the dimensions: numbers, or arithmetic on the names
#: of integers that stand before; no dimensions mean one integer.
Field = tuple[str, Sequence[int | str]]

_CTYPES: dict[str, Any] = {
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
}


class Record:
    """The declaration of a group of arrays and integers that kernels take.

    Parameters
    ----------
    name:
        Name of the group.
    fields:
        Name of each field to its dtype and dimensions, integers first.
    """

    def __init__(self, name: str, fields: Mapping[str, Field]) -> None:
        self.name = name
        self.fields = dict(fields)
        #: The place of each field among them.
        self.places = {field: place for place, field in enumerate(self.fields)}
        #: The type of the record inside a kernel.
        self.type: Any = namedtuple(name, self.fields)  # type: ignore[misc]

    def shape(self, field: str, integers: Mapping[str, int]) -> tuple[int, ...]:
        """The shape of a field, given the integers of its kernel's records."""
        return tuple(
            size if isinstance(size, int) else _arithmetic(size, integers)
            for size in self.fields[field][1]
        )

    def allocate(self, **integers: int) -> Block:
        """A block of this record with zeroed memory for each of its arrays."""
        values: dict[str, Any] = {}
        for field, (dtype, dimensions) in self.fields.items():
            if dimensions:
                length = prod(self.shape(field, integers))
                values[field] = (_CTYPES[dtype] * length)()
            else:
                values[field] = integers[field]
        return Block(self, values)


def _arithmetic(text: str, integers: Mapping[str, int]) -> int:
    """The value of a dimension such as ``"players + 1"``."""
    return int(eval(text, {}, dict(integers)))  # noqa: S307 - the declarations are our own


class Block:
    """A record with its values, ready to be handed to kernels.

    ``values`` are integers, and for arrays anything that owns C-ordered memory
    of the declared dtype: a ctypes array, bytes (read only) or a numpy array.
    They are trusted.

    Attributes
    ----------
    arguments:
        For each field an integer or the address of an array: what a kernel reads.
    """

    __slots__ = ("arguments", "record", "values")

    def __init__(self, record: Record, values: Mapping[str, Any]) -> None:
        self.record = record
        self.values = values
        arguments = [_argument(values[field]) for field in record.fields]
        self.arguments = (ctypes.c_int64 * len(arguments))(*arguments)

    def put(self, **integers: int) -> None:
        """Replace integers, by their names."""
        for name, integer in integers.items():
            self.arguments[self.record.places[name]] = integer


def _argument(value: Any) -> int:
    """An integer as it is, an array by the address of its memory."""
    if isinstance(value, int):
        return value
    if isinstance(value, ctypes.Array):
        return ctypes.addressof(value)
    if isinstance(value, bytes):
        address = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value
        assert address is not None
        return address
    return int(value.ctypes.data)


class Kernel:
    """A compiled function, loaded or compiled at its first call.

    Parameters
    ----------
    name:
        The function's name in its module.
    module:
        The module that holds it; imported only to compile.
    records:
        What it takes, in order.
    """

    def __init__(self, name: str, module: str, records: Sequence[Record]) -> None:
        self.name = name
        self.module = module
        self.records = tuple(records)
        self._entry: Callable[..., object] | None = None
        self._keep: object = None
        self._lock = threading.Lock()

    def __call__(self, *blocks: Block) -> None:
        """Run the kernel on a block for each of its records."""
        (self._entry or self.prepare())(*blocks)

    def prepare(self) -> Callable[..., object]:
        """Make the kernel ready to run: load it, or compile it."""
        if self._entry is None:
            with self._lock:
                if self._entry is None:
                    self._entry = self._interpreted() if _wants_dispatcher() else self._native()
        return self._entry

    def is_stored(self) -> bool:
        """Whether the machine code for this machine is stored."""
        return self._stored() is not None

    def stored_name(self) -> str:
        """The name under which the machine code is stored."""
        text = f"{environment()} {self.module} {self.name} {self.declaration()}"
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:24]}"

    def declaration(self) -> str:
        """The records as text, for the hash."""
        return repr([(record.name, record.fields) for record in self.records])

    def _stored(self) -> bytes | None:
        """The machine code that is stored, if it is an object file that can be loaded."""
        code = store.read(self.stored_name())
        if code is not None and (fault := find_fault(code, self.name, _processor()[0])):
            notice(f"the stored code of the kernel '{self.name}' is not used: {fault}")
            return None
        return code

    def _compiled(self) -> bytes:
        """The machine code, compiled and stored."""
        notice(f"compiling the kernel '{self.name}' for this machine, once; some seconds")
        from equity.kernels.compiler import compile_kernel

        code = _apart(compile_kernel, self)
        if store.write(self.stored_name(), code) is None and store.is_on():
            notice(
                "the compiled kernel could not be stored, the next run compiles again; "
                f"set {store.CACHE_VARIABLE} to a folder that can be written"
            )
        return code

    def _native(self) -> Callable[..., object]:
        address, self._keep = load(self._stored() or self._compiled(), self.name)
        # The addresses of all blocks; the status is 0 when all went well.
        function = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * len(self.records))(address)

        def entry(*blocks: Block) -> None:
            if function(*[block.arguments for block in blocks]):
                raise RuntimeError(f"kernel {self.name} failed")

        return entry

    def _interpreted(self) -> Callable[..., object]:
        import numpy as np

        from equity.kernels.jit import callable_from_python

        function = callable_from_python(getattr(importlib.import_module(self.module), self.name))

        def entry(*blocks: Block) -> None:
            integers = {
                field: argument
                for block in blocks
                for (field, (_, dimensions)), argument in zip(
                    block.record.fields.items(), block.arguments, strict=True
                )
                if not dimensions
            }
            records = []
            for block in blocks:
                record = block.record
                values = []
                for field, (dtype, dimensions) in record.fields.items():
                    if dimensions:
                        shape = record.shape(field, integers)
                        memory = np.frombuffer(block.values[field], dtype)
                        values.append(memory[: prod(shape)].reshape(shape))
                    else:
                        values.append(integers[field])
                records.append(record.type(*values))
            function(*records)

        return entry


def _apart(function: Callable[[Kernel], bytes], kernel: Kernel) -> bytes:
    """The result of a function that a thread of its own calls.

    A Ctrl-C is raised in the main thread alone.  In the midst of compiling it would wait
    for LLVM, or be lost in one of its callbacks.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(kernel)
    from concurrent.futures import Future

    future: Future[bytes] = Future()

    def call() -> None:
        try:
            future.set_result(function(kernel))
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    while thread.is_alive():
        # On Windows only a wait with an end can be interrupted.
        thread.join(0.1)
    return future.result()


def _wants_dispatcher() -> bool:
    return any(
        os.environ.get(name, "0") not in ("", "0")
        for name in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
    )


@cache
def environment() -> str:
    """What compiled code depends on beside its declaration, as a hash.

    The text of all kernels, the versions of the compilers, the processor.
    """
    import llvmlite

    hashed = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        hashed.update(path.read_bytes())
    # numba's version, without importing numba.
    spec = importlib.util.find_spec("numba")
    for folder in (spec and spec.submodule_search_locations) or ():
        hashed.update(Path(folder, "_version.py").read_bytes())
    hashed.update(" ".join([llvmlite.__version__, *_processor()]).encode())
    return hashed.hexdigest()


@cache
def _processor() -> tuple[str, str, str]:
    """Triple, name and features of the processor, as LLVM calls them."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


@cache
def _initialize_llvm() -> None:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # llvmlite before 0.45 needs it, later ones refuse it
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine() -> Any:
    """A new LLVM target machine for this processor.

    An execution engine takes possession of the one it is given.
    """
    import llvmlite.binding as llvm

    _initialize_llvm()
    triple, name, features = _processor()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=name, features=features, opt=3, reloc="default", codemodel="jitdefault", jit=True
    )


def load(code: bytes, symbol: str) -> tuple[int, object]:
    """Load an object file; the address of a function, and what keeps it alive."""
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"no function {symbol} in the stored code")
    return address, engine
