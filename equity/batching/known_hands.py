"""Answer rows of known hands together: their cards, equities and columns are arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.job import MOST_ROWS, Job
from equity.batching.layouts import LONG, laid_out, rounded
from equity.batching.parse_row import BETWEEN, numbered_players, read_question
from equity.batching.rows import Answered, Question, Row
from equity.batching.view import Line
from equity.batching.views import VIEWS
from equity.errors import EquityError
from equity.results.tally import POT
from equity.rules.cards import CARD_OF, DECK_SIZE, NAMES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from equity.engine.odds_many import ManyOdds

__all__ = ["LEAST", "answer_together"]

#: The fewest rows that are answered together: numpy takes as long to import as many more.
LEAST = 64
#: The fewest of them that have the same form.
LEAST_ALIKE = 8
#: The view whose rows are answered together.
_VIEW = "odds"
#: The entry of the table of cards for what is no card.
_NO_CARD = 255


class _Form(NamedTuple):
    """What rows that are answered together have in common: all but the cards."""

    #: The values of the other known columns, with their types: 1 is equal to True.
    others: tuple[tuple[str, type, Any], ...]
    #: The columns that are carried through.
    carried: tuple[str, ...]
    players: int
    #: The number of characters of all hands, with a separator behind each, and of the board.
    hands: int
    board: int

    @property
    def hole(self) -> int:
        """The number of hole cards; 0 if the hands cannot be of equally many cards."""
        cards, rest = divmod(self.hands - self.players, 2 * self.players)
        return 0 if rest else cards


class _Cards(NamedTuple):
    """The cards of rows, and which rows have valid and distinct ones."""

    #: (n, players, hole) and (n, cards) uint8.
    hands: NDArray[np.uint8]
    boards: NDArray[np.uint8]
    #: (n,) uint64, a mask of all cards of a row.
    masks: NDArray[np.uint64]
    #: (n,) bool.
    valid: NDArray[np.bool_]

    def only(self, chosen: NDArray[np.bool_]) -> _Cards:
        """Those of some rows."""
        return _Cards(
            self.hands[chosen], self.boards[chosen], self.masks[chosen], self.valid[chosen]
        )


def answer_together(job: Job, rows: Sequence[Row]) -> dict[int, Answered]:
    """Answer the rows that are plain equities of known hands; the answers by index.

    They are what :func:`~equity.batching.worker.answer_row` finds for each.  Rows that are
    written in an unusual way, or are wrong, are left out.
    """
    if len(rows) < LEAST or not job.format or job.check or job.by_combo or job.plots:
        return {}
    if len(rows) < MOST_ROWS and not _is_compiled():
        return {}
    answers: dict[int, Answered] = {}
    for form, (members, texts) in _by_form(job, rows).items():
        if len(members) >= LEAST_ALIKE and form.hole and form.board % 2 == 0:
            answers.update(_answer_form(job, rows, form, members, texts))
    return answers


@cache
def _is_compiled() -> bool:
    """Whether the kernel need not be compiled, which pays only in a long batch."""
    from equity.kernels.rows_records import SOLVE_ROWS

    return SOLVE_ROWS.is_stored()


def _by_form(job: Job, rows: Sequence[Row]) -> dict[_Form, tuple[list[int], list[str]]]:
    """The indices of rows by their form, with the text of their cards."""
    default = job.defaults.get("board") or ""
    found: dict[tuple[Any, ...], tuple[list[int], list[str]]] = {}
    for at, row in enumerate(rows):
        values = row.values
        hands_of, others = _readers(tuple(values))
        # The answer of a twin is not made here.
        if hands_of is None or row.problem or row.multiplicity or row.twin is not None:
            continue
        board = values.get("board", default)
        try:
            hands = _closed(hands_of(values)) + BETWEEN
            text = hands if board == "-" else hands + _closed(board)
            key = (
                tuple([(name, type(value := values[name]), value) for name in others]),
                tuple(row.carried),
                hands.count(BETWEEN),
                len(hands),
                len(text) - len(hands),
            )
            members, texts = found.setdefault(key, ([], []))
        except TypeError:
            # Not all are texts, or hashable.
            continue
        members.append(at)
        texts.append(text)
    return {_Form(*key): members for key, members in found.items()}


@lru_cache(maxsize=1024)
def _readers(
    names: tuple[str, ...],
) -> tuple[Callable[[Mapping[str, Any]], str] | None, tuple[str, ...]]:
    """How the hands of a row with some columns become one text, and its other columns.

    The first is None if the columns are not right; it raises ``TypeError`` for a hand that is
    not a text, or has a separator in it.
    """
    numbered = numbered_players(names)
    known = {"id", "board", "players", *numbered.values()}
    others = tuple(name for name in names if name not in known)
    if "players" in names:
        return (None if numbered else _joined_players), others
    if not 2 <= len(numbered) == max(numbered, default=0):
        return None, others
    fields = itemgetter(*numbered.values())
    return (lambda values: _joined(fields(values))), others


def _joined_players(values: Mapping[str, Any]) -> str:
    players = values["players"]
    if isinstance(players, str):
        return players
    return _joined(players if isinstance(players, (list, tuple)) else [None])


def _joined(hands: Sequence[Any]) -> str:
    text = BETWEEN.join(hands)
    if text.count(BETWEEN) >= len(hands):
        raise TypeError
    return text


def _closed(text: str) -> str:
    """A text without the spaces between its cards."""
    if " " not in text:
        return text
    parts = text.replace(BETWEEN, f" {BETWEEN} ").split()
    is_whole = all(len(part) % 2 == 0 or part == BETWEEN for part in parts)
    return "".join(parts) if is_whole else text


def _answer_form(
    job: Job, rows: Sequence[Row], form: _Form, members: Sequence[int], texts: Sequence[str]
) -> Iterator[tuple[int, Answered]]:
    """Answer rows of one form, each with its index."""
    import numpy as np

    from equity.engine.odds_many import odds_many

    cards = _read_cards(form, texts)
    first = int(cards.valid.argmax())
    if not cards.valid[first] or (question := _question(job, rows[members[first]])) is None:
        return
    spot = question.spot
    # The first row has stood for all so far, but any may hold a dead card.
    dead = sum(1 << card for card in spot.dead)
    chosen = cards.valid & (cards.masks & np.uint64(dead) == 0)
    cards = cards.only(chosen)
    many = odds_many(cards.hands, cards.boards, spot.game, spot.dead, threads=1)
    indices = [members[at] for at in np.flatnonzero(chosen).tolist()]
    (line,) = VIEWS[_VIEW].lines(VIEWS[_VIEW].find(question))
    given = _given_columns(job, [rows[at] for at in indices], form.carried)
    lines = _lines(job, given, line, cards, many)
    records = form.players if job.layout == LONG else 1
    for at, text in zip(indices, lines, strict=True):
        yield at, Answered(text, records=records)


def _question(job: Job, row: Row) -> Question | None:
    """The question of the first row of a form; None if such rows are answered one by one."""
    try:
        question = read_question(row.values, job.defaults)
    except EquityError:
        return None
    spot = question.spot
    is_plain = question.view == _VIEW and spot.hands is not None and not spot.notices
    most = job.players or len(spot.players)
    return question if is_plain and len(spot.players) <= most else None


@cache
def _card_table() -> NDArray[np.uint8]:
    """The card ids of all texts of two characters, whose bytes are a number, low byte first."""
    import numpy as np

    table = np.full(1 << 16, _NO_CARD, np.uint8)
    for text, card in CARD_OF.items():
        if text.isascii():
            table[ord(text[0]) + (ord(text[1]) << 8)] = card
    return table


def _read_cards(form: _Form, texts: Sequence[str]) -> _Cards:
    """The cards of texts, hands and board with a separator behind each hand."""
    import numpy as np

    # A character outside ASCII becomes a question mark, which is in no card.
    whole = "".join(texts).encode("ascii", "replace")
    characters = np.frombuffer(whole, np.uint8).reshape(len(texts), -1)
    step = 2 * form.hole + 1
    hands = [at * step + 2 * card for at in range(form.players) for card in range(form.hole)]
    board = range(form.players * step, form.players * step + form.board, 2)
    places = np.array([*hands, *board])
    pairs = characters[:, places] + (characters[:, places + 1].astype(np.uint16) << np.uint16(8))
    ids = _card_table()[pairs]
    # Distinct powers of two have no bits in common, so that their sum is their union.
    bits = np.uint64(1) << (ids & 63).astype(np.uint64)
    masks = np.bitwise_or.reduce(bits, axis=1)
    # A separator in a wrong place stands in the place of a card.
    valid = (ids < DECK_SIZE).all(axis=1) & (masks == bits.sum(axis=1))
    split = len(hands)
    shape = (len(texts), form.players, form.hole)
    return _Cards(ids[:, :split].reshape(shape), ids[:, split:], masks, valid)


def _texts(cards: NDArray[np.uint8]) -> list[str]:
    """The texts of rows of cards."""
    import numpy as np

    if not cards.shape[1]:
        return [""] * len(cards)
    names = np.array(NAMES, "S2")[cards]
    texts: list[str] = names.view(f"S{2 * cards.shape[1]}")[:, 0].astype(str).tolist()
    return texts


def _given_columns(
    job: Job, rows: Sequence[Row], carried: Iterable[str]
) -> dict[str, Sequence[Any]]:
    """The id and the columns that are carried through."""
    return {
        "id": [row.values.get("id", row.line) for row in rows],
        **{job.carried.get(name, name): [row.carried[name] for row in rows] for name in carried},
    }


def _lines(
    job: Job, given: Mapping[str, Sequence[Any]], first: Line, cards: _Cards, many: ManyOdds
) -> Iterable[str]:
    """The lines of the output for each row.

    Columns that are the same in all rows are those of ``first``, the answer to one of them.
    """
    line = _columns(first, cards, many)
    if job.digits is not None:
        line = rounded(line, job.digits)
    laid = laid_out(job.layout, {**given, "view": _VIEW}, [line])
    several = [job.table.lines_of(columns, len(many)) for columns in laid]
    return several[0] if len(several) == 1 else map("".join, zip(*several, strict=True))


def _columns(first: Line, cards: _Cards, many: ManyOdds) -> Line:
    """A line whose values are lists, in the order of the rows, where rows differ."""
    import numpy as np

    # As many cards are known in all rows, so that they have as many runouts.
    spot = {**first.spot, "board": _texts(cards.boards)}
    has_low = spot["no_low"] is not None
    if has_low:
        spot["no_low"] = many.no_low.tolist()
    of = many.runouts[:, np.newaxis]
    shares = {"equity": many.equity, "high": many.high, "scoop": many.scoop / of}
    shares |= {"win": many.win / of, "tie": many.tie / of}
    if has_low:
        shares["low"] = many.low
    # Ranks down, as in the normal form of a hand.
    hands = np.sort(cards.hands, axis=2)[:, :, ::-1]
    players = [
        (
            _texts(hands[:, at]),
            {
                **values,
                "equity_exact": _fractions(many.won[:, at], many.runouts),
                **{name: share[:, at].tolist() for name, share in shares.items()},
            },
        )
        for at, (_, values) in enumerate(first.players)
    ]
    return Line(spot, players)  # type: ignore[arg-type]


def _fractions(won: NDArray[np.int64], runouts: NDArray[np.int32]) -> list[str]:
    """Shares of all pots as text, in lowest terms."""
    import numpy as np

    whole = POT * runouts.astype(np.int64)
    common = np.gcd(won, whole)
    pairs = zip((won // common).tolist(), (whole // common).tolist(), strict=True)
    return [f"{part}/{of}" if of > 1 else str(part) for part, of in pairs]
