"""The command ``equity``."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command; the entry point of the console script."""
    # Ctrl-C is taken care of before anything else is imported.
    from equity.cli.stops import Stops

    with Stops() as stops:
        from equity.cli.commands import run

        stops.in_order()
        run(stops)
