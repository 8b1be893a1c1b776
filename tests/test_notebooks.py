"""Results as data frames, and pictures where a notebook wants them."""

from __future__ import annotations

import importlib
import io
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

import equity
from equity.errors import MethodError
from equity.views.plots import PlotError

HANDS = ["AhAsKhKs", "9c8c7d6d"]
FLOP = "Th7h2c"
#: Results of every kind, by name.
RESULTS: dict[str, Callable[[], Any]] = {
    "odds": lambda: equity.odds(HANDS),
    "hi/lo": lambda: equity.odds(["AsKdQd2s", "Ac4d3h2h", "all"], "o8", FLOP, trials=2_000),
    "combos": lambda: equity.odds(["AA:xxyy", "KK"], board="Kh9h4c2d", by_combo=True).combos(0),
    "money": lambda: equity.all_in(HANDS, stacks=[100, 60]),
    "call": lambda: equity.pot_odds(HANDS, call=50, pot=150),
    "two boards": lambda: equity.two_boards(HANDS, board=FLOP, runs=2),
    "range": lambda: equity.Range("AhAsKh*"),
    "many": lambda: equity.odds_many([HANDS, HANDS], FLOP),
    "rank": lambda: equity.rank(HANDS[0]),
    "streets": lambda: equity.streets(HANDS, board=FLOP),
    "next": lambda: equity.next_cards(HANDS, board=FLOP),
    "graph": lambda: equity.graph(HANDS, over="turns", board=FLOP),
    "flops": lambda: equity.flops(HANDS[0]),
    "blockers": lambda: equity.blockers([HANDS[0], "KK"], board=FLOP),
    "texture": lambda: equity.texture("TT,77", board=FLOP, against="AA"),
    "pql": lambda: equity.pql(
        "select histogram(equity(hero, flop)) as e "
        "from game='omahahi', hero='AhAsKhKs', villain='9c8c7d6d', board='Th7h2c'"
    ),
}
VIEWS = ["streets", "next", "graph", "flops", "blockers", "pql"]


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_data_frames(name: str) -> None:
    found = RESULTS[name]()
    assert isinstance(found.to_dict(), dict)
    names, rows = found.table()
    cells = [list(row) for row in rows]
    of_pandas, of_polars = found.to_pandas(), found.to_polars()
    assert list(of_pandas.columns) == of_polars.columns == list(names)
    assert len(of_pandas) == len(of_polars) == len(cells) > 0
    for at, column in enumerate(names):
        values = [row[at] for row in cells]
        if all(isinstance(value, int | float) for value in values):
            assert of_pandas[column].tolist() == of_polars[column].to_list() == values


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
        with pytest.raises(MethodError, match=f"pip install {name}"):
            getattr(equity.odds(HANDS), f"to_{name}")()


@pytest.mark.parametrize("name", VIEWS)
def test_views_have_a_picture(name: str) -> None:
    found = RESULTS[name]()
    assert found._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_picture_goes_into_a_file_object(form: str, start: bytes) -> None:
    file, again = io.BytesIO(), io.BytesIO()
    found = equity.streets(HANDS, board=FLOP)
    equity.plot(found, file, format=form)
    equity.plot(found, again, format=form)
    assert file.getvalue().startswith(start)
    assert file.getvalue() == again.getvalue()


def test_a_picture_takes_the_place_of_axes() -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    equity.plot(equity.streets(HANDS, board=FLOP), left)
    equity.plot(equity.next_cards(HANDS, board=FLOP), right)
    assert len(figure.subfigs) == 2
    assert all(part.axes for part in figure.subfigs)
    assert tuple(figure.get_size_inches()) == (9, 4)
    figure.savefig(io.BytesIO())


@pytest.mark.parametrize(
    ("view", "target", "words"),
    [
        (3, "a.png", "no view"),
        (None, 3, "no path, file or axes"),
        (None, io.StringIO, "no format"),
    ],
)
def test_wrong_pictures(view: Any, target: Any, words: str) -> None:
    view = view or equity.streets(HANDS, board=FLOP)
    with pytest.raises(PlotError, match=words):
        equity.plot(view, target() if callable(target) else target, format="gif")


def test_every_error_is_exported() -> None:
    """An error that a call can raise is named in the package."""
    apart = {"kernels", "server", "cli", "__main__"}  # what no call from Python raises
    for module in pkgutil.walk_packages(equity.__path__, "equity."):
        if module.name.split(".")[1] not in apart:
            importlib.import_module(module.name)
    open_classes, names = [equity.EquityError], set()
    while open_classes:
        children = open_classes.pop().__subclasses__()
        open_classes += children
        names |= {
            child.__name__ for child in children if child.__module__.split(".")[1] not in apart
        }
    assert names <= set(equity.__all__)
    for name in equity.__all__:
        if not name.startswith("__") and name != "GAMES":
            assert getattr(equity, name).__doc__, name
