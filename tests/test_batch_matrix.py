"""Matrices of cross products, and hand classes in their lists."""

from __future__ import annotations

import csv
import io
import json
import random
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from batch_tools import call, read_csv, read_json
from conftest import Run

import equity
from equity.batching.cross_product import Crossing
from equity.errors import EquityError
from equity.ranges.class_notation import class_pattern
from equity.ranges.syntax import parse
from equity.rules.cards import parse_cards
from equity.rules.games import GAMES, find_game

FIRST, SECOND = "AAKK|9c8c7d6d|KQJT", "KQJT|QQ,JJ|9c8c7d6d|T987"
BOARD = "Th5s4h2d"
SEATS = ["--players", FIRST, "--players", SECOND]


def cells(rows: list[dict[str, Any]]) -> dict[tuple[str, ...], Any]:
    """The cells of a matrix by labels."""
    found: dict[tuple[str, ...], Any] = {}
    for row in rows:
        on = (row.pop("board"),) if "board" in row else ()
        one = row.pop("player1")
        found |= {(*on, one, two): value for two, value in row.items()}
    return found


def wide(tmp_path: Path, figure: str, *more: str) -> dict[tuple[str, ...], Any]:
    """The same figure of the wide layout."""
    output = tmp_path / "wide.jsonl"
    call("batch", *SEATS, *more, "-o", output, "-q", "--jobs", "1", "--force")
    values = [row[figure] for row in read_json(output)]
    on = more[1].split("|") if more[0] == "--boards" else [""]
    places = [
        ((board, one, two) if board else (one, two))
        for one in FIRST.split("|")
        for two in SECOND.split("|")
        for board in on
    ]
    return dict(zip(places, values, strict=True))


@pytest.mark.parametrize("on", [("-b", BOARD), ("--boards", f"{BOARD}|Ts5s4h2c")])
@pytest.mark.parametrize("figure", ["player1_equity", "player2_equity_exact", "deals", "exact"])
def test_the_cells_are_those_of_rows(figure: str, on: tuple[str, str], tmp_path: Path) -> None:
    wanted = wide(tmp_path, figure, *on)
    assert None in wanted.values()  # a hand is not dealt twice
    matrix = ["batch", *SEATS, *on, "--layout", "matrix", "--columns", figure, "--jobs", "1"]
    assert call(*matrix, "-o", tmp_path / "m.jsonl").code == 1
    assert cells(read_json(tmp_path / "m.jsonl")) == wanted
    call(*matrix, "-o", tmp_path / "m.csv")
    texts = {place: "" if value is None else str(value) for place, value in wanted.items()}
    texts |= {place: "true" for place, value in wanted.items() if value is True}
    assert cells(read_csv(tmp_path / "m.csv")) == texts
    call(*matrix, "-o", tmp_path / "e.csv", "--excel")
    lines = list(
        csv.reader(io.StringIO((tmp_path / "e.csv").read_text("utf-8-sig")), delimiter=";")
    )
    plain = [
        [text.removeprefix('="').rstrip('"').replace(",", ".") for text in line] for line in lines
    ]
    labels = 1 + (on[0] == "--boards")
    heads = [*lines[0][:labels], *SECOND.split("|")]
    assert cells([dict(zip(heads, line, strict=True)) for line in plain[1:]]) == texts
    if figure.endswith("_exact"):
        assert all(
            text == "" or text.startswith('="') for line in lines[1:] for text in line[labels:]
        )


def test_default_figure_on_standard_output(run: Run, tmp_path: Path) -> None:
    seats = ["--players", "AAKK|KQJT", "--players", "AAKK|KQJT"]
    done = run("batch", *seats, "-b", BOARD, "--layout", "matrix", "-o", "-", "-q", cwd=tmp_path)
    result = equity.odds(["AAKK", "KQJT"], board=BOARD)
    assert cells(read_csv(done.stdout)) == {
        ("AAKK", "AAKK"): "0.5",
        ("AAKK", "KQJT"): str(result.equities[0]),
        ("KQJT", "AAKK"): str(result.equities[1]),
        ("KQJT", "KQJT"): "0.5",
    }
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "xlsx"])
def test_parts_of_a_matrix_are_merged(ending: str, tmp_path: Path) -> None:
    matrix = ["batch", *SEATS, "-b", BOARD, "--layout", "matrix", "-q", "--jobs", "1"]
    call(*matrix, "-o", tmp_path / f"whole.{ending}")
    parts = [tmp_path / f"part{number}.{ending}" for number in range(1, 15)]
    for number, part in enumerate(parts, 1):
        # Of 14 parts of 12 cells two are empty.
        assert call(*matrix, "-o", part, "--shard", f"{number}/14").code in (0, 1)
    call("merge", *parts, "-o", tmp_path / f"merged.{ending}")
    whole = (tmp_path / f"whole.{ending}").read_bytes()
    assert (tmp_path / f"merged.{ending}").read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["spots.csv"], ["layout", "cross product", "--players twice"]),
        (["--players", "AA"], ["a matrix is of two players, not 1"]),
        (["--players", "AA"] * 3, ["a matrix is of two players, not 3"]),
        (["--players", "AA|KK|AA", "--players", "QQ"], ["'AA' is listed twice"]),
        ([*SEATS, "--boards", f"{BOARD}|{BOARD}"], [f"'{BOARD}' is listed twice"]),
        ([*SEATS, "--boards", "flops"], ["all flops have several rows", "wide or long"]),
        ([*SEATS, "-b", BOARD, "--view", "streets"], ["the view streets has several rows"]),
        ([*SEATS, "--columns", "deals,exact"], ["one figure, not 2", "--columns deals"]),
        ([*SEATS, "--columns", "player1_eqity"], ["no column 'player1_eqity'"]),
        ([*SEATS, "--format", "xlsx", "-o", "-"], ["Xlsx needs a file"]),
    ],
)
def test_what_is_no_matrix(arguments: list[str], words: list[str], tmp_path: Path) -> None:
    output = [] if "-o" in arguments else ["-o", tmp_path / "m.csv"]
    done = call("batch", *arguments, "--layout", "matrix", *output)
    assert done.code == 2
    assert len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr
    assert list(tmp_path.iterdir()) == []


def alike(hand: frozenset[int]) -> frozenset[frozenset[int]]:
    """All hands that a permutation of suits makes of a hand."""
    return frozenset(
        frozenset(card & ~3 | suits[card & 3] for card in hand) for suits in permutations(range(4))
    )


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_classes_are_ranges_of_their_hands(game: str) -> None:
    rules = find_game(game)
    chance = random.Random(game)
    hands = [chance.sample(range(52), rules.hole) for _ in range(12)]
    # One suit, and two or three of a kind.
    hands += [[4 * rank + 2 for rank in range(1, rules.hole + 1)], [*range(rules.hole)]]
    for hand in hands:
        text = class_pattern(hand)
        assert parse(text, rules).notices == ()
        found = {frozenset(parse_cards(one)) for one in equity.Range(text, game)}
        assert found == alike(frozenset(hand))


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_classes_in_a_cross_product(game: str, tmp_path: Path) -> None:
    more = find_game(game).hole - 4
    one, two, three = "AAKK" + "23"[:more], "TT99" + "87"[:more], "QQJJ" + "Q"[:more]
    output = tmp_path / "r.jsonl"
    seats = ["--players", f"classes:{one}|{three}", "--players", f"Classes: {two}"]
    done = call("batch", *seats, "-g", game, "-b", BOARD, "-o", output, "--jobs", "1", "-q")
    assert done.code == 0
    rows = read_json(output)
    ranges = [equity.Range(text, game) for text in (one, two)]
    hands = [[frozenset(parse_cards(hand)) for hand in some] for some in ranges]
    first, second = ({alike(hand) for hand in some} for some in hands)
    # A class without a live combo is none.
    live = {hand for hand in hands[1] if not hand & set(parse_cards(BOARD))}
    second = {some for some in second if some & live}
    assert len(rows) == (len(first) + 1) * len(second)
    for row in rows:
        assert row["error"] is None
        assert row["notice"] is None
    texts = dict.fromkeys(row["player1"] for row in rows)
    assert len(texts) == len(first) + 1
    sets = [
        frozenset(frozenset(parse_cards(hand)) for hand in equity.Range(text, game))
        for text in list(texts)[:-1]
    ]
    assert set(sets) == first
    # All classes together are the range.
    by_class = [row for row in rows if row["player1"] != list(texts)[-1]]
    whole = equity.odds([one, two], game, BOARD)
    assert sum(row["weight"] for row in by_class) == whole.weight
    total = sum(Fraction(row["player1_equity_exact"]) * row["weight"] for row in by_class)
    assert total / whole.weight == whole.equities_exact[0]


def test_classes_that_are_not_whole_list_their_hands() -> None:
    text = "AsAhKsKh@50,AdAcKdKc@20,AsAhKdKc,QQJJ:xxyy@40"
    crossing = Crossing([f"classes:{text}", "T987"], [], {"game": "plo4"})
    assert crossing.seats[0] == [
        "AsAhKsKh@50,AdAcKdKc@20",
        "AsAhKdKc",
        "QwQxJwJx",
    ]
    rows = list(Crossing([f"classes:{text}", "classes:T987:xyzw"], [], {"game": "plo4"}).rows())
    assert [row.values["players"][1] for row in rows] == ["Tw9x8y7z"] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("classes:", ["players of seat 1", "no range after classes:"]),
        ("classes:AhAsKhKs", ["'AhAsKhKs' is one hand", "leave out classes:"]),
        ("classes:AAxx", ["ambiguous"]),
        ("classes:AA:@SET", ["board"]),
        ("classes:AA!AA", ["matches no hand"]),
        ("clases:AA", ["players of seat 1"]),
    ],
)
def test_classes_of_nothing(text: str, words: list[str], tmp_path: Path) -> None:
    done = call("batch", "--players", text, "--players", "KK", "-o", tmp_path / "r.csv")
    assert done.code == 2
    assert len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr


def test_too_many_classes() -> None:
    with pytest.raises(EquityError) as caught:
        Crossing(["classes:*", "KK"], [], {"game": "plo5"})
    assert "'*' has 134,459 classes; a list has at most 20,000" in str(caught.value)


def test_classes_over_flops(tmp_path: Path) -> None:
    dead = "".join(rank + suit for rank in "23456789" for suit in "cdhs")
    seats = ["--players", "classes:AAKK", "--players", "QsQhJsJh", "-d", dead]
    call("batch", *seats, "--boards", "flops", "-o", tmp_path / "r.jsonl", "-q", "--jobs", "1")
    totals = [row for row in read_json(tmp_path / "r.jsonl") if row["method"] == "flops"]
    assert [row["player1"] for row in totals] == ["AwAxKwKx", "AwAxKwKy", "AwAxKyKz"]
    for row in totals:
        wanted = equity.odds([row["player1"], "QsQhJsJh"], dead=dead).equities_exact[0]
        assert row["player1_equity_exact"] == str(wanted)
    assert json.dumps(totals)
