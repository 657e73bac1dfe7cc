"""Another wording: the same model in another format, joints and links in parts, blocks as formulas, nested diagrams,
names and order permuted."""

import frames
import model as models
import text
from compare import Finding, judge, same_bits
from draws.values import r3
from relations import Unjudged, both
from relations.closed import motion
from relations.frame import bound, turn_links

NAME = "wording"


def applies(scene):
    return True


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    ways = sorted(WAYS, key=lambda w: rng.random() ** (1 / WAYS[w]), reverse=True)
    for way in ways:
        s = scene.copy()
        name = way(s, rng)
        if name:
            break
    else:
        raise Unjudged("no other wording")
    first, second = program.accurate(scene, a), program.accurate(s, a)
    if second.ended == "refused" and way is nested:
        raise Unjudged("refused")
    if not both(first, second):
        return Finding(NAME, f"{name}: {first.ended}, {second.ended}", 0.0, 0.0, said=first.words() or second.words())
    if way is ordered:
        bits = same_bits(first, second)
        return bits and Finding(NAME, f"{name}, bits", bits[1] / a, 0.0, bits[0], said=second.words(),
                                runs=(second, first))
    # Pressures and loads of an area differ a little with its parts: 2 % of the way.
    extra = 0.02 * max(abs(x) for v in first.values.values() for x in (v[-1] - v[0],)) if way in (tiles, hulls) else 0.0
    worst = judge(program, scene, first, second, (a, a), extra)
    if worst:
        size, bound, where, time = worst
        return Finding(NAME, name, size, bound, where, time, second.words(), runs=(second, first))
    return None


def plain(scene):
    """Models that every format can say, in URDF now."""
    return bool(scene.bodies) and all(b["format"] == "urdf" for b in scene.bodies)


def sdf(s, rng):
    kinds = {j["kind"] for b in s.bodies for j in b["model"]["joints"]}
    massless = any(not link["mass"] for b in s.bodies for link in b["model"]["links"][1:])
    if not plain(s) or kinds - set(models.IN_SDF) or massless or s.files:
        return None
    version = rng.choice(["1.4", "1.4", "1.4", "1.5", "1.6", "1.7", "1.9"])
    if float(version) < 1.7 and kinds & {"universal", "ball"}:
        version = "1.9"
    if not s.plant.get("constraints") and kinds & set(models.ONE_AXIS) and not bound(s):
        # Where all frames are turned alike nothing distinguishes the one that the axes are in.
        turn_links(s, rng, rng.random() < 0.5, 1.0)
    for b in s.bodies:
        b["format"] = f"sdf{version}"
    return f"SDFormat {version}"


def mjcf(s, rng):
    joints = [j for b in s.bodies for j in b["model"]["joints"]]
    floating = any(b["base"] == "floating" for b in s.bodies)
    stopped = all(j["name"] in s.plant["stops"].get(b["name"], {}) for b in s.bodies for j in b["model"]["joints"]
                  if j.get("limits")) if s.bodies and not floating else True
    if not plain(s) or {j["kind"] for j in joints} - set(models.IN_MJCF) or s.files or not stopped:
        return None
    if floating or any(j.get("effort") for j in joints):
        return None
    for b in s.bodies:
        b["format"] = "mjcf"
    return "MJCF"


def welded(s, rng):
    """A link as two links, one welded to the other in some frame; what hung on it hangs on the second."""
    found = [(b, link) for b in s.bodies for link in b["model"]["links"] if link["mass"]]
    found = [(b, link) for b, link in found if b["format"] != "mjcf" and not s.files]
    if not found:
        return None
    b, link = rng.choice(found)
    m = b["model"]
    rotation = frames.quarter(rng) if rng.random() < 0.5 else frames.any_rotation(rng)
    p = tuple(r3(rng.uniform(-0.3, 0.3)) for _ in range(3))
    back = frames.transposed(rotation)
    half = tuple(tuple(x / 2 for x in row) for row in link["inertia"])
    other = {
        "name": f"{link['name']}w", "mass": link["mass"] / 2, "shapes": [],
        "centre": frames.turned(back, frames.minus(link["centre"], p)),
        "inertia": frames.product(back, frames.product(half, rotation)),
    }
    link["mass"], link["inertia"] = link["mass"] / 2, half
    for j in m["joints"]:
        if j["parent"] == link["name"]:
            j["parent"] = other["name"]
            j["p"] = frames.turned(back, frames.minus(j["p"], p))
            j["R"] = frames.product(back, j["R"])
    weld = {"name": f"{link['name']}weld", "kind": "fixed", "parent": link["name"], "child": other["name"], "p": p,
            "R": rotation, "axis": (1.0, 0.0, 0.0)}
    m["links"].insert(m["links"].index(link) + 1, other)
    at = next((i for i, j in enumerate(m["joints"]) if j["child"] == link["name"]), -1)
    m["joints"].insert(at + 1, weld)
    return "a link as two that are welded"


def joints_in_parts(s, rng):
    """A universal joint as two hinges, a planar one as two slides and a hinge, with massless links between them."""
    found = [(b, j) for b in s.bodies for j in b["model"]["joints"]
             if j["kind"] == "universal" or j["kind"] == "planar" and tuple(j["axis"]) == (0.0, 0.0, 1.0)]
    if not found or s.files:
        return None
    b, j = rng.choice(found)
    m = b["model"]
    parts = [("continuous", (1.0, 0.0, 0.0)), ("continuous", (0.0, 1.0, 0.0))]
    if j["kind"] == "planar":
        parts = [("prismatic", (1.0, 0.0, 0.0)), ("prismatic", (0.0, 1.0, 0.0)), ("continuous", (0.0, 0.0, 1.0))]
    kind, parent, at, index = j["kind"], j["parent"], (j["R"], j["p"]), m["joints"].index(j)
    new = []
    for n, (part, axis) in enumerate(parts):
        child = j["child"] if n == len(parts) - 1 else f"{j['child']}part{n}"
        if child != j["child"]:
            where = next(i for i, link in enumerate(m["links"]) if link["name"] == j["child"])
            m["links"].insert(where, {"name": child, "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY,
                                      "shapes": []})
        new.append({"name": f"{j['name']}part{n}", "kind": part, "parent": parent, "child": child, "R": at[0],
                    "p": at[1], "axis": axis})
        parent, at = child, (frames.IDENTITY, (0.0, 0.0, 0.0))
    m["joints"][index:index + 1] = new
    b["whole"] = [*b.get("whole", []), j["child"]]
    return f"a {kind} joint as {len(parts)}"


def tiles(s, rng):
    """A box as four boxes beside each other on the same link. Where one of the four touches alone it yields more: two
    bodies would meet so, and points of a body that does not lie flat."""
    if len(s.bodies) != 1 or not s.plant.get("ground"):
        return None
    points = s.plant.get("contact", {}).get("model", "point") in ("point", "hydroelastic_with_fallback")
    if points and motion(s) not in ("slides", "spins"):
        return None
    found = [(link, shape) for b in s.bodies for link in b["model"]["links"] for shape in link["shapes"]
             if shape["kind"] == "box" and b["format"] == "urdf"]
    if not found:
        return None
    link, shape = rng.choice(found)
    x, y, z = shape["size"]
    link["shapes"] = [
        {"kind": "box", "size": [x / 2, y / 2, z], "at": (i * x / 4, k * y / 4, 0.0), "R": frames.IDENTITY}
        for i in (-1, 1) for k in (-1, 1)
    ]
    law = s.plant.get("contact", {})
    if law.get("model", "point") == "point":
        # Four pairs share what one had.
        law["stiffness"] = law["stiffness"] / 4
    return f"a box as four, {law.get('model')}"


def hulls(s, rng):
    """A box as the convex hull of a mesh of its eight corners."""
    found = [shape for b in s.bodies for link in b["model"]["links"] for shape in link["shapes"]
             if shape["kind"] == "box" and b["format"] == "urdf"]
    if not found:
        return None
    shape = rng.choice(found)
    half = [x / 2 for x in shape["size"]]
    corners = [[sign * h for sign, h in zip(signs, half)] for signs in
               [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]]
    faces = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in corners]
    lines += [f"f {a} {b} {c}\nf {a} {c} {d}" for a, b, c, d in faces]
    s.files["hull.obj"] = "\n".join(lines) + "\n"
    shape["kind"] = "mesh"
    return f"a box as a convex hull, {s.plant.get('contact', {}).get('model', 'point')}"


def unlocked(s, rng):
    """A locked joint as one that is fixed where it stands."""
    locked = (s.plant or {}).get("locked", [])
    if not locked or s.files:
        return None
    name, joint = locked[0].split("/")
    b = next(b for b in s.bodies if b["name"] == name)
    j = next(j for j in b["model"]["joints"] if j["name"] == joint)
    if any(end.startswith((f"plant.{name}.{joint}", f"plant.{name}.state[{joint}.")) for w in s.wires for end in w):
        return None
    q, axis = b["start"].pop(joint)["q"], models.unit(j["axis"])
    if j["kind"] != "prismatic":
        turn = frames.about(axis, q)
        travel = q / 6.283185307179586 * j.get("pitch", 0.0)
    else:
        turn, travel = frames.IDENTITY, q
    j["p"] = frames.plus(j["p"], frames.turned(j["R"], tuple(travel * x for x in axis)))
    j["R"], j["kind"] = frames.product(j["R"], turn), "fixed"
    for key in ("damping", "friction", "limits", "effort"):
        j.pop(key, None)
    s.plant.pop("locked")
    s.plant["springs"] = [x for x in s.plant["springs"] if x["joint"] != locked[0]]
    s.plant.get("stops", {}).get(name, {}).pop(joint, None)
    s.plant["stops"] = {k: v for k, v in s.plant["stops"].items() if v}
    return "a locked joint as a weld"


def formulas(s, rng):
    """Blocks as expressions."""
    done = []
    for name, block in s.systems.items():
        made = as_formula(block)
        if made and rng.random() < 0.8:
            inputs, formula, rename = made
            s.systems[name] = {"type": "expression", **({"inputs": inputs} if inputs else {}), "expression": formula}
            done.append(block["type"])
            for wire in s.wires:
                port = wire[1].split(".", 1)[1] if wire[1].startswith(f"{name}.") else None
                if port in rename:
                    wire[1] = f"{name}.{rename[port]}"
    return f"{', '.join(sorted(set(done)))} as expression" if done else None


def as_formula(block):
    kind = block["type"]
    extra = set(block) - {"type", "derivatives"}
    if any(isinstance(v, list) for k, v in block.items()):
        return None
    if kind == "gain":
        return ["a"], f"{block['gain']}*a", {"input": "a"}
    if kind == "saturation" and extra == {"lower", "upper"}:
        return ["a"], f"min(max(a, {block['lower']}), {block['upper']})", {"input": "a"}
    if kind == "dead_zone" and extra == {"lower", "upper"}:
        return ["a"], f"a - min(max(a, {block['lower']}), {block['upper']})", {"input": "a"}
    if kind == "function" and extra == {"function"}:
        f = block["function"]
        said = {"square": "a*a", "reciprocal": "1/a"}.get(f, f"{f}(a)")
        return ["a"], said, {"input": "a"}
    if kind == "adder" and block.get("signs") in ("+-", "++") and extra == {"signs"}:
        return ["a", "b"], f"a {block['signs'][1]} b", {"input0": "a", "input1": "b"}
    if kind == "ramp" and not extra & {"start", "stop"}:
        return [], f"{block.get('initial', 0.0)} + {block['slope']}*t", {}
    return None


def gains(s, rng):
    """A PID controller of one signal as gains and an integrator."""
    for name, block in list(s.systems.items()):
        if block["type"] != "pid" or set(block) - {"type", "kp", "ki", "kd", "derivatives"}:
            continue
        if any(isinstance(v, list) for v in block.values()):
            continue
        wires = [w for w in s.wires if w[1].startswith(f"{name}.")]
        if any("[" not in w[1] for w in wires):
            continue
        new = {f"{name}.measured[0]": "m", f"{name}.measured[1]": "mv", f"{name}.desired[0]": "d",
               f"{name}.desired[1]": "dv"}
        summed, error = f"{name}sum", f"{name}error"
        kp, ki, kd = block["kp"], block.get("ki", 0.0), block.get("kd", 0.0)
        s.systems[error] = {"type": "expression", "inputs": ["m", "d"], "expression": "d - m"}
        s.systems[summed] = {"type": "integrator", "initial": [0.0]}
        s.systems[name] = {"type": "expression", "inputs": ["m", "mv", "d", "dv", "i"],
                           "expression": f"{kp}*(d - m) + {ki}*i + {kd}*(dv - mv)"}
        for w in wires:
            short = new[w[1]]
            if short in ("m", "d"):
                s.wires.append([w[0], f"{error}.{short}"])
            w[1] = f"{name}.{short}"
        s.wires += [[f"{error}.output", f"{summed}.input"], [f"{summed}.output", f"{name}.i"]]
        for w in s.wires:
            if w[0] == f"{name}.effort":
                w[0] = f"{name}.output"
        s.watched = [b["name"] for b in s.bodies] + [n for n in s.systems if n not in (summed, error)]
        return "pid as gains and an integrator"
    return None


def nested(s, rng):
    """Some of the blocks in a diagram of their own."""
    names = [n for n, block in s.systems.items() if not {"plant", "model"} & set(block)]
    inside = {n for n in names if rng.random() < 0.6} or set(names[:1])
    if not inside:
        return None
    owner = lambda end: end.split(".", 1)[0]
    port = lambda end: end.split("[", 1)[0]
    into = [w for w in s.wires if owner(w[1]) in inside and owner(w[0]) not in inside]
    own = [w for w in s.wires if owner(w[0]) in inside and owner(w[1]) in inside]
    if {port(w[1]) for w in into} & {port(w[1]) for w in own}:
        return None
    exports = {"inputs": {}, "outputs": {}}
    outer, inner = [], []
    for a, b in s.wires:
        if owner(a) in inside and owner(b) in inside:
            inner.append([a, b])
            continue
        if owner(b) in inside:
            name = port(b).replace(".", "_")
            exports["inputs"][name] = port(b)
            b = f"nest.{name}{b[len(port(b)):]}"
        if owner(a) in inside:
            name = port(a).replace(".", "_")
            exports["outputs"][name] = port(a)
            a = f"nest.{name}{a[len(port(a)):]}"
        outer.append([a, b])
    lines = ["kinegraph: 1", "systems:", *(f"  {n}: {text.written(s.systems[n])}" for n in s.systems if n in inside)]
    if inner:
        lines += ["connections:", *(f"  - {text.written(f'{a} -> {b}')}" for a, b in inner)]
    exports = {k: v for k, v in exports.items() if v}
    if exports:
        lines.append(f"exports: {text.written(exports)}")
    s.files["nest.yaml"] = "\n".join(lines) + "\n"
    s.names = {n: f"nest/{n}" for n in inside}
    s.nested = {n: s.systems.pop(n) for n in list(s.systems) if n in inside}
    s.systems["nest"] = {"type": "diagram", "file": "nest.yaml"}
    s.wires = outer
    return f"{len(inside)} blocks in a diagram of their own"


def renamed(s, rng):
    if len(s.systems) < 2:
        return None
    names = list(s.systems)
    shuffled = [f"{chr(97 + rng.randrange(26))}{i}" for i in range(len(names))]
    new = dict(zip(names, shuffled))
    s.systems = {new[n]: block for n, block in s.systems.items()}
    turn = lambda end: ".".join([new.get(end.split(".", 1)[0], end.split(".", 1)[0]), end.split(".", 1)[1]])
    s.wires = [[turn(a), turn(b)] for a, b in s.wires]
    s.names = {}
    s.aliases = {v: k for k, v in new.items()}
    return "blocks by other names"


def ordered(s, rng):
    """Blocks and wires in another order: the same bits."""
    if len(s.systems) < 2:
        return None
    items = list(s.systems.items())
    rng.shuffle(items)
    s.systems = dict(items)
    rng.shuffle(s.wires)
    return "blocks and wires in another order"


# Ways to say it, with how often each is tried first.
WAYS = {sdf: 3, tiles: 9, hulls: 3, unlocked: 30, mjcf: 2, welded: 2, joints_in_parts: 2, formulas: 1.5, gains: 2,
        nested: 1, renamed: 0.4, ordered: 1}
