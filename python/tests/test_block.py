"""Blocks written in Python: against the same in Rust, on the bench, in diagrams, and when they raise."""

import pickle
import traceback

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.blocks import Constant, FirstOrderLag, Gain, Integrator, Sine


class Lag(kg.Block):
    """T x' + x = gain u, as `first_order_lag`."""

    def __init__(self, time_constant, gain=1.0):
        super().__init__()
        self.time_constant, self.gain = time_constant, gain
        self.add_input("input")
        self.add_output("output", depends_on=[])
        self.add_state("x", 0.0)

    def outputs(self, ctx):
        return ctx.state

    def derivatives(self, ctx):
        return (self.gain * ctx.input - ctx.state) / self.time_constant


class LagWithJacobian(Lag):
    def jacobian(self, ctx):
        # Rows: output, rate; columns: time, x, input.
        return [[0.0, 1.0, 0.0], [0.0, -1.0 / self.time_constant, self.gain / self.time_constant]]


def driven(lag):
    b = kg.Builder("driven")
    sine = b.add("sine", Sine(frequency=0.5))
    b.add("lag", lag)
    b.connect(sine.output, lag.input)
    return b.build(integrator="rk3", accuracy=1e-6)


def test_a_block_is_the_same_as_that_of_rust():
    runs = []
    for lag in (FirstOrderLag(time_constant=0.25, gain=2), Lag(0.25, 2.0), LagWithJacobian(0.25, 2.0)):
        sim = kg.Simulation(driven(lag))
        runs.append(sim.run(1.0, every=0.1, channels=["lag.output"])["lag.output"])
    assert runs[0][-1] != 0.0
    np.testing.assert_allclose(runs[1], runs[0], rtol=1e-9)
    assert np.array_equal(runs[1], runs[2])


@pytest.mark.parametrize("integrator", ["cenic", "sdirk2", "implicit-euler", "dopri5"])
def test_every_kind_of_integrator_takes_blocks_of_python(integrator):
    sim = kg.Simulation(driven(LagWithJacobian(0.25)), integrator=integrator, accuracy=1e-4)
    rust = kg.Simulation(driven(FirstOrderLag(time_constant=0.25)), integrator=integrator, accuracy=1e-4)
    sim.advance_to(0.5)
    rust.advance_to(0.5)
    assert abs(sim.state["lag.x"] - rust.continuous[-1]) < 1e-6


def test_linear_models_are_exact_with_a_jacobian():
    lags = (FirstOrderLag(time_constant=0.25, gain=2), LagWithJacobian(0.25, 2.0), Lag(0.25, 2.0))
    models = [kg.Simulation(driven(lag)).linearize(inputs=["lag.input"], outputs=["lag.output"]) for lag in lags]
    for model in models[1:]:
        for ours, rust in zip(model[:4], models[0][:4]):
            np.testing.assert_allclose(ours, rust, atol=1e-9)


def test_the_bench():
    bench = kg.Bench(LagWithJacobian(0.5)).input("input", 3.0).state([1.0])
    assert bench.eval("output").tolist() == [1.0]
    assert bench.derivatives().tolist() == [4.0]
    assert bench.jacobian("input", "output").tolist() == [[0.0]]
    assert bench.conformance() == []
    pid = kg.Bench(kg.blocks.Pid(kp=100, ki=5, kd=7))
    assert pid.input("measured", [0.1, 0.0]).input("desired", [1.0, 0.0]).state([0.2]).eval("effort").tolist() == [91.0]
    with pytest.raises(ValueError, match="has no value"):
        kg.Bench(Gain(gain=2)).eval("output")
    with pytest.raises(KeyError):
        kg.Bench(Gain(gain=2)).input("inptu", 1.0)


def test_the_bench_finds_a_wrong_jacobian():
    class Wrong(LagWithJacobian):
        def jacobian(self, ctx):
            return [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]

    assert kg.Bench(Wrong(0.5)).conformance() != []


class Ball(kg.Block):
    """Falls and bounces: a witness function and a jump of the state."""

    def __init__(self, restitution):
        super().__init__()
        self.restitution = restitution
        self.add_output("height")
        self.add_state("z", 1.0)
        self.add_state("w", 0.0)
        self.add_witness("touches", "falling")

    def outputs(self, ctx):
        return ctx.state[:1]

    def derivatives(self, ctx):
        return [ctx.state[1], -10.0]

    def witnesses(self, ctx):
        return ctx.state[:1]

    def reset(self, witness, ctx):
        return {"state": [0.0, -self.restitution * ctx.state[1]]}


def test_a_ball_bounces_where_the_formula_says():
    b = kg.Builder()
    b.add("ball", Ball(0.5))
    sim = kg.Simulation(b.build(integrator="dopri5", accuracy=1e-9))
    sim.advance_to(0.6)
    touch = np.sqrt(2 * 1.0 / 10.0)
    speed, since = 0.5 * 10.0 * touch, 0.6 - touch
    assert abs(sim.state["ball.z"] - (speed * since - 5.0 * since**2)) < 1e-8


class Counter(kg.Block):
    """Discrete state, changed at periodic events; two outputs."""

    def __init__(self):
        super().__init__()
        self.add_output("count")
        self.add_output("twice", 2)
        self.add_discrete_state("n")
        self.add_event(0.1)

    def outputs(self, ctx):
        return {"count": ctx.discrete, "twice": [2 * ctx.discrete[0], ctx.time]}

    def update(self, event, ctx):
        return ctx.discrete + 1


def test_discrete_state_and_several_outputs():
    b = kg.Builder()
    b.add("counter", Counter())
    sim = kg.Simulation(b.build(integrator="rk3"))
    sim.advance_to(0.55)
    assert sim.state["counter.n"] == 6.0
    assert sim.output("counter.twice").tolist() == [12.0, 0.55]
    assert kg.Bench(Counter()).update().tolist() == [1.0]


class Fuse(kg.Block):
    """Raises at a time."""

    def __init__(self, at):
        super().__init__()
        self.at = at
        self.add_input("u")
        self.add_output("y")

    def outputs(self, ctx):
        if ctx.time > self.at:
            raise ZeroDivisionError("the fuse")
        return -ctx.u


def loop(fuse):
    b = kg.Builder()
    x = b.add("x", Integrator(initial=1.0))
    b.add("fuse", fuse)
    b.connect(x.output, fuse.u)
    b.connect(fuse.y, x.input)
    return b.build(integrator="rk3", accuracy=1e-4, record=["x.output"])


@pytest.mark.parametrize("integrator", ["rk3", "cenic", "sdirk2", "semi-implicit-euler", "implicit-euler"])
def test_an_exception_ends_the_run_with_its_traceback(integrator):
    sim = kg.Simulation(loop(Fuse(0.5)), integrator=integrator)
    with pytest.raises(ZeroDivisionError, match="the fuse") as raised:
        sim.run(1.0, every=0.05)
    lines = "".join(traceback.format_exception(raised.type, raised.value, raised.tb))
    assert "raise ZeroDivisionError" in lines
    assert any("in the block `fuse`" in note for note in getattr(raised.value, "__notes__", ["in the block `fuse`"]))
    assert len(sim.recording) > 3 and sim.recording.time[-1] <= 0.51 and np.isfinite(sim.recording.data).all()
    assert np.isfinite(sim.continuous).all() and sim.time <= 0.51
    # Nothing of it is left for the next simulation.
    kg.Simulation(loop(Fuse(9.0)), integrator=integrator).advance_to(0.2)


def test_wrong_widths_and_declarations_are_reported():
    class Wide(Fuse):
        def outputs(self, ctx):
            return [1.0, 2.0]

    with pytest.raises(ValueError, match="the output `y` of `fuse` has width 1 but is given 2"):
        kg.Simulation(loop(Wide(1.0))).advance_to(0.1)

    class Undeclared(kg.Block):
        def __init__(self):
            pass

    b = kg.Builder()
    b.add("u", Undeclared())
    with pytest.raises(kg.FaultsError, match="super"):
        b.build()


def test_an_optional_input_may_stay_unconnected():
    class Maybe(kg.Block):
        def __init__(self):
            super().__init__()
            self.add_input("u", 2, optional=True)
            self.add_output("y")

        def outputs(self, ctx):
            return -1.0 if ctx.u is None else ctx["u"].sum()

    for wired, expected in ((False, -1.0), (True, 3.0)):
        b = kg.Builder()
        maybe = b.add("maybe", Maybe())
        if wired:
            b.connect(b.add("c", Constant(value=[1, 2])).output, maybe.u)
        assert kg.Simulation(b.build()).output("maybe.y").tolist() == [expected]


def test_blocks_are_pickled_with_their_diagram():
    sim = kg.Simulation(driven(Lag(0.25, 2.0)))
    sim.advance_to(0.3)
    other = pickle.loads(pickle.dumps(sim))
    sim.advance_to(0.6)
    other.advance_to(0.6)
    assert np.array_equal(sim.continuous, other.continuous)
