"""The columns of a batch: what those of the input mean, and what one of the output is."""

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

#: Columns of the input that say how a spot is answered, options of ``equity odds``.
OPTIONS = ("exact", "trials", "error", "budget", "seed")
#: Columns that say what is asked of a spot, where it is not the split of its pot.
ASKED = ("view", "board2", "runs", "stacks", "pot", "rake", "cap", "call")
#: Options that a column of another name puts aside in its row.
RIVALS = {
    "exact": ("trials", "error"),
    "trials": ("exact",),
    "error": ("exact",),
    "board2": ("runs",),
    "runs": ("board2",),
}
_SPOT = ("id", "game", "board", "dead", "players", "ordering")
#: Columns that are the board together.
STREETS = ("flop", "turn", "river")
#: What a column of the input may be called, in any case and with spaces, and what it
#: stands for; ``player1`` and so on are beside these.
_MEANINGS = {name: name for name in (*_SPOT, *STREETS, *OPTIONS, *ASKED)} | {
    "hands": "players",
    "hero": "player1",
    "villain": "player2",
}
_KNOWN = tuple(_MEANINGS)
_PLAYER = re.compile(r"player([1-9]\d?)")
#: The first villain is the second player.
_VILLAIN = re.compile(r"villain([1-9]\d?)")
#: In place of names to ignore: every column that is not known.
ALL = "all"
#: What a name begins with that is a note whatever it looks like.
NOTE = "#"
#: Lists of keys that are remembered; rows of JSON may each have others.
_MOST_KEPT = 256
#: Other words for a known column.
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
#: What a player is called, alone with a number and before what is told of them:
#: ``seat 3``, ``villain 2 range``, ``hero stack``.
_OF_PLAYER = re.compile(
    r"(?P<who>player|hero|villain|opponent|opp|seat|p|hand|range|cards|h)s?(?P<number>\d*)"
    r"(?P<what>|hands?|ranges?|cards?|holecards?|holding|stacks?|stacksize|chips)"
)
_OF_STACKS = ("stack", "chip")
#: Words that are notes, though a slip away from a known one.
_NOTES = frozenset(("stakes", "spot", "spots", "hand#"))
#: How alike two names are that differ by a slip of the fingers.
_ALIKE = 0.8


class Column(NamedTuple):
    """A column of the output."""

    name: str
    #: ``text``, ``truth``, ``whole`` (64 bits), ``big`` (any size) or ``number``.
    kind: str


@lru_cache(maxsize=1024)
def meaning(name: str) -> str | None:
    """What a column of the input stands for; None if it is carried through.

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
    """The number in a meaning such as ``player3``, else 0."""
    match = _PLAYER.fullmatch(name)
    return int(match[1]) if match else 0


def selected(columns: Sequence[Column], names: str | None) -> list[Column]:
    """The columns of a list such as ``id,board,player1_equity``, all for None.

    Raises
    ------
    BatchError
        There is no such column.
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
    """The known column that an unknown name looks like; nothing if there is none.

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
    close = [known for known in (*_KNOWN, "player") if _is_slip(word, known)]
    if not close:
        return ""
    like = max(close, key=lambda known: SequenceMatcher(None, word, known).ratio())
    return like + number if like in ("player", "villain") else like


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is a known one with a letter too many, too few, wrong or misplaced."""
    # Names of three letters are within a slip of too many words.
    if len(known) < 4 or name[:1] != known[0] or abs(len(name) - len(known)) > 1:
        return False
    swapped = sorted(name) == sorted(known)
    return swapped or SequenceMatcher(None, name, known).ratio() >= _ALIKE


class Names:
    """What the columns of an input mean.

    Parameters
    ----------
    ignored:
        Columns to carry through as notes, known or not: their names with commas
        between, a list of them, or :data:`ALL` for every column that is not known.
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
                f"{shown(ignored)} is no list of names", place="ignore_columns", hint="give texts"
            )
        self.ignored = {_plain(name): name.strip() for name in given if name.strip()}
        self.ignores_all = self.ignored.pop(ALL, None) is not None
        self._unused = dict(self.ignored)
        self._kept: dict[tuple[str, ...], list[str | None]] = {}

    def meanings(self, names: Iterable[str], place: str) -> list[str | None]:
        """For each column what it means; None if it is a note.

        Raises
        ------
        BatchError
            One is not known and looks like one that is.
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
            # One of them alone may be a note, and beside a board they say it twice.
            doubtful = dict.fromkeys(streets, "board")
            found |= dict.fromkeys(streets)
            why = "; flop and turn, or flop, turn and river, are the board where there is no other"
        why = why if doubtful else ""
        if self.ignores_all:
            return [found[name] for name in names]
        unknown = (name for name, known in found.items() if known is None and name not in notes)
        doubtful |= {name: like for name in unknown if (like := lookalike(name))}
        if doubtful:
            several = len(doubtful) > 1
            columns = [f"{ascii_text(name)} (for {like}?)" for name, like in doubtful.items()]
            listed = ascii_text(",".join(doubtful))
            raise BatchError(
                f"the column{'s'[:several]} {', '.join(columns)} "
                f"{'are' if several else 'is'} not known{why}",
                place=place,
                hint=f"rename {'them' if several else 'it'}, or ignore "
                f"{'them' if several else 'it'}: --ignore-columns {listed}, or a name with "
                f"{NOTE} in front",
            )
        return [found[name] for name in names]

    def _is_note(self, name: str) -> bool:
        plain = _plain(name)
        self._unused.pop(plain, None)
        return plain.startswith(NOTE) or plain in self.ignored

    def check_used(self) -> None:
        """Raise an error for an ignored column that no row has."""
        for name in self._unused.values():
            raise BatchError(
                f"there is no column {ascii_text(name)}",
                place="ignored columns",
                hint=f"give names of the table, or {ALL}",
            )
