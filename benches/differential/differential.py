#!/usr/bin/env python3
"""The same system, said in different ways, must move the same way: random diagrams of the catalog under relations.

  differential.py --kinegraph PROGRAM --seed N --draws N [--keep FOLDER] [--jobs 2]
  differential.py --kinegraph PROGRAM --draw SEED [--relation NAME]     one draw again
  differential.py --kinegraph PROGRAM --seeds seeds.txt                 the draws of a list

Prints each disagreement, a line a relation, and last `D of N disagree`; exit code 1 if any does. With `--keep` each is
shrunk to the smallest diagram that still disagrees, which is written there.
"""

import argparse
import collections
import random
import resource
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import shrink
from catalog import Catalog, pick
from classes import label
from draws import draw
from relations import Unjudged, all_relations
from run import PATIENCE as PATIENCE_OF_A_RUN
from run import Program

WEIGHTS = {"method": 3, "frame": 2.2, "wording": 2, "idle": 1.6, "units": 1, "resume": 0.3, "conservation": 2,
           "time": 3, "linear": 1.5}
# Relations under which one draw is looked at, and the seconds of a processor after which no further one is begun.
RELATIONS = 3
PATIENCE = 4.0
REPAIRS = 4


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
    path, catalog, seed, only, keep, of_kind, patience = task
    program = Program(path, catalog, patience)
    scene, kind, rng = draw(seed, catalog)
    began, found = used(), []
    if of_kind and kind != of_kind:
        return seed, kind, "another kind", [], 0
    try:
        base = admitted(program, scene, catalog)
        if base.ended not in ("done", "failed"):
            return seed, kind, base.ended, [], program.runs
        known = all_relations()
        chosen = [n for n in only if known[n].applies(scene)] if only else choose(rng, known, scene)
        for name in chosen:
            if not only and used() - began > PATIENCE:
                found.append((name, "late", None, "", ""))
                continue
            choice = (seed << 8) ^ sum(map(ord, name))
            found.append(judged(program, known[name], scene, choice, keep, seed))
        return seed, kind, base.ended, found, program.runs
    except Exception:  # a fault of this program is reported with its draw, and the others go on
        return seed, kind, "fault", [("fault", "fault", traceback.format_exc(), "", "")], program.runs


def choose(rng, known, scene):
    left = {n: WEIGHTS.get(n, 1) for n, m in known.items() if m.applies(scene)}
    chosen = []
    for _ in range(min(RELATIONS, len(left))):
        name = pick(rng, left)
        chosen.append(name)
        del left[name]
    return chosen


def judged(program, relation, scene, choice, keep, seed):
    try:
        finding = relation.check(program, scene, random.Random(choice))
    except Unjudged as reason:
        return relation.NAME, f"unjudged: {reason}", None, "", ""
    if finding is None:
        return relation.NAME, "agrees", None, "", ""
    if keep:
        scene, finding = shrink.smallest(program, relation, scene, choice, finding)
        folder = Path(keep) / f"{seed}-{relation.NAME}"
        scene.write(folder)
        (folder / "why.txt").write_text(f"{finding.line}\nclass: {label(scene, finding)}\n")
    return relation.NAME, "disagrees", finding, label(scene, finding), scene.parts()


def report(results, spent, jobs):
    counts = collections.defaultdict(collections.Counter)
    classes = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    bad, runs = set(), 0
    for seed, kind, ended, found, used in results:
        runs += used
        if ended in ("refused", "late", "crashed"):
            counts["(draws)"][ended] += 1
        for name, outcome, finding, group, _ in found:
            counts[name][outcome.split(":")[0]] += 1
            if outcome.startswith("unjudged"):
                reasons[f"{name}: {outcome[10:]}"] += 1
            if outcome == "disagrees":
                bad.add(seed)
                counts[name]["silent"] += not finding.said
                classes[group][name] += 1
    print("\nclasses:")
    for group, by in sorted(classes.items(), key=lambda item: -sum(item[1].values())):
        print(f"  {group:34} {sum(by.values()):4}  " + ", ".join(f"{n} {c}" for n, c in by.most_common()))
    if reasons:
        print("not judged: " + ", ".join(f"{n} {c}" for n, c in reasons.most_common(12)))
    print(f"\n{runs} runs in {spent:.0f} s by {jobs} processes")
    if counts.get("(draws)"):
        print("draws that say nothing: " + ", ".join(f"{c} {n}" for n, c in counts.pop("(draws)").items()))
    for name, c in sorted(counts.items()):
        print(f"{name:13} {c['agrees'] + c['disagrees']:4} judged, {c['disagrees']:4} disagree, "
              f"{c['silent']:4} silent, {c['unjudged'] + c['late']:4} not judged")
    print(f"{len(bad)} of {len(results)} disagree")
    return bool(bad)


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
    ap.add_argument("--kind", help="draws of this kind alone, such as ground")
    a = ap.parse_args()
    catalog = Catalog.read(a.kinegraph)
    seeds = [(a.seed * 1_000_000 + i, a.relation) for i in range(a.draws)]
    if a.draw:
        seeds = [(s, a.relation) for s in a.draw]
    if a.seeds:
        lines = [line.split("#")[0].split() for line in Path(a.seeds).read_text().splitlines()]
        seeds = [(int(line[0]), [line[1]]) for line in lines if line]
    # Single draws have the time that they need, so that other work on the machine changes nothing.
    patience = 10 * PATIENCE_OF_A_RUN if a.draw or a.seeds else PATIENCE_OF_A_RUN
    began, results = time.time(), []
    tasks = [(a.kinegraph, catalog, seed, only, a.keep, a.kind, patience) for seed, only in seeds]
    with ProcessPoolExecutor(a.jobs) as pool:
        for result in pool.map(look, tasks):
            results.append(result)
            seed, kind, _, found, _ = result
            for name, outcome, finding, group, parts in found:
                if outcome == "disagrees":
                    print(f"draw {seed} ({kind}, {parts} parts) {finding.line} [{group}]", flush=True)
                elif outcome == "fault":
                    print(f"draw {seed}: fault of the generator\n{finding}", file=sys.stderr, flush=True)
    bad = report(results, time.time() - began, a.jobs)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
