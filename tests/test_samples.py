"""Samples where a user sees them: how many deals, which errors, and what is not known."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import Run

import equity
from equity.engine.hand_lists import Hands
from equity.engine.monte_carlo import most_deals
from equity.engine.sampling.estimates import standard_error
from equity.engine.sampling.question import Question
from equity.engine.sampling.sampler import Sampler
from equity.rules.games import find_game

#: Six ranges of a few hands each: few sets of their hands go together.
COLLIDING = [
    *("Tc9s4s2c@2,AsKcAc7d@5", "Kh9s9c2c@50,KhQd8d4c@100,KdTd8d3c@5"),
    *("Jd9s9h4d@50,AsJh7h7d@7,9d9c8sKs@5", "KdJd7s5s@99,Ac9c8d7s@50,Jd4cJh6c@5"),
    *("Jd9c5s2c@3,Js4dKh9h@5", "KsJhJd4d@2,7hQd9sTc@5"),
]


@pytest.mark.parametrize(
    ("game", "players", "board"),
    [
        ("plo4", ["AA", "KK"], ""),
        ("plo6", ["AAAKK", "QQJJT"], "Th9s2c4d"),
        ("o8", ["AA", "*", "*", "*"], ""),
    ],
)
@pytest.mark.parametrize("trials", [1, 150_000, 1_000_000, 3_000_000])
def test_trials_are_what_was_asked_for(
    game: str, players: list[str], board: str, trials: int
) -> None:
    result = equity.odds(players, game, board, trials=trials, seed=3)
    assert trials <= result.deals <= most_deals(trials)
    for player in result.players:
        # However few they are, there are draws enough to tell the error.
        assert player.std_error is not None
        assert player.std_error["equity"] is not None


def test_a_cut_sample_is_the_same_on_any_number_of_threads() -> None:
    one, other = (
        equity.odds(["AA", "KK", "*"], trials=400_000, seed=4, threads=threads)
        for threads in (1, 3)
    )
    assert one.tally == other.tally


def test_half_of_the_pot_has_the_error_of_its_draws() -> None:
    """Parts of the pot had errors from the few chunks of a run: 0.01 where 0.2 is right."""
    result = equity.odds(["A2", "A3", "KK"], "o8", "4s7dKc8h", seed=77)
    for player, truth in zip(result.players, (0.7318, 0.1272, 0.8882), strict=True):
        error = (player.split_error or {})["1/2"]
        assert error is not None
        assert 0.0004 < error < 0.01
        assert abs(player.outcomes["1/2"] / result.weight - truth) < 4 * error


@pytest.mark.parametrize("seed", range(4))
def test_no_error_is_zero_where_few_draws_have_deals(run: Run, seed: int) -> None:
    spot = ["odds", *COLLIDING, "-b", "Ts4h5d2h"]
    exact = json.loads(run(*spot, "--json").stdout)["players"]
    asked = [*spot, "--trials", "100", "--seed", str(seed)]
    whole = json.loads(run(*asked, "--json").stdout)
    assert not whole["exact"]
    for player, known in zip(whole["players"], exact, strict=True):
        assert player["equity_exact"] is None
        error = player["std_error"]["equity"]
        assert error is None or abs(player["equity"] - known["equity"]) < 5 * error
        assert None is not error or 0 not in player["split_error"].values()
    table = run(*asked).stdout
    assert " 0.00   0.00" not in table
    assert "?" in table
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    # The third never wins in any deal, which a sample cannot prove.
    assert rows[2]["std_error"] == ""
    assert rows[2]["outcome_1_error"] == ""


def test_a_sample_of_one_draw_tells_no_error() -> None:
    sampler = Sampler(_any_two())
    once = sampler.chunk(0, 1)
    assert standard_error(once, 0, "equity") is None
    assert standard_error(sampler.chunk(0, 100), 0, "equity") is not None


def _any_two() -> Question:
    ranges: list[Hands | None] = [None, None]
    return Question(find_game("plo4"), ranges)


def test_what_the_error_bounds_is_said(run: Run) -> None:
    spot = ["odds", "-g", "o8", "AA", "KK", "A2", "--error", "0.004"]
    assert "errors of equities are at most 0.40 %" in run(*spot).stdout
    whole = json.loads(run(*spot, "--json").stdout)
    assert whole["error_target"] == 0.004
    assert all(player["std_error"]["equity"] <= 0.004 for player in whole["players"])
    assert 0 < whole["no_low_error"] < 0.05
    drawn = json.loads(run(*spot[:-2], "--trials", "1000", "--json").stdout)
    assert drawn["error_target"] is None
    assert "at most" not in run(*spot[:-2], "--trials", "1000").stdout


def test_parts_that_are_not_quarters_have_an_error(run: Run) -> None:
    spot = ["odds", "-g", "o8", "A2", "A3", "KK", "-b", "4s7dKc8h", "--trials", "300000"]
    lines = run(*spot).stdout.splitlines()
    other = next(line for line in lines if "other" in line).index("other")
    errors = [line[other - 2 : other + 5].strip() for line in lines if "+/-" in line[:12]]
    assert len(errors) == 3
    assert all(0 < float(error) < 1 for error in errors)


def test_samples_of_other_boards_are_independent() -> None:
    """Known cards are part of what random numbers follow from."""
    one, other = (
        equity.odds(["AA", "KK"], board="Th7h2c", dead=dead, trials=1, seed=1)
        for dead in ("3c", "3d")
    )
    assert one.tally != other.tally


def test_weights_are_on_one_scale_on_all_boards(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    asked = ["--players", "AsAhKdKc", "--players", "QcQdJcJd@30,9s9h8s8h"]
    columns = ["--columns", "board,deals,weight", "-o", str(output)]
    run("batch", *asked, "--boards", "2c3d7h|9s3d7h", *columns)
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert [row["weight"] for row in rows] == ["10660", "2460"]
    assert [row["deals"] for row in rows] == ["1640", "820"]


def test_a_mean_of_boards_weighted_by_weight_is_the_answer() -> None:
    """The turns of a flop, some of which leave only hands of one weight."""
    ranges = ["AsAhKdKc,8c8d7c7d@25", "QcQdJcJd@30,9s9h8s8h,5s5h4s4h@7.5"]
    whole = equity.odds(ranges, board="2c3d7h", exact=True)
    total, won = 0, Fraction(0)
    known = {"2c", "3d", "7h"}
    for card in (rank + suit for rank in "AKQJT98765432" for suit in "shdc"):
        if card in known:
            continue
        try:
            turn = equity.odds(ranges, board=f"2c3d7h{card}", exact=True)
        except equity.EquityError:
            continue
        total += turn.weight
        won += turn.weight * turn.equities_exact[0]
    assert won / total == whole.equities_exact[0]
    # Each deal has two cards that can be the turn.
    assert total == 2 * whole.weight


def test_weights_that_are_never_dealt_are_part_of_the_scale() -> None:
    plain = equity.odds(["AsAhKdKc", "QcQdJcJd@50"], board="2c3d7h", exact=True)
    mixed = equity.odds(["AsAhKdKc", "QcQdJcJd@50,2c2d2h2s@75"], board="2c3d7h", exact=True)
    assert plain.weight == plain.deals
    assert mixed.weight == 2 * mixed.deals


def test_no_time_is_foretold(run: Run) -> None:
    hand, board = "AhAsKhKsQsQh", "Th7h2c"
    done = run("graph", "-g", "plo6", hand, "*", "-b", board, "--trials", "3")
    assert "sampling 3 of 6,096,454 combos" in done.stderr
    assert " s" not in done.stderr.replace("sampling", "")
