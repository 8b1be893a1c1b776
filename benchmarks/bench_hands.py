"""Hand histories: hands per second, from text to the equities of each pot."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import equity
from benchmarks import peers
from benchmarks.measuring import OURS, Measuring

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import hand_writer

HANDS = 2_000
FORMATS = {"PokerStars text": "stars", "GGPoker text": "ggpoker", "OHH": "ohh", "PHH": "phh"}


@pytest.mark.parametrize("form", FORMATS)
def test_hands(measuring: Measuring, their: list[peers.Peer], form: str, tmp_path: Path) -> None:
    _, write, _, _ = hand_writer.FORMATS[FORMATS[form]]
    games = list(hand_writer.GAMES)
    texts = [write(hand_writer.play(games[seed % 6], seed)) for seed in range(HANDS)]
    path = tmp_path / "hands.txt"
    is_phh = form == "PHH"
    path.write_text(
        "".join(f"[{at}]\n{text}" if is_phh else text for at, text in enumerate(texts)),
        encoding="utf-8",
    )

    def ours(_: int) -> float:
        start = time.process_time()
        read = sum(bool(hand.expected(0) or True) for hand in equity.hands(path))
        assert read == HANDS
        return HANDS / (time.process_time() - start)

    sides: dict[str, Callable[[int], float]] = {OURS: ours}
    if is_phh and "pokerkit" in {peer.name for peer in their}:
        sides["pokerkit"] = lambda _: played(texts)
    measuring.take("hands", (form, f"{HANDS:,}"), sides, "/s")


def played(texts: list[str]) -> float:
    """Hands per second that pokerkit reads and plays; it has four-card hands alone."""
    from pokerkit import HandHistory

    some = [text for text in texts[:300] if "FO/8" not in text]
    start = time.process_time()
    done = 0
    for text in some:
        try:
            for _ in HandHistory.loads(text):
                pass
        except ValueError:
            continue
        done += 1
    return done / (time.process_time() - start)
