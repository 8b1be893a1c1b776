"""Sums over sampled deals by board and by combo, against brute force."""

from __future__ import annotations

from fractions import Fraction

import naive
import numpy as np
import pytest

import equity
from equity.engine.deal_sums import DealSums, mean_errors
from equity.engine.hand_lists import hand_lists
from equity.engine.sweeping import Deal, Sweep
from equity.engine.sweeping.board_tallies import sweep_boards
from equity.results.tally import POT
from equity.rules.games import GAMES, Game, find_game
from equity.spot import Spot, read_spot

#: Small ranges by number of hole cards, some with weights, and a board with a flush draw.
RANGES = {
    4: ["AsAhQd7c,9h9sQh7d@2", "AcKhQc3c,KcKd7h3d", "JsJhTs8s,3h3s5h5s,AdTc6c5d@3"],
    5: ["AsAhQd7c2d,9h9sQh7d6d@2", "AcKhQc3c8h,KcKd7h3d4d", "JsJhTs8s2h,3h3s5h5sQc"],
    6: ["AsAhQd7c2d4h,9h9sQh7d6d5d@2", "AcKhQc3c8h6s,KcKd7h3d4d5c", "JsJhTs8s2h7s,3h3s5h5sQc8c"],
}
BOARD = "Ks9d8s4h"
TRIES = 200_000


def entries(text: str) -> list[tuple[naive.Cards, int]]:
    """The hands of a range with their weights."""
    found = []
    for item in text.split(","):
        hand, _, weight = item.partition("@")
        found.append((naive.cards(hand), int(weight or 1)))
    return found


def spot_of(game: Game, players: int, board: str = BOARD) -> Spot:
    # Weights are relative in a range: the text has them as percentages.
    texts = [text.replace("@2", "").replace("@3", "") for text in RANGES[game.hole][:players]]
    return read_spot(texts, game, board)


def exact_equities(game: Game, players: int, board: str) -> list[Fraction]:
    """The equities by brute force."""
    spot = spot_of(game, players)
    ranges = [entries(text) for text in spot.texts]
    tallies, boards = naive.range_tally(ranges, naive.cards(board), (), game.low)
    won = [
        sum(
            (sum(naive.share(*result), Fraction()) * count for result, count in tally.items()),
            Fraction(),
        )
        for tally in tallies
    ]
    return [part / boards for part in won]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("players", [2, 3])
def test_equities_by_board(game: Game, players: int) -> None:
    spot = spot_of(game, players, "")
    boards = ["Ks9d8s4h", "TcTd6h2c"]
    known = np.array([naive.cards(board) for board in boards], np.uint8)
    sums = DealSums(spot, known, seed=1)
    sums.draw(np.array([TRIES, TRIES // 2]), threads=2)
    for at, board in enumerate(boards):
        expected = [float(one) for one in exact_equities(game, players, board)]
        off = np.abs(sums.equities[at] - expected) / np.where(
            np.isinf(sums.errors[at]), 1e-9, sums.errors[at]
        )
        assert (off < 4.5).all(), (sums.equities[at], expected)
        assert sums.sums[at, :, 0].sum() == POT * sums.deals[at]
    assert (sums.deals <= sums.tried).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_equities_by_combo(game: Game) -> None:
    spot = spot_of(game, 3)
    known = np.array([naive.cards(BOARD)] * 4, np.uint8)
    sums = DealSums(spot, known, seed=2, players=(0, 2))
    sums.draw(np.full(4, TRIES // 4), threads=2)
    assert list(sums.combo_sums) == [0, 2]
    for player in (0, 2):
        hands, found = sums.hands[player], sums.combo_sums[player]
        assert found[:, 0].sum() == sums.deals.sum()
        assert found[:, 1].sum() == sums.sums[:, player, 0].sum()
        errors = mean_errors(found[:, 0], found[:, 1], found[:, 2])
        for at, hand in enumerate(hands.cards.tolist()):
            others = [entries(text) for text in spot.texts]
            others[player] = [(tuple(hand), 1)]
            tallies, boards = naive.range_tally(others, naive.cards(BOARD), (), game.low)
            shares = [(naive.share(*result), count) for result, count in tallies[player].items()]
            equity_of = float(sum(sum(share) * count for share, count in shares) / boards)
            high = float(sum(share[0] * count for share, count in shares) / boards)
            row = sums.classes[player][at]
            error = 1e-9 if np.isinf(errors[row]) else errors[row]
            deals, won, _, high_won = found[row].tolist()
            assert abs(won / deals / POT - equity_of) < 4.5 * error
            assert abs(high_won / deals / POT - high) < 5 * max(error, 0.003)


def test_weights_and_hands_from_the_deck() -> None:
    spot = read_spot(["AhAcKdQd@25,7h7c6d6s", "*"], "plo4", "Ks9d8s4h")
    exact = equity.odds(["AhAcKdQd@25,7h7c6d6s", "*"], "plo4", "Ks9d8s4h")
    sums = DealSums(spot, np.array([spot.board], np.uint8), seed=3, players=(0, 1))
    sums.draw(np.array([TRIES]), threads=1)
    assert abs(sums.equities[0, 0] - exact.equities[0]) < 4.5 * sums.errors[0, 0]
    combos = sums.combo_sums[0]
    weighted = sums.hands[0].weights.argmin()
    rare, often = sums.classes[0][weighted], sums.classes[0][1 - weighted]
    assert 0.23 < combos[rare, 0] / combos[often, 0] < 0.27
    everything = sums.combo_sums[1]
    assert everything[:, 0].sum() == sums.deals[0]


def test_sums_do_not_depend_on_threads() -> None:
    spot = read_spot(["10%", "AA"], "plo4", "Ks9d8s")
    known = np.array([spot.board] * 9, np.uint8)
    found = []
    for threads in (1, 2):
        sums = DealSums(spot, known, seed=4, players=(0,))
        for _ in range(2):
            sums.draw(np.full(9, 20_000), threads)
        found.append(sums)
    one, two = found
    assert (one.sums == two.sums).all()
    assert (one.combo_sums[0] == two.combo_sums[0]).all()
    # Boards that are the same have random numbers of their own.
    assert len(np.unique(one.sums[:, 0, 0])) == 9


def test_impossible_deals_are_an_error() -> None:
    spot = read_spot(["AsAh", "AsKs"], "plo4")
    with pytest.raises(equity.EmptyRangeError, match="another player is certain to hold"):
        DealSums(spot, np.zeros((1, 0), np.uint8), seed=1)


@pytest.mark.parametrize("game", ["plo4", "o8", "plo5", "plo6-8"])
@pytest.mark.parametrize("board", ["Ks9s8s", "Ks9d8s4h"])
def test_board_tallies_agree_with_brute_force(game: str, board: str) -> None:
    spot = spot_of(find_game(game), 2, board)
    first, second = hand_lists(spot)
    deal = Deal(first, second, spot.board, spot.dead, spot.game)
    tallies = sweep_boards(Sweep(deal), threads=2)
    ranges = [entries(text) for text in spot.texts]
    for more in ("", "2h") if len(board) == 8 else ("2c5d", "Jd2d"):
        expected, boards = naive.range_tally(ranges, naive.cards(board + more), (), spot.game.low)
        found = tallies.with_cards(naive.cards(more))
        assert found.weight == boards
        for player, tally in enumerate(expected):
            won = sum(sum(naive.share(*result)) * count for result, count in tally.items())
            assert Fraction(found.won(player), POT) == won
            for (high, low), count in tally.items():
                assert found.counts[player][high][3 if low is None else low] == count


def test_board_tallies_of_symmetric_ranges() -> None:
    """Sums over all turn and river cards are the whole tally, and so by card."""
    spot = read_spot(["AA", "KK,QQ"], "o8", "Th9h4c")
    first, second = hand_lists(spot)
    deal = Deal(first, second, spot.board, spot.dead, spot.game)
    assert len(deal.group) > 1
    tallies = sweep_boards(Sweep(deal), threads=1)
    assert tallies.with_cards(()) == equity.odds(["AA", "KK,QQ"], "o8", "Th9h4c").tally
    for card in ("2d", "2s", "Kh", "Ac"):
        part = tallies.with_cards(naive.cards(card))
        exact = equity.odds(["AA", "KK,QQ"], "o8", f"Th9h4c{card}")
        assert Fraction(part.won(0), POT * part.weight) == exact.equities_exact[0]
