"""``equity merge``: join the parts of a batch."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from equity.batching.rows import spots_text
from equity.cli.batch import print_failures

__all__ = ["merge"]


@click.command()
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@click.option("-o", "--output", required=True, metavar="RESULTS", help="The table to write.")
@click.option("--force", is_flag=True, help="Overwrite existing results.")
@click.option("-q", "--quiet", is_flag=True, help="No notices.")
def merge(parts: tuple[str, ...], output: str, force: bool, quiet: bool) -> None:
    """Join the parts written by 'equity batch --shard'.

    All parts are needed, in any order, each with its journal beside it.  The result
    is the file that a single run over all spots writes.

    \b
    equity merge part1.csv part2.csv -o results.csv
    """
    from equity.batching.merge import merge as merge_parts

    state = merge_parts([Path(part) for part in parts], Path(output), force=force)
    if state.failed:
        print_failures(f"{spots_text(state.failed, state.rows)} failed", state.failures)
    elif not quiet:
        several = "s"[: len(parts) != 1]
        click.echo(f"equity: {spots_text(state.rows)} in {len(parts):,} part{several}", err=True)
    sys.exit(1 if state.failed else 0)
