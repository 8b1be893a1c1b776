"""Questions for every operation, and the commands that ask the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["ACES", "BODIES", "COMMANDS", "HERO", "ODD_VALUES", "RUN", "timeless"]

HANDS = Path(__file__).parent / "histories"
#: A hand of each game.
HERO = {
    "plo4": "AhAsKhKs",
    "o8": "AhAs2h3s",
    "plo5": "AhAsKhKsQd",
    "bigo": "AhAs2h3sKd",
    "plo6": "AhAsKhKsQdJd",
    "plo6-8": "AhAs2h3sKdQd",
}
ACES, RUN = "AhAsKhKs", "9c8c7d6d"
FLOP = "Th7h2c"
QUERY = (
    "select count(flopHandCategory(hero) = flopset) as set "
    "from game='omahahi', hero='KhKd7c2s', villain='*'"
)
_TWO = {"players": [ACES, RUN], "board": FLOP}
_TWO_ARGUMENTS = [ACES, RUN, "-b", FLOP]

#: An operation, a body, and the command line that asks the same, without ``--json``.
COMMANDS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("odds", {"players": [ACES, RUN]}, ["odds", ACES, RUN]),
    ("odds", {**_TWO, "dead": "2s"}, ["odds", *_TWO_ARGUMENTS, "-d", "2s"]),
    (
        "odds",
        {"players": ["AA:xxyy", "10%"], "board": "Kh9h4c2d", "ordering": "6max"},
        ["odds", "AA:xxyy", "10%", "-b", "Kh9h4c2d", "--ordering", "6max"],
    ),
    (
        "odds",
        {"players": [ACES, RUN], "stacks": [100, "60"], "rake": "5%", "cap": 3, "pot": 1.5},
        ["odds", ACES, RUN, "--stacks", "100,60", "--rake", "5%", "--cap", "3", "--pot", "1.5"],
    ),
    (
        "odds",
        {**_TWO, "pot": 150, "call": 50},
        ["odds", *_TWO_ARGUMENTS, "--pot", "150", "--call", "50"],
    ),
    ("odds", {**_TWO, "runs": 2}, ["odds", *_TWO_ARGUMENTS, "--runs", "2"]),
    ("odds", {**_TWO, "board2": "Kc4c3d"}, ["odds", *_TWO_ARGUMENTS, "--board2", "Kc4c3d"]),
    (
        "odds/combos",
        {"players": ["AA:xxyy", "KK:xxyy"], "board": "Kh9h4c2d", "player": 1},
        ["odds", "AA:xxyy", "KK:xxyy", "-b", "Kh9h4c2d", "--by-combo", "1:-"],
    ),
    ("evaluate", {"players": [ACES, RUN], "board": FLOP}, ["evaluate", *_TWO_ARGUMENTS]),
    ("range", {"expression": "TT+!AA", "board": FLOP}, ["range", "TT+!AA", "-b", FLOP]),
    ("range/combos", {"expression": "AhAsKh*"}, ["range", "AhAsKh*", "--list"]),
    ("range/classes", {"expression": "AhAsKh*"}, ["range", "AhAsKh*", "--classes"]),
    (
        "range/texture",
        {"expression": "10%", "board": FLOP, "against": "TT,77"},
        ["range", "10%", "-b", FLOP, "--texture", "--against", "TT,77"],
    ),
    ("rank", {"hands": [ACES, RUN]}, ["rank", ACES, RUN]),
    ("views/streets", _TWO, ["streets", *_TWO_ARGUMENTS]),
    ("views/next", _TWO, ["next", *_TWO_ARGUMENTS]),
    ("views/next", {**_TWO, "two": True}, ["next", *_TWO_ARGUMENTS, "--two"]),
    (
        "views/graph",
        {"players": [ACES, "5%"], "board": FLOP, "best": 3},
        ["graph", ACES, "5%", "-b", FLOP, "--best", "3"],
    ),
    ("views/graph", {**_TWO, "over": "turns"}, ["graph", *_TWO_ARGUMENTS, "--over", "turns"]),
    (
        "views/flops",
        {"players": [ACES], "at_least": "@SET,@NFD", "by": "suits"},
        ["flops", ACES, "--at-least", "@SET,@NFD", "--by", "suits"],
    ),
    (
        "views/flops",
        {"players": [ACES], "board": FLOP, "against": RUN, "levels": [30, 60]},
        ["flops", ACES, "-b", FLOP, "--against", RUN, "--levels", "30,60"],
    ),
    (
        "views/blockers",
        {"players": ["AhKsQdJc", "@FLUSH"], "board": "Th7h2h3d4s", "trials": 200},
        ["blockers", "AhKsQdJc", "@FLUSH", "-b", "Th7h2h3d4s", "--trials", "200"],
    ),
    (
        "potlimit",
        {"pot": 60, "bets": [100, 40], "own": 20},
        ["potlimit", "--pot", "60", "--bets", "100,40", "--in", "20"],
    ),
    ("pql", {"query": QUERY}, ["pql", QUERY]),
    ("games", {}, ["games"]),
]
#: A body for every operation.
BODIES: list[tuple[str, dict[str, Any]]] = [
    *((path, body) for path, body, _ in COMMANDS),
    ("batch", {"text": f"player1,player2,note\n{ACES},{RUN},x\nxx,KK,y\n"}),
    ("batch", {"rows": [{"players": ["AA", "KK"], "board": FLOP}, [ACES, RUN]]}),
    ("report", {"players": [ACES, RUN], "board": FLOP, "title": "Aces"}),
    ("report/batch", {"text": f"player1,player2\n{ACES},{RUN}\n"}),
    ("hands", {"text": sorted(HANDS.glob("*.txt"))[0].read_text()}),
]
#: Values that no question has; none makes one that takes long.
ODD_VALUES: list[Any] = [
    *(None, True, -1, 1.5, "", " ", "\x00", "\ud800", [], {}, [None], ["", ""], "x" * 5_000),
    *(10**30, 1e308, "1e999", "(" * 300, "AA:" * 50 + "KK", "%", "{}", [[]], {"a": 1}),
    *("\u0661", "A\u2660", "no/such/file.csv", "../..", ["\x1b[31m", "AA"], "None"),
]
#: Figures that differ from run to run.
TIMES = {"elapsed", "deals_per_second"}


def timeless(value: Any) -> Any:
    """An object without the times that it took."""
    if isinstance(value, dict):
        return {name: timeless(one) for name, one in value.items() if name not in TIMES}
    return [timeless(one) for one in value] if isinstance(value, list) else value
