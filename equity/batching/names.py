"""The names of input columns: what each means, and which unknown ones look like known ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from equity.batching.columns import KNOWN, STREETS, meaning
from equity.batching.errors import BatchError
from equity.common.arguments import shown
from equity.rules.cards import ascii_text

__all__ = ["ALL", "Names", "lookalike"]

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
_BY_WORD = {name: name for name in KNOWN} | {
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
    close = [known for known in (*KNOWN, "player") if _is_slip(word, known)]
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
