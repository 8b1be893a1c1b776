"""Column names: what the columns of the input mean, and the columns of the output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, NamedTuple

from equity.batching.errors import BatchError
from equity.common.arguments import shown
from equity.rules.cards import ascii_text

__all__ = [
    "ALL",
    "ASKED",
    "OPTIONS",
    "RIVALS",
    "STREETS",
    "Column",
    "Names",
    "lookalike",
    "meaning",
    "player_number",
    "selected",
]

#: Input columns that are options of ``equity odds``.
OPTIONS = ("exact", "trials", "error", "budget", "seed")
#: Input columns that ask for another view than ``odds``.
ASKED = ("view", "board2", "runs", "stacks", "pot", "rake", "cap", "call", "at_least")
#: For each option the columns that override it in a row.
RIVALS = {
    "exact": ("trials", "error"),
    "trials": ("exact",),
    "error": ("exact",),
    "board2": ("runs",),
    "runs": ("board2",),
}
_SPOT = ("id", "game", "board", "dead", "players", "ordering")
#: Columns that make up the board.
STREETS = ("flop", "turn", "river")
#: The meaning of each known column name, in lower case without spaces, except for numbered
#: players.
_MEANINGS = {name: name for name in (*_SPOT, *STREETS, *OPTIONS, *ASKED)} | {
    "atleast": "at_least",
    "hands": "players",
    "hero": "player1",
    "villain": "player2",
}
_KNOWN = tuple(_MEANINGS)
_PLAYER = re.compile(r"player([1-9]\d?)")
#: ``villain1`` is the second player.
_VILLAIN = re.compile(r"villain([1-9]\d?)")
#: Instead of a list of columns to ignore: every unknown column.
ALL = "all"
#: A column whose name begins with this is a note.
NOTE = "#"
#: The most lists of names to cache; every row of JSON may have another.
_MOST_KEPT = 256
#: Synonyms of known columns; they are errors that suggest the known one.
_SYNONYMS = {
    "player1": "heroes",
    "player2": "opponent opp opps",
    "players": "player range cards holecards hole holding utg mp lj hj co btn sb bb button cutoff"
    " hijack lojack smallblind bigblind straddle",
    "board": "flop turn river communitycards community commoncards boardcards tablecards runout",
    "dead": "deadcards mucked folded foldedcards removed exposed",
    "game": "variant gametype",
    "stacks": "chips stacksize effectivestack effstack",
    "pot": "potsize",
    "call": "tocall callamount callsize amounttocall",
    "trials": "iterations iters samples sims simulations",
    "error": "stderr stderror standarderror",
    "budget": "timeout timelimit",
    "ordering": "rankings handordering rangeordering",
    "board2": "secondboard otherboard",
    "runs": "runittwice rit runouts",
}
_BY_WORD = {name: name for name in _KNOWN} | {
    word: known for known, words in _SYNONYMS.items() for word in words.split()
}
#: Names for a player: with a number, or before a property: ``seat 3``,
#: ``villain 2 range``, ``hero stack``.
_OF_PLAYER = re.compile(
    r"(?P<who>player|hero|villain|opponent|opp|seat|p|hand|range|cards|h)s?(?P<number>\d*)"
    r"(?P<what>|hands?|ranges?|cards?|holecards?|holding|stacks?|stacksize|chips)"
)
_OF_STACKS = ("stack", "chip")
#: Notes, although they are one typo away from a known column.
_NOTES = frozenset(("stakes", "spot", "spots", "hand#"))
#: Least similarity of two names that differ by a typo.
_LEAST_SIMILARITY = 0.8


class Column(NamedTuple):
    """A column of the output."""

    name: str
    #: ``text``, ``truth``, ``whole`` (64 bits), ``big`` (any size) or ``number``.
    kind: str


@lru_cache(maxsize=1024)
def meaning(name: str) -> str | None:
    """The known column that a name of the input stands for; None for a note.

    >>> meaning("Hero"), meaning("Villain 2"), meaning("note")
    ('player1', 'player3', None)
    """
    plain = re.sub(r"[\s_-]", "", name).lower()
    if match := _PLAYER.fullmatch(plain):
        return plain
    if match := _VILLAIN.fullmatch(plain):
        return f"player{int(match[1]) + 1}"
    return _MEANINGS.get(plain)


@lru_cache(maxsize=1024)
def player_number(name: str) -> int:
    """The number of the player in a name such as ``player3``; 0 for other names."""
    match = _PLAYER.fullmatch(name)
    return int(match[1]) if match else 0


def selected(columns: Sequence[Column], names: str | None) -> list[Column]:
    """Select columns by a list of names such as ``id,board,player1_equity``; None selects all.

    Raises ``BatchError`` if a column does not exist.
    """
    if names is None:
        return list(columns)
    known = {column.name: column for column in columns}
    wanted = dict.fromkeys(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in known:
            raise BatchError(
                f"there is no column {ascii_text(name)}",
                place="columns",
                hint=f"there are {', '.join(known)}",
            )
    return [known[name] for name in wanted]


def _plain(name: str) -> str:
    return re.sub(r"#(?=\d)(?<!^#)|[^a-z0-9#]", "", name.lower())


@lru_cache(maxsize=1024)
def lookalike(name: str) -> str:
    """The known column that an unknown name probably means; empty if there is none.

    >>> lookalike("Villain Range"), lookalike("borad"), lookalike("stack"), lookalike("note")
    ('villain', 'board', 'stacks', '')
    """
    plain = _plain(name)
    match = _OF_PLAYER.fullmatch(plain)
    if match and match["what"].startswith(_OF_STACKS):
        return "stacks"
    if match and (match["what"] or match["number"]):
        if match["who"] in ("hero", "villain"):
            return match["who"] + (match["number"] if match["who"] == "villain" else "")
        return f"player{match['number']}" if match["number"] else "players"
    word = plain.rstrip("0123456789")
    number = plain[len(word) :]
    for candidate in dict.fromkeys((plain, word, word.removesuffix("s"), f"{word}s")):
        if candidate in _BY_WORD:
            return _BY_WORD[candidate]
    if word in _NOTES:
        return ""
    close = [known for known in (*_KNOWN, "player") if _is_typo(word, known)]
    if not close:
        return ""
    like = max(close, key=lambda known: SequenceMatcher(None, word, known).ratio())
    return like + number if like in ("player", "villain") else like


def _is_typo(name: str, known: str) -> bool:
    """Whether a name is a known one with one letter added, missing, wrong or misplaced."""
    # Three letters are one typo away from too many words.
    if len(known) < 4 or name[:1] != known[0] or abs(len(name) - len(known)) > 1:
        return False
    swapped = sorted(name) == sorted(known)
    return swapped or SequenceMatcher(None, name, known).ratio() >= _LEAST_SIMILARITY


class Names:
    """The meanings of the columns of an input.

    ``ignored`` are columns to carry through as notes, known or not: a list of names, or a
    text with commas; :data:`ALL` stands for every unknown column.
    """

    def __init__(self, ignored: str | Iterable[str] | None = None) -> None:
        given: Sequence[Any] = [ignored]
        if ignored is None:
            given = ()
        elif isinstance(ignored, str):
            given = ignored.split(",")
        elif isinstance(ignored, Iterable):
            given = list(ignored)
        if not all(isinstance(name, str) for name in given):
            raise BatchError(
                f"{shown(ignored)} is not a list of column names",
                place="ignore_columns",
                hint="give a list of str",
            )
        self.ignored = {_plain(name): name.strip() for name in given if name.strip()}
        self.ignores_all = self.ignored.pop(ALL, None) is not None
        self._unused = dict(self.ignored)
        self._kept: dict[tuple[str, ...], list[str | None]] = {}

    def meanings(self, names: Iterable[str], place: str) -> list[str | None]:
        """The meaning of each column; None for a note.

        Raises ``BatchError`` if an unknown column resembles a known one.
        """
        key = tuple(names)
        known = self._kept.get(key)
        if known is None:
            known = self._read(key, place)
            if len(self._kept) < _MOST_KEPT:
                self._kept[key] = known
        return known

    def _read(self, names: Sequence[str], place: str) -> list[str | None]:
        notes = {name for name in names if self._is_note(name)}
        found = {name: None if name in notes else meaning(name) for name in names}
        streets = [name for name, known in found.items() if known in STREETS]
        present = {found[name] for name in streets}
        why = ""
        doubtful: dict[str, str] = {}
        if "board" in found.values() or not present >= {"flop", "turn"}:
            # One street alone may be a note; streets beside a board contradict or repeat it.
            doubtful = dict.fromkeys(streets, "board")
            found |= dict.fromkeys(streets)
            why = "; flop and turn, or flop, turn and river, make up the board if there is no other"
        why = why if doubtful else ""
        if self.ignores_all:
            return [found[name] for name in names]
        unknown = (name for name, known in found.items() if known is None and name not in notes)
        doubtful |= {name: like for name in unknown if (like := lookalike(name))}
        if doubtful:
            several = len(doubtful) > 1
            columns = [
                f"{ascii_text(name)} (did you mean {like}?)" for name, like in doubtful.items()
            ]
            listed = ascii_text(",".join(doubtful))
            raise BatchError(
                f"unknown column{'s'[:several]} {', '.join(columns)}{why}",
                place=place,
                hint=f"rename {(it := 'them' if several else 'it')}, or carry {it} through: "
                f"--ignore-columns {listed}, or put {NOTE} before the name",
            )
        return [found[name] for name in names]

    def _is_note(self, name: str) -> bool:
        plain = _plain(name)
        self._unused.pop(plain, None)
        return plain.startswith(NOTE) or plain in self.ignored

    def check_used(self) -> None:
        """Raise an error for an ignored column that does not occur."""
        for name in self._unused.values():
            raise BatchError(
                f"there is no column {ascii_text(name)}",
                place="ignored columns",
                hint=f"give column names of the table, or {ALL}",
            )
