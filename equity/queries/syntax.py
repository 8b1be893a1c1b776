"""Parses queries into trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equity.common.arguments import shown
from equity.queries.errors import QueryError, nearest
from equity.queries.tokens import KEYWORDS, Token, tokens

__all__ = ["Node", "Query", "Selection", "Source", "parse_queries"]

#: Brackets nest at most so deep, and expressions with their chains of signs.
MOST_NESTED = 40
MOST_DEPTH = 150
#: Queries of a text.
MOST_QUERIES = 1_000
_COMPARISONS = ("=", "==", "<>", "!=", "<", "<=", ">", ">=")
_SAME = {"==": "=", "!=": "<>"}


@dataclass(frozen=True)
class Node:
    """An expression.

    ``kind`` says what it is: ``name``, ``number``, ``string``, ``call``, ``or``, ``and``,
    ``not``, ``compare``, ``sum``, ``product``, ``negate`` or ``case``, and ``value`` the name,
    the literal or the sign.  The parts of a ``case`` are pairs of a condition and a value,
    one after the other, and the value of ``else``.
    """

    kind: str
    value: Any
    parts: tuple[Node, ...]
    start: int
    stop: int
    depth: int = 0
    is_given: bool = False


@dataclass(frozen=True)
class Selection:
    """``SELECTOR(expression, ...) as NAME``."""

    selector: Node
    name: str
    #: Where the name stands.
    at: int


@dataclass(frozen=True)
class Source:
    """``KEY = 'VALUE'``; ``at`` is where the value begins."""

    key: str
    value: str
    key_at: int
    at: int


@dataclass(frozen=True)
class Query:
    """A parsed query; places are columns of the whole ``text``."""

    text: str
    selections: tuple[Selection, ...]
    sources: tuple[Source, ...]
    condition: Node | None
    start: int
    stop: int

    @property
    def own_text(self) -> str:
        """The text of this query alone, in one line."""
        return " ".join(self.text[self.start : self.stop].split())


def parse_queries(text: str, parameters: Mapping[str, Any] | None = None) -> list[Query]:
    """The queries of a text, which semicolons separate.

    Raises
    ------
    QueryError
        The text is no query.
    """
    return _Parser(text, tokens(text, parameters or {})).queries()


class _Parser:
    def __init__(self, text: str, found: Sequence[Token]) -> None:
        self.text = text
        self.tokens = found
        self.at = 0
        self.depth = 0

    # Tokens

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def advance(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def is_sign(self, *signs: str) -> bool:
        return self.next.kind == "sign" and self.next.value in signs

    def is_word(self, *words: str) -> bool:
        return self.next.kind == "name" and not self.next.is_given and self.next.value in words

    def described(self, token: Token) -> str:
        return "the end" if token.kind == "end" else shown(self.text[token.start : token.stop])

    def error(self, problem: str, hint: str = "", token: Token | None = None) -> QueryError:
        return QueryError(problem, self.text, (token or self.next).start, hint)

    def expect(self, sign: str, after: str, opened: Token | None = None) -> Token:
        if self.is_sign(sign):
            return self.advance()
        if opened is not None and sign == ")":
            hint = f"the bracket of column {opened.start + 1} is open; write , or )"
            raise self.error(f"{self.described(self.next)} where {after} ends", hint)
        raise self.error(f"{self.described(self.next)} where {sign} belongs", after)

    # Queries

    def queries(self) -> list[Query]:
        found: list[Query] = []
        while self.next.kind != "end":
            if self.is_sign(";"):
                self.advance()
                continue
            found.append(self.query())
            if len(found) > MOST_QUERIES:
                raise self.error(f"more than {MOST_QUERIES:,} queries", "split them")
            if self.next.kind != "end":
                if not self.is_sign(";"):
                    raise self.unexpected(found[-1].condition is not None)
                self.advance()
        if not found:
            raise QueryError("no query", self.text, 0, "select ... from game='...', ...")
        return found

    def unexpected(self, has_condition: bool) -> QueryError:
        """The error for a token after a complete query."""
        token = self.next
        if self.is_word("select"):
            return self.error("a second select", "write ; between queries")
        if self.is_sign(*_COMPARISONS):
            return self.error("comparisons do not chain", "join two by and: 0 < x and x < 1")
        words = () if has_condition else ("where",)
        close = nearest(str(token.value), words) if token.kind == "name" else ""
        hint = f"did you mean {close}?" if close else "write ; between queries"
        return self.error(f"{self.described(token)} after the query", hint)

    def query(self) -> Query:
        start = self.next
        if not self.is_word("select"):
            close = self.next.kind == "name" and nearest(str(start.value), ["select"], 0.7)
            hint = "did you mean select?" if close else "a query begins with select"
            raise self.error(f"{self.described(start)} where select belongs", hint)
        self.advance()
        selections = [self.selection()]
        while self.is_sign(","):
            self.advance()
            selections.append(self.selection())
        if not self.is_word("from"):
            if self.next.kind == "end" or self.is_sign(";"):
                raise self.error("from is missing", "from game='omahahi', hero='AA', villain='30%'")
            if self.is_sign(*_COMPARISONS, "+", "-", "*", "/") or self.is_word("and", "or"):
                hint = "a selector stands outside: count(x > 1), not count(x) > 1"
                raise self.error(f"{self.described(self.next)} after a selector", hint)
            raise self.error(
                f"{self.described(self.next)} where from belongs",
                "results are separated by commas, then comes from",
            )
        self.advance()
        sources = [self.source()]
        while self.is_sign(","):
            self.advance()
            sources.append(self.source())
        condition = None
        if self.is_word("where"):
            where = self.advance()
            if self.next.kind == "end" or self.is_sign(";"):
                raise self.error("where without a condition", "write one, or leave it out", where)
            condition = self.expression()
            if self.is_sign(*_COMPARISONS):
                raise self.unexpected(has_condition=True)
        stop = self.tokens[self.at - 1].stop
        return Query(self.text, tuple(selections), tuple(sources), condition, start.start, stop)

    def selection(self) -> Selection:
        token = self.next
        if token.kind != "name" or token.value in KEYWORDS:
            raise self.error(
                f"{self.described(token)} where a result belongs", "such as avg(riverEquity(hero))"
            )
        selector = self.primary()
        if selector.kind != "call":
            hint = f"write it in a selector: avg({token.value}) or count({token.value})"
            raise self.error(f"{token.value} is no selector", hint, token)
        if not self.is_word("as"):
            text = " ".join(self.text[selector.start : selector.stop].split())
            return Selection(selector, text, selector.start)
        self.advance()
        name = self.next
        if name.kind != "name" or name.value in KEYWORDS:
            hint = "of letters, digits and _; keywords are none"
            raise self.error(f"{self.described(name)} where a name follows as", hint)
        self.advance()
        return Selection(selector, self.text[name.start : name.stop], name.start)

    def source(self) -> Source:
        key = self.next
        if key.kind != "name":
            raise self.error(
                f"{self.described(key)} where a key belongs", "such as hero = 'AhAsKhKs'"
            )
        self.advance()
        if not self.is_sign("=", "=="):
            raise self.error(f"{self.described(self.next)} where = belongs", "KEY = 'VALUE'")
        self.advance()
        value = self.next
        if value.kind != "string":
            raise self.error(
                f"{self.described(value)} where a value in quotes belongs",
                f"such as {key.value} = 'AhAsKhKs'",
            )
        self.advance()
        begin = value.start + (not value.is_given)
        return Source(self.text[key.start : key.stop], value.value, key.start, begin)

    # Expressions, loosest first

    def made(self, kind: str, value: Any, parts: Sequence[Node], start: int) -> Node:
        depth = 1 + max((part.depth for part in parts), default=0)
        if depth > MOST_DEPTH:
            raise QueryError(
                f"an expression more than {MOST_DEPTH} deep", self.text, start, "simplify it"
            )
        return Node(kind, value, tuple(parts), start, self.tokens[self.at - 1].stop, depth)

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise self.error(f"brackets more than {MOST_NESTED} deep", "simplify it")
        found = self.joined("or", "||", self.conjunction)
        self.depth -= 1
        return found

    def conjunction(self) -> Node:
        return self.joined("and", "&&", self.negation)

    def joined(self, word: str, sign: str, part: Any) -> Node:
        start = self.next.start
        parts = [part()]
        while self.is_word(word) or self.is_sign(sign):
            self.advance()
            parts.append(part())
        return parts[0] if len(parts) == 1 else self.made(word, word, parts, start)

    def negation(self) -> Node:
        start = self.next.start
        count = 0
        while self.is_word("not"):
            self.advance()
            count += 1
        found = self.comparison()
        # Two cancel out, but for the check of the type.
        for _ in range(min(count, 2 + count % 2)):
            found = self.made("not", "not", [found], start)
        return found

    def comparison(self) -> Node:
        start = self.next.start
        left = self.summed()
        if not self.is_sign(*_COMPARISONS):
            return left
        sign = self.advance().value
        found = self.made("compare", _SAME.get(sign, sign), [left, self.summed()], start)
        if self.is_sign(*_COMPARISONS):
            raise self.error("comparisons do not chain", "join two by and: 0 < x and x < 1")
        return found

    def summed(self) -> Node:
        return self.chained("sum", ("+", "-"), self.multiplied)

    def multiplied(self) -> Node:
        return self.chained("product", ("*", "/"), self.signed)

    def chained(self, kind: str, signs: tuple[str, ...], part: Any) -> Node:
        start = self.next.start
        left: Node = part()
        while self.is_sign(*signs):
            sign = self.advance().value
            left = self.made(kind, sign, [left, part()], start)
        return left

    def signed(self) -> Node:
        start = self.next.start
        count = 0
        while self.is_sign("-"):
            self.advance()
            count += 1
        found = self.primary()
        for _ in range(min(count, 2 + count % 2)):
            found = self.made("negate", "-", [found], start)
        return found

    def primary(self) -> Node:
        token = self.next
        if self.is_sign("("):
            opened = self.advance()
            found = self.expression()
            self.expect(")", "the expression", opened)
            return found
        if self.is_word("case"):
            return self.case()
        if token.kind in ("number", "string") or (
            token.kind == "name" and (token.value in ("true", "false"))
        ):
            self.advance()
            return Node(token.kind, token.value, (), token.start, token.stop, 1, token.is_given)
        if token.kind != "name" or token.value in KEYWORDS:
            hint = "such as riverEquity(hero)"
            raise self.error(f"{self.described(token)} where a value belongs", hint)
        self.advance()
        if not self.is_sign("("):
            return Node("name", token.value, (), token.start, token.stop, 1)
        opened = self.advance()
        parts: list[Node] = []
        if not self.is_sign(")"):
            parts.append(self.expression())
            while self.is_sign(","):
                self.advance()
                parts.append(self.expression())
        if self.is_sign(*_COMPARISONS):
            raise self.error("comparisons do not chain", "join two by and: 0 < x and x < 1")
        self.expect(")", self.text[token.start : token.stop], opened)
        return self.made("call", token.value, parts, token.start)

    def case(self) -> Node:
        opened = self.advance()
        parts: list[Node] = []
        if not self.is_word("when"):
            raise self.error(f"{self.described(self.next)} where when belongs", _CASE)
        while self.is_word("when"):
            self.advance()
            parts.append(self.expression())
            if not self.is_word("then"):
                raise self.error(f"{self.described(self.next)} where then belongs", _CASE)
            self.advance()
            parts.append(self.expression())
        if not self.is_word("else"):
            raise self.error(
                f"{self.described(self.next)} where else belongs", f"a case has one: {_CASE}"
            )
        self.advance()
        parts.append(self.expression())
        if not self.is_word("end"):
            raise self.error(f"{self.described(self.next)} where end belongs", _CASE)
        self.advance()
        return self.made("case", "case", parts, opened.start)


_CASE = "case when CONDITION then VALUE else VALUE end"
