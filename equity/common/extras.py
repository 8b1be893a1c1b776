"""Extras: parts of the package that need other libraries."""

from __future__ import annotations

__all__ = ["how_to_install"]


def how_to_install(extra: str) -> str:
    """The command that installs what an extra of the package needs."""
    return f"pip install 'omaha-equity[{extra}]'"
