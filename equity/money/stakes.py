"""What each player has put in, and the pots that it makes."""

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
    """A pot that several players can win."""

    name: str
    amount: Fraction
    #: The players who are in it, from 0.
    members: tuple[int, ...]


@dataclass(frozen=True)
class Stakes:
    """What each player has put in, dead money, and the rake."""

    stacks: tuple[Fraction, ...]
    #: Dead money in the main pot.
    pot: Fraction = Fraction(0)
    rake: Rake = NO_RAKE

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The contested pots, the main pot first.

        Money between two heights of stacks is contested by those who have put in
        more than the lower one.
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
        """What each player gets back, since nobody has called it."""
        called = sorted(self.stacks)[-2]
        return tuple(max(stack - called, Fraction(0)) for stack in self.stacks)

    @property
    def put_in(self) -> Fraction:
        """All money, the dead and the uncalled too."""
        return sum(self.stacks, self.pot)

    @property
    def contested(self) -> Fraction:
        """The money that is contested, of which the rake is taken."""
        return self.put_in - sum(self.returned)

    @property
    def taken(self) -> Fraction:
        """The rake, once from the total."""
        return self.rake.of(self.contested)

    def rake_of(self, layer: Layer) -> Fraction:
        """The rake of a pot, in proportion to what is in it."""
        return self.taken * layer.amount / self.contested


def read_stakes(
    stacks: str | Iterable[Amount],
    players: int,
    *,
    pot: Amount | None = None,
    rake: str | None = None,
    cap: Amount | None = None,
) -> Stakes:
    """Read and validate what is at stake.

    Parameters
    ----------
    stacks:
        What each player has put in, a text with commas or numbers.
    players:
        How many players there are.
    pot:
        Dead money in the main pot, 0 if None.
    rake, cap:
        A percentage such as ``"5%"``, and the most that is taken.

    Raises
    ------
    MoneyError
        An amount is none, or there are not as many stacks as players.
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
