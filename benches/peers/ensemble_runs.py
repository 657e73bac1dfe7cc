#!/usr/bin/env python3
"""Runs a scene in Drake (CENIC) or MuJoCo from many starts in one process and prints one JSON object: its part of
ensemble.py.

The CPU time of each run is that of the simulation alone. The deepest penetration comes from a second run, which is
watched.
"""
import argparse
import json
import time
import types
from pathlib import Path

MAX_STEP = 0.1


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("engine", choices=("drake", "mujoco"))
    p.add_argument("--scenes", type=Path, required=True)
    p.add_argument("--scene", required=True)
    p.add_argument("--setting", type=float, required=True, help="accuracy of Drake, step of MuJoCo [s]")
    p.add_argument("--starts", type=Path, required=True, help="a list of lists of instances")
    p.add_argument("--untimed", action="store_true")
    return p.parse_args()


def in_mujoco(a):
    """A function from instances to a run."""
    from mujoco_scene import Scene
    scene = Scene(a.scenes, a.scene, a.setting)

    def run(instances):
        cpu = None
        if not a.untimed:
            data, began = scene.start(instances), time.process_time()
            scene.advance(data, scene.steps)
            cpu = time.process_time() - began
        data = scene.start(instances)
        deepest, _, _ = scene.run_watched(data)
        if scene.warnings(data):
            return {"status": "failed", "error": ", ".join(scene.warnings(data))}
        return {"status": "ok", "cpu_s": cpu, "state": scene.state(data), "max_penetration": deepest}
    return run


def in_drake(a):
    import numpy as np
    from pydrake.systems.framework import EventStatus
    from mujoco_scene import program_of
    shared = program_of(a.scenes, "run_drake")
    folder, described = shared.load_scene(a.scene)
    mode = types.SimpleNamespace(mode="cenic", accuracy=a.setting, max_step=MAX_STEP, integrator_min_step=0.0)

    def run(instances):
        built = shared.build(folder, {**described, "instances": instances}, "cenic", 0.0, "point")
        plant, cpu, deepest = built.plant, None, [0.0]
        if not a.untimed:
            simulator = shared.make_sim(built, mode, described)
            began = time.process_time()
            simulator.AdvanceTo(described["duration"])
            cpu = time.process_time() - began
        port = plant.get_contact_results_output_port()

        def watch(context):
            results = port.Eval(plant.GetMyContextFromRoot(context))
            deepest.extend(results.point_pair_contact_info(i).point_pair().depth
                           for i in range(results.num_point_pair_contacts()))
            deepest[:] = [max(deepest)]
            return EventStatus.DidNothing()

        simulator = shared.make_sim(built, mode, described)
        simulator.set_monitor(watch)
        simulator.AdvanceTo(described["duration"])
        values = np.concatenate(shared.state(built, simulator.get_context()))
        names = [*plant.GetPositionNames(add_model_instance_prefix=True),
                 *plant.GetVelocityNames(add_model_instance_prefix=True)]
        return {"status": "ok", "cpu_s": cpu, "state": dict(zip(names, map(float, values))), "max_penetration": deepest[0]}
    return run


def main():
    a = arguments()
    run = {"drake": in_drake, "mujoco": in_mujoco}[a.engine](a)
    runs = []
    for instances in json.loads(a.starts.read_text()):
        try:
            runs.append(run(instances))
        except RuntimeError as error:
            runs.append({"status": "failed", "error": str(error)[:200]})
    print(json.dumps({"status": "ok", "runs": runs}))


if __name__ == "__main__":
    main()
