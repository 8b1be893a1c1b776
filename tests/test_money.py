"""Side pots, rake, pot odds and pot limit."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import naive
import naive_money
import pytest
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

import equity
from equity.cards import format_cards, format_hand
from equity.engine import solve
from equity.games import GAMES, find_game
from equity.money import (
    Money,
    MoneyError,
    Rake,
    Stakes,
    all_in,
    contests,
    joint,
    pot_limit,
    pot_odds,
    read_amount,
    read_rake,
    read_stakes,
    settle,
)
from equity.money.amounts import places, plain, rounded, signed
from equity.money.contests import _alone
from equity.money.joint import PotSampler, counted
from equity.money.tables import money_table, money_text
from equity.spot import Spot, read_spot

GAME_NAMES = [game.name for game in GAMES]
AA, RUN, QQ = "AhAsKhKs", "9c8c7d6d", "QcQdJcJd"
#: A short stack has the only low that there is.
SHORT_LOW = (["As2sTd9d", "KhKsJhJs", "QhQsJcTc"], "o8", "8d5h3cKdQc")


def balance(money: Money) -> None:
    """Nothing is lost: payouts and rake are what was put in, and so is each pot."""
    players = money.players
    assert sum(player.expected_exact for player in players) + money.rake == money.stakes.put_in
    assert sum(player.put_in for player in players) + money.stakes.pot == money.stakes.put_in
    assert sum(player.net_exact for player in players) == money.stakes.pot - money.rake
    assert sum(pot.rake for pot in money.pots) == money.rake
    for pot in money.pots:
        assert sum(pot.payouts) + pot.rake == pot.amount
        assert sum(pot.equities_exact) == 1


# Amounts


@pytest.mark.parametrize(
    ("amount", "exact"),
    [
        ("100", 100),
        (" 12.50 ", Fraction(25, 2)),
        (".1", Fraction(1, 10)),
        ("7.", 7),
        ("0.000001", Fraction(1, 10**6)),
        ("999999999.999999", 10**9 - Fraction(1, 10**6)),
        (5, 5),
        (0.1, Fraction(1, 10)),
        (Decimal("2.75"), Fraction(11, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_amounts_are_what_is_written(amount: Any, exact: Fraction) -> None:
    assert read_amount(amount, "pot") == exact


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("", ["pot", "no amount"]),
        ("ten", ["'ten'", "12.50"]),
        ("-5", ["not below 0"]),
        ("1e3", ["'1e3'"]),
        ("$5", ["alone, 5"]),
        ("20 BB", ["alone, 20"]),
        ("1,000", ["alone, 1000"]),
        ("\u0661", ["no amount"]),
        ("0.1234567", ["6 decimals"]),
        ("1000000000", ["too much", "below 1000000000"]),
        ("1" * 1000, ["too much"]),
        (True, ["no amount"]),
        (None, ["no amount"]),
        (-1, ["not below 0"]),
        (-0.5, ["not below 0"]),
        (float("nan"), ["no amount"]),
        (float("inf"), ["no amount"]),
        (Decimal("NaN"), ["no amount"]),
        (10**12, ["too much"]),
    ],
)
def test_what_is_no_amount(amount: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_amount(amount, "pot")
    assert isinstance(caught.value, equity.EquityError)
    assert caught.value.place == "pot"
    assert all(word in str(caught.value) for word in words)
    assert str(caught.value).isascii()


def test_zero_may_be_an_error() -> None:
    assert read_amount("0", "pot") == 0
    with pytest.raises(MoneyError, match="above 0"):
        read_amount("0.00", "pot", positive=True)


@pytest.mark.parametrize(
    ("rake", "cap", "text"),
    [("5%", None, "5%"), (" 2.5 % ", "3", "2.5%, at most 3"), ("0%", 0, "0%, at most 0")],
)
def test_rakes(rake: str, cap: Any, text: str) -> None:
    assert read_rake(rake, cap).text == text


@pytest.mark.parametrize(
    ("rake", "cap", "words"),
    [
        ("0.05", None, ["rake", "percent sign, 5%"]),
        ("5", None, ["percent sign, 5%"]),
        (0.05, None, ["percent sign, 5%"]),
        ("101%", None, ["100%"]),
        ("-1%", None, ["no rake"]),
        ("%", None, ["such as 5%"]),
        ("", None, ["such as 5%"]),
        ("5%", "x", ["cap", "'x'"]),
        (None, "3", ["cap", "no rake"]),
    ],
)
def test_what_is_no_rake(rake: Any, cap: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_rake(rake, cap)
    assert all(word in str(caught.value) for word in words)


@given(st.fractions(0, 10**9), st.integers(0, 6))
def test_amounts_round_and_never_hide(amount: Fraction, decimals: int) -> None:
    text = rounded(amount, decimals)
    if text.startswith("<"):
        assert 0 < amount < Fraction(1, 10**decimals)
    else:
        assert abs(Fraction(text) - amount) <= Fraction(1, 2 * 10**decimals)
        assert (Fraction(text) == 0) == (amount == 0)
    assert signed(amount, decimals)[:1] == ("+" if amount else "0")
    assert signed(-amount, decimals)[:1] == ("-" if amount else "0")
    assert Fraction(plain(Fraction(round(amount * 10**6), 10**6))) == round(amount, 6)


def test_small_stakes_have_more_decimals() -> None:
    assert [places(Fraction(n)) for n in (2, 20, 200, 20_000, 10**8, 10**10)] == [4, 3, 2, 2, 1, 0]


# Stakes


def test_layers_by_hand() -> None:
    stakes = Stakes(tuple(map(Fraction, (100, 60, 40, 40))), Fraction(10))
    assert [(pot.name, pot.amount, pot.members) for pot in stakes.layers] == [
        ("main pot", 170, (0, 1, 2, 3)),
        ("side pot 1", 40, (0, 1)),
    ]
    assert stakes.returned == (40, 0, 0, 0)
    assert (stakes.put_in, stakes.contested) == (250, 210)


AMOUNTS = st.decimals(Decimal("0.01"), 500, places=2).map(Fraction)


@given(
    st.lists(AMOUNTS | st.sampled_from([Fraction(10), Fraction(20)]), min_size=2, max_size=11),
    AMOUNTS | st.just(Fraction(0)),
    st.fractions(0, 1),
    st.none() | AMOUNTS,
)
def test_no_stake_is_lost(
    stacks: list[Fraction], pot: Fraction, rate: Fraction, cap: Fraction | None
) -> None:
    stakes = Stakes(tuple(stacks), pot, Rake(rate, cap))
    layers = stakes.layers
    assert sum(layer.amount for layer in layers) + sum(stakes.returned) == stakes.put_in
    assert len(layers[0].members) == len(stacks)
    for larger, smaller in pairwise(layers):
        assert set(smaller.members) < set(larger.members)
    assert sum(map(bool, stakes.returned)) <= 1
    rakes = [stakes.rake_of(layer) for layer in layers]
    assert sum(rakes) == stakes.taken <= rate * stakes.contested
    assert (
        len({Fraction(mine, layer.amount) for mine, layer in zip(rakes, layers, strict=True)}) == 1
    )
    if cap is not None:
        assert stakes.taken <= cap


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        ("100", ["1 for 2 players (100)"]),
        ("", ["0 for 2 players"]),
        ("1,2,3", ["3 for 2 players", "a point for decimals"]),
        ("100,0", ["stacks, number 2", "above 0"]),
        ("100,,40", ["stacks, number 2", "''"]),
        ("100,x", ["stacks, number 2", "'x'"]),
        (100, ["one amount where a list is wanted"]),
        ([100, None], ["stacks, number 2"]),
    ],
)
def test_what_are_no_stacks(stacks: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_stakes(stacks, 2)
    assert all(word in str(caught.value) for word in words)


# Known hands


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


# Ranges


def text_of(entries: naive.Range) -> str:
    return ",".join(f"{format_cards(hand)}@{weight}" for hand, weight in entries)


@settings(max_examples=15)
@given(st.data())
def test_ranges_with_side_pots_against_a_slow_settlement(data: st.DataObject) -> None:
    """Hands of an outsider go with the hands of the others: all sets of them count."""
    game = data.draw(st.sampled_from(GAMES))
    players = data.draw(st.integers(2, 4))
    deck = data.draw(st.permutations(range(52)))
    board, pool = tuple(deck[:5]), deck[5 : 7 + game.hole * players]
    ranges = []
    for _ in range(players):
        hands = st.lists(st.sampled_from(pool), min_size=game.hole, max_size=game.hole, unique=True)
        picked = data.draw(
            st.lists(
                hands.map(lambda hand: tuple(sorted(hand))), min_size=1, max_size=4, unique=True
            )
        )
        # Percent of weights: 50 and 100 are 1 and 2.
        ranges.append([(hand, data.draw(st.sampled_from([50, 100]))) for hand in picked])
    # One set of hands that can be dealt.
    for at, entries in enumerate(ranges):
        own = tuple(pool[at * game.hole : (at + 1) * game.hole])
        entries[:] = [entry for entry in entries if set(entry[0]) != set(own)]
        entries.append((own, 100))
    stacks = data.draw(st.lists(st.integers(1, 6), min_size=players, max_size=players))
    money = all_in([text_of(entries) for entries in ranges], game, board, stacks=stacks, pot=3)
    chips, _ = naive_money.settle(
        ranges, stacks, 3, rake=(Fraction(0), None), board=board, dead=(), low=game.low
    )
    assert money.exact
    assert [player.expected_exact for player in money.players] == chips
    balance(money)


#: The outsider of the side pot holds cards that the others may want.
THREE: tuple[list[str], str, str] = (["AA", "KK,QQ", "AK"], "plo4", "Ah7c2d8s")
SMALL = ["AsAdKcQc,AsAdKsQs,7h7sJhJs@30", "KcKhQdJd,8h8cTcTd", "AcKdTh9h,9c8d7d6d@70"]


def test_a_sample_is_near_the_exact_answer() -> None:
    """The pots are drawn together: their chips have the errors that they say."""
    exact = all_in(SMALL, "o8", "2c7c9d", stacks=[50, 50, 20], rake="5%")
    assert exact.exact
    assert exact.errors == (None,) * 3
    sample = all_in(
        SMALL, "o8", "2c7c9d", stacks=[50, 50, 20], rake="5%", how=equity.How(trials=20_000, seed=3)
    )
    balance(sample)
    assert not sample.exact
    assert [pot.result.method for pot in sample.pots] == ["sample"] * 2
    for one, other in zip(exact.players, sample.players, strict=True):
        assert other.std_error is not None
        assert abs(one.expected - other.expected) < 4.5 * other.std_error
        assert other.std_error < 0.5
        assert other.to_dict()["expected_exact"] is None
    for one_pot, other_pot in zip(exact.pots, sample.pots, strict=True):
        for part, near, error in zip(
            one_pot.equities_exact, other_pot.equities_exact, other_pot.std_errors, strict=True
        ):
            assert error is not None
            assert abs(float(part - near)) < 4.5 * error


def test_deals_drawn_for_pots_are_those_of_the_odds() -> None:
    """Hands, ranges and players who may have anything, with the main pot as a check."""
    spot = read_spot(["all", "KcKd8c8h", "QQ,AK@40", "JJ"], "o8", "Ah7c2d")
    (mine,), variances = joint.drawn(spot, [((0, 1, 2, 3), 1.0)], equity.How(trials=30_000))
    known = solve(spot, equity.How(error=0.001))
    for player, other, variance in zip(mine.players, known.players, variances, strict=True):
        assert player.std_error is not None
        error = player.std_error["equity"]
        assert error is not None
        assert variance == pytest.approx(error**2, rel=1e-6)
        assert abs(player.equity - other.equity) < 4.5 * (error + 0.001)
        assert player.low is not None
        assert other.low is not None
        assert abs(player.low.equity - other.low.equity) < 4.5 * (error + 0.001)
        assert abs(player.high.tie - other.high.tie) < 0.01


def test_a_sample_for_side_pots_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    spot, pots = read_spot(*THREE), [((0, 1), 60.0)]
    whole = joint.PotSampler.chunk

    def chunk(sampler: joint.PotSampler, number: int) -> joint.PotSums:
        if number == 2:
            raise KeyboardInterrupt
        return whole(sampler, number)

    monkeypatch.setattr(joint.PotSampler, "chunk", chunk)
    (answer,), _ = joint.drawn(spot, pots, equity.How(error=1e-9))
    assert answer.partial
    assert answer.deals == sum(whole(PotSampler(spot, pots, 0), at).deals for at in range(2))


def test_few_deals_are_found_or_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "TRIED", 1)
    monkeypatch.setattr(joint, "MOST_TRIED", 2)
    spot = read_spot(["AA", "AA", "KK", "KK"], "plo4", "Qh7c2d8s")
    with pytest.raises(equity.EquityError, match="so few deals"):
        joint.drawn(spot, [((0, 1), 60.0)], equity.How(trials=1))


def test_the_error_of_a_sample_is_what_seeds_differ_by() -> None:
    spot = read_spot(SMALL, "o8", "2c7c9d")
    pots = [((0, 1), 60.0), ((0, 1, 2), 60.0)]
    chunks = [PotSampler(spot, pots, 7).chunk(number) for number in range(30)]
    total = sum(chunks[1:], start=chunks[0])
    means = [[won / chunk.deals for won in chunk.won] for chunk in chunks]
    for player, variance in enumerate(total.variances()):
        centre = total.won[player] / total.deals
        spread = sum((mean[player] - centre) ** 2 for mean in means) / 29
        assert 0.4 < spread / (30 * variance) < 2.2


def test_an_outsider_who_may_have_anything_changes_nothing() -> None:
    spot = read_spot(["AA", RUN, "all", QQ], board="2h3c8h")
    alone = _alone(spot, (0, 1))
    assert alone is not None
    assert alone.texts == ["AA", "9c8c7d6d"]
    assert alone.dead_text == "QdQcJdJc"
    assert _alone(spot, (1, 3)) is None
    weighted = read_spot(["AA,*!AA@50", RUN, "KK"], board="2h3c8h")
    assert _alone(weighted, (1, 2)) is None


def test_a_sample_repeats_with_any_number_of_threads() -> None:
    stakes = Stakes(tuple(map(Fraction, (30, 50, 50))))
    spot = read_spot(*THREE)
    answers = [
        settle(spot, stakes, equity.How(trials=20_000, seed=seed, threads=threads))
        for seed, threads in [(1, 1), (1, 2), (2, 1)]
    ]
    first, second, third = ([player.won_exact for player in one.players] for one in answers)
    assert first == second != third
    assert answers[0].errors == answers[1].errors
    assert answers[0].pots[1].result.deals >= 20_000
    for answer in answers:
        balance(answer)


def test_samples_of_pots_have_seeds_of_their_own_and_share_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So they are independent of each other, as the errors of chips suppose."""
    asked = []

    def solve_less(spot: Spot, how: equity.How) -> equity.Result:
        asked.append((how.seed, how.budget))
        return solve(spot, equity.How(trials=2_000, seed=how.seed))

    monkeypatch.setattr(contests, "solve", solve_less)
    money = all_in(["AA", "KK", "all"], "o8", stacks=[2, 2, 1], how=equity.How(budget=3.0, seed=5))
    assert asked == [(5, 1.5), (6, 1.5)]
    assert [pot.result.seed for pot in money.pots] == [5, 6]
    first, second = (pot.std_errors[0] for pot in money.pots)
    assert first is not None
    assert second is not None
    assert money.errors[0] == pytest.approx(((3 * first) ** 2 + (2 * second) ** 2) ** 0.5)
    assert money.errors[2] == pytest.approx(3 * (money.pots[0].std_errors[2] or 0))


def test_patterns_are_sampled_with_side_pots() -> None:
    money = all_in(
        [AA, "KK:xxyy", RUN],
        board="T75:xyz",
        dead="22",
        stacks=[10, 30, 30],
        pot=1,
        how=equity.How(trials=10_000),
    )
    balance(money)
    assert money.result.board == "T75:xyz"
    assert money.pots[1].result.method == "sample"


def test_a_long_exact_answer_is_sampled_unless_asked_for() -> None:
    spot = read_spot(*THREE)
    assert counted(spot, [(0, 1)], equity.How()) is None
    few = read_spot(SMALL, "o8", "2c7c9d")
    assert counted(few, [(0, 1)], equity.How(trials=10)) is None
    (answer,) = counted(few, [(0, 1)], equity.How(exact=True)) or []
    assert answer.exact
    assert answer.deals > 0


def test_two_ranges_have_one_pot_and_are_exact() -> None:
    money = all_in(["AA:xxyy", "KQJT,QJT9"], board="Kh9h4c", stacks=[100, 40], rake="5%", cap=3)
    plain_odds = equity.odds(["AA:xxyy", "KQJT,QJT9"], board="Kh9h4c")
    assert money.exact
    assert [p.won_exact for p in money.players] == [77 * e for e in plain_odds.equities_exact]
    assert money.players[0].returned == 60
    balance(money)


def test_a_stop_before_the_last_pot_leaves_no_answer() -> None:
    def stop(_: equity.Progress) -> None:
        raise KeyboardInterrupt

    how = equity.How(error=1e-9, progress=stop, threads=1)
    with pytest.raises(KeyboardInterrupt):
        all_in(["AA", "KK", "QQ"], board="2c7d9h", stacks=[9, 9, 5], how=how)
    money = all_in(["AA", "KK", "QQ"], board="2c7d9h", stacks=[9, 9, 9], how=how)
    assert money.partial
    balance(money)


def test_no_deal_of_the_ranges() -> None:
    with pytest.raises(equity.EquityError):
        all_in(["AhAs", "AhAd,AhAc", "KK"], stacks=[10, 20, 20], how=equity.How(trials=100))


# Pot odds


def test_pot_odds_by_hand() -> None:
    odds = pot_odds([AA, RUN], call=50, pot=150)
    assert odds.call.needed == Fraction(1, 4)
    assert odds.equity_exact == equity.odds([AA, RUN]).equities_exact[0]
    assert odds.gain_exact == 200 * odds.equity_exact - 50
    assert odds.std_error is None
    raked = pot_odds([AA, RUN], call="50", pot="150", rake="10%", cap="4")
    assert raked.call.taken == 4
    assert raked.call.needed == Fraction(50, 196)
    # With the equity that is needed nothing is won or lost.
    assert raked.call.needed * raked.call.prize == 50
    assert "needs 25.5102%" in repr(raked)


def test_pot_odds_of_a_sample_have_an_error() -> None:
    odds = pot_odds(["AA", "KK", "QQ"], call=1, pot=2, how=equity.How(trials=5_000))
    assert odds.std_error is not None
    assert odds.gain_error == pytest.approx(3 * odds.std_error)
    assert "+/-" in money_table(odds)
    assert odds.to_dict()["had_exact"] is None


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        ({"call": 0, "pot": 10}, ["call", "above 0"]),
        ({"call": 5, "pot": 0}, ["pot", "above 0"]),
        ({"call": 5, "pot": None}, ["needs the pot"]),
        ({"call": 5, "pot": 5, "rake": "100%"}, ["whole pot"]),
    ],
)
def test_what_is_no_call(amounts: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        pot_odds([AA, RUN], **amounts)
    assert all(word in str(caught.value) for word in words)


# Pot limit


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ((50, "10,10", 0), (80, 90, 20)),
        ((50, "10", 0), (70, 80, 20)),
        # Blinds of 1 and 2: the largest first raise is to 7, the small blind's to 6.
        ((0, "1,2", 0), (5, 7, None)),
        ((1, "2", 0), (5, 7, 4)),
        ((0, "2", 1), (4, 6, None)),
        # The big blind has not raised yet.
        ((1, "2", 2), (5, 7, None)),
        ((0, "1,2,7", 0), (17, 24, 12)),
        ((60, "100,40", 20), (300, 400, None)),
        ((10, "0,10,30", 0), (80, 110, 50)),
        ((50, "", 0), (50, 50, None)),
        ((50, "0,0", 0), (50, 50, None)),
        (("2.50", "1.25", 0), (5, Fraction(25, 4), Fraction(5, 2))),
        # A raise all in that is short of a full one: it is not clear what it counts.
        ((50, "100,120", 0), (390, 510, None)),
    ],
)
def test_pot_limit_by_hand(arguments: tuple[Any, ...], limits: tuple[Any, ...]) -> None:
    """The largest raise, by and to, and the smallest one, to; None where it is not clear."""
    limit = pot_limit(*arguments)
    assert (limit.raise_by, limit.raise_to, limit.min_raise_to) == limits


@given(AMOUNTS, st.lists(AMOUNTS, min_size=1, max_size=6), st.fractions(0, 1))
def test_a_raise_is_by_the_pot_after_the_call(
    pot: Fraction, bets: list[Fraction], part: Fraction
) -> None:
    own = part * max(bets)
    limit = pot_limit(pot, bets, own)
    after = pot + sum(bets) + max(bets)
    assert limit.raise_by == after
    assert limit.own + limit.call + limit.raise_by == limit.raise_to == max(bets) + after
    assert limit.min_raise_to is None or max(bets) < limit.min_raise_to <= limit.raise_to


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("0", ""), ["pot", "no money"]),
        (("50", "10", "20"), ["in", "20 is more"]),
        (("50", "", "5"), ["in", "5 is more"]),
        (("50", "10,x"), ["bets, number 2"]),
        (("x", ""), ["pot"]),
    ],
)
def test_what_is_no_pot_limit(arguments: tuple[str, ...], words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        pot_limit(*arguments)
    assert all(word in str(caught.value) for word in words)


# Text


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("scale", [Fraction(1, 10**6), Fraction(1), Fraction(90_909_090)])
def test_tables_of_money_fit_80_columns(game: str, scale: Fraction) -> None:
    hole, players = find_game(game).hole, find_game(game).max_players()
    hands = [list(range(at * hole, (at + 1) * hole)) for at in range(players)]
    stacks = [scale * (players - at) for at in range(players)]
    money = all_in(hands, game, stacks=stacks, pot=scale, rake="5%", cap=3)
    sampled = Money(money.stakes, money.pots, tuple(float(scale) for _ in stacks))
    for answer in (money, sampled):
        text = money_text(answer, "table", verbose=False)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80
        assert "odd chips are not modelled" in text
    assert repr(money).startswith(f"<Money {game}: ")
    assert f"{players - 1} pots" in repr(money)


def test_json_and_csv_have_what_the_attributes_have() -> None:
    hands, game, board = SHORT_LOW
    money = all_in(hands, game, board, stacks=[40, 100, 130], pot=10, rake="5%", cap=3)
    whole = json.loads(money_text(money, "json"))
    assert whole["players"][0]["equity_exact"] == "1/2"
    told = whole["money"]
    assert told == json.loads(json.dumps(money.to_dict()))
    assert (told["put_in"], told["contested"], told["rake"]) == (280, 250, 3)
    assert [pot["players"] for pot in told["pots"]] == [[1, 2, 3], [2, 3]]
    exact = [Fraction(player["expected_exact"]) for player in told["players"]]
    assert sum(exact) + Fraction(told["rake_exact"]) == 280
    rows = list(csv.DictReader(io.StringIO(money_text(money, "csv"))))
    assert [Fraction(row["expected_exact"]) for row in rows] == exact
    assert [row["returned"] for row in rows] == ["0", "0", "30"]
    assert rows[0]["equity_exact"] == "1/2"


# The command


def hands_of(game: str, players: int) -> list[str]:
    hole = find_game(game).hole
    deck = [card for rank in range(13) for card in range(51 - rank, -1, -13)]
    return [format_hand(deck[at * hole : (at + 1) * hole]) for at in range(players)]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_money_in_every_game_and_format(run: Run, game: str) -> None:
    hands = hands_of(game, 4)
    taken = {hand[at : at + 2] for hand in hands for at in range(0, len(hand), 2)}
    board = "".join([name for name in ("8d", "5h", "3c", "2s", "7h") if name not in taken][:3])
    asked = ["odds", *hands, "-g", game, "-b", board]
    options = ["--stacks", "100,60.5,60.5,20", "--pot", "10", "--rake", "5%", "--cap", "3"]
    money = all_in(hands, game, board, stacks=[100, 60.5, 60.5, 20], pot=10, rake="5%", cap=3)
    told = json.loads(run(*asked, *options, "--json").stdout)["money"]
    assert told == json.loads(json.dumps(money.to_dict()))
    rows = list(csv.DictReader(io.StringIO(run(*asked, *options, "--csv").stdout)))
    assert [row["expected_exact"] for row in rows] == [
        str(player.expected_exact) for player in money.players
    ]
    assert run(*asked, *options).stdout.endswith("\n\n" + money_table(money))
    options = ["--call", "50", "--pot", "150", "--rake", "5%", "--cap", "3"]
    call = json.loads(run(*asked, *options, "--json").stdout)["call"]
    assert call["needed_exact"] == "50/197"
    had = equity.odds(hands, game, board).equities_exact[0]
    assert Fraction(call["had_exact"]) == had
    assert Fraction(call["gain_exact"]) == 197 * had - 50


def test_a_call_as_table_and_csv(run: Run) -> None:
    asked = ["odds", AA, RUN, "--call", "50", "--pot", "150"]
    lines = run(*asked).stdout.splitlines()
    assert lines[-5:] == [
        "call 50 into 150: 200 in the pot",
        "    equity needed       25.00 %",
        "    equity had          60.05 %",
        "    gain of call       +70.11",
        "odd chips are not modelled",
    ]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    assert [row["needed_exact"] for row in rows] == ["1/4", ""]


def test_potlimit(run: Run) -> None:
    shown = run("potlimit", "--pot", "50", "--bets", "10,10").stdout.splitlines()
    assert shown == [
        "pot 50 + bets 20 + call 10 = 80: raise by 80, to 90",
        "the smallest raise is by 10, to 20",
    ]
    shown = run("potlimit", "--pot", "0", "--bets", "2 2", "--in", "1").stdout.splitlines()
    assert shown == ["pot 0 + bets 4 + own 1 + call 1 = 6: raise by 6, to 8"]
    assert run("potlimit", "--pot", "7.50").stdout == "pot 7.5: bet 7.5\n"
    told = json.loads(run("potlimit", "--pot", "50", "--bets", "10,10", "--json").stdout)
    assert told == pot_limit(50, [10, 10]).to_dict()
    assert (told["call"], told["raise_by"], told["raise_to"]) == (10, 80, 90)
    text = run("potlimit", "--pot", "50", "--bets", "10,10", "--csv").stdout
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["bets"], row["raise_to"]) == ("10 10", "90")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds", AA, RUN, "--stacks", "100"], ["stacks", "1 for 2 players"]),
        (["odds", AA, RUN, "--stacks", "100,-1"], ["stacks, number 2", "'-1'"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--rake", "0.05"], ["rake", "'0.05'", "5%"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--cap", "3"], ["cap", "no rake"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--call", "3"], ["call: ", "leave out"]),
        (["odds", AA, RUN, "--call", "3"], ["call", "--pot 150"]),
        (["odds", AA, RUN, "--pot", "3"], ["pot: ", "stacks 100,60"]),
        (["odds", AA, RUN, "--rake", "5%"], ["rake: ", "call"]),
        (["odds", AA, RUN, "--call", "3", "--pot", "x"], ["pot", "'x'"]),
        (["potlimit"], ["--pot"]),
        (["potlimit", "--pot", "$50"], ["pot", "'$50'", "alone, 50"]),
        (["potlimit", "--pot", "50", "--bets", "10", "--in", "11"], ["in", "11"]),
    ],
)
def test_bad_input_is_one_line_and_code_2(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("equity: ")
    assert all(word in done.stderr for word in words)


def test_known_hands_do_without_numpy() -> None:
    program = (
        "import sys; sys.argv = ['equity', *sys.argv[1:]]\n"
        "from equity.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numba', 'numpy') if name in sys.modules], file=sys.stderr)"
    )
    for arguments in (
        ["odds", AA, RUN, QQ, "--stacks", "3,2,1", "--rake", "5%"],
        ["odds", AA, RUN, "--call", "3", "--pot", "9"],
        ["potlimit", "--pot", "50"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
        )
        assert done.stderr.splitlines()[-1] == "[]"


DOCS = Path(__file__).parent.parent / "docs" / "money.md"
EXAMPLES = re.findall(
    r"^    \$ equity (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))*)", DOCS.read_text(), re.MULTILINE
)
DURATION = re.compile(r"[\d.]+ m?s$", re.MULTILINE)


@pytest.mark.parametrize(("command_line", "shown"), EXAMPLES)
def test_examples_of_the_documentation(run: Run, command_line: str, shown: str) -> None:
    printed = run(*shlex.split(command_line)).stdout
    expected = "".join(line.removeprefix("    ") for line in shown.splitlines(keepends=True))
    if "sampled, " in expected:
        printed, expected = (re.sub(r"[-+\d.,]+ *", "", text) for text in (printed, expected))
    assert DURATION.sub("", printed).rstrip() == DURATION.sub("", expected).rstrip()


def test_python_in_the_documentation() -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    for line in snippet.splitlines():
        code, _, value = line.partition("  #")
        exec(code, names)
        if value:
            assert repr(eval(code, names)) == value.strip()
