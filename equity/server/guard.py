"""The guard of the server: it lets through what the user's own page and programs ask.

Any page in a browser can send requests to this machine.  So the name of the host must be ours
(a page of another name may be bound to our address), and a request that another page has caused
is refused.  Where other machines may ask, a token is needed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equity.server.reply import failed
from equity.server.responses import error_response

__all__ = ["COOKIE", "Guard"]

#: The cookie that has the token, set by opening the link with it.
COOKIE = "equity_token"
MOST_HEADERS = 64
MOST_HEADER_BYTES = 32 << 10
#: Names of this machine for itself.
LOCAL = ("127.0.0.1", "localhost", "[::1]")
#: A page, its scripts and its pictures come from here, and nothing else does.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Guard:
    """An ASGI application around another one.

    Parameters
    ----------
    app:
        What is guarded.
    hosts:
        The names of the server with its port, as a browser writes them; None for any.
    token:
        What a caller must know, if anything.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None, token: str | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(name.encode() for name in hosts)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        app = self._refusal(scope) or self._app
        await app(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """The answer to a request that is not let through."""
        raw: list[tuple[bytes, bytes]] = scope["headers"]
        size = sum(len(name) + len(value) for name, value in raw)
        if len(raw) > MOST_HEADERS or size > MOST_HEADER_BYTES:
            return _refused(431, "the headers are too long")
        headers = dict(raw)
        host = headers.get(b"host", b"").lower()
        names = [name for name, _ in raw if name in (b"host", b"origin")]
        if len(set(names)) < len(names) or (self._hosts is not None and host not in self._hosts):
            return _refused(
                403, "the request is for another host", "open the address that 'equity serve' tells"
            )
        if not _is_same_site(scope, headers, host):
            return _refused(
                403, "another page has sent the request", "only the page of this server may ask"
            )
        return None if self._token is None else _check_token(self._token, scope, headers)


def _check_token(token: str, scope: Scope, headers: dict[bytes, bytes]) -> ASGIApp | None:
    """The answer to a request without the token, or with the link that has it."""
    if scope["method"] == "GET" and scope["path"] == "/":
        # The link that was printed; the token does not stay in the address.
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if _are_equal(given, token):
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
            return response
    kind, _, word = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if kind.lower() == "bearer" and _are_equal(word.strip(), token):
        return None
    cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
    if _are_equal(cookies.get(COOKIE, ""), token):
        return None
    return _refused(
        403,
        "the token is missing or wrong",
        "open the link that 'equity serve' tells, or send 'Authorization: Bearer TOKEN'",
    )


def _are_equal(given: str, token: str) -> bool:
    """Compare in a time that tells nothing."""
    return hmac.compare_digest(given.encode(errors="replace"), token.encode(errors="replace"))


def _is_same_site(scope: Scope, headers: dict[bytes, bytes], host: bytes) -> bool:
    """Whether no other page has caused a request, as far as the browser tells."""
    origin = headers.get(b"origin")
    if origin is not None and origin.lower().partition(b"://")[2] != host:
        return False
    if headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin"):
        return True
    # Somebody follows a link to the page, which no other page can read or embed.
    is_link = headers.get(b"sec-fetch-mode") == b"navigate" and scope["method"] == "GET"
    return is_link and not scope["path"].startswith("/api/")


def _refused(status: int, problem: str, hint: str = "") -> ASGIApp:
    return error_response(failed("request", problem, hint=hint), status)
