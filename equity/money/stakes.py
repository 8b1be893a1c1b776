"""Stacks that players have put in, and the main and side pots they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from equity.money.amounts import (
    NO_RAKE,
    Amount,
    MoneyError,
    Rake,
    plain,
    read_amount,
    read_amounts,
    read_rake,
)

__all__ = ["Layer", "Stakes", "read_stakes"]


@dataclass(frozen=True)
class Layer:
    """A main or side pot."""

    name: str
    amount: Fraction
    #: The players who are in it, from 0.
    members: tuple[int, ...]


@dataclass(frozen=True)
class Stakes:
    """Stacks put in, dead money, and the rake."""

    stacks: tuple[Fraction, ...]
    #: Dead money in the main pot.
    pot: Fraction = Fraction(0)
    rake: Rake = NO_RAKE

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The contested pots, the main pot first.

        Chips between two sizes of stacks are contested by the players who have put in
        more than the smaller.
        """
        found: list[Layer] = []
        below = Fraction(0)
        for height in sorted(set(self.stacks)):
            members = tuple(at for at, stack in enumerate(self.stacks) if stack >= height)
            if len(members) > 1:
                dead = self.pot if not found else Fraction(0)
                name = f"side pot {len(found)}" if found else "main pot"
                found.append(Layer(name, (height - below) * len(members) + dead, members))
            below = height
        return tuple(found)

    @property
    def returned(self) -> tuple[Fraction, ...]:
        """Uncalled chips of each player."""
        called = sorted(self.stacks)[-2]
        return tuple(max(stack - called, Fraction(0)) for stack in self.stacks)

    @property
    def put_in(self) -> Fraction:
        """All chips, dead and uncalled ones included."""
        return sum(self.stacks, self.pot)

    @property
    def contested(self) -> Fraction:
        """Contested chips, from which the rake is taken."""
        return self.put_in - sum(self.returned)

    @property
    def taken(self) -> Fraction:
        """The total rake."""
        return self.rake.of(self.contested)

    def rake_of(self, layer: Layer) -> Fraction:
        """The rake of a pot, in proportion to its size."""
        return self.taken * layer.amount / self.contested


def read_stakes(
    stacks: str | Iterable[Amount],
    players: int,
    *,
    pot: Amount | None = None,
    rake: str | None = None,
    cap: Amount | None = None,
) -> Stakes:
    """Parse and validate the stakes.

    Parameters
    ----------
    stacks:
        What each player has put in; text with commas or numbers.
    players:
        Number of players.
    pot:
        Dead money in the main pot, 0 if None.
    rake, cap:
        A percentage such as ``"5%"``, and its cap.

    Raises
    ------
    MoneyError
        An amount is invalid, or there are not as many stacks as players.
    """
    read = read_amounts(stacks, "stacks", positive=True)
    if len(read) != players:
        shown = ", ".join(map(plain, read))
        raise MoneyError(
            f"{len(read)} for {players} players" + (f" ({shown})" if read else ""),
            place="stacks",
            hint="write one a player, with commas between and a point for decimals: 100,60.5,60.5",
        )
    dead = Fraction(0) if pot is None else read_amount(pot, "pot")
    return Stakes(read, dead, read_rake(rake, cap))
