"""How time grows with players, hole cards, the size of ranges and the number of boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import pytest

import equity
from benchmarks import peers
from benchmarks.bench_exact import BOARDS, SIZES, answer, known
from benchmarks.measuring import OURS, Measuring, seconds
from equity.rules.games import find_game

#: Hands without a card in common, for the most players.
MANY = [
    "AhAsKhKs",
    "9c8c7d6d",
    "QhJhTd9d",
    "2c3c4d5d",
    "Ac2dKc3s",
    "QsQcJsTs",
    "AdKd4h5h",
    "6h7h8d8h",
    "Qd6s5c4s",
    "Jc7sThTc",
    "2h3hJd9s",
]
HOLE_GAMES = ["plo4", "plo5", "plo6"]
#: No suit can change places with another, so that every board is swept.
PLAIN_FLOP = "Kh9d4c"
PLAIN_BOARDS = ["Kh9d4c2s7h", "Kh9d4c2s", PLAIN_FLOP]
REPEAT = 100

Curve = Sequence[tuple[float, Callable[[], object]]]


def grow(
    measuring: Measuring,
    row: tuple[str, str],
    curve: Curve,
    calls: int = 1,
    parts: Sequence[float] | None = None,
) -> None:
    """Measure all sizes in each round, and keep the time of a part of each."""
    parts = parts or [1.0] * len(curve)
    for _, function in curve:
        function()
    rounds: list[list[float]] = []
    measuring.benchmark.pedantic(
        lambda: rounds.append(
            [
                part * seconds(function, calls)
                for (_, function), part in zip(curve, parts, strict=True)
            ]
        ),
        rounds=measuring.rounds,
    )
    sizes = [size for size, _ in curve]
    measuring.keep("growth", row, {row[1]: rounds}, "s", sizes=sizes)


def counting(peer: str, their: list[peers.Peer]) -> Callable[[peers.Known], object] | None:
    """What answers questions about known hands: ours, or a peer."""
    if peer == OURS:
        return lambda question: lambda: answer(question)
    for one in their:
        if one.name == peer:
            return one.count
    return None


PROGRAMS = [OURS, "poker-equity"]


def curve_of(
    program: str, their: list[peers.Peer], sized: Sequence[tuple[float, peers.Known]]
) -> Curve:
    count = counting(program, their)
    if count is None:
        pytest.skip(f"{program} is not installed")
    found = [(size, count(question)) for size, question in sized]
    return [(size, function) for size, function in found if callable(function)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_players(measuring: Measuring, their: list[peers.Peer], program: str) -> None:
    most = len(MANY) if program == OURS else 6
    sized = [
        (float(players), peers.Known("plo4", tuple(MANY[:players])))
        for players in range(2, most + 1)
    ]
    curve = curve_of(program, their, sized)
    grow(measuring, ("players, known hands", program), curve, REPEAT if program == OURS else 1)


@pytest.mark.parametrize("program", PROGRAMS)
def test_boards(measuring: Measuring, their: list[peers.Peer], program: str) -> None:
    questions = [known("plo4", 2, board) for board in reversed(BOARDS.values())]
    sized = [(float(question.boards), question) for question in questions]
    curve = curve_of(program, their, sized)
    grow(measuring, ("boards, two known hands", program), curve, REPEAT if program == OURS else 1)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("street", BOARDS)
def test_hole_cards(
    measuring: Measuring, their: list[peers.Peer], program: str, street: str
) -> None:
    sized = [(float(find_game(game).hole), known(game, 2, BOARDS[street])) for game in HOLE_GAMES]
    curve = curve_of(program, their, sized)
    where = "before the flop" if street == "-" else f"on a {street}"
    calls = REPEAT if program == OURS or street != "-" else 1
    grow(measuring, (f"hole cards, two known hands {where}", program), curve, calls)


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_range_size(measuring: Measuring, game: str) -> None:
    ranges = [equity.Range(text, game) for text in SIZES]
    curve = [
        (
            float(len(one)),
            lambda one=one: equity.odds([one, one], game, PLAIN_FLOP, exact=True, threads=1),
        )
        for one in ranges
    ]
    grow(measuring, (f"hands of a range, swept on a flop, {game}", OURS), curve)


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_sweep_boards(measuring: Measuring, game: str) -> None:
    one = equity.Range("AA,KK,QQ,JJ", game)
    curve = [
        (
            float(comb(52 - len(board) // 2, 5 - len(board) // 2)),
            lambda board=board: equity.odds([one, one], game, board, exact=True, threads=1),
        )
        for board in PLAIN_BOARDS
    ]
    grow(measuring, (f"boards, 27,628 hands swept, {game}", OURS), curve)


def test_range_hole_cards(measuring: Measuring) -> None:
    """Ranges are not of one size, so this is the time of a hand."""
    curve, parts = [], []
    for game, text in (("plo4", "AA,KK,QQ,JJ"), ("plo5", "AAK,AAQ"), ("plo6", "AAQQ")):
        one = equity.Range(text, game)
        parts.append(1 / len(one))
        curve.append(
            (
                float(find_game(game).hole),
                lambda one=one, game=game: equity.odds(
                    [one, one], game, PLAIN_FLOP, exact=True, threads=1
                ),
            )
        )
    grow(measuring, ("hole cards, a hand of a range swept on a flop", OURS), curve, parts=parts)
