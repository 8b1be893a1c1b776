"""A pytest plugin: kernels can be neither compiled to stand-alone code nor loaded.

At the end it prints which ones failed, and all notices.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

from equity.kernels import compiler, loader
from equity.kernels import notices as kernel_notices

notices: list[str] = []


def fail(*_: object) -> NoReturn:
    raise AttributeError("module 'llvmlite.binding' has no attribute 'create_mcjit_compiler'")


def pytest_configure() -> None:
    pytest.MonkeyPatch().setattr(compiler, "compile_kernel", fail)
    pytest.MonkeyPatch().setattr(loader, "load", fail)
    kernel_notices.listeners.append(notices.append)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"failed: {' '.join(sorted(kernel_notices.failed))}")
    for notice in notices:
        terminalreporter.write_line(f"notice: {notice}")
