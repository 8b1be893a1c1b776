"""Records, blocks and kernels: what kernels take, and how they are compiled and called.

Importing numba takes longer than answering most questions.  So a kernel is
compiled once, for a wheel or else for a machine, and its machine code is kept;
later runs load that without numba and call it through ctypes, which also
releases the GIL.  This works for kernels that neither raise nor allocate: their
code refers to nothing outside itself.

Where compiling to such code or loading it fails, in another version of numba or
llvmlite for one, kernels run through numba's own dispatcher, which compiles
them again in every process.  So they do with ``NUMBA_BOUNDSCHECK=1`` (array
bounds are checked) or ``NUMBA_DISABLE_JIT=1`` (interpreted) in the environment.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from types import CodeType
from typing import Any, TypeVar

from equity.kernels import store
from equity.kernels.log import log, report_failure
from equity.kernels.machine import Target, load, target, target_machine
from equity.kernels.names import compilers, name_of
from equity.kernels.objects import find_fault

__all__ = ["Block", "Kernel", "Record", "load", "target_machine"]

#: A dtype and the sizes of the dimensions: numbers, or arithmetic on the names
#: of integers of the kernel's records; an integer has no dimensions.
Field = tuple[str, Sequence[int | str]]

_T = TypeVar("_T")
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
        Dtype and dimensions of each field, by name.
    limits:
        Least and greatest value of integers for which the kernels are right, by name.
    """

    def __init__(
        self,
        name: str,
        fields: Mapping[str, Field],
        limits: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.name = name
        self.fields = dict(fields)
        self.limits = dict(limits or {})
        #: The position of each field among them.
        self.places = {field: place for place, field in enumerate(self.fields)}
        #: The type of the record inside a kernel.
        self.type: Any = namedtuple(name, self.fields)  # type: ignore[misc]
        #: The type of a block's arguments.  Each record has its own, so that ctypes
        #: refuses the blocks of another one.
        self.arguments_type: Any = type(
            f"{name}_arguments", (ctypes.c_int64 * len(self.fields),), {}
        )
        self._sizes: CodeType | None = None

    def shape(self, field: str, integers: Mapping[str, int]) -> tuple[int, ...]:
        """The shape of a field, given the integers of its kernel's records."""
        sizes = "".join(f"{size}," for size in self.fields[field][1])
        return tuple(eval(f"({sizes})", {}, dict(integers)))  # noqa: S307 - our declarations

    def sizes(self, integers: Mapping[str, int]) -> dict[str, int]:
        """The number of items of each array, given the integers of its kernel's records."""
        if self._sizes is None:
            products = (
                f"{field!r}: {' * '.join(f'({size})' for size in dimensions)}"
                for field, (_, dimensions) in self.fields.items()
                if dimensions
            )
            self._sizes = compile(f"{{{', '.join(products)}}}", self.name, "eval")
        sizes: dict[str, int] = eval(self._sizes, {}, dict(integers))  # noqa: S307 - as above
        return sizes

    def allocate(self, **integers: int) -> Block:
        """Create a block of this record with zeroed arrays."""
        sizes = self.sizes(integers)
        return Block(
            self,
            {
                field: (_CTYPES[dtype] * sizes[field])() if dimensions else integers[field]
                for field, (dtype, dimensions) in self.fields.items()
            },
        )


class Block:
    """A record with its values, ready to be passed to kernels.

    Dtypes, contiguity and the record's limits are checked when a block is made; sizes,
    which can depend on the integers of other records, when it is first passed to a kernel.
    From then on it is trusted.

    Parameters
    ----------
    record:
        The declaration.
    values:
        Integers, and for arrays anything that owns C-ordered memory of the declared dtype:
        a ctypes array, bytes (read only) or a numpy array.

    Attributes
    ----------
    arguments:
        For each field an integer or the address of an array: what a kernel reads.
    checked:
        The same, from the first call on; no attribute until then.

    Raises
    ------
    TypeError
        An array of another dtype, or one that is not C-ordered.
    ValueError
        An integer outside the limits of the record.
    """

    __slots__ = ("arguments", "checked", "record", "values")

    checked: Any

    def __init__(self, record: Record, values: Mapping[str, Any]) -> None:
        self.record = record
        self.values = values
        for name, (least, most) in record.limits.items():
            if not least <= values[name] <= most:
                raise ValueError(
                    f"{record.name}.{name} is {values[name]}, not from {least} to {most}"
                )
        self.arguments = record.arguments_type(
            *[_argument(record, field, values[field]) for field in record.fields]
        )

    def put(self, **integers: int) -> None:
        """Replace integers by name; arrays must be large enough for the new ones."""
        for name, integer in integers.items():
            self.arguments[self.record.places[name]] = integer

    def check_sizes(self, integers: Mapping[str, int]) -> None:
        """Check that each array is as large as the kernel's integers want it.

        Raises
        ------
        ValueError
            An array is too small.
        """
        for field, size in self.record.sizes(integers).items():
            value = self.values[field]
            length = value.size if hasattr(value, "size") else len(value)
            if isinstance(value, bytes):
                length //= ctypes.sizeof(_CTYPES[self.record.fields[field][0]])
            if length < size:
                raise ValueError(f"{self.record.name}.{field} has {length} items, not {size}")


def _argument(record: Record, field: str, value: Any) -> int:
    """An integer as it is, an array as the address of its memory."""
    dtype, dimensions = record.fields[field]
    if isinstance(value, int) and not dimensions:
        return value
    if dimensions and isinstance(value, ctypes.Array) and value._type_ is _CTYPES[dtype]:
        return ctypes.addressof(value)
    if dimensions and isinstance(value, bytes):
        address = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value
        assert address is not None
        return address
    if dimensions and getattr(value, "dtype", None) == dtype and value.flags.c_contiguous:
        return int(value.ctypes.data)
    kind = f"a C-ordered array of {dtype}" if dimensions else "an integer"
    raise TypeError(f"{record.name}.{field} must be {kind}")


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
        self._function: Callable[..., object] | None = None
        self._keep: object = None
        self._lock = threading.Lock()

    def __call__(self, *blocks: Block) -> None:
        """Run the kernel on a block of each of its records.

        Raises
        ------
        TypeError
            A block of another record.
        ValueError
            A new block with an array that is too small.
        """
        function = self._function or self.prepare()
        try:
            arguments = [block.checked for block in blocks]
        except AttributeError:
            arguments = self._check(blocks)
        # The status is 0 when all went well; numba's dispatcher gives none.
        if function(*arguments):
            raise RuntimeError(f"kernel {self.name} failed")

    def _check(self, blocks: Sequence[Block]) -> list[Any]:
        """Check the blocks that no kernel has been passed before; what the kernel reads."""
        if tuple(block.record for block in blocks) != self.records:
            raise TypeError(
                f"kernel {self.name} takes blocks of {[record.name for record in self.records]}, "
                f"not of {[block.record.name for block in blocks]}"
            )
        integers = _integers((block.record, block.arguments) for block in blocks)
        for block in blocks:
            if not hasattr(block, "checked"):
                block.check_sizes(integers)
                block.checked = block.arguments
        return [block.arguments for block in blocks]

    def prepare(self) -> Callable[..., object]:
        """Load the kernel, or compile it, so that a call runs at once."""
        if self._function is None:
            with self._lock:
                if self._function is None:
                    self._function = self._callable()
        return self._function

    def is_stored(self) -> bool:
        """Whether the machine code for this machine is there, with the package or in the cache."""
        return self._kept() is not None

    def stored_name(self) -> str:
        """The name of the machine code in the cache."""
        return self.name_for(target(), compilers())

    def name_for(self, made_for: Target, compiled_by: str = "") -> str:
        """The name of the machine code for a target, see :func:`equity.kernels.names.name_of`."""
        records = [(record.name, record.fields) for record in self.records]
        return name_of(self.name, f"{self.module} {records}", made_for, compiled_by)

    def _callable(self) -> Callable[..., object]:
        """A function of the arguments of the blocks."""
        if _wants_dispatcher():
            return self._dispatched()
        try:
            return self._native()
        except Exception as error:
            report_failure(self.name, error)
            return self._dispatched()

    def _native(self) -> Callable[..., object]:
        """The kernel's machine code that is kept, else compiled."""
        code = self._kept()
        if code is not None:
            try:
                return self._loaded(code)
            except Exception as error:
                log(f"the stored code of the kernel '{self.name}' is not used: {error}")
        return self._loaded(self._compiled())

    def _kept(self) -> bytes | None:
        """The machine code of the package or the cache, if it is a file that can be loaded."""
        made_for = target()
        code = store.read_shipped(self.name_for(made_for)) or store.read(self.stored_name())
        if code is not None and (fault := find_fault(code, self.name, made_for.triple)):
            log(f"the stored code of the kernel '{self.name}' is not used: {fault}")
            return None
        return code

    def _compiled(self) -> bytes:
        """The machine code, compiled and written to the cache."""
        log(f"compiling the kernel '{self.name}' for this machine, once; some seconds")
        from equity.kernels.compiler import compile_kernel

        (code,) = _apart(compile_kernel, self, [target()])
        if store.write(self.stored_name(), code) is None and store.is_on():
            log(
                "the compiled kernel could not be stored, the next run compiles again; "
                f"set {store.CACHE_VARIABLE} to a folder that can be written"
            )
        return code

    def _loaded(self, code: bytes) -> Callable[..., object]:
        address, self._keep = load(code, self.name)
        pointers = [ctypes.POINTER(record.arguments_type) for record in self.records]
        return ctypes.CFUNCTYPE(ctypes.c_int32, *pointers)(address)

    def _dispatched(self) -> Callable[..., object]:
        """The kernel through numba's dispatcher, which compiles it at its first call."""
        import numpy as np

        from equity.kernels.jit import callable_from_python

        function = callable_from_python(getattr(importlib.import_module(self.module), self.name))

        def array(dtype: str, shape: tuple[int, ...], address: int) -> Any:
            memory = (_CTYPES[dtype] * prod(shape)).from_address(address)
            return np.ndarray(shape, dtype, memory)

        def call(*arguments: Any) -> None:
            integers = _integers(zip(self.records, arguments, strict=True))
            records = []
            for record, own in zip(self.records, arguments, strict=True):
                values = [
                    array(dtype, record.shape(field, integers), argument)
                    if dimensions
                    else argument
                    for (field, (dtype, dimensions)), argument in zip(
                        record.fields.items(), own, strict=True
                    )
                ]
                records.append(record.type(*values))
            function(*records)

        return call


def _integers(blocks: Iterable[tuple[Record, Iterable[int]]]) -> dict[str, int]:
    """The integers of a kernel's records by name, from the arguments of its blocks."""
    return {
        field: argument
        for record, arguments in blocks
        for (field, (_, dimensions)), argument in zip(record.fields.items(), arguments, strict=True)
        if not dimensions
    }


def _apart(function: Callable[..., _T], *arguments: Any) -> _T:
    """Call a function in a thread of its own; its result.

    Ctrl-C is raised in the main thread only.  During compilation it would wait for LLVM,
    or be lost in one of its callbacks.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    from concurrent.futures import Future

    future: Future[_T] = Future()

    def call() -> None:
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    while thread.is_alive():
        # On Windows only a wait with a timeout can be interrupted.
        thread.join(0.1)
    return future.result()


def _wants_dispatcher() -> bool:
    return any(
        os.environ.get(name, "0") not in ("", "0")
        for name in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
    )
