"""Common fixtures of the tests: the examples of the repository."""

from pathlib import Path

import pytest

import kinegraph as kg

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum" / "double_pendulum.yaml"
FRANKA = EXAMPLES / "franka" / "franka.yaml"
LAG = """
kinegraph: 1
parameters: {tau: 0.5}
systems:
  lag: {type: first_order_lag, time_constant: $tau, initial: 3}
  zero: {type: constant, value: 0}
connections: [zero.output -> lag.input]
simulation: {integrator: dopri5, accuracy: 1e-8, duration: 1}
record: {every: 0.05, channels: [lag.output]}
"""


@pytest.fixture
def pendulum() -> kg.Diagram:
    """Two joints and a controller."""
    return kg.load(PENDULUM)


@pytest.fixture
def lag(tmp_path):
    """The file of a lag that decays from 3."""
    file = tmp_path / "lag.yaml"
    file.write_text(LAG)
    return file


@pytest.fixture
def franka() -> kg.Diagram:
    """An arm that carries a box."""
    return kg.load(FRANKA)


def built_pendulum(**simulation) -> kg.Diagram:
    """The pendulum of the README: two joints, a goal and a controller."""
    b = kg.Builder("double_pendulum", folder=EXAMPLES / "double_pendulum")
    models = [{"name": "pendulum", "file": "double_pendulum.urdf", "base": "fixed"}]
    plant = b.add("plant", kg.blocks.MultibodyPlant(models=models))
    pid = b.add("controller", kg.blocks.Pid(kp=100, ki=50, kd=20, width=2))
    goal = b.add("goal", kg.blocks.Constant(value=[1, 0.5, 0, 0]))
    b.connect(plant.state("pendulum"), pid.measured)
    b.connect(goal.output, pid.desired)
    b.connect(pid.effort, plant.pendulum.actuation)
    return b.build(**simulation)
