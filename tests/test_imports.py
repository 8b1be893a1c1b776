"""The order of the house: a module imports only what stands below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

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
    ["maintenance", "double_board", "money", "views", "histories"],
    ["queries"],
    ["batching"],
    ["operations"],
    ["html"],
    ["server"],
    ["cli", "__main__"],
]
FLOOR_OF = {name: floor for floor, names in enumerate(FLOORS) for name in names}
PACKAGE = Path(equity.__file__).parent
#: The modules of the package by name; a package is the module ``__init__`` of its folder.
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
#: Imports for type checkers that close a circle. None may be added.
CIRCULAR_TYPES = {("equity.ranges.combos", "equity.ranges.range")}


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def nodes(tree: ast.AST, types: bool) -> Iterator[ast.AST]:
    """All nodes below one, without what type checkers alone see unless it is asked for."""
    for node in ast.iter_child_nodes(tree):
        if types or not is_for_types(node):
            yield node
            yield from nodes(node, types)


def imported(module: str) -> set[str]:
    """The modules of the package that a module imports: at its top, in functions, for types.

    What is loaded by a name in a table (commands, views, the code of kernels) is left out, and so
    are the public names that ``equity`` shows to type checkers: both are looked up on first use.
    """
    found: set[str] = set()
    tree = ast.parse(MODULES[module].read_text())
    for node in nodes(tree, types=module != "equity"):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                assert node.module != "equity" or name in MODULES or alias.name == "__version__"
                found.add(name if name in MODULES else str(node.module))
    return found & MODULES.keys()


def test_imports_run_one_way() -> None:
    floors = {name: FLOOR_OF[f"{name}..".split(".")[1]] for name in MODULES}
    for module in MODULES:
        for name in imported(module):
            assert module == "equity" or floors[name] <= floors[module], f"{module} imports {name}"


def test_imports_have_no_circles() -> None:
    graph = {module: imported(module) for module in MODULES}
    for module, name in CIRCULAR_TYPES:
        graph[module].discard(name)
    for module, names in graph.items():
        # To import a module imports the packages that it is in.
        for name in tuple(names):
            parents = {name.rsplit(".", level)[0] for level in range(1, name.count(".") + 1)}
            names |= {parent for parent in parents if not f"{module}.".startswith(f"{parent}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


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
