#!/usr/bin/env python3
"""Runs, kills, resumes and damages for hours, and says what it found.

  soak.py --binary target/release/kinegraph --hours 8 [--seed 0] [--jobs 2] [--keep FOLDER] [--markdown]

Scenes are those of benches/promises, made from the seed. Each round takes one scene of one family:

- runs: through every integrator. A run ends well with finite numbers, or fails, or is refused, with a message.
- stops: a run is ended by SIGTERM at a random moment, resumed from its snapshot, and ended again. Its last snapshot
  has the bytes of that of the run that nobody ended.
- kills: a run of several parts, each of which resumes from the snapshot of the one before and writes over it, is
  killed (SIGKILL) at random moments. The snapshot is then whole, and the last one has the bytes of the undisturbed run.
- damage: diagrams, models, snapshots and recordings with random changes. They are read or refused with a message; a
  damaged snapshot resumes to no other result. A run that is only long (a top made to turn a billion times faster) is
  ended by SIGTERM and counted apart.

What contradicts this is kept in a folder, with the command, and counted; the exit code says whether there was any.
"""

import argparse
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "promises"))
from families import FAMILIES  # noqa: E402

INTEGRATORS = (
    "cenic cenic-trapezoid icf sap theta-gamma projected-gauss-seidel rk3 bs23 dopri5 sdirk2 ros2 implicit-euler "
    "semi-implicit-euler"
).split()
# Scenes last as long as they do; a run that takes longer than this is counted apart, and is no fault.
RUN_SECONDS = 30
DAMAGED_SECONDS = 20
MAX_BYTES = 4 << 30
PARTS = 5
DAMAGED_OF_EACH = 8
TOKENS = [b"nan", b".inf", b"1e308", b"-1", b"1e-320", b"", b"[", b"}", b"\n", b"\0", b"\xff\xff", b"<", b"true", b"0"]


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))


class Round:
    """One scene, and all that is done with it."""

    def __init__(self, binary, seed, keep):
        self.binary, self.seed, self.keep = binary, seed, keep
        self.random = random.Random(seed)
        self.counts, self.faults = Counter(), []

    def call(self, *arguments, seconds=RUN_SECONDS):
        """Exit code, standard output and standard error; the code is None after too long a time."""
        command = [self.binary, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=seconds, preexec_fn=limited)
        except subprocess.TimeoutExpired:
            return None, "", ""
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def fault(self, what, arguments, said=""):
        """Keeps the folder of the scene beside the command."""
        self.counts["faults"] += 1
        self.faults.append(f"seed {self.seed}: {what}: {' '.join(map(str, arguments))}: {said.strip()[-300:]}")
        if self.keep:
            target = Path(self.keep) / f"{self.seed}-{self.counts['faults']}"
            shutil.copytree(self.folder, target, dirs_exist_ok=True)
            (target / "fault.txt").write_text(self.faults[-1] + "\n")

    def answered(self, answer, arguments):
        """Whether the program ended as it is to: well, with a fault of the run, or with one of its input."""
        code, _, err = answer
        if code in (0, 1, 2) and "panicked" not in err and (code == 0 or err.strip()):
            return True
        self.fault(f"exit {code}", arguments, err)
        return False

    def play(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = Path(folder)
            family = sorted(FAMILIES)[self.seed % len(FAMILIES)]
            scene = FAMILIES[family](self.seed)
            for name, text in scene.files.items():
                (self.folder / name).write_text(text)
            self.file = self.folder / "scene.yaml"
            ran = self.runs(scene)
            if ran:
                # The longest run is the most likely one to be hit.
                chosen, _ = max(self.random.sample(ran, min(4, len(ran))), key=lambda run: run[1])
                chosen = self.longer(chosen)
                self.stops(chosen)
                self.kills(chosen)
            self.damage(scene)
        return self.counts, self.faults

    def runs(self, scene):
        """The arguments and times of those that ended well."""
        ran = []
        for name in INTEGRATORS:
            accuracy = self.random.choice(["1e-2", "1e-3", "1e-4"])
            arguments = ["run", self.file, "--quiet", "--integrator", name]
            fixed = name in ("icf", "sap", "theta-gamma", "projected-gauss-seidel", "semi-implicit-euler")
            arguments += ["--step", "1e-3"] if fixed else ["--accuracy", accuracy]
            start = time.monotonic()
            answer = self.call(*arguments, "--json")
            self.counts["runs"] += 1
            if answer[0] is None:
                self.counts["runs that took too long"] += 1
                continue
            if not self.answered(answer, arguments):
                continue
            if answer[0]:
                self.counts["runs that failed" if answer[0] == 1 else "runs that were refused"] += 1
                continue
            summary = json.loads(answer[1])
            self.counts["solves"] += summary["solves"]
            state = json.dumps(summary["final_state"])
            if any(not math.isfinite(x) for x in numbers(summary["final_state"])):
                self.fault("a state that is not finite", arguments, state)
            ran.append((arguments, time.monotonic() - start))
            self.last = summary["sim_time"]
        return ran

    def ended(self, arguments, signal_number, wait):
        """Sends a signal after some time; the exit code."""
        command = [self.binary, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limited)
        try:
            _, err = process.communicate(timeout=wait)
            self.counts["runs that ended before the signal"] += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal_number)
            self.counts["SIGTERM" if signal_number == signal.SIGTERM else "SIGKILL"] += 1
            try:
                _, err = process.communicate(timeout=RUN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                self.fault("no end after a signal", arguments)
                return None
        return process.returncode

    def longer(self, arguments):
        """The same run in steps so small that a signal finds it at work."""
        return [*arguments[:-1], "1e-4" if arguments[-2] == "--step" else "1e-6"]

    def stops(self, arguments):
        whole, end = self.folder / "whole.snap", self.folder / "end.snap"
        start = time.monotonic()
        if self.call(*arguments, "--snapshot", whole)[0] != 0:
            return
        took = time.monotonic() - start
        resumed = []
        for i in range(3):
            # An output is none of the inputs.
            state = self.folder / f"state{i}.snap"
            command = [*arguments, *resumed, "--snapshot", state]
            code = self.ended(command, signal.SIGTERM, self.random.uniform(0, took))
            if state.exists():
                resumed = ["--resume", state]
                self.counts["snapshots of stopped runs"] += 1
            if code == 0:
                break
        command = [*arguments, *resumed, "--snapshot", end]
        answer = self.call(*command)
        if answer[0] is None:
            return
        self.counts["resumed runs"] += 1
        if answer[0] != 0 or end.read_bytes() != whole.read_bytes():
            self.fault("resumed to another end", command, answer[2])

    def part(self, arguments, i, name):
        """One part of a run: it resumes from the snapshot of the one before, and writes over that before."""
        resumed = ["--resume", self.folder / f"{name}{(i + 1) % 2}.snap"] if i else []
        state = self.folder / f"{name}{i % 2}.snap"
        return [*arguments, *resumed, "--until", (i + 1) * self.last / PARTS, "--snapshot", state], state

    def kills(self, arguments):
        start = time.monotonic()
        for i in range(PARTS):
            command, whole = self.part(arguments, i, "parts")
            if self.call(*command)[0] != 0:
                return
        took = (time.monotonic() - start) / PARTS
        for i in range(PARTS):
            command, state = self.part(arguments, i, "killed")
            before = state.read_bytes() if state.exists() else None
            for _ in range(3):
                self.ended(command, signal.SIGKILL, self.random.uniform(0, 1.2 * took))
                if state.exists() and state.read_bytes() != before:
                    # Its snapshot is there, whole: the next part resumes from it.
                    break
            else:
                answer = self.call(*command)
                if answer[0] is None:
                    return
                if answer[0] != 0:
                    self.fault("a snapshot was lost", command, answer[2])
                    return
        self.counts["killed runs"] += 1
        if state.read_bytes() != whole.read_bytes():
            self.fault("killed and resumed to another end", command)

    def damaged(self, whole):
        """One to eight changes."""
        r, data = self.random, bytearray(whole)
        for _ in range(r.randint(1, 8)):
            at = r.randrange(len(data) + 1)
            end = min(at + r.randrange(1 << r.randrange(8)), len(data))
            kind = r.randrange(6)
            if kind == 0 and at < len(data):
                data[at] ^= 1 << r.randrange(8)
            elif kind == 1:
                data[at:at] = r.choice(TOKENS)
            elif kind == 2:
                del data[at:end]
            elif kind == 3:
                data[at:at] = data[at:end]
            elif kind == 4 and r.random() < 0.3:
                del data[at:]
            else:
                digits = [i for i in range(at, min(at + 60, len(data))) if chr(data[i]).isdigit()]
                if digits:
                    data[digits[0] : digits[0] + 1] = r.choice(TOKENS)
        return bytes(data)

    def damage(self, scene):
        run = ["run", self.file, "--quiet", "--integrator", "cenic", "--until", "0.02"]
        snapshot = self.folder / "good.snap"
        sources = [(name, self.folder / name) for name in scene.files]
        recordings = [self.folder / f"good.{ending}" for ending in ("csv", "jsonl", "mcap")]
        well = self.call(*run, "--snapshot", snapshot)[0] == 0
        for recording in recordings:
            well = self.call(*run, "--every", "0.005", "--record", recording)[0] == 0 and well
        for name, file in sources:
            good = file.read_bytes()
            for _ in range(DAMAGED_OF_EACH):
                file.write_bytes(self.damaged(good))
                # A damaged `simulation` section may mean a long run: only the start of it.
                self.read(["check", self.file] if self.random.random() < 0.5 else [*run[:5], "--until", "1e-3"])
            file.write_bytes(good)
        if not well:
            return
        later, good_end, end = [*run[:-1], "0.03"], self.folder / "good_end.snap", self.folder / "bad_end.snap"
        if self.call(*later, "--resume", snapshot, "--snapshot", good_end)[0] != 0:
            return
        good = snapshot.read_bytes()
        bad = self.folder / "bad.snap"
        for _ in range(DAMAGED_OF_EACH):
            bad.write_bytes(self.damaged(good))
            end.unlink(missing_ok=True)
            command = [*later, "--resume", bad, "--snapshot", end]
            answer = self.read(command)
            if answer[0] == 0 and end.read_bytes() != good_end.read_bytes():
                self.fault("a damaged snapshot resumed to another end", command)
        for recording in recordings:
            bad = self.folder / f"bad{recording.suffix}"
            good = recording.read_bytes()
            for _ in range(DAMAGED_OF_EACH):
                bad.write_bytes(self.damaged(good))
                self.read(["plot", bad, "-o", self.folder / "bad.svg"])

    def read(self, arguments):
        """Of damaged input: an answer, in time; what runs on ends when it is asked to."""
        answer = self.call(*arguments, seconds=DAMAGED_SECONDS)
        self.counts["damaged inputs"] += 1
        if answer[0] is None and arguments[0] == "run":
            if self.ended(arguments, signal.SIGTERM, DAMAGED_SECONDS / 4) == 128 + signal.SIGTERM:
                self.counts["damaged inputs that ran on"] += 1
                return answer
        if self.answered(answer, arguments):
            self.counts["damaged inputs refused"] += answer[0] != 0
        return answer


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, (int, float)):
        yield value


def play(task):
    return Round(*task).play()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--binary", required=True, type=lambda p: str(Path(p).resolve()))
    ap.add_argument("--hours", type=float, required=True)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--keep", help="where faults are kept")
    ap.add_argument("--markdown", action="store_true", help="the row of docs/reliability.md")
    a = ap.parse_args()
    os.environ["RUST_BACKTRACE"] = "0"
    counts, faults, rounds = Counter(), [], 0
    end = time.monotonic() + 3600 * a.hours
    with ProcessPoolExecutor(a.jobs) as pool:
        while time.monotonic() < end:
            tasks = [(a.binary, a.seed + rounds + i, a.keep) for i in range(2 * a.jobs)]
            rounds += len(tasks)
            for more, found in pool.map(play, tasks):
                counts += more
                faults += found
                for fault in found:
                    print(fault, file=sys.stderr, flush=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts["rounds"] = rounds
    print(f"seed {a.seed}, {cpu.ru_utime + cpu.ru_stime:.0f} s of computing")
    if a.markdown:
        n = {key: f"{value:,}" for key, value in counts.items()}
        get = lambda key: n.get(key, "0")  # noqa: E731
        print(
            f"| soak | {get('rounds')} scenes: {get('runs')} runs by {len(INTEGRATORS)} integrators, "
            f"{get('solves')} solves; {get('SIGKILL')} kills, {get('SIGTERM')} stops; {get('damaged inputs')} damaged "
            f"inputs | {get('runs that failed')} runs failed, {get('runs that were refused')} were refused, "
            f"{get('runs that took too long')} took longer than {RUN_SECONDS} s; {get('killed runs')} killed and "
            f"{get('resumed runs')} stopped runs ended with the bits of undisturbed ones; "
            f"{get('damaged inputs refused')} inputs refused, {get('damaged inputs that ran on')} ran on until they were "
            f"stopped; {get('faults')} faults |"
        )
    else:
        for key, value in sorted(counts.items()):
            print(f"{value:>12}  {key}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
