"""Long questions: they are cancelled, limited, and do not hold others up."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_tools import LONG, SMALL, Server, events

from equity.server.reply import Reply
from equity.server.workers import Workers

pytest.importorskip("starlette", reason="the extra web is not installed")
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc")
EVENTS = {"accept": "text/event-stream"}
RANGES = {"players": ["AA", "KK"], "trials": 1_000}


def eventually(holds: Callable[[], object], seconds: float = 5.0) -> bool:
    """Whether something holds before long."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def question(body: dict[str, Any], path: str = "odds", *, stream: bool = False) -> bytes:
    asked = {"operation": path, "form": "json", "stream": stream, "arguments": body}
    return json.dumps(asked)[1:-1].encode()


def with_workers(
    use: Callable[[Workers], Coroutine[Any, Any, None]], time: float = 60.0, **options: Any
) -> None:
    """Run a coroutine with a pool, whose processes are gone afterwards."""
    seen: set[int] = set()

    async def run() -> None:
        workers = Workers(time, options.pop("memory", 4.0), **options)
        workers.start()
        try:
            await use(workers)
        finally:
            seen.update(workers.pids)
            await workers.close()

    asyncio.run(run())
    assert seen
    assert eventually(lambda: not any(map(is_running, seen)))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def test_the_last_used_worker_is_used_next() -> None:
    async def use(workers: Workers) -> None:
        replies = await asyncio.gather(*(workers.ask(question(RANGES)) for _ in range(3)))
        assert {reply.event for reply in replies} == {"answer"}
        for _ in range(5):
            await workers.ask(question(RANGES))
        assert 1 <= len(workers.pids) <= 4

    with_workers(use, most=4)


def test_a_cancelled_question_ends_its_worker() -> None:
    async def use(workers: Workers) -> None:
        progress = asyncio.Event()

        async def report(reply: Reply) -> None:
            assert reply.event == "progress"
            progress.set()

        asked = asyncio.create_task(workers.ask(question(LONG, stream=True), report))
        await progress.wait()
        before = workers.pids
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert len(before - workers.pids) == 1
        assert (await workers.ask(question(RANGES))).event == "answer"

    with_workers(use)


def test_questions_have_a_time_limit() -> None:
    async def use(workers: Workers) -> None:
        await workers.ask(question(RANGES))
        reply = await workers.ask(question(LONG))
        assert (reply.event, reply.status) == ("error", 504)
        assert "longer than 1.5 seconds" in json.loads(reply.body)["error"]["problem"]
        assert (await workers.ask(question(RANGES))).event == "answer"

    with_workers(use, time=1.5)


def test_so_many_questions_wait() -> None:
    async def use(workers: Workers) -> None:
        await workers.ask(question(RANGES))
        slow = [asyncio.create_task(workers.ask(question(LONG))) for _ in range(2)]
        await asyncio.sleep(0.1)
        reply = await workers.ask(question(RANGES))
        assert reply.status == 503
        assert "waiting" in json.loads(reply.body)["error"]["problem"]
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert (await workers.ask(question(RANGES))).event == "answer"

    with_workers(use, most=1, waiting=1)


def test_a_dead_worker_is_told_and_replaced() -> None:
    async def use(workers: Workers) -> None:
        await workers.ask(question(RANGES))
        asked = asyncio.create_task(workers.ask(question(LONG)))
        await asyncio.sleep(0.3)
        for process in workers.pids:
            os.kill(process, signal.SIGKILL)
        reply = await asked
        assert reply.status == 507
        assert "has died" in json.loads(reply.body)["error"]["problem"]
        assert (await workers.ask(question(RANGES))).event == "answer"

    with_workers(use)


@pytest.mark.skipif(os.name != "posix", reason="memory is not limited there")
def test_questions_have_a_memory_limit() -> None:
    async def use(workers: Workers) -> None:
        # Twenty million hands as text.
        every = {"expression": "*", "game": "plo6"}
        reply = await workers.ask(question(every, "range/combos"))
        assert reply.status == 507
        told = json.loads(reply.body)["error"]
        assert "memory" in told["problem"]
        assert "--memory-limit" in told["hint"]
        assert (await workers.ask(question(RANGES))).event == "answer"

    with_workers(use, memory=0.5)


def test_workers_that_cannot_start_are_told() -> None:
    async def use() -> None:
        workers = Workers(60.0, 0.01)
        reply = await workers.ask(question(RANGES))
        assert reply.status == 507
        await workers.close()

    asyncio.run(use())


@needs_proc
def test_a_client_who_goes_ends_the_question() -> None:
    with Server() as server:
        server.post("odds", RANGES)
        # One waits for the answer, the other listens to events.
        content = json.dumps(LONG).encode()
        head = (
            f"POST /api/odds HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        )
        for more in ("", "Accept: text/event-stream\r\n"):
            with socket.create_connection(("127.0.0.1", server.port)) as one:
                one.sendall(f"{head}{more}\r\n".encode() + content)
                assert eventually(server.busy)
                before = server.children
            assert eventually(lambda: not server.busy())
            assert len(before - server.children) == 1
        assert server.post("odds", RANGES).status_code == 200


def test_long_questions_hold_nobody_up() -> None:
    with Server("--time-limit", "3") as server, ThreadPoolExecutor(3) as pool:
        server.post("odds", RANGES)
        slow = [pool.submit(server.post, "odds", LONG) for _ in range(3)]
        time.sleep(0.5)
        start = time.monotonic()
        for _ in range(20):
            assert server.post("odds", SMALL).status_code == 200
        assert time.monotonic() - start < 2
        assert server.post("range", {"expression": "AA"}).json()["combos"] == 6_961
        assert time.monotonic() - start < 2.5
        for one in slow:
            answer = one.result()
            assert answer.status_code == 504
            assert "--time-limit" in answer.json()["error"]["hint"]


def test_limits_come_as_events() -> None:
    with Server("--time-limit", "1") as server:
        stream = server.client.stream("POST", "/api/odds", json=LONG, headers=EVENTS)
        with stream as lines:
            found = list(events(lines.iter_lines()))
    assert found[-1][0] == "error"
    assert found[-1][1]["kind"] == "time"
    assert {name for name, _ in found[:-1]} <= {"progress"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end(number: int) -> None:
    with Server() as server, ThreadPoolExecutor(1) as pool:
        server.post("odds", RANGES)
        children = server.children
        asked = pool.submit(server.post, "odds", LONG)
        time.sleep(0.5)
        code, out, err = server.stop(number)
        assert (code, out) == ((130, "") if number == signal.SIGINT else (0, ""))
        assert err == ("equity: interrupted\n" if number == signal.SIGINT else "")
        assert eventually(lambda: not any(map(is_running, children)))
        try:
            asked.result()
        except httpx.HTTPError:
            pass
        else:
            assert asked.result().status_code >= 500


@needs_proc
def test_workers_end_with_a_server_that_is_killed() -> None:
    with Server() as server, ThreadPoolExecutor(1) as pool:
        server.post("odds", RANGES)
        pool.submit(server.post, "odds", LONG)
        assert eventually(server.busy)
        children = server.children
        server.stop(signal.SIGKILL)
        assert eventually(lambda: not any(map(is_running, children)))


def test_a_port_in_use_is_told(command: list[str]) -> None:
    import subprocess

    with Server() as server:
        words = ["serve", "--no-open", "--port", str(server.port)]
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"port {server.port} is in use" in done.stderr
