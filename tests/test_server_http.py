"""The server over a real socket: it gives what the commands print."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from operation_bodies import BODIES, ODD_VALUES, timeless
from server_tools import LONG, SMALL, Server, events

from equity.operations import OPERATIONS, find_operation
from equity.operations.spelling import command_line, python_call
from equity.results.formats import written

pytest.importorskip("starlette", reason="the extra web is not installed")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.mark.parametrize(("path", "body"), BODIES, ids=[path for path, _ in BODIES])
def test_every_operation_in_every_form(server: Server, path: str, body: dict[str, Any]) -> None:
    answer = find_operation(path).ask(body).answer(None)
    for form, kind in (("csv", "text/csv"), ("table", "text/plain")):
        found = server.post(path, body, params={"form": form})
        assert found.headers["content-type"] == f"{kind}; charset=utf-8"
        lines, wanted = found.text.splitlines(), written(answer, form).splitlines()
        assert (lines[0], len(lines)) == (wanted[0], len(wanted))


@pytest.mark.parametrize(("path", "body"), BODIES, ids=[path for path, _ in BODIES])
def test_every_operation_as_html(server: Server, path: str, body: dict[str, Any]) -> None:
    found = server.post(path, body, params={"form": "html"}).json()
    assert set(found) == {"answer", "html", "notices", "command", "python"}
    operation = find_operation(path)
    assert timeless(found["answer"]) == timeless(server.post(path, body).json())
    assert found["command"] == command_line(operation, body)
    assert found["python"] == python_call(operation, body)
    assert found["html"].startswith("<")


def test_odd_bodies_are_never_a_defect(server: Server) -> None:
    for path, body in BODIES:
        names = [one.name for one in find_operation(path).parameters]
        for at, value in enumerate(ODD_VALUES[::2]):
            odd = {**body, (names or ["other"])[at % max(1, len(names))]: value}
            content = json.dumps(odd | {"trials": 100} if "trials" in names else odd)
            kind = {"content-type": "application/json"}
            answer = server.client.post(f"/api/{path}", content=content, headers=kind)
            assert answer.status_code in (200, 400, 422), answer.text


def test_eight_clients_get_what_one_gets(server: Server) -> None:
    rows = BODIES[:9]
    alone = [timeless(server.post(path, body).json()) for path, body in rows]
    with ThreadPoolExecutor(8) as pool:
        turns = [(rows[at:] + rows[:at])[:4] for at in range(8)]
        found = list(pool.map(lambda turn: [server.post(*row).json() for row in turn], turns))
    for at, answers in enumerate(found):
        assert timeless(answers) == (alone[at:] + alone[:at])[:4]


def test_events(server: Server) -> None:
    body = {"players": ["AA", "KK"], "error": 0.0001}
    accept = {"accept": "text/event-stream"}
    with server.client.stream("POST", "/api/odds", json=body, headers=accept) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        found = list(events(stream.iter_lines()))
    *progress, (last, answer) = found
    assert progress
    assert all(name == "progress" for name, _ in progress)
    parts = [data["done"] for _, data in progress]
    assert parts == sorted(parts)
    assert 0 < parts[0] < 1
    errors = [data["answer"]["players"][0]["std_error"]["equity"] for _, data in progress]
    assert errors == sorted(errors, reverse=True)
    assert last == "answer"
    assert timeless(answer["answer"]) == timeless(server.post("odds", body).json())
    assert answer["answer"]["players"][0]["std_error"]["equity"] <= 0.0001


def test_events_of_errors_and_of_small_questions(server: Server) -> None:
    accept = {"accept": "text/event-stream"}
    with server.client.stream("POST", "/api/odds", json={}, headers=accept) as stream:
        ((name, data),) = events(stream.iter_lines())
    assert name == "error"
    assert data["error"]["place"] == "players"
    with server.client.stream("POST", "/api/odds", json=SMALL, headers=accept) as stream:
        ((name, data),) = events(stream.iter_lines())
    assert (name, data["answer"]["deals"]) == ("answer", 1_086_008)


class Wrong(NamedTuple):
    """A request that is refused."""

    path: str
    body: bytes
    status: int
    words: str
    query: str = ""
    kind: str = "application/json"


WRONG = [
    Wrong("odds", b"{", 400, "no JSON"),
    Wrong("odds", b"", 400, "no JSON"),
    Wrong("odds", b"[]", 400, "no object"),
    Wrong("odds", b'{"players": NaN}', 400, "'NaN' is none"),
    Wrong("odds", b"[" * 100_000, 400, "nested too deeply"),
    Wrong("odds", b'{"players": ["\xff"]}', 400, "not UTF-8"),
    Wrong("odds", b'{"trials": ' + b"9" * 10_000 + b"}", 400, "cannot be read"),
    Wrong("odds", b'{}, "operation": "games"', 400, "no JSON"),
    Wrong("odds", b"{}", 400, "form is one of json, html", query="?form=pdf"),
    Wrong("odds", b"{}", 400, "'from' is no field", query="?from=csv"),
    Wrong("odds", b"{}", 422, "players: it is missing"),
    Wrong("odds", b'{"players": ["AA", "KK"], "board": "Kh9h4"}', 422, "write 4c"),
    Wrong("nothing", b"{}", 404, "is no operation"),
    Wrong("odds/", b"{}", 404, "is no operation"),
    Wrong("", b"{}", 404, "is no operation"),
    Wrong("../odds", b"{}", 405, ""),
    Wrong("odds", b"{}", 415, "application/json", kind="text/plain"),
    Wrong("odds", b"{}", 415, "application/json", kind=""),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_requests(server: Server, wrong: Wrong) -> None:
    answer = server.client.post(
        f"/api/{wrong.path}{wrong.query}",
        content=wrong.body,
        headers={"content-type": wrong.kind},
    )
    assert answer.status_code == wrong.status
    if wrong.words:
        told = answer.json()
        assert wrong.words in told["error"]["error"]
        assert set(told["error"]) == {"error", "problem", "place", "hint", "text", "column"}


def test_other_methods(server: Server) -> None:
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"):
        answer = server.client.request(method, "/api/odds")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST"
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_errors_of_ranges_have_their_column(server: Server) -> None:
    told = server.post("range", {"expression": "AA,K("}).json()["error"]
    assert (told["text"], told["column"]) == ("AA,K(", 5)


def test_a_body_may_be_written_over_lines(server: Server) -> None:
    content = json.dumps({"expression": "AA"}, indent=4).replace("\n", "\r\n").encode()
    answer = server.client.post(
        "/api/range", content=content, headers={"content-type": "application/json"}
    )
    assert answer.json()["combos"] == 6_961


def test_the_page(server: Server) -> None:
    page = server.client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    again = server.client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    styles = server.client.get("/static/answers.css")
    assert styles.headers["content-type"].startswith("text/css")
    for path in ("/static/nothing.js", "/index.html", "/static/", "/favicon.ico"):
        assert server.client.get(path).status_code == 404


def test_the_description_is_valid(server: Server) -> None:
    validator = pytest.importorskip("openapi_spec_validator")
    document = server.client.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    validator.validate(document)
    assert set(document["paths"]) == {f"/api/{path}" for path in OPERATIONS}
    for path in OPERATIONS:
        described = document["paths"][f"/api/{path}"]["post"]["requestBody"]["content"]
        assert described["application/json"]["schema"] == find_operation(path).schema


def test_examples_fit_the_description(server: Server) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    document = server.client.get("/api/openapi.json").json()
    for path, body in BODIES:
        post = document["paths"][f"/api/{path}"]["post"]
        jsonschema.validate(body, post["requestBody"]["content"]["application/json"]["schema"])
    error = document["components"]["schemas"]["Error"]
    jsonschema.validate(server.post("odds", {}).json(), error)


def test_known_hands_do_not_wait_for_workers(server: Server) -> None:
    with server.client.stream(
        "POST", "/api/odds", json=LONG, headers={"accept": "text/event-stream"}
    ):
        assert server.post("odds", SMALL).elapsed.total_seconds() < 0.5
