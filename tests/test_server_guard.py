"""What the server refuses: other hosts, other pages, large bodies, files of the machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Run
from operation_bodies import BODIES, COMMANDS
from server_tools import SMALL, Server

import equity
from equity.kernels.store import folders
from equity.operations import OPERATIONS

pytest.importorskip("starlette", reason="the extra web is not installed")

PACKAGE = Path(equity.__file__).parent
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.fixture(scope="module")
def shared() -> Iterator[Server]:
    """A server for other machines."""
    with Server("--host", "127.0.0.1", "--token", "a-secret") as one:
        yield one


def sent(server: Server, raw: bytes) -> bytes:
    """What the server answers to bytes, within a second."""
    found = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=1) as one:
        one.sendall(raw)
        with suppress(TimeoutError, ConnectionError):
            while part := one.recv(4096):
                found += part
    return found


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:{port}"}, 200),
        ({"host": "LOCALHOST:{port}"}, 200),
        ({"host": "[::1]:{port}"}, 200),
        # A name that somebody else has bound to this machine.
        ({"host": "evil.example:{port}"}, 403),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1"}, 403),
        ({"host": "127.0.0.1:1"}, 403),
        ({"host": "127.0.0.1.evil.example:{port}"}, 403),
        # Pages of others.
        ({"origin": "http://127.0.0.1:{port}"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:{port}"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
    ],
)
def test_hosts_and_origins(server: Server, headers: dict[str, str], status: int) -> None:
    given = {name: value.format(port=server.port) for name, value in headers.items()}
    answer = server.post("odds", SMALL, headers=given)
    assert answer.status_code == status
    assert not any(name.startswith("access-control") for name in answer.headers)
    # A link to the page may be followed.
    if given.get("sec-fetch-mode"):
        assert server.client.get("/", headers=given).status_code == 200
        assert server.client.get("/api/openapi.json", headers=given).status_code == 403


def test_a_host_twice_is_refused(server: Server) -> None:
    host = f"127.0.0.1:{server.port}"
    headers = [("host", host), ("host", "evil.example")]
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    answer = sent(server, f"GET / HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
    assert answer.split()[1] in (b"400", b"403")


def test_forms_of_pages_are_refused(server: Server) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = server.client.post(
            "/api/odds", content=json.dumps(SMALL), headers={"content-type": kind}
        )
        assert answer.status_code == 415


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/api/odds", 405), ("/x", 404)])
def test_every_answer_has_safe_headers(server: Server, path: str, status: int) -> None:
    answer = server.client.get(path)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in answer.headers


class TestToken:
    def test_it_is_needed(self, shared: Server) -> None:
        for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic a-secret"}):
            for path in ("/", "/api/openapi.json", "/static/page.js"):
                assert shared.client.get(path, headers=headers).status_code == 403
            assert shared.post("odds", SMALL, headers=headers).status_code == 403
        for cookie in ("equity_token=x", "equity_token=", "a-secret", "equity_token=\xff;;="):
            given = {"cookie": cookie.encode("latin-1")}
            assert shared.post("odds", SMALL, headers=given).status_code == 403

    def test_programs_send_it(self, shared: Server) -> None:
        headers = {"authorization": "Bearer a-secret"}
        assert shared.post("odds", SMALL, headers=headers).status_code == 200

    def test_the_link_becomes_a_cookie(self, shared: Server) -> None:
        assert shared.link == f"http://127.0.0.1:{shared.port}/?token=a-secret"
        with httpx.Client() as browser:
            first = browser.get(shared.link)
            assert first.status_code == 303
            assert first.headers["location"] == "/"
            cookie = first.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "samesite=strict" in cookie.lower()
            page = browser.get(f"http://127.0.0.1:{shared.port}/")
            assert page.status_code == 200
        wrong = httpx.get(f"http://127.0.0.1:{shared.port}/?token=wrong")
        assert wrong.status_code == 403

    @pytest.mark.parametrize(
        "token", ["", "short", "with;semicolon", "with space", "eight\u00e9ight"]
    )
    def test_odd_ones_are_refused(self, run: Run, token: str) -> None:
        done = run("serve", "--no-open", "--port", "0", "--token", token, code=2)
        assert "it is no token" in done.stderr

    def test_one_is_made(self) -> None:
        with Server("--host", "127.0.0.1") as server:
            token = server.link.partition("?token=")[2]
            assert len(token) > 20
            assert server.client.get("/").status_code == 403
            headers = {"authorization": f"Bearer {token}"}
            assert server.client.get("/", headers=headers).status_code == 200


class TestLimits:
    def test_bodies(self, server: Server) -> None:
        large = json.dumps({"players": ["A" * (1 << 20), "KK"]})
        answer = server.client.post("/api/odds", content=large, headers=JSON)
        assert answer.status_code == 413
        assert "1 MiB" in answer.json()["error"]["hint"]
        assert server.client.post("/api/hands", content=large, headers=JSON).status_code == 422
        parts = iter([b" " * 99_999] * 12)
        answer = server.client.post("/api/odds", content=parts, headers=JSON)
        assert answer.status_code == 413

    def test_headers(self, server: Server) -> None:
        for headers in ({f"x-{at}": "1" for at in range(80)}, {"x-long": "1" * 40_000}):
            try:
                answer = server.post("odds", SMALL, headers=headers)
            except httpx.RemoteProtocolError:
                continue
            assert answer.status_code in (400, 431)
        assert server.post("odds", SMALL).status_code == 200

    @pytest.mark.parametrize(
        "raw",
        [
            b"GET\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10,
            b"POST /api/odds HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"GET /%00%ff HTTP/1.1\r\nHost: %s\r\n\r\n",
            b"GET /../../../etc/passwd HTTP/1.0\r\n\r\n",
        ],
    )
    def test_what_is_no_request(self, server: Server, raw: bytes) -> None:
        answer = sent(server, raw.replace(b"%s", f"127.0.0.1:{server.port}".encode()))
        assert b"root:" not in answer
        assert b" 200 " not in answer.partition(b"\r\n")[0]
        assert b" 500 " not in answer.partition(b"\r\n")[0]
        assert server.post("odds", SMALL).status_code == 200

    def test_slow_clients_do_not_hold_the_server(self, server: Server) -> None:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        for one in held:
            one.sendall(b"POST /api/odds HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        start = time.monotonic()
        assert server.post("odds", SMALL).status_code == 200
        assert time.monotonic() - start < 2
        for one in held:
            one.close()


def test_heads_must_end() -> None:
    program = (
        "import equity.server.connections as connections, equity.cli\n"
        "connections.HEAD_SECONDS = 0.5\n"
        "equity.cli.main()\n"
    )
    with Server(program=("-c", program)) as server:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        whole = f"GET / HTTP/1.1\r\n{host}\r\n".encode()
        # Nothing, a part of a head, a part of a second one, a head without an end.
        for raw in (b"", b"GET / HTTP/1.1\r\nHo", whole + b"GET /", whole + b"X" * 99_999):
            start = time.monotonic()
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as one:
                one.sendall(raw[: len(whole)])
                # The first answer comes before the rest is sent.
                if raw.startswith(whole):
                    one.recv(4096)
                time.sleep(0.2)
                with suppress(ConnectionError):
                    one.sendall(raw[len(whole) :])
                    while one.recv(4096):
                        pass
            assert time.monotonic() - start < 3
        # An answer may take longer than a head.
        body = {"players": ["AA", "KK", "QQ", "*"], "error": 0.000001, "budget": 1.0}
        assert server.post("odds", body).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../guard.py",
        "/static/..%2fguard.py",
        "/static/%2e%2e/guard.py",
        "/static/%2e%2e%2f%2e%2e%2ferrors.py",
        "/static//etc/passwd",
        "/static/..\\guard.py",
        "/%2fetc%2fpasswd",
        "/static/index.html/../../guard.py",
    ],
)
def test_no_other_file_is_served(server: Server, path: str) -> None:
    host = f"127.0.0.1:{server.port}"
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    answer = sent(server, head.encode())
    assert answer.startswith(b"HTTP/1.1 404 ")


#: Tells what a program opens, before it answers the questions on stdin.
WATCHED = """
import os, sys
from equity.server.stdio import serve_stdio

def tell(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "subprocess.Popen", "socket.connect"):
        os.write(2, f"{event} {arguments[0]!r}\\n".encode())

sys.addaudithook(tell)
serve_stdio()
"""


def opened(bodies: list[tuple[str, dict[str, Any]]], folder: Path) -> tuple[list[str], list[Any]]:
    """What is opened for answers, and the answers; they are in a folder with files to read."""
    lines = [json.dumps({"operation": path, "arguments": body}) for path, body in bodies]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    return done.stderr.splitlines(), [json.loads(line) for line in done.stdout.splitlines()]


#: What the program itself is made of, and what tells the limits of the machine.
OWN = (
    *map(os.path.abspath, filter(None, sys.path)),
    *(sys.prefix, sys.base_prefix, str(PACKAGE), str(PACKAGE.parent / "data")),
    *map(str, folders()),
    *("/proc/", "/sys/", "/etc/localtime"),
)


def foreign(told: list[str]) -> list[str]:
    """What is neither a file of the program or of Python, nor the number of an open one."""
    own = (*(f"'{part}" for part in OWN), *"0123456789")
    return [line for line in told if not line.partition(" ")[2].startswith(own)]


def test_no_question_opens_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("AA\n")
    names = [
        str(secret),
        "secret.txt",
        "./secret.txt",
        f"file://{secret}",
        f"@{secret}",
        "~/.profile",
    ]
    attempts: list[tuple[str, dict[str, Any]]] = []
    for name in names:
        table = f"player1,player2,board,ordering\n{name},KK,{name},{name}\n"
        row = {"players": ["10%", name], "board": name, "ordering": name, "plot": name}
        attempts += [
            ("odds", {"players": [name, "KK"]}),
            ("odds", {"players": ["10%", "KK"], "ordering": name}),
            ("odds", {"players": ["AA", "KK"], "board": name}),
            ("odds", {"players": ["AA", "KK"], "dead": name, "stacks": name}),
            ("range", {"expression": name}),
            ("range/combos", {"expression": "10%", "ordering": name}),
            ("range/texture", {"expression": "AA", "board": "Th7h2c", "against": name}),
            ("rank", {"hands": [name]}),
            ("evaluate", {"players": [name], "board": name}),
            ("views/flops", {"players": ["AA"], "at_least": name}),
            ("views/graph", {"players": ["AA", name], "board": "Th7h2c", "over": name}),
            ("pql", {"query": f"select count(*) from game='omahahi', hero='{name}', villain='*'"}),
            ("pql", {"query": name}),
            ("batch", {"text": table}),
            ("batch", {"text": name, "format": "jsonl"}),
            ("batch", {"rows": [row, {"players": ["10%", "KK"], "ordering": name}, name, [name]]}),
            ("batch", {"rows": [["AA", "KK"]], "ordering": name, "view": name}),
            ("hands", {"text": name, "name": name}),
            ("potlimit", {"pot": name, "bets": name}),
            ("games", {"name": name}),
            ("report", {"players": [name, "KK"], "title": name}),
            ("report/batch", {"text": table, "title": name}),
        ]
    assert {path for path, _ in attempts} >= set(OPERATIONS) - {
        path for path in OPERATIONS if path.startswith(("views/", "range/", "odds/"))
    }
    told, answers = opened([*BODIES, *attempts], tmp_path)
    assert len(answers) == len(BODIES) + len(attempts)
    assert not any(answer.get("kind") == "unexpected" for answer in answers)
    assert any("'/" in line for line in told)
    assert foreign(told) == []


def test_the_watch_sees_what_is_opened(tmp_path: Path) -> None:
    """The test above can fail."""
    path, body, _ = COMMANDS[0]
    told = ["open '/etc/passwd'", f"open '{sys.prefix}/x'", "subprocess.Popen 'ls'"]
    assert foreign(told) == [told[0], told[2]]
    assert opened([(path, body)], tmp_path)[1][0]["answer"]
