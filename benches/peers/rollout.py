#!/usr/bin/env python3
"""Many worlds of a scene on two threads: `kinegraph.Worlds` and `mujoco.rollout`, turn by turn.

    pip install ./python mujoco numpy
    python3 benches/peers/rollout.py --scenes DIR [--only arm7,gripper] [--worlds 64] [--threads 2]

DIR is that of compare.py. Kinegraph's worlds advance with `cenic` at 1e-3, MuJoCo's by steps of 1 ms; every world has
a start of its own, velocities 1e-3 apart. Boxes touch in their corners, as MuJoCo's do (`--points deepest`: in one
point, on which a grasped box rocks from corner to corner). Wall time, the shorter of `--repeats` each; loading is not
in it. The table has simulated seconds per second of wall time, of all worlds together.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import mujoco.rollout
import numpy as np

import kinegraph as kg

STEP = 1e-3


def of_kinegraph(options, scene, duration):
    with tempfile.TemporaryDirectory() as out:
        scenes = options.scenes
        command = [sys.executable, scenes / "to_kinegraph.py", scenes / "scenes" / scene, out]
        command += ["--points", options.points]
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
        diagram = kg.load(f"{out}/{scene}.yaml", set={"simulation.accuracy": 1e-3})
        worlds = kg.Worlds(diagram, options.worlds, threads=options.threads, accuracy=1e-3)
    states = worlds.states
    velocities = [i for i, name in enumerate(worlds.state_names) if name.rsplit(".", 1)[-1].startswith("v")]
    states[:, velocities] += 1e-3 * np.arange(options.worlds)[:, None] / options.worlds
    worlds.start_at(states)
    begin = time.perf_counter()
    worlds.advance(duration)
    return time.perf_counter() - begin, len(worlds.faults)


def of_mujoco(options, scene, duration):
    model = mujoco.MjModel.from_xml_path(str(options.scenes / "scenes" / scene / "scene.xml"))
    model.opt.timestep = STEP
    data = mujoco.MjData(model)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty((options.worlds, mujoco.mj_stateSize(model, kind)))
    for i, row in enumerate(start):
        mujoco.mj_resetData(model, data)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        data.qvel[:] += 1e-3 * i / options.worlds
        mujoco.mj_getState(model, data, row, kind)
    threads = [mujoco.MjData(model) for _ in range(options.threads)]
    begin = time.perf_counter()
    mujoco.rollout.rollout(model, threads, start, nstep=round(duration / STEP))
    return time.perf_counter() - begin, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--only", default="double_pendulum,arm7,bouncing_ball,gripper,quadruped,soft_clutter")
    parser.add_argument("--points", choices=("manifold", "deepest"), default="manifold")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--longest", type=float, default=0.5, help="seconds of each scene, at most")
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    print("| scene | simulated | kinegraph, cenic 1e-3 | mujoco, 1 ms | kinegraph/mujoco |\n|---|---|---|---|---|")
    for scene in options.only.split(","):
        described = json.loads((options.scenes / "scenes" / scene / "scene.json").read_text())
        duration = min(described["duration"], options.longest)
        runs = [(of_kinegraph(options, scene, duration), of_mujoco(options, scene, duration))
                for _ in range(options.repeats)]
        ours, theirs = (min(run[i][0] for run in runs) for i in (0, 1))
        failed = max(run[0][1] for run in runs)
        rates = [options.worlds * duration / spent for spent in (ours, theirs)]
        note = f" ({failed} worlds failed)" if failed else ""
        print(f"| {scene} | {options.worlds} x {duration:g} s | {rates[0]:.3g}{note} | {rates[1]:.3g} "
              f"| {rates[0] / rates[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
