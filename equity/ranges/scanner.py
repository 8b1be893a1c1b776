"""Scanner: range text without white space, macros expanded, with source columns.

Cleaning drops white space, turns suit symbols into letters and expands macros;
every character left knows which characters of the text it came from, so an
error in a macro still points at what was typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from equity.common.arguments import shown
from equity.errors import RangeSyntaxError
from equity.ranges.words import MACROS, NOT_SLOTS, find_word
from equity.rules.cards import describe_character as describe

__all__ = ["MAX_LENGTH", "Source"]

#: The longest text that is read: some 300,000 hands of six cards.
MAX_LENGTH = 4_000_000

_LONGEST_QUOTE = 40
_SYMBOLS = dict(zip("♠♥♦♣♤♡♢♧", "shdc" * 2, strict=True))
_VARIATION_MARKS = "\ufe0e\ufe0f"
_LONGEST_MACRO = max(map(len, MACROS))
_BREAK = r"\s,():!@"
# A word with a letter that no slot has.  Names behind '@' and '$' are spelled, and skipped.
_WORD = re.compile(
    rf"[@$]\s*[A-Za-z0-9]+"
    rf"|(?<![^\s,():!])(?P<word>(?=[A-Za-z0-9.]*[{NOT_SLOTS}{NOT_SLOTS.lower()}])[A-Za-z0-9.]+[%+]*)"
    rf"(?![^{_BREAK}])"
)
# Words that slots could spell too: these are words where white space surrounds them.
_SPACED_WORD = re.compile(
    r"(?P<word>(?<=\s)(?ai:or|and|not)(?=\s)|(?<![^\s,():!])(?ai:any)(?![^\s,():!@]))"
)
# "all" with more than a sign beside it.
_CROWDED_ALL = re.compile(
    rf"(?<=[^{_BREAK}])\s+((?ai:all))(?![^{_BREAK}$])|(?<![^{_BREAK}])((?ai:all))\s+(?=[^{_BREAK}$])"
)
_HINTS = {
    "%": "a percentage stands alone, 10% or 5%-10%",
    **dict.fromkeys("?_", "any card is '*'"),
    **dict.fromkeys("(;|&", "join by ',' or ':' or '!'"),
    "/": "join ranges by ',', separate cards by spaces",
    "]": "a bracket begins with '['",
    # Dashes that word processors put where a hyphen was typed.
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "a span is written with '-'"),
}
_CHARACTERS = "ranks are AKQJT98765432, R O N P and '*', suits shdc and wxyz"
_NO_NAMES = "no range has a name: write ranks and suits, AA:xxyy, or a percentage, 30%"


class Source:
    """A text to read.

    Attributes
    ----------
    text:
        The text as given.
    chars:
        Its characters without white space, symbols and macros expanded.
    place:
        What the text is, for messages (``"range 2"``).
    """

    def __init__(self, text: str, place: str = "", *, of_board: bool = False) -> None:
        self.text = text
        self.place = place
        #: Whether it is a pattern of board or dead cards, not a range.
        self.of_board = of_board
        self.chars = text
        #: Where in the text each character begins and where it ends.
        self._begins: Sequence[int] = range(len(text))
        self._ends: Sequence[int] = range(1, len(text) + 1)
        if len(text) > MAX_LENGTH:
            raise RangeSyntaxError(
                f"a text of {len(text):,} characters is too long",
                text=text,
                column=MAX_LENGTH + 1,
                place=place,
                hint=f"at most {MAX_LENGTH:,} are read",
            )
        if not text.isascii() or "$" in text or text.split(None, 1) != [text]:
            self._clean()
        self._refuse_words()
        if word := _CROWDED_ALL.search(text):
            raise RangeSyntaxError(
                "'all' is every hand and stands alone",
                text=text,
                column=word.start(word.lastindex or 0) + 1,
                place=place,
                hint="join by ',' or ':' or '!'",
            )

    def _refuse_words(self) -> None:
        """Raise an error for the first word that the language does not have."""
        patterns = (_WORD, _SPACED_WORD)
        found = [match for each in patterns for match in each.finditer(self.text) if match["word"]]
        for match in sorted(found, key=lambda match: match.start()):
            word = match["word"].rstrip(".")
            if word.lower() == "all":
                continue
            hint = find_word(word, of_board=self.of_board)
            if hint is None and not _is_word(word):
                continue
            raise RangeSyntaxError(
                f"the word {shown(word)} is not understood",
                text=self.text,
                column=match.start() + 1,
                place=self.place,
                hint=hint or (_CHARACTERS if self.of_board else _NO_NAMES),
            )

    def _clean(self) -> None:
        chars: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        text, at = self.text, 0
        while at < len(text):
            char = text[at]
            piece, stop = char, at + 1
            if char.isspace():
                piece = ""
            elif char == "$":
                piece, stop = self._macro(at)
            elif char in _SYMBOLS:
                piece = _SYMBOLS[char]
                while stop < len(text) and text[stop] in _VARIATION_MARKS:
                    stop += 1
            chars += piece
            begins += [at] * len(piece)
            ends += [stop] * len(piece)
            at = stop
        self.chars, self._begins, self._ends = "".join(chars), begins, ends

    def _macro(self, at: int) -> tuple[str, int]:
        """What the macro at ``at`` stands for, and where it ends."""
        for stop in range(at + 1 + _LONGEST_MACRO, at + 1, -1):
            expansion = MACROS.get(self.text[at + 1 : stop].lower())
            if expansion is not None:
                return expansion, stop
        names = (name.upper() if len(name) == 1 else name for name in MACROS)
        known = " ".join(f"${name}" for name in names)
        raise RangeSyntaxError(
            f"{shown(self.text[at : at + 3].strip())} is no macro",
            text=self.text,
            column=at + 1,
            place=self.place,
            hint=f"known are '{known}'",
        )

    def touches(self, at: int) -> bool:
        """Whether nothing was dropped between characters ``at - 1`` and ``at``."""
        return self._ends[at - 1] == self._begins[at]

    def in_macro(self, at: int) -> bool:
        """Whether character ``at`` comes from a macro."""
        return at < len(self._begins) and self.text[self._begins[at]] == "$"

    def run(self, at: int, stop: int) -> int:
        """The first of ``at + 1`` to ``stop`` with white space before it, else ``stop``."""
        for end in range(at + 1, stop):
            if not self.touches(end):
                return end
        return stop

    def pieces(self, at: int, stop: int) -> list[str]:
        """Characters ``at`` to ``stop``, apart where white space stands between them."""
        found = []
        while at < stop:
            end = self.run(at, stop)
            found.append(self.chars[at:end])
            at = end
        return found

    def quote(self, at: int, stop: int) -> str:
        """The text behind characters ``at`` to ``stop``, quoted for a message."""
        if at >= len(self.chars) or stop <= at:
            return "the end"
        typed = self.text[self._begins[at] : self._ends[stop - 1]]
        if len(typed) == 1 and not typed.isascii():
            return describe(typed)
        if len(typed) > _LONGEST_QUOTE:
            typed = typed[:_LONGEST_QUOTE] + "..."
        return shown(typed)

    def error(self, at: int, problem: str, hint: str = "") -> RangeSyntaxError:
        """The error ``problem``, pointing at character ``at``."""
        column = self._begins[at] + 1 if at < len(self.chars) else len(self.text.rstrip()) + 1
        return RangeSyntaxError(problem, text=self.text, column=column, place=self.place, hint=hint)

    def unknown(self, at: int) -> RangeSyntaxError:
        """Return the error for an unexpected character."""
        char = self.chars[at]
        hint = _HINTS.get(char, _CHARACTERS)
        if self.of_board and char in "(;|&/":
            hint = "separate the cards of a board by spaces"
        elif char not in _HINTS and "%" in self.chars[max(0, at - 4) : at + 6]:
            hint = _HINTS["%"]
        return self.error(at, f"{self.quote(at, at + 1)} is not understood here", hint)


def _is_word(text: str) -> bool:
    """Whether a text with letters of no slot is a word, not slots with a slip."""
    strange = sum(letter.upper() in NOT_SLOTS for letter in text)
    return len(text) > 2 and text.isalpha() and 2 * strange >= len(text)
