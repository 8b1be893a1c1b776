"""A Dask cluster in place of the processes of this machine."""

from __future__ import annotations

import gc
import logging
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from equity import __version__
from equity.batching.errors import BatchError, OutputError
from equity.batching.stream import Pool

__all__ = ["LOCAL", "cluster_pool"]

#: Stands for a cluster of processes of this machine.
LOCAL = "local"
#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 30
#: Seconds between two looks at how many workers there are.
LOOK_EVERY = 5.0


class VersionError(RuntimeError):
    """A worker has another version of the package."""


class _Sealed(Executor):
    """Sends calls as bytes, so that no graph is looked for in them, with the version.

    A worker may join at any time, so each call is checked: a worker that knows of
    versions refuses one of another version, and the answer of one that does not is
    none that :func:`_answer_of` takes.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by one of the workers."""
        sealed = pickle.dumps((fn, args, kwargs))
        return _Opened(self._executor.submit(_call_sealed, __version__, sealed))


class _Opened(Future[Any]):
    """The future of a call whose answer comes with the version of the worker."""

    def __init__(self, sealed: Future[Any]) -> None:
        super().__init__()
        self._sealed = sealed
        sealed.add_done_callback(self._open)

    def cancel(self) -> bool:
        """Cancel the call, if it is not done."""
        self._sealed.cancel()
        return super().cancel()

    def _open(self, sealed: Future[Any]) -> None:
        with suppress(InvalidStateError):  # it was cancelled meanwhile
            try:
                self.set_result(_answer_of(sealed))
            except BaseException as error:
                self.set_exception(error)


def _answer_of(sealed: Future[Any]) -> Any:
    try:
        version, is_good, answer = sealed.result()
    except (AttributeError, ImportError, RuntimeError, TypeError, ValueError) as error:
        # Errors of the call itself come as answers: this worker has another function, or none.
        version, is_good, answer = f"another version ({error})", False, None
    if version != __version__:
        raise VersionError(
            f"this is equity {__version__}, and a worker has {version}; "
            "install the same version on all machines"
        )
    if not is_good:
        raise answer
    return answer


def _call_sealed(version: str, sealed: bytes) -> tuple[str, bool, Any]:
    """Call a function, if this is the version that it is meant for; run by a worker."""
    if version != __version__:
        return __version__, False, None
    function, arguments, named = pickle.loads(sealed)  # noqa: S301 - sealed above
    try:
        return version, True, function(*arguments, **named)
    except Exception as error:
        return version, False, error


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise BatchError(
            "a cluster needs dask distributed, which is not installed",
            hint="pip install 'equity[cluster]'",
        ) from None
    return distributed


def _be_quiet() -> None:
    """Have nothing of Dask on stderr: its errors come as exceptions too."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).handlers[:] = [logging.NullHandler()]


def _version() -> str:
    """The version of the package, asked of each worker."""
    return __version__


@contextmanager
def cluster_pool(address: str, jobs: int) -> Iterator[Pool]:
    """The workers of a scheduler, or ``jobs`` processes of a new one for ``local``.

    Raises
    ------
    BatchError
        dask distributed is not installed.
    OutputError
        The cluster cannot be reached, or its workers cannot do the work.
    """
    distributed = _distributed()
    _be_quiet()
    client, cluster = _connected(distributed, address, jobs)
    try:
        _check_workers(client)
        yield _pool(distributed, client)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _connected(distributed: Any, address: str, jobs: int) -> tuple[Any, Any]:
    """A client, and the cluster if it is ours."""
    cluster = None
    try:
        if address == LOCAL:
            cluster = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None
            )
        return distributed.Client(cluster or address, timeout=PATIENCE), cluster
    except (OSError, ValueError) as error:
        problem = str(error)
    # What is left of the client ends now: amid the start of another one, which has a
    # lock that it wants, it would wait forever.
    gc.collect()
    raise OutputError(f"no scheduler answers: {problem}", place="cluster")


def _check_workers(client: Any) -> None:
    """Wait for a worker, and see that all have this version of the package."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise OutputError(
            f"the scheduler has no workers after {PATIENCE} s",
            place="cluster",
            hint="'dask worker ADDRESS' starts some",
        ) from None
    try:
        versions = client.run(_version)
    except Exception as error:
        raise OutputError(
            f"the workers cannot load equity {__version__}: {error}",
            place="cluster",
            hint="install the same version on all machines",
        ) from None
    others = {version for version in versions.values() if version != __version__}
    if others:
        raise OutputError(
            f"this is equity {__version__}, and workers have {', '.join(sorted(others))}",
            place="cluster",
            hint="install the same version on all machines",
        )


def _pool(distributed: Any, client: Any) -> Pool:
    looked = monotonic()
    slots: int = sum(client.nthreads().values())

    def current() -> int:
        """How many tasks the workers do at a time, as of a moment ago."""
        nonlocal looked, slots
        if monotonic() > looked + LOOK_EVERY:
            looked, slots = monotonic(), sum(client.nthreads().values())
        return max(1, slots)

    return Pool(
        # Two calls that are alike are two calls: what has failed may be tried again.
        _Sealed(client.get_executor(pure=False)),
        current,
        lost=(distributed.KilledWorker,),
        # A closed connection is an OSError too.
        broken=(CancelledError, OSError, VersionError),
    )
