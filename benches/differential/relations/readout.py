"""Readouts: what is recorded of forces and efforts must be what moved the bodies.

- a contact force, summed over a run, is the momentum that the body gained, less that of its weight;
- the reaction of the only joint that carries a tree, likewise;
- an effort is at most its limit, and in the mean that of the controller's law at the recorded states.
"""

import math

import frames
from compare import PROMISE, Finding
from relations import Unjudged
from relations.momentum import channels, cross

NAME = "readout"
ROWS = 4000
# Part of an impulse by which a readout may be off, and of the largest effort in the mean.
PART = 0.05
# The same of a reaction, which turns with its link within a step.
TURNING = 0.1


def ways(scene):
    found = []
    plant = scene.plant or {}
    if not scene.bodies:
        return found
    driven = {b for _, b in scene.wires if b.startswith("plant.")}
    simple = not plant.get("fibres") and all(b["format"] == "urdf" for b in scene.bodies)
    if simple and plant.get("ground") and not driven and not plant.get("constraints"):
        found += [(contact, b) for b in scene.bodies if b["base"] == "floating" and len(b["model"]["links"]) == 1]
    if simple and not plant.get("ground") and not plant.get("constraints") and not plant.get("locked"):
        found += [(reaction, b) for b in scene.bodies if b["base"] == "fixed" and carried(b)]
    for b in scene.bodies:
        if b["format"] == "urdf":
            found += [(effort, (b, j)) for j in b["model"]["joints"]
                      if j["name"] in b["actuated"] and (j.get("effort") or law(scene, b, j))]
    return found


def carried(b):
    roots = [j for j in b["model"]["joints"] if j["parent"] == b["model"]["links"][0]["name"]]
    # The impulse of a rigid stop is no force that lasts.
    stops = any(j.get("limits") for j in b["model"]["joints"])
    return len(roots) == 1 and not stops and not b["model"]["links"][0]["mass"]


def law(scene, b, j):
    """The controller of one joint with a constant goal, where it is one: (kp, kd, goal)."""
    source = next((x for x, to in scene.wires if to == f"plant.{b['name']}.{j['name']}"), "")
    pid = scene.systems.get(source.split(".")[0], {})
    if pid.get("type") != "pid" or set(pid) - {"type", "kp", "kd"} or isinstance(pid.get("kp"), list):
        return None
    name = source.split(".")[0]
    goal = next((x for x, to in scene.wires if to == f"{name}.desired"), "").split(".")[0]
    still = scene.systems.get(goal, {})
    seen = [f"plant.{b['name']}.{j['name']}", f"{name}.measured"] in scene.wires
    return (pid["kp"], pid.get("kd", 0.0), still["value"]) if still.get("type") == "constant" and seen else None


def applies(scene):
    return bool(ways(scene))


def check(program, scene, rng):
    way, one = rng.choice(ways(scene))
    a = scene.simulation["accuracy"]
    method = rng.choice(["cenic", "cenic", "cenic", "cenic-trapezoid"])
    s = scene.copy()
    s.every = scene.simulation["duration"] / ROWS
    finding = way(program, s, one, a, method)
    if finding:
        finding.variant = f"{finding.variant}, {method} {a:.0e}"
    return finding


def recorded(program, s, channels, a, method):
    s.channels = channels
    s.watched = []
    run = program.accurate(s, a, method)
    if not run.done:
        raise Unjudged(run.ended)
    return run


def summed(run, name):
    """A force that is constant over each step, summed over time, and the largest size it has."""
    values = run.columns[name]
    steps = [b - a for a, b in zip(run.times, run.times[1:])]
    return sum(h * x for h, x in zip(steps, values[1:])), max(map(abs, values))


def momentum(b, run, k):
    total = [0.0] * 3
    for link in b["model"]["links"]:
        if not link["mass"]:
            continue
        name = f"plant.{b['name']}.{link['name']}"
        get = lambda group, keys: [run.columns[f"{name}.{group}.{key}"][k] for key in keys]
        turn = frames.from_quaternion(get("pose", ("qw", "qx", "qy", "qz")))
        v = frames.plus(get("velocity", ("vx", "vy", "vz")),
                        cross(get("velocity", ("wx", "wy", "wz")), frames.turned(turn, link["centre"])))
        total = [p + link["mass"] * x for p, x in zip(total, v)]
    return total


def balance(program, s, b, link, what, a, method):
    alone = s.copy()
    alone.bodies = [b]
    run = recorded(program, s, [*channels(alone), f"plant.{b['name']}.{link}.{what}"], a, method)
    mass = sum(x["mass"] for x in b["model"]["links"])
    start, end, t = momentum(b, run, 0), momentum(b, run, -1), run.times[-1]
    sums = [summed(run, f"plant.{b['name']}.{link}.{what}.f{c}") for c in "xyz"]
    got = [x for x, _ in sums]
    right = [q - p - mass * g * t for p, q, g in zip(start, end, s.plant["gravity"])]
    gap = math.dist(got, right)
    # A row holds the force of the step that it lies in: a row of the largest force is left open.
    through = math.hypot(*right) + mass * math.hypot(*s.plant["gravity"]) * t + mass * PROMISE * a / t
    allowed = (TURNING if what == "reaction" else PART) * through + 2 * max(x for _, x in sums) * t / ROWS
    if gap > allowed:
        return Finding(NAME, f"{what}, {gap:.3g} N s off of {through:.3g}", PROMISE * gap / allowed, PROMISE,
                       f"plant.{b['name']}.{link}.{what}", t, run.words(), runs=(run,))
    return None


def contact(program, s, b, a, method):
    return balance(program, s, b, b["model"]["links"][0]["name"], "contact", a, method)


def reaction(program, s, b, a, method):
    root = b["model"]["links"][0]["name"]
    link = next(j["child"] for j in b["model"]["joints"] if j["parent"] == root)
    return balance(program, s, b, link, "reaction", a, method)


def effort(program, s, pair, a, method):
    b, j = pair
    name = f"plant.{b['name']}.{j['name']}"
    run = recorded(program, s, [f"{name}.effort", f"{name}.q", f"{name}.v"], a, method)
    given, most = run.columns[f"{name}.effort"][1:], j.get("effort", math.inf)
    top = max(map(abs, given))
    if top > most * (1 + 1e-9):
        return Finding(NAME, f"effort {top:.6g} beyond its limit {most:.6g}", PROMISE * top / most, PROMISE,
                       f"{name}.effort", said=run.words(), runs=(run,))
    gains = law(s, b, j)
    if not gains:
        return None
    kp, kd, (q0, v0) = gains
    right = [max(-most, min(most, kp * (q0 - q) + kd * (v0 - v)))
             for q, v in zip(run.columns[f"{name}.q"][1:], run.columns[f"{name}.v"][1:])]
    gap = sum(abs(x - y) for x, y in zip(given, right)) / len(right)
    allowed = PART * max(map(abs, right)) + PROMISE * a * (kp + kd)
    if gap > allowed:
        return Finding(NAME, f"effort, in the mean {gap:.3g} off of {max(map(abs, right)):.3g}",
                       PROMISE * gap / allowed, PROMISE, f"{name}.effort", said=run.words(), runs=(run,))
    return None
