"""The referee itself: against known values, known counts and showdowns worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_values import RangeSpot, RiverSpot, Spot, ranges, river, spots
from naive import (
    Cards,
    Range,
    Tally,
    best_high,
    best_low,
    cards,
    high_of_ranks,
    low_of,
    range_tally,
    runouts,
    share,
    showdown,
    tally,
)

WITH_LOW = {"o8", "bigo", "plo6-8"}
RANK_NAMES = "23456789TJQKA"

MOST_BOARDS, MOST_DEALS = 1_600, 3_000_000
#: Worth their seconds all the same: no, one or two board cards, few or many dead, 2 to 6 players.
LARGE = {"p3", "p7", "p10", "p12", "p16", "p17", "p21", "p24", "s171", "s189", "s190"}
RIVER = list(river())
SPOTS = [spot for spot in spots() if spot.boards <= MOST_BOARDS or spot.id in LARGE]
RANGES = [spot for spot in ranges() if spot.deals <= MOST_DEALS]


def counts_of(results: Tally) -> dict[str, int]:
    """The columns of the known values that follow from the results of one player."""

    def times(wanted: Callable[[int, int | None], bool]) -> int:
        return sum(count for result, count in results.items() if wanted(*result))

    def pot120(part: int) -> int:
        whole = sum(120 * share(*result)[part] * count for result, count in results.items())
        assert whole == int(whole)
        return int(whole)

    return {
        "hi_win": times(lambda high, low: high == 1),
        "hi_tie": times(lambda high, low: high > 1),
        "lo_win": times(lambda high, low: low == 1),
        "lo_tie": times(lambda high, low: low is not None and low > 1),
        "scoop": times(lambda high, low: sum(share(high, low)) == 1),
        "quarter": times(lambda high, low: sum(share(high, low)) == Fraction(1, 4)),
        "three_quarters": times(lambda high, low: sum(share(high, low)) == Fraction(3, 4)),
        "no_low": times(lambda high, low: low is None),
        "pot120": pot120(0) + pot120(1),
        "hi120": pot120(0),
        "lo120": pot120(1),
    }


def check(results: Tally, player: object, columns: str) -> None:
    found = counts_of(results)
    names = columns.split()
    assert {n: found[n] for n in names} == {n: getattr(player, n) for n in names}


class TestKnownValues:
    """Every river, every spot and every range that is small enough to be played out."""

    def test_enough_of_them(self) -> None:
        assert len(RIVER) == 6700
        assert len(SPOTS) == 200
        assert [r.id for r in RANGES] == ["r02", "r11"]

    @pytest.mark.parametrize("game", sorted({r.game for r in RIVER}))
    def test_river(self, game: str) -> None:
        for spot in RIVER:
            if spot.game == game:
                self.check_river(spot)

    @staticmethod
    def check_river(spot: RiverSpot) -> None:
        hands = [cards(hand) for hand in spot.hands]
        results = showdown(hands, cards(spot.board), spot.game in WITH_LOW)
        for result, player in zip(results, spot.players, strict=True):
            check(Tally([result]), player, "hi_win hi_tie lo_win lo_tie pot120")

    @pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.id)
    def test_spots(self, spot: Spot) -> None:
        low = spot.game in WITH_LOW
        hands = [cards(hand) for hand in spot.hands]
        board, dead = cards(spot.board), cards(spot.dead)
        tallies = tally(hands, board, dead, low)
        for results, player in zip(tallies, spot.players, strict=True):
            assert results.total() == spot.boards
            check(results, player, "hi_win hi_tie lo_win lo_tie scoop pot120 hi120 lo120")
            assert Fraction(player.pot120, 120 * spot.boards) == player.equity
            assert counts_of(results)["no_low"] == spot.boards - spot.low_boards
        qualified = [0] * len(hands)
        if low:
            for full in runouts(board, [*sum(hands, ()), *dead]):
                for seat, hand in enumerate(hands):
                    qualified[seat] += best_low(hand, full) is not None
        assert qualified == [player.lo_qualify for player in spot.players]

    @pytest.mark.parametrize("spot", RANGES, ids=lambda spot: spot.id)
    def test_ranges(self, spot: RangeSpot) -> None:
        sides = [hands_with(text) for text in spot.ranges]
        low = spot.game in WITH_LOW
        tallies, deals = range_tally(sides, cards(spot.board), cards(spot.dead), low)
        assert deals == spot.deals
        for results, player in zip(tallies, spot.players, strict=True):
            assert results.total() == spot.weight
            assert counts_of(results)["no_low"] == spot.no_low
            check(results, player, "hi_win lo_win scoop quarter three_quarters pot120 hi120 lo120")


def hands_with(ranks: str) -> Range:
    """Every four-card hand that holds these ranks, whatever its other cards."""
    suits = [range(4 * rank, 4 * rank + 4) for rank in map(RANK_NAMES.index, ranks)]
    hands = {
        frozenset((*held, *others))
        for held in product(*suits)
        for others in combinations(range(52), 4 - len(ranks))
    }
    return [(tuple(sorted(hand)), 1) for hand in hands if len(hand) == 4]


class TestValues:
    def test_all_five_card_hands(self) -> None:
        """7,462 values, and as many hands of each category as the textbooks count."""
        values = set()
        hands: Counter[int] = Counter()
        for ranks in combinations_with_replacement(range(12, -1, -1), 5):
            sizes = Counter(ranks).values()
            if max(sizes) > 4:
                continue
            ways, suited_ways = prod(comb(4, size) for size in sizes), 0
            if len(sizes) == 5:
                suited_ways = 4
                value = high_of_ranks(ranks, True)
                values.add(value)
                hands[value[0]] += suited_ways
            value = high_of_ranks(ranks, False)
            values.add(value)
            hands[value[0]] += ways - suited_ways
        assert len(values) == 7462
        assert [hands[category] for category in range(9)] == [
            1_302_540,
            1_098_240,
            123_552,
            54_912,
            10_200,
            5_108,
            3_744,
            624,
            40,
        ]

    def test_high_ladder(self) -> None:
        """From worst to best, with the close calls next to each other."""
        ladder = [
            "7c5d4h3s2c",
            "AcJdTh9s8c",
            "AcKdQhJs9c",
            "2c2d5h4s3c",
            "2c2dAh4s3c",
            "AcAd4h3s2c",
            "AcAdKhQsJc",
            "3c3d2h2sAc",
            "AcAd2h2s3c",
            "AcAdKhKs2c",
            "AcAdKhKsQc",
            "2c2d2hAsKc",
            "3c3d3h4s2c",
            "Ac2d3h4s5c",
            "2c3d4h5s6c",
            "AcKdQhJsTc",
            "7d5d4d3d2d",
            "KdQdJdTd8d",
            "Ad6d4d3d2d",
            "2c2d2hAsAc",
            "3c3d3h2s2c",
            "AcAdAhKsKc",
            "2c2d2h2sAc",
            "3c3d3h3s2c",
            "Ah2h3h4h5h",
            "2s3s4s5s6s",
            "TcJcQcKcAc",
        ]
        values = [best_high(five[:2], five[2:]) for five in map(cards, ladder)]
        assert values == sorted(set(values))
        assert (values[0], values[13], values[-1]) == ((0, 5, 3, 2, 1, 0), (4, 3), (8, 12))

    def test_lows(self) -> None:
        """56 of them, 8-7-6-5-4 the worst; straights and flushes do not spoil them."""
        found = {low_of(cards("".join(r + "h" for r in r5))) for r5 in combinations("A2345678", 5)}
        assert len(found) == 56
        assert None not in found
        assert max(low for low in found if low) == (8, 7, 6, 5, 4)
        assert min(low for low in found if low) == (5, 4, 3, 2, 1)
        assert low_of(cards("9c2d3h4s5c")) is None
        assert low_of(cards("AcAd2h3s4c")) is None

    def test_board_of_three_four_and_five(self) -> None:
        hole = cards("AhKhQd2c")
        assert best_high(hole, cards("ThJh4c")) == (0, 12, 11, 9, 8, 2)
        assert best_high(hole, cards("ThJh4c4h")) == (5, 12, 11, 9, 8, 2)
        assert best_high(hole, cards("ThJh4c4hQh")) == (8, 12)
        assert best_low(hole, cards("3d4c8s")) == (8, 4, 3, 2, 1)
        assert best_low(hole, cards("KdQcJs6h7h")) is None


#: By hand. The last column says for each player how many share the high, then the low, with
#: him: 0 is lost, - no low.
SHOWDOWNS = [
    ("quads on board: kings full", "plo4", "7c7d7h7sKc", "AhAsKhKs 9c8c6d5d", "1- 0-"),
    ("quads on board: two kickers tie", "plo4", "7c7d7h7s4d", "AhKhQd2c AsKsJd3c", "2- 2-"),
    ("trips on board: aces full", "plo4", "KcKdKh3s2s", "AhAd5c6c QhQd7c8d", "1- 0-"),
    ("three aces in hand are two", "plo4", "9c8d4h3s2c", "AhAdAcKs 9h9dJcQc", "0- 1-"),
    ("four aces in hand are two", "plo4", "9c8d4h3s2c", "AhAdAcAs 9h8hJcQc", "0- 1-"),
    ("one card makes no straight", "plo4", "9cTdJhQs2c", "4c4d5hKs 3s3hKd8s", "1- 0-"),
    ("two cards make a straight", "plo4", "9cTdJhQs2c", "4c4dKhKs 8h7h3d3c", "0- 1-"),
    ("broadway on board", "plo4", "AcKdQhJsTc", "AsKs2d3d 9h9d4c3h", "1- 0-"),
    ("one card makes no flush", "plo4", "AhKh9h4h2c", "QhQd8c7s 3h5hTcJd", "0- 1-"),
    ("royal flush on board", "plo4", "AhKhQhJhTh", "9h8hAcAd 2h3c4c5d", "1- 0-"),
    ("flush by its kicker", "plo4", "AhKh5h8c2d", "Jh7hTcTd Th9hJcJd", "1- 0-"),
    ("flush: the higher kicker first", "plo4", "AhKhQh3c3d", "9h2h4c4s 8h7hJcJs", "1- 0-"),
    ("six-high over wheel straight", "o8", "2c3d4hKdQs", "Ac5cKhKc 5d6d9c9s", "01 10"),
    ("steel wheel, low shared", "o8", "Ah2h3hKdQs", "4h5h9c9d 4s5sKcKh", "12 02"),
    ("wheel with a pair in hand", "o8", "2c3d4hKsKd", "AcAd5h5s 6c7dQhQd", "11 00"),
    ("no low: two low cards on board", "o8", "KcQdJh2s3s", "Ac4d5h6s KdKh8c7c", "0- 1-"),
    ("no low: nobody holds two", "o8", "2c3d4hKsKd", "AcQdQhJs TcTdThJh", "1- 0-"),
    ("low not played", "plo4", "2c3d4hKsKd", "Ac8dQhJs TcTdThJh", "0- 1-"),
    ("low counterfeited", "o8", "Ad2s7h8cKs", "Ac2cKdKh 3c4dQhQd", "10 01"),
    ("low lost by its counterfeit", "o8", "Ad2s7hJcKs", "Ac2cKdKh 9s9cQhQd", "1- 0-"),
    ("third low card protects", "o8", "Ad2s7h8cKs", "Ac2c3dKh 9c5dQhQd", "11 00"),
    ("lows compare from the top", "o8", "3c4d5hKsKd", "6c7dQcQh Ac8dJcJd", "11 00"),
    ("lows differ in the last card", "o8", "4c5d8hKsKd", "2c3dJcJh Ac3hTcTh", "10 01"),
    ("quartered", "o8", "3c5d8hKsQd", "Ah2dKcKd As2hJcTc", "12 02"),
    ("sixths", "o8", "3c5d8hKsQd", "Ah2dKcKd As2hJcTc Ac2sQhJh", "13 03 03"),
    ("both halves tied", "o8", "3c5d8hKsQd", "Ah2dJdTd As2hJcTc Ts9c7s6c", "22 22 00"),
    ("high in thirds, low alone", "o8", "3c5d8hKsQd", "AhKc2d9d AsKd7h9h AcKh7s9s", "31 30 30"),
    ("five cards", "bigo", "3c5d7hKsQd", "Ah2dKcKdJs 4c6c8c8d9d", "01 10"),
    ("six cards", "plo6", "2c7c9dJhKs", "AcAdAhAs3c3d TsQhTdQdTcQc", "0- 1-"),
]


class TestShowdown:
    @pytest.mark.parametrize(
        ("game", "board", "hands", "expected"),
        [pytest.param(*case, id=name) for name, *case in SHOWDOWNS],
    )
    def test_by_hand(self, game: str, board: str, hands: str, expected: str) -> None:
        held = [cards(hand) for hand in hands.split()]
        next(runouts(cards(board), sum(held, ())))  # no card twice
        results = showdown(held, cards(board), game in WITH_LOW)
        assert expected == " ".join(f"{high}{'-' if low is None else low}" for high, low in results)

    @pytest.mark.parametrize(
        ("result", "high", "low"),
        [
            ((1, None), 1, 0),
            ((0, None), 0, 0),
            ((3, None), Fraction(1, 3), 0),
            ((1, 1), Fraction(1, 2), Fraction(1, 2)),
            ((1, 2), Fraction(1, 2), Fraction(1, 4)),
            ((0, 2), 0, Fraction(1, 4)),
            ((0, 3), 0, Fraction(1, 6)),
            ((4, 0), Fraction(1, 8), 0),
        ],
    )
    def test_share(self, result: tuple[int, int | None], high: Fraction, low: Fraction) -> None:
        assert share(*result) == (high, low)

    @given(st.permutations(range(52)), st.sampled_from([4, 5, 6]), st.integers(2, 6), st.booleans())
    def test_every_pot_is_won_once(
        self, deck: list[int], size: int, players: int, low: bool
    ) -> None:
        hands = [tuple(deck[5 + size * seat :][:size]) for seat in range(players)]
        results = showdown(hands, tuple(deck[:5]), low)
        assert sum(sum(share(*result)) for result in results) == 1
        assert len({lowest is None for _, lowest in results}) == 1

    @given(st.permutations(range(52)), st.permutations(range(4)), st.sampled_from([4, 5, 6]))
    def test_suits_and_order_do_not_matter(
        self, deck: list[int], suits: list[int], size: int
    ) -> None:
        def mapped(held: Cards) -> Cards:
            return tuple(card // 4 * 4 + suits[card % 4] for card in reversed(held))

        hole, board = tuple(deck[:size]), tuple(deck[-5:])
        assert best_high(hole, board) == best_high(mapped(hole), mapped(board))
        assert best_low(hole, board) == best_low(mapped(hole), mapped(board))


class TestDeals:
    def test_cards(self) -> None:
        assert cards("2c As") == (0, 51)
        for wrong in ("A", "Ax", "1c", "AsK"):
            with pytest.raises(ValueError, match=r"substring|zip"):
                cards(wrong)

    def test_runouts(self) -> None:
        assert sum(1 for _ in runouts(cards("2c3c"), range(20, 30))) == comb(40, 3)
        assert list(runouts(cards("2c3c4c5c6c"), [])) == [cards("2c3c4c5c6c")]
        with pytest.raises(ValueError, match="twice"):
            runouts(cards("2c"), cards("3c2c"))

    def test_dead_cards_leave_the_deck(self) -> None:
        """Set under set on the turn: one card wins, until it is dead."""
        hands, board = [cards("KcKd3h4h"), cards("QcQd3s5s")], cards("KhQh7c8d")
        alive = [{(1, None): 39, (0, None): 1}, {(0, None): 39, (1, None): 1}]
        assert tally(hands, board, (), False) == alive
        assert tally(hands, board, cards("Qs"), False) == [{(1, None): 39}, {(0, None): 39}]

    @pytest.mark.parametrize("low", [False, True])
    def test_ranges_are_their_hands(self, low: bool) -> None:
        """A range against ranges is the weighted sum of its hands against their hands."""
        sides: list[Range] = [
            [(cards("AcAdKc2h"), 3), (cards("AsAh2c3c"), 2), (cards("8c7d6h5s"), 10)],
            [(cards("AcKsQdJd"), 7), (cards("2s3d4h5h"), 1), (cards("9s9hTcTd"), 4)],
            [(cards("6c6d4s3s"), 5), (cards("Ac2d4d5c"), 1)],
        ]
        board, dead = cards("4c8hKd"), cards("9cTd")
        expected, deals = [Tally(), Tally(), Tally()], 0
        for a, x in sides[0]:
            for b, y in sides[1]:
                for c, z in sides[2]:
                    known = a + b + c + board + dead
                    if len(set(known)) == len(known):
                        found = tally([a, b, c], board, dead, low)
                        for counts, results in zip(expected, found, strict=True):
                            for result, times in results.items():
                                counts[result] += x * y * z * times
                        deals += comb(52 - len(known), 2)
        assert deals == 7 * comb(35, 2)
        assert range_tally(sides, board, dead, low) == (expected, deals)

    def test_no_deal(self) -> None:
        aces = [(cards("AcAdKh2s"), 1), (cards("AcAhKh2s"), 1)]
        assert range_tally([aces, aces], cards("3c4c5c6c7c"), (), True) == ([{}, {}], 0)
