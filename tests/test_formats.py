"""Every answer is written in every format, by one module."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest

import equity
from equity.ranges import Range
from equity.results.formats import FORMATS, PLAIN, Listing, Printable, written
from equity.views.breakdown import breakdown

HANDS, FLOP = ["AhAsKhKs", "9c8c7d6d"], "Th7h2c"
ANSWERS: dict[str, Callable[[], Printable]] = {
    "odds": lambda: equity.odds(HANDS, "o8", FLOP),
    "all_in": lambda: equity.all_in(HANDS, board=FLOP, stacks=[9, 5], rake="5%"),
    "pot_odds": lambda: equity.pot_odds(HANDS, board=FLOP, call=5, pot=9),
    "pot_limit": lambda: equity.pot_limit(50, [10, 10]),
    "two_boards": lambda: equity.two_boards(HANDS, board=FLOP),
    "streets": lambda: equity.streets(HANDS, board=FLOP),
    "next_cards": lambda: equity.next_cards(HANDS, board=FLOP),
    "two_cards": lambda: equity.two_cards(HANDS, board=FLOP),
    "graph": lambda: equity.graph([HANDS[0], "9c8c7d*"], board=FLOP),
    "blockers": lambda: equity.blockers([HANDS[0], "9c8c7d*"], board=FLOP),
    "breakdown": lambda: breakdown(Range("9c8c*"), (34, 22, 0)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_in_every_format(name: str) -> None:
    answer = ANSWERS[name]()
    texts = {output: written(answer, output) for output in FORMATS}
    assert all(text.isascii() and text.endswith("\n") for text in texts.values())
    (whole,) = map(json.loads, texts["json"].splitlines())
    told = whole.get({"all_in": "money", "pot_odds": "call"}.get(name, ""), whole)
    assert told.items() >= json.loads(json.dumps(answer.to_dict())).items()
    rows = list(csv.reader(io.StringIO(texts["csv"])))
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1
    assert len(set(rows[0])) == len(rows[0])
    lines = texts["table"].splitlines()
    assert lines == list(answer.lines(PLAIN))
    assert max(map(len, lines)) <= 80


def test_a_listing_is_written_as_it_comes() -> None:
    rows = ([number, f"a,{number}", number == 1] for number in range(2_500))
    pieces = FORMATS["csv"](Listing(["number", "text", "first"], lambda: rows), PLAIN)
    assert next(pieces) == "number,text,first\n"
    assert next(pieces).startswith('0,"a,0",false\n1,"a,1",true\n')
    assert next(rows)[0] == 1_000
    listing = Listing(["number", "text"], lambda: [[1, "x"], [2, None]])
    assert written(listing, "json") == '{"number": 1, "text": "x"}\n{"number": 2, "text": null}\n'
    assert written(listing) == "1 x\n2 None\n"
