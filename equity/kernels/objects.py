"""Checks of object files before they are loaded.

LLVM trusts an object file: one for another processor, or with an offset beyond its
end, crashes the process.  So headers, sections, symbols and relocations are validated
first.  The machine code itself cannot be validated.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from equity.kernels.elf import X86_64, FaultError, check_known, part, read_object, require, text_at

__all__ = ["find_fault"]


class _Machine(NamedTuple):
    """The id of a processor in each file format; None where the format has none."""

    elf: int
    macho: int | None = None
    coff: int | None = None


#: By the first component of LLVM's triple.
_MACHINES = {
    "x86_64": _Machine(X86_64, 0x0100_0007, 0x8664),
    "aarch64": _Machine(183, 0x0100_000C, 0xAA64),
    "arm64": _Machine(183, 0x0100_000C, 0xAA64),
    "riscv64": _Machine(243),
    "powerpc64le": _Machine(21),
    "ppc64le": _Machine(21),
    "s390x": _Machine(22),
}


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
    try:
        _check_of(triple)(code, symbol.encode(), triple.partition("-")[0])
    except FaultError as error:
        return str(error)
    except (struct.error, IndexError, ValueError):
        return "it is cut short or damaged"
    return ""


def _check_elf(code: bytes, symbol: bytes, processor: str) -> None:
    known = _MACHINES.get(processor)
    read_object(code, symbol.decode(), known and known.elf)


def _check_macho(code: bytes, symbol: bytes, processor: str) -> None:
    magic, machine, _, kind, commands, size = struct.unpack_from("<6I", code)
    require(magic == 0xFEED_FACF and kind == 1, "it is no object file of this system")
    known = _MACHINES.get(processor)
    require(known is None or machine == known.macho, "it is for another processor")
    names: set[bytes] = set()
    at = 32
    for _ in range(commands):
        command, length = struct.unpack_from("<2I", code, at)
        require(length >= 8 and at + length <= 32 + size <= len(code), "its header is damaged")
        if command == 0x19:  # LC_SEGMENT_64
            _check_macho_sections(part(code, at, length), code)
        elif command == 0x02:  # LC_SYMTAB
            names.update(_macho_functions(code, *struct.unpack_from("<4I", code, at + 8)))
        at += length
    require(b"_" + symbol in names, f"it has no function {symbol.decode()}")


def _check_macho_sections(segment: bytes, code: bytes) -> None:
    count = struct.unpack_from("<I", segment, 64)[0]
    for _, size, start, _, relocation, relocations, flags in struct.iter_unpack(
        "<32x2Q4II12x", part(segment, 72, 80 * count)
    ):
        if flags & 0xFF not in (1, 12, 18):  # zero-filled
            part(code, start, size)
        part(code, relocation, 8 * relocations)


def _macho_functions(code: bytes, start: int, count: int, text: int, size: int) -> Iterator[bytes]:
    """The names of the global functions."""
    strings = part(code, text, size)
    for name, kind, _, _, _ in struct.iter_unpack("<IBBHQ", part(code, start, 16 * count)):
        if kind & 0xEF == 0x0F:  # in a section, external
            yield text_at(strings, name)
        elif kind & 0xEF == 0x01:  # undefined
            check_known(text_at(strings, name).removeprefix(b"_"))


def _check_coff(code: bytes, symbol: bytes, processor: str) -> None:
    machine, count, _, start, symbols, optional, _ = struct.unpack_from("<2H3I2H", code)
    known = _MACHINES.get(processor)
    require(known is None or machine == known.coff, "it is for another processor")
    for size, data, relocation, relocations in struct.iter_unpack(
        "<16x3I4xH6x", part(code, 20 + optional, 40 * count)
    ):
        part(code, data, size if data else 0)
        part(code, relocation, 10 * relocations)
    entries = part(code, start, 18 * symbols)
    strings = code[start + 18 * symbols :]
    names, at = set(), 0
    while at < symbols:
        name, section, _, kind, more = struct.unpack_from("<8s4xhHBB", entries, 18 * at)
        if section > 0 and kind == 2:  # external, in a section
            is_long = name[:4] == bytes(4)
            names.add(
                text_at(strings, int.from_bytes(name[4:], "little"))
                if is_long
                else name.rstrip(b"\0")
            )
        at += 1 + more
    require(symbol in names, f"it has no function {symbol.decode()}")


def _check_of(triple: str) -> Callable[[bytes, bytes, str], None]:
    """The check for the format of object files of a system."""
    if any(name in triple for name in ("apple", "darwin", "macos")):
        return _check_macho
    return _check_coff if "windows" in triple else _check_elf
