"""Draw the pictures of the pages: ``python docs/pictures.py``.

A picture is made by the example of a page that draws it, ``$ equity ... --plot NAME.svg``.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGES = Path(__file__).parent
COMMAND = re.compile(r"^    \$ equity (.* --plot [\w-]+\.svg.*)$", re.MULTILINE)


def draw(folder: Path) -> None:
    """Run every example that draws a picture, in a folder."""
    for page in sorted(PAGES.glob("*.md")):
        for arguments in COMMAND.findall(page.read_text(encoding="utf-8")):
            command = [sys.executable, "-m", "equity", *shlex.split(arguments)]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    draw(PAGES / "pictures")
