"""An answer that was ended early says so, and is never written as a whole one."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import equity
from equity.batching.job import Job
from equity.batching.parse_row import BY_NAME
from equity.batching.rows import Row
from equity.batching.views import VIEWS
from equity.batching.worker import answer_row
from equity.engine import deal_sums, executor, holdings, odds_many
from equity.engine.sweeping import board_tallies
from equity.money import all_in, pot_odds
from equity.results.formats import written


def test_what_was_counted_in_part_is_no_exact_answer() -> None:
    """Money too: no fraction of a part of the deals is given as exact."""
    calls = []

    def stop_later(progress: equity.Progress) -> None:
        calls.append(progress)
        raise KeyboardInterrupt

    how = equity.How(exact=True, progress=stop_later, threads=1)
    spot = ["AA:xxyy", "KQJT,QJT9"]
    result = equity.odds(spot, board="Kh9h4c", exact=True, progress=stop_later, threads=1)
    assert [player["equity_exact"] for player in result.to_dict()["players"]] == [None, None]
    money = all_in(spot, board="Kh9h4c", stacks=[9, 9], how=how)
    call_ = pot_odds(spot, board="Kh9h4c", call=5, pot=10, how=how)
    assert len(calls) == 3
    assert money.partial
    assert not any(player.exact for player in money.players)
    assert call_.to_dict()["had_exact"] is call_.to_dict()["gain_exact"] is None
    for answer in (money, call_):
        found = json.loads(written(answer, "json"))
        assert found["partial"]
        assert not found["exact"]
        assert "PARTIAL" in written(answer, "table")


def test_a_side_pot_in_part_makes_all_of_it_one() -> None:
    def stop(progress: equity.Progress) -> None:
        if len(progress.result.equities) == 2:
            raise KeyboardInterrupt

    money = all_in(
        ["AsAhKsKh", "AA", "KK"], board="2c7d9h", stacks=[5, 9, 9],
        how=equity.How(error=0.004, progress=stop, threads=1),
    )  # fmt: skip
    if not money.partial:
        pytest.skip("the side pot was done before anybody could look")
    assert not money.result.partial
    assert json.loads(written(money, "json"))["partial"]
    assert "PARTIAL" in written(money, "table")
    rows = csv.DictReader(io.StringIO(written(money, "csv")))
    assert {row["partial"] for row in rows} == {"true"}


def stopped_after(parts: int) -> Callable[..., Iterator[Any]]:
    """In place of ``in_order``: Ctrl-C when so many parts of a job are done, or all."""

    def in_order(_: object, function: Callable[[Any], Any], given: Iterable[Any], __: int) -> Any:
        for part in islice(given, parts):
            yield function(part)
        raise KeyboardInterrupt

    return in_order


EXACT = {"players": "AA:xxyy|KQJT,QJT9", "board": "Kh9h4c"}
HAND = {"players": "AsAh7s7h|KQJT,QJT9", "board": "Kh9h4c"}
SAMPLED = {"players": "AA|KK|QQ", "board": "Kh9h4c", "error": "0.00001"}
MONEY = {"stacks": "9,9"}
QUERY = {
    "query": "select count(handType(a, river) = flush) from game=:game, board=:board, "
    "a=:player1, b=:player2"
}
FLOPS = {"players": "AA:xxyy|KQJT,QJT9"}
#: Modules that run the parts of a job.
RUNNING = (executor, board_tallies, deal_sums, holdings, odds_many)
QUESTIONS = [
    ("odds", EXACT), ("odds", SAMPLED),
    ("money", EXACT | MONEY), ("money", SAMPLED | {"stacks": "9,9,9"}),
    ("money", SAMPLED | {"stacks": "5,9,9"}),
    ("call", EXACT | {"call": "5", "pot": "9"}), ("call", SAMPLED | {"call": "5", "pot": "9"}),
    ("double", EXACT | {"runs": "2"}), ("double", SAMPLED | {"runs": "2"}),
    ("double", EXACT | {"board2": "Th7h2c"}), ("double", SAMPLED | {"board2": "Kh9h4c2d"}),
    ("double", HAND | {"board2": "Kh9h4c2d", "exact": "yes"}),
    ("money-on-boards", EXACT | MONEY | {"runs": "2"}),
    ("money-on-boards", SAMPLED | {"stacks": "9,9,9", "board2": "Kh9h4c2d"}),
    ("streets", EXACT), ("streets", SAMPLED), ("next", EXACT), ("next", SAMPLED),
    ("next-two", EXACT), ("blockers", HAND), ("blockers", HAND | {"error": "0.00001"}),
    ("graph", EXACT), ("graph", HAND), ("graph-turns", EXACT), ("graph-rivers", EXACT),
    ("graph-flops", FLOPS), ("graph-flops", {"players": "AsAh7s7h|KhKc8c8h"}),
    *((view, {"players": "AA:xxyy"}) for view in ("flops", "flops-suits", "flops-pairs")),
    ("flops-high", {"players": "AsAh7s7h"}),
    ("query", EXACT | QUERY), ("query", SAMPLED | QUERY),
]  # fmt: skip


def test_all_views_are_asked() -> None:
    assert {view for view, _ in QUESTIONS} == set(VIEWS)


@pytest.mark.parametrize(("view", "row"), QUESTIONS)
@pytest.mark.parametrize("parts", [0, 1])
def test_no_view_takes_a_part_for_an_answer(
    monkeypatch: pytest.MonkeyPatch, view: str, row: dict[str, str], parts: int
) -> None:
    for module in RUNNING:
        monkeypatch.setattr(module, "in_order", stopped_after(parts))
    values = row | ({} if view not in BY_NAME or view == "odds" else {"view": view})
    if view.startswith("graph"):
        values.pop("error", None)
    with pytest.raises(KeyboardInterrupt):
        answer_row(Job({"game": "plo4"}), Row(0, 0, values, {}), share={})


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
def test_combos_of_a_part_are_not_written(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "combos.csv"
    with subprocess.Popen(
        [*command, "odds", "AA,QQ,JJ", "KK,A2,A3", "--exact", "-q", "--by-combo", f"1:{path}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130, stderr
    assert "PARTIAL" in stdout
    assert stderr == ""
    assert not path.exists()
