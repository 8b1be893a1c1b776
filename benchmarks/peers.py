"""The other programs: one adapter each, which says what it can be asked.

An adapter gives a function that does the work and nothing else; whatever is made
ready before (cards in the peer's own form, how many deals fit into a second) is not
counted.  None means that the peer cannot do it, or not in a time worth waiting for.
Where a peer has evaluation but no equities, the loop around it is the plainest one,
in Python, as its user would write it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from itertools import combinations
from math import comb, sqrt
from typing import Any, NamedTuple

import equity
from equity.rules.cards import DECK_SIZE, parse_cards
from equity.rules.games import BOARD_SIZE, find_game

__all__ = ["Estimate", "Known", "Peer", "Sample", "Sampled", "installed"]

EVERYTHING = "*"
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@dataclass(frozen=True)
class Known:
    """Known hands on a board, to be counted over every board that can still come."""

    game: str
    hands: tuple[str, ...]
    board: str = ""

    @property
    def boards(self) -> int:
        """Complete boards."""
        cards = sum(len(hand) for hand in (*self.hands, self.board)) // 2
        return comb(DECK_SIZE - cards, BOARD_SIZE - len(self.board) // 2)


@dataclass(frozen=True)
class Sampled:
    """Ranges to be sampled before the flop, for the equity of the first."""

    game: str
    #: Hands, ranks such as "AA", or "*".
    ranges: tuple[str, ...]
    #: Standard deviation of what the first wins of one pot.  It is a fact of the question,
    #: and tells the error of deals drawn one by one where a peer does not.
    deviation: float


class Estimate(NamedTuple):
    """What a sample found."""

    equity: float
    error: float
    seconds: float

    def after(self, seconds: float) -> float:
        """The error after so many seconds, from that after nearly as many."""
        return self.error * sqrt(self.seconds / seconds)


Count = Callable[[], Sequence[float]]
Sample = Callable[[float, int], Estimate]
Value = Callable[[], list[int]]


class Peer:
    """What a peer can do; by default nothing."""

    #: As pip knows it, and as Python imports it.
    name = ""
    module = ""

    @property
    def version(self) -> str:
        """The version that is installed."""
        return version(self.name)

    def count(self, question: Known) -> Count | None:
        """The equities of known hands, exactly."""

    def count_ranges(self, game: str, ranges: Sequence[str], board: str) -> Count | None:
        """The equities of ranges, exactly."""

    def sample(self, question: Sampled, threads: int = 1) -> Sample | None:
        """A sample of so many seconds with a seed."""

    def value(self, game: str, hands: Any, boards: Any) -> Value | None:
        """The values of hands on boards, 1 to 7,462, larger is better."""

    def script(self, question: Known) -> str | None:
        """A program that answers a question in a fresh process."""


class PokerEquity(Peer):
    """poker-equity, in Rust: exact by walking all boards, and by sampling."""

    name = "poker-equity"
    module = "poker_equity"
    KEYS = {  # noqa: RUF012
        "plo4": "omaha",
        "o8": "omaha_hi_lo",
        "plo5": "omaha_five",
        "bigo": "omaha_five_hi_lo",
        "plo6": "omaha_six",
    }

    def count(self, question: Known) -> Count | None:
        return self.count_ranges(question.game, question.hands, question.board)

    def count_ranges(self, game: str, ranges: Sequence[str], board: str) -> Count | None:
        import poker_equity

        key = self.KEYS.get(game)
        if key is None:
            return None
        patterns = [_pattern(text, game) for text in ranges]

        def count() -> list[float]:
            found: Any = poker_equity.exact_from_text(key, patterns, board)
            return [player["equity"] for player in found["players"]]

        return count

    def sample(self, question: Sampled, threads: int = 1) -> Sample | None:
        import poker_equity

        key = self.KEYS.get(question.game)
        if key is None:
            return None
        patterns = [_pattern(text, question.game) for text in question.ranges]

        def draw(samples: int, seed: int) -> Any:
            return poker_equity.chunk_from_text(
                key, patterns, samples=samples, seed=seed, threads=threads
            )

        rate = _rate(lambda: draw(20_000, 0), 20_000)

        def sample(seconds: float, seed: int) -> Estimate:
            start = time.perf_counter()
            player = draw(max(1, int(rate * seconds)), seed)["players"][0]
            return Estimate(player["equity"], player["std_error"], time.perf_counter() - start)

        return sample

    def script(self, question: Known) -> str | None:
        key = self.KEYS.get(question.game)
        call = f"{key!r}, {list(question.hands)!r}, {question.board!r}"
        return key and f"import poker_equity; print(poker_equity.exact_from_text({call}))"


class PHEvaluator(Peer):
    """phevaluator, tables in C: values four-card hands, high only."""

    name = "phevaluator"
    module = "phevaluator"
    #: Boards times players of one answer, some seconds.
    MOST = 3_000_000

    @property
    def function(self) -> Callable[..., int]:
        """The evaluator, five board cards and four of the hand to 1 (best) up to 7,462."""
        found: Callable[..., int]
        try:
            # Without the wrapper in Python, which takes longer than the evaluation.
            from phevaluator import _pheval

            found = _pheval.evaluate_omaha_cards
        except (ImportError, AttributeError):
            import phevaluator

            found = phevaluator.evaluate_omaha_cards
        return found

    def count(self, question: Known) -> Count | None:
        if question.game != "plo4" or question.boards * len(question.hands) > self.MOST:
            return None
        evaluate = self.function
        hands = [parse_cards(hand, "hand") for hand in question.hands]
        known = parse_cards(question.board, "board") if question.board else ()
        live = _live(hands, known)

        def count() -> list[float]:
            won = [0.0] * len(hands)
            for rest in combinations(live, BOARD_SIZE - len(known)):
                values = [evaluate(*known, *rest, *hand) for hand in hands]
                best = min(values)
                share = 1 / values.count(best)
                for player, value in enumerate(values):
                    if value == best:
                        won[player] += share
            total = sum(won)
            return [part / total for part in won]

        return count

    def sample(self, question: Sampled, threads: int = 1) -> Sample | None:
        if question.game != "plo4" or threads > 1:
            return None
        evaluate = self.function
        lists = [_combos(text, question.game) for text in question.ranges]

        def sample(seconds: float, seed: int) -> Estimate:
            chance = random.Random(seed)
            won = deals = 0.0
            start = time.perf_counter()
            while time.perf_counter() < start + seconds:
                for _ in range(100):
                    hands = _deal(chance, lists)
                    if hands is None:
                        continue
                    *hands, board = hands
                    values = [evaluate(*board, *hand) for hand in hands]
                    best = min(values)
                    deals += 1
                    won += (values[0] == best) / values.count(best)
            error = question.deviation / sqrt(deals)
            return Estimate(won / deals, error, time.perf_counter() - start)

        return sample

    def value(self, game: str, hands: Any, boards: Any) -> Value | None:
        if game != "plo4":
            return None
        evaluate = self.function
        rows = [
            (*board, *hand) for board, hand in zip(boards.tolist(), hands.tolist(), strict=True)
        ]
        return lambda: [7_463 - evaluate(*row) for row in rows]

    def script(self, question: Known) -> str | None:
        # With a complete board only: it has no more than evaluation.
        if question.game != "plo4" or len(question.board) != 2 * BOARD_SIZE:
            return None
        board = _quoted(question.board)
        calls = ", ".join(
            f"phevaluator.evaluate_omaha_cards({board}, {_quoted(hand)})" for hand in question.hands
        )
        return f"import phevaluator; print({calls})"


class PokerKit(Peer):
    """pokerkit, in Python: evaluation in all games, equities by sampling."""

    name = "pokerkit"
    module = "pokerkit"
    #: Fives of cards that are looked at for one answer, some seconds.
    MOST = 100_000
    #: Combos of all ranges multiplied, each of which it lists beforehand.
    MOST_SELECTIONS = 20_000

    def count(self, question: Known) -> Count | None:
        low = find_game(question.game).low
        fives = comb(find_game(question.game).hole, 2) * comb(BOARD_SIZE, 3) * (1 + low)
        if question.boards * len(question.hands) * fives > self.MOST:
            return None
        kinds = self._kinds(low)
        cards = self._cards()
        hands = [[cards[card] for card in parse_cards(hand, "hand")] for hand in question.hands]
        ids = [parse_cards(hand, "hand") for hand in question.hands]
        board = parse_cards(question.board, "board") if question.board else ()
        known = [cards[card] for card in board]
        live = [cards[card] for card in _live(ids, board)]

        def count() -> list[float]:
            won = [0.0] * len(hands)
            for rest in combinations(live, BOARD_SIZE - len(known)):
                made = [
                    [kind.from_game_or_none(hand, [*known, *rest]) for hand in hands]
                    for kind in kinds
                ]
                halves = [values for values in made if any(values)]
                for values in halves:
                    best = max(value for value in values if value is not None)
                    winners = [player for player, value in enumerate(values) if value == best]
                    for player in winners:
                        won[player] += 1 / len(halves) / len(winners)
            total = sum(won)
            return [part / total for part in won]

        return count

    def sample(self, question: Sampled, threads: int = 1) -> Sample | None:
        from pokerkit import Deck, calculate_equities

        lists = [_combos(text, question.game) for text in question.ranges]
        selections = 1
        for combos in lists:
            selections *= len(combos or [()])
        if selections > self.MOST_SELECTIONS or threads > 1:
            return None
        cards = self._cards()
        # Cards that a hand lacks are dealt.
        ranges = [
            [[cards[card] for card in combo] for combo in (combos or [()])] for combos in lists
        ]
        rules = find_game(question.game)

        def draw(samples: int) -> list[float]:
            found: list[float] = calculate_equities(
                ranges,
                [],
                rules.hole,
                BOARD_SIZE,
                Deck.STANDARD,
                self._kinds(rules.low),
                sample_count=samples,
            )
            return found

        start = time.perf_counter()
        draw(1)
        ready = time.perf_counter() - start
        rate = 40 / max(1e-9, _seconds(lambda: draw(41)) - ready)

        def sample(seconds: float, seed: int) -> Estimate:
            random.seed(seed)  # it draws from the module's own numbers
            samples = max(20, int(rate * (seconds - ready)))
            start = time.perf_counter()
            found = draw(samples)[0]
            error = question.deviation / sqrt(samples)
            return Estimate(found, error, time.perf_counter() - start)

        return sample

    def value(self, game: str, hands: Any, boards: Any) -> Value | None:
        if find_game(game).low:
            return None
        cards = self._cards()
        (kind,) = self._kinds(low=False)
        rows = [
            ([cards[card] for card in hand], [cards[card] for card in board])
            for hand, board in zip(hands.tolist(), boards.tolist(), strict=True)
        ]
        return lambda: [kind.from_game(hand, board).entry.index + 1 for hand, board in rows]

    def script(self, question: Known) -> str | None:
        if len(question.board) != 2 * BOARD_SIZE or find_game(question.game).low:
            return None
        calls = ", ".join(
            f"pokerkit.OmahaHoldemHand.from_game({hand!r}, {question.board!r})"
            for hand in question.hands
        )
        return f"import pokerkit; print({calls})"

    @staticmethod
    def _kinds(low: bool) -> list[Any]:
        from pokerkit import OmahaEightOrBetterLowHand, OmahaHoldemHand

        return [OmahaHoldemHand, OmahaEightOrBetterLowHand] if low else [OmahaHoldemHand]

    @staticmethod
    def _cards() -> list[Any]:
        """Its cards, by our ids."""
        from pokerkit import Card

        return [next(iter(Card.parse(text))) for text in DECK]


def installed() -> list[Peer]:
    """The peers that are there."""
    return [peer for peer in (PokerEquity(), PHEvaluator(), PokerKit()) if find_spec(peer.module)]


def _pattern(text: str, game: str) -> str:
    """A range as poker-equity writes it: a sign for every card."""
    hole = find_game(game).hole
    if text == EVERYTHING:
        return EVERYTHING * hole
    exact = any(suit in text for suit in "cdhs")
    return text if exact else text + EVERYTHING * (hole - len(text))


def _combos(text: str, game: str) -> list[tuple[int, ...]] | None:
    """The hands of a range as card ids, None for everything."""
    if text == EVERYTHING:
        return None
    return [tuple(row) for row in equity.Range(text, game).combos.tolist()]


def _deal(
    chance: random.Random, lists: Sequence[list[tuple[int, ...]] | None]
) -> list[Sequence[int]] | None:
    """A hand for each of the lists, of four cards, and a board; None if cards collide."""
    hands: list[Sequence[int]] = []
    taken: set[int] = set()
    cards = 0
    for combos in lists:
        if combos is not None:
            hand = chance.choice(combos)
            hands.append(hand)
            taken.update(hand)
            cards += len(hand)
    if len(taken) != cards:
        return None
    rest = [card for card in range(DECK_SIZE) if card not in taken]
    drawn = chance.sample(rest, 4 * sum(combos is None for combos in lists) + BOARD_SIZE)
    dealt = iter(range(BOARD_SIZE, len(drawn), 4))
    listed = iter(hands)
    seats = [
        next(listed) if combos is not None else drawn[(at := next(dealt)) : at + 4]
        for combos in lists
    ]
    return [*seats, drawn[:BOARD_SIZE]]


def _live(hands: Sequence[Sequence[int]], board: Sequence[int]) -> list[int]:
    taken = {card for cards in (*hands, board) for card in cards}
    return [card for card in range(DECK_SIZE) if card not in taken]


def _quoted(cards: str) -> str:
    """Cards one by one, as arguments."""
    return ", ".join(repr(cards[at : at + 2]) for at in range(0, len(cards), 2))


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def _rate(function: Callable[[], object], count: int) -> float:
    """How many a second, if a call does ``count``; the second call tells."""
    function()
    return count / _seconds(function)
