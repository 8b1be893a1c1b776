"""With ``--json`` an error is an object on stdout, beside its line on stderr."""

from __future__ import annotations

import json

import pytest
from conftest import Run

FIELDS = {"error", "problem", "place", "hint", "text", "column"}


@pytest.mark.parametrize(
    ("arguments", "place", "words"),
    [
        (["odds", "AA", "--json"], "", "1 player"),
        (["odds", "AA", "K(", "--json"], "range 2, column 2", "'('"),
        (["odds", "AA", "KK", "-b", "Kh9h4", "--json"], "board", "Kh9h4"),
        (["range", "--json", "AA,K("], "column 5", "'('"),
        (["evaluate", "AhAsKhKs", "-b", "Kh", "--json"], "board", "1 card"),
        (["rank", "AhAs", "--json"], "hand 1", "2 cards"),
        (["streets", "AA", "KK", "--json"], "board", ""),
        (["pql", "select", "--json"], "query", ""),
        (["potlimit", "--pot", "x", "--json"], "", "'x'"),
        (["hands", "no/such/file", "--json"], "", "file"),
        # The words themselves.
        (["odds", "AA", "KK", "--jsno", "--json"], "", "--jsno"),
        (["odds", "AA", "KK", "--trials", "many", "--json"], "", "'many'"),
        (["odss", "AA", "--json"], "", "did you mean odds"),
    ],
)
def test_errors_are_objects(run: Run, arguments: list[str], place: str, words: str) -> None:
    done = run(*arguments, code=2)
    told = json.loads(done.stdout)
    assert set(told) == FIELDS
    assert place in told["place"]
    assert words in told["error"]
    assert told["problem"]
    assert told["problem"] in told["error"]
    line = done.stderr.splitlines()[0]
    assert " ".join(told["error"].split()) == line.removeprefix("equity: ")


def test_the_text_of_a_range_has_its_column(run: Run) -> None:
    told = json.loads(run("range", "AA,K(", "--json", code=2).stdout)
    assert (told["text"], told["column"]) == ("AA,K(", 5)


def test_without_json_stdout_is_empty(run: Run) -> None:
    assert run("odds", "AA", code=2).stdout == ""
    assert run("odds", "AA", "--", "--json", code=2).stdout == ""
