"""The command ``equity``."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command; the entry point of the console script."""
    # Streams and Ctrl-C are taken care of before anything else is imported.
    from equity.cli.stops import Stops
    from equity.cli.streams import open_streams

    open_streams()
    with Stops() as stops:
        from equity.cli.commands import run

        stops.in_order()
        run(stops)
