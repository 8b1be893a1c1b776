"""Views: their numbers are those of the engine, put side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Question, questions
from view_tools import FLOP, GONE, MORE, RANGES

import equity
from equity.engine.isomorphism import alike_boards, alike_cards, merged, suits_alike
from equity.engine.solver import solve
from equity.ranges import Range
from equity.rules.cards import format_cards, parse_cards
from equity.rules.games import GAMES
from equity.spot import read_spot
from equity.views.answers import Answer, Part, free_cards, mean
from equity.views.blockers import blockers
from equity.views.graph import graph
from equity.views.next_card import next_cards, two_cards
from equity.views.streets import streets


def equities(answer: Answer) -> tuple[Fraction, ...]:
    return tuple(part.equity_exact for part in answer.parts)


def test_streets_are_answers_on_parts_of_the_board() -> None:
    board = "Kd5h4cTd3d"
    found = streets(["AhAsKhKs", "9c8c7d6d", "QQ:xxyy"], board=board, error=0.01, seed=3)
    assert [row.name for row in found.rows] == ["preflop", "flop", "turn", "river"]
    assert [format_cards(row.dealt) for row in found.rows] == ["", "Kd5h4c", "Td", "3d"]
    exact = [row.answer.exact for row in found.rows]
    assert exact == sorted(exact)
    for row, cards in zip(found.rows, (0, 6, 8, 10), strict=True):
        result = equity.odds(
            ["AhAsKhKs", "9c8c7d6d", "QQ:xxyy"], board=board[:cards], error=0.01, seed=3
        )
        assert equities(row.answer) == result.equities_exact
        assert row.answer.exact == result.exact
        errors = [part.std_error for part in row.answer.parts]
        assert errors == [
            player.std_error and player.std_error["equity"] for player in result.players
        ]


@given(questions(max_runouts_cards=2))
@settings(max_examples=15)
def test_streets_of_known_hands(question: Question) -> None:
    found = streets(question.hands, question.game, question.board, question.dead)
    assert len(found.rows) == len(question.board) - 1
    low = question.game.low
    for row in found.rows[1:]:
        dealt = question.board[: 2 + found.rows.index(row)]
        result = equity.odds(question.hands, question.game, dealt, question.dead)
        assert equities(row.answer) == result.equities_exact
        lows = [player.low.equity_exact if player.low else None for player in result.players]
        assert [part.low_exact for part in row.answer.parts] == lows
        assert (lows[0] is None) == (not low)


def test_a_range_keeps_its_hands_on_all_streets() -> None:
    found = streets(["TT:@SET", "AhAsKhKs"], board="Th7h2c9d")
    spot = read_spot(["TT:@SET", "AhAsKhKs"], board="Th7h2c9d")
    assert found.spot.combos[0] == len(Range("TT:@SET", board="Th7h2c9d"))
    for row, known in zip(found.rows, (0, 3, 4), strict=True):
        result = solve(replace(spot, board=spot.board[:known]))
        assert equities(row.answer) == result.equities_exact


@given(questions(max_runouts_cards=2), st.sampled_from([3, 4]))
@settings(max_examples=20)
def test_next_cards_average_to_now(question: Question, known: int) -> None:
    board = question.board[:known]
    if len(board) < known:
        return
    found = next_cards(question.hands, question.game, board, question.dead)
    result = equity.odds(question.hands, question.game, board, question.dead)
    assert found.exact
    assert equities(found.now) == result.equities_exact
    for player, exact in enumerate(result.equities_exact):
        rows = [(row.answer.parts[player].equity_exact, row.answer.weight) for row in found.rows]
        total = sum(weight or 0 for _, weight in rows)
        assert sum(part * (weight or 0) for part, weight in rows) / total == exact
        # Each deal is counted by each of its cards that may come next.
        assert total == result.deals * (5 - known)
    live = 52 - known - len(question.dead) - len(question.hands) * question.game.hole
    assert sum(len(row.cards) for row in found.rows) == live
    equity_of_1 = [row.answer.parts[0].equity_exact for row in found.rows]
    assert equity_of_1 == sorted(equity_of_1, reverse=True)
    for row in found.rows[:: max(1, len(found.rows) // 3)]:
        for card in row.cards:
            result = equity.odds(question.hands, question.game, (*board, card), question.dead)
            assert equities(row.answer) == result.equities_exact
            assert row.change_exact == result.equities_exact[0] - found.now.parts[0].equity_exact


@pytest.mark.parametrize(
    ("game", "board"),
    [(game, FLOP if game in ("plo4", "o8") else FLOP + "Jd") for game in RANGES],
)
def test_next_cards_of_weighted_ranges(game: str, board: str) -> None:
    found = next_cards(RANGES[game], game, board)
    result = equity.odds(RANGES[game], game, board, exact=True)
    assert found.exact
    assert equities(found.now) == result.equities_exact
    # A card that kills all hands of one weight: its deals count as much as ever.
    weights = [row.answer.weight for row in found.rows]
    assert None not in weights
    lows = [player.low.equity_exact if player.low else None for player in result.players]
    assert [part.low_exact for part in found.now.parts] == lows


def test_next_cards_of_weights_with_decimals() -> None:
    """A card that leaves whole weights alone changes the scale that they are kept at."""
    players = ["AsAhKsKh@2.5,QsQhJsJh@10", "9s9h8s8h"]
    found = next_cards(players, board="Th7d2c")
    assert equities(found.now) == equity.odds(players, board="Th7d2c").equities_exact


def test_a_card_that_no_deal_has_is_no_row() -> None:
    found = next_cards(["Ad*:xxyy", "KsKcQsQc"], board="Th7h2c9d")
    assert all("Ad" not in row.text for row in found.rows)
    assert sum(len(row.cards) for row in found.rows) == 52 - 4 - 4 - 1


def test_the_first_card_may_be_the_one_that_no_deal_has() -> None:
    players = ["As2*:xxyy", "KsKcQsQc"]
    found = next_cards(players, board="Th7h2c9d")
    assert found.rows[0].answer.exact
    assert all("As" not in row.text for row in found.rows)
    exact = equity.odds(players, board="Th7h2c9d").equities_exact
    assert equities(found.now) == exact
    line = graph(players, board="Th7h2c9d", over="rivers").curves[0]
    assert line.mean_exact == exact[0]
    blocked = blockers(["KsKcQsQc", "As2*:xxyy"], board="Th7h2c4d", dead=GONE)
    assert [row.text for row in blocked.rows if row.share_exact == 1] == ["As"]


def test_next_cards_of_a_sample() -> None:
    ask = partial(next_cards, ["KsKcQsQc", "AA:xxyy"], board=FLOP + "Jd", dead=GONE + MORE)
    found = ask(trials=2_000, seed=5)
    assert not found.exact
    assert found.now.weight is None
    assert all(row.answer.weight is None for row in found.rows)
    errors = [row.answer.parts[0].std_error for row in found.rows]
    assert None not in errors
    assert any(error and error > 0 for error in errors)
    assert found.to_dict() == ask(trials=2_000, seed=5).to_dict()
    exact = ask()
    known = {card: row.answer.parts[0].equity for row in exact.rows for card in row.cards}
    for row in found.rows:
        part = row.answer.parts[0]
        assert part.equity == pytest.approx(known[row.cards[0]], abs=6 * (part.std_error or 0))


@pytest.mark.parametrize(
    ("players", "game", "dead"),
    [
        (["AhAsKhKs", "9c8c7d6d"], "plo4", ""),
        (["AsKdQd2s", "Ac4d3h2h"], "o8", "Jc"),
        (["AhKh4h3h@50,QdQs9d9s@100", "AsKcQc2s@3,AdAc5d4d@7"], "plo4", "3c4c5c6c8c9c"),
    ],
)
def test_two_cards_average_to_now(players: list[str], game: str, dead: str) -> None:
    board = "Th7h2c"
    found = two_cards(players, game, board, dead)
    result = equity.odds(players, game, board, dead)
    assert equities(found.now) == result.equities_exact
    weights = [row.answer.weight or 0 for row in found.rows]
    assert sum(weights) >= result.weight
    for player, exact in enumerate(result.equities_exact):
        parts = [row.answer.parts[player].equity_exact for row in found.rows]
        won = sum(part * weight for part, weight in zip(parts, weights, strict=True))
        assert won / sum(weights) == exact
    assert all(row.ranks[0] >= row.ranks[1] for row in found.rows)


def test_turn_and_river_by_rank() -> None:
    found = two_cards(["AhAsKhKs", "9c8c7d6d"], board=FLOP)
    row = next(row for row in found.rows if row.text == "AK")
    boards = [(a, k) for a in parse_cards("AdAc") for k in parse_cards("KdKc")]
    answers = [
        equity.odds(["AhAsKhKs", "9c8c7d6d"], board=(*parse_cards(FLOP), *pair)).equities_exact[0]
        for pair in boards
    ]
    assert row.boards == len(boards)
    assert row.answer.parts[0].equity_exact == sum(answers) / len(answers)


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_alike_cards_are_alike(game: equity.Game, random: Random) -> None:
    """Spots of few suits, whose other suits change places."""
    deck = [card for card in range(52) if card % 4 in (0, 1)]
    random.shuffle(deck)
    hands = [tuple(deck[: game.hole]), tuple(deck[game.hole : 2 * game.hole])]
    board = tuple(deck[2 * game.hole : 2 * game.hole + 4])
    spot = read_spot(hands, game, board)
    group = suits_alike(spot)
    assert (0, 1, 3, 2) in group
    groups = alike_cards(free_cards(spot), group)
    assert sorted(card for same in groups for card in same) == sorted(free_cards(spot))
    for same in [same for same in groups if len(same) > 1][:4]:
        answers = {equity.odds(hands, game, (*board, card)).equities_exact for card in same}
        assert len(answers) == 1


def test_alike_boards_stand_for_all() -> None:
    spot = read_spot(["AsAhKsKh", "QQ:xxyy"], board="")
    free = free_cards(spot)
    boards = alike_boards(free, 2, suits_alike(spot))
    assert sum(boards.size) == len(free) * (len(free) - 1) // 2
    assert len(boards.cards) < sum(boards.size) / 2


def test_merged_cards_have_one_rank_and_one_answer() -> None:
    groups = [((51,), "a"), ((50, 49), "b"), ((48,), "a"), ((47,), "a")]
    assert list(merged(groups)) == [((51, 48), "a"), ((50, 49), "b"), ((47,), "a")]


def test_the_mean_of_answers() -> None:
    one = Answer((Part(Fraction(1), None), Part(Fraction(0), None)), 1)
    two = Answer((Part(Fraction(0), None), Part(Fraction(1), None)), 2)
    assert equities(mean([(one, 1), (two, 1)])) == (Fraction(1, 3), Fraction(2, 3))
    assert equities(mean([(one, 2), (two, 1)])) == (Fraction(1, 2), Fraction(1, 2))


# Graphs


def test_blockers_by_hand() -> None:
    players, board, gone = ["AhKsQdJc", "@FLUSH@40,@SET@100"], "Th7h2h4s", parse_cards(GONE)
    found = blockers(players, board=board, dead=gone)
    now = equity.odds(players, board=board, dead=gone).equities_exact[0]
    assert found.now.parts[0].equity_exact == now
    held = [row for row in found.rows if row.held]
    assert [row.text for row in held] == ["Ah", "Ks", "Qd", "Jc"]
    assert all(row.answer is None for row in held)
    spot = read_spot(players, board=board, dead=gone)
    whole = Range(players[1], board=board, dead=gone)
    live = whole.live(board, (*gone, *parse_cards(players[0]))).range
    for row in found.rows[4::5]:
        for card in row.cards:
            holding = (live.combos == card).any(axis=1)
            share = Fraction(int(live.weights[holding].sum()), int(live.weights.sum()))
            assert (row.combos, row.share_exact) == (int(holding.sum()), share)
            dead = solve(replace(spot, dead=(*gone, card)))
            assert row.answer is not None
            assert row.answer.parts[0].equity_exact == dead.equities_exact[0]
            assert row.change_exact == dead.equities_exact[0] - now
    cards = [card for row in found.rows if not row.held for card in row.cards]
    assert sorted(cards) == sorted(free_cards(spot))
    changes = [row.change_exact for row in found.rows if not row.held]
    assert changes == sorted(changes, key=lambda change: -(change or 0))


def test_a_card_that_all_hands_of_the_range_hold() -> None:
    found = blockers(
        ["AhKsQdJc", "AdQ:xxyy"], board="Th7h2c4s", dead=GONE + "2s2h2dTsTdTc", trials=500
    )
    row = next(row for row in found.rows if row.text == "Ad")
    assert row.share_exact == 1
    assert row.answer is None
    assert row.change_exact is None
    assert not found.exact


# What is wrong


@pytest.mark.parametrize(
    ("view", "arguments", "error", "words"),
    [
        (streets, (["AhAsKhKs", "9c8c7d6d"],), equity.CardCountError, "3, 4 or 5"),
        (
            next_cards,
            (["AhAsKhKs", "9c8c7d6d"], "plo4", "Th7h2c3d4d"),
            equity.CardCountError,
            "3 or 4",
        ),
        (two_cards, (["AhAsKhKs", "9c8c7d6d"], "plo4", "Th7h2c3d"), equity.CardCountError, "3"),
        (streets, (["AhAsKhKs", "KK"], "plo4", "T98:xxy"), equity.MethodError, "pattern"),
        (next_cards, (["AhAsKhKs", "KK"], "plo4", FLOP, "A:xyz"), equity.EquityError, "dead"),
        (graph, (["AhAsKhKs", "9c8c7d6d"],), equity.MethodError, "no range"),
        (graph, (["AA", "KK", "QQ"],), equity.PlayerCountError, "two"),
        (blockers, (["AA", "KK"],), equity.MethodError, "known hand"),
        (blockers, (["AhAsKhKs", "9c8c7d6d"],), equity.MethodError, "range"),
        (blockers, (["AhAsKhKs", "KK", "QQ"],), equity.PlayerCountError, "hand and a range"),
        (next_cards, (["AhAs*", "AhKh*"], "plo4", FLOP), equity.EquityError, "dealt together"),
        (two_cards, (["AA", "KK", "QQ"], "plo4", FLOP), equity.MethodError, "too many"),
        (blockers, (["AhAsKhKs", "Ah*"], "plo4", FLOP), equity.MethodError, "can be dealt"),
    ],
)
def test_bad_questions(
    view: Callable[..., object], arguments: tuple[object, ...], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        view(*arguments)
