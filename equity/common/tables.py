"""Objects that are tables: as data frames of pandas and polars, and in notebooks."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

from equity.errors import MethodError

__all__ = ["Table", "Tabular"]

#: Names of columns, and rows.
Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


class Tabular:
    """An object that gives a :meth:`table`."""

    def table(self) -> Table:
        """The names of the columns, and the rows."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a ``pandas.DataFrame``.

        Raises
        ------
        MethodError
            pandas is not installed.
        """
        names, rows = self.table()
        return _library("pandas").DataFrame([list(row) for row in rows], columns=list(names))

    def to_polars(self) -> Any:
        """The table as a ``polars.DataFrame``.

        Raises
        ------
        MethodError
            polars is not installed.
        """
        names, rows = self.table()
        frame = _library("polars").DataFrame
        # The types of a column are known after all of its rows.
        return frame(
            [list(row) for row in rows], list(names), orient="row", infer_schema_length=None
        )

    def _repr_html_(self) -> str:
        """The object in a notebook."""
        # Imported by name, as a layer above this one draws every answer.
        text: str = importlib.import_module("equity.html.render").notebook(self)
        return text


def _library(name: str) -> Any:
    """A library that makes data frames.

    Raises
    ------
    MethodError
        It is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MethodError(
            f"{name} is not installed", place=f"to_{name}", hint=f"pip install {name}"
        ) from None
