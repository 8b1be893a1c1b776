"""Object files mapped into memory without LLVM, on Linux with x86-64.

Importing LLVM takes longer than answering most questions.  Its large code model, in which
kernels are compiled, makes this simple: an object file refers to its own sections and to
functions of the process by absolute addresses of 64 bits alone.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from functools import cache

from equity.kernels.elf import (
    ADDRESS,
    ALLOCATED,
    DISTANCE,
    EXECUTABLE,
    UNWIND,
    WRITABLE,
    X86_64,
    FaultError,
    ObjectFile,
    Symbol,
    read_object,
)

__all__ = ["map_function"]

_ADDRESS_SIZE = 8
_ADDRESSES = 1 << 8 * _ADDRESS_SIZE


def map_function(code: bytes, name: str) -> int:
    """Map an object file into memory, where it stays; the address of its function.

    No page is writable and executable at once.

    Raises
    ------
    OSError
        The system allows no such memory.
    FaultError
        The file is damaged, or refers to addresses in another way.
    """
    file = read_object(code, name, X86_64)
    places, size = _layout(file)
    process = _process()
    base = process.mmap(
        None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0
    )
    if base == ctypes.c_void_p(-1).value:
        raise _system_error()
    try:
        _fill(base, size, code, file, places)
    except BaseException:
        process.munmap(base, size)
        raise
    address: int = base + places[file.function.section] + file.function.value
    return address


def _fill(base: int, size: int, code: bytes, file: ObjectFile, places: dict[int, int]) -> None:
    """Write the sections into fresh memory, and protect it."""
    image = bytearray(size)
    for number, place in places.items():
        content = file.sections[number].content(code)
        image[place : place + len(content)] = content
    _relocate(image, file, places, base)
    ctypes.memmove(base, (ctypes.c_char * size).from_buffer(image), size)
    for number, place in places.items():
        section = file.sections[number]
        protection = mmap.PROT_READ
        if section.flags & EXECUTABLE:
            protection |= mmap.PROT_EXEC
        elif section.flags & WRITABLE:
            protection |= mmap.PROT_WRITE
        if _process().mprotect(base + place, section.size, protection):
            raise _system_error()


def _layout(file: ObjectFile) -> tuple[dict[int, int], int]:
    """Where each section goes, on pages of its own, and the size of all.

    The table for exceptions is left out: kernels raise none.
    """
    places, size = {}, 0
    for number, section in enumerate(file.sections):
        if section.flags & ALLOCATED and section.kind != UNWIND:
            if section.alignment > mmap.PAGESIZE:
                raise FaultError("a section of it needs more than a page of alignment")
            places[number] = size
            size += -(-section.size // mmap.PAGESIZE) * mmap.PAGESIZE
    return places, size


def _relocate(image: bytearray, file: ObjectFile, places: dict[int, int], base: int) -> None:
    """Write the addresses that the sections refer to."""
    for section, offset, kind, symbol, addend in file.relocations:
        if section not in places:
            continue
        at = places[section] + offset
        value = addend + (
            base + places[symbol.section] + symbol.value
            if symbol.section in places
            else _function(symbol)
        )
        if kind == DISTANCE:
            value -= base + at
        elif kind != ADDRESS:
            raise FaultError("it refers to addresses of 32 bits")
        image[at : at + _ADDRESS_SIZE] = (value % _ADDRESSES).to_bytes(_ADDRESS_SIZE, "little")


def _function(symbol: Symbol) -> int:
    """The address of a function of the process, such as memset."""
    if symbol.section:
        raise FaultError("it refers to a section that is not loaded")
    address = ctypes.cast(getattr(_process(), symbol.name), ctypes.c_void_p).value
    assert address is not None
    return address


@cache
def _process() -> ctypes.CDLL:
    process = ctypes.CDLL(None, use_errno=True)
    word, number = ctypes.c_size_t, ctypes.c_int
    process.mmap.restype = ctypes.c_void_p
    process.mmap.argtypes = ctypes.c_void_p, word, number, number, number, ctypes.c_long
    process.mprotect.argtypes = ctypes.c_void_p, word, number
    process.munmap.argtypes = ctypes.c_void_p, word
    return process


def _system_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
