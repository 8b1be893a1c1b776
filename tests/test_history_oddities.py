"""What rooms write at times: hands of our own making, and what has to come out."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import hand_writer
import pytest
from test_histories import adds_up, read

import equity
from equity.histories import Hand, HistoryError, Unread
from equity.histories.units import FinerError, units, whole_units

FOLDER = Path(__file__).parent / "histories"


def by_number(name: str) -> tuple[dict[str, Hand], list[Unread]]:
    """The hands of a file by their numbers, and what was not understood."""
    unread: list[Unread] = []
    hands = list(equity.hands(FOLDER / name, report=unread.append))
    assert all(hand.problem or adds_up(hand) for hand in hands)
    return {hand.id: hand for hand in hands}, unread


def test_ggpoker() -> None:
    hands, unread = by_number("ggpoker.txt")
    assert list(hands) == ["OM1", "OM2", "OM3", "OM5"]
    assert unread == []
    assert not any(hand.problem for hand in hands.values())

    thrice = hands["OM1"]
    assert (thrice.runs, thrice.dead, thrice.rake, thrice.fees) == (3, 600, 300, 100)
    assert [player.won for player in thrice.players] == [2733, 5467]
    assert thrice.pots[0].amount == 8600
    found = thrice.all_in()
    assert found is not None
    flop = equity.odds(["AhKhQdJd2c", "TsTd8c7c3s"], "plo5", "Th9h2d")
    assert found.expected == tuple(8200 * part for part in flop.equities_exact)

    cashed = hands["OM2"]
    assert (cashed.players[1].cash_out, cashed.players[1].won) == (6240, 0)
    assert cashed.all_in().street_name == "preflop"  # type: ignore[union-attr]

    double = hands["OM3"]
    assert double.is_double_board
    assert double.runs == 1
    assert double.currency == "USD"
    found = double.all_in()
    assert found is not None
    players = ["AsAcKsKd", "JhTh9c8c"]
    # Each board counts half, and the cards of the other are dead.
    one = equity.odds(players, board="QsJd5c", dead="9h8h2c").equities_exact
    two = equity.odds(players, board="9h8h2c", dead="QsJd5c").equities_exact
    halves = [(a + b) / 2 for a, b in zip(one, two, strict=True)]
    assert found.expected == tuple(11800 * part for part in halves)

    straddled = hands["OM5"]
    assert [player.put_in for player in straddled.players] == [8000, 500, 1000, 2500]
    assert straddled.why == "no all-in"


def test_pokerstars() -> None:
    hands, unread = by_number("pokerstars.txt")
    assert list(hands) == ["11", "12", "13", "16", "17"]
    assert [one.text for one in unread] == ["Bo: dances on the table"]

    names = [player.name for player in hands["11"].players]
    assert names == ["Hero", "a: b", "c collected $5 from pot", "D\u00e9"]
    # A big blind is live and a small blind dead: the raise is to 4.50.
    assert [player.put_in for player in hands["11"].players] == [500, 50, 100, 0]
    assert hands["11"].hero == 0

    court = hands["12"]
    assert court.game is equity.GAMES[3]
    assert court.all_in().board_text == "3s"  # type: ignore[union-attr]
    assert [pot.amount for pot in court.pots] == [630, 2580]
    assert [pot.members for pot in court.pots] == [(0, 1, 2), (0, 2)]
    side = equity.odds(["As2sKdKc9h", "Ad4d5cQcQs"], "bigo", "3s", "2h4c6h7hAh")
    assert court.all_in().pots[1].equities == side.equities_exact  # type: ignore[union-attr]
    assert court.currency == ""

    cancelled = hands["13"]
    assert [player.returned for player in cancelled.players] == [50, 100]
    assert cancelled.problem == ""

    assert "do not add up: 16 put in" not in hands["16"].problem
    assert hands["16"].problem.startswith(
        "the chips do not add up: 11 put in, 5 returned, 5.75 won"
    )
    assert hands["16"].why == "set aside"

    # One ante for the whole table is dead money: nobody has to call it.
    ante = hands["17"]
    assert [player.put_in for player in ante.players] == [800, 100, 1000]
    assert [pot.amount for pot in ante.pots] == [1900]
    assert ante.why == ""


SEATS = """PokerStars Hand #1:  Omaha Pot Limit ($0.50/$1.00 USD) - 2013/03/29 3:47:12 ET
Seat 1: Hero ($20 in chips)
Seat 2: Bo ($30 in chips)
Hero: posts small blind $0.50
Bo: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [As Ac Ks Kd]
"""


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("Hero: raises $19 to $20 and is all-in\nBo: folds", "no all-in"),
        (
            "Hero: calls $0.50\nBo: checks\n*** FLOP *** [2s 3s 4s]\nBo: checks\nHero: checks\n"
            "*** TURN *** [2s 3s 4s] [5d]\nBo: checks\nHero: checks\n"
            "*** RIVER *** [2s 3s 4s 5d] [6d]\nBo: bets $29 and is all-in\n"
            "Hero: calls $19 and is all-in\nBo: shows [Qs Qh Qd Qc]",
            "river",
        ),
        ("Hero: raises $19 to $20 and is all-in\nBo: calls $19", "a live hand was not shown"),
        (
            "Hero: raises $19 to $20 and is all-in\nBo: calls $19\nBo: shows [Qs Qh]",
            "a live hand was not shown",
        ),
        ("Hero: raises $19 to $20 and is all-in\nBo: calls $19\nBo: shows [Qs Qh Qd Qc]", ""),
        (
            "Hero: calls $0.50\nBo: checks\n*** FLOP *** [2s 3s]\n"
            "Bo: bets $29 and is all-in\nHero: calls $19 and is all-in\nBo: shows [Qs Qh Qd Qc]",
            "a board card is not told",
        ),
        (
            "Hero: raises $19 to $20 and is all-in\nBo: calls $19\nBo: shows [As Qh Qd Qc]",
            "set aside",
        ),
    ],
)
def test_why_a_hand_is_not_adjusted(lines: str, why: str) -> None:
    pot = 40 if "calls $19" in lines else 2
    back = ""
    if "folds" in lines:
        back = "Uncalled bet ($19) returned to Hero\n"
    elif "bets $29" in lines:
        back = "Uncalled bet ($10) returned to Bo\n"
    text = (
        f"{SEATS}{lines}\n{back}Hero collected ${pot} from pot\n*** SUMMARY ***\n"
        f"Total pot ${pot} | Rake $0\n"
    )
    (hand,), _ = read(text)
    assert hand.why == why
    assert (hand.all_in() is None) == bool(why)
    if not hand.problem:
        assert sum(map(hand.expected, (0, 1))) == pot * hand.unit


def test_uncalled_bets_that_are_not_printed() -> None:
    lines = f"{SEATS}Hero: raises $2 to $3\nBo: folds\n"
    for won, pot in (("$2", "$2"), ("$4", "$4"), ("$2", "$4")):
        (hand,), _ = read(
            f"{lines}Hero collected {won} from pot\n*** SUMMARY ***\nTotal pot {pot} | Rake $0\n"
        )
        assert hand.problem == ""
        assert [(one.put_in, one.returned, one.won) for one in hand.players] == [
            (300, 200, 200),
            (100, 0, 0),
        ]


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("$1,234.50", 100, 123450),
        ("1234", 1, 1234),
        ("\u20ac0.5", 100, 50),
        ("0,50\u20ac", 100, 50),
        ("US$12", 100, 1200),
        ("1.00", 1, 1),
        ("\u20b91,23,456", 100, None),
        ("$1,2345", 100, None),
        ("$-5", 100, None),
        ("\u0661", 100, 100),
        ("1e5", 100, None),
        ("", 100, None),
        ("9" * 40, 100, None),
    ],
)
def test_amounts(text: str, unit: int, amount: int | None) -> None:
    if amount is None:
        with pytest.raises(ValueError, match=r".*"):
            units(text, unit)
    else:
        assert units(text, unit) == amount


def test_fine_amounts() -> None:
    with pytest.raises(FinerError) as raised:
        units("0.005", 100)
    assert raised.value.unit == 10**4
    assert units("0.005", 10**4) == 50
    with pytest.raises(FinerError) as raised:
        whole_units(0.00000001, 100)
    assert raised.value.unit == 10**8
    assert whole_units(0.1 + 0.2, 100) == 30
    wrongs: tuple[object, ...] = (True, None, [], "x", float("nan"), -1, 10**20)
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r".*"):
            whole_units(wrong, 100)
    text = SEATS.replace("$0.50", "$0.005").replace("posts big blind $1", "posts big blind $0.01")
    (hand,), unread = read(
        f"{text}Hero: folds\nUncalled bet ($0.005) returned to Bo\n"
        "Bo collected $0.01 from pot\n*** SUMMARY ***\nTotal pot $0.01 | Rake $0\n"
    )
    assert unread == []
    assert hand.problem == ""
    assert hand.unit == 10**4
    assert hand.amount(hand.players[0].put_in) == Fraction(5, 1000)


def test_who_cashes_out_and_wins() -> None:
    text = (FOLDER / "ggpoker.txt").read_text()
    text = text[text.index("Poker Hand #OM2") : text.index("Poker Hand #OM3")]
    text = text.replace("Bo: Chooses", "Hero: Chooses")
    text = text.replace("Bo: Receives Cashout ($62.4)", "Hero: Pays Cashout Risk ($74)")
    (hand,), unread = read(text)
    assert unread == []
    assert hand.problem == ""
    assert [(one.won, one.cash_out) for one in hand.players[:2]] == [(17800, 10400), (0, None)]


def test_players_of_one_name() -> None:
    hand = next(hand for seed in range(99) if (hand := hand_writer.play("plo4", seed)).is_all_in)
    text = hand_writer.ohh(hand).replace('"Hero"', f'"{hand.names[1]}"', 1)
    (found,), _ = read(text)
    assert found.problem == ""
    assert [player.name for player in found.players[:2]] == [
        f"{hand.names[1]} (seat {seat})" for seat in (1, 2)
    ]


def test_a_pattern_of_names(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.csv"):
        (tmp_path / name).write_text((FOLDER / "ggpoker.txt").read_text())
    assert len(list(equity.hands(tmp_path / "*.txt"))) == 8


def test_paths_that_are_none(tmp_path: Path) -> None:
    for wrong in (tmp_path / "nothing.txt", tmp_path, 5, [5], None):
        with pytest.raises(HistoryError):
            list(equity.hands(wrong))  # type: ignore[arg-type]
    (tmp_path / "a.txt").write_text("This is no hand.\nAnd this neither.\n")
    unread: list[Unread] = []
    assert list(equity.hands(tmp_path, report=unread.append)) == []
    assert [(one.line, one.text) for one in unread] == [(1, "This is no hand.")]


@pytest.mark.parametrize(
    "text",
    [
        '{"ohh": 5}',
        '{"ohh": {}}',
        '{"ohh": {"game_type": "Omaha", "players": [{}]}}',
        '{"ohh": {"game_type": "Omaha", "players": 5}}',
        '{"ohh": {"game_type": "Omaha", "players": [], "rounds": [], "pots": []}}',
        '{"a": 1}',
        "[1, 2]",
        "{",
        "[" * 10_000,
        "variant = 'PO'",
        "variant = 5",
        "variant = 'PO'\nantes = [0]\nblinds_or_straddles = [1]\nstarting_stacks = [5]\n"
        "actions = []",
        "variant = 'PO'\nantes = 5",
        "a = 1",
        "[1]",
        "[1]\nvariant = [",
    ],
)
def test_what_only_looks_like_a_hand(text: str) -> None:
    found, unread = read(text)
    assert unread or all(hand.problem for hand in found)
    assert all(hand.problem for hand in found)
