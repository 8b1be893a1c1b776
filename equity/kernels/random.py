"""Random numbers by SplitMix64.

A kernel that draws them has a record ``work`` with the ``state``, and another with the
``step`` of its sequence.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.transposed import DECK

HALF = 32
LOW_HALF = (1 << HALF) - 1
#: Numbers below this are drawn from half a word.
SMALL = 1 << 31
#: The constants of SplitMix64, as signed numbers.
MIX_1 = 0xBF58476D1CE4E5B9 - (1 << 64)
MIX_2 = 0x94D049BB133111EB - (1 << 64)


@jit
def word(draw: Any, work: Any) -> int:
    """The next 64 random bits: SplitMix64 with its own increment for every chunk."""
    state = work.state[0] + draw.step
    work.state[0] = state
    mixed = (state ^ ((state >> 30) & 0x3FFFFFFFF)) * MIX_1
    mixed = (mixed ^ ((mixed >> 27) & 0x1FFFFFFFFF)) * MIX_2
    return mixed ^ ((mixed >> 31) & 0x1FFFFFFFF)


@jit
def below(draw: Any, work: Any, bound: int) -> int:
    """A uniform random number from 0 to ``bound - 1``, for bounds up to 2**31."""
    # Lemire's method: the few products that would bias it are redrawn.
    product = (word(draw, work) & LOW_HALF) * bound
    if product & LOW_HALF < bound:
        uneven = ((1 << HALF) - bound) % bound
        while product & LOW_HALF < uneven:
            product = (word(draw, work) & LOW_HALF) * bound
    return product >> HALF


@jit
def far_below(draw: Any, work: Any, bound: int) -> int:
    """A uniform random number from 0 to ``bound - 1``, for bounds up to 2**62."""
    if bound < SMALL:
        return below(draw, work, bound)
    mask = bound - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        number = word(draw, work) & mask
        if number < bound:
            return number


@jit
def card_from_deck(draw: Any, work: Any, taken: int) -> int:
    """A random card that is not in the mask ``taken``."""
    card = below(draw, work, DECK)
    while (taken >> card) & 1:
        card = below(draw, work, DECK)
    return card


@jit
def entry_at(ends: Any, count: int, place: int) -> int:
    """The entry of a list that a place in the sum of its weights falls on.

    ``ends`` has the sum of the weights up to each of ``count`` entries.
    """
    low = 0
    high = count - 1
    while low < high:
        middle = (low + high) >> 1
        if ends[middle] <= place:
            low = middle + 1
        else:
            high = middle
    return low
