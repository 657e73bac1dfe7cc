"""Closed forms of single bodies on flat ground: how far they slide and turn, and that they stand where they must."""

import math

from compare import PROMISE, Finding
from relations import Unjudged

NAME = "closed"
# Pressure under a face is uniform but for what the body's tilt and its bounce change: parts of the way.
PART_OF_SPIN = 0.05
# Largest tilt of what stands [rad].
TILT = 0.1


def body_of(scene):
    plant = scene.plant or {}
    if len(scene.bodies) != 1 or not plant.get("ground") or plant.get("belts") or plant.get("hydroelastic"):
        return None
    if any(b.startswith("plant.") for _, b in scene.wires):
        return None
    b = scene.bodies[0]
    # The stops and turns of these have other forms.
    if b.get("materials"):
        return None
    if b["base"] != "floating" or len(b["model"]["links"]) != 1 or len(b["model"]["links"][0]["shapes"]) != 1:
        return None
    upright = all(abs(x - (i == k)) < 1e-12 for i, row in enumerate(b["R"]) for k, x in enumerate(row))
    return b if upright else None


def motion(scene):
    """Which closed form holds: `slides`, `spins`, `stands` or None."""
    b = body_of(scene)
    if b is None:
        return None
    law, gravity = scene.plant["contact"], scene.plant["gravity"]
    shape = b["model"]["links"][0]["shapes"][0]
    x, y, z = extent(shape)
    if shape["kind"] not in ("box", "cylinder") or b["p"][2] > z / 2 + 1e-9 or law.get("points") == "deepest":
        return None
    velocity = b.get("velocity") or {}
    linear, angular = velocity.get("linear", [0.0] * 3), velocity.get("angular", [0.0] * 3)
    if law.get("torsional_friction") or law.get("rolling_friction") or law["static_friction"] < 0.05:
        return None
    if gravity[0] or gravity[1]:
        steep = math.hypot(gravity[0], gravity[1]) / -gravity[2]
        stable = gravity[1] == 0 and steep < 0.95 * x / z and steep < 0.9 * law["static_friction"]
        return "stands" if stable and not any(linear) and not any(angular) and depth(scene) < 0.01 * min(x, z) else None
    if any(linear) and not any(angular) and linear[2] == 0.0:
        # What brakes it at its foot must not lift its tail.
        return "slides" if law["static_friction"] * z < 0.5 * min(x, y) and depth(scene) < 0.05 * z else None
    if any(angular) and not any(linear):
        return "spins" if depth(scene) < 0.05 * z else None
    return None


def applies(scene):
    return motion(scene) is not None


def extent(shape):
    size = shape["size"]
    return size if shape["kind"] == "box" else (2 * size[0], 2 * size[0], size[-1]) if len(size) > 1 else (size[0],) * 3


def depth(scene):
    """How deep the body sinks under its weight, about [m]."""
    link, law = scene.bodies[0]["model"]["links"][0], scene.plant["contact"]
    x, y, z = extent(link["shapes"][0])
    weight = link["mass"] * 9.81
    if law.get("model", "point") == "point":
        return weight / law["stiffness"]
    return weight * min(x, y, z) / (law["modulus"] * x * y)


def arm(shape):
    """Mean distance from the middle of the face it stands on: the torque of friction over mu m g [m]."""
    if shape["kind"] == "cylinder":
        return 2 / 3 * shape["size"][0]
    x, y, n = shape["size"][0], shape["size"][1], 200
    return sum(math.hypot(x * ((i + 0.5) / n - 0.5), y * ((k + 0.5) / n - 0.5))
               for i in range(n) for k in range(n)) / n**2


def way(v, deceleration, t):
    stop = v / deceleration
    return v * min(t, stop) - deceleration * min(t, stop) ** 2 / 2


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    method = rng.choice(["cenic", "cenic", "cenic-trapezoid"])
    run = program.accurate(scene, a, method)
    if not run.done:
        raise Unjudged(run.ended)
    kind = motion(scene)
    b = body_of(scene)
    link, law = b["model"]["links"][0], scene.plant["contact"]
    mu, g, t = law.get("dynamic_friction", law["static_friction"]), -scene.plant["gravity"][2], run.times[-1]
    end = [run.values[f"b0.b.{n}"][-1] for n in range(9)]
    if kind == "stands":
        tilt = math.acos(max(-1.0, min(1.0, (end[3] + end[7] + r22(end) - 1) / 2)))
        if tilt > TILT:
            return Finding(NAME, f"{kind}, {method} {a:.0e}", tilt / a, TILT / a, "b0.b", t, run.words(), runs=(run,))
        return None
    if kind == "slides":
        v = b["velocity"]["linear"]
        speed = math.hypot(*v)
        right, got = way(speed, mu * g, t), math.dist(end[:2], b["p"][:2])
        x, y, z = extent(link["shapes"][0])
        # It tilts by what it sinks. On points it starts at its depth; into an area it falls, and its load swings.
        bounce = 2 * math.sqrt(g * depth(scene)) * mu * t if law.get("model", "point") != "point" else 0.0
        allowed = PROMISE * a + 2 * depth(scene) * (1 + z / min(x, y)) + min(bounce, 0.02 * right)
    else:
        w = b["velocity"]["angular"][2]
        right = way(w, mu * link["mass"] * g * arm(link["shapes"][0]) / link["inertia"][2][2], t)
        got = math.atan2(end[4], end[3])
        got += 2 * math.pi * round((right - got) / (2 * math.pi))
        allowed = PROMISE * a + PART_OF_SPIN * right
    gap = abs(got - right)
    if gap > allowed:
        return Finding(NAME, f"{kind}, {got:.6g} for {right:.6g}, {method} {a:.0e}", gap / a, allowed / a, "b0.b", t,
                       run.words(), runs=(run,))
    return None


def r22(values):
    """The last element of a rotation from its first two columns (x, y, z, then r00, r10, r20, r01, r11, r21)."""
    _, _, _, a, b, _, d, e, _ = values
    return a * e - b * d
