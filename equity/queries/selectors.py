"""The selectors, one row each: what they take; how they add up is in ``sums``."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SELECTORS", "Selector"]


@dataclass(frozen=True)
class Selector:
    """A selector: the values that it takes, and a second argument."""

    name: str
    #: ``"boolean"``, ``"numeric"``, ``"ordered"`` or ``"any"``.
    takes: str
    meaning: str
    #: Name of a second argument, and whether it has to be there.
    second: str = ""
    needs_second: bool = False

    @property
    def signature(self) -> str:
        """``"quantile(x, q)"``."""
        more = f", {self.second}" if self.needs_second else f" [, {self.second}]"
        first = "b" if self.takes == "boolean" else "x"
        return f"{self.name}({first}{more if self.second else ''})"


#: The selectors by name.
SELECTORS = {
    row.name: row
    for row in (
        Selector("count", "boolean", "share of deals where b is true, and how many"),
        Selector("avg", "numeric", "mean"),
        Selector("min", "ordered", "the least value"),
        Selector("max", "ordered", "the greatest value"),
        Selector(
            "histogram", "any", "every value with its share; equities in bins of w points", "w"
        ),
        Selector("median", "numeric", "the least value that half of the deals do not exceed"),
        Selector(
            "quantile", "numeric", "the least value that a share q does not exceed", "q", True
        ),
    )
}
