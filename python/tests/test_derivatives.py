"""Derivatives from Python."""

import math

import numpy as np
import pytest

import kinegraph as kg

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
def lag(tmp_path):
    file = tmp_path / "lag.yaml"
    file.write_text(LAG)
    return file


def test_derivatives_of_a_lag(lag):
    found = kg.gradient(lag, ["end(lag.output)", "at(lag.output,0.5)"], ["parameters.tau", "systems.lag.initial"])
    assert found.value.shape == (2, 2) and found.valid.shape == (2, 2, 2) and not found.notes
    expected = [[3 * math.exp(-t / 0.5) * t / 0.25, math.exp(-t / 0.5)] for t in (1.0, 0.5)]
    np.testing.assert_allclose(found.value, expected, rtol=1e-6)
    assert np.all(found.error < 1e-6)
