"""Machines that nothing holds: floating trees of links, alone or on their way to each other, in any gravity."""

import frames
from catalog import pick
from draws import machines
from draws.ground import solid
from draws.values import between, spread


def add(scene, rng, catalog):
    gravity = rng.choice([[0, 0, 0], [0, 0, 0], [0, 0, -9.81], [0.5, -1.0, -3.0]])
    scene.plant = {"gravity": gravity, "springs": [], "constraints": [], "stops": {}}
    if rng.random() < 0.4:
        towards_each_other(scene, rng)
        return
    for n in range(rng.choice([1, 1, 2])):
        b = machines.body(rng, f"m{n}", rng.random() < 0.4, rng.choice([1, 2, 2, 3]))
        root = machines.link(rng, "base")
        b["model"]["links"][0] = root
        b.update({"base": "floating", "R": frames.any_rotation(rng), "p": tuple(between(rng, -1, 1) for _ in range(3))})
        b["velocity"] = {"linear": [between(rng, -1, 1) for _ in range(3)],
                         "angular": [between(rng, -4, 4) for _ in range(3)]}
        scene.bodies.append(b)
    closed = rng.random() < 0.3
    for b in scene.bodies:
        for j in b["model"]["joints"]:
            machines.elements(scene, rng, b, j, moving=not closed)
        if closed:
            b["velocity"] = {}
    if closed:
        machines.close(scene, rng, world=False)
    if rng.random() < 0.3:
        machines.drive(scene, rng, catalog)


def towards_each_other(scene, rng):
    """Two or three bodies that meet in flight."""
    scene.plant["contact"] = {
        "model": pick(rng, {"point": 4, "hydroelastic": 1, "volume": 1}), "stiffness": spread(rng, 1e3, 1e6),
        "modulus": spread(rng, 1e5, 1e7), "dissipation": rng.choice([0.0, spread(rng, 0.1, 20)]),
        "static_friction": rng.choice([0.0, between(rng, 0.1, 1.0)]),
    }
    for n in range(rng.choice([2, 2, 3])):
        one, _ = solid(rng)
        one["name"] = "b"
        reach = 0.25 + 0.5 * n
        away = (reach * (-1) ** n, between(rng, -0.05, 0.05), between(rng, -0.05, 0.05))
        if one["shapes"][0]["kind"] == "box":
            one["shapes"][0]["size"] = [min(x, 0.2) for x in one["shapes"][0]["size"]]
        scene.bodies.append({
            "name": f"b{n}", "format": "urdf", "base": "floating", "R": frames.any_rotation(rng), "p": away,
            "model": {"links": [one], "joints": []},
            "velocity": {"linear": [-spread(rng, 0.5, 3) * (-1) ** n, 0.0, 0.0],
                         "angular": [between(rng, -3, 3) for _ in range(3)]},
        })
    scene.simulation["duration"] = rng.choice([0.2, 0.3, 0.5])
