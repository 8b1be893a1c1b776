"""A progress line on stderr, for terminals."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equity.engine.options import Progress

__all__ = ["ProgressLine"]

BAR = 20


class ProgressLine:
    """Progress line that redraws itself; called with each :class:`~equity.Progress`."""

    def __init__(self) -> None:
        self.start = monotonic()
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        """Draw a bar, the time left and the equities so far."""
        shares = progress.result.equities[:6]
        self.draw(progress.done, "  ".join(f"{equity:.2%}" for equity in shares))

    def draw(self, done: float, more: str = "") -> None:
        """Draw a bar for the part that is done, the time left, and a text."""
        done = min(max(done, 0.0), 1.0)
        bar = "#" * int(done * BAR)
        elapsed = monotonic() - self.start
        left = f"{elapsed / done - elapsed:.0f} s left" if done > 0.01 else ""
        text = f"[{bar:<{BAR}}] {done:4.0%}  {left:<12}{more}"[:79]
        self._write(text)

    def clear(self) -> None:
        """Clear the line."""
        if self.width:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<{self.width}}")
        if not text:
            sys.stderr.write("\r")
        sys.stderr.flush()
        self.width = len(text)
