"""Something idle beside the scene: it must change nothing, and what only reads or is constant no bit.

Steps may be others: bodies that touch make a step convex, and what is sampled ends it. So a difference counts where the
run beside something idle is also off of a tight run of the scene alone. More steps are no other motion: they are listed
as a cost.
"""

import frames
from compare import Finding, judge, same_bits
from relations import Dear, Unjudged, both

NAME = "idle"
# Steps beside something idle: at most this many times as many, and a few.
MORE, FEW = 1.3, 10
SAMPLES = 28


def applies(scene):
    return True


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    way = rng.choice([ball, ball, pendulum, constant, sampled, recording])
    s = scene.copy()
    s.watched = [b["name"] for b in [*s.bodies, *(s.plant or {}).get("fibres", [])]] + list(s.systems)
    name = way(s, rng)
    first, second = program.accurate(scene, a), program.accurate(s, a)
    if second.ended == "refused":
        raise Unjudged("refused")
    if not both(first, second):
        return Finding(NAME, f"{name}: {first.ended}, {second.ended}", 0.0, 0.0, said=first.words() or second.words())
    if way in (constant, recording):
        bits = same_bits(first, second)
        if bits:
            return Finding(NAME, f"{name}, bits", bits[1] / a, 0.0, bits[0], said=second.words(), runs=(second, first))
        return None
    worst = judge(program, scene, first, second, (a, a))
    if worst:
        fine = program.accurate(scene, a / 100)
        if fine.ended == "late":
            raise Unjudged("late")
        off = judge(program, scene, second, fine, (a, a / 100)) if fine.done else worst
        if off:
            size, bound, where, time = off
            return Finding(NAME, name, size, bound, where, time, second.words(), runs=(second, first))
    counted(first, second, way, name)
    return None


def counted(first, second, way, name):
    """What stands still costs few steps: up to 1.3 times as many, and one at each sample, are no news."""
    if way is pendulum:
        return
    alone, beside = first.summary["steps"], second.summary["steps"]
    most = MORE * alone + FEW + (SAMPLES if way is sampled else 0)
    if beside > most:
        raise Dear(f"{name}, {beside} steps for {alone}")


def body(s, name, base, at, joints, links):
    s.bodies.append({"name": name, "format": "urdf", "base": base, "R": frames.IDENTITY, "p": at, "start": {},
                     "actuated": [], "model": {"links": links, "joints": joints}})


def plant(s):
    if s.plant is None:
        s.plant = {"gravity": [0, 0, -9.81], "springs": [], "constraints": [], "stops": {}}


def ball(s, rng):
    """A ball at rest on a ground far below, or on that of the scene far away."""
    plant(s)
    g = s.plant["gravity"]
    if g[0] or g[1] or g[2] >= 0:
        raise Unjudged("a ball would not rest")
    ground = s.plant.setdefault("ground", {"height": -50.0})
    law = s.plant.setdefault("contact", {"stiffness": 1e5})
    if law.get("model", "point") != "point":
        raise Unjudged("a ball would move")
    i = ((0.004, 0.0, 0.0), (0.0, 0.004, 0.0), (0.0, 0.0, 0.004))
    shape = {"kind": "sphere", "size": [0.1], "at": (0.0, 0.0, 0.0), "R": frames.IDENTITY}
    link = {"name": "ball", "mass": 1.0, "centre": (0.0, 0.0, 0.0), "inertia": i, "shapes": [shape]}
    height = ground["height"] + 0.1 + g[2] / law["stiffness"]
    body(s, "idleball", "floating", (40.0, 0.0, height), [], [link])
    return "a ball at rest"


def pendulum(s, rng):
    plant(s)
    root = {"name": "base", "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY, "shapes": []}
    i = ((0.02, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.001))
    rod = {"name": "rod", "mass": 1.0, "centre": (0.0, 0.0, -0.4), "inertia": i, "shapes": []}
    pivot = {"name": "pivot", "kind": "continuous", "parent": "base", "child": "rod", "p": (0.0, 0.0, 0.0),
             "R": frames.IDENTITY, "axis": (0.0, 1.0, 0.0)}
    body(s, "idlependulum", "fixed", (40.0, 3.0, 5.0), [pivot], [root, rod])
    s.bodies[-1]["start"] = {"pivot": {"q": 0.7, "v": 0.0}}
    return "a pendulum far away"


def constant(s, rng):
    s.systems["idle"] = {"type": "constant", "value": 1.5}
    return "a constant"


def sampled(s, rng):
    s.systems["idlewave"] = {"type": "constant", "value": 1.0}
    s.systems["idle"] = {"type": "zero_order_hold", "period": 0.37 * s.simulation["duration"] / 10}
    s.wires.append(["idlewave.output", "idle.input"])
    return "a sampled block that nothing reads"


def recording(s, rng):
    s.every = 0.7310001 * s.every
    return "recorded at odd times"
