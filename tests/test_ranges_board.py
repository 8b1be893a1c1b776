"""Conditions on the board inside ranges: their text, what they hold for, errors."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from conftest import Run

import equity
from equity import Range
from equity.errors import BoardError, PredicateError, RangeError, RangeSyntaxError
from equity.ranges import parse
from equity.ranges.predicates import ALIASES, PREDICATES
from equity.rules.cards import parse_cards
from equity.rules.games import GAMES, Game
from equity.views.breakdown import breakdown

FLOP = "Th7h2c"
CATEGORIES = [
    *("HIGHCARD", "PAIR", "TWOPAIR", "THREEOFAKIND", "STRAIGHT"),
    *("FLUSH", "FULLHOUSE", "QUADS", "STRAIGHTFLUSH"),
]
#: Boards of every street; one is enough where hands are many.
BOARDS = ["Th7h2c", "Th7h2c2d", "Th7h2c2d8h"]
ON_BOARDS = [
    (game, board)
    for at, game in enumerate(GAMES)
    for board in (BOARDS if game.hole == 4 else BOARDS[at % 3 : at % 3 + 1])
]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("@set", "@SET"),
        ("@ SET +", "@SET+"),
        ("AA,@Set", "AA,@SET"),
        ("(30%:@TOPPAIR+)!@FLUSHDRAW", "30%:@TOPPAIR+!@FLUSHDRAW"),
        ("@WRAP13+", "@WRAP13+"),
        ("@NUTS3@50", "@NUTS3@50"),
        ("@SET@10,AA@20", "@SET@10,AA@20"),
        ("@FD,@nfd,@BDFD,@TP,@OP,@FH", "@FLUSHDRAW,@NUTFLUSHDRAW,@BACKDOORFLUSH,@TOPPAIR,"
         "@OVERPAIR,@FULLHOUSE"),
        ("@BLOCKS(AA)20", "@BLOCKS(AA)20"),
        ("@BLOCKS(AA)20%", "@BLOCKS(AA)20"),
        ("KK:@blocks(AA,@SET!QQ)12.5@7", "KK:@BLOCKS(AA,@SET!QQ)12.5@7"),
        ("@BLOCKS(@BLOCKS(AA)10)20!AK", "@BLOCKS(@BLOCKS(AA)10)20!AK"),
    ],
)  # fmt: skip
def test_texts(text: str, normal: str) -> None:
    assert str(parse(text)) == normal
    assert parse(normal) == parse(text)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("@SETT", 1, "did you mean SET"),
        ("AA,@NOTHING", 4, "'NOTHING'"),
        ("@SET3", 1, "SET3"),
        ("@NUTOUTS", 1, "NUTOUTS"),
        ("@WRAP99+", 1, "WRAP99"),
        ("@WRAP13", 1, "WRAP13"),
        ("AA@SET", 3, "AA:@SET"),
        ("(AA@SET)", 4, "AA:@SET"),
        ("@SETAA", 1, "SETAA"),
        ("@SET(AA)", 5, "no sign before '('"),
        ("@BLOCKS", 1, "@BLOCKS(AA)20"),
        ("@BLOCKS(AA)", 12, "as in @BLOCKS(AA)20"),
        ("@BLOCKS(AA)200", 12, "more than all"),
        ("@BLOCKS()20", 8, "empty bracket"),
        ("@BLOCKS(AA", 8, "without its ')'"),
        ("AA@", 3, "'@' without a weight"),
    ],
)
def test_what_is_wrong_with_a_text(text: str, column: int, words: str) -> None:
    with pytest.raises(RangeSyntaxError) as raised:
        parse(text)
    assert raised.value.column == column
    assert words in str(raised.value)


def test_what_is_held_for() -> None:
    sets = Range("@SET", board=FLOP)
    assert len(sets) == len(Range("TT,77,22", board=FLOP).live(FLOP).range & sets)
    assert "TsTd9c8c" in sets
    assert "TsTh9c8c" not in sets  # holds a card of the board
    assert "Ts7d9c8c" not in sets
    either = Range("@TWOPAIR,@SET@50", board=FLOP)
    assert either.weight("Ts7d9c8c") == 100
    assert either.weight("TsTd9c8c") == 50
    assert Range("*!@HIGHCARD+", board=FLOP).live(FLOP).range == Range("AA!AA")


def test_blocking_counts_live_combos() -> None:
    nuts = Range("@NUTS", board="Kh9h4h")
    most = Range("@BLOCKS(@NUTS)50", board="Kh9h4h")
    every = {card for hand in nuts.combos.tolist() for card in hand}
    assert "AhQh2c2d" in most
    assert "AhAs2c2d" in most
    assert "KsKd8c8d" not in most
    for hand in ("Ah5c4d2s", "Qh5c4d2s", "KsKd8c8d", "AhJh5c5d"):
        held = set(parse_cards(hand))
        hits = sum(bool(held & set(other)) for other in nuts.combos.tolist())
        assert (hand in most) == (2 * hits >= len(nuts))
    assert every >= set(parse_cards("AhQh"))
    # Dead cards take combos away.
    assert "Ac5s4d3s" not in Range("@BLOCKS(AA)90", board=FLOP)
    assert "Ac5s4d3s" in Range("@BLOCKS(AA)90", board=FLOP, dead="AsAd")
    assert len(Range("@BLOCKS(AA:KK:QQ)0", board=FLOP)) == 0


def test_without_a_board_they_are_an_error() -> None:
    for text in ("@SET", "AA:@FD", "@BLOCKS(AA)20"):
        for board in ("", "Th", "Th7h"):
            with pytest.raises(BoardError, match="three to five"):
                Range(text, board=board)
    with pytest.raises(equity.RangeError, match="range 2: @SET"):
        equity.odds(["AA", "@SET"])
    with pytest.raises(equity.RangeError, match="three to five"):
        equity.odds(["AA", "@SET"], board="T98:xxy")


def test_a_low_needs_a_game_with_one() -> None:
    with pytest.raises(PredicateError, match="o8, bigo, plo6-8"):
        Range("@NUTLOW", "plo5", board="8h7d2c")
    assert len(Range("@NUTLOW", "bigo", board="8h7d2c"))


def test_a_range_belongs_to_its_board() -> None:
    sets = Range("@SET", board=FLOP)
    answer = equity.odds([sets, "AA"], board=FLOP)
    assert answer.equities_exact == equity.odds(["@SET", "AA"], board=FLOP).equities_exact
    with pytest.raises(BoardError, match=r"made for board Th7h2c is used with Th7h2d"):
        equity.odds([sets, "AA"], board="Th7h2d")
    # Without a condition it has none.
    equity.odds([Range("KK", board=FLOP), "AA"], board="Th7h2d")


@pytest.mark.parametrize(("game", "board"), ON_BOARDS, ids=str)
def test_made_hands_are_parts_of_a_range(run: Run, game: Game, board: str) -> None:
    text = "AsKs*,TT:7" if game.hole == 4 else "TT:7:AK"
    done = run("range", "-g", game.name, text, "-b", board, "--texture", "--json")
    found = json.loads(done.stdout)
    hands = Range(text, game)
    assert found["combos"] == len(hands.live(board).range)
    made = [
        row for row in found["rows"]
        if row["group"] == "made hands" and row["condition"].removeprefix("@") in CATEGORIES
    ]  # fmt: skip
    assert len(made) == 9
    assert sum(row["combos"] for row in made) == found["combos"]
    assert sum(row["share"] for row in made) == pytest.approx(1)
    assert any(row["group"] == "low" for row in found["rows"]) == game.low
    for row in found["rows"][:: 1 if game.hole == 4 else 7]:
        part = Range(f"({text}):({row['condition']})", game, board=board)
        assert row["combos"] == len(part.live(board).range)


@pytest.mark.parametrize("game", ["plo4", "o8", "plo5"])
def test_parts_of_a_range_against_another(game: str) -> None:
    board = parse_cards("Th7h2c8d")
    hands, other = Range("TT:7,AKs@50,98:J", game), Range("QQ,9h8h", game)
    found = breakdown(hands, board, (), other)
    whole = equity.odds([hands, other], game, board)
    assert found.whole.equity_exact == whole.equities_exact[0]
    rows = {row.condition: row for row in found.rows}
    for condition in ("@TWOPAIR", "@STRAIGHT", "@GUTSHOT", "@PAIR:@FLUSHDRAW"):
        part = Range(f"(TT:7):({condition}),(AKs:({condition}))@50,(98:J):({condition})", game,
                     board=board)  # fmt: skip
        if not len(part.live(board).range):
            assert rows[condition].equity_exact is None
            continue
        expected = equity.odds([part, other], game, board).equities_exact[0]
        assert rows[condition].equity_exact == expected
    assert found.whole.equity_exact is not None
    assert Fraction(0) < found.whole.equity_exact < 1


def test_texture_in_every_format(run: Run) -> None:
    asked = ("range", "TT:7,98:J", "-b", FLOP, "--texture", "--against", "AA")
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    whole = json.loads(run(*asked, "--json").stdout)
    assert [row["condition"] for row in rows[1:]] == [row["condition"] for row in whole["rows"]]
    assert rows[0]["combos"] == str(whole["combos"])
    table = run(*asked).stdout
    assert "made hands" in table
    assert "against   AA" in table
    assert max(map(len, table.splitlines())) <= 80
    for row in whole["rows"]:
        assert (f" {row['condition']} " in table) == (row["combos"] > 0)


def test_what_can_be_asked_is_listed(run: Run) -> None:
    listed = run("range", "--help-board").stdout
    for row in PREDICATES:
        assert f"@{row.name}" in listed
        assert row.meaning in listed
    for alias in ALIASES:
        assert f"@{alias.name} " in listed
        assert parse(f"@{alias.name}") == parse(f"@{alias.predicate}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["range", "@SET"], ["range: @SET", "three to five"]),
        (["range", "@SETT", "-b", FLOP], ["column 1", "did you mean"]),
        (["range", "AA", "--texture"], ["board", "three to five"]),
        (["range", "AA", "-b", FLOP, "--against", "KK"], ["--against", "--texture"]),
        (["range", "AA", "-b", FLOP, "--texture", "--against", "K,,"], ["against, column 3"]),
        (["range", "AhAs*", "-b", "AhAsAd", "--texture"], ["no live combo"]),
        (["odds", "AA", "@SET+"], ["range 2", "three to five"]),
    ],
)
def test_bad_input(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run(*arguments, code=2)
    assert done.stdout == ""
    assert all(word in done.stderr for word in words)


@pytest.mark.parametrize("game", [game for game in GAMES if game.hole < 6], ids=lambda g: g.name)
def test_the_whole_deck(game: Game) -> None:
    """What every hand has on a flop adds up to all live hands."""
    live = np.count_nonzero(Range("*", game).live(FLOP).range.index + 1)
    parts = [len(Range(f"@{name}", game, board=FLOP)) for name in CATEGORIES]
    assert sum(parts) == live
    with pytest.raises(RangeError):
        Range("@SET", game)
