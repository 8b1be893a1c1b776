"""Runs the server until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import re
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from equity.common.arguments import shown
from equity.common.extras import how_to_install
from equity.errors import EquityError

try:
    import starlette  # noqa: F401 - to tell that it is missing
    import uvicorn
except ImportError:
    raise EquityError(
        "starlette and uvicorn are not installed", hint=how_to_install("web")
    ) from None

from equity.server.app import make_app, warm_up
from equity.server.connections import Connection
from equity.server.guard import LOCAL, Guard
from equity.server.workers import Workers

__all__ = ["Settings", "serve_http"]

#: What a link and a cookie have as it is.
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,}", re.ASCII)
THIS_MACHINE = "127.0.0.1"
#: Addresses that stand for all of a machine.
ANY = ("", "0.0.0.0", "::")  # noqa: S104 - only with a token
#: Connections at a time, and seconds that an idle one is kept.
MOST_CONNECTIONS = 256
IDLE_SECONDS = 15
#: Seconds for answers under way when the server ends.
END_SECONDS = 1


class Settings(NamedTuple):
    """Settings of the server."""

    host: str | None = None
    port: int = 8765
    token: str | None = None
    opens: bool = False
    time: float = 60.0
    memory: float = 4.0


class _Server(uvicorn.Server):
    """A server whose signals are handled by the program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve_http(settings: Settings) -> None:
    """Serve until Ctrl-C.

    Raises
    ------
    EquityError
        The port or the address cannot be had.
    KeyboardInterrupt
        There was a Ctrl-C; everything is closed.
    """
    token = settings.token
    if token is not None and not TOKEN.fullmatch(token):
        raise EquityError(
            "it is no token", place="--token", hint="use eight or more letters, digits, - and _"
        )
    if settings.host is not None and token is None:
        token = secrets.token_urlsafe(24)
    listener = _listen(settings.host or THIS_MACHINE, settings.port)
    with listener:
        warm_up()
        address = _address(settings.host, listener.getsockname()[1])
        link = f"http://{address}/" + (f"?token={token}" if token else "")
        if asyncio.run(_serve(settings, listener, token, link)):
            raise KeyboardInterrupt


async def _serve(settings: Settings, listener: socket.socket, token: str | None, link: str) -> bool:
    """Serve until a signal comes; whether it is that of Ctrl-C."""
    workers = Workers(settings.time, settings.memory)
    port = listener.getsockname()[1]
    app = Guard(make_app(workers), _hosts(settings.host, port), token)
    server = _Server(
        uvicorn.Config(
            app,
            http=Connection,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=END_SECONDS,
        )
    )
    caught: list[int] = []

    def stop(number: int) -> None:
        server.force_exit = bool(caught)
        server.should_exit = True
        caught.append(number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # On Windows, KeyboardInterrupt comes through.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop, number)
    workers.start()
    announce = asyncio.create_task(_announce(server, settings, link))
    try:
        await server.serve([listener])
    finally:
        announce.cancel()
        await workers.close()
    return signal.SIGINT in caught


async def _announce(server: uvicorn.Server, settings: Settings, link: str) -> None:
    """Tell the address, and open the page, when the server listens."""
    while not server.started:
        await asyncio.sleep(0.01)
    print(f"equity: serving {link} until Ctrl-C", file=sys.stderr, flush=True)
    if settings.opens:
        # A browser in the terminal may never return; nothing waits for this thread.
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # With its protocol: of other sockets asyncio does not know that they need TCP_NODELAY,
        # without which an answer waits 40 ms.
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            # There, another program could take the same port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except (OSError, UnicodeError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise EquityError(
                f"port {port} is in use",
                place="--port",
                hint="perhaps 'equity serve' runs already; give another port, or 0 for a free one",
            ) from None
        raise EquityError(
            f"it is not possible to listen at {shown(host)}, port {port}: {error}",
            place="--host",
            hint="give an address of this machine, and a port that you may use",
        ) from None
    return listener


def _address(host: str | None, port: int) -> str:
    """The address for a link."""
    if host is None:
        return f"{THIS_MACHINE}:{port}"
    name = socket.gethostname() if host in ANY else host
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _hosts(host: str | None, port: int) -> set[str] | None:
    """The names under which the server may be asked; None for any, with a token."""
    if host in ANY:
        return None
    names = [*LOCAL] if host is None else [*LOCAL, f"[{host}]" if ":" in host else host.lower()]
    return {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
