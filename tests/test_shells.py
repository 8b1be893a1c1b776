"""Habits of shells: completion, colours on a terminal only, a pager for long lists."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run

from equity.cli.commands import COMMANDS
from equity.cli.manual import write_pages
from equity.operations.odds import ODDS
from equity.rules.games import GAMES

HANDS = ["AhAsKhKs", "9c8c7d6d"]


def on_terminal(*arguments: str, **variables: str) -> str:
    """What a command prints on a terminal of 24 lines and 80 columns."""
    main, side = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm", "LINES": "24", "COLUMNS": "80", **variables}
    with subprocess.Popen(
        [sys.executable, "-m", "equity", *arguments],
        stdin=side,
        stdout=side,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        os.close(side)
        text = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            text += part
        os.close(main)
        assert process.wait(60) == 0
    return text.decode().replace("\r\n", "\n")


def completed(*words: str) -> list[str]:
    """The words that a shell offers for the last one of a line."""
    line = " ".join(["equity", *words])
    environment = {
        **os.environ,
        "_EQUITY_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
    }
    entry = Path(sys.executable).with_name("equity")
    done = subprocess.run([entry], env=environment, capture_output=True, text=True, check=True)
    assert not done.stderr
    return [text.partition(",")[2] for text in done.stdout.splitlines()]


def test_commands_options_and_names_are_completed() -> None:
    assert completed("od") == ["odds"]
    assert "--board" in completed("odds", "--b")
    assert completed("odds", "-g", "plo6") == ["plo6", "plo6-8"]
    assert completed("odds", "-g", "''") in ([], [game.name for game in GAMES])
    assert "ring" in completed("odds", "--ordering", "r")
    assert completed("completion", "z") == ["zsh"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_right_for_their_shell(run: Run, tmp_path: Path, shell: str) -> None:
    script = run("completion", shell).stdout
    assert f"{shell}_complete" in script
    if shutil.which(shell):
        path = tmp_path / "script"
        path.write_text(script)
        subprocess.run([shell, "-n", path], check=True)


def test_another_shell_is_refused(run: Run) -> None:
    assert "bash" in run("completion", "tcsh", code=2).stderr


def test_manual_pages_have_every_command_and_option(tmp_path: Path) -> None:
    names = {path.name for path in write_pages(tmp_path)}
    assert names >= {"equity.1", *(f"equity-{name}.1" for name in COMMANDS)}
    text = (tmp_path / "equity-odds.1").read_text().replace("\\-", "-")
    for option in ODDS.parameters[1:]:
        assert option.flag in text
    assert "\nequity odds AhAsKhKs 9c8c7d6d\n" in text
    if shutil.which("groff"):
        path = tmp_path / "equity-odds.1"
        done = subprocess.run(["groff", "-man", "-Tascii", path], capture_output=True, check=True)
        assert b"equity odds AhAsKhKs 9c8c7d6d" in done.stdout


def test_titles_are_bold_on_a_terminal_only(run: Run) -> None:
    shown = on_terminal("odds", *HANDS)
    title = next(line for line in shown.splitlines() if "equity %" in line)
    assert title.startswith("\033[1m")
    assert title.endswith("\033[0m")
    for plain in (on_terminal("odds", *HANDS, NO_COLOR="1"), run("odds", *HANDS).stdout):
        assert "\033" not in plain
    assert json.loads(on_terminal("odds", *HANDS, "--json"))["exact"]


def test_long_lists_go_through_the_pager(run: Run) -> None:
    long, short = ["range", "AhAsKh*", "--list"], ["range", "AhAsKhKs,AhAsKhKd", "--list"]
    counted = on_terminal(*long, PAGER="wc -l")
    assert int(counted.split()[-1]) == len(run(*long).stdout.splitlines())
    assert on_terminal(*short, PAGER="wc -l") == run(*short).stdout
