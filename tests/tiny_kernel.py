"""A kernel that is compiled in a moment, to test the store with.

``python tiny_kernel.py`` runs it and prints its result, 42.
"""

from __future__ import annotations

import sys

RECORD = {"count": ("int64", ()), "values": ("int64", ("count",))}


def main() -> None:
    from equity.kernels.loader import Kernel, Record
    from equity.kernels.log import listeners

    listeners.append(lambda message: print(message, file=sys.stderr))
    record = Record("some", RECORD)
    kernel = Kernel("fill", "tiny_kernel_code", [record])
    block = record.allocate(count=6)
    kernel(block)
    print(sum(block.values["values"]))


if __name__ == "__main__":
    main()
