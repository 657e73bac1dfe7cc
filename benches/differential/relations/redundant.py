"""Something redundant: a second bearing, a bar between points whose distance is fixed, a constraint said twice."""

import math

import frames
import model as models
from compare import Finding, judge
from draws.machines import frame_at, placed
from draws.values import between
from relations import both

NAME = "redundant"
HINGES = ("continuous", "revolute")


def places(scene):
    """What can be said again: (way, model, joint) or (way, constraint, None)."""
    found = []
    for b in scene.bodies:
        if b["format"] == "urdf" and not scene.files:
            for j in b["model"]["joints"]:
                if j["kind"] in HINGES:
                    found += [("bearing", b, j), ("bar", b, j)]
                elif j["kind"] == "ball":
                    found.append(("bar", b, j))
    found += [("again", c, None) for c in (scene.plant or {}).get("constraints", [])
              if c["type"] in ("ball", "distance", "weld", "coupler") and "stiffness" not in c]
    return found


def applies(scene):
    if scene.plant is None or scene.plant.get("locked"):
        return False
    # Places of joints of more axes are not known here, but they start at zero.
    return bool(places(scene))


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    s = scene.copy()
    way, one, joint = rng.choice(places(s))
    name = said_again(s, one) if way == "again" else held(s, rng, way, one, joint)
    method = rng.choice(["cenic", "cenic", "cenic-trapezoid"])
    first, second = program.accurate(scene, a, method), program.accurate(s, a, method)
    if not both(first, second):
        return Finding(NAME, f"{name}: {first.ended}, {second.ended}", 0.0, 0.0, said=first.words() or second.words())
    # Twice the trapezoid: an accuracy for each of its steps, as in `method`.
    extra = a * second.summary["steps"] if method != "cenic" else 0.0
    worst = judge(program, scene, first, second, (a, a), extra)
    if worst:
        size, bound, where, time = worst
        return Finding(NAME, f"{name}, {method}", size, bound, where, time, second.words(), runs=(second, first))
    return None


def said_again(s, constraint):
    s.plant["constraints"].append({**constraint, "name": f"{constraint['name']}again"})
    return f"a {constraint['type']} twice"


def held(s, rng, way, b, joint):
    at = placed(s)
    child, parent = (b["name"], joint["child"]), (b["name"], joint["parent"])
    on_axis = at[child][1]
    if joint["kind"] != "ball":
        along = frames.turned(at[child][0], models.unit(joint["axis"]))
        far = between(rng, 0.1, 0.8)
        on_axis = frames.plus(on_axis, tuple(far * x for x in along))
    ends = {"a": {"link": "/".join(child), **frame_at(at[child], on_axis)},
            "b": {"link": "/".join(parent), **frame_at(at[parent], on_axis)}}
    if way == "bearing":
        found = {"name": "again", "type": "ball", **ends}
    else:
        shift = tuple(between(rng, 0.1, 0.5) for _ in range(3))
        ends["a"]["p"] = frames.plus(ends["a"]["p"], shift)
        found = {"name": "again", "type": "distance", **ends, "length": math.hypot(*shift)}
    s.plant.setdefault("constraints", []).append(found)
    what = "a second bearing on" if way == "bearing" else "a bar beside"
    return f"{what} a {joint['kind']} joint"
