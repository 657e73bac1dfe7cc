"""Many short runs through Dask and Ray, with a worker killed in the middle: nothing lost, and what it costs beside the
runs. `python python/benches/sweeps.py [RUNS_OF_DASK] [RUNS_OF_RAY]`.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import kinegraph as kg

TEXT = """kinegraph: 1
systems:
  x: {type: integrator, initial: 1}
  k: {type: gain, gain: -1}
connections: [x.output -> k.input, k.output -> x.input]
simulation: {integrator: rk3, accuracy: 1.0e-3, duration: 0.5}
"""


def of_sweep(file: Path, runs: int, executor: Any = None, progress: Any = None) -> Any:
    """The table, and how long it took [s]."""
    started = time.perf_counter()
    vary = {"systems.k.gain": f"-2:-0.5:{runs}"}
    chunk = None if executor else 1000
    table = kg.sweep(file, vary, executor, measures=["end(x.output)"], progress=progress, chunk=chunk)
    assert len(table) == runs and not table.failed
    return table, time.perf_counter() - started


def report(name: str, runs: int, took: float, table: kg.SweepTable) -> None:
    """One line: what two workers did besides running."""
    over = (2 * took - table.seconds) / runs * 1e3
    of_run = table.seconds / runs * 1e3
    print(f"{name}: {runs} runs in {took:.1f} s; a run takes {of_run:.3f} ms, {over:.3f} ms go beside it")


def with_dask(file: Path, runs: int) -> None:
    """Two worker processes, one of them killed when a third is done."""
    from distributed import Client, LocalCluster

    expected, _ = of_sweep(file, runs)
    killed: list = []

    def kill(done: int, count: int) -> None:
        if done > count // 3 and not killed:
            worker = next(iter(client.scheduler_info()["workers"]))
            killed.append(client.run(os.getpid, workers=[worker])[worker])
            os.kill(killed[0], signal.SIGKILL)

    two = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**two) as cluster, Client(cluster) as client:
        executor = client.get_executor(pure=False)
        of_sweep(file, 100, executor)  # workers import what they need
        table, took = of_sweep(file, runs, executor, kill)
    assert killed and table.rows == expected.rows
    report("Dask, a worker killed", runs, took, table)


def with_ray(file: Path, runs: int) -> None:
    """Two workers."""
    import ray

    from kinegraph.cluster import RayExecutor

    expected, _ = of_sweep(file, runs)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        executor = RayExecutor()
        of_sweep(file, 100, executor)
        table, took = of_sweep(file, runs, executor)
    finally:
        ray.shutdown()
    assert table.rows == expected.rows
    report("Ray", runs, took, table)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        short = Path(folder) / "short.yaml"
        short.write_text(TEXT)
        with_dask(short, int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
        with_ray(short, int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
