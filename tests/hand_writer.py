"""Plays random hands by the book, and writes them in every format of hand histories.

The referee for hand histories: it shares no code with the package.  Amounts are cents.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import naive

#: Name for the command, of PokerStars, of GGPoker, of Open Hand History, hole cards, low.
GAMES = {
    "plo4": ("Omaha", "PLO", "Omaha", 4, False),
    "o8": ("Omaha Hi/Lo", "Omaha Hi/Lo", "OmahaHiLo", 4, True),
    "plo5": ("5 Card Omaha", "PLO-5", "Omaha", 5, False),
    "bigo": ("5 Card Omaha Hi/Lo", "5 Card Omaha Hi/Lo", "OmahaHiLo", 5, True),
    "plo6": ("6 Card Omaha", "PLO-6", "Omaha", 6, False),
    "plo6-8": ("6 Card Omaha Hi/Lo", "6 Card Omaha Hi/Lo", "OmahaHiLo", 6, True),
}
Money = Callable[[int], str]
STREETS = ("HOLE CARDS", "FLOP", "TURN", "RIVER")
TIMES = ("", "FIRST ", "SECOND ", "THIRD ")
SMALL, BIG = 50, 100


@dataclass
class Played:
    """A hand, and all that is true of it."""

    game: str
    number: str
    names: list[str]
    stacks: list[int]
    hands: list[naive.Cards]
    ante: int = 0
    #: Street, player, verb, chips added, total of the street.
    actions: list[tuple[int, int, str, int, int]] = field(default_factory=list)
    boards: list[naive.Cards] = field(default_factory=list)
    put_in: list[int] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    returned: tuple[int, int] = (0, 0)
    #: Amount, members, rake.
    pots: list[tuple[int, list[int], int]] = field(default_factory=list)
    #: Player, amount, number of the pot; by run.
    collected: list[list[tuple[int, int, int]]] = field(default_factory=list)
    #: The street on which betting ended for good.
    street: int = 0

    @property
    def live(self) -> list[int]:
        return [at for at in range(len(self.names)) if at not in self.folded]

    @property
    def is_all_in(self) -> bool:
        left = [self.left(at) for at in self.live]
        return len(left) > 1 and sum(map(bool, left)) < 2 and self.street < 3

    @property
    def rake(self) -> int:
        return sum(rake for *_, rake in self.pots)

    @property
    def won(self) -> list[int]:
        won = [0] * len(self.names)
        for run in self.collected:
            for player, amount, _ in run:
                won[player] += amount
        return won

    def left(self, at: int) -> int:
        player, back = self.returned
        return self.stacks[at] - self.put_in[at] + (back if player == at else 0)

    def expected(self, by_pot: bool) -> list[Fraction]:
        """What each player wins on average, by all runouts; the rake by pot or in proportion."""
        low = GAMES[self.game][4]
        board = self.boards[0][: self.known]
        dead = self.hands[0] if 0 in self.folded else ()
        gone = {*board, *dead, *(card for at in self.live for card in self.hands[at])}
        deck = [card for card in range(52) if card not in gone]
        runouts = [board + more for more in combinations(deck, 5 - len(board))]
        total = sum(amount for amount, *_ in self.pots)
        won = [Fraction(0)] * len(self.names)
        for amount, members, rake in self.pots:
            left = amount - (Fraction(rake) if by_pot else Fraction(self.rake * amount, total))
            for full in runouts:
                found = naive.showdown([self.hands[at] for at in members], full, low)
                for at, result in zip(members, found, strict=True):
                    won[at] += left * sum(naive.share(*result)) / len(runouts)
        return won

    @property
    def known(self) -> int:
        return self.street + 2 if self.street else 0


def play(game: str, seed: int, *, tight: bool = False, runs: int = 1) -> Played:
    """A random hand."""
    rng = Random(seed)
    count = rng.randint(2, 5)
    hole, low = GAMES[game][3:]
    deck = rng.sample(range(52), 52)
    hands = [tuple(deck[at * hole : (at + 1) * hole]) for at in range(count)]
    del deck[: count * hole]
    names = [
        "Hero",
        *rng.sample(["Ann: the 2nd", "Bob", "collected 5", "Zo\u00e9", "x from pot"], 4),
    ]
    stacks = [rng.choice((rng.randint(150, 900), rng.randint(1000, 20000))) for _ in range(count)]
    hand = Played(game, str(10**10 + seed), names[:count], stacks, hands)
    hand.put_in = [0] * count
    hand.ante = rng.choice((0, 0, 20))
    heights = hand.put_in
    bets = [0] * count

    def put(street: int, at: int, verb: str, amount: int) -> None:
        amount = min(amount, stacks[at] - heights[at])
        heights[at] += amount
        if verb != "ante":
            bets[at] += amount
        hand.actions.append((street, at, verb, amount, bets[at]))

    if hand.ante:
        for at in range(count):
            put(0, at, "ante", hand.ante)
    put(0, 0, "small blind", SMALL)
    put(0, 1, "big blind", BIG)
    for street in range(4):
        if street:
            bets = [0] * count
        waiting = [
            at % count for at in range(2 if not street else 0, count + (2 if not street else 0))
        ]
        raises = 0
        while waiting:
            at = waiting.pop(0)
            chips = stacks[at] - heights[at]
            able = [one for one in hand.live if stacks[one] > heights[one]]
            to_call = max(bets) - bets[at]
            if at in hand.folded or not chips or len(hand.live) == 1:
                continue
            if not to_call and len(able) < 2:
                continue
            hand.street = street
            choice = rng.random()
            can_raise = chips > to_call and raises < 4 and len(able) > 1
            if choice < (0.35 if tight else 0.55) or not can_raise:
                fold = to_call and rng.random() < (0.6 if tight else 0.25)
                if fold:
                    hand.folded.add(at)
                    hand.actions.append((street, at, "fold", 0, bets[at]))
                elif to_call:
                    put(street, at, "call", to_call)
                else:
                    hand.actions.append((street, at, "check", 0, bets[at]))
                continue
            more = to_call + rng.choice((BIG, rng.randint(BIG, 4 * BIG + sum(heights)), 10**6))
            verb = "raise" if max(bets) else "bet"
            put(street, at, verb, more)
            raises += 1
            if bets[at] == max(bets):
                waiting = [(at + step) % count for step in range(1, count)]
        if len(hand.live) == 1:
            break
    called, top = sorted(heights)[-2:]
    if top > called:
        hand.returned = heights.index(top), top - called
    _finish(hand, deck, runs if hand.is_all_in else 1, low=low)
    return hand


def _finish(hand: Played, deck: list[int], runs: int, *, low: bool) -> None:
    """Deal the boards, make the pots and give them away."""
    known = hand.known if hand.is_all_in else 5 if len(hand.live) > 1 else hand.known
    first, rest = tuple(deck[:known]), deck[known:]
    if hand.is_all_in:
        size = 5 - known
        hand.boards = [first + tuple(rest[at * size : (at + 1) * size]) for at in range(runs)]
    else:
        hand.boards = [first]
    player, back = hand.returned
    heights = [put - (back if at == player else 0) for at, put in enumerate(hand.put_in)]
    levels = sorted({heights[at] for at in hand.live})
    below = 0
    has_flop = bool(hand.boards[0])
    for level in levels:
        amount = sum(max(0, min(height, level) - below) for height in heights)
        members = [at for at in hand.live if heights[at] >= level]
        rake = min(amount // 20, 300) if has_flop else 0
        hand.pots.append((amount, members, rake))
        below = level
    for run, board in enumerate(hand.boards):
        gains = []
        for number, (amount, members, rake) in enumerate(hand.pots):
            whole, odd = divmod(amount - rake, len(hand.boards))
            whole += odd if not run else 0
            if len(members) == 1:
                parts = [Fraction(whole)]
            else:
                hands = [hand.hands[at] for at in members]
                found = naive.showdown(hands, board, low)
                parts = [whole * sum(naive.share(*one), Fraction(0)) for one in found]
            cents = [int(part) for part in parts]
            cents[parts.index(max(parts))] += whole - sum(cents)
            gains += [(at, won, number) for at, won in zip(members, cents, strict=True) if won]
        hand.collected.append(gains)


def text(cards: naive.Cards, between: str = " ") -> str:
    """Cards as text."""
    return between.join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in cards)


def dollars(cents: int) -> str:
    """As PokerStars writes amounts: ``$12`` and ``$12.50``."""
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"


def short_dollars(cents: int) -> str:
    """As GGPoker writes amounts: ``$1,012.5``."""
    return f"${cents / 100:,.2f}".rstrip("0").rstrip(".")


def _acts(hand: Played, money: Money, street: int) -> list[str]:
    lines = []
    for when, at, verb, amount, total in hand.actions:
        if when != street:
            continue
        name = hand.names[at]
        spent = sum(
            one[3]
            for one in hand.actions[: hand.actions.index((when, at, verb, amount, total)) + 1]
            if one[1] == at
        )
        end = " and is all-in" if amount and spent == hand.stacks[at] else ""
        worth = money(amount)
        if verb in ("small blind", "big blind"):
            lines.append(f"{name}: posts {verb} {worth}{end}")
        elif verb == "ante":
            lines.append(f"{name}: posts the ante {worth}{end}")
        elif verb == "raise":
            lines.append(f"{name}: raises {worth} to {money(total)}{end}")
        else:
            lines.append(f"{name}: {verb}s" + (f" {worth}{end}" if amount else ""))
    return lines


def stars(hand: Played, shown: Money = dollars, *, gg: bool = False) -> str:
    """The hand as PokerStars writes it, or GGPoker."""
    names = hand.names
    title = GAMES[hand.game][1 if gg else 0]
    room = "Poker Hand #OM" if gg else "PokerStars Hand #"
    stakes = "($0.5/$1)" if gg else "Pot Limit ($0.50/$1.00 USD)"
    head = f"{room}{hand.number}: {title} {stakes} - 2024/05/01 12:00:00"
    lines = [head, "Table 'A b: c' 6-max Seat #1 is the button"]
    lines += [
        f"Seat {at}: {name} ({shown(stack)} in chips)"
        for at, (name, stack) in enumerate(zip(names, hand.stacks, strict=True), 1)
    ]
    posts = [line for line in _acts(hand, shown, 0) if ": posts " in line]
    lines += [*posts, "*** HOLE CARDS ***", f"Dealt to Hero [{text(hand.hands[0])}]"]
    if gg:
        lines += [f"Dealt to {name}" for name in names[1:]]
    lines += [line for line in _acts(hand, shown, 0) if ": posts " not in line]
    shows = [f"{names[at]}: shows [{text(hand.hands[at])}] (a pair)" for at in hand.live]
    shows = shows if len(hand.live) > 1 else []
    back = (
        [f"Uncalled bet ({shown(hand.returned[1])}) returned to {names[hand.returned[0]]}"]
        if hand.returned[1]
        else []
    )
    last = hand.street
    if last == 0:
        lines += back + (shows if gg else [])
    for run, board in enumerate(hand.boards):
        for street in (1, 2, 3):
            size = street + 2
            if len(board) < size or (run and street <= hand.street):
                continue
            time = TIMES[run + 1] if len(hand.boards) > 1 and street > hand.street else ""
            old = f"[{text(board[: size - 1])}] " if street > 1 else ""
            new = text(board[size - 1 : size]) if street > 1 else text(board[:3])
            lines.append(f"*** {time}{STREETS[street]} *** {old}[{new}]")
            if not run:
                lines += _acts(hand, shown, street)
                if last == street:
                    lines += back + (shows if gg else [])
    for run, gains in enumerate(hand.collected):
        time = TIMES[run + 1] if len(hand.collected) > 1 else ""
        if gg or shows:
            lines.append(f"*** {time}{'SHOWDOWN' if gg else 'SHOW DOWN'} ***")
        lines += [] if gg else shows
        for at, amount, number in gains:
            pot = "pot"
            if not gg and len(hand.pots) > 1:
                pot = f"side pot-{number}" if number else "main pot"
            lines.append(f"{names[at]} collected {shown(amount)} from {pot}")
    total = sum(amount for amount, *_ in hand.pots)
    lines += ["*** SUMMARY ***", f"Total pot {shown(total)} | Rake {shown(hand.rake)}"]
    lines[-1] += " | Jackpot $0 | Bingo $0" if gg else ""
    for run, board in enumerate(hand.boards):
        if board:
            several = len(hand.boards) > 1
            cards = board[hand.known :] if gg and run else board
            lines.append(f"{TIMES[run + 1] if several else ''}Board [{text(cards)}]")
    for at, name in enumerate(names):
        if at in hand.folded:
            lines.append(f"Seat {at + 1}: {name} folded before Flop (didn't bet)")
        elif won := hand.won[at]:
            lines.append(f"Seat {at + 1}: {name} (button) showed [] and won ({shown(won)}) with x")
        else:
            lines.append(f"Seat {at + 1}: {name} showed [{text(hand.hands[at])}] and lost with x")
    return "\n".join([*lines, "", ""])


def ggpoker(hand: Played) -> str:
    """The hand as GGPoker writes it."""
    return stars(hand, short_dollars, gg=True)


def ohh(hand: Played, *, totals: bool = False, indent: int | None = 1) -> str:
    """The hand in the Open Hand History format; raises as totals, as some programs write."""
    verbs = {"ante": "Post Ante", "small blind": "Post SB", "big blind": "Post BB"}
    rounds: list[dict[str, Any]] = []
    for street, name in enumerate(("Preflop", "Flop", "Turn", "River")):
        board = hand.boards[0][:3] if street == 1 else hand.boards[0][street + 1 : street + 2]
        actions = [
            {
                "action_number": number,
                "player_id": at + 10,
                "action": verbs.get(verb, verb.title()),
                "amount": (total if totals and verb == "raise" else amount) / 100,
                "is_allin": False,
            }
            for number, (when, at, verb, amount, total) in enumerate(hand.actions)
            if when == street
        ]
        cards = [] if not street else text(board).split()
        if cards or actions:
            rounds.append({"id": street, "street": name, "cards": cards, "actions": actions})
    known = hand.live if len(hand.live) > 1 else []
    deal = [
        {"player_id": at + 10, "action": "Shows Cards", "cards": text(hand.hands[at]).split()}
        for at in known
    ]
    rounds.append({"id": 4, "street": "Showdown", "cards": [], "actions": deal})
    rounds[0]["actions"] = [
        {"player_id": 10, "action": "Dealt Cards", "cards": text(hand.hands[0]).split()},
        *rounds[0]["actions"],
    ]
    pots = [
        {
            "number": number,
            "amount": amount / 100,
            "rake": rake / 100,
            "player_wins": [
                {"player_id": at + 10, "win_amount": won / 100}
                for at, won, pot in hand.collected[0]
                if pot == number
            ],
        }
        for number, (amount, _, rake) in enumerate(hand.pots)
    ]
    whole = {
        "spec_version": "1.4.7",
        "site_name": "A room",
        "game_number": hand.number,
        "game_type": GAMES[hand.game][2],
        "bet_limit": {"bet_type": "PL", "bet_cap": 0},
        "currency": "USD",
        "tournament": False,
        "dealer_seat": 1,
        "small_blind_amount": 0.5,
        "big_blind_amount": 1,
        "hero_player_id": 10,
        "players": [
            {"id": at + 10, "seat": at + 1, "name": name, "starting_stack": stack / 100}
            for at, (name, stack) in enumerate(zip(hand.names, hand.stacks, strict=True))
        ],
        "rounds": rounds,
        "pots": pots,
    }
    return json.dumps({"ohh": whole}, indent=indent) + "\n\n"


def phh(hand: Played, *, told: bool = True) -> str:
    """The hand in the PHH format, with the stacks at the end if ``told``."""
    low = GAMES[hand.game][4]
    count = len(hand.names)
    blinds = [SMALL, BIG, *[0] * (count - 2)]
    acts: list[str] = []
    for at in range(count):
        known = at == 0 or (at in hand.live and len(hand.live) > 1)
        cards = text(hand.hands[at], "") if known else "??" * len(hand.hands[at])
        acts.append(f"d dh p{at + 1} {cards}")
    for street in range(4):
        board = hand.boards[0][:3] if street == 1 else hand.boards[0][street + 1 : street + 2]
        if street and board:
            acts.append(f"d db {text(board, '')}")
        for when, at, verb, _, total in hand.actions:
            if when == street and verb not in ("ante", "small blind", "big blind"):
                word = {"fold": "f", "check": "cc", "call": "cc"}.get(verb, f"cbr {total / 100}")
                acts.append(f"p{at + 1} {word} # {verb}s")
    ends = [hand.left(at) + won for at, won in enumerate(hand.won)]

    def amounts(values: list[int]) -> str:
        return str([value / 100 for value in values])

    lines = [
        "# a comment",
        f"variant = '{'FO/8' if low else 'PO'}'",
        f"antes = {amounts([hand.ante] * count)}",
        f"blinds_or_straddles = {amounts(blinds)}",
        "min_bet = 1",
        f"starting_stacks = {amounts(hand.stacks)}",
        f"actions = {json.dumps(acts)}",
        f"hand = {hand.number}",
        f"players = {json.dumps(hand.names)}",
        f"finishing_stacks = {amounts(ends)}" if told else "",
        "currency = 'USD'",
    ]
    return "\n".join([*lines, ""])


#: Every format: its ending, the function that writes it, whether its lines tell the rake of each
#: pot, and whether it can hold several runs.
FORMATS = {
    "stars": (".txt", stars, True, True),
    "ggpoker": (".txt", ggpoker, False, True),
    "ohh": (".json", ohh, True, False),
    "phh": (".phh", phh, False, False),
}
