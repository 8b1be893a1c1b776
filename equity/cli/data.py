"""``equity data``: the tables and orderings that ship with the package."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from equity.cli.options import log_to_stderr, option
from equity.errors import DataError
from equity.operations import parameters as given
from equity.rules.games import find_game

__all__ = ["data"]


_folder_option = click.option(
    "-o",
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Folder to write to; by default the files in use are replaced.",
)


@click.group(invoke_without_command=True)
@click.pass_context
def data(ctx: click.Context) -> None:
    """Rebuild or check the tables and orderings of the package."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@data.command()
@_folder_option
def build(folder: Path | None) -> None:
    """Build all tables from the rules; the result is the same everywhere."""
    from equity.rules import tables

    for path in tables.save(folder or tables.data_folder()):
        click.echo(path)


@data.command()
def verify() -> None:
    """Build all tables from the rules again and compare with those in use."""
    from equity.rules import tables

    for name, table in tables.build().items():
        if tables.memory(name) != table.tobytes():
            raise DataError(f"the table {name} differs from the rules", hint="equity data build")
        click.echo(f"{tables.digest(name)}  {name}")

    from equity.ranges import select_ordering
    from equity.ranges.orderings import ordering_names
    from equity.rules.games import GAMES

    for game in GAMES:
        for name in ordering_names(game.name):
            ordering = select_ordering(name, game)
            if not ordering.is_intact:
                raise DataError(
                    f"the ordering {name} of {game.name} is damaged", hint="install it again"
                )
            click.echo(f"{ordering.digest}  {game.name} {ordering.label}")


@data.command()
@option(given.GAME)
@click.argument("names", nargs=-1, metavar="[NAME...]")
@_folder_option
@click.option(
    "--threads", type=click.IntRange(min=1), help="Number of threads.  [default: all processors]"
)
def ordering(game: str, names: tuple[str, ...], folder: Path | None, threads: int | None) -> None:
    """Build hand rankings of a game from their recipes, or list the recipes.

    Each takes minutes to an hour.  Progress is saved twice a minute; the same
    command resumes.  The result is the same on any machine and with any number of
    threads.

    \b
    equity data ordering
    equity data ordering -g o8 ring
    """
    from equity.maintenance import RECIPES, build, find_recipe

    rules = find_game(game)
    if not names:
        for recipe in RECIPES:
            click.echo(f"{recipe.name:<8} version {recipe.version}: {recipe.description}")
        return

    from equity.cli.progress import ProgressLine
    from equity.ranges.orderings import ordering_folder

    log_to_stderr()
    for recipe in [find_recipe(name) for name in names]:
        line = ProgressLine() if sys.stderr.isatty() else None
        target = folder or ordering_folder()
        paths = build(recipe, rules, target, threads=threads, progress=line.draw if line else None)
        if line:
            line.clear()
        for path in paths:
            click.echo(path)
