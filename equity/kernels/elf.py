"""Object files in the format ELF: what is in one, checked while it is read."""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

__all__ = [
    "ADDRESS",
    "ALLOCATED",
    "DISTANCE",
    "EXECUTABLE",
    "UNWIND",
    "WRITABLE",
    "X86_64",
    "FaultError",
    "ObjectFile",
    "check_known",
    "part",
    "read_object",
    "require",
    "text_at",
]

#: Flags of a section: it takes memory, which is written to or executed.
WRITABLE, ALLOCATED, EXECUTABLE, _THREAD_LOCAL = 1, 2, 4, 0x400
_SYMBOLS, _STRINGS, _RELOCATIONS, _EMPTY = 2, 3, 4, 8
#: The kind of a section for debuggers and exceptions, on x86-64.
UNWIND = 0x7000_0001
#: Object files have no other kinds, apart from a processor's own.
_KINDS = frozenset((0, 1, _SYMBOLS, _STRINGS, _RELOCATIONS, _EMPTY))
_PROCESSOR_KINDS = range(0x7000_0000, 0x8000_0000)
_ENTRY_SIZES = {_SYMBOLS: 24, _RELOCATIONS: 24}
#: Section numbers from here on are reserved, such as that of absolute values.
_RESERVED, _ABSOLUTE = 0xFF00, 0xFFF1
_GLOBAL_FUNCTION = 0x12
#: The binding of a symbol is local, global or weak; its type none, object, function or
#: section, and that of a file name, which has an absolute value.
_BINDINGS, _TYPES, _FILE = range(3), range(4), 4
#: The number of a processor, and the kinds of relocations there.
X86_64, ADDRESS, DISTANCE = 62, 1, 24
#: The relocations that kernels use, and the number of bytes that each changes; on other
#: processors all are accepted.  (2 and 4 are distances of 32 bits, to data and functions.)
_SIZES = {X86_64: {ADDRESS: 8, 2: 4, 4: 4, DISTANCE: 8}}
#: The most bytes of memory that the sections of a kernel take.
_MOST_MEMORY = 1 << 26
_BAD_RELOCATION = "a relocation of it is damaged"


class FaultError(Exception):
    """What is wrong with an object file."""


class Section(NamedTuple):
    """A section header."""

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

    def content(self, code: bytes) -> bytes:
        """The bytes of the section in its file; none if it has only zeros in memory."""
        return b"" if self.kind == _EMPTY else part(code, self.offset, self.size)


class Symbol(NamedTuple):
    """A place in a section, or with section 0 a function of the process."""

    name: str
    section: int
    value: int
    is_function: bool


class Relocation(NamedTuple):
    """A place in a section where the address of a symbol belongs."""

    section: int
    offset: int
    kind: int
    symbol: Symbol
    addend: int


class ObjectFile(NamedTuple):
    """What is loaded of an object file."""

    sections: list[Section]
    relocations: list[Relocation]
    function: Symbol


def require(holds: bool, problem: str) -> None:
    """Raise an error for an object file of which something does not hold."""
    if not holds:
        raise FaultError(problem)


def part(code: bytes, start: int, size: int) -> bytes:
    """A slice of the file, which must lie within it."""
    require(start + size <= len(code), "a part of it lies beyond its end")
    return code[start : start + size]


def text_at(strings: bytes, start: int) -> bytes:
    """The null-terminated string at an offset of a string table."""
    return strings[start : strings.index(0, start)]


@cache
def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def check_known(name: bytes) -> None:
    """Raise for a function that the process does not have: LLVM would abort."""
    if sys.platform != "win32":
        require(hasattr(_process(), name.decode("ascii", "replace")), "it needs other functions")


def read_object(code: bytes, name: str, machine: int | None) -> ObjectFile:
    """Read and validate an object file.

    Parameters
    ----------
    code:
        The content of the file.
    name:
        The function that it must define.
    machine:
        The number of the processor that it must be made for; None if that is not known.

    Raises
    ------
    FaultError
        What is wrong with it.
    struct.error, IndexError, ValueError
        It is cut short or damaged.
    """
    order, number = ("<", 1) if sys.byteorder == "little" else (">", 2)
    require(code[:7] == b"\x7fELF\2%c\1" % number, "it is no object file of this system")
    head = struct.unpack_from(f"{order}HHIQQQIHHHHHH", code, 16)
    kind, made_for, start, entry, count, names = (head[at] for at in (0, 1, 5, 10, 11, 12))
    require(kind == 1, "it is no object file")
    require(machine is None or made_for == machine, "it is for another processor")
    require(entry == 64 and names < count, "its header is damaged")
    sections = [
        Section(*fields)
        for fields in struct.iter_unpack(f"{order}IIQQQQIIQQ", part(code, start, 64 * count))
    ]
    _check_sections(code, sections)
    strings = _strings(code, sections[names])
    for section in sections:
        text_at(strings, section.name)
    tables = [at for at, section in enumerate(sections) if section.kind == _SYMBOLS]
    require(len(tables) == 1, "it has no table of symbols")
    symbols = list(_symbols(code, order, sections, tables[0]))
    functions = [symbol for symbol in symbols if symbol and symbol.is_function]
    found = [symbol for symbol in functions if symbol.name == name]
    require(bool(found), f"it has no function {name}")
    relocations: list[Relocation] = []
    for section in sections:
        if section.kind == _RELOCATIONS:
            require(section.link == tables[0] and section.info < count, "a section is damaged")
            relocations += _relocations(section.content(code), order, section.info, symbols)
    sizes = None if machine is None else _SIZES.get(machine)
    for relocation in relocations:
        target, changed = sections[relocation.section], (sizes or {}).get(relocation.kind, 4)
        require(
            target.flags & ALLOCATED != 0
            and (sizes is None or relocation.kind in sizes)
            and relocation.offset + changed <= target.size,
            _BAD_RELOCATION,
        )
    return ObjectFile(sections, relocations, found[0])


def _check_sections(code: bytes, sections: list[Section]) -> None:
    memory = 0
    for section in sections:
        section.content(code)
        memory += section.size if section.flags & ALLOCATED else 0
        require(
            (section.kind in _KINDS or section.kind in _PROCESSOR_KINDS)
            and not section.flags & _THREAD_LOCAL
            and section.link < len(sections)
            and section.entry_size == _ENTRY_SIZES.get(section.kind, section.entry_size)
            and not (section.flags & ALLOCATED and section.alignment == 0)
            and section.alignment <= 1 << 16
            and section.alignment & (section.alignment - 1) == 0,
            "a section of it is damaged",
        )
    require(memory <= _MOST_MEMORY, "it is too large")


def _strings(code: bytes, section: Section) -> bytes:
    require(section.kind == _STRINGS, "a table of names is missing")
    return section.content(code)


def _symbols(
    code: bytes, order: str, sections: list[Section], table: int
) -> Iterator[Symbol | None]:
    """Each symbol; None for one that relocations must not refer to."""
    strings = _strings(code, sections[sections[table].link])
    content = sections[table].content(code)
    for number, (text, kind, _, where, value, size) in enumerate(
        struct.iter_unpack(f"{order}IBBHQQ", content)
    ):
        name = text_at(strings, text)
        require(
            kind >> 4 in _BINDINGS
            and (kind & 0xF == _FILE if where == _ABSOLUTE else kind & 0xF in _TYPES),
            "a symbol of it is damaged",
        )
        is_function = False
        if where == 0 and number:
            check_known(name)
        elif where and where < _RESERVED:
            section = sections[where]
            require(value + size <= section.size, "a symbol lies beyond its section")
            is_function = kind == _GLOBAL_FUNCTION and section.flags & EXECUTABLE != 0
        else:
            # The first symbol is empty.
            require(not name if number == 0 else where == _ABSOLUTE, "a symbol of it is damaged")
            yield None
            continue
        yield Symbol(name.decode("ascii", "replace"), where, value, is_function)


def _relocations(
    content: bytes, order: str, section: int, symbols: list[Symbol | None]
) -> Iterator[Relocation]:
    for offset, info, addend in struct.iter_unpack(f"{order}QQq", content):
        symbol = symbols[info >> 32]
        if symbol is None:
            raise FaultError(_BAD_RELOCATION)
        yield Relocation(section, offset, info & 0xFFFF_FFFF, symbol, addend)
