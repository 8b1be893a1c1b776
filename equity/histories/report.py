"""Hands as JSON, rows of a table, and text; and the sums of many hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from equity.histories.hand import Hand, HandPlayer
from equity.histories.luck import Luck
from equity.results.formats import Printable, Style, Table
from equity.results.text import shorten
from equity.rules.cards import format_cards, format_hand

__all__ = [
    "COLUMNS",
    "History",
    "OneHand",
    "SessionHistory",
    "Sum",
    "Sums",
    "hand_lines",
    "hand_object",
    "hand_rows",
]

#: Columns of a table with a row for each hand and player, and the kinds of their values.
COLUMNS = {
    "file": "text",
    "line": "whole",
    "id": "text",
    "game": "text",
    "street": "text",
    "board": "text",
    "why": "text",
    "problem": "text",
    "currency": "text",
    "player": "text",
    "cards": "text",
    "put_in": "number",
    "returned": "number",
    "won": "number",
    "equity": "number",
    "ev": "number",
    "difference": "number",
    "cash_out": "number",
    "pot": "number",
    "rake": "number",
    "fees": "number",
    "dead": "number",
    "runs": "whole",
}


def _number(hand: Hand, value: int | Fraction | None) -> float | int | None:
    """An amount for JSON: an integer if it is one."""
    if value is None:
        return None
    exact = Fraction(value) / hand.unit
    return exact.numerator if exact.denominator == 1 else float(exact)


def _player(hand: Hand, at: int) -> dict[str, Any]:
    player = hand.players[at]
    ev = None if hand.problem else hand.expected(at)
    return {
        "put_in": _number(hand, player.put_in),
        "returned": _number(hand, player.returned),
        "won": _number(hand, player.won),
        "ev": _number(hand, ev),
        "difference": None if ev is None else _number(hand, player.won - ev),
        "cash_out": _number(hand, player.cash_out),
    }


def _common(hand: Hand) -> dict[str, Any]:
    found = hand.all_in()
    return {
        "file": hand.file,
        "line": hand.line,
        "id": hand.id,
        "game": hand.game.name if hand.game else None,
        "street": found.street_name if found else None,
        "board": hand.board_text,
        "why": hand.why or None,
        "problem": hand.problem or None,
        "currency": hand.currency or None,
    }


def _house(hand: Hand) -> dict[str, Any]:
    return {
        "rake": _number(hand, hand.rake),
        "fees": _number(hand, hand.fees),
        "dead": _number(hand, hand.dead),
        "runs": hand.runs,
    }


def hand_object(hand: Hand) -> dict[str, Any]:
    """A hand for JSON; names stay stable, more may come."""
    found = hand.all_in()
    pots = []
    for at, pot in enumerate(hand.pots):
        equities: list[Any] = [None] * len(pot.members)
        if found:
            equities = [float(part) for part in found.pots[at].equities]
        names = [hand.players[member].name for member in pot.members]
        pots.append(
            {
                "amount": _number(hand, pot.amount),
                "rake": _number(hand, pot.taken),
                "players": dict(zip(names, equities, strict=True)),
            }
        )
    several = [format_cards(board) for board in hand.boards] if len(hand.boards) > 1 else None
    return (
        _common(hand)
        | _house(hand)
        | {"boards": several, "pots": pots}
        | {
            "players": [
                {"name": player.name, "cards": format_cards(player.cards)} | _player(hand, at)
                for at, player in enumerate(hand.players)
            ]
        }
    )


def hand_rows(hand: Hand, only: str | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a hand, one for each player, or only for one of them."""
    common, house, found = _common(hand), _house(hand), hand.all_in()
    common["game"] = common["game"] or hand.title
    pot = _number(hand, sum(pot.amount for pot in hand.pots))
    for at, player in enumerate(hand.players):
        if only is None or player.name == only:
            equity = float(found.equity(at)) if found else None
            cells = {"player": player.name, "cards": format_cards(player.cards), "equity": equity}
            row = common | house | cells | {"pot": pot} | _player(hand, at)
            yield {name: row[name] for name in COLUMNS}


@dataclass
class Sum:
    """The sums of a player, in one currency: exact amounts."""

    hands: int = 0
    #: Hands in which an all-in counts.
    all_ins: int = 0
    #: Gain or loss as it came, and with all-ins by their equity.
    net: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    #: What cash-outs brought more than the pots did.
    cash_outs: Fraction = Fraction(0)

    def add(self, hand: Hand, at: int) -> None:
        """Add a hand."""
        player = hand.players[at]
        self.hands += 1
        won = Fraction(player.won)
        ev = won
        if hand.all_in() is not None and at in hand.live:
            self.all_ins += 1
            ev = hand.expected(at)
        self.net += Fraction(player.net, hand.unit)
        self.expected += (player.net + ev - won) / hand.unit
        if player.cash_out is not None:
            self.cash_outs += Fraction(player.cash_out - player.won, hand.unit)


#: When betting ended, by street.
_WHEN = ("before the flop", "on the flop", "on the turn")
#: The sums of so many players are kept apart.
MOST_PLAYERS = 50_000
OTHERS = "(others)"


@dataclass
class Sums:
    """The sums of all players."""

    only: str | None = None
    by_player: dict[tuple[str, str], Sum] = field(default_factory=dict)

    def add(self, hand: Hand) -> None:
        """Add a hand whose chips add up."""
        for at, player in enumerate(hand.players):
            if (self.only is None or player.name == self.only) and player.put_in:
                key = player.name, hand.currency
                if key not in self.by_player and len(self.by_player) >= MOST_PLAYERS:
                    key = OTHERS, hand.currency
                self.by_player.setdefault(key, Sum()).add(hand, at)

    def ranked(self) -> list[tuple[tuple[str, str], Sum]]:
        """The players and currencies with their sums, the most hands first."""
        return sorted(self.by_player.items(), key=lambda item: (-item[1].hands, item[0]))

    def lines(self, most: int = 10) -> list[str]:
        """The table of the players with the most hands."""
        ranked = self.ranked()
        lines = [
            f"{'player':<20}{'hands':>8}{'all-ins':>8}  {'in':<6}"
            f"{'net':>12}{'by equity':>12}{'difference':>12}"
        ]
        for (name, currency), sums in ranked[:most]:
            lines.append(
                f"{_short(name, 19):<20}{sums.hands:>8}{sums.all_ins:>8}"
                f"  {_short(currency or 'chips', 5):<6}"
                f"{_signed(sums.net, currency):>12}{_signed(sums.expected, currency):>12}"
                f"{_signed(sums.net - sums.expected, currency):>12}"
            )
            if sums.cash_outs:
                lines.append(f"{'':20}cash-outs brought {_signed(sums.cash_outs, currency)} more")
        if len(ranked) > most:
            lines.append(f"and {len(ranked) - most:,} more players; --player NAME shows one")
        return lines


#: The widths of the table of hands.
_TABLE = (
    f"{'hand':<18}{'game':<8}{'street':<9}{'player':<17}"
    f"{'equity':>8}{'won':>12}{'EV':>12}{'difference':>12}"
)


def _table_lines(hand: Hand, only: str | None = None) -> list[str]:
    """The lines of a hand in the table of hands: those who were all in."""
    found = hand.all_in()
    if found is None or hand.game is None:
        return []
    lines = []
    start = f"{_short(hand.id, 17):<18}{hand.game.name:<8}{found.street_name:<9}"
    for at in hand.live:
        player = hand.players[at]
        if only is not None and player.name != only:
            continue
        ev = found.expected[at]
        lines.append(
            f"{start}{_short(player.name, 16):<17}{100 * float(found.equity(at)):>7.2f}%"
            f"{_plain(Fraction(player.won, hand.unit), hand.currency):>12}"
            f"{_plain(ev / hand.unit, hand.currency):>12}"
            f"{_signed((player.won - ev) / hand.unit, hand.currency):>12}"
        )
        start = " " * len(start)
    return lines


def hand_lines(hand: Hand) -> list[str]:
    """A hand in full: pots, who is in them, equities, rake, runs and returned bets."""
    money = hand.currency

    def shown(value: int | Fraction) -> str:
        return _plain(Fraction(value) / hand.unit, money)

    name = hand.game.title if hand.game else hand.title
    lines = [f"hand {hand.id}, {name}", f"{hand.file}, line {hand.line}"]
    found = hand.all_in()
    for number, board in enumerate(hand.boards, 1):
        which = f" {number}" if len(hand.boards) > 1 else ""
        lines.append(f"board{which}  {format_cards(board) or '-'}")
    if found is not None:
        known = " and ".join(format_cards(board) or "no board" for board in found.boards)
        dead = f", dead {format_hand(found.dead)}" if found.dead else ""
        lines.append(f"betting ended {_WHEN[found.street]}, {known}{dead}")
    elif hand.problem:
        lines.append(f"set aside: {hand.problem}")
    else:
        lines.append(f"the real result counts: {hand.why}")
    for number, pot in enumerate(hand.pots):
        title = f"side pot {number}" if number else "main pot"
        taken = f", {shown(pot.taken)} taken" if pot.taken else ""
        lines += ["", f"{title} {shown(pot.amount)}{taken}"]
        for place, at in enumerate(pot.members):
            part = ""
            if found is not None:
                of_pot = found.pots[number]
                part = (
                    f"{100 * float(of_pot.equities[place]):>8.2f}%"
                    f"{shown(of_pot.expected[place]):>14}"
                )
            lines.append(f"    {_short(hand.players[at].name, 20):<21}{part}".rstrip())
    lines += ["", f"{'':4}{'player':<21}{'put in':>12}{'returned':>12}{'won':>12}{'EV':>12}  cards"]
    for at, player in enumerate(hand.players):
        lines.append(_player_line(hand, at, player, shown))
    notes = [
        f"rake {shown(hand.rake)}",
        *([f"fees {shown(hand.fees)}"] if hand.fees else []),
        *([f"added to the pot {shown(hand.dead)}"] if hand.dead else []),
        *([f"run {hand.runs} times"] if hand.runs > 1 else []),
    ]
    return [*lines, "", ", ".join(notes)]


def _player_line(hand: Hand, at: int, player: HandPlayer, shown: Any) -> str:
    ev = "-" if hand.problem else shown(hand.expected(at))
    cells = [shown(player.put_in), shown(player.returned), shown(player.won), ev]
    more = ["folded"] if player.has_folded else []
    if player.cash_out is not None:
        fee = f" and {shown(player.cash_out_fee)} fee" if player.cash_out_fee else ""
        more.append(f"cashed out for {shown(player.cash_out)}{fee}")
    text = "".join(f"{cell:>12}" for cell in cells)
    behind = "  ".join(filter(None, [format_cards(player.cards), *more]))
    return f"    {_short(player.name, 20):<21}{text}  {behind}".rstrip()


def _short(text: str, most: int) -> str:
    return shorten(text.encode("ascii", "backslashreplace").decode(), most)


def _plain(value: Fraction, currency: str) -> str:
    """An amount with two decimals; one of chips with one, if it is not whole."""
    decimals = 2 if currency else 0 if value.denominator == 1 else 1
    return f"{Decimal(round(value * 10**decimals)).scaleb(-decimals):,f}"


def _signed(value: Fraction, currency: str) -> str:
    """A gain or loss with its sign."""
    text = _plain(abs(value), currency)
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return sign + text


class History(Printable):
    """Hands as they come, and their sums; hands are not kept in memory.

    Parameters
    ----------
    hands:
        The hands, which are gone through once for each output.
    sums:
        Their sums, which grow while the hands are read.
    player:
        The only player to write, if not None.
    """

    def __init__(self, hands: Iterable[Hand], sums: Sums, player: str | None = None) -> None:
        self.hands, self.sums, self.player = hands, sums, player

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each hand and player, with the columns of :data:`COLUMNS`."""
        for hand in self.hands:
            yield from hand_rows(hand, self.player)

    def table(self) -> Table:
        """The columns, and the rows."""
        rows = self.rows()
        # An error before the first row comes before all output.
        first = list(islice(rows, 1))
        return list(COLUMNS), (list(row.values()) for row in chain(first, rows))

    def objects(self) -> Iterator[dict[str, Any]]:
        """An object for each hand."""
        for hand in self.hands:
            if self.player is None or any(one.name == self.player for one in hand.players):
                yield hand_object(hand)

    def lines(self, _: Style) -> Iterator[str]:
        """The table of hands that count by equity, and that of the sums."""
        title = [_TABLE]
        for hand in self.hands:
            if lines := _table_lines(hand, self.player):
                yield from title + lines
                title = []
        if not title:
            yield ""
        yield from self.sums.lines()


class SessionHistory(History):
    """The hands of a session that are kept in memory, with the winnings of a player."""

    def __init__(
        self, hands: list[Hand], sums: Sums, player: str | None, luck: Luck | None
    ) -> None:
        super().__init__(hands, sums, player)
        self.kept, self.luck = hands, luck

    def rows_of_all_ins(self) -> Iterator[dict[str, Any]]:
        """The rows of players who were all in, in hands that count by equity."""
        for hand in self.kept:
            if hand.game is not None and hand.all_in() is not None:
                rows = hand_rows(hand, self.player)
                yield from (row for row in rows if row["equity"] is not None)


class OneHand(Printable):
    """A hand in full."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand

    def to_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        return hand_object(self.hand)

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each player."""
        return hand_rows(self.hand)

    def lines(self, _: Style) -> list[str]:
        """Pots, equities, and what became of each player's chips."""
        return hand_lines(self.hand)
