"""Questions over standard streams: the protocol of lines, and MCP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import typed
from fuzz_cli import ODD, RANGES
from hypothesis import given, settings
from hypothesis import strategies as st
from operation_bodies import BODIES, COMMANDS, ODD_VALUES, timeless
from server_tools import LONG, SMALL

from equity.operations import OPERATIONS, find_operation
from equity.results.formats import written
from equity.server import mcp
from equity.server.answering import respond
from equity.server.small import is_small
from equity.server.stdio import MOST_LINE

ERROR = {"error", "problem", "place", "hint", "text", "column"}


def stdio(data: bytes, *options: str) -> list[dict[str, Any]]:
    """The objects that are written for lines."""
    done = subprocess.run(
        [sys.executable, "-m", "equity", "serve", "--stdio", *options],
        input=data,
        capture_output=True,
        check=True,
    )
    assert b"Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines(*messages: object) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def test_questions_and_answers() -> None:
    asked = [
        {"id": at, "operation": path, "arguments": body} for at, (path, body) in enumerate(BODIES)
    ]
    for (path, body), reply in zip(BODIES, stdio(lines(*asked)), strict=True):
        answer = find_operation(path).ask(body).answer(None)
        found = [json.loads(line) for line in written(answer, "json").splitlines()]
        assert reply["id"] == BODIES.index((path, body))
        wanted = found if find_operation(path).is_list else found[0]
        assert timeless(reply["answer"]) == timeless(wanted), path


@pytest.mark.parametrize("form", ["csv", "table"])
def test_forms(form: str) -> None:
    body = {"players": ["AhAsKhKs"], "board": "Th7h2c"}
    asked = {"id": [1], "operation": "evaluate", "arguments": body, "form": form}
    (reply,) = stdio(lines(asked))
    answer = find_operation("evaluate").ask(body).answer(None)
    assert reply == {"id": [1], "text": written(answer, form)}


def test_lines_that_are_no_questions() -> None:
    wrong = [
        b"x",
        b"[1]",
        b"null",
        b'{"operation": NaN}',
        b'{"operation": "odds", "arguments": {"players": ["AA", "KK"], "error": Infinity}}',
        b"[" * 200_000,
        b'{"operation": "odds", "arguments": ' + b'{"a":' * 50_000,
        b"\xff\xfe",
        b'{"id": 1, "operation": "odds", "argument": {}}',
        b'{"operation": 3}',
        b'{"operation": "ods"}',
        b'{"operation": "odds", "arguments": []}',
        b'{"operation": "odds", "arguments": {}, "form": "pdf"}',
        b'{"operation": "odds", "arguments": {}, "stream": 1}',
        b'{"operation": "odds", "arguments": {"players": ["\\ud800", "KK"]}}',
        b" " * (MOST_LINE + 10),
        b"9" * 10_000,
    ]
    good = json.dumps({"id": "z", "operation": "odds", "arguments": SMALL}).encode()
    replies = stdio(b"\n".join([*wrong, b"", b"  ", good]))
    assert len(replies) == len(wrong) + 1
    for reply in replies[:-1]:
        assert set(reply["error"]) == ERROR
        assert reply["kind"] in ("request", "question")
    assert replies[-1]["answer"]["deals"] == 1_086_008


def test_progress_comes_before_the_answer() -> None:
    body = {"players": ["AA", "KK"], "error": 0.0001}
    asked = {"id": 7, "operation": "odds", "arguments": body, "stream": True}
    *progress, last = stdio(lines(asked))
    assert progress
    assert all(one["id"] == 7 and 0 < one["done"] <= 1 for one in progress)
    assert all(one["answer"]["game"] == "plo4" for one in progress)
    assert set(last) == {"id", "answer"}


def test_it_works_without_the_extra() -> None:
    program = (
        "import sys\n"
        "sys.modules['starlette'] = sys.modules['uvicorn'] = None\n"
        "from equity.cli import main\n"
        "main()\n"
    )
    words = [sys.executable, "-c", program, "serve"]
    asked = lines({"operation": "odds", "arguments": SMALL})
    done = subprocess.run([*words, "--stdio"], input=asked, capture_output=True, check=True)
    assert json.loads(done.stdout)["answer"]["deals"] == 1_086_008
    refused = subprocess.run([*words, "--no-open"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr == (
        "equity: starlette and uvicorn are not installed; pip install 'omaha-equity[web]'\n"
    )


@pytest.fixture
def talk() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", "equity", "serve", "--stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        yield process
        process.kill()


def test_an_answer_comes_at_once(talk: subprocess.Popen[bytes]) -> None:
    assert talk.stdin is not None
    assert talk.stdout is not None
    for at in range(3):
        talk.stdin.write(lines({"id": at, "operation": "odds", "arguments": SMALL}))
        talk.stdin.flush()
        assert json.loads(talk.stdout.readline())["id"] == at


@pytest.mark.skipif(os.name != "posix", reason="signals are others there")
def test_ctrl_c_is_quiet(talk: subprocess.Popen[bytes]) -> None:
    assert talk.stdin is not None
    assert talk.stdout is not None
    for body in (SMALL, LONG):
        talk.stdin.write(lines({"operation": "odds", "arguments": body}))
        talk.stdin.flush()
    talk.stdout.readline()
    time.sleep(0.5)
    talk.send_signal(signal.SIGINT)
    out, err = talk.communicate(timeout=5)
    assert (out, err, talk.returncode) == (b"", b"", -signal.SIGINT)


def test_a_reader_who_goes_is_no_error(talk: subprocess.Popen[bytes]) -> None:
    assert talk.stdin is not None
    assert talk.stdout is not None
    assert talk.stderr is not None
    talk.stdout.close()
    talk.stdin.write(lines({"operation": "odds", "arguments": SMALL}))
    talk.stdin.flush()
    assert talk.wait(timeout=10) == 1
    assert talk.stderr.read() == b""


# What anybody may send.

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(max_size=20),
        st.sampled_from([*ODD, *RANGES, *(one.text for one in typed.RANGES)]),
        st.sampled_from(["AhAsKhKs", "9c8c7d6d", "Th7h2c"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=6,
)
#: Quick operations, whatever their arguments are.
QUICK = ["evaluate", "potlimit", "games", "rank", "hands"]


def bodies(path: str) -> st.SearchStrategy[dict[str, Any]]:
    names = [one.name for one in find_operation(path).parameters]
    return st.dictionaries(st.sampled_from([*names, "other"]), VALUES, max_size=5)


@pytest.mark.parametrize("path", QUICK)
@settings(max_examples=60)
@given(data=st.data())
def test_any_body_has_an_answer_or_an_error(path: str, data: st.DataObject) -> None:
    check(path, data.draw(bodies(path)))


@pytest.mark.parametrize("path", OPERATIONS)
@settings(max_examples=40)
@given(data=st.data())
def test_one_odd_value(path: str, data: st.DataObject) -> None:
    """A good body, in which one value is odd."""
    body = dict(next(one for name, one in BODIES if name == path))
    names = [*(one.name for one in find_operation(path).parameters), "other"]
    body[data.draw(st.sampled_from(names))] = data.draw(st.sampled_from(ODD_VALUES))
    if "trials" in names:
        body.setdefault("trials", 100)
    check(path, body)


def check(path: str, body: dict[str, Any]) -> None:
    sent: list[dict[str, Any]] = []
    respond({"operation": path, "arguments": body}, sent.append)
    (reply,) = sent
    json.dumps(reply)
    if "error" in reply:
        assert reply["kind"] == "question"
        assert set(reply["error"]) == ERROR
        assert "\n" not in reply["error"]["problem"]


@pytest.mark.parametrize(
    ("path", "arguments", "small"),
    [
        ("odds", SMALL, True),
        ("odds", SMALL | {"board": "Kh9h4c", "dead": "2c", "game": "o8"}, True),
        ("odds", {"players": ["Ah As Kh Ks", "9c8c7d6d"]}, True),
        ("odds", {"players": ["AhAsKhKs", "AA"]}, False),
        ("odds", {"players": ["AhAsKhKs", "9c8c7d"]}, False),
        ("odds", {"players": ["AhAsKhKs", "10%"]}, False),
        ("odds", SMALL | {"board": "T98:xxy"}, False),
        ("odds", SMALL | {"runs": 2}, False),
        ("odds", SMALL | {"stacks": "1,2"}, False),
        ("odds", {"players": ["AhAsKhKs"] * 1_000}, False),
        ("odds", {"players": [" " * 10_000 + "AhAsKhKs", "9c8c7d6d"]}, False),
        ("odds", {"players": "AhAsKhKs"}, False),
        ("odds", {}, False),
        ("evaluate", {"players": ["AhAsKhKs"], "board": "Th7h2c"}, True),
        ("rank", {"hands": ["AhAsKhKs"]}, False),
        ("games", {}, True),
        ("potlimit", {"pot": 60, "bets": [100, 40]}, True),
        ("potlimit", {"pot": "9" * 10_000}, False),
        ("hands", {"text": ""}, False),
    ],
)
def test_what_is_small(path: str, arguments: dict[str, Any], small: bool) -> None:
    assert is_small(path, arguments) is small


class TestMcp:
    def ask(self, method: str, params: object = None, number: object = 1) -> Any:
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        return mcp.handle(message if params is None else message | {"params": params})

    def test_it_is_spoken_over_streams(self) -> None:
        asked = lines(
            {"id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}},
            {"method": "notifications/initialized"},
            {"id": "a", "method": "ping"},
        )
        done = subprocess.run(
            [sys.executable, "-m", "equity", "serve", "--mcp"],
            input=asked + b"x\n",
            capture_output=True,
            check=True,
        )
        first, second, third = [json.loads(line) for line in done.stdout.splitlines()]
        assert first["result"]["protocolVersion"] == "2024-11-05"
        assert first["result"]["serverInfo"]["name"] == "equity"
        assert first["result"]["capabilities"] == {"tools": {"listChanged": False}}
        assert second == {"jsonrpc": "2.0", "id": "a", "result": {}}
        assert (third["id"], third["error"]["code"]) == (None, -32700)

    def test_every_operation_is_a_tool(self) -> None:
        tools = self.ask("tools/list")["result"]["tools"]
        assert len(tools) == len({tool["name"] for tool in tools}) == len(OPERATIONS)
        for tool, path in zip(tools, OPERATIONS, strict=True):
            assert tool["name"] == path.replace("/", "_")
            assert tool["inputSchema"] == find_operation(path).schema
            assert tool["description"]

    @pytest.mark.parametrize(("path", "body"), [row[:2] for row in COMMANDS[:8]] + BODIES[-3:])
    def test_a_call(self, path: str, body: dict[str, Any]) -> None:
        name = path.replace("/", "_")
        found = self.ask("tools/call", {"name": name, "arguments": body})["result"]
        answer = find_operation(path).ask(body).answer(None)
        objects = [json.loads(line) for line in written(answer, "json").splitlines()]
        content = found["structuredContent"]
        wanted = {"answers": objects} if find_operation(path).is_list else objects[0]
        assert timeless(json.loads(json.dumps(content))) == timeless(wanted)
        assert found["isError"] is False
        (text,) = found["content"]
        assert text["type"] == "text"
        assert len(text["text"].splitlines()) >= 1

    def test_wrong_questions_are_for_the_assistant(self) -> None:
        found = self.ask("tools/call", {"name": "odds", "arguments": {"players": ["AA", "K("]}})
        assert found["result"]["isError"] is True
        assert "range 2, column 2" in found["result"]["content"][0]["text"]

    @pytest.mark.parametrize(
        ("message", "code"),
        [
            (1, -32600),
            ([], -32600),
            ({}, -32600),
            ({"id": 1}, -32600),
            ({"id": {}, "method": "ping"}, -32600),
            ({"id": 1, "method": 3}, -32600),
            ({"id": 1, "method": "no/such"}, -32601),
            ({"id": 1, "method": "ping", "params": 3}, -32602),
            ({"id": 1, "method": "tools/call", "params": {}}, -32602),
            ({"id": 1, "method": "tools/call", "params": {"name": ["odds"]}}, -32602),
            ({"id": 1, "method": "tools/call", "params": {"name": "serve"}}, -32602),
        ],
    )
    def test_errors(self, message: object, code: int) -> None:
        assert mcp.handle(message)["error"]["code"] == code

    def test_what_asks_for_no_answer(self) -> None:
        assert mcp.handle({"method": "notifications/cancelled", "params": {}}) is None
        assert mcp.handle({"id": 1, "result": {}}) is None
        assert mcp.handle([{"method": "x"}, {"id": 3, "method": "ping"}]) == [
            {"jsonrpc": "2.0", "id": 3, "result": {}}
        ]
