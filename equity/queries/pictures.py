"""Histograms of answers as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equity.queries.results import Figure
from equity.views.plots import PLAYERS

__all__ = ["draw_histograms"]


def draw_histograms(figure: Any, figures: Sequence[Figure]) -> None:
    """Draw a panel for each histogram."""
    figure.set_size_inches(8, 0.6 + 3.2 * len(figures))
    for number, one in enumerate(figures, 1):
        axes = figure.add_subplot(len(figures), 1, number)
        bins = one.bins or ()
        errors = [100 * (each.std_error or 0) for each in bins]
        known = all(error < float("inf") for error in errors) and any(errors)
        axes.bar(
            range(len(bins)),
            [100 * each.share for each in bins],
            yerr=errors if known else None,
            color=PLAYERS[0],
        )
        turned = sum(len(each.label) + 2 for each in bins) > 80
        names = [each.label for each in bins]
        axes.set_xticks(
            range(len(bins)),
            names,
            rotation=60 if turned else 0,
            ha="right" if turned else "center",
        )
        axes.set_ylabel("% of the deals")
        axes.set_title(one.name)
