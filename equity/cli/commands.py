"""The command group, and the exit code of each error.

An error is one line on stderr, and its class says the exit code; with ``--json`` it is an object
on stdout too.  Commands are imported on demand, so that help and errors are quick.
"""

from __future__ import annotations

import errno
import importlib
import itertools
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from equity import __version__
from equity.cli.stops import INTERRUPTED, Stops
from equity.cli.streams import flush
from equity.errors import EquityError
from equity.rules.cards import ascii_text

__all__ = ["cli", "run"]

#: Commands in the order of the help, and where they are.
COMMANDS = {
    "odds": "equity.cli.odds",
    "batch": "equity.cli.batch",
    "merge": "equity.cli.merge",
    "hands": "equity.cli.hands",
    "report": "equity.cli.report",
    "evaluate": "equity.cli.evaluate",
    "range": "equity.cli.range",
    "rank": "equity.cli.rank",
    "streets": "equity.cli.views",
    "next": "equity.cli.views",
    "graph": "equity.cli.views",
    "flops": "equity.cli.views",
    "blockers": "equity.cli.views",
    "potlimit": "equity.cli.potlimit",
    "pql": "equity.cli.pql",
    "games": "equity.cli.games",
    "serve": "equity.cli.serve",
    "cache": "equity.cli.cache",
    "data": "equity.cli.data",
    "completion": "equity.cli.completion",
}

#: Set it for the traceback of an unexpected error.
DEBUG_VARIABLE = "EQUITY_DEBUG"
#: A long option with a single dash.
_ONE_DASH = re.compile(r"-([a-z][a-z0-9-]+)(?:=.*)?", re.DOTALL)
#: Number of characters of a long range that are shown around an error.
SHOWN_WIDTH = 70


class InterruptError(Exception):
    """A KeyboardInterrupt, for which click would print an empty line."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise InterruptError from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            raise click.UsageError(f"there is no command {ascii_text(name)}; {_meant(name)}", ctx)
        module = importlib.import_module(COMMANDS[name])
        # A command called like a builtin has an underscore behind its name.
        command: click.Command = getattr(module, name, None) or getattr(module, f"{name}_")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _check_dashes(command, rest, ctx)
        return name, command, rest


def _check_dashes(command: click.Command, args: Sequence[str], ctx: click.Context) -> None:
    """Refuse ``-board``, which is ``-b oard`` by the rules of short options."""
    known = {option for parameter in command.params for option in parameter.opts}
    for text in itertools.takewhile(lambda text: text != "--", args):
        match = _ONE_DASH.fullmatch(text)
        if match and f"--{match[1]}" in known:
            raise click.UsageError(
                f"{ascii_text(text)} has one dash, which is for options of one letter; "
                f"write --{match[1]}",
                ctx,
            )


def _meant(name: str) -> str:
    """Suggest what was meant by an unknown command ``name``."""
    from difflib import get_close_matches

    if close := get_close_matches(name.lower(), COMMANDS, n=1):
        return f"did you mean {close[0]}?"
    from equity.ranges import is_range

    if is_range(name, "plo6"):
        return "hands go behind a command, equity odds AhAsKhKs 9c8c7d6d"
    return f"commands are {', '.join(COMMANDS)}"


def _show_version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Print the version, or with --verbose what a report of a bug needs, and end."""
    verbose = ctx.params["verbose"]
    if is_asked:
        if verbose:
            from equity.kernels.report import lines

            click.echo("\n".join(lines()))
        else:
            click.echo(f"equity {__version__}")
        ctx.exit()
    if verbose:
        raise click.UsageError("--verbose goes with --version", ctx)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.option(
    # Eager, so that it is known wherever it stands.
    "--verbose",
    is_flag=True,
    is_eager=True,
    help="With --version: all versions, the processor, the kernels; for reports of bugs.",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context, verbose: bool) -> None:  # noqa: ARG001 - read with --version
    """Exact equities for Omaha, Omaha hi/lo, and their 5- and 6-card games.

    \b
    equity odds AhAsKhKs 9c8c7d6d                    hand against hand
    equity odds -g o8 -b 9s7s6h AsKdQd2s Ac4d3h2h    on a flop, with the low
    equity evaluate -b Kh9h4c2d2s AhAsKhKs           what a hand makes
    equity range 'TT+!AA' -b Th7h2c                  what a range holds
    equity odds 10% 'KK!AA' -b Kh9h4c                range against range
    equity pql "select ... from ..."                 any other question
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(stops: Stops) -> None:
    """Run the command, and end the program."""
    try:
        # On Windows click would expand a * in a hand or range as file names.
        status = cli.main(standalone_mode=False, windows_expand_args=False)
        sys.stdout.flush()
    except SystemExit:
        flush()
        raise
    except EquityError as error:
        _print_object(error)
        fail(str(error), error.exit_code, *_pointer(error))
    except click.ClickException as error:
        problem, hint = _usage(error)
        told = EquityError(problem, hint=hint)
        _print_object(told)
        fail(str(told), error.exit_code)
    except (click.Abort, InterruptError, KeyboardInterrupt):
        fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader, `head` say, has gone; click ends so too when it notices first.
        flush()
        sys.exit(1)
    except OSError as error:
        line = _system_line(error)
        _print_object(EquityError(line))
        fail(line, 1)
    except Exception as error:
        if stops.is_pressed:
            # An interrupt in the middle of an import becomes other errors.
            fail("interrupted", INTERRUPTED)
        if os.environ.get(DEBUG_VARIABLE):
            raise
        fail(
            f"unexpected {type(error).__name__}: {error}; this is a defect of the program, "
            f"{DEBUG_VARIABLE}=1 shows where",
            70,
        )
    sys.exit(status if isinstance(status, int) else 0)


def fail(message: str, code: int, *more: str) -> None:
    """End the program with a line on stderr, and lines that explain it."""
    with suppress(OSError):
        for line in (f"equity: {' '.join(message.split())}", *more):
            print(line.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    flush()
    sys.exit(code)


def _system_line(error: OSError) -> str:
    """An error of the system in words; one without a file is of a standard stream."""
    if error.filename is not None or error.strerror is None:
        return str(error)
    if error.errno == errno.EBADF:
        return "stdin or stdout is closed, and it is needed"
    return f"stdin or stdout: {error.strerror}"


def _pointer(error: EquityError) -> list[str]:
    """Return the text of a range and a caret line below it, for an error."""
    text, column = getattr(error, "text", ""), getattr(error, "column", 0)
    if not column or not text.isprintable() or not text.isascii():
        return []
    start = max(0, column - 1 - SHOWN_WIDTH // 2)
    shown = text[start : start + SHOWN_WIDTH]
    return [f"    {shown}", f"    {' ' * (column - 1 - start)}^"]


def _usage(error: click.ClickException) -> tuple[str, str]:
    """What is wrong with the words of a command, and what shows the right ones."""
    message = error.format_message()
    if not isinstance(error, click.UsageError):
        return message, ""
    hint = ""
    if isinstance(error, click.NoSuchOption) and error.option_name[:1] == "-":
        hint = "an argument that begins with '-' goes after --; "
    command = error.ctx.command_path if error.ctx else "equity"
    return message.rstrip("."), f"{hint}'{command} --help' shows the usage"


def _print_object(error: EquityError) -> None:
    """Print an error as JSON, where the answer would be, if JSON is asked for."""
    if "--json" in itertools.takewhile(lambda text: text != "--", sys.argv[1:]):
        import json

        with suppress(OSError):
            print(json.dumps(error.to_dict()), flush=True)
