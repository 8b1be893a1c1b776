"""A spot: one question, read and validated once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from equity.common.arguments import shown
from equity.common.notices import Notice
from equity.errors import (
    BoardError,
    CardCountError,
    CardError,
    EmptyRangeError,
    EquityError,
    MethodError,
    PlayerCountError,
)
from equity.rules.cards import (
    DECK_SIZE,
    Cards,
    check_distinct,
    format_cards,
    format_hand,
    parse_cards,
    read_cards,
)
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, GAMES, Game, find_game

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import CardPattern, Ordering, Range

__all__ = [
    "Spot",
    "board_notices",
    "check_known_cards",
    "check_live",
    "range_notices",
    "read_board",
    "read_dead",
    "read_dealt",
    "read_spot",
    "refuse_patterns",
]

MIN_PLAYERS = 2
#: The fewest cards that any game deals.
LEAST_HOLE = min(game.hole for game in GAMES)
#: A pattern of dead cards has at most so many, as hands have.
MOST_DEAD = 6


# Not frozen, see Tally: made as often as questions are asked, and changed by nothing.
@dataclass(unsafe_hash=True)
class Spot:
    """One question: a hand or a range for each player, board and dead cards.

    Known cards are distinct, every range has a combo that none of the known cards
    kills, and the deck has enough cards for all.
    """

    game: Game
    #: Card ids of a hand, or a range.
    players: tuple[tuple[int, ...] | Range, ...]
    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    #: Cards of the board, or dead ones, that are dealt at random by a pattern.
    board_pattern: CardPattern | None = None
    dead_pattern: CardPattern | None = None
    #: Warnings about ambiguous input.
    notices: tuple[Notice, ...] = field(default=(), compare=False)

    @property
    def hands(self) -> tuple[tuple[int, ...], ...] | None:
        """The hands, if every player has a known one, and nothing is a pattern."""
        if self.board_pattern or self.dead_pattern:
            return None
        hands = tuple([player for player in self.players if isinstance(player, tuple)])
        return hands if len(hands) == len(self.players) else None

    @property
    def texts(self) -> list[str]:
        """Hands and ranges in their normal form."""
        return [
            format_hand(player) if isinstance(player, tuple) else player.text
            for player in self.players
        ]

    @property
    def warnings(self) -> list[str]:
        """The notices as text, for JSON."""
        return [str(notice) for notice in self.notices]

    @property
    def board_text(self) -> str:
        """The board in the order in which it was dealt, or its pattern."""
        return self.board_pattern.text if self.board_pattern else format_cards(self.board)

    @property
    def dead_text(self) -> str:
        """The dead cards, ranks down, or their pattern."""
        return self.dead_pattern.text if self.dead_pattern else format_hand(self.dead)

    @property
    def orderings(self) -> list[tuple[str, ...]]:
        """For each player, the hand rankings that percent items refer to."""
        return [() if isinstance(player, tuple) else player.orderings for player in self.players]

    @property
    def all_orderings(self) -> tuple[str, ...]:
        """The hand rankings of all players, each once."""
        return tuple(dict.fromkeys(name for names in self.orderings for name in names))

    @property
    def combos(self) -> list[int]:
        """How many combos each player has."""
        return [1 if isinstance(player, tuple) else len(player) for player in self.players]

    @cached_property
    def live_ranges(self) -> tuple[Range | None, ...]:
        """Each range after card removal; None for a hand."""
        # Players who have the same range share what is left of it.
        shared = {id(player): player for player in self.players if not isinstance(player, tuple)}
        known = (*self.board, *self.dead)
        live = {at: player.without_cards(known).range for at, player in shared.items()}
        return tuple(live.get(id(player)) for player in self.players)

    @cached_property
    def live_combos(self) -> list[int]:
        """The number of live combos of each player."""
        return [1 if live is None else len(live) for live in self.live_ranges]


def read_spot(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards | None = "",
    dead: Cards | None = "",
    *,
    min_players: int = MIN_PLAYERS,
    hands_only: bool = False,
    part_of_flop: bool = False,
    ordering: str | Path | Ordering | None = None,
) -> Spot:
    """Read and validate a question.

    Parameters
    ----------
    players:
        For each player a hand, text or card ids, or a range, text or a
        :class:`~equity.ranges.Range`.
    game:
        Name or alias of the game.
    board, dead:
        Cards as text or ids, up to five on the board; or a pattern.  None and
        ``""`` are no cards.
    min_players:
        How many players there must be at least.
    hands_only:
        Whether ranges and patterns are errors.
    part_of_flop:
        Whether one or two cards of a board are meant so, without a notice.
    ordering:
        The hand ranking that percentages refer to, see :class:`~equity.ranges.Range`.

    Raises
    ------
    EquityError
        One of its children, for whatever is wrong first.
    """
    # A set has no order, and a mapping's keys are names.  Lists are the fast path.
    if type(players) not in (list, tuple) and (
        isinstance(players, (str, Set, Mapping)) or not isinstance(players, Iterable)
    ):
        raise PlayerCountError(
            f"{shown(players)} where a list of players is wanted",
            hint="give a list with a hand or range for each, such as ['AhAsKhKs', '10%']",
        )
    rules = find_game(game)
    board = "" if board is None else board
    dead = "" if dead is None else dead
    board_cards = read_board(board) if hands_only else read_dealt(board, "board", BOARD_SIZE)
    dead_cards = read_dead(dead) if hands_only else read_dealt(dead, "dead cards", MOST_DEAD)
    known_board = board_cards if isinstance(board_cards, tuple) else ()
    known_dead = dead_cards if isinstance(dead_cards, tuple) else ()
    how = {"board": known_board, "dead": known_dead, "ordering": ordering}
    of_range = None if hands_only else how
    # Players who say the same share what was read: a range never changes.
    known: dict[str, tuple[int, ...] | Range] = {}
    read: list[tuple[int, ...] | Range] = []
    given = list(players)
    for at, player in enumerate(given, 1):
        found = known.get(player) if isinstance(player, str) else None
        if found is None:
            found = _read_player(player, rules, at, of_range)
            if isinstance(player, str):
                known[player] = found
        read.append(found)
    if len(read) < min_players:
        hint = f"it takes {min_players} or more"
        if any(isinstance(player, str) and "," in player for player in given):
            hint += "; a comma joins ranges of one player, so give each player apart"
        raise PlayerCountError(f"{_count(len(read), 'player')}", hint=hint)
    hands = [player if isinstance(player, tuple) else () for player in read]
    check_known_cards(known_board, known_dead, hands)
    gone = len(dead_cards) if isinstance(dead_cards, tuple) else dead_cards.cards
    limit = rules.max_players(gone)
    if len(read) > limit:
        beside = f" beside {_count(gone, 'dead card')}" if gone else ""
        raise PlayerCountError(
            f"{_count(len(read), 'player')}",
            hint=f"the deck has cards for {limit} in {rules.name}{beside}",
        )
    spot = Spot(
        rules,
        tuple(read),
        known_board,
        known_dead,
        None if isinstance(board_cards, tuple) else board_cards,
        None if isinstance(dead_cards, tuple) else dead_cards,
        board_notices(known_board) if known_board else _pattern_notices(board_cards),
    )
    if part_of_flop:
        spot.notices = ()
    if not all(hands):
        spot.notices += range_notices(read)
        check_live(spot, [("board", spot.board), ("dead cards", spot.dead)])
    return spot


def board_notices(board: Sequence[int], place: str = "board") -> tuple[Notice, ...]:
    """Return a notice for a board of one or two cards."""
    if not board or len(board) >= FLOP_SIZE:
        return ()
    problem = f"{format_cards(board)} is {_count(len(board), 'card')} of a flop"
    hint = "the others are dealt at random; a flop is written as in Kh9h4c"
    return (Notice(problem, place, hint),)


def _pattern_notices(board: tuple[int, ...] | CardPattern) -> tuple[Notice, ...]:
    """The notice of a pattern for less than a flop, ``K`` or ``hh``."""
    if isinstance(board, tuple) or board.cards >= FLOP_SIZE or not board.text.isalnum():
        return ()
    flop = board.text + "*" * (FLOP_SIZE - board.cards)
    problem = f"{board.text} is {_count(board.cards, 'card')} of a flop"
    return (
        Notice(problem, "board", f"any flop with {'it' if board.cards == 1 else 'both'} is {flop}"),
    )


def range_notices(players: Sequence[tuple[int, ...] | Range]) -> tuple[Notice, ...]:
    """Collect the notices of all ranges, placed by player."""
    ranges = [None if isinstance(player, tuple) else player for player in players]
    found = [
        notice._replace(place=f"range {number}, column {notice.place.rpartition(' ')[2]}")
        for number, one in enumerate(ranges, 1)
        for notice in (one.notices if one is not None else ())
    ]
    if any(one is not None and one.orderings for one in ranges):
        from equity.ranges.touching import touching_percents

        found += touching_percents([one.tree if one is not None else None for one in ranges])
    return tuple(found)


def refuse_patterns(spot: Spot, board_hint: str = "name the cards") -> None:
    """Raise :class:`MethodError` for cards that are dealt by a pattern."""
    for place, pattern, hint in (
        ("board", spot.board_pattern, board_hint),
        ("dead cards", spot.dead_pattern, "name the cards"),
    ):
        if pattern is not None:
            raise MethodError(
                f"{pattern.text} is a pattern, and known cards are wanted here",
                place=place,
                hint=hint,
            )


def check_live(spot: Spot, known: Sequence[tuple[str, Sequence[int]]]) -> None:
    """Raise an error for a range without a live combo.

    ``known`` are the known cards beside the hands with their names, for the error.
    """
    for number, (live, combos) in enumerate(zip(spot.live_combos, spot.combos, strict=True), 1):
        if combos == 0:
            raise EmptyRangeError(
                f"{shown(spot.texts[number - 1])} matches no hand",
                place=f"range {number}",
                hint=f"write one that does; 'equity range' shows what it holds in {spot.game.name}",
            )
        if live == 0:
            by = " and ".join(f"{name} {format_cards(cards)}" for name, cards in known if cards)
            raise EmptyRangeError(
                f"no live combo is left, {_count(combos, 'combo')} removed by {by}",
                place=f"range {number}",
                hint="take those cards away or widen the range",
            )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _read_player(
    player: Cards | Range, game: Game, number: int, how: dict[str, Any] | None
) -> tuple[int, ...] | Range:
    """The hand or range of a player.

    Exact cards are a hand, and must be as many as the game deals.  A few stand for
    all hands that hold them; but where one is missing, or they are as many as
    another game deals, that is a slip.  ``how`` says how ranges are read, and is
    None where they are errors.
    """
    # Asked without importing Range, and numpy with it, where there is none.
    if not isinstance(player, str) and hasattr(player, "check_game"):
        given = cast("Range", player)
        given.check_game(game)
        if how is not None:
            _check_made_for(given, how["board"], how["dead"])
        return given
    if how is None or not isinstance(player, str):
        cards = parse_cards(player, f"hand {number}")
    else:
        known = read_cards(player)
        if known is not None and len(known) == game.hole:
            return known
        if known is None or 1 < len(known) < min(game.hole - 1, LEAST_HOLE):
            # The range language is not needed for hands, and its arrays are slow to import.
            from equity.ranges.recent import read_range

            return read_range(player, game, place=f"range {number}", **how)
        cards = known
    if len(cards) != game.hole:
        raise _wrong_count(player, cards, game, f"hand {number}")
    return cards


def _check_made_for(given: Range, board: Sequence[int], dead: Sequence[int]) -> None:
    """Raise :class:`BoardError` for a range that was made for other known cards."""
    if given.known is None:
        return
    for name, mine, cards in zip(("board", "dead cards"), given.known, (board, dead), strict=True):
        if set(mine) != set(cards):
            raise BoardError(
                f"a range made for {name} {format_cards(mine) or '(none)'} is used with "
                f"{format_cards(cards) or 'none'}",
                hint="make it again, or give its text",
            )


def _wrong_count(hand: Cards, cards: Sequence[int], game: Game, place: str) -> CardCountError:
    others = [other.name for other in GAMES if other.hole == len(cards)]
    hint = f"a hand in {game.name} has {game.hole}"
    if others:
        hint += f" ({len(cards)} are dealt in {' and '.join(others)})"
    text = shown(hand) if isinstance(hand, str) else format_cards(cards)
    if len(cards) and len(cards) % game.hole == 0:
        hint += f"; {len(cards) // game.hole} hands are as many players, each apart"
    if isinstance(hand, str) and len(cards) in (1, game.hole - 1):
        these = "it" if len(cards) == 1 else "these"
        hint += f"; every hand with {these} is '{format_cards(cards)}*'"
    return CardCountError(f"{text} has {_count(len(cards), 'card')}", place=place, hint=hint)


def read_dealt(cards: Cards, place: str, most: int) -> tuple[int, ...] | CardPattern:
    """Known cards of a ``place``, ``"board"`` or ``"dead cards"``, or a pattern that is dealt."""
    if not isinstance(cards, str):
        known = parse_cards(cards, place)
    elif not cards:
        return ()
    elif (found := read_cards(cards, commas=True)) is None:
        from equity.ranges.board import parse_board_pattern

        return parse_board_pattern(cards, place=place, most=most)
    else:
        known = found
    if place == "board":
        _check_board(cards, known)
    return known


def _read_known(cards: Cards, place: str, most: int) -> tuple[int, ...]:
    """Parse known cards; the error for a pattern says that it is one."""
    try:
        return parse_cards(cards, place, commas=True)
    except CardError as error:
        if not isinstance(cards, str):
            raise
        # The range language is large, and needed for no question without an error.
        from equity.ranges.board import parse_board_pattern

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
    cards = [*board, *dead, *chain.from_iterable(hands)]
    if len(set(cards)) == len(cards):
        return
    check_distinct(
        [
            *((f"hand {at}", hand) for at, hand in enumerate(hands, 1)),
            ("the board", board),
            ("the dead cards", dead),
        ]
    )


def read_board(board: Cards, minimum: int = 0, *, place: str = "board") -> tuple[int, ...]:
    """The cards of a board, ``minimum`` to five of them."""
    cards = _read_known(board, place, BOARD_SIZE)
    _check_board(board, cards, minimum, place)
    return cards


def _check_board(
    board: Cards, cards: Sequence[int], minimum: int = 0, place: str = "board"
) -> None:
    """Raise an error for a board of too few or too many cards, ``board`` as it was given."""
    if not minimum <= len(cards) <= BOARD_SIZE:
        text = shown(board) if isinstance(board, str) else format_cards(cards)
        wanted = f"{minimum} to {BOARD_SIZE}" if minimum else f"at most {BOARD_SIZE}"
        raise CardCountError(
            f"{text} has {_count(len(cards), 'card')}",
            place=place,
            hint=f"a board has {wanted} here" if minimum else f"a board has {wanted}",
        )
