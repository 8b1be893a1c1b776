from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from equity.kernels.registry import KERNELS

# A first call may load or compile a kernel; time is measured in benchmarks.
settings.register_profile("equity", deadline=None, print_blob=True)
settings.load_profile("equity")

# A shell starts what it puts into the background with Ctrl-C ignored, and children inherit
# that; those of the tests are to be interrupted all the same.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels before the workers start, so that no test sees notices of it."""
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        for kernel in KERNELS:
            kernel.prepare()


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def command() -> list[str]:
    """The installed console script."""
    script = Path(sys.executable).parent / ("equity.exe" if os.name == "nt" else "equity")
    return [str(script)] if script.exists() else [sys.executable, "-m", "equity"]


@pytest.fixture(scope="session")
def run(command: list[str]) -> Run:
    """Run the command: ``run("odds", ..., env={...}, cwd=..., code=0)``."""

    def _run(
        *arguments: str,
        env: dict[str, str | None] | None = None,
        cwd: Path | None = None,
        code: int = 0,
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONWARNINGS": "error"}
        for name, value in (env or {}).items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        done = subprocess.run(
            [*command, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=cwd,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return _run


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the hand histories that the documentation reads, as the working folder."""
    histories = Path(__file__).parent / "histories"
    shutil.copytree(histories, tmp_path / "tests" / "histories")
    (tmp_path / "session").mkdir()
    shutil.copy(histories / "ggpoker.txt", tmp_path / "session")
    odd = (histories / "pokerstars.txt").read_text(encoding="utf-8")
    text = odd[odd.index("PokerStars Hand #16") : odd.index("PokerStars Hand #17")]
    (tmp_path / "damaged.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path
