"""Deals of ranges drawn at random: against brute force, and the errors against themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import sqrt
from operator import add
from typing import NamedTuple

import numpy as np
import pytest
from naive import Tally, cards, range_tally, share

from equity.engine.hand_lists import Hands
from equity.engine.sampling.estimates import SHARES, SampleTally, equity_errors, may_stop, variance
from equity.engine.sampling.question import KnownCards, Question
from equity.engine.sampling.sampler import Sampler
from equity.errors import DealError, EmptyRangeError, EquityError
from equity.kernels import sampling_records as records
from equity.results.tally import POT
from equity.rules.games import GAMES, find_game

Entries = list[tuple[tuple[int, ...], int]]

FIVE_ERRORS = 5
MANY_DEALS = 2_000
#: Two players on the river; drawing hands in turn gives 1/4 or 1/2.
TURNS = ["AsAhQd7c,9h9sQh7d", "AsKhQc3c,KcKd7h3d"], "Ks9d8c4h2s", ["1/3", "2/3"]
#: On the turn; drawing the river first gives 69/88.
RIVER_FIRST = ["AsAhQd7c,9h9sQh7d", "KhQcJc3c"], "Ks9d8c4h", ["31/40", "9/40"]
REMOVAL = (
    ["QhQs7c7d", "QcQd9h8h,AcAdJh9c,KcKd7h6h,QhJhTh9d,QsTc6d5c"],
    "Ts6c2d4d",
    ["13/60", "47/60"],
)
UNEVEN = (
    ["AsAhKdQd,KsKhQsJs,QcQh9c8c", "AsKsTdTh,QcJc9d8d,7c7h6c6h"],
    "Tc7d2h3s",
    ["77/240", "163/240"],
)
THREE = (
    ["AcAdKcKd,QcQdJcJd", "9h9s8h8s,7h7s6h6s", "AhKhQhJh,5c5d4c4d"],
    "9c6d2hTs",
    ["19/144", "17/24", "23/144"],
)


class Estimate(NamedTuple):
    """A share of all pots and its standard error, infinite if unknown."""

    value: Fraction
    error: float


def estimate(sample: SampleTally) -> list[dict[str, Estimate]]:
    """Shares of each player, by their names."""
    found = []
    for moments in sample.moments:
        shares = {}
        for name, figure in SHARES.items():
            sums = moments.get(figure, (0, 0, 0))
            square = variance(sample, sums)
            error = float("inf") if square is None else sqrt(square) / POT
            value = Fraction(sums[0], POT * sample.deals) if sample.deals else Fraction(0)
            shares[name] = Estimate(value, error)
        found.append(shares)
    assert [one["equity"].error for one in found] == pytest.approx(equity_errors(sample))
    return found


def entries(text: str) -> Entries:
    """``"AsAhQd7c,9h9sQh7d@3"`` as hands and weights."""
    parts = [part.partition("@") for part in text.split(",")]
    return [(cards(hand), int(weight or 1)) for hand, _, weight in parts]


def hands(some: Entries) -> Hands:
    held, weights = zip(*some, strict=True)
    return Hands(np.array(held, np.uint8), np.array(weights, np.int64))


def question(
    ranges: Sequence[Entries | None], board: str = "", dead: str = "", game: str = "plo4"
) -> Question:
    known = KnownCards(cards(board), cards(dead))
    return Question(
        find_game(game), [None if some is None else hands(some) for some in ranges], [known]
    )


def of_rank(rank: int, hole: int = 4) -> Entries:
    """All hands with two or more cards of a rank."""
    return [
        (hand, 1)
        for hand in combinations(range(52), hole)
        if sum(card // 4 == rank for card in hand) > 1
    ]


def drawn(sampler: Sampler, chunks: int, draws: int | None = None) -> SampleTally:
    """The sum of some chunks, of ``draws`` draws each."""
    return reduce(add, (sampler.chunk(number, draws) for number in range(chunks)))


def shares(results: Tally) -> dict[str, Fraction]:
    """The exact shares of one player."""
    total = results.total()
    high, low = (
        sum((share(*result)[part] * count for result, count in results.items()), Fraction(0))
        for part in (0, 1)
    )
    scoop = sum(count for result, count in results.items() if sum(share(*result)) == 1)
    return {
        "equity": (high + low) / total,
        "high": high / total,
        "low": low / total,
        "scoop": Fraction(scoop, total),
    }


def check(sample: SampleTally, exact: Sequence[Tally]) -> None:
    """Every share of every player within five standard errors."""
    for found, results in zip(estimate(sample), exact, strict=True):
        for name, value in shares(results).items():
            error = abs(float(found[name].value - value))
            assert error <= FIVE_ERRORS * found[name].error + 1e-12, (name, error, found[name])


class TestTinyRanges:
    """The shares of few hands are known by counting on paper."""

    @pytest.mark.parametrize("one_hand", [False, True])
    @pytest.mark.parametrize("spot", [TURNS, RIVER_FIRST, REMOVAL, UNEVEN, THREE])
    def test_shares(self, spot: tuple[list[str], str, list[str]], one_hand: bool) -> None:
        texts, board, expected = spot
        asked = question([entries(text) for text in texts], board)
        sampler = Sampler(asked, seed=7, hands_a_board=1 if one_hand else None)
        sample = drawn(sampler, 4, 5_000)
        for found, value in zip(estimate(sample), expected, strict=True):
            off = abs(float(found["equity"].value - Fraction(value)))
            assert off <= FIVE_ERRORS * found["equity"].error + 1e-12
            if one_hand:
                assert 0 < found["equity"].error < 0.02
        assert may_stop(sample)

    def test_order_of_players(self) -> None:
        texts, board, expected = THREE
        asked = question([entries(text) for text in reversed(texts)], board)
        for found, value in zip(
            estimate(drawn(Sampler(asked), 1)), reversed(expected), strict=True
        ):
            off = abs(float(found["equity"].value - Fraction(value)))
            assert off <= FIVE_ERRORS * found["equity"].error + 1e-12


class TestBruteForce:
    """Random weighted ranges, without symmetry between suits."""

    @pytest.mark.parametrize("game", [game.name for game in GAMES])
    @pytest.mark.parametrize(("known", "players"), [(3, 2), (4, 2), (4, 3), (5, 3), (5, 4)])
    @pytest.mark.parametrize("trial", [1, 2])
    def test_ranges(self, game: str, known: int, players: int, trial: int) -> None:
        rules = find_game(game)
        randomly = random.Random(f"{game} {known} {players} {trial}")
        deck = randomly.sample(range(52), 52)
        board, dead, live = deck[:known], deck[known : known + 4], deck[known + 4 :]
        ranges: list[Entries] = []
        for player in range(players):
            # Hands around one that all players can hold at once.
            held = live[player * rules.hole : (player + 1) * rules.hole]
            some = [(tuple(held), 1)]
            for _ in range(randomly.randint(2, 30 if players == 2 else 9)):
                kept = randomly.sample(held, randomly.randint(0, rules.hole - 1))
                others = [card for card in live if card not in kept]
                hand = (*kept, *randomly.sample(others, rules.hole - len(kept)))
                some.append((hand, randomly.choice([1, 1, 2, 7])))
            ranges.append(some)
        exact, _ = range_tally(ranges, tuple(board), tuple(dead), rules.low)
        asked = Question(
            rules,
            [hands(some) for some in ranges],
            [KnownCards(tuple(board), tuple(dead))],
        )
        number = randomly.choice([1, 3, None])
        sampler = Sampler(asked, trial, hands_a_board=number)
        sample = drawn(sampler, 3, 3_000)
        if sample.deals < MANY_DEALS:
            # What is rare may not come up at all in so few, and then has no error.
            sample = drawn(sampler, 3, 200_000)
        check(sample, exact)

    @pytest.mark.parametrize(
        ("game", "known", "free"),
        [
            (game.name, known, free)
            for game in GAMES
            for known, free in [(4, 1), (5, 1), (5, 2)]
            if game.hole * free <= 10  # brute force takes too long with more
        ],
    )
    def test_any_hand(self, game: str, known: int, free: int) -> None:
        """Players who can hold anything, against a range of all those hands."""
        rules = find_game(game)
        randomly = random.Random(f"{game} {known} {free}")
        # Hardly a card more than are dealt.
        size = rules.hole * (1 + free) + 6 - known
        deck = randomly.sample(range(52), 52)
        board, live = deck[:known], deck[known : known + size]
        dead = deck[known + size :]
        some = [(tuple(randomly.sample(live, rules.hole)), weight) for weight in (1, 1, 2, 5)]
        every = [(hand, 1) for hand in combinations(live, rules.hole)]
        exact, _ = range_tally([some, *[every] * free], tuple(board), tuple(dead), rules.low)
        asked = Question(
            rules, [hands(some), *[None] * free], [KnownCards(tuple(board), tuple(dead))]
        )
        sample = drawn(Sampler(asked), 3, 3_000)
        check(sample, exact)
        listed = Question(
            rules,
            [hands(some), *[hands(every)] * free],
            [KnownCards(tuple(board), tuple(dead))],
        )
        assert drawn(Sampler(listed), 3, 3_000).tally == sample.tally

    @pytest.mark.parametrize("game", ["plo4", "o8"])
    @pytest.mark.parametrize("players", [2, 3])
    def test_only_any_hand(self, game: str, players: int) -> None:
        """Nothing is known but the number of players: all get the same."""
        found = estimate(drawn(Sampler(question([None] * players, game=game)), 2))
        for player in found:
            off = abs(float(player["equity"].value) - 1 / players)
            assert off < FIVE_ERRORS * player["equity"].error
        assert sum(player["equity"].value for player in found) == 1

    def test_before_the_flop(self) -> None:
        """Known hands without a board: an exact value of 175309/310288."""
        asked = question([entries("AsAhKdQd"), entries("JsTs9h8h")])
        for number in (None, 1):
            found = estimate(drawn(Sampler(asked, hands_a_board=number), 3))[0]["equity"]
            assert abs(float(found.value) - 175309 / 310288) < FIVE_ERRORS * found.error < 0.01

    @pytest.mark.parametrize("known", [3, 4])
    def test_boards_from_a_list(self, known: int) -> None:
        """Several possible boards, with other dead cards each, drawn by weight."""
        ranges = [entries("AsAhKdQd,KsKhQsJs@2,QcQh9c8c"), entries("JcTc9d8d,7c7h6c6h,AcAd2c2d")]
        known_cards = [
            KnownCards(cards(board)[:known], cards(dead), weight)
            for board, dead, weight in [
                ("Tc7d2h3s", "4c", 1),
                ("Ts9h8h3d", "Kc", 3),
                ("Kc2d2s5h", "Ad", 2),
            ]
        ]
        exact = [Tally(), Tally()]
        for entry in known_cards:
            tallies, _ = range_tally(ranges, entry.board, entry.dead, low=True)
            for total, tally in zip(exact, tallies, strict=True):
                for result, weight in tally.items():
                    total[result] += weight * entry.weight
        asked = Question(find_game("o8"), [hands(some) for some in ranges], known_cards)
        check(drawn(Sampler(asked), 3, 2_000), exact)


class TestErrors:
    def test_coverage(self) -> None:
        """The truth is within 1.96 errors for 95 % of 2,000 seeds."""
        ranges = [
            entries("AsAhKd3d,KsKhQsJs@2,Qc4h3c8c,JdTd9s8s"),
            entries("JcTc9d8d,7c7h4c3h,AcAd4s5s@3"),
        ]
        exact, _ = range_tally(ranges, cards("Tc7d2h"), (), low=True)
        truth = shares(exact[0])
        asked = question(ranges, "Tc7d2h", game="o8")
        inside = dict.fromkeys(SHARES, 0)
        for seed in range(2_000):
            found = estimate(drawn(Sampler(asked, seed, hands_a_board=1), 1, 150))[0]
            for name in SHARES:
                off = abs(float(found[name].value - truth[name]))
                inside[name] += off <= 1.96 * found[name].error
        for name, count in inside.items():
            assert 0.935 < count / 2_000 < 0.965, (name, count)

    def test_coverage_with_shared_parts(self) -> None:
        """The same for chunks of a question with many hands on each board."""
        ranges: list[Entries | None] = [entries("AsAhKdQd,KsKhQsJs@2,JdTd9s8s"), None, None]
        asked = question(ranges, "Tc7d2h")
        sampler = Sampler(asked)
        truth = estimate(drawn(sampler, 2, 20_000))[0]["equity"]
        inside = 0
        for number in range(1_000, 3_000):
            found = estimate(sampler.chunk(number, 120))[0]["equity"]
            inside += abs(float(found.value - truth.value)) <= 1.96 * found.error
        assert 0.93 < inside / 2_000 < 0.97

    def test_nothing_known_of_one_draw(self) -> None:
        sampler = Sampler(question([None, None]))
        assert estimate(sampler.chunk(0, 1))[0]["equity"].error == float("inf")
        assert not may_stop(sampler.chunk(0, 1))


class TestSameIntegers:
    def test_chunks_in_any_order(self) -> None:
        asked = question([of_rank(12), of_rank(11)], game="o8")
        one, other = Sampler(asked, 5), Sampler(asked, 5)
        assert one.hands_a_board == other.hands_a_board
        chunks = [one.chunk(number) for number in range(4)]
        again = [other.chunk(number) for number in (3, 1, 0, 2)]
        assert again == [chunks[number] for number in (3, 1, 0, 2)]
        assert reduce(add, chunks) == reduce(add, again)
        assert Sampler(asked, 6).chunk(0) != chunks[0]
        assert len({chunk.tally for chunk in chunks}) == 4

    def test_moments_agree_with_counts(self) -> None:
        sampler = Sampler(question([entries("AsAhKdQd,KsKhQsJs@2"), None], "Tc7d2h"), 3)
        sample = sampler.chunk(0, 10)
        assert sample.deals == sum(map(sum, sample.tally.counts[1]))
        assert sum(player["equity"][0] for player in sample.moments) == POT * sample.deals
        for counts, moments in zip(sample.tally.counts, sample.moments, strict=True):
            won = sum(
                POT // high * deals for high, row in enumerate(counts) if high for deals in row
            )
            assert moments["equity"][0] == moments["high"][0] == won
            assert moments["1"][0] == moments["high_win"][0] == POT * sum(counts[1])
            assert moments["high_tie"][0] == POT * sum(counts[2])
            assert moments["0"][0] == POT * sum(counts[0])

    def test_boards_are_dealt_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """2,048 boards of 1,086,008: about two are there twice."""
        blocks = []
        allocate = records.SAMPLE_WORK.allocate

        def kept(**integers: int) -> object:
            blocks.append(allocate(**integers))
            return blocks[-1]

        sampler = Sampler(question([entries("AsAhKdQd"), entries("JsTs9h8h")]), 3)
        monkeypatch.setattr(records.SAMPLE_WORK, "allocate", kept)
        for number in range(32):
            sampler.chunk(number, 1)
        boards = [taken for block in blocks for taken in block.values["board_taken"]]
        assert len(boards) == 2_048
        assert all(taken.bit_count() == 13 for taken in boards)
        assert len(set(boards)) > 2_030


class TestNoDeal:
    def test_three_players_on_aces(self) -> None:
        with pytest.raises(DealError, match=r"ranges 1 and 2 and 3: 6 cards .* 4 are left"):
            Sampler(question([of_rank(12)] * 3))

    def test_all_hands_dead(self) -> None:
        with pytest.raises(EmptyRangeError, match="range 1: no hand is left"):
            Sampler(question([entries("AhAdKhKd"), entries("QsQcJsJc")], "Ah7c2d"))

    def test_card_that_another_holds(self) -> None:
        with pytest.raises(EmptyRangeError, match="range 1: no hand is left"):
            Sampler(question([entries("AhAdKhKd"), entries("AhQcJsJc")]))

    def test_no_two_hands_fit(self) -> None:
        ranges = [entries("AhAdKhKd,AhAd3c4c"), entries("AhQcJsJc,AdQcJsJc"), None]
        with pytest.raises(EquityError, match=r"range"):
            Sampler(question(ranges))

    def test_no_three_hands_fit(self) -> None:
        """Every two players can be dealt, but not all three."""
        texts = ["2c3c4c5c,2d3d4d5d", "2c3d6c6d,2d3c7c7d,8c8d9c9d", "4c8c9h9s,4d9c8h8s"]
        ranges = [entries(text) for text in texts]
        _, deals = range_tally(ranges, cards("AsKsQsJsTs"), (), low=False)
        if deals:
            Sampler(question(ranges, "AsKsQsJsTs"))
        else:
            with pytest.raises(DealError):
                Sampler(question(ranges, "AsKsQsJsTs"))

    def test_too_few_cards(self) -> None:
        with pytest.raises(DealError, match="53 cards are needed"):
            Sampler(question([None] * 12))

    def test_ten_players(self) -> None:
        sample = drawn(Sampler(question([of_rank(12), *[None] * 9])), 1)
        assert sample.deals > 1_000

    def test_ranges_that_leave_little(self) -> None:
        """One combination of hands in a thousand is a deal, or in millions."""
        pairs = [of_rank(rank) for rank in (12, 12, 11, 11, 10, 10)]
        assert drawn(Sampler(question(pairs)), 1).deals > 1_000
        randomly = random.Random(1)
        every = list(combinations(range(52), 4))
        wide: list[Entries | None] = [
            [(hand, 1) for hand in randomly.sample(every, 50_000)] for _ in range(9)
        ]
        sampler = Sampler(question(wide))
        assert drawn(sampler, 1).deals > 100
        assert not may_stop(sampler.chunk(0))
