"""Hands as text, line by line, as PokerStars writes them and others after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from re import Match, Pattern
from typing import NamedTuple

from equity.histories.hand import Action, Hand, HandPlayer
from equity.histories.settling import Draft, game_of_cards, settle
from equity.histories.source import Source
from equity.histories.titles import START, Stakes, game_of, stakes_of, title_of
from equity.histories.units import FinerError, in_units, units
from equity.rules.cards import parse_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game

__all__ = ["Room", "text_hands"]

_SEAT = re.compile(r"Seat (\d+): (.+) \((\S*\d\S*) in chips\b[^)]*\)")
_SUMMARY_SEAT = re.compile(r"Seat (\d+): ")
_BRACKET = re.compile(r"\[([^\]]*)\]")
_SECTION = re.compile(r"\*\*\* ?(?:(FIRST|SECOND|THIRD|FOURTH) )?([A-Z0-9 -]+?) ?\*\*\*")
_RUNS = {"FIRST": 0, "SECOND": 1, "THIRD": 2, "FOURTH": 3}
_STREETS = {"HOLE CARDS": 0, "PRE-FLOP": 0, "PREFLOP": 0, "FLOP": 1, "TURN": 2, "RIVER": 3}
_NO_STREET = re.compile(r"(?:SHOW ?DOWN|HOLE CARDSPRE-FLOP|\d+(?:ST|ND|RD|TH) STREET)")
_FOLDED = re.compile(r"(?: \([\w ]+\))* folded\b")
_WON = re.compile(r"\b(?:won|collected) \(?(\S*\d[\d.,]*[^\s).,\d]?)\)?")
_POT_PART = re.compile(r"(Main|Side) pot(?:[- ]\d+)? (\S*\d[\d,]*(?:\.\d+)?)")
_ALL_IN = " and is all-in"

#: What is posted, as rooms call it, and the action that it is.
POSTS = {
    "small blind": "small blind",
    "big blind": "big blind",
    "small & big blinds": "both blinds",
    "the ante": "ante",
    "ante": "ante",
    "bomb pot ante": "ante",
    "bomb pot": "ante",
    "missed blind": "dead blind",
    "dead blind": "dead blind",
    "dead small blind": "dead blind",
    "dead": "dead blind",
    "straddle": "straddle",
    "the straddle": "straddle",
    "button straddle": "straddle",
    "button blind": "straddle",
}
#: What players do, the action that it is, and what stands before the amount, if there is one.
_BETS = {
    "folds": ("fold", None),
    "checks": ("check", None),
    "calls": ("call", ""),
    "bets": ("bet", ""),
    "raises": ("raise", " to "),
    "straddle": ("straddle", ""),
    "straddles": ("straddle", ""),
}
#: What players do and say that moves neither chips nor cards.
_NOTHING = re.compile(
    r"(?:doesn't show|does not show|mucks\b|muck\b|is sitting out|sits out|sit out|is disconnected"
    r"|is connected|has returned|has timed out|chooses to ev cashout|get an all-in insurance"
    r"|pay premium of all-in insurance|table leave|adds|rebuys|leaves)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r".* (?:joins the table|leaves the table|has timed out|is disconnected|is connected"
    r"|has returned|was removed from the table|will be allowed to play|is sitting out|sits out"
    r"|finished the tournament|wins the |wins \S+ for |wins an entry|said, |is being treated"
    r"|cannot start a new hand|re-buys and|adds \S+|stands up|has been disconnected"
    r"|doesn't show|received a |receives )"
    r"|(?:No low hand qualified|Table leave user|Table '|Table ID |Hand was run |The deck"
    r"|Betting is capped|Bounty|#|\*{5,}|Game Mode)",
)


class Room(NamedTuple):
    """What is particular to a room."""

    #: Its name in the first line of a hand.
    header: Pattern[str]


def text_hands(source: Source, room: Room) -> Iterator[Hand]:
    """Yield the hands of a room, as long as one follows another."""
    while source.next is not None and (match := START.match(source.next)):
        if not room.header.fullmatch(match[1]):
            return
        first = source.number
        lines = source.block(START)
        title = title_of(match[3])
        game = game_of(title)
        if game is None:
            yield Hand(source.name, first, match[2], None, title)
        else:
            yield _hand(source, first, lines, match, game)


def _hand(source: Source, first: int, lines: list[str], header: Match[str], game: Game) -> Hand:
    stakes = stakes_of(header[3])

    def read(unit: int) -> Hand:
        own = stakes._replace(unit=unit)
        return _Reader(source, first, header, game, own).read(lines)

    return in_units(stakes.unit, read)


class _Reader:
    """Reads the lines of one hand."""

    def __init__(
        self, source: Source, first: int, header: Match[str], game: Game, stakes: Stakes
    ) -> None:
        title = title_of(header[3])
        self.hand = Hand(source.name, first, header[2], game, title, stakes.currency, stakes.unit)
        self.draft = Draft(self.hand)
        self.source, self.game, self.unit = source, game, stakes.unit
        with suppress(FinerError, ValueError):
            self.draft.big_blind = units(stakes.big_blind, stakes.unit)
        self.players = self.hand.players
        self.actions = self.hand.actions
        self.by_name: dict[str, int] = {}
        self.by_seat: dict[int, int] = {}
        self.street = 0
        self.is_summary = False
        self.has_small_blind = False
        self.has_second_board = False
        self.dealt: list[int] = []
        self.slots: list[list[int | None]] = [[None] * BOARD_SIZE]
        self.unread: list[tuple[int, str]] = []

    def read(self, lines: list[str]) -> Hand:
        """The hand of the lines."""
        for number, line in enumerate(lines[1:], self.hand.line + 1):
            if not line:
                continue
            try:
                if line[0] == "*" and line.startswith("***"):
                    understood = self._section(line)
                elif self.is_summary:
                    understood = self._summary(line)
                else:
                    understood = self._line(line)
            except FinerError:
                raise
            except ValueError:
                understood = False
            if not understood:
                self.unread.append((number, line))
        for number, line in self.unread:
            self.source.unread(number, "it is not understood", line)
        return self._finish()

    def _finish(self) -> Hand:
        hand = self.hand
        named = self.by_name.get("Hero")
        if named is not None:
            hand.hero = named
        elif len(set(self.dealt)) == 1:
            hand.hero = self.dealt[0]
        seen = max((len(player.cards) for player in hand.players), default=0)
        hand.game = game_of_cards(self.game, seen)
        hand.boards = [_board(slots) for slots in self.slots]
        return settle(self.draft)

    def _section(self, line: str) -> bool:
        match = _SECTION.match(line)
        if not match:
            return line.startswith("*****")
        run, name = match.groups()
        if name == "SUMMARY":
            self.is_summary = True
            return True
        if name not in _STREETS:
            return _NO_STREET.fullmatch(name) is not None
        at = _RUNS[run] if run else 0
        while len(self.slots) <= at:
            self.slots.append([None] * BOARD_SIZE)
        self.street = _STREETS[name]
        self.has_second_board = self.has_second_board or at > 0
        groups = [parse_cards(text.replace(" ", "")) for text in _BRACKET.findall(line)]
        cards = list(dict.fromkeys(card for group in groups for card in group))
        slots = self.slots[at]
        if self.street == 0:
            self.hand.first_cards = max(self.hand.first_cards, len(cards))
            slots[: len(cards)] = cards
        elif self.street == 1:
            if len(cards) != FLOP_SIZE:
                return False
            slots[:FLOP_SIZE] = cards
        else:
            if len(groups) < 2:
                return False
            before = list(dict.fromkeys(card for group in groups[:-1] for card in group))
            slots[: len(before)] = before
            slots[self.street + 1] = groups[-1][0] if len(groups[-1]) == 1 else None
            return len(slots) == BOARD_SIZE and len(groups[-1]) < 2
        return True

    def _line(self, line: str) -> bool:
        at = line.find(": ")
        if at < 0 and line.startswith("Dealt to ") and line[9:] in self.by_name:
            return True
        while at > 0:
            player = self.by_name.get(line[:at])
            if player is not None:
                return self._act(player, line[at + 2 :])
            at = line.find(": ", at + 1)
        if line.startswith("Seat "):
            return self._seat(line)
        if line.lower() == "hand cancelled":
            self.draft.is_cancelled = True
            return True
        for needle, pattern, read in _LINES:
            if needle in line and (match := pattern.match(line)):
                return read(self, match)
        return _ASIDE.match(line) is not None

    def _seat(self, line: str) -> bool:
        match = _SEAT.match(line)
        if not match:
            return False
        seat, name, stack = int(match[1]), match[2], units(match[3], self.unit)
        if name in self.by_name or seat in self.by_seat:
            return False
        self.by_name[name] = self.by_seat[seat] = len(self.players)
        self.players.append(HandPlayer(name, seat, stack))
        return True

    def _act(self, player: int, text: str) -> bool:
        text = text.removesuffix(_ALL_IN)
        verb, _, rest = text.partition(" ")
        if verb in _BETS:
            return self._bet(player, verb, rest)
        if verb == "posts":
            return self._posts(player, rest)
        if verb in ("shows", "mucks"):
            self._see(player, rest)
            return True
        if match := _CASH_OUT.match(text):
            if match[1] == "Receives Cashout":
                self._cash_out(player, match[2])
            else:
                self.draft.risks[player] = units(match[2], self.unit)
            return True
        return _NOTHING.match(text) is not None

    def _bet(self, player: int, verb: str, rest: str) -> bool:
        action, mark = _BETS[verb]
        amount = ""
        if mark is not None:
            amount = (rest.partition(mark)[2] if mark else rest).split(" ")[0]
            if not amount:
                return False
        self._add(player, action, amount)
        if action == "fold":
            self.players[player].has_folded = True
            self._see(player, rest)
        return True

    def _add(self, player: int, verb: str, amount: str = "") -> None:
        counted = units(amount, self.unit) if amount else 0
        self.actions.append(Action(player, self.street, verb, counted))
        if self.has_second_board and verb != "fold":
            self.hand.is_double_board = True

    def _posts(self, player: int, rest: str) -> bool:
        what, _, amount = rest.rpartition(" ")
        verb = POSTS.get(what.removeprefix("a "))
        if verb is None:
            return False
        if verb == "small blind":
            verb = "second small blind" if self.has_small_blind else verb
            self.has_small_blind = True
        self._add(player, verb, amount)
        return True

    def _see(self, player: int, text: str) -> None:
        if match := _BRACKET.search(text):
            self._know(player, match[1])

    def _know(self, player: int, text: str) -> None:
        cards = parse_cards(text.replace(" ", ""))
        if len(cards) > len(self.players[player].cards):
            self.players[player].cards = cards

    def _cash_out(self, player: int, amount: str, fee: str | None = None) -> None:
        self.players[player].cash_out = units(amount, self.unit)
        self.players[player].cash_out_fee = units(fee, self.unit) if fee else 0

    def _returned(self, match: Match[str]) -> bool:
        player = self.by_name.get(match[2])
        if player is None:
            return False
        self.draft.returned.append((player, units(match[1], self.unit)))
        return True

    def _collected(self, match: Match[str]) -> bool:
        player = self.by_name.get(match[1])
        if player is None:
            return False
        number = int(match[4] or 1) if match[3] == "side" else 0
        self.draft.collected.append((player, units(match[2], self.unit), number))
        return True

    def _dealt(self, match: Match[str]) -> bool:
        player = self.by_name.get(match[1])
        if player is None:
            return False
        if match[2]:
            self.dealt.append(player)
            self._know(player, match[2])
        return True

    def _shown(self, match: Match[str]) -> bool:
        player = self.by_name.get(match[1])
        if player is None:
            return False
        self._know(player, match[2])
        return True

    def _cashed_out(self, match: Match[str]) -> bool:
        player = self.by_name.get(match[1])
        if player is None:
            return False
        self._cash_out(player, match[2], match[3])
        return True

    def _drop(self, match: Match[str]) -> bool:
        self.hand.dead += units(match[1], self.unit)
        return True

    def _summary(self, line: str) -> bool:
        if match := _SUMMARY_SEAT.match(line):
            return self._summary_seat(match, line)
        if line.startswith("Total pot "):
            return self._total(line)
        if match := _BOARD.match(line):
            slots = self.slots[_RUNS[match[1]] if match[1] else 0 :][:1]
            cards = parse_cards(match[2].replace(" ", ""))
            if slots and len(cards) > FLOP_SIZE - 1:
                _fill(slots[0], cards)
            return True
        return _ASIDE.match(line) is not None or line.startswith("Hand ")

    def _summary_seat(self, match: Match[str], line: str) -> bool:
        player = self.by_seat.get(int(match[1]))
        name = self.players[player].name if player is not None else ""
        if player is None or not line.startswith(name, match.end()):
            # Converters name players here who are not at the table.
            return player is not None
        rest = line[match.end() + len(name) :]
        won = [units(text.rstrip(".,"), self.unit) for text in _WON.findall(rest)]
        if won:
            self.draft.summary[player] = sum(won)
        if _FOLDED.match(rest):
            self.players[player].has_folded = True
        if shown := _BRACKET.search(rest):
            self._know(player, shown[1])
        return True

    def _total(self, line: str) -> bool:
        first, *parts = line.split("|")
        draft, hand = self.draft, self.hand
        draft.totals = (units(first.removeprefix("Total pot ").split(" ")[0], self.unit),)
        fees = 0
        for part in parts:
            label, _, amount = part.strip().rpartition(" ")
            if not label:
                return False
            counted = units(amount, self.unit)
            if label == "Rake":
                hand.rake = counted
            elif label == "STP":
                hand.dead = counted
            elif not label.startswith(("Main", "Side")):
                fees += counted
        hand.fees = fees
        draft.printed = [
            units(amount.rstrip(".,"), self.unit) for _, amount in _POT_PART.findall(line)
        ]
        return True


def _board(slots: list[int | None]) -> tuple[int, ...]:
    """The cards of a board up to the first that is not told."""
    known: list[int] = []
    for card in slots:
        if card is None:
            break
        known.append(card)
    return tuple(known)


def _fill(slots: list[int | None], cards: tuple[int, ...]) -> None:
    """Fill in cards that were not told before, from a board that agrees with the others."""
    if len(cards) <= BOARD_SIZE and all(
        slot in (None, card) for slot, card in zip(slots, cards, strict=False)
    ):
        slots[: len(cards)] = cards


#: What a player gets who cashed out and loses, and pays who cashed out and wins.
_CASH_OUT = re.compile(r"(Receives Cashout|Pays Cashout Risk) \((\S+)\)")
_BOARD = re.compile(r"(?:(FIRST|SECOND|THIRD|FOURTH) )?Board \[([^\]]*)\]")
#: Lines that begin with no player: what each has in it, how it is read, and by what.
_LINES: tuple[tuple[str, Pattern[str], Callable[[_Reader, Match[str]], bool]], ...] = (
    (
        "Dealt to ",
        re.compile(r"Dealt to (.+?)(?: \[([^\]]*)\])?(?: \[[^\]]*\])?$"),
        _Reader._dealt,
    ),
    (
        "Uncalled bet",
        re.compile(r"Uncalled bet \((\S+)\) returned to (.+)$"),
        _Reader._returned,
    ),
    (
        " collected ",
        re.compile(r"(.+) collected \(?(\S+?)\)? from (?:(main|side) )?pot(?:[- ](\d+))?$"),
        _Reader._collected,
    ),
    (
        " cashed out ",
        re.compile(r"(.+) cashed out the hand for (\S+)(?: \| Cash Out Fee (\S+))?$"),
        _Reader._cashed_out,
    ),
    ("s [", re.compile(r"(.+) (?:shows|mucks) \[([^\]]*)\]"), _Reader._shown),
    ("Cash Drop", re.compile(r"Cash Drop to Pot ?: ?total (\S+)$"), _Reader._drop),
    ("STP added", re.compile(r"STP added: (\S+)$"), _Reader._drop),
)
