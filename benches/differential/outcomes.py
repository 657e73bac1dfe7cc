"""What came of each draw: kept a line a draw, so that a stopped run goes on, and compared with what is known."""

import collections
import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Outcome:
    """One relation of one draw: `word` is agrees, `agrees: at what cost`, disagrees, late, fault, or `unjudged: why`.

    `silent`: nothing that the program says names it, nor does `--verify`.
    """

    relation: str
    word: str
    line: str = ""
    silent: bool = True
    group: str = ""
    parts: int = 0

    @property
    def bad(self):
        return self.word == "disagrees"


@dataclass
class Draw:
    seed: int
    kind: str
    ended: str
    found: list
    runs: int = 0


class Log:
    """A file with a line of JSON for each draw that is done. Without a path nothing is kept."""

    def __init__(self, path):
        self.path, self.done = path, {}
        if path and Path(path).exists():
            for line in Path(path).read_text().splitlines():
                try:
                    draw = json.loads(line)
                except ValueError:  # the last line of a run that was stopped
                    continue
                draw["found"] = [Outcome(**o) for o in draw["found"]]
                self.done[draw["seed"]] = Draw(**draw)

    def add(self, draw):
        self.done[draw.seed] = draw
        if self.path:
            with open(self.path, "a") as file:
                file.write(json.dumps(asdict(draw)) + "\n")


def read_known(path):
    """Disagreements of a list: (seed, relation) to class."""
    found = {}
    for line in Path(path).read_text().splitlines():
        words, _, group = line.partition("#")
        if words.split():
            seed, relation = words.split()[:2]
            found[int(seed), relation] = group.strip()
    return found


def write_known(path, draws):
    """Writes what disagrees, and what the list had of draws and relations that were not judged."""
    had = read_known(path) if Path(path).exists() else {}
    judged = {(d.seed, o.relation) for d in draws for o in d.found if o.bad or o.word.startswith("agrees")}
    found = {(d.seed, o.relation): o.group for d in draws for o in d.found if o.bad}
    found.update({row: group for row, group in had.items() if row not in judged})
    lines = ["# Disagreements that are known: draw, relation, class. `differential.py --known` fails at any other, and",
             "# names lines that agree by now, which are to be deleted."]
    lines += [f"{seed} {relation:12}  # {group}" for (seed, relation), group in sorted(found.items())]
    Path(path).write_text("\n".join(lines) + "\n")


def against_known(draws, known):
    """Prints what the list has not, and what it has that agrees by now; whether the list has all."""
    new, gone = [], []
    for d in draws:
        for o in d.found:
            listed = (d.seed, o.relation) in known
            if o.bad and not listed:
                new.append((d.seed, o))
            elif o.word.startswith("agrees") and listed:
                gone.append((d.seed, o))
    for seed, o in gone:
        print(f"agrees now, delete its line: {seed} {o.relation}  # {known[seed, o.relation]}")
    for seed, o in new:
        print(f"not known: {seed} {o.relation}  # {o.group}")
    print(f"{len(new)} disagreements that are not known, {len(gone)} known ones that agree now")
    return not new


def report(draws, spent, jobs):
    """Prints the classes, the relations and `D of N disagree`; whether any does."""
    counts = collections.defaultdict(collections.Counter)
    classes = collections.defaultdict(collections.Counter)
    in_class = collections.defaultdict(set)
    reasons, dear = collections.Counter(), collections.Counter()
    for d in draws:
        if d.ended in ("refused", "late", "crashed", "dear"):
            counts["(draws)"][d.ended] += 1
        for o in d.found:
            counts[o.relation][o.word.split(":")[0]] += 1
            dear[o.relation] += o.word.startswith("agrees:")
            if o.word.startswith("unjudged"):
                reasons[f"{o.relation}: {o.word[10:]}"] += 1
            if o.bad:
                counts[o.relation]["silent"] += o.silent
                classes[o.group][o.relation] += 1
                in_class[o.group].add(d.seed)
    print("\nclasses:")
    for group, by in sorted(classes.items(), key=lambda item: -sum(item[1].values())):
        few = ", ".join(map(str, sorted(in_class[group])[:3]))
        relations = ", ".join(f"{n} {c}" for n, c in by.most_common())
        print(f"  {group:34} {sum(by.values()):4}  {relations}  ({few})")
    if reasons:
        print("not judged: " + ", ".join(f"{n} {c}" for n, c in reasons.most_common(12)))
    print(f"\n{sum(d.runs for d in draws)} runs, {spent:.0f} s of processors, {jobs} processes")
    if counts.get("(draws)"):
        print("draws that say nothing: " + ", ".join(f"{c} {n}" for n, c in counts.pop("(draws)").items()))
    for name, c in sorted(counts.items()):
        print(f"{name:13} {c['agrees'] + c['disagrees']:4} judged, {c['disagrees']:4} disagree, "
              f"{c['silent']:4} silent, {c['unjudged'] + c['late']:4} not judged")
    costs = [f"{n} {c}" for n, c in dear.items() if c]
    if costs:
        print("agree, but at more steps than something idle is worth: " + ", ".join(costs))
    bad = sum(any(o.bad for o in d.found) for d in draws)
    silent = sum(any(o.bad and o.silent for o in d.found) for d in draws)
    gains = sum(any(o.bad and o.relation == "conservation" and ", gained " in o.line for o in d.found) for d in draws)
    print(f"silent: {silent}, known, or named by a fault, a note or --verify: {bad - silent}, "
          f"with a gain of energy: {gains}")
    print(f"{bad} of {len(draws)} disagree")
    return bool(bad)
