"""A pytest plugin: kernels can be neither compiled to stand-alone code nor loaded.

At the end it prints which ones failed, and the log.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

from equity.kernels import compiler, loader
from equity.kernels import log as kernel_log

lines: list[str] = []


def fail(*_: object) -> NoReturn:
    raise AttributeError("module 'llvmlite.binding' has no attribute 'create_mcjit_compiler'")


def pytest_configure() -> None:
    pytest.MonkeyPatch().setattr(compiler, "compile_kernel", fail)
    pytest.MonkeyPatch().setattr(loader, "load", fail)
    kernel_log.listeners.append(lines.append)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"failed: {' '.join(sorted(kernel_log.failed))}")
    for line in lines:
        terminalreporter.write_line(f"notice: {line}")
