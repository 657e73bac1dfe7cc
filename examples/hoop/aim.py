"""Finds the throw that flies through the hoop: Newton's method with derivatives of the run, through the bounce.

    python3 examples/hoop/aim.py
"""

from pathlib import Path

import numpy as np

import kinegraph as kg

FILE = Path(__file__).with_name("hoop.yaml")
CENTRE = np.array([4.0, 0.4, 1.0])  # of the hoop [m]
ARRIVAL = 1.2  # [s]
WHERE = [f"at(plant.ball.ball.{axis},{ARRIVAL})" for axis in "xyz"]
THROW = ["parameters.vx", "parameters.vy", "parameters.vz"]


def aim(throw, tolerance=1e-3, rounds=15):
    """The throw (vx, vy, vz) [m/s] whose ball is in the centre of the hoop at the time of arrival, and its miss [m]."""
    for _ in range(rounds):
        found = kg.gradient(FILE, WHERE, THROW, set=dict(zip(THROW, map(float, throw))))
        miss = found.values - CENTRE
        print(f"throw {np.round(throw, 4)} m/s misses by {np.linalg.norm(miss):.4f} m")
        if np.linalg.norm(miss) < tolerance:
            break
        change = -np.linalg.solve(found.value, miss)
        throw = throw + change * min(1.0, 1.0 / np.linalg.norm(change))  # at most 1 m/s at once
    return throw, np.linalg.norm(miss)


def touches(throw):
    """True if the ball touches the hoop on its way: then it is slower behind it."""
    diagram = kg.load(FILE, set=dict(zip(THROW, map(float, throw))))
    run = kg.Simulation(diagram).run(1.3, every=0.005)
    away = run.time > 0.9  # the bounce is over
    return bool(np.ptp(run["plant.ball.ball.vx"][away]) > 1e-9)


if __name__ == "__main__":
    aimed, missed = aim(np.array([3.4, 0.2, 1.0]))
    print("touches the hoop" if touches(aimed) else "flies through")
