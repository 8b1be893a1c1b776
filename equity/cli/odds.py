"""``equity odds``: the split of the pot between hands."""

from __future__ import annotations

import os

import click

from equity.cards import ascii_text, parse_cards
from equity.cli.options import (
    cards_option,
    format_options,
    game_option,
    notice_on_stderr,
    wants_colour,
)
from equity.errors import CardError, EquityError
from equity.games import find_game
from equity.spot import read_spot

__all__ = ["check_habits", "odds"]

_BETWEEN_HANDS = {"vs", "vs.", "v", "v.", "versus", "against", "x"}


@click.command()
@click.argument("hands", nargs=-1, metavar="HAND HAND...")
@game_option
@cards_option("-b", "--board", "Known board cards, up to five; '-' for none.")
@cards_option("-d", "--dead", "Cards that cannot come, folded ones say.")
@format_options
@click.option("-v", "--verbose", is_flag=True, help="Add counts of wins, ties and parts won.")
def odds(
    hands: tuple[str, ...], game: str, board: str, dead: str, output: str | None, verbose: bool
) -> None:
    """The exact split of the pot between known hands.

    Every board that can still come counts once.  Cards are a rank of
    AKQJT98765432 and a suit of shdc, in any case; a hand is one word, or in
    quotes.

    \b
    equity odds AhAsKhKs 9c8c7d6d
    equity odds -g o8 AsKdQd2s Ac4d3h2h JcTc9c9d -b 9s7s6h
    equity odds -g plo5 'Ah As Kh Ks 2d' 'Qc Qd Jc Tc 9d' -d 'Qh Qs'
    """
    check_habits(hands, board, find_game(game).hole)
    spot = read_spot(hands, game, board, dead)

    from equity.engine import solve
    from equity.report import FORMATS

    notice_on_stderr()
    result = solve(spot)
    text = FORMATS[output or "table"](result, verbose=verbose, colour=wants_colour())
    click.echo(text, nl=False, color=True)


def check_habits(hands: tuple[str, ...], board: str, hole: int) -> None:
    """Explain what people type that is not a hand: ``vs``, loose cards, files."""
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
            if os.path.exists(hand):
                raise EquityError(
                    f"{ascii_text(hand)} is the name of a file here",
                    place=place,
                    hint="the shell may have put it for a *, which wants quotes: '*'",
                ) from None
            continue
        if len(cards) == 1 and hole > 1:
            if board and len(parse_cards(board, "board")) < 5:
                hint = "cards of a board go together or in quotes: -b " + "".join(
                    [board.replace(" ", ""), *_single_cards(hands)]
                )
            else:
                hint = "cards of a hand go together or in quotes: AhAsKhKs or 'Ah As Kh Ks'"
            raise EquityError(
                f"{ascii_text(hand)} is a single card, a hand has {hole}", place=place, hint=hint
            )


def _single_cards(hands: tuple[str, ...]) -> list[str]:
    """The arguments that are single cards: what a board without quotes left."""
    return [hand for hand in hands if len(hand.strip()) in (2, 3)]
