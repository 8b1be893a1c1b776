"""Explain arguments that cannot be players: loose cards, ``vs``, amounts, games, files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from equity.cli.options import check_files
from equity.common.arguments import shown
from equity.errors import EquityError
from equity.rules.cards import read_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game, known_game

__all__ = ["check_players"]

_BETWEEN_HANDS = {"vs", "vs.", "v", "v.", "versus", "against", "x", "-", "and", "or"}
_AMOUNT = re.compile(r"[0-9.,]+")
#: Cards of a board that can still grow.
_SHORT_BOARD = range(1, BOARD_SIZE)
#: Cards of a flop, a turn or a river.
_BOARD = range(FLOP_SIZE, BOARD_SIZE + 1)


def check_players(
    players: tuple[str, ...],
    board: str,
    dead: str,
    game: Game,
    *,
    stacks: str | None = None,
    board2: str | None = None,
    least: int = 2,
) -> None:
    """Raise an error for the first argument that is not a hand or range.

    Parameters
    ----------
    players:
        The arguments of the command line.
    board, dead, stacks, board2:
        The values of these options.
    game:
        The game of the question.
    least:
        The least number of players.

    Raises
    ------
    EquityError
        Its hint gives the spelling of the whole command.
    """
    check_files(players, game, "hand {}")
    for number, text in enumerate(players, 1):
        place = f"hand {number}"
        if text.strip().lower() in _BETWEEN_HANDS:
            raise EquityError(
                f"{shown(text)} is not a hand",
                place=place,
                hint="write the hands one after the other, with nothing between",
            )
        if stacks is not None and _AMOUNT.fullmatch(text):
            amounts = [stacks, *(other for other in players if _AMOUNT.fullmatch(other))]
            raise EquityError(
                f"{shown(text)} is not a hand",
                place=place,
                hint=f"amounts go together with commas: --stacks {','.join(amounts)}",
            )
        if known_game(text):
            raise EquityError(
                f"{shown(text)} is a game, not a hand", place=place, hint=f"write -g {text.strip()}"
            )
    _check_loose_cards(players, {"-b": board, "--board2": board2 or "", "-d": dead}, game)
    if not board and len(players) > least:
        _check_last(players, game)


def _check_last(players: Sequence[str], game: Game) -> None:
    """Raise the error of a last argument that is a flop, turn or river and no hand."""
    count = len(_cards(players[-1], commas=True))
    if count in _BOARD and count != game.hole:
        raise EquityError(
            f"{shown(players[-1])} has {count} cards, a hand in {game.name} has {game.hole}",
            place=f"hand {len(players)}",
            hint=f"a board is an option, -b {_joined(players[-1])}",
        )


def _cards(text: str, *, commas: bool = False) -> tuple[int, ...]:
    """The cards of a text; none if it is not a list of cards."""
    return read_cards(text, commas=commas) or ()


def _check_loose_cards(players: Sequence[str], given: Mapping[str, str], game: Game) -> None:
    """Raise the error of single cards, which belong to a hand, the board or the dead cards."""
    number = 0
    for is_card, group in groupby(players, key=lambda text: len(_cards(text)) == 1):
        run = list(group)
        if is_card:
            raise EquityError(
                f"{shown(run[0])} is a single card, a hand has {game.hole}",
                place=f"hand {number + 1}",
                hint=_loose_hint(players, number, len(run), given, game),
            )
        number += len(run)


def _loose_hint(
    players: Sequence[str], start: int, count: int, given: Mapping[str, str], game: Game
) -> str:
    """Suggest where ``count`` single cards from ``start`` on belong.

    ``given`` are the values of the options that they may belong to.
    """
    run = [text.strip() for text in players[start : start + count]]
    is_hands = count % game.hole == 0
    known = {option: len(_cards(text, commas=True)) for option, text in given.items()}
    fitting = [
        option
        for option, cards in known.items()
        if (option == "-d" and cards and not is_hands)
        or (
            option != "-d"
            and cards in _SHORT_BOARD
            and cards + count <= BOARD_SIZE
            and (cards < FLOP_SIZE or not is_hands)
        )
    ]
    if fitting:
        whole = " or ".join(
            f"{option} {''.join([_joined(given[option]), *run])}" for option in fitting
        )
        if fitting == ["-d"]:
            return f"dead cards go together or in quotes: {whole}"
        kind = "an option" if fitting[1:] else "a board"
        return f"cards of {kind} go together or in quotes: {whole}"
    if is_hands:
        hands = ["".join(run[at : at + game.hole]) for at in range(0, count, game.hole)]
        whole = " ".join([*players[:start], *hands, *players[start + count :]])
        return f"cards of a hand go together or in quotes: {whole}"
    return (
        "cards of a hand go together or in quotes: AhAsKhKs or 'Ah As Kh Ks'; "
        f"every hand with it is '{run[0]}*'"
    )


def _joined(text: str) -> str:
    return re.sub(r"[\s,-]+", "", text)
