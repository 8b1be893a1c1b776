"""Checks of object files before they are loaded.

LLVM trusts an object file: one for another processor, or with an offset beyond its
end, crashes the process.  So headers, sections, symbols and relocations are validated
first.  The machine code itself cannot be validated.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

__all__ = ["find_fault"]


class _Machine(NamedTuple):
    """The id of a processor in each file format; None where the format has none."""

    elf: int
    macho: int | None = None
    coff: int | None = None


#: By the first component of LLVM's triple.
_MACHINES = {
    "x86_64": _Machine(62, 0x0100_0007, 0x8664),
    "aarch64": _Machine(183, 0x0100_000C, 0xAA64),
    "arm64": _Machine(183, 0x0100_000C, 0xAA64),
    "riscv64": _Machine(243),
    "powerpc64le": _Machine(21),
    "ppc64le": _Machine(21),
    "s390x": _Machine(22),
}
#: Relocations of x86-64 that kernels use, and the number of bytes that each changes: 64,
#: PC32, PLT32 and PC64.  On other processors all are accepted.
_X86_64_RELOCATIONS = {1: 8, 2: 4, 4: 4, 24: 8}
#: The most bytes of memory that the sections of a kernel take.
_MOST_MEMORY = 1 << 26


class _FaultError(Exception):
    """What is wrong with an object file."""


def find_fault(code: bytes, symbol: str, triple: str) -> str:
    """Validate an object file; return what is wrong with it, or an empty string.

    Parameters
    ----------
    code:
        The content of the file.
    symbol:
        The function that it must define.
    triple:
        LLVM's name of the processor and system that it must be made for.
    """
    import llvmlite.binding as llvm

    check = _FORMATS.get(llvm.get_object_format(triple))
    if check is None:
        return ""
    try:
        check(code, symbol.encode(), triple.partition("-")[0])
    except _FaultError as error:
        return str(error)
    except (struct.error, IndexError, ValueError):
        return "it is cut short or damaged"
    return ""


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise _FaultError(problem)


def _part(code: bytes, start: int, size: int) -> bytes:
    """A slice of the file, which must lie within it."""
    _require(start + size <= len(code), "a part of it lies beyond its end")
    return code[start : start + size]


def _text(strings: bytes, start: int) -> bytes:
    """The null-terminated string at an offset of a string table."""
    return strings[start : strings.index(0, start)]


@cache
def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _check_known(name: bytes) -> None:
    """Raise for a function that the process does not have: LLVM would abort."""
    if sys.platform != "win32":
        _require(hasattr(_process(), name.decode("ascii", "replace")), "it needs other functions")


class _Section(NamedTuple):
    """A section header of ELF."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


_SYMBOLS, _STRINGS, _RELOCATIONS, _EMPTY = 2, 3, 4, 8
#: Object files have no other kinds, apart from a processor's own.
_KINDS = frozenset((0, 1, _SYMBOLS, _STRINGS, _RELOCATIONS, _EMPTY))
_PROCESSOR_KINDS = range(0x7000_0000, 0x8000_0000)
_ENTRY_SIZES = {_SYMBOLS: 24, _RELOCATIONS: 24}
_ALLOCATED, _EXECUTABLE, _THREAD_LOCAL = 2, 4, 0x400
#: Section numbers from here on are reserved, such as that of absolute values.
_RESERVED, _ABSOLUTE = 0xFF00, 0xFFF1
_GLOBAL_FUNCTION = 0x12
#: The binding of a symbol is local, global or weak; its type none, object, function or
#: section, and that of a file name, which has an absolute value.
_BINDINGS, _TYPES, _FILE = range(3), range(4), 4


def _check_elf(code: bytes, symbol: bytes, processor: str) -> None:
    order, number = ("<", 1) if sys.byteorder == "little" else (">", 2)
    _require(code[:7] == b"\x7fELF\2%c\1" % number, "it is no object file of this system")
    head = struct.unpack_from(f"{order}HHIQQQIHHHHHH", code, 16)
    kind, machine, start, entry, count, names = (head[at] for at in (0, 1, 5, 10, 11, 12))
    _require(kind == 1, "it is no object file")
    known = _MACHINES.get(processor)
    _require(known is None or machine == known.elf, "it is for another processor")
    _require(entry == 64 and names < count, "its header is damaged")
    sections = [
        _Section(*fields)
        for fields in struct.iter_unpack(f"{order}IIQQQQIIQQ", _part(code, start, 64 * count))
    ]
    memory = 0
    for section in sections:
        if section.kind != _EMPTY:
            _part(code, section.offset, section.size)
        memory += section.size if section.flags & _ALLOCATED else 0
        _require(
            (section.kind in _KINDS or section.kind in _PROCESSOR_KINDS)
            and not section.flags & _THREAD_LOCAL
            and section.link < count
            and section.entry_size == _ENTRY_SIZES.get(section.kind, section.entry_size)
            and not (section.flags & _ALLOCATED and section.alignment == 0)
            and section.alignment <= 1 << 16
            and section.alignment & (section.alignment - 1) == 0,
            "a section of it is damaged",
        )
    _require(memory <= _MOST_MEMORY, "it is too large")
    strings = _elf_strings(code, sections[names])
    for section in sections:
        _text(strings, section.name)
    tables = [at for at, section in enumerate(sections) if section.kind == _SYMBOLS]
    _require(len(tables) == 1, "it has no table of symbols")
    symbols = _elf_symbols(code, order, sections, tables[0])
    _require(symbol in symbols, f"it has no function {symbol.decode()}")
    for section in sections:
        if section.kind == _RELOCATIONS:
            _require(section.link == tables[0] and section.info < count, "a section is damaged")
            _check_relocations(
                _elf_content(code, section), order, sections[section.info], processor, symbols
            )


def _elf_content(code: bytes, section: _Section) -> bytes:
    return b"" if section.kind == _EMPTY else _part(code, section.offset, section.size)


def _elf_strings(code: bytes, section: _Section) -> bytes:
    _require(section.kind == _STRINGS, "a table of names is missing")
    return _elf_content(code, section)


def _elf_symbols(
    code: bytes, order: str, sections: list[_Section], table: int
) -> list[bytes | None]:
    """For each symbol its name if it is a global function, else None.

    The name is empty for a symbol that relocations must not refer to.
    """
    strings = _elf_strings(code, sections[sections[table].link])
    found: list[bytes | None] = []
    content = _elf_content(code, sections[table])
    for text, kind, _, where, value, size in struct.iter_unpack(f"{order}IBBHQQ", content):
        name, called = _text(strings, text), None
        _require(
            kind >> 4 in _BINDINGS
            and (kind & 0xF == _FILE if where == _ABSOLUTE else kind & 0xF in _TYPES),
            "a symbol of it is damaged",
        )
        if where == 0:
            # The first symbol is empty.
            if found or name:
                _check_known(name)
        elif where < _RESERVED:
            section = sections[where]
            _require(value + size <= section.size, "a symbol lies beyond its section")
            if kind == _GLOBAL_FUNCTION and section.flags & _EXECUTABLE:
                called = name
        else:
            _require(where == _ABSOLUTE, "a symbol of it is damaged")
            called = b""
        found.append(called)
    return found


def _check_relocations(
    content: bytes, order: str, target: _Section, processor: str, symbols: list[bytes | None]
) -> None:
    sizes = _X86_64_RELOCATIONS if processor == "x86_64" else None
    for offset, info, _ in struct.iter_unpack(f"{order}QQq", content):
        number, kind = info >> 32, info & 0xFFFF_FFFF
        _require(
            number > 0
            and symbols[number] != b""
            and (sizes is None or kind in sizes)
            and target.flags & _ALLOCATED != 0
            and offset + (sizes[kind] if sizes else 4) <= target.size,
            "a relocation of it is damaged",
        )


def _check_macho(code: bytes, symbol: bytes, processor: str) -> None:
    magic, machine, _, kind, commands, size = struct.unpack_from("<6I", code)
    _require(magic == 0xFEED_FACF and kind == 1, "it is no object file of this system")
    known = _MACHINES.get(processor)
    _require(known is None or machine == known.macho, "it is for another processor")
    names: set[bytes] = set()
    at = 32
    for _ in range(commands):
        command, length = struct.unpack_from("<2I", code, at)
        _require(length >= 8 and at + length <= 32 + size <= len(code), "its header is damaged")
        if command == 0x19:  # LC_SEGMENT_64
            _check_macho_sections(_part(code, at, length), code)
        elif command == 0x02:  # LC_SYMTAB
            names.update(_macho_functions(code, *struct.unpack_from("<4I", code, at + 8)))
        at += length
    _require(b"_" + symbol in names, f"it has no function {symbol.decode()}")


def _check_macho_sections(segment: bytes, code: bytes) -> None:
    count = struct.unpack_from("<I", segment, 64)[0]
    for _, size, start, _, relocation, relocations, flags in struct.iter_unpack(
        "<32x2Q4II12x", _part(segment, 72, 80 * count)
    ):
        if flags & 0xFF not in (1, 12, 18):  # zero-filled
            _part(code, start, size)
        _part(code, relocation, 8 * relocations)


def _macho_functions(code: bytes, start: int, count: int, text: int, size: int) -> Iterator[bytes]:
    """The names of the global functions."""
    strings = _part(code, text, size)
    for name, kind, _, _, _ in struct.iter_unpack("<IBBHQ", _part(code, start, 16 * count)):
        if kind & 0xEF == 0x0F:  # in a section, external
            yield _text(strings, name)
        elif kind & 0xEF == 0x01:  # undefined
            _check_known(_text(strings, name).removeprefix(b"_"))


def _check_coff(code: bytes, symbol: bytes, processor: str) -> None:
    machine, count, _, start, symbols, optional, _ = struct.unpack_from("<2H3I2H", code)
    known = _MACHINES.get(processor)
    _require(known is None or machine == known.coff, "it is for another processor")
    for size, data, relocation, relocations in struct.iter_unpack(
        "<16x3I4xH6x", _part(code, 20 + optional, 40 * count)
    ):
        _part(code, data, size if data else 0)
        _part(code, relocation, 10 * relocations)
    entries = _part(code, start, 18 * symbols)
    strings = code[start + 18 * symbols :]
    names, at = set(), 0
    while at < symbols:
        name, section, _, kind, more = struct.unpack_from("<8s4xhHBB", entries, 18 * at)
        if section > 0 and kind == 2:  # external, in a section
            is_long = name[:4] == bytes(4)
            names.add(
                _text(strings, int.from_bytes(name[4:], "little"))
                if is_long
                else name.rstrip(b"\0")
            )
        at += 1 + more
    _require(symbol in names, f"it has no function {symbol.decode()}")


_FORMATS: dict[str, Callable[[bytes, bytes, str], None]] = {
    "ELF": _check_elf,
    "MachO": _check_macho,
    "COFF": _check_coff,
}
