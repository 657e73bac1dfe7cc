"""Stopped, saved and resumed: the same bits as without the interruption."""

import json
import tempfile
from pathlib import Path

from compare import Finding
from relations import Unjudged

NAME = "resume"


def applies(scene):
    return True


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    whole = program.accurate(scene, a)
    if not whole.done:
        raise Unjudged(whole.ended)
    at = rng.choice([0.25, 0.5, 0.73]) * scene.simulation["duration"]
    with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
        file = scene.write(folder)
        saved = Path(folder) / "half.snap"
        common = ["run", file, "--json", "--accuracy", f"{a:.3g}"]
        half, _, _ = program.command(*common, "--until", f"{at:.17g}", "--snapshot", saved)
        code, out, said = program.command(*common, "--resume", saved)
    if half is None or code is None:
        raise Unjudged("late")
    if code:
        return Finding(NAME, f"not resumed at {at:.3g} s", 0.0, 0.0, said=said[:110])
    end = json.loads(out)["final_state"]
    for name, x in whole.summary["final_state"].items():
        if end.get(name) != x and x == x:
            return Finding(NAME, f"stopped at {at:.3g} s, bits", abs(end[name] - x) / a, 0.0, name,
                           said=said[:110])
    return None
