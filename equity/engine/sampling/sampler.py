"""Draws the chunks of a sample: sorts the boards, chooses the pace, and runs the kernel."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from equity.engine.sampling.boards import Boards, by_worth
from equity.engine.sampling.estimates import SampleTally, figures_of, like_draws, variance
from equity.engine.sampling.proof import none_found, prove
from equity.engine.sampling.question import Question
from equity.engine.sampling.table import Table
from equity.kernels import sampling_records as records
from equity.kernels import table_block
from equity.kernels.loader import Block
from equity.kernels.transposed import line_block
from equity.rules.cards import format_cards

__all__ = ["Pace", "Sampler"]

#: Boards are surveyed if they have at most so many classes.
_MAX_CLASSES = 40_000
#: A survey: hands of each list on a board, boards, samples of each class, operations, and
#: draws of the run that estimates these.
_SURVEY_HANDS = 8
_SURVEY_BOARDS = 25_000
_SURVEY_TIMES = 16
_SURVEY_WORK = 25_000_000
_SURVEY_DRAWS = 4
#: Numbers of hands of each list on a board that are tried.
_TRIED_HANDS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
#: Operations, draws and deals of a trial.
_TRIAL_WORK = 6_000_000
_TRIAL_DRAWS = (24, 96)
_TRIAL_DEALS = 200
#: Deals of chunk 0, and the least number of its draws: enough for standard errors of a
#: sample of this chunk alone.
_FIRST_DEALS = 80_000
_FIRST_DRAWS = 120
#: A draw of the next chunks has at most this fraction of the deals before it, so that no
#: sample depends on a few draws; chunks grow by a factor, and the last pace holds for all
#: later chunks.
_PART_OF_DEALS = 25
_GROWTH = 4
_SMALL_CHUNKS = 4
#: Operations of a chunk, about 20 ms; of the most expensive draw that is tried, and of
#: the most expensive one when cheaper draws have no deals.
_CHUNK_WORK = 20_000_000
_DRAW_WORK = 2_000_000
_LAST_WORK = 40_000_000
#: Operations of one step that the kernel counts.
_STEP_WORK = 2


class Pace(NamedTuple):
    """How a chunk is drawn: hands of each list on a board, and draws."""

    hands: int
    draws: int


class _Tried(NamedTuple):
    """The trial of a number of hands of each list on a board."""

    hands: int
    #: Operations of a draw.
    work: int
    #: Deals of a draw on average.
    deals: Fraction


class Sampler:
    """Draws the chunks of one question; any number of threads may call it.

    Parameters
    ----------
    question:
        What is dealt.
    seed:
        Any integer; the same seed gives the same chunks.
    hands_a_board:
        Number of hands of each range drawn for a board; all combinations of them are
        deals.  By default the best number of a trial, which depends only on question and
        seed; the first chunks have fewer, so that a small sample has many draws.
    paces:
        Paces of another sampler of the same question and seed, which save the trial.

    Raises
    ------
    EmptyRangeError
        No hand of a range can be dealt.
    DealError
        There is no compatible deal.
    """

    def __init__(
        self,
        question: Question,
        seed: int = 0,
        *,
        hands_a_board: int | None = None,
        paces: Sequence[Pace] = (),
    ) -> None:
        self.question = question
        self.seed = seed
        self._table = Table(question)
        prove(self._table)
        self._boards = self._ordered_boards()
        #: Paces of the first chunks; the last one holds for all others.
        self.paces = tuple(paces) or self._paces(hands_a_board)
        #: Number of boards of a draw.
        self.boards_a_draw = self._boards.parts

    @property
    def hands_a_board(self) -> int:
        """Hands of each list on a board, but for the first chunks."""
        return self.paces[-1].hands

    @property
    def draws_a_chunk(self) -> int:
        """Draws of a chunk, but for the first ones."""
        return self.paces[-1].draws

    def chunk(self, number: int, draws: int | None = None) -> SampleTally:
        """The tally of a chunk, from 0 on, or of its first ``draws``."""
        if number < 0:
            raise ValueError(f"no chunk has the number {number}")
        pace = self.paces[min(number, len(self.paces) - 1)]
        return self._run(f"chunk {number}", self._boards, draws or pace.draws, pace.hands)[0]

    def _ordered_boards(self) -> Boards:
        """The classes of boards, sorted by the equity of a player on them.

        A draw takes boards at equal distances: systematic sampling, whose variance is the
        smaller the better the order is; any order is unbiased.
        """
        boards = self._table.boards()
        count = len(boards.weights)
        if not 1 < count <= _MAX_CLASSES:
            return boards
        times = min(max(_SURVEY_BOARDS // count, 1), _SURVEY_TIMES)
        hands = self._survey_hands(boards, count * times)
        _, result, _ = self._run("survey", boards, count * times, hands, survey=True)
        deals = np.frombuffer(result.values["deals"], np.int64)
        won = np.frombuffer(result.values["won"], np.int64).reshape(count, -1)
        return by_worth(boards, deals, won, times)

    def _survey_hands(self, boards: Boards, count: int) -> int:
        """Hands of each list on a board, so that a survey of ``count`` boards is quick."""
        most = min(_SURVEY_HANDS, self._table.most_hands())
        _, _, steps = self._run("before the survey", boards, _SURVEY_DRAWS, most)
        expected = steps * count // (_SURVEY_DRAWS * boards.parts)
        lists = len(self._table.lists)
        return max(
            hands
            for hands in range(1, most + 1)
            if hands == 1 or expected * hands**lists <= _SURVEY_WORK * most**lists
        )

    def _paces(self, wanted: int | None) -> tuple[Pace, ...]:
        """Paces of the chunks, from a trial of several numbers of hands on a board."""
        best, every = self._trial(wanted)
        paces: list[Pace] = []
        before = Fraction(0)
        for _ in range(_SMALL_CHUNKS):
            most = before / _PART_OF_DEALS if paces else Fraction(_FIRST_DEALS, _FIRST_DRAWS)
            if paces and best.deals <= most:
                break
            few = [one for one in every if one.deals <= most and one.hands <= best.hands]
            tried = max(few) if few else min(every)
            # Draws without deals in the trial may have some in the sample.
            draws = (_GROWTH * before if paces else _FIRST_DEALS) / max(tried.deals, Fraction(1))
            pace = Pace(tried.hands, max(1, min(int(draws), _CHUNK_WORK // tried.work)))
            before += pace.draws * tried.deals
            paces.append(pace)
        return *paces, Pace(best.hands, max(1, _CHUNK_WORK // best.work))

    def _trial(self, wanted: int | None) -> tuple[_Tried, list[_Tried]]:
        """The best number of hands of each list on a board, and all numbers tried.

        The best has the least variance per operation; operations are counted, not timed.
        Numbers with few deals are not compared.
        """
        table, parts = self._table, self._boards.parts
        most = table.most_hands()
        every: list[_Tried] = []
        best: tuple[Fraction, _Tried] | None = None
        # If none can be compared: the most deals per operation.
        rich: tuple[Fraction, _Tried] | None = None
        steps, before = 0, 1
        for hands in (min(wanted, most),) if wanted else _TRIED_HANDS:
            base = table.base_work(1, parts, hands)
            expected = base + steps * hands ** len(table.lists) // before ** len(table.lists)
            if hands > most or expected > (_DRAW_WORK if best else _LAST_WORK):
                break
            draws = min(max(_TRIAL_WORK // expected, _TRIAL_DRAWS[0]), _TRIAL_DRAWS[1])
            tally, _, done = self._run(f"trial {hands}", self._boards, draws, hands)
            steps, before = done // draws, hands
            tried = _Tried(hands, base + steps, Fraction(tally.deals, draws))
            every.append(tried)
            if wanted:
                return tried, every
            if not tally.deals:
                continue
            richness = -tried.deals / tried.work
            rich = min(rich or (richness, tried), (richness, tried))
            if tally.deals < _TRIAL_DEALS or like_draws(tally) < _TRIAL_DRAWS[0] // 2:
                continue
            nothing = (0, 0, 0)
            squares = [variance(tally, moments.get("equity", nothing)) for moments in tally.moments]
            cost = max(square or Fraction(0) for square in squares) * tried.work
            best = min(best or (cost, tried), (cost, tried))
            if cost > 2 * best[0]:
                break
        found = best or rich
        if found is None:
            raise none_found()
        return found[1], every

    def _run(
        self, stream: str, boards: Boards, draws: int, hands: int, survey: bool = False
    ) -> tuple[SampleTally, Block, int]:
        """Run the kernel on a named stream; returns tally, raw result and operations."""
        table = self._table
        players = len(table.seats)
        # Samples of other boards or dead cards use other random numbers, so that they are
        # independent.
        board = format_cards(table.known[0].board) if len(table.known) == 1 else ""
        named = f"{self.seed} {board} {table.gone:x} {stream}".encode()
        digest = hashlib.blake2b(named, digest_size=16).digest()
        parts = 1 if survey else boards.parts
        draw = table.draw_block(
            boards,
            draws=draws,
            boards=parts,
            board_hands=hands,
            survey=int(survey),
            start=int.from_bytes(digest[:8], "little", signed=True),
            step=int.from_bytes(digest[8:], "little", signed=True) | 1,
        )
        surveyed = len(boards.weights) if survey else 1
        figures = len(figures_of(players).names)
        work = records.SAMPLE_WORK.allocate(
            players=players, boards=parts, board_hands=hands, figures=figures
        )
        result = records.RESULT.allocate(players=players, surveyed=surveyed, figures=figures)
        records.SAMPLE(table_block(), line_block(), draw, table.list_block(boards), work, result)
        tally = table.tally(result, draws, draws * parts)
        return tally, result, _STEP_WORK * int(work.values["steps"][0])
