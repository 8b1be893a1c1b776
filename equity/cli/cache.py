"""``equity cache``: the cache of compiled kernels."""

from __future__ import annotations

import click

from equity.cli.options import log_to_stderr

__all__ = ["cache"]


@click.group(invoke_without_command=True)
@click.pass_context
def cache(ctx: click.Context) -> None:
    """Show the cache of compiled kernels.

    The environment variable EQUITY_CACHE_DIR names another folder, or 'off'.  A folder
    that other users can write to is not used, see SECURITY.md.
    """
    if ctx.invoked_subcommand:
        return
    from equity.kernels import store
    from equity.kernels.registry import KERNELS

    log_to_stderr()
    folders = list(store.folders())
    click.echo(f"folder  {folders[0] if folders else 'none, kernels are compiled in each run'}")
    current = {kernel.stored_name() for kernel in KERNELS}
    for path in store.entries():
        state = "" if path.stem in current else "  (of another version)"
        click.echo(f"kernel  {path}  {path.stat().st_size:,} bytes{state}")
    for kernel in KERNELS:
        if not kernel.is_stored():
            click.echo(f"kernel  {kernel.name}: not compiled yet")


@cache.command()
def clear() -> None:
    """Delete the compiled kernels; the next run compiles them again."""
    from equity.kernels import store

    log_to_stderr()
    number = store.clear()
    click.echo(f"removed {number} compiled kernel{'' if number == 1 else 's'}")


@cache.command()
def warm() -> None:
    """Compile all kernels now, for example before many processes start."""
    from equity.kernels.registry import KERNELS

    log_to_stderr()
    for kernel in KERNELS:
        kernel.prepare()
    click.echo(f"{len(KERNELS)} kernels are ready")
