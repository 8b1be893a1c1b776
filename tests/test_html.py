"""Answers as HTML: well formed, escaped, and with the figures of the answers."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any

import pytest
from html_tools import check, shown, text_of
from operation_bodies import BODIES, HANDS

import equity
from equity.html.charts import Bar, Line, bar, line_chart
from equity.html.render import render, style
from equity.html.tags import Markup, el
from equity.operations import OPERATIONS, find_operation

ASKED = [(path, body) for path, body in BODIES if not path.startswith("report")]


@cache
def fragment(at: int) -> str:
    """The fragment of one of :data:`ASKED`."""
    return shown(*ASKED[at])


@pytest.mark.parametrize("at", range(len(ASKED)), ids=[path for path, _ in ASKED])
def test_fragments_are_well_formed(at: int) -> None:
    check(fragment(at))


def test_texts_are_escaped() -> None:
    made = el("p", '<b> & "', el("i", "x"), title='"><script>')
    assert made == '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt; &amp; &quot;<i>x</i></p>'
    assert (
        el("td", None, [Markup("<hr/>"), ["a"]], n=0.5, hidden=False) == '<td n="0.5"><hr/>a</td>'
    )
    body = {"text": "player1,player2,<script>\n<script>alert(1)</script>,KK,1\n"}
    html = shown("batch", body | {"ignore_columns": "all"})
    check(html)
    assert "<script>" not in html


def test_exact_fractions_are_titles_of_exact_equities() -> None:
    assert "exactly 326093/543004" in shown("odds", {"players": ["AhAsKhKs", "9c8c7d6d"]})


def test_heat_maps_have_a_button_for_every_live_card() -> None:
    body = {"players": ["AhAsKhKs", "9c8c7d6d"], "board": "Th7h2c"}
    view: Any = find_operation("views/next").ask(body).answer(None)
    whole = check(render(view))
    buttons = {one.get("data-card"): one.text for one in whole.iter("button")}
    assert len(buttons) == 52 - 8 - 3
    for row in view.to_dict()["rows"]:
        for card in re.findall("..", row["cards"]):
            assert float(str(buttons[card])) == pytest.approx(
                100 * row["players"][0]["equity"], abs=0.06
            )


def test_conditions_of_a_texture_are_buttons() -> None:
    body = {"expression": "10%", "board": "Th7h2c"}
    view: Any = find_operation("range/texture").ask(body).answer(None)
    named = [one.get("data-condition") for one in check(render(view)).iter("button")]
    assert named == [row.condition for row in view.rows if row.combos]


def test_classes_are_in_the_style_sheet() -> None:
    """Every colour that a chart asks for is there, and light and dark have the same names."""
    sheet = style()
    sheet.encode("ascii")
    assert not re.search(r"url\(|@import|http", sheet)
    for at in range(len(ASKED)):
        for kinds in re.findall(r'class="([^"]*)"', fragment(at)):
            for kind in kinds.split():
                if re.fullmatch(r"[pc]\d+|up\d|down\d", kind):
                    assert re.search(rf"\.{kind}\b", sheet), kind
    names = [
        re.findall(r"--[\w]+(?=:)", block)
        for block in re.findall(r"\{([^{}]*--ink:[^{}]*)\}", sheet)
    ]
    assert len(names) == 3
    assert all(set(one) == set(names[0]) for one in names)


@pytest.mark.parametrize("found", [lambda: equity.Range("10%"), lambda: equity.rank("AsKsQhJh")])
def test_notebooks_show_what_is_no_answer_of_an_operation(found: Any) -> None:
    html = found()._repr_html_()
    assert html.startswith("<style>")
    check(html.partition("</style>")[2])


def test_results_show_themselves_in_notebooks() -> None:
    result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
    assert "60.05" in result._repr_html_()


def test_every_operation_is_drawn() -> None:
    assert {path for path, _ in ASKED} | {"report", "report/batch"} == set(OPERATIONS)


def test_hostile_names_stay_text() -> None:
    hostile = "<script>&'\""
    text = sorted(HANDS.glob("*.txt"))[0].read_text().replace("Hero", hostile)
    html = shown("hands", {"text": text, "player": hostile})
    check(html)
    assert "<script" not in html
    assert hostile in text_of(html)


@pytest.mark.parametrize("error", [None, 0.0, 0.01, 2.0, math.inf])
def test_errors_of_bars_stay_within_the_bar(error: float | None) -> None:
    drawn = ET.fromstring(bar(Bar([0.6, 0.39], error)))
    lines = [one for one in drawn.iter() if one.tag.endswith("line")]
    assert bool(lines) == (error in (0.01, 2.0))
    for line in lines:
        assert 0 <= float(line.attrib["x1"]) < float(line.attrib["x2"]) <= 100


def test_lines_are_told_apart_without_colours() -> None:
    """No two of eleven have the same dashes and marks."""
    lines = [Line(str(at), [0.5, 0.5]) for at in range(11)]
    chart = line_chart(lines, across=["a", "b"], label="x", is_dotted=True)
    entries = [one for one in ET.fromstring(f"<div>{chart}</div>").iter() if one.tag == "li"]
    looks = set()
    for entry in entries:
        line, mark = next(iter(entry))
        number = line.attrib["class"].split()[-1]
        dashes = re.search(rf"\.{number}\b[^{{}}]*\) {{ stroke-dasharray: ([^;]*)", style())
        looks.add((dashes and dashes[1], mark.get("points")))
    assert len(entries) == len(looks) == len(lines)
