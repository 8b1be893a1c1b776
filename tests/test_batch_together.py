"""Rows of known hands that are answered together: the bytes are those of one by one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from batch_tools import call, check_row, hands, write_csv, write_json
from hypothesis import given
from hypothesis import strategies as st

import equity
from equity.batching import known_hands
from equity.batching.columns import Column
from equity.batching.formats import FORMATS
from equity.batching.job import MOST_ROWS, Job
from equity.batching.known_hands import LEAST, LEAST_ALIKE, answer_together
from equity.batching.layouts import columns_of
from equity.batching.rows import Row
from equity.batching.views import VIEWS
from equity.batching.worker import Block, answer_rows
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game

#: Names of known columns, in the rows of these tests.
_ID, _NOTE = Column("id", "text"), Column("note", "text")


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    """As if the kernel had been compiled: short batches do not wait for it."""
    with mock.patch.object(known_hands, "_is_compiled", return_value=True):
        yield


def job_for(
    table: str = "csv", layout: str = "wide", names: Sequence[str] = (), **more: Any
) -> Job:
    """A job with all columns, or some, for up to three players."""
    columns = columns_of(
        [_ID, _NOTE], layout, 3, views=["odds", "money"], flops=False, by_combo=False, plots=False
    )
    chosen = [column for column in columns if not names or column.name in names]
    # Few trials for the ranges among them.
    how = {"defaults": {"trials": 100}, "format": table} | more
    return Job(columns=tuple(chosen), layout=layout, **how)


def block_of(job: Job, rows: Sequence[Row], *, together: bool = True) -> Block:
    """The block of some rows; rows take longer than a time slice on a busy machine."""
    least = LEAST if together else len(rows) + 1
    with (
        mock.patch("equity.batching.worker.PATIENCE", 1e9),
        mock.patch.object(known_hands, "LEAST", least),
    ):
        return answer_rows(job, rows)


def check_alike(job: Job, rows: Sequence[Row]) -> int:
    """See that rows have the same block either way; how many were answered together."""
    one, other = block_of(job, rows), block_of(job, rows, together=False)
    assert one.text.splitlines() == other.text.splitlines()
    assert one.text == other.text
    assert (one.done, one.state, one.failed) == (other.done, other.state, other.failed)
    return len(answer_together(job, rows))


def plain_rows(
    count: int, game: str, players: int, board: int, **more: Any
) -> Iterator[dict[str, Any]]:
    """Fields of rows of random hands."""
    for number in range(count):
        dealt, cards = hands(game, players, board, number)
        row = {f"player{at}": hand for at, hand in enumerate(dealt, 1)}
        yield {"id": f"{number}", "game": game} | row | ({"board": cards} if cards else {}) | more


def as_rows(fields: Sequence[dict[str, Any]]) -> list[Row]:
    """Rows of the fields, with a note on each."""
    notes = ['a "quoted", note', "", "plain", "two\nlines", "\u2660", " ", "\r", "1/5", None]
    return [
        Row(number, number + 2, values, {"note": notes[number % len(notes)]})
        for number, values in enumerate(fields)
    ]


@pytest.mark.parametrize("game", [game.name for game in GAMES])
@pytest.mark.parametrize("board", [0, 3, 4, 5])
def test_all_games_streets_and_players(game: str, board: int) -> None:
    most = find_game(game).max_players()
    for players in (2, 3, most):
        rows = as_rows(list(plain_rows(LEAST, game, players, board)))
        assert check_alike(job_for(), rows) == LEAST
        text = block_of(job_for("jsonl"), rows).text
        for at in (0, LEAST - 1):
            values = rows[at].values
            given = [values[f"player{number}"] for number in range(1, players + 1)]
            line = json.loads(text.splitlines()[at])
            line = {name: value for name, value in line.items() if value is not None or "_" in name}
            if players <= 3:
                line |= {"seed": None, "error": None} | {"no_low": line.get("no_low")}
                for name in [name for name in line if name.startswith(f"player{players + 1}")]:
                    del line[name]
                check_row(line, equity.odds(given, game, values.get("board", "")))


def changes(values: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """What makes a row one written in another way, or wrong, or of another kind."""
    first, second, board = values["player1"], values["player2"], values.get("board", "")
    return [
        {"player1": second},
        {"player1": first[:-2]},
        {"player1": first + second[:2], "player2": second[2:]},
        {"player1": first[:-1], "player2": second + "h"},
        {"player1": first[:2] + first},
        {"player1": first[:-1] + "x"},
        {"player1": first[:-1] + "\u2660"},
        {"player1": "\u2660" * len(first)},
        {"player1": first[1:] + first[0]},
        {"player1": first.lower(), "player2": second.upper()},
        {"player1": " ".join(first[at : at + 2] for at in range(0, len(first), 2))},
        {"player1": first.replace("T", "10")},
        {"player1": f"{first[:2]}|{first[4:]}x"},
        {"player1": f"{first}|"},
        {"player1": 12, "player2": second},
        {"player1": "true"},
        {"player3": "KK"},
        {"player1": "inf", "board": "Kh9h4c"},
        {"board": "-"},
        {"board": first[:6]},
        {"board": board[:2] or "Ks"},
        {"board": (board or "Kh9h4c") * 2},
        {"board": "K"},
        {"board": ",".join(board[at : at + 2] for at in range(0, len(board), 2)) or "T98:xxy"},
        {"board": 7},
        {"dead": first[:2]},
        {"dead": "K"},
        {"game": "plo9"},
        {"game": "plo5"},
        {"exact": chance.choice(["true", "x", True, 1])},
        {"trials": chance.choice(["1000", "-1", 10])},
        {"seed": chance.choice(["7", "x", True, 1, 1.0, [1]])},
        {"ordering": chance.choice(["no such", ["a"]])},
        {"view": chance.choice(["odds", "streets", "nothing"])},
        {"stacks": "10,10", "pot": "5"},
        {"call": "5", "pot": "5"},
        {"rake": "5%"},
        {"board2": "Kh9h4c"},
        {"players": f"{first}|{second}"},
        {"player2": f"{second[:-2]} {second[-2:]}", "board": f" {board[:4]}  {board[4:]}"},
        {"player2": f"{second[:3]} {second[3:]}"},
        {"board": f"{board[:1]} {board[1:]}"},
    ]


def odd(values: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A row written in another way, or wrong, or of another kind."""
    first, second = values["player1"], values["player2"]
    players = {"player1", "player2", "player3"}
    apart = {name: value for name, value in values.items() if name not in players}
    made = values | chance.choice(changes(values, chance))
    kept = chance.choice([None, apart | {"players": f"{first}|{second}"}])
    kept = chance.choice([kept, apart | {"players": [first, second]}])
    kept = chance.choice([kept, apart | {"players": f"{first} | {second}"}])
    return chance.choice([made, made, kept or made])


def mixed_rows(seed: int, count: int = 2 * LEAST) -> list[Row]:
    """Rows of some kinds in turn, one in four of them odd."""
    chance = random.Random(seed)
    game = chance.choice([game.name for game in GAMES])
    kinds = [
        list(plain_rows(count, game, players, board))
        for players, board in [(2, 5), (3, chance.choice([3, 4, 5]))]
    ]
    fields = [chance.choice(kinds)[number] for number in range(count)]
    some = [odd(values, chance) if chance.random() < 0.25 else values for values in fields]
    rows = as_rows([dict(values) for values in some])
    rows[5] = rows[5]._replace(problem="it is not CSV")
    for at in range(6, 20):
        del rows[at].values["id"]
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("layout", ["wide", "long"])
def test_other_rows_in_between(seed: int, layout: str) -> None:
    rows = mixed_rows(seed, 4 * LEAST)
    job = job_for(layout=layout, digits=[None, 3][seed % 2])
    assert len(rows) // 2 < check_alike(job, rows) < len(rows)


def test_all_rows_odd_in_one_way() -> None:
    fields = list(plain_rows(2 * LEAST_ALIKE, "plo8", 2, 5))
    chance = random.Random(1)
    taken = []
    for kind in range(len(changes(fields[0], chance))):
        rows = [values | changes(values, chance)[kind] for values in fields]
        with mock.patch.object(known_hands, "LEAST", LEAST_ALIKE):
            taken.append(check_alike(job_for(), as_rows(rows)))
    # In another case, with spaces between cards, and with "-" as an empty board.
    assert taken.count(len(fields)) == 4
    assert taken.count(0) > 20


@pytest.mark.parametrize("as_list", [False, True])
def test_a_hand_with_a_separator_is_not_two(as_list: bool) -> None:
    fields = list(plain_rows(2 * LEAST, "plo4", 3, 5))
    for values in fields:
        one, two, three = (values.pop(f"player{at}") for at in (1, 2, 3))
        is_odd = values["id"] in ("3", "70")
        dealt = [f"{one}|{two}", three] if is_odd else [one, two, three]
        named = {f"player{at}": hand for at, hand in enumerate(dealt, 1)}
        values.update({"players": dealt} if as_list else named)
    assert check_alike(job_for(), as_rows(fields)) == len(fields) - 2


def test_players_that_are_no_list() -> None:
    fields = list(plain_rows(LEAST, "plo4", 2, 5))
    for values in fields:
        dealt = values.pop("player1"), values.pop("player2")
        values["players"] = dict.fromkeys(dealt)
    assert check_alike(job_for(), as_rows(fields)) == 0


def test_values_that_are_equal_but_not_alike() -> None:
    fields = plain_rows(LEAST, "plo4", 2, 0)
    seeds = [1, True]
    rows = as_rows([values | {"seed": seeds[at % 2]} for at, values in enumerate(fields)])
    assert check_alike(job_for(), rows) == LEAST // 2


@pytest.mark.parametrize("table", [name for name in FORMATS if name != "csv"])
def test_other_formats(table: str) -> None:
    rows = mixed_rows(11)
    assert check_alike(job_for(table), rows) > len(rows) // 2
    assert check_alike(job_for(table, "long", digits=4), rows) > len(rows) // 2


@pytest.mark.parametrize(
    "names", [["player1_equity"], ["note"], ["error"], ["game"], ["note", "error"]]
)
@pytest.mark.parametrize("table", ["csv", "jsonl", "csv-excel"])
def test_chosen_columns(names: list[str], table: str) -> None:
    assert check_alike(job_for(table, names=names), mixed_rows(12)) > LEAST


@pytest.mark.parametrize(
    "defaults",
    [
        {"board": "2c3d4h"},
        {"board": "-", "dead": "2c3d"},
        {"board": "2c", "game": "plo8"},
        {"board": [0, 5, 10]},
        {"dead": "KcKd"},
        {"seed": 3, "trials": 50},
        {"view": "odds"},
        {"view": "streets"},
        {"stacks": "10,10"},
        {"rake": "5%"},
    ],
)
def test_options(defaults: dict[str, Any]) -> None:
    rows = mixed_rows(13)
    for row in rows:
        if row.number % 3:
            row.values.pop("board", None)
    check_alike(job_for(defaults={"trials": 100} | defaults), rows)


def test_more_players_than_columns() -> None:
    rows = as_rows([*plain_rows(LEAST, "plo4", 3, 5), *plain_rows(LEAST, "plo4", 2, 5)])
    assert check_alike(job_for(players=2), rows) == LEAST


def test_dead_cards_are_in_no_hand() -> None:
    rows = as_rows(list(plain_rows(2 * LEAST, "plo4", 2, 5, dead="Ah")))
    places = ("player1", "player2", "board")
    # The first row of a form stands for all, so here it does not hold the card.
    rows.sort(key=lambda row: any("Ah" in row.values[name] for name in places))
    live = sum(all("Ah" not in row.values[name] for name in places) for row in rows)
    assert check_alike(job_for(), rows) == live
    assert LEAST < live < len(rows)
    # Where it does, rows are answered one by one.
    assert check_alike(job_for(), rows[::-1]) == 0


def test_jobs_that_are_answered_one_by_one() -> None:
    rows = as_rows(list(plain_rows(LEAST, "plo4", 2, 5)))
    assert len(answer_together(job_for(), rows)) == LEAST
    assert len(answer_together(job_for(is_retry=True), rows)) == LEAST
    for more in ({"check": True}, {"by_combo": True}, {"plots": ".png"}, {"format": ""}):
        assert not answer_together(job_for(**more), rows)
    assert not answer_together(job_for(), rows[1:])
    flops = [row._replace(multiplicity=4) for row in rows]
    assert not answer_together(job_for(), flops)
    # A few of another form are not worth an array.
    few = [row._replace(values=row.values | {"game": "plo8"}) for row in rows[: LEAST_ALIKE - 1]]
    assert len(answer_together(job_for(), [*rows, *few])) == LEAST
    check_alike(job_for(is_retry=True), [*rows, *few])


def test_a_short_batch_does_not_wait_for_the_kernel() -> None:
    rows = as_rows(list(plain_rows(MOST_ROWS, "plo4", 2, 5)))
    with mock.patch.object(known_hands, "_is_compiled", return_value=False):
        assert len(answer_together(job_for(), rows)) == len(rows)
        assert not answer_together(job_for(), rows[1:])


def test_a_fault_of_the_arrays_leaves_the_rows_to_be_answered_one_by_one() -> None:
    rows = mixed_rows(14)
    expected = block_of(job_for(), rows).text
    with mock.patch("equity.engine.odds_many.odds_many", side_effect=RuntimeError) as called:
        assert block_of(job_for(), rows).text == expected
    assert called.called


def test_the_columns_that_differ_are_those_of_the_view() -> None:
    """A new column of the view must be one that all rows share, or be made of arrays."""
    spots = {column.name for column in VIEWS["odds"].spot}
    assert spots == {
        *("game", "board", "dead", "method", "exact", "deals", "weight", "no_low", "seed")
    }
    assert {column.name for column in VIEWS["odds"].player} == {
        *("combos", "live", "equity", "equity_exact", "std_error", "high", "low"),
        *("scoop", "win", "tie", "orderings"),
    }


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "xlsx"])
def test_files(ending: str, tmp_path: Path) -> None:
    pytest.importorskip({"parquet": "pyarrow", "xlsx": "openpyxl"}.get(ending, "json"))
    fields = [
        {"players": "|".join(dealt), "board": board, "note": f"{number}, \u2660"}
        for number in range(1_000)
        for dealt, board in [hands("plo4", 2 + number % 2, 5, number)]
    ]
    for number in range(0, 1_000, 90):
        fields[number]["players"] = "AsAhKsKh|AsQdJdTd"
    source = (
        write_json(tmp_path / "s.jsonl", fields)
        if ending == "jsonl"
        else write_csv(tmp_path / "s.csv", fields)
    )
    found = []
    for name, jobs, least in (("one", 1, 10**9), ("two", 1, LEAST), ("three", 2, LEAST)):
        target = tmp_path / f"{name}.{ending}"
        with (
            mock.patch.object(known_hands, "LEAST", least),
            mock.patch.object(
                known_hands, "_answer_form", side_effect=known_hands._answer_form
            ) as taken,
        ):
            assert call("batch", source, "-o", target, "--jobs", jobs, "-q").code == 1
        assert taken.called == (name == "two")
        found.append(target.read_bytes())
    assert found[0] == found[1] == found[2]


_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.text('a",;\r\n\t =1/5', max_size=6),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.none(), max_size=2),
)


@given(
    st.sampled_from(list(FORMATS)),
    st.lists(
        st.one_of(
            st.tuples(_values.filter(lambda value: not isinstance(value, list))),
            *(st.lists(kind, min_size=3, max_size=3) for kind in (_values, st.floats(), st.text())),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_lines_of_columns_are_those_of_rows(name: str, given: list[Any]) -> None:
    names = [["a", "b_exact", 'c"', "d"][at] for at in range(len(given))]
    table = FORMATS[name]([Column(one, "text") for one in names])
    columns = {
        name: values[0] if isinstance(values, tuple) else values
        for name, values in zip(names, given, strict=True)
    }
    rows = [
        {name: value[at] if isinstance(value, list) else value for name, value in columns.items()}
        for at in range(3)
    ]
    assert table.lines_of(columns, 3) == [table.lines([row]) for row in rows]


def test_cards_are_parsed_as_by_the_slow_lane() -> None:
    """Every text of two characters is a card, or none, as for one row."""
    table = known_hands._card_table()
    for low in range(256):
        for high in range(256):
            text = chr(low) + chr(high)
            try:
                cards = equity.rules.cards.parse_cards(text) if text.isascii() else ()
            except equity.EquityError:
                cards = ()
            card = int(table[low + (high << 8)])
            if card < 52:
                assert cards == (card,)
                assert format_cards(cards).lower() == text.lower()
            else:
                assert len(cards) != 1
