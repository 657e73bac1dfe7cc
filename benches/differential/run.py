"""Runs of the program: what it recorded, what it said, and how it ended."""

import csv
import json
import resource
import signal
import subprocess
import tempfile
from pathlib import Path

from relations import Unjudged

# Seconds of a processor that one run may take by default: what takes longer says nothing. Other work on the machine
# changes nothing in that.
PATIENCE = 1
# Seconds of the clock that end a run in any case, as a multiple.
AT_LAST = 20
# Runs that `--verify` may take the time of.
VERIFYING = 5


def within(patience, command):
    """What became of a command, or None where it took longer than `patience` seconds of a processor."""

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 1))

    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=AT_LAST * patience, errors="replace",
                              preexec_fn=limited, check=False)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done


class Run:
    """One run of a scene under arguments: `ended` is done, failed, refused or late."""

    def __init__(self, program, scene, arguments, patience):
        with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
            file, out = scene.write(folder), Path(folder) / "out.csv"
            command = [program, "run", str(file), "--json", "--record", str(out), *map(str, arguments)]
            self.scene, self.arguments = scene, arguments
            self.go(scene, command, out, patience)

    def go(self, scene, command, out, patience):
        self.summary, self.said, self.times, self.values, self.columns = {}, "", [], {}, {}
        done = within(patience, command)
        if done is None:
            self.ended = "late"
            return
        self.ended = {0: "done", 1: "failed", 2: "refused"}.get(done.returncode, "crashed")
        self.said = done.stderr.strip()
        if self.ended != "done":
            return
        self.summary = json.loads(done.stdout)
        with open(out) as file:
            head, *rows = csv.reader(file)
        rows = [[float(x) for x in row] for row in rows]
        stretch = scene.scale.get("time", 1.0)
        self.times = [row[0] / stretch for row in rows]
        self.values = scene.canonical(head, rows)
        self.columns = {name: [row[i] for row in rows] for i, name in enumerate(head)} if scene.channels else {}

    @property
    def done(self):
        return self.ended == "done"

    def words(self):
        """The first thing the program said, in short; empty where it was silent."""
        lines = [line for line in self.said.splitlines() if line.strip()]
        if lines:
            return lines[0].split("scene.yaml:")[-1][:160]
        return "" if self.ended in ("done", "late") else self.ended


class Program:
    """The program with what it declares, and a memory of runs of one scene."""

    def __init__(self, path, catalog, patience=PATIENCE):
        self.path, self.catalog, self.patience = path, catalog, patience
        self.memory = {}
        self.runs = 0

    def run(self, scene, *arguments):
        key = (scene.text(), scene.digits, repr(scene.bodies), repr(scene.files), repr(scene.world), arguments)
        if key not in self.memory:
            self.runs += 1
            self.memory[key] = Run(self.path, scene, arguments, self.patience)
        return self.memory[key]

    def accurate(self, scene, accuracy, integrator=None):
        arguments = ["--accuracy", f"{accuracy:.3g}"]
        if integrator:
            arguments += ["--integrator", integrator]
        return self.run(scene, *arguments)

    def errors(self, run):
        """The errors that the accepted steps of a run estimate, each with the time of its end; none of fixed steps."""
        with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
            file, steps = run.scene.write(folder), Path(folder) / "steps.csv"
            self.runs += 1
            done = within(4 * self.patience, [self.path, "run", str(file), "--json", "--steps", str(steps),
                                              *map(str, run.arguments)])
            if done is None:
                raise Unjudged("late")
            if not steps.exists():
                return []
            with open(steps) as lines:
                rows = [row for row in csv.DictReader(lines) if row["outcome"] == "accepted" and row["error"]]
        return [(float(row["time"]) + float(row["h"]), float(row["error"])) for row in rows]

    def verdict(self, runs):
        """What `--verify` answers about runs that ended: the first word that names one as not verified, or the last."""
        answer = ""
        for run in runs:
            if not run.done:
                continue
            with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
                file = run.scene.write(folder)
                self.runs += 1
                done = within(VERIFYING * self.patience,
                              [self.path, "run", str(file), "--json", "--verify", *map(str, run.arguments)])
            try:
                answer = json.loads(done.stdout)["verify"]["verdict"] if done else "late"
            except (ValueError, KeyError, TypeError):
                answer = ""
            if answer in ("differs", "undetermined"):
                break
        return answer

    def command(self, *arguments):
        """Any other command of the program: (exit code, what it printed, what it said). A late one has no code."""
        self.runs += 1
        done = within(self.patience, [self.path, *map(str, arguments)])
        return (None, "", "") if done is None else (done.returncode, done.stdout, done.stderr.strip())
