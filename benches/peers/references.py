#!/usr/bin/env python3
"""References of scenes that have none: how each ends by an explicit method at tight accuracies, where two of them
agree.

    python3 benches/peers/random_scenes.py --scenes DIR --out OUT --seed 1 --count 60
    python3 benches/peers/references.py --scenes OUT
    python3 benches/peers/compare.py --scenes OUT --accuracies 1e-1,1e-2,1e-3,1e-4,1e-5,1e-6 --engines kinegraph,drake

OUT/reference/NAME.json gets the positions at the end, from the tighter run of `dopri5`, which follows every contact and
solves nothing; its `deviation` is by how much the two runs differ. Where they differ by more than `--tolerance`, or one
does not end within `--budget`, there is no reference: the motion is chaotic, or too stiff for an explicit method. Nor
is there one where joints have stops, which are rigid to CENIC and springs to an explicit method.
"""
import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engines import Diagrams, Kinegraph, Runner, build_kinegraph
from precision import end_of, largest_deviation, positions_of


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=Path, required=True, help="a folder as compare.py takes it")
    p.add_argument("--accuracies", default="1e-9,1e-10", help="two, the tighter one last")
    p.add_argument("--tolerance", type=float, default=3e-4, help="largest deviation of the two, m or rad")
    p.add_argument("--budget", type=float, default=60.0, help="seconds for one run")
    p.add_argument("--jobs", type=int, default=2, help="scenes at the same time")
    p.add_argument("--kinegraph", metavar="PROGRAM", help="a build of run_kinegraph; default: builds it")
    a = p.parse_args()
    a.scenes, a.set, a.tight = a.scenes.resolve(), ["simulation.integrator=dopri5"], a.accuracies
    return a


def reference(a, explicit, scene):
    """The reference of a scene, and what is to be said of it."""
    if has_stops(a.scenes / "scenes" / scene):
        return None, "its joints have stops"
    runs = []
    for accuracy in a.accuracies.split(","):
        run = explicit(scene, accuracy, False)
        if run.get("status") != "ok":
            return None, f"{accuracy}: {run.get('status')} {(run.get('error') or '')[:80]}"
        runs.append(run)
    names = positions_of(runs[-1])
    coarse, fine = (end_of(run, names) for run in runs)
    deviation = largest_deviation(coarse, fine)
    if not deviation <= a.tolerance:
        return None, f"the two runs differ by {deviation:.1e}"
    duration = json.loads((a.scenes / "scenes" / scene / "scene.json").read_text())["duration"]
    return {"by": f"dopri5 at {a.accuracies}", "deviation": deviation, "t": [duration], "q_names": names,
            "q": [[fine[name] for name in names]]}, f"{deviation:.1e}"


def has_stops(folder):
    return any("<limit lower" in model.read_text() for model in folder.glob("*.urdf"))


def main():
    a = arguments()
    folder = a.scenes / "reference"
    folder.mkdir(exist_ok=True)
    scenes = [p.name for p in sorted((a.scenes / "scenes").iterdir()) if not (folder / f"{p.name}.json").exists()]
    made = 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(a.jobs) as pool:
        run, diagrams = Runner(None, 2 * a.budget), Diagrams(a.scenes, [], scratch)
        explicit = Kinegraph("dopri5", a.kinegraph or build_kinegraph(), a, run, diagrams)
        for scene, (found, said) in zip(scenes, pool.map(lambda scene: reference(a, explicit, scene), scenes)):
            print(f"{scene:20s} {said}", file=sys.stderr, flush=True)
            if found:
                made += 1
                (folder / f"{scene}.json").write_text(json.dumps(found, indent=1))
    print(f"{made} references of {len(scenes)} scenes")


if __name__ == "__main__":
    main()
