"""Excel tables (.xlsx): read with openpyxl, written as plain XML."""

from __future__ import annotations

import importlib.util
import json
import re
import warnings
import zipfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, repeat
from pathlib import Path
from typing import Any, BinaryIO
from xml.sax.saxutils import escape

from equity.batching.columns import Column, Names
from equity.batching.errors import BatchError, OutputError
from equity.batching.fields import Header, is_empty, no_rows
from equity.batching.formats import MOST_SHEET_INTEGER
from equity.batching.journal import atomic_write
from equity.batching.rows import Row
from equity.common.extras import how_to_install
from equity.rules.cards import ascii_text

__all__ = ["check", "notice", "read", "read_back", "write"]

#: Limits of a sheet: rows, and characters in a cell.
MOST_ROWS = 1 << 20
MOST_TEXT = 32_767
#: The time stamp of all parts, so that the same rows give the same bytes.
_WHEN = (1980, 1, 1, 0, 0, 0)
#: Characters that XML cannot hold, how Excel escapes them, and what would be mistaken for that.
_NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SCHEMAS = "http://schemas.openxmlformats.org"
_RELATIONS = f"{_SCHEMAS}/officeDocument/2006/relationships"
_MAIN = f"{_SCHEMAS}/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def _relation(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_SCHEMAS}/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/{kind}" Target="{target}"/></Relationships>'
    )


#: The parts of a file other than its sheet.
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_SCHEMAS}/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="results" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
}
#: The sheet before and after its rows; the header row is frozen.
_SHEET_BEGINS = (
    f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
    'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)
_SHEET_ENDS = "</sheetData></worksheet>"
_DATES = (date, datetime, time, timedelta)


def check() -> None:
    """Raise an error if openpyxl is not installed, without importing it."""
    if importlib.util.find_spec("openpyxl") is None:
        raise BatchError(
            "Excel needs openpyxl, which is not installed", hint=how_to_install("excel")
        )


def _book(source: Any, *, values: bool = True) -> Any:
    """Load a workbook, with the values of formulas or with the formulas."""
    check()
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        # About features other than cells.
        warnings.simplefilter("ignore")
        return load_workbook(source, read_only=True, data_only=values)


def _first(book: Any) -> Any:
    sheet = book.worksheets[0]
    # Some programs write wrong dimensions.
    sheet.reset_dimensions()
    return sheet


def notice(stream: BinaryIO) -> str:
    """A notice if the file has several sheets, else empty."""
    try:
        titles = _book(stream).sheetnames
    except Exception:
        return ""
    return (
        f"only the first of {len(titles)} sheets is read, {ascii_text(titles[0])}"
        if len(titles) > 1
        else ""
    )


def read(stream: BinaryIO, names: Names) -> Generator[Row, None, None]:
    """Read the rows of the first sheet, with their row numbers.

    Raises ``BatchError`` if the file is not an Excel file, its header is invalid, or openpyxl
    is not installed.
    """
    try:
        yield from _rows(stream, names)
    except BatchError:
        raise
    except Exception as error:
        # openpyxl raises errors of many types for broken files.
        raise BatchError(f"it is not an Excel file: {error}", place="spots") from None


def _rows(stream: BinaryIO, names: Names) -> Iterator[Row]:
    values, formulas = (_first(_book(stream, values=which)) for which in (True, False))
    header: Header | None = None
    both = zip(values.iter_rows(), formulas.iter_rows(), strict=True)
    for line, (cells, texts) in enumerate(both, 1):
        if all(is_empty(cell.value) for cell in texts):
            continue
        if header is None:
            titles = ["" if cell.value is None else str(cell.value) for cell in cells]
            header = Header(titles, line, names)
            continue
        found = header.row(line, [_plain(cell) for cell in cells])
        for cell, text in zip(cells, texts, strict=True):
            if cell.value is None and text.data_type == "f":
                problem = (
                    f"{text.coordinate} has a formula without a value; open the table in its "
                    "program and save it again"
                )
                found = found._replace(problem=problem)
        dates = [name for name, value in found.values.items() if isinstance(value, _DATES)]
        for name in dates:
            problem = f"{name}: {_shown(found.values.pop(name))} is a date; format the cell as text"
            found = found._replace(problem=problem)
        carried = {
            name: _shown(value) if isinstance(value, _DATES) else value
            for name, value in found.carried.items()
        }
        yield found._replace(carried=carried)
    if header is None:
        raise no_rows()


def _shown(value: Any) -> str:
    """A date or time as text, without the midnight that Excel adds to dates."""
    return str(value).removesuffix(" 00:00:00")


def _plain(cell: Any) -> Any:
    """The value of a cell; a number shown as 10% becomes the text 10%."""
    value = cell.value
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and "%" in (getattr(cell, "number_format", "") or ""):
        return f"{value * 100:.12g}%"
    return value


def write(columns: Sequence[Column], rows: Iterable[dict[str, Any]], target: Path) -> None:
    """Write a table of rows; the target appears whole or not at all.

    Raises ``OutputError`` if there are too many rows for a sheet, or a text is too long for a
    cell.
    """
    names = [column.name for column in columns]
    with (
        atomic_write(target) as unfinished,
        zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as book,
    ):
        for name, text in _PARTS.items():
            book.writestr(_part(name), f"{_DECLARATION}{text}")
        with book.open(_part("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            sheet.write(f"{_DECLARATION}{_SHEET_BEGINS}".encode())
            letters = [_letters(at) for at in range(len(names))]
            given = ([row[name] for name in names] for row in rows)
            for number, values in enumerate(chain([names], given), 1):
                if number > MOST_ROWS:
                    raise OutputError(
                        f"a sheet has at most {MOST_ROWS:,} rows",
                        hint="write .csv or .parquet",
                    )
                cells = "".join(map(_cell, letters, repeat(number), names, values))
                sheet.write(f'<row r="{number}">{cells}</row>'.encode())
            sheet.write(_SHEET_ENDS.encode())


def _part(name: str) -> zipfile.ZipInfo:
    """A part of the file, with a fixed time stamp."""
    part = zipfile.ZipInfo(name, _WHEN)
    part.compress_type = zipfile.ZIP_DEFLATED
    return part


def _letters(column: int) -> str:
    """The letters of a column, counted from 0: A to Z, AA, AB.

    >>> _letters(0), _letters(25), _letters(26), _letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _cell(letters: str, number: int, name: str, value: Any) -> str:
    """The XML of a cell; text stays text, whatever it looks like, and integers stay integers."""
    if value is None or value == "":
        return ""
    at = f'<c r="{letters}{number}"'
    if isinstance(value, bool):
        return f'{at} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < MOST_SHEET_INTEGER):
        return f"{at}><v>{value!r}</v></c>"
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) > MOST_TEXT:
        raise OutputError(
            f"a value of {name} has {len(text):,} characters; a cell holds {MOST_TEXT:,}",
            hint="write .csv or .parquet",
        )
    text = _NO_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", _ESCAPE.sub("_x005F", text))
    return f'{at} t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def read_back(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a table written by :func:`write`."""
    book = _book(path)
    try:
        rows = _first(book).iter_rows(values_only=True)
        names = next(rows)
        for row in rows:
            filled = (*row, *[None] * (len(names) - len(row)))
            values = (_unescaped(one) if isinstance(one, str) else one for one in filled)
            yield dict(zip(names, values, strict=True))
    finally:
        book.close()


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
