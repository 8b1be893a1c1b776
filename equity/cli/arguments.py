"""Explain arguments that cannot be players: loose cards, ``vs``, amounts, games, files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from equity.cli.options import check_files
from equity.errors import CardError, EquityError, GameError
from equity.rules.cards import ascii_text, parse_cards
from equity.rules.games import Game, find_game

__all__ = ["check_players"]

_BETWEEN_HANDS = {"vs", "vs.", "v", "v.", "versus", "against", "x", "-", "and", "or"}
_AMOUNT = re.compile(r"[0-9.,]+")
#: Cards of a board that can still grow.
_SHORT_BOARD = range(1, 5)


def check_players(
    players: tuple[str, ...], board: str, dead: str, game: Game, stacks: str | None = None
) -> None:
    """Raise an error for the first argument that is no hand or range, and say why.

    Parameters
    ----------
    players:
        The arguments of the command line.
    board, dead, stacks:
        What was given with these options.
    game:
        The game of the question.

    Raises
    ------
    EquityError
        Its hint says how the whole is written.
    """
    check_files(players, game, "hand {}")
    for number, text in enumerate(players, 1):
        place = f"hand {number}"
        quoted = ascii_text(text)
        if text.strip().lower() in _BETWEEN_HANDS:
            raise EquityError(
                f"{quoted} is not a hand",
                place=place,
                hint="write the hands one after the other, with nothing between",
            )
        if stacks is not None and _AMOUNT.fullmatch(text):
            amounts = [stacks, *(other for other in players if _AMOUNT.fullmatch(other))]
            raise EquityError(
                f"{quoted} is not a hand",
                place=place,
                hint=f"amounts go together with commas: --stacks {','.join(amounts)}",
            )
        if _is_game(text):
            raise EquityError(
                f"{quoted} is a game, not a hand", place=place, hint=f"write -g {text.strip()}"
            )
    _check_loose_cards(players, board, dead, game)


def _is_game(text: str) -> bool:
    try:
        find_game(text)
    except GameError:
        return False
    return True


def _cards(text: str, *, commas: bool = False) -> tuple[int, ...]:
    """The cards of a text, none if it is no list of them."""
    try:
        return parse_cards(text, commas=commas)
    except CardError:
        return ()


def _check_loose_cards(players: Sequence[str], board: str, dead: str, game: Game) -> None:
    """Raise the error of single cards, which belong to a hand, the board or the dead cards."""
    number = 0
    for is_card, group in groupby(players, key=lambda text: len(_cards(text)) == 1):
        run = list(group)
        if is_card:
            raise EquityError(
                f"{ascii_text(run[0])} is a single card, a hand has {game.hole}",
                place=f"hand {number + 1}",
                hint=_loose_hint(players, number, len(run), board, dead, game),
            )
        number += len(run)


def _loose_hint(
    players: Sequence[str], start: int, count: int, board: str, dead: str, game: Game
) -> str:
    """Where ``count`` single cards from ``start`` on belong, and how that is written."""
    run = [text.strip() for text in players[start : start + count]]
    known = len(_cards(board, commas=True))
    is_board = known in _SHORT_BOARD and known + count <= 5
    is_hands = count % game.hole == 0
    if is_board and (known < 3 or not is_hands):
        return f"cards of a board go together or in quotes: -b {''.join([_joined(board), *run])}"
    if is_hands:
        hands = ["".join(run[at : at + game.hole]) for at in range(0, count, game.hole)]
        whole = " ".join([*players[:start], *hands, *players[start + count :]])
        return f"cards of a hand go together or in quotes: {whole}"
    if dead:
        return f"dead cards go together or in quotes: -d {''.join([_joined(dead), *run])}"
    return (
        "cards of a hand go together or in quotes: AhAsKhKs or 'Ah As Kh Ks'; "
        f"every hand with it is '{run[0]}*'"
    )


def _joined(text: str) -> str:
    return re.sub(r"[\s,-]+", "", text)
