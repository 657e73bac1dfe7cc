"""Cost of calls in processor time: reading states, advancing by a step, a block of Python."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Callable

import kinegraph as kg

FRANKA = Path(__file__).resolve().parents[2] / "examples" / "franka" / "franka.yaml"


def each(call: Callable[[], Any], count: int) -> float:
    """The best of five, per call [µs]."""

    def once() -> float:
        started = time.thread_time()
        for _ in range(count):
            call()
        return (time.thread_time() - started) / count * 1e6

    return min(once() for _ in range(5))


class Negative(kg.Block):
    """One line."""

    def __init__(self) -> None:
        super().__init__()
        self.add_input("input")
        self.add_output("output")

    def outputs(self, ctx: kg.Context) -> Any:
        return -ctx.input


def decay(block: Any) -> kg.Diagram:
    """x' = -x with a block for the minus."""
    b = kg.Builder()
    x = b.add("x", kg.blocks.Integrator(initial=1.0))
    b.add("minus", block)
    b.connect(x.output, block.input)
    b.connect(block.output, x.input)
    return b.build(integrator="semi-implicit-euler", step=1e-3)


def of_steps(block: Any) -> float:
    """A step [µs]."""
    sim = kg.Simulation(decay(block), step=1e-3)
    started, steps = time.thread_time(), 20_000
    sim.advance_to(steps * 1e-3)
    return (time.thread_time() - started) / sim.statistics["steps"] * 1e6


def main() -> None:
    """Prints the table."""
    wide = kg.Builder()
    wide.add("x", kg.blocks.Integrator(initial=[float(i) for i in range(50)]))
    wide.add("u", kg.blocks.Constant(value=[0.0] * 50))
    wide.connect("u.output", "x.input")
    sim = kg.Simulation(wide.build(integrator="rk3"))
    name = next(name for name in sim.state.names).rsplit("[", 1)[0]
    assert len(sim.state[name]) == 50
    print(f"reading 50 numbers by name      {each(lambda: sim.state[name], 100_000):8.2f} µs")
    print(f"reading the whole state         {each(lambda: sim.continuous, 100_000):8.2f} µs")

    alone = kg.Simulation(decay(kg.blocks.Gain(gain=-1)), step=1e-3)
    steps = iter(range(1, 10_000_000))
    one = each(lambda: alone.advance_to(next(steps) * 1e-3), 20_000)
    step = min(of_steps(kg.blocks.Gain(gain=-1)) for _ in range(5))
    print(f"advance_to of one step          {one:8.2f} µs, of which the step {step:.2f}: {one - step:.2f} over it")

    python = min(of_steps(Negative()) for _ in range(5))
    context = kg.Bench(Negative()).input("input", 1.0)
    print(f"a step with a block of Python   {python:8.2f} µs")
    counted = Counted()
    of_steps(counted)
    evaluations = Counted.count / 20_000
    added = (python - step) / evaluations
    print(f"a block of one line adds        {added:8.2f} µs an evaluation, {evaluations:.1f} a step")
    assert context.eval("output") == -1.0


class Counted(Negative):
    """Counts its evaluations."""

    count = 0

    def outputs(self, ctx: kg.Context) -> Any:
        Counted.count += 1
        return -ctx.input


if __name__ == "__main__":
    main()
