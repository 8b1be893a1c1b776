"""Random texts of ranges, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from equity.errors import RangeSyntaxError
from equity.ranges import parse

RANKS = "23456789TJQKA"
SUITS = "cdhs"

ranks = st.sampled_from(RANKS)
suits = st.sampled_from(SUITS)
variables = st.sampled_from("RONP")
suit_variables = st.sampled_from("wxyz")
any_suit = st.sampled_from(["", "", "", *SUITS, *"wxyz", "x", "x"])

MACROS = ["$ds", "$ss", "$np", "$op", "$tp", "$nt", "$rb", "$ms", "$dsp", "$ts", "$qs"]
GROUPS = ["$0g", "$1G", "$2g"]
#: What a random text may run into.
REFUSED = ["is ambiguous", "not the cards of a hand", "stands twice"]
ONE_SLOT = ["$B", "$M", "$z", "$L", "$N", "$F", "$R", "$W"]


@st.composite
def spans(draw: st.DrawFn, most: int) -> str:
    """A span of at most ``most`` cards, without brackets."""
    numbers = draw(st.lists(st.integers(0, 12), min_size=1, max_size=most))
    tails = [draw(any_suit) for _ in numbers]
    first = "".join(RANKS[n] + tail for n, tail in zip(numbers, tails, strict=True))
    mark = draw(st.sampled_from(["+", "-", ""]))
    if mark:
        return first + mark
    moving = [draw(st.booleans()) for _ in numbers]
    low = -min((n for n, moves in zip(numbers, moving, strict=True) if moves), default=0)
    high = 12 - max((n for n, moves in zip(numbers, moving, strict=True) if moves), default=12)
    step = draw(st.integers(low, high))
    last = [n + step * moves for n, moves in zip(numbers, moving, strict=True)]
    return f"{first}-{''.join(RANKS[n] + tail for n, tail in zip(last, tails, strict=True))}"


@st.composite
def slot_leaves(draw: st.DrawFn, size: int) -> str:
    """A leaf of at most ``size`` slots."""
    left = draw(st.integers(1, size))
    macros = [draw(st.sampled_from(ONE_SLOT)) for _ in range(draw(st.integers(0, 3)) // 3)]
    left -= len(macros)
    pieces: list[str] = []
    while left:
        kind = draw(st.integers(0, 10))
        width = 1
        if kind <= 3:
            piece = draw(ranks) + draw(any_suit)
        elif kind <= 5:
            piece = draw(variables) + draw(any_suit)
        elif kind <= 7:
            piece = "*" + draw(any_suit)
        elif kind == 8:
            span = draw(spans(min(left, 3)))
            width = sum(char in RANKS for char in span.partition("-")[0])
            piece = f"[{span}]"
        elif kind == 9:
            options = st.one_of(ranks, suits, st.tuples(ranks, any_suit).map("".join))
            piece = f"[{','.join(draw(st.lists(options, min_size=1, max_size=4)))}]"
        else:
            piece = draw(st.one_of(suits, suit_variables))
            if pieces and pieces[-1][-1] in RANKS + "*RONP":
                piece = "*" + piece  # a suit of its own, not of the rank before it
        pieces.append(piece)
        left -= width
    # Letters behind a macro could make another name of it, so macros come last.
    return "".join(pieces + macros)


@st.composite
def hands(draw: st.DrawFn, size: int) -> str:
    """One exact hand."""
    cards = draw(st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True))
    return draw(st.sampled_from(["", " ", "-"])).join(RANKS[c // 4] + SUITS[c % 4] for c in cards)


def leaves(size: int) -> st.SearchStrategy[str]:
    """A leaf without percent items."""
    return st.one_of(
        slot_leaves(size),
        slot_leaves(size),
        spans(size),
        hands(size),
        st.sampled_from(["*", "all", *GROUPS]),
    )


def nodes(size: int, leaf: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Leaves joined by signs and brackets."""

    def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(":!"), inner).map("".join),
            st.tuples(inner, st.sampled_from(MACROS)).map("".join),
            st.lists(inner, min_size=1, max_size=3).map(lambda items: f"({','.join(items)})"),
        )

    return st.recursive(leaf, joined, max_leaves=4)


def expressions(size: int) -> st.SearchStrategy[str]:
    """A range without weights and percent items."""
    node = nodes(size, leaves(size))
    texts = st.lists(node, min_size=1, max_size=2).map(",".join)
    return texts.filter(lambda text: not _is_refused(text, size))


@st.composite
def percents(draw: st.DrawFn) -> str:
    """A percent item."""
    number = st.one_of(st.integers(1, 100).map(str), st.decimals("0.01", 99, places=2).map(str))
    start = draw(st.one_of(st.just(""), number.map("{}%-".format)))
    end = draw(st.one_of(st.just(""), st.integers(2, 10).map("{}h".format)))
    return f"{start}{draw(number)}%{end}"


def on_board(size: int) -> st.SearchStrategy[str]:
    """What a hand has on the board."""
    names = ["@SET", "@TWOPAIR+", "@nfd", "@Wrap13+", "@NUTS3", "@LOW7", "@NUTOUTS8+"]
    blocks = st.tuples(hands(size), st.sampled_from(["20", "7.5"])).map(
        "@BLOCKS({0[0]},AA){0[1]}".format
    )
    return st.sampled_from(names) | blocks


@st.composite
def weighted(draw: st.DrawFn, size: int) -> str:
    """A whole range, with everything that the language has."""
    node = nodes(size, st.one_of(leaves(size), percents(), on_board(size)))
    weights = st.one_of(
        st.just(""),
        st.integers(1, 100).map("@{}".format),
        st.decimals(1, 100, places=3).map("@{}".format),
    )
    parts = [draw(node) + draw(weights) for _ in range(draw(st.integers(1, 4)))]
    text = ",".join(parts)
    return text if not _is_refused(text, size) else "*"


def _is_refused(text: str, size: int) -> bool:
    """Whether a text is refused on purpose."""
    game = {4: "plo4", 5: "plo5", 6: "plo6"}[size]
    try:
        parse(text, game)
    except RangeSyntaxError as error:
        if any(reason in str(error) for reason in REFUSED):
            return True
        raise
    return False
