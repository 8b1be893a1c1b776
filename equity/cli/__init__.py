"""The command ``equity``."""

from __future__ import annotations

__all__ = ["main"]

from equity.cli.main import main
