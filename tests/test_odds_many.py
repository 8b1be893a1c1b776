"""Many rows of known hands at once, against brute force and published values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import known_values
import naive
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import Question, narrow_questions, questions

import equity
from equity.results.tally import POT
from equity.rules.cards import parse_cards
from equity.rules.games import GAMES, Game


def check(many: equity.ManyOdds, row: int, tallies: Sequence[naive.Tally]) -> None:
    """Compare a row with the tallies of a brute force."""
    runouts = tallies[0].total()
    assert many.runouts[row] == runouts
    for player, tally in enumerate(tallies):
        shares = [(naive.share(*result), result, count) for result, count in tally.items()]
        high = sum((share[0] * count for share, _, count in shares), Fraction())
        low = sum((share[1] * count for share, _, count in shares), Fraction())
        assert many.equities_exact(row)[player] == (high + low) / runouts
        assert many.high[row, player] == pytest.approx(float(high / runouts))
        assert many.low[row, player] == pytest.approx(float(low / runouts))

        def count_if(test: Any, shares: Any = shares) -> int:
            return sum(count for share, result, count in shares if test(share, *result))

        assert many.scoop[row, player] == count_if(lambda share, _, __: sum(share) == 1)
        assert many.win[row, player] == count_if(lambda _, high, __: high == 1)
        assert many.tie[row, player] == count_if(lambda _, high, __: high > 1)
        assert many.low_win[row, player] == count_if(lambda _, __, low: low == 1)
        assert many.low_tie[row, player] == count_if(lambda _, __, low: (low or 0) > 1)
        assert many.no_low[row] == count_if(lambda _, __, low: low is None)


def ask(question: Question, board: Sequence[int]) -> equity.ManyOdds:
    return equity.odds_many(
        np.array([question.hands, question.hands[::-1]]),
        np.array([board, board]),
        question.game,
        list(question.dead),
    )


@given(questions())
@settings(max_examples=60, deadline=None)
def test_rows_agree_with_brute_force(question: Question) -> None:
    _check_question(question)


@given(narrow_questions())
@settings(max_examples=40, deadline=None)
def test_flushes_agree_with_brute_force(question: Question) -> None:
    _check_question(question)


def _check_question(question: Question) -> None:
    many = ask(question, question.board)
    tallies = naive.tally(question.hands, question.board, question.dead, question.game.low)
    check(many, 0, tallies)
    check(many, 1, tallies[::-1])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_published_values(game: Game) -> None:
    asked = [spot for spot in known_values.spots() if spot.game == game.name]
    assert asked
    asked.sort(key=lambda spot: (len(spot.hands), len(spot.board), spot.dead))
    shapes = groupby(asked, lambda spot: (len(spot.hands), spot.dead))
    for (_, dead), group in shapes:
        some = list(group)
        many = equity.odds_many(
            [spot.hands for spot in some], [spot.board for spot in some], game, dead
        )
        for row, spot in enumerate(some):
            assert many.runouts[row] == spot.boards
            assert many.equities_exact(row) == tuple(player.equity for player in spot.players)
            assert list(many.scoop[row]) == [player.scoop for player in spot.players]
            assert list(many.win[row]) == [player.hi_win for player in spot.players]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_published_rivers(game: Game) -> None:
    asked = [spot for spot in known_values.river() if spot.game == game.name]
    assert asked
    for _, group in groupby(sorted(asked, key=lambda spot: len(spot.hands)), _players):
        some = list(group)
        many = equity.odds_many([spot.hands for spot in some], [spot.board for spot in some], game)
        pots = [[player.pot120 for player in spot.players] for spot in some]
        assert (120 * many.won // POT == pots).all()
        assert (many.low_win == [[one.lo_win for one in spot.players] for spot in some]).all()


def _players(spot: known_values.RiverSpot) -> int:
    return len(spot.hands)


HANDS = [["AhAsKhKs", "9c8c7d6d"], ["AhAsKhKs", "QhJhTd9d"]]


def test_boards_of_a_table_can_be_of_different_streets() -> None:
    streets = ["", "Kd8h4c", "Kd8h4c2s", "Kd8h4c2s2h"]
    many = equity.odds_many([HANDS[0]] * 4, streets)
    assert list(many.runouts) == [1_086_008, 820, 40, 1]
    full = np.array([parse_cards("Kd8h4c2s2h")] * 4)
    array = np.where(np.arange(5) < [[0], [3], [4], [5]], full, -1)
    for boards in (array, array.astype(np.int8), array.astype(np.uint8)):
        padded = equity.odds_many([HANDS[0]] * 4, boards)
        assert (padded.runouts == many.runouts).all()


def test_one_board_for_all_rows() -> None:
    many = equity.odds_many(HANDS, "Kd8h4c")
    each = equity.odds_many(HANDS, ["Kd8h4c", "Kd8h4c"])
    assert (many.won == each.won).all()
    assert len(many) == 2
    assert repr(many) == "<ManyOdds: 2 rows of 2 players>"


def test_threads_do_not_change_the_answer() -> None:
    random = np.random.default_rng(1)
    decks = random.random((20_000, 52)).argsort(axis=1)
    hands, boards = decks[:, :8].reshape(-1, 2, 4), decks[:, 8:13]
    one, two = (equity.odds_many(hands, boards, "o8", threads=threads) for threads in (1, 2))
    assert (one.won == two.won).all()
    assert (one.won.sum(axis=1) == one.won[0].sum()).all()


def test_no_rows() -> None:
    many = equity.odds_many(np.empty((0, 2, 4), np.uint8))
    assert len(many) == 0
    assert many.equity.shape == (0, 2)


GOOD = np.array([[[0, 1, 2, 3], [4, 5, 6, 7]]])


@pytest.mark.parametrize(
    ("hands", "boards", "message"),
    [
        (GOOD[:, :1], "", "hands: 1 players"),
        (GOOD[:, :, :3], "", r"hands: an array of shape (1, 2, 3)"),
        (GOOD[0], "", r"hands: an array of shape (2, 4)"),
        (GOOD.astype(float), "", "hands: an array of float64"),
        (GOOD + 50, "", "hands[0]: 52 is not a card id"),
        (GOOD - 1, "", "hands[0]: -1 is not a card id"),
        ((GOOD + 50).astype(np.uint8), "", "row 0"),
        (GOOD, np.array([[8, 9, 10, 11, 12, 13]]), "boards: an array of shape (1, 6)"),
        (GOOD, np.array([[8, 9, 10]] * 2), "boards: 2 boards for 1 rows of hands"),
        (GOOD, np.array([[8, 9, 52]]), "boards[0]: 52 is not a card id"),
        (GOOD, np.array([[8, -1, 10]]), "boards[0]: a card is missing"),
        (GOOD, "2c3d4h", "row 0: 2c is there twice in 2c2d2h2s v 3c3d3h3s on 2c3d4h"),
        (GOOD, np.array([[8, 8]]), "row 0: 4c is there twice"),
        ([["AhAsKhKs", "9c8c7d"]], "", "hands: rows of different lengths"),
        ([["AhAsKhKs", "9c8c7d6x"]], "", "hands[0][1]"),
        (GOOD, ["Kd8h4x"], "boards[0]"),
    ],
)
def test_wrong_input_is_named(hands: Any, boards: Any, message: str) -> None:
    with pytest.raises(equity.EquityError, match=re.escape(message)):
        equity.odds_many(hands, boards)


def test_a_dead_card_in_a_row_is_named() -> None:
    with pytest.raises(equity.DuplicateCardError, match="row 1: Qh is a dead card"):
        equity.odds_many(HANDS, dead="Qh")


def test_the_first_fault_is_named_on_any_number_of_threads() -> None:
    hands = np.repeat(GOOD, 20_000, axis=0)
    hands[[9_000, 15_000], 0, 0] = 7
    for threads in (1, 2):
        with pytest.raises(equity.DuplicateCardError, match="row 9000"):
            equity.odds_many(hands, threads=threads)
