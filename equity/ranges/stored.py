"""The files that orderings are stored in: scores by class, and facts about them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equity.errors import DataError

__all__ = ["Facts", "read_facts", "read_scores", "score_digest", "write_scores"]


@dataclass(frozen=True)
class Facts:
    """What is known of a stored ordering."""

    game: str
    name: str
    version: str
    description: str
    #: What the scores are.
    score: str
    #: The units in a score of 1.
    units: int
    #: The standard error of a score, root of the mean square over classes; 0 if exact.
    standard_error: float
    #: What names it behind a percent sign, ``10%6h``.
    players: int
    #: The SHA-256 of the scores.
    digest: str


def score_digest(scores: NDArray[np.integer]) -> str:
    """The SHA-256 of scores, in hexadecimal."""
    little = scores.astype(scores.dtype.newbyteorder("<"))
    return hashlib.sha256(little.tobytes()).hexdigest()


def _paths(folder: Path, game: str, name: str) -> tuple[Path, Path]:
    return folder / f"{game}-{name}.npy", folder / f"{game}-{name}.json"


def _unreadable(path: Path, game: str, name: str) -> DataError:
    return DataError(
        f"the ordering {path} cannot be read",
        hint=f"install the package again, or run: equity data ordering -g {game} {name}",
    )


def write_scores(folder: Path, facts: Facts, scores: NDArray[np.integer]) -> list[Path]:
    """Write an ordering into a folder; the paths of scores and facts."""
    scores_path, facts_path = _paths(folder, facts.game, facts.name)
    np.save(scores_path, scores)
    facts_path.write_text(json.dumps(asdict(facts), indent=1) + "\n", encoding="ascii")
    return [scores_path, facts_path]


def read_facts(folder: Path, game: str, name: str) -> Facts:
    """The facts about a stored ordering.

    Raises
    ------
    DataError
        It is not there.
    """
    path = _paths(folder, game, name)[1]
    try:
        return Facts(**json.loads(path.read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        raise _unreadable(path, game, name) from None


def read_scores(folder: Path, game: str, name: str, classes: int) -> NDArray[np.integer]:
    """The scores of a stored ordering, one for each of so many classes.

    Raises
    ------
    DataError
        They are not there, or damaged.
    """
    path = _paths(folder, game, name)[0]
    try:
        scores: NDArray[np.integer] = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError, MemoryError):
        raise _unreadable(path, game, name) from None
    if scores.dtype.kind not in "iu" or scores.shape != (classes,):
        raise _unreadable(path, game, name)
    return scores
