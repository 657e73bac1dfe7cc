"""One run as a sweep of one: the same bits."""

import csv
import tempfile
from pathlib import Path

from compare import Finding
from relations import Unjudged

NAME = "sweep"


def applies(scene):
    """What a sweep can measure of the same moments: outputs and coordinates."""
    return bool(measured(scene))


def measured(scene):
    return [r[0] for r in scene.readings() if r[1] != "pose" and not wide(scene, r)]


def wide(scene, reading):
    return reading[1] == "integral" and len(scene.systems.get(reading[4], {}).get("initial") or [0]) != 1


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    s = scene.copy()
    s.channels = measured(scene)[:4]
    run = program.accurate(s, a)
    if not run.done:
        raise Unjudged(run.ended)
    named = s.channels
    with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
        file, out = s.write(folder), Path(folder) / "sweep.csv"
        measures = [part for name in named for part in ("--measure", f"end({name})")]
        code, _, said = program.command("sweep", file, "--accuracy", f"{a:.3g}", "--jobs", 1, "--quiet", "--out", out,
                                        *measures)
        if code is None:
            raise Unjudged("late")
        if code or not out.exists():
            return Finding(NAME, f"a sweep of one: exit {code}", 0.0, 0.0, said=said[:150])
        head, row = list(csv.reader(out.read_text().splitlines()))[:2]
    values = dict(zip(head, row))
    for name in named:
        got, right = float(values[f"end({name})"]), run.columns[name][-1]
        if got != right:
            return Finding(NAME, "a sweep of one, bits", abs(got - right) / a, 0.0, name, said=said[:150])
    return None
