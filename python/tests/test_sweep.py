"""Sweeps: the same table from every executor, and nothing lost where workers are."""

import importlib.util
import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import kinegraph as kg
from conftest import PENDULUM

VARY = {"systems.plant.gravity": [[0, 0, -9.81], [0, 0, -1.62]], "systems.plant.initial.pendulum.j1.q": "0.5:1.5:5"}
GIVEN = {"set": {"simulation.duration": 0.2}, "measures": ["max(plant.pendulum.j1.v)"], "accuracies": [1e-3, 1e-4]}


def of_file(executor=None, **more):
    return kg.sweep(PENDULUM, VARY, executor, **GIVEN, **more)


def simulate(height, n):
    """A run of a function: in every process."""
    b = kg.Builder()
    b.add("x", kg.blocks.Integrator(initial=height))
    k = b.add("k", kg.blocks.Gain(gain=-n))
    b.connect("x.output", k.input)
    b.connect(k.output, "x.input")
    sim = kg.Simulation(b.build(integrator="rk3", accuracy=1e-6))
    if n == 13:
        raise ValueError("13")
    sim.advance_to(0.5)
    return float(sim.continuous[0])


def test_a_file_is_varied_and_the_table_is_the_same_in_threads_and_processes():
    alone = of_file()
    assert len(alone) == 20 and not alone.failed and alone.columns[0] == "index"
    with ThreadPoolExecutor(2) as threads:
        assert of_file(threads).rows == alone.rows
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert of_file(processes).rows == alone.rows
    assert alone.to_pandas().shape == (20, len(alone.columns))


def test_a_function_is_varied_and_what_raises_is_a_row():
    table = kg.sweep(simulate, {"height": [1.0, 2.0], "n": [1, 13]})
    assert [row["status"][:6] for row in table] == ["done", "failed", "done", "failed"]
    assert table["result"][2] == pytest.approx(2.0 * 2.718281828 ** -0.5, rel=1e-4)
    assert "ValueError: 13" in table.failed[0]["status"]


def test_faults_are_reported_before_anything_runs():
    with pytest.raises(kg.FaultsError):
        kg.sweep(PENDULUM, {"systems.plant.gravity": "1:2:0"})
    with pytest.raises(kg.FaultsError):
        kg.sweep(PENDULUM, {}, measures=["largest(plant)"])


class Dying:
    """An executor that loses its first chunks."""

    def __init__(self, inner, losses):
        self.inner, self.losses = inner, losses

    def submit(self, *args):
        if self.losses:
            self.losses -= 1
            return self.inner.submit(os.getenv, 5)
        return self.inner.submit(*args)


def test_chunks_that_are_lost_are_sent_again():
    with ThreadPoolExecutor(2) as threads:
        assert of_file(Dying(threads, 3)).rows == of_file().rows
        with pytest.raises(kg.SweepError) as raised:
            of_file(Dying(threads, 9), retries=2)
    assert isinstance(raised.value.table, kg.SweepTable)


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")
def test_dask_with_two_worker_processes_and_one_of_them_killed():
    from distributed import Client, LocalCluster

    killed = []

    def kill(done, count):
        if done > count // 4 and not killed:
            info = client.scheduler_info()["workers"]
            pid = client.run(os.getpid, workers=[next(iter(info))])
            killed.append(next(iter(pid.values())))
            os.kill(killed[0], signal.SIGKILL)

    vary = {**VARY, "systems.plant.initial.pendulum.j2.q": "0:1:40"}
    two = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**two) as cluster, Client(cluster) as client:
        table = kg.sweep(PENDULUM, vary, client.get_executor(pure=False), chunk=10, progress=kill, **GIVEN)
    assert killed and len(table) == 800
    assert table.rows == kg.sweep(PENDULUM, vary, **GIVEN).rows


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
def test_ray_with_two_workers():
    import ray

    from kinegraph.cluster import RayExecutor

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert of_file(RayExecutor()).rows == of_file().rows
    finally:
        ray.shutdown()
