#!/usr/bin/env python3
"""Robots that fall freely without contact, in Kinegraph and in Drake's CENIC, turn by turn.

  against_drake.py --folder ROBOTS --kinegraph RUNNER [--only talos,icub] [--accuracy 1e-3] [--repeats 3]

ROBOTS: share/example-robot-data of the package example-robot-data 6.0.0, with its folder `robots` (pip install
example-robot-data drake). RUNNER: the program of `cargo build --release --bench peers`. Both get the same file, bare
of shapes, stops, friction and mimicry, which the two treat differently: the root is fixed, every joint starts 0.3 (rad,
m) from zero, and 1 s passes. CPU time of the simulation alone, the median of the processes.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LARGEST = ["tiago_dual", "talos_full_v2", "tiago", "icub", "tiago_pro", "talos_reduced", "pr2", "centauro",
           "g1_29dof_with_hand_rev_1_0"]
SCENE = """kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {{stiffness: 1e5}}
    models: [{{name: m, file: robot.urdf, base: fixed}}]
    initial: {{m: {{{initial}}}}}
    collisions: {{m: none}}
simulation: {{duration: 1, integrator: cenic, accuracy: {accuracy}}}
"""
MOVING = ("revolute", "continuous", "prismatic")


def bare(path):
    """The robot without what the two engines treat differently, and the names of its joints."""
    root = ElementTree.parse(path).getroot()
    names = []
    for link in root.findall("link"):
        for tag in ("collision", "visual"):
            for part in link.findall(tag):
                link.remove(part)
    for part in list(root):
        if part.tag not in ("link", "joint"):
            root.remove(part)
    for joint in root.findall("joint"):
        for tag in ("limit", "mimic", "safety_controller", "calibration"):
            for part in joint.findall(tag):
                joint.remove(part)
        for part in joint.findall("dynamics"):
            part.attrib.pop("friction", None)
        if joint.get("type") in MOVING:
            names.append(joint.get("name"))
            if joint.get("type") != "continuous":
                ElementTree.SubElement(joint, "limit", lower="-1e3", upper="1e3", effort="1e9", velocity="1e9")
    return ElementTree.tostring(root, encoding="unicode"), names


def of_kinegraph(options, folder, names):
    initial = ", ".join(f"{json.dumps(name)}: {{q: 0.3}}" for name in names)
    scene = folder / "scene.yaml"
    scene.write_text(SCENE.format(initial=initial, accuracy=options.accuracy))
    done = subprocess.run([options.kinegraph, scene], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {"status": "failed", "error": done.stderr[-200:]}


def of_drake(options, folder):
    command = [sys.executable, __file__, "--drake", folder / "robot.urdf", "--accuracy", options.accuracy]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {"status": "failed", "error": done.stderr[-200:]}


def drake(path, accuracy):
    """One process of Drake: its CENIC on one file."""
    import numpy
    import pydrake.all as d
    builder = d.DiagramBuilder()
    plant, _ = d.AddMultibodyPlantSceneGraph(builder, 0.0)
    parser = d.Parser(plant)
    (model,) = parser.AddModels(path)
    plant.WeldFrames(plant.world_frame(), plant.get_body(plant.GetBodyIndices(model)[0]).body_frame())
    plant.Finalize()
    diagram = builder.Build()

    def simulator():
        simulation = d.Simulator(diagram)
        configuration = d.SimulatorConfig(integration_scheme="cenic", max_step_size=0.1, accuracy=float(accuracy),
                                          use_error_control=True)
        d.ApplySimulatorConfig(configuration, simulation)
        context = plant.GetMyMutableContextFromRoot(simulation.get_mutable_context())
        plant.SetPositions(context, numpy.full(plant.num_positions(), 0.3))
        if plant.num_actuators():
            plant.get_actuation_input_port().FixValue(context, numpy.zeros(plant.num_actuators()))
        simulation.Initialize()
        return simulation

    simulator().AdvanceTo(0.05)
    times = []
    while len(times) < 3 or (statistics.median(times) < 0.1 and len(times) < 9):
        run = simulator()
        began = time.process_time()
        run.AdvanceTo(1.0)
        times.append(time.process_time() - began)
    integrator = run.get_integrator()
    context = plant.GetMyContextFromRoot(run.get_context())
    print(json.dumps({"status": "ok", "cpu_s": statistics.median(times), "steps": integrator.get_num_steps_taken(),
                      "rejected": integrator.get_num_step_shrinkages_from_error_control(),
                      "velocities": plant.num_velocities(),
                      "energy": plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--kinegraph", type=Path)
    parser.add_argument("--only", default=",".join(LARGEST))
    parser.add_argument("--accuracy", default="1e-3")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--drake", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drake:
        return drake(options.drake, options.accuracy)
    print("| robot | links | joints | kinegraph | steps | drake | steps | drake/kinegraph |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.only.split(","):
        (path,) = sorted(options.folder.rglob(f"{name}.urdf"))[:1]
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            text, names = bare(path)
            (folder / "robot.urdf").write_text(text)
            ours, theirs = [], []
            for _ in range(options.repeats):
                ours.append(of_kinegraph(options, folder, names))
                theirs.append(of_drake(options, folder))
        if any(run.get("status") != "ok" for run in ours + theirs):
            print(f"| {name} | failed: {[(run.get('error') or '')[-160:] for run in ours[:1] + theirs[:1]]} |")
            continue
        a, b = (statistics.median(run["cpu_s"] for run in runs) for runs in (ours, theirs))
        steps = [f"{runs[-1]['steps']}+{runs[-1]['rejected']}" for runs in (ours, theirs)]
        print(f"| {name} | {text.count('<link ')} | {len(names)} | {1e3 * a:.3g} ms | {steps[0]} | {1e3 * b:.3g} ms "
              f"| {steps[1]} | {b / a:.2f} |", flush=True)


if __name__ == "__main__":
    main()
