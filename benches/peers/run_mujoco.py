#!/usr/bin/env python3
"""Runs one shared scene in MuJoCo several times in one process and prints one JSON object: MuJoCo's part of compare.py.

The contact parameters are MuJoCo's own; the step, the cone and the integrator can be chosen. Loading is not timed, a
short run comes first to warm up, and runs below 0.1 s are repeated up to nine times.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

import mujoco

from mujoco_scene import CONES, INTEGRATORS, Scene

SHORT_RUN, MAX_RUNS = 0.1, 9
LOOKED_AT = 1e-3  # s


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=Path, required=True)
    p.add_argument("--scene", required=True)
    p.add_argument("--step", type=float, default=1e-3, help="[s]")
    p.add_argument("--cone", choices=CONES, default="elliptic")
    p.add_argument("--integrator", choices=INTEGRATORS, default="implicitfast")
    p.add_argument("--budget", type=float, default=60.0, help="seconds of CPU for one run")
    p.add_argument("--once", action="store_true", help="one run, for its end alone")
    p.add_argument("--quality", action="store_true", help="one more, untimed, for penetration and iterations")
    return p.parse_args()


def timed(a, scene):
    """(state at the end or None after the budget, wall times, CPU times), without the time of controllers in Python."""
    walls, cpus = [], []
    scene.advance(scene.start(), max(1, scene.steps // 20))
    while not walls or not a.once and statistics.median(walls) < SHORT_RUN and len(walls) < MAX_RUNS:
        data, left, scene.controller_s = scene.start(), scene.steps, 0.0
        wall, cpu = time.perf_counter(), time.process_time()
        while left and time.process_time() - cpu < a.budget:
            part = min(left, max(1, scene.steps // 20))
            scene.advance(data, part)
            left -= part
        walls.append(time.perf_counter() - wall - scene.controller_s)
        cpus.append(time.process_time() - cpu - scene.controller_s)
        if left:
            return None, walls, cpus
    return data, walls, cpus


def contacts_on_the_way(scene):
    """The most contacts of any step of a run with steps of a millisecond: whether anything touches."""
    scene.steps, scene.model.opt.timestep = round(scene.described["duration"] / LOOKED_AT), LOOKED_AT
    return scene.run_watched(scene.start())[1]


def main():
    a = arguments()
    scene = Scene(a.scenes, a.scene, a.step, a.cone, a.integrator)
    data, walls, cpus = timed(a, scene)
    result = {"simulator": "mujoco", "version": mujoco.__version__, "status": "timeout" if data is None else "ok",
              "wall_s": statistics.median(walls), "cpu_s": statistics.median(cpus), "walls_s": walls, "steps": scene.steps}
    if data is not None:
        if scene.warnings(data):
            result.update(status="failed", error=", ".join(scene.warnings(data)))
        state = scene.state(data)
        result.update(q_names=list(state), final_q=list(state.values()))
        result["final_positions"] = {scene.model.body(i).name: data.xpos[i].tolist() for i in range(1, scene.model.nbody)
                                     if scene.model.body_weldid[i] != 0}
    if a.once and data is not None:
        result["max_contacts"] = contacts_on_the_way(scene)
    if a.quality and data is not None:
        deepest, contacts, iterations = scene.run_watched(scene.start())
        result.update(max_penetration=deepest, max_contacts=contacts, solver_iterations=iterations)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
