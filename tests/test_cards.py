from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import equity
from equity.rules.cards import format_cards, format_hand, parse_cards

hands = st.lists(st.integers(0, 51), max_size=8)


@given(hands)
def test_text_and_back(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)


def test_the_ends_of_the_deck() -> None:
    assert parse_cards("2c2d2h2s3cAs") == (0, 1, 2, 3, 4, 51)


@pytest.mark.parametrize(
    "text",
    [
        "AhKsTd9c",
        "ahksTD9C",
        "AH KS 10d 9c",
        "Ah-Ks-10D-9c",
        "\tAh\u00a0Ks\n Td  9c ",
        "A♥K♠T♦9♣",
        "A♥\ufe0fK♠\ufe0f10♦\ufe0e9♣\ufe0f",
        "A♡ K♤ T♢ 9♧",
    ],
)
def test_spellings(text: str) -> None:
    assert format_cards(parse_cards(text)) == "AhKsTd9c"


@pytest.mark.parametrize("text", ["", "-", "  ", " - "])
def test_no_cards(text: str) -> None:
    assert parse_cards(text) == ()


def test_a_hand_prints_ranks_down_then_suits_s_h_d_c() -> None:
    assert format_hand(parse_cards("2c9dAcAsAh9c")) == "AsAhAc9d9c2c"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AhX", ["hand 1, column 3", "'X'", "no rank"]),
        ("A1KsQdJd", ["column 1", "'A1'", "'1' is no suit", "s h d c"]),
        ("AhKsQ", ["column 5", "'Q'", "no suit"]),
        ("Ah K s", ["column 4", "'K'", "no suit"]),
        ("AA", ["'AA'", "no suit"]),
        ("1h", ["'1h'", "no rank"]),
        ("As,Ks,Qd,Jd", ["comma", "'As Ks Qd Jd'"]),
        ("6\u0441Tc9h", ["U+0441", "CYRILLIC SMALL LETTER ES", "looks like 'c'"]),
        ("\u0410h", ["U+0410", "looks like 'A'", "no rank"]),
        ("\uff21h", ["U+FF21", "looks like 'A'"]),
        ("A\ud83c", ["U+D83C"]),
        ("A\x00", ["x00' is no suit"]),
    ],
)
def test_what_is_not_a_card(text: str, words: list[str]) -> None:
    with pytest.raises(equity.CardError) as caught:
        parse_cards(text, "hand 1")
    message = str(caught.value)
    assert message.isascii()
    assert "\n" not in message
    for word in words:
        assert word in message


def test_what_was_read_before_keeps_its_place() -> None:
    """Text is remembered, where it stands is not."""
    for text in ("AhKsQ", "Ah,Ks", "AhXs"):
        for place in ("hand 1", "board", "hand 1"):
            with pytest.raises(equity.CardError, match=f"^{place}, column "):
                parse_cards(text, place)
    first, second = parse_cards("AhKs", "hand 1"), parse_cards("AhKs", "board")
    assert first == second == (50, 47)


@given(st.text("aAkKT10hHsS♥♠ -\ufe0f", max_size=12))
def test_plain_text_and_any_other_are_read_alike(text: str) -> None:
    """A space in front makes the text one that is read character by character."""
    try:
        cards = parse_cards(text)
    except equity.CardError as error:
        problem = error.problem
        with pytest.raises(equity.CardError) as caught:
            parse_cards(f" {text}")
        assert caught.value.problem.replace(" ", "") == problem.replace(" ", "")
    else:
        assert parse_cards(f" {text}") == parse_cards(f"{text} ") == cards


@pytest.mark.parametrize("cards", [[52], [-1], [1.0], ["Ah", "Kx"], ["Ah", 3], 7, None, [None]])
def test_what_is_not_a_card_id(cards: object) -> None:
    with pytest.raises(equity.CardError, match="hand 2"):
        parse_cards(cards, "hand 2")  # type: ignore[arg-type]


@given(st.text(max_size=12))
def test_any_text_is_cards_or_an_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except equity.CardError as error:
        message = str(error)
    else:
        message = format_cards(cards)
    assert message.isascii()
