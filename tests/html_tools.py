"""What the tests of HTML share."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape
from typing import Any

from equity.html.render import render
from equity.operations import find_operation

__all__ = ["check", "shown", "text_of"]


def shown(path: str, body: dict[str, Any]) -> str:
    return render(find_operation(path).ask(body).answer(None))


def check(html: str) -> ET.Element:
    """The elements of a fragment, which asks for nothing and runs nothing."""
    whole = ET.fromstring(html)
    for element in whole.iter():
        assert element.tag.rpartition("}")[2] not in {"script", "style", "link", "iframe", "img"}
        for name in element.attrib:
            assert name != "style"
            assert not name.startswith("on")
            assert name not in {"href", "src"}
    return whole


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", html))
