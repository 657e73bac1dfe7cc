"""A box or a cylinder that lies flat, alone on level ground: it slides or spins, mostly until it rests."""

import frames
from draws.ground import contact, slope
from draws.values import between, r3, spread


def add(scene, rng):
    if rng.random() < 0.2:
        slope(scene, rng)
        return
    law = contact(rng)
    mu = between(rng, 0.15, 0.8)
    law.update({"static_friction": mu, "dissipation": spread(rng, 1, 50), "stiffness": spread(rng, 1e6, 1e7)})
    if "modulus" in law:
        law["modulus"] = spread(rng, 1e6, 1e8)
    mass, x, y = spread(rng, 0.2, 5), spread(rng, 0.06, 0.6), spread(rng, 0.06, 0.6)
    # What brakes it at its foot does not lift its tail.
    z = r3(min(x, y) * between(rng, 0.1, 0.45) / mu)
    if rng.random() < 0.75:
        kind, size = "box", [x, y, z]
        inertia = [mass / 12 * v for v in (y * y + z * z, x * x + z * z, x * x + y * y)]
    else:
        radius = r3(min(x, y) / 2)
        kind, size = "cylinder", [radius, z]
        across = mass * (radius**2 / 4 + z * z / 12)
        inertia = [across, across, mass * radius**2 / 2]
    one = {"name": "b", "mass": mass, "centre": (0.0, 0.0, 0.0),
           "inertia": tuple(tuple(r3(v) if i == k else 0.0 for k in range(3)) for i, v in enumerate(inertia)),
           "shapes": [{"kind": kind, "size": size, "at": (0.0, 0.0, 0.0), "R": frames.IDENTITY}]}
    sunk = mass * 9.81 / law["stiffness"] if law["model"] == "point" else 0.0
    if rng.random() < 0.5:
        velocity = {"linear": [spread(rng, 0.1, 2), rng.choice([0.0, between(rng, -1, 1)]), 0.0]}
    else:
        velocity = {"angular": [0.0, 0.0, spread(rng, 1, 20)]}
    scene.plant = {"gravity": [0, 0, -9.81], "ground": {"height": 0.0}, "contact": law}
    scene.bodies.append({
        "name": "b0", "format": "urdf", "base": "floating", "R": frames.IDENTITY, "p": (0.0, 0.0, z / 2 - sunk),
        "model": {"links": [one], "joints": []}, "velocity": velocity,
    })
    scene.simulation["duration"] = rng.choice([0.2, 0.3, 0.5])
    if rng.random() < 0.4:
        scene.simulation["accuracy"] = rng.choice([1e-5, 1e-6])
