"""What the tests of views share."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

FLOP = "Th7h2c"
#: Dead cards that leave little to do.
GONE = "3s3h3d3c5s5h5d5c6s6h6d6c8s8h8d8c9s9h9d9c"
MORE = "2s2h2d4s4h4d4cTsTdTcJsJhJc"
#: Ranges with weights; a next card can kill all hands of one weight.
RANGES = {
    "plo4": ["AhKh4h3h@50,QdQs9d9s@100", "JsTs9s8s@30,AsAd*:xxyy", "KcKd6c6d"],
    "o8": ["AhKh4h3h@50,QdQs9d9s@100", "As2s*:xxyz@20,AdAs5d4s@70"],
    "plo5": ["AhKh4h3h5c@50,QdQs9d9s6c@100", "JsTs9s8s3d@30,AsAdKdKs*"],
    "bigo": ["AhKh4h3h5c@50,QdQs9d9s6c@100", "JsTs9s8s3d@30,AsAd3s4s*"],
    "plo6": ["AhKh4h3h5c5d@50,QdQs9d9s6c6s@100", "JsTs9s8s3d3s@30,AsAdKdKsJc*"],
    "plo6-8": ["AhKh4h3h5c5d@50,QdQs9d9s6c6s@100", "JsTs9s8s3d3s@30,AsAd3s4s5s*"],
}


def texts(path: Path) -> list[str]:
    """The texts of an SVG picture."""
    root = ElementTree.parse(path).getroot()
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
