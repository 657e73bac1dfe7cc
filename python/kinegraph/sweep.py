"""Many runs with other parameters, on one machine or on a cluster.

The unit of work is a chunk of runs, as long as `chunk_seconds`, so that sending it costs little beside running it. A
chunk that is lost with its worker is sent again; runs depend on their parameters alone, so that the table is the same.
"""

from __future__ import annotations

import os
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import lru_cache
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _kinegraph
from .errors import KinegraphError

#: Most runs of a chunk.
MAX_CHUNK_RUNS = 2000
#: Chunks under way for each worker: the next ones wait where they are run.
CHUNKS_PER_WORKER = 3


class SweepTable:
    """The rows of a sweep, by the numbers of the runs. `failed` are the rows whose status is not "done"."""

    def __init__(self, columns: List[str]) -> None:
        self.columns = columns
        #: Time that the runs took, summed over all workers [s].
        self.seconds = 0.0
        self._rows: Dict[int, List[Any]] = {}

    def _add(self, rows: Sequence[Tuple[int, List[Any]]], seconds: float) -> None:
        self._rows.update(rows)
        self.seconds += seconds

    @property
    def rows(self) -> List[List[Any]]:
        """One list a run, in the order of the runs."""
        return [self._rows[index] for index in sorted(self._rows)]

    @property
    def failed(self) -> List[Dict[str, Any]]:
        """The runs that did not reach their end."""
        return [row for row in self if row["status"] != "done"]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self.rows)

    def __getitem__(self, column: str) -> List[Any]:
        place = self.columns.index(column)
        return [row[place] for row in self.rows]

    def to_pandas(self) -> Any:
        """A data frame, one row a run."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.columns)

    def __repr__(self) -> str:
        return f"<kinegraph.SweepTable: {len(self)} runs, {len(self.failed)} failed>"


class SweepError(KinegraphError, RuntimeError):
    """A sweep whose executor does not go on; `table` has what it had done."""

    def __init__(self, message: str, table: SweepTable) -> None:
        super().__init__(message)
        self.table = table


def sweep(
    what: Union[str, "os.PathLike[str]", Callable[..., Any]],
    vary: Optional[Mapping[str, Any]] = None,
    executor: Optional[Executor] = None,
    *,
    set: Optional[Mapping[str, Any]] = None,
    sample: Optional[Mapping[str, str]] = None,
    integrators: Sequence[str] = (),
    accuracies: Sequence[float] = (),
    runs: int = 1,
    seed: int = 0,
    measures: Sequence[str] = (),
    derivatives: Sequence[str] = (),
    by: Sequence[str] = (),
    verify: Optional[float] = None,
    chunk: Optional[int] = None,
    chunk_seconds: float = 0.5,
    retries: int = 5,
    progress: Optional[Callable[[int, int], None]] = None,
) -> SweepTable:
    """Runs every combination of the values of `vary`, and gives a table with a row for each.

    `what` is a diagram file, with dotted paths as keys of `vary` (`{"systems.pid.kp": [50, 100]}`, or a text as
    `kinegraph sweep --vary` takes it: `"1:100:20:log"`), or a function, with its keyword arguments as keys; it gives a
    number, or a dict of numbers. `sample` (`{"systems.pid.kd": "normal(20, 2)"}`), `runs`, `seed`, `integrators`,
    `accuracies` and `measures` (`"max(plant.arm.joint1.q)"`) are for files, as for `kinegraph sweep`.

    `derivatives` are measures of files that each run differentiates `by` numbers, as `kinegraph.gradient` does: columns
    with each and its error, and `notes`; without `by`, by those of the section `gradient` of the file.

    With `verify`, a number of accuracies, each run of a file is verified as by `Simulation.verify`: columns `verdict` and
    `accuracies`.

    `executor` is any of `concurrent.futures`: threads, processes, `Client.get_executor()` of Dask, or
    `kinegraph.cluster.RayExecutor`; without one the runs are made here. Workers that are lost cost `retries`.
    """
    if callable(what):
        job: Any = _FunctionJob(what, dict(vary or {}))
    else:
        lists = [(path, values if isinstance(values, str) else list(values)) for path, values in (vary or {}).items()]
        job = _FileJob(
            path=os.path.abspath(what),
            set=list((set or {}).items()),
            vary=lists,
            sample=list((sample or {}).items()),
            integrators=list(integrators),
            accuracies=list(accuracies),
            runs=runs,
            seed=seed,
            measures=list(measures),
            derivatives=list(derivatives),
            by=list(by),
            verify=verify,
        )
    table = SweepTable(job.columns())
    count = len(job)
    if executor is None:
        for start in range(0, count, chunk or 1):
            table._add(*_run_chunk(job, start, min(count, start + (chunk or 1))))
            if progress is not None:
                progress(len(table), count)
        return table
    pacing = _Pacing(chunk, chunk_seconds, retries)
    _distribute(job, executor, pacing, table, progress)
    return table


class _Pacing(NamedTuple):
    """How a sweep is cut into chunks, and how many lost ones it survives."""

    #: Runs of a chunk; `None`: chunks grow until they take `chunk_seconds`.
    chunk: Optional[int]
    chunk_seconds: float
    retries: int

    def next_length(self, length: int, runs: int, seconds: float) -> int:
        """The length of the next chunk, after one of `runs` runs took `seconds`."""
        if self.chunk is not None or seconds <= 0.0:
            return length
        wanted = int(runs * self.chunk_seconds / seconds)
        return max(1, min(wanted, 4 * length, MAX_CHUNK_RUNS))


def _distribute(
    job: Any,
    executor: Executor,
    pacing: _Pacing,
    table: SweepTable,
    progress: Optional[Callable[[int, int], None]],
) -> None:
    """Fills the table and keeps the executor busy until all runs of the job are in it."""
    count = len(job)
    length, at, lost = pacing.chunk or 1, 0, 0
    again: List[Tuple[int, int]] = []
    under_way: Dict[Future, Tuple[int, int]] = {}
    capacity = CHUNKS_PER_WORKER * max(_workers(executor), 1)
    try:
        while len(table) < count:
            while len(under_way) < capacity and (again or at < count):
                if again:
                    start, end = again.pop()
                else:
                    start, end = at, min(count, at + length)
                    at = end
                try:
                    # Not pure: Dask would take two chunks for one.
                    under_way[executor.submit(_run_chunk, job, start, end)] = (start, end)
                except Exception as error:
                    raise SweepError(f"the executor takes no more runs: {error!r}", table) from error
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                part = under_way.pop(future)
                # An exception of a run is part of its row: an exception here is the executor's.
                lost_to = RuntimeError("a chunk was cancelled") if future.cancelled() else future.exception()
                if lost_to is not None:
                    lost += 1
                    again.append(part)
                    if lost > pacing.retries:
                        message = f"{lost} chunks of runs were lost, the last of them: {lost_to!r}"
                        raise SweepError(message, table) from lost_to
                    continue
                rows, seconds = future.result()
                table._add(rows, seconds)
                length = pacing.next_length(length, len(rows), seconds)
                if progress is not None:
                    progress(len(table), count)
    finally:
        for future in under_way:
            future.cancel()


def _workers(executor: Executor) -> int:
    for name in ("_max_workers", "max_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int):
            return number
    client = getattr(executor, "_client", None)
    if client is not None:
        return sum(client.nthreads().values())
    return os.cpu_count() or 1


def _run_chunk(job: Any, start: int, end: int) -> Tuple[List[Tuple[int, List[Any]]], float]:
    """The rows of some runs, and how long they took [s]; in the process of a worker."""
    begun = time.perf_counter()
    rows = job.rows(start, end)
    return rows, time.perf_counter() - begun


class _FunctionJob:
    """Runs of a function."""

    def __init__(self, function: Callable[..., Any], vary: Dict[str, Any]) -> None:
        self.function = function
        self.names = list(vary)
        self.values = [list(values) for values in vary.values()]

    def __len__(self) -> int:
        count = 1
        for values in self.values:
            count *= len(values)
        return count

    def columns(self) -> List[str]:
        return ["index", *self.names, "status", "result"]

    def arguments(self, index: int) -> List[Any]:
        chosen = []
        for values in reversed(self.values):
            index, place = divmod(index, len(values))
            chosen.append(values[place])
        return chosen[::-1]

    def rows(self, start: int, end: int) -> List[Tuple[int, List[Any]]]:
        rows = []
        for index in range(start, end):
            arguments = self.arguments(index)
            try:
                status, result = "done", self.function(**dict(zip(self.names, arguments)))
            except Exception:
                status, result = "failed: " + traceback.format_exc(limit=-4), None
            rows.append((index, [index, *arguments, status, result]))
        return rows


class _FileJob:
    """Runs of a diagram file. Only its description is sent; every worker reads the file once."""

    def __init__(self, **description: Any) -> None:
        #: What `_kinegraph.FileSweep` takes.
        self.description = description
        self.digest = self._made().digest

    def _made(self) -> Any:
        return _file_sweep(repr(self.description), self)

    def __len__(self) -> int:
        return len(self._made())

    def columns(self) -> List[str]:
        return self._made().columns

    def rows(self, start: int, end: int) -> List[Tuple[int, List[Any]]]:
        made = self._made()
        if made.digest != self.digest:
            raise KinegraphError(f"{self.description['path']} is another file here than where the sweep was started")
        return [(index, made.run(index)) for index in range(start, end)]


class _Unhashed:
    """The description itself, beside the text that distinguishes it from others."""

    def __init__(self, job: _FileJob) -> None:
        self.job = job

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)

    def __hash__(self) -> int:
        return 0


def _file_sweep(key: str, job: _FileJob) -> Any:
    return _cached(key, _Unhashed(job))


@lru_cache(maxsize=4)
def _cached(key: str, unhashed: _Unhashed) -> Any:
    return _kinegraph.FileSweep(unhashed.job.description)

