"""The table of the page: cards, ranges, keys, addresses, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from page_tools import SPOT, Keys, Page, address, open_page

KNOWN = ["60.05", "39.95"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with open_page() as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """The empty page; at the end nothing was wrong, and nothing was asked elsewhere."""
    browser.size(1280, 900)
    browser.open()
    yield browser
    browser.prefer()
    assert browser.troubles() == []


def deck(card: str) -> str:
    return f'[data-deck="{card}"]'


def test_cards_that_are_clicked_make_a_spot(page: Page) -> None:
    assert "Who is ahead?" in page.text("#answer")
    for card in ["Ah", "As", "Kh", "Ks", "9c", "8c", "7d", "6d"]:
        page.click(deck(card))
    assert page.value("#text-p0") == "AhAsKhKs"
    assert page.value("#text-p1") == "9c8c7d6d"
    page.shows("60.05")
    assert page.equities() == KNOWN
    assert "exact" in page.text("#answer .footing")
    assert page.one(deck("Ah")).get_attribute("aria-pressed") == "true"
    assert page.one(deck("Ad")).get_attribute("aria-pressed") == "false"
    # Cards go to the board when all hands are full.
    for card in ["Th", "7h", "2c"]:
        page.click(deck(card))
    page.shows("62.32")
    page.click(deck("6d"))
    assert page.value("#text-p1") == "9c8c7d"
    page.shows("3 cards")


def test_the_first_screen_has_spots_that_are_one_click_away(page: Page) -> None:
    examples = page.texts(".example b")
    assert len(examples) >= 4
    for number in range(len(examples)):
        page.open()
        page.all(".example")[number].click()
        page.wait(lambda: page.all("#answer article"))
        page.settle()


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.keys(*"AhAsKhKs9c8c7d6d")
    assert page.equities() == KNOWN
    page.keys("r")
    page.wait(lambda: len(page.value("#text-board")) == 6)
    page.keys("v")
    assert page.run("return document.activeElement.id") == "tab-equity"
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.run("return document.activeElement.id") == "tab-next"
    assert page.one("#tab-next").get_attribute("aria-selected") == "true"
    page.shows("best to worst")
    page.keys(Keys.HOME, Keys.ARROW_LEFT)
    assert page.run("return document.activeElement.id") == "tab-hands"
    page.keys(Keys.HOME)
    page.keys("?")
    assert page.run("return document.getElementById('help').open")
    page.keys(Keys.ESCAPE)
    page.keys("p")
    page.keys(Keys.ESCAPE, "e")
    assert page.value("#text-p0") == ""


def test_a_range_is_typed_where_cards_go(page: Page) -> None:
    page.keys(*"AhAsKhKsAA:xxyy")
    assert page.value("#text-p1") == "AA:xxyy"
    assert page.run("return document.activeElement.id") == "text-p1"
    page.keys(Keys.ENTER)
    assert page.run("return document.activeElement.id") == "text-board"
    page.keys("Kh9h4c")
    page.wait(lambda: "p=AA:xxyy&b=Kh9h4c" in page.search)
    page.keys(Keys.ESCAPE, "e")
    page.keys(*"15%")
    assert page.value("#text-p0") == "15%"


def test_the_deck_is_walked_with_arrows(page: Page) -> None:
    page.run("document.querySelector('[data-deck]').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
    assert page.value("#text-p0") == "Kh"
    page.keys(Keys.END, Keys.SPACE)
    assert page.value("#text-p0") == "Kh2h"
    page.keys(Keys.BACKSPACE)
    assert page.value("#text-p0") == "Kh"
    page.keys(*"9c8c7d", Keys.BACKSPACE)
    assert page.value("#text-p0") == "Kh9c8c"


def test_a_free_place_leads_to_the_deck(page: Page) -> None:
    page.run("document.querySelector(\"[aria-label='Player 2: pick a card']\").focus()")
    page.keys(Keys.ENTER)
    assert page.run("return document.activeElement.dataset.deck") == "As"
    page.keys(Keys.ENTER)
    assert page.value("#text-p1") == "As"


def test_everything_is_reached_with_tab_and_the_focus_is_seen(page: Page) -> None:
    reached = set()
    script = (
        "const one = document.activeElement;"
        "return [one.id || one.className, getComputedStyle(one).outlineStyle, one.tagName]"
    )
    page.keys(Keys.TAB)
    while (seen := page.run(script))[2] != "BODY":
        assert seen[1] != "none", seen
        reached.add(seen[0])
        page.keys(Keys.TAB)
    assert {"game", "clear", "theme", "help-button", "text-p0", "text-board", "tab-equity"} <= (
        reached
    )


def test_a_link_is_a_spot(page: Page) -> None:
    page.type("#text-p0", "AA:xxyy,KK@50")
    page.type("#text-p1", "10%")
    page.type("#text-board", "Kh9h4c")
    page.shows("sweep")
    page.click("#tab-texture")
    page.shows("@TOPSET")
    page.wait(lambda: "v=texture" in page.search)
    link = page.driver.current_url
    page.open()
    page.driver.get(link)
    page.shows("@TOPSET")
    assert page.value("#text-p0") == "AA:xxyy,KK@50"
    assert page.value("#text-p1") == "10%"
    assert page.value("#text-board") == "Kh9h4c"
    assert page.driver.title == "AA:xxyy,KK@50 v 10% on Kh9h4c - equity"
    # An alias of a game will do.
    page.open(address(g="omaha8", p=["AsKdQd2s", "Ac4d3h2h"]))
    assert page.value("#game") == "o8"


def test_an_error_stands_at_its_place(page: Page) -> None:
    page.type("#text-p0", "AhAsKhKs")
    page.type("#text-p1", "AA,,KK")
    said = page.wait(lambda: page.text("#said-p1"))
    assert "an empty item" in said
    assert page.run("return document.querySelector('#said-p1 pre').textContent") == "AA,,KK\n   ^"
    assert page.one("#text-p1").get_attribute("aria-invalid") == "true"
    assert not page.text("#said-p0")
    page.type("#text-p1", "AA")
    page.wait(lambda: not page.text("#said-p1"))
    page.type("#text-board", "Kh9h4cZz")
    page.wait(lambda: "suit variable z" in page.text("#said-board"))
    page.type("#text-board", "AhKd2c")
    page.shows("Ah is both in hand 1 and in the board")


def test_a_notice_stands_at_its_place(page: Page) -> None:
    page.type("#text-p1", "AA:ds")
    page.wait(lambda: "xxyy for double suited" in page.text("#said-p1"))
    assert page.one("#text-p1").get_attribute("aria-invalid") == "false"


def test_markup_in_a_range_is_text(page: Page) -> None:
    page.open(address(p=["<img src=x onerror=window.hit=1>", "<b>AA</b>"]))
    page.wait(lambda: page.text("#said-p0"))
    assert not page.all("main img, .said b b")
    assert page.run("return window.hit === undefined")


def test_live_combos_and_the_slider(page: Page) -> None:
    page.type("#text-p0", "AA:xxyy")
    page.wait(lambda: "864 combos" in page.text(".seat"))
    page.type("#text-board", "Kh9h4c")
    page.wait(lambda: "758 of 864 combos" in page.text(".seat"))
    page.click("[aria-label='Player 2: the best hands by percent']")
    page.run(
        "const range = document.querySelectorAll('.slider input')[1];"
        "range.value = 15; range.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    assert page.value("#text-p1") == "15%"
    page.wait(lambda: "combos" in page.texts(".seat")[1])
    page.run(
        "const choice = document.querySelectorAll('.slider select')[1];"
        "choice.value = '6max'; choice.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.wait(lambda: "by=6max" in page.search)


def test_players_are_added_and_removed(page: Page) -> None:
    page.open(SPOT)
    page.click(".players-box > .quiet")
    page.keys(*"+" * 8)
    assert len(page.all(".seat")) == 11
    assert not page.one(".players-box > .quiet").is_displayed()
    page.click("[aria-label='Remove player 1']")
    assert page.value("#text-p0") == "9c8c7d6d"
    page.run(
        "const game = document.getElementById('game');"
        "game.value = 'plo6'; game.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    assert len(page.all(".seat:nth-child(2) .tile.free")) == 6


def test_back_takes_a_deal_back(page: Page) -> None:
    page.open(SPOT)
    page.click("[aria-label='Deal a random turn']")
    page.wait(lambda: len(page.value("#text-board")) == 8)
    page.click("[aria-label='Deal a random river']")
    page.wait(lambda: len(page.value("#text-board")) == 10)
    page.driver.back()
    page.wait(lambda: len(page.value("#text-board")) == 8)
    page.driver.back()
    page.wait(lambda: page.value("#text-board") == "Th7h2c")
    page.shows("62.32")


def test_a_sample_sharpens_and_a_new_question_ends_it(page: Page) -> None:
    fine = address(p=["AA", "KK", "QQ", "JJ", "*"], equity__precision="fine")
    page.driver.get(page.link + fine)
    error = "return document.querySelector('#answer .equity small')?.innerText"
    page.wait(lambda: "\N{PLUS-MINUS SIGN}" in (page.run(error) or ""))
    assert page.run("return document.getElementById('answer').ariaBusy") == "true"
    first = float(page.run(error).strip("\N{PLUS-MINUS SIGN}"))
    page.wait(lambda: float(page.run(error).strip("\N{PLUS-MINUS SIGN}")) < first)
    assert "exact" not in page.text("#answer .footing")
    for number, hand in enumerate(["AhAsKhKs", "9c8c7d6d"]):
        page.type(f"#text-p{number}", hand)
    for _ in range(3):
        page.click("[aria-label='Remove player 3']")
    assert page.equities() == KNOWN


def test_light_and_dark(page: Page) -> None:
    page.prefer(prefers_color_scheme="dark")
    ground = "return getComputedStyle(document.body).backgroundColor"
    dark = page.run(ground)
    page.prefer(prefers_color_scheme="light")
    light = page.run(ground)
    assert dark != light
    page.click("#theme")
    page.click("#theme")
    assert page.run(ground) == dark
    page.open()
    assert page.run(ground) == dark
    page.click("#theme")
    assert page.run(ground) == light


def test_cards_are_picked_on_a_narrow_screen(page: Page) -> None:
    page.size(390, 844)
    assert not page.one(".deck").is_displayed()
    page.click(".tiles")
    assert page.one(".deck").is_displayed()
    page.click(deck("Ah"))
    assert page.value("#text-p0") == "Ah"
    page.click(".deck .done")
    assert not page.one(".deck").is_displayed()


def test_the_answer_is_said(page: Page) -> None:
    page.open(SPOT)
    said = page.wait(lambda: page.run("return document.getElementById('spoken').textContent"))
    assert said == "AsAhKsKh 62.32 percent, 9c8c7d6d 37.68 percent, exact"
