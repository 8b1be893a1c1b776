"""The leaves of a range: slots, spans, lists, percent items and exact hands."""

from __future__ import annotations

import re
from decimal import Decimal

from equity.errors import RangeSyntaxError
from equity.ranges.readings import Readings
from equity.ranges.scanner import Source
from equity.ranges.tree import (
    RANK_VARIABLES,
    SUIT_VARIABLES,
    Choice,
    Everything,
    Hand,
    Leaf,
    Percent,
    Shape,
    Slot,
    Slots,
    Span,
)
from equity.ranges.words import SHAPES
from equity.rules.cards import NAMES, RANKS, SUITS, format_cards, parse_cards

__all__ = ["SEPARATORS", "LeafReader", "read_number"]

#: What may stand behind a leaf.
SEPARATORS = ",:!@)"

_SUIT_LETTERS = SUITS + SUIT_VARIABLES
_END = rf"(?=[{SEPARATORS}]|\Z)"
_ANY_CASE = re.ASCII | re.IGNORECASE
_CARD = r"(?:10|[AKQJT2-9])[shdc]"
_SHAPE = re.compile(rf"\$({'|'.join(sorted(SHAPES, key=len, reverse=True))})")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_ALL = re.compile(rf"all{_END}", _ANY_CASE)

#: The longest number that is read, a percentage or a weight.
_LONGEST_NUMBER = 10
_MOST_PLAYERS = 10
_LETTERS = (
    f"ranks are {RANKS[::-1]}, suits shdc; {' '.join(RANK_VARIABLES)} stand for other ranks, "
    f"{' '.join(SUIT_VARIABLES)} for suits"
)
_UNCLOSED = ("a bracket without its ']'", "as in [A,K,5s] or [TT-77]")


class LeafReader:
    """Reads leaves of at most ``size`` slots from ``source``.

    ``readings`` checks each leaf for ambiguous notation.
    """

    def __init__(self, source: Source, size: int, deal: str, readings: Readings) -> None:
        self.source = source
        self.size = size
        #: Who has so many cards, for messages: ``"a plo4 hand"``.
        self.deal = deal
        self.readings = readings
        self._hand = re.compile(rf"(?:{_CARD}){{{size}}}{_END}", _ANY_CASE)
        self._spelled = re.compile(rf"{_CARD}(?:-{_CARD}){{{size - 1}}}{_END}", _ANY_CASE)

    def read(self, at: int) -> tuple[Leaf, int]:
        """The leaf at ``at`` and where it ends."""
        chars = self.source.chars
        for whole_hand in (self._hand, self._spelled):
            if match := whole_hand.match(chars, at):
                return self._exact(at, match.end()), match.end()
        if shape := _SHAPE.match(chars, at):
            return Shape(shape[1]), shape.end()
        if (number := _NUMBER.match(chars, at)) and chars.startswith("%", number.end()):
            return self._percent(at)
        if word := _ALL.match(chars, at):
            return Everything(), word.end()
        if chars[at] == "*" and (at + 1 == len(chars) or chars[at + 1] in SEPARATORS):
            return Everything(), at + 1
        try:
            leaf, stop = self._slots(at)
        except RangeSyntaxError:
            self.readings.explain(at)
            raise
        self.readings.check_leaf(leaf, at, stop)
        return leaf, stop

    def _exact(self, at: int, stop: int) -> Hand:
        cards = parse_cards(self.source.chars[at:stop])
        if len(set(cards)) < len(cards):
            matches = re.finditer(_CARD, self.source.chars[at:stop], _ANY_CASE)
            places = [at + match.start() for match in matches]
            self._refuse_twins(places, [format_cards([card]) for card in cards])
        return Hand(tuple(sorted(cards, reverse=True)))

    def _refuse_twins(self, places: list[int], names: list[str]) -> None:
        for number, name in enumerate(names):
            if name in names[:number]:
                raise self.source.error(
                    places[number],
                    f"{name} stands twice in one hand",
                    "a deck has each card once",
                )

    # Slots and spans

    def _slots(self, at: int) -> tuple[Leaf, int]:
        source, chars, start = self.source, self.source.chars, at
        items: list[Slot | Span | Choice] = []
        places: list[int] = []
        filled = 0
        while at < len(chars) and chars[at] not in SEPARATORS:
            if chars[at] in "+-":
                return self._bare_span(start, at, items)
            item, stop = self._bracket(at) if chars[at] == "[" else self._slot(at)
            filled += len(item.first) if isinstance(item, Span) else 1
            if filled > self.size:
                raise self._too_many(start, at)
            items.append(item)
            places.append(at)
            at = stop
        if len(set(items)) < len(items):
            names = [item.rank + item.suit if isinstance(item, Slot) else "" for item in items]
            exact = [at for at, name in enumerate(names) if name in NAMES]
            self._refuse_twins([places[at] for at in exact], [names[at] for at in exact])
        if not items:
            raise source.unknown(at)
        return Slots(tuple(items)), at

    def _too_many(self, start: int, at: int) -> RangeSyntaxError:
        chars, stop = self.source.chars, at + 1
        while stop < len(chars) and chars[stop] not in SEPARATORS:
            stop += 1
        hint = "suits of the whole hand go behind a colon, AA:xxyy or JT98:wxyz"
        pieces = self.source.pieces(start, stop)
        if self.source.of_board:
            hint = "suits of a flop go behind a colon, K94:xxy"
        elif len(pieces) > 1 and all(len(piece) > 1 for piece in pieces):
            hint = (
                "join ranges of one player by ',' for either, ':' for both; give each player apart"
            )
        return self.source.error(
            at,
            f"{self.source.quote(start, stop)} has more than {self.size} slots, "
            f"and {self.deal} has {self.size} cards",
            hint,
        )

    def _slot(self, at: int) -> tuple[Slot, int]:
        """The rank, the suit or both that begin at ``at``."""
        chars = self.source.chars
        if chars[at].lower() in _SUIT_LETTERS:
            return Slot("", chars[at].lower()), at + 1
        if chars.startswith("10", at) and self.source.touches(at + 1):
            rank, at = "T", at + 2
        elif chars[at].upper() in "*" + RANKS + RANK_VARIABLES and chars[at].isascii():
            rank, at = chars[at].upper(), at + 1
        elif chars[at] in "01" or (chars[at].isalpha() and chars[at].isascii()):
            hint = "a ten is T or 10, an ace is A" if chars[at] in "01" else _LETTERS
            raise self.source.error(at, f"{self.source.quote(at, at + 1)} is no rank", hint)
        else:
            raise self.source.unknown(at)
        if at < len(chars) and chars[at].lower() in _SUIT_LETTERS:
            return Slot(rank, chars[at].lower()), at + 1
        return Slot(rank, ""), at

    def _cards(self, at: int) -> tuple[list[Slot], int]:
        chars, slots = self.source.chars, []
        while at < len(chars) and chars[at] not in SEPARATORS + "[]+-":
            slot, at = self._slot(at)
            slots.append(slot)
        return slots, at

    def _bare_span(
        self, start: int, at: int, items: list[Slot | Span | Choice]
    ) -> tuple[Leaf, int]:
        """The span whose first cards are ``items`` and whose sign is at ``at``."""
        source = self.source
        slots = [item for item in items if isinstance(item, Slot)]
        if len(slots) < len(items):
            raise source.error(
                at,
                f"{source.quote(at, at + 1)} behind a bracket",
                "a span among other slots stands in brackets itself, J[T-][8+]",
            )
        span, stop = self._span(start, at, slots)
        if stop < len(source.chars) and source.chars[stop] not in SEPARATORS:
            if source.chars[stop] not in "[]+-" and not source.chars[stop].isalnum():
                raise source.unknown(stop)
            raise source.error(
                stop,
                f"{source.quote(stop, stop + 1)} behind the span {source.quote(start, stop)}",
                "a span is a whole item; among other slots it stands in brackets, [A-J]33",
            )
        return span, stop

    def _span(self, start: int, at: int, first: list[Slot]) -> tuple[Span, int]:
        """The span of ``first`` from ``start`` with its sign at ``at``."""
        source, chars = self.source, self.source.chars
        mark, stop = chars[at], at + 1
        last: list[Slot] = []
        if mark == "-":
            last, stop = self._cards(stop)
        quoted = source.quote(start, stop)
        if not first:
            raise source.error(start, f"{quoted} has no cards before it", "as in TT+ or TT-77")
        for slot in (*first, *last):
            if not slot.is_plain:
                named = f"'{slot}' has no rank" if slot.rank == "" else f"'{slot.rank}' is any rank"
                raise source.error(
                    start, f"{quoted} is no span, {named}", "a span is of ranks, as in T8+ or TT-77"
                )
        if not last:
            return Span(tuple(first), mark=mark), stop
        span = Span(tuple(first), tuple(last))
        self._check_ends(start, quoted, span)
        return span, stop

    def _check_ends(self, start: int, quoted: str, span: Span) -> None:
        if len(span.first) != len(span.last):
            reason, hint = "its ends are of unequal length", "as in KQJT-T987"
        elif any(a.suit != b.suit for a, b in zip(span.first, span.last, strict=True)):
            reason, hint = "the suits of its ends differ", "as in KhQh-Kh5h"
        else:
            pairs = zip(span.first, span.last, strict=True)
            gaps = {RANKS.index(a.rank) - RANKS.index(b.rank) for a, b in pairs} - {0}
            if len(gaps) <= 1:
                return
            reason, hint = "its cards move by unequal distances", "as in TT-77 or AAJT-AA87"
        raise self.source.error(start, f"{quoted} is no span, {reason}", hint)

    # Brackets

    def _bracket(self, at: int) -> tuple[Span | Choice, int]:
        source, chars, start = self.source, self.source.chars, at
        groups: list[list[Slot]] = []
        while True:
            begin = at + 1
            if begin < len(chars) and chars[begin] == "[":
                raise source.error(begin, "a bracket in a bracket", "as in [A,K,5s] or [TT-77]")
            slots, at = self._cards(begin)
            if at == len(chars) or chars[at] not in ",+-]":
                if at < len(chars) and chars[at] not in SEPARATORS + "[":
                    raise source.unknown(at)
                raise source.error(start, *_UNCLOSED)
            if chars[at] in "+-":
                span, stop = self._span(begin, at, slots)
                if stop == len(chars):
                    raise source.error(start, *_UNCLOSED)
                if groups or chars[stop : stop + 1] != "]":
                    raise source.error(
                        begin if groups else stop,
                        f"more than the span {source.quote(begin, stop)} in a bracket",
                        "a bracket has one span or a list, [T-7] or [A,K,5s]",
                    )
                return span, stop + 1
            groups.append(slots)
            self._check_option(begin, at, slots)
            if chars[at] == "]":
                return Choice(tuple(slot for group in groups for slot in group)), at + 1

    def _check_option(self, at: int, stop: int, slots: list[Slot]) -> None:
        """Refuse a list element that is no single card, rank or suit."""
        source = self.source
        if not slots:
            raise source.error(at, "an empty item in a list", "as in [A,K,5s]")
        quoted = source.quote(at, stop)
        if len(slots) > 1:
            commas = ",".join(map(str, slots))
            plain = "".join(map(str, slots))
            raise source.error(
                at,
                f"{quoted} in a bracket is more than one card",
                f"one of them is [{commas}], all of them are {plain} without a bracket",
            )
        if slots[0].rank not in ("", *RANKS):
            raise source.error(
                at, f"{quoted} in a list is any rank", "a list is of cards, ranks and suits"
            )

    # Percent items

    def _percent(self, at: int) -> tuple[Percent, int]:
        source, chars, start = self.source, self.source.chars, at
        low: Decimal | None = None
        high, at = self._percentage(at)
        if chars.startswith("-", at):
            low = high
            if not _NUMBER.match(chars, at + 1):
                raise source.error(at, "a percent span without an end", "as in 5%-10%")
            high, at = self._percentage(at + 1)
            low, high = min(low, high), max(low, high)
        players = None
        if number := _NUMBER.match(chars, at):
            named = number[0]
            known = named in map(str, range(2, _MOST_PLAYERS + 1))
            if not known or chars[number.end() : number.end() + 1].lower() != "h":
                raise source.error(
                    at,
                    f"{source.quote(at, number.end())} behind a percentage",
                    "six-handed is 10%6h",
                )
            players, at = int(named), number.end() + 1
        if high == 0:
            raise source.error(
                start, f"{source.quote(start, at)} is an empty range", "as in 10% or 5%-10%"
            )
        return Percent(low, high, players), at

    def _percentage(self, at: int) -> tuple[Decimal, int]:
        value, stop = read_number(self.source, at)
        quoted = self.source.quote(at, stop)
        if not self.source.chars.startswith("%", stop):
            raise self.source.error(at, f"{quoted} has no % behind it", "as in 10% or 5%-10%")
        if value > 100:
            raise self.source.error(at, f"{quoted} percent is more than all hands", "0 to 100")
        return value, stop + 1


def read_number(source: Source, at: int) -> tuple[Decimal, int]:
    """The decimal number at ``at`` and where it ends."""
    match = _NUMBER.match(source.chars, at)
    if match is None:
        raise source.unknown(at)
    stop = source.run(at, match.end())
    if stop - at > _LONGEST_NUMBER:
        raise source.error(
            at,
            f"{source.quote(at, stop)} is too long a number",
            f"at most {_LONGEST_NUMBER} digits are read",
        )
    if stop < match.end():
        raise source.error(
            at, f"white space in the number {source.quote(at, match.end())}", "write it together"
        )
    return Decimal(match[0]), stop
