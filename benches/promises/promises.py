#!/usr/bin/env python3
"""Whether error control keeps its word: random scenes of several families, at several accuracies.

  promises.py --binary target/release/kinegraph
              [--families linkages,tops] [--scenes 200] [--seed 0] [--jobs 2] [--markdown]

Per family: runs that gained more than 2 % of energy, that failed, or missed what they must not; the ratio of the
largest error at any recorded time to the accuracy (median and 98th percentile at each accuracy), and the slope of the
error over the accuracy. Where velocities are known, a second line has the same of them [m/s and rad/s].
"""

import argparse
import csv
import json
import math
import statistics
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from families import FAMILIES

MOST_GAIN = 0.02
# How long a run that others are compared with may take [s].
PATIENCE = 600


class Run:
    """One run of a scene: its summary, its end and what it recorded."""

    def __init__(self, binary, folder, accuracy, arguments, patience=60):
        self.accuracy = accuracy
        out = folder / f"{accuracy}.csv"
        command = [
            binary,
            "run",
            str(folder / "scene.yaml"),
            "--json",
            "--quiet",
            "--accuracy",
            str(accuracy),
            "--record",
            str(out),
        ]
        self.failure, self.rows = None, []
        try:
            done = subprocess.run(command + arguments, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            self.failure = f"no end after {patience} s"
            return
        if done.returncode:
            self.failure = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
            return
        self.summary = json.loads(done.stdout)
        self.end = self.summary["final_state"]
        with open(out) as file:
            self.head, *rows = csv.reader(file)
        self.rows = [[float(x) for x in row] for row in rows]

    def gain(self, energy):
        """Energy gained, as a part of `energy`, by default that at the start."""
        start, end = self.summary["energy_start"], self.summary["energy_end"]
        return (end - start) / (energy or start)


def judge(task):
    binary, family, seed, accuracies, arguments = task
    scene = FAMILIES[family](seed)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in scene.files.items():
            (folder / name).write_text(text)
        exact = [Run(binary, folder, scene.exact, scene.reference, PATIENCE)] if scene.reference else []
        for accuracy in accuracies:
            run = Run(binary, folder, accuracy, scene.arguments + arguments)
            row = {"family": family, "seed": seed, "accuracy": accuracy, "failure": run.failure}
            if any(other.failure for other in exact):
                row["failure"] = f"reference: {exact[0].failure}"
            if row["failure"] is None:
                row["gain"] = run.gain(scene.energy) if scene.gain else None
                row["error"] = scene.error(run, *exact) / accuracy if scene.error else None
                row["speed"] = scene.speeds(run, *exact) / accuracy if scene.speeds else None
                row["holds"] = scene.holds(run) if scene.holds else None
                row["steps"] = run.summary["steps"] + run.summary["rejected_steps"]
                row["solves"] = run.summary["solves"]
            rows.append(row)
    return rows


def summary(rows, key, accuracies):
    """Median and 98th percentile of the errors `key` at each accuracy, the part of them within 20, and their slope."""
    cells, logs = [], []
    for a in accuracies:
        errors = sorted(r[key] for r in rows if r["accuracy"] == a and r.get(key) is not None)
        if errors:
            middle, far = statistics.median(errors), errors[min(len(errors) - 1, math.ceil(0.98 * len(errors)) - 1)]
            cells.append(f"{middle:.2g} / {far:.2g}")
            logs.append((math.log(a), math.log(max(middle * a, 1e-300))))
        else:
            cells.append("")
    slope = ""
    if len(logs) > 1:
        mx, my = (statistics.mean(v) for v in zip(*logs))
        slope = f"{sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs):.2f}"
    errors = [r[key] for r in rows if r.get(key) is not None]
    within = f"{100 * sum(e <= 20 for e in errors) / len(errors):.1f} %" if errors else ""
    return [*cells, within, slope]


def report(family, rows, accuracies, markdown):
    fails = [r for r in rows if r["failure"]]
    gains = [r for r in rows if (r.get("gain") or 0) > MOST_GAIN or math.isnan(r.get("gain") or 0)]
    missed = [r for r in rows if r.get("holds") is False]
    show = lambda line: print(
        "| " + " | ".join(map(str, line)) + " |" if markdown else "  ".join(f"{str(c):>13}" for c in line), flush=True
    )
    line = [
        family,
        len(rows),
        len(fails),
        len(gains),
        len(missed) if any(r.get("holds") is not None for r in rows) else "",
        *summary(rows, "error", accuracies),
    ]
    show(line)
    if any(r.get("speed") is not None for r in rows):
        show(["velocities", "", "", "", "", *summary(rows, "speed", accuracies)])
    return fails, gains, missed


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--binary", required=True, type=lambda p: str(Path(p).resolve()))
    ap.add_argument("--families", default=",".join(FAMILIES))
    ap.add_argument("--scenes", type=int, default=20)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--accuracies", default="1e-2,1e-3,1e-4,1e-5,1e-6")
    ap.add_argument("--markdown", action="store_true")
    ap.add_argument("--worst", type=int, default=0, help="name this many of the worst scenes of each family")
    ap.add_argument("arguments", nargs="*", help="more arguments of `kinegraph run`, after --")
    a = ap.parse_args()
    accuracies = [float(x) for x in a.accuracies.split(",")]
    head = ["family", "runs", "failed", "gained", "missed", *(f"{x:g}" for x in accuracies), "within 20", "slope"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head) if a.markdown else "  ".join(f"{c:>13}" for c in head))
    with ProcessPoolExecutor(a.jobs) as pool:
        for family in a.families.split(","):
            tasks = [(a.binary, family, a.seed + i, accuracies, a.arguments) for i in range(a.scenes)]
            rows = [row for rows in pool.map(judge, tasks) for row in rows]
            fails, gains, missed = report(family, rows, accuracies, a.markdown)
            worst = sorted((r for r in rows if r.get("error") is not None), key=lambda r: -r["error"])
            for r in (fails + gains + missed + worst)[: a.worst]:
                print("   ", {k: v for k, v in r.items() if v is not None})


if __name__ == "__main__":
    main()
