"""Stopped, saved and resumed: the same bits as without the interruption."""

import json
import tempfile
from pathlib import Path

from compare import Finding
from relations import Unjudged
from run import within

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
        common = [program.path, "run", str(file), "--json", "--accuracy", f"{a:.3g}"]
        half = within(program.patience, [*common, "--until", f"{at:.17g}", "--snapshot", str(saved)])
        done = within(program.patience, [*common, "--resume", str(saved)])
    if half is None or done is None:
        raise Unjudged("late")
    if done.returncode:
        return Finding(NAME, f"not resumed at {at:.3g} s", 0.0, 0.0, said=done.stderr.strip()[:110])
    end = json.loads(done.stdout)["final_state"]
    for name, x in whole.summary["final_state"].items():
        if end.get(name) != x and x == x:
            return Finding(NAME, f"stopped at {at:.3g} s, bits", abs(end[name] - x) / a, 0.0, name,
                           said=done.stderr.strip()[:110])
    return None
