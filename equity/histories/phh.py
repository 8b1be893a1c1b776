"""Hands of the PHH format: TOML, one hand in a file, or several with a number each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from equity.errors import CardError
from equity.histories.betting import READINGS, count_chips, layers
from equity.histories.hand import Action, Hand, HandPlayer
from equity.histories.settling import Draft, game_of_cards, settle
from equity.histories.source import MALFORMED, MOST_LINES, Source
from equity.histories.units import in_units, whole_units
from equity.rules.cards import parse_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, GAMES

__all__ = ["START", "hands"]

_SECTION = re.compile(r"\s*\[\s*([\w-]+)\s*\]\s*(?:#.*)?$")
START = re.compile(r"\ufeff?\s*(?:\[\s*[\w-]+\s*\]\s*(?:#.*)?$|[a-z]\w*\s*=)")
_VARIANT = re.compile(r"\s*variant\s*=")
#: Variants of the Omaha family, and whether half of the pot goes to a low.
VARIANTS = {"PO": False, "NO": False, "FO": False, "FO/8": True, "PO/8": True, "NO/8": True}


def hands(source: Source) -> Iterator[Hand]:
    """Yield the hands of a file."""
    while source.next is not None and START.match(source.next):
        first = source.number
        number, text = _table(source)
        try:
            found = tomllib.loads(text, parse_float=Decimal)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            source.unread(first, f"it is no valid PHH: {error}", text.split("\n", 1)[0])
            continue
        variant = found.get("variant")
        identity = str(found.get("hand", number))
        if not isinstance(variant, str):
            source.unread(first, "it is no hand of the PHH format, which names a variant")
        elif variant not in VARIANTS:
            yield Hand(source.name, first, identity, None, variant)
        elif (hand := _hand(source, first, identity, found)) is not None:
            yield hand


def _table(source: Source) -> tuple[str, str]:
    """The number of the next hand, and its lines."""
    number = ""
    if match := _SECTION.match(source.next or ""):
        number = match[1]
        source.advance()
    lines: list[str] = []
    has_variant = False
    while source.next is not None and len(lines) < MOST_LINES:
        line = source.next
        is_variant = _VARIANT.match(line) is not None
        if _SECTION.match(line) or (is_variant and has_variant):
            break
        has_variant = has_variant or is_variant
        lines.append(line)
        source.advance()
    return number, "\n".join(lines).lstrip("\ufeff")


def _hand(source: Source, first: int, identity: str, found: dict[str, Any]) -> Hand | None:
    """A hand; None, with a report, if the table is none."""
    try:
        return in_units(1, lambda unit: _Reader(source, first, identity, unit, found).read())
    except MALFORMED as error:
        source.no_hand(first, "PHH", error)
        return None


class _Reader:
    """Plays one hand from its actions."""

    def __init__(
        self, source: Source, first: int, identity: str, unit: int, found: dict[str, Any]
    ) -> None:
        self.source, self.unit, self.found = source, unit, found
        low = VARIANTS[found["variant"]]
        self.game = next(game for game in GAMES if game.low == low)
        currency = str(found.get("currency_symbol") or found.get("currency") or "")
        self.hand = Hand(source.name, first, identity, self.game, found["variant"], currency, unit)
        self.draft = Draft(self.hand, readings=READINGS[:1])
        stacks = self._amounts("starting_stacks")
        names = found.get("players") or [f"p{at}" for at in range(1, len(stacks) + 1)]
        seats = found.get("seats") or range(1, len(stacks) + 1)
        self.hand.players = [
            HandPlayer(str(name), int(seat), stack)
            for name, seat, stack in zip(names, seats, stacks, strict=True)
        ]
        #: Chips left, and the bets of this street.
        self.left = stacks
        self.bets = [0] * len(stacks)
        self.street = 0
        self.board: list[int] = []

    def _amounts(self, name: str) -> list[int]:
        return [whole_units(value, self.unit) for value in self.found[name]]

    def read(self) -> Hand:
        """The hand of the table."""
        hand, found = self.hand, self.found
        for verb, amounts in (("ante", self._amounts("antes")), ("big blind", self._blinds())):
            for player, amount in enumerate(amounts):
                if amount:
                    self._put(player, verb, amount)
        for text in found["actions"]:
            self._action(str(text).split("#")[0].split())
        hand.boards = [tuple(self.board)]
        seen = max((len(player.cards) for player in hand.players), default=0)
        self.game = hand.game = game_of_cards(self.game, seen)
        self._result()
        return settle(self.draft)

    def _blinds(self) -> list[int]:
        """The blinds by player; heads up, who acts first has the small one."""
        blinds = self._amounts("blinds_or_straddles")
        if len(blinds) == 2:
            acts = [str(text).split() for text in self.found["actions"]]
            first = next((words[0] for words in acts if words and words[0] != "d"), "p2")
            small = self._player(first)
            blinds = [min(blinds), max(blinds)][:: 1 if small == 0 else -1]
        return blinds

    def _put(self, player: int, verb: str, amount: int) -> None:
        amount = min(amount, self.left[player])
        self.left[player] -= amount
        if verb != "ante":
            self.bets[player] += amount
        self.hand.actions.append(Action(player, self.street, verb, amount))

    def _action(self, words: list[str]) -> None:
        match words:
            case ["d", "dh", who, cards]:
                self._know(who, cards)
            case ["d", "db", cards]:
                self.board += _cards(cards)
                self.street = max(0, len(self.board) - FLOP_SIZE + 1)
                self.bets = [0] * len(self.bets)
            case [who, "f"]:
                player = self._player(who)
                self.hand.players[player].has_folded = True
                self.hand.actions.append(Action(player, self.street, "fold"))
            case [who, "cc"]:
                player = self._player(who)
                more = min(max(self.bets) - self.bets[player], self.left[player])
                self._put(player, "call" if more else "check", more)
            case [who, "cbr", amount]:
                player = self._player(who)
                total = whole_units(amount, self.unit)
                self._put(player, "put in", total - self.bets[player])
            case [who, "sm", *cards]:
                self._know(who, "".join(cards).replace("-", ""))
            case _:
                self.source.unread(self.hand.line, "its action is not understood", " ".join(words))

    def _player(self, who: str) -> int:
        if not re.fullmatch(r"p\d{1,2}", who) or not 0 < int(who[1:]) <= len(self.left):
            raise ValueError(f"player {who}")
        return int(who[1:]) - 1

    def _know(self, who: str, text: str) -> None:
        player, cards = self._player(who), tuple(_cards(text))
        if len(cards) > len(self.hand.players[player].cards):
            self.hand.players[player].cards = cards

    def _result(self) -> None:
        """Find what players won: as told, else by the showdown."""
        hand, draft, found = self.hand, self.draft, self.found
        count = len(hand.players)
        chips = count_chips(hand.actions, count, 0, READINGS[0])
        called, top = sorted(chips.heights)[-2:]
        returned = [top - called if height == top else 0 for height in chips.heights]
        pot = sum(chips.put_in) - sum(returned)
        draft.totals = (pot,)
        if "finishing_stacks" in found:
            after = self._amounts("finishing_stacks")
            won = [
                end - left - back
                for end, left, back in zip(after, self.left, returned, strict=True)
            ]
        elif "winnings" in found:
            won = self._amounts("winnings")
        else:
            for player, spent in zip(hand.players, chips.put_in, strict=True):
                player.has_folded = player.has_folded or not spent
            heights = [one - back for one, back in zip(chips.heights, returned, strict=True)]
            pots = layers(heights, hand.live, pot - sum(heights))
            told = self._showdown(pots)
            if told is None:
                draft.problem = "it does not tell who won"
                return
            won = told
        if min(won, default=0) < 0:
            raise ValueError("a player who ends with less than they kept")
        draft.collected = [(player, amount, 0) for player, amount in enumerate(won) if amount]
        hand.rake = max(0, pot - sum(won))

    def _showdown(self, pots: list[tuple[int, tuple[int, ...]]]) -> list[int] | None:
        """What each player wins of the pots, odd chips to the first; None if it is not known."""
        from equity.engine.solver import solve
        from equity.spot import Spot

        hand = self.hand
        won = [0] * len(hand.players)
        for amount, members in pots:
            if len(members) == 1:
                won[members[0]] += amount
                continue
            hands = tuple(hand.players[at].cards for at in members)
            known = [card for cards in hands for card in cards] + self.board
            is_told = (
                len(self.board) == BOARD_SIZE
                and all(len(cards) == self.game.hole for cards in hands)
                and len(set(known)) == len(known)
            )
            if not is_told:
                return None
            parts = solve(Spot(self.game, hands, tuple(self.board))).equities_exact
            whole = [int(part * amount) for part in parts]
            winners = [at for at, part in enumerate(parts) if part]
            for odd in range(amount - sum(whole)):
                whole[winners[odd % len(winners)]] += 1
            for at, share in zip(members, whole, strict=True):
                won[at] += share
        return won


def _cards(text: str) -> list[int]:
    """Known cards; ``??`` is one that is not."""
    if "?" in text:
        return []
    try:
        return list(parse_cards(text))
    except CardError:
        raise ValueError(f"cards {text}") from None
