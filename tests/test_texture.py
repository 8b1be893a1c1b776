"""What hands have on a board: by hand, and against the definitions one hand at a time."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import naive_texture
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_textures import EXAMPLES
from naive import cards

from equity.errors import CardCountError, DuplicateCardError, PredicateError
from equity.ranges.hand_classes import CLASSES
from equity.ranges.hands import hand_space
from equity.ranges.predicates import (
    ALIASES,
    PREDICATES,
    Predicate,
    check_predicate,
    find_predicate,
    predicate_mask,
)
from equity.ranges.texture import Texture
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, Game, find_game
from equity.rules.ranks import high_of, high_value, low_of, low_value

#: Forms beside those with and without a plus.
NUMBERED = {"NUTS": (1, 2, 3, 8), "LOW": (5, 6, 7, 8), "WRAP": (9, 13, 17), "NUTOUTS": (1, 4, 9)}


def read(text: str) -> tuple[str, int | None, bool]:
    """Name, number and plus, as they may be written."""
    found = re.fullmatch(r"([A-Z]+)(\d*)(\+?)", text)
    assert found is not None
    name, number, plus = found.groups()
    return name, int(number) if number else None, bool(plus)


def written(name: str) -> list[tuple[str, int | None, bool]]:
    """A predicate in all ways that are compared."""
    forms = find_predicate(name, find_game("o8")).forms
    return [
        (name, number, "+" in form)
        for form in forms
        for number in (NUMBERED[name] if "n" in form else (None,))
    ]


FORMS = [form for predicate in PREDICATES for form in written(predicate.name)]


@cache
def texture(game: str, board: str) -> Texture:
    return Texture(game, board)


def mask(on: Texture, name: str, number: int | None = None, plus: bool = False) -> np.ndarray:
    return predicate_mask(on, find_predicate(name, on.game), number, plus)


def holds(text: str, hand: str, board: str) -> bool:
    game = {8: "o8", 10: "bigo", 12: "plo6-8"}[len(hand)]
    on = texture(game, board)
    number = hand_space(on.game.hole).index(np.array([cards(hand)]))[0]
    return bool(mask(on, *read(text))[number])


@pytest.mark.parametrize(("text", "board", "good", "bad"), EXAMPLES)
def test_examples(text: str, board: str, good: str, bad: str) -> None:
    for hands, expected in ((good, True), (bad, False)):
        for hand in hands.split():
            known = cards(hand), cards(board)
            assert naive_texture.holds(*read(text), *known) == expected, hand
            assert holds(text, hand, board) == expected, hand


def test_each_form_has_an_example() -> None:
    shown = [read(text) for text, _, good, _ in EXAMPLES if good]
    refused = {read(text) for text, _, _, bad in EXAMPLES if bad} | {("HIGHCARD", None, True)}
    for predicate in PREDICATES:
        for form in predicate.forms:
            alike = [
                (name, number is not None, plus)
                for name, number, plus in shown
                if (name, number, plus) in refused
            ]
            # A plus behind WRAP says nothing, it is nine outs or more anyway.
            if (predicate.name, form) != ("WRAP", "+"):
                assert (predicate.name, "n" in form, "+" in form) in alike


@pytest.mark.parametrize("predicate", PREDICATES)
def test_examples_of_the_table(predicate: Predicate) -> None:
    hand, board = predicate.example.split(" on ")
    text = predicate.name if "" in predicate.forms else f"{predicate.name}8+"
    assert holds(text, hand, board)
    assert naive_texture.holds(*read(text), cards(hand), cards(board))


# Against the definitions

DECKS = {
    "any": range(52),
    "two suits": [card for card in range(52) if card % 4 < 2],
    "four ranks": [card for card in range(52) if 7 <= card // 4 <= 10],
    "low": [card for card in range(52) if card // 4 in (12, 0, 1, 2, 3, 4, 5, 6)],
    "low and kings": [card for card in range(52) if card // 4 in (11, 0, 1, 3, 5)],
    "close": [card for card in range(52) if 4 <= card // 4 <= 9],
    "suited ranks": [card for card in range(52) if card % 4 == 3 and card // 4 >= 4],
}


def boards(seed: int, each: int, decks: list[str] | None = None) -> list[tuple[int, ...]]:
    """Boards of all streets, from decks that make everything come up."""
    chance = random.Random(seed)
    return [
        tuple(chance.sample(list(DECKS[deck]), size))
        for deck in decks or DECKS
        for size in (3, 4, 5)
        for _ in range(each)
    ]


def compare(on: Texture, chance: np.random.Generator, each: int) -> Counter[object]:
    """Compare some hands of each kind; how many of which were compared."""
    space = hand_space(on.game.hole)
    some = chance.integers(space.size, size=min(space.size, 150_000))
    live = np.unique(some[on.live[some]])
    held = {}
    seen: Counter[object] = Counter()
    for form in FORMS:
        if find_predicate(form[0], find_game("o8")).needs_low and not on.game.low:
            continue
        answers = mask(on, *form)[live]
        for answer in (True, False):
            inside = live[answers == answer]
            if not len(inside):
                continue
            picks = chance.choice(inside, size=min(each, len(inside)), replace=False).tolist()
            values = on.high[inside]  # the weakest that is in and the strongest that is not
            picks.append(int(inside[values.argmin() if answer else values.argmax()]))
            for number in picks:
                if number not in held:
                    held[number] = tuple(space.hands(np.array([number]))[0].tolist()[::-1])
                expected = naive_texture.holds(*form, held[number], on.board)
                assert expected == answer, (
                    on.game.name,
                    form,
                    format_cards(held[number]),
                    format_cards(on.board),
                )
                seen[form, answer] += 1
    return seen


@pytest.mark.parametrize(
    ("game", "each", "decks", "hands"),
    [
        ("o8", 1, None, 2),
        ("plo4", 1, ["suited ranks"], 1),
        ("bigo", 1, ["low"], 1),
        ("plo5", 1, ["two suits"], 1),
    ],
)
def test_agrees(game: str, each: int, decks: list[str] | None, hands: int) -> None:
    seen: Counter[object] = Counter()
    chance = np.random.default_rng(3)
    for board in boards(6, each, decks):
        seen += compare(Texture(game, board), chance, hands)
    if decks is None:  # nothing has passed for want of hands to compare
        few = {(form, yes) for form in FORMS for yes in (True, False) if seen[form, yes] < 10}
        assert few == {(("HIGHCARD", None, True), False)}


@pytest.mark.parametrize(("game", "board"), [("plo6-8", "6h5s2s"), ("plo6", "TsTd9s8s")])
def test_agrees_on_hands_of_six(game: str, board: str) -> None:
    seen = compare(Texture(game, board), np.random.default_rng(4), 1)
    assert len(seen) > 50


@settings(max_examples=10, deadline=None)
@given(game=st.sampled_from(GAMES[:2]), seed=st.integers(0, 2**32))
def test_agrees_on_any_board(game: Game, seed: int) -> None:
    board = random.Random(seed).choice(boards(seed, 1))
    compare(Texture(game, board), np.random.default_rng(seed), 1)


@pytest.mark.parametrize("game", ["o8", "bigo"])
def test_values_are_those_of_the_rules(game: str) -> None:
    chance = np.random.default_rng(5)
    for board in boards(6, 1):
        on = Texture(game, board)
        space = hand_space(on.game.hole)
        picks = chance.integers(space.size, size=40)
        picks = picks[on.live[picks]]
        for number, hand in zip(picks.tolist(), space.hands(picks).tolist(), strict=True):
            fives = [
                two + three for two in combinations(hand, 2) for three in combinations(board, 3)
            ]
            assert on.high[number] == max(high_value(high_of(five)) for five in fives)
            assert on.low[number] == max(low_value(low_of(five)) for five in fives)


def test_live_hands_hold_no_card_of_the_board() -> None:
    space = hand_space(4)
    hands = space.hands(np.arange(space.size))
    for board in boards(7, 1, ["any", "two suits", "four ranks"]):
        on = Texture("plo4", board)
        assert np.array_equal(on.live, ~np.isin(hands, board).any(axis=1))


def test_all_hands_of_a_board() -> None:
    """Every hand, not only some, of two small things that can be said at once."""
    space = hand_space(4)
    hands = space.hands(np.arange(space.size))
    on = texture("plo4", "QsJs2c")
    spades = (hands % 4 == 3) & ~np.isin(hands, on.board)
    drawing = (spades.sum(axis=1) >= 2) & on.live
    assert np.array_equal(mask(on, "FLUSHDRAW") & on.live, drawing)
    aces = np.any(hands == 51, axis=1)
    assert np.array_equal(mask(on, "NUTFLUSHDRAW") & on.live, drawing & aces)
    queens = (hands // 4 == 10).sum(axis=1)
    assert np.array_equal(mask(on, "TOPSET") & on.live, on.live & (queens >= 2))


# Classes


@pytest.mark.parametrize("game", ["o8", "plo5"])
def test_made_classes_partition_all_hands(game: str) -> None:
    for board in boards(8, 1, ["any", "suited ranks"] if game == "o8" else ["two suits"]):
        on = Texture(game, board)
        count = np.zeros(len(on.high), dtype=int)
        for name in naive_texture.CATEGORIES:
            count += mask(on, name)
        assert np.all(count == 1)
        within = {
            "PAIR": ["UNDERPAIR", "BOTTOMPAIR", "MIDPAIR", "TOPPAIR", "OVERPAIR"],
            "SET": ["BOTTOMSET", "MIDSET", "TOPSET"],
            "THREEOFAKIND": ["SET", "TRIPS"],
        }
        on_board = max(on.ranks.count(rank) for rank in on.ranks)
        for whole, names in within.items():
            parts = np.sum([mask(on, name) for name in names], axis=0)
            assert np.all(parts <= mask(on, whole))
            # The rest is a pair, or three of a kind, of the board alone.
            if on_board == 1:
                assert np.array_equal(parts[on.live], mask(on, whole)[on.live])
        assert not np.any(mask(on, "SET") & mask(on, "TRIPS") & on.live)


def test_or_better_is_a_class_and_all_above_it() -> None:
    for board in boards(9, 1, ["any", "suited ranks", "four ranks"]):
        on = Texture("plo4", board)
        for name in [*CLASSES, "NUTFLUSH", "NUTSTRAIGHT"]:
            exact, better = mask(on, name) & on.live, mask(on, name, None, True)
            assert np.all(better[exact])
            assert not better.all() or name in ("HIGHCARD", "PAIR") or on.high.min() > 1
            worst, best = on.high[better].min(initial=9999), on.high[~better].max(initial=0)
            assert best < worst
            if exact.any():
                assert worst == on.high[exact].min()


def test_least_hands_by_trying_all() -> None:
    """The slow search for the least hand of a class, against every hand of four cards."""
    board = cards("9d5s4c")
    two = naive_texture.values_of_two(board)
    of_value = {
        max(two[pair] for pair in combinations(hand, 2)): hand
        for hand in combinations(naive_texture.unseen(board), 4)
    }
    for name in CLASSES:
        inside = [
            value for value, hand in of_value.items() if naive_texture.EXACT[name](hand, board)
        ]
        if inside:
            assert naive_texture.least_value(name, board, 4) == min(inside), name
    assert len(of_value) > 50


# Names


def test_names() -> None:
    game = find_game("o8")
    names = [predicate.name for predicate in PREDICATES] + [alias.name for alias in ALIASES]
    assert len(set(names)) == len(names)
    assert find_predicate("nfd", game) is find_predicate("NUTFLUSHDRAW", game)
    for alias in ALIASES:
        assert find_predicate(alias.name, game).name == alias.predicate
        assert alias.meaning
    assert {predicate.name for predicate in PREDICATES} == {*naive_texture.EXACT, "NUTOUTS"}
    assert {predicate.group for predicate in PREDICATES} == {"made", "nuts", "draw", "low"}


def test_all_names_are_described() -> None:
    page = Path(__file__).parent.parent / "docs" / "board-predicates.md"
    words = set(re.findall(r"`([A-Z0-9]+)", page.read_text(encoding="utf-8")))
    for name in [row.name for row in PREDICATES] + [row.name for row in ALIASES]:
        assert name in words or f"{name}8" in words


def test_unknown_names() -> None:
    with pytest.raises(PredicateError, match=r"'TOPAIR' .* did you mean TWOPAIR or TOPPAIR"):
        find_predicate("TOPAIR", find_game("plo4"))
    with pytest.raises(PredicateError, match="known are HIGHCARD, PAIR"):
        find_predicate("\u2660", find_game("plo4"))


@pytest.mark.parametrize("name", ["LOW", "NUTLOW", "LOWDRAW", "NUTLOWDRAW", "COUNTERFEIT"])
def test_lows_need_a_low(name: str) -> None:
    with pytest.raises(PredicateError, match=r"plo5 has none; .* o8, bigo, plo6-8"):
        find_predicate(name, find_game("plo5"))
    assert find_predicate(name, find_game("bigo")).needs_low


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("WRAP13", r"write WRAP, WRAP\+ or WRAP<n>\+"),
        ("NUTS+", "write NUTS or NUTS<n>"),
        ("NUTOUTS+", r"write NUTOUTS<n>\+"),
        ("FLUSHDRAW+", "write FLUSHDRAW"),
        ("TOPPAIR2", r"write TOPPAIR or TOPPAIR\+"),
        ("WRAP0+", "from 1 to 52"),
        ("NUTS0", "from 1 to 9,999"),
        ("LOW9", "from 5 to 8"),
    ],
)
def test_wrong_numbers(text: str, hint: str) -> None:
    name, number, plus = read(text)
    predicate = find_predicate(name, find_game("o8"))
    with pytest.raises(PredicateError, match=hint):
        check_predicate(predicate, number, plus)
    with pytest.raises(PredicateError, match=hint):
        predicate_mask(texture("o8", "QhJd2c"), predicate, number, plus)


def test_boards_that_are_none() -> None:
    with pytest.raises(CardCountError, match="2 known cards"):
        Texture("plo4", "AhKh")
    with pytest.raises(CardCountError, match="6 known cards"):
        Texture("plo4", "AhKhQhJhTh9h")
    with pytest.raises(DuplicateCardError):
        Texture("plo4", "AhKhAh")


def test_arrays_are_read_only() -> None:
    on = texture("plo4", "QhJd2c")
    for array in (on.high, on.low, on.live, on.reachable, on.straight_outs, on.flush_draw):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    before = on.flush_draw.copy()
    mask(on, "FLUSHDRAW")[:] = True
    assert np.array_equal(on.flush_draw, before)


def test_definitions_answer_both_ways() -> None:
    chance = random.Random(12)
    answers: dict[object, set[bool]] = {form: set() for form in FORMS}
    for board in boards(13, 1, ["low"]):
        for _ in range(12):
            hole = tuple(sorted(chance.sample(naive_texture.unseen(board), 4)))
            for form in FORMS:
                answers[form].add(naive_texture.holds(*form, hole, board))
    same = [form for form, found in answers.items() if len(found) == 1]
    assert len(same) < len(FORMS) / 3
