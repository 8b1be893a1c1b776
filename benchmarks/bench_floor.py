"""How far the kernels are from what the processor could do: see floor.py."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import equity
from benchmarks import floor
from benchmarks.measuring import OURS, Measuring, seconds
from equity import kernels
from equity.engine import sweeping
from equity.engine.hand_lists import hand_lists
from equity.engine.sampling.question import question
from equity.engine.sampling.sampler import Sampler
from equity.rules.cards import parse_cards
from equity.rules.games import find_game
from equity.spot import read_spot

#: Kernel calls of a round.
WALKS = 200
Floors = Callable[[floor.Peaks], floor.Floor]


def against(measuring: Measuring, what: str, best: Floors, ours: Callable[[], float]) -> None:
    """Measure the peaks and the kernel in turn."""
    measured: list[dict[str, float]] = []
    ours()

    def turn() -> None:
        found = best(floor.peaks())
        measured.append({**found._asdict(), OURS: ours()})

    measuring.benchmark.pedantic(turn, rounds=measuring.rounds)
    values = {name: [turn[name] for turn in measured] for name in measured[0]}
    measuring.keep("floor", (what,), values, "s")


def walking(hands: list[str], game: str) -> Callable[[], float]:
    """Seconds of the kernel for known hands, alone."""
    rules = find_game(game)
    ids = [card for hand in hands for card in parse_cards(hand, "hand")]
    block = kernels.spot_block(len(hands), rules.hole, (), (), low=rules.low)
    block.values["hands"][:] = ids
    work = kernels.WALK_WORK.allocate(players=len(hands))
    tally = kernels.TALLY.allocate(players=len(hands))
    return lambda: seconds(lambda: kernels.WALK(kernels.table_block(), block, work, tally), WALKS)


HANDS = ["AhAsKhKs", "9c8c7d6d"]


def test_walk_by_boards(measuring: Measuring) -> None:
    classes = floor.live_classes(HANDS)
    what = f"walk, two hands; floor of the classical way, {classes:,} classes of boards"
    against(measuring, what, lambda peak: floor.walk_by_boards(peak, HANDS), walking(HANDS, "plo4"))


def test_walk(measuring: Measuring) -> None:
    what = "walk, two hands; floor of its own way, 6,188 multisets"
    against(measuring, what, lambda peak: floor.walk(peak, 2, 4, 4), walking(HANDS, "plo4"))


@pytest.mark.parametrize(
    ("game", "texts"),
    [("plo4", ("AA,KK,QQ,JJ", "A2,A3")), ("plo5", ("AAK,AAQ", "KKQ,KKJ"))],
)
def test_sweep(measuring: Measuring, game: str, texts: tuple[str, str]) -> None:
    spot = read_spot([equity.Range(text, game) for text in texts], game, "Kh9d4c")
    first, second = hand_lists(spot)
    plan = sweeping.Sweep(sweeping.Deal(first, second, spot.board, spot.dead, spot.game))
    boards = min(100, len(plan.boards.size))
    taken = [sum(1 << int(card) for card in board) for board in plan.boards.cards[:boards]]
    live = float(np.mean([np.count_nonzero(plan.deal.held & mask == 0) for mask in taken]))
    sums = plan.start()
    chunk = range(boards)

    def ours() -> float:
        return seconds(lambda: plan.run(chunk, sums)) / boards

    what = f"sweep, a board, {len(plan.deal.held):,} hands of {spot.game.hole}"
    against(measuring, what, lambda peak: floor.sweep(peak, live, spot.game.hole), ours)


@pytest.mark.parametrize("game", ["plo4", "plo6"])
def test_sampler(measuring: Measuring, game: str) -> None:
    spot = read_spot(["AA", "KK"], game)
    sampler = Sampler(question(spot))
    boards = sampler.draws_a_chunk * sampler.boards_a_draw
    hole = spot.game.hole
    number = iter(range(1_000_000))

    def ours() -> float:
        return seconds(lambda: sampler.chunk(next(number)), 5) / boards

    what = f"sampler, a board with {sampler.hands_a_board} hands of {hole} cards each side"
    best: Floors = lambda peak: floor.sampler(peak, 1, sampler.hands_a_board, hole)  # noqa: E731
    against(measuring, what, best, ours)


def test_peaks(measuring: Measuring) -> None:
    found: list[floor.Peaks] = []
    measuring.benchmark.pedantic(lambda: found.append(floor.peaks()), rounds=measuring.rounds)
    near, middle, far = (f"{size >> 10} KB" for size in (floor.NEAR, floor.MIDDLE, floor.FAR))
    values = {}
    for at, size in enumerate((near, middle, far)):
        values[f"loads that wait for each other, {size}"] = [peak.waiting[at] for peak in found]
        values[f"loads that do not, {size}"] = [peak.loads[at] for peak in found]
    values["16 bits loaded and compared, in vectors"] = [peak.lanes for peak in found]
    values["pairs of hands compared, in vectors"] = [peak.pairs for peak in found]
    measuring.keep("peaks", ("a second",), values, "/s")
