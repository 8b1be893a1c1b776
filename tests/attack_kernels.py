"""Damage to compiled kernels that keeps their digests valid, and what loading them does.

``python tests/attack_kernels.py [SEED] [FILES]`` damages stored kernels at random and
loads each in a process of its own.  It prints how many were refused, loaded, or ended
the process; the last must not happen.  (POSIX alone: it forks.)
"""

from __future__ import annotations

import os
import random
import struct
import sys
from collections import Counter

__all__ = ["damaged", "main"]


def damaged(code: bytes, rng: random.Random) -> bytes:
    """An ELF file with some bytes changed outside the machine code, or cut short."""
    changed = bytearray(code)
    table = int.from_bytes(code[40:48], "little")
    count = int.from_bytes(code[60:62], "little")
    sections = struct.iter_unpack("<IIQQQQIIQQ", code[table : table + 64 * count])
    parts = [(0, 64), (table, table + 64 * count)]
    # Symbols, their names, relocations and the unwind table.
    parts += [
        (fields[4], fields[4] + fields[5])
        for fields in sections
        if fields[1] in (2, 3, 4, 0x7000_0001) and fields[5]
    ]
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(*rng.choice(parts))
        changed[at] = rng.choice(
            (0, 255, rng.randrange(256), changed[at] ^ (1 << rng.randrange(8)))
        )
    return bytes(changed[: rng.randrange(len(changed))] if rng.random() < 0.1 else changed)


def main(seed: int = 0, files: int = 2_000) -> Counter[str]:
    """Load so many damaged kernels; how many ended in which way."""
    import llvmlite.binding as llvm

    from equity.kernels import loader, store
    from equity.kernels.objects import find_fault
    from equity.kernels.registry import KERNELS

    rng, ended = random.Random(seed), Counter[str]()
    stored = [(kernel.name, store.read(kernel.stored_name())) for kernel in KERNELS]
    kernels = [(name, code) for name, code in stored if code]
    loader.target_machine()
    for _ in range(files):
        name, code = rng.choice(kernels)
        code = damaged(code, rng)
        if find_fault(code, name, llvm.get_process_triple()):
            ended["refused"] += 1
            continue
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                loader.load(code, name)
            except RuntimeError:
                os._exit(3)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        ended["loaded" if status == 0 else f"ended with {status}"] += 1
    return ended


if __name__ == "__main__":
    print(dict(main(*map(int, sys.argv[1:]))))
