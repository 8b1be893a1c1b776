"""Hand rankings: all hands from best to worst, which percentages refer to."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equity.common.arguments import shown
from equity.errors import DataError, OrderingError
from equity.ranges.class_notation import read_classes
from equity.ranges.hands import hand_space
from equity.ranges.tree import Percent
from equity.rules.games import GAMES, Game, find_game
from equity.rules.tables import data_folder

__all__ = [
    "DEFAULT",
    "Facts",
    "Ordering",
    "find_ordering",
    "is_ordering_name",
    "ordering_folder",
    "ordering_names",
    "read_ordering",
    "score_digest",
    "select_ordering",
    "write_scores",
]

#: The ordering of a percent item that names none.
DEFAULT = "ring"
_HUNDRED = 100


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


class Ordering:
    """A hand ranking: all hand classes of a game, best first.

    Attributes
    ----------
    game:
        The game.
    name, version:
        What it is called; an ordering of the same name and version is the same.
    order:
        (classes,) int64, the numbers of the classes, best first.
    scores:
        (classes,) what the classes are sorted by, by class; None if not known.
    facts:
        More about an ordering of the package; None for one of a user.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        version: str,
        order: NDArray[np.int64],
        *,
        scores: NDArray[np.integer] | None = None,
        facts: Facts | None = None,
    ) -> None:
        self.game = game
        self.name = name
        self.version = version
        self.order = order
        self.scores = scores
        self.facts = facts

    def __repr__(self) -> str:
        return f"<Ordering {self.label} of {self.game.name}>"

    @property
    def label(self) -> str:
        """Name and version, as results give them."""
        return f"{self.name} {self.version}"

    @property
    def digest(self) -> str:
        """The SHA-256 of the scores, or of the order where there are none."""
        return score_digest(self.order if self.scores is None else self.scores)

    @property
    def is_intact(self) -> bool:
        """Whether the scores are those that the facts of a stored ordering were made for."""
        return self.facts is None or self.digest == self.facts.digest

    @cached_property
    def combos(self) -> NDArray[np.int64]:
        """(classes,) int64, the combos up to and with each class, best first."""
        return np.cumsum(hand_space(self.game.hole).types.size(self.order))

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """Where in the order each class is."""
        places = np.empty_like(self.order)
        places[self.order] = np.arange(len(self.order))
        return places

    def percentile(self, class_number: int) -> float:
        """The percentage of all combos that are in this class or a better one."""
        return float(self.percentiles(np.array([class_number]))[0])

    def percentiles(self, classes: NDArray[np.integer]) -> NDArray[np.float64]:
        """The same for each of several classes, by their numbers."""
        share = self.combos_up_to(classes) * _HUNDRED
        return share / hand_space(self.game.hole).size

    def combos_up_to(self, classes: NDArray[np.integer]) -> NDArray[np.int64]:
        """How many combos are in each of several classes or a better one."""
        found: NDArray[np.int64] = self.combos[self._places[classes]]
        return found

    def place(self, class_number: int) -> int:
        """The place of a class, 1 for the best."""
        return int(self._places[class_number]) + 1

    def mask(self, percent: Percent) -> NDArray[np.bool_]:
        """Which hands are in ``percent``, in the order of the hand space.

        With p the percentage up to and with a class, rounded up at the decimals
        given, ``n%`` is p <= n, and ``a%-b%`` is a <= p <= b.
        """
        types = hand_space(self.game.hole).types
        low = Decimal(0) if percent.low is None else percent.low
        places = max(-int(end.as_tuple().exponent) for end in (low, percent.high))
        scale = 10 ** max(places, 0)
        start = 0
        if low:
            start = self._count(int(low * scale) - 1, scale)
        chosen = np.zeros(types.count, np.bool_)
        chosen[self.order[start : self._count(int(percent.high * scale), scale)]] = True
        return chosen[types.of_all]

    def _count(self, part: int, scale: int) -> int:
        """How many classes are within ``part`` of ``scale`` percent."""
        combos = part * hand_space(self.game.hole).size // (_HUNDRED * scale)
        return int(np.searchsorted(self.combos, combos, side="right"))


def ordering_folder() -> Path:
    """Where the orderings of the package are."""
    return data_folder() / "orderings"


@cache
def _facts_of(game: str) -> dict[str, Facts]:
    """Facts of the hand rankings that ship with the package, the default first."""
    names = [
        path.stem.removeprefix(f"{game}-") for path in ordering_folder().glob(f"{game}-*.json")
    ]
    facts = {name: _read_facts(ordering_folder(), game, name) for name in names}
    return {
        name: facts[name]
        for name in sorted(names, key=lambda name: (name != DEFAULT, name))
        # The name of another game may begin with that of this one.
        if facts[name].game == game
    }


def ordering_names(game: str) -> tuple[str, ...]:
    """The names of the orderings of a game that the package has."""
    return tuple(_facts_of(game))


def is_ordering_name(name: str) -> bool:
    """Whether every game has an ordering of a name; so it cannot be taken for a file."""
    return all(name.strip().lower() in ordering_names(game.name) for game in GAMES)


@cache
def _stored_ordering(game: str, name: str) -> Ordering:
    facts = _facts_of(game)[name]
    found = find_game(game)
    scores = _read_scores(ordering_folder(), game, name, hand_space(found.hole).types.count)
    order = np.argsort(-scores.astype(np.int64), kind="stable")
    return Ordering(found, name, facts.version, order, scores=scores, facts=facts)


def read_ordering(path: str | Path, game: str | Game = "plo4") -> Ordering:
    """Read a hand ranking from a file.

    Parameters
    ----------
    path:
        The file: a class a line, best first, cards of one suit in brackets, as
        in ``(AK)(QJ)``.  All classes of the game are in it, each once.
    game:
        A game or its name.

    Raises
    ------
    OrderingError
        The text says no ordering of that game.
    DataError
        The file cannot be read.
    """
    found = find_game(game)
    order = read_classes(_path(path), found)
    version = score_digest(order)[:8]
    name = Path(path).name.encode("ascii", "backslashreplace").decode()
    return Ordering(found, name, version, order)


def _path(given: object) -> Path:
    """The path of an ordering from Python, where a number would be an open file."""
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        if isinstance(path, str):
            return Path(path)
    raise OrderingError(
        f"{shown(given)} is no ordering",
        place="ordering",
        hint="give the name of one, the path of a file, or what equity.read_ordering returns",
    )


def select_ordering(ordering: str | Path | Ordering, game: str | Game = "plo4") -> Ordering:
    """Return a hand ranking by its name or path; an :class:`Ordering` is returned as it is.

    Raises
    ------
    OrderingError
        There is none of that name, or it is one of another game.
    DataError
        Its file cannot be read.
    """
    found = find_game(game)
    if isinstance(ordering, Ordering):
        if ordering.game.hole != found.hole:
            raise OrderingError(
                f"an ordering of {ordering.game.name} is used with {found.name}", place="ordering"
            )
        return ordering
    path = _path(ordering)
    names = ordering_names(found.name)
    if str(ordering).strip().lower() in names:
        return _stored_ordering(found.name, str(ordering).strip().lower())
    try:
        stamp = os.stat(path)
    except (OSError, ValueError):
        raise OrderingError(
            f"{shown(str(ordering))} is neither an ordering of {found.name} nor a file",
            place="ordering",
            hint=f"known are {', '.join(names) or 'none'}",
        ) from None
    return _read_once(path, found, (stamp.st_mtime_ns, stamp.st_size))


@lru_cache(maxsize=4)
def _read_once(path: Path, game: Game, _: tuple[int, int]) -> Ordering:
    """An ordering from a file, kept for the next range as long as the file is the same."""
    return read_ordering(path, game)


def find_ordering(percent: Percent, game: Game, chosen: Ordering | None = None) -> Ordering:
    """Return the hand ranking that a percent item refers to.

    Parameters
    ----------
    percent:
        The item; a number of players behind it names an ordering of the package.
    chosen:
        What an item without such a number is read by, else the usual one.

    Raises
    ------
    OrderingError
        There is none.
    """
    if percent.players is None:
        return chosen or select_ordering(DEFAULT, game)
    known = {facts.players: name for name, facts in _facts_of(game.name).items()}
    if percent.players in known:
        return _stored_ordering(game.name, known[percent.players])
    listed = ", ".join(f"{players}h ({name})" for players, name in sorted(known.items()))
    raise OrderingError(
        f"{percent} needs an ordering of {game.name} for {percent.players} players, "
        "and there is none",
        hint=f"behind the percent sign go {listed}",
    )


# The files that orderings of the package are stored in


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


def _read_facts(folder: Path, game: str, name: str) -> Facts:
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


def _read_scores(folder: Path, game: str, name: str, classes: int) -> NDArray[np.integer]:
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
