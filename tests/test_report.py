"""Results as attributes, dictionaries, tables, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import equity
from equity.results.formats import Style, written
from equity.results.player import Share
from equity.results.tally import POT, Tally, part_of_pot
from equity.results.text import percent
from equity.rules.games import find_game

THREE_WAY = (["AsKdQd2s", "Ac4d3h2h", "JcTc9c9d"], "o8", "9s7s6h")


def test_attributes_and_dictionary_agree() -> None:
    result = equity.odds(["AhAsKhKs", "9c8c7d6d"], game="o8")
    whole = result.to_dict()
    assert list(whole) == [
        "version",
        "game",
        "board",
        "dead",
        "exact",
        "method",
        "deals",
        "weight",
        "no_low",
        "elapsed",
        "seed",
        "partial",
        "no_low_error",
        "error_target",
        "warnings",
        "players",
    ]
    for name, value in whole.items():
        if name != "players":
            assert getattr(result, name) == value
    for player, entry in zip(result.players, whole["players"], strict=True):
        assert list(entry) == [
            "range",
            "combos",
            "live",
            "equity",
            "equity_exact",
            "scoop",
            "high",
            "low",
            "outcomes",
            "std_error",
            "split_error",
            "orderings",
        ]
        assert Fraction(entry["equity_exact"]) == player.equity_exact
        assert entry["equity"] == entry["high"]["equity"] + entry["low"]["equity"]
        assert player.low is not None
        assert entry["high"]["win"] == player.high.win == player.high.win_count / result.deals
        assert sum(entry["outcomes"].values()) == result.deals
    assert whole["version"] == equity.__version__
    assert (whole["deals"], whole["no_low"]) == (1_086_008, 548_344)
    assert result.equities == tuple(map(float, result.equities_exact))
    assert whole["players"][0]["low"]["win_count"] == 0
    assert json.loads(json.dumps(whole)) == whole


def test_repr_is_readable() -> None:
    text = repr(equity.odds(["AhAsKhKs", "9c8c7d6d"], board="2c3d4h"))
    assert text.startswith("<Result plo4 on 2c3d4h: AsAhKsKh ")
    assert "820 boards" in text


def test_games_without_a_low_have_none() -> None:
    result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
    assert result.no_low is None
    assert result.players[0].low is None
    assert result.to_dict()["players"][0]["low"] is None


@pytest.mark.parametrize(
    ("high", "low", "parts"),
    [
        (1, None, (1, 0)),
        (2, None, (Fraction(1, 2), 0)),
        (1, 1, (Fraction(1, 2), Fraction(1, 2))),
        (1, 2, (Fraction(1, 2), Fraction(1, 4))),
        (0, 3, (0, Fraction(1, 6))),
        (0, 0, (0, 0)),
        (11, 7, (Fraction(1, 22), Fraction(1, 14))),
    ],
)
def test_parts_of_the_pot(high: int, low: int | None, parts: tuple[Fraction, Fraction]) -> None:
    assert tuple(Fraction(part, POT) for part in part_of_pot(high, low)) == parts


def test_tallies_of_different_tables_do_not_add_up() -> None:
    two = equity.odds(["AhAsKhKs", "9c8c7d6d"], board="2c3d4h").tally
    three = equity.odds(["AhAsKhKs", "9c8c7d6d", "QcQdJcJd"], board="2c3d4h").tally
    assert (two + two).weight == 2 * two.weight
    with pytest.raises(ValueError, match="players"):
        _ = two + three
    tally = Tally.from_flat(2, range(24))
    assert tally.counts[1][2] == tally.of_player(1)[8:] == (20, 21, 22, 23)
    assert tally.no_low == 3 + 7 + 11
    assert tally.results(0)[:4] == [(0, 1, 1), (0, 2, 2), (0, None, 3), (1, 0, 4)]
    assert tally.won(0) == sum(
        sum(part_of_pot(high, low)) * deals for high, low, deals in tally.results(0)
    )


@given(st.integers(1, 1 << 300), st.data())
def test_floats_are_those_of_the_fractions(weight: int, data: st.DataObject) -> None:
    won = data.draw(st.integers(0, POT * weight))
    share = Share(won, 0, 0, weight)
    assert share.equity == float(share.equity_exact)


def test_table_of_a_high_game() -> None:
    result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
    lines = written(result).splitlines()
    assert lines[0].split() == ["plo4", "Omaha", "high", "board:", "-", "dead:", "-"]
    assert lines[1].split() == ["equity", "%", "win", "%", "tie", "%"]
    assert lines[2].split() == ["1", "AsAhKsKh", "60.05", "60.05", "0.00"]
    assert lines[3].split() == ["2", "9c8c7d6d", "39.95", "39.95", "0.00"]
    assert lines[4].startswith("exact, all 1,086,008 boards, ")


def test_table_of_a_hi_lo_game() -> None:
    hands, game, board = THREE_WAY
    lines = written(equity.odds(hands, game, board)).splitlines()
    assert lines[0].split() == ["o8", "Omaha", "hi/lo", "board:", "9s7s6h", "dead:", "-"]
    assert lines[2].split() == ["equity", "high", "low", "scoop", "3/4", "1/2", "1/4", "nothing"]
    assert [line.split() for line in lines[3:6]] == [
        ["1", "AsKdQd2s", "30.07", "16.67", "13.40", "4.95", "18.62", "4.80", "34.98", "36.64"],
        ["2", "Ac4d3h2h", "29.47", "5.71", "23.76", "3.60", "6.91", "18.02", "46.70", "24.77"],
        ["3", "JcTc9d9c", "40.47", "40.47", "-", "19.82", "-", "41.29", "-", "38.89"],
    ]
    assert lines[6].startswith("exact, all 666 boards, 171 without a low (25.68 %), ")


def test_sixths_have_a_column_when_they_occur() -> None:
    hands = ["Ac2cTsJs", "Ad2dTdJd", "Ah2hTcJc", "KhKd9c9d"]
    result = equity.odds(hands, "o8", "Kc8h7s3d4c")
    assert result.equities_exact == (Fraction(1, 6),) * 3 + (Fraction(1, 2),)
    lines = written(result, style=Style(verbose=True)).splitlines()
    assert lines[2].split()[-2:] == ["other", "nothing"]
    row = ["1", "AcJsTs2c", "16.67", "-", "16.67", "-", "-", "-", "-", "100.00", "-"]
    assert lines[3].split() == row
    assert any(line.endswith("1/6: 1") for line in lines)
    assert lines[7].startswith("exact, 1 board, ")


@pytest.mark.parametrize("game", [game.name for game in equity.GAMES])
@pytest.mark.parametrize("verbose", [False, True])
def test_tables_fit_80_columns_and_are_ascii(game: str, verbose: bool) -> None:
    hole = find_game(game).hole
    players = find_game(game).max_players()
    hands = [list(range(at * hole, (at + 1) * hole)) for at in range(players)]
    for count in (2, 3, players):
        text = written(equity.odds(hands[:count], game), style=Style(verbose=verbose))
        assert text.isascii()
        if not verbose:
            assert max(map(len, text.splitlines())) <= 80


def test_colour_changes_nothing_but_colour() -> None:
    import re

    result = equity.odds(*THREE_WAY)
    coloured = written(result, style=Style(verbose=True, colour=True))
    assert "\033[" in coloured
    assert re.sub(r"\033\[\d+m", "", coloured) == written(result, style=Style(verbose=True))


@given(st.fractions(0, 1))
def test_percentages_round_and_never_hide(part: Fraction) -> None:
    text = percent(part)
    if text == "<0.01":
        assert 0 < part < Fraction(1, 10_000)
    elif text == ">99.99":
        assert Fraction(9_999, 10_000) < part < 1
    else:
        assert abs(Fraction(text) / 100 - part) <= Fraction(1, 20_000)
        assert (text == "0.00") == (part == 0)
        assert (text == "100.00") == (part == 1)


def test_json_is_one_line() -> None:
    result = equity.odds(*THREE_WAY)
    text = written(result, "json")
    assert text.count("\n") == 1
    assert json.loads(text) == result.to_dict()


def test_csv_has_a_row_a_player() -> None:
    result = equity.odds(*THREE_WAY)
    rows = list(csv.DictReader(io.StringIO(written(result, "csv"))))
    assert [row["range"] for row in rows] == ["AsKdQd2s", "Ac4d3h2h", "JcTc9d9c"]
    for row, player in zip(rows, result.players, strict=True):
        assert (row["game"], row["board"], row["deals"]) == ("o8", "9s7s6h", "666")
        assert Fraction(row["equity_exact"]) == player.equity_exact
        assert player.low is not None
        assert int(row["low_tie_count"]) == player.low.tie_count
        assert int(row["outcome_3/4_count"]) == player.outcomes.get("3/4", 0)


def test_csv_of_a_high_game_leaves_the_low_empty() -> None:
    rows = list(csv.DictReader(io.StringIO(written(equity.odds(["AhAsKhKs", "9c8c7d6d"]), "csv"))))
    assert rows[0]["low"] == rows[0]["no_low"] == ""
    assert rows[0]["win_count"] == "652186"
