"""Every function of the query language by the book, for one deal.

Like ``naive.py``, on which it stands, it shares nothing with the package.  A rank set is a
frozenset, a card a number, a hand type a number from 0, an equity a fraction.  ``NONE`` is a
value that does not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

from naive import (
    CATEGORY,
    Cards,
    High,
    best_high,
    best_low,
    high_of,
    low_of,
    low_ranks,
    share,
    showdown,
)

NONE = "none"
TYPES = ("highcard pair twopair trips straight flush fullhouse quads straightflush").split()  # noqa: SIM905 - a list of words
CATEGORIES = [
    "flopnothing",
    "flopunderpair",
    "flopthirdpair",
    "floppocket23",
    "flopsecondpair",
    "floppocket12",
    "floptoppair",
    "flopoverpair",
    "flopbottomtwo",
    "floptopandbottom",
    "floptoptwo",
    "floptrips",
    "flopset",
    "flopstraight",
    "flopflush",
    "flopfullhouse",
    "flopquads",
    "flopstraightflush",
]
SIZES = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
RANKS, SUITS = "23456789TJQKA", "cdhs"
PAIR_SIZES = {category: sizes for sizes, category in CATEGORY.items()}


class Deal(NamedTuple):
    """Hands by player, a complete board in the order of its cards, and dead cards."""

    hands: dict[str, Cards]
    board: Cards
    dead: Cards
    low: bool
    #: The hands that each player might have.
    ranges: dict[str, list[Cards]]

    def at(self, street: str) -> Cards:
        return self.board[: SIZES[street]]

    def unseen(self, player: str, street: str) -> list[int]:
        seen = {*self.hands[player], *self.at(street), *self.dead}
        return [card for card in range(52) if card not in seen]


def ranks(some: Cards) -> list[int]:
    return [card // 4 for card in some]


def twice(some: Cards) -> frozenset[int]:
    counts = Counter(ranks(some))
    return frozenset(rank for rank, count in counts.items() if count > 1)


def suits(some: Cards) -> Counter[int]:
    return Counter(card % 4 for card in some)


def high(deal: Deal, player: str, street: str) -> High:
    return best_high(deal.hands[player], deal.at(street))


def low(deal: Deal, player: str, street: str) -> Any:
    """A low as a number of places above none, by the ranks that make it."""
    return best_low(deal.hands[player], deal.at(street))


def better_low(one: Any, other: Any) -> bool:
    return one is not None and (other is None or one < other)


def all_in(hands: list[Cards], board: Cards, dead: Cards, is_low: bool) -> Fraction:
    """The equity of the first hand over all boards."""
    gone = {*board, *dead, *(card for hand in hands for card in hand)}
    left = [card for card in range(52) if card not in gone]
    won, boards = Fraction(0), 0
    for rest in combinations(left, 5 - len(board)):
        won += sum(share(*showdown(hands, (*board, *rest), is_low)[0]))
        boards += 1
    return won / boards


def against_ranges(
    deal: Deal, player: str, street: str, ranges: list[list[Cards]]
) -> Fraction | str:
    hand, board = deal.hands[player], deal.at(street)
    won, boards = Fraction(0), 0

    def go_on(chosen: list[Cards], gone: set[int], rest: list[list[Cards]]) -> None:
        nonlocal won, boards
        if not rest:
            left = [card for card in range(52) if card not in gone]
            for more in combinations(left, 5 - len(board)):
                won += sum(share(*showdown([hand, *chosen], (*board, *more), deal.low)[0]))
                boards += 1
            return
        for other in rest[0]:
            if gone.isdisjoint(other):
                go_on([*chosen, other], gone | set(other), rest[1:])

    go_on([], {*hand, *board, *deal.dead}, ranges)
    return won / boards if boards else NONE


def others(deal: Deal, player: str) -> list[str]:
    return [name for name in deal.hands if name != player]


def pot(deal: Deal, player: str) -> tuple[int, int | None]:
    names = [player, *others(deal, player)]
    return showdown([deal.hands[name] for name in names], deal.board, deal.low)[0]


def nut_high(deal: Deal, player: str, street: str, same_type: bool = False) -> bool:
    mine = high(deal, player, street)
    made = (best_high(two, deal.at(street)) for two in combinations(deal.unseen(player, street), 2))
    return all(one <= mine or (same_type and one[0] != mine[0]) for one in made)


def nut_low(deal: Deal, player: str, street: str) -> bool:
    mine = low(deal, player, street)
    if mine is None:
        return False
    pairs = combinations(deal.unseen(player, street), 2)
    return not any(better_low(best_low(two, deal.at(street)), mine) for two in pairs)


def next_deals(deal: Deal, player: str, street: str) -> list[Deal]:
    """The deal with each unseen card as the next of the board; the street is then the next."""
    board = deal.at(street)
    if len(board) == 5:
        return []
    return [deal._replace(board=(*board, card)) for card in deal.unseen(player, street)]


def after(street: str) -> str:
    return {"flop": "turn", "turn": "river"}[street]


def outs(deal: Deal, player: str, street: str, wanted: str) -> int:
    number = TYPES.index(wanted)
    if high(deal, player, street)[0] >= number:
        return 0
    return sum(
        high(one, player, after(street))[0] == number for one in next_deals(deal, player, street)
    )


def flush_draw(deal: Deal, player: str, street: str, cards: int) -> bool:
    mine, board = suits(deal.hands[player]), suits(deal.at(street))
    if any(mine[suit] >= 2 and board[suit] >= 3 for suit in range(4)):
        return False
    sums = [min(2, mine[suit]) + board[suit] for suit in range(4) if mine[suit]]
    if cards == 3 and 4 in sums:
        return False
    return cards in sums


def category(deal: Deal, player: str) -> str:
    hand, board = deal.hands[player], deal.at("flop")
    kind = TYPES[high(deal, player, "flop")[0]]
    if kind in ("straight", "flush", "fullhouse", "quads", "straightflush"):
        return f"flop{kind}"
    on_board = sorted(set(ranks(board)), reverse=True)
    held = set(ranks(hand))
    pairs = twice(hand)
    if kind == "trips":
        return "floptrips" if len(on_board) < 3 else "flopset"
    found = ["flopnothing"]
    if len(on_board) == 3:
        first, second, third = (rank in held for rank in on_board)
        found += ["floptoptwo"] * (first and second)
        found += ["floptopandbottom"] * (first and third)
        found += ["flopbottomtwo"] * (second and third)
        found += ["flopthirdpair"] * third
        found += ["floppocket23"] * any(on_board[1] > rank > on_board[2] for rank in pairs)
    names = ("floptoppair", "flopsecondpair")
    doubled = twice(board)
    for rank, name in zip(on_board, names, strict=False):
        found += [name] * (rank in held and rank not in doubled)
    found += ["flopoverpair"] * any(rank > on_board[0] for rank in pairs)
    if len(on_board) > 1:
        found += ["floppocket12"] * any(on_board[0] > rank > on_board[1] for rank in pairs)
    found += ["flopunderpair"] * any(rank < on_board[-1] for rank in pairs)
    return max(found, key=CATEGORIES.index)


def straight_board(board: Cards) -> bool:
    straights = [set(range(low, low + 5)) for low in range(9)] + [{12, 0, 1, 2, 3}]
    return any(len(one & set(ranks(board))) >= 3 for one in straights)


def matches(board: Cards, places: list[str]) -> bool:
    """Whether cards fit ``K``, ``Kh``, ``*``, ``*h`` or a variable, one for one."""
    variables: dict[str, int] = {}
    written = {place[0] for place in places if place[0] in RANKS}
    for card, place in zip(board, places, strict=False):
        rank, suit = card // 4, card % 4
        if place[0] in RANKS and RANKS.index(place[0]) != rank:
            return False
        is_variable = place[0] in "RONP"
        if is_variable and RANKS[rank] in written:
            return False
        if is_variable and variables.setdefault(place[0], rank) != rank:
            return False
        if len(place) > 1 and SUITS.index(place[1]) != suit:
            return False
    return len(set(variables.values())) == len(variables)


def board_in_range(deal: Deal, places: list[str]) -> bool:
    flop = deal.at("flop")
    return any(matches((*first, *deal.board[3:]), places) for first in permutations(flop))


def high_text(value: High) -> str:
    kind = TYPES[value[0]]
    if kind in ("straight", "straightflush"):
        top = value[1]
        return f"{kind} {''.join(RANKS[(top - step) % 13] for step in range(5))}"
    sizes = PAIR_SIZES.get(value[0], (1, 1, 1, 1, 1))
    return f"{kind} " + "".join(
        RANKS[rank] * size for rank, size in zip(value[1:], sizes, strict=True)
    )


def low_text(value: Any) -> str:
    return "no low" if value is None else "-".join("A" if r == 1 else str(r) for r in value)


def set_text(some: Any) -> str:
    return "".join(RANKS[rank] for rank in sorted(some, reverse=True)) or "-"


def card_text(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def highs(deal: Deal, street: str) -> list[High]:
    return [high(deal, name, street) for name in deal.hands]


def number_of(value: High) -> int:
    return 1 + all_highs().index(value)


_HIGHS: list[High] = []


def all_highs() -> list[High]:
    """All highs that there are, the worst first."""
    if not _HIGHS:
        from itertools import combinations_with_replacement

        from naive import high_of_ranks

        found = set()
        for five in combinations_with_replacement(range(12, -1, -1), 5):
            if len(set(five)) > 1:
                found.add(high_of_ranks(five, False))
            if len(set(five)) == 5:
                found.add(high_of_ranks(five, True))
        _HIGHS.extend(sorted(found))
    return _HIGHS


def best_low_of_all(deal: Deal, player: str, street: str) -> bool:
    mine = low(deal, player, street)
    return mine is not None and not any(
        better_low(low(deal, name, street), mine) for name in deal.hands
    )


def low_count(deal: Deal, street: str) -> int:
    return len(low_ranks(deal.at(street)))


def nth(place: int, some: Any) -> str:
    ordered = sorted(some, reverse=True)
    return RANKS[ordered[place - 1]] if 1 <= place <= len(ordered) else NONE


Row = Callable[[Deal, str, str], Any]

#: Queries of a player ``p`` on a street ``S``: the text, and the value or its text.
ROWS: dict[str, Row] = {
    "handType(p, S)": lambda d, p, s: TYPES[high(d, p, s)[0]],
    "exactHandType(p, S, pair)": lambda d, p, s: high(d, p, s)[0] == 1,
    "minHandType(p, S, trips)": lambda d, p, s: high(d, p, s)[0] >= 3,
    "hiRating(p, S)": lambda d, p, s: high_text(high(d, p, s)),
    "minHiRating(p, S, rateHiHand('KhKd9s8s7c'))": lambda d, p, s: (
        high(d, p, s)
        >= high_of(
            tuple(RANKS.index(r) * 4 + SUITS.index(u) for r, u in ("Kh", "Kd", "9s", "8s", "7c"))
        )
    ),
    "bestHiRating(p, S)": lambda d, p, s: high(d, p, s) == max(highs(d, s)),
    "maxHiRating(S)": lambda d, p, s: high_text(max(highs(d, s))),
    "fiveCardHiHandNumber(p, S)": lambda d, p, s: number_of(high(d, p, s)),
    "nutHi(p, S)": nut_high,
    "nutHiForHandType(p, S)": lambda d, p, s: nut_high(d, p, s, same_type=True),
    "outsToHandType(p, S, straight)": lambda d, p, s: outs(d, p, s, "straight"),
    "outsToHandType(p, S, flush)": lambda d, p, s: outs(d, p, s, "flush"),
    "outsToHandType(p, S, twopair)": lambda d, p, s: outs(d, p, s, "twopair"),
    "outsToHandType(p, S, fullhouse)": lambda d, p, s: outs(d, p, s, "fullhouse"),
    "outsToHandType(p, S, handType(q, S))": lambda d, p, s: outs(
        d, p, s, TYPES[high(d, others(d, p)[0], s)[0]]
    ),
    "minOutsToHandType(p, S, trips, 2)": lambda d, p, s: outs(d, p, s, "trips") >= 2,
    "nutHiOuts(p, S)": lambda d, p, s: sum(
        nut_high(one, p, after(s)) for one in next_deals(d, p, s)
    ),
    "fourFlush(p, S)": lambda d, p, s: flush_draw(d, p, s, 4),
    "threeFlush(p, S)": lambda d, p, s: flush_draw(d, p, s, 3),
    "overpair(p, S)": lambda d, p, s: any(rank > max(ranks(d.at(s))) for rank in twice(d.hands[p])),
    "cardsPlay(p, S)": lambda d, p, s: 2,
    "boardRanks(S)": lambda d, p, s: set_text(set(ranks(d.at(s)))),
    "duplicatedBoardRanks(S)": lambda d, p, s: set_text(twice(d.at(s))),
    "boardSuitCount(S)": lambda d, p, s: len(suits(d.at(s))),
    "flushingBoard(S)": lambda d, p, s: max(suits(d.at(s)).values()) >= 3,
    "monotoneBoard(S)": lambda d, p, s: len(suits(d.at(s))) == 1,
    "twoToneBoard(S)": lambda d, p, s: len(suits(d.at(s))) == 2,
    "rainbowBoard(S)": lambda d, p, s: max(suits(d.at(s)).values()) == 1,
    "pairedBoard(S)": lambda d, p, s: bool(twice(d.at(s))),
    "straightBoard(S)": lambda d, p, s: straight_board(d.at(s)),
    "handRanks(p, S)": lambda d, p, s: set_text(set(ranks(d.hands[p]))),
    "duplicatedHandRanks(p, S)": lambda d, p, s: set_text(twice(d.hands[p])),
    "intersectingHandRanks(p, S)": lambda d, p, s: set_text(
        set(ranks(d.hands[p])) & set(ranks(d.at(s)))
    ),
    "nonIntersectingHandRanks(p, S)": lambda d, p, s: set_text(
        set(ranks(d.hands[p])) - set(ranks(d.at(s)))
    ),
    "handBoardIntersections(p, S)": lambda d, p, s: len(
        set(ranks(d.hands[p])) & set(ranks(d.at(s)))
    ),
    "hasTopBoardRank(p, S)": lambda d, p, s: max(ranks(d.at(s))) in ranks(d.hands[p]),
    "hasSecondBoardRank(p, S)": lambda d, p, s: (
        sorted(set(ranks(d.at(s))))[-2] in ranks(d.hands[p])
        if len(set(ranks(d.at(s)))) > 1
        else False
    ),
    "maxRank(duplicatedBoardRanks(S))": lambda d, p, s: nth(1, twice(d.at(s))),
    "minRank(intersectingHandRanks(p, S))": lambda d, p, s: nth(
        len(set(ranks(d.hands[p])) & set(ranks(d.at(s)))),
        set(ranks(d.hands[p])) & set(ranks(d.at(s))),
    ),
    "nthRank(3, boardRanks(S))": lambda d, p, s: nth(3, set(ranks(d.at(s)))),
    "nthRank(boardSuitCount(S), boardRanks(S))": lambda d, p, s: nth(
        len(suits(d.at(s))), set(ranks(d.at(s)))
    ),
    "rankCount(handRanks(p, S))": lambda d, p, s: len(set(ranks(d.hands[p]))),
    "toString(handType(p, S))": lambda d, p, s: TYPES[high(d, p, s)[0]],
}

#: Of hi/lo games.
LOW_ROWS: dict[str, Row] = {
    "madeLo(p, S)": lambda d, p, s: low(d, p, s) is not None,
    "loRating(p, S)": lambda d, p, s: low_text(low(d, p, s)),
    "minLoRating(p, S, rateLoHand('8h7h6s2dAc'))": lambda d, p, s: (
        low(d, p, s) is not None and low(d, p, s) <= (8, 7, 6, 2, 1)
    ),
    "bestLoRating(p, S)": best_low_of_all,
    "nutLo(p, S)": nut_low,
    "nutLoOuts(p, S)": lambda d, p, s: sum(
        nut_low(one, p, after(s)) for one in next_deals(d, p, s)
    ),
    "boardLoCardCount(S)": lambda d, p, s: low_count(d, s),
    "boardAllowsMadeLo(S)": lambda d, p, s: low_count(d, s) >= 3,
    "boardHasOneDistinctLoCard(S)": lambda d, p, s: low_count(d, s) == 1,
    "boardHasTwoDistinctLoCards(S)": lambda d, p, s: low_count(d, s) == 2,
}

#: Queries without a street.
PLAIN: dict[str, Row] = {
    "fractionalRiverEquity(p)": lambda d, p, s: str(sum(share(*pot(d, p)))),
    "winsHi(p)": lambda d, p, s: pot(d, p)[0] == 1,
    "tiesHi(p)": lambda d, p, s: pot(d, p)[0] > 1,
    "scoops(p)": lambda d, p, s: sum(share(*pot(d, p))) == 1,
    "winningHandType()": lambda d, p, s: TYPES[max(highs(d, "river"))[0]],
    "flopHandCategory(p)": lambda d, p, s: category(d, p),
    "exactFlopHandCategory(p, floptoppair)": lambda d, p, s: category(d, p) == "floptoppair",
    "minFlopHandCategory(p, floppocket12)": lambda d, p, s: CATEGORIES.index(category(d, p)) >= 5,
    "pocketPair(p)": lambda d, p, s: bool(twice(d.hands[p])),
    "turnCard()": lambda d, p, s: card_text(d.board[3]),
    "riverCard()": lambda d, p, s: card_text(d.board[4]),
    "boardInRange('RRO')": lambda d, p, s: board_in_range(d, ["R", "R", "O"]),
    "boardInRange('RON*h')": lambda d, p, s: board_in_range(d, ["R", "O", "N", "*h"]),
    "boardInRange('A**R*h')": lambda d, p, s: board_in_range(d, ["A", "*", "*", "R", "*h"]),
    "boardInRange('KR*RO')": lambda d, p, s: board_in_range(d, ["K", "R", "*", "R", "O"]),
    "riverCard() > turnCard()": lambda d, p, s: d.board[4] > d.board[3],
    "case when winsHi(p) then 1 else 0 end * 3 - 1": lambda d, p, s: 2 if pot(d, p)[0] == 1 else -1,
    "not maxRank(duplicatedHandRanks(p, flop)) = toRank('A')": lambda d, p, s: (
        nth(1, twice(d.hands[p])) != "A"
    ),
}

LOW_PLAIN: dict[str, Row] = {
    "winsLo(p)": lambda d, p, s: pot(d, p)[1] == 1,
    "tiesLo(p)": lambda d, p, s: (pot(d, p)[1] or 0) > 1,
    "rateLoHand('8h7h6s2dAc') > loRating(p, river)": lambda d, p, s: better_low(
        (8, 7, 6, 2, 1), low(d, p, "river")
    ),
    "rateLoHand('9h7h6s2dAc') = loRating(p, river)": lambda d, p, s: low(d, p, "river") is None,
}

#: Equities, on streets that leave few boards.
EQUITIES: dict[str, Row] = {
    "riverEquity(p)": lambda d, p, s: sum(share(*pot(d, p))),
    "HvHEquity(p, turn)": lambda d, p, s: all_in(
        [d.hands[name] for name in (p, *others(d, p))], d.at("turn"), d.dead, d.low
    ),
    "HvHEquity(p, flop)": lambda d, p, s: all_in(
        [d.hands[name] for name in (p, *others(d, p))], d.at("flop"), d.dead, d.low
    ),
    "HvREquity(p, turn)": lambda d, p, s: against_ranges(
        d, p, "turn", [d.ranges[name] for name in others(d, p)]
    ),
    "HvREquity(p, river)": lambda d, p, s: against_ranges(
        d, p, "river", [d.ranges[name] for name in others(d, p)]
    ),
}


assert low_of((0, 1, 2, 3, 4)) is None
