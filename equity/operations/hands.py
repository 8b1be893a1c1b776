"""The operation ``hands``: the all-in EV of hand histories."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from equity.common.notices import Notice
from equity.operations.operation import Operation, Question
from equity.operations.parameters import DOCUMENT, TEXT, Parameter
from equity.results.formats import Printable

if TYPE_CHECKING:
    from equity.histories.hand import Unread

__all__ = ["HANDS"]

#: Lines that are not understood and told; one more says how many there are.
MOST_TOLD = 20


def _read(*, text: str, name: str, player: str | None, id: str | None) -> Question:  # noqa: A002
    from equity.histories.luck import Luck
    from equity.histories.reading import read_lines
    from equity.histories.report import OneHand, SessionHistory, Sums
    from equity.histories.session import Session, one_hand
    from equity.histories.source import Source, lines_of

    unread: list[Unread] = []
    session = Session(unread.append, Sums(player), Luck(player) if player else None, player)
    source = Source(name, lines_of(BytesIO(text.encode("utf-8", "replace"))), unread.append)
    stream = session.go_through(read_lines(source))
    # All is read at once: what is not understood is told before the answer.
    answered: Printable
    if id is not None:
        answered = OneHand(one_hand(stream, id))
    else:
        answered = SessionHistory(list(stream), session.sums, player, session.luck)
    return Question(lambda _: answered, _notices(unread))


def _notices(unread: list[Unread]) -> tuple[Notice, ...]:
    """What is not understood."""
    told = [Notice(one.problem, f"{one.file}, line {one.line}") for one in unread[:MOST_TOLD]]
    if len(unread) > MOST_TOLD:
        told.append(Notice(f"{len(unread) - MOST_TOLD:,} more lines are not understood"))
    return tuple(told)


HANDS = Operation(
    "hands",
    "All-in EV of hand histories.",
    (
        Parameter("text", DOCUMENT, "The text of a file of hands.", is_required=True),
        Parameter("name", TEXT, "The name of the file.", "hands"),
        Parameter("player", TEXT, "Only this player, and their winnings hand by hand."),
        Parameter("id", TEXT, "One hand in full, by its number."),
    ),
    _read,
    is_list=True,
)
