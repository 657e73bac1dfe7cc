"""Simulations: the same bits as the program, states by name, recordings, pickles, threads."""

import copy
import gc
import os
import pickle
import resource
import signal
import sys
import threading
import time

import numpy as np
import pytest

import kinegraph as kg
from conftest import EXAMPLES, FRANKA, PENDULUM, built_pendulum


def test_a_file_with_values_replaced():
    diagram = kg.load(FRANKA, set={"simulation.accuracy": 1e-5, "record.channels": ["controller.generalized_force"]})
    assert len(diagram.recorded) == 7
    recording = kg.Simulation(diagram).run(0.5, every=0.1)
    assert recording.data.shape == (6, 7)
    assert np.allclose(recording.time, np.arange(6) * 0.1)


def test_parameters_are_listed_and_set():
    diagram = kg.load(os.path.join(EXAMPLES, "pendulum_wave", "pendulum_wave.yaml"), set={"parameters.T": 20})
    T = diagram.parameters["T"]
    assert (T["value"], T["unit"], T["range"], T["used"]) == (20.0, "s", (5.0, 120.0), ["systems.row.set.length"])
    assert diagram.with_values({"parameters.T": 30}).parameters["T"]["value"] == 30.0


def test_a_condition_ends_a_run():
    diagram = kg.load(os.path.join(EXAMPLES, "cart_pole", "cart_pole.yaml"))
    simulation = kg.Simulation(diagram)
    recording = simulation.run(15.0, every=0.1)
    assert simulation.stopped_by == "up" and recording.status == "done"
    assert recording.time[-1] == simulation.time < 10.0


def test_all_faults_come_in_one_exception():
    with pytest.raises(kg.FaultsError) as raised:
        kg.load(FRANKA, set={"systems.controler.kp": 2e3, "systems.plant.gravty": 3})
    assert len(raised.value.faults) == 2
    assert "did you mean `controller`" in raised.value.faults[0].help
    assert pickle.loads(pickle.dumps(raised.value)).faults == raised.value.faults


def test_samples_do_not_change_the_run(pendulum):
    watched, alone = kg.Simulation(pendulum), kg.Simulation(pendulum)
    watched.run(2.0, every=0.013)
    alone.advance_to(2.0)
    assert np.array_equal(watched.continuous, alone.continuous)


def test_states_are_read_and_written_by_name(franka):
    sim = kg.Simulation(franka)
    q = sim.state["plant.arm.q"]
    assert q.shape == (7,) and sim.state["plant.arm.joint1.q"] == q[0]
    sim.state["plant.arm.q"] = q + 0.25
    assert np.array_equal(sim.state["plant.arm.q"], q + 0.25)
    sim.state["plant.arm.joint2.v"] = 0.5
    assert sim.state["plant.arm.v"][1] == 0.5
    with pytest.raises(KeyError, match="did you mean `plant.arm.joint1.q`"):
        sim.state["plant.arm.jiont1.q"]
    with pytest.raises(ValueError, match="width 7"):
        sim.state["plant.arm.q"] = [1.0, 2.0]


def test_steps_and_outputs(pendulum):
    sim = kg.Simulation(pendulum)
    kind, reached = sim.step()
    assert kind in ("step", "event") and reached == sim.time > 0.0
    assert sim.output("plant.pendulum.state").tolist() == sim.continuous[:4].tolist()
    with pytest.raises(KeyError):
        sim.output("plant.pendulun.state")


def test_another_integrator_in_the_middle(pendulum):
    sim = kg.Simulation(pendulum)
    sim.advance_to(0.5)
    before = sim.continuous
    sim.switch("icf", step=1e-3)
    assert sim.integrator == "icf" and np.array_equal(sim.continuous, before)
    sim.advance_to(0.6)
    with pytest.raises(kg.FaultsError, match="did you mean `cenic`"):
        sim.switch("cenik")


def test_options_have_the_ranges_of_files(pendulum):
    for option in ("step", "max_step", "initial_step"):
        integrator = "icf" if option == "step" else "cenic"
        for value in (1e-308, 1e-16, 1e13, 0.0, -1.0, float("nan")):
            with pytest.raises(kg.FaultsError, match=option):
                kg.Simulation(pendulum, integrator=integrator, **{option: value})
    for value in (1e-300, 1.0, 1e9):
        with pytest.raises(kg.FaultsError, match="accuracy"):
            kg.Simulation(pendulum, integrator="cenic", accuracy=value)
    # Each step is one that may be taken; together they are too many.
    many = kg.Simulation(pendulum, integrator="icf", step=1e-14)
    with pytest.raises(kg.RunError, match="1.000e14 steps"):
        many.advance_to(1.0)


def test_snapshots_copies_and_pickles_go_on_bit_for_bit(franka):
    sim = kg.Simulation(franka, accuracy=1e-3)
    sim.advance_to(1.0)
    snapshot = pickle.loads(pickle.dumps(sim.snapshot()))
    others = [pickle.loads(pickle.dumps(sim)), copy.copy(sim), copy.deepcopy(sim)]
    sim.advance_to(1.5)
    for other in others:
        other.advance_to(1.5)
        assert np.array_equal(other.continuous, sim.continuous)
    end = sim.continuous
    sim.restore(snapshot)
    sim.advance_to(1.5)
    assert np.array_equal(sim.continuous, end)
    with pytest.raises(kg.SnapshotError):
        kg.Simulation(kg.load(PENDULUM)).restore(snapshot)


def test_a_snapshot_of_a_changed_diagram_is_refused_unless_that_is_asked_for(tmp_path):
    def simulation(text):
        (tmp_path / "lag.yaml").write_text(text)
        return kg.Simulation(kg.load(tmp_path / "lag.yaml"))

    text = "kinegraph: 1\nname: lag\nsystems:\n  wind: {type: noise, standard_deviation: 1, period: 0.01, seed: 7}\n"
    text += "  lag: {type: first_order_lag, time_constant: 1}\nconnections: [wind.output -> lag.input]\n"
    text += "simulation: {integrator: dopri5, duration: 1}\n"
    sim = simulation(text)
    sim.advance_to(0.05)
    changed = simulation(text.replace("seed: 7", "seed: 8"))
    difference = "systems.wind.seed: 7 when it was saved, now 8"
    with pytest.raises(kg.SnapshotError, match=difference) as refused:
        changed.restore(sim.snapshot())
    assert "`restore_changed`" in str(refused.value) and changed.time == 0.0
    assert difference in changed.restore_changed(sim.snapshot())
    assert changed.time == 0.05 and np.array_equal(changed.continuous, sim.continuous)
    damaged = bytearray(bytes(sim.snapshot()))
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(kg.SnapshotError):
        kg.Snapshot(bytes(damaged))


def test_contacts_and_poses(franka):
    sim = kg.Simulation(franka)
    sim.advance_to(1.0)
    bodies = {body for contact in sim.contacts() for body in (contact.body_a, contact.body_b)}
    assert "crate/crate" in bodies
    forces = [contact.force @ contact.normal for contact in sim.contacts()]
    assert max(forces) > 0.0 and min(forces) >= 0.0
    pose = sim.poses()["plant.crate/crate"]
    assert pose.xyz.shape == (3,) and abs(np.linalg.norm(pose.quat) - 1.0) < 1e-9


def test_a_linear_model():
    sim = kg.Simulation(built_pendulum())
    model = sim.linearize(inputs=["plant.pendulum.actuation"], outputs=["plant.pendulum.state"])
    n = len(model.states)
    assert model.A.shape == (n, n) and model.B.shape == (n, 2) and model.C.shape == (4, n) and model.D.shape == (4, 2)
    # The rates of angles are the velocities.
    assert np.array_equal(model.A[:2, 2:4], np.eye(2))
    with pytest.raises(kg.FaultsError):
        sim.linearize(inputs=["plant.pendulum.actuatio"])


def test_linear_models_of_what_is_held():
    sim = kg.Simulation(kg.load(FRANKA))
    ports = {"inputs": ["plant.arm.actuation"], "outputs": ["plant.arm.state"]}
    held = sim.linearize(**ports, contact="hold")
    assert held.A.shape == (16, 16) and not any("crate" in name for name in held.states)
    grip = [part for part in held.held if part["kind"] == "sticks"]
    assert len(grip) == 2 and all(abs(part["force"] - 40.0) < 0.1 and part["margin"] > 0.9 for part in grip)
    law = sim.linearize(**ports)
    assert law.A.shape == (30, 30) and law.held[0]["names"][1] == "crate/crate"
    with pytest.raises(ValueError, match='contact="held": expected "law", "hold" or "none"'):
        sim.linearize(**ports, contact="held")


def test_linear_models_unpack_as_arguments_of_other_packages():
    builder = kg.Builder("lag")
    source = builder.add("source", kg.blocks.Constant(value=0.0))
    lag = builder.add("lag", kg.blocks.FirstOrderLag(time_constant=0.5))
    builder.connect(source.output, lag.input)
    sim = kg.Simulation(builder.build())
    model = sim.linearize(inputs=["lag.input"], outputs=["lag.output"])
    A, B, C, D = model
    assert (A[0, 0], B[0, 0], C[0, 0], D[0, 0], model.dt, len(model)) == (-2.0, 2.0, 1.0, 0.0, None, 4)
    sampled = sim.linearize(inputs=["lag.input"], outputs=["lag.output"], sampled=0.1)
    *matrices, dt = sampled
    assert dt == sampled.dt == 0.1 and len(matrices) == 4
    assert abs(sampled.A[0, 0] - np.exp(-0.2)) < 1e-14 and abs(sampled.B[0, 0] + np.expm1(-0.2)) < 1e-14
    assert [part.shape for part in sampled[:4]] == [(1, 1)] * 4
    with pytest.raises(kg.FaultsError, match="no block of the diagram is sampled"):
        sim.linearize(inputs=["lag.input"], outputs=["lag.output"], sampled=True)
    with pytest.raises(ValueError, match="a period above 0"):
        sim.linearize(inputs=["lag.input"], outputs=["lag.output"], sampled=-1.0)


def test_a_run_is_verified_by_others(pendulum):
    sim = kg.Simulation(pendulum, accuracy=1e-5)
    found = sim.verify(1.0, every=0.1)
    assert (found.verdict, found.reason, found.parted) == ("verified", None, None)
    assert 0.0 < found.accuracies <= 20.0 and found.channel in found.channels
    assert found.channels[found.channel] == (found.accuracies, found.time)
    assert [run["integrator"] for run in found.runs] == ["cenic", "dopri5"]
    # The simulation stays where it is.
    assert sim.time == 0.0
    coarse = kg.Simulation(pendulum, integrator="semi-implicit-euler", step=0.02)
    coarse = coarse.verify(1.0, channels=["plant.pendulum.state"])
    assert coarse.verdict == "differs" and coarse.parted["time"] <= 1.0


def test_a_sweep_has_the_verdicts():
    table = kg.sweep(
        EXAMPLES / "bouncing_ball" / "bouncing_ball.yaml", {"simulation.accuracy": [1e-3, 1e-5]}, verify=20.0
    )
    assert table.columns[-2:] == ["verdict", "accuracies"] and table["verdict"] == ["verified"] * 2


def test_recordings_as_frames_and_files(pendulum, tmp_path):
    recording = kg.Simulation(pendulum).run(0.2, every=0.05)
    frame = recording.to_pandas()
    assert frame.index.name == "time" and np.array_equal(frame["plant.pendulum.j1.q"], recording["plant.pendulum.j1.q"])
    assert pickle.loads(pickle.dumps(recording)) == recording
    recording.save_csv(tmp_path / "out.csv")
    assert np.array_equal(np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1)[:, 1:], recording.data)


def interrupt_after(seconds):
    # Whoever starts the tests in the background has the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_between_steps_and_keeps_the_recording(pendulum):
    sim = kg.Simulation(pendulum, integrator="icf", step=1e-5)
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        sim.run(1e4, every=0.001)
    recorded = sim.recording
    assert 0.0 < recorded.time[-1] <= sim.time < 1e4 and np.isfinite(recorded.data).all()
    sim.advance_to(sim.time + 0.01)
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        sim.advance_to(1e4)


def test_two_simulations_run_at_once(pendulum):
    """The lock of Python is free while a simulation steps: a short run begins and ends within a long one, though no
    thread is made to give the lock up. Nothing here is a matter of how fast the machine is."""
    long, short = (kg.Simulation(pendulum, integrator="icf", step=1e-5) for _ in range(2))
    began, ends = threading.Event(), []

    def run_long():
        began.set()
        long.advance_to(5.0)
        ends.append("long")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    try:
        thread = threading.Thread(target=run_long)
        thread.start()
        began.wait()
        short.advance_to(0.01)
        ends.append("short")
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ends == ["short", "long"]


def test_others_run_while_a_simulation_steps(pendulum):
    sim = kg.Simulation(pendulum, integrator="icf", step=1e-5)
    thread = threading.Thread(target=sim.advance_to, args=(3.0,))
    thread.start()
    count, refused = 0, 0
    while thread.is_alive():
        count += 1
        time.sleep(0.0005)
        try:
            assert sim.time >= 0.0
        except RuntimeError:
            refused += 1
    # With the lock held for all the run, this loop would not get its turn; and a simulation is one thread's.
    assert count > 10 and refused > 10


def test_no_leak_over_many_simulations(pendulum):
    def make(n):
        for _ in range(n):
            kg.Simulation(pendulum).step()
        gc.collect()

    make(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    make(10_000)
    # A simulation has tens of kilobytes: a leak of each would be hundreds of megabytes.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_a_notebook_shows_picture_summary_and_page(pendulum):
    sim = kg.Simulation(pendulum)
    sim.run(0.5, every=0.1)
    html = sim._repr_html_()
    assert "<svg" in html and "double_pendulum" in html and ("<iframe" in html or "built without the page" in html)
    assert "<svg" in pendulum._repr_svg_()


def test_events_are_recorded_just_before_them_and_behind():
    builder = kg.Builder()
    pulse = builder.add("pulse", kg.blocks.Pulse(amplitude=1, period=0.4, delay=0.13))
    diagram = builder.build(record=[pulse.output], every=0.1)
    assert list(kg.Simulation(diagram).run(0.2).time) == [0.0, 0.1, 0.2]
    recording = kg.Simulation(diagram).run(0.2, events=True)
    assert list(recording.time) == [0.0, 0.1, 0.13, 0.13, 0.2]
    assert recording.data[:, 0].tolist() == [0.0, 0.0, 0.0, 1.0, 1.0]
