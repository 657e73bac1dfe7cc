"""Energy: without sources it never grows, and without what dissipates it is kept."""

import math

import elastic
from compare import Finding
from relations import Unjudged
from relations.method import OTHER_LAWS

NAME = "conservation"
# What a run may gain or lose of the energy of the motion, besides what its accuracy allows.
PART = 0.02
# The same of steps of fixed length.
FIXED = 0.1
# Part of an energy, or of a joule, that rounding may leave of what rests.
ROUNDING = 1e-12
# Deflection of springs of blocks whose error is energy [m, rad].
PLAY = 0.01


def applies(scene):
    """A plant that nothing drives, or springs made of blocks alone."""
    plant = scene.plant or {}
    moves = bool(scene.bodies or plant.get("fibres")) and not plant.get("belts")
    return moves and elastic.springs(scene) is not None


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    methods = [m for m, d in program.catalog.integrators.items() if "accuracy" in d["reads"]]
    method = rng.choice(["cenic", "cenic", "cenic", "cenic-trapezoid", rng.choice(sorted(methods))])
    options = []
    if method not in ("cenic", "cenic-trapezoid"):
        a = min(a, 1e-5)
    name = f"energy, {method} {a:.0e}"
    if method == "cenic" and rng.random() < 0.4:
        h = scene.simulation["duration"] / rng.choice([50, 200, 1000])
        fixed = rng.choice(["icf", "icf", "icf", *OTHER_LAWS])
        if fixed == "volume" and scene.plant.get("contact", {}).get("model") != "volume":
            fixed = "icf"
        options, name = ["--integrator", fixed, "--step", f"{h:.6g}"], f"energy, {fixed} {h:.3g} s"
    run = program.run(scene, *options) if options else program.accurate(scene, a, method)
    if run.ended in ("late", "refused"):
        raise Unjudged(run.ended)
    if not run.done and not program.run(scene).done:
        raise Unjudged(run.ended)
    if not run.done and options and shorter(program, scene, options):
        # The message is right: the steps are too long for this motion.
        return None
    if not run.done:
        return Finding(NAME, f"{name}: {run.ended}", 0.0, 0.0, said=run.words(), runs=(run,))
    start, end = run.summary.get("energy_start"), run.summary.get("energy_end")
    if start is None or end is None:
        raise Unjudged("no energy")
    scale, stiff = scale_of(scene)
    for spring in elastic.springs(scene):
        start, end = start + spring.energy(starting(scene)), end + spring.energy(run.summary["final_state"])
        scale, stiff = scale + spring.energy(starting(scene)), stiff + spring.stiffness * PLAY
    allowed = (FIXED if options else PART) * scale + 20 * a * stiff + ROUNDING * (1.0 + abs(start) + abs(end))
    gain = end - start
    if gain > allowed or (-gain > allowed and keeps(scene) and not options):
        size = abs(gain) / (a * stiff) if stiff else math.inf
        word = "gained" if gain > 0 else "lost"
        return Finding(NAME, f"{name}, {word} {abs(gain):.3g} J of {scale:.3g} J", size, allowed / (a * stiff or 1.0),
                       said=run.words(), runs=(run,))
    return None


def shorter(program, scene, options):
    """Whether a method of fixed length that stopped ends with shorter steps."""
    *rest, step = options
    for parts in (4, 16):
        run = program.run(scene, *rest, f"{float(step) / parts:.6g}")
        if run.ended == "late":
            raise Unjudged("late")
        if run.done:
            return True
    return False


def starting(scene):
    return {f"plant.{b['name']}.{joint}.q": start["q"] for b in scene.bodies for joint, start in b["start"].items()}


def scale_of(scene):
    """Energy of the motion about [J], and the force by which an error of a position is energy [N]."""
    g = math.sqrt(sum(x * x for x in scene.plant["gravity"]))
    energy, force = 0.0, 0.0
    stiffness = {s["joint"]: s for s in scene.plant.get("springs", [])}
    for b in scene.bodies:
        mass = sum(link["mass"] for link in b["model"]["links"])
        fast = sum(start.get("v", 0.0) ** 2 for start in b.get("start", {}).values())
        linear = sum(x * x for x in b.get("velocity", {}).get("linear", []))
        angular = sum(x * x for x in b.get("velocity", {}).get("angular", []))
        energy += mass * (0.3 * g + 0.1 * fast + 0.5 * linear + 0.005 * angular)
        force += mass * (g + fast + linear)
        for j in b["model"]["joints"]:
            spring = stiffness.get(f"{b['name']}/{j['name']}")
            if spring:
                far = abs(b["start"][j["name"]]["q"] - spring.get("rest", 0.0)) + 1e-3
                energy += 0.5 * spring["stiffness"] * far**2
                force += spring["stiffness"] * far
        for t in b["model"].get("tendons", []):
            if t.get("stiffness"):
                energy += 0.5 * t["stiffness"] * (0.12 * t["rest"]) ** 2
    for fibre in scene.plant.get("fibres", []):
        mass = mass_of(fibre)
        energy, force = energy + mass * 0.3 * g, force + mass * g
        if fibre.get("natural") == "straight":
            # What a coil keeps by its bending: length times EI over twice the square of its radius.
            bend = fibre["section"].get("bend") or [fibre["material"]["young"] * 1e-8]
            energy += length_of(fibre) * max(bend) / fibre["helix"]["radius"] ** 2 / 2
    return energy, force


def length_of(fibre):
    if "points" in fibre:
        return math.dist(*fibre["points"])
    coil = fibre["helix"]
    return coil["turns"] * math.hypot(2 * math.pi * coil["radius"], coil["pitch"])


def mass_of(fibre):
    section = fibre["section"]
    if "mass" in section:
        return section["mass"] * length_of(fibre)
    area = math.pi * section["radius"] ** 2 if "radius" in section else section["width"] * section["height"]
    return area * length_of(fibre) * fibre["material"]["density"]


def keeps(scene):
    """Whether nothing dissipates."""
    plant = scene.plant
    if plant.get("ground") or plant.get("contact") or plant.get("locked"):
        return False
    if any("damping" in key for c in plant.get("constraints", []) for key in c):
        return False
    if any("damping" in fibre["material"] for fibre in plant.get("fibres", [])):
        return False
    for b in scene.bodies:
        if b["model"].get("tendons"):
            return False
        for j in b["model"]["joints"]:
            stop = plant.get("stops", {}).get(b["name"], {}).get(j["name"], {})
            if j.get("damping") or j.get("friction"):
                return False
            springy = stop.get("stiffness") and not stop["dissipation"]
            if j.get("limits") and stop.get("restitution") != 1.0 and not springy:
                return False
    return True
