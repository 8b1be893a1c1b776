"""Two boards: samples, their errors and how they end."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator

import pytest

import equity
from equity.double_board import Double, Shares, drawing, solving, two_boards


def test_equities_of_one_board_are_exact_where_odds_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solving, "joint_cost", lambda boards, sets: 1 << 62)
    for board2 in (None, "Kd3c4s", "Th7h2d4c"):
        found = two_boards(["AA:KK", "QQ:JJ"], "o8", "Th7h2d", board2)
        assert not found.exact
        assert not found.counted
        if board2 is None:
            (whole,) = {equity.odds(["AA:KK", "QQ:JJ"], "o8", "Th7h2d").equities_exact}
            assert [player.equity_exact for player in found.players] == [*whole]
        for player in found.players:
            assert player.equity_exact is not None
            assert player.std_error is None
            assert player.alone[0].errors is None
            assert player.both.errors
            assert all(0 < error < 0.002 for error in player.both.errors.values())
            assert abs(player.both.mean - player.equity_exact) < 5 * (player.both.mean_error or 0)
    sampled = two_boards(["AA:KK", "QQ:JJ"], "o8", "Th7h2d", how=equity.How(trials=1_000))
    assert [player.equity_exact for player in sampled.players] == [None, None]


#: Spots whose deals can be counted: with few and with many draws, and few hands that go
#: together, so that each is dealt several boards.
SPOTS: dict[str, tuple[list[str], str, str, str | None]] = {
    "twice": (["AsAhKsKh", "QQ:JJ"], "plo4", "Th7h2d", None),
    "two boards": (["AsAh5s4h", "A2:xxyy!Ad"], "o8", "Th7h3d8c", "KdJc4s2c"),
    "one flop": (["AsAhKsKh@3,KdKc7c7s", "QQ:JJ,JT98"], "plo4", "Th7h2d5s", "Th7h2d"),
    "collisions": (
        [
            "AsAhKsKh,AsKcAc7d@5,AcAdKcKd",
            "AsAd9s8s,AhAc9h8h@2,KsKdQsQd",
            "KhKc5s4s,AdAc5h4h,JsJh7c6c",
        ],
        "o8", "Ts4h5d2h", None,
    ),
}  # fmt: skip


def figures(shares: Shares, truth: Shares) -> Iterator[tuple[str, float, float | None, bool]]:
    """Names, differences from the truth and errors; and whether each came often enough."""
    draws = shares.drawn.draws if shares.drawn else 0
    # Where nearly all deals are alike, a few others decide what the errors are.
    varies = (1 - max(truth.chances.values())) * draws > 100
    yield "mean", float(shares.mean - truth.mean), shares.mean_error, varies
    yield "spread", shares.spread - truth.spread, shares.spread_error, varies
    for part, chance in truth.chances.items():
        found = shares.chance_of([part])
        often = min(chance, 1 - chance) * draws > 50
        yield str(part), float(found - chance), shares.error_of([part]), often
    halves = [part for part in truth.chances if part.denominator <= 4]
    if len(halves) < len(truth.chances):
        off = float(shares.chance_of(halves) - truth.chance_of(halves))
        yield "halves and quarters", off, shares.error_of(halves), True


def all_figures(found: Double, truth: Double) -> Iterator[tuple[str, float, float | None, bool]]:
    for at, (mine, true) in enumerate(zip(found.players, truth.players, strict=True)):
        sets = zip((mine.both, *mine.alone), (true.both, *true.alone), strict=True)
        for number, (shares, exact) in enumerate(sets):
            if not shares.exact:
                for name, *rest in figures(shares, exact):
                    yield f"{at} {number} {name}", *rest  # type: ignore[misc]


LONG = bool(os.environ.get("EQUITY_LONG"))


@pytest.mark.parametrize("draws", [2_000, 20_000] if LONG else [2_000])
@pytest.mark.parametrize("only_joint", [False, True], ids=["all sampled", "equities exact"])
@pytest.mark.parametrize("name", SPOTS)
def test_coverage(monkeypatch: pytest.MonkeyPatch, name: str, only_joint: bool, draws: int) -> None:
    """Truth is within 1, 2 and 3 standard errors for 68, 95 and 99.7 % of seeds.

    The long form, of a thousand seeds each, runs with EQUITY_LONG=1 and prints its figures.
    """
    players, game, board, board2 = SPOTS[name]
    truth = two_boards(players, game, board, board2, how=equity.How(exact=True))
    monkeypatch.setattr(drawing, "TRIED", 1 << 12)
    monkeypatch.setattr(drawing, "CHUNK_DEALS", 1 << 11)
    if name == "collisions" and not LONG:
        draws //= 4
    monkeypatch.setattr(drawing, "MIN_DRAWS", draws)
    if only_joint:
        monkeypatch.setattr(solving, "joint_cost", lambda boards, sets: 1 << 62)
        monkeypatch.setattr(drawing, "SHARE_ERROR", 1.0)
    seeds = 1_000 if LONG else 100
    within: dict[str, list[int]] = {}
    usual = set()
    for seed in range(seeds):
        trials = None if only_joint else 1
        how = equity.How(trials=trials, seed=seed, threads=1)
        found = two_boards(players, game, board, board2, how=how)
        assert not found.exact
        for figure, off, error, often in all_figures(found, truth):
            assert error is not None
            assert 0 < error < math.inf
            counts = within.setdefault(figure, [0, 0, 0])
            for at in range(3):
                counts[at] += abs(off) <= (at + 1) * error
            if often:
                usual.add(figure)
    for figure, counts in within.items():
        for at, part in enumerate((0.683, 0.954, 0.997)):
            # Four of the standard deviations that so many seeds leave.  Parts of the pot
            # that come a few times have errors as uneven as their counts.
            room = 4 * math.sqrt(part * (1 - part) / seeds) + (0.01 if figure in usual else 0.08)
            share = counts[at] / seeds
            assert share >= part - room, (figure, counts)
            # The error of a spread is on the safe side where a pot is won half of the time.
            if at == 0 and figure in usual and not figure.endswith("spread"):
                assert share <= part + room, (figure, counts)
    if LONG:
        means = [sum(within[figure][at] for figure in usual) / len(usual) for at in range(3)]
        print(f"\n{name}, {draws} draws: {len(usual)} figures of {len(within)},", end=" ")
        print(" / ".join(f"{100 * mean / seeds:.1f}" for mean in means))


def test_a_sample_can_be_repeated() -> None:
    spot = (["AA", "KK", "QQ"], "plo4", "2c7d9h", "Th8c3s")
    for how in ({"trials": 70_000}, {"error": 0.005}, {"trials": 1}):
        one = two_boards(*spot, how=equity.How(**how, seed=4, threads=1))
        many = two_boards(*spot, how=equity.How(**how, seed=4, threads=3))
        assert one == many
        again = two_boards(*spot, how=equity.How(trials=one.pairs, seed=4))
        assert again == one
    other = two_boards(*spot, how=equity.How(trials=70_000, seed=5))
    assert other.equities != two_boards(*spot, how=equity.How(trials=70_000, seed=4)).equities


def test_options_bound_a_sample() -> None:
    spot = (["AA", "KK", "QQ"], "plo4")
    for trials in (1_000, 100_001):
        assert two_boards(*spot, how=equity.How(trials=trials)).pairs == trials
    assert two_boards(*spot, how=equity.How(trials=1)).pairs == drawing.MIN_DRAWS
    for error in (0.01, 0.002):
        found = two_boards(*spot, how=equity.How(error=error))
        for player in found.players:
            assert 0 < (player.std_error or 1) <= error
            for shares in (player.both, *player.alone):
                assert max((shares.errors or {}).values()) <= error
    start = time.monotonic()
    two_boards(*spot, how=equity.How(error=1e-9, budget=0.3))
    assert time.monotonic() - start < 10


def test_ranges_with_few_deals() -> None:
    """Of a hundred thousand sets of these hands five can be dealt."""
    found = two_boards(["AKQJ"] * 4, board="2c7d9h", how=equity.How(trials=1_000))
    assert 1_000 <= found.pairs <= 10_000
    assert sum(found.equities) == pytest.approx(1)
    for player in found.players:
        assert abs(player.equity - 0.25) < 5 * (player.std_error or 0)


def test_a_stop_leaves_a_part_that_says_so() -> None:
    def stop(_: equity.Progress) -> None:
        raise KeyboardInterrupt

    how = equity.How(exact=True, progress=stop, threads=1)
    found = two_boards(["AsAhKsKh", "QQ"], board="Th7h2c", how=how)
    whole = two_boards(["AsAhKsKh", "QQ"], board="Th7h2c")
    assert found.partial
    assert not found.exact
    assert found.pairs < whole.pairs
    assert found.to_dict()["partial"]
    assert found.players[0].to_dict()["equity_exact"] is None
    found = two_boards(["AA", "KK"], board2="-", how=equity.How(error=1e-7, progress=stop))
    assert found.partial
    assert found.players[0].std_error


def test_a_stop_before_the_second_board_leaves_no_answer() -> None:
    def stop(_: equity.Progress) -> None:
        raise KeyboardInterrupt

    for board2 in (None, "Kd3c4s"):
        with pytest.raises(KeyboardInterrupt):
            two_boards(
                ["AA", "KK"],
                board="Th7h2c",
                board2=board2,
                how=equity.How(progress=stop, threads=1),
            )
