"""Another frame: the world turned, moved or mirrored, frames of single links turned, written with 3 to 17 digits."""

import math

import frames
import model as models
from compare import Finding, judge
from relations import both

NAME = "frame"


def applies(scene):
    fibres = (scene.plant or {}).get("fibres", [])
    # The place where a coil starts about its axis is no part of its words, nor how a section turns that has no `up`.
    said = all("up" in f and "helix" not in f for f in fibres)
    return bool(scene.bodies or fibres) and not bound(scene) and said


def bound(scene):
    """Whether blocks read frames of links, or places in the world."""
    return any("plant" in block or "model" in block for block in scene.systems.values())


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    part = rng.random()
    variant, name = None, ""
    if part < 0.2:
        variant, name = mirror(scene), "mirrored"
    if variant is None:
        alone = part < 0.45 or not scene.bodies
        variant, name = turned_world(scene, rng) if alone else turned_links(scene, rng)
    first, second = program.accurate(scene, a), program.accurate(variant, a)
    if not both(first, second):
        return Finding(NAME, f"{name}: {first.ended}, {second.ended}", 0.0, 0.0, said=first.words() or second.words())
    digits = 0.0 if variant.digits >= 15 else 30 * 10.0**-variant.digits
    worst = judge(program, scene, first, second, (a, a), digits)
    if worst:
        size, bound, where, time = worst
        return Finding(NAME, name, size, bound, where, time, second.words(), runs=(second, first))
    return None


def turned_world(scene, rng):
    s = scene.copy()
    ground = bool((s.plant or {}).get("ground"))
    if rng.random() < 0.3:
        rotation, away, name = frames.IDENTITY, (1000.0, -700.0, 0.0 if ground else 500.0), "moved 1e3 m"
    elif ground:
        angle = rng.choice([math.pi / 2, math.pi, rng.uniform(-3, 3)])
        rotation, away = frames.from_rpy((0.0, 0.0, angle)), (0.0, 0.0, 0.0)
        name = f"world turned by {angle:.3g} about z"
    else:
        rotation = frames.quarter(rng) if rng.random() < 0.5 else frames.any_rotation(rng)
        away, name = (0.0, 0.0, 0.0), "world turned"
    s.world = (rotation, away)
    for b in s.bodies:
        b["R"], b["p"] = frames.product(rotation, b["R"]), frames.plus(frames.turned(rotation, b["p"]), away)
        if b.get("velocity"):
            b["velocity"] = {k: clean(frames.turned(rotation, v)) for k, v in b["velocity"].items()}
    s.plant["gravity"] = clean(frames.turned(rotation, s.plant["gravity"]))
    for fibre in s.plant.get("fibres", []):
        fibre["points"] = [clean(frames.plus(frames.turned(rotation, p), away)) for p in fibre["points"]]
        if "up" in fibre:
            fibre["up"] = clean(frames.turned(rotation, fibre["up"]))
    for belt in s.plant.get("belts", []):
        belt["direction"] = clean(frames.turned(rotation, belt["direction"]))
    for c in s.plant.get("constraints", []):
        for end in ("a", "b"):
            if end in c and c[end]["link"] == "world":
                c[end]["R"] = frames.product(rotation, c[end]["R"])
                c[end]["p"] = frames.plus(frames.turned(rotation, c[end]["p"]), away)
    return s, name


def mirror(scene):
    """The image in the plane y = 0, or None where a part has an image that is no such part."""
    if scene.files or any(b["format"] != "urdf" for b in scene.bodies):
        return None
    if any(j["kind"] in ("universal", "planar") for b in scene.bodies for j in b["model"]["joints"]):
        return None
    s = scene.copy()
    s.mirrored = True
    image, turn = frames.mirrored, frames.mirrored_rotation
    for b in s.bodies:
        b["R"], b["p"] = turn(b["R"]), image(b["p"])
        velocity = b.get("velocity") or {}
        if "linear" in velocity:
            velocity["linear"] = list(image(velocity["linear"]))
        if "angular" in velocity:
            velocity["angular"] = [-x for x in image(velocity["angular"])]
        for material in b.get("materials", {}).values():
            material["friction_along"] = clean(image(material["friction_along"]))
        for link in b["model"]["links"]:
            link["centre"], link["inertia"] = image(link["centre"]), turn(link["inertia"])
            for shape in link["shapes"]:
                shape["at"], shape["R"] = image(shape["at"]), turn(shape["R"])
        for j in b["model"]["joints"]:
            j["p"], j["R"] = image(j["p"]), turn(j["R"])
            # A turn has the opposite sense in the image; what a screw travels has not.
            j["axis"] = image(j["axis"]) if j["kind"] == "prismatic" else tuple(-x for x in image(j["axis"]))
            if "pitch" in j:
                j["pitch"] = -j["pitch"]
    s.plant["gravity"] = clean(image(s.plant["gravity"]))
    for c in s.plant.get("constraints", []):
        for end in ("a", "b"):
            if end in c:
                c[end]["R"], c[end]["p"] = turn(c[end]["R"]), image(c[end]["p"])
    for fibre in s.plant.get("fibres", []):
        fibre["points"] = [clean(image(p)) for p in fibre["points"]]
        if "up" in fibre:
            fibre["up"] = clean(image(fibre["up"]))
    for belt in s.plant.get("belts", []):
        belt["direction"] = clean(image(belt["direction"]))
    return s


def clean(v):
    """Without what rounding leaves: no diagram file takes so small a speed."""
    return [0.0 if abs(x) < 1e-13 else x for x in v]


def turned_links(scene, rng):
    """Every link's frame is turned in itself; nothing that can be seen is."""
    s = scene.copy()
    quarter = rng.random() < 0.6
    turn_links(s, rng, quarter, rng.choice([0.5, 1.0]))
    # Coarser digits are another mechanism where links close a loop, another depth where bodies touch, and another
    # response where forces swing what is driven.
    driven = any(b.startswith("plant.") for _, b in s.wires)
    least = 12 if s.plant.get("ground") else 6 if s.plant.get("constraints") else 5 if driven else 3
    s.digits = rng.choice([17, 17, 17, *(d for d in (12, 10, 8, 6, 5, 4, 3) if d >= least)])
    return s, f"links turned by {'quarters' if quarter else 'any angles'}, {s.digits} digits"


def turn_links(s, rng, quarter, some):
    for b in s.bodies:
        turns = {}
        for link in b["model"]["links"]:
            if rng.random() < some and not fixed_frame(b, link["name"]):
                turns[link["name"]] = frames.quarter(rng) if quarter else frames.any_rotation(rng)
        b["model"] = models.reframed(b["model"], turns)
        root = b["model"]["links"][0]["name"]
        b["R"] = frames.product(b["R"], turns.get(root, frames.IDENTITY))
        s.turns[b["name"]] = turns
        # Bodies with materials are single links.
        for material in b.get("materials", {}).values():
            back = frames.transposed(turns.get(root, frames.IDENTITY))
            material["friction_along"] = clean(frames.turned(back, material["friction_along"]))
        for c in s.plant.get("constraints", []):
            for end in ("a", "b"):
                if end in c and c[end]["link"].split("/")[0] == b["name"]:
                    back = frames.transposed(turns.get(c[end]["link"].split("/")[1], frames.IDENTITY))
                    c[end]["R"] = frames.product(back, c[end]["R"])
                    c[end]["p"] = frames.turned(back, c[end]["p"])


def fixed_frame(b, link):
    """Whether the frame of a link means something: axes of universal and planar joints, the world of MJCF."""
    if b["format"] == "mjcf" and link == b["model"]["links"][0]["name"]:
        return True
    return any(
        (j["child"] == link or j["parent"] == link) and j["kind"] in ("universal", "planar")
        for j in b["model"]["joints"]
    )
