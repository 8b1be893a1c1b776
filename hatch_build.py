"""Puts compiled kernels into the wheel; ``pip wheel .`` alone leaves them out.

``HATCH_BUILD_HOOK_ENABLE_CUSTOM=true python -m build`` on Linux with x86-64 makes a wheel
whose first answer waits for no compiler.  ``EQUITY_WHEEL_KERNELS`` names some kernels, to
compile these alone.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: Any Python, as the machine code refers to none.  The files are object files, which no
#: dynamic linker sees: of the C library they need memset and memcpy, which every version has.
#: So the oldest tag that PyPI and pip know for the oldest Linux of numba's wheels is right.
TAG = "py3-none-manylinux_2_17_x86_64"


class CompiledKernels(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the kernels, and adds them to the files of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in another process, on the source of the package that is built."""
        if version != "standard":  # an editable install has no files of its own
            return
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            raise RuntimeError("wheels with compiled kernels are built on Linux with x86-64")
        # It is removed with the hook, when the wheel is written.
        self._folder = tempfile.TemporaryDirectory()
        subprocess.run(  # noqa: S603 - this Python, with a module of the package
            [
                *(sys.executable, "-m", "equity.kernels.shipped", self._folder.name),
                *os.environ.get("EQUITY_WHEEL_KERNELS", "").split(),
            ],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": self.root},
            check=True,
        )
        for path in Path(self._folder.name).iterdir():
            build_data["force_include"][str(path)] = f"equity/kernels/compiled/{path.name}"
        build_data["tag"] = TAG
        build_data["pure_python"] = False
