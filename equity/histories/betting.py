"""Bets as chips: what each action puts in, and the pots that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from equity.histories.hand import Action

__all__ = ["ACTIONS", "READINGS", "Chips", "Reading", "count_chips", "layers"]

#: Every action, and how its amount counts: ``adds`` to the bet of the player, ``to`` is the
#: whole bet of the street, ``dead`` goes to the pot and counts for no bet, ``ante`` is dead too
#: but limits what a player can win, ``both`` is a big blind with a dead small blind.
ACTIONS = {
    "ante": "ante",
    "small blind": "adds",
    "second small blind": "adds",
    "big blind": "adds",
    "dead blind": "dead",
    "both blinds": "both",
    "straddle": "to",
    "bet": "adds",
    "call": "adds",
    "raise": "to",
    "put in": "adds",
    "check": "",
    "fold": "",
}
#: Actions of players, after which betting may have ended; others are posted.
CHOICES = frozenset(("bet", "call", "raise", "put in", "check", "fold"))


class Reading(NamedTuple):
    """How rooms and converters differ in what they print.

    The first reading with which the chips of a hand add up is the right one.
    """

    #: Modes of :data:`ACTIONS` that are other.
    modes: tuple[tuple[str, str], ...] = ()


READINGS = (
    Reading(),
    # Run It Once printed the chips added by a raise where others print its total.
    Reading((("raise", "adds"),)),
    # A second small blind is dead, unless it is a bet.
    Reading((("second small blind", "dead"),)),
    Reading((("straddle", "adds"),)),
    Reading((("raise", "to"), ("call", "to"))),
)


class Chips(NamedTuple):
    """Chips by player."""

    #: All chips that were put in.
    put_in: list[int]
    #: Those that count for the side pots: bets of all streets, and antes.
    heights: list[int]


def count_chips(actions: Sequence[Action], players: int, big_blind: int, reading: Reading) -> Chips:
    """What each player has put in, by one reading."""
    put_in, heights, bets = [0] * players, [0] * players, [0] * players
    modes = ACTIONS | dict(reading.modes) if reading.modes else ACTIONS
    antes = [action.amount for action in actions if action.verb == "ante"]
    # A single ante is posted for the whole table.
    is_shared = len(antes) > 1
    street = 0
    for player, when, verb, printed in actions:
        if when != street:
            street, bets = when, [0] * players
        mode = modes[verb]
        if not mode:
            continue
        # A raise to less than the bet so far adds nothing.
        amount = max(0, printed - bets[player]) if mode == "to" else printed
        counted = amount
        if mode == "ante":
            counted = amount if is_shared else 0
        elif mode == "dead":
            counted = 0
        elif mode == "both":
            counted = min(amount, big_blind)
        put_in[player] += amount
        heights[player] += counted
        bets[player] += counted if mode != "ante" else 0
    return Chips(put_in, heights)


def layers(
    heights: Sequence[int], live: Sequence[int], dead: int
) -> list[tuple[int, tuple[int, ...]]]:
    """The amount of each pot and its members, the main pot first.

    Players who folded leave their chips in the pots that they reach; ``dead`` money is in
    the main pot.
    """
    found: list[tuple[int, tuple[int, ...]]] = []
    below = 0
    for height in sorted({heights[at] for at in live}):
        amount = sum([min(mine, height) - min(mine, below) for mine in heights])
        found.append((amount, tuple([at for at in live if heights[at] >= height])))
        below = height
    over = sum([mine - min(mine, below) for mine in heights])
    if found:
        # Chips above the highest live bet belong to the last pot.
        found[-1] = (found[-1][0] + over, found[-1][1])
        found[0] = (found[0][0] + dead, found[0][1])
    return [pot for pot in found if pot[0]]


def in_proportion(amounts: Sequence[int], taken: int) -> list[Fraction]:
    """What is taken from each pot, in proportion to its amount."""
    total = sum(amounts)
    return [Fraction(taken * amount, total) if total else Fraction(0) for amount in amounts]
