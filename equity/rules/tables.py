"""Lookup tables of the kernels: built from the rules, stored, loaded.

A hand is two hole cards and three of the board, so it is looked up by what
those contribute.  Ranks run from 0 (a two) to 12 (an ace).

- ``pair``: 13 x 13 to the number of the unordered pair of ranks, 0 to 90.
- ``triple``: 13 x 13 x 13 to the number of the unordered three ranks, 0 to 454.
- ``board``: triple x pair to the number of the rank multiset of five, 0 to
  6,187 (13 of them, five of a rank, are never dealt).
- ``high``: pair x multiset to the best high of the pair with three of the
  five, suits aside, 1 to 7,462; 0 where that takes five of a rank.
- ``low_set``: multiset to the number of its set of low ranks, 1 to 182; 0
  where there are fewer than three of them.
- ``low``: pair x low set to the best low, 1 to 56; 0 for none.
- ``suited_mask``: bit mask of ranks to the number of the mask, 0 to 2,287;
  65,535 where fewer than three or more than five bits are set.
- ``straight``: the ten straights as bit masks of ranks, best first.
- ``category``: the value of the worst high of each category.
- ``flush``: pair x mask to the best flush or straight flush of two suited
  hole cards of those ranks and three suited board cards of the mask; 0 where
  they share a rank.

Unordered tuples are numbered by the combinatorial number system, so that all
multisets that share their four highest ranks are neighbours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import TYPE_CHECKING

from equity.errors import DataError
from equity.rules.ranks import (
    ACE,
    CATEGORIES,
    RANK_COUNT,
    STRAIGHTS,
    high_classes,
    high_of_ranks,
    high_value,
    low_of_ranks,
    low_value,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "MULTISETS",
    "PAIRS",
    "TABLES",
    "TRIPLES",
    "array",
    "build",
    "data_folder",
    "digest",
    "memory",
    "multiset_number",
    "multisets",
    "save",
]

PAIRS = comb(RANK_COUNT + 1, 2)
TRIPLES = comb(RANK_COUNT + 2, 3)
MULTISETS = comb(RANK_COUNT + 4, 5)
LOW_RANKS = (0, 1, 2, 3, 4, 5, 6, ACE)
LOW_SETS = 1 + sum(comb(len(LOW_RANKS), size) for size in (3, 4, 5))
SUITED_MASKS = sum(comb(RANK_COUNT, size) for size in (3, 4, 5))
NO_MASK = 65_535

#: Name, dtype and shape of every table.
TABLES: dict[str, tuple[str, tuple[int, ...]]] = {
    "pair": ("uint8", (RANK_COUNT, RANK_COUNT)),
    "triple": ("uint16", (RANK_COUNT, RANK_COUNT, RANK_COUNT)),
    "board": ("uint16", (TRIPLES, PAIRS)),
    "high": ("uint16", (PAIRS, MULTISETS)),
    "low_set": ("uint8", (MULTISETS,)),
    "low": ("uint8", (PAIRS, LOW_SETS)),
    "suited_mask": ("uint16", (1 << RANK_COUNT,)),
    "flush": ("uint16", (PAIRS, SUITED_MASKS)),
    "straight": ("int64", (len(STRAIGHTS),)),
    "category": ("uint16", (len(CATEGORIES),)),
}
#: Bytes of a number, known without numpy.
_ITEM_SIZES = {"uint8": 1, "uint16": 2, "int64": 8}


def multiset_number(ranks: Iterable[int]) -> int:
    """The number of an unordered tuple of ranks among those of its length."""
    descending = sorted(ranks, reverse=True)
    size = len(descending)
    return sum(comb(rank + size - 1 - at, size - at) for at, rank in enumerate(descending))


def multisets() -> Iterator[tuple[int, tuple[int, ...]]]:
    """The numbers of all multisets of five ranks that can be dealt, and their ranks."""
    for ranks in combinations_with_replacement(range(RANK_COUNT), 5):
        if ranks[0] != ranks[4]:
            yield multiset_number(ranks), ranks


def values_of_three() -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """High and low of every pair of ranks with exactly three others.

    Both have shape (91, 455) by number of the pair and of the triple, suits
    aside; 0 where there is no low, or where it takes five of a rank.
    """
    import numpy as np

    high = np.zeros((PAIRS, TRIPLES), np.uint16)
    low = np.zeros((PAIRS, TRIPLES), np.uint8)
    for pair in combinations_with_replacement(range(RANK_COUNT), 2):
        for triple in combinations_with_replacement(range(RANK_COUNT), 3):
            ranks = pair + triple
            if max(map(ranks.count, ranks)) > 4:
                continue
            at = multiset_number(pair), multiset_number(triple)
            high[at] = high_value(high_of_ranks(ranks, suited=False))
            low[at] = low_value(low_of_ranks(ranks))
    return high, low


def build() -> dict[str, NDArray[np.generic]]:
    """All tables, made from the rules of :mod:`equity.rules.ranks` (some seconds)."""
    import numpy as np

    tables: dict[str, NDArray[np.generic]] = {
        name: np.zeros(shape, dtype) for name, (dtype, shape) in TABLES.items()
    }
    every_rank = range(RANK_COUNT)
    pairs = list(combinations_with_replacement(every_rank, 2))
    triples = list(combinations_with_replacement(every_rank, 3))
    for low, high in pairs:
        tables["pair"][low, high] = tables["pair"][high, low] = multiset_number((low, high))
    for a, b, c in np.ndindex(RANK_COUNT, RANK_COUNT, RANK_COUNT):
        tables["triple"][a, b, c] = multiset_number((a, b, c))
    for triple in triples:
        for pair in pairs:
            at = multiset_number(triple), multiset_number(pair)
            tables["board"][at] = multiset_number(triple + pair)

    # The best of the ten threes of a board.
    high_of_three, low_of_three = values_of_three()
    low_sets = {frozenset(ranks) for size in (3, 4, 5) for ranks in combinations(LOW_RANKS, size)}
    low_set_number = {ranks: number for number, ranks in enumerate(sorted(low_sets, key=sorted), 1)}
    for ranks in combinations_with_replacement(every_rank, 5):
        at_board = multiset_number(ranks)
        threes = sorted({multiset_number(three) for three in combinations(ranks, 3)})
        tables["high"][:, at_board] = high_of_three[:, threes].max(axis=1)
        low_set = low_set_number.get(frozenset(ranks).intersection(LOW_RANKS), 0)
        tables["low_set"][at_board] = low_set
        if low_set:
            tables["low"][:, low_set] = low_of_three[:, threes].max(axis=1)

    tables["straight"][:] = [sum(1 << rank for rank in ranks) for ranks in STRAIGHTS]
    categories = [high.category for high in high_classes()]
    tables["category"][:] = [1 + categories.index(at) for at in range(len(CATEGORIES))]

    masks = [mask for size in (3, 4, 5) for mask in combinations(every_rank, size)]
    tables["suited_mask"][:] = NO_MASK
    for number, mask in enumerate(masks):
        tables["suited_mask"][sum(1 << rank for rank in mask)] = number
    for low, high in combinations(every_rank, 2):
        for number, mask in enumerate(masks):
            if low not in mask and high not in mask:
                tables["flush"][multiset_number((low, high)), number] = max(
                    high_value(high_of_ranks((low, high, *three), suited=True))
                    for three in combinations(mask, 3)
                )
    return tables


def data_folder() -> Path:
    """Where the data files are: in the package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "data", package.parent / "data"):
        if folder.is_dir():
            return folder
    raise DataError("the data folder of the package is missing", hint="install the package again")


def _path(name: str, folder: Path | None = None) -> Path:
    return (folder or data_folder()) / "tables" / f"{name}.npy"


def save(folder: Path) -> list[Path]:
    """Build all tables and write them below ``folder``; the paths written."""
    import numpy as np

    paths = []
    for name, table in build().items():
        path = _path(name, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, table)
        paths.append(path)
    return paths


@cache
def memory(name: str) -> bytes:
    """The raw bytes of a table in C order, read without numpy."""
    path = _path(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"the table {path} cannot be read ({error.strerror})",
            hint="install the package again, or run: equity data build",
        ) from None
    # The .npy format: magic, version, length of the header, header, data.
    start = 10 + int.from_bytes(content[8:10], "little")
    dtype, shape = TABLES[name]
    # Kernels read the memory as the declaration says.
    if len(content) - start != prod(shape) * _ITEM_SIZES[dtype]:
        raise DataError(
            f"the table {path} is damaged",
            hint="install the package again, or run: equity data build",
        )
    return content[start:]


@cache
def array(name: str) -> NDArray[np.generic]:
    """A table as a read-only numpy array that shares the memory of the bytes."""
    import numpy as np

    dtype, shape = TABLES[name]
    return np.frombuffer(memory(name), dtype).reshape(shape)


def digest(name: str) -> str:
    """The SHA-256 of a table's numbers in C order, in hexadecimal."""
    return hashlib.sha256(memory(name)).hexdigest()
