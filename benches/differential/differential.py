#!/usr/bin/env python3
"""The same system, said in different ways, must move the same way: random diagrams of the catalog under relations.

  differential.py --kinegraph PROGRAM --seed N --draws N [--keep FOLDER] [--jobs 2]
  differential.py --kinegraph PROGRAM --draw SEED [--relation NAME]     one draw again
  differential.py --kinegraph PROGRAM --seeds known.txt                 the draws of a list
  differential.py --kinegraph PROGRAM --known known.txt                 nothing that is not in the list
  differential.py --kinegraph PROGRAM --gate --known known.txt          the same, each draw under one relation
  differential.py --kinegraph PROGRAM --draws 10000 --log soak.jsonl    goes on where it was stopped

Prints each disagreement, a line a relation, and last `D of N disagree`; exit code 1 if any does. With `--keep` each is
shrunk to the smallest diagram that still disagrees, which is written there.
"""

import argparse
import random
import resource
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import coverage
import shrink
from catalog import Catalog, pick
from classes import label
from draws import draw
from outcomes import Draw, Log, Outcome, against_known, read_known, report, write_known
from relations import Dear, Unjudged, all_relations
from run import PATIENCE as PATIENCE_OF_A_RUN
from run import Program

WEIGHTS = {"method": 2.6, "frame": 2.2, "wording": 2, "idle": 1.4, "units": 1, "resume": 0.2, "conservation": 2,
           "time": 3, "linear": 1.5, "momentum": 3, "closed": 6, "redundant": 0.8, "readout": 0.8, "switch": 0.4,
           "sweep": 0.3}
# Relations under which one draw is looked at, and the seconds of a processor after which no further one is begun.
RELATIONS = 3
PATIENCE = 3.0
REPAIRS = 4
# In the gate: steps of the scene as drawn from which on nothing more is asked, and seconds of a processor for each run.
# The first is the same on any machine; the second is there for what never ends.
GATE_STEPS = 400
GATE_PATIENCE = 2


@dataclass(frozen=True)
class Task:
    """One draw to be looked at: `only` these relations if there are any, `known` ones without a question to --verify."""

    path: str
    catalog: Catalog
    seed: int
    only: list
    keep: str
    of_kind: str
    patience: float
    gate: bool
    known: frozenset


def admitted(program, scene, catalog):
    """The scene as the program takes it: what it refuses of a block is as in the example of the type."""
    for _ in range(REPAIRS):
        run = program.run(scene)
        if run.ended != "refused":
            return run
        named = [n for n in scene.systems if f"systems.{n}:" in run.said or f"systems.{n}." in run.said]
        if not named:
            return run
        for n in named:
            kind = scene.systems[n]["type"]
            example = next((b for b in catalog.blocks[kind].example.values() if b.get("type") == kind), None)
            if example:
                kept = {k: v for k, v in scene.systems[n].items() if k in ("inputs", "model", "reset", "reset_to")}
                scene.systems[n] = {**example, **kept}
    return run


def used():
    """Seconds of a processor that the runs of this process took."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def look(task):
    """One draw under relations drawn from its seed: what came of each."""
    seed, kind = task.seed, ""
    program = Program(task.path, task.catalog, task.patience)
    try:
        scene, kind, rng = draw(seed, task.catalog)
        began, found = used(), []
        if task.of_kind and kind != task.of_kind:
            return Draw(seed, kind, "another kind", [])
        base = admitted(program, scene, task.catalog)
        if base.ended not in ("done", "failed"):
            return Draw(seed, kind, base.ended, [], program.runs)
        if task.gate and base.summary.get("steps", 0) > GATE_STEPS:
            return Draw(seed, kind, "dear", [], program.runs)
        known = all_relations()
        if task.gate and not task.only:
            applying = [name for name, relation in known.items() if relation.applies(scene)]
            chosen = applying[seed % len(applying):][:1] if applying else []
        else:
            chosen = [n for n in task.only if known[n].applies(scene)] if task.only else choose(rng, known, scene)
        for name in chosen:
            if not task.only and used() - began > PATIENCE * task.patience:
                found.append(Outcome(name, "late"))
                continue
            choice = (seed << 8) ^ sum(map(ord, name))
            found.append(judged(program, known[name], scene, choice, task))
        return Draw(seed, kind, base.ended, found, program.runs)
    except Exception:  # a fault of this program is reported with its draw, and the others go on
        return Draw(seed, kind, "fault", [Outcome("fault", "fault", traceback.format_exc())], program.runs)


def choose(rng, known, scene):
    left = {n: WEIGHTS.get(n, 1) for n, m in known.items() if m.applies(scene)}
    chosen = []
    for _ in range(min(RELATIONS, len(left))):
        name = pick(rng, left)
        chosen.append(name)
        del left[name]
    return chosen


def judged(program, relation, scene, choice, task):
    keep, seed = task.keep, task.seed
    try:
        finding = relation.check(program, scene, random.Random(choice))
    except Unjudged as reason:
        return Outcome(relation.NAME, f"unjudged: {reason}")
    except Dear as cost:
        return Outcome(relation.NAME, f"agrees: {cost}")
    if finding is None:
        return Outcome(relation.NAME, "agrees")
    if keep:
        scene, finding = shrink.smallest(program, relation, scene, choice, finding)
        folder = Path(keep) / f"{seed}-{relation.NAME}"
        scene.write(folder)
        (folder / "why.txt").write_text(f"{finding.line}\nclass: {label(scene, finding)}\n")
    finding.known = (seed, relation.NAME) in task.known
    if not finding.said and not finding.known:
        finding.verdict = program.verdict(finding.runs)
    return Outcome(relation.NAME, "disagrees", finding.line, finding.silent, label(scene, finding), scene.parts())


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--kinegraph", required=True, type=lambda p: str(Path(p).resolve()))
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--draws", type=int, default=300)
    ap.add_argument("--keep", help="a folder for the smallest diagrams that disagree")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--draw", type=int, action="append", help="the seed of one draw")
    ap.add_argument("--seeds", help="a file with a seed and a relation a line")
    ap.add_argument("--relation", action="append", help="this relation alone")
    ap.add_argument("--known", help="a list of disagreements: exit code 1 where one is found that is not in it")
    ap.add_argument("--write-known", help="writes that list; what it has of draws that were not judged is kept")
    ap.add_argument("--gate", action="store_true", help="each draw under one relation, and none with many steps")
    ap.add_argument("--log", help="a line for each draw is kept here; draws that it has are not run again")
    ap.add_argument("--patience", type=int, help="seconds of a processor for each run")
    ap.add_argument("--coverage", action="store_true", help="what the draws use of what is declared, and what never")
    ap.add_argument("--kind", help="draws of this kind alone, such as ground")
    a = ap.parse_args()
    catalog = Catalog.read(a.kinegraph)
    seeds = [(a.seed * 1_000_000 + i, a.relation) for i in range(a.draws)]
    if a.draw:
        seeds = [(s, a.relation) for s in a.draw]
    if a.seeds:
        lines = [line.split("#")[0].split() for line in Path(a.seeds).read_text().splitlines()]
        listed = {}
        for line in filter(None, lines):
            listed.setdefault(int(line[0]), []).append(line[1])
        seeds = list(listed.items())
    # Single draws have the time that they need, so that other work on the machine changes nothing.
    patience = a.patience or (10 if a.draw or a.seeds else GATE_PATIENCE if a.gate else 1) * PATIENCE_OF_A_RUN
    log = Log(a.log)
    known = read_known(a.known) if a.known else {}
    tasks = [Task(a.kinegraph, catalog, seed, only, a.keep, a.kind, patience, a.gate, frozenset(known))
             for seed, only in seeds if seed not in log.done]
    if a.coverage:
        coverage.show(a.kinegraph, catalog, [seed for seed, _ in seeds])
        return 0
    with ProcessPoolExecutor(a.jobs) as pool:
        for done in pool.map(look, tasks):
            log.add(done)
            for o in done.found:
                if o.bad:
                    print(f"draw {done.seed} ({done.kind}, {o.parts} parts) {o.line} [{o.group}]", flush=True)
                elif o.word == "fault":
                    print(f"draw {done.seed}: fault of the generator\n{o.line}", file=sys.stderr, flush=True)
    draws = [log.done[seed] for seed, _ in seeds]
    own = resource.getrusage(resource.RUSAGE_SELF)
    bad = report(draws, used() + own.ru_utime + own.ru_stime, a.jobs)
    if a.write_known:
        write_known(a.write_known, draws)
    faults = any(o.word == "fault" for d in draws for o in d.found)
    if a.known:
        return 0 if against_known(draws, known) and not faults else 1
    return 1 if bad or faults else 0


if __name__ == "__main__":
    sys.exit(main())
