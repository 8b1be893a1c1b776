"""What the README and the pages of ``docs`` say of the package is true.

``test_docs_commands.py`` runs the commands that they show.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import equity

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
#: A snippet goes on with the names of those before it on its page.
SNIPPETS = {
    page.name: snippets
    for page in PAGES
    if (snippets := re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
}
#: A comment that is the value of the line before it, not words on it.
VALUE = re.compile(r"[\d.]+|\(.*\)|\[.*\]|'.*'|True|Fraction\(.*\)")


@pytest.mark.parametrize("page", SNIPPETS)
def test_python_snippets(page: str) -> None:
    """Expressions with a value behind them have that value."""
    names: dict[str, object] = {"equity": equity}
    values = 0
    for snippet in SNIPPETS[page]:
        lines = snippet.splitlines()
        for statement in ast.parse(snippet).body:
            code = ast.unparse(statement)
            exec(code, names)
            _, _, comment = lines[(statement.end_lineno or 0) - 1].partition("  #")
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
