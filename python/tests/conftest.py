"""What the tests share: the examples of the repository."""

from pathlib import Path

import pytest

import kinegraph as kg

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum" / "double_pendulum.yaml"
FRANKA = EXAMPLES / "franka" / "franka.yaml"


@pytest.fixture
def pendulum() -> kg.Diagram:
    """Two joints and a controller."""
    return kg.load(PENDULUM)


@pytest.fixture
def franka() -> kg.Diagram:
    """An arm that carries a box."""
    return kg.load(FRANKA)
