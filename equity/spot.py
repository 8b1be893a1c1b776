"""A spot: one question, read and validated once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equity.cards import (
    DECK_SIZE,
    Cards,
    ascii_text,
    check_distinct,
    format_cards,
    format_hand,
    parse_cards,
)
from equity.errors import CardCountError, CardError, EquityError, PlayerCountError
from equity.games import BOARD_SIZE, GAMES, Game, find_game

__all__ = ["MIN_FLOP", "Spot", "check_known_cards", "read_board", "read_dead", "read_spot"]

MIN_PLAYERS = 2
#: Board cards that a made hand needs.
MIN_FLOP = 3


@dataclass(frozen=True)
class Spot:
    """Known hands, a board of up to five cards, and dead cards.

    All cards are distinct, and the deck has enough for the rest of the board.
    """

    game: Game
    hands: tuple[tuple[int, ...], ...]
    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()

    @property
    def hand_texts(self) -> list[str]:
        """The hands in their normal form."""
        return [format_hand(hand) for hand in self.hands]

    @property
    def board_text(self) -> str:
        """The board in the order in which it was dealt."""
        return format_cards(self.board)

    @property
    def dead_text(self) -> str:
        """The dead cards, ranks down."""
        return format_hand(self.dead)

    def live(self) -> int:
        """The cards that can still be dealt, as a bit mask."""
        taken = 0
        for cards in (*self.hands, self.board, self.dead):
            for card in cards:
                taken |= 1 << card
        return ((1 << 52) - 1) & ~taken


def read_spot(
    players: Sequence[Cards],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    min_players: int = MIN_PLAYERS,
) -> Spot:
    """Read and validate a question.

    Parameters
    ----------
    players:
        A hand for each player: text, or card ids.
    game:
        Name or alias of the game.
    board, dead:
        Cards as text or ids; up to five on the board.
    min_players:
        How many players there must be at least.

    Raises
    ------
    EquityError
        One of its children, for whatever is wrong first.
    """
    rules = find_game(game)
    if isinstance(players, str):
        raise PlayerCountError(
            f"one text {ascii_text(players)} where a list of hands is wanted",
            hint="give a list with a hand for each player",
        )
    hands = tuple(_read_hand(hand, rules, f"hand {at}") for at, hand in enumerate(players, 1))
    if len(hands) < min_players:
        raise PlayerCountError(
            f"{_count(len(hands), 'player')}", hint=f"it takes {min_players} or more"
        )
    board_cards = read_board(board)
    dead_cards = read_dead(dead)
    check_known_cards(board_cards, dead_cards, hands)
    limit = rules.max_players(len(dead_cards))
    if len(hands) > limit:
        beside = f" beside {_count(len(dead_cards), 'dead card')}" if dead_cards else ""
        raise PlayerCountError(
            f"{_count(len(hands), 'player')}",
            hint=f"the deck has cards for {limit} in {rules.name}{beside}",
        )
    return Spot(rules, hands, board_cards, dead_cards)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _read_hand(hand: Cards, game: Game, place: str) -> tuple[int, ...]:
    cards = parse_cards(hand, place)
    if len(cards) != game.hole:
        others = [other.name for other in GAMES if other.hole == len(cards)]
        hint = f"a hand in {game.name} has {game.hole}"
        if others:
            hint += f" ({len(cards)} are dealt in {' and '.join(others)})"
        text = ascii_text(hand) if isinstance(hand, str) else format_cards(cards)
        raise CardCountError(f"{text} has {_count(len(cards), 'card')}", place=place, hint=hint)
    return cards


def _read_known(cards: Cards, place: str, most: int) -> tuple[int, ...]:
    """Known cards; the error for a pattern of cards to be dealt says what it is."""
    try:
        return parse_cards(cards, place)
    except CardError as error:
        if not isinstance(cards, str):
            raise
        # The range language is large, and needed for no question without an error.
        from equity.ranges import parse_board_pattern

        try:
            parse_board_pattern(cards, place=place, most=most)
        except EquityError:
            raise error from None
        raise CardError(
            error.problem,
            place=error.place,
            hint=f"{error.hint} (read as a pattern of cards to be dealt at random, "
            "it would be right; known cards are wanted here)",
        ) from None


def read_dead(dead: Cards) -> tuple[int, ...]:
    """Dead cards."""
    return _read_known(dead, "dead cards", DECK_SIZE)


def check_known_cards(
    board: Sequence[int], dead: Sequence[int], hands: Sequence[Sequence[int]] = ()
) -> None:
    """Raise :class:`DuplicateCardError` if a card is in two of these places."""
    check_distinct(
        [
            *((f"hand {at}", hand) for at, hand in enumerate(hands, 1)),
            ("the board", board),
            ("the dead cards", dead),
        ]
    )


def read_board(board: Cards, minimum: int = 0) -> tuple[int, ...]:
    """The cards of a board, ``minimum`` to five of them."""
    cards = _read_known(board, "board", BOARD_SIZE)
    if not minimum <= len(cards) <= BOARD_SIZE:
        text = ascii_text(board) if isinstance(board, str) else format_cards(cards)
        wanted = f"{minimum} to {BOARD_SIZE}" if minimum else f"at most {BOARD_SIZE}"
        raise CardCountError(
            f"{text} has {_count(len(cards), 'card')}",
            place="board",
            hint=f"a board has {wanted} here" if minimum else f"a board has {wanted}",
        )
    return cards
