"""The server: answers per second over HTTP, by question and number of clients."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.measuring import OURS, Measuring, child
from equity.rules.cards import NAMES

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from server_tools import Server

SECONDS = 2.0
#: Different questions of each client.
QUESTIONS = 500


def hands(cards: Sequence[str]) -> tuple[list[str], str]:
    """Two hands."""
    return ["".join(cards[:4]), "".join(cards[4:8])], ""


def ranges(cards: Sequence[str]) -> tuple[list[str], str]:
    """A hand and a range, on a turn."""
    return ["".join(cards[:4]), "AA,KK"], "".join(cards[4:8])


#: Players and board of some cards.
KINDS = {"two known hands": hands, "a hand and a range on a turn": ranges}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


def requests(kind: str, port: int, seed: int) -> list[bytes]:
    """Requests as they are sent."""
    rng = random.Random(seed)
    found = []
    for _ in range(QUESTIONS):
        players, board = KINDS[kind](rng.sample(NAMES, 8))
        body = json.dumps({"players": players, "board": board}).encode()
        head = (
            f"POST /api/odds HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        found.append(head.encode() + body)
    return found


async def ask(kind: str, port: int, seed: int, end: float) -> int:
    """Answers that one client gets, one after the other over one connection."""
    asked, done = requests(kind, port, seed), 0
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < end:
        writer.write(asked[done % QUESTIONS])
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200"), head
        length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
        done += 1
    writer.close()
    return done


async def ask_together(kind: str, port: int, clients: int) -> float:
    """Answers per second of all clients."""
    start = time.perf_counter()
    each = [ask(kind, port, seed, start + SECONDS) for seed in range(clients)]
    return sum(await asyncio.gather(*each)) / (time.perf_counter() - start)


@pytest.mark.parametrize("clients", [1, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_answers(measuring: Measuring, server: Server, kind: str, clients: int) -> None:
    asyncio.run(ask_together(kind, server.port, clients))
    players, board = KINDS[kind](NAMES[:8])
    words = ["odds", *players, "-b", board, "--json"]
    sides = {
        OURS: lambda _: asyncio.run(ask_together(kind, server.port, clients)),
        "a process each": lambda _: 1 / child("-m", "equity", *words)["seconds"],
    }
    measuring.take("server", (kind, clients), sides, "/s")
