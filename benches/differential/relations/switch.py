"""Another method in the middle of a run, and back: the end is that of a tight run."""

import json
import tempfile
from pathlib import Path

from compare import CHAOS, PROMISE, Finding, growth
from relations import Unjudged
from relations.method import CONVEX, rigid, struck

NAME = "switch"


def applies(scene):
    return True


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    known = program.catalog.integrators
    others = sorted(m for m, d in known.items() if "accuracy" in d["reads"] and m not in ("cenic", "implicit-euler"))
    # Methods for differential equations bound positions alone, and carry on what they miss where bodies strike.
    if rigid(scene) or struck(scene):
        others = [m for m in others if m in CONVEX]
    other = rng.choice(others)
    fine = program.accurate(scene, a / 100)
    alone = program.accurate(scene, a, other)
    if not fine.done or not alone.done:
        raise Unjudged(fine.ended if not fine.done else alone.ended)
    end = scene.simulation["duration"]
    code, said, ends = None, "", None
    with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
        file, last = scene.write(folder), None
        for n, (method, until) in enumerate((("cenic", end / 3), (other, 2 * end / 3), ("cenic", end))):
            saved = Path(folder) / f"{n}.snap"
            resume = ["--resume", last] if last else []
            code, out, said = program.command(
                "run", file, "--json", "--accuracy", f"{a:.3g}", "--integrator", method, "--until", f"{until:.17g}",
                "--snapshot", saved, *resume)
            if code is None:
                raise Unjudged("late")
            if code:
                return Finding(NAME, f"{other} between: exit {code}", 0.0, 0.0, said=said[:150])
            last = saved
        ends = json.loads(out)["final_state"]
    factor = growth(program, scene, a)
    if factor is None or factor[-1][1] > CHAOS:
        raise Unjudged("chaotic")
    allowed = (PROMISE * 2.01 * a + a * alone.summary["steps"]) * factor[-1][1]
    worst = None
    for name, x in fine.summary["final_state"].items():
        # What a method compares: positions, elements of rotations, states of blocks.
        if name.rsplit(".", 1)[-1] in ("v", "wx", "wy", "wz", "vx", "vy", "vz") or name not in ends:
            continue
        if not name.startswith(("plant.", "probe")):
            continue
        gap = abs(ends[name] - x)
        if gap > allowed and (worst is None or gap > worst[0]):
            worst = (gap, name)
    if worst:
        return Finding(NAME, f"{other} {a:.0e} between", worst[0] / a, allowed / a, worst[1], end, said,
                       runs=(alone,))
    return None
