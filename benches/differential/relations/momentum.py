"""Momentum: where nothing holds a plant, its centre of mass falls freely and it keeps its spin about that centre."""

import math

import frames
from compare import PROMISE, Finding, Sums
from relations import Unjudged

NAME = "momentum"
# Angular momentum may drift by this part of what the parts have.
PART = 0.02


def applies(scene):
    plant = scene.plant or {}
    if not scene.bodies or plant.get("ground") or plant.get("fibres") or "model" in str(scene.systems):
        return False
    held = any("world" in (c.get("a", {}).get("link"), c.get("b", {}).get("link"))
               for c in plant.get("constraints", []))
    return not held and all(b["base"] == "floating" and b["format"] == "urdf" for b in scene.bodies)


def channels(scene):
    return [f"plant.{b['name']}.{link['name']}.{part}"
            for b in scene.bodies for link in b["model"]["links"] if link["mass"] for part in ("pose", "velocity")]


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    method = rng.choice(["cenic", "cenic", "cenic-trapezoid"])
    s = scene.copy()
    s.channels = channels(scene)
    run = program.accurate(s, a, method)
    if not run.done:
        raise Unjudged(run.ended)
    rows = [sums(scene, run.columns, k) for k in range(len(run.times))]
    mass, first, push, spin, _ = rows[0]
    gravity = scene.plant["gravity"]
    worst, most, errors = None, 0.0, None
    for k, (_, centre, _, now, parts) in enumerate(rows):
        t = run.times[k]
        # What was lost while the parts moved fast stays lost when they rest.
        most = max(most, parts)
        free = [c + p / mass * t + g * t * t / 2 for c, p, g in zip(first, push, gravity)]
        gap = math.dist(centre, free) / (PROMISE * a)
        if gap > 1:
            # Errors of steps add up, as far as they estimate themselves.
            errors = errors or Sums(program.errors(run))
            gap = math.dist(centre, free) / max(PROMISE * a, errors.until(t))
        turn = math.dist(now, spin) / (PART * most + PROMISE * a * (most + 1e-9) / max(t, 1e-2))
        for size, what in ((gap, "centre of mass"), (turn, "angular momentum")):
            if size > 1 and (worst is None or size > worst[0]):
                worst = (size, what, t)
    if worst:
        size, what, time = worst
        return Finding(NAME, f"{what}, {method} {a:.0e}", PROMISE * size, PROMISE, what, time, run.words(), runs=(run,))
    return None


def sums(scene, columns, k):
    """Mass, centre, momentum, spin about the centre, and the sum of the sizes of what makes up that spin."""
    parts = []
    for b in scene.bodies:
        for link in b["model"]["links"]:
            if not link["mass"]:
                continue
            name = f"plant.{b['name']}.{link['name']}"
            get = lambda group, keys: [columns[f"{name}.{group}.{key}"][k] for key in keys]
            rotation = frames.from_quaternion(get("pose", ("qw", "qx", "qy", "qz")))
            arm = frames.turned(rotation, link["centre"])
            w = get("velocity", ("wx", "wy", "wz"))
            v = frames.plus(get("velocity", ("vx", "vy", "vz")), cross(w, arm))
            inertia = frames.product(rotation, frames.product(link["inertia"], frames.transposed(rotation)))
            parts.append((link["mass"], frames.plus(get("pose", ("px", "py", "pz")), arm), v,
                          frames.turned(inertia, w)))
    mass = sum(m for m, *_ in parts)
    centre = [sum(m * p[i] for m, p, _, _ in parts) / mass for i in range(3)]
    push = [sum(m * v[i] for m, _, v, _ in parts) for i in range(3)]
    spin, size = [0.0] * 3, 0.0
    for m, p, v, own in parts:
        arm = frames.minus(p, centre)
        relative = frames.minus(v, [x / mass for x in push])
        about = [m * x for x in cross(arm, relative)]
        spin = [s + x + y for s, x, y in zip(spin, about, own)]
        size += m * math.hypot(*arm) * math.hypot(*relative) + math.hypot(*own)
    return mass, centre, push, spin, size


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
