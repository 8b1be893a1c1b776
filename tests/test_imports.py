"""The order of the house: a module imports only what stands below it."""

from __future__ import annotations

import ast
from pathlib import Path

import equity

#: From the ground up; a line imports from itself and from the lines before.
FLOORS = [
    ["errors", ""],
    ["common"],
    ["rules"],
    ["ranges", "kernels"],
    ["spot"],
    ["results"],
    ["engine"],
    ["maintenance", "double_board", "money", "views"],
    ["queries"],
    ["batching"],
    ["cli", "__main__"],
]
FLOOR_OF = {name: floor for floor, names in enumerate(FLOORS) for name in names}
PACKAGE = Path(equity.__file__).parent


def imported(path: Path) -> set[str]:
    """The top modules of the package that a file imports, at the top or later."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            if node.module == "equity":
                names |= {f"equity.{alias.name}" for alias in node.names}
    tops = {
        name.removeprefix("equity").removeprefix(".").split(".")[0]
        for name in names
        if name.split(".")[0] == "equity"
    }
    return {top for top in tops if top in FLOOR_OF}


def test_imports_run_one_way() -> None:
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] == "__init__":
            continue
        own = FLOOR_OF[parts[0]]
        for name in imported(path):
            assert FLOOR_OF[name] <= own, f"{path.name} imports {name}"


def test_no_game_is_named_below_the_registry() -> None:
    names = {name for game in equity.GAMES for name in (game.name, *game.aliases)}
    for path in PACKAGE.rglob("*.py"):
        if path.name in ("games.py", "__init__.py") or "cli" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                constants = {
                    constant.value
                    for constant in ast.walk(node)
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
                }
                assert not constants & names, path


def test_one_noun_a_module() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert len(path.read_text().splitlines()) <= 450, path


def test_public_names() -> None:
    for name in equity.__all__:
        assert getattr(equity, name) is not None
    assert set(equity.__all__) <= set(dir(equity))
