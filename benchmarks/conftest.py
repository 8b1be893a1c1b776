"""One command measures everything: ``pytest benchmarks``."""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import equity
from benchmarks import peers, report
from benchmarks.measuring import Measuring

# What is installed has its bytecode; what is measured here has it too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

RESULTS = Path(__file__).parents[1] / ".benchmarks" / "figures.json"
#: The rows of this run, for the report.
ROWS: list[dict[str, Any]] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("figures")
    group.addoption("--rounds", type=int, default=5, help="rounds of every row (5)")
    group.addoption("--seconds", type=float, default=1.0, help="seconds of a sample (1)")
    group.addoption("--figures", action="store_true", help="write the tables into both README.md")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not ROWS:
        return
    run = {"machine": machine(), "date": date.today().isoformat(), "rows": ROWS}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(run, indent=1), encoding="utf-8")
    figures = report.tables(run)
    terminalreporter.section("figures")
    terminalreporter.write_line(figures)
    terminalreporter.write_line(f"\nthe numbers of every round are in {RESULTS}")
    if config.option.figures:
        report.write(run)
        terminalreporter.write_line(f"the tables are in {report.ALL} and {report.FRONT}")


def machine() -> dict[str, Any]:
    """What the figures were measured on, and with."""
    able = hasattr(os, "sched_getaffinity")
    return {
        "processor": processor(),
        "processors": len(os.sched_getaffinity(0)) if able else os.cpu_count(),
        "system": platform.system(),
        "versions": {
            "equity": equity.__version__,
            "Python": platform.python_version(),
            "numba": version("numba"),
            **{peer.name: peer.version for peer in peers.installed()},
        },
    }


def processor() -> str:
    """Its name, as well as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@pytest.fixture
def measuring(benchmark: Any, request: pytest.FixtureRequest) -> Measuring:
    """Measures a row."""
    options = request.config.option
    return Measuring(benchmark, options.rounds, options.seconds, ROWS)


@pytest.fixture(scope="session")
def their() -> list[peers.Peer]:
    """The peers that are installed."""
    return peers.installed()


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Kernels compiled and loaded, tables read, before anything is measured."""
    from equity.kernels import table_block
    from equity.kernels.registry import KERNELS
    from equity.kernels.transposed import line_block

    for kernel in KERNELS:
        kernel.prepare()
    table_block()
    line_block()
    print(f"{len(KERNELS)} kernels are ready", file=sys.stderr)
