"""Exact answers: known hands in every game, hands valued in bulk, ranges, their expansion."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle, permutations

import numpy as np
import pytest

import equity
from benchmarks import peers
from benchmarks.measuring import OURS, Measuring, seconds
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game

#: Cards for six hands of six; fewer are the first of them.
HANDS = [
    "AhAsKhKsQdJc",
    "9c8c7d6d5h4s",
    "QhJhTd9d8s7s",
    "2c3c4d5d6h7h",
    "Ac2dKc3s8hTh",
    "QsQcJsTsAdKd",
]
BOARDS = {"-": "", "flop": "5s2h9h", "turn": "5s2h9hJd"}
#: Exact answers agree to this.
SAME = 1e-9
#: A question is told in so many ways.
TELLINGS = 1_000
BULK = 1_000_000
#: Rows of known hands by street: known cards, and how many rows.
ROWS = {"flop": (3, 100_000), "turn": (4, 200_000), "river": (5, 1_000_000)}
#: Hands and ranges of which it is counted what they flop.
FLOPS = [("plo4", "AsAdKsJd"), ("plo4", "10%"), ("o8", "10%"), ("plo5", "10%")]
#: Hands that a peer values in a round.
FEW = 2_000

#: Ranges in the order of their sizes, two of a size against each other.
SIZES = ["AA:xxyy", "AAK,AAQ", "AA", "AA,KK", "AA,KK,QQ,JJ", "A"]
SWEEP_BOARDS = {"river": "Kh9h4c2s7d", "turn": "Kh9h4c2s", "flop": "Kh9h4c"}
SWEEPS = [
    *(("plo4", text, text) for text in SIZES),
    ("plo4", "AAK", "QQJ"),
    ("plo4", "AA,KK,QQ,JJ", "A2,A3"),
    ("o8", "AA,KK,QQ,JJ", "A2,A3"),
    ("plo5", "AAK,AAQ", "KKQ,KKJ"),
    ("bigo", "AAK", "A234"),
    ("plo6", "AAKKQ", "QQJJT"),
    ("plo6-8", "AAKKQ", "AA234"),
]
EXPRESSIONS = [
    "AA",
    "AA:xxyy",
    "AA,KK:xxyy,QQJJ-9988",
    "AR",
    "TT+!AA",
    "KQJT-T987",
    "$B$B$M$M",
    "AhKh",
    "[2s,Jc,T]AK",
    "*$np$ds",
    "wxy",
    "*!RR",
    "(AA,KK,QQ)!(AAA,KKK)@50,JJ@10",
    "*",
]


def known(game: str, players: int, board: str) -> peers.Known:
    """The first hands of the list, cut to the cards of the game."""
    width = 2 * find_game(game).hole
    return peers.Known(game, tuple(hand[:width] for hand in HANDS[:players]), board)


def in_other_words(question: peers.Known) -> Iterator[peers.Known]:
    """The question for ever, with suits renamed and cards in other orders.

    What has been read before is remembered, and nobody asks the same thing for ever.
    """
    chance = random.Random(question.boards)
    suits = list(permutations("cdhs"))

    def told(cards: str, names: dict[int, int]) -> str:
        pairs = [cards[at : at + 2].translate(names) for at in range(0, len(cards), 2)]
        return "".join(chance.sample(pairs, len(pairs)))

    def again() -> peers.Known:
        names = str.maketrans("cdhs", "".join(chance.choice(suits)))
        hands = tuple(told(hand, names) for hand in question.hands)
        return peers.Known(question.game, hands, told(question.board, names))

    return cycle([again() for _ in range(TELLINGS)])


def answer(question: peers.Known) -> tuple[float, ...]:
    """What ``equity.odds`` says."""
    return equity.odds(question.hands, question.game, question.board).equities


@pytest.mark.parametrize("street", BOARDS)
@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_known_hands(
    measuring: Measuring, their: list[peers.Peer], game: str, players: int, street: str
) -> None:
    question = known(game, players, BOARDS[street])
    counts = {peer.name: count for peer in their if (count := peer.count(question))}
    mine = answer(question)
    for name, count in counts.items():
        assert count() == pytest.approx(mine, abs=SAME), name
    row = (game, players, street, f"{question.boards:,}")
    asked = in_other_words(question)
    assert answer(next(asked)) == mine
    measuring.race("exact", row, lambda: answer(next(asked)), counts)


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_bulk(measuring: Measuring, their: list[peers.Peer], game: str) -> None:
    hole = find_game(game).hole
    chance = np.random.default_rng(hole)
    # The first cards of a shuffled deck, for each row.
    cards = chance.random((BULK, 52)).argpartition(hole + 5, axis=1)[:, : hole + 5].astype(np.uint8)
    hands, boards = np.ascontiguousarray(cards[:, :hole]), np.ascontiguousarray(cards[:, hole:])
    mine = equity.evaluate(hands[:FEW], boards[:FEW], game).high.tolist()
    peer_values = {
        peer.name: value for peer in their if (value := peer.value(game, hands[:FEW], boards[:FEW]))
    }
    for name, value in peer_values.items():
        assert value() == mine, name

    def rate(_: int) -> float:
        return BULK / seconds(lambda: equity.evaluate(hands, boards, game))

    sides = {OURS: rate} | {
        name: lambda _, value=value: FEW / seconds(value) for name, value in peer_values.items()
    }
    measuring.take("bulk", (game,), sides, "/s")


@pytest.mark.parametrize("street", ROWS)
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_rows(measuring: Measuring, their: list[peers.Peer], game: str, street: str) -> None:
    """Rows of two hands on boards of their own, from arrays on one thread."""
    hole = find_game(game).hole
    known, count = ROWS[street]
    chance = np.random.default_rng(hole)
    dealt = 2 * hole + known
    cards = chance.random((count, 52)).argpartition(dealt, axis=1)[:, :dealt].astype(np.uint8)
    hands = np.ascontiguousarray(cards[:, : 2 * hole]).reshape(count, 2, hole)
    boards = np.ascontiguousarray(cards[:, 2 * hole :])
    mine = equity.odds_many(hands[:1], boards[:1], game).equity[0]
    texts = tuple(format_cards(hand) for hand in hands[0].tolist())
    question = peers.Known(game, texts, format_cards(boards[0].tolist()))
    counts = {peer.name: asked for peer in their if (asked := peer.count(question))}
    for name, asked in counts.items():
        assert asked() == pytest.approx(mine, abs=SAME), name

    def rate(_: int) -> float:
        return count / seconds(lambda: equity.odds_many(hands, boards, game, threads=1))

    # A peer answers one row at a time, so the first stands for all.
    sides = {OURS: rate} | {
        name: lambda _, asked=asked: 1 / seconds(asked) for name, asked in counts.items()
    }
    measuring.take("rows", (game, street), sides, "/s")


@pytest.mark.parametrize(("game", "text"), FLOPS)
def test_flops(measuring: Measuring, game: str, text: str) -> None:
    """What a hand or a range flops, on one thread."""
    if text.endswith("%"):
        hands: str | equity.Range = equity.Range(text, game)
    else:
        hands = text
    count = 1 if isinstance(hands, str) else len(hands)
    boards = equity.flops(hands, game, threads=1).boards
    row = (game, text, f"{count:,}", f"{boards:,}")
    measuring.race("flops", row, lambda: equity.flops(hands, game, threads=1))


@pytest.mark.parametrize("street", SWEEP_BOARDS)
@pytest.mark.parametrize("ranges", SWEEPS, ids=" ".join)
def test_sweep(
    measuring: Measuring, their: list[peers.Peer], ranges: tuple[str, str, str], street: str
) -> None:
    game, one, two = ranges
    players = [equity.Range(text, game) for text in (one, two)]
    board = SWEEP_BOARDS[street]

    def ours() -> tuple[float, ...]:
        return equity.odds(players, game, board, exact=True, threads=1).equities

    counts = {}
    if (game, one, street) == ("plo4", "AAK", "river"):
        # The peer walks pairs of hands; larger ranges take it minutes.
        found = {peer.name: peer.count_ranges(game, (one, two), board) for peer in their}
        counts = {name: count for name, count in found.items() if count}
        for name, count in counts.items():
            assert count() == pytest.approx(ours(), abs=SAME), name
    names = one if one == two else f"{one} v {two}"
    sizes = " v ".join(f"{len(player):,}" for player in players)
    measuring.race("sweep", (game, names, sizes, street), ours, counts)


@pytest.mark.parametrize("game", ["plo4", "plo5", "plo6"])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expansion(measuring: Measuring, text: str, game: str) -> None:
    size = len(equity.Range(text, game))
    measuring.race("ranges", (text, game, f"{size:,}"), lambda: equity.Range(text, game))
