"""Computes the steps of a program for a block of deals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.queries.columns import Column, arithmetic, chosen, compared, constant
from equity.queries.dealing import Block
from equity.queries.frame import Frame, Shared
from equity.queries.program import Program, Step
from equity.queries.types import STRING, Type
from equity.queries.vectors import compute

__all__ = ["Evaluator", "value_text"]

#: Where fewer of the deals pass the first conditions, the others are dropped.
_FEW = 0.7


class Evaluator:
    """Computes results of a program for blocks of deals; any number of threads may use it."""

    def __init__(self, program: Program, shared: Shared) -> None:
        self.program = program
        self.shared = shared
        costs = [self._cost(number) for number in program.conditions]
        #: The conditions, the cheapest first.
        self.conditions = [
            number for _, number in sorted(zip(costs, program.conditions, strict=True))
        ]

    def _cost(self, number: int) -> int:
        return sum(function.cost for function, _ in self.program.calls([number]))

    def passing(self, block: Block) -> tuple[Block, list[Column]]:
        """The deals that pass the conditions, and the values of each result for them."""
        values = _Values(self, Frame(block, self.shared))
        passed: NDArray[np.bool_] | None = None
        for number in self.conditions:
            mask = values.mask(number)
            passed = mask if passed is None else passed & mask
            if np.count_nonzero(passed) < _FEW * len(passed):
                block = block.take(passed)
                values = _Values(self, Frame(block, self.shared))
                passed = None
        if passed is not None and not passed.all():
            block = block.take(passed)
            values = _Values(self, Frame(block, self.shared))
        outputs = self.program.outputs
        if not len(block):
            empty = Column(np.zeros(0, np.int64))
            return block, [empty for _ in outputs]
        return block, [values.of(output.step).spread(len(block)) for output in outputs]


class _Values:
    """The values of steps for one block, each computed once."""

    def __init__(self, evaluator: Evaluator, frame: Frame) -> None:
        self.steps = evaluator.program.steps
        self.shared = evaluator.shared
        self.frame = frame
        self._known: dict[int, Column] = {}

    def of(self, number: int) -> Column:
        """The values of a step."""
        if number not in self._known:
            step = self.steps[number]
            self._known[number] = _OPERATIONS[step.op](self, step)
        return self._known[number]

    def mask(self, number: int) -> NDArray[np.bool_]:
        """The values of a boolean step, one for each deal."""
        data = self.of(number).data
        mask: NDArray[np.bool_] = np.broadcast_to(data, self.frame.count).astype(np.bool_)
        return mask

    def parts(self, step: Step) -> list[Column]:
        return [self.of(number) for number in step.parts]

    def constant(self, step: Step) -> Column:
        value = step.fixed[0]
        return constant(self.shared.code(value) if step.type == STRING else value)

    def call(self, step: Step) -> Column:
        parts = iter(self.parts(step))
        function = step.fixed[0]
        if function.name == "toString":
            return self.texts(next(parts), self.steps[step.parts[0]].type)
        arguments = [next(parts) if value is None else value for value in step.fixed[1:]]
        return compute(self.frame, function.name, arguments)

    def texts(self, column: Column, kind: Type) -> Column:
        """The numbers of the texts of values."""
        if kind == STRING:
            return column
        full = column.spread(len(column.data))
        dens = np.broadcast_to(np.asarray(full.den), len(full.data))
        pairs = np.stack([full.data.astype(dens.dtype), dens], axis=1)
        every, of = np.unique(pairs, axis=0, return_inverse=True)
        codes = [
            self.shared.code(
                kind.text(Fraction(int(one), int(den)) if kind.is_numeric else int(one))
            )
            for one, den in every.tolist()
        ]
        return Column(np.array(codes, np.int64)[of.reshape(-1)], 1, column.valid)

    def both(self, step: Step) -> Column:
        masks = [part.data for part in self.parts(step)]
        found = masks[0].astype(np.bool_)
        for mask in masks[1:]:
            found = found & mask if step.op == "and" else found | mask
        return Column(found.astype(np.bool_))

    def negated(self, step: Step) -> Column:
        return Column(~self.of(step.parts[0]).data.astype(np.bool_))

    def comparison(self, step: Step) -> Column:
        one, other = self.parts(step)
        return Column(compared(step.fixed[0], one, other))

    def arithmetic(self, step: Step) -> Column:
        return arithmetic(step.fixed[0], self.parts(step))

    def case(self, step: Step) -> Column:
        half = len(step.parts) // 2
        conditions = [self.mask(number) for number in step.parts[:half]]
        branches = [self.of(number) for number in step.parts[half:]]
        return chosen(conditions, branches, self.frame.count)


_OPERATIONS: dict[str, Callable[[_Values, Step], Column]] = {
    "constant": _Values.constant,
    "call": _Values.call,
    "or": _Values.both,
    "and": _Values.both,
    "not": _Values.negated,
    "compare": _Values.comparison,
    "arithmetic": _Values.arithmetic,
    "case": _Values.case,
}


def value_text(kind: Type, value: Any, texts: list[str]) -> str:
    """The text of a value, where strings are numbers of ``texts``."""
    if kind == STRING:
        return texts[int(value)]
    if kind.is_numeric:
        return kind.text(Fraction(value))
    return kind.text(int(value))
