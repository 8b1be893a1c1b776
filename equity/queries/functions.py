"""The functions of the query language, one row each; what they compute is in ``vectors``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from equity.queries.types import (
    BOOLEAN,
    CARD,
    CATEGORY,
    EQUITY,
    FRACTION,
    HAND_TYPE,
    HI_RATING,
    INTEGER,
    LO_RATING,
    NUMBER,
    RANK,
    RANK_SET,
    STRING,
    Type,
)

__all__ = ["ANY", "FUNCTIONS", "NUMERIC", "PLAYER", "STREET_NAME", "TEXT", "Function", "rows"]

#: Kinds of parameters besides the types: a player, a street, a text, any number, anything.
PLAYER = "player"
STREET_NAME = "street"
TEXT = "text"
NUMERIC = "numeric"
ANY = "anything"

#: What a function looks at, by the cards that the board has then.
_BOARDS = {
    "": (),
    "flop": (3,),
    "river": (5,),
    "turn card": (3, 4),
    "river card": (4, 5),
    "pattern": (3, 4, 5),
}


@dataclass(frozen=True)
class Function:
    """A function: its parameters, and what it has to see."""

    name: str
    #: Name and kind of each parameter.
    parameters: tuple[tuple[str, str | Type], ...]
    gives: Type
    meaning: str
    #: What it sees: ``""``, ``"street"`` or a key of ``_BOARDS``.
    sees: str = ""
    #: Whether it sees the hands of all players.
    sees_all: bool = False
    #: Whether it has a meaning before the flop.
    preflop: bool = False
    #: Whether it is of the low.
    low: bool = False
    #: Estimated nanoseconds for a deal.
    cost: int = 20
    aliases: tuple[str, ...] = ()
    #: Names of parameters that may be left out.
    optional: int = 0

    @property
    def boards(self) -> tuple[int, ...]:
        """Cards of the boards that it sees, besides the board of its street."""
        return _BOARDS.get(self.sees, ())

    @property
    def signature(self) -> str:
        """``"handType(p, S)"``."""
        names = [name for name, _ in self.parameters]
        needed = len(names) - self.optional
        more = "".join(f" [, {name}]" for name in names[needed:])
        return f"{self.name}({', '.join(names[:needed])}{more})"

    def to_dict(self) -> dict[str, object]:
        """The facts of the function, for tables of them."""
        return {
            "name": self.name,
            "signature": self.signature,
            "gives": self.gives.name,
            "meaning": self.meaning,
            "preflop": self.preflop,
            "low": self.low,
            "aliases": list(self.aliases),
        }


_KINDS: dict[str, str | Type] = {
    "p": PLAYER,
    "S": STREET_NAME,
    "x": NUMERIC,
    "n": INTEGER,
    "t": HAND_TYPE,
    "c": CATEGORY,
    "r": HI_RATING,
    "l": LO_RATING,
    "s": RANK_SET,
    "R": TEXT,
    "B": TEXT,
    "NAME": TEXT,
    "CARDS": TEXT,
    "CARD": TEXT,
    "RANK": TEXT,
    "value": ANY,
}


def _row(
    signature: str,
    gives: Type,
    meaning: str,
    sees: str = "",
    cost: int = 20,
    *,
    sees_all: bool = False,
    preflop: bool = False,
    low: bool = False,
    aliases: str = "",
    optional: int = 0,
) -> Function:
    name, _, inside = signature.partition("(")
    names = [part.strip() for part in inside.rstrip(")").split(",") if part.strip()]
    parameters = tuple(("r" if part == "l" else part, _KINDS[part]) for part in names)
    return Function(
        name,
        parameters,
        gives,
        meaning,
        sees,
        sees_all,
        preflop,
        low,
        cost,
        tuple(aliases.split()),
        optional,
    )


def _equities() -> Iterator[Function]:
    """All-in equities, and whether they are at least so much."""
    rows = (
        _row(
            "HvHEquity(p, S)",
            EQUITY,
            "all-in equity at S against the hands that the others were dealt",
            "street",
            3_000,
            sees_all=True,
            preflop=True,
            aliases="equity",
        ),
        _row(
            "HvREquity(p, S)",
            EQUITY,
            "all-in equity at S against the ranges of the others",
            "street",
            1_000_000,
            preflop=True,
        ),
        _row(
            "HvPerceivedRangeEquity(p, S, R)",
            EQUITY,
            "the same with R as the range of every other player",
            "street",
            1_000_000,
            preflop=True,
        ),
    )
    for row in rows:
        yield row
        yield replace(
            row,
            name=f"min{row.name}",
            parameters=(*row.parameters, ("x", NUMERIC)),
            gives=BOOLEAN,
            meaning=f"{row.name} is at least x",
            aliases=tuple(f"min{alias}" for alias in row.aliases),
        )


_ROWS = (
    _row(
        "riverEquity(p)", EQUITY, "what p wins of the pot of this deal", "river", 100, sees_all=True
    ),
    _row("fractionalRiverEquity(p)", FRACTION, "the same", "river", 100, sees_all=True),
    *_equities(),
    _row("winsHi(p)", BOOLEAN, "p has the best high alone", "river", 100, sees_all=True),
    _row("tiesHi(p)", BOOLEAN, "p shares the best high", "river", 100, sees_all=True),
    _row("winsLo(p)", BOOLEAN, "p has the best low alone", "river", 100, sees_all=True, low=True),
    _row("tiesLo(p)", BOOLEAN, "p shares the best low", "river", 100, sees_all=True, low=True),
    _row("scoops(p)", BOOLEAN, "p wins the whole pot", "river", 100, sees_all=True),
    _row("handType(p, S)", HAND_TYPE, "type of the best high", "street", 50),
    _row("exactHandType(p, S, t)", BOOLEAN, "the best high is of type t", "street", 50),
    _row("minHandType(p, S, t)", BOOLEAN, "it is of type t or better", "street", 50),
    _row(
        "winningHandType()", HAND_TYPE, "type of the best high of all", "river", 100, sees_all=True
    ),
    _row("hiRating(p, S)", HI_RATING, "the best high", "street", 50),
    _row("minHiRating(p, S, r)", BOOLEAN, "the best high is r or better", "street", 50),
    _row("rateHiHand(CARDS)", HI_RATING, "the high of five cards, 'AsKsQsJsTs'"),
    _row(
        "bestHiRating(p, S)", BOOLEAN, "no player has a better high", "street", 100, sees_all=True
    ),
    _row("maxHiRating(S)", HI_RATING, "the best high of all players", "street", 100, sees_all=True),
    _row(
        "fiveCardHiHandNumber(p, S)",
        INTEGER,
        "the best high as a number, 1 to 7,462",
        "street",
        50,
    ),
    _row("nutHi(p, S)", BOOLEAN, "no two unseen cards make a better high", "street", 400),
    _row("nutHiForHandType(p, S)", BOOLEAN, "none a better one of its type", "street", 400),
    _row(
        "outsToHandType(p, S, t)",
        INTEGER,
        "unseen cards that make the best high exactly t, a better type than now",
        "street",
        2_000,
    ),
    _row("minOutsToHandType(p, S, t, n)", BOOLEAN, "these are at least n", "street", 2_000),
    _row("nutHiOuts(p, S)", INTEGER, "unseen cards after which nutHi holds", "street", 15_000),
    _row("fourFlush(p, S)", BOOLEAN, "one card is missing to a flush", "street"),
    _row("threeFlush(p, S)", BOOLEAN, "two cards are missing to a flush", "street"),
    _row("flopHandCategory(p)", CATEGORY, "what p has on the flop", "flop", 50),
    _row("exactFlopHandCategory(p, c)", BOOLEAN, "that is c", "flop", 50),
    _row("minFlopHandCategory(p, c)", BOOLEAN, "that is c or better", "flop", 50),
    _row("overpair(p, S)", BOOLEAN, "p holds a pair above every board rank", "street"),
    _row("pocketPair(p)", BOOLEAN, "p holds two cards of a rank"),
    _row("cardsPlay(p, S)", INTEGER, "hole cards that play: 2"),
    _row("handRanking(p)", NUMBER, "where the hand stands, top 0 to 100 percent, as in 10%"),
    _row("handRankingFor(p, NAME)", NUMBER, "the same in the ordering 'ring', '6max' or 'random'"),
    _row(
        "inRange(p, R, S)",
        BOOLEAN,
        "the hand is in R, whose @ conditions are read on the board at S",
        "street",
        50,
        preflop=True,
        optional=1,
    ),
    _row("boardInRange(B)", BOOLEAN, "the board matches the pattern B", "pattern", 100),
    _row("boardRanks(S)", RANK_SET, "ranks on the board", "street"),
    _row("duplicatedBoardRanks(S)", RANK_SET, "ranks on the board twice or more", "street"),
    _row("boardSuitCount(S)", INTEGER, "suits on the board", "street"),
    _row("flushingBoard(S)", BOOLEAN, "three cards of a suit", "street"),
    _row("monotoneBoard(S)", BOOLEAN, "one suit", "street"),
    _row("twoToneBoard(S)", BOOLEAN, "exactly two suits", "street"),
    _row("rainbowBoard(S)", BOOLEAN, "no suit twice", "street"),
    _row("pairedBoard(S)", BOOLEAN, "a rank twice or more", "street"),
    _row("straightBoard(S)", BOOLEAN, "three ranks of one straight", "street"),
    _row("turnCard()", CARD, "the turn", "turn card"),
    _row("riverCard()", CARD, "the river", "river card"),
    _row("handRanks(p, S)", RANK_SET, "ranks held", preflop=True),
    _row("duplicatedHandRanks(p, S)", RANK_SET, "ranks held twice or more", preflop=True),
    _row("intersectingHandRanks(p, S)", RANK_SET, "ranks held that are on the board", "street"),
    _row("nonIntersectingHandRanks(p, S)", RANK_SET, "ranks held that are not", "street"),
    _row("handBoardIntersections(p, S)", INTEGER, "how many ranks held are on it", "street"),
    _row("hasTopBoardRank(p, S)", BOOLEAN, "p holds the highest board rank", "street"),
    _row("hasSecondBoardRank(p, S)", BOOLEAN, "p holds the second highest", "street"),
    _row("maxRank(s)", RANK, "the highest of a set"),
    _row("minRank(s)", RANK, "the lowest of a set"),
    _row("nthRank(n, s)", RANK, "the n-th highest of a set, from 1"),
    _row("rankCount(s)", INTEGER, "how many ranks a set has"),
    _row("toCard(CARD)", CARD, "the card of a text, 'As'"),
    _row("toRank(RANK)", RANK, "the rank of a text, 'A'"),
    _row("toString(value)", STRING, "the text of a value"),
    _row("madeLo(p, S)", BOOLEAN, "p has a low", "street", 50, low=True),
    _row("loRating(p, S)", LO_RATING, "the best low", "street", 50, low=True),
    _row("minLoRating(p, S, l)", BOOLEAN, "the best low is r or better", "street", 50, low=True),
    _row("rateLoHand(CARDS)", LO_RATING, "the low of five cards, or of ranks, '85432'", low=True),
    _row(
        "bestLoRating(p, S)",
        BOOLEAN,
        "p has a low, and no player a better one",
        "street",
        100,
        sees_all=True,
        low=True,
    ),
    _row(
        "nutLo(p, S)",
        BOOLEAN,
        "p has a low, and no two unseen cards make a better one",
        "street",
        400,
        low=True,
    ),
    _row(
        "nutLoOuts(p, S)",
        INTEGER,
        "unseen cards after which nutLo holds",
        "street",
        15_000,
        low=True,
    ),
    _row("boardLoCardCount(S)", INTEGER, "different low ranks on the board", "street", low=True),
    _row("boardAllowsMadeLo(S)", BOOLEAN, "three or more of them", "street", low=True),
    _row("boardHasOneDistinctLoCard(S)", BOOLEAN, "exactly one of them", "street", low=True),
    _row("boardHasTwoDistinctLoCards(S)", BOOLEAN, "exactly two of them", "street", low=True),
)

#: Functions by their names and aliases in lower case.
FUNCTIONS = {name.lower(): row for row in _ROWS for name in (row.name, *row.aliases)}


def rows() -> tuple[Function, ...]:
    """All functions, each once, in the order of the documentation."""
    return _ROWS
