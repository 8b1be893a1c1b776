"""What docs/batch.md shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from conftest import Run

DOCS = Path(__file__).parent.parent / "docs" / "batch.md"
#: Indented blocks that begin with a command, with what follows it.
EXAMPLES = re.findall(
    r"^    \$ (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))*)", DOCS.read_text(), re.MULTILINE
)


def test_examples(run: Run, tmp_path: Path) -> None:
    """All in turn, in one folder; ``cat`` shows a file that is made by that if need be."""
    assert len(EXAMPLES) >= 8
    for line, block in EXAMPLES:
        shown = "".join(text.removeprefix("    ") for text in block.splitlines(keepends=True))
        program, *arguments = shlex.split(line)
        if program == "cat":
            (name,) = arguments
            path = tmp_path / name
            if not path.exists():
                path.write_text(shown)
            assert path.read_text() == shown
            continue
        if program == "tail":
            number, name = arguments
            assert (tmp_path / name).read_text().splitlines()[int(number) :] == shown.splitlines()
            continue
        assert program == "equity"
        done = run(*arguments, cwd=tmp_path, code=1 if "failed" in shown else 0)
        assert (done.stdout + done.stderr).rstrip() == shown.rstrip()
