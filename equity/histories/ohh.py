"""Hands of the Open Hand History format: JSON objects, one for each hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from equity.errors import CardError, GameError
from equity.histories.betting import READINGS
from equity.histories.hand import STREETS, Action, Hand, HandPlayer
from equity.histories.settling import Draft, game_of_cards, settle
from equity.histories.source import MALFORMED, MOST_LINES, Source
from equity.histories.units import COARSE, in_units, whole_units
from equity.rules.cards import parse_cards
from equity.rules.games import find_game

__all__ = ["START", "hands"]

START = re.compile(r"[\ufeff\s]*[\[{]\s*(?:[{\"}]|$)")

#: Actions of the format that move chips, and what they are here.
ACTIONS = {
    "Post Ante": "ante",
    "Post SB": "small blind",
    "Post BB": "big blind",
    "Post Dead": "dead blind",
    "Post Extra Blind": "put in",
    "Straddle": "straddle",
    "Bet": "bet",
    "Call": "call",
    "Raise": "raise",
    "Check": "check",
    "Fold": "fold",
}
#: Actions that show cards.
CARDS = ("Dealt Cards", "Shows Cards", "Mucks Cards")
#: What else happens at a table.
NOTHING = ("Added Chips", "Sits Down", "Stands Up")
#: Money that the room adds.
ADDED = ("Added To Pot", "Add to Pot", "Added to Pot")
#: Amounts are chips that an action adds; some programs write the total of a raise.
_READINGS = (READINGS[1], *READINGS)


def hands(source: Source) -> Iterator[Hand]:
    """Yield the hands of a file: objects one after the other, or in a list."""
    while source.next is not None and START.match(source.next):
        first = source.number
        text = _object(source)
        try:
            found = json.loads(text, parse_float=Decimal)
        except (ValueError, RecursionError):
            source.unread(first, "it is no valid JSON", text.split("\n", 1)[0])
            continue
        for one in found if isinstance(found, list) else [found]:
            inner = one.get("ohh") if isinstance(one, dict) else None
            if not isinstance(inner, dict):
                source.unread(first, "it is no hand of the Open Hand History format")
                continue
            hand = _hand(source, first, inner)
            if hand is not None:
                yield hand
        while source.next is not None and not source.next:
            source.advance()


def _object(source: Source) -> str:
    """The lines of the next object, or of a list of objects."""
    lines: list[str] = []
    is_list = (source.next or "").lstrip("\ufeff \t").startswith("[")
    while source.next is not None:
        line = source.next
        if lines and not is_list and (not line or line[0] == "{" or len(lines) > MOST_LINES):
            break
        lines.append(line)
        source.advance()
        if line.startswith("]" if is_list else "}"):
            break
    return "\n".join(lines).lstrip("\ufeff")


def _hand(source: Source, first: int, found: dict[str, Any]) -> Hand | None:
    """A hand; None, with a report, if the object is none."""
    unit = 1 if found.get("tournament") is True else COARSE
    try:
        return in_units(unit, lambda unit: _Reader(source, first, unit, found).read())
    except MALFORMED as error:
        source.no_hand(first, "Open Hand History", error)
        return None


class _Reader:
    """Reads one hand."""

    def __init__(self, source: Source, first: int, unit: int, found: dict[str, Any]) -> None:
        self.source, self.found, self.unit = source, found, unit
        title = str(found["game_type"])
        try:
            game = find_game(title)
        except GameError:
            game = None
        currency = "" if found.get("tournament") is True else str(found.get("currency") or "")
        number = str(found.get("game_number") or "")
        self.hand = Hand(source.name, first, number, game, title, currency, unit)
        self.draft = Draft(self.hand, readings=_READINGS)
        self.by_id: dict[Any, int] = {}
        self.has_small_blind = False

    def read(self) -> Hand:
        """The hand of the object."""
        hand, found = self.hand, self.found
        if hand.game is None:
            return hand
        for at, player in enumerate(found["players"]):
            self.by_id[player["id"]] = at
            stack = whole_units(player["starting_stack"], self.unit)
            hand.players.append(HandPlayer(str(player["name"]), int(player["seat"]), stack))
        hand.hero = self.by_id.get(found.get("hero_player_id"))
        self.draft.big_blind = whole_units(found.get("big_blind_amount") or 0, self.unit)
        boards: list[list[tuple[int, ...]]] = [[]]
        reached = 0
        for round_ in found["rounds"]:
            name = str(round_["street"]).lower().replace("-", "")
            if name in STREETS:
                street = STREETS.index(name)
                cards = _cards(round_.get("cards"))
                if street <= reached and cards and street:
                    boards.append(boards[0][: street - 1])
                if cards or street:
                    boards[-1].append(cards)
                if not street:
                    hand.first_cards = len(cards)
                reached = street
            for action in round_.get("actions") or ():
                self._act(action, min(reached, len(STREETS) - 1))
        hand.boards = [tuple(card for cards in board for card in cards) for board in boards]
        self._pots(found["pots"])
        seen = max((len(player.cards) for player in hand.players), default=0)
        hand.game = game_of_cards(hand.game, seen) if hand.game else None
        return settle(self.draft)

    def _act(self, action: dict[str, Any], street: int) -> None:
        verb = str(action["action"])
        if verb in ADDED:
            self.hand.dead += whole_units(action["amount"], self.unit)
            return
        if verb in NOTHING:
            return
        if verb not in ACTIONS and verb not in CARDS:
            self.source.unread(self.hand.line, "its action is not understood", verb)
            return
        player = self.by_id[action["player_id"]]
        if verb in CARDS:
            cards = _cards(action.get("cards"))
            if len(cards) > len(self.hand.players[player].cards):
                self.hand.players[player].cards = cards
            return
        kind = ACTIONS[verb]
        if kind == "small blind":
            kind = "second small blind" if self.has_small_blind else kind
            self.has_small_blind = True
        amount = whole_units(action.get("amount") or 0, self.unit)
        self.hand.actions.append(Action(player, street, kind, amount))
        if kind == "fold":
            self.hand.players[player].has_folded = True

    def _pots(self, pots: list[dict[str, Any]]) -> None:
        hand, draft, unit = self.hand, self.draft, self.unit
        total = 0
        for at, pot in enumerate(pots):
            total += whole_units(pot["amount"], unit)
            wins = pot.get("player_wins") or ()
            if pot.get("rake") is None:
                rakes = [win.get("contributed_rake") or 0 for win in wins]
                hand.rake += sum(whole_units(rake, unit) for rake in rakes)
            else:
                hand.rake += whole_units(pot["rake"], unit)
            hand.fees += whole_units(pot.get("jackpot") or 0, unit)
            for win in wins:
                player = self.by_id[win["player_id"]]
                draft.collected.append((player, whole_units(win["win_amount"], unit), at))
                if win.get("cashout_amount"):
                    taken = hand.players[player].cash_out or 0
                    hand.players[player].cash_out = taken + whole_units(win["cashout_amount"], unit)
                    hand.players[player].cash_out_fee += whole_units(
                        win.get("cashout_fee") or 0, unit
                    )
        # Some programs write pots before the rake, some after.
        draft.totals = (total, total + hand.rake + hand.fees) if pots else ()


def _cards(texts: Any) -> tuple[int, ...]:
    """Known cards of a list of texts."""
    if not texts:
        return ()
    known = [str(text) for text in texts if str(text) and "?" not in str(text)]
    try:
        return parse_cards(known) if known else ()
    except CardError:
        raise ValueError(f"cards {known}") from None
