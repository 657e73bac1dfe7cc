"""The smallest diagram that still disagrees under the same relation: parts removed, numbers rounded."""

import random
import time

from relations import Unjudged

# Seconds for one disagreement.
PATIENCE = 20.0


def smallest(program, relation, scene, choice, finding):
    """`scene` shrunk while the relation, drawn from the same seed, still finds what is no smaller matter of words."""
    end = time.time() + PATIENCE
    again = True
    while again:
        again = False
        for candidate in candidates(scene):
            if time.time() > end:
                return scene, finding
            other = attempt(program, relation, candidate, choice)
            if other and bool(other.said) == bool(finding.said) and kind(other) == kind(finding):
                scene, finding, again = candidate, other, True
                break
    for digits in (1, 2):
        candidate = rounded(scene, digits)
        other = attempt(program, relation, candidate, choice)
        if other and bool(other.said) == bool(finding.said) and kind(other) == kind(finding):
            return candidate, other
    return scene, finding


def kind(finding):
    """Whether values, bits or outcomes differ."""
    return "bits" in finding.variant, finding.size > 0


def attempt(program, relation, scene, choice):
    if not relation.applies(scene) or not scene.readings():
        return None
    try:
        return relation.check(program, scene, random.Random(choice))
    except (Unjudged, KeyError, IndexError, ValueError, StopIteration, ZeroDivisionError):
        return None


def candidates(scene):
    """Scenes with one part less, the largest parts first."""
    for b in scene.bodies:
        if len(scene.bodies) > 1 or scene.systems:
            yield without_body(scene, b["name"])
    for name in scene.systems:
        yield without_block(scene, name, bypass=False)
        yield without_block(scene, name, bypass=True)
    for b in scene.bodies:
        parents = {j["parent"] for j in b["model"]["joints"]}
        for link in b["model"]["links"][1:]:
            if link["name"] not in parents:
                yield without_link(scene, b["name"], link["name"])
    yield from lighter(scene)


def without_body(scene, name):
    s = scene.copy()
    s.bodies = [b for b in s.bodies if b["name"] != name]
    s.wires = [w for w in s.wires if f"plant.{name}." not in w[0] + w[1]]
    if not s.bodies:
        s.plant = None
        s.wires = [w for w in s.wires if not (w[0] + w[1]).count("plant.")]
        return s
    mine = lambda text: text.split("/")[0] == name
    s.plant["springs"] = [x for x in s.plant.get("springs", []) if not mine(x["joint"])]
    s.plant["constraints"] = [c for c in s.plant.get("constraints", []) if not any(map(mine, ends(c)))]
    s.plant.get("stops", {}).pop(name, None)
    return s


def ends(constraint):
    return constraint.get("joints") or [constraint["a"]["link"], constraint["b"]["link"]]


def without_block(scene, name, bypass):
    """Without a block: what it drove is driven by its first input, or goes with it."""
    s = scene.copy()
    sources = [a for a, b in s.wires if b.split(".")[0] == name]
    s.systems.pop(name)
    if bypass and sources:
        s.wires = [[sources[0] if a.split(".")[0] == name else a, b] for a, b in s.wires if b.split(".")[0] != name]
        return s
    gone = {name}
    while True:
        hanging = {b.split(".")[0] for a, b in s.wires if a.split(".")[0] in gone} - gone - {"plant"}
        if not hanging:
            break
        gone |= hanging
    s.systems = {n: block for n, block in s.systems.items() if n not in gone}
    s.wires = [w for w in s.wires if w[0].split(".")[0] not in gone and w[1].split(".")[0] not in gone]
    return s


def without_link(scene, body, link):
    s = scene.copy()
    b = next(b for b in s.bodies if b["name"] == body)
    m = b["model"]
    joint = next((j["name"] for j in m["joints"] if j["child"] == link), "")
    m["links"] = [x for x in m["links"] if x["name"] != link]
    m["joints"] = [j for j in m["joints"] if j["child"] != link]
    b.get("start", {}).pop(joint, None)
    if joint in b.get("actuated", []):
        b["actuated"].remove(joint)
    s.plant["springs"] = [x for x in s.plant.get("springs", []) if x["joint"] != f"{body}/{joint}"]
    s.plant.get("stops", {}).get(body, {}).pop(joint, None)
    named = (f"{body}/{link}", f"{body}/{joint}")
    s.plant["constraints"] = [c for c in s.plant.get("constraints", []) if not set(ends(c)) & set(named)]
    here = f"plant.{body}"
    s.wires = [w for w in s.wires if f"{here}.{joint}" != w[1] and f"{here}.state[{joint}." not in w[0]]
    gone = {x["name"] for x in m.get("sites", []) if x["link"] == link}
    m["sites"] = [x for x in m.get("sites", []) if x["name"] not in gone]
    for t in m.get("tendons", []):
        t["path"] = [p for p in t["path"] if p not in gone and (isinstance(p, str) or p[0] != joint)]
    return s


def lighter(scene):
    """Scenes with one property less."""
    for key in ("constraints", "springs"):
        for n in range(len((scene.plant or {}).get(key, []))):
            s = scene.copy()
            del s.plant[key][n]
            yield s
    for i, b in enumerate(scene.bodies):
        for n, j in enumerate(b["model"]["joints"]):
            for key in ("damping", "friction", "limits"):
                if j.get(key) and b["format"] == "urdf":
                    s = scene.copy()
                    s.bodies[i]["model"]["joints"][n].pop(key)
                    if key == "limits":
                        s.plant.get("stops", {}).get(b["name"], {}).pop(j["name"], None)
                    yield s
            if b.get("start", {}).get(j["name"], {}).get("v"):
                s = scene.copy()
                s.bodies[i]["start"][j["name"]]["v"] = 0.0
                yield s
        for n in range(len(b["model"].get("tendons", []))):
            for at in range(len(b["model"]["tendons"][n]["path"])):
                if len(b["model"]["tendons"][n]["path"]) > 2:
                    s = scene.copy()
                    del s.bodies[i]["model"]["tendons"][n]["path"][at]
                    yield s
    for name, block in scene.systems.items():
        for key in block:
            if key not in ("type", "initial"):
                s = scene.copy()
                s.systems[name].pop(key)
                yield s
    if "max_step" in scene.simulation:
        s = scene.copy()
        s.simulation.pop("max_step")
        yield s


def rounded(scene, digits):
    s = scene.copy()
    shorter = lambda x: float(f"{x:.{digits}g}")

    def of(value):
        if isinstance(value, float):
            return shorter(value)
        if isinstance(value, dict):
            return {k: of(v) for k, v in value.items()}
        if isinstance(value, list):
            return [of(v) for v in value]
        return value

    s.systems = {n: of(block) for n, block in s.systems.items()}
    for b in s.bodies:
        if not (s.plant or {}).get("constraints"):
            b["start"] = of(b.get("start", {}))
        if b.get("velocity"):
            b["velocity"] = of(b["velocity"])
        for link in b["model"]["links"]:
            link["mass"] = shorter(link["mass"])
            link["centre"] = tuple(map(shorter, link["centre"]))
    return s
