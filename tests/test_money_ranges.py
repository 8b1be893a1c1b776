"""Side pots of ranges, exact and sampled."""

from __future__ import annotations

from fractions import Fraction

import naive
import naive_money
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from money_tools import AA, QQ, RUN, balance

import equity
from equity.engine import deal_sampler
from equity.engine.solver import solve
from equity.money import (
    Stakes,
    all_in,
    contests,
    joint,
    settle,
)
from equity.money.contests import _alone
from equity.money.joint import PotSampler, counted
from equity.rules.cards import format_cards
from equity.rules.games import GAMES
from equity.spot import Spot, read_spot


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
    monkeypatch.setattr(deal_sampler, "TRIED", 1)
    monkeypatch.setattr(joint, "TRIED", 1)
    monkeypatch.setattr(deal_sampler, "MOST_TRIED", 2)
    spot = read_spot(["AA", "AA", "KK", "KK"], "plo4", "Qh7c2d8s")
    with pytest.raises(equity.EquityError, match="so few deals"):
        joint.drawn(spot, [((0, 1), 60.0)], equity.How(trials=1))


def test_the_error_of_a_sample_is_what_seeds_differ_by() -> None:
    spot = read_spot(SMALL, "o8", "2c7c9d")
    pots = [((0, 1), 60.0), ((0, 1, 2), 60.0)]
    chunks = [PotSampler(spot, pots, 7).chunk(number) for number in range(30)]
    total = sum(chunks[1:], start=chunks[0])
    means = [[won / chunk.deals for won in chunk.won] for chunk in chunks]
    for player, variance in enumerate(total.variances(pots)):
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
