"""Parts of jobs on threads, and what is kept for their later parts."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from equity.engine import monte_carlo, planner, remote
from equity.engine.executor import JobCache, in_order, pool
from equity.engine.options import How
from equity.engine.planner import ExactPlan
from equity.engine.sampling.question import question
from equity.engine.sampling.sampler import Sampler
from equity.engine.solver import solve
from equity.spot import read_spot

THREADS = 4
ROUNDS = 200


class Name(str):
    """A name of a job that lets other threads go on whenever it is looked up."""

    __slots__ = ()

    def __hash__(self) -> int:
        time.sleep(1e-4)
        return super().__hash__()


class TestJobCache:
    def test_threads_that_ask_at_once_share_what_one_makes(self) -> None:
        kept: JobCache[object] = JobCache()
        made = []

        def make() -> object:
            time.sleep(0.05)
            made.append(object())
            return made[-1]

        with ThreadPoolExecutor(THREADS) as executor:
            found = list(executor.map(lambda _: kept.get("job", make), range(THREADS)))
        assert found == made * THREADS

    def test_one_job_does_not_wait_for_another(self) -> None:
        kept: JobCache[str] = JobCache()
        together = threading.Barrier(2, timeout=10)

        def make() -> str:
            together.wait()
            return "made"

        with ThreadPoolExecutor(2) as executor:
            found = executor.map(lambda job: kept.get(job, make), ("a", "b"))
            assert list(found) == ["made", "made"]

    def test_the_last_jobs_are_kept(self) -> None:
        kept: JobCache[int] = JobCache()
        numbers = count()
        found = [kept.get(job, lambda: next(numbers)) for job in "abacab"]
        assert found == [0, 1, 0, 2, 0, 3]

    def test_what_failed_is_made_again(self) -> None:
        kept: JobCache[float] = JobCache()
        with pytest.raises(ZeroDivisionError):
            kept.get("job", lambda: 1 / 0)
        assert kept.get("job", lambda: 1.0) == 1


class TestJobsInOneWorker:
    """Several threads of a process have parts of several jobs."""

    def test_many_jobs_take_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spot = read_spot(["AsAhKdQd,KsKhQsJs", "QcQh9c8c,JcJd9s8s"], board="Tc7d2h3s")
        plan = planner.exact_plan(spot)
        made = []

        def exact_plan(*given: object) -> ExactPlan:
            made.append(given)
            return plan

        monkeypatch.setattr(remote, "exact_plan", exact_plan)
        workers = [remote.Worker(spot, Name(at)) for at in range(THREADS)]
        with ThreadPoolExecutor(THREADS) as executor:
            parts = [executor.submit(workers[at % THREADS], range(1)) for at in range(ROUNDS)]
            for part in parts:
                assert part.result().wide is not None
        assert THREADS <= len(made) <= ROUNDS

    def test_a_plan_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spot = read_spot(["AsAhKdQd,KsKhQsJs", "QcQh9c8c,JcJd9s8s"], board="Tc7d2h3s")
        real, made = planner.exact_plan, []

        def exact_plan(*given: object) -> ExactPlan:
            made.append(given)
            time.sleep(0.05)
            return real(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(remote, "exact_plan", exact_plan)
        worker = remote.Worker(spot)
        with ThreadPoolExecutor(THREADS) as executor:
            list(executor.map(lambda _: worker(range(1)), range(THREADS)))
        assert len(made) == 1

    def test_a_sampler_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real, made = Sampler, []

        def sampler(*given: object, **named: object) -> Sampler:
            made.append(given)
            time.sleep(0.05)
            return Sampler(*given, **named)  # type: ignore[arg-type]

        asked = question(read_spot(["AA", "KK"], board="Tc7d2h3s"))
        plain = real(asked, 1, hands_a_board=4)
        monkeypatch.setattr(monte_carlo, "Sampler", sampler)
        worker = monte_carlo.Worker("one", asked, 1, plain.paces)
        with ThreadPoolExecutor(THREADS) as executor:
            found = executor.map(worker, range(THREADS))
            assert list(found) == [plain.chunk(at) for at in range(THREADS)]
        assert len(made) == 1


class TestOneThread:
    def test_it_is_the_callers_own(self) -> None:
        with pool(None, 1) as executor:
            assert executor is None
            threads = in_order(executor, lambda _: threading.get_ident(), range(3), 2)
            assert set(threads) == {threading.get_ident()}

    def test_nothing_is_done_before_it_is_asked_for(self) -> None:
        done: list[int] = []
        results = in_order(None, done.append, range(3), 2)
        next(results)
        results.close()
        assert done == [0]

    def test_answers_are_the_same(self) -> None:
        spot = read_spot(["AA", "KK", "*"])
        found = [solve(spot, How(trials=3_000_000, seed=4, threads=n)) for n in (1, 3)]
        assert found[0].equities == found[1].equities
