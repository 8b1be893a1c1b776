"""Draws independent deals in numbered chunks."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.kernels.loader import Block as Memory
from equity.kernels.whole_deals_records import DEALS, DRAW_DEALS, LISTS, STATE
from equity.queries.dealing import Block, Dealing

__all__ = ["Drawing"]

#: Deals of a chunk.
ROWS = 1 << 15
#: Deals that a chunk draws for one that is wanted.
TRIES = 1 << 7


class Drawing:
    """Deals drawn at random; a chunk depends on the seed and its number alone."""

    def __init__(self, dealing: Dealing, seed: int, rows: int = ROWS) -> None:
        self.dealing = dealing
        self.seed = seed
        self.rows = rows
        self._lists = self._memory()

    def _memory(self) -> Memory:
        """The lists of known cards and hands."""
        dealing = self.dealing
        hole, seats = dealing.game.hole, len(dealing.lists)
        listed = [hands for hands in dealing.lists if hands is not None]
        sizes = [0 if hands is None else len(hands) for hands in dealing.lists]
        weights = [
            np.zeros(0, np.int64) if hands is None else dealing.weights(seat)
            for seat, hands in enumerate(dealing.lists)
        ]
        uneven = [bool(len(one)) and bool((one != 1).any()) for one in weights]
        sums = [np.cumsum(one) for one, is_uneven in zip(weights, uneven, strict=True) if is_uneven]
        lengths = [
            len(one) if is_uneven else 0 for one, is_uneven in zip(weights, uneven, strict=True)
        ]
        boards = np.zeros((len(dealing.known), 5), np.uint8)
        for row, known in enumerate(dealing.known):
            boards[row, : len(known.board)] = known.board
        # Never empty, so that arrays have addresses.
        cards = [*(hands.cards for hands in listed), np.zeros((1, hole), np.uint8)]
        masks = [*(hands.masks for hands in listed), np.zeros(1, np.int64)]
        sums.append(np.zeros(1, np.int64))
        return Memory(
            LISTS,
            {
                "players": seats,
                "hole": hole,
                "known": len(dealing.known),
                "known_cards": dealing.known_cards,
                "board": boards,
                "taken": np.array([known.taken for known in dealing.known], np.int64),
                "board_cards": dealing.top,
                "first": np.cumsum([0, *sizes[:-1]]).astype(np.int64),
                "size": np.array(sizes, np.int64),
                "weight": np.array([int(one.sum()) for one in weights], np.int64),
                "sum_first": np.cumsum([0, *lengths[:-1]]).astype(np.int64),
                "entries": sum(map(len, cards)),
                "cards": np.ascontiguousarray(np.concatenate(cards)),
                "mask": np.concatenate(masks),
                "sums": sum(map(len, sums)),
                "sum": np.concatenate(sums).astype(np.int64),
            },
        )

    def chunk(self, number: int) -> tuple[Block, int]:
        """The deals of a chunk, and how many were drawn for them."""
        digest = hashlib.blake2b(f"pql {self.seed} {number}".encode(), digest_size=16).digest()
        seats, hole = len(self.dealing.lists), self.dealing.game.hole
        state = STATE.allocate()
        state.values["state"][0] = int.from_bytes(digest[:8], "little", signed=True)
        out: dict[str, NDArray[Any]] = {
            "hands": np.zeros((self.rows, seats, hole), np.uint8),
            "index": np.zeros((self.rows, seats), np.int32),
            "boards": np.zeros((self.rows, 5), np.uint8),
            "set": np.zeros(self.rows, np.int32),
            "found": np.zeros(1, np.int64),
            "tried": np.zeros(1, np.int64),
        }
        memory = Memory(
            DEALS,
            {
                "count": self.rows,
                "tries": self.rows * TRIES,
                "step": int.from_bytes(digest[8:], "little", signed=True) | 1,
                **out,
            },
        )
        DRAW_DEALS(self._lists, memory, state)
        found = int(out["found"][0])
        block = Block(
            out["hands"][:found],
            out["index"][:found],
            np.ascontiguousarray(out["boards"][:found, : self.dealing.top]),
            out["set"][:found],
        )
        return block, int(out["tried"][0])
