"""A small question for every kernel, with an answer that does not come from a kernel.

They are quick also where kernels are slow: with array bounds checked, and through numba's
dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import test_deal_sums
import test_flops
import test_ordering_builds
import test_showdown
import test_sweep
from naive import Tally, cards, range_tally, share, tally
from test_sampling import Entries, check, drawn, entries, question

import equity
from equity.engine.sampling.sampler import Sampler
from equity.engine.sweeping import PairWalk, Sweep
from equity.kernels.loader import Block, Kernel
from equity.kernels.registry import KERNELS
from equity.rules.games import GAMES, find_game

BOARD = "Ks9d8c4h2s"
FIRST, SECOND, THIRD = "AsAhQd7c,9h9sQh7d@2", "AcKhQc3c,KcKd7h3d", "JsJhTs8s,3h3s5h5s,AdTc6c5d@3"


def ask_walk() -> None:
    result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
    assert result.equities_exact == (Fraction(326093, 543004), Fraction(216911, 543004))
    for street in (3, 4, 5):
        hands = [cards("As2sKhKd"), cards("Ac2dJhJd"), cards("3s5s6s7h")]
        board = cards("3c4d8sKsJs")[:street]
        tallies, boards = range_tally([[(hand, 1)] for hand in hands], board, (), low=True)
        result = equity.odds(list(hands), "o8", list(board))
        assert result.tally.weight == boards
        assert list(result.equities_exact) == [_equity(tally) for tally in tallies]


def _equity(tally: Tally) -> Fraction:
    won = sum(
        (sum(share(*result), Fraction()) * count for result, count in tally.items()), Fraction()
    )
    return won / tally.total()


def ask_evaluate() -> None:
    for game in GAMES:
        test_showdown.test_bulk_values_order_as_brute_force(game)
    # The wheel is the best of all lows.
    assert equity.evaluate("AhKh3c2d", "AcKc5d4s3h", "o8").low[0] == 56


def ask_find_fault() -> None:
    for hole, game in ((4, "plo4"), (5, "plo5"), (6, "plo6")):
        hands = np.arange(3 * hole).reshape(3, hole)
        with pytest.raises(equity.DuplicateCardError, match="1"):
            equity.evaluate(hands, np.array([hole, 48, 49, 50, 51]), game)


def ask_rows() -> None:
    for game in ("o8", "plo5", "plo6-8"):
        hole, low = find_game(game).hole, find_game(game).low
        for known in (4, 5):
            deck = np.random.default_rng(known).permutation(52)
            hands, board = deck[: 3 * hole].reshape(1, 3, hole), deck[40 : 40 + known]
            tallies = tally([*map(tuple, hands[0].tolist())], tuple(board.tolist()), (), low)
            many = equity.odds_many(hands, board, game)
            assert list(many.equities_exact(0)) == [_equity(one) for one in tallies]


def ask_holdings() -> None:
    for game in GAMES:
        for size, known in ((3, 1), (4, 3), (5, 3)):
            test_flops.test_hands_by_the_definitions(game, size, known)


def ask_deals() -> None:
    for name in ("o8", "plo5", "plo6-8"):
        test_deal_sums.test_equities_by_combo(find_game(name))


def ask_sweep(method: test_sweep.Plan, hole: int) -> None:
    for game in GAMES:
        if game.hole == hole:
            test_sweep.test_each_hand(method, game)


def ask_sample() -> None:
    """Two lists and three, hands from the deck beside a list and alone, rivers and a turn."""
    some = [entries(text) for text in (FIRST, SECOND, THIRD)]
    for game in ("plo4", "o8"):
        for ranges, board in ((some[:2], BOARD), (some, BOARD), (some[:2], BOARD[:8])):
            exact, _ = range_tally(ranges, cards(board), (), find_game(game).low)
            asked = question(ranges, board, game=game)
            check(drawn(Sampler(asked, hands_a_board=3), 1, 400), exact)
    for hole, game in ((4, "o8"), (5, "bigo"), (6, "plo6-8")):
        hand: Entries = [(tuple(range(4, 4 + hole)), 1)]
        for players in ([None, None], [hand, None, None]):
            sample = drawn(Sampler(question(players, BOARD, game=game), hands_a_board=1), 1, 200)
            assert sample.deals
            counts = sample.tally.counts
            # The pot is won once: who wins alone is who the others lose to.
            for player in range(len(players)):
                assert sum(map(sum, counts[player])) == sample.deals


def ask_tables() -> None:
    for game in GAMES:
        test_ordering_builds.test_tables_pay_what_the_rules_say(game, 0.3)


def ask_classes() -> None:
    for game in GAMES[1::2]:
        test_ordering_builds.test_classes_get_the_deals_they_want(game)


QUESTIONS: dict[str, Callable[[], None]] = {
    "walk": ask_walk,
    "find_fault": ask_find_fault,
    "evaluate": ask_evaluate,
    "solve_rows": ask_rows,
    "tally_holdings": ask_holdings,
    "sweep_four": lambda: ask_sweep(Sweep, 4),
    "sweep_five": lambda: ask_sweep(Sweep, 5),
    "sweep_six": lambda: ask_sweep(Sweep, 6),
    "walk_pairs": lambda: ask_sweep(PairWalk, 4),
    "sample": ask_sample,
    "sample_deals": ask_deals,
    "deal_tables": ask_tables,
    "deal_classes": ask_classes,
}


def test_every_kernel_is_asked() -> None:
    assert list(QUESTIONS) == [kernel.name for kernel in KERNELS]


@pytest.mark.parametrize("name", QUESTIONS)
def test_known_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called: set[str] = set()
    call = Kernel.__call__

    def watched(kernel: Kernel, *blocks: Block) -> None:
        called.add(kernel.name)
        call(kernel, *blocks)

    monkeypatch.setattr(Kernel, "__call__", watched)
    QUESTIONS[name]()
    assert name in called
