"""Bodies on the ground: thrown, sliding, spinning, rolling, resting, under every model of contact."""

import math
import random

import frames
from draws.values import between, r3, spread

LAWS = (
    ({"model": "point"}, 6),
    ({"model": "point", "points": "deepest"}, 1),
    ({"model": "hydroelastic"}, 3),
    ({"model": "hydroelastic_with_fallback"}, 1),
    ({"model": "volume"}, 3),
)


def contact(rng):
    law = dict(rng.choices([x for x, _ in LAWS], [w for _, w in LAWS])[0])
    if law["model"] != "point":
        law["modulus"] = spread(rng, 1e5, 1e7)
    law["stiffness"] = spread(rng, 1e4, 1e6)
    law["dissipation"] = rng.choice([0.0, spread(rng, 0.1, 50)])
    law["static_friction"] = rng.choice([0.0, between(rng, 0.1, 1.0), between(rng, 0.1, 1.0)])
    law["stiction_tolerance"] = rng.choice([1e-5, 1e-4, 1e-3])
    return law


def solid(rng):
    """A link with one shape, and the height of its middle where it stands."""
    kind = rng.choice(["box", "box", "box", "sphere", "cylinder", "capsule"])
    mass = spread(rng, 0.2, 5)
    if kind == "box":
        size = [spread(rng, 0.06, 0.6) for _ in range(3)]
        x, y, z = size
        height = z / 2
        diagonal = (y * y + z * z, x * x + z * z, x * x + y * y)
        inertia = [mass / 12 * v for v in diagonal]
    elif kind == "sphere":
        size = [spread(rng, 0.03, 0.3)]
        height = size[0]
        inertia = [0.4 * mass * size[0] ** 2] * 3
    else:
        size = [spread(rng, 0.03, 0.3), spread(rng, 0.05, 0.4)]
        r, length = size
        height = length / 2 + (r if kind == "capsule" else 0.0)
        side = mass * (r * r / 4 + length * length / 12)
        inertia = [side, side, mass * r * r / 2]
    rows = tuple(tuple(r3(v) if i == k else 0.0 for k in range(3)) for i, v in enumerate(inertia))
    shape = {"kind": kind, "size": size, "at": (0.0, 0.0, 0.0), "R": frames.IDENTITY}
    return {"mass": mass, "centre": (0.0, 0.0, 0.0), "inertia": rows, "shapes": [shape]}, height


def slope(scene, rng):
    """A box on a slope that it neither slides down nor tips on, by a margin of 5 to 30 %."""
    law = contact(rng)
    law.update({"static_friction": 1.0, "stiffness": 1e6, "stiction_tolerance": 1e-4})
    if "modulus" in law:
        law["modulus"] = 1e7
    x, z = spread(rng, 0.06, 0.2), spread(rng, 0.1, 0.6)
    part = 1 - between(rng, 0.05, 0.3)
    z = max(z, r3(1.3 * x))
    angle = math.atan(part * x / z)
    y, mass = spread(rng, 0.06, 0.4), spread(rng, 0.2, 20)
    inertia = [r3(mass / 12 * v) for v in (y * y + z * z, x * x + z * z, x * x + y * y)]
    one = {"name": "b", "mass": mass, "centre": (0.0, 0.0, 0.0),
           "inertia": tuple(tuple(v if i == k else 0.0 for k in range(3)) for i, v in enumerate(inertia)),
           "shapes": [{"kind": "box", "size": [x, y, z], "at": (0.0, 0.0, 0.0), "R": frames.IDENTITY}]}
    gravity = [r3(9.81 * math.sin(angle)), 0.0, r3(-9.81 * math.cos(angle))]
    scene.plant = {"gravity": gravity, "ground": {"height": 0.0}, "contact": law}
    scene.bodies.append({
        "name": "b0", "format": "urdf", "base": "floating", "R": frames.IDENTITY, "p": (0.0, 0.0, z / 2),
        "model": {"links": [one], "joints": []}, "velocity": {},
    })
    scene.simulation.update({"duration": 2.0, "accuracy": rng.choice([1e-2, 1e-3, 1e-4])})


def surfaces(scene, rng, law):
    """What surfaces are made of, besides the law of all."""
    if rng.random() < 0.15 and law["static_friction"]:
        law["dynamic_friction"] = r3(law["static_friction"] * between(rng, 0.5, 1.0))
    if law["model"].startswith("hydroelastic") and rng.random() < 0.2:
        scene.plant["hydroelastic"] = {"ground": {
            "kind": "compliant", "modulus": spread(rng, 1e6, 1e7), "slab_thickness": between(rng, 0.05, 0.2)}}
    if rng.random() < 0.05:
        scene.plant["collisions"] = {"b0": "ground_only"}


def grain(scene, law):
    """Friction of some bodies that depends on the direction. It is drawn by itself: other draws stay as they are."""
    own = random.Random(f"grain {law['stiffness']} {law['static_friction']}")
    if own.random() > 0.15 or not law["static_friction"]:
        return
    for b in scene.bodies:
        along = [between(own, -1, 1), between(own, -1, 1), own.choice([0.0, between(own, -1, 1)])]
        b["materials"] = {"default": {
            "friction": spread(own, 0.02, 1.0), "friction_across": spread(own, 0.02, 1.0), "friction_along": along}}


def add(scene, rng):
    if rng.random() < 0.1:
        slope(scene, rng)
        return
    law = contact(rng)
    gravity = [0, 0, -9.81] if rng.random() < 0.8 else [between(rng, -4, 4), 0.0, -9.0]
    scene.plant = {"gravity": gravity, "ground": {"height": 0.0}, "contact": law}
    if rng.random() < 0.12:
        scene.plant["belts"] = [{"name": "belt", "link": "ground", "direction": [1.0, 0.0, 0.0],
                                 "speed": between(rng, -1, 1)}]
    for n in range(rng.choice([1, 1, 1, 1, 2])):
        one, height = solid(rng)
        one["name"] = "b"
        sunk = one["mass"] * 9.81 / law["stiffness"] if law["model"] == "point" else 1e-5
        how = rng.choice(["slides", "slides", "slides", "spins", "spins", "falls", "rests", "thrown"])
        velocity, p, rotation = {}, [0.9 * n, 0.0, height - sunk], frames.IDENTITY
        if how == "slides":
            velocity["linear"] = [spread(rng, 0.1, 2), rng.choice([0.0, between(rng, -1, 1)]), 0.0]
        elif how == "spins":
            velocity["angular"] = [0.0, 0.0, spread(rng, 1, 30)]
        elif how in ("falls", "thrown"):
            p[2] += spread(rng, 0.01, 0.2)
            if how == "thrown":
                rotation = frames.any_rotation(rng)
                p[2] += 0.4
                velocity = {"linear": [between(rng, -1, 1) for _ in range(3)],
                            "angular": [between(rng, -3, 3) for _ in range(3)]}
        scene.bodies.append({
            "name": f"b{n}", "format": "urdf", "base": "floating", "R": rotation, "p": tuple(p),
            "model": {"links": [one], "joints": []}, "velocity": velocity,
        })
    scene.simulation["duration"] = rng.choice([0.2, 0.3, 0.5, 0.5])
    surfaces(scene, rng, law)
    grain(scene, law)
    if rng.random() < 0.15:
        law["torsional_friction"] = spread(rng, 1e-3, 0.05)
    if rng.random() < 0.1:
        law["rolling_friction"] = spread(rng, 1e-4, 1e-2)
    # What is lost in the last step of a slide shows at tight accuracies.
    if rng.random() < 0.4:
        scene.simulation["accuracy"] = rng.choice([1e-5, 1e-6])
