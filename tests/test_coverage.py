"""Standard errors against the truth: how often a sampled figure is within 1, 2 and 3 of them.

With ``EQUITY_COVERAGE=200`` in the environment each question is asked with so many
seeds; by default with a few, and wide bands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import equity
from equity.engine.options import How
from equity.money import all_in
from equity.views import blockers, graph, next_card, streets

SEEDS = int(os.environ.get("EQUITY_COVERAGE", "12"))
#: Within so many standard errors, the least and the most of all figures.
LONG = {1: (0.62, 0.74), 2: (0.92, 0.98), 3: (0.985, 1.0)}
SHORT = {1: (0.50, 0.86), 2: (0.82, 1.0), 3: (0.93, 1.0)}
#: What comes up more rarely is left out: a few events are no normal distribution.  Of
#: a graph there are few points.
RARE = 0.004
RARE_BIN = 0.03

#: A figure by name: the value, and its standard error.
Figures = dict[str, tuple[float | None, float | None]]
Ask = Callable[[int], Figures]


def of_odds(result: equity.Result) -> Figures:
    """All figures that the table and the JSON of ``equity odds`` have."""
    found: Figures = {}
    if result.no_low is not None:
        found["no low"] = result.no_low / result.weight, result.no_low_error
    for at, player in enumerate(result.players, 1):
        errors, split = player.std_error or {}, player.split_error or {}
        shares = {"equity": player.equity, "high": player.high.equity, "scoop": player.scoop}
        events = {"high_win": player.high.win, "high_tie": player.high.tie}
        if player.low:
            shares["low"] = player.low.equity
            events |= {"low_win": player.low.win, "low_tie": player.low.tie}
        events |= {name: count / result.weight for name, count in player.outcomes.items()}
        others = [name for name in player.outcomes if name not in {"1", "3/4", "1/2", "1/4", "0"}]
        if others:
            events["other"] = sum(player.outcomes[name] for name in others) / result.weight
        found |= {f"{at} {name}": (value, errors.get(name)) for name, value in shares.items()}
        found |= {f"{at} {name}": (value, split.get(name)) for name, value in events.items()}
    return found


def odds(players: list[str], game: str, board: str, trials: int | None) -> Ask:
    def ask(seed: int) -> Figures:
        how: dict[str, Any] = {"exact": True} if seed < 0 else {"trials": trials, "seed": seed}
        return of_odds(equity.odds(players, game, board, **how))

    return ask


def money(players: list[str], stacks: str, board: str, game: str, trials: int) -> Ask:
    def ask(seed: int) -> Figures:
        how = How(exact=True) if seed < 0 else How(trials=trials, seed=seed)
        found = all_in(players, game, board, stacks=stacks, how=how)
        answer: Figures = {
            f"{at} chips": (player.expected, player.to_dict()["chips_error"])
            for at, player in enumerate(found.players, 1)
        }
        for pot in found.pots:
            whole = pot.to_dict()
            for at, value, error in zip(
                whole["players"], whole["equities"], whole["std_errors"], strict=True
            ):
                answer[f"{pot.name} {at}"] = value, error
        return answer

    return ask


def parts(rows: Iterator[tuple[str, dict[str, Any]]]) -> Figures:
    found: Figures = {}
    for name, row in rows:
        if "change" in row:
            found[f"{name} change"] = row["change"], row["change_error"]
        for at, part in enumerate(row.get("players", [row]), 1):
            found[f"{name} {at} equity"] = part.get("equity"), part.get("std_error")
            if part.get("low") is not None:
                found[f"{name} {at} low"] = part["low"], part.get("low_error")
    return found


def view(module: Any, name: str, key: str, *spot: Any, trials: int) -> Ask:
    def ask(seed: int) -> Figures:
        how: dict[str, Any] = {"exact": True} if seed < 0 else {"trials": trials, "seed": seed}
        whole = getattr(module, name)(*spot, **how).to_dict()
        return parts((row[key], row) for row in whole["rows"])

    return ask


def curve(over: str | None, trials: int, *spot: Any) -> Ask:
    def ask(seed: int) -> Figures:
        how: dict[str, Any] = {"exact": True} if seed < 0 else {"trials": trials, "seed": seed}
        found = graph.graph(*spot, over=over, **how)
        whole = found.to_dict()
        (line,) = whole["curves"]
        answer: Figures = {"mean": (line["mean"], line["std_error"])}
        for row in whole["rows"]:
            answer[f"up to {row['percent']}"] = row["running"], row["running_error"]
            answer[f"twentieth {row['percent']}"] = row["equity"], row["equity_error"]
            answer[f"bin {row['percent']}"] = row["share"], row["share_error"]
        return answer

    return ask


HILO = (["A2:xxyy", "AA!A2"], "o8", "3c7dKs")
THREE = (["AsKsQdJd,AcKc9d8d,2s3s4d5d", "QQ:xxyy:JT", "7766:xxyy"], "o8", "Tc8d3h2c")
HIGH = (["AhAs:xyzw", "KK:xxyy"], "plo4", "Th7h2c")
SIDE = ["AhAs:KQ,JsTs9d8d", "QcQd:J,8h7h6d5d", "KdKh:xxyy:9"]
VIEW = (["AA:xxyy", "KK:A"], "o8", "Th7h2c")
HERO = (["AhAsKhKs", "QQ,JJ,98"], "plo4", "Th7h2c")

QUESTIONS: dict[str, Ask] = {
    "odds, few draws": odds(*HILO, 1),
    "odds, many draws": odds(*HILO, 2_000_000),
    "odds of three": odds(*THREE, 200_000),
    "odds, high": odds(*HIGH, 300_000),
    "money, pots apart": money(SIDE, "100,60,60", "Th7h2c3d", "plo4", 1),
    "money, pots together": money(SIDE, "60,100,100", "Th7h2c3d", "plo4", 1),
    "next": view(next_card, "next_cards", "cards", *VIEW, trials=1),
    "streets": view(streets, "streets", "street", *VIEW[:2], "Th7h2c3dKc", trials=1),
    "blockers": view(blockers, "blockers", "cards", *HERO, trials=1),
    "graph of combos": curve(None, 300_000, *HERO),
    "graph of rivers": curve("rivers", 1_000, ["AA:xxyy", "KK:A"], "plo4", "Th7h2c"),
}
#: Seeds of questions that take long.
FEW_SEEDS = {"streets": 4, "blockers": 2, "next": 3}


@pytest.mark.parametrize("name", QUESTIONS)
def test_coverage(name: str) -> None:
    ask = QUESTIONS[name]
    if name == "streets":
        # Before the flop all deals are too many to be counted here.
        truth = {key: found for key, found in ask(-1).items() if "preflop" not in key}
    else:
        truth = ask(-1)
    bands = SHORT if SEEDS < 100 else LONG
    seeds = SEEDS if SEEDS >= 100 else FEW_SEEDS.get(name, SEEDS)
    off: dict[str, list[float]] = {}
    for seed in range(seeds):
        for key, (value, error) in ask(seed).items():
            if value is None or key not in truth:
                continue
            exact = truth[key][0]
            assert exact is not None
            rare = RARE_BIN if key.startswith("bin") else RARE
            assert error != 0, (key, seed)
            if error is None:
                # What is not known is rare, or all but certain.
                is_rare = min(abs(exact), abs(1 - exact)) < rare or "twentieth" in key
                assert is_rare or abs(value - exact) < 1e-12, (key, seed, value, exact)
            elif rare < abs(exact) < 1 - rare or "change" in key or "chips" in key:
                off.setdefault(key, []).append(abs(value - exact) / error)
    # Errors of the parts of a curve are rather too large: they have a lower band alone.
    parts_of_curve = {key for key in off if key.startswith(("twentieth", "bin", "up to"))}
    bounded = [one for key in parts_of_curve for one in off[key]]
    for limit, (least, _) in bands.items():
        inside = sum(distance <= limit for distance in bounded)
        assert inside >= least * len(bounded), (limit, inside / len(bounded))
    every = [one for key in off.keys() - parts_of_curve for one in off[key]]
    if not every:
        pytest.fail("nothing was sampled")
    shown = {}
    for limit, (least, most) in bands.items():
        part = sum(distance <= limit for distance in every) / len(every)
        shown[limit] = (part, least <= part <= most)
    print(f"{name}: {len(off)} figures, {seeds} seeds: {shown}")
    if SEEDS >= 100:
        for key, distances in off.items():
            within = [sum(one <= limit for one in distances) / seeds for limit in (1, 2, 3)]
            if within[1] < 0.88 or within[2] < 0.96:
                print(f"    {key}: {within}")
    assert all(fits for _, fits in shown.values()), shown
