#!/usr/bin/env python3
"""What every rule and every number of the step of `cenic` buys: each rule off, each number halved and doubled.

  ablation.py --binary target/release/kinegraph
              [--scenes 100] [--families bounces,stops] [--accuracies 1e-2,1e-3,1e-4]
              [--only energy,safety] [--factors 0.5,2] [--files a.yaml,b.yaml] [--jobs 2] [--markdown]

The scenes are the random ones of `benches/promises`, and diagram files (`--files`) of which only the work counts.
One line for every change: promises broken (runs that failed, gained energy, or missed what they must not), errors over
the accuracy (median, 98th percentile), convex solves, attempts (steps of free motion have no solves), each beside those
of the step as it is.
"""

import argparse
import math
import re
import statistics
import subprocess
import sys
import tempfile
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "promises"))

from families import FAMILIES  # noqa: E402
from promises import MOST_GAIN, PATIENCE, Run  # noqa: E402

# Runs that others are compared with; no change is theirs.
REFERENCES = {}


def declared(binary):
    """The rules, and the numbers with their defaults, as the program prints them."""
    text = subprocess.run([binary, "integrators", "cenic", "--rules"], capture_output=True, text=True, check=True).stdout
    text = text.partition("Choices that no file sets")[0]
    rules = [m[1] for m in re.finditer(r"^(\w+): (?!\(no rule\))", text, re.M)]
    numbers = {m[1]: float(m[2]) for m in re.finditer(r"^  (\w+) = (\S+) \[", text, re.M)}
    return rules, numbers


def changes(binary, only, factors):
    """Name and arguments of every change; the first is none."""
    rules, numbers = declared(binary)
    yield "as it is", []
    for rule in rules:
        if not only or rule in only:
            yield f"{rule} off", ["--set", f"simulation.rules.{rule}=off"]
    for number, value in numbers.items():
        if not only or number in only:
            for factor in factors:
                yield f"{number} x {factor:g}", ["--set", f"simulation.tuning.{number}={factor * value!r}"]


def of_scene(task):
    """The runs of one random scene: broken promises, errors over the accuracy, solves, attempts."""
    binary, family, seed, accuracies, arguments = task
    scene = FAMILIES[family](seed)
    broken, errors, solves, attempts = 0, [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in scene.files.items():
            (folder / name).write_text(text)
        if scene.reference and (family, seed) not in REFERENCES:
            REFERENCES[family, seed] = Run(binary, folder, scene.exact, scene.reference, PATIENCE)
        exact = [REFERENCES[family, seed]] if scene.reference else []
        for accuracy in accuracies:
            run = Run(binary, folder, accuracy, scene.arguments + arguments)
            if run.failure is not None:
                broken += 1
                continue
            gain = run.gain(scene.energy) if scene.gain else 0
            holds = scene.holds(run) if scene.holds else True
            broken += gain > MOST_GAIN or math.isnan(gain) or not holds
            if scene.error:
                errors.append(scene.error(run, *exact) / accuracy)
            solves += run.summary["solves"]
            attempts += run.summary["steps"] + run.summary["rejected_steps"]
    return broken, errors, solves, attempts


def of_file(task):
    """Solves and attempts of a diagram file; a run that fails breaks a promise."""
    binary, file, arguments = task
    done = subprocess.run([binary, "run", file, "--json", "--quiet", *arguments], capture_output=True, text=True)
    if done.returncode:
        return 1, [], 0, 0
    summary = json.loads(done.stdout)
    return 0, [], summary["solves"], summary["steps"] + summary["rejected_steps"]


def measure(pool, a, arguments):
    """All scenes with these arguments."""
    seeds = range(a.seed, a.seed + a.scenes)
    tasks = [(a.binary, f, s, a.accuracies, arguments) for f in a.families for s in seeds]
    found = [*pool.map(of_scene, tasks), *pool.map(of_file, [(a.binary, f, arguments) for f in a.files])]
    errors = sorted(e for _, of_run, *_ in found for e in of_run)
    far = errors[min(len(errors) - 1, math.ceil(0.98 * len(errors)) - 1)] if errors else math.nan
    middle = statistics.median(errors) if errors else math.nan
    return sum(f[0] for f in found), middle, far, (sum(f[2] for f in found), sum(f[3] for f in found))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--binary", required=True, type=lambda p: str(Path(p).resolve()))
    listed = lambda text: [word for word in text.split(",") if word]  # noqa: E731
    ap.add_argument("--families", default=list(FAMILIES), type=listed)
    ap.add_argument("--scenes", type=int, default=100)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--accuracies", default=[1e-2, 1e-3, 1e-4], type=lambda text: [float(x) for x in text.split(",")])
    ap.add_argument("--factors", default=[0.5, 2.0], type=lambda text: [float(x) for x in text.split(",")], help="of numbers")
    ap.add_argument("--only", default=[], type=listed, help="these rules and numbers only")
    ap.add_argument("--files", default=[], type=listed, help="diagram files beside the random scenes")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--markdown", action="store_true")
    a = ap.parse_args()
    head = ["change", "broken", "median", "98 %", "solves", "to as it is", "attempts", "to as it is"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head) if a.markdown else "  ".join(f"{c:>18}" for c in head))
    before = None
    with ProcessPoolExecutor(a.jobs) as pool:
        for name, arguments in changes(a.binary, a.only, a.factors):
            broken, middle, far, work = measure(pool, a, arguments)
            before = before or work
            compared = [(f"{count}", f"{100 * (count / old - 1):+.1f} %" if old else "") for count, old in zip(work, before)]
            line = [name, broken, f"{middle:.3g}", f"{far:.3g}", *(cell for pair in compared for cell in pair)]
            print("| " + " | ".join(map(str, line)) + " |" if a.markdown else "  ".join(f"{c!s:>18}" for c in line), flush=True)


if __name__ == "__main__":
    main()
