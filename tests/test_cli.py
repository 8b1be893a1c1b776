"""The command, end to end through its entry point."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import Run

import equity
from equity.kernels.registry import KERNELS
from equity.ranges import ordering_names
from equity.rules import tables
from equity.rules.cards import format_hand
from equity.rules.games import GAMES, find_game

GAME_NAMES = [game.name for game in GAMES]


def hands_of(game: str, players: int = 2) -> list[str]:
    hole = find_game(game).hole
    deck = [card for rank in range(13) for card in range(51 - rank, -1, -13)]
    return [format_hand(deck[at * hole : (at + 1) * hole]) for at in range(players)]


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("board", ["", "8d5h3c"])
def test_odds_in_every_game_and_format(run: Run, game: str, board: str) -> None:
    hands = [hand for hand in hands_of(game, 4) if not any(c in hand for c in ("8d", "5h", "3c"))]
    result = equity.odds(hands, game, board).to_dict()
    arguments = ["odds", *hands, "-g", game, "-b", board]
    answer = json.loads(run(*arguments, "--json").stdout)
    assert answer.pop("elapsed") > 0
    del result["elapsed"]
    assert answer == result
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))
    assert [row["equity_exact"] for row in rows] == [
        player["equity_exact"] for player in result["players"]
    ]
    shown = run(*arguments, "--verbose").stdout
    for hand in hands:
        assert hand in shown
    assert f"{result['deals']:,} boards" in shown
    assert shown.isascii()


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("board", ["8d5h3c", "8d5h3c2s", "8d5h3c2sTd"])
def test_evaluate_in_every_game_and_format(run: Run, game: str, board: str) -> None:
    taken = [board[at : at + 2] for at in range(0, len(board), 2)]
    hands = [hand for hand in hands_of(game, 6) if not any(card in hand for card in taken)]
    arguments = ["evaluate", *hands, "-g", game, "-b", board]
    answer = json.loads(run(*arguments, "--json").stdout)
    assert [player["hand"] for player in answer["players"]] == hands
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))
    shown = run(*arguments).stdout
    for player, row in zip(answer["players"], rows, strict=True):
        assert player["high"]["text"] in shown
        assert row["high_value"] == str(player["high"]["value"])
    if len(taken) == 5:
        values = equity.evaluate(hands, board, game=game)
        assert [player["high"]["value"] for player in answer["players"]] == values.high.tolist()
        exact = equity.odds(hands, game, board).equities_exact
        assert [player["part"] for player in answer["players"]] == list(map(str, exact))


def test_evaluate_says_who_wins_what(run: Run) -> None:
    shown = run("evaluate", "-g", "o8", "-b", "Ah2d4h5c6s", "As3s8d7d", "3c4c9h9s").stdout
    assert [line.split() for line in shown.splitlines()] == [
        ["o8", "Omaha", "hi/lo", "board:", "Ah2d4h5c6s"],
        ["1", "As8d7d3s", "wins", "3/4", "of", "the", "pot", "(high", "1/2,", "low", "1/4)"],
        ["high:", "straight,", "eight", "high", "8d7d", "+", "4h5c6s"],
        ["low:", "5-4-3-2-A", "As3s", "+", "2d4h5c"],
        ["2", "9s9h4c3c", "wins", "1/4", "of", "the", "pot", "(high", "0,", "low", "1/4)"],
        ["high:", "straight,", "six", "high", "4c3c", "+", "2d5c6s"],
        ["low:", "5-4-3-2-A", "4c3c", "+", "Ah2d5c"],
    ]


def test_games(run: Run) -> None:
    shown = run("games").stdout
    listed = json.loads(run("games", "--json").stdout)
    assert [entry["name"] for entry in listed] == GAME_NAMES
    rows = list(csv.DictReader(io.StringIO(run("games", "--csv").stdout)))
    for game, row in zip(GAMES, rows, strict=True):
        assert row["aliases"].split() == list(game.aliases)
        assert all(name in shown for name in (game.name, game.title, *game.aliases))
        alias = game.aliases[-1].upper()
        answer = run("odds", *hands_of(game.name), "-g", alias, "--json").stdout
        assert json.loads(answer)["game"] == game.name


def test_spellings_of_cards(run: Run) -> None:
    plain = run("odds", "AsKsQdJd", "9c9d8c8d", "-b", "9h8sKc2h", "--json").stdout
    odd = run(
        "odds", "A♠\ufe0fK♠\ufe0fQ♦J♦", " 9C-9d-8c-8d", "-b", "9h 8s\u00a0KC 2♥", "--json"
    ).stdout
    first, second = json.loads(plain), json.loads(odd)
    first.pop("elapsed"), second.pop("elapsed")
    assert first == second
    assert first["players"][0]["equity_exact"] == "1/10"


def test_dead_cards_leave_the_deck(run: Run) -> None:
    spot = ["odds", "AsKsQdJd", "9c9d8c8d", "-b", "9h8sKc2s", "--json"]
    assert json.loads(run(*spot).stdout)["players"][0]["equity_exact"] == "11/40"
    without = json.loads(run(*spot, "-d", "Ts7s4s").stdout)
    assert (without["deals"], without["dead"]) == (37, "Ts7s4s")
    assert without["players"][0]["equity_exact"] == "8/37"


@pytest.mark.parametrize("board", ["-", ""])
def test_an_empty_board(run: Run, board: str) -> None:
    assert "1,086,008 boards" in run("odds", "AhAsKhKs", "9c8c7d6d", "-b", board).stdout


AA, RUN = "AhAsKhKs", "9c8c7d6d"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds"], ["0 players", "2 or more"]),
        (["odds", AA], ["1 player"]),
        (["odds", AA, RUN, "-g", "holdem"], ["'holdem'", "plo4, o8"]),
        (["odds", AA, "9c8c7d1d"], ["range 2, column 7", "'1'", "no rank"]),
        (["odds", AA, "9\u04418c7d6d"], ["range 2", "U+0441", "looks like 'c'"]),
        (["odds", AA, "9c8c7d"], ["hand 2", "3 cards", "plo4 has 4"]),
        (["odds", AA, "9c8c7d6d5d"], ["hand 2", "5 cards", "plo5 and bigo"]),
        (["odds", AA, "Ah8c7d6d"], ["Ah", "hand 1", "hand 2"]),
        (["odds", AA, "9c9c7d6d"], ["9c", "hand 2 twice", "cards 1 and 2"]),
        (["odds", AA, RUN, "-b", "2c3c4c5c6c7c"], ["board", "6 cards", "at most 5"]),
        (["odds", AA, RUN, "-b", "AhKd2c"], ["Ah", "hand 1", "the board"]),
        (["odds", AA, RUN, "-d", "2c 2c"], ["2c", "the dead cards twice"]),
        (["odds", AA, RUN, "-d", "2?"], ["dead cards", "'?'"]),
        (["odds", AA, "vs", RUN], ["'vs'", "nothing between"]),
        (["odds", AA, RUN, "-b", "Kd", "9h", "4c"], ["hand 3", "'9h'", "-b Kd9h4c"]),
        (["odds", "Ah", "As", "Kh", "Ks"], ["hand 1", "'Ah'", "or in quotes: AhAsKhKs"]),
        (["odds", AA, RUN, "README.md"], ["hand 3", "'README.md'", "name of a file", "'*'"]),
        (["odds", AA, RUN, "--jsno"], ["--jsno", "'equity odds --help'"]),
        (["odds", AA, "-5%"], ["-5", "goes after --"]),
        (["odds", AA, RUN, "-b"], ["-b", "requires an argument"]),
        (["odds", "As,Ks,Qd,Jd", RUN], ["range 1", "AsKsQdJd"]),
        (["odds", "", RUN], ["hand 1", "0 cards"]),
        (["evaluate", AA], ["board", "0 cards", "3 to 5"]),
        (["evaluate", AA, "-b", "2c3c"], ["board", "2 cards", "3 to 5"]),
        (["evaluate", "-b", "2c3c4c"], ["0 players", "1 or more"]),
        (["evaluate", AA, "-b", "Ah3c4c"], ["Ah", "hand 1", "the board"]),
        (["evalute", AA], ["evalute"]),
        (["games", "extra"], ["extra"]),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    run: Run, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    (tmp_path / "README.md").touch()
    done = run(*arguments, cwd=tmp_path, code=2)
    assert done.stdout == ""
    assert done.stderr.isascii()
    # An error in a range has a mark under its text.
    message, *mark = done.stderr.splitlines()
    assert len(mark) in (0, 2)
    assert message.startswith("equity: ")
    for word in words:
        assert word in message


def test_twelve_players_are_too_many(run: Run) -> None:
    hands = [f"{rank}c{rank}d{rank}h{rank}s" for rank in "23456789TJQK"]
    assert "cards for 11 in plo4" in run("odds", *hands, code=2).stderr
    assert run("odds", *hands[:11]).stdout


@pytest.mark.parametrize("words", [["--version", "--verbose"], ["--verbose", "-V"]])
def test_the_version_of_all(run: Run, words: list[str], tmp_path: Path) -> None:
    def facts(folder: Path | str) -> dict[str, str]:
        lines = run(*words, env={"EQUITY_CACHE_DIR": str(folder)}).stdout.splitlines()
        return dict(line.split(maxsplit=1) for line in lines)

    found = facts(tmp_path)
    assert " ".join(found) == "equity Python numpy numba llvmlite processor cache shipped"
    assert found["equity"] == equity.__version__
    assert found["numba"] == version("numba")
    assert found["cache"].startswith(f"{tmp_path}, 0 of ")
    assert facts("off")["cache"].startswith("none, 0 of ")
    cache = os.environ.get("EQUITY_CACHE_DIR")
    if cache:  # where the kernels of these tests are
        count = len(KERNELS)
        assert f" {count} of {count} kernels" in f"{facts(cache)['cache']} {found['shipped']}"


def test_verbose_alone(run: Run) -> None:
    assert "--verbose goes with --version" in run("--verbose", code=2).stderr


def test_version_and_help(run: Run) -> None:
    assert run("--version").stdout == f"equity {equity.__version__}\n"
    help_text = run("--help").stdout
    assert run().stdout == help_text
    assert "\\b" not in help_text
    for command in ("odds", "evaluate", "games", "cache", "data"):
        assert command in help_text
        assert run(command, "--help").stdout.startswith("Usage: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["odds", "--help"],
        ["odds", AA, "9c8c7d1x"],
        ["odds", AA],
        ["odds", "AA", "README.md"],
        ["evaluate", AA, "-b", "2c"],
        ["evaluate", AA, "-b", "2c3c4c"],
        ["games"],
        ["nonsense"],
        # The answer itself comes from stored machine code.
        ["odds", AA, RUN],
        ["odds", AA, RUN, "-g", "o8", "--csv"],
        # Money of known hands too.
        ["odds", AA, RUN, "QcQdJcJd", "--stacks", "3,2,1", "--rake", "5%"],
        ["odds", AA, RUN, "--call", "3", "--pot", "9"],
        ["potlimit", "--pot", "50"],
    ],
)
def test_neither_numba_nor_numpy_is_imported(arguments: list[str]) -> None:
    import subprocess

    equity.odds([AA, RUN])  # so that the kernel is stored
    program = (
        "import sys; sys.argv = ['equity', *sys.argv[1:]]\n"
        "from equity.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "names = ['numba', 'numpy']\n"
        "from equity.kernels.machine import target\n"
        "if target().is_mapped: names.append('llvmlite')\n"
        "print([name for name in names if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_colour_is_for_terminals(command: list[str]) -> None:
    pty = pytest.importorskip("pty")

    def shown(**extra: str) -> str:
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        pid, descriptor = pty.fork()
        if pid == 0:  # pragma: no cover
            os.execve(command[0], [*command, "odds", AA, RUN], {**environment, **extra})
        text = b""
        while True:
            try:
                more = os.read(descriptor, 4096)
            except OSError:
                break
            if not more:
                break
            text += more
        os.waitpid(pid, 0)
        return text.decode()

    assert "\033[" in shown()
    assert "\033[" not in shown(NO_COLOR="1")
    assert "AsAhKsKh" in shown(NO_COLOR="1")


def test_a_reader_that_goes_away(command: list[str]) -> None:
    import subprocess

    with subprocess.Popen(
        [*command, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 1


def test_data_can_be_rebuilt_and_checked(run: Run, tmp_path: Path) -> None:
    written = run("data", "build", "-o", str(tmp_path)).stdout.split()
    assert len(written) == len(tables.TABLES)
    for path in map(Path, written):
        assert path.read_bytes().endswith(tables.memory(path.stem))
    checked = [line.split("  ")[1] for line in run("data", "verify").stdout.splitlines()]
    orderings = [f"{game.name} {name} 1" for game in GAMES for name in ordering_names(game.name)]
    assert checked == [*tables.TABLES, *orderings]
