"""Builds an ordering from its recipe, in steps that can be resumed."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from equity.engine.executor import worker_threads
from equity.errors import DataError
from equity.maintenance.evolution import Evolution
from equity.maintenance.exact import AllBoards
from equity.maintenance.recipes import Recipe
from equity.ranges.orderings import Facts, score_digest, write_scores
from equity.rules.games import Game

__all__ = ["Builder", "build"]

#: Seconds between two checkpoints.
_SAVE_EVERY = 30.0


class Builder(Protocol):
    """Work in chunks that can be resumed from any state."""

    @property
    def progress(self) -> float:
        """Part of the work that is done, 0 to 1."""

    @property
    def is_done(self) -> bool:
        """Whether all chunks are done."""

    def advance(self, executor: Executor, threads: int) -> None:
        """Run some chunks."""

    def state(self) -> dict[str, NDArray[Any]]:
        """The state, as arrays to save."""

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore a saved state."""

    def scores(self) -> tuple[NDArray[np.int64], int, float]:
        """Scores by class in units, the units in 1, and the standard error of a score."""


def build(
    recipe: Recipe,
    game: Game,
    folder: Path,
    *,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> list[Path]:
    """Build an ordering, or resume one that was begun in ``folder``.

    Parameters
    ----------
    recipe, game:
        What to build.
    folder:
        Output folder; the checkpoint is kept there too.
    threads:
        Number of threads, one for each processor by default; it does not affect the result.
    progress:
        Called from time to time with the part that is done, 0 to 1.

    Returns
    -------
    list of Path
        The files written: scores by class, and their metadata.

    Raises
    ------
    DataError
        The checkpoint in ``folder`` belongs to another recipe.
    """
    count = worker_threads(threads)
    builder: Builder = (AllBoards if game.hole in recipe.exact else Evolution)(game, recipe)
    unfinished = folder / f"{game.name}-{recipe.name}.unfinished.npz"
    # The inputs of the work; descriptions do not matter.
    seats, deals = recipe.seats.get(game.hole), recipe.deals.get(game.hole)
    key = f"{recipe.name} {recipe.version} {game} {seats} {deals} {recipe.rounds}"
    folder.mkdir(parents=True, exist_ok=True)
    _resume(builder, unfinished, key)
    saved = monotonic()
    executor = ThreadPoolExecutor(count, thread_name_prefix="equity")
    try:
        while not builder.is_done:
            builder.advance(executor, count)
            if progress:
                progress(builder.progress)
            if monotonic() - saved > _SAVE_EVERY:
                _save(builder, unfinished, key)
                saved = monotonic()
    finally:
        # After a Ctrl-C, do not wait for the chunks under way, which take seconds.
        executor.shutdown(wait=False, cancel_futures=True)
    scores, units, error = builder.scores()
    stored: NDArray[np.integer] = scores
    if units < 1 << 16:
        stored = scores.astype(np.uint16)
    facts = Facts(
        game=game.name,
        name=recipe.name,
        version=recipe.version,
        description=recipe.description,
        score=recipe.score,
        units=units,
        standard_error=error,
        players=recipe.players or recipe.seats[game.hole],
        digest=score_digest(stored),
    )
    paths = write_scores(folder, facts, stored)
    unfinished.unlink(missing_ok=True)
    return paths


def _save(builder: Builder, path: Path, key: str) -> None:
    """Write a checkpoint atomically."""
    beside = path.with_suffix(".tmp")
    with beside.open("wb") as file:
        np.savez(file, key=np.array(key), **builder.state())  # type: ignore[arg-type]
    os.replace(beside, path)


def _resume(builder: Builder, path: Path, key: str) -> None:
    """Restore a builder from its checkpoint, if there is one."""
    with suppress(FileNotFoundError):
        try:
            with np.load(path) as stored:
                state = {name: stored[name] for name in stored.files}
        except (ValueError, EOFError, zipfile.BadZipFile):
            raise DataError(f"{path} cannot be read", hint="remove it to begin anew") from None
        if str(state.pop("key", "")) != key:
            raise DataError(
                f"{path} is of another recipe or version", hint="remove it to begin anew"
            )
        # Kernels trust the arrays.
        if not _fits(state, builder.state()):
            raise DataError(f"{path} is damaged", hint="remove it to begin anew")
        builder.resume(state)


def _fits(state: Mapping[str, NDArray[Any]], fresh: Mapping[str, NDArray[Any]]) -> bool:
    """Whether the arrays of a state have the types and shapes of a fresh one.

    An array that is empty at first may have an entry for each class.
    """
    if state.keys() != fresh.keys():
        return False
    classes = max(map(len, fresh.values()))
    return all(
        state[name].dtype == array.dtype
        and (
            state[name].shape == array.shape
            or (array.size == 0 and state[name].shape == (classes,))
        )
        for name, array in fresh.items()
    )
