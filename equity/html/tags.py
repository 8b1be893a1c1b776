"""Elements of HTML as text: escaped where they are made, so that no text can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

__all__ = ["Markup", "el", "join"]

#: Elements without an end tag.
VOID = frozenset(("br", "hr", "img", "meta", "wbr"))


class Markup(str):
    """Text that is HTML; any other text is escaped when it is put into an element."""

    __slots__ = ()


#: What an element may contain; None is nothing.
Child = str | Iterable["Child"] | None


def el(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element.

    Parameters
    ----------
    name:
        Its tag.
    children:
        Texts, elements, and iterables of these.
    attributes:
        Its attributes: an underscore at the end of a name is dropped (``class_``), others are
        dashes; None and False leave it out, True has no value.

    >>> el("td", "a < b", class_="n")
    '<td class="n">a &lt; b</td>'
    """
    texts = [name]
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            texts.append(attribute)
        elif value is not None and value is not False:
            texts.append(f'{attribute}="{escape(_number(value))}"')
    start = f"<{' '.join(texts)}>"
    if name in VOID:
        # Closed as XML wants it, which HTML allows.
        return Markup(f"{start[:-1]}/>")
    return Markup(f"{start}{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Markup:
    """Texts and elements one after the other."""
    return Markup("".join(_flat(children)))


def _flat(children: Iterable[Child]) -> Iterator[str]:
    for child in children:
        if isinstance(child, Markup):
            yield child
        elif isinstance(child, str):
            yield escape(child)
        elif child is not None:
            yield from _flat(child)


def _number(value: object) -> str:
    """A number with at most three decimals, as coordinates need no more."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
