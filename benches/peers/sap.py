#!/usr/bin/env python3
"""`sap` with the preset `drake` beside Drake's discrete plant (SAP, point contact): trajectories, time of a step.

    python3 benches/peers/sap.py --scenes DIR --kinegraph PROGRAM --peers RUNNER [--out sap.json]

`DIR` as for compare.py; `PROGRAM` is the command line `kinegraph`, `RUNNER` the runner that compare.py builds. Both
engines take the same steps with the same friction coefficient (Drake's discrete plant has the dynamic one alone), the
same relaxation time, and controllers held constant over a step.
"""
import argparse
import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from engines import Diagrams, Runner

RELAXATION = 0.2      # s, of a pair: both sides have the runner's 0.1 s
SAME = 1e-3           # m or rad: positions differ from here on


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--kinegraph", type=Path, required=True)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--python", default=sys.executable, help="a Python that has drake")
    parser.add_argument("--trajectories", default="gripper_mp,franka,soft_clutter,conveyor")
    parser.add_argument("--times", default="hard_clutter_balls,scaleb_080")
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--core", type=int)
    parser.add_argument("--out", type=Path)
    # What a child process does: one trajectory of Drake's.
    parser.add_argument("--drake-trajectory", help=argparse.SUPPRESS)
    return parser.parse_args()


def overrides(scene, step):
    """What makes a diagram's `sap` that of Drake's runner."""
    values = {"simulation.integrator": "sap", "simulation.step": step, "simulation.external": "explicit",
              "simulation.sap.preset": "drake", "simulation.sap.relaxation_time": RELAXATION,
              "systems.plant.contact.static_friction": scene["contact"]["mu_d"]}
    return [word for path, value in values.items() for word in ("--set", f"{path}={value}")]


def drake_trajectory(options):
    """Positions of Drake's plant, every hundredth of a second, as JSON."""
    sys.path.insert(0, str(options.scenes))
    import run_drake
    from common import load_scene
    folder, scene = load_scene(options.drake_trajectory)
    built = run_drake.build(folder, scene, "sap", options.step, "point")
    wanted = argparse.Namespace(mode="sap", dt=options.step, accuracy=None, max_step=None, integrator_min_step=0.0)
    simulator = run_drake.make_sim(built, wanted, scene)
    samples = []
    for i in range(round(scene["duration"] / 0.01) + 1):
        simulator.AdvanceTo(i * 0.01)
        samples.append([float(x) for x in run_drake.state(built, simulator.get_context())[0]])
    print(json.dumps({"names": built.q_names, "q": samples}))


def kinegraph_trajectory(options, diagram, scene):
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "run.csv"
        command = [options.kinegraph, "run", diagram, "--record", file, "--set", "record.every=0.01"]
        words = [str(word) for word in command] + overrides(scene, options.step)
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        rows = list(csv.reader(file.open()))
    names = ["_".join(name.split(".")[1:]) for name in rows[0]]
    columns = {name: i for i, name in enumerate(names)}
    return columns, [[float(x) for x in row] for row in rows[1:]]


def differences(drake, columns, rows):
    """The largest difference of any position at each sample; rotations by their angle. The first is left out: Drake has
    taken the step from time zero when it is asked for the state there."""
    find = lambda name: columns.get(name, columns.get(name.removesuffix("_x") + "_q"))
    spins = [name[:-1] for name in drake["names"] if name.endswith("_qw")]
    of_spins = [spin + axis for spin in spins for axis in "wxyz"]
    plain = [(i, find(name)) for i, name in enumerate(drake["names"]) if name not in of_spins]
    turned = [[(drake["names"].index(s + a), columns[s + a]) for a in "wxyz"] for s in spins]
    largest = []
    for ours, theirs in zip(rows[1:], drake["q"][1:]):
        worst = max(abs(ours[k] - theirs[i]) for i, k in plain)
        for spin in turned:
            p, q = [ours[k] for _, k in spin], [theirs[i] for i, _ in spin]
            size, other = (math.sqrt(sum(x * x for x in quaternion)) for quaternion in (p, q))
            apart = [math.sqrt(sum((a / size - sign * b / other) ** 2 for a, b in zip(p, q))) for sign in (1, -1)]
            worst = max(worst, 2.0 * min(apart))
        largest.append(worst)
    return largest


def trajectories(options, diagrams):
    found = {}
    for name in options.trajectories.split(","):
        scene = json.loads((options.scenes / "scenes" / name / "scene.json").read_text())
        child = [options.python, __file__, "--scenes", options.scenes, "--kinegraph", options.kinegraph,
                 "--step", options.step, "--drake-trajectory", name]
        child = subprocess.run([str(word) for word in child], cwd=options.scenes, capture_output=True, text=True)
        drake = json.loads(child.stdout.splitlines()[-1])
        columns, rows = kinegraph_trajectory(options, diagrams(name), scene)
        largest = differences(drake, columns, rows)
        apart = next((0.01 * (i + 1) for i, d in enumerate(largest) if d > SAME), None)
        at = lambda time: max(largest[: round(time / 0.01)])
        found[name] = {"step": options.step, "duration": scene["duration"],
                       "until_0.1_s": at(0.1), "until_0.5_s": at(0.5), "whole_run": max(largest),
                       "apart_by_1e-3_after_s": apart}
        print(name, json.dumps(found[name]), file=sys.stderr)
    return found


def times(options, diagrams):
    run, found = Runner(options.core, 10 * options.budget), {}
    for name in options.times.split(","):
        scene = json.loads((options.scenes / "scenes" / name / "scene.json").read_text())
        theirs = [options.python, options.scenes / "run_drake.py", "--scene", name, "--mode", "sap",
                  "--dt", options.step, "--repeats", "1", "--budget", options.budget]
        own = [options.peers, diagrams(name), "--budget", options.budget] + overrides(scene, options.step)
        drakes, ours = [], []
        for _ in range(options.repeats):
            drakes.append(run(theirs, cwd=options.scenes))
            ours.append(run(own))
        bad = [r for r in drakes + ours if r.get("status") != "ok"]
        if bad:
            found[name] = {"failed": bad}
            continue
        drake, kinegraph = [statistics.median(r["cpu_s"] / r["steps"] for r in rs) for rs in (drakes, ours)]
        found[name] = {"step": options.step, "drake_us": 1e6 * drake, "kinegraph_us": 1e6 * kinegraph,
                       "ratio": kinegraph / drake,
                       "iterations_per_step": ours[0]["solver_iterations"] / ours[0]["steps"],
                       "drake_version": drakes[0].get("version")}
        print(name, json.dumps(found[name]), file=sys.stderr)
    return found


def main():
    options = arguments()
    options.scenes, options.kinegraph = options.scenes.resolve(), options.kinegraph.resolve()
    if options.drake_trajectory:
        return drake_trajectory(options)
    with tempfile.TemporaryDirectory() as scratch:
        diagrams = Diagrams(options.scenes, [], scratch)
        found = {"trajectories": trajectories(options, diagrams) if options.trajectories else {},
                 "times": times(options, diagrams) if options.peers and options.times else {}}
    print(json.dumps(found, indent=1))
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
