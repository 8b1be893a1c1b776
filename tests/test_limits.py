"""What a count may take: chunks, memory, days, processors."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import equity
from equity.batching.cross_product import read_boards
from equity.common import limits
from equity.common.files import read_file
from equity.engine import executor, planner
from equity.kernels import log
from equity.ranges import combos, matching
from equity.spot import read_spot

#: Nanoseconds that a chunk may take, by the estimate of its method.
LONGEST = 100_000_000


def press(_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("game", "board", "players"),
    [
        ("plo4", "", ["AA", "KK"]),
        ("plo4", "", ["AA", "KK", "QQ"]),
        ("o8", "Th7h2c", ["AA", "KK", "QQ", "JJ", "TT"]),
        ("plo4", "Th7h2c", ["30%@99.999,50%@33.333", "60%@88.888"]),
        ("bigo", "Th7h2cJd", ["AA", "KK"]),
    ],
)
def test_chunks_are_short(game: str, board: str, players: list[str]) -> None:
    plan: Any = planner.exact_plan(read_spot(players, game, board))
    assert plan.cost / plan.chunk_count < LONGEST
    assert all(len(plan.chunk(at)) > 0 for at in (0, plan.chunk_count - 1))


@pytest.mark.parametrize(
    "players",
    [
        ["AsAhJs*", "KsKhQsQd,KsKhQsJd,KsKhTcTd", "QcJcTc*"],
        ["AsAhJs*@30,AdAcJs9s", "KsKhQsQd@50,KsKhQsJd", "QcJcTc*@20,QsJsTs9s"],
    ],
    ids=["plain", "weighted"],
)
def test_every_set_of_hands_is_in_one_chunk(players: list[str]) -> None:
    plan: Any = planner.exact_plan(read_spot(players, board="Th7h2c3d5s"))

    def sets(step: int) -> list[tuple[int, bytes, int]]:
        vars(plan).pop("_stride", None)
        vars(plan)["step"] = step
        chunks = map(plan.chunk, range(plan.chunk_count))
        return sorted(found for chunk in chunks for found in plan._sets(chunk))

    whole = sets(1 << 40)
    assert whole == sets(7) == sets(997)
    assert len({cards for _, cards, _ in whole}) == len(whole) > 100


def test_a_part_of_weighted_sets_tells_its_deals() -> None:
    """They are counted, not worked out by going through all sets."""
    spot = ["AA@50,KK", "KK", "QQ@20,JJ"]
    found = equity.odds(spot, board="Th7h2c", exact=True, yes=True, progress=press)
    assert found.partial
    assert 0 < found.deals < found.weight
    assert found.deals % 666 == 0


def test_a_long_count_takes_little_memory() -> None:
    """It is begun and stopped; a list of its chunks would take gigabytes."""
    tracemalloc.start()
    try:
        equity.odds(["AA", "KK", "QQ"], exact=True, yes=True, progress=press)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: equity.odds(["*", "*"], "plo6", "2c3d4h5s6c", exact=True),
        lambda: equity.odds(["AA", "KK", "QQ"], exact=True),
        lambda: equity.streets(["AA", "KK", "QQ"], board="2c3d4h", exact=True),
        lambda: equity.two_boards(["AA", "KK", "QQ"], "plo4", "2c", how=equity.How(exact=True)),
        # With lists of these hands it would take minutes to say so.
        lambda: equity.two_boards(["*", "*"], "plo6", how=equity.How(exact=True)),
    ],
)
def test_more_than_a_day_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(equity.MethodError, match=r"exact: .* days on .* --exact --yes"):
        ask()


def test_more_than_free_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "free_memory", lambda: 1_000_000)
    spot = ["AA", "KK:xxyy"]
    with pytest.raises(equity.MethodError, match=r"GB of memory, and 0.0 GB are free"):
        equity.odds(spot, board="2c3d4h5s", exact=True)
    assert equity.odds(spot, board="2c3d4h5s", exact=True, yes=True).exact


def test_a_row_is_refused_alone(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "game,player1,player2,board,exact\nplo6,*,*,2c3d4h5s6c,true\nplo4,AhAsKhKs,9c8c7d6d,,\n"
    )
    batch = [*command, "batch", "s.csv", "-o", "r.csv", "--jobs", "1"]
    done = subprocess.run(batch, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 of 2 spots failed" in done.stderr
    assert "days on" in done.stderr


@pytest.fixture
def said() -> Iterator[list[str]]:
    found: list[str] = []
    before = log.listeners[:]
    log.listeners[:] = [found.append]
    executor._say_fewer.cache_clear()
    yield found
    log.listeners[:] = before


def test_there_are_no_more_threads_than_processors(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.setattr(executor, "processors", lambda: 2)
    assert executor.worker_threads(None) == 2
    assert executor.worker_threads(1) == 1
    assert said == []
    few = equity.odds(["AA", "KK"], trials=1_000, threads=2)
    many = equity.odds(["AA", "KK"], trials=1_000, threads=1_000)
    assert many.tally == few.tally
    assert equity.next_cards(["AA:xxyy", "AhKhQsJs"], board="Th7h2c", trials=10, threads=1_000)
    # Once, however many questions there were.
    said = [line for line in said if "kernel" not in line]
    assert said[0] == "--threads 1,000 is more than the 2 processors, so 2 work"
    assert sum("--threads" in line for line in said) == 1


V1 = "4:cpu,cpuacct:/box\n3:memory:/box\n"
V2 = "0::/outer/box\n"


@pytest.mark.parametrize(
    ("groups", "files", "wanted"),
    [
        (V2, {"outer/box/cpu.max": "150000 100000\n", "outer/cpu.max": "max 100000\n"}, 2),
        (V2, {"outer/box/cpu.max": "max 100000\n", "outer/cpu.max": "100000 100000\n"}, 1),
        (V2, {"outer/box/cpu.max": "50000 100000\n"}, 1),
        (V2, {"outer/box/cpu.max": "max 100000\n"}, 8),
        (V1, {"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"}, 3),
        (V1, {"cpu/box/cpu.cfs_quota_us": "-1", "cpu/box/cpu.cfs_period_us": "100000"}, 8),
        (V2, {}, 8),
        ("nonsense\n", {}, 8),
        (None, {}, 8),
    ],
)
def test_the_quota_of_a_container(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    groups: str | None,
    files: dict[str, str],
    wanted: int,
) -> None:
    _make_groups(monkeypatch, tmp_path, groups, files)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(os, "process_cpu_count", lambda: 8, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    limits._quota.cache_clear()
    assert limits.processors() == wanted
    monkeypatch.undo()
    limits._quota.cache_clear()


@pytest.mark.parametrize(
    ("groups", "files", "wanted"),
    [
        (V2, {"outer/box/memory.max": "3000", "outer/box/memory.current": "1000"}, 2_000),
        (V2, {"outer/box/memory.max": "max", "outer/box/memory.current": "1000"}, 4_096_000),
        (
            V1,
            {
                "memory/box/memory.limit_in_bytes": "5000",
                "memory/box/memory.usage_in_bytes": "6000",
            },
            0,
        ),
        (V2, {}, 4_096_000),
    ],
)
def test_free_memory(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    groups: str,
    files: dict[str, str],
    wanted: int,
) -> None:
    _make_groups(monkeypatch, tmp_path, groups, files)
    (tmp_path / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    4000 kB\n")
    monkeypatch.setattr(limits, "_MEMORY", tmp_path / "meminfo")
    assert limits.free_memory() == wanted
    monkeypatch.setattr(limits, "_MEMORY", tmp_path / "none")
    monkeypatch.setattr(limits, "_GROUPS", tmp_path / "none")
    assert limits.free_memory() is None


def _make_groups(
    monkeypatch: pytest.MonkeyPatch, folder: Path, groups: str | None, files: dict[str, str]
) -> None:
    for name, text in files.items():
        path = folder / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if groups is not None:
        (folder / "own").write_text(groups)
    monkeypatch.setattr(limits, "_OWN_GROUPS", folder / "own")
    monkeypatch.setattr(limits, "_GROUPS", folder / "groups")


class TestFiles:
    """Files that never end, or never begin."""

    @pytest.fixture
    def pipe(self, tmp_path: Path) -> Path:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        return path

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
    def test_orderings_are_regular_files(self, pipe: Path, tmp_path: Path) -> None:
        for path in ("/dev/zero", str(pipe)):
            with pytest.raises(equity.DataError, match="it is no regular file"):
                equity.Range("10%", ordering=path)
            (answer,) = equity.batch([{"players": ["10%", "AA"], "ordering": path}], jobs=1)
            assert "no regular file" in (answer.error or "")
            with pytest.raises(equity.EquityError):
                read_boards(path)
        with pytest.raises(equity.EquityError):
            equity.Range("10%", ordering=tmp_path)

    def test_files_have_a_size(self, tmp_path: Path) -> None:
        path = tmp_path / "large"
        path.write_bytes(b"(AK)(QJ)\n" * 8)
        assert len(read_file(path, 72)) == 72
        with pytest.raises(OSError, match="larger than 71 bytes"):
            read_file(path, 71)

    def test_rows_may_name_no_files(self, command: list[str], tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("(AK)(QJ)\n")
        (tmp_path / "s.csv").write_text(
            "player1,player2,board,ordering\n"
            "AhAsKhKs,10%,Th7h2c3d5s,mine.txt\n"
            "AhAsKhKs,10%,Th7h2c3d5s,Random\n"
            "AhAsKhKs,10%,Th7h2c3d5s,\n"
        )
        batch = [*command, "batch", "s.csv", "-o", "r.csv", "--jobs", "1", "--no-files"]
        done = subprocess.run(batch, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "1 of 3 spots failed" in done.stderr
        assert "'mine.txt' is not read: rows may not name files" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["range", "-g", "plo6", "*"],
        ["graph", "-g", "plo6", "AhAsKhKsQhQs", "*", "-b", "Th7h2c", "--trials", "20"],
    ],
    ids=["range", "graph"],
)
def test_all_hands_of_six_cards_take_little_memory(command: list[str], words: list[str]) -> None:
    program = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command, *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 500_000  # kilobytes


def test_what_is_taken_away_again_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    matched: list[Any] = []
    real = matching.match_slots

    def match(*given: Any) -> Any:
        matched.append(given)
        return real(*given)

    monkeypatch.setattr(combos, "match_slots", match)
    assert equity.Range("*" + "!AA" * 300) == equity.Range("*!AA")
    assert len(matched) == 2
