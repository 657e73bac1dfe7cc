"""Another accuracy or another method: a, a/10 and a/100, other methods under error control, fixed steps h to h/16."""

from classes import KINKED, upstream, words
from compare import PROMISE, Finding, differences, judge
from relations import Unjudged

NAME = "method"
# Methods whose contact is another law, or that are no matter of the accuracy.
OTHER_LAWS = ("sap", "theta-gamma", "projected-gauss-seidel", "volume")
# Methods that hold what is rigid by a spring.
CONVEX = ("cenic", "cenic-trapezoid", "icf", *OTHER_LAWS)

# By how much errors must fall with a tenth of the accuracy: those of steps of first order that add up do by 3.2.
FALLS = 2.0

# Steps of the tight run from which on one other method less is tried.
DEAR = (1000, 4000)


def applies(scene):
    return True


def rigid(scene):
    plant = scene.plant or {}
    limited = any(j.get("limits") for b in scene.bodies if b["format"] != "mjcf" for j in b["model"]["joints"])
    return bool(plant.get("constraints")) or limited


def touching(scene):
    return bool((scene.plant or {}).get("ground"))


def struck(scene):
    """Whether velocities may jump: contact, stops, ropes that go taut, feedback that is slack and then stiff."""
    plant = scene.plant or {}
    joints = [j for b in scene.bodies for j in b["model"]["joints"]]
    tendons = [t for b in scene.bodies for t in b["model"].get("tendons", [])]
    fed = [n for a, b in scene.wires if b.startswith("plant.") for n in upstream(scene, a.split(".")[0])]
    slack = "plant" in fed and any(word in words(scene, fed) for word in KINKED)
    return touching(scene) or "contact" in plant or any(j.get("limits") for j in joints) or bool(tendons) or slack


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    fine = program.accurate(scene, a / 100)
    if fine.ended == "late":
        raise Unjudged("late")
    found = []
    pairs = [("cenic a", program.accurate(scene, a), a), ("cenic a/10", program.accurate(scene, a / 10), a / 10)]
    known = program.catalog.integrators
    adaptive = sorted(m for m, d in known.items() if "accuracy" in d["reads"] and m != "cenic")
    if rigid(scene):
        adaptive = [m for m in adaptive if m in CONVEX]
    # Errors of steps of first order hardly shrink with the accuracy.
    adaptive = [m for m in adaptive if m != "implicit-euler"]
    # Where the tight run is long, other methods are, too.
    count = sum(fine.summary.get("steps", 0) < most for most in DEAR)
    for method in rng.sample(adaptive, min(2, len(adaptive)))[:count]:
        at = a if method == "cenic-trapezoid" else max(a / 100, 1e-7)
        # The accuracy bounds positions. What methods for differential equations miss of a velocity where bodies strike
        # carries them on: there they are to bound the whole state, and their tight runs are judged by the scene's own.
        hard = struck(scene) and method not in CONVEX
        options = ["--set", "simulation.error_norm=state"] if hard else []
        run = program.run(scene, "--accuracy", f"{at:.3g}", "--integrator", method, *options)
        pairs.append((f"{method} {at:.0e}", run, a if hard else at))
    for name, run, accuracy in pairs:
        if run.ended in ("late", "refused") or fine.ended == "refused":
            continue
        if run.done != fine.done:
            said = run.words() or fine.words()
            found.append(Finding(NAME, f"{name}: {run.ended}, a/100: {fine.ended}", 0.0, 0.0, said=said))
            continue
        if not run.done:
            continue
        # Errors of steps of other methods add up: an accuracy a step.
        extra = accuracy * run.summary["steps"] if not name.startswith("cenic") else 0.0
        worst = judge(program, scene, run, fine, (accuracy, a / 100), extra)
        if not worst and name.startswith("cenic a"):
            worst = stays(program, scene, run, fine, accuracy, a)
        if worst:
            size, bound, where, time = worst
            found.append(Finding(NAME, f"{name} against a/100", size, bound, where, time, run.words(), runs=(run,)))
    if not found and fine.done and rng.random() < 0.3:
        found += fixed(program, scene, rng, known, fine, a)
    return max(found, key=lambda f: f.size / max(f.bound, 1e-300)) if found else None


def stays(program, scene, run, fine, accuracy, a):
    """A difference that the errors of steps may explain, and that a tenth of the accuracy does not make less."""
    worst = judge(program, scene, run, fine, (accuracy, a / 100), adds_up=False)
    if not worst:
        return None
    finer, finest = program.accurate(scene, accuracy / 10), program.accurate(scene, a / 1000)
    if not (finer.done and finest.done):
        return None
    before, after = (differences(x, finest, scene) for x in (run, finer))
    until = worst[3]
    before, after = (max((d for t, d, _ in gaps if t <= until), default=0.0) for gaps in (before, after))
    return worst if after > max(before / FALLS, PROMISE * accuracy / 10) else None


def fixed(program, scene, rng, known, fine, a):
    """Errors of a method of fixed step fall with the step."""
    methods = sorted(m for m, d in known.items() if "accuracy" not in d["reads"])
    if touching(scene) or "contact" in (scene.plant or {}):
        methods = [m for m in methods if m not in OTHER_LAWS]
    if rigid(scene):
        methods = [m for m in methods if m in CONVEX]
    method = rng.choice(methods)
    errors = []
    for parts in (250, 1000, 4000):
        step = scene.simulation["duration"] / parts
        run = program.run(scene, "--integrator", method, "--step", f"{step:.6g}")
        if not run.done:
            return []
        errors.append(max((d for _, d, _ in differences(run, fine, scene)), default=0.0))
    worst = judge(program, scene, run, fine, (a, a / 100))
    # Steps that do not resolve a bounce damp it: there an error falls late, but falls.
    if worst and errors[2] > (0.9 if struck(scene) else 0.5) * max(errors[:2]):
        return [Finding(NAME, f"{method}, steps T/250 to T/4000", *worst, run.words(), runs=(run,))]
    return []
