#!/usr/bin/env python3
"""CPU time of a second of MJCF files, beside MuJoCo at the step that each file asks for.

  beside_mujoco.py --binary target/release/kinegraph --root FOLDER FILE.xml [FILE.xml ...] [--rounds 3] [--core 1]

Run it with a Python that has mujoco 4.0.0. Both go in turns on one core, without loading (here: the time of the whole
less that of a run of no length); medians. No controls, from where the file puts everything. Files and what they include
lie within FOLDER.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MUJOCO = """
import mujoco, sys, time
m = mujoco.MjModel.from_xml_path(sys.argv[1])
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
start = time.process_time()
while d.time < 1.0:
    mujoco.mj_step(m, d)
print(time.process_time() - start, m.opt.timestep, m.nv)
"""
SCENE = """kinegraph: 1
model_paths: [{root}]
systems:
  plant: {{type: multibody_plant, models: [{{name: m, file: {model}}}]}}
simulation: {{duration: {duration}, integrator: cenic, accuracy: {accuracy}}}
"""


def timed(arguments):
    """CPU time of a program [s], and what it prints."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        printed = program.stdout.read()
        _, program.returncode, used = os.wait4(program.pid, 0)
    return used.ru_utime + used.ru_stime, printed


def ours(options, pinned, model):
    """CPU time of the steps of a second [s], and the counts of the run."""
    with tempfile.TemporaryDirectory() as folder:
        def run(duration):
            path = Path(folder) / "scene.yaml"
            path.write_text(SCENE.format(root=options.root, model=model, duration=duration, accuracy=options.accuracy))
            return timed([*pinned, options.binary, "run", str(path), "--json", "--quiet"])

        (whole, printed), (loading, _) = run(1.0), run(1e-9)
    return whole - loading, json.loads(printed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--accuracy", type=float, default=1e-3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", default="1")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    pinned = ["taskset", "-c", options.core]
    print("| file | degrees of freedom | MuJoCo, times real time | here | steps, solves |\n|---|---|---|---|---|")
    for model in map(os.path.abspath, options.models):
        peer, own, size, counts = [], [], "", {}
        for _ in range(options.rounds):
            _, printed = timed([*pinned, sys.executable, "-c", MUJOCO, model])
            taken, step, size = printed.decode().split()
            peer.append(float(taken))
            taken, counts = ours(options, pinned, model)
            own.append(taken)
        rates = [1.0 / statistics.median(times) for times in (peer, own)]
        print(f"| `{Path(model).name}` | {size} | {rates[0]:.3g} ({step} s) | {rates[1]:.2g} | "
              f"{counts['steps'] + counts['rejected_steps']}, {counts['solves']} |", flush=True)


if __name__ == "__main__":
    main()
