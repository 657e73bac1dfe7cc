"""How far two runs are apart, and how far small differences at the start may take them apart.

Two runs of accuracies a and b may differ by 20 (a + b), times the growth of a difference of one accuracy at the start:
where that is large the motion is chaotic, and nothing is judged. A difference counts where it lasts for two samples, so
that an event a little earlier or later is none.

An accuracy bounds the error of a step, and errors of steps add up. So the two may also differ by the sum of the errors
that their own steps estimate, times the same growth: what is beyond that no estimate saw.
"""

import bisect
import random
from dataclasses import dataclass

from relations import Unjudged

PROMISE = 20.0
# Growth from which on motion is chaotic.
CHAOS = 300.0
# Starts by whose difference growth is measured: one alone may lie along what does not grow.
STARTS = (1, 2, 3)


@dataclass
class Finding:
    """A disagreement: `size` in accuracies, `bound` what would have been right, `said` what the program said."""

    relation: str
    variant: str
    size: float
    bound: float
    where: str = ""
    time: float = 0.0
    said: str = ""
    # The runs of which one is off, and what `--verify` answers about them.
    runs: tuple = ()
    verdict: str = ""
    # Whether a list has it: then nobody asks `--verify`.
    known: bool = False

    @property
    def named_by_verify(self):
        return self.verdict in ("differs", "undetermined")

    @property
    def silent(self):
        return not (self.said or self.known or self.named_by_verify)

    @property
    def line(self):
        verdict = f"--verify: {self.verdict}" if self.named_by_verify else "known" if self.known else "silent"
        word = f"said: {self.said[:150]}" if self.said else verdict
        place = f" {self.where} at {self.time:.4g} s" if self.where else ""
        return f"{self.relation} ({self.variant}): {self.size:.3g} accuracies, at most {self.bound:.3g}{place}, {word}"


def weight(name, scene):
    """Elements of rotations count half, as angles of bodies do."""
    return 0.5 if name.count(".") == 2 and name.rsplit(".", 1)[1] in "345678" else 1.0


def differences(first, second, scene):
    """Largest lasting difference at each time: list of (time, difference, reading)."""
    n = min(len(first.times), len(second.times))
    found = []
    gaps = {}
    for name, a in first.values.items():
        b = second.values.get(name)
        if b is not None:
            w = weight(name, scene)
            gaps[name] = [w * abs(x - y) for x, y in zip(a[:n], b[:n])]
    for k in range(n - 1):
        best, who = 0.0, ""
        for name, gap in gaps.items():
            d = min(gap[k], gap[k + 1])
            if not d <= best:
                best, who = d, name
        found.append((first.times[k], best, who))
    return found


def perturbed(scene, size, seed=1):
    """The scene with all that it starts with moved by `size`, here up, there down."""
    rng = random.Random(seed)
    s = scene.copy()
    held = bool((s.plant or {}).get("constraints"))
    for b in s.bodies:
        for start in b.get("start", {}).values():
            if not held:
                start["q"] += size * rng.choice([-1, 1])
            start["v"] += size * rng.choice([-1, 1]) if not held else 0.0
        if b["base"] == "floating":
            plain = b.get("velocity") or {}
            b["velocity"] = {key: [x + size * rng.choice([-1, 1]) for x in plain.get(key, [0.0] * 3)]
                             for key in ("linear", "angular")}
    if s.plant:
        s.plant["gravity"] = [g * (1 + size * rng.choice([-1, 1])) for g in s.plant["gravity"]]
    for block in s.systems.values():
        if isinstance(block.get("initial"), list):
            block["initial"] = [x + size * rng.choice([-1, 1]) for x in block["initial"]]
    return s


def growth(program, scene, accuracy):
    """By how much a difference of one accuracy at the start has grown, up to each recorded time."""
    fine = accuracy / 100
    plain = program.accurate(scene, fine)
    moved = [program.accurate(perturbed(scene, accuracy, seed), fine) for seed in STARTS]
    # Another machine may be fast enough for it: what a late run leaves out must not make a difference of more.
    if any(run.ended == "late" for run in (plain, *moved)):
        raise Unjudged("late")
    if not (plain.done and any(run.done for run in moved)):
        return None
    best, found = 1.0, []
    for now in zip(*(differences(plain, run, scene) for run in moved if run.done)):
        best = max(best, *(d / accuracy for _, d, _ in now))
        found.append((now[0][0], best))
    return found


class Sums:
    """Of errors of steps, up to any time."""

    def __init__(self, steps):
        self.times, self.sums, total = [], [], 0.0
        for time, error in steps:
            total += error
            self.times.append(time)
            self.sums.append(total)

    def until(self, time):
        n = bisect.bisect_right(self.times, time * (1 + 1e-12))
        # The step that the time lies in counts, too.
        return self.sums[min(n, len(self.sums) - 1)] if self.sums else 0.0


def judge(program, scene, first, second, accuracies, extra=0.0, adds_up=True):
    """The worst lasting difference beyond what is allowed: (size, bound, reading, time) in accuracies, or None."""
    a = max(accuracies)
    gaps = differences(first, second, scene)
    allowed = PROMISE * sum(accuracies) + extra
    if not gaps or all(d <= allowed for _, d, _ in gaps):
        return None
    grown = growth(program, scene, a)
    if grown is None:
        return None
    sums = [Sums(program.errors(run)) for run in (first, second)] if adds_up else []
    # The base scene says what is chaotic; its variants move alike.
    worst = None
    for (time, d, name), (_, factor) in zip(gaps, grown):
        if factor > CHAOS:
            break
        most = max(allowed, sum(s.until(time) for s in sums)) * factor
        if d > most and (worst is None or d / most > worst[0]):
            worst = (d / most, d / a, most / a, name, time)
    return worst[1:] if worst else None


def same_bits(first, second, scale=None):
    """The first number of two ends that differs, or None."""
    a, b = first.summary.get("final_state", {}), second.summary.get("final_state", {})
    for name, x in a.items():
        y = b.get(name)
        if y is None:
            continue
        if x != y and not (x != x and y != y):
            return name, abs(x - y)
    return None
