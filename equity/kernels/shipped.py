"""Machine code that comes with the package, so that the first answer waits for no compiler.

The wheel for Linux on x86-64 has every kernel for each level of ``machine.LEVELS``;
``python -m equity.kernels.shipped FOLDER`` makes the files.  They are part of the package
and trusted like its modules.  A file of other source has another name, so none is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from equity.common.limits import processors
from equity.kernels import store
from equity.kernels.machine import LEVELS, level_target
from equity.kernels.registry import KERNELS


def build(folder: Path, names: Sequence[str]) -> None:
    """Compile kernels, or all if no names are given, for every level into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [at for at, kernel in enumerate(KERNELS) if not names or kernel.name in names]
    with ProcessPoolExecutor(processors()) as pool:
        for name in pool.map(partial(_build_one, folder), chosen):
            print(name, flush=True)


def _build_one(folder: Path, number: int) -> str:
    from equity.kernels.compiler import compile_kernel

    kernel = KERNELS[number]
    targets = [level_target(level) for level in LEVELS]
    for target, code in zip(targets, compile_kernel(kernel, targets), strict=True):
        (folder / f"{kernel.name_for(target)}{store.SUFFIX}").write_bytes(store.pack(code))
    return kernel.name


if __name__ == "__main__":
    build(Path(sys.argv[1]), sys.argv[2:])
