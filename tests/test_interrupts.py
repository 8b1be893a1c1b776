"""Ctrl-C into commands; the long form of this is ``python tests/interrupts.py``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from interrupts import COMMANDS, fault, make_inputs, stop

from equity.kernels import loader

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")

#: Seconds for a command to end, on a machine that is busy.
MOST = 5.0
#: Commands of each method, and how long they are left alone.
STOPPED = {
    "walk of sets": 2.0,
    "pairs": 2.0,
    "weighted sweep": 2.0,
    "sample of six cards": 2.0,
    "money": 1.5,
    "next": 2.0,
    "graph over flops": 1.5,
    "list": 2.0,
    "ordering": 2.0,
    "batch here": 1.5,
    "cache": 2.0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("interrupts")
    make_inputs(made)
    return made


@pytest.mark.parametrize("name", STOPPED)
def test_a_command_stops(command: list[str], folder: Path, name: str) -> None:
    # Every other one is told three times.
    waits = [STOPPED[name], *[0.1] * 2 * (list(STOPPED).index(name) % 2)]
    stopped = stop(command, name, folder, waits)
    assert stopped.code == 130, stopped
    assert not fault(stopped, MOST), stopped


def test_all_commands_have_words() -> None:
    assert set(STOPPED) <= set(COMMANDS)


STARTING = """
import os, signal, sys
from equity.cli import main

class Press:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Press())
sys.argv = ["equity", "odds", "AA", "KK", "--trials", "1000"]
main()
"""


@pytest.mark.parametrize("module", ["click", "equity.cli.commands", "equity.cli.odds", "numpy"])
def test_a_program_that_starts_stops(module: str) -> None:
    program = STARTING.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "equity: interrupted\n")


LOST = """
import os, signal, time
from equity.cli import commands, main, stops

stops.GRACE = 0.2

def run(_):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    except KeyboardInterrupt:
        time.sleep(60)

commands.run = run
main()
"""


def test_an_interrupt_that_is_lost_ends_the_program() -> None:
    """Python forgets one that is raised in a destructor, for instance."""
    done = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (130, "equity: interrupted\n")


def test_compiling_is_interrupted_at_once() -> None:
    """The kernel is compiled in a thread that Ctrl-C is not raised in."""
    threads = []

    def compile_slowly(_: object) -> bytes:
        threads.append(threading.current_thread())
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(1)
        return b""

    with pytest.raises(KeyboardInterrupt):
        loader._apart(compile_slowly, object())
    assert threads[0] is not threading.main_thread()

    def fail(_: object) -> bytes:
        raise RuntimeError("no kernel")

    with pytest.raises(RuntimeError, match="no kernel"):
        loader._apart(fail, object())
