"""Random spots for hypothesis."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from equity.rules.games import GAMES, Game

__all__ = ["Question", "narrow_questions", "questions"]


@dataclass(frozen=True)
class Question:
    """A random spot in plain card ids."""

    game: Game
    hands: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]


@st.composite
def questions(draw: st.DrawFn, *, max_runouts_cards: int = 2, few_live: bool = False) -> Question:
    """A spot with at most ``max_runouts_cards`` board cards to come.

    ``few_live``: any street, but so many dead cards that few boards are left.
    """
    game = draw(st.sampled_from(GAMES))
    players = draw(st.integers(2, game.max_players()))
    deck = draw(st.permutations(range(52)))
    hands = tuple(tuple(deck[at * game.hole : (at + 1) * game.hole]) for at in range(players))
    rest = deck[players * game.hole :]
    if few_live:
        known = draw(st.integers(0, 5))
        live = draw(st.integers(5 - known, min(len(rest) - known, 11 - known)))
        return Question(game, hands, tuple(rest[:known]), tuple(rest[known + live :]))
    known = draw(st.integers(5 - max_runouts_cards, 5))
    dead = draw(st.integers(0, max(0, len(rest) - 5 - 12)))
    return Question(game, hands, tuple(rest[:known]), tuple(rest[5 : 5 + dead]))


@st.composite
def narrow_questions(draw: st.DrawFn) -> Question:
    """A spot played with two suits alone: full of flushes and straight flushes."""
    game = draw(st.sampled_from(GAMES))
    suits = draw(st.sampled_from([(0, 1), (0, 3), (1, 2), (2, 3)]))
    deck = draw(st.permutations([card for card in range(52) if card % 4 in suits]))
    players = draw(st.integers(2, 3))
    dealt = players * game.hole
    hands = tuple(tuple(deck[at : at + game.hole]) for at in range(0, dealt, game.hole))
    known = draw(st.integers(2, 5))
    live = draw(st.integers(5 - known, min(26 - dealt - known, 12)))
    others = [card for card in range(52) if card % 4 not in suits]
    board = tuple(deck[dealt : dealt + known])
    return Question(game, hands, board, (*deck[dealt + known + live :], *others))
