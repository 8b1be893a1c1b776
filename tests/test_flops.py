"""What hands flop: against the definitions, one hand and one board at a time."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import naive_texture
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import cards
from test_texture import DECKS, read
from test_texture import written as all_forms

import equity
from equity.engine import holdings as engine
from equity.engine.holdings import tally_holdings
from equity.ranges import Range
from equity.ranges.holdings import Holdings
from equity.ranges.predicates import PREDICATES, find_predicate, predicate_mask
from equity.ranges.texture import Texture
from equity.rules.games import GAMES, Game, find_game
from equity.views.breakdown import breakdown
from equity.views.flop_kinds import SPLITS, kinds_of
from equity.views.flop_table import Flops

HAND = {4: "AsAdKsJd", 5: "AsAdKsJd5c", 6: "AsAdKsJd5c4h"}
NINE = naive_texture.CATEGORIES


def forms(game: Game) -> list[tuple[str, int | None, bool]]:
    """Every way to write a condition of a game."""
    named = [row.name for row in PREDICATES if game.low or not row.needs_low]
    return [form for name in named for form in all_forms(name)]


def mask_of(found: Holdings, form: tuple[str, int | None, bool]) -> np.ndarray:
    name, number, plus = form
    return predicate_mask(found, find_predicate(name), number, plus)


def count_of(found: Flops, condition: str, group: str | None = None) -> int:
    """On how many of all boards a condition holds."""
    count = found.row(condition, group).cells[0].count
    assert count is not None
    return count


def counts(found: Holdings, form: tuple[str, int | None, bool]) -> int:
    return int(found.per_board(mask_of(found, form)).sum())


def few_boards(
    chance: random.Random, game: Game, deck: str, size: int, known: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], list[tuple[int, ...]]]:
    """A hand, known and dead cards, and all boards of a few that these leave."""
    free = chance.sample(list(DECKS[deck]), game.hole + size + 2)
    hand = tuple(free[: game.hole])
    board = tuple(free[game.hole : game.hole + known])
    left = free[game.hole + known : game.hole + size + 1]
    dead = tuple(card for card in range(52) if card not in (*hand, *board, *left))
    return hand, board, dead, [(*board, *more) for more in combinations(left, size - known)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(("size", "known"), [(3, 0), (3, 1), (4, 3), (5, 3)])
def test_hands_by_the_definitions(game: Game, size: int, known: int) -> None:
    chance = random.Random(f"{game.name} {size} {known}")
    fits = [name for name, deck in DECKS.items() if len(deck) >= game.hole + size + 2]
    deck = chance.choice(fits)
    hand, board, dead, boards = few_boards(chance, game, deck, size, known)
    found = tally_holdings(Range.from_hands([hand], game), board, dead, size, threads=1)
    assert found.weight.sum() == len(boards)
    for form in chance.sample(forms(game), 16):
        expected = sum(naive_texture.holds(*form, hand, one) for one in boards)
        assert counts(found, form) == expected, (form, hand, boards)


def canonical(board: tuple[int, ...]) -> list[int]:
    """The suits of the ranks of a board, whatever the suits are called."""
    return sorted(sum(1 << (card // 4) for card in board if card % 4 == suit) for suit in range(4))


@pytest.mark.parametrize(
    ("game", "text", "board", "dead", "size"),
    [
        ("o8", "AA@30,KQJT,A23K:ds@7", "", "AsKd", 3),
        ("plo4", "10%", "Qh", "2c", 3),
        ("bigo", "AK23:ds", "AdKh", "", 3),
        ("o8", "10%", "AsKdTd", "3c", 4),
        ("o8", "5%", "AsKs2c4s", "", 5),
    ],
)
def test_ranges_by_board(game: str, text: str, board: str, dead: str, size: int) -> None:
    """Each canonical board has what all hands have on the boards that it stands for."""
    chance = random.Random(text)
    hands, known, gone = Range(text, game), cards(board), cards(dead)
    found = tally_holdings(hands, known, gone, size)
    live = hands.live((), gone).range
    asked = chance.sample(forms(find_game(game)), 12)
    held = {form: found.per_board(mask_of(found, form)) for form in asked}
    unit = int(np.gcd.reduce(live.weights))
    rest = [card for card in range(52) if card not in (*known, *gone)]
    every = [(*known, *more) for more in combinations(rest, size - len(known))]
    for number in chance.sample(range(len(found.boards)), 3):
        name = canonical(tuple(found.boards.cards[number].tolist()))
        expected = dict.fromkeys(asked, 0)
        for one in every:
            if canonical(one) == name:
                on = Texture(game, one)
                for form in asked:
                    mask = predicate_mask(on, find_predicate(form[0]), *form[1:]) & on.live
                    expected[form] += int(live.weights[mask[live.index]].sum()) // unit
        assert {form: int(held[form][number]) for form in asked} == expected


def test_a_flop_is_broken_down_alike() -> None:
    """A range that suits do not tell apart has the same on all flops that are alike."""
    hands = Range("10%,KQJT@100", "o8")
    found = tally_holdings(hands)
    for flop in ("Kh9h4c", "7s6s2s", "QdQc5h", "AhTd3c"):
        number = next(
            at
            for at, row in enumerate(found.boards.cards.tolist())
            if canonical(tuple(row)) == canonical(cards(flop))
        )
        alike = {
            frozenset(card & ~3 | names[card & 3] for card in cards(flop))
            for names in permutations(range(4))
        }
        broken = breakdown(hands, cards(flop))
        rows = {row.condition: row.combos for row in broken.rows}
        for condition in ("@TOPSET", "@PAIR", "@FLUSHDRAW", "@LOWDRAW", "@WRAP13+", "@NUTFLUSH"):
            held = mask_of(found, read(condition[1:]))
            assert found.per_board(held)[number] == rows[condition] * len(alike)


@settings(max_examples=40)
@given(st.data())
def test_reachable_highs(data: st.DataObject) -> None:
    """Exactly the highs that some live hand has."""
    deck = data.draw(st.sampled_from(sorted(DECKS)))
    size = data.draw(st.integers(3, 5))
    board = data.draw(
        st.lists(st.sampled_from(list(DECKS[deck])), min_size=size, max_size=size, unique=True)
    )
    on = Texture("plo4", board)
    has = np.zeros_like(on.reachable[0])
    has[on.high[on.live]] = True
    assert np.array_equal(on.reachable[0], has)


# The view


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_all_hands_by_arithmetic(game: Game) -> None:
    found = equity.flops(HAND[game.hole], game)
    left = 52 - game.hole
    assert found.boards == comb(left, 3)
    assert sum(count_of(found, f"@{name}") for name in NINE) == found.boards
    spades, diamonds = 11, 11
    flushes = comb(spades, 3) + comb(diamonds, 3)
    got = [count_of(found, f"@{name}") for name in ("FLUSH", "STRAIGHTFLUSH")]
    assert sum(got) == flushes
    draws = comb(spades, 2) * (left - spades) + comb(diamonds, 2) * (left - diamonds)
    # A full house has no draw.
    full = [count_of(found, f"@{name}") for name in ("FULLHOUSE", "QUADS")]
    assert draws - sum(full) <= count_of(found, "@FLUSHDRAW") <= draws
    # No set, but quads and full houses: a pair of the board with the third ace.
    aces = comb(left, 3) - comb(left - 2, 3)
    held = equity.flops(HAND[game.hole], game, at_least="@TOPSET,@QUADS,@FULLHOUSE")
    assert count_of(held, "@TOPSET", "at least") <= aces <= count_of(held, "any")


def test_kinds_of_all_flops() -> None:
    found = tally_holdings(Range("*"))
    per_board = found.per_board(np.ones(len(found), np.bool_))
    total = int(found.weight.sum())
    assert total == comb(52, 4) * comb(48, 3)
    flops = comb(52, 3)
    known = {
        "monotone": 4 * comb(13, 3),
        "two-tone": 12 * comb(13, 2) * 13,
        "rainbow": 4 * 13**3,
        "unpaired": comb(13, 3) * 4**3,
        "paired": 13 * 12 * 6 * 4,
        "trips": 13 * 4,
        "A high": flops - comb(48, 3),
        "9 down": comb(32, 3),
    }
    for by in SPLITS:
        kinds = kinds_of(found.boards, by)
        assert np.array_equal(sum(kinds.values()), np.full(len(found.boards), 2))
        for kind, inside in kinds.items():
            if kind in known:
                assert int(per_board[inside].sum()) * flops == known[kind] * total


@pytest.mark.parametrize("by", SPLITS)
def test_kinds_make_up_the_whole(by: str) -> None:
    found = equity.flops("AA:ds@30,KQJT", by=by)
    shares = [cell.share_exact or 0 for cell in found.rows[0].cells[1:]]
    assert sum(shares) == 1
    for row in found.rows[1:]:
        whole, *parts = row.cells
        assert sum(cell.count or 0 for cell in parts) == whole.count
        pairs = zip(parts, shares, strict=True)
        assert sum((cell.share_exact or 0) * share for cell, share in pairs) == whole.share_exact


def test_lines_that_name_hands() -> None:
    """A line with hands in it holds for these alone, and suits need not be alike."""
    whole = Range("AsAh**@20,KK:xxyy@50,QJT9")
    lines = {
        "(AA,KK):@SET": (whole & Range("AA,KK"), "SET"),
        "AsAh:@NUTFLUSHDRAW": (whole & Range("AsAh**"), "NUTFLUSHDRAW"),
        "@TWOPAIR!As": (whole - Range("As***"), "TWOPAIR"),
        "QJT9$dsp:@WRAP": (whole & Range("QJT9$dsp"), "WRAP"),
    }
    found = equity.flops(whole, at_least=",".join(lines))
    rows = {row.condition: row.cells[0] for row in found.rows if row.group == "at least"}
    assert list(rows) == [*lines, "any"]
    total = int(whole.weights.sum()) * found.boards
    for condition, (part, name) in lines.items():
        held = tally_holdings(part)
        unit = int(np.gcd.reduce(part.weights))
        expected = Fraction(counts(held, (name, None, False)) * unit, total)
        assert rows[condition].share_exact == expected > 0
    shares = [rows[condition].share_exact or 0 for condition in lines]
    assert max(shares) < (rows["any"].share_exact or 0) <= sum(shares)


def test_known_and_dead_cards() -> None:
    whole = equity.flops("AsAdKsJd", dead="AcAh")
    assert whole.boards == comb(46, 3)
    assert whole.row("@TOPSET").cells[0].count == 0
    card = equity.flops("AsAdKsJd", board="Ac")
    assert card.boards == comb(47, 2)
    # Sums over the first card are three times those over flops.
    free = [[one] for one in range(52) if one not in cards("AsAdKsJd")]
    every = tally_holdings(Range("AsAdKsJd"))
    by_card = [tally_holdings(Range("AsAdKsJd"), one, threads=1) for one in free]
    for name in ("WRAP", "TOPSET", "GUTSHOT"):
        form = (name, None, False)
        assert sum(counts(one, form) for one in by_card) == 3 * counts(every, form)
    turns = equity.flops("AsAdKsJd", board="Kh9h4c")
    assert (turns.over, turns.boards) == ("turns", 45)
    rivers = equity.flops("AsAdKsJd", board="Kh9h4c", over="rivers")
    assert (rivers.over, rivers.boards) == ("rivers", comb(45, 2))
    assert equity.flops("AsAdKsJd", board="Kh9h4c2d").boards == 44


def test_room_and_threads_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Range("AA77@30,AK23", "o8")
    asked = [("PAIR", None, True), ("NUTLOWDRAW", None, False), ("NUTOUTS", 4, True)]
    whole = tally_holdings(hands, threads=1)
    expected = [counts(whole, form) for form in asked]
    for room, used, chunk in ((16, 2, 200_000), (256, 256, 5_000_000)):
        monkeypatch.setattr(engine, "_ROOM", room)
        monkeypatch.setattr(engine, "_USED_ROOM", used)
        monkeypatch.setattr(engine, "_CHUNK", chunk)
        for threads in (1, 2):
            found = tally_holdings(hands, threads=threads)
            assert [counts(found, form) for form in asked] == expected
            assert len(found) == len(whole)
