"""What the README and the pages of ``docs`` show is what the commands print.

An example is an indented line that begins with ``$``, with its output below.  The examples of a
page run in their order in one folder, so that a command may read what another wrote.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from view_tools import texts

from equity.cli import main
from equity.kernels import log

ROOT = Path(__file__).parent.parent
PAGES = {path.name: path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
EXAMPLE = re.compile(r"^    \$ (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))*)", re.MULTILINE)
#: A time at the end of a line, and spaces there.
UNSTABLE = re.compile(r"( [\d.]+ m?s)? *$", re.MULTILINE)
#: Figures of a sample, which is one of many.
FIGURE = re.compile(r"[-+\d.,]+ *")


def examples(page: str) -> Iterator[tuple[str, str]]:
    """The commands of a page, and what it shows of their output."""
    for line, block in EXAMPLE.findall(PAGES[page].read_text(encoding="utf-8")):
        yield line, "".join(text.removeprefix("    ") for text in block.splitlines(keepends=True))


EXAMPLES = {page: found for page in PAGES if (found := list(examples(page)))}


def run(line: str, shown: str, capfd: pytest.CaptureFixture[str]) -> str:
    """What a command prints on stdout and then on stderr, in this process."""
    program, *arguments = shlex.split(line)
    if program == "cat":
        # The file is made here if no command has written it.
        path = Path(arguments[0])
        if not path.exists():
            path.write_text(shown)
        return path.read_text()
    if program == "tail":
        lines = Path(arguments[1]).read_text().splitlines(keepends=True)
        return "".join(lines[int(arguments[0]) :])
    assert program == "equity", line
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["equity", *arguments])
        # A command that is not quiet listens for the rest of its process.
        patch.setattr(log, "listeners", [])
        with pytest.raises(SystemExit) as ended:
            main()
    printed = capfd.readouterr()
    assert "Traceback" not in printed.err
    # A batch with rows that failed ends with 1, a question that cannot be answered with 2.
    has_answer = printed.out or "done" in printed.err or not printed.err
    assert ended.value.code == (1 if " failed\n" in shown else 0 if has_answer else 2), line
    return printed.out + printed.err


def compare(printed: str, shown: str) -> None:
    """Check a block; dots in a line of their own stand for lines that are left out."""
    both = [UNSTABLE.sub("", text).strip("\n") for text in (printed, shown)]
    if "sampled, " in shown:
        both = [FIGURE.sub("", text) for text in both]
    whole, *parts = both[0], *both[1].split("\n...\n")
    if len(parts) == 1:
        assert whole == parts[0]
    else:
        assert whole.startswith(parts[0])
        assert whole.endswith(parts[-1])
        assert all(part in whole for part in parts)


@pytest.mark.parametrize("page", EXAMPLES)
@pytest.mark.usefixtures("session")
def test_examples(page: str, capfd: pytest.CaptureFixture[str]) -> None:
    for line, shown in EXAMPLES[page]:
        compare(run(line, shown, capfd), shown)
    for drawn in Path().glob("*.svg"):
        assert words(drawn) == words(ROOT / "docs" / "pictures" / drawn.name)


def words(picture: Path) -> list[str]:
    """What a picture says; where its axes have numbers is up to matplotlib."""
    return [text for text in texts(picture) if re.search("[A-Za-z]", text)]
