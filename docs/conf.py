"""Settings of the site: ``sphinx-build -W -c docs . site``.

The source folder is the top of the project, so that a link from a page to ``../CHANGELOG.md``
works on the site as it does in the repository.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from docutils.nodes import Element, document
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

import equity

sys.path.insert(0, str(Path(__file__).parent))
from run_notebook import markdown

project = "equity"
author = "the equity authors"
version = release = equity.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = ["*.md", "benchmarks/*.md", "data/*.md", "docs/*.md", "docs/*.ipynb"]
exclude_patterns = [".*", "site", "README.md"]

# Headings have the anchors that GitHub gives them, and a link to an unknown one is an error.
myst_heading_anchors = 4
# Examples are commands with their output.
highlight_language = "console"

napoleon_google_docstring = False
# One line for parameters that are described together.
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_attr_annotations = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"exclude-members": "__init__, __new__, __post_init__"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
add_module_names = False

html_theme = "furo"
html_title = f"equity {version}"
html_css_files = ["equity.css"]
html_static_path = ["static"]
html_extra_path = ["root"]
html_copy_source = False
html_show_copyright = False

#: Classes that callers make themselves; how the others are made is internal.
MADE_BY_CALLERS = {"EquityError", "How", "Range"}


def signature(
    _: Sphinx, what: str, name: str, _object: Any, _options: Any, arguments: str, returns: str
) -> tuple[str, str]:
    """Leave out how results and errors are made."""
    is_made_here = what in ("class", "exception") and name.rpartition(".")[2] not in MADE_BY_CALLERS
    return ("", "") if is_made_here else (arguments, returns)


def contents(_: Sphinx, _domain: str, kind: str, node: Element) -> None:
    """Leave members out of the list of contents."""
    if kind in ("attribute", "method", "property") and node.parent is not None:
        for line in node.parent.children[:-1]:
            line["_toc_name"] = ""


def docstring(
    _: Sphinx, what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Keep napoleon from taking what is before a colon for the type of an attribute."""
    if what in ("attribute", "property"):
        # It looks at the first line only, and this one is nothing.
        lines.insert(0, "\\")


class NotebookParser(MystParser):
    """A notebook is a page of its cells, with what they showed when they were run."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: document) -> None:
        """Parse it as Markdown."""
        super().parse(markdown(json.loads(inputstring)), document)


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("autodoc-process-signature", signature)
    # Before napoleon, whose priority is 500.
    app.connect("autodoc-process-docstring", docstring, priority=400)
    app.connect("object-description-transform", contents)
