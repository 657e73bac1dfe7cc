"""Derivatives from Python."""

import math

import numpy as np
import pytest

import kinegraph as kg
from conftest import LAG


def test_derivatives_of_a_lag(lag):
    found = kg.gradient(lag, ["end(lag.output)", "at(lag.output,0.5)"], ["parameters.tau", "systems.lag.initial"])
    assert found.value.shape == (2, 2) and found.valid.shape == (2, 2, 2) and not found.notes
    expected = [[3 * math.exp(-t / 0.5) * t / 0.25, math.exp(-t / 0.5)] for t in (1.0, 0.5)]
    np.testing.assert_allclose(found.value, expected, rtol=1e-6)
    assert np.all(found.error < 1e-6)


def test_the_section_of_the_file_and_derivatives_over_time(lag):
    lag.write_text(LAG + "gradient: {of: [end(lag.output)], by: [parameters.tau], over_time: [lag.output]}\n")
    found = kg.gradient(lag, every=0.25)
    over = found.over_time
    assert found.by == ["parameters.tau"] and over.channels == ["lag.output"]
    np.testing.assert_allclose(over.times, [0, 0.25, 0.5, 0.75, 1])
    assert over.derivatives.shape == (1, 1, 5) and np.all(over.errors < 1e-6)
    np.testing.assert_allclose(over.values[0], 3 * np.exp(-over.times / 0.5), rtol=1e-6)
    expected = 3 * np.exp(-over.times / 0.5) * over.times / 0.25
    np.testing.assert_allclose(over.derivatives[0, 0], expected, rtol=1e-6, atol=1e-9)
    assert kg.gradient(lag, "end(lag.output)", "systems.lag.initial").over_time.channels == []


def test_rows_of_a_sweep_have_derivatives(lag):
    table = kg.sweep(lag, {"parameters.tau": [0.25, 0.5]}, derivatives=["end(lag.output)"], by=["systems.lag.initial"])
    found = table["d end(lag.output) / d systems.lag.initial"]
    np.testing.assert_allclose(found, [math.exp(-4), math.exp(-2)], rtol=1e-6)
    assert table["notes"] == [None, None]
