"""Machines: trees of links on joints, with springs, stops, friction, loops, couplers and drives."""

import math

import frames
import model as models
from catalog import pick
from draws import signals
from draws.values import between, fresh, r3, spread

JOINTS = {"continuous": 4, "revolute": 2, "prismatic": 3, "ball": 1, "universal": 0.4, "planar": 0.4, "screw": 0.4}
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
# Blocks of one number that a force may go through on its way to a joint, besides all others of the catalog.
KINKED = {"dead_zone": 3, "saturation": 1, "table": 1, "expression": 3, "relay": 1, "function": 1, "gain": 1}


def link(rng, name, size=None):
    """A link of a solid block somewhere about its joint."""
    x, y, z = (spread(rng, 0.05, 0.5) for _ in range(3)) if size is None else size
    mass = spread(rng, 0.2, 5.0)
    inertia = tuple(
        tuple(r3(mass / 12 * v) if i == k else 0.0 for k in range(3))
        for i, v in enumerate((y * y + z * z, x * x + z * z, x * x + y * y))
    )
    centre = tuple(between(rng, -0.3, 0.3) for _ in range(3))
    return {"name": name, "mass": mass, "centre": centre, "inertia": inertia, "shapes": []}


def joint(rng, name, kind, parent, child, axis, where):
    found = {"name": name, "kind": kind, "parent": parent, "child": child, "p": where, "R": frames.IDENTITY}
    found["axis"] = axis
    if kind == "screw":
        found["pitch"] = spread(rng, 0.01, 0.2)
    if kind in ("continuous", "revolute", "prismatic"):
        if rng.random() < 0.2:
            found["damping"] = spread(rng, 0.01, 5.0)
        if rng.random() < 0.15:
            found["friction"] = spread(rng, 0.05, 5.0)
    if kind in ("revolute", "prismatic") and rng.random() < 0.5:
        found["limits"] = [-spread(rng, 0.01, 0.6), spread(rng, 0.01, 0.6)]
    return found


def body(rng, name, parallel, links):
    """A model of a fixed base and `links` links, in a chain or a tree."""
    root = {"name": "base", "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY, "shapes": []}
    model = {"links": [root], "joints": []}
    axis = rng.choice(AXES[:2])
    for n in range(links):
        parent = model["links"][-1 if rng.random() < 0.8 else rng.randrange(len(model["links"]))]["name"]
        kind = pick(rng, {"continuous": 5, "revolute": 1}) if parallel else pick(rng, JOINTS)
        way = axis if parallel or rng.random() < 0.5 else rng.choice([*AXES, tuple(between(rng, -1, 1) for _ in AXES)])
        where = tuple(between(rng, -0.5, 0.5) if n else 0.0 for _ in range(3))
        if parallel:
            where = tuple(0.0 if a else w for a, w in zip(axis, where))
        model["links"].append(link(rng, f"l{n}"))
        made = joint(rng, f"j{n}", kind, parent, f"l{n}", way, where)
        if rng.random() < 0.35 and not parallel and kind in models.ONE_AXIS:
            made["R"] = frames.from_rpy(tuple(between(rng, -3, 3) for _ in range(3)))
        model["joints"].append(made)
    return {
        "name": name, "format": "urdf", "base": "fixed", "R": frames.IDENTITY, "p": (0.0, 0.0, 0.0), "model": model,
        "start": {}, "actuated": [],
    }


def add(scene, rng):
    scene.plant = {"gravity": rng.choice([[0, 0, -9.81], [0, 0, -9.81], [0, 0, 0], [1.3, -2.1, -9.0]])}
    scene.plant.update({"springs": [], "constraints": [], "stops": {}})
    # Machines that are to be closed into loops mostly have their axes parallel.
    parallel = rng.random() < 0.45
    count = rng.choice([1, 1, 1, 2, 2])
    for n in range(count):
        links = rng.choice([1, 1, 2, 2, 3, 4])
        b = body(rng, f"m{n}", parallel, links)
        if parallel and n:
            axis = scene.bodies[0]["model"]["joints"][0]["axis"]
            for j in b["model"]["joints"]:
                j["axis"] = axis
                j["p"] = tuple(0.0 if a else w for a, w in zip(axis, j["p"]))
            b["p"] = tuple(0.0 if a else between(rng, -1, 1) for a in axis)
        elif n:
            b["p"] = tuple(between(rng, -1, 1) for _ in range(3))
        scene.bodies.append(b)
    looped = rng.random() < (0.6 if parallel else 0.15)
    for b in scene.bodies:
        for j in b["model"]["joints"]:
            elements(scene, rng, b, j, moving=not looped)
    if looped:
        close(scene, rng)
    if rng.random() < 0.1:
        couple(scene, rng)
    elif rng.random() < 0.08:
        lock(scene, rng)


def lock(scene, rng):
    """A joint of one axis that stands still."""
    found = [(b, j) for b in scene.bodies for j in b["model"]["joints"] if j["kind"] in models.ONE_AXIS]
    if found and not scene.plant["constraints"]:
        b, j = rng.choice(found)
        b["start"][j["name"]]["v"] = 0.0
        key = "lockable" if rng.random() < 0.2 else "locked"
        scene.plant[key] = [f"{b['name']}/{j['name']}"]


def elements(scene, rng, b, j, moving):
    """A start, a spring, a stop of one joint."""
    if j["kind"] not in models.ONE_AXIS:
        return
    low, high = j.get("limits") or (-1.5, 1.5)
    q = r3(rng.uniform(0.8 * low, 0.8 * high))
    if j["kind"] == "prismatic":
        q = r3(0.3 * q)
    v = between(rng, -3, 3) if moving and rng.random() < 0.7 else 0.0
    b["start"][j["name"]] = {"q": q, "v": v}
    if rng.random() < 0.25:
        spring = {"joint": f"{b['name']}/{j['name']}", "stiffness": spread(rng, 1, 1e4)}
        if rng.random() < 0.5:
            spring["rest"] = between(rng, -0.5, 0.5)
        scene.plant["springs"].append(spring)
    if j.get("limits"):
        how = rng.choice([{"restitution": 0.0}, {"restitution": between(rng, 0.1, 0.9)}, {"restitution": 1.0},
                          {"stiffness": spread(rng, 1e3, 1e6), "dissipation": rng.choice([0.0, spread(rng, 0.1, 3)])}])
        scene.plant["stops"].setdefault(b["name"], {})[j["name"]] = how


def starts(b):
    return {name: value["q"] for name, value in b["start"].items()}


def placed(scene):
    """Poses of all links at the start: (body, link) to (R, p)."""
    found = {}
    for b in scene.bodies:
        for name, pose in models.poses(b["model"], (b["R"], b["p"]), starts(b)).items():
            found[b["name"], name] = pose
    return found


def frame_at(pose, point):
    """The frame in a link at `pose` that lies at `point` of the world with the axes of the world."""
    rotation = frames.transposed(pose[0])
    return {"R": rotation, "p": frames.turned(rotation, frames.minus(point, pose[1]))}


def close(scene, rng, world=True):
    """One or two loops: a link held to another, or to the world, at a point where both are at the start."""
    at = placed(scene)
    moved = [key for key in at if key[1] != "base"]
    tips = moved[-2:] if rng.random() < 0.7 else moved
    for _ in range(rng.choice([1, 1, 1, 2])):
        key = rng.choice(tips)
        others = [k for k in moved if k[0] != key[0]] or [k for k in moved if k != key]
        other = rng.choice(others) if others and (rng.random() < 0.75 or not world) else None
        if not other and not world:
            return
        joint = next(j for b in scene.bodies for j in b["model"]["joints"] if (b["name"], j["child"]) == key)
        point = frames.plus(at[key][1], frames.turned(at[key][0], tuple(between(rng, -0.5, 0.5) for _ in range(3))))
        if rng.random() < 0.2 and not other:
            # A second bearing: on the axis of the joint, against what carries the link.
            along = frames.turned(at[key][0], joint["axis"])
            point = frames.plus(at[key][1], tuple(0.7 * x for x in along))
            body_name = key[0]
            other = (body_name, joint["parent"])
        elif len(scene.bodies) > 1 or rng.random() < 0.5:
            # In the plane in which parallel joints move.
            axis = joint["axis"]
            point = tuple(p if not a else c for p, a, c in zip(point, axis, at[key][1]))
        a = {"link": f"{key[0]}/{key[1]}", **frame_at(at[key], point)}
        if other:
            b = {"link": f"{other[0]}/{other[1]}", **frame_at(at[other], point)}
        else:
            b = {"link": "world", "R": frames.IDENTITY, "p": point}
        name = fresh({c["name"]: 1 for c in scene.plant["constraints"]}, "loop")
        found = {"name": name, "type": pick(rng, {"ball": 5, "distance": 1.5, "weld": 0.8, "bushing": 0.5}),
                 "a": a, "b": b}
        if found["type"] == "distance":
            shift = tuple(between(rng, 0.1, 0.5) for _ in range(3))
            b["p"] = frames.plus(b["p"], shift)
            found["length"] = math.sqrt(sum(x * x for x in shift))
        if found["type"] == "bushing":
            for what, low, high in (("force", 1e3, 1e5), ("torque", 10, 1e3)):
                found[f"{what}_stiffness"] = [spread(rng, low, high) for _ in range(3)]
                if rng.random() < 0.5:
                    found[f"{what}_damping"] = [spread(rng, low / 1e3, high / 1e3) for _ in range(3)]
        elif rng.random() < 0.2:
            found["stiffness"] = spread(rng, 1e3, 1e6)
            found["damping"] = spread(rng, 1, 100)
            if found["type"] == "weld" and rng.random() < 0.5:
                found["angular_stiffness"] = spread(rng, 10, 1e4)
        if rng.random() < 0.05:
            found["active"] = False
        elif rng.random() < 0.05 and found["type"] == "weld":
            found["capture"] = True
        scene.plant["constraints"].append(found)


def couple(scene, rng):
    pairs = [(b, j) for b in scene.bodies for j in b["model"]["joints"] if j["kind"] in ("continuous", "prismatic")]
    if len(pairs) < 2:
        return
    (b, j), (c, k) = rng.sample(pairs, 2)
    ratio = between(rng, -2, 2) or 1.0
    first, second = b["start"][j["name"]], c["start"][k["name"]]
    first["v"] = second["v"] = 0.0
    scene.plant["constraints"].append({
        "name": "gear", "type": "coupler", "joints": [f"{b['name']}/{j['name']}", f"{c['name']}/{k['name']}"],
        "ratio": ratio, "offset": first["q"] - ratio * second["q"],
    })


def drive(scene, rng, catalog):
    """Forces on joints: of the time, or of positions and speeds of joints through blocks with kinks."""
    joints = [(b, j["name"]) for b in scene.bodies for j in b["model"]["joints"] if j["kind"] in models.ONE_AXIS]
    joints = [(b, j) for b, j in joints if b["format"] == "urdf"]
    if not joints:
        return
    if rng.random() < 0.2:
        servo(scene, rng, *rng.choice(joints))
        return
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        pair = rng.sample(joints, 2) if len(joints) > 1 and rng.random() < 0.5 else None
        if pair:
            between_joints(scene, rng, catalog, pair)
        else:
            to_one(scene, rng, catalog, rng.choice(joints))


def through(scene, rng, catalog, source):
    """One or two blocks behind `source`, the last of them a gain; what comes out."""
    found = signals.kinds(catalog, "operator")
    weights = {k: KINKED.get(k, 0.1) for k in found if all(p.width == 1 for p in catalog.blocks[k].outputs)
               and len(catalog.blocks[k].inputs) == 1 or k == "expression"}
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        out = signals.place(scene, rng, catalog, pick(rng, weights), [source])
        source = out[0]
    gain = fresh(scene.systems, "gain")
    scene.systems[gain] = {"type": "gain", "gain": -spread(rng, 1.0, 2e4)}
    scene.wires.append([source, f"{gain}.input"])
    return f"{gain}.output", gain


def exert(scene, b, joint_name, source):
    """A wire to the motor of a joint; an adder where there is one already."""
    target = f"plant.{b['name']}.{joint_name}"
    if joint_name not in b["actuated"]:
        b["actuated"].append(joint_name)
        scene.wires.append([source, target])
        return
    wire = next(w for w in scene.wires if w[1] == target)
    sum_of = fresh(scene.systems, "sum")
    scene.systems[sum_of] = {"type": "adder", "signs": "++"}
    scene.wires += [[source, f"{sum_of}.input1"], [wire[0], f"{sum_of}.input0"]]
    wire[0] = f"{sum_of}.output"


def between_joints(scene, rng, catalog, pair):
    (b, j), (c, k) = pair
    what = rng.choice("qqqv")
    error = fresh(scene.systems, "between")
    scene.systems[error] = {"type": "adder", "signs": "+-"}
    scene.wires += [[f"plant.{b['name']}.state[{j}.{what}]", f"{error}.input0"],
                    [f"plant.{c['name']}.state[{k}.{what}]", f"{error}.input1"]]
    out, gain = through(scene, rng, catalog, f"{error}.output")
    if what == "v":
        scene.systems[gain]["gain"] = -spread(rng, 0.1, 30)
    back = fresh(scene.systems, "back")
    scene.systems[back] = {"type": "gain", "gain": -1.0}
    scene.wires.append([out, f"{back}.input"])
    exert(scene, b, j, out)
    exert(scene, c, k, f"{back}.output")


def servo(scene, rng, b, j):
    """A controller that brings a joint to a place, with an effort that is limited now and then."""
    pid, goal = fresh(scene.systems, "servo"), fresh(scene.systems, "goal")
    scene.systems[pid] = {"type": "pid", "kp": spread(rng, 5, 500), "kd": spread(rng, 0.5, 20)}
    scene.systems[goal] = {"type": "constant", "value": [between(rng, -1, 1), 0.0]}
    scene.wires += [[f"plant.{b['name']}.{j}", f"{pid}.measured"], [f"{goal}.output", f"{pid}.desired"]]
    if rng.random() < 0.5:
        joint_of = next(x for x in b["model"]["joints"] if x["name"] == j)
        joint_of["effort"] = spread(rng, 1, 50)
    exert(scene, b, j, f"{pid}.effort")


def to_one(scene, rng, catalog, joint_of):
    b, j = joint_of
    what = rng.choice(["q", "v", "t", "t"])
    if what == "t":
        source = signals.place(scene, rng, catalog, pick(rng, signals.kinds(catalog, "source")), [])[0]
        if rng.random() < 0.6:
            source = signals.place(scene, rng, catalog, pick(rng, {"function": 2, "table": 1, "gain": 1}), [source])[0]
    else:
        source = f"plant.{b['name']}.state[{j}.{what}]"
    if what == "v" and rng.random() < 0.5:
        law = fresh(scene.systems, "law")
        a, c, w = spread(rng, 0.3, 5), spread(rng, 0.3, 5), spread(rng, 1, 30)
        scene.systems[law] = {"type": "expression", "inputs": ["v"], "expression": f"{a}*sin({w}*t) - {c}*sign(v)"}
        scene.wires.append([source, f"{law}.v"])
        exert(scene, b, j, f"{law}.output")
        return
    out, gain = through(scene, rng, catalog, source)
    scene.systems[gain]["gain"] = -spread(rng, 0.3, 30 if what != "q" else 2e4)
    exert(scene, b, j, out)


def pendulum(scene, rng):
    """The pendulum that examples of sensors and controllers name, and something to see."""
    scene.plant = {"gravity": [0, 0, -9.81], "springs": [], "constraints": [], "stops": {}}
    base = {"name": "base", "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY, "shapes": []}
    rod = {"name": "rod", "mass": 1.0, "centre": (0.0, 0.0, -0.5), "shapes": [],
           "inertia": ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.01))}
    pivot = joint(rng, "pivot", "continuous", "base", "rod", (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    scene.bodies.append({
        "name": "pendulum", "format": "urdf", "base": "fixed", "R": frames.IDENTITY, "p": (0.0, 0.0, 0.0),
        "model": {"links": [base, rod], "joints": [pivot]}, "actuated": [],
        "start": {"pivot": {"q": between(rng, -1.5, 1.5), "v": between(rng, -3, 3)}},
    })
    if rng.random() < 0.5:
        scene.plant["ground"] = {"height": -between(rng, 1.2, 3.0)}
