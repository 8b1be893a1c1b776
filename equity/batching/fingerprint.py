"""The heads of journals: what two runs must share so that one goes on with the other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from equity import __version__

__all__ = ["changes", "make_head"]

#: What facts of a head are called, if not by their names.
_CALLED = {"input": "the input", "equity": "the version of equity"}
#: Facts that follow from others, the input above all.
_FOLLOWING = ("columns", "rows", "flops")
#: A value of so many characters is shown.
_SHORT = 40


def make_head(facts: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A head as it is read from a journal.

    Parameters
    ----------
    facts:
        What tells a run from another, under names for people.
    options:
        What columns that are not filled in are.
    """
    # What is merely allowed changes no result.
    asked = {name: value for name, value in options.items() if name != "yes"}
    head = {"equity": __version__, **facts, "options": asked}
    value: dict[str, Any] = json.loads(json.dumps(head))
    return value


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What differs between two heads, for people; nothing if they are alike."""
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
    """A head with its options beside the other facts."""
    facts = dict(head)
    options = facts.pop("options", {})
    return facts | {f"--{name}": value for name, value in options.items()}
