"""The query language against known values, and against its functions by the book."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive_pql
import numpy as np
import pytest
from naive_pql import Deal

import equity
from equity.queries.analysis import read_programs
from equity.queries.functions import FUNCTIONS, rows
from equity.queries.results import Answer, Figure
from equity.queries.vectors import VECTORS
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, Game

KNOWN = [
    json.loads(line)
    for line in (Path(__file__).parent / "known" / "pql.jsonl").read_text().splitlines()
]
RIGHT = [row for row in KNOWN if "error" not in row]
WRONG = [row for row in KNOWN if "error" in row]


def ask(query: str, **how: Any) -> Answer:
    return equity.pql(query, **how)[0]


def check(figure: Figure, known: dict[str, Any], answer: Answer, deals: int) -> None:
    assert (figure.name, figure.kind, figure.type) == (known["name"], known["kind"], known["type"])
    of = known.get("of", deals)
    assert Fraction(figure.of, answer.deals) == Fraction(of, deals)
    if "hits" in known:
        assert figure.hits is not None
        assert figure.value_exact == Fraction(figure.hits, answer.deals)
        assert figure.value_exact == Fraction(known["hits"], deals)
    elif "bins" in known:
        assert figure.bins is not None
        found = {one.label: Fraction(one.hits, figure.of) for one in figure.bins}
        assert found == {label: Fraction(hits, of) for label, hits in known["bins"]}
        assert list(found) == [label for label, _ in known["bins"]]
    elif figure.value_exact is not None:
        assert figure.value_exact == Fraction(known["value"])
    else:
        assert figure.value == known["value"]


@pytest.mark.parametrize("part", range(8))
def test_known_answers(part: int) -> None:
    for known in RIGHT[part::8]:
        answer = ask(known["query"])
        assert answer.exact
        assert Fraction(answer.deals, answer.all) == Fraction(known["deals"], known["all"])
        for figure, one in zip(answer.results, known["results"], strict=True):
            check(figure, one, answer, known["deals"])
        assert list(answer.left_out) == known.get("left_out", []) or answer.method != "enumerate"


#: Where the caret of each wrong query stands, and a word of the message.
CARETS = {
    "hand type compared with a flop category": "flopset)",
    "rank compared with a string; toRank('A')": "'A')",
    "hero's Kh is on the board: no hand is left": "KhAdQsQd",
    "4x is no card": "4x",
    "riverEquity has one argument, not none": "riverEquity()",
    "key hero twice": "hero='QQ'",
    "stud is no game of this family": "studhi",
    "a string in a sum": "'x'",
    "hold'em is no game of this family (Omaha, 4 to 6 cards)": "holdem",
    "the same card twice on the board": "Kh9hKh",
    "key board twice (any case)": "Board",
    "where without a condition": "where",
    "comparisons do not chain": "< 1",
    "no player villian; villain is near": "villian",
    "branches of two types: integer and string": "'lost'",
    "unknown function nutsHi; nutHi is near": "nutsHi",
    "syntax classic is not read": "classic",
    "two players with Kh: nothing can be dealt": "KhJsJdTs",
    "a name has to follow as": "from",
    "six cards on the board": "KhQh9h4c2d3d",
    "mean is no selector; avg": "mean",
    "a string where a hand type has to stand; flush without quotes": "'flush'",
    "and with an integer": "1)",
    "from is missing": "",
    "select is missing": "avg",
    "unknown function rivrEquity; riverEquity is near": "rivrEquity",
    "where needs a boolean, not an equity": "riverEquity(hero)",
    "fifth is no street of these games": "fifth",
    "avg of a boolean; count": "winsHi",
    "winsHi has one argument, not two": "winsHi",
    "rank sets have no order": "boardRanks",
    "booleans have no order": "winsHi",
    "no five cards before the flop: handType has no meaning": "preflop",
    "bracket not closed before from": "from",
    "a string where a player has to stand": "'hero'",
    "count of an equity, not a boolean": "riverEquity",
    "case without else": "end",
}


@pytest.mark.parametrize("known", WRONG, ids=lambda row: row["error"])
def test_wrong_queries(known: dict[str, Any]) -> None:
    with pytest.raises(equity.EquityError) as caught:
        ask(known["query"])
    error: Any = caught.value
    assert error.text == known["query"]
    assert error.text[error.column - 1 :].startswith(CARETS[known["error"]])
    if ";" in known["error"] and "near" in known["error"]:
        assert f"did you mean {known['error'].split('; ')[1].split()[0]}?" in str(error)


def test_every_function_computes() -> None:
    texts = {"rateHiHand", "rateLoHand", "toCard", "toRank", "toString"}
    assert {row.name for row in rows()} == set(VECTORS) | texts
    by_the_book = (naive_pql.ROWS, naive_pql.LOW_ROWS, naive_pql.PLAIN, naive_pql.LOW_PLAIN)
    texts_tried = [text for known in (*by_the_book, naive_pql.EQUITIES) for text in known]
    tried = " ".join([*texts_tried, *(row["query"] for row in RIGHT)]).lower()
    for row in rows():
        names = (name.lower() for name in (row.name, *row.aliases))
        assert any(f"{name}(" in tried for name in names) or row.name.startswith("handRanking")
    assert FUNCTIONS["equity"] is FUNCTIONS["hvhequity"]


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def random_deal(game: Game, rng: random.Random) -> Deal:
    """Few live cards, so that the book is quick; often of few suits and ranks."""
    deck = list(range(52))
    rng.shuffle(deck)
    style = rng.random()
    if style < 0.3:
        deck.sort(key=lambda card: card % 4 > 1)
    elif style < 0.6:
        deck.sort(key=lambda card: (card // 4) % 13 not in (0, 1, 2, 3, 4, 5, 6, 12))
    elif style < 0.8:
        deck.sort(key=lambda card: card // 4 < 7)
    head = deck[: 3 * game.hole + 9]
    rng.shuffle(head)
    take = iter(head)
    hands = [tuple(next(take) for _ in range(game.hole)) for _ in range(2)]
    board = tuple(next(take) for _ in range(5))
    other = tuple(next(take) for _ in range(game.hole))
    rest = deck[3 * game.hole + 9 :]
    live = 9
    dead = tuple(rest[live:])
    return Deal(
        dict(zip("pq", hands, strict=True)),
        board,
        dead,
        game.low,
        {"p": [hands[0], other], "q": [hands[1], other]},
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_functions_by_the_book(game: Game) -> None:
    check_functions(game, deals=4)


def check_functions(game: Game, deals: int) -> None:
    """Compare random deals with the book."""
    rng = random.Random(f"pql {game.name}")
    for number in range(deals):
        deal = random_deal(game, rng)
        wanted: dict[str, Any] = {}
        for street in ("flop", "turn", "river"):
            known = naive_pql.ROWS | (naive_pql.LOW_ROWS if game.low else {})
            for text, find in known.items():
                query = text.replace("S)", f"{street})").replace("S,", f"{street},")
                wanted[f"histogram({query})"] = find(deal, "p", street)
        known = naive_pql.PLAIN | (naive_pql.LOW_PLAIN if game.low else {})
        wanted |= {f"histogram({text})": find(deal, "p", "") for text, find in known.items()}
        equities = {
            f"max({text})": find(deal, "p", "")
            for text, find in naive_pql.EQUITIES.items()
            if number < 2 or "flop" not in text
        }
        hands = {name: format_cards(hand) for name, hand in deal.hands.items()}
        source = (
            f"from game='{game.name}', board='{format_cards(deal.board)}', "
            f"dead='{format_cards(deal.dead)}'"
        )
        single = f"{source}, p='{hands['p']}', q='{hands['q']}'"
        answer = ask(f"select {', '.join([*wanted, *equities])} {single}")
        assert answer.all == 1
        for figure, (text, value) in zip(answer.results, wanted.items(), strict=False):
            assert figure.bins is not None
            found = figure.bins[0].label if figure.bins else naive_pql.NONE
            assert found == text_of(value), (text, deal)
        for (text, value), figure in zip(
            equities.items(), answer.results[len(wanted) :], strict=True
        ):
            if "HvR" not in text:
                assert figure.value_exact == value, (text, deal)
        _check_ranges(deal, source, answer)


def _check_ranges(deal: Deal, source: str, answer: Answer) -> None:
    """Equities against ranges, of a deal in which they can be told."""
    texts = {name: ",".join(map(format_cards, hands)) for name, hands in deal.ranges.items()}
    query = (
        "select avg(HvREquity(p, turn)) as t, avg(HvREquity(p, river)) as r, "
        f"avg(HvPerceivedRangeEquity(p, turn, '{texts['q']}')) as e {source}, "
        f"p='{format_cards(deal.hands['p'])}', q='{texts['q']}'"
    )
    found = ask(query)
    # All hands of q give the same equities of p's one hand.
    turn = naive_pql.against_ranges(deal, "p", "turn", [deal.ranges["q"]])
    river = naive_pql.against_ranges(deal, "p", "river", [deal.ranges["q"]])
    assert (found["t"].value_exact, found["r"].value_exact) == (turn, river)
    assert found["e"].value_exact == turn
    assert answer.exact


def test_rankings_are_those_of_rank() -> None:
    for game in GAMES:
        hand = format_cards(tuple(range(20, 20 + 3 * game.hole, 3)))
        standings = {one.ordering.split()[0]: one for one in equity.rank(hand, game).standings}
        query = (
            "select max(handRanking(h)) as a, max(handRankingFor(h, 'VR')) as v, "
            f"max(handRankingFor(h, '6h')) as s from game='{game.name}', h='{hand}'"
        )
        answer = ask(query)
        for name, ordering in (("a", "ring"), ("v", "random"), ("s", "6max")):
            assert answer[name].value == pytest.approx(standings[ordering].percentile)
    with pytest.raises(equity.EquityError, match="ring"):
        ask("select max(handRankingFor(h, '3h')) from game='plo', h='AA'")


def test_ranges_are_those_of_range() -> None:
    query = (
        "select count(inRange(h, '20%')) as part, count(inRange(h, '@SET+', flop)) as made, "
        "count(inRange(h, 'AA@1')) as aces from game='plo', board='Kh9h4cTd', h='30%!QQ@40,KK'"
    )
    answer = ask(query)
    board = equity.Range("30%!QQ@40,KK", "plo").live("Kh9h4cTd").range
    for name, text in (("part", "20%"), ("made", "@SET+"), ("aces", "AA")):
        other = equity.Range(text, "plo", board="Kh9h4c")
        inside = board & other
        weight = int(board.weights[np.isin(board.index, inside.index)].sum())
        assert answer[name].value_exact == Fraction(weight, int(board.weights.sum()))


def test_equities_are_those_of_odds() -> None:
    for game, players, board in (
        ("plo4", ["AAKQ", "KdQcJdTd"], "Ks8c3d"),
        ("o8", ["A23K", "AsAhKdJd", "8h8d7c7s"], "Qs7h4c"),
        ("plo6-8", ["AsAd2s2d3h3c", "KQJT98"], "Jh9h4c2c"),
    ):
        names = ", ".join(f"p{at}='{text}'" for at, text in enumerate(players))
        source = f"from game='{game}', board='{board}', {names}"
        exact = equity.odds(players, game, board)
        engine = ask(f"select avg(riverEquity(p0)) as e, count(winsHi(p1)) as w {source}")
        street = "turn" if len(board) == 8 else "flop"
        # A condition has the query enumerate by itself.
        own = ask(
            "select avg(riverEquity(p0)) as e, count(winsHi(p1)) as w, "
            f"avg(HvHEquity(p0, {street})) as f {source} where not 1 = 2"
        )
        assert own.method == "enumerate"
        for answer in (engine, own):
            assert answer["e"].value_exact == exact.equities_exact[0]
            wins = Fraction(exact.players[1].high.win_count, exact.weight)
            assert answer["w"].value_exact == wins
        assert own["f"].value_exact == exact.equities_exact[0]


def test_unseen_ranges_are_counted() -> None:
    """A player who occurs nowhere is not dealt; the answer is that of dealing them."""
    hero, villain = "AsAhKQ,JsJhTT", "KsK44@20,44T5,AdA99"
    for game, board, dead, hands, other in (
        ("plo4", "Kh9h4c", "2c", hero, villain),
        ("plo4", "Kh9h", "", "AsAhKdQd,JsJhTdTc", villain),
        ("o8", "K92:xyz", "", "AsAhKdQd,JsJhTd4d", villain),
        ("plo5", "Kh9h4c", "2c2d", "AsAhKdQd2s,JsJhTdTc3s", "AA993@20,KK443"),
        ("plo6", "Kh9h4c2s", "", "AsAhKdQd2d3d,JsJhTdTc3s3c", "AdAc9s9d3*@20,KsKd443c3"),
    ):
        source = f"from game='{game}', board='{board}', dead='{dead}', hero='{hands}', v='{other}'"
        asked = (
            "count(handType(hero, turn) >= trips) as a, avg(outsToHandType(hero, turn, flush)) as b"
        )
        left_out = ask(f"select {asked} {source}", exact=True)
        dealt = ask(f"select {asked}, count(pocketPair(v)) as c {source}", exact=True)
        assert left_out.all == dealt.all
        assert left_out["a"] == dealt["a"]
        assert left_out["b"] == dealt["b"]


def test_names_and_signs() -> None:
    """Any case, comments, both quotes and all spellings of operators."""
    answer = ask(
        "SELECT Count(WinsHi(HERO) || not tiesHi(hero)) AS One, /* two\nlines */"
        " count(1 <> 2 && 2 == 2.0)"
        " FROM Game=\"PLO 4\", Board='Kh9h4c', Hero='AhQhJdTs', VILLAIN='KsKd8c7c';;"
    )
    assert [figure.name for figure in answer.results] == ["One", "count(1 <> 2 && 2 == 2.0)"]
    assert answer["one"].hits is not None


def test_parameters() -> None:
    query = (
        "select count(HvHEquity(hero, :street) >= :least) as c, "
        "count(exactHandType(hero, flop, :kind)) as k "
        "from game=:game, board=:board, hero=:hero, v=:v"
    )
    params = {
        "street": "flop",
        "least": 0.25,
        "game": "plo",
        "board": "Kh9h4c",
        "hero": "AhQhJdTs",
        "v": equity.Range("KK87", "plo"),
        "kind": "pair",
    }
    answer = ask(query, params=params)
    assert answer["c"].value_exact == 1
    assert answer["k"].value_exact == 0
    with pytest.raises(equity.EquityError, match=":least"):
        ask(query, params={name: value for name, value in params.items() if name != "least"})
    with pytest.raises(equity.EquityError, match="is not a known game"):
        ask(query, params=params | {"game": "x'; select"})


def test_what_is_dealt() -> None:
    """No street that nothing looks at, and nobody who may hold anything."""
    for expression, boards, players in (
        ("flopHandCategory(a)", (3,), {0}),
        ("pocketPair(a)", (), {0}),
        ("winsHi(a)", (5,), {0, 1}),
        ("handType(b, turn) = handType(a, river)", (4, 5), {0, 1}),
        ("turnCard()", (3, 4), set()),
        ("boardInRange('KKK')", (3,), set()),
        ("HvREquity(b, flop)", (3,), {1}),
        ("handRanks(a, river)", (), {0}),
    ):
        query = f"select histogram({expression}) from game='plo', a='AA', b='*'"
        [program] = read_programs(query)
        assert program.boards == boards
        assert program.players == players
