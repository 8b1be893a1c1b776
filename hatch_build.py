"""Makes what a wheel has beside the source: manual pages, and compiled kernels if asked.

``EQUITY_WHEEL_KERNELS=all python -m build`` on Linux with x86-64 makes a wheel whose first
answer waits for no compiler; names of kernels in place of ``all`` compile these alone.
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
#: What the help of commands imports, of which manual pages are made.
FOR_PAGES = ("click", "platformdirs")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds manual pages and compiled kernels to the files of the wheel."""

    @property
    def _kernels(self) -> list[str]:
        """The kernels to compile, or ``all``; none are if this is empty."""
        return os.environ.get("EQUITY_WHEEL_KERNELS", "").split()

    def dependencies(self) -> list[str]:
        """What must be installed to build: for kernels all that the package needs."""
        needed: list[str] = self.metadata.core.dependencies
        return needed if self._kernels else [one for one in needed if one.startswith(FOR_PAGES)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files in other processes, by the source of the package that is built."""
        if version != "standard":  # an editable install has no files of its own
            return
        # It is removed with the hook, when the wheel is written.
        self._folder = tempfile.TemporaryDirectory()
        pages = self._make("equity.cli.manual")
        for path in pages.iterdir():
            build_data["shared_data"][str(path)] = f"share/man/man1/{path.name}"
        if not self._kernels:
            return
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            raise RuntimeError("wheels with compiled kernels are built on Linux with x86-64")
        names = [] if self._kernels == ["all"] else self._kernels
        for path in self._make("equity.kernels.shipped", *names).iterdir():
            build_data["force_include"][str(path)] = f"equity/kernels/compiled/{path.name}"
        build_data["tag"] = TAG
        build_data["pure_python"] = False

    def _make(self, module: str, *arguments: str) -> Path:
        """Run a module of the package that writes files into a folder; return the folder."""
        folder = Path(self._folder.name, module)
        # pip names what is installed for the build in this variable.
        paths = filter(None, (self.root, os.environ.get("PYTHONPATH")))
        subprocess.run(  # noqa: S603 - this Python, with a module of the package
            [sys.executable, "-m", module, str(folder), *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            check=True,
        )
        return folder
