"""``equity completion``: completion of commands and options in a shell."""

from __future__ import annotations

import click

__all__ = ["completion"]

#: The file in which each shell looks for completion, or that it reads at its start.
_FILES = {
    "bash": "~/.local/share/bash-completion/completions/equity",
    "zsh": "~/.zfunc/_equity  (and in ~/.zshrc: fpath+=~/.zfunc; autoload -U compinit; compinit)",
    "fish": "~/.config/fish/completions/equity.fish",
}


@click.command(
    epilog="\b\nWhere a shell looks for it:\n"
    + "\n".join(f"{shell:<5} {file}" for shell, file in _FILES.items())
)
@click.argument("shell", type=click.Choice(list(_FILES)))
def completion(shell: str) -> None:
    """Print the script that completes commands and options in a shell.

    \b
    equity completion bash > ~/.local/share/bash-completion/completions/equity
    equity completion fish > ~/.config/fish/completions/equity.fish
    """
    from click.shell_completion import get_completion_class

    from equity.cli.commands import cli

    # The script alone, without asking the shell for its version.
    made = get_completion_class(shell)
    if made is not None:
        found = made(cli, {}, "equity", "_EQUITY_COMPLETE")
        click.echo(found.source_template % found.source_vars())
