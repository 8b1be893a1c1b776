"""Making orderings: the tables that are dealt, and builds that stop and go on."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from conftest import Run

from equity import kernels
from equity.errors import DataError, EquityError
from equity.kernels import evolution_records as records
from equity.kernels.loader import Block
from equity.kernels.transposed import line_block
from equity.maintenance import RECIPES, Recipe, build, builder, find_recipe
from equity.maintenance.evolution import Evolution
from equity.maintenance.exact import AllBoards
from equity.maintenance.table import CHIP, Table, Won
from equity.ranges.hands import hand_space
from equity.rules.games import GAMES, Game, find_game

#: Few classes in so few deals that it takes a second.
TINY = replace(find_recipe("ring"), name="tiny", deals={4: 1, 5: 1, 6: 1}, rounds=2)


def test_the_rules_of_the_recipes() -> None:
    ring, six, random = RECIPES
    assert dict(ring.seats) == {4: 10, 5: 9, 6: 7}
    assert set(six.seats.values()) == {6}
    assert ring.rounds == six.rounds == 10
    assert ring.all_call
    assert not random.all_call
    for game in GAMES:
        for recipe in RECIPES:
            if game.hole not in recipe.exact:
                assert recipe.seats[game.hole] * game.hole + 5 <= 52


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("part", [0.0, 0.3, 1.0])
def test_tables_pay_what_the_rules_say(game: Game, part: float) -> None:
    """One table, dealt by the kernel, against the slow rules with the same cards."""
    types = hand_space(game.hole).types
    calls = np.random.default_rng(3).random(types.count) < part
    players = {4: 8, 5: 7, 6: 6}[game.hole]
    table = Table(game, players, calls)
    for seed in range(6):
        won = Won(types.count)
        work = records.TABLE_WORK.allocate(players=players)
        records.DEAL_TABLES(
            kernels.table_block(),
            line_block(),
            table.block(f"deal {seed}"),
            Block(records.JOB, {"rounds": 1}),
            work,
            Block(records.WON, {"types": types.count, "sums": won.sums}),
        )
        deck = list(work.values["deck"])
        assert sorted(deck) == list(range(52))
        hands = [tuple(deck[at * game.hole : (at + 1) * game.hole]) for at in range(players)]
        rest = deck[players * game.hole :]
        boards = [tuple(rest[at : at + 5]) for at in range(0, 5 * table.boards, 5)]
        assert len(rest) - 5 * table.boards < 5
        kinds = types.of(hand_space(game.hole).index(np.array(hands))).tolist()
        expected: dict[int, Fraction] = {}
        for seat in range(players):
            order = [seat, *(other for other in range(players) if other != seat)]
            chips = sum(
                naive.ante_chips(
                    [hands[at] for at in order], [bool(calls[kinds[at]]) for at in order],
                    board, game.low,
                )
                for board in boards
            )  # fmt: skip
            expected[kinds[seat]] = expected.get(kinds[seat], Fraction(0)) + chips
        dealt = np.flatnonzero(won.deals).tolist()
        assert dealt == sorted(expected)
        assert {kind: Fraction(int(won.chips[kind]), CHIP) for kind in dealt} == expected
        assert won.deals.sum() == players


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_classes_get_the_deals_they_want(game: Game) -> None:
    types = hand_space(game.hole).types
    table = Table(game, 6, np.zeros(types.count, np.bool_))
    classes = np.arange(0, types.count, types.count // 5)
    deals = np.arange(len(classes)) * 3
    won = table.deal_to("own", classes, deals)
    assert np.array_equal(won.deals[classes], deals)
    assert won.deals.sum() == deals.sum()
    # Dealt to together or apart, it is the same.
    alone = table.deal_to("own", classes[2:3], deals[2:3])
    assert np.array_equal(alone.sums[classes[2]], won.sums[classes[2]])


def test_what_is_won_without_callers_is_half_of_two_chips_on_average() -> None:
    table = Table(find_game("o8"), 5, np.zeros(hand_space(4).types.count, np.bool_))
    won = table.deal("mean", 500)
    assert won.chips.sum() == won.deals.sum() * table.outcomes * CHIP


def test_every_class_has_its_deals() -> None:
    evolution = Evolution(find_game("plo4"), TINY)
    rounds = []
    with ThreadPoolExecutor(2) as executor:
        while not evolution.is_done:
            at, won = evolution.round, evolution.won
            evolution.advance(executor, 2)
            if evolution.round > at:
                rounds.append(won.deals.min())
    assert rounds == [1, 2]
    assert evolution.progress == 1
    assert 0 < evolution.calls.sum() < len(evolution.calls)


def test_a_build_is_the_same_on_any_number_of_threads_and_when_resumed(tmp_path: Path) -> None:
    game = find_game("plo4")
    scores = []
    for threads in (1, 3):
        paths = build(TINY, game, tmp_path / str(threads), threads=threads)
        scores.append([path.read_bytes() for path in paths])
    assert scores[0] == scores[1]
    # Interrupted after every part, and gone on with from what was saved.
    one = Evolution(game, TINY)
    while not one.is_done:
        with ThreadPoolExecutor(1) as executor:
            one.advance(executor, 1)
        state = {name: array.copy() for name, array in one.state().items()}
        one = Evolution(game, TINY)
        one.resume(state)
    plain = Evolution(game, TINY)
    with ThreadPoolExecutor(1) as executor:
        while not plain.is_done:
            plain.advance(executor, 1)
    assert np.array_equal(one.scores()[0], plain.scores()[0])
    assert one.scores()[1:] == plain.scores()[1:]


def test_the_numbers_of_a_build_are_the_same_everywhere(tmp_path: Path) -> None:
    facts = json.loads(build(TINY, find_game("o8"), tmp_path, threads=2)[1].read_text())
    # On the machine where this was written.
    assert facts["digest"].startswith("fdab90d8121ae87c")


def test_a_build_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("plo4")
    expected = [path.read_bytes() for path in build(TINY, game, tmp_path / "whole", threads=1)]
    monkeypatch.setattr(builder, "_SAVE_EVERY", 0.0)

    class KilledError(Exception):
        pass

    def kill(done: float) -> None:
        if done > 0.5:
            raise KilledError

    with pytest.raises(KilledError):
        build(TINY, game, tmp_path, threads=1, progress=kill)
    with np.load(tmp_path / "plo4-tiny.unfinished.npz") as stored:
        saved = dict(stored)
    with pytest.raises(DataError, match="another recipe"):
        build(replace(TINY, version="2"), game, tmp_path, threads=1)
    reported: list[float] = []
    paths = build(TINY, game, tmp_path, threads=1, progress=reported.append)
    assert reported[0] > 0.3
    assert [path.read_bytes() for path in paths] == expected
    assert not (tmp_path / "plo4-tiny.unfinished.npz").exists()
    damaged = {"key": saved["key"], "at": np.zeros(1, np.int64)}
    np.savez(tmp_path / "plo4-tiny.unfinished.npz", **damaged)
    with pytest.raises(DataError, match="is damaged"):
        build(TINY, game, tmp_path, threads=1)
    (tmp_path / "plo4-tiny.unfinished.npz").write_bytes(b"PK torn")
    with pytest.raises(DataError, match="cannot be read"):
        build(TINY, game, tmp_path, threads=1)


def test_sweeping_all_boards_can_be_resumed() -> None:
    """The first boards, in one go and in two."""
    game = find_game("o8")
    one, two = AllBoards(game, find_recipe("random")), AllBoards(game, find_recipe("random"))
    one.count = two.count = 4
    with ThreadPoolExecutor(2) as executor:
        one.advance(executor, 2)
        assert one.is_done
        half = AllBoards(game, find_recipe("random"))
        half.count = 2
        half.advance(executor, 1)
        state = half.state()
        two.resume(state)
        two.advance(executor, 1)
    assert np.array_equal(one.state()["sums"], two.state()["sums"])
    assert np.array_equal(one.scores()[0], two.scores()[0])


def test_the_command(run: Run, tmp_path: Path) -> None:
    listed = run("data", "ordering").stdout
    assert all(recipe.name in listed for recipe in RECIPES)
    assert "known are ring" in run("data", "ordering", "nothing", code=2).stderr
    with pytest.raises(EquityError):
        find_recipe("nothing")
    assert isinstance(find_recipe("6MAX"), Recipe)
