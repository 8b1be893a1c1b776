"""Parser of the range language.

::

    expr   := term (',' term)*             union; binds loosest
    term   := factor ((':' | '!') factor)*  both, and the left one only
    factor := '(' expr ')' | '@BLOCKS(' expr ')' percent | leaf

``str`` of a tree is its text in normal form.  Nothing here needs numpy.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from equity.common.arguments import shown
from equity.errors import PredicateError, RangeError
from equity.ranges.leaves import SEPARATORS, LeafReader, read_number
from equity.ranges.readings import Readings
from equity.ranges.scanner import MAX_LENGTH, Source
from equity.ranges.tree import (
    FULL_WEIGHT,
    Blocks,
    Expression,
    Hand,
    Node,
    OnBoard,
    Part,
    Slot,
    Slots,
    Term,
    Union,
    leaves,
)
from equity.rules.games import Game, find_game

__all__ = [
    "MAX_DEPTH",
    "MAX_LEAVES",
    "WEIGHT_DECIMALS",
    "fits",
    "is_range",
    "parse",
    "parse_pattern",
]

#: A condition on the hand and the board: its name, a number and a plus.
_ON_BOARD = re.compile(r"@(?P<name>[A-Za-z]+)(?P<number>[0-9]{0,4})(\+?)")
#: The condition that takes a range.
BLOCKS = "BLOCKS"
#: How deep brackets may be nested.
MAX_DEPTH = 50
#: How many leaves that are not exact hands a range may have.
MAX_LEAVES = 10_000
#: How many decimals a weight may have.
WEIGHT_DECIMALS = 6


def parse(text: str, game: str | Game = "plo4", *, place: str = "") -> Expression:
    """The tree of a range.

    Parameters
    ----------
    text:
        A range such as ``"AA:xxyy,KK@50"``.
    game:
        A game or its name; it fixes how many slots and cards a hand has.
    place:
        What the text is, for the message of an error (``"range 2"``).

    Raises
    ------
    RangeSyntaxError
        The text is no range; the error has its ``text`` and ``column``.
    GameError
        No game is called so.
    """
    found = find_game(game)
    return parse_pattern(text, found.hole, f"a {found.name} hand", place)


def is_range(text: str, game: str | Game = "plo4") -> bool:
    """Whether a text can be read as a range of a game."""
    try:
        parse(text, game)
    except RangeError:
        return False
    return True


def parse_pattern(
    text: str, size: int, deal: str, place: str = "", *, of_board: bool = False
) -> Expression:
    """The tree of a pattern of ``size`` cards.

    ``deal`` names them in messages; ``of_board`` says that they are board or dead
    cards, not a hand.
    """
    if not isinstance(text, str):
        raise RangeError(f"{shown(text)} is no text", place=place, hint="as in 'AA:xxyy'")
    return _Parser(Source(text, place, of_board=of_board), size, deal).expression()


class _Parser:
    def __init__(self, source: Source, size: int, deal: str) -> None:
        self.source = source
        self.chars = source.chars
        self.size = size
        self.readings = Readings(source, size)
        self.leaf = LeafReader(source, size, deal, self.readings)
        self.leaf_count = 0
        self.at = 0

    def expression(self) -> Expression:
        """The whole text."""
        if not self.chars:
            raise self.source.error(0, "an empty range", "every hand is '*'")
        parts: list[Part] = []
        begin = self.at
        while True:
            start = self.at
            node = self._term(depth=0)
            self.readings.check_part(node, start, self.at)
            parts += _parts(node, self._weight())
            if self._next() == "":
                break
            if self._next() != ",":
                raise self._stray()
            self.at += 1
        self._refuse_split_hand(begin, [part.node for part in parts])
        return Expression(tuple(parts), tuple(self.readings.notices))

    def _next(self) -> str:
        return self.chars[self.at : self.at + 1]

    def _stray(self) -> RangeError:
        """The error of a character after a complete term."""
        char, at = self._next(), self.at
        if char == ")":
            return self.source.error(at, "')' without its '('", "take it away or open it before")
        if char == "(":
            return self.source.error(at, "no sign before '('", "join by ',' or ':' or '!'")
        if char in ":!@" and self.chars.rfind("@", 0, at) >= 0:
            return self.source.error(
                self.chars.rfind("@", 0, at),
                "a weight inside a part",
                "a weight is of the whole part and stands at its end, AA:ds@10",
            )
        return self.source.unknown(at)

    def _union(self, depth: int) -> Node:
        """The items in a bracket, as one node."""
        items: list[Node] = []
        begin = self.at
        while True:
            node = self._term(depth)
            items += node.items if isinstance(node, Union) else [node]
            if self._next() == "@":
                self._refuse_condition()
                raise self.source.error(
                    self.at,
                    "a weight inside a part",
                    "weights stand at the end of a part outside of brackets, (QQ,JJ)@2",
                )
            if self._next() != ",":
                break
            self.at += 1
        self._refuse_split_hand(begin, items)
        return items[0] if len(items) == 1 else Union(tuple(items))

    def _term(self, depth: int) -> Node:
        first = self._factor(depth)
        rest: list[tuple[str, Node]] = []
        while self._next() in (":", "!"):
            mark = self._next()
            self.at += 1
            rest.append((mark, self._factor(depth)))
        if not rest:
            return first
        if isinstance(first, Term):
            return Term(first.first, (*first.rest, *rest))
        return Term(first, tuple(rest))

    def _factor(self, depth: int) -> Node:
        if self._next() == "(":
            return self._bracket(depth + 1)
        if found := _ON_BOARD.match(self.chars, self.at):
            return self._on_board(found, depth)
        if self._next() in ("", *SEPARATORS):
            raise self._missing()
        start = self.at
        leaf, self.at = self.leaf.read(start)
        if not isinstance(leaf, Hand):
            self.leaf_count += 1
        if self.leaf_count > MAX_LEAVES:
            raise self.source.error(start, "too long a range", f"at most {MAX_LEAVES:,} items")
        if self._next() not in ("", *SEPARATORS):
            raise self._stray()
        return leaf

    def _on_board(self, found: re.Match[str], depth: int) -> Node:
        """What a hand has on the board, ``@SET``, or ``@BLOCKS(expr)20``."""
        start = self.at
        self.leaf_count += 1
        self.at = found.end()
        if found["name"].upper() == BLOCKS:
            return self._blocks(start, depth)
        leaf = OnBoard(
            found["name"].upper(), int(found["number"]) if found["number"] else None, bool(found[3])
        )
        # The table of what can be asked is large, and needed for no other range.
        from equity.ranges.predicates import check_predicate, find_predicate

        try:
            predicate = find_predicate(leaf.name)
            check_predicate(predicate, leaf.number, leaf.or_better)
        except PredicateError as error:
            raise self.source.error(start, error.problem, error.hint) from None
        if self._next() not in ("", *SEPARATORS):
            raise self._stray()
        return replace(leaf, name=predicate.name)

    def _blocks(self, start: int, depth: int) -> Node:
        if self._next() != "(":
            raise self.source.error(start, "@BLOCKS without a range", "as in @BLOCKS(AA)20")
        node = self._bracket(depth + 1, closed=False)
        if not self._next().isdigit() or not self._next().isascii():
            raise self.source.error(
                self.at, "@BLOCKS without a percentage", "0 to 100, as in @BLOCKS(AA)20"
            )
        at = self.at
        percent, self.at = read_number(self.source, at)
        if percent > 100:
            quoted = self.source.quote(at, self.at)
            raise self.source.error(at, f"{quoted} percent is more than all hands", "0 to 100")
        if self._next() == "%":
            self.at += 1
        if self._next() not in ("", *SEPARATORS):
            raise self._stray()
        return Blocks(node, percent)

    def _bracket(self, depth: int, *, closed: bool = True) -> Node:
        """A bracket; ``closed`` if nothing but a sign may follow it."""
        start = self.at
        if depth > MAX_DEPTH:
            raise self.source.error(start, "too many brackets", f"at most {MAX_DEPTH} deep")
        self.at += 1
        if self._next() == ")":
            raise self.source.error(start, "an empty bracket", "as in (AA,KK)")
        node = self._union(depth)
        if self._next() == "":
            raise self.source.error(start, "'(' without its ')'", "as in (AA,KK)")
        if self._next() != ")":
            raise self._stray()
        self.at += 1
        if closed and self._next() not in ("", *SEPARATORS):
            if self._next() == "(":
                raise self._stray()
            raise self.source.error(
                self.at,
                f"{self.source.quote(self.at, self.at + 1)} behind a bracket",
                "join by ',' or ':' or '!'",
            )
        return node

    def _missing(self) -> RangeError:
        """The error of an operand that is not there."""
        source, at = self.source, self.at
        before, here = self.chars[at - 1 : at] if at else "", self._next()
        if source.in_macro(at):
            quoted = source.quote(at, at + 1)
            alone = before in ("", ",", "(")
            hint = f"of all hands it is '*{quoted[1:]}" if alone else "it brings its own sign"
            return source.error(at, f"nothing before {quoted}", hint)
        if here in (":", "!") and before in ("", ",", "("):
            hint = "every hand without two aces is '*!AA'" if here == "!" else "as in AA:xxyy"
            return source.error(at, f"nothing before '{here}'", hint)
        if before in (":", "!"):
            return source.error(at, f"nothing behind '{before}'", "as in AA:xxyy or '*!AA'")
        if here == "@":
            return source.error(at, "nothing before '@'", "a weight stands behind its part, AA@10")
        if here == ")" and before != ",":
            return self._stray()
        return source.error(at, "an empty item", "take one comma away")

    def _weight(self) -> Decimal:
        """The weight here, if there is one."""
        if self._next() != "@":
            return FULL_WEIGHT
        self._refuse_condition()
        start = self.at
        self.at += 1
        if not self._next().isdigit() or not self._next().isascii():
            raise self.source.error(start, "'@' without a weight", "1 to 100, as in AA@10")
        weight, self.at = read_number(self.source, self.at)
        quoted = self.source.quote(start + 1, self.at)
        if not 1 <= weight <= 100:
            raise self.source.error(start + 1, f"{quoted} is no weight", "1 to 100, as in AA@10")
        digits = f"{weight:f}"
        if "." in digits:
            digits = digits.rstrip("0").rstrip(".")
        if len(digits.partition(".")[2]) > WEIGHT_DECIMALS:
            raise self.source.error(
                start + 1, f"{quoted} is too fine a weight", f"at most {WEIGHT_DECIMALS} decimals"
            )
        return Decimal(digits)

    def _refuse_condition(self) -> None:
        """Refuse ``AA@SET``, a condition on the board without a sign before it."""
        if found := _ON_BOARD.match(self.chars, self.at):
            quoted = self.source.quote(self.at, found.end())
            raise self.source.error(
                self.at, f"no sign before {quoted}", "join by ',' or ':' or '!', as in AA:@SET"
            )

    def _refuse_split_hand(self, at: int, items: list[Node]) -> None:
        """Refuse ``As,Ks,Qd,Jd``, the cards of one hand with commas between."""
        if len(items) != self.size or not all(
            isinstance(item, Slots)
            and len(item.items) == 1
            and isinstance(item.items[0], Slot)
            and item.items[0].is_exact
            for item in items
        ):
            return
        cards = [str(item) for item in items]
        if len(set(cards)) == len(cards):
            raise self.source.error(
                at, "a comma joins ranges, not the cards of a hand", f"write {''.join(cards)}"
            )


def _parts(node: Node, weight: Decimal) -> list[Part]:
    if isinstance(node, Union) and weight == FULL_WEIGHT:
        return [Part(item) for item in node.items]
    return [Part(node, weight)]


def fits(tree: Expression) -> bool:
    """Whether the text of ``tree`` is short and shallow enough to be read again."""
    rough = sum(not isinstance(leaf, Hand) for leaf in leaves(tree))
    deepest = max((_depth(part.node) for part in tree.parts), default=0)
    return rough <= MAX_LEAVES and deepest < MAX_DEPTH and len(str(tree)) <= MAX_LENGTH


def _depth(node: Node) -> int:
    if isinstance(node, Union):
        return 1 + max(map(_depth, node.items))
    if isinstance(node, Blocks):
        return 1 + _depth(node.node)
    if isinstance(node, Term):
        return 1 + max(map(_depth, (node.first, *(operand for _, operand in node.rest))))
    return 0
