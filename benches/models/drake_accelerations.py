#!/usr/bin/env python3
"""Every URDF file of a folder against Drake: loading, and accelerations of its joints.

  drake_accelerations.py --binary target/release/kinegraph --folder FOLDER [--only talos,icub] [--jobs 1] [--limit 60]

Run it with a Python that has the packages drake 1.51.1 and numpy. FOLDER: such as share/example-robot-data of the
package example-robot-data 6.0.0. Counted are the files that Drake loads. The root link is fixed to the world where the
file does not fix it. Compared are accelerations at four states within the limits of the joints, the first at rest at
zero, relative to the largest of a state. Both get the file without stops, dry friction and mimicry, which Drake's
continuous plant does not have, and without collision. A file that does not load for its meshes alone is compared
without them.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

STATES = 4
TOLERANCE = 1e-6
STEPS = [1e-3, 1e-6, 1e-9]
SCENE = """kinegraph: 1
model_paths: [{root}]
systems:
  plant:
    type: multibody_plant
    models: [{{name: m, file: {model}, base: fixed{more}}}]
    initial: {{m: {{{initial}}}}}
    collisions: {{m: none}}
simulation: {{duration: {step}, integrator: semi-implicit-euler, step: {step}}}
"""


def kinegraph(binary, arguments, scene, limit):
    """Runs the program on a scene: its answer, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.yaml"
        path.write_text(scene)
        try:
            done = subprocess.run([binary, arguments[0], str(path), *arguments[1:]], capture_output=True, text=True,
                                  timeout=limit, cwd=folder)
        except subprocess.TimeoutExpired:
            return None, f"no end after {limit} s"
    return (done.stdout, done.stderr) if done.returncode == 0 else (None, done.stderr or done.stdout)


def reason(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    faults = [line for line in lines if line.startswith("error")]
    return (faults or lines or ["no message"])[0][:200]


def bare(path):
    """The text of a file without what the two treat differently, its root links, and its joints of one coordinate."""
    root = ElementTree.parse(path).getroot()
    links = [link.get("name") for link in root.findall("link")]
    children, joints = set(), []
    for joint in root.findall("joint"):
        if joint.find("child") is not None:
            children.add(joint.find("child").get("link"))
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
        for dynamics in joint.findall("dynamics"):
            dynamics.attrib.pop("friction", None)
        if joint.get("type") in ("revolute", "continuous", "prismatic"):
            limit = joint.find("limit")
            of = (lambda name: float(limit.get(name, 0))) if limit is not None else (lambda name: 0.0)
            low, high = (-1.0, 1.0) if joint.get("type") == "continuous" else (of("lower"), of("upper"))
            joints.append((joint.get("name"), low, high))
            if limit is not None and joint.get("type") != "continuous":
                limit.set("lower", "-1e3")
                limit.set("upper", "1e3")
    roots = [link for link in links if link not in children]
    return ElementTree.tostring(root, encoding="unicode"), roots, joints


def examine(task):
    """One file."""
    binary, folder, path, seed, limit = task
    row = {"file": str(path.relative_to(folder))}
    beside = path.with_name(f".{path.stem}.{os.getpid()}.urdf")
    try:
        text, roots, joints = bare(path)
        beside.write_text(text)
        return row | compare(binary, folder, beside, roots, joints, seed, limit)
    except Exception as fault:  # What Python's reader does not take, and what Drake finds when it runs.
        return row | {"peer": False, "why": str(fault).splitlines()[0][:200]}
    finally:
        beside.unlink(missing_ok=True)


def compare(binary, folder, path, roots, joints, seed, limit):
    import numpy
    import pydrake.all as drake

    plant = drake.MultibodyPlant(0.0)
    parser = drake.Parser(plant)
    parser.package_map().PopulateFromFolder(str(folder))
    try:
        (model,) = parser.AddModels(str(path))
        for root in roots:
            if root != "world":
                plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(root, model))
        plant.Finalize()
    except Exception as fault:
        return {"peer": False, "why": str(fault).splitlines()[0][:200]}
    scene = lambda initial, step, more="": SCENE.format(
        root=json.dumps(str(folder)), model=json.dumps(str(path)), initial=initial, step=step, more=more)
    out, errors = kinegraph(binary, ["check"], scene("", 1e-3), limit)
    row = {"peer": True, "loads": out is not None, "difference": 0.0, "where": ""}
    if out is None:
        row["why"] = reason(errors)
    # Drake has no collision here and looks for no mesh.
    more = ", missing_meshes: ignore"
    out, errors = kinegraph(binary, ["check", "--notes"], scene("", 1e-3, more), limit)
    row["bodies"] = out is None or "triangle inequality" not in out + errors
    if out is None:
        return row | {"difference": None, "where": reason(errors)}
    context = plant.CreateDefaultContext()
    random = numpy.random.default_rng(seed)
    for port in range(plant.num_input_ports()):
        port = plant.get_input_port(port)
        if port.get_data_type() == drake.PortDataType.kVectorValued and port.size():
            port.FixValue(context, numpy.zeros(port.size()))
    for i in range(STATES):
        q, v = {}, {}
        for name, low, high in joints:
            low, high = max(low, -1.5), min(high, 1.5)
            q[name] = 0.0 if i == 0 else float(random.uniform(low, high)) if low < high else 0.0
            v[name] = 0.0 if i == 0 else float(0.5 * random.standard_normal())
            joint = plant.GetJointByName(name, model)
            if joint.num_positions() == 1:
                values = plant.GetPositions(context)
                values[joint.position_start()] = q[name]
                plant.SetPositions(context, values)
                values = plant.GetVelocities(context)
                values[joint.velocity_start()] = v[name]
                plant.SetVelocities(context, values)
        theirs = plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions():]
        initial = ", ".join(f"{json.dumps(name)}: {{q: {q[name]!r}, v: {v[name]!r}}}" for name, _, _ in joints)
        for step in STEPS:
            out, errors = kinegraph(binary, ["run", "--json", "--quiet"], scene(initial, step, more), limit)
            if out is not None or "the steps are too long" not in errors:
                break
        if out is None:
            return row | {"difference": None, "where": reason(errors)}
        state = json.loads(out)["final_state"]
        scale = max(float(numpy.abs(theirs).max(initial=0.0)), 1e-3)
        for name, _, _ in joints:
            joint = plant.GetJointByName(name, model)
            key = f"plant.m.{name}.v"
            if joint.num_velocities() != 1 or key not in state:
                continue
            apart = abs((state[key] - v[name]) / step - theirs[joint.velocity_start()]) / scale
            if not apart <= row["difference"]:
                row |= {"difference": apart, "where": name}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/kinegraph")
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_args()
    folder, only = options.folder.resolve(), [part for part in options.only.split(",") if part]
    files = [path for path in sorted(folder.rglob("*.urdf")) if not path.name.startswith(".")]
    files = [path for path in files if not only or any(part in str(path) for part in only)]
    tasks = [(os.path.abspath(options.binary), folder, path, i, options.limit) for i, path in enumerate(files)]
    loads = agree = counted = strange = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in pool.map(examine, tasks):
            if not row["peer"]:
                print(f"- {row['file']}: Drake refuses: {row['why']}", flush=True)
                continue
            counted += 1
            loads += row["loads"]
            strange += not row["bodies"]
            if not row["loads"]:
                print(f"- {row['file']}: does not load: {row['why']}", flush=True)
            if row["difference"] is None or row["difference"] > TOLERANCE:
                size = "does not run" if row["difference"] is None else f"{row['difference']:.1e}"
                why = "" if row["bodies"] else " (it has an inertia that no body has)"
                print(f"- {row['file']}: {size} at {row['where']}{why}", flush=True)
            else:
                agree += 1
    print(f"\n{counted} files that Drake loads: {loads} load, {agree} have its accelerations within {TOLERANCE}; "
          f"{strange} have an inertia that no body has")


if __name__ == "__main__":
    main()
