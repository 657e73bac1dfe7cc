"""Clusters as executors. Dask has its own, `Client.get_executor()`."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import Any, Callable


class RayExecutor(Executor):
    """Runs on Ray, which must be initialized (`ray.init()`): `kg.sweep(…, executor=RayExecutor())`."""

    def __init__(self, retries: int = 5, **options: Any) -> None:
        """`options` are those of a remote function of Ray, such as `num_cpus`; a task whose worker is lost is done
        again up to `retries` times."""
        import ray

        @ray.remote
        def call(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
            return function(*args, **kwargs)

        self._call = call.options(max_retries=retries, **options)
        self._max_workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Sends a call."""
        return self._call.remote(fn, args, kwargs).future()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ray goes on: whoever initialized it shuts it down."""
