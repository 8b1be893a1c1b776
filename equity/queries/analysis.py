"""Gives names and types to a query: from trees to a program of steps.

A step is one value of a deal.  Expressions that are the same are one step, so they are
computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from equity.common.arguments import shown
from equity.queries.errors import QueryError, nearest
from equity.queries.functions import (
    ANY,
    FUNCTIONS,
    NUMERIC,
    PLAYER,
    STREET_NAME,
    TEXT,
    Function,
)
from equity.queries.program import Output, Program, Step
from equity.queries.selectors import SELECTORS, Selector
from equity.queries.setup import read_setup
from equity.queries.syntax import Node, Query, Selection, parse_queries
from equity.queries.texts import CONSTANT_OF_TEXT, prepared
from equity.queries.types import (
    BOOLEAN,
    CATEGORY,
    CONSTANTS,
    EQUITY,
    HAND_TYPE,
    INTEGER,
    NUMBER,
    RANK,
    STREET,
    STREETS,
    STRING,
    Type,
)
from equity.rules.games import GAMES

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["read_programs"]

#: Width of the bins of equities, in points.
WIDTH = 5
#: The most bins.
MOST_BINS = 10_000


def read_programs(
    text: str,
    parameters: Mapping[str, Any] | None = None,
    ordering: str | Path | Ordering | None = None,
) -> list[Program]:
    """Parse and validate queries.

    Raises
    ------
    QueryError
        A query is wrong.
    """
    return [_Reader(query, ordering).program() for query in parse_queries(text, parameters)]


class _Reader:
    """Reads one query."""

    def __init__(self, query: Query, ordering: str | Path | Ordering | None) -> None:
        self.query = query
        self.setup = read_setup(query, ordering)
        self.made = Program(self.setup, query.own_text)
        self._known: dict[Any, int] = {}

    def program(self) -> Program:
        """The whole query."""
        names: set[str] = set()
        for selection in self.query.selections:
            if selection.name.lower() in names:
                problem = f"two results are called {selection.name}"
                raise self.error(problem, selection.at, "name them apart: ... as NAME")
            names.add(selection.name.lower())
            self.made.outputs.append(self.output(selection))
        if self.query.condition is not None:
            node = self.query.condition
            terms = node.parts if node.kind == "and" else (node,)
            self.made.conditions = [self.boolean(term, "where") for term in terms]
        return self.made

    def error(self, problem: str, at: int | Node, hint: str = "") -> QueryError:
        start = at.start if isinstance(at, Node) else at
        return QueryError(problem, self.query.text, start, hint)

    def shown(self, node: Node) -> str:
        text = " ".join(self.query.text[node.start : node.stop].split())
        return text if len(text) <= 40 else f"{text[:37]}..."

    # Results

    def output(self, selection: Selection) -> Output:
        node = selection.selector
        selector = SELECTORS.get(node.value)
        if selector is None:
            raise self.error(f"{node.value} is no selector", node, self._selector_hint(node.value))
        most = 2 if selector.second else 1
        least = 2 if selector.needs_second else 1
        if not least <= len(node.parts) <= most:
            raise self.error(
                f"{selector.name} has {_arguments(least, most)}, not {_number(len(node.parts))}",
                node,
                f"write {selector.signature}",
            )
        step = self.step(node.parts[0])
        kind = self.made.steps[step].type
        self._check_selector(selector, kind, node.parts[0])
        second = self._second(selector, kind, node.parts)
        return Output(selection.name, selector.name, kind, step, second)

    def _selector_hint(self, name: str) -> str:
        meant = {"mean": "avg", "average": "avg", "sum": "avg", "hist": "histogram"}.get(name)
        meant = meant or nearest(name, SELECTORS)
        if meant:
            return f"did you mean {meant}?"
        if name in FUNCTIONS:
            row = FUNCTIONS[name]
            of = "count" if row.gives == BOOLEAN else "avg" if row.gives.is_numeric else "histogram"
            return f"write it in one: {of}({row.signature})"
        return f"selectors are {', '.join(SELECTORS)}"

    def _check_selector(self, selector: Selector, kind: Type, node: Node) -> None:
        is_right = {
            "boolean": kind == BOOLEAN,
            "numeric": kind.is_numeric,
            "ordered": kind.is_ordered,
            "any": True,
        }[selector.takes]
        if is_right:
            return
        if selector.takes == "boolean":
            hint = f"count takes a boolean, such as {self.shown(node)} > x; or write "
            hint += "avg" if kind.is_numeric else "histogram"
        elif kind == BOOLEAN:
            hint = "write count"
            if selector.takes == "ordered":
                hint += ", booleans have no order"
        elif selector.takes == "ordered":
            hint = f"{kind}s have no order, write histogram"
        else:
            hint = "it takes numbers; write histogram"
        raise self.error(f"{selector.name} of {kind.a_name}", node, hint)

    def _second(self, selector: Selector, kind: Type, parts: tuple[Node, ...]) -> Fraction | None:
        """The second argument of a selector, or what it is by default."""
        if selector.name == "median":
            return Fraction(1, 2)
        if selector.name == "histogram" and kind != EQUITY:
            if len(parts) > 1:
                hint = f"every value of {kind.a_name} has a bin of its own"
                raise self.error("a width of bins that are not of equities", parts[1], hint)
            return None
        if not selector.second:
            return None
        value = Fraction(WIDTH) if len(parts) < 2 else self.number(parts[1])
        if selector.name == "quantile":
            if not 0 <= value <= 1:
                hint = "a share from 0 to 1"
                raise self.error(f"{self.shown(parts[1])} is no share", parts[1], hint)
            return value
        bins = 100 / value if value > 0 else Fraction(0)
        if bins.denominator != 1 or not 1 <= bins <= MOST_BINS:
            hint = "a divisor of 100, such as 10"
            raise self.error(f"{self.shown(parts[1])} is no width of bins", parts[1], hint)
        return bins

    def number(self, node: Node) -> Fraction:
        """The value of a constant."""
        step = self.made.steps[self.step(node)]
        if step.op != "constant" or not step.type.is_numeric:
            raise self.error(
                f"{self.shown(node)} where a constant number belongs", node, "such as 0.5"
            )
        if step.fixed[0] is None:
            raise self.error(f"{self.shown(node)} has no value", node, "it divides by zero")
        return Fraction(step.fixed[0])

    # Expressions

    def add(self, op: str, fixed: tuple[Any, ...], parts: tuple[int, ...], kind: Type) -> int:
        """The number of a step; one that is there already is not made again."""
        # True and 1 are equal, but not the same constant.
        key = (op, tuple((type(one), one) for one in fixed), parts, kind.name)
        if key not in self._known:
            self._known[key] = len(self.made.steps)
            self.made.steps.append(Step(op, fixed, parts, kind))
        return self._known[key]

    def constant(self, value: Any, kind: Type) -> int:
        return self.add("constant", (value,), (), kind)

    def kind(self, step: int) -> Type:
        return self.made.steps[step].type

    def step(self, node: Node) -> int:
        """The step of an expression."""
        reader: Any = getattr(self, f"_{node.kind}")
        found: int = reader(node)
        return found

    def boolean(self, node: Node, place: str) -> int:
        found = self.step(node)
        kind = self.kind(found)
        if kind != BOOLEAN:
            hint = f"it takes a boolean, such as {self.shown(node)} > x"
            raise self.error(f"{place} with {kind.a_name}", node, hint)
        return found

    def _number(self, node: Node) -> int:
        is_whole = isinstance(node.value, int)
        return self.constant(Fraction(node.value), INTEGER if is_whole else NUMBER)

    def _string(self, node: Node) -> int:
        return self.constant(node.value, STRING)

    def _name(self, node: Node) -> int:
        if node.value in CONSTANTS:
            kind, value = CONSTANTS[node.value]
            return self.constant(value, kind)
        if node.value in self.setup.names:
            hint = f"a function takes them, riverEquity({node.value}) say"
            raise self.error(f"{node.value} is a player, and no value", node, hint)
        if node.value in FUNCTIONS:
            raise self.error(
                f"{node.value} without arguments", node, FUNCTIONS[node.value].signature
            )
        close = nearest(node.value, [*CONSTANTS, *self.setup.names])
        hint = f"did you mean {close}?" if close else "texts stand in quotes"
        raise self.error(f"{node.value} is not known", node, hint)

    def _or(self, node: Node) -> int:
        parts = tuple(self.boolean(part, node.kind) for part in node.parts)
        return self.add(node.kind, (), parts, BOOLEAN)

    _and = _not = _or

    def _compare(self, node: Node) -> int:
        one, other = (self.step(part) for part in node.parts)
        first, second = self.kind(one), self.kind(other)
        if not (first.is_numeric and second.is_numeric):
            if first != second:
                raise self.error(
                    f"{first.a_name} compared with {second.a_name}",
                    node.parts[1],
                    self._other_type(first, second, node.parts),
                )
            if node.value not in ("=", "<>") and not first.is_ordered:
                problem = f"{first}s have no order"
                raise self.error(problem, node, "compare them by = or <>")
        return self.add(node.kind, (node.value,), (one, other), BOOLEAN)

    def _other_type(self, first: Type, second: Type, parts: tuple[Node, ...]) -> str:
        """What a comparison of two types may have meant."""
        if STRING not in (first, second):
            return f"compare {first.a_name} with {first.a_name}"
        other = first if second == STRING else second
        text = next((part.value for part in parts if part.kind == "string"), "")
        if other in (HAND_TYPE, CATEGORY, STREET, BOOLEAN) and text.lower() in CONSTANTS:
            return f"write {text.lower()} without quotes"
        makers = {RANK.name: "toRank", "card": "toCard", "hi rating": "rateHiHand"}
        if other.name in makers:
            return f"write {makers[other.name]}('{text}')"
        return f"compare {other.a_name} with {other.a_name}"

    def _sum(self, node: Node) -> int:
        parts = tuple(self.step(part) for part in node.parts)
        for number, part in zip(parts, node.parts, strict=True):
            if not self.kind(number).is_numeric:
                kind = self.kind(number)
                hint = "it takes numbers"
                raise self.error(f"{kind.a_name} beside {node.value}", part, hint)
        stays = all(self.kind(number) == INTEGER for number in parts) and node.value != "/"
        kind = INTEGER if stays else NUMBER
        steps = [self.made.steps[number] for number in parts]
        if all(step.op == "constant" for step in steps):
            return self.constant(_folded(node.value, [step.fixed[0] for step in steps]), kind)
        return self.add("arithmetic", (node.value,), parts, kind)

    _product = _negate = _sum

    def _case(self, node: Node) -> int:
        conditions = [self.boolean(part, "when") for part in node.parts[:-1:2]]
        values = [*node.parts[1::2], node.parts[-1]]
        branches = [self.step(part) for part in values]
        kind = self.kind(branches[0])
        for number, part in zip(branches, values, strict=True):
            other = self.kind(number)
            if other != kind and not (other.is_numeric and kind.is_numeric):
                problem = f"branches of two types, {kind} and {other}"
                raise self.error(problem, part, "all branches of a case have one type")
        if any(self.kind(number) != kind for number in branches):
            kind = NUMBER
        return self.add("case", (), (*conditions, *branches), kind)

    # Functions

    def _call(self, node: Node) -> int:
        row = FUNCTIONS.get(node.value)
        if row is None:
            if node.value in SELECTORS:
                hint = "selectors stand outside, select avg(x) from ..."
                raise self.error(f"the selector {node.value} in an expression", node, hint)
            close = nearest(node.value, [one.name for one in FUNCTIONS.values()])
            hint = f"did you mean {close}?" if close else "'equity pql --functions' lists them"
            written = self.query.text[node.start : node.start + len(node.value)]
            raise self.error(f"no function is called {written}", node, hint)
        game = self.setup.spot.game
        if row.low and not game.low:
            names = ", ".join(game.name for game in GAMES if game.low)
            raise self.error(
                f"{row.name} in a game without a low", node, f"those with one: {names}"
            )
        most = len(row.parameters)
        if not most - row.optional <= len(node.parts) <= most:
            raise self.error(
                f"{row.name} has {_arguments(most - row.optional, most)}, "
                f"not {_number(len(node.parts))}",
                node,
                f"write {row.signature}",
            )
        fixed: list[Any] = [row]
        parts: list[int] = []
        for (_, kind), part in zip(row.parameters, node.parts, strict=False):
            if kind in (PLAYER, STREET_NAME, TEXT):
                fixed.append(self._fixed(row, str(kind), part))
            else:
                parts.append(self._argument(row, kind, part))
                fixed.append(None)
        if row.name in CONSTANT_OF_TEXT:
            return self.constant(fixed[1], row.gives)
        return self.add("call", tuple(fixed), tuple(parts), row.gives)

    def _fixed(self, row: Function, kind: str, node: Node) -> Any:
        """A player, a street or a text, which no expression gives."""
        names: Iterable[str]
        if kind == TEXT:
            if node.kind == "string":
                return prepared(row.name, node.value, self.setup, self.query.text, node)
            problem, names = "a text in quotes", ()
        else:
            names = self.setup.names if kind == PLAYER else STREETS
            name = str(node.value).lower()
            is_name = node.kind == "name" or node.is_given
            if is_name and name in names:
                if kind == PLAYER:
                    return self.setup.names.index(name)
                if not STREETS[name] and not row.preflop:
                    hint = "no hand is made before the flop: flop, turn or river"
                    raise self.error(f"{row.name} has no meaning before the flop", node, hint)
                return STREETS[name]
            problem = f"a {kind}"
        text = self.shown(node)
        if node.kind in ("name", "string"):
            close = nearest(str(node.value), names, 0.4)
            hint = f"did you mean {close}?" if close else f"known are {', '.join(names)}"
            if node.kind == "string" and str(node.value).lower() in names:
                hint = f"write {node.value} without quotes"
            if kind == TEXT:
                hint = "write it in quotes"
            raise self.error(f"{text} where {problem} has to stand", node, hint)
        hint = f"{row.signature}; known are {', '.join(names)}" if names else row.signature
        raise self.error(f"{text} where {problem} has to stand", node, hint)

    def _argument(self, row: Function, wanted: str | Type, node: Node) -> int:
        """An expression of the type that a function wants."""
        if isinstance(wanted, Type) and node.is_given and str(node.value).lower() in CONSTANTS:
            kind, value = CONSTANTS[str(node.value).lower()]
            if kind == wanted:
                return self.constant(value, kind)
        found = self.step(node)
        kind = self.kind(found)
        if wanted in (ANY, kind) or (wanted == NUMERIC and kind.is_numeric):
            return found
        name = "a number" if wanted == NUMERIC else wanted.a_name  # type: ignore[union-attr]
        hint = f"write {row.signature}"
        if node.kind == "string" and str(node.value).lower() in CONSTANTS:
            hint = f"write {str(node.value).lower()} without quotes"
        elif node.kind == "string" and wanted == RANK:
            hint = f"write toRank({shown(node.value)})"
        raise self.error(f"{kind.a_name} where {name} has to stand", node, hint)


def _folded(sign: str, values: list[Fraction | None]) -> Fraction | None:
    """A calculation with constants; None is no value."""
    if None in values:
        return None
    first = values[0] or Fraction(0)
    if len(values) == 1:
        return -first
    second = values[1] or Fraction(0)
    if sign == "/":
        return first / second if second else None
    return first + second if sign == "+" else first - second if sign == "-" else first * second


def _number(count: int) -> str:
    return ("none", "one", "two", "three", "four", "five")[count] if count < 6 else str(count)


def _arguments(least: int, most: int) -> str:
    if most == 0:
        return "no argument"
    count = _number(most) if least == most else f"{_number(least)} or {_number(most)}"
    return f"{count} argument{'s' * (most > 1)}"
