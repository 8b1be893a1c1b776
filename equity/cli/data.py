"""``equity data``: the tables that ship with the package."""

from __future__ import annotations

from pathlib import Path

import click

from equity.errors import DataError

__all__ = ["data"]


@click.group(invoke_without_command=True)
@click.pass_context
def data(ctx: click.Context) -> None:
    """Rebuild or check the tables of the package."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@data.command()
@click.option(
    "-o",
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Where to write; by default over those in use.",
)
def build(folder: Path | None) -> None:
    """Make all tables from the rules; the result is the same everywhere."""
    from equity import tables

    for path in tables.save(folder or tables.data_folder()):
        click.echo(path)


@data.command()
def verify() -> None:
    """Make all tables from the rules again and compare those in use."""
    from equity import tables

    for name, table in tables.build().items():
        if tables.memory(name) != table.tobytes():
            raise DataError(f"the table {name} differs from the rules", hint="equity data build")
        click.echo(f"{tables.digest(name)}  {name}")
