"""Closed, full and broken standard streams: an answer or a line on stderr, no defect."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="streams of a POSIX shell")

HANDS = "AhAsKhKs 9c8c7d6d -b 2c3d7h"
TABLE = "players\nAhAsKhKs|9c8c7d6d\n"
COMMANDS = [
    f"odds {HANDS}",
    "range AA -b 2c3d7h",
    "games --csv",
    "--help",
    "cache",
    "batch spots.csv -q -o -",
]
CLOSED = [">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"]
FULL = [">/dev/full", "2>/dev/full", "| true", "2>&1 | true"]


def shell(
    command: list[str], arguments: str, streams: str, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell, its exit code that of the first in a pipe."""
    (folder / "spots.csv").write_text(TABLE)
    line = f"{shlex.join(command)} {arguments} {streams}"
    return subprocess.run(
        ["bash", "-c", f'{line}; exit "${{PIPESTATUS[0]}}"'],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("streams", [*CLOSED, *FULL])
def test_streams(command: list[str], tmp_path: Path, streams: str) -> None:
    for arguments in COMMANDS:
        done = shell(command, arguments, streams, tmp_path)
        said = f"{arguments} {streams}: {done.returncode} {done.stderr}"
        assert done.returncode in (0, 1), said
        assert "Traceback" not in done.stderr, said
        assert "Exception ignored" not in done.stderr, said
        assert "defect" not in done.stderr, said
        if "1" not in streams.replace("2>&1", "") and streams.startswith(">"):
            assert done.returncode == 1, said
        if streams in (">&-", ">/dev/full"):
            assert done.stderr.count("\n") == 1, said
            assert "stdout" in done.stderr or "'-'" in done.stderr, said


def test_what_is_wrong_stays_bad_input(command: list[str], tmp_path: Path) -> None:
    for streams in (*CLOSED, *FULL):
        assert shell(command, "odds AhAs", streams, tmp_path).returncode == 2


def test_a_table_from_a_closed_stdin(command: list[str], tmp_path: Path) -> None:
    done = shell(command, "batch - -o out.csv", "<&-", tmp_path)
    assert done.returncode in (1, 2)
    assert "'-' cannot be read" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_output_file_needs_no_stdout(command: list[str], tmp_path: Path) -> None:
    done = shell(command, "batch spots.csv -q -o out.csv", ">&- <&- 2>&-", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "out.csv").read_text().count("\n") == 2
