"""Answers as HTML: well formed, escaped, and with the figures of the answers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape
from typing import Any

import pytest
from operation_bodies import BODIES, HERO

import equity
from equity.html.render import render, style
from equity.html.tags import Markup, el
from equity.operations import OPERATIONS, find_operation
from equity.results.text import error_percent, percent
from equity.rules.games import GAMES

ASKED = [(path, body) for path, body in BODIES if not path.startswith("report")]


def shown(path: str, body: dict[str, Any]) -> str:
    return render(find_operation(path).ask(body).answer(None))


def check(html: str) -> ET.Element:
    """The elements of a fragment, which asks for nothing and runs nothing."""
    whole = ET.fromstring(html)
    for element in whole.iter():
        assert element.tag.rpartition("}")[2] not in {"script", "style", "link", "iframe", "img"}
        for name in element.attrib:
            assert name != "style"
            assert not name.startswith("on")
            assert name not in {"href", "src"}
    return whole


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", html))


@pytest.mark.parametrize(("path", "body"), ASKED, ids=[path for path, _ in ASKED])
def test_fragments_are_well_formed(path: str, body: dict[str, Any]) -> None:
    check(shown(path, body))


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


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_equities_are_those_of_the_answer(game: str) -> None:
    body = {"players": [HERO[game], "*"], "game": game, "board": "9s7s6h", "trials": 2_000}
    result: Any = find_operation("odds").ask(body).answer(None)
    html = render(result)
    check(html)
    text = text_of(html)
    for player in result.players:
        assert percent(player.equity_exact) in text
        assert error_percent(player.equity_error) in text
        if player.low is not None:
            assert percent(player.low.equity_exact) in text
    assert "sampled" in text


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
    for path, body in ASKED:
        for kinds in re.findall(r'class="([^"]*)"', shown(path, body)):
            for kind in kinds.split():
                if re.fullmatch(r"[pck]\d+|up\d|down\d", kind):
                    assert f".{kind} " in sheet, kind
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
