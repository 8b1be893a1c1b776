"""What the site is made of: the notebook, pictures, the reference, and links to files."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import run_notebook

import equity

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), ROOT / "benchmarks" / "README.md"]
#: Bytes of a picture, which every clone has for ever.
LARGEST = 100_000


def test_the_notebook_shows_what_its_cells_do() -> None:
    notebook = json.loads(run_notebook.NOTEBOOK.read_text(encoding="utf-8"))
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = run_notebook.run(notebook)
    assert [_texts(outputs) for outputs in shown] == [_texts(outputs) for outputs in stored]
    assert sum("data" in output for outputs in shown for output in outputs) >= 3


def _texts(outputs: list[dict[str, object]]) -> list[object]:
    """What cells print; pictures differ from one version of matplotlib to the next."""
    return [output.get("text", "a picture") for output in outputs]


def test_the_reference_has_every_public_name() -> None:
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    names = re.findall(r"^\.\. \w*(?:data|class|function|exception):: (\w+)$", page, re.MULTILINE)
    assert sorted(names) == sorted(equity.__all__)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"^(    .*|```.*?^```)$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


def test_pictures_are_small_and_drawn_by_an_example() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    pictures = {path.name for path in (DOCS / "pictures").iterdir()}
    assert pictures == set(re.findall(r"\(pictures/([^)]+)\)", text))
    assert pictures == set(re.findall(r"--plot ([\w-]+\.svg)", text))
    assert all(path.stat().st_size < LARGEST for path in (DOCS / "pictures").iterdir())


@pytest.mark.skipif(not importlib.util.find_spec("furo"), reason="needs the extra docs")
def test_the_site_is_built_without_warnings_and_asks_for_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-qW", "-c", "docs", ".", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for page in tmp_path.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?:https?:)?//", text), page
