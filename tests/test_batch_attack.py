"""The attack on batches, for some seconds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from batch_attack import Attack


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_whatever_happens_nothing_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    attack = Attack(tmp_path, 1)
    for _ in range(7):
        attack.kills()
        attack.damages()
        attack.races()
    assert attack.counts["kills"] >= 3
    assert attack.counts["damaged files refused"] >= 1
    assert attack.counts["runs that lost"] >= 3
