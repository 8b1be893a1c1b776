"""Hand histories against hands played by the book, in every format."""

from __future__ import annotations

import json
import os
import random
from fractions import Fraction
from functools import cache
from math import ceil, floor
from pathlib import Path

import hand_writer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equity
from equity.histories import Hand, Unread
from equity.histories.reading import files_of, read_hands, read_lines
from equity.histories.source import Source

REFERENCE = os.environ.get("EQUITY_REFERENCE")
FORMATS = hand_writer.FORMATS


def read(text: str) -> tuple[list[Hand], list[Unread]]:
    """The hands of a text, and what of it was not understood."""
    unread: list[Unread] = []
    source = Source("a.txt", text.splitlines(), unread.append)
    return list(read_lines(source)), unread


def adds_up(hand: Hand) -> bool:
    """Whether all chips of a hand are accounted for."""
    put_in = sum(player.put_in for player in hand.players) + hand.dead
    out = sum(player.returned + player.won for player in hand.players)
    pots = sum(pot.amount for pot in hand.pots)
    taken = sum((pot.taken for pot in hand.pots), Fraction(0))
    is_cancelled = not hand.pots and not any(player.won for player in hand.players)
    return put_in == out + hand.rake + hand.fees and (
        is_cancelled
        or (
            pots == put_in - sum(player.returned for player in hand.players)
            and taken == hand.rake + hand.fees
        )
    )


@cache
def played(game: str, seed: int, runs: int, tight: bool) -> hand_writer.Played:
    return hand_writer.play(game, seed, tight=tight, runs=runs)


@given(
    st.sampled_from(sorted(hand_writer.GAMES)),
    st.integers(0, 10**6),
    st.sampled_from(sorted(FORMATS)),
    st.integers(1, 3),
    st.booleans(),
)
@settings(max_examples=150)
def test_hands_are_read_as_they_were_played(
    game: str, seed: int, form: str, runs: int, tight: bool
) -> None:
    _, write, by_pot, several = FORMATS[form]
    hand = hand_writer.play(game, seed, tight=tight, runs=runs if several else 1)
    (found,), unread = read(write(hand))
    assert unread == [], write(hand)
    assert found.problem == "", write(hand)
    assert adds_up(found)
    assert found.game is not None
    # Hands of 5 and 6 cards are known by their cards, where any are.
    assert found.game.name == game
    assert [player.name for player in found.players] == hand.names
    unit = Fraction(found.unit, 100)
    for at, player in enumerate(found.players):
        back = hand.returned[1] if hand.returned[0] == at else 0
        assert player.put_in == hand.put_in[at] * unit
        assert player.returned == back * unit
        assert player.won == hand.won[at] * unit
        assert player.has_folded == (at in hand.folded)
    assert found.rake == hand.rake * unit
    assert [pot.amount for pot in found.pots] == [amount * unit for amount, *_ in hand.pots]
    assert [list(pot.members) for pot in found.pots] == [members for _, members, _ in hand.pots]
    if by_pot:
        assert [pot.taken for pot in found.pots] == [rake * unit for *_, rake in hand.pots]
    assert found.boards == hand.boards
    assert found.runs == len(hand.boards)
    all_in = found.all_in()
    assert (all_in is not None) == hand.is_all_in
    if all_in is not None:
        assert found.why == ""
        assert all_in.street == hand.street
        assert sum(all_in.expected) == sum(player.won for player in found.players)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("game", hand_writer.GAMES)
def test_equities_are_those_of_all_runouts(form: str, game: str) -> None:
    _, write, by_pot, _ = FORMATS[form]
    rng = random.Random(f"{form} {game}")
    seen: set[tuple[int, int]] = set()
    while len(seen) < 3:
        hand = hand_writer.play(game, rng.randrange(10**6), tight=rng.random() < 0.3)
        # Runouts of flops are many for a referee that is slow.
        if not hand.is_all_in or hand.street != 2:
            continue
        (found,), _ = read(write(hand))
        unit = Fraction(found.unit, 100)
        assert [found.expected(at) for at in range(len(hand.names))] == [
            part * unit for part in hand.expected(by_pot)
        ]
        seen.add((len(hand.live), len(hand.pots)))
        if len(seen) > 1 and rng.random() < 0.5:
            break


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_equities_from_the_flop_on(game: str) -> None:
    hand = next(
        hand
        for seed in range(10**6)
        if (hand := hand_writer.play(game, seed)).is_all_in and hand.street == 1
    )
    (found,), _ = read(hand_writer.stars(hand))
    assert [found.expected(at) for at in range(len(hand.names))] == hand.expected(True)


def test_every_kind_of_hand_is_among_the_random_ones() -> None:
    """The tests above would pass if all hands were alike."""
    hands = [hand_writer.play("plo4", seed, runs=2) for seed in range(400)]
    assert {len(hand.pots) for hand in hands} >= {1, 2, 3}
    assert {hand.street for hand in hands if hand.is_all_in} == {0, 1, 2}
    assert any(hand.returned[1] for hand in hands)
    assert any(0 in hand.folded and hand.is_all_in for hand in hands)
    assert any(hand.ante and len(hand.boards) > 1 for hand in hands)


def test_other_ways_to_write_the_same() -> None:
    for seed in range(60):
        hand = hand_writer.play("plo4", seed)
        facts = None
        texts = [
            hand_writer.ohh(hand),
            hand_writer.ohh(hand, totals=True),
            hand_writer.ohh(hand, indent=None),
            "[" + hand_writer.ohh(hand) + "]",
        ]
        for text in texts:
            (found,), unread = read(text)
            assert unread == []
            # Whether an uncalled raise is a total or added, the format does not tell.
            mine = [(one.put_in - one.returned, one.won) for one in found.players], found.rake
            facts = facts or mine
            assert mine == facts
    # Without an outcome a hand is played to the end.
    for seed in range(200):
        hand = hand_writer.play("o8", seed)
        if hand.rake:
            continue
        (found,), _ = read(hand_writer.phh(hand, told=False))
        assert found.problem == ""
        assert sum(player.won for player in found.players) == sum(hand.won) * found.unit // 100


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_encodings_and_ends_of_lines(tmp_path: Path, end: str, encoding: str) -> None:
    hands = [hand_writer.play("plo4", seed) for seed in range(30)]
    path = tmp_path / "a.txt"
    text = "".join(map(hand_writer.stars, hands)).replace("\n", end)
    path.write_bytes(text.encode(encoding))
    unread: list[Unread] = []
    found = list(equity.hands(path, report=unread.append))
    assert unread == []
    assert [[one.name for one in hand.players] for hand in found] == [one.names for one in hands]
    assert not any(hand.problem for hand in found)


def test_files_that_hold_several_formats(tmp_path: Path) -> None:
    hands = [hand_writer.play("bigo", seed) for seed in range(20)]
    text = "".join([*FORMATS.values()][at % 3][1](hand) for at, hand in enumerate(hands))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "mixed.txt").write_text(text, encoding="utf-8")
    (tmp_path / "hands.phhs").write_text(
        "".join(f"[{at}]\n{hand_writer.phh(hand)}" for at, hand in enumerate(hands)),
        encoding="utf-8",
    )
    found = list(equity.hands(tmp_path))
    assert [hand.id.removeprefix("OM") for hand in found] == [hand.number for hand in hands] * 2
    assert not any(hand.problem for hand in found)


def _damaged(rng: random.Random, text: str) -> str:
    """A text that is cut, shuffled, changed or overwritten in some place."""
    lines = text.split("\n")
    kind = rng.randrange(6)
    if kind == 0:
        return text[: rng.randrange(len(text))]
    if kind == 1:
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == 2:
        del lines[rng.randrange(len(lines))]
    elif kind == 3:
        at = rng.randrange(len(text))
        digits = [place for place, sign in enumerate(text) if sign.isdigit()]
        at = rng.choice(digits or [0])
        return text[:at] + str(rng.randrange(10)) * rng.randrange(1, 3) + text[at + 1 :]
    elif kind == 4:
        at = rng.randrange(len(text))
        noise = rng.choice(
            ("\0", "[", "]", "{", "}", '"', "=", "\u0661", "-", "9" * 400, "\n", "$")
        )
        return text[:at] + noise + text[at + rng.randrange(3) :]
    else:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return "\n".join(lines)


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_files(form: str) -> None:
    """No error but of the hand, and no amount that does not add up."""
    _, write, _, several = FORMATS[form]
    rng = random.Random(form)
    aside = right = 0
    for seed in range(500):
        game = rng.choice(sorted(hand_writer.GAMES))
        text = write(hand_writer.play(game, seed, runs=2 if several else 1))
        for _ in range(rng.randrange(1, 3)):
            text = _damaged(rng, text) or " "
        found, unread = read(text)
        aside += not found and bool(unread)
        for hand in found:
            if hand.game is None:
                continue
            if hand.problem:
                aside += 1
                assert hand.all_in() is None
                continue
            right += 1
            assert adds_up(hand), text
            assert all(
                player.stack is None or player.returned <= player.put_in <= player.stack
                for player in hand.players
            )
            assert hand.why or sum(hand.all_in().expected) == sum(  # type: ignore[union-attr]
                player.won for player in hand.players
            )
    assert aside > 50
    assert right > 50


def test_random_bytes(tmp_path: Path) -> None:
    rng = random.Random(5)
    good = hand_writer.stars(hand_writer.play("plo4", 1)).encode()
    for number in range(40):
        noise = bytes(rng.choices(range(256), k=rng.randrange(1, 3000)))
        at = rng.randrange(len(good))
        path = tmp_path / f"{number}.txt"
        path.write_bytes(rng.choice((noise, good[:at] + noise + good[at:], noise + good)))
    unread: list[Unread] = []
    for hand in read_hands(files_of([tmp_path]), unread.append):
        assert hand.problem or adds_up(hand)
    assert all(one.line > 0 and one.file for one in unread)


@pytest.mark.skipif(not REFERENCE, reason="EQUITY_REFERENCE names no folder")
def test_hands_of_rooms() -> None:
    folder = Path(str(REFERENCE)) / "reference" / "hands"
    unread: list[Unread] = []
    hands = list(read_hands(files_of([folder]), unread.append))
    aside = [hand for hand in hands if hand.game and hand.problem]
    assert len(hands) == 235
    assert [hand.title for hand in hands if hand.game is None] == ["Hold'em"]
    # Two hands break off; nothing else is not understood, and every other adds up.
    assert {hand.id for hand in aside} == {"67126572498", "21289562092"}
    assert len(unread) == 2
    cashed = 0
    for hand in hands:
        if hand.game is None or hand.problem:
            continue
        assert adds_up(hand)
        for at, player in enumerate(hand.players):
            if player.cash_out is not None:
                cashed += 1
                all_in = hand.all_in()
                assert all_in is not None
                parts = [
                    part
                    for pot in all_in.pots
                    for member, part in zip(pot.pot.members, pot.expected, strict=True)
                    if member == at
                ]
                # The room rounds each pot, in a way that hands out all cents.
                paid = player.cash_out + player.cash_out_fee
                assert sum(map(floor, parts)) <= paid <= sum(map(ceil, parts))
    assert cashed == 3


@pytest.mark.skipif(not REFERENCE, reason="EQUITY_REFERENCE names no folder")
def test_facts_of_hands_of_rooms() -> None:
    """Rows that were checked by hand: what is special about each file."""
    folder = Path(str(REFERENCE)) / "reference" / "hands"
    hands = {hand.id: hand for hand in equity.hands(folder)}
    # Splash money, two runs of which the second is quartered, a missing card, a second board.
    assert hands["5922040572"].dead == 500
    assert hands["5922040572"].players[3].won == 14384
    courchevel = hands["6561856975"]
    assert (courchevel.game.name, courchevel.runs) == ("bigo", 2)  # type: ignore[union-attr]
    assert [one.won for one in courchevel.players] == [10187, 6113]
    assert hands["3803567517"].all_in().board_text == "3cJd6dJh"  # type: ignore[union-attr]
    assert hands["9670055752"].game.name == "plo5"  # type: ignore[union-attr]
    assert hands["4173072973"].players[1].put_in == 18988
    assert json.dumps([one.won for one in hands["32233391380"].players]).count("1213") == 1
