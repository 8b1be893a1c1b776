"""What the README and the pages of ``docs`` show is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from conftest import Run

import equity

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
#: Pages whose commands need files or are shortened; tests of their own run them.
APART = {"batch.md", "hands.md", "money.md", "views.md"}
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
#: Indented blocks that begin with a command, with the output that follows.
EXAMPLE = re.compile(r"^    \$ equity (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))*)", re.MULTILINE)
EXAMPLES = dict(
    example
    for page in PAGES
    if page.name not in APART
    for example in EXAMPLE.findall(page.read_text())
)
#: A snippet goes on with the names of those before it on its page.
SNIPPETS = {
    page.name: snippets
    for page in PAGES
    if (snippets := re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
}
#: A comment that is the value of the line before it, not words on it.
VALUE = re.compile(r"[\d.]+|\(.*\)|\[.*\]|'.*'|True|Fraction\(.*\)")
DURATION = re.compile(r"[\d.]+ m?s$", re.MULTILINE)


@pytest.mark.parametrize(("command_line", "shown"), EXAMPLES.items())
def test_examples(run: Run, command_line: str, shown: str) -> None:
    is_error = shown.lstrip().startswith("equity: ")
    done = run(*shlex.split(command_line), code=2 if is_error else 0)
    expected = "".join(line.removeprefix("    ") for line in shown.splitlines(keepends=True))
    printed = done.stderr if is_error else done.stdout
    printed, expected = (DURATION.sub("", text).rstrip() for text in (printed, expected))
    if "sampled, " in expected:
        # A sample is one of many: its words are the same, not its numbers.
        printed, expected = (re.sub(r"[\d.,-]+ *", "", text) for text in (printed, expected))
    assert printed == expected


@pytest.mark.parametrize("page", SNIPPETS)
def test_python_snippets(page: str) -> None:
    """Expressions with a value behind them have that value."""
    names: dict[str, object] = {
        "equity": equity,
        "hands": ["AhAs3h2s", "QcQdJh7h"],
        "boards": "AdKcKd8h5c",
    }
    for snippet in SNIPPETS[page]:
        values = 0
        for line in snippet.splitlines():
            code, _, comment = line.partition("  #")
            exec(code, names)
            if VALUE.fullmatch(comment.strip()):
                assert repr(eval(code, names)) == comment.strip()
                values += 1
        assert values >= 2


def test_architecture_names_files_that_are_there() -> None:
    """Each path on the page exists, and each folder of the package is on it."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    paths = set(re.findall(r"`([\w./*-]+(?:\.py|\.md|/))`", page))
    for path in paths:
        assert [*ROOT.glob(path)] or [*ROOT.glob(f"equity/{path}")], path
    for folder in (ROOT / "equity").iterdir():
        if (folder / "__init__.py").exists():
            assert f"{folder.name}/" in paths, folder.name
