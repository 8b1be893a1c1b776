"""Run the notebook and store what its cells show: ``python docs/run_notebook.py``.

It needs no Jupyter: a cell is Python, and shows what it prints, the value of its last line unless
a semicolon follows, and the figures of matplotlib.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent / "notebook.ipynb"


def run(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell, run in their order."""
    import matplotlib as mpl

    mpl.use("agg")
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [list(_outputs("".join(cell["source"]), names)) for cell in cells]


def _outputs(code: str, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a cell shows, as a notebook stores it."""
    from matplotlib import pyplot as plt

    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    value: Any = None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if text := printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}
    picture = value._repr_png_() if hasattr(value, "_repr_png_") else None
    if value is not None and picture is None and not code.endswith(";"):
        yield _shown("text/plain", repr(value))
    pictures = [picture] if picture else []
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, dpi=80, metadata={"Software": None})
        pictures.append(file.getvalue())
    plt.close("all")
    for drawn in pictures:
        yield _shown("image/png", base64.b64encode(drawn).decode())


def _shown(kind: str, data: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {kind: data}, "metadata": {}}


def markdown(notebook: dict[str, Any]) -> str:
    """The notebook as a page."""
    parts: list[str] = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", []):
            if "text" in output:
                parts.append(f"```text\n{''.join(output['text'])}```")
            for kind, data in output.get("data", {}).items():
                image = f"![What the cell draws](data:{kind};base64,{data})"
                parts.append(image if kind == "image/png" else f"```text\n{data}\n```")
    return "\n\n".join(parts) + "\n"


def store(notebook: dict[str, Any]) -> None:
    """Run it and write it with its outputs."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(cells, run(notebook), strict=True), 1):
        cell["execution_count"] = number
        cell["outputs"] = outputs
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    store(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
