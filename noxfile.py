"""Sessions of nox: ``nox -l`` lists them, ``nox -s 'kernels(python=3.13, numba=0.68)'`` runs one.

Each has an environment of its own.  A Python that is not installed is skipped.
"""

from __future__ import annotations

import nox

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: The least and the greatest numba that pyproject.toml allows, and the Pythons of each.
NUMBAS = {"0.61": PYTHONS[:3], "0.68": PYTHONS}
SHOWN = (
    "import llvmlite, numba, numpy, platform as p;"
    "print('Python', p.python_version(), 'numba', numba.__version__, 'llvmlite',"
    " llvmlite.__version__, 'numpy', numpy.__version__)"
)

nox.options.sessions = ["lint", "tests"]
nox.options.error_on_missing_interpreters = False


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and types."""
    session.install(".[test,lint]")
    session.run(".ci/lint", external=True)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests, or those that are named behind ``--``."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
@nox.parametrize(
    "python,numba", [(python, numba) for numba, pythons in NUMBAS.items() for python in pythons]
)
def kernels(session: nox.Session, numba: str) -> None:
    """Compile every kernel with a version of numba, and run the tests of kernels."""
    session.install(f"numba=={numba}.*", ".[test]")
    session.run("python", "-c", SHOWN)
    session.run(
        *("pytest", "-n0", "-q", "tests/test_every_kernel.py", "tests/test_kernels.py"),
        env={"EQUITY_CACHE_DIR": f"{session.create_tmp()}/cache"},
    )
