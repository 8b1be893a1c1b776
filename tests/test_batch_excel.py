"""Batches and spreadsheets: CSV as these read it, .xlsx, and rounded numbers."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from batch_tools import call, read_csv, read_json, spots, write_csv, write_json

from equity.batching import excel
from equity.batching.layouts import rounded
from equity.batching.view import Line

AA, RUN, RIVER = "AhAsKhKs", "9c8c7d6d", "Kd9h4c2s3d"
TURN = "Td8h4c2s"
PLAIN = f"hero,villain,board,note\n{AA},{RUN},{TURN},1/5\n{AA},KK,{TURN},x\n"
#: What a spreadsheet takes for a date.
DATE = re.compile(r"\d+[/.-]\d+([/.-]\d+)?")


def table(path: Path) -> list[dict[str, str]]:
    """The rows of CSV with semicolons."""
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def test_csv_for_spreadsheets(tmp_path: Path) -> None:
    source, plain, target = (tmp_path / name for name in ("s.csv", "p.csv", "r.csv"))
    source.write_text(PLAIN)
    assert call("batch", source, "-o", plain, "--trials", "1000").code == 0
    assert not plain.read_bytes().startswith(b"\xef\xbb\xbf")
    assert call("batch", source, "-o", target, "--trials", "1000", "--excel").code == 0
    assert target.read_bytes().startswith(b"\xef\xbb\xbfid;note;game;")
    for one, other in zip(read_csv(plain), table(target), strict=True):
        assert list(one) == list(other)
        for name, value in one.items():
            if name.endswith("_exact") and "/" in value:
                assert other[name] == f'="{value}"'
            elif re.fullmatch(r"\d+\.\d+(e-\d+)?", value):
                assert other[name] == value.replace(".", ",")
            else:
                assert other[name] == value
            assert name == "note" or not DATE.fullmatch(other[name])
    assert '="' in target.read_text()


@pytest.mark.parametrize(
    ("begin", "between", "options", "written"),
    [
        ("", ";", [], (b"id;", ",")),
        ("\ufeff", ";", [], (b"\xef\xbb\xbfid;", ",")),
        ("\ufeff", ",", [], (b"\xef\xbb\xbfid,", ".")),
        ("\ufeff", "\t", [], (b"\xef\xbb\xbfid,", ".")),
        ("", "\t", [], (b"id,", ".")),
        ("sep=;\n", ";", [], (b"id;", ",")),
        ("", ";", ["--decimal", "point"], (b"id;", ".")),
        ("\ufeff", ";", ["--decimal", "point"], (b"\xef\xbb\xbfid;", ".")),
        ("", ",", ["--excel", "--decimal", "point"], (b"\xef\xbb\xbfid,", ".")),
        ("", ";", ["--excel"], (b"\xef\xbb\xbfid;", ",")),
        ("", ",", ["--excel", "--decimal", "comma"], (b"\xef\xbb\xbfid;", ",")),
    ],
)
def test_results_are_written_as_the_table_was(
    begin: str, between: str, options: list[str], written: tuple[bytes, str], tmp_path: Path
) -> None:
    start, decimal = written
    source, target = tmp_path / "s.csv", tmp_path / "r.csv"
    source.write_text(begin + PLAIN.replace(",", between), encoding="utf-8")
    arguments = ["--trials", "1000", "--columns", "id,player1_equity,player1_equity_exact"]
    assert call("batch", source, "-o", target, *arguments, *options).code == 0
    content = target.read_bytes()
    assert content.startswith(start)
    assert re.search(rf"{start[-1:].decode()}0\{decimal}\d+{start[-1:].decode()}", content.decode())
    is_for_sheets = start != b"id,"
    assert ('="' in content.decode()) == is_for_sheets
    # The same when the first of two parts is merged with the second.
    parts = [tmp_path / f"{number}.csv" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        shard = ["--shard", f"{number}/2"]
        assert call("batch", source, "-o", part, *arguments, *options, *shard).code == 0
    assert call("merge", *parts, "-o", tmp_path / "m.csv").code == 0
    assert (tmp_path / "m.csv").read_bytes() == content


def test_large_numbers_are_texts_for_spreadsheets(tmp_path: Path) -> None:
    source, target = tmp_path / "s.csv", tmp_path / "r.csv"
    source.write_text(f"hero,villain\n{AA},AA\n")
    write = write_json(tmp_path / "s.jsonl", [{"players": [AA, RUN], "n": 10**15 + 1, "m": 5}])
    assert call("batch", write, "-o", target, "--excel").code == 0
    (row,) = table(target)
    assert (row["n"], row["m"]) == ('="1000000000000001"', "5")


def test_options_of_csv_alone(tmp_path: Path) -> None:
    source = tmp_path / "s.csv"
    source.write_text(PLAIN)
    for options, said in {
        "-o r.jsonl --excel": "--excel: it does not apply to jsonl",
        "-o r.xlsx --excel": "--excel: it does not apply to xlsx",
        "-o r.parquet --decimal comma": "--decimal: it does not apply to parquet",
        "-o r.csv --decimal comma": "--decimal: the delimiter is a comma; add --excel",
    }.items():
        done = call("batch", source, *options.split())
        assert (done.code, done.stderr.strip()) == (2, f"equity: {said}")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "parquet"])
def test_digits(ending: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"hero": AA, "villain": "QQ", "board": TURN, "x": 0.123456, "stacks": "100,70"},
        {"hero": AA, "villain": RUN, "x": 0.5, "runs": 2},
        {"hero": AA, "villain": "QQ", "x": 1.0, "board": TURN, "view": "next"},
    ]
    source, target = write_json(tmp_path / "s.jsonl", rows), tmp_path / f"r.{ending}"
    done = call("batch", source, "-o", target, "--digits", "3", "--trials", "2000")
    assert done.code == 0, done.stderr
    found = read(target)
    assert found[0]["x"] == 0.123456
    names = [name for name in found[0] if name not in ("x", "id")]
    numbers = {
        name: float(row[name])
        for row in found
        for name in names
        if re.fullmatch(r"-?\d+\.\d+(e.*)?", str(row[name]))
    }
    assert len(numbers) >= 10
    for name, value in numbers.items():
        assert round(value, 3) == value, name
    errors = [value for name, value in numbers.items() if name.endswith("_error")]
    assert max(errors) > 0
    assert any("/" in str(row.get("player1_equity_exact")) for row in found)
    assert "0.0001" not in str([row.get("player1_outcomes") for row in found])


def test_errors_are_rounded_up() -> None:
    values = {"net": -0.0001, "std_error": 0.0001, "pots": [{"rake": 0.126, "std_errors": [0.02]}]}
    line = rounded(Line({"exact": True, "deals": 5}, [("AA", values)]), 2)
    wanted = {"net": 0.0, "std_error": 0.01, "pots": [{"rake": 0.13, "std_errors": [0.02]}]}
    assert (line.spot, line.players) == ({"exact": True, "deals": 5}, [("AA", wanted)])
    assert str(line.players[0][1]["net"]) == "0.0"


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a table in any format, numbers of CSV as such."""
    if path.suffix == ".xlsx":
        return list(excel.read_back(path))
    if path.suffix == ".jsonl":
        return read_json(path)
    if path.suffix == ".parquet":
        import pyarrow.parquet

        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    return [{**row, "x": float(row["x"])} if "x" in row else dict(row) for row in read_csv(path)]


# Excel's own format.


def book(path: Path, *sheets: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    made.remove(made.active)
    for number, rows in enumerate(sheets, 1):
        sheet = made.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append([one[0] if isinstance(one, tuple) else one for one in row])
        for line, row in enumerate(rows, 1):
            for column, one in enumerate(row, 1):
                if isinstance(one, tuple):
                    sheet.cell(line, column).number_format = one[1]
    made.save(path)
    return path


def test_sheets_are_read(tmp_path: Path) -> None:
    source = book(
        tmp_path / "s.xlsx",
        [
            [None, None],
            ["Hero", "Villain", "Board", "trials", "note", "when", "exact", None, None],
            [AA, RUN, RIVER, None, 1.5, datetime.date(2024, 5, 1), None],
            [],
            [None, " ", None],
            [AA, (0.1, "0%"), TURN, 500.0, "x", None, False],
            [AA, RUN, TURN, None, 7, None, True],
            [AA, "NaN", TURN],
            [AA, 12, TURN],
            [AA, RUN, datetime.date(2024, 5, 1)],
            [AA, RUN, "=1+1"],
            ["#comment", RUN, TURN],
            [AA, RUN, "", "", "", "", "", "stray"],
        ],
        [["other"]],
    )
    target = tmp_path / "r.jsonl"
    done = call("batch", source, "-o", target)
    assert done.stderr.splitlines()[0] == "equity: only the first of 2 sheets is read, 'Sheet 1'"
    rows = {row["id"]: row for row in read_json(target)}
    assert list(rows) == [3, 6, 7, 8, 9, 10, 11, 12, 13]
    assert rows[3]["player1_equity_exact"] == "1"
    assert (rows[3]["note"], rows[3]["when"]) == (1.5, "2024-05-01")
    assert (rows[6]["player2"], rows[6]["method"]) == ("10%", "sample")
    assert (rows[7]["exact"], rows[7]["note"]) == (True, 7)
    problems = {
        8: "1 player",
        9: "hand 2: invalid value 12",
        10: "board: 2024-05-01 is a date",
        11: "C11 has a formula without a value",
        12: "'#' is not understood",
        13: "8 fields, but only 7 columns",
    }
    for number, said in problems.items():
        assert said in rows[number]["error"], number


def test_values_of_formulas_are_read(tmp_path: Path) -> None:
    source = book(tmp_path / "s.xlsx", [["players", "board"], [f'="{AA}|{RUN}"', RIVER]])
    import zipfile

    with zipfile.ZipFile(source) as parts:
        files = {name: parts.read(name) for name in parts.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    assert b"<v></v>" in files[sheet] or b"<v/>" in files[sheet] or b"<v />" in files[sheet]
    for empty in (b"<v></v>", b"<v/>", b"<v />"):
        files[sheet] = files[sheet].replace(empty, f"<v>{AA}|{RUN}</v>".encode())
    files[sheet] = (
        files[sheet].replace(b'r="A2"', b'r="A2" t="str"').replace(b't="str" t="str"', b't="str"')
    )
    with zipfile.ZipFile(source, "w") as parts:
        for name, content in files.items():
            parts.writestr(name, content)
    assert call("batch", source, "-o", tmp_path / "r.jsonl").code == 0
    (row,) = read_json(tmp_path / "r.jsonl")
    assert row["player1_equity_exact"] == "1"


def test_sheets_are_written(tmp_path: Path) -> None:
    rows = [
        {**row, "text": text, "n": 10**20}
        for row, text in zip(spots(6), ["=1+1", "1/5", "#N/A", "a\x07b", "", "10%"], strict=True)
    ]
    source, target = write_json(tmp_path / "s.jsonl", rows), tmp_path / "r.xlsx"
    assert call("batch", source, "-o", target, "--jobs", "1").code == 0
    assert call("batch", source, "-o", tmp_path / "r.jsonl", "--jobs", "1").code == 0
    found = list(excel.read_back(target))
    for one, other in zip(read_json(tmp_path / "r.jsonl"), found, strict=True):
        wanted = {name: None if value == "" else value for name, value in one.items()}
        wanted["n"] = str(wanted["n"])
        assert other == wanted
    openpyxl = pytest.importorskip("openpyxl")
    (sheet,) = openpyxl.load_workbook(target).worksheets
    kinds = {cell.data_type for row in sheet.iter_rows(min_row=2) for cell in row}
    assert kinds == {"s", "n", "b"}
    # Parts and interrupted runs give the same file, and so does another day.
    parts = [tmp_path / f"{number}.xlsx" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert call("batch", source, "-o", part, "--jobs", "1", "--shard", f"{number}/2").code == 0
    assert call("merge", *parts, "-o", tmp_path / "m.xlsx").code == 0
    assert (tmp_path / "m.xlsx").read_bytes() == target.read_bytes()
    assert sorted(path.name for path in tmp_path.glob("*.xlsx*") if path.suffix != ".journal") == [
        "1.xlsx",
        "2.xlsx",
        "m.xlsx",
        "r.xlsx",
    ]


def test_a_run_into_a_sheet_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_csv(tmp_path / "s.csv", list(spots(5)))
    whole, target = tmp_path / "w.xlsx", tmp_path / "r.xlsx"
    assert call("batch", source, "-o", whole, "--jobs", "1").code == 0

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(excel, "write", full)
        done = call("batch", source, "-o", target, "--jobs", "1")
    assert done.code == 1
    assert "No space left" in done.stderr
    assert call("batch", source, "-o", target, "--jobs", "1", "--resume").code == 0
    assert target.read_bytes() == whole.read_bytes()


def test_what_a_sheet_has_no_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"players": [AA, RUN], "board": RIVER, "note": "x" * 40_000}]
    source = write_json(tmp_path / "s.jsonl", rows)
    done = call("batch", source, "-o", tmp_path / "r.xlsx", "--jobs", "1")
    assert done.code == 1
    assert "note has 40,000 characters" in done.stderr
    assert not (tmp_path / "r.xlsx").exists()
    monkeypatch.setattr(excel, "MOST_ROWS", 2)
    source = write_json(tmp_path / "s.jsonl", [{**rows[0], "note": ""}] * 2)
    done = call("batch", source, "-o", tmp_path / "q.xlsx", "--jobs", "1")
    assert (done.code, "at most 2 rows" in done.stderr) == (1, True)


def test_files_that_are_no_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"PK", b"PK\x03\x04" + b"\0" * 90, b"hero,villain\n"):
        (tmp_path / "s.xlsx").write_bytes(content)
        done = call("batch", tmp_path / "s.xlsx", "-o", "-")
        assert (done.code, len(done.stderr.splitlines())) == (2, 1)
        assert "spots: it is not an Excel file" in done.stderr
    done = call("batch", book(tmp_path / "e.xlsx", []), "-o", "-")
    assert (done.code, "the table is empty" in done.stderr) == (2, True)
    done = call("batch", book(tmp_path / "e.xlsx", [["a", "b"]]), "-o", "-")
    assert (done.code, "no column has players; the columns are 'a', 'b'" in done.stderr) == (
        2,
        True,
    )
    done = call("batch", book(tmp_path / "e.xlsx", [["hero", "villain", "flop"]]), "-o", "-")
    assert (done.code, "'flop' (did you mean board?)" in done.stderr) == (2, True)
    source = write_csv(tmp_path / "s.csv", list(spots(2)))
    done = call("batch", source, "-o", "-", "--format", "xlsx")
    assert (done.code, "Xlsx needs a file to write to" in done.stderr) == (2, True)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    for arguments in ([source, "-o", tmp_path / "r.xlsx"], [tmp_path / "e.xlsx", "-o", "-"]):
        done = call("batch", *arguments)
        assert (done.code, "pip install 'omaha-equity[excel]'" in done.stderr) == (2, True)


def test_results_that_come_back_from_a_spreadsheet(tmp_path: Path) -> None:
    """Numbers with decimal commas are read as they are written."""
    source = tmp_path / "s.csv"
    source.write_text(f"hero;villain;board;error\n{AA};KK;{TURN};0,05\n")
    assert call("batch", source, "-o", tmp_path / "r.csv").code == 0
    (row,) = table(tmp_path / "r.csv")
    exact = row["player1_equity_exact"].removeprefix('="').removesuffix('"')
    equity = float(row["player1_equity"].replace(",", "."))
    assert not exact or abs(float(Fraction(exact)) - equity) < 1e-12
    assert json.loads(row["player1_orderings"] or "0") == 0
