"""Samples of queries: their errors, their seeds, and texts that are no queries."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equity
from equity.queries.functions import rows
from equity.queries.range_equities import RangeEquities
from equity.queries.results import Answer, Figure
from equity.queries.selectors import SELECTORS
from equity.queries.tokens import KEYWORDS, MOST_TEXT
from equity.queries.types import CONSTANTS
from equity.rules.cards import format_cards, format_hand, parse_cards
from equity.rules.games import find_game

SEEDS = int(os.environ.get("EQUITY_COVERAGE", "40"))
#: Of so many standard errors, the part of figures that have to be within them: for 40 seeds
#: and about 10 figures of each that depend on each other, some way from 68 % and 95 %.
WITHIN = {1: (0.56, 0.80), 2: (0.89, 0.995)}

SPOTS = (
    (
        "select count(winsHi(hero)) as a, avg(riverEquity(hero)) as b, "
        "histogram(handType(hero, river)) as c, avg(outsToHandType(hero, turn, flush)) as d, "
        "histogram(equity(hero, turn), 25) as e, avg(maxRank(duplicatedBoardRanks(river)) "
        "= toRank('K') and true) as f",
        "from game='plo', board='Kh9h4c', hero='AhQhJdTs,AsAdQsJs@30', "
        "villain='KsKd8c7c,9s9d8d7d@50,KdQcJcTc@2'",
        "where not boardSuitCount(turn) = 3",
    ),
    (
        "select count(scoops(hero)) as a, avg(fractionalRiverEquity(v)) as b, "
        "histogram(loRating(hero, river)) as c, count(nutLo(hero, river)) as d",
        "from game='o8', board='8s6h3c', hero='As2sKdQc,Ah2hTcTd,9d8d7d6d@40', "
        "v='Ad3dJcJd,KcKs4c4d@60'",
        "where boardAllowsMadeLo(river) or pairedBoard(turn)",
    ),
)


def query(select: str, source: str, condition: str) -> str:
    select = select.replace(
        "avg(maxRank(duplicatedBoardRanks(river)) = toRank('K') and true)",
        "count(maxRank(duplicatedBoardRanks(river)) = toRank('K') and true)",
    )
    return f"{select} {source} {condition}"


def figures(answer: Answer) -> dict[str, tuple[float, float | None]]:
    """Shares and values with their errors."""
    found: dict[str, tuple[float, float | None]] = {}
    for one in answer.results:
        if one.bins is not None:
            found |= {f"{one.name} {each.label}": (each.share, each.std_error) for each in one.bins}
        elif one.share is not None:
            found[one.name] = one.share, one.std_error
        else:
            assert isinstance(one.value, float)
            found[one.name] = one.value, one.std_error
    return found


@pytest.mark.parametrize("spot", SPOTS)
def test_errors_cover_exact_answers(spot: tuple[str, str, str]) -> None:
    text = query(*spot)
    exact = equity.pql(text, exact=True)[0]
    assert exact.exact
    truth = figures(exact)
    near = {1: 0, 2: 0}
    every = 0
    for seed in range(SEEDS):
        sample = equity.pql(text, trials=1_500, seed=seed)[0]
        assert sample.all == 1_500
        assert not sample.exact
        for name, (value, error) in figures(sample).items():
            if not 0.02 < truth[name][0] < 0.98:
                continue
            assert error is not None
            every += 1
            for errors in near:
                near[errors] += abs(value - truth[name][0]) <= errors * error
    assert every > 5 * SEEDS
    for errors, (least, most) in WITHIN.items():
        assert least < near[errors] / every < most


def test_errors_of_quantiles() -> None:
    text = (
        "select median(equity(hero, flop)) as m, quantile(equity(hero, flop), 0.9) as q, "
        "median(nutHiOuts(hero, flop)) as o "
        "from game='plo', hero='AhQhJdTs', villain='KsKd8c7c' where not monotoneBoard(flop)"
    )
    truth = figures(equity.pql(text, exact=True)[0])
    near = {1: 0, 2: 0}
    for seed in range(SEEDS):
        for name, (value, error) in figures(equity.pql(text, trials=400, seed=seed)[0]).items():
            assert error is not None
            for errors in near:
                near[errors] += abs(value - truth[name][0]) <= errors * error
    assert near[1] / (3 * SEEDS) > 0.6
    assert near[2] / (3 * SEEDS) > 0.9


def test_seeds_and_threads() -> None:
    text = (
        "select histogram(handType(hero, river)), avg(riverEquity(hero)) as e, "
        "quantile(hiRating(hero, river) * 1, 0.3) as q "
    )
    text = (
        "select histogram(handType(hero, river)), avg(riverEquity(hero) * 2) as e, "
        "quantile(boardSuitCount(river), 0.3) as q "
        "from game='plo', hero='10%', villain='30%' where pairedBoard(turn)"
    )
    one, two = (equity.pql(text, seed=5, trials=90_000, threads=n)[0] for n in (1, 2))
    assert one.results == two.results
    assert (one.deals, one.all) == (two.deals, two.all)
    assert one.results != equity.pql(text, seed=6, trials=90_000)[0].results


def test_a_sample_stops_at_its_error() -> None:
    text = "select count(pairedBoard(river)) as p from game='plo', hero='10%', villain='30%'"
    for error in (0.01, 0.002):
        found = equity.pql(text, error=error)[0]
        assert found["p"].std_error is not None
        assert found["p"].std_error <= error
    assert equity.pql(text, budget=0.05)[0].all > 100


def test_a_rare_condition_is_drawn_until_it_is_known() -> None:
    text = (
        "select count(winsHi(hero)) as w, avg(equity(hero, flop)) as e from game='plo', "
        "hero='AhKh5d4c', villain='30%' where handType(hero, flop) >= fullhouse"
    )
    found = equity.pql(text, error=0.02)[0]
    assert found.deals < found.all / 100
    assert found["w"].std_error is not None
    assert found["w"].std_error <= 0.02


def test_where_nothing_passes() -> None:
    source = "from game='plo', board='Kh9h4c', hero='AhQhJdTs', villain='KsKd8c7c'"
    with pytest.raises(equity.NoDealError, match="all 820 were counted"):
        equity.pql(f"select avg(riverEquity(hero)) {source} where handType(hero, river) = quads")
    drawn = "from game='plo', hero='AhQhJdTs', villain='30%'"
    with pytest.raises(equity.DealError, match="that were drawn"):
        equity.pql(
            f"select avg(riverEquity(hero)) {drawn} where 1 = boardSuitCount(flop) - 4",
            trials=2_000,
        )
    with pytest.raises(equity.EquityError, match="a and b and c: 6 cards"):
        equity.pql("select avg(riverEquity(a)) from game='plo', a='AA', b='AA', c='AA'")


def test_values_that_do_not_exist() -> None:
    source = "from game='plo', board='Kh9h4c2d2s', hero='AhQhJdTs', villain='KsKd8c7c'"
    answer = equity.pql(
        "select avg(1 / (boardSuitCount(river) - 4)) as none, "
        "count(1 / 0 = 1) as a, count(1 / 0 <> 1) as b, count(not 1 / 0 = 1) as c, "
        "min(maxRank(duplicatedBoardRanks(flop))) as d, "
        f"histogram(maxRank(duplicatedBoardRanks(flop))) as e {source}"
    )[0]
    assert [answer[name].hits for name in "abc"] == [0, 0, 1]
    for name in ("none", "d", "e"):
        assert answer[name].of == 0
    assert answer["none"].value is None
    assert answer["d"].value is None
    assert answer["e"].bins == ()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_arithmetic_is_exact(data: st.DataObject) -> None:
    """Random calculations agree with fractions."""

    def make(depth: int) -> tuple[str, Fraction | None]:
        if depth == 0 or data.draw(st.integers(0, 3)) == 0:
            text = data.draw(
                st.sampled_from(["0", "7", "0.25", ".5", "123456789.987654321", "c", "m", "f"])
            )
            known = {
                "c": ("cardsPlay(hero, flop)", Fraction(2)),
                "m": ("boardSuitCount(river)", Fraction(4)),
                "f": ("fractionalRiverEquity(hero)", Fraction(0)),
            }
            return known.get(text) or (text, Fraction(text))
        if data.draw(st.integers(0, 5)) == 0:
            text, value = make(depth - 1)
            return f"-({text})", None if value is None else -value
        (one, first), (two, second) = make(depth - 1), make(depth - 1)
        sign = data.draw(st.sampled_from("+-*/"))
        if first is None or second is None or (sign == "/" and not second):
            return f"({one}) {sign} ({two})", None
        value = {
            "+": lambda: first + second,
            "-": lambda: first - second,
            "*": lambda: first * second,
            "/": lambda: first / second,
        }[sign]()
        return f"({one}) {sign} ({two})", value

    text, value = make(4)
    source = "from game='plo', board='Kh9h4c2d2s', hero='AhQhJdTs', villain='KsKd8c7c'"
    answer = equity.pql(
        f"select avg({text}) as x, count({text} > 1) as g, count({text} = 0.5) as h {source}"
    )[0]
    assert answer["x"].value_exact == value
    assert answer["g"].hits == (value is not None and value > 1)
    assert answer["h"].hits == (value is not None and value == Fraction(1, 2))


WORDS = [
    *(row.name for row in rows()),
    *SELECTORS,
    *KEYWORDS,
    *CONSTANTS,
    *("hero", "villain", "game", "board", "dead", "'AA'", "'omahahi'", "'Kh9h4c'", "''"),
    *"()()(),,,;=<>+-*/'\"",
    *("0.5", "1", "/*", "*/", ":x", "99999999999999999999", "$", "\u00e9", "\n", "\x00"),
]


def refused(text: str) -> str:
    """The message of the error for a text; empty if it is answered."""
    try:
        equity.pql(text, budget=0.2, threads=1)
    except equity.EquityError as error:
        return str(error)
    return ""


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    for prefix in ("", "select count(", "select avg(riverEquity(hero)) from game='plo', "):
        message = refused(prefix + text)
        assert message.isascii()
        assert "\n" not in message


def test_deep_and_huge_texts() -> None:
    source = "from game='plo', board='Kh9h4c2d2s', hero='AhQhJdTs'"
    for expression in (
        "(" * 5_000 + "1",
        "not " * 20_000 + "true",
        "-" * 50_000 + "1 = 1",
        "1" + " + 1" * 20_000 + " = 1",
        "case when true then " * 3_000 + "1",
        "9" * 5_000 + " = 1",
        " or ".join(["true"] * 10_000),
        "toString(" * 3_000 + "1",
    ):
        assert len(refused(f"select count({expression}) as c {source}")) < 1_000
    with pytest.raises(equity.EquityError, match="characters"):
        equity.pql("x" * (MOST_TEXT + 1))
    for text in (5, None, b"select"):
        with pytest.raises(equity.EquityError, match="text"):
            equity.pql(text)  # type: ignore[arg-type]


def test_random_queries_are_answered() -> None:
    """A query of any function with arguments that fit gives an answer or one clear error."""
    rng = random.Random(7)
    values = {
        "p": ["hero", "villain"],
        "S": ["preflop", "flop", "turn", "river"],
        "x": ["0.5", "1/3"],
        "n": ["1", "2"],
        "t": ["pair", "flush"],
        "c": ["flopset"],
        "r": ["rateHiHand('AsKsQsJsTs')"],
        "s": ["boardRanks(flop)", "handRanks(hero, flop)"],
        "R": ["'AAKK'", "'QQJJ'"],
        "B": ["'RRO'", "'AK*'"],
        "NAME": ["'ring'", "'vr'"],
        "CARDS": ["'AsKsQsJsTs'"],
        "CARD": ["'As'"],
        "RANK": ["'A'"],
        "value": ["1", "handType(hero, flop)"],
    }
    source = "from game='o8', board='8h7c2d', hero='AsAd3s4h', villain='Ac3c5h6h,KKQ9'"
    for row in rows():
        for _ in range(3):
            arguments = []
            for name, _ in row.parameters:
                if name == "r" and "Lo" in row.name:
                    arguments.append("rateLoHand('85432')")
                else:
                    # Before the flop an equity against a range takes a while.
                    is_slow = "HvR" in row.name or "HvP" in row.name
                    choices = values[name][1:] if is_slow else values[name]
                    arguments.append(rng.choice(choices if name == "S" else values[name]))
            text = f"select histogram({row.name}({', '.join(arguments)})) as h {source}"
            if "preflop" in text and not row.preflop:
                with pytest.raises(equity.EquityError, match="before the flop"):
                    equity.pql(text)
                continue
            answer = equity.pql(text, threads=1)[0]
            figure: Figure = answer["h"]
            assert figure.bins is not None
            assert sum(one.hits for one in figure.bins) == figure.of
            assert math.isclose(sum(one.share for one in figure.bins), 1) or not figure.of


def test_json_of_the_api() -> None:
    answers = equity.pql(
        "select histogram(equity(hero, turn)) as h, count(winsHi(hero)) as w from game='plo', "
        "board='Kh9h4c', hero='AhQhJdTs', villain='KsKd8c7c'"
    )
    whole = json.loads(json.dumps(answers.to_dict()))
    [one] = whole["queries"]
    assert {"game", "exact", "method", "deals", "all", "seed", "elapsed", "results"} <= set(one)
    histogram, count = one["results"]
    names = {"name", "kind", "type", "share", "hits", "value", "value_exact", "std_error", "of"}
    assert set(histogram) == names | {"bins"} == set(count)
    assert set(histogram["bins"][0]) == {"label", "share", "hits", "std_error"}
    assert histogram["hits"] is None
    assert count["bins"] is None
    assert Fraction(count["value_exact"]) == Fraction(count["hits"], one["deals"])


def test_comparing_equities_with_a_bound() -> None:
    """Equities that are only compared agree with those that are found."""
    hero, villain = parse_cards("AsKsQdJd"), equity.Range("20%")
    equities = RangeEquities(find_game("plo4"), [hero, villain])
    assert equities.is_comparable(0, None, 4)
    assert not equities.is_comparable(1, None, 4)
    boards = np.array(
        [
            parse_cards(text)
            for text in ("Th7h2c3d", "Tc9c8d2h", "AhKd4c4d", "2c3d7h8s", "Ts9s2sAd")
        ],
        np.uint8,
    )
    hands = np.array([hero] * len(boards), np.uint8)
    num, den = equities.find(0, None, hands, boards, ())
    exact = [Fraction(int(one), int(other)) for one, other in zip(num, den, strict=True)]
    # A bound that is the equity itself is decided by enumeration.
    for least in (Fraction(1, 2), exact[0], exact[2] + Fraction(1, 10**9)):
        found = equities.at_least(0, None, least, boards, ())
        assert found.tolist() == [value >= least for value in exact]


@pytest.mark.parametrize(
    ("game", "hand", "text"),
    [
        ("plo4", "AsAdKsJd", "@SET+,AA:@NFD,QQ"),
        ("o8", "As2d3sKd", "(A2:@LOW)!@FLUSHDRAW,@NUTLOWDRAW,10%:@TOPPAIR+"),
        ("plo5", "JsTd9s8d2c", "@WRAP13+,JT:@STRAIGHT+"),
    ],
)
def test_a_hand_in_ranges_on_many_boards(game: str, hand: str, text: str) -> None:
    query = f"select count(inRange(hero, '{text}', flop)) as a from game='{game}', hero='{hand}'"
    (answer,) = equity.pql(query).to_dict()["queries"]
    assert answer["exact"]
    # Some flops one by one, which a query reads as any range.
    cards = parse_cards(hand)
    deck = [card for card in range(52) if card not in cards]
    some = random.Random(game).sample(list(itertools.combinations(deck, 3)), 60)
    for board in some:
        held = format_hand(cards) in equity.Range(text, game, board=board)
        asked = query.replace("from", f"from board='{format_cards(board)}',")
        (one,) = equity.pql(asked).to_dict()["queries"]
        assert one["results"][0]["hits"] == (one["all"] if held else 0), board
