"""Manual pages: one for the program and one for each command, made of their help.

``python -m equity.cli.manual FOLDER`` writes them; the wheel is built with them.  (click-man
would join the lines of examples, and does not see commands that are imported on demand.)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from equity import __version__
from equity.cli.commands import cli

__all__ = ["pages", "write_pages"]


def pages() -> Iterator[tuple[str, str]]:
    """The name of the file and the text of every page."""
    yield from _pages(cli, click.Context(cli, info_name="equity"))


def write_pages(folder: Path) -> list[Path]:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages():
        path = folder / name
        path.write_text(text, encoding="ascii")
        written.append(path)
    return written


def _pages(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    yield f"{ctx.command_path.replace(' ', '-')}.1", _page(command, ctx)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            if child is not None:
                yield from _pages(child, click.Context(child, info_name=name, parent=ctx))


def _page(command: click.Command, ctx: click.Context) -> str:
    name = ctx.command_path.replace(" ", "-")
    first, *rest = cleandoc(command.help or "").split("\n\n")
    summary = _escaped(" ".join(first.split()).rstrip("."))
    lines = [
        f'.TH "{name.upper()}" "1" "" "equity {__version__}" "equity manual"',
        ".SH NAME",
        f"{_escaped(name)} \\- {summary}",
        ".SH SYNOPSIS",
        f".B {_escaped(ctx.command_path)}",
        _escaped(" ".join(command.collect_usage_pieces(ctx))),
    ]
    if rest:
        lines.append(".SH DESCRIPTION")
        for paragraph in rest:
            lines += _paragraph(paragraph)
    options = [one for one in command.get_params(ctx) if isinstance(one, click.Option)]
    records = [one.get_help_record(ctx) for one in options]
    lines += _list("OPTIONS", [record for record in records if record])
    if isinstance(command, click.Group):
        found = ((one, command.get_command(ctx, one)) for one in command.list_commands(ctx))
        lines += _list(
            "COMMANDS", [(one, child.get_short_help_str(200)) for one, child in found if child]
        )
    if command.epilog:
        lines += [".SH NOTES", *_paragraph(cleandoc(command.epilog))]
    lines += [".SH SEE ALSO", "The documentation has examples of every command."]
    return "\n".join(lines) + "\n"


def _paragraph(text: str) -> list[str]:
    """A paragraph of help; one that begins with ``\\b`` keeps its lines."""
    if text.startswith("\b"):
        kept = text.removeprefix("\b").strip("\n").splitlines()
        return [".PP", ".nf", *map(_escaped, kept), ".fi"]
    return [".PP", _escaped(" ".join(text.split()))]


def _list(title: str, entries: list[tuple[str, str]]) -> list[str]:
    lines = [f".SH {title}"] if entries else []
    for name, text in entries:
        lines += [".TP", f"\\fB{_escaped(name)}\\fP", _escaped(" ".join(text.split()))]
    return lines


def _escaped(text: str) -> str:
    """Text for roff, in which backslashes, dashes and a first dot or quote are special."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
