"""``equity odds``: the split of the pot between hands and ranges."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cards import ascii_text, parse_cards
from equity.cli.money import OPTIONS, money_options, read_money
from equity.cli.options import (
    cards_option,
    check_files,
    exact_options,
    format_options,
    game_option,
    notice_on_stderr,
    ordering_option,
    wants_colour,
)
from equity.cli.stops import INTERRUPTED
from equity.errors import CardError, EquityError, MethodError
from equity.games import Game, find_game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from equity.result import Result

__all__ = ["check_habits", "odds"]

_BETWEEN_HANDS = {"vs", "vs.", "v", "v.", "versus", "against", "x"}


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@game_option
@cards_option("-b", "--board", "Known board cards, up to five, or a pattern; '-' for none.")
@cards_option("-d", "--dead", "Cards that cannot come, folded ones say, or a pattern.")
@ordering_option
@format_options
@click.option("-v", "--verbose", is_flag=True, help="Add counts of wins, ties and parts won.")
@exact_options
@click.option("--trials", type=int, metavar="N", help="Sample so many deals.")
@click.option(
    "--error",
    type=float,
    metavar="E",
    help="Sample until the standard error of every equity is below this.  [default: 0.0005]",
)
@click.option("--budget", type=float, metavar="SECONDS", help="Sample no longer than this.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of a sample.")
@click.option("--threads", type=int, metavar="N", help="Threads to work with.  [default: all]")
@click.option(
    "--by-combo",
    "by_combo",
    multiple=True,
    metavar="PLAYER:FILE",
    help="Write how every combo of a player fares, as .csv or .jsonl.",
)
@click.option("--board2", metavar="CARDS", help="A second board: each is half of the pot.")
@click.option("--runs", type=int, metavar="2", help="Run the rest of the board twice.")
@money_options
@click.option("-q", "--quiet", is_flag=True, help="No progress and no notices.")
def odds(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    verbose: bool,
    by_combo: tuple[str, ...],
    board2: str | None,
    runs: int | None,
    quiet: bool,
    **how: Any,
) -> None:
    """The split of the pot between hands and ranges.

    A hand is exact cards, a rank of AKQJT98765432 and a suit of shdc each, in
    one word or in quotes; a range is what 'equity range' takes, AA:xxyy say, or
    all.  Known hands are always answered exactly, ranges where that takes a few
    seconds, others by a sample with its error.

    \b
    equity odds AhAsKhKs 9c8c7d6d
    equity odds -g o8 AsKdQd2s Ac4d3h2h JcTc9c9d -b 9s7s6h
    equity odds AA:xxyy KQJT,QJT9 -b Kh9h4c
    equity odds -g o8 AhAsKhKs all A2,A3:xxyy --error 0.001
    equity odds 10% 10%-30% -b Kh9h4c
    equity odds AhAsKhKs 9c8c7d6d QdQcJdTd --stacks 100,60,40 --rake 5% --cap 3
    equity odds 9c8c7d6d AA -b Tc5c2d --pot 150 --call 50
    equity odds AhAsKhKs 9c8c7d6d -b Th7h2c --runs 2
    """
    rules = find_game(game)
    check_habits(players, board, rules)
    if board2 is not None or runs is not None:
        _check_double(board2, runs, how, by_combo)
        from equity.how import How

        asked = {"board": board, "board2": board2, "dead": dead, "ordering": ordering}
        _print_double(players, rules, quiet, output, **asked, how=How(**how))
        return
    spot = read_spot(players, rules, board, dead, ordering=ordering)
    money = read_money(how, spot)
    files = [_by_combo_target(text, spot) for text in by_combo]

    from equity.engine import solve
    from equity.how import How
    from equity.report import FORMATS

    line = None
    if not quiet:
        notice_on_stderr()
    if not quiet and spot.hands is None and sys.stderr.isatty():
        from equity.cli.progress import ProgressLine

        line = ProgressLine()
    ask = How(**how, by_combo=bool(files), progress=line)
    answer = None
    if money:
        from equity.money.asked import answer as answer_money

        answer = answer_money(money, spot, ask)
    result = answer.result if answer else solve(spot, ask)
    if line:
        line.clear()
    for player, path in files:
        _write_combos(result, player, path)
    style = {"verbose": verbose, "colour": wants_colour()}
    if answer:
        from equity.money.tables import money_text

        text = money_text(answer, output or "table", **style)
    else:
        text = FORMATS[output or "table"](result, **style)
    click.echo(text, nl=False, color=True)
    if (answer or result).partial:
        sys.stdout.flush()
        sys.exit(INTERRUPTED)
    one_sample = len(getattr(answer, "pots", ())) < 2
    if ask.budget is not None and result.sample and one_sample and not quiet:
        click.echo(f"equity: --trials {result.deals} repeats this sample", err=True)


def _check_double(
    board2: str | None, runs: int | None, how: dict[str, Any], by_combo: Sequence[str]
) -> None:
    """Raise an error for options that do not go with two boards."""
    from equity.double import check_twice

    check_twice(board2, runs, mark="--")
    asked = [name for name in OPTIONS if how.pop(name) is not None]
    asked += ["by-combo"] if by_combo else []
    if asked:
        raise MethodError("it does not go with two boards", place=f"--{asked[0]}")


def _print_double(
    players: Sequence[str], game: Game, quiet: bool, output: str | None, **asked: Any
) -> None:
    """Answer a question with two boards."""
    from equity.cli.double import double_text
    from equity.double import two_boards

    if not quiet:
        notice_on_stderr()
    click.echo(double_text(two_boards(players, game, **asked), game, output), nl=False)


def _by_combo_target(text: str, spot: Spot) -> tuple[int, Path]:
    """The player, from 0, and the file of ``PLAYER:FILE``."""
    number, _, name = text.partition(":")
    players = len(spot.players)
    place = "--by-combo"
    if not number.isdigit() or not name or not 1 <= int(number) <= players:
        raise MethodError(
            f"{ascii_text(text)} is no player and file",
            place=place,
            hint=f"write PLAYER:FILE with a player from 1 to {players}, 1:first.csv say",
        )
    path = Path(name)
    if path.suffix not in (".csv", ".jsonl"):
        raise MethodError(
            f"{ascii_text(name)} has no known ending", place=place, hint="use .csv or .jsonl"
        )
    if not path.absolute().parent.is_dir():
        raise MethodError(f"there is no folder for {ascii_text(name)}", place=place)
    return int(number) - 1, path


def _write_combos(result: Result, player: int, path: Path) -> None:
    """Write the combos of a player, a row for each."""
    from equity.report import combo_rows, csv_rows

    names, rows = combo_rows(result, player)
    if path.suffix == ".csv":
        path.write_text(csv_rows(names, rows), encoding="ascii")
        return
    lines = (json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def check_habits(hands: tuple[str, ...], board: str, game: Game) -> None:
    """Explain what people type that is not a hand: ``vs``, loose cards, files."""
    check_files(hands, game, "hand {}")
    for number, hand in enumerate(hands, 1):
        place = f"hand {number}"
        if hand.strip().lower() in _BETWEEN_HANDS:
            raise EquityError(
                f"{ascii_text(hand)} is not a hand",
                place=place,
                hint="write the hands one after the other, with nothing between",
            )
        try:
            cards = parse_cards(hand, place)
        except CardError:
            continue
        if len(cards) == 1:
            if board and _fewer_than_five(board):
                hint = "cards of a board go together or in quotes: -b " + "".join(
                    [board.replace(" ", ""), *_single_cards(hands)]
                )
            else:
                hint = "cards of a hand go together or in quotes: AhAsKhKs or 'Ah As Kh Ks'"
            raise EquityError(
                f"{ascii_text(hand)} is a single card, a hand has {game.hole}",
                place=place,
                hint=hint,
            )


def _fewer_than_five(board: str) -> bool:
    try:
        return len(parse_cards(board, "board")) < 5
    except CardError:
        return False


def _single_cards(hands: tuple[str, ...]) -> list[str]:
    """The arguments that are single cards: what a board without quotes left."""
    return [hand for hand in hands if len(hand.strip()) in (2, 3)]
