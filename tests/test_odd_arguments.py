"""Objects of wrong types as arguments of every public function: an EquityError, no other."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run

import equity

HANDS = ["AhAsKhKs", "9c8c7d6d"]
BOARD = "2c3d7hJsTd"
TURN = BOARD[:8]


class Odd:
    """An object whose text and truth fail."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


#: By what they are, for the name of a test.
ODD: dict[str, Any] = {
    "none": None,
    "true": True,
    "negative": -1,
    "zero": 0,
    "huge": 10**5_000,
    "large": 1 << 70,
    "float": 0.5,
    "nan": float("nan"),
    "inf": float("inf"),
    "complex": 1j,
    "decimal": Decimal("1e-10000000"),
    "signalling": Decimal("sNaN"),
    "fraction": Fraction(1, 10**5_000),
    "numpy": np.int64(-5),
    "array": np.array([[1.5, 2.5]]),
    "objects": np.array([None, "x"], object),
    "empty": "",
    "space": "  ",
    "abc": "abc",
    "nul": "Ah\0",
    "surrogate": "\udcff",
    "digits": "\u0661\u0662",
    "long": "9" * 5_000,
    "bytes": b"AhAsKhKs",
    "list": [],
    "nested": [[[]]],
    "nones": [None, None],
    "dict": {"a": 1},
    "set": {1, 2},
    "type": int,
    "function": len,
    "object": object(),
    "odd": Odd(),
    "path": Path("nothing/here"),
    "generator": range(3),
}


def view() -> Any:
    """A view that is found at once."""
    return equity.next_cards(HANDS, board=TURN)


#: Of each public function arguments that are right.
CALLS: dict[str, dict[str, Any]] = {
    "How": {},
    "Range": {"text": "AA"},
    "all_in": {"players": HANDS, "board": BOARD, "stacks": [100, 60]},
    "batch": {"spots": [{"players": HANDS, "board": BOARD}]},
    "blockers": {"players": [HANDS[0], "99:9c9d"], "board": BOARD},
    "describe": {"values": 5},
    "evaluate": {"hands": HANDS, "boards": BOARD},
    "flops": {"hands": HANDS[0], "board": TURN},
    "graph": {"players": [HANDS[0], "99"], "board": BOARD},
    "hands": {"paths": "nothing"},
    "html_report": {"players": HANDS, "board": BOARD},
    "next_cards": {"players": HANDS, "board": TURN},
    "odds": {"players": HANDS, "board": BOARD},
    "odds_many": {"hands": [HANDS], "boards": [BOARD]},
    "plot": {},
    "pot_limit": {"pot": 10},
    "pot_odds": {"players": HANDS, "board": BOARD, "call": 5, "pot": 10},
    "pql": {
        "text": "select count(pocketPair(a)) from game='plo', board='Ks9d8c4h2s', a='AhAsKhKd'"
    },
    "rank": {"hand": HANDS[0]},
    "read_ordering": {"path": "nothing"},
    "streets": {"players": HANDS, "board": BOARD[:6]},
    "texture": {"hands": "TT,77", "board": BOARD},
    "two_boards": {"players": HANDS, "board": BOARD, "board2": "4c4d4h5s5c"},
    "two_cards": {"players": HANDS, "board": "2c3d7h"},
}
#: What is made by the package, to be read: its classes take what they are given.
MADE = {
    *(
        "AllIn",
        "Answer",
        "Answers",
        "Blockers",
        "Breakdown",
        "Double",
        "Flops",
        "Game",
        "Graph",
        "Hand",
        "Listing",
        "ManyOdds",
        "Money",
        "NextCards",
        "Notice",
        "Ordering",
        "PlayerResult",
        "PotLimit",
        "PotOdds",
        "Progress",
    ),
    *(
        "RangeClass",
        "Rank",
        "Result",
        "Share",
        "Standing",
        "Streets",
        "TwoCards",
        "Unread",
        "Values",
    ),
}


def parameters() -> list[tuple[str, str]]:
    """The name of every public function with that of each of its parameters."""
    return [
        (name, parameter)
        for name in CALLS
        for parameter in inspect.signature(getattr(equity, name)).parameters
    ]


def test_every_public_function_is_asked() -> None:
    public = {
        name
        for name in equity.__all__
        if callable(found := getattr(equity, name))
        and not (isinstance(found, type) and issubclass(found, Exception))
    }
    assert public - MADE == set(CALLS)


def check(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Call a function, which answers or raises an EquityError of one line."""
    try:
        answer = function(**arguments)
        if inspect.isgenerator(answer):
            list(answer)
    except equity.EquityError as error:
        text = str(error)
        assert text.strip()
        assert "\n" not in text
        assert len(text) < 2_000


@pytest.mark.parametrize(("name", "parameter"), parameters())
def test_objects_of_wrong_types(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base = dict(CALLS[name])
    if name == "plot":
        base = {"view": view(), "target": tmp_path / "picture.png"}
    wrong = {}
    for kind, value in ODD.items():
        try:
            check(getattr(equity, name), base | {parameter: value})
        except Exception as error:
            wrong[kind] = f"{type(error).__name__}: {error}"
    assert wrong == {}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: equity.odds(None), "None"),  # type: ignore[arg-type]
        (lambda: equity.odds(HANDS, trials="abc"), "trials: 'abc' is no whole number"),  # type: ignore[arg-type]
        (lambda: equity.odds(HANDS, seed=-1), "seed: -1 is too small; it is 0 or above"),
        (lambda: equity.How(seed=1 << 64), "seed: 18446744073709551616 is too large"),
        (lambda: equity.How(exact="yes"), "exact: 'yes' is neither True nor False"),  # type: ignore[arg-type]
        (lambda: equity.How(error="5%"), "error: '5%' is no number"),  # type: ignore[arg-type]
        (lambda: equity.How(threads=0), "threads: 0 is too small; it is above 0"),
        (lambda: equity.How(progress=5), "progress: 5 cannot be called"),  # type: ignore[arg-type]
        (lambda: equity.How(executor=5), "executor: 5 is no executor"),  # type: ignore[arg-type]
        (
            lambda: equity.all_in(HANDS, stacks=[1, 1], how={"seed": 1}),  # type: ignore[arg-type]
            "how: {'seed': 1} is no equity.How",
        ),
    ],
)
def test_what_an_error_says(call: Callable[[], object], said: str) -> None:
    with pytest.raises(equity.EquityError) as raised:
        call()
    assert said in str(raised.value)


def test_numbers_of_numpy_are_numbers() -> None:
    how = equity.How(trials=np.int64(5), seed=np.uint8(3), budget=np.float32(0.5), exact=np.False_)  # type: ignore[arg-type]
    assert how == equity.How(trials=5, seed=3, budget=0.5)
    assert type(how.trials) is int
    assert equity.pot_limit(np.int64(50), [np.int32(10), 10]).raise_to == 90  # type: ignore[arg-type, list-item]


@pytest.mark.parametrize(
    "arguments",
    [
        ["odds", "AA", "KK", "--seed", "-1"],
        ["odds", *HANDS, "--runs", "2", "--seed", "-1"],
        ["graph", HANDS[0], "10%", "--seed", "-1"],
        ["next", *HANDS, "-b", TURN, "--seed", "-1"],
        ["odds", *HANDS, "--trials", str(1 << 70)],
        ["odds", *HANDS, "--stacks", f"{'9' * 5_000},1"],
    ],
)
def test_options_out_of_bounds(run: Run, arguments: list[str]) -> None:
    done = run(*arguments, code=2)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
