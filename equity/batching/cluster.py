"""A Dask cluster in place of local processes."""

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
from equity.common.extras import how_to_install

__all__ = ["LOCAL", "cluster_pool"]

#: The address of a new cluster on this machine.
LOCAL = "local"
#: Seconds to wait for the scheduler, and for its first worker.
PATIENCE = 30
#: Seconds between counts of the workers.
LOOK_EVERY = 5.0


class VersionError(RuntimeError):
    """A worker has another version of the package."""


class _Sealed(Executor):
    """Pickles calls, so that Dask does not search them for graphs, and adds the version.

    A worker may join at any time, so every call is checked: a worker refuses a call of
    another version, and :func:`_answer_of` rejects the answer of a worker too old to check.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function on one of the workers."""
        sealed = pickle.dumps((fn, args, kwargs))
        return _Opened(self._executor.submit(_call_sealed, __version__, sealed))


class _Opened(Future[Any]):
    """The future of a sealed call; checks the version in its answer."""

    def __init__(self, sealed: Future[Any]) -> None:
        super().__init__()
        self._sealed = sealed
        sealed.add_done_callback(self._open)

    def cancel(self) -> bool:
        """Cancel the call, unless it is done."""
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
        # Errors of the called function come as answers; this worker lacks the function.
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
    """Call a function if the versions agree; runs on a worker."""
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
            hint=how_to_install("cluster"),
        ) from None
    return distributed


def _be_quiet() -> None:
    """Silence the log of Dask; its errors are raised as well."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).handlers[:] = [logging.NullHandler()]


def _version() -> str:
    """The version of the package; called on each worker."""
    return __version__


@contextmanager
def cluster_pool(address: str, jobs: int) -> Iterator[Pool]:
    """Connect to the workers of a scheduler, or start ``jobs`` processes for ``local``.

    Raises ``BatchError`` if dask distributed is not installed; ``OutputError`` if the cluster
    cannot be reached, or its workers have another version.
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
    """A client, and the cluster if this process started it."""
    cluster = None
    try:
        if address == LOCAL:
            cluster = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None
            )
        return distributed.Client(cluster or address, timeout=PATIENCE), cluster
    except (OSError, ValueError) as error:
        problem = str(error)
    # Collect the failed client now: collected later, while another client starts and holds a
    # lock, it would deadlock.
    gc.collect()
    raise OutputError(f"the scheduler does not answer: {problem}", place="cluster")


def _check_workers(client: Any) -> None:
    """Wait for a worker, and check that all have this version of the package."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise OutputError(
            f"the scheduler has no workers after {PATIENCE} s",
            place="cluster",
            hint="start some with 'dask worker ADDRESS'",
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
        """The number of threads of all workers, counted a moment ago."""
        nonlocal looked, slots
        if monotonic() > looked + LOOK_EVERY:
            try:
                looked, slots = monotonic(), sum(client.nthreads().values())
            except Exception as error:
                # Dask leaves calls pending forever if the scheduler ends at a certain moment.
                raise CancelledError from error
        return max(1, slots)

    return Pool(
        # Equal calls are not the same call: a failed one may be repeated.
        _Sealed(client.get_executor(pure=False)),
        current,
        lost=(distributed.KilledWorker,),
        # A closed connection is an OSError too.
        broken=(CancelledError, OSError, VersionError),
    )
