"""What the README shows is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from conftest import Run

README = Path(__file__).parent.parent / "README.md"
#: Indented blocks that begin with a command, with the output that follows.
EXAMPLES = re.findall(r"^    \$ equity (.*)\n((?:    .*\n)*)", README.read_text(), re.MULTILINE)
DURATION = re.compile(r"[\d.]+ m?s$", re.MULTILINE)


@pytest.mark.parametrize(("command_line", "shown"), EXAMPLES)
def test_examples(run: Run, command_line: str, shown: str) -> None:
    is_error = shown.lstrip().startswith("equity: ")
    done = run(*shlex.split(command_line), code=2 if is_error else 0)
    expected = "".join(line.removeprefix("    ") for line in shown.splitlines(keepends=True))
    printed = done.stderr if is_error else done.stdout
    assert DURATION.sub("", printed).rstrip() == DURATION.sub("", expected).rstrip()


def test_python_snippets() -> None:
    (odds, _values) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(odds, names)
    for line in odds.splitlines():
        expression, _, comment = line.partition("#")
        if re.match(r" *[\d(F]", comment):
            assert repr(eval(expression, names)) == comment.strip()
