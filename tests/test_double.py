"""Two boards from one deck: exact, against a slow count in every game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import naive
import pytest

import equity
from equity.double_board import two_boards
from equity.rules.games import GAMES, Game

HANDS = ["AsAhKsKh3c2c", "9s8s7d6d4c5c"]


def slow(
    hands: list[naive.Cards], boards: tuple[naive.Cards, naive.Cards], dead: naive.Cards, low: bool
) -> tuple[list[Counter[Fraction]], list[Counter[Fraction]]]:
    """By player, pairs of boards by the part of the pot won, and the same on the first alone."""
    gone = {*sum(hands, ()), *boards[0], *boards[1], *dead}
    left = [card for card in range(52) if card not in gone]
    both: list[Counter[Fraction]] = [Counter() for _ in hands]
    once: list[Counter[Fraction]] = [Counter() for _ in hands]

    @cache
    def won(board: naive.Cards) -> list[Fraction]:
        return [Fraction(sum(naive.share(*one))) for one in naive.showdown(hands, board, low)]

    for rest in combinations(left, 5 - len(boards[0])):
        first = won(boards[0] + rest)
        others = [card for card in left if card not in rest]
        for other in combinations(others, 5 - len(boards[1])):
            second = won(boards[1] + other)
            for at in range(len(hands)):
                both[at][(first[at] + second[at]) / 2] += 1
                once[at][first[at]] += 1
    return both, once


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    ("board", "board2", "dead"),
    [
        ("Th7h2d8d", "KdJc4s5d", ""),
        ("Th7h2d8d", None, ""),
        ("Th7h2d8dAc", "KdJc4s5d", "QcQd"),
        # Runs of one pot: what they share is in the deck once.
        ("Th7h2d8d", "7hTh2d", ""),
        ("Th7h2d8dAc", "Th7h2d8d", ""),
        ("Th7h2d8dAc", "Th7h2dKc4s", ""),
    ],
)
def test_pairs_of_boards(game: Game, board: str, board2: str | None, dead: str) -> None:
    texts = [hand[: 2 * game.hole] for hand in HANDS]
    found = two_boards(texts, game, board, board2, dead)
    hands = [naive.cards(text) for text in texts]
    boards = (naive.cards(board), naive.cards(board if board2 is None else board2))
    assert found.twice == (set(boards[0]) == set(boards[1]))
    both, once = slow(hands, boards, naive.cards(dead), game.low)
    pairs = sum(both[0].values())
    assert (found.pairs, found.counted, found.exact) == (pairs, True, True)
    for player, counts, alone in zip(found.players, both, once, strict=True):
        assert player.outcomes == {part: Fraction(n, pairs) for part, n in counts.items()}
        assert player.once == {part: Fraction(n, pairs) for part, n in alone.items()}
        mean = sum(part * n for part, n in counts.items()) / pairs
        assert player.equity_exact == mean
        assert list(player.outcomes) == sorted(player.outcomes, reverse=True)


def test_running_it_twice_leaves_equity_alone() -> None:
    for board in ("", "Th7h2d"):
        found = two_boards(["AsAhKsKh", "9s8s7d6d"], "plo4", board)
        plain = equity.odds(["AsAhKsKh", "9s8s7d6d"], "plo4", board)
        for player, one in zip(found.players, plain.players, strict=True):
            assert player.equity_exact == one.equity_exact
            assert player.spread < player.spread_once
            assert sum(player.outcomes.values()) == 1


def test_no_card_is_on_two_boards() -> None:
    """Up to five cards to come, from a deck so small that all pairs can be looked at."""
    hands = ["AsAhKsKh", "9s8s7d6d"]
    left = "Ac2c3c4c5cKd8h9hJsQsQdTd"
    cards = [card for card in range(52) if card not in naive.cards("".join([*hands, left]))]
    for board, board2 in (("", None), ("", "AdAc2c"), ("Ad", None), ("Ad", "KcKd"), ("Ad4d", "")):
        known = naive.cards(board + (board2 or ""))
        dead = [card for card in cards if card not in known]
        found = two_boards(hands, "o8", board, board2, dead)
        boards = (naive.cards(board), naive.cards(board if board2 is None else board2))
        dealt = [naive.cards(text) for text in hands]
        both, once = slow(dealt, boards, tuple(dead), low=True)
        assert found.pairs == sum(both[0].values())
        for player, counts, alone in zip(found.players, both, once, strict=True):
            assert player.both.counts == counts
            assert player.alone[0].counts == alone


def test_ranges_are_counted_by_weight() -> None:
    ranges = ["AsAhKsKh@2,QsQhJsJh@1", "9s8s7d6d@3,AsQhJd9c@5,KhKd4c4h@1"]
    weighed = [
        [(naive.cards(hand), int(weight)) for hand, weight in
         (item.split("@") for item in text.split(","))]
        for text in ranges
    ]  # fmt: skip
    board = naive.cards("Th7h2d8d")
    totals: list[Counter[Fraction]] = [Counter(), Counter()]
    for (one, weight), (two, factor) in product(*weighed):
        if set(one) & set(two):
            continue
        both, _ = slow([one, two], (board, board), (), low=True)
        for total, counts in zip(totals, both, strict=True):
            for part, number in counts.items():
                total[part] += weight * factor * number
    for how in (None, equity.How(exact=True), equity.How(error=0.5, threads=1)):
        found = two_boards(ranges, "o8", "Th7h2d8d", how=how)
        assert (found.exact, found.seed) == (True, None)
        for player, total in zip(found.players, totals, strict=True):
            assert player.both.counts == total
            assert player.to_dict()["outcome_errors"] is None
        plain = equity.odds(ranges, "o8", "Th7h2d8d")
        assert [player.equity_exact for player in found.players] == [*plain.equities_exact]


@pytest.mark.parametrize(
    ("board", "board2", "words"),
    [
        ("Th7h2d", "Th9c4s", ["Th", "second board", "flop"]),
        ("Th7h2d", "Th7h4s", ["Th7h", "second board"]),
        ("Th7h2d9c", "Th7h2d8c9c", ["second board"]),
        ("Th7h2d8dAc", "Th7h2d8dAc", ["complete", "twice"]),
        ("Th7h2d", "KdKd4s", ["Kd", "twice"]),
        ("Th7h2d8dAc", None, ["complete", "twice"]),
        ("Th7h2d", "T98:xxy", ["board"]),
        ("T98:xxy", None, ["pattern"]),
        ("Th7h2d", "AsQcJc", ["As", "hand 1"]),
    ],
)
def test_what_is_wrong(board: str, board2: str | None, words: list[str]) -> None:
    with pytest.raises(equity.EquityError) as raised:
        two_boards(["AsAhKsKh", "9s8s7d6d"], "plo4", board, board2)
    assert all(word in str(raised.value) for word in words)


def test_too_many_players_for_two_boards() -> None:
    deck = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
    hands = ["".join(deck[at : at + 4]) for at in range(0, 44, 4)]
    with pytest.raises(equity.PlayerCountError, match="cards for 10"):
        two_boards(hands, "plo4")
