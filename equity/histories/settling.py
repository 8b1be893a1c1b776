"""Settles a hand: its chips, returned bets, pots and rake, which have to add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from equity.histories.betting import READINGS, Chips, Reading, count_chips, in_proportion, layers
from equity.histories.hand import Hand, Pot
from equity.rules.cards import NAMES
from equity.rules.games import BOARD_SIZE, GAMES, Game

__all__ = ["Draft", "game_of_cards", "settle"]


@dataclass
class Draft:
    """A hand as it was read, before its chips are counted."""

    hand: Hand
    #: The big blind; what is more in a post of both blinds is dead.
    big_blind: int = 0
    #: The pot before the rake, as printed, or what it may be; nothing if the hand breaks off
    #: before it is told.
    totals: tuple[int, ...] = ()
    #: The pots as printed, the main pot first.
    printed: list[int] = field(default_factory=list)
    #: Bets that were returned: player, amount.
    returned: list[tuple[int, int]] = field(default_factory=list)
    #: What players collected: player, amount, number of the pot.
    collected: list[tuple[int, int, int]] = field(default_factory=list)
    #: What each player won by the summary, if there is one.
    summary: dict[int, int] = field(default_factory=dict)
    #: What players pay of their winnings because they cashed out.
    risks: dict[int, int] = field(default_factory=dict)
    #: How to read its bets, the most usual way first.
    readings: tuple[Reading, ...] = READINGS
    #: Whether the room gave all bets back.
    is_cancelled: bool = False
    #: What is wrong with the hand, whatever its chips.
    problem: str = ""


@dataclass
class _Result:
    """One way to read the chips of a hand."""

    chips: Chips
    returned: list[int]
    won: list[int]

    @property
    def pot(self) -> int:
        """What players left in the pots."""
        return sum(self.chips.put_in) - sum(self.returned)


def settle(draft: Draft) -> Hand:
    """Fill in the chips of a hand, its pots and the rake; or the problem that it has."""
    hand = draft.hand
    _tell_apart(hand)
    hand.problem = draft.problem or _cards_problem(hand)
    if draft.is_cancelled:
        chips = count_chips(hand.actions, len(hand.players), draft.big_blind, READINGS[0])
        _fill(hand, _Result(chips, list(chips.put_in), [0] * len(hand.players)))
        hand.rake = hand.fees = hand.dead = 0
        return hand
    first: _Result | None = None
    for result in _results(draft):
        first = first or result
        if _adds_up(draft, result):
            _fill(hand, result)
            for at, risk in draft.risks.items():
                hand.players[at].cash_out = max(0, hand.players[at].won - risk)
            if not hand.problem:
                _make_pots(draft, result)
                hand.problem = _pots_problem(hand)
            return hand
    if first is not None:
        _fill(hand, first)
    hand.problem = hand.problem or _money_problem(draft)
    return hand


def _tell_apart(hand: Hand) -> None:
    """Add the seat to names that several players have."""
    names = [player.name for player in hand.players]
    if len(set(names)) < len(names):
        for player in hand.players:
            if names.count(player.name) > 1:
                player.name = f"{player.name} (seat {player.seat})"


def _results(draft: Draft) -> Iterator[_Result]:
    """The ways to read the chips of a hand, the most usual first."""
    hand = draft.hand
    count = len(hand.players)
    by_lines, by_summary = [0] * count, [0] * count
    for player, amount, _ in draft.collected:
        by_lines[player] += amount
    for player, amount in draft.summary.items():
        by_summary[player] += amount
    wons = [by_lines] if by_lines == by_summary or not draft.summary else [by_lines, by_summary]
    back = [0] * count
    for player, amount in draft.returned:
        back[player] += amount
    ways = []
    for reading in draft.readings:
        chips = count_chips(hand.actions, count, draft.big_blind, reading)
        ways.append((chips, *_uncalled(hand, chips, back)))
    if draft.returned:
        # Where uncalled bets are printed, a reading that leaves none is the better one.
        ways.sort(key=lambda way: way[2] > 0)
    for chips, player, more in ways:
        returned = list(back)
        if more:
            returned[player] += more
        for won in wons:
            yield _Result(chips, returned, won)
            if 0 < more <= won[player]:
                # The room counts the uncalled bet as won.
                less = list(won)
                less[player] -= more
                yield _Result(chips, returned, less)


def _uncalled(hand: Hand, chips: Chips, back: list[int]) -> tuple[int, int]:
    """The player whose bet nobody called, and how much of it was not returned yet."""
    heights = [mine - less for mine, less in zip(chips.heights, back, strict=True)]
    if len(heights) < 2:
        return 0, 0
    called, top = sorted(heights)[-2:]
    player = heights.index(top)
    return player, 0 if hand.players[player].has_folded else top - called


def _adds_up(draft: Draft, result: _Result) -> bool:
    """Whether what is put in comes out again, and no player puts in more than they have."""
    hand = draft.hand
    # A total that counts an uncalled bet is right too, and one without money of the room.
    pots = (result.pot + hand.dead, sum(result.chips.put_in) + hand.dead, result.pot)
    if not any(pot in draft.totals for pot in pots):
        return False
    if result.pot + hand.dead != sum(result.won) + hand.rake + hand.fees:
        return False
    return all(
        player.stack is None or (chips <= player.stack and back <= chips)
        for player, chips, back in zip(
            hand.players, result.chips.put_in, result.returned, strict=True
        )
    )


def _fill(hand: Hand, result: _Result) -> None:
    for at, player in enumerate(hand.players):
        player.put_in = result.chips.put_in[at]
        player.returned = result.returned[at]
        player.won = result.won[at]
        # Who has put in nothing was not dealt in.
        player.has_folded = player.has_folded or not player.put_in


def _make_pots(draft: Draft, result: _Result) -> None:
    """Divide the chips into pots, and what the room takes among them."""
    hand = draft.hand
    heights = [
        max(0, mine - back)
        for mine, back in zip(result.chips.heights, result.returned, strict=True)
    ]
    pots = layers(heights, hand.live, result.pot + hand.dead - sum(heights))
    amounts = [amount for amount, _ in pots]
    taken = _taken(draft, amounts)
    hand.pots = tuple(
        Pot(amount, rake, members) for (amount, members), rake in zip(pots, taken, strict=True)
    )


def _pots_problem(hand: Hand) -> str:
    """Who wins more than there is in their pots; empty if nobody does."""
    most = [0] * len(hand.players)
    for pot in hand.pots:
        for at in pot.members:
            most[at] += pot.amount
    for player, limit in zip(hand.players, most, strict=True):
        if player.won > limit:
            return f"{player.name} wins more than there is in their pots"
    return ""


def _taken(draft: Draft, amounts: list[int]) -> list[Fraction]:
    """What the room takes from each pot: as its lines show, else in proportion."""
    total = draft.hand.rake + draft.hand.fees
    if len(amounts) == 1 or not total:
        return in_proportion(amounts, total)
    by_pot = [0] * len(amounts)
    for _, amount, pot in draft.collected:
        if pot < len(by_pot):
            by_pot[pot] += amount
    for after in (by_pot, draft.printed):
        taken = [before - left for before, left in zip(amounts, after, strict=False)]
        if len(after) == len(amounts) and sum(taken) == total and min(taken) >= 0:
            return [Fraction(part) for part in taken]
    return in_proportion(amounts, total)


def _cards_problem(hand: Hand) -> str:
    """What is wrong with the cards of a hand; empty if nothing."""
    held = [card for player in hand.players for card in player.cards]
    for board in hand.boards:
        if len(board) > BOARD_SIZE:
            return f"a board of {len(board)} cards"
        if len(set(cards := [*held, *board])) < len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            return f"{NAMES[twice]} is there twice"
    if hand.game:
        for player in hand.players:
            if len(player.cards) > hand.game.hole:
                return f"{len(player.cards)} hole cards in {hand.title}"
    return ""


def _money_problem(draft: Draft) -> str:
    hand = draft.hand
    if not draft.totals:
        return "it breaks off before the pot is told"
    for player in hand.players:
        if player.stack is not None and player.put_in > player.stack:
            return f"{player.name} puts in more than their stack"
    put_in = sum(player.put_in for player in hand.players) + hand.dead
    out = [
        sum(player.returned for player in hand.players),
        sum(player.won for player in hand.players),
        hand.rake + hand.fees,
    ]
    returned, won, taken = (hand.amount(value) for value in out)
    return (
        f"the chips do not add up: {hand.amount(put_in)} put in, {returned} returned, {won} won, "
        f"{taken} rake and fees, in a pot of {hand.amount(draft.totals[0])}"
    )


def game_of_cards(game: Game, seen: int) -> Game:
    """The game that a hand of ``seen`` cards belongs to: some rooms call all of them Omaha."""
    if seen <= game.hole:
        return game
    return next((other for other in GAMES if other.hole == seen and other.low == game.low), game)
