"""Reads JSON of strangers: UTF-8, finite numbers, nested as deep as Python goes."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from equity.common.arguments import shown
from equity.errors import EquityError

__all__ = ["RequestError", "read_json"]


class RequestError(EquityError):
    """A request that cannot be read: it is no JSON, or no object of the right fields."""


def read_json(data: bytes, place: str) -> Any:
    """The value of a JSON text.

    Raises
    ------
    RequestError
        It is no JSON, is not UTF-8, is nested too deeply, or has NaN or an infinity.
    """
    try:
        return _DECODER.decode(data.decode())
    except UnicodeDecodeError as error:
        problem, hint = f"byte {error.start + 1:,} is not UTF-8", "send JSON in UTF-8"
    except json.JSONDecodeError as error:
        problem, hint = f"it is no JSON: {error}", 'send an object, {"players": ["AA", "KK"]} say'
    except RecursionError:
        problem, hint = "it is nested too deeply", "no question needs that"
    except ValueError as error:
        # NaN, or a whole number of thousands of digits.
        problem, hint = f"it has a number that cannot be read: {error}", "write one such as 0.5"
    raise RequestError(problem, place=place, hint=hint)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{shown(name)} is none")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
