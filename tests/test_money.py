"""Side pots of known hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import naive_money
from hypothesis import given, settings
from hypothesis import strategies as st
from money_tools import AA, QQ, RUN, SHORT_LOW, balance

import equity
from equity.money import (
    Money,
    all_in,
)
from equity.rules.games import GAMES


def test_a_pot_without_a_low_goes_to_its_high() -> None:
    """Worked out by hand: the main pot is split, the side pot has no low."""
    hands, game, board = SHORT_LOW
    money = all_in(hands, game, board, stacks=[40, 100, 130])
    assert [player.expected_exact for player in money.players] == [60, 180, 30]
    assert [player.returned for player in money.players] == [0, 0, 30]
    assert [pot.equities_exact for pot in money.pots] == [
        (Fraction(1, 2), Fraction(1, 2), 0),
        (1, 0),
    ]
    balance(money)


def test_rake_by_hand() -> None:
    """5 % of 240 is 12, but 3 at most: half from each pot, for both hold 120."""
    hands, game, board = SHORT_LOW
    money = all_in(hands, game, board, stacks="40,100,130", rake="5%", cap=3)
    assert [pot.rake for pot in money.pots] == [Fraction(3, 2)] * 2
    chips = [Fraction(237, 4), Fraction(237, 4) + Fraction(237, 2), 30]
    assert [player.expected_exact for player in money.players] == chips
    balance(money)
    # Dead money is in the main pot, and is raked.
    more = all_in(hands, game, board, stacks="40,100,130", pot="10", rake="5%")
    assert [pot.rake for pot in more.pots] == [Fraction(13, 2), 6]
    assert more.players[0].expected_exact == Fraction(247, 4)
    balance(more)


def test_cards_of_the_others_are_dead_in_a_side_pot() -> None:
    hands = [AA, RUN, QQ]
    money = all_in(hands, stacks=[100, 60, 40])
    side = equity.odds(hands[:2], dead=QQ)
    assert money.pots[1].equities_exact == side.equities_exact
    assert money.pots[0].equities_exact == equity.odds(hands).equities_exact
    assert side.equities_exact != equity.odds(hands[:2]).equities_exact


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A random turn or river with 2 to 6 players, and what they have put in.

    Cards are of few ranks, so that there are many ties.
    """
    game = draw(st.sampled_from(GAMES))
    players = draw(st.integers(2, 6))
    ranks = draw(st.sampled_from([range(13), (0, 1, 2, 3, 4, 5, 6, 12)]))
    deck = draw(st.permutations(range(52)))
    deck = sorted(deck, key=lambda card: card // 4 not in ranks)
    hole = game.hole
    hands = [tuple(deck[at * hole : (at + 1) * hole]) for at in range(players)]
    rest = deck[players * hole :]
    known = draw(st.integers(4, 5))
    live = draw(st.integers(1, 6))
    return {
        "game": game,
        "hands": hands,
        "board": tuple(rest[:known]),
        "dead": tuple(rest[known + live :]),
        "stacks": draw(st.lists(st.integers(1, 9), min_size=players, max_size=players)),
        "pot": draw(st.integers(0, 5)),
        "rake": draw(st.sampled_from(["0%", "5%", "33.3%", "100%"])),
        "cap": draw(st.none() | st.integers(0, 4)),
    }


def ask(table: dict[str, Any], **changes: Any) -> Money:
    asked = {**table, **changes}
    return all_in(asked.pop("hands"), asked.pop("game"), **asked)


@settings(max_examples=60)
@given(tables())
def test_side_pots_against_a_slow_settlement(table: dict[str, Any]) -> None:
    money = ask(table)
    rate = Fraction(table["rake"].rstrip("%")) / 100
    cap = None if table["cap"] is None else Fraction(table["cap"])
    chips, taken = naive_money.settle(
        [[(hand, 1)] for hand in table["hands"]],
        table["stacks"],
        table["pot"],
        rake=(rate, cap),
        board=table["board"],
        dead=table["dead"],
        low=table["game"].low,
    )
    assert [player.expected_exact for player in money.players] == chips
    assert money.rake == taken
    assert money.exact
    assert not money.partial
    balance(money)


@settings(max_examples=25)
@given(tables(), st.randoms())
def test_the_order_of_players_does_not_matter(table: dict[str, Any], random: Any) -> None:
    order = list(range(len(table["hands"])))
    random.shuffle(order)
    turned = ask(
        table,
        hands=[table["hands"][at] for at in order],
        stacks=[table["stacks"][at] for at in order],
    )
    chips = [player.expected_exact for player in ask(table).players]
    assert [player.expected_exact for player in turned.players] == [chips[at] for at in order]


@settings(max_examples=25)
@given(tables())
def test_equal_stacks_are_the_plain_odds(table: dict[str, Any]) -> None:
    money = ask(table, stacks=[7] * len(table["hands"]))
    plain_odds = equity.odds(table["hands"], table["game"], table["board"], table["dead"])
    prize = money.stakes.put_in - money.rake
    chips = [prize * part for part in plain_odds.equities_exact]
    assert [player.expected_exact for player in money.players] == chips
    assert len(money.pots) == 1


@settings(max_examples=25)
@given(tables(), st.integers(0, 100), st.integers(0, 100))
def test_more_rake_never_raises_a_payout(table: dict[str, Any], one: int, two: int) -> None:
    low, high = sorted([one, two])
    less, more = ask(table, rake=f"{low}%"), ask(table, rake=f"{high}%")
    uncapped = ask(table, rake=f"{high}%", cap=None)
    for first, second, third in zip(less.players, more.players, uncapped.players, strict=True):
        assert first.expected_exact >= second.expected_exact >= third.expected_exact
        assert first.returned == second.returned == third.returned <= third.expected_exact
