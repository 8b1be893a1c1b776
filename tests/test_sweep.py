"""Range against range: the sweep and the pair walk against brute force and each other."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_values import RangeSpot, ranges
from naive import Cards, cards, range_tally, runouts, share
from numpy.typing import NDArray

from equity import GAMES, Range
from equity.engine.sweeping import Deal, Hands, PairWalk, Sweep
from equity.engine.sweeping.symmetry import IDENTITY, completions, masks, shared, symmetries
from equity.results.tally import Tally
from equity.rules.games import Game, find_game

Plan = type[Sweep] | type[PairWalk]
Weighted = list[tuple[Cards, int]]
PLANS: list[Plan] = [Sweep, PairWalk]
METHODS = pytest.mark.parametrize("method", PLANS, ids=["sweep", "pairs"])
EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
#: Known board cards and dead cards, by how many hands there is time for.
STREETS = [(5, 0, 40), (5, 8, 30), (4, 3, 25), (3, 20, 8), (3, 4, 2), (2, 24, 4), (0, 0, 3)]


class Answer:
    """What a plan gives when all of it has been run."""

    def __init__(self, plan: Any, threads: int = 1) -> None:
        every = [plan.start() for _ in range(threads)]
        for number in range(plan.chunk_count):
            plan.run(plan.chunk(number), every[number % threads])
        self.tally: Tally = plan.tally(every)
        self.by_hand: tuple[NDArray[Any], NDArray[Any]] = plan.by_hand(every)
        self.deals: int = plan.deals(every, Fraction(1))


def as_hands(entries: Weighted, hole: int) -> Hands:
    return Hands(
        np.array([hand for hand, _ in entries], np.uint8).reshape(-1, hole),
        np.array([weight for _, weight in entries], np.int64),
    )


def naive_counts(first: Weighted, second: Weighted, board: Cards, dead: Cards, low: bool) -> Any:
    tallies, deals = range_tally([first, second], board, dead, low)
    counts = np.zeros((2, 3, 4), object)
    for player, tally in enumerate(tallies):
        for (high, low_result), weight in tally.items():
            counts[player, high, 3 if low_result is None else low_result] += weight
    return counts, deals


def random_spot(
    game: Game, known: int, gone: int, hands: int, seed: int
) -> tuple[Weighted, Weighted, Cards, Cards]:
    """Ranges that overlap, share cards with each other and some with the board."""
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52).tolist()
    if known == 0:
        gone = 52 - 2 * game.hole - 7
    board, dead = tuple(deck[:known]), tuple(deck[known : known + gone])
    pool = deck if known >= 4 else deck[known + gone :]

    def weighted(count: int) -> Weighted:
        hands = {
            tuple(sorted(rng.choice(pool, game.hole, replace=False).tolist())) for _ in range(count)
        }
        return [(hand, int(rng.integers(1, 100))) for hand in sorted(hands)]

    first, second = weighted(hands), weighted(hands + 3)
    taken = {hand for hand, _ in second}
    second += [(hand, weight + 1) for hand, weight in first[::3] if hand not in taken]
    return first, second, board, dead


@EVERY_GAME
@pytest.mark.parametrize(("known", "gone", "count"), STREETS)
def test_brute_force(game: Game, known: int, gone: int, count: int) -> None:
    first, second, board, dead = random_spot(game, known, gone, count, seed=known + game.hole)
    wanted, deals = naive_counts(first, second, board, dead, game.low)
    sides = as_hands(first, game.hole), as_hands(second, game.hole)
    answers = [Answer(plan(Deal(*sides, board, dead, game))) for plan in PLANS]
    for answer in answers:
        assert np.array_equal(np.array(answer.tally.counts, object), wanted)
        assert answer.deals == deals
        assert answer.tally.weight == wanted[0].sum()
        for side, hands in enumerate(sides):
            weighted = answer.by_hand[side] * hands.weights[:, None, None]
            assert np.array_equal(weighted.sum(axis=0), wanted[side])
    for side in range(2):
        assert np.array_equal(answers[0].by_hand[side], answers[1].by_hand[side])


@METHODS
@EVERY_GAME
def test_each_hand(method: Plan, game: Game) -> None:
    first, second, board, dead = random_spot(game, 4, 10, 6, seed=7)
    sides = as_hands(first, game.hole), as_hands(second, game.hole)
    by_hand = Answer(method(Deal(*sides, board, dead, game))).by_hand
    for at, (hand, _) in enumerate(first):
        wanted, _ = naive_counts([(hand, 1)], second, board, dead, game.low)
        assert np.array_equal(by_hand[0][at], wanted[0])
    for at, (hand, _) in enumerate(second):
        wanted, _ = naive_counts(first, [(hand, 1)], board, dead, game.low)
        assert np.array_equal(by_hand[1][at], wanted[1])


def moved(hand: Cards, suits: tuple[int, ...]) -> Cards:
    return tuple(sorted(card // 4 * 4 + suits[card % 4] for card in hand))


def closed(entries: Weighted, group: list[tuple[int, ...]]) -> Weighted:
    """The hands and all that a group of permutations of suits makes of them."""
    weights: dict[Cards, int] = {}
    for hand, weight in entries:
        for suits in group:
            weights.setdefault(moved(hand, suits), weight)
    # What two hands lead to takes the weight of the first: whole orbits at once.
    return sorted(weights.items())


S4 = list(permutations(range(4)))
SWAP = [IDENTITY, (0, 1, 3, 2)]


@EVERY_GAME
@pytest.mark.parametrize(
    ("group", "board", "dead"),
    [
        (SWAP, "Kc9c4d2d", ""),
        (SWAP, "Kc9c4d", "Ah As 2c 7d Tc 3c 3d"),
        ([suits for suits in S4 if suits[0] == 0], "AcKc4c", "2d 2h 2s 5c 6c 7c"),
    ],
)
def test_boards_that_are_alike(
    game: Game, group: list[tuple[int, ...]], board: str, dead: str
) -> None:
    known, gone = cards(board), cards(dead)
    first, second, _, _ = random_spot(game, 5, 0, 4, seed=11)
    sides = as_hands(closed(first, group), game.hole), as_hands(closed(second, group), game.hole)
    for method in PLANS:
        grouped = method(Deal(*sides, known, gone, game))
        assert set(group) <= set(grouped.deal.group)
        apart = method(Deal(*sides, known, gone, game, symmetric=False))
        assert apart.deal.group == [IDENTITY]
        one, other = Answer(grouped), Answer(apart)
        assert one.tally == other.tally
        for side in range(2):
            assert np.array_equal(one.by_hand[side], other.by_hand[side])


def test_boards_that_are_alike_before_the_flop() -> None:
    game = find_game("o8")
    # Left are the ranks 2, 3, 4, 5, T, K and A.
    dead = tuple(card for card in range(52) if card // 4 in (4, 5, 6, 7, 9, 10))
    texts = [
        [("AcAd2c3d", 3), ("KcKdTsTc", 7), ("2c3d4h5s", 1)],
        [("AcKc2d2h", 2), ("3c3d4h5h", 5)],
    ]
    entries = [[(cards(text), weight) for text, weight in part] for part in texts]
    sides = as_hands(closed(entries[0], S4), 4), as_hands(closed(entries[1], S4), 4)
    sweep = Sweep(Deal(*sides, (), dead, game))
    assert len(sweep.deal.group) == 24
    assert len(sweep.boards.size) < sweep.boards.size.sum() / 12
    one = Answer(sweep)
    for other in (
        Answer(Sweep(Deal(*sides, (), dead, game, symmetric=False))),
        Answer(PairWalk(Deal(*sides, (), dead, game))),
    ):
        assert one.tally == other.tally
        for side in range(2):
            assert np.array_equal(one.by_hand[side], other.by_hand[side])


def test_orbits_of_boards() -> None:
    boards = completions((), (), S4)
    assert len(boards.size) == 134_459
    assert boards.size.sum() == comb(52, 5)
    assert set(boards.size.tolist()) <= {1, 4, 6, 12, 24}
    board = cards("Kh9h4c")
    group = symmetries(np.array([], np.int64), np.zeros((0, 2), np.int64), [board])
    assert group == [IDENTITY, (0, 3, 2, 1)]
    boards = completions(board, (), group)
    assert boards.size.sum() == comb(49, 2)
    listed = {frozenset(full) for full in runouts(board, ())}
    for full, size in zip(boards.cards.tolist(), boards.size.tolist(), strict=True):
        orbit = {frozenset(moved(tuple(full), suits)) for suits in group}
        assert len(orbit) == size
        assert orbit <= listed
        listed -= orbit
    assert not listed


def test_sums_are_shared_within_orbits() -> None:
    hands = np.array(sorted({moved(cards("AcKc2d"), suits) for suits in S4}), np.uint8)
    held = np.sort(masks(hands))
    sums = np.zeros((len(held), 2), np.int64)
    sums[3] = 24, 48
    assert np.array_equal(shared(sums, held, S4), np.tile([2, 4], (12, 1)))


@functools.cache
def two_player_rows() -> list[RangeSpot]:
    return [spot for spot in ranges() if len(spot.ranges) == 2]


@pytest.mark.parametrize("spot", two_player_rows(), ids=lambda spot: spot.id)
def test_known_ranges(spot: RangeSpot) -> None:
    game = find_game(spot.game)
    sides = []
    for text in spot.ranges:
        found = Range(text, game)
        # Without a weight of its own a hand counts once, with @3 three times.
        weights = np.where(found.weights == 100 * found.scale, found.scale, found.weights)
        sides.append(Hands(found.combos, weights // found.scale))
    plan = Sweep(Deal(sides[0], sides[1], cards(spot.board), cards(spot.dead), game))
    answer = Answer(plan, threads=2)
    assert (answer.deals, answer.tally.weight, answer.tally.no_low) == (
        spot.deals,
        spot.weight,
        spot.no_low,
    )
    for player, wanted in enumerate(spot.players):
        totals = dict.fromkeys(wanted.__annotations__, Fraction(0))
        for high, low, weight in answer.tally.results(player):
            of_high, of_low = share(high, low)
            totals["hi120"] += 120 * of_high * weight
            totals["lo120"] += 120 * of_low * weight
            totals["pot120"] += 120 * (of_high + of_low) * weight
            totals["hi_win"] += weight * (high == 1)
            totals["lo_win"] += weight * (low == 1)
            totals["scoop"] += weight * (of_high + of_low == 1)
            totals["quarter"] += weight * (of_high + of_low == Fraction(1, 4))
            totals["three_quarters"] += weight * (of_high + of_low == Fraction(3, 4))
        assert totals == {name: getattr(wanted, name) for name in totals}


@METHODS
@pytest.mark.parametrize("low", [False, True])
def test_heavy_weights(method: Plan, low: bool) -> None:
    """Weights that are cut into parts give the same, in integers of any size."""
    game = next(game for game in GAMES if game.hole == 4 and game.low == low)
    first, second, board, dead = random_spot(game, 4, 12, 20, seed=3)
    heavy = 10**14 + 12_345
    first = [(hand, weight * heavy + 1) for hand, weight in first]
    second = [(hand, weight * 1_000_003) for hand, weight in second]
    wanted, deals = naive_counts(first, second, board, dead, low)
    plan = method(Deal(as_hands(first, 4), as_hands(second, 4), board, dead, game))
    assert plan.deal.parts > 1
    answer = Answer(plan, threads=3)
    assert np.array_equal(np.array(answer.tally.counts, object), wanted)
    assert answer.deals == deals
    for side, entries in enumerate((first, second)):
        weighted = answer.by_hand[side].astype(object) * np.array(
            [[[weight]] for _, weight in entries], object
        )
        assert np.array_equal(weighted.sum(axis=0), wanted[side])


@METHODS
def test_nobody_lives(method: Plan) -> None:
    game = find_game("o8")
    first = as_hands([(cards("AcKc2d2h"), 1)], 4)
    second = as_hands([(cards("AcKd3d3h"), 1)], 4)
    for board in ("Ac", "Ac7d8h", "7d8h"):
        answer = Answer(method(Deal(first, second, cards(board), (), game)))
        assert answer.tally.weight == answer.deals == 0
        assert not any(side.any() for side in answer.by_hand)


@METHODS
def test_order_and_threads_change_nothing(method: Plan) -> None:
    game = find_game("bigo")
    first, second, board, dead = random_spot(game, 3, 10, 6, seed=5)
    plan = method(Deal(as_hands(first, 5), as_hands(second, 5), board, dead, game))
    # Chunks of a few boards or pairs, run from the last to the first.
    whole = Answer(plan)
    vars(plan)["step"] = 7
    every: list[Any] = [plan.start() for _ in range(4)]
    for number in reversed(range(plan.chunk_count)):
        plan.run(plan.chunk(number), every[number % 4])
    assert plan.tally(every) == whole.tally


def test_sums_of_many_boards_do_not_overflow() -> None:
    """Packed sums are emptied before they are full."""
    game = find_game("plo4")
    first, second, board, dead = random_spot(game, 3, 20, 8, seed=9)
    plan = Sweep(Deal(as_hands(first, 4), as_hands(second, 4), board, dead, game))
    whole = Answer(plan)
    plan.capacity = 24
    plan.step = 24 // int(plan.boards.size.max())
    assert plan.chunk_count > 10
    assert Answer(plan).tally == whole.tally


@given(st.integers(0, 2**32), st.sampled_from(GAMES), st.sampled_from([3, 4, 5]))
@settings(max_examples=40)
def test_both_methods_agree(seed: int, game: Game, known: int) -> None:
    first, second, board, dead = random_spot(game, known, 3, 9, seed)
    sides = as_hands(first, game.hole), as_hands(second, game.hole)
    sweep, walk = (Answer(method(Deal(*sides, board, dead, game))) for method in PLANS)
    assert sweep.tally == walk.tally
    assert sweep.deals == walk.deals
    for side in range(2):
        assert np.array_equal(sweep.by_hand[side], walk.by_hand[side])


def test_costs_order_the_methods() -> None:
    """Few hands are walked by pairs, many are swept."""
    game = find_game("plo4")
    few, _, board, dead = random_spot(game, 3, 0, 3, seed=1)
    many, _, _, _ = random_spot(game, 5, 0, 600, seed=2)

    def cost(method: Callable[..., Any], entries: Weighted) -> int:
        hands = as_hands(entries, 4)
        found: int = method(Deal(hands, hands, board, dead, game)).cost
        return found

    assert cost(PairWalk, few) < cost(Sweep, few)
    assert cost(PairWalk, many) > cost(Sweep, many)
