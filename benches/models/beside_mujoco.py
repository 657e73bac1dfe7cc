#!/usr/bin/env python3
"""CPU time of a second of model files, beside MuJoCo at the step that each file asks for and Drake's CENIC.

  beside_mujoco.py --binary target/release/kinegraph --root FOLDER [--drake] FILE [FILE ...]
                   [--rounds 3] [--core 1] [--accuracy 1e-3] [--limit 300]

Run it with a Python that has mujoco 4.0.0, and drake 1.51.1 for --drake. All go in turns on one core, without loading
(here: the time of the whole less that of a run of no length); medians. No controls, from where the file puts
everything. Files and what they include or name lie within FOLDER, or within folders of --root that follow.

An MJCF file is a whole scene. A URDF file has a free base and starts 1 mm above a floor: the height is found with
MuJoCo, which gets a free joint, a plane and its own default step. Drake has a half-space with its default contact.
What does not load or run is shown with its message.
"""

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ABOVE = 1e-3
#: Folders before the name of a file.
PATH = r"(?<![:/\w])/(?:[\w.+@-]+/)+"
SCENE = """kinegraph: 1
model_paths: {roots}
systems:
  plant: {{type: multibody_plant, {plant}}}
simulation: {{duration: {duration}, integrator: cenic, accuracy: {accuracy}}}
"""


class Failed(Exception):
    """A program that did not do what it was to do: its message."""


def timed(name, arguments, limit):
    """CPU time of a program [s], and what it prints."""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as errors:
        program = subprocess.Popen(list(map(str, arguments)), stdout=printed, stderr=errors)
        until = time.monotonic() + limit
        while True:
            pid, status, used = os.wait4(program.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > until:
                program.kill()
                os.wait4(program.pid, 0)
                raise Failed(f"{name}: no end after {limit} s")
            time.sleep(0.01)
        program.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        errors.seek(0)
        text, message = printed.read(), errors.read()
    if program.returncode != 0:
        lines = [line.strip() for line in (message or text).splitlines() if line.strip()]
        faults = [line for line in lines if line.startswith("error")] or lines[-1:] or ["no message"]
        raise Failed(f"{name}, exit code {program.returncode}: {re.sub(PATH, '', faults[0])[:300]}")
    return used.ru_utime + used.ru_stime, text


def found(name, path, roots):
    """The file that a URDF file names."""
    name = re.sub(r"^(package|file|model)://", "", name)
    places = [path.parent, *path.parents, *roots]
    return next((place / name for place in places if (place / name).exists()), None)


def as_obj(path, folder):
    """A binary STL file as OBJ, the one format that Drake's point contact reads."""
    import numpy

    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    if path.suffix.lower() != ".stl" or len(data) != 84 + 50 * count:
        return path
    triangle = numpy.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    corners = numpy.frombuffer(data, triangle, count, 84)["corners"].reshape(-1, 3)
    points, numbers = numpy.unique(corners, axis=0, return_inverse=True)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
    lines += [f"f {a} {b} {c}" for a, b, c in numbers.reshape(-1, 3) + 1]
    out = folder / f"{path.stem}.obj"
    out.write_text("\n".join(lines) + "\n")
    return out


def written_out(path, roots, folder):
    """A URDF file with the whole paths of its meshes, without those that are only drawn."""
    root = ElementTree.parse(path).getroot()
    for link in root.iter("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
    for mesh in root.iter("mesh"):
        name = mesh.get("filename")
        place = found(name, path, roots)
        if place is None:
            raise Failed(f"{name} is in none of the folders")
        mesh.set("filename", str(as_obj(place, folder)))
    extension = ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler")
    extension.attrib.update(strippath="false", fusestatic="false", balanceinertia="true")
    out = folder / path.name
    ElementTree.ElementTree(root).write(out)
    return out


def lowest(model, data):
    """The lowest point of what touches."""
    import mujoco
    import numpy

    heights = []
    for geom in range(model.ngeom):
        R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
        kind, size, mesh = model.geom_type[geom], model.geom_size[geom], model.geom_dataid[geom]
        shapes = mujoco.mjtGeom
        if kind == shapes.mjGEOM_MESH:
            first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
            heights.append((model.mesh_vert[first:first + count] @ R[2] + p[2]).min())
        elif kind == shapes.mjGEOM_BOX:
            heights.append(p[2] - numpy.abs(R[2]) @ size)
        elif kind == shapes.mjGEOM_CYLINDER:
            heights.append(p[2] - abs(R[2, 2]) * size[1] - numpy.hypot(R[2, 0], R[2, 1]) * size[0])
        elif kind == shapes.mjGEOM_CAPSULE:
            heights.append(p[2] - abs(R[2, 2]) * size[1] - size[0])
        elif kind == shapes.mjGEOM_SPHERE:
            heights.append(p[2] - size[0])
    return min(heights, default=0.0)


def of_mujoco(path):
    """One process of MuJoCo: its time, its step, its size, the height at the start."""
    import mujoco

    height = None
    if path.suffix == ".urdf":
        spec = mujoco.MjSpec.from_file(str(path))
        spec.worldbody.first_body().add_freejoint()
        model = spec.compile()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        height = ABOVE - lowest(model, data) + data.qpos[2]
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
        model = spec.compile()
    else:
        model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    if height is not None:
        data.qpos[2] = height
    mujoco.mj_forward(model, data)
    start = time.process_time()
    while data.time < 1.0:
        mujoco.mj_step(model, data)
    taken = time.process_time() - start
    print(json.dumps({"taken": taken, "step": model.opt.timestep, "size": model.nv, "height": height}))


@contextlib.contextmanager
def named(path):
    """A file whose outermost element has a name, which Drake asks for; beside the file, since it names others."""
    text = path.read_text(errors="replace")
    if path.suffix == ".urdf" or re.search(r"<mujoco\s[^>]*model=", text):
        yield path
        return
    beside = path.with_name(f".{path.stem}.{os.getpid()}.xml")
    try:
        beside.write_text(re.sub(r"<mujoco\b", '<mujoco model="m"', text, count=1))
        yield beside
    finally:
        beside.unlink(missing_ok=True)


def of_drake(path, height, accuracy):
    """One process of Drake: the time of its CENIC, and its steps."""
    import pydrake.all as d

    builder = d.DiagramBuilder()
    plant, _ = d.AddMultibodyPlantSceneGraph(builder, 0.0)
    with named(path) as file:
        (model, *_) = d.Parser(plant).AddModels(file)
    if height is not None:
        friction = d.CoulombFriction(1.0, 1.0)
        plant.RegisterCollisionGeometry(plant.world_body(), d.RigidTransform(), d.HalfSpace(), "floor", friction)
    plant.Finalize()
    diagram = builder.Build()
    simulation = d.Simulator(diagram)
    configuration = d.SimulatorConfig(integration_scheme="cenic", max_step_size=0.1, accuracy=accuracy,
                                      use_error_control=True)
    d.ApplySimulatorConfig(configuration, simulation)
    context = plant.GetMyMutableContextFromRoot(simulation.get_mutable_context())
    if height is not None:
        base = plant.get_body(plant.GetBodyIndices(model)[0])
        plant.SetFreeBodyPose(context, base, d.RigidTransform([0.0, 0.0, height]))
    if plant.num_actuators():
        plant.get_actuation_input_port().FixValue(context, [0.0] * plant.num_actuators())
    simulation.Initialize()
    start = time.process_time()
    simulation.AdvanceTo(1.0)
    taken = time.process_time() - start
    integrator = simulation.get_integrator()
    steps = integrator.get_num_steps_taken() + integrator.get_num_step_shrinkages_from_error_control()
    print(json.dumps({"taken": taken, "size": plant.num_velocities(), "steps": steps}))


def peer(options, pinned, arguments):
    """What a process of a peer prints: its last line."""
    program = [*pinned, sys.executable, os.path.abspath(__file__), *arguments]
    lines = timed(arguments[1], program, options.limit)[1].splitlines()
    return json.loads(lines[-1])


def ours(options, pinned, path, height):
    """CPU time of the steps of a second [s], and the counts of the run."""
    with tempfile.TemporaryDirectory() as folder:
        def run(duration):
            scene = Path(folder) / "scene.yaml"
            file = json.dumps(str(path))
            plant = f"models: [{{name: m, file: {file}}}]"
            if height is not None:
                place = f"base: floating, pose: {{xyz: [0, 0, {height}]}}, actuated: none"
                plant = f"ground: {{height: 0}}, models: [{{name: m, file: {file}, {place}}}]"
            roots = json.dumps([str(root) for root in options.root])
            scene.write_text(SCENE.format(roots=roots, plant=plant, duration=duration, accuracy=options.accuracy))
            arguments = [*pinned, options.binary, "run", scene, "--json", "--quiet"]
            return timed("kinegraph", arguments, options.limit)

        (whole, printed), (loading, _) = run(1.0), run(1e-9)
    return whole - loading, json.loads(printed)


def row(options, pinned, path):
    """The row of a file."""
    with tempfile.TemporaryDirectory() as folder:
        at_peers = written_out(path, options.root, Path(folder)) if path.suffix == ".urdf" else path
        theirs, drake, own, counts = [], [], [], {}
        why = None
        for _ in range(options.rounds):
            theirs.append(peer(options, pinned, ["--as", "mujoco", at_peers]))
            height = theirs[-1]["height"]
            taken, counts = ours(options, pinned, path, height)
            own.append(taken)
            if options.drake and why is None:
                more = [] if height is None else ["--height", height]
                try:
                    program = ["--as", "drake", at_peers, "--accuracy", options.accuracy, *more]
                    drake.append(peer(options, pinned, program))
                except Failed as failed:
                    why = str(failed)
    rate = lambda times: 1.0 / statistics.median(times)
    last = theirs[-1]
    cells = [f"`{path.name}`", last["size"], f"{rate([run['taken'] for run in theirs]):.3g} ({last['step']} s)",
             f"{rate(own):.2g}", f"{counts['steps'] + counts['rejected_steps']}, {counts['solves']}"]
    if options.drake:
        cells.append(why or f"{rate([run['taken'] for run in drake]):.2g} ({drake[-1]['steps']} steps)")
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=os.path.abspath)
    parser.add_argument("--root", type=Path, action="append", default=[])
    parser.add_argument("--accuracy", type=float, default=1e-3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", default="1")
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--drake", action="store_true")
    parser.add_argument("--as", choices=["mujoco", "drake"], dest="role", help=argparse.SUPPRESS)
    parser.add_argument("--height", type=float, help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="+", type=Path)
    options = parser.parse_args()
    if options.role == "mujoco":
        return of_mujoco(options.models[0])
    if options.role == "drake":
        return of_drake(options.models[0], options.height, options.accuracy)
    if options.binary is None:
        parser.error("--binary is needed")
    options.root = [root.resolve() for root in options.root]
    pinned = ["taskset", "-c", options.core]
    head = ["file", "degrees of freedom", "MuJoCo, times real time", "here", "attempts, solves"]
    head += ["Drake's CENIC"] if options.drake else []
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    failures = 0
    for path in (model.resolve() for model in options.models):
        try:
            cells = row(options, pinned, path)
        except Failed as failed:
            failures += 1
            cells = [f"`{path.name}`", "", f"failed: {failed}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main())
