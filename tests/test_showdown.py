"""Values of hands in bulk, and made hands in words."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import Question, questions

import equity
from equity.engine.showdown import high_text, made_hand, sharers
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game


def random_deals(game: equity.Game, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(52)[: game.hole + 5] for _ in range(count)])


@pytest.mark.parametrize("game", list(GAMES), ids=lambda game: game.name)
def test_bulk_values_order_as_brute_force(game: equity.Game) -> None:
    deals = random_deals(game, 3000, seed=game.hole)
    values = equity.evaluate(deals[:, : game.hole], deals[:, game.hole :], game=game)
    assert values.high.dtype == np.uint16
    assert values.low.dtype == np.uint8
    highs: dict[tuple[int, ...], int] = {}
    lows: dict[tuple[int, ...] | None, int] = {}
    for deal, high, low in zip(deals.tolist(), values.high, values.low, strict=True):
        hole, board = tuple(deal[: game.hole]), tuple(deal[game.hole :])
        assert highs.setdefault(naive.best_high(hole, board), int(high)) == high
        known_low = naive.best_low(hole, board) if game.low else None
        assert lows.setdefault(known_low, int(low)) == low
    assert [highs[key] for key in sorted(highs)] == sorted(set(highs.values()))
    assert lows.pop(None) == 0
    assert [lows[key] for key in sorted(filter(None, lows), reverse=True)] == sorted(
        set(lows.values())
    )


@settings(max_examples=40)
@given(questions(max_runouts_cards=2))
def test_made_hands_against_brute_force(question: Question) -> None:
    game = question.game
    made = [made_hand(hand, question.board, game.low) for hand in question.hands]
    for hand, hole in zip(made, question.hands, strict=True):
        for five in (hand.high_cards, hand.low_cards) if hand.low else (hand.high_cards,):
            assert set(five[:2]) <= set(hole)
            assert set(five[2:]) <= set(question.board)
            assert len(set(five)) == 5
        assert naive.high_of(hand.high_cards) == naive.best_high(hole, question.board)
        assert hand.low == (naive.best_low(hole, question.board) if game.low else None)
    assert sharers(made) == naive.showdown(question.hands, question.board, game.low)


@settings(max_examples=40)
@given(questions(max_runouts_cards=0))
def test_values_decide_as_odds_do(question: Question) -> None:
    values = equity.evaluate(question.hands, question.board, game=question.game)
    result = equity.odds(question.hands, question.game, question.board)
    for player, high in zip(result.players, values.high, strict=True):
        assert (player.high.win_count + player.high.tie_count == 1) == (high == values.high.max())


def test_one_board_for_all_and_texts() -> None:
    board = "9h8sKc2hTd"
    values = equity.evaluate(["AsKsQdJd", "9c9d8c8d"], board)
    again = equity.evaluate(["AsKsQdJd", "9c9d8c8d"], [board, board])
    one = equity.evaluate("9c9d8c8d", board)
    assert values.high.tolist() == again.high.tolist()
    assert one.high.tolist() == values.high.tolist()[1:]
    assert equity.describe(values.high) == ["straight, king high", "three of a kind, nines, K-T"]


def test_every_dtype_and_layout_gives_the_same() -> None:
    deals = random_deals(find_game("o8"), 200, seed=3)
    known = equity.evaluate(deals[:, :4], deals[:, 4:], game="o8")
    for dtype in (np.uint8, np.int8, np.int32, np.uint64):
        other = deals.astype(dtype)
        for hands, boards in [
            (other[:, :4], other[:, 4:]),
            (np.asfortranarray(other[:, :4]), other[:, 4:].copy()),
        ]:
            values = equity.evaluate(hands, boards, game="o8")
            assert np.array_equal(values.high, known.high)
            assert np.array_equal(values.low, known.low)


def test_no_hands() -> None:
    values = equity.evaluate(np.empty((0, 4), int), "9h8sKc2hTd")
    assert (len(values.high), len(values.low)) == (0, 0)


@pytest.mark.parametrize("game", list(GAMES), ids=lambda game: game.name)
@pytest.mark.parametrize("known", [3, 4])
def test_values_on_short_boards_order_as_brute_force(game: equity.Game, known: int) -> None:
    deals = random_deals(game, 60, seed=known)[:, : game.hole + known]
    values = equity.evaluate(deals[:, : game.hole], deals[:, game.hole :], game=game)
    boards = [tuple(deal[game.hole :]) for deal in deals.tolist()]
    hands = [tuple(deal[: game.hole]) for deal in deals.tolist()]
    highs = [naive.best_high(*dealt) for dealt in zip(hands, boards, strict=True)]
    assert list(np.argsort(values.high, kind="stable")) == sorted(
        range(60), key=lambda row: highs[row]
    )
    lows = [naive.best_low(*dealt) for dealt in zip(hands, boards, strict=True)]
    assert [bool(low) for low in values.low] == [game.low and low is not None for low in lows]


def test_a_short_board_has_the_values_of_complete_ones() -> None:
    short = equity.evaluate("AhAs9c2d", "9h9s8c")
    assert equity.describe(short.high[0]) == "three of a kind, nines, A-8"
    assert equity.evaluate("AhAs3d2d", "8h7s4c", "o8").low.tolist() == [
        equity.evaluate("AhAs3d2d", "8h7s4cKcKd", "o8").low[0]
    ]
    with pytest.raises(equity.DuplicateCardError, match="row 0"):
        equity.evaluate("AhAs9c2d", "AhKs8c")


def test_cards_in_lists_are_one_hand_and_one_board() -> None:
    one = equity.evaluate(["Ah", "As", "Kh", "Ks"], ["Qh", "Jd", "Td", "9d", "2c"])
    assert one.high.tolist() == equity.evaluate("AhAsKhKs", "Qh,Jd,Td,9d,2c").high.tolist()


GOOD = np.arange(18).reshape(2, 9)


@pytest.mark.parametrize(
    ("hands", "boards", "words"),
    [
        (GOOD[:, :5], GOOD[:, 4:], ["hands", "(2, 5)", "(n, 4)"]),
        (GOOD[:, :4], GOOD[:, 4:6], ["boards", "(2, 2)", "(n, 5 or 4 or 3)"]),
        (GOOD[:, :4], np.arange(15).reshape(3, 5) + 30, ["3 boards for 2 hands"]),
        (GOOD[:, :4] + 0.0, GOOD[:, 4:], ["float64", "integers"]),
        ([[1, 2, 3, 4], [5, 6, 7, 52]], GOOD[:, 4:], ["hands[1]", "52"]),
        ([[1, 2, 3, -1]], GOOD[:1, 4:], ["hands[0]", "-1"]),
        (np.array([[1, 2, 3, 77]], np.uint8), GOOD[:1, 4:], ["row 0", "77"]),
        ([[0, 1, 2, 3], [9, 10, 11, 11]], GOOD[:, 4:], ["row 1", "4s is there twice"]),
        ([[0, 1, 2, 3], [9, 10, 11, 12]], [4, 5, 6, 7, 9], ["row 1", "4d is there twice"]),
        ([[0, 1, 2, 3], [4, 5, 6]], GOOD[:, 4:], ["hands"]),
        ("AhAsKhKs", "AhQdJdTd9d", ["row 0", "Ah is there twice"]),
        (["AhAsKhKs", "QhQs"], "QdJdTd9d2c", ["hands"]),
        ("AhAsKhK", "QdJdTd9d2c", ["hands, column 7"]),
    ],
)
def test_what_is_wrong_is_named(hands: object, boards: object, words: list[str]) -> None:
    with pytest.raises(equity.EquityError) as caught:
        equity.evaluate(hands, boards)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("board", "hand", "words", "cards"),
    [
        # One hole card never makes the straight, nor four on the board a flush.
        ("KsQdJcTh2s", "Ah7c7d3s", "pair of sevens, K-Q-J", "7d7cKsQdJc"),
        ("ThJh9h3h5s", "AhKc8d2c", "high card, A-K-J-T-9", "AhKcThJh9h"),
        # Neither do the aces or fours of a board: two cards of the hand play.
        ("AhAsAdAcJc", "3c3s6d7d", "full house, aces over threes", "3s3cAhAsAd"),
        ("4s4h4d4cQc", "AcKhQhJh", "three of a kind, fours, A-K", "AcKh4s4h4d"),
        ("3h4h5h9c9d", "Ah2hKdQd", "straight flush, five high", "Ah2h3h4h5h"),
        ("2d3d4d9sTc", "Ad5dKhQc", "straight flush, five high", "Ad5d2d3d4d"),
        ("Ts9s8s3s2s", "AsKsQsJs", "straight flush, queen high", "QsJsTs9s8s"),
        ("QdJd9dKc6s", "7d2dAhAc", "flush, Q-J-9-7-2", "7d2dQdJd9d"),
        ("3s5hQsQd9h", "KsJs8c5c", "two pair, queens and fives, K", "Ks5c5hQsQd"),
        ("9c9d9h2s3c", "9sKcQdJh", "four of a kind, nines, K", "Kc9s9c9d9h"),
    ],
)
def test_words_and_cards_that_play(board: str, hand: str, words: str, cards: str) -> None:
    made = made_hand(naive.cards(hand), naive.cards(board), low=False)
    assert high_text(made.high) == words
    assert format_cards(made.high_cards) == cards
    if len(board) == 10:
        assert equity.describe(equity.evaluate(hand, board).high[0]) == words


def test_describe() -> None:
    assert equity.describe(7462) == "straight flush, ace high"
    assert equity.describe(1) == "high card, 7-5-4-3-2"
    assert equity.describe(0) == "none"
    assert equity.describe([56, 0, 1], low=True) == ["5-4-3-2-A", "none", "8-7-6-5-4"]
    assert equity.describe(np.array([1, 2], np.uint8), low=True) == ["8-7-6-5-4", "8-7-6-5-3"]
    for wrong, low in ((7463, False), (57, True), (-1, False)):
        with pytest.raises(equity.EquityError, match=str(wrong)):
            equity.describe(wrong, low=low)
    texts = equity.describe(range(1, 7463))
    assert len(set(texts)) == 7462
