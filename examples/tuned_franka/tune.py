"""Finds the gains of the arm: a quasi-Newton method with derivatives of the run. Needs scipy.

    python3 examples/tuned_franka/tune.py
"""

from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import kinegraph as kg

FILE = Path(__file__).with_name("tuned_franka.yaml")
GAINS = ["parameters.kp", "parameters.kd"]


def cost(logarithms):
    """The cost of a run and its derivatives by the logarithms of the gains."""
    gains = np.exp(logarithms)
    found = kg.gradient(FILE, "end(cost.output)", GAINS, set=dict(zip(GAINS, map(float, gains))), second_look=False)
    print(f"kp {gains[0]:7.2f}  kd {gains[1]:6.3f}  cost {found.values[0]:.5f} s")
    return found.values[0], found.value[0] * gains


if __name__ == "__main__":
    tuned = minimize(cost, np.log([100.0, 6.0]), jac=True, method="BFGS", options={"gtol": 3e-4})
    print("kp {:.1f} 1/s², kd {:.2f} 1/s".format(*np.exp(tuned.x)))
