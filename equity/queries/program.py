"""A query as a program: steps that each are a value of a deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from equity.queries.functions import PLAYER, STREET_NAME, Function
from equity.queries.setup import Setup
from equity.queries.types import Type
from equity.rules.games import BOARD_SIZE

__all__ = ["Output", "Program", "Step"]


@dataclass(frozen=True)
class Step:
    """A value of each deal.

    ``op`` is ``constant``, ``call`` or the kind of a :class:`Node`; ``fixed`` the constant,
    the sign, or the function with its fixed arguments, where None stands for one of
    ``parts``, the numbers of the steps that it is made from.
    """

    op: str
    fixed: tuple[Any, ...]
    parts: tuple[int, ...]
    type: Type


@dataclass(frozen=True)
class Output:
    """A result that is asked for: a selector of a step."""

    name: str
    kind: str
    type: Type
    step: int
    #: The number of bins of a histogram of equities, the share of a quantile.
    second: Fraction | None = None


@dataclass
class Program:
    """A query, ready to be computed."""

    setup: Setup
    text: str
    steps: list[Step] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    #: The conditions that deals pass, all of them.
    conditions: list[int] = field(default_factory=list)

    def used(self, roots: Iterable[int] | None = None) -> list[int]:
        """Numbers of the steps that roots need, in order; of all results by default."""
        if roots is None:
            roots = [*self.conditions, *(output.step for output in self.outputs)]
        found: set[int] = set()
        waiting = list(roots)
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting.extend(self.steps[number].parts)
        return sorted(found)

    def calls(self, roots: Iterable[int] | None = None) -> list[tuple[Function, tuple[Any, ...]]]:
        """The functions that are called, with their fixed arguments."""
        steps = (self.steps[number] for number in self.used(roots))
        return [(step.fixed[0], step.fixed[1:]) for step in steps if step.op == "call"]

    @property
    def boards(self) -> tuple[int, ...]:
        """Cards of the boards that something looks at, ascending."""
        sizes: set[int] = set()
        for function, fixed in self.calls():
            most = len(fixed[0].places) if function.sees == "pattern" else BOARD_SIZE
            sizes.update(size for size in function.boards if size <= most)
            for (_, kind), value in zip(function.parameters, fixed, strict=False):
                if kind == STREET_NAME and function.sees == "street" and value is not None:
                    sizes.add(value)
        return tuple(sorted(sizes - {0}))

    @property
    def players(self) -> set[int]:
        """Players whose hands something looks at."""
        seen: set[int] = set()
        for function, fixed in self.calls():
            if function.sees_all:
                return set(range(len(self.setup.names)))
            for (_, kind), value in zip(function.parameters, fixed, strict=False):
                if kind == PLAYER:
                    seen.add(value)
        return seen
