"""Fingerprints of runs and of the files that they read."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from equity.batching.errors import OutputError
from equity.rules.cards import ascii_text

__all__ = ["Inputs", "changes", "file_digest", "hash_stream"]

_BLOCK = 1 << 20
#: How messages call the facts of a head, if not by their keys.
_CALLED = {"input": "the input", "equity": "the version of equity"}
#: Facts that follow from others, mostly from the input.
_FOLLOWING = ("columns", "rows", "flops")
#: The longest value that a message shows.
_SHORT = 40


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Describe what differs between two heads; empty if nothing does."""
    one, two = _flat(before), _flat(now)
    changed = [name for name in {**one, **two} if one.get(name) != two.get(name)]
    said = []
    for name in [name for name in changed if name not in _FOLLOWING] or changed:
        facts = [json.dumps(head.get(name)) for head in (one, two)]
        is_short = name not in _CALLED and all(len(fact) <= _SHORT for fact in facts)
        was = f" (was {facts[0]}, is {facts[1]})" if is_short else ""
        said.append(f"{_CALLED.get(name, name)}{was}")
    return ", ".join(said)


def _flat(head: Mapping[str, Any]) -> dict[str, Any]:
    """A head with its options among the other facts."""
    facts = dict(head)
    options = facts.pop("options", {})
    return facts | {f"--{name}": value for name, value in options.items()}


def hash_stream(stream: BinaryIO, size: int | None = None, copy: BinaryIO | None = None) -> Any:
    """Hash the rest of a stream, or its next ``size`` bytes; return the SHA-256 object.

    What is read is written to ``copy``, if given.
    """
    hashed = hashlib.sha256()
    left = size
    while left != 0 and (block := stream.read(_BLOCK if left is None else min(left, _BLOCK))):
        hashed.update(block)
        if copy is not None:
            copy.write(block)
        left = None if left is None else left - len(block)
    return hashed


def file_digest(path: str | Path) -> tuple[int, str]:
    """The size of a file in bytes, and its SHA-256 in hexadecimal."""
    with open(path, "rb") as file:
        digest = hash_stream(file).hexdigest()
        return file.tell(), digest


def _signature(path: str) -> tuple[int, int, int]:
    facts = os.stat(path)
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


class Inputs:
    """The files that a run reads; they must not change meanwhile."""

    def __init__(self) -> None:
        #: The paths of all; those read only once, before the run, have no digest.
        self.names: list[str] = []
        #: The SHA-256 of each watched file, by path.
        self.digests: dict[str, str] = {}
        self._signatures: dict[str, tuple[int, int, int]] = {}

    def watch(self, path: str) -> str:
        """Watch a file from now on; return its digest."""
        self.names.append(path)
        # Taken before the digest, to notice a change while it is computed.
        self._signatures[path] = _signature(path)
        self.digests[path] = file_digest(path)[1]
        return self.digests[path]

    def check(self, *, thoroughly: bool = False) -> None:
        """Raise an :class:`OutputError` if a file has changed or is gone.

        Digests are compared if the size or the modification time has changed, and always
        with ``thoroughly``.
        """
        for path, digest in self.digests.items():
            try:
                signature = _signature(path)
                if signature == self._signatures[path] and not thoroughly:
                    continue
                if file_digest(path)[1] == digest:
                    self._signatures[path] = signature
                    continue
            except OSError:
                pass
            raise OutputError(
                "it changed while it was read",
                place=ascii_text(path),
                hint="restore it and use --resume, or start over with --force",
            )

    def find(self, paths: Iterable[Path]) -> str:
        """The first input that is one of these files; empty if none is."""
        for path in paths:
            for name in self.names:
                if os.path.exists(path) and os.path.exists(name) and os.path.samefile(path, name):
                    return name
        return ""
