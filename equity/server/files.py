"""The files of the page: read once, so that no request can open a file."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

__all__ = ["Files"]

PACKAGE = Path(__file__).parents[1]
STATIC = PACKAGE / "server" / "static"
#: The styles of answers belong to what renders them.
STYLES = PACKAGE / "html" / "answers.css"


class Files:
    """The files of the page, by path."""

    def __init__(self) -> None:
        self._files = {path: _File(path, data) for path, data in _read_all()}

    def get(self, request: Request) -> Response:
        """The response to a request of a file."""
        file = self._files.get(request.url.path)
        if file is None:
            return Response("there is no such page\n", 404, media_type="text/plain")
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=file.headers)
        return Response(file.data, headers=file.headers, media_type=file.type)


class _File:
    def __init__(self, path: str, data: bytes) -> None:
        self.data = data
        self.tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        kind, _ = mimetypes.guess_type("index.html" if path == "/" else path)
        self.type = kind or "application/octet-stream"
        # A browser asks each time whether it has changed, as it does with a new version.
        self.headers = {"etag": self.tag, "cache-control": "no-cache"}


def _read_all() -> Iterator[tuple[str, bytes]]:
    for path in sorted(STATIC.rglob("*")):
        name = path.relative_to(STATIC).as_posix()
        if path.is_file():
            yield "/" if name == "index.html" else f"/static/{name}", path.read_bytes()
    if STYLES.exists():
        yield f"/static/{STYLES.name}", STYLES.read_bytes()
