"""Ambiguous texts: errors and notices for notation that means something else elsewhere.

A reading that nobody means is an error that spells out both.  A reading that
some people mean is kept and brings a notice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from equity.common.notices import Notice
from equity.ranges.scanner import Source
from equity.ranges.tree import (
    RANK_VARIABLES,
    SUIT_VARIABLES,
    Leaf,
    Node,
    Slot,
    Slots,
    Span,
)
from equity.ranges.words import BOARD_HABITS, HAND_HABITS, SPELLED, Habit, find_share
from equity.rules.cards import RANKS, SUITS

__all__ = ["MOST_NOTICES", "Readings"]

#: The most notices of one text.
MOST_NOTICES = 10
#: Longer leaves are not looked at: nobody types them.
LONGEST_LEAF = 60

_ANY_CASE = re.ASCII | re.IGNORECASE
_END = r"(?=[,:!@)]|\Z)"
_SHORT = re.compile(rf"[^,:!@)]{{1,{LONGEST_LEAF}}}{_END}")
_RANKS = rf"(?:10|[{RANKS}])"
_NUMBER = r"[0-9]*\.?[0-9]+"
_NAME = re.compile(rf"({'|'.join(SPELLED)})([0-9]*\+?){_END}", _ANY_CASE)
_PERCENT_SPAN = re.compile(rf"({_NUMBER})-({_NUMBER})%")
_BARE_NUMBER = re.compile(rf"({_NUMBER}){_END}")
_CARDS = re.compile(rf"(?:(?:10|[a-z0-9])[shdc]){{2,}}{_END}", _ANY_CASE)
_CARD = re.compile(r"(10|[a-z0-9])[shdc]", _ANY_CASE)
_SUITED = re.compile(rf"({_RANKS}{{2,}})([sS]|o)")
_ONE_SUIT = re.compile("x{2,}", _ANY_CASE)
_DIGITS = re.compile(r"10|[2-9]{1,2}")


def _habit_pattern(habits: Mapping[str, Habit]) -> re.Pattern[str]:
    """Ranks and one of the endings of ``habits``, as a whole leaf."""
    return re.compile(
        rf"((?:10|[*{RANKS}{RANK_VARIABLES}])+?)({'|'.join(habits)}){_END}", _ANY_CASE
    )


class Readings:
    """Checks the leaves of one text for ambiguous notation.

    Parameters
    ----------
    source:
        The text.
    size:
        The cards of a hand, or the most cards of a board.

    Attributes
    ----------
    notices:
        The notices so far, in the order of the text.
    """

    def __init__(self, source: Source, size: int) -> None:
        self.source = source
        self.size = size
        self.of_board = source.of_board
        self.notices: list[Notice] = []
        self._habits = BOARD_HABITS if self.of_board else HAND_HABITS
        self._habit = _habit_pattern(self._habits)

    def _notice(self, at: int, problem: str, hint: str) -> None:
        """Add a notice about what begins at character ``at``, once."""
        error = self.source.error(at, problem, hint)
        known = {(notice.problem, notice.hint) for notice in self.notices}
        if (problem, hint) not in known and len(self.notices) < MOST_NOTICES:
            self.notices.append(Notice(error.problem, error.place, error.hint))

    # Errors

    def _check_text(self, at: int) -> None:
        """Refuse ranks with an ending of other notations: ``AAxx``, ``AAds``, ``K94r``."""
        if not _SHORT.match(self.source.chars, at):
            return
        match = self._habit.match(self.source.chars, at)
        if not match:
            return
        ranks, ending = match[1].upper().replace("10", "T"), match[2]
        if not self._is_habit(match[1], ranks, ending):
            return
        habit = self._habits[ending.lower()]
        raise self.source.error(
            at,
            f"{self.source.quote(at, match.end())} is ambiguous",
            f"write {habit.meant.format(ranks)}, or {habit.literal.format(ranks)}",
        )

    def _is_habit(self, typed: str, ranks: str, ending: str) -> bool:
        """Whether an ending that could be a slot too is an ending.

        Case does not matter in ``AR`` and ``ar``.  An ``r`` that is smaller than
        the ranks before it, or that follows a whole hand or flop, is the habit.
        """
        whole = len(ranks) >= (3 if self.of_board else 4)
        if ending.lower() == "r":
            plain = set(ranks) <= set(RANKS)
            return ending == "r" and plain and (typed == typed.upper() or whole)
        if ending.lower() == "tt":
            return ending == "tt" and whole
        return True

    def explain(self, at: int) -> None:
        """Raise the error of a leaf that cannot be read, if its meaning can be guessed."""
        self._check_text(at)
        source, chars = self.source, self.source.chars
        leaf = _SHORT.match(chars, at)
        if not leaf:
            return
        if match := _NAME.match(chars, at):
            name, tail = match[1].upper(), match[2]
            written = SPELLED[name].replace(f"@{name}", f"@{name}{tail}")
            raise source.error(
                at, f"{source.quote(at, match.end())} is not understood", f"write {written}"
            )
        if share := find_share(leaf[0]):
            raise source.error(at, f"{source.quote(at, leaf.end())} is no range", f"write {share}")
        if match := _PERCENT_SPAN.match(chars, at):
            low = "" if float(match[1]) == 0 else f"{match[1]}%-"
            raise source.error(
                at,
                f"{source.quote(at, match.end())} has no % behind its first number",
                f"write {low}{match[2]}%",
            )
        if match := _BARE_NUMBER.match(chars, at):
            number = match[1]
            hint = f"the best {number} percent of all hands are {number}%"
            if chars[at - 1 : at] == ":" and float(number) <= 1:
                hint = f"a weight is 1 to 100 behind an @, @{max(1, round(100 * float(number)))}"
            elif not 0 < float(number) <= 100:
                hint = "ranks are digits from 2 to 9 and T; a percentage is 10%"
            raise source.error(at, f"{source.quote(at, match.end())} is no range", hint)
        if match := _CARDS.match(chars, at):
            for card in _CARD.finditer(chars, at, match.end()):
                if card[1].upper() not in {"10", *RANKS, *RANK_VARIABLES}:
                    raise source.error(
                        card.start(),
                        f"{source.quote(card.start(), card.end())} is not a card, "
                        f"{source.quote(card.start(), card.start() + 1)} is no rank",
                        "ranks are A K Q J T 9 8 7 6 5 4 3 2",
                    )

    # Readings of leaves

    def check_leaf(self, leaf: Leaf, at: int, stop: int) -> None:
        """Look at a leaf wherever it stands."""
        self._check_text(at)
        slots = _plain_slots(leaf)
        if self.of_board:
            self._check_board_cards(slots, at, stop)
            return
        typed = self.source.chars[at:stop]
        if slots and typed.upper() in SPELLED:
            self._check_name(slots, at, stop)
        elif slots and not typed.isalpha() and (share := find_share(typed)):
            raise self.source.error(
                at,
                f"{self.source.quote(at, stop)} is ambiguous",
                f"write {share}, or {_reordered(slots)} for cards of these ranks",
            )
        elif isinstance(leaf, Span):
            self._check_span(leaf, at, stop)
        elif match := _SUITED.fullmatch(typed):
            self._check_suited(match, at, stop)
        elif slots:
            self._check_suits(slots, at, stop)
            self._check_free(slots, at, stop)
            self._check_space(slots, at, stop)

    def check_part(self, node: Node, at: int, stop: int) -> None:
        """Look at a leaf that is a whole part of a range, with nothing to narrow it."""
        if self.of_board:
            return
        typed = self.source.chars[at:stop]
        if isinstance(node, Span) and len(node.first) == 1:
            self._notice(
                at,
                f"{self.source.quote(at, stop)} is any hand with a card of that span, "
                "whatever the others are",
                f"a hand whose cards are all of it is {f'[{node}]' * self.size}",
            )
        elif match := _ONE_SUIT.fullmatch(typed):
            quoted = self.source.quote(at, stop)
            same = f"{len(typed)} cards of one suit"
            if len(typed) == self.size:
                raise self.source.error(
                    at,
                    f"{quoted} is ambiguous",
                    f"write '*' for every hand, or '*$ms' for {same}",
                )
            if isinstance(node, Slots) and len(node.items) == len(typed):
                self._notice(
                    at, f"{quoted} is every hand with {same}", "every hand is '*'; suits of a "
                    f"narrower range stand behind a colon, AA:{match[0].lower()}",
                )  # fmt: skip
        elif _DIGITS.fullmatch(typed):
            self._check_digits(typed, at, self.source.quote(at, stop))
        elif (slots := _plain_slots(node)) and all(slot.is_exact for slot in slots):
            quoted = self.source.quote(at, stop)
            self._notice(
                at,
                f"{quoted} is every hand with {'these cards' if slots[1:] else 'this card'}",
                f"a hand has {self.size} cards; {quoted[:-1]}*' says that the others are free",
            )

    def _check_digits(self, typed: str, at: int, quoted: str) -> None:
        """Notice ``10`` or ``25``, which may be percentages; ``98`` and ``55`` are hands."""
        if typed == "10" or len(typed) == 1 or typed[0] < typed[1]:
            ranks = " and ".join(typed.replace("10", "T"))
            self._notice(
                at,
                f"{quoted} is every hand with {ranks}",
                f"the best {typed} percent of all hands are {typed}%",
            )

    def _check_board_cards(self, slots: list[Slot], at: int, stop: int) -> None:
        """Refuse exact cards mixed with a bare rank or suit, ``Kh9h4``."""
        if not any(slot.is_exact for slot in slots):
            return
        quoted = self.source.quote(at, stop)
        for slot in slots:
            if slot.is_plain and not slot.suit:
                raise self.source.error(
                    at,
                    f"{quoted} has exact cards and the rank {slot.rank} without a suit",
                    f"write {slot.rank}c, say, or [{slot.rank}] for any {slot.rank}",
                )
            if slot.suit in SUIT_VARIABLES and slot.suit and not slot.rank:
                any_card = "".join(
                    "*" if slot.suit and not slot.rank else str(slot) for slot in slots
                )
                of_suit = "".join(str(slot) if slot.rank else f"*{slot.suit}" for slot in slots)
                raise self.source.error(
                    at,
                    f"{quoted} has exact cards and the suit variable {slot.suit}",
                    f"write {any_card} with any other cards, or {of_suit} for other suits",
                )
            if slot.suit in SUITS and slot.suit and not slot.rank:
                raise self.source.error(
                    at,
                    f"{quoted} has exact cards and the suit {slot.suit} without a rank",
                    f"write 2{slot.suit}, say, or [{slot.suit}] for any card of the suit",
                )

    def _check_name(self, slots: list[Slot], at: int, stop: int) -> None:
        """``WRAP`` and other names that slots can spell."""
        quoted = self.source.quote(at, stop)
        written = SPELLED[self.source.chars[at:stop].upper()]
        if stop - at > 2:
            raise self.source.error(
                at,
                f"{quoted} is ambiguous",
                f"write {written}, or {_reordered(slots)} for cards of these ranks and suits",
            )
        cards = " and ".join(map(_described, slots))
        self._notice(at, f"{quoted} is read as {cards}", f"write {written}")

    def _check_span(self, span: Span, at: int, stop: int) -> None:
        """Notice ``AJ+``, a span that has nowhere to go."""
        if span.mark and len(span.steps()) == 1 and len({slot.rank for slot in span.first}) > 1:
            only = "".join(map(str, span.first))
            way, end = ("up", "ace") if span.mark == "+" else ("down", "two")
            high, *rest = (slot.rank for slot in span.first)
            is_pair = len(rest) == 1 and span.mark == "+"
            example = f", as in {high}{rest[0]}-{high}K" if is_pair else ""
            hint = f"to move one rank, write both ends{example}"
            if is_pair and rest[0] == "K":
                hint = f"write {only}"
            if any(slot.suit for slot in span.first):
                same = "".join(f"{slot.rank}x" for slot in span.first)
                hint += f"; cards of one suit are {same}"
            self._notice(
                at,
                f"{self.source.quote(at, stop)} is {only} alone, since all ranks move {way} "
                f"together and one is the {end}",
                hint,
            )

    def _check_suited(self, match: re.Match[str], at: int, stop: int) -> None:
        """Notice ``AKs`` and ``AKo``, which are suited and offsuit in hold'em."""
        ranks, ending = match[1].upper().replace("10", "T"), match[2]
        if ending == "o":
            problem, suits = "o is a card of another rank", SUIT_VARIABLES
        else:
            problem, suits = f"s is the suit of the {ranks[-1]} alone", "x" * self.size
        other = "".join(rank + suit for rank, suit in zip(ranks, suits, strict=False))
        kind = "of different suits" if ending == "o" else "of one suit"
        self._notice(at, f"in {self.source.quote(at, stop)} {problem}", f"cards {kind} are {other}")

    def _check_suits(self, slots: list[Slot], at: int, stop: int) -> None:
        """Notice a hand of which one card has no suit, or all have the same variable."""
        if len(slots) == 1 and slots[0].rank in RANK_VARIABLES and not slots[0].suit:
            quoted = self.source.quote(at, stop)
            self._notice(at, f"{quoted} is a card of any rank", "four suits are wxyz")
        if len(slots) != self.size:
            return
        bare = [slot for slot in slots if not slot.is_exact]
        if len(bare) == 1 and bare[0].is_plain and not bare[0].suit:
            rank = bare[0].rank
            self._notice(
                at,
                f"in {self.source.quote(at, stop)} one card of {self.size} has no suit, "
                f"and {rank} is any {rank}",
                f"write the suit for one hand, or [{rank}] for any {rank}",
            )
        suits = {slot.suit for slot in slots}
        if len(suits) == 1 and suits <= set(SUIT_VARIABLES) and all(slot.rank for slot in slots):
            self._notice(
                at,
                f"in {self.source.quote(at, stop)} {slots[0].suit} is the same suit each time, so "
                "the hand has one suit",
                f"any suits are {''.join(slot.rank for slot in slots)}",
            )

    def _check_free(self, slots: list[Slot], at: int, stop: int) -> None:
        """Notice ``AsAhxx``, where an x elsewhere is any card."""
        free = [slot for slot in slots if not slot.rank and slot.suit == "x"]
        if not free or not all(slot.is_exact for slot in slots if slot not in free):
            return
        if len(free) == len(slots):
            return
        any_card = "".join("*" if slot in free else str(slot) for slot in slots)
        self._notice(
            at,
            f"in {self.source.quote(at, stop)} x is a suit that the others do not have",
            f"with any other cards it is '{any_card}'",
        )

    def _check_space(self, slots: list[Slot], at: int, stop: int) -> None:
        """Notice ``AA KK``, two ranges elsewhere."""
        if self.source.chars is self.source.text:  # no white space
            return
        pieces = self.source.pieces(at, stop)
        if len(pieces) < 2 or not all(slot.is_plain and not slot.suit for slot in slots):
            return
        pieces = [piece.upper().replace("10", "T") for piece in pieces]
        if min(map(len, pieces)) > 1 and any(len(set(piece)) == 1 for piece in pieces):
            self._notice(
                at,
                f"{self.source.quote(at, stop)} is a hand with all of {''.join(pieces)}",
                f"ranges are joined by commas, '{','.join(pieces)}'",
            )


def _plain_slots(leaf: Node) -> list[Slot]:
    """The slots of a leaf without brackets; nothing for other leaves."""
    if not isinstance(leaf, Slots):
        return []
    slots = [item for item in leaf.items if isinstance(item, Slot)]
    return slots if len(slots) == len(leaf.items) else []


def _described(slot: Slot) -> str:
    """A slot in words."""
    if not slot.rank:
        return f"a card of suit {slot.suit}"
    if not slot.suit:
        return f"the rank {slot.rank}" if slot.is_plain else "a card of another rank"
    return f"the card {slot}"


def _reordered(slots: list[Slot]) -> str:
    """The slots in an order that spells no word: suits, variables, ranks."""
    order = sorted(slots, key=lambda slot: (bool(slot.rank), slot.is_plain))
    return "".join(map(str, order))
