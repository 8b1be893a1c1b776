"""Runs the kernel tests on the least and the greatest numba that are declared.

``python tests/versions.py`` does so with every Python from 3.11 to 3.14 that it finds
(through pyenv, uv or on the path), each in a fresh environment, and prints a table for
CONTRIBUTING.md.  It takes some minutes for each.  ``--python 3.11`` runs one alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: The least and the greatest version that pyproject.toml allows.
NUMBAS = ("0.61", "0.68")
NEEDED = ("hypothesis>=6.100", "pytest>=8", "pytest-xdist>=3.6")
TESTS = ("tests/test_every_kernel.py", "tests/test_kernels.py")
SHOWN = (
    "import llvmlite, numba, numpy, platform as p;"
    "print('|', p.python_version(), '|', numba.__version__, '|', llvmlite.__version__, '|',"
    " numpy.__version__, end=' | ')"
)


def find_python(version: str) -> str | None:
    """The interpreter of a version, or None."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = sorted(root.glob(f"versions/{version}.*/bin/python"))
    if found:
        return str(found[-1])
    if uv := shutil.which("uv"):
        done = subprocess.run(
            [uv, "python", "find", version], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return done.stdout.strip()
    return shutil.which(f"python{version}")


def run_tests(python: str, numba: str, folder: Path) -> str:
    """Install and test in a fresh environment; a row of the table."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    own = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    installed = subprocess.run(
        [own, "-m", "pip", "install", "--quiet", f"numba=={numba}.*", str(ROOT), *NEEDED],
        check=False,
    )
    if installed.returncode:
        return f"| {folder.name} | cannot be installed |"
    shown = subprocess.run([own, "-c", SHOWN], capture_output=True, text=True, check=True).stdout
    environment = {**os.environ, "EQUITY_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [own, "-m", "pytest", "-n0", "-q", *TESTS],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    return shown + done.stdout.strip().rpartition("\n")[2].strip("= ") + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", choices=PYTHONS, action="append", help="only this one")
    parser.add_argument("--numba", choices=NUMBAS, action="append", help="only this one")
    chosen = parser.parse_args()
    print("| Python | numba | llvmlite | numpy | tests |\n|---|---|---|---|---|", flush=True)
    for version in chosen.python or PYTHONS:
        python = find_python(version)
        if python is None:
            print(f"| {version} | not found |", flush=True)
            continue
        for numba in chosen.numba or NUMBAS:
            with tempfile.TemporaryDirectory() as folder:
                print(run_tests(python, numba, Path(folder) / f"{version}-{numba}"), flush=True)


if __name__ == "__main__":
    main()
