"""Bodies on strings: tendons with ranges, springs and equalities over sites of the world and of bodies, and balls
with a largest angle (MJCF alone has them)."""

import math

import frames
from draws.machines import link
from draws.values import between, r3, spread

DOWN = (0.0, 0.0, 1.0)


def add(scene, rng):
    scene.plant = {"gravity": [0, 0, -9.81], "springs": [], "constraints": [], "stops": {}}
    root = {"name": "base", "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY, "shapes": []}
    model = {"links": [root], "joints": [], "sites": [], "tendons": []}
    scene.bodies.append({
        "name": "m", "format": "mjcf", "base": "fixed", "R": frames.IDENTITY, "p": (0.0, 0.0, 0.0), "model": model,
        "start": {}, "actuated": [],
    })
    if rng.random() < 0.2:
        cone(rng, model)
        return
    hung = rng.choice([1, 1, 2, 2, 3])
    for n in range(hung):
        kind = rng.choice(["prismatic", "prismatic", "continuous"])
        model["links"].append({**link(rng, f"l{n}"), "centre": (0.0, 0.0, 0.0)})
        if kind == "continuous":
            model["links"][-1]["centre"] = (spread(rng, 0.1, 0.5), 0.0, 0.0)
        axis = DOWN if kind == "prismatic" else (0.0, 1.0, 0.0)
        model["joints"].append({
            "name": f"j{n}", "kind": kind, "parent": "base", "child": f"l{n}", "p": (0.5 * n, 0.0, 1.0),
            "R": frames.IDENTITY, "axis": axis,
        })
        model["sites"].append({"name": f"s{n}", "link": f"l{n}", "at": model["links"][-1]["centre"]})
        if rng.random() < 0.4:
            # Only down, so that a rope can catch it.
            scene.bodies[0]["start"][f"j{n}"] = {"q": 0.0, "v": -spread(rng, 0.1, 3)}
    if rng.random() < 0.2 and hung > 1:
        fixed(rng, model)
    else:
        spatial(rng, model, hung)


def cone(rng, model):
    model["links"].append({**link(rng, "l0"), "centre": (spread(rng, 0.2, 0.6), 0.0, 0.0)})
    model["joints"].append({
        "name": "j0", "kind": "ball", "parent": "base", "child": "l0", "p": (0.0, 0.0, 1.0), "R": frames.IDENTITY,
        "axis": DOWN, "limits": [0.0, between(rng, 0.3, 1.5)], "solref": [spread(rng, 2e-4, 5e-3), 1.0],
    })


def law(rng, tendon, length):
    """What acts along a tendon of this length at the start."""
    what = rng.choice(["range", "range", "range", "equality", "spring", "friction"])
    if what == "range":
        slack = rng.choice([0.0, 0.0, spread(rng, 1e-3, 0.1)])
        tendon.update({"limits": [0.0, length + slack], "solref": [spread(rng, 2e-4, 2e-2), 1.0]})
    elif what == "equality":
        tendon["equality"] = [spread(rng, 2e-4, 2e-2), 1.0]
    elif what == "spring":
        tendon.update({"stiffness": spread(rng, 10, 1e5), "rest": r3(0.9 * length) if length > 0 else 0.0})
    else:
        tendon.update({"frictionloss": spread(rng, 0.5, 20), "damping": spread(rng, 0.1, 5)})
    return tendon


def spatial(rng, model, hung):
    """A string from body to body over sites of the world above them."""
    height = between(rng, 1.8, 3.0)
    places = {f"s{n}": (0.5 * n, 0.0, 1.0) for n in range(hung)}
    path = []
    for n in range(hung):
        path.append(f"s{n}")
        for _ in range(rng.choice([1, 1, 2])):
            name = f"w{len(path)}"
            at = (0.5 * n + between(rng, -0.2, 0.2) if rng.random() < 0.5 else 0.5 * n, 0.0, height)
            model["sites"].append({"name": name, "link": "world", "at": at})
            places[name] = at
            path.append(name)
    if rng.random() < 0.4:
        path.append(f"s{hung - 1}")
    for joint in model["joints"]:
        if joint["kind"] == "continuous":
            n = int(joint["name"][1:])
            centre = model["links"][n + 1]["centre"]
            places[f"s{n}"] = frames.plus(places[f"s{n}"], centre)
    if rng.random() < 0.3:
        path.reverse()
    length = sum(math.dist(places[a], places[b]) for a, b in zip(path, path[1:]))
    model["tendons"].append(law(rng, {"name": "rope", "kind": "spatial", "path": path}, length))


def fixed(rng, model):
    path = [[j["name"], between(rng, 0.5, 2)] for j in model["joints"]]
    tendon = law(rng, {"name": "sum", "kind": "fixed", "path": path}, 0.0)
    if "limits" in tendon:
        tendon["limits"] = [-spread(rng, 0.01, 0.1), spread(rng, 0.01, 0.1)]
    model["tendons"].append(tendon)
