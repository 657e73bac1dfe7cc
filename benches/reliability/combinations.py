#!/usr/bin/env python3
"""Every feature with every method, where contact begins, ends or changes: no panic, no gain in silence.

  combinations.py --kinegraph target/release/kinegraph --seed 1 --draws 5000 [--jobs 2] [--keep FOLDER] [--markdown]
  combinations.py --kinegraph target/release/kinegraph --draw 1000371 --keep FOLDER

A draw is a feature (of contact, constraints, elements, sensors: `features.py`) with a method, an event (a body lands,
leaves, changes what it touches: `events.py`) and a length of steps, short or long; some have a second feature. By turns
each feature meets each method, event and length. A run ends well, or fails or is refused with a message. What does not:

- panics: the program ends by a signal or with exit code 101
- silent gains: a run ends well, and neither it nor `--verify` says anything, though the energy has grown by more than
  the promise, where nothing gives any: 2 % of that of the motion under `cenic` and `cenic-trapezoid`, 20 % under
  methods with steps of a length, or that bound the error of positions alone: twice what a run itself states. A run
  says something by a note, or by bodies that start inside each other, which contact throws apart
- not finite: a run ends well with a number that is none
- hangs: no answer within 20 s of a processor, and no end after SIGTERM. What ends after it is late, no fault
"""

import argparse
import itertools
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import events  # noqa: E402
from features import FEATURES  # noqa: E402

# Steps of a length, or held to an accuracy: short and long.
FIXED = {
    "icf": (2e-4, 5e-3), "sap": (5e-4, 5e-3), "theta-gamma": (5e-4, 5e-3), "projected-gauss-seidel": (5e-4, 5e-3),
    "volume": (1e-3, 5e-3), "semi-implicit-euler": (2e-5, 2e-4),
}
HELD = {
    "cenic": (1e-5, 1e-2), "cenic-trapezoid": (1e-4, 1e-2), "rk3": (1e-5, 1e-3), "bs23": (1e-5, 1e-3),
    "dopri5": (1e-6, 1e-3), "sdirk2": (1e-4, 1e-2), "ros2": (1e-4, 1e-2), "implicit-euler": (1e-3, 1e-2),
}
METHODS = (*HELD, *FIXED)
LENGTHS = ("short", "long")
# Methods of differential equations, which take short steps where something is rigid, run for this part of the time.
DIFFERENTIAL = {"rk3", "bs23", "dopri5", "sdirk2", "ros2", "implicit-euler", "semi-implicit-euler"}
SHORTER = 0.5
PATIENCE = 20
# The part of their time for which all features run with all methods in the tests.
EACH = 0.1
# Gains that are allowed, as parts of the energy of the motion.
PROMISE = {**dict.fromkeys(METHODS, 0.2), "cenic": 0.02, "cenic-trapezoid": 0.02}
# Energy whose change is none [J].
ROUNDING = 1e-9
WORDS = ("panics", "silent gains", "not finite", "hangs")


@dataclass
class Case:
    """What a draw is of."""

    number: int
    feature: str
    method: str
    event: str
    length: str
    part: float = 1.0

    def scene(self):
        rng = random.Random(self.number)
        scene = FEATURES[self.feature][1](rng, self.event)
        if rng.random() < 0.3:
            add_law(rng, scene)
        if self.method == "volume":
            scene.plant["contact"].update({"model": "volume", "modulus": 1e5})
        return scene

    def text(self, scene):
        plant = {"type": "multibody_plant", **scene.plant, "models": scene.models}
        short = LENGTHS.index(self.length)
        simulation = {"integrator": self.method, "duration": scene.duration * self.part}
        if self.method in DIFFERENTIAL:
            simulation["duration"] *= SHORTER
        if self.method in FIXED:
            simulation["step"] = FIXED[self.method][short]
        else:
            simulation["accuracy"] = HELD[self.method][short]
        systems = {"plant": plant, **scene.systems}
        return json.dumps({"kinegraph": 1, "systems": systems, "connections": scene.wires, "simulation": simulation},
                          indent=1)

    def write(self, folder):
        scene = self.scene()
        for name, text in {**scene.files, "cube.obj": events.CUBE, "scene.yaml": self.text(scene)}.items():
            (Path(folder) / name).write_text(text)
        return scene


def add_law(rng, scene):
    """Features of the law of contact beside another feature."""
    contact = scene.plant["contact"]
    for key, value in (("torsional_friction", 0.01), ("rolling_friction", 0.005), ("points", "deepest"),
                       ("model", "hydroelastic"), ("dissipation", 0.0)):
        if rng.random() < 0.3:
            contact.setdefault(key, value)


def cases(seed, draws):
    """The features by turns with all else, in an order of the seed."""
    rng = random.Random(seed)
    found = []
    while len(found) < draws:
        turn = list(itertools.product(FEATURES, METHODS, events.EVENTS, LENGTHS))
        rng.shuffle(turn)
        found += turn[: draws - len(found)]
    return [Case(1_000_000 * seed + i, *case) for i, case in enumerate(found)]


def each(seed):
    """Each feature once with each method, in long steps, for a short time."""
    pairs = enumerate(itertools.product(FEATURES, METHODS))
    return [Case(seed * 1_000_000 + i, *pair, events.EVENTS[i % 3], "long", EACH) for i, pair in pairs]


def case_of(number):
    seed, at = divmod(number, 1_000_000)
    return cases(seed, at + 1)[at]


def answer(program, folder, arguments=()):
    """The exit code, standard output and error; the code is None of a run that ended after SIGTERM, 'hangs' of one that
    did not."""
    command = [program, "run", str(Path(folder) / "scene.yaml"), "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    limit, asked = PATIENCE, False
    while True:
        try:
            out, err = process.communicate(timeout=0.5)
            return None if asked else process.returncode, out, err
        except subprocess.TimeoutExpired:
            if computed(process.pid) < limit:
                continue
        if asked:
            process.kill()
            process.communicate()
            return "hangs", "", ""
        process.send_signal(signal.SIGTERM)
        limit, asked = computed(process.pid) + PATIENCE, True


def computed(pid):
    """Seconds that a process has computed; of one that has gone, none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def says_something(err):
    """Whether there is more on standard error than the number of notes on model files."""
    return any(line.strip() and "what the model files say" not in line for line in err.splitlines())


def is_named(program, folder):
    """Whether `--verify` says that a run is not verified."""
    code, out, _ = answer(program, folder, ["--verify"])
    try:
        return json.loads(out)["verify"]["verdict"] in ("differs", "undetermined")
    except (ValueError, KeyError, TypeError):
        return code == 1


def judge(case, scene, code, out, err, named):
    """A word for what became of a run, and what there is to say about it."""
    if code is None:
        return "late", ""
    if code == "hangs":
        return "hangs", ""
    if code not in (0, 1, 2) or "panicked" in err or code and not err.strip():
        return "panics", f"exit {code}: {err.strip()[-200:]}"
    if code:
        return ("failed" if code == 1 else "refused"), err.strip()
    summary = json.loads(out)
    start, end = summary.get("energy_start"), summary.get("energy_end")
    if not all(math.isfinite(x) for x in (*summary["final_state"].values(), start or 0.0, end or 0.0)):
        return "not finite", ""
    if scene.driven or start is None or end is None:
        return "ended, driven", ""
    allowed = PROMISE[case.method] * scene.energy + ROUNDING * (1 + abs(start))
    gain = end - start
    if gain > allowed:
        said = says_something(err) or summary.get("starts_violated")
        word = "gains that are named" if said or named() else "silent gains"
        return word, f"{gain:.3g} J of {scene.energy:.3g} J {err.strip()[:100]}"
    return "ended", ""


def play(task):
    program, case, keep = task
    with tempfile.TemporaryDirectory(prefix="kinegraph-combinations-") as folder:
        scene = case.write(folder)
        began = time.monotonic()
        word, more = judge(case, scene, *answer(program, folder), lambda: is_named(program, folder))
        spent = time.monotonic() - began
        if keep and (word in WORDS or keep.endswith("all")):
            shutil.copytree(folder, Path(keep) / str(case.number), dirs_exist_ok=True)
    return case, word, more, spent


def table(found):
    """A row for each class of features, and one for each method."""
    words = ("ended", "ended, driven", "gains that are named", "failed", "refused", "late", *WORDS)
    for what, of in (("features of", lambda c: FEATURES[c.feature][0]), ("method", lambda c: c.method)):
        print(f"{what:24}" + "".join(f"{w.replace('gains that are', 'gain'):>15}" for w in ("draws", *words)))
        rows = {}
        for case, word, _, _ in found:
            rows.setdefault(of(case), Counter()).update(["draws", word])
        for row, counts in sorted(rows.items()):
            print(f"{row:24}" + "".join(f"{counts[w]:15}" for w in ("draws", *words)))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--kinegraph", required=True, type=lambda p: str(Path(p).resolve()))
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--draws", type=int, default=200)
    ap.add_argument("--each", action="store_true", help="each feature once with each method, for a short time")
    ap.add_argument("--draw", type=int, help="one draw again")
    ap.add_argument("--only", default="", help="features whose name has this")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--minutes", type=float, default=math.inf, help="no draw is begun after this time")
    ap.add_argument("--keep", help="where the files of faults are kept; of all draws, if its name ends in `all`")
    ap.add_argument("--verbose", action="store_true", help="a line for each draw")
    ap.add_argument("--markdown", action="store_true", help="the row of docs/reliability.md")
    a = ap.parse_args()
    os.environ["RUST_BACKTRACE"] = "0"
    drawn = cases(a.seed, a.draws)
    if a.each:
        drawn = each(a.seed)
    elif a.draw is not None:
        drawn = [case_of(a.draw)]
    drawn = [case for case in drawn if a.only in case.feature]
    found, end = [], time.monotonic() + 60 * a.minutes
    with ProcessPoolExecutor(a.jobs) as pool:
        # No more draws are begun once the time is over.
        tasks = ((a.kinegraph, case, a.keep) for case in drawn if time.monotonic() < end)
        while batch := list(itertools.islice(tasks, 8 * a.jobs)):
            for one in pool.map(play, batch):
                found.append(one)
                case, word, more, spent = one
                if word in WORDS or a.verbose or a.draw is not None:
                    line = f"{case.number} {case.feature}, {case.method}, {case.event}, {case.length}: {word} {more}"
                    print(f"{line} ({spent:.1f} s)", flush=True)
    table(found)
    counts = Counter(word for _, word, _, _ in found)
    if a.markdown:
        ended = counts["ended"] + counts["ended, driven"] + counts["gains that are named"]
        print(f"| combinations of {len(FEATURES)} features with {len(METHODS)} methods, landing, leaving and changing "
              f"partners, in short and long steps, seed {a.seed} | {len(found):,} | {ended:,} ended, "
              f"{counts['failed']:,} failed and {counts['refused']:,} were refused with a message, {counts['late']:,} "
              f"took longer than {PATIENCE} s; {counts['panics']} panics, {counts['silent gains']} silent gains, "
              f"{counts['not finite']} not finite, {counts['hangs']} hangs |")
    print(f"{counts['panics']} panics, {counts['silent gains']} silent gains of {len(found)}")
    sys.exit(any(counts[word] for word in WORDS))


if __name__ == "__main__":
    main()
