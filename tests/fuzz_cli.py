"""Random options of every command, in all games and formats.

``python tests/fuzz_cli.py [MINUTES] [SEED]`` runs the command in this process with
arguments made from its own options, and prints what it must not do: exit with other
codes than 0, 1, 2 and 130, show a traceback or a defect, print broken JSON or CSV, or
several lines for one error, or take long.  A short form is in the suite.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import hand_writer

from equity.rules.cards import format_hand
from equity.rules.games import GAMES

__all__ = ["Fuzz", "leaves"]

CODES = (0, 1, 2, 130)
#: Seconds that a run may take.
MOST_SECONDS = 30.0
#: Commands that rebuild files of the package, write for minutes, or serve until they are ended.
VIEWS = ("streets", "next", "graph", "blockers")
LEFT_OUT = {
    ("serve",),
    ("data", "build"),
    ("data", "verify"),
    ("data", "ordering"),
    ("cache", "clear"),
}

ODD = (
    *("", " ", "-", "--", "-1", "0", "1e999", "-1e999", "nan", "inf", "0.0", "1e-300", "0x10"),
    *(
        "9" * 5_000,
        "1" * 30,
        "\u0661\u0662",
        "\uff11",
        "\udcff",
        "\udcc3(",
        "a\nb",
        "\t",
        "None",
    ),
    *("true", "1,5", "1_000", "%", "%s", "{}", "(" * 300, "AA," * 400, "!", "*", "a" * 10_000),
    # No name of a file outside of the folder: some options write and replace files.
    *(".", "no/such/file.csv", "\u2660", "A\u2660", "\x7f", "\x1b[31m", "2" * 400),
)
RANGES = (
    *("AA", "KK", "AA:xxyy", "10%", "5%-20%", "*", "AA!KK", "(AA,KK):ds", "AhAs**", "A-2", "KQJT+"),
    *(
        "$ds",
        "$np",
        "@SET",
        "TT+@50",
        "((((AA))))",
        "AA:" * 50 + "KK",
        "[A-T][A-T]",
        "AA@1000",
        "15%6h",
    ),
    *("(" * 60 + "AA" + ")" * 60, ",".join(["AA", "KK"] * 200), "RRON", "AA!" + "(KK,QQ)" * 3),
)
NUMBERS = ("1", "2", "3", "100", "1000", "0.01", "0.5", "5", "50,60", "100,60,40", "5%", "10")


def leaves() -> dict[tuple[str, ...], click.Command]:
    """Every command that does something, by its words."""
    from equity.cli.commands import cli

    found: dict[tuple[str, ...], click.Command] = {}

    def walk(command: click.Command, words: tuple[str, ...]) -> None:
        if words:
            found[words] = command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                if inner is not None:
                    walk(inner, (*words, name))

    walk(cli, ())
    return {words: command for words, command in found.items() if words not in LEFT_OUT}


def is_error_object(out: str) -> bool:
    """Whether an output is that of an error with ``--json``."""
    try:
        return "problem" in json.loads(out.splitlines()[-1])
    except ValueError:
        return False


class Fuzz:
    """Runs of random arguments, the same for the same seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.commands = leaves()
        self.codes: Counter[tuple[str, int]] = Counter()
        self.slowest: tuple[float, str] = (0.0, "")

    def cards(self, count: int) -> list[int]:
        """Some different cards."""
        return self.random.sample(range(52), count)

    def positional(self, game: Any, words: tuple[str, ...]) -> list[str]:
        """Players, files or names, mostly as the command wants them."""
        choice, rng = self.random.choice, self.random
        if words[0] in ("batch", "merge"):
            return [choice(("spots.csv", "spots.csv", "spots.jsonl", "nothing.csv", choice(ODD)))]
        if words[0] == "hands":
            return [choice(("hands.txt", "hands.txt", ".", "spots.csv", "nothing", choice(ODD)))]
        if words[0] in ("potlimit",):
            return [choice((*NUMBERS, choice(ODD))) for _ in range(rng.randrange(3))]
        if words[0] in ("games", "cache", "data"):
            return [choice(ODD)] if rng.random() < 0.2 else []
        count = 1 if words[0] in ("range", "rank") else rng.choice((1, 2, 2, 2, 2, 3))
        deck = self.cards(min(52, count * game.hole))
        players = []
        for at in range(count):
            hand = format_hand(deck[at * game.hole : (at + 1) * game.hole])
            players.append(
                hand if rng.random() < 0.85 else choice((*RANGES, choice(ODD), hand[:-1], hand * 2))
            )
        return players

    def value(self, option: click.Parameter, game: Any) -> str:
        """A value of an option, more often good than odd."""
        rng, choice = self.random, self.random.choice
        name = option.name or ""
        if rng.random() < 0.15:
            return choice(ODD)
        if name in ("board", "dead", "board2"):
            text = format_hand(self.cards(choice((0, 1, 2, 3, 3, 3, 4, 5, 5, 6))))
            return choice((text, text, text, "AA:xx*", "*", "T98:xxy"))
        if name == "game":
            return choice((game.name, game.aliases[0], choice(ODD)))
        if name == "ordering":
            return choice(("ring", "6max", "random", "spots.csv", "nothing"))
        if isinstance(option.type, click.Choice):
            return str(choice(option.type.choices))
        if isinstance(option.type, click.Path) or name in ("plot", "by_combo", "output", "target"):
            return choice(("out.csv", "out.jsonl", "out.svg", "1:out.csv", "2:out.jsonl", "."))
        if name in ("trials", "error", "budget", "threads", "seed", "jobs"):
            good = {"trials": "300", "error": "0.05", "budget": "0.1", "threads": "1"}
            return choice((good.get(name, "1"), good.get(name, "2"), choice(NUMBERS)))
        return choice((*NUMBERS, *RANGES, "turns", "rivers", "yes"))

    def arguments(self) -> list[str]:
        """The words of a run."""
        rng = self.random
        words = rng.choice(list(self.commands))
        command, game = self.commands[words], rng.choice(GAMES)
        given: list[str] = []
        options = [option for option in command.params if isinstance(option, click.Option)]
        for option in options:
            if rng.random() > (2.0 if option.name != "exact" else 0.5) / max(6, len(options)):
                continue
            given.append(rng.choice([*option.opts, *option.secondary_opts]))
            if not option.is_flag:
                given.append(self.value(option, game))
        names = {option.name for option in options}
        if "game" in names and rng.random() < 0.8:
            given += ["-g", game.name]
        # Samples are short, and where there is a board little is to be done: a view takes
        # minutes otherwise.
        if "trials" in names and "--exact" not in given:
            given += ["--trials", "200"]
        if "board" in names and (words[0] in VIEWS or rng.random() < 0.7):
            sizes = (4, 5) if words[0] in VIEWS else (3, 4, 5)
            given += ["-b", format_hand(self.cards(rng.choice(sizes)))]
        if words[0] in ("batch", "merge") and rng.random() < 0.9:
            given += ["-o", rng.choice(("out.csv", "out.jsonl", "-"))]
        if words == ("batch",):
            given += ["--jobs", "1", "--force"]
        parts = [given, self.positional(game, words)]
        if rng.random() < 0.3:
            parts.reverse()
        return [*words, *parts[0], *parts[1]]

    def spots(self) -> None:
        """Tables for a batch."""
        rows = []
        for _ in range(3):
            game = self.random.choice(GAMES)
            deck = self.cards(2 * game.hole + 3)
            players = [format_hand(deck[3:][: game.hole]), format_hand(deck[3 + game.hole :])]
            rows.append({"game": game.name, "board": format_hand(deck[:3]), "players": players})
        rows[-1][self.random.choice(("board", "game", "trials", "seed"))] = self.random.choice(
            [text for text in ODD if text.isprintable()]
        )
        lines = [json.dumps(row) for row in rows]
        (self.folder / "spots.jsonl").write_text("\n".join(lines) + "\n")
        played = hand_writer.play(self.random.choice(GAMES).name, self.random.randrange(10**6))
        (self.folder / "hands.txt").write_text(hand_writer.stars(played), encoding="utf-8")
        with (self.folder / "spots.csv").open("w", newline="", encoding="utf-8") as file:
            names = list(dict.fromkeys(name for row in rows for name in row))
            table = csv.DictWriter(file, names)
            table.writeheader()
            for row in rows:
                table.writerow(row | {"players": "|".join(row["players"])})

    def run(self, arguments: list[str]) -> tuple[int, str, str, float]:
        """Exit code, stdout, stderr and seconds of the command."""
        from equity.cli import main

        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        start, code = time.perf_counter(), 0
        with (
            patch.object(sys, "argv", ["equity", *arguments]),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO())),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 1
        seconds = time.perf_counter() - start
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return code, texts[0], texts[1], seconds

    def one(self) -> str:
        """A run; what is wrong with it, and nothing if all is well."""
        if self.random.random() < 0.05 or not (self.folder / "spots.csv").exists():
            self.spots()
        arguments = self.arguments()
        shown = shlex.join(
            text if len(text) < 80 else f"{text[:20]}...{len(text)}" for text in arguments
        )
        try:
            code, out, err, seconds = self.run(arguments)
        except BaseException as error:
            return f"{shown}: raised {type(error).__name__}: {error}"
        self.codes[arguments[0], code] += 1
        self.slowest = max(self.slowest, (seconds, shown))
        wrong = list(self.faults(arguments, code, out, err, seconds))
        return f"{shown}: exit {code}, {'; '.join(wrong)}: {err[-300:]}" if wrong else ""

    def faults(
        self, arguments: list[str], code: int, out: str, err: str, seconds: float
    ) -> Iterator[str]:
        """What a run did that it must not do."""
        if code not in CODES:
            yield "another exit code"
        if "Traceback" in err or "defect" in err or "Traceback" in out:
            yield "a defect"
        if code == 2:
            lines = [line for line in err.splitlines() if line.startswith("equity: ")]
            if not lines or any(
                not line.startswith(("equity: ", "    ")) for line in err.splitlines()
            ):
                yield "an error is a line of its own"
            if out and arguments[0] != "batch" and not is_error_object(out):
                yield "an error has output"
        if code == 0 and out and arguments[0] not in ("batch", "merge", "cache"):
            asked = [text for text in arguments if text in ("--json", "--csv")]
            is_help = bool({"-h", "--help", "-V", "--version", "--help-board"} & set(arguments))
            if "--" not in arguments and asked and not is_help:
                try:
                    if asked[-1] == "--json":
                        for line in out.splitlines():
                            json.loads(line)
                    else:
                        rows = list(csv.reader(io.StringIO(out), strict=True))
                        if len({len(row) for row in rows}) != 1:
                            yield "rows of different lengths"
                except (ValueError, csv.Error) as error:
                    yield f"broken {asked[-1][2:]}: {error}"
        if seconds > MOST_SECONDS:
            yield f"{seconds:.0f} s"


def main(minutes: float = 10, seed: int = 0) -> int:
    """Fuzz for some minutes; the number of runs with faults."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        fuzz = Fuzz(seed, Path(folder))
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            if fault := fuzz.one():
                wrong += 1
                print(fault.encode("ascii", "backslashreplace").decode(), flush=True)
        os.chdir("/")
    print(f"{sum(fuzz.codes.values()):,} runs, {wrong} wrong; slowest {fuzz.slowest[0]:.1f} s:")
    print(fuzz.slowest[1].encode("ascii", "backslashreplace").decode())
    for (command, code), count in sorted(fuzz.codes.items()):
        print(f"{command:>10} exit {code}: {count:,}")
    return wrong


if __name__ == "__main__":
    given = sys.argv[1:] or ["10"]
    sys.exit(bool(main(float(given[0]), *map(int, given[1:2]))))
