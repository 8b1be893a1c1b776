"""Spots on which other programs went wrong, from the folder EQUITY_REFERENCE.

Without that folder there is nothing to compare with, and no test here.
"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import equity
from equity.engine.showdown import made_hand
from equity.rules.cards import format_cards, parse_cards
from equity.rules.games import find_game

CATEGORIES = {
    "trips": "three of a kind",
    "quads": "four of a kind",
}


def cases() -> list[dict[str, Any]]:
    folder = os.environ.get("EQUITY_REFERENCE")
    if not folder:
        return []
    text = Path(folder, "oracles", "cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def with_equities(case: dict[str, Any]) -> bool:
    given, expected = case["input"], case["expected"]
    return "hands" in given and isinstance(expected, dict) and "equity" in expected


def with_values(case: dict[str, Any]) -> bool:
    return isinstance(case["expected"], dict) and "eval" in case["expected"]


EQUITIES = [case for case in cases() if with_equities(case)]
VALUES = [case for case in cases() if with_values(case)]

if EQUITIES:

    @pytest.mark.parametrize("case", EQUITIES, ids=lambda case: case["id"])
    def test_equities(case: dict[str, Any]) -> None:
        given, expected = case["input"], case["expected"]
        result = equity.odds(
            given["hands"], given.get("variant", "plo4"), given["board"], given.get("dead", "")
        )
        assert result.equities_exact == tuple(map(Fraction, expected["equity"]))
        if "total" in expected:
            assert result.deals == expected["total"]
        players = result.players
        if "hi_wins" in expected:
            assert [player.high.win_count for player in players] == expected["hi_wins"]
            assert [player.high.tie_count for player in players] == expected["hi_ties"]
        if "scoops" in expected:
            assert [player.outcomes.get("1", 0) for player in players] == expected["scoops"]
            assert result.no_low == expected["no_low"]
            lows = [player.low for player in players if player.low]
            assert [low.equity_exact for low in lows] == list(map(Fraction, expected["lo_equity"]))


if VALUES:

    @pytest.mark.parametrize("case", VALUES, ids=lambda case: case["id"])
    def test_made_hands(case: dict[str, Any]) -> None:
        game = find_game(case["input"].get("variant", "plo4"))
        board = parse_cards(case["input"]["board"])
        for text, expected in case["expected"]["eval"].items():
            made = made_hand(parse_cards(text), board, game.low)
            known = expected["high"]["category"]
            words = equity.describe(equity.evaluate(text, case["input"]["board"], game).high[0])
            assert words.startswith(CATEGORIES.get(known, known))
            five = format_cards(made.high_cards)
            assert five[:4] in ("".join(pair) for pair in pairs(text))
            if game.low:
                low = expected.get("low")
                assert made.low == (tuple(low) if low else None)


def pairs(hand: str) -> list[tuple[str, str]]:
    """All ordered pairs of the cards of a hand, as text."""
    cards = [hand[at : at + 2] for at in range(0, len(hand), 2)]
    return [(one, two) for one in cards for two in cards if one != two]
