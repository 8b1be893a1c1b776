"""Cross products, and flops of which one stands for all that are alike."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import pytest
from batch_tools import call, check_row, read_csv, read_json
from conftest import Run

import equity
from equity.batching.columns import Column
from equity.batching.cross_product import FLOPS, Crossing, read_boards
from equity.batching.job import Job
from equity.batching.journal import State
from equity.batching.totals import total_rows
from equity.rules.cards import format_hand, parse_cards

PLO = {"game": "plo4", "board": "", "dead": "", "ordering": None}
ALL_FLOPS = 22_100


def test_each_with_each_on_every_board(run: Run, tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("# two\nKh9h4c2s\n\n  Th7h2c3d \n")
    done = run(
        *("batch", "--players", "AAKK|QQJJ:xxyy", "--players", "KQJT|9c8c7d6d|T9T9"),
        *("--boards", "boards.txt", "-g", "o8", "-d", "5s", "-o", "r.csv", "--jobs", "1"),
        cwd=tmp_path,
    )
    assert done.stderr == "equity: 12 spots done\n"
    wanted = [
        ([one, two], board)
        for one in ("AAKK", "QQJJ:xxyy")
        for two in ("KQJT", "9c8c7d6d", "T9T9")
        for board in ("Kh9h4c2s", "Th7h2c3d")
    ]
    rows = read_csv(tmp_path / "r.csv")
    assert [row["id"] for row in rows] == [str(number) for number in range(1, 13)]
    for row, (players, board) in zip(rows, wanted, strict=True):
        check_row(row, equity.odds(players, "o8", board, "5s"))


@pytest.mark.parametrize("boards", [("--boards", "Th7h2c|Kd7c3c9h"), ("-b", "Th7h2c")])
def test_ranges_that_ask_for_the_board(boards: tuple[str, str], tmp_path: Path) -> None:
    given = ("--players", "@SET|AA:@FD", "--players", "KQ:@TWOPAIR+|*!@PAIR+")
    output = tmp_path / "out.csv"
    call("batch", *given, *boards, "--jobs", "1", "-o", output)
    for row in read_csv(output):
        if row["error"]:
            assert "matches no hand" in row["error"]
            continue
        result = equity.odds([row["player1"], row["player2"]], board=row["board"])
        assert row["player1_equity_exact"] == str(result.equities_exact[0])
    assert sum(not row["error"] for row in read_csv(output)) >= 3


def test_flops_of_ranges_that_ask_for_the_board(tmp_path: Path) -> None:
    given = ("--players", "@SET", "--players", "AA")
    called = call("batch", *given, "--boards", "flops", "-o", tmp_path / "o.csv")
    assert called.code == 2
    assert "list the flops in a file" in called.stderr


def test_boards_of_a_text_and_none(tmp_path: Path) -> None:
    arguments = ["batch", "--players", "AAKK", "--players", "QQJJ", "-o", tmp_path / "r.jsonl"]
    assert call(*arguments, "--boards", "Kh9h4c|T98:xxy", "--trials", "9").code == 0
    assert [row["board"] for row in read_json(tmp_path / "r.jsonl")] == ["Kh9h4c", "T98:xxy"]
    assert call(*arguments, "-b", "Kh9h4c2s", "--force").code == 0
    (row,) = read_json(tmp_path / "r.jsonl")
    check_row(row, equity.odds(["AAKK", "QQJJ"], board="Kh9h4c2s"))
    assert read_boards(" Flops") == FLOPS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Kh9h4c|Kh", []),
        ("Kh9h4c|Kh[8]", []),
        ("Kh9h4cKh", ["Kh", "twice"]),
        ("Kh9h4c2s3d5d", ["6 cards"]),
        ("Kh9h4c|9?", ["boards, number 2", "flops"]),
    ],
)
def test_boards_that_are_none(text: str, words: list[str]) -> None:
    if not words:
        assert read_boards(text) == text.split("|")
        return
    with pytest.raises(equity.EquityError) as caught:
        read_boards(text)
    for word in words:
        assert word in str(caught.value)


def brute_force_flops(texts: list[str], dead: str) -> dict[frozenset[int], int]:
    """The sizes of the orbits of flops, by one of each, of ranges as sets of hands."""
    sets = [
        {frozenset(hand) for hand in equity.Range(text).live("", dead).range.combos.tolist()}
        for text in texts
    ]
    gone = frozenset(parse_cards(dead))

    def moved(cards: frozenset[int], suits: tuple[int, ...]) -> frozenset[int]:
        return frozenset(card & ~3 | suits[card & 3] for card in cards)

    group = [
        suits
        for suits in permutations(range(4))
        if moved(gone, suits) == gone
        and all({moved(hand, suits) for hand in hands} == hands for hands in sets)
    ]
    live = set(range(52)) - gone
    for hands in sets:
        if len(hands) == 1:
            live -= next(iter(hands))
    orbits: dict[frozenset[int], int] = {}
    seen: set[frozenset[int]] = set()
    for flop in map(frozenset, combinations(live, 3)):
        if flop not in seen:
            orbit = {moved(flop, suits) for suits in group}
            orbits[flop] = len(orbit)
            seen |= orbit
    return orbits


@pytest.mark.parametrize(
    ("seats", "dead", "count"),
    [
        (["AA:xxyy", "KK"], "", 1_755),
        (["*", "10%"], "", 1_755),
        (["AA", "AhAsKhKs"], "", None),
        (["AhAs", "KK"], "", None),
        (["AhAs,AhAd,AsAd", "KKQ"], "", None),
        (["AA", "KK"], "Qh", None),
        (["AA", "KK"], "QhQs", None),
        (["AhKh@50,AsKs", "QQJ"], "", None),
        (["AhKh", "QQ:xxyy"], "2c3d", None),
    ],
)
def test_one_flop_for_all_that_are_alike(seats: list[str], dead: str, count: int | None) -> None:
    crossing = Crossing(seats, FLOPS, PLO | {"dead": dead})
    rows = list(crossing.rows())
    survey = crossing.survey()
    assert survey.rows == len(rows)
    assert survey.flops == (sum(row.multiplicity for row in rows),)
    if count is not None:
        assert (len(rows), survey.flops) == (count, (ALL_FLOPS,))
        return
    orbits = brute_force_flops([seat.replace("@50", "") for seat in seats], dead)
    if "@" in seats[0]:
        # A weight tells hands apart that are alike otherwise.
        assert len(rows) > len(orbits)
        return
    assert len(rows) == len(orbits)
    found = {frozenset(parse_cards(row.values["board"])): row.multiplicity for row in rows}
    assert sorted(found.values()) == sorted(orbits.values())
    assert {format_hand(sorted(flop)) for flop in found} == {row.values["board"] for row in rows}


@pytest.mark.parametrize(
    ("game", "seats", "dead"),
    [
        ("plo4", ["AAAK", "QQQJ"], "".join(r + s for r in "23456" for s in "cdhs")),
        ("o8", ["AsAhKsKh", "2s3s4d5d"], "".join(r + s for r in "6789T" for s in "cdhs")),
        (
            "plo4",
            ["AsAhKsKh@50,AdAcKdKc@12.5", "QsQhJsJh,QsQdJsJd@20"],
            "".join(rank + suit for rank in "23456789" for suit in "cdhs"),
        ),
    ],
)
def test_the_total_is_the_equity_before_the_flop(
    game: str, seats: list[str], dead: str, tmp_path: Path
) -> None:
    target = tmp_path / "r.csv"
    arguments = [part for seat in seats for part in ("--players", seat)]
    arguments += ["--boards", "flops", "-g", game, "-d", dead, "-o", str(target)]
    assert call("batch", *arguments).code == 0
    *rows, total = read_csv(target)
    preflop = equity.odds(seats, game, "", dead, exact=True)
    # A board of five cards has ten flops.
    assert int(total["deals"]) == 10 * preflop.deals
    assert total["method"] == "flops"
    assert (total["id"], total["board"], total["exact"]) == ("all flops 1", "", "true")
    assert int(total["multiplicity"]) == sum(int(row["multiplicity"]) for row in rows)
    for number, player in enumerate(preflop.players, 1):
        mine = {name: total[f"player{number}_{name}"] for name in ("high", "scoop", "win", "tie")}
        assert Fraction(total[f"player{number}_equity_exact"]) == player.equity_exact
        assert float(mine["high"]) == player.high.equity
        assert float(mine["scoop"]) == player.scoop
        assert (float(mine["win"]), float(mine["tie"])) == (player.high.win, player.high.tie)
        weighted = sum(
            int(row["multiplicity"])
            * int(row["weight"])
            * Fraction(row[f"player{number}_equity_exact"] or 0)
            for row in rows
        )
        weight = sum(int(row["multiplicity"]) * int(row["weight"]) for row in rows)
        # Weights of a flop are as small as can be, so they may be those of another scale.
        if "@" not in "".join(seats):
            assert weighted / weight == player.equity_exact
    # Flops that leave no deal are shown, and count nothing.
    none = [row for row in rows if row["deals"] == "0"]
    assert all(row["player1_equity"] == row["error"] == "" for row in none)
    assert bool(none) == (game == "plo4")


def test_totals_of_what_cannot_be_added(tmp_path: Path) -> None:
    target = tmp_path / "r.csv"
    dead = "".join(rank + suit for rank in "23456789T" for suit in "cdhs")
    done = call("batch", "--players", "AA", "--boards", "flops", "-d", dead, "-o", target)
    assert done.code == 1
    *rows, total = read_csv(target)
    count = len(rows) + 1
    assert done.stderr.startswith(f"equity: {count} of {count} spots failed")
    assert total["error"] == "560 of 560 flops have no result"

    job = Job(PLO, (Column("id", "text"), Column("error", "text")), format="csv")
    state = State()
    for sampled, tally in ((0, [3] * 24), (3, [6] * 24)):
        part = State()
        part.add_sums("0", {"flops": 3, "deals": 72, "sampled": sampled, "tally": tally})
        state.add(part)
    assert state.sums == {"0": {"flops": 6, "deals": 144, "sampled": 3, "tally": [9] * 24}}
    text, problems = total_rows(job, state.sums, [(["AA", "KK"], 6), (["AA", "KK"], 5)])
    assert problems == [
        "3 of 6 flops are estimates, which are not summed; use --exact",
        "5 of 5 flops have no result",
    ]
    assert text.count("\n") == 2


def test_patterns_of_dead_cards_have_no_flops(tmp_path: Path) -> None:
    seats = ["--players", "AA", "--players", "KK"]
    done = call("batch", *seats, "--boards", "flops", "-d", "xx", "-o", tmp_path / "r.csv")
    assert done.code == 2
    assert "needs known dead cards" in done.stderr
    done = call("batch", *seats, "--boards", "flops", "-b", "Kh", "-o", tmp_path / "r.csv")
    assert done.code == 2
    assert "both a board and boards" in done.stderr
