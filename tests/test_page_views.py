"""The tabs of the page: what they answer, need and save, and what clicks on answers do."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from page_tools import SPOT, Page, address, open_page

HISTORY = Path(__file__).parent / "histories" / "ggpoker.txt"
HANDS = ["AhAsKhKs", "9c8c7d6d"]
#: An address of each tab, and texts of its answer, which the documentation has too.
TABS = {
    "equity": (SPOT, ["62.32", "37.68", "exact, all 820 boards"]),
    "streets": (address(p=HANDS, b="Th7h2c3d4s", v="streets"), ["60.05", "72.50"]),
    "next": (f"{SPOT}&v=next", ["now 62.32", "+37.68"]),
    "two cards": (f"{SPOT}&v=next&next.two=1", ["93.8", "all 820 boards"]),
    "graph": (address(p=["AhAsKhKs", "10%"], b="Th7h2c", v="graph"), ["76.79", "7,782"]),
    "graph of boards": (f"{SPOT}&v=graph", ["rivers", "62.32"]),
    "texture": (address(p=["10%", "AA"], b="Th7h2c", v="texture"), ["@TOPSET", "22,985"]),
    "flops": (address(p=["AsAdKsJd"], v="flops"), ["@NUTFLUSHDRAW", "11.02", "17,296"]),
    "blockers": (
        address(p=["AhKsQdJc", "@SET,KK:@FLUSH"], b="Th7h2h9d", v="blockers"),
        ["in the hand", "+0.92"],
    ),
    "run it twice": (f"{SPOT}&v=boards", ["48.46", "607,620"]),
    "two boards": (f"{SPOT}&v=boards&boards.runs=board&boards.board2=4c5c6s", ["12.09"]),
    "stacks": (
        address(p=[*HANDS, "QdQcJdTd"], v="money", money__stacks="100,60,40", money__pot="10")
        + "&money.rake=5%25&money.cap=3",
        ["128.11", "side pot 1"],
    ),
    "a call": (
        address(p=["9c8c7d6d", "AA"], b="Tc5c2d", v="money", money__mode="call")
        + "&money.call=50&money.pot=150&money.rake=5%25&money.cap=3",
        ["25.38", "+35.49"],
    ),
    "pot limit": (
        address(v="money", money__mode="limit", money__pot="50", money__bets="10,10"),
        ["raise by 80, to 90"],
    ),
}
#: Addresses of spots that a tab cannot answer, and what it says.
NEEDS = {
    "nobody": ("?v=streets", "Give player 1 a hand"),
    "one player": (address(p=["AA"]), "Give player 2 a hand or a range"),
    "three cards": (address(p=["AA", "AhKhQh"]), "Player 2 has 3 cards"),
    "a flop": (address(p=HANDS, v="next"), "needs a flop or a turn"),
    "no river": (address(p=HANDS, b="Th7h2c3d4s", v="next"), "needs a flop or a turn"),
    "no pattern": (address(p=HANDS, b="T98:xxy", v="streets"), "is a pattern"),
    "a range": (f"{SPOT}&v=blockers", "of a known hand, player 1, against a range"),
    "stacks": (f"{SPOT}&v=money", "what each of the 2 players is all in for"),
    "a query": ("?v=pql", "Write a query"),
    "a table": ("?v=batch", "Choose a file, or paste a table"),
    "hands": ("?v=hands", "Choose a file of hands"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with open_page() as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """The page; at the end nothing was wrong, and nothing was asked elsewhere."""
    browser.size(1280, 900)
    yield browser
    assert browser.troubles() == []


@pytest.mark.parametrize("name", TABS)
def test_a_tab_answers(page: Page, name: str) -> None:
    search, texts = TABS[name]
    page.open(search)
    page.shows(*texts)
    # Nothing is wider than a small phone.
    page.size(360, 740)
    width = page.run("return document.documentElement.scrollWidth")
    assert width == 360
    assert page.run("return getComputedStyle(document.body).overflowX") == "visible"


@pytest.mark.parametrize("name", NEEDS)
def test_a_tab_says_what_it_needs(page: Page, name: str) -> None:
    search, text = NEEDS[name]
    page.open(search)
    page.shows(text)


def test_what_is_needed_is_one_click_away(page: Page) -> None:
    page.open(address(p=HANDS[:1]))
    page.click(".lack button")
    assert page.value("#text-p1") == "*"
    page.open(address(p=HANDS, v="next"))
    page.click(".lack button")
    page.wait(lambda: len(page.value("#text-board")) == 6)
    page.shows("best to worst")
    page.open(f"{SPOT}&v=money")
    page.click(".lack button")
    page.shows("100")
    assert page.value("[id='money.stacks']") == "100,100"


def test_an_option_that_is_wrong_is_marked(page: Page) -> None:
    page.open(address(p=HANDS, v="money", money__stacks="100,much"))
    page.shows("stacks, number 2: 'much' is no amount")
    assert page.one("[id='money.stacks']").get_attribute("aria-invalid") == "true"
    page.type("[id='money.stacks']", "100,60")
    page.shows("Expected chips")
    assert page.one("[id='money.stacks']").get_attribute("aria-invalid") is None


def test_a_card_of_the_heat_map_is_dealt(page: Page) -> None:
    page.open(f"{SPOT}&v=next")
    page.click("[data-card=Qh]")
    page.wait(lambda: page.value("#text-board") == "Th7h2cQh")
    page.shows("now 100.00")
    assert page.run("return document.activeElement.id") == "answer"
    page.driver.back()
    page.wait(lambda: page.value("#text-board") == "Th7h2c")
    page.shows("now 62.32")


def test_a_class_of_hands_becomes_a_condition(page: Page) -> None:
    page.open(address(p=["AA,KK", "AhAsKhKs"], b="Ad7d2c", v="texture"))
    page.click("[data-condition='@TOPSET']")
    page.wait(lambda: page.value("#text-p0") == "(AA,KK):@TOPSET")
    page.shows("(AA,KK):@TOPSET")
    assert page.run("return document.activeElement.dataset.condition") == "@TOPSET"
    assert "(AA,KK):@TOPSET" in unquote(page.driver.current_url)
    page.settle()
    page.click("[data-condition='@TOPSET']")
    page.wait(lambda: page.value("#text-p0") == "(AA,KK)")
    page.open(address(p=["AsAdKsJd"], v="flops"))
    page.click("[data-condition='@TOPSET']")
    page.shows("any")
    assert page.value("[id='flops.at_least']") == "@TOPSET"


def test_conditions_respect_weights(page: Page) -> None:
    page.open()
    cases = {
        "AA": "AA:@SET",
        "AA,KK": "(AA,KK):@SET",
        "AA@10,KK": "AA:@SET@10,KK:@SET",
        "[Ah,Kd]Q,(AA,KK)@5": "[Ah,Kd]Q:@SET,(AA,KK):@SET@5",
        "AA:@SET": "AA",
    }
    for text, wanted in cases.items():
        assert page.call("conditions.js", "it.withCondition(...given)", text, "@SET") == wanted


def test_deals_use_the_cards_that_are_left(page: Page) -> None:
    page.open(SPOT)
    used = {"Ah", "As", "Kh", "Ks", "9c", "8c", "7d", "6d"}
    script = (
        "Array.from({length: 200}, () => it.dealBoard({players: given[0], board: 'Th7h2c',"
        " dead: '', options: {}, hole: 4}, given[1]).board)"
    )
    for count in (3, 4, 5):
        for board in page.call("fields.js", script, HANDS, count):
            cards = [board[at : at + 2] for at in range(0, len(board), 2)]
            assert len(set(cards)) == len(cards) == count
            assert not used & set(cards)
            assert count == 3 or cards[:3] == ["Th", "7h", "2c"]


def test_high_and_low_are_apart(page: Page) -> None:
    page.open(address(g="o8", p=["AsKdQd2s", "Ac4d3h2h", "JcTc9c9d"], b="9s7s6h"))
    assert page.equities() == ["30.07", "29.47", "40.47"]
    page.shows("scoop", "quarter", "high", "low", "46.70", "without a low")


def test_a_query_is_run(page: Page) -> None:
    page.open(f"{SPOT}&v=pql")
    page.run(
        "const menu = document.querySelector('[aria-label=Examples]');"
        "menu.value = '1'; menu.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    assert "player_1='AhAsKhKs'" in page.value("[id='pql.query']")
    page.click(".options button.main")
    page.shows("511/820", "twopair")
    page.type(
        "[id='pql.query']", "select count(nutsHi(hero, flop)) from game='plo4', hero='AA', v='KK'"
    )
    page.click(".options button.main")
    page.shows("no function is called nutsHi", "Did you mean nutHi?")
    lines = page.run("return document.querySelector('#answer pre').textContent").split("\n")
    assert lines[1].index("^") == lines[0].index("nutsHi")


def test_a_batch_goes_from_file_to_file(page: Page, tmp_path: Path) -> None:
    page.open("?v=batch")
    table = tmp_path / "spots.csv"
    table.write_text("hero,villain,board\nAhAsKhKs,9c8c7d6d,\nAhAsKhKs,9c8c7d6d,Th7h2c\n")
    page.one("input[type=file]").send_keys(str(table))
    page.wait(lambda: "Th7h2c" in page.value("[id='batch.text']"))
    page.click(".options button.main")
    page.shows("60.05", "62.32")
    saved = save(page, "CSV", tmp_path)
    assert saved.name == "equity.csv"
    assert "0.6231707317073171" in saved.read_text()
    lines = save(page, "JSON", tmp_path).read_text().splitlines()
    assert [json.loads(line)["player1_equity_exact"] for line in lines] == [
        "326093/543004",
        "511/820",
    ]
    # Spots of others are nobody's business: they are in no link.
    assert "Th7h2c" not in page.driver.current_url


def test_hands_bring_a_table_and_luck(page: Page) -> None:
    page.open("?v=hands")
    page.one("input[type=file]").send_keys(str(HISTORY))
    page.wait(lambda: "Dealt to Hero" in page.value("[id='hands.text']"))
    page.click(".options button.main")
    page.shows("+114.33", "Bo")
    page.type("[id='hands.player']", "Hero")
    page.click(".options button.main")
    page.shows("Winnings of Hero")
    assert page.all("#answer svg.chart polyline")


def save(page: Page, what: str, folder: Path) -> Path:
    """The file that a button saves."""
    behaviour = {"behavior": "allow", "downloadPath": str(folder)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    before = set(folder.iterdir())
    page.click(f"[aria-label='Save {what}']")

    def found() -> Path | None:
        new = {one for one in folder.iterdir() if not one.name.endswith(".crdownload")} - before
        return next((one for one in new if one.stat().st_size and one.suffix), None)

    path: Path = page.wait(found)
    return path


@pytest.mark.parametrize("view", ["equity", "next", "graph"])
def test_pictures_have_their_colours_in_them(page: Page, view: str, tmp_path: Path) -> None:
    page.open(f"{SPOT}&v={view}")
    png = save(page, "PNG", tmp_path).read_bytes()
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 800
    assert height > 300
    drawn = save(page, "SVG", tmp_path).read_text()
    assert "var(" not in drawn
    assert "Omaha" in drawn
    assert "rgb(0, 114, 178)" in drawn or "rgba(11, 99, 197" in drawn


def test_a_report_is_saved(page: Page, tmp_path: Path) -> None:
    page.open(SPOT)
    report = save(page, "report", tmp_path).read_text()
    assert report.startswith("<!doctype html>")
    assert "The next card" in report


def test_link_command_and_call_are_copied(page: Page) -> None:
    page.open(SPOT)
    page.click("[aria-label='Copy command']")
    assert page.text("#toast").endswith("equity odds AhAsKhKs 9c8c7d6d -b Th7h2c")
    page.click("[aria-label='Copy Python']")
    page.wait(lambda: "equity.odds(['AhAsKhKs'" in page.text("#toast"))
    page.click("[aria-label='Copy link']")
    page.wait(lambda: "Copied the link: http://127.0.0.1" in page.text("#toast"))


def test_a_server_that_is_gone_is_told(browser: Page) -> None:
    browser.open(SPOT)
    browser.driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    browser.click("#tab-next")
    browser.shows("the server does not answer")
    online = offline | {"offline": False}
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", online)
    # The browser itself tells of the request that failed.
    assert all("ERR_INTERNET_DISCONNECTED" in one for one in browser.troubles())
