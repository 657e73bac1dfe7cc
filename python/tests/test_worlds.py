"""Many worlds: as simulations alone, bit for bit; inputs, resets, faults."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from conftest import built_pendulum
from test_block import Fuse, loop

N = 5


def starts(worlds):
    states = worlds.states
    states[:, 0] += 0.1 * np.arange(len(worlds))
    return states


@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_is_a_simulation_alone(threads):
    diagram = built_pendulum(accuracy=1e-4)
    worlds = kg.Worlds(diagram, N, threads=threads)
    states = starts(worlds)
    worlds.start_at(states)
    for _ in range(10):
        assert worlds.advance(0.05) == 0
    for i in range(N):
        alone = kg.Simulation(diagram)
        alone.state["plant"] = states[i, :4]
        for k in range(10):
            alone.advance_to(alone.time + 0.05)
        assert np.array_equal(worlds.states[i], alone.continuous)
    assert worlds.read("controller.effort").shape == (N, 2)
    assert worlds.times.tolist() == [alone.time] * N


def test_reset_takes_some_back():
    worlds = kg.Worlds(built_pendulum(), N)
    states = starts(worlds)
    worlds.start_at(states)
    worlds.advance(0.2)
    moved = worlds.states
    mask = np.arange(N) % 2 == 0
    worlds.reset(mask)
    assert np.array_equal(worlds.states[mask], states[mask]) and np.array_equal(worlds.states[~mask], moved[~mask])
    worlds.reset()
    assert np.array_equal(worlds.states, states) and not worlds.times.any()
    with pytest.raises((ValueError, kg.FaultsError)):
        worlds.reset([True])


def test_a_run_of_too_many_steps_is_refused_at_once():
    worlds = kg.Worlds(built_pendulum(), 2, integrator="icf", step=1e-14)
    assert worlds.advance_to(1.0) == 2
    assert all("1.000e14 steps" in fault for fault in worlds.faults.values()) and not worlds.times.any()


def test_inputs_come_from_arrays():
    worlds = kg.Worlds(built_pendulum(), N, inputs=["goal"])
    assert worlds.inputs == [("goal", 4)]
    goals = np.zeros((N, 4))
    goals[:, 0] = np.linspace(-1.0, 1.0, N)
    worlds.set_input("goal", goals)
    worlds.advance(10.0)
    np.testing.assert_allclose(worlds.read("plant.pendulum.j1.q")[:, 0], goals[:, 0], atol=0.05)
    with pytest.raises(ValueError, match="width 20"):
        worlds.set_input("goal", [1.0])
    with pytest.raises(KeyError):
        worlds.set_input("gaol", goals)


def test_seeds_make_noise_of_their_own():
    b = kg.Builder()
    b.add("noise", kg.blocks.Noise(**noise_parameters()))
    worlds = kg.Worlds(b.build(integrator="rk3"), 3, seed=7)
    worlds.advance(0.5)
    values = worlds.read("noise.output")[:, 0]
    assert len(set(values)) == 3
    again = kg.Worlds(b_again(), 3, seed=7)
    again.advance(0.5)
    assert np.array_equal(again.read("noise.output")[:, 0], values)


def noise_parameters():
    import yaml

    example = next(facts for facts in kg.blocks.CATALOG if facts["name"] == "noise")["example"]
    entry = next(iter(yaml.safe_load(example).values()))
    return {key: value for key, value in entry.items() if key != "type"}


def b_again():
    b = kg.Builder()
    b.add("noise", kg.blocks.Noise(**noise_parameters()))
    return b.build(integrator="rk3")


def test_blocks_of_python_raise_through_worlds():
    worlds = kg.Worlds(loop(Fuse(0.2)), 3)
    worlds.advance(0.1)
    with pytest.raises(ZeroDivisionError, match="the fuse"):
        worlds.advance(0.5)


def test_ctrl_c_ends_between_steps():
    from test_simulation import interrupt_after

    worlds = kg.Worlds(built_pendulum(), 4, integrator="icf", step=1e-5)
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        worlds.advance(1e4)
    assert (worlds.times < 1e4).all()
    worlds.advance(1e-3)


@pytest.mark.parametrize("name", ["CartPoles", "Arms"])
def test_the_vector_environments_of_the_example_step(name):
    pytest.importorskip("gymnasium")
    spec = importlib.util.spec_from_file_location("vector_env", Path(__file__).parents[1] / "examples" / "vector_env.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    env = getattr(example, name)(4)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    for _ in range(5):
        seen, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
        assert env.observation_space.contains(seen) and rewards.shape == terminated.shape == truncated.shape == (4,)
