"""Texts to trees and back, and every way to be wrong."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from range_texts import weighted

from equity.errors import (
    CardCountError,
    DuplicateCardError,
    EquityError,
    RangeError,
    RangeSyntaxError,
)
from equity.ranges import CardPattern, parse, parse_board_pattern
from equity.ranges.scanner import MAX_LENGTH
from equity.ranges.syntax import MAX_DEPTH, MAX_LEAVES
from equity.ranges.words import MACROS

#: What is typed, and the normal form.
NORMAL = [
    ("AA", "AA"),
    (" a A ", "AA"),
    ("10 9 8 7", "T987"),
    ("A10h", "ATh"),
    ("aHkHqDjD", "AhKhQdJd"),
    ("KhAhQdJd", "AhKhQdJd"),
    ("As-Ks-Qd-Jd", "AsKsQdJd"),
    ("10s-9s-8d-7d", "Ts9s8d7d"),
    ("As Ks\u00a0Qd\tJd", "AsKsQdJd"),
    ("A\u2660\ufe0fK\u2660Q\u2666J\u2666\ufe0e", "AsKsQdJd"),
    ("A\u2664K\u2661Q\u2662J\u2667", "AsKhQdJc"),
    ("A\u2665", "Ah"),
    ("\u2665\u2665xx", "hhxx"),
    ("as-ks", "As-Ks"),
    ("ROnp", "RONP"),
    ("nwoxpry", "NwOxPRy"),
    ("*C*c*W", "*c*c*w"),
    ("A**", "A**"),
    ("**", "**"),
    ("all", "*"),
    ("ALL!aa", "*!AA"),
    ("all $np", "*!RR"),
    ("AA : xxyy , KK", "AA:xxyy,KK"),
    ("(AA,KK):xxyy", "(AA,KK):xxyy"),
    ("((AA),(KK,QQ))", "AA,KK,QQ"),
    ("(AA:xx)!KK", "AA:xx!KK"),
    ("AA:(xx!KK)", "AA:(xx!KK)"),
    ("t8+", "T8+"),
    ("[5X6+][8z-]rY", "[5x6+][8z-]Ry"),
    ("kqjt-t987", "KQJT-T987"),
    ("[ 2s , jc , 10 ]", "[2s,Jc,T]"),
    ("[10-7]33", "[T-7]33"),
    ("AA$ds", "AA:xxyy"),
    ("AA$DS,KK", "AA:xxyy,KK"),
    ("AA,KK$nt", "AA,KK!RRR"),
    ("(AA,KK)$nt", "(AA,KK)!RRR"),
    ("$b$B$m$M", "[A-J][A-J][T-7][T-7]"),
    ("$Z$F$N$R", "[6-2][K-J][K-9][A-T]"),
    ("$L$W", "[A,2,3,4,5,6,7,8][A,2,3,4,5]"),
    ("$0G", "AKQJ-"),
    ("$1g$ss", "(AKQT-,AKJT-,AQJT-):xxyz"),
    ("$2g", "AKQ9-,AKT9-,AJT9-"),
    ("*$op,*$tp", "*:RRON,*:RROO"),
    ("AA$rb,KK$MS,QQ$Dsp", "AA$rb,KK$ms,QQ$dsp"),
    ("AA$ts!KK$qs", "AA$ts!KK$qs"),
    ("10%", "10%"),
    ("10 % 6h", "10%6h"),
    ("10%-5%", "5%-10%"),
    ("2.5%-10%9H", "2.5%-10%9h"),
    ("10%!AA", "10%!AA"),
    ("AA@10, KK:xxyy@5, (QQ,JJ)@2", "AA@10,KK:xxyy@5,(QQ,JJ)@2"),
    ("AA@2.50,KK@100,(QQ,JJ)@100", "AA@2.5,KK,QQ,JJ"),
    ("AA$ds@10", "AA:xxyy@10"),
    ("ar", "AR"),
    ("akqr", "AKQR"),
    ("JT9R", "JT9R"),
]

#: What is typed, the column of the error, and words of its message.
WRONG = [
    ("", 1, "an empty range; every hand is '*'"),
    ("  ", 1, "an empty range"),
    ("AA,,KK", 4, "an empty item"),
    (",AA", 1, "an empty item"),
    ("AA, ", 4, "an empty item"),
    ("(AA,)", 5, "an empty item"),
    ("()", 1, "an empty bracket"),
    ("[]", 2, "an empty item in a list"),
    ("[A,,K]", 4, "an empty item in a list"),
    ("AA,(KK", 4, "'(' without its ')'"),
    ("AA)", 3, "')' without its '('"),
    ("K[A", 2, "a bracket without its ']'"),
    ("K[T-7", 2, "a bracket without its ']'"),
    ("KA]", 3, "a bracket begins with '['"),
    ("[[A]]", 2, "a bracket in a bracket"),
    ("AA(KK)", 3, "join by ','"),
    ("(AA)(KK)", 5, "no sign before '('"),
    ("(AA)KK", 5, "'K' behind a bracket"),
    ("AA;KK", 3, "join by ','"),
    ("AA?", 3, "'?' is not understood here"),
    ("AA KK.", 6, "'.' is not understood here"),
    ("A1", 2, "a ten is T or 10"),
    ("A1 0", 2, "a ten is T or 10"),
    ("A0", 2, "'0' is no rank"),
    ("AV", 2, "'V' is no rank"),
    ("AVsK", 2, "'V' is no rank"),
    ("A\x00", 2, "'\\x00' is not understood"),
    ("6\u0441Tc9h", 2, "U+0441 CYRILLIC SMALL LETTER ES (looks like 'c')"),
    ("\uff21A", 1, "U+FF21 FULLWIDTH LATIN CAPITAL LETTER A (looks like 'A')"),
    ("A\u017f", 2, "U+017F"),
    ("A\u200bA", 2, "U+200B ZERO WIDTH SPACE"),
    ("A\ufe0f", 2, "U+FE0F"),
    ("TT\u201377", 3, "a span is written with '-'"),
    ("AKQJT", 5, "'AKQJT' has more than 4 slots"),
    ("AA:xxyyz", 8, "'xxyyz' has more than 4 slots"),
    ("AAA[TT-77]", 4, "more than 4 slots"),
    ("JT98R", 5, "JT98:wxyz"),
    ("AsAs", 3, "As stands twice"),
    ("AhKsQdAh", 7, "Ah stands twice"),
    ("10h-Ks-Qd-Th", 11, "Th stands twice"),
    ("As,Ks,Qd,Jd", 1, "write AsKsQdJd"),
    ("AA,(As,Ks,Qd,Jd)", 5, "write AsKsQdJd"),
    ("[As Ks Qd Jd]", 2, "AsKsQdJd without a bracket"),
    ("[AK]", 2, "[A,K]"),
    ("[R,A]", 2, "'R' in a list is any rank"),
    ("[*]", 2, "'*' in a list is any rank"),
    ("T8-52", 1, "unequal distances"),
    ("AA,TT-76", 4, "unequal distances"),
    ("TTc-77d", 1, "the suits of its ends differ"),
    ("TT-987", 1, "unequal length"),
    ("K[T8-52]", 3, "unequal distances"),
    ("AsAhKsKh,AQo+", 10, "'AQo+' is no span, 'O' is any rank"),
    ("*+", 1, "'*' is any rank"),
    ("c-", 1, "'c' has no rank"),
    ("+", 1, "has no cards before it"),
    ("T8+K", 4, "among other slots it stands in brackets"),
    ("T-[A-K]", 3, "among other slots it stands in brackets"),
    ("[A-J]T+", 7, "stands in brackets itself"),
    ("T--8", 3, "behind the span 'T-'"),
    ("As-Ks-Qd", 6, "behind the span 'As-Ks'"),
    ("[T8+,A]", 5, "one span or a list"),
    ("[A,T8+]", 4, "one span or a list"),
    ("!AA", 1, "'*!AA'"),
    (":AA", 1, "nothing before ':'"),
    ("AA::KK", 4, "nothing behind ':'"),
    ("AA!", 4, "nothing behind '!'"),
    ("(AA:)", 5, "nothing behind ':'"),
    ("$ds", 1, "of all hands it is '*$ds'"),
    ("AA,$Rb", 4, "of all hands it is '*$Rb'"),
    ("AA:$ds", 4, "it brings its own sign"),
    ("AA,KK$xx", 6, "'$xx' is no macro"),
    ("AA$", 3, "'$' is no macro"),
    ("AA$dspKK", 7, "'K' is not understood here"),
    ("AA $B$B$B", 8, "more than 4 slots"),
    ("AK$L?", 5, "'?' is not understood here"),
    ("@5", 1, "nothing before '@'"),
    ("AA@", 3, "'@' without a weight"),
    ("AA@x", 3, "no sign before '@x'"),
    ("AA@0", 4, "'0' is no weight"),
    ("AA@0.5", 4, "'0.5' is no weight"),
    ("AA@100.1", 4, "no weight"),
    ("AA@1 0", 4, "white space in the number"),
    ("AA@1.1234567", 4, "at most 6 decimals"),
    ("AA@99999999999", 4, "too long a number"),
    ("AA@10:KK", 3, "a weight inside a part"),
    ("AA@5@6", 3, "a weight inside a part"),
    ("(AA@10,KK)", 4, "a weight inside a part"),
    ("(QQ,JJ)@2:xxyy", 8, "a weight inside a part"),
    ("0%", 1, "'0%' is an empty range"),
    ("AA,0%-0%", 4, "an empty range"),
    ("101%", 1, "more than all hands"),
    ("5-10%", 1, "write 5%-10%"),
    ("AA10%", 5, "10% or 5%-10%"),
    ("5%-10", 4, "has no % behind it"),
    ("5%-", 3, "a percent span without an end"),
    ("1 0%", 1, "white space in the number"),
    ("10%66h", 4, "six-handed is 10%6h"),
    ("10%6", 4, "six-handed is 10%6h"),
    ("10%AA", 4, "'A' is not understood here"),
    # Habits from elsewhere.
    ("AAxx", 1, "write AA with any other cards, or AA:xx with"),
    ("KK, aaXX", 5, "write AA with any other cards, or AA:xx with"),
    ("AAds", 1, "write AA:xxyy double suited, or AAd:s with"),
    ("A 10 d s", 1, "write AT:xxyy double suited, or ATd:s with"),
    ("JT98ss", 1, "write JT98:xxyz single suited, or JT98s:ss with"),
    ("RRds", 1, "write RR:xxyy double suited"),
    ("JT98r", 1, "write JT98:wxyz rainbow, or JT98R with"),
    ("jt98r!AA", 1, "write JT98:wxyz rainbow"),
    ("(10987r)", 2, "write T987:wxyz rainbow"),
    ("99r", 1, "write 99:wxyz rainbow, or 99R with"),
    ("AKr", 1, "write AK:wxyz rainbow"),
    ("AA vs KK", 4, "'vs' is not understood"),
    ("AA v KK", 4, "'v' is not understood"),
    ("AA VS. KK", 4, "'VS' is not understood"),
    ("any", 1, "every hand is '*'"),
    ("AA,Random", 4, "every hand is '*'"),
    ("A N y", 1, "'A N y' is ambiguous"),
    ("KK,(V)", 5, "'V' is not understood"),
    ("all AA", 1, "'all' is every hand and stands alone"),
    ("AA all", 4, "'all' is every hand and stands alone"),
]

#: Texts that are legal and match no hand, or look like an error and are none.
LEGAL = ["AA!AA", "wxyz", "AAd:s", "xAxA", "hhxx", "AOsK", "[As,Ks,Qd,Jd]", "As,Ks,Qd", "99R"]


@pytest.mark.parametrize(("typed", "normal"), NORMAL)
def test_normal_form(typed: str, normal: str) -> None:
    tree = parse(typed)
    assert str(tree) == normal
    assert parse(normal) == tree


@pytest.mark.parametrize(("typed", "column", "words"), WRONG)
def test_errors(typed: str, column: int, words: str) -> None:
    with pytest.raises(RangeSyntaxError) as caught:
        parse(typed)
    error = caught.value
    assert (error.text, error.column) == (typed, column)
    assert words in str(error)
    assert str(error).startswith(f"column {column}: ")
    assert str(error).isascii()
    assert "\n" not in str(error)
    with pytest.raises(RangeSyntaxError, match=rf"range 2, column {column}: "):
        parse(typed, place="range 2")


@pytest.mark.parametrize("typed", LEGAL)
def test_legal(typed: str) -> None:
    assert str(parse(typed)) == typed


def test_more_cards_more_slots() -> None:
    assert str(parse("AKQJT", "plo5")) == "AKQJT"
    assert str(parse("JT98R", "plo5")) == "JT98R"
    assert str(parse("AsKsQsJsTs9s", "plo6-8")) == "AsKsQsJsTs9s"
    with pytest.raises(RangeSyntaxError, match="is ambiguous"):
        parse("JT98r", "plo5")
    with pytest.raises(RangeSyntaxError, match="write AsKsQsJsTs"):
        parse("As,Ks,Qs,Js,Ts", "bigo")


@pytest.mark.parametrize("name", MACROS)
def test_macros_in_any_case(name: str) -> None:
    tree = parse(f"*${name}") if MACROS[name][0] in ":!" else parse(f"${name}")
    assert parse(str(tree)) == tree
    assert tree == parse(f"*${name.upper()}" if MACROS[name][0] in ":!" else f"${name.upper()}")


def test_weights_are_exact() -> None:
    tree = parse("AA@2.50,KK,(QQ,JJ)@1.000001")
    assert [part.weight for part in tree.parts] == [
        Decimal("2.5"),
        Decimal(100),
        Decimal("1.000001"),
    ]


@settings(max_examples=300, deadline=None)
@given(data=st.data(), size=st.sampled_from([4, 5, 6]))
def test_round_trip(data: st.DataObject, size: int) -> None:
    game = {4: "plo4", 5: "bigo", 6: "plo6"}[size]
    tree = parse(data.draw(weighted(size)), game)
    normal = str(tree)
    assert parse(normal, game) == tree
    assert str(parse(normal, game)) == normal
    assert parse(normal.lower().replace("r", "R"), game) == tree
    spaced = normal.replace(",", " , ").replace(":", " : ").replace("(", " ( ")
    assert parse(spaced, game) == tree


# Nothing but a tree or an error

PIECES = [
    *"AKQJT98765432shdcwxyzRONP*+-:!,()[]@%$ .10",
    *(f"${name}" for name in MACROS),
    *(
        "10%",
        "5%-10%6h",
        "AsKsQdJd",
        "[A-J]",
        "[2s,J",
        "@2.5",
        "vs",
        "any",
        "all",
        "\u2660",
        "\ufe0f",
    ),
    *("\x00", "\n", "\u0410", "\u00a0", "\U0001f0a1", "e", "1", "\u0661", "\ud800"),
]


def error_of(call: Callable[[], object]) -> EquityError | None:
    try:
        call()
    except EquityError as error:
        return error
    return None


def check(text: str) -> None:
    for game in ("plo4", "plo6"):
        error = error_of(partial(parse, text, game))
        if error is None:
            assert parse(str(parse(text, game)), game) == parse(text, game)
            continue
        assert isinstance(error, RangeSyntaxError)
        assert 1 <= error.column <= len(text) + 1
        assert len(str(error)) < 500
        assert str(error).isascii()
        assert "\n" not in str(error)
    error_of(partial(parse_board_pattern, text))


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("5%-")
@example("[")
@example("A N y")
def test_fuzzed_pieces(text: str) -> None:
    check(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_fuzzed_text(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_fuzzed_changes(data: st.DataObject, seed: int) -> None:
    """A good text with some characters taken away, doubled or changed."""
    chance = random.Random(seed)
    chars = list(data.draw(weighted(4)))
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(chars) + 1)
        chars[at : at + chance.randrange(2)] = chance.choice([[], [chance.choice(PIECES)]])
    check("".join(chars))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(" * 1_000 + "AA" + ")" * 1_000, f"at most {MAX_DEPTH} deep"),
        ("(" * 500_000, f"at most {MAX_DEPTH} deep"),
        ("A" * 1_000_000, "more than 4 slots"),
        ("10" * 500_000, "more than 4 slots"),
        ("[" * 1_000_000, "a bracket in a bracket"),
        ("9" * 1_000_000 + "%", "too long a number"),
        ("AA@" + "9" * 1_000_000, "too long a number"),
        ("AA," * 1_000_000, f"at most {MAX_LEAVES:,} items"),
        ("AA:" * 1_000_000, f"at most {MAX_LEAVES:,} items"),
        ("$B" * 300_000, "more than 4 slots"),
        ("AA" + " " * MAX_LENGTH, "too long"),
        ("all " * 100_000, "stands alone"),
        ("\u2660" * 1_000_000, "more than 4 slots"),
        ("1010" * 20 + "?", "more than 4 slots"),
    ],
)
def test_huge_texts_end_soon(text: str, words: str) -> None:
    start = time.perf_counter()
    with pytest.raises(RangeSyntaxError, match=words) as caught:
        parse(text)
    assert time.perf_counter() - start < 10
    assert len(str(caught.value)) < 500


def test_nested_as_deep_as_allowed() -> None:
    assert str(parse("(" * MAX_DEPTH + "AA" + ")" * MAX_DEPTH)) == "AA"
    nested = "K!(" * MAX_DEPTH + "AA" + ")" * MAX_DEPTH
    assert str(parse(nested)) == nested[:-1].replace("(AA", "AA")


def test_many_exact_hands() -> None:
    text = ",".join(f"{a}s{b}s{a}h{b}h" for a in "AKQJT" for b in "98765") + ","
    tree = parse(text * 1_000 + "AA")
    assert len(tree.parts) == 25_001


def test_only_text_is_read() -> None:
    with pytest.raises(RangeError, match="is no text"):
        parse(5)  # type: ignore[arg-type]


def test_reading_needs_no_numpy() -> None:
    code = (
        "import sys, equity.ranges.syntax as s; s.parse('AA:xxyy'); "
        "from equity.ranges import parse_board_pattern as p; p('T98:xxy'); "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'numba')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Boards and dead cards


def test_board_of_exact_cards() -> None:
    assert parse_board_pattern("Ah 7c-10d") == (50, 20, 33)
    assert parse_board_pattern("A\u2665\ufe0f7\u2663") == (50, 20)
    assert parse_board_pattern("") == parse_board_pattern("-") == ()


@pytest.mark.parametrize(
    ("text", "cards", "normal"),
    [
        ("T98:xxy", 3, "T98:xxy"),
        ("AhKx", 2, "AhKx"),
        ("[T-][T-]$np", 2, "[T-][T-]!RR"),
        ("AA,KKx", 2, "AA,KKx"),
        ("TT-77", 2, "TT-77"),
        ("*****", 5, "*****"),
        ("*", 1, "*"),
        ("Ah7c[2]", 3, "Ah7c[2]"),
    ],
)
def test_board_patterns(text: str, cards: int, normal: str) -> None:
    pattern = parse_board_pattern(text)
    assert isinstance(pattern, CardPattern)
    assert (pattern.cards, pattern.text) == (cards, normal)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("AhAh", DuplicateCardError, "Ah is in board twice"),
        ("Ah7c2d3s4h5c", CardCountError, "board: 6 cards"),
        ("T98765", RangeSyntaxError, "board, column 6: .* more than 5 slots"),
        ("6\u0441Tc9h", RangeSyntaxError, "board, column 2: .*looks like 'c'"),
        ("Ah7c2", RangeSyntaxError, "write 2c, say, or \\[2\\] for any 2"),
        ("Kh9h4cc", RangeSyntaxError, "the suit c without a rank"),
        ("K,9,4", RangeError, "have no commas, K94"),
        ("T9@5", RangeError, "no weights"),
        ("10%", RangeError, "percentages are of hands"),
    ],
)
def test_board_errors(text: str, kind: type[EquityError], words: str) -> None:
    with pytest.raises(kind, match=words):
        parse_board_pattern(text)
