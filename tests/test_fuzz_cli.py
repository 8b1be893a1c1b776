"""A short form of the fuzz of the command; ``python tests/fuzz_cli.py`` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_cli import Fuzz, leaves

RUNS = 150


@pytest.mark.parametrize("seed", [1, 2])
def test_random_options(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Kernels may have to be compiled, on a machine that does other things too.
    monkeypatch.setattr("fuzz_cli.MOST_SECONDS", 300.0)
    fuzz = Fuzz(seed, tmp_path)
    # What takes long is left to the long form.
    fuzz.commands = {
        words: command
        for words, command in fuzz.commands.items()
        if words[0] not in ("graph", "blockers", "streets")
    }
    faults = [fault for _ in range(RUNS) if (fault := fuzz.one())]
    assert faults == []
    assert {code for _, code in fuzz.codes} >= {0, 2}


def test_every_command_is_asked() -> None:
    from equity.cli.commands import COMMANDS

    assert {words[0] for words in leaves()} == set(COMMANDS) - {"serve"}
