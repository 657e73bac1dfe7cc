#!/usr/bin/env python3
"""Every MJCF file of the Python packages gymnasium and dm_control, one row each.

  mjcf.py --binary target/release/kinegraph --packages SITE_PACKAGES
          [--only ant,dog] [--jobs 2] [--markdown] [--no-motion]

SITE_PACKAGES is a folder with gymnasium 1.4.0 and dm_control 1.0.50 (pip install --no-deps --target SITE_PACKAGES ...).

Fall: the model alone under its gravity, with a ground where the file has no plane of its own, 1 s with `cenic` at
accuracy 1e-3. Motion (needs the packages mujoco and numpy): gymnasium's models from random states under random constant
controls, without contact and stops, against MuJoCo's RK4 at 2e-5 s over 1 s.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGES = ["gymnasium", "dm_control"]
#: Files that are no models: a description of the format, and tables of the tests.
NO_MODELS = ["mjcf/schema.xml", "test_assets/attribute_test_schema.xml"]

SCENE = """kinegraph: 1
systems:
  plant:
    type: multibody_plant
    {ground}
    models: [{{name: m, file: model.xml{more}}}]
{extra}
simulation:
  duration: 1
  integrator: {integrator}
  accuracy: {accuracy}
"""


def execute(binary, folder, scene, model, arguments, limit):
    """Runs a scene with a model file that lies somewhere else."""
    path = folder / "scene.yaml"
    path.write_text(scene)
    command = [binary, "run", str(path), "--set", f"systems.plant.models.m.file={json.dumps(str(model))}", *arguments]
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"no end after {limit} s", time.perf_counter() - begin
    took = time.perf_counter() - begin
    if done.returncode:
        return None, done.stderr, took
    return json.loads(done.stdout) if "--json" in arguments else done.stdout, done.stderr, took


def reason(stderr):
    """The first fault of a refusal, without its place."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    faults = [line for line in lines if line.startswith("error") or ": " in line]
    first = faults[0] if faults else (lines[0] if lines else "no message")
    return re.sub(r"^error(\[\w+\])?: ?", "", first)


class Fall:
    """One model falling."""

    def __init__(self, binary, root, path, limit):
        self.name = str(path.relative_to(root))
        text = path.read_text(errors="replace")
        self.ground = not re.search(r"type=[\"']plane", text)
        with tempfile.TemporaryDirectory() as folder:
            of = lambda height, initial: SCENE.format(
                ground=f"ground: {{height: {height}}}\n    initial: {{m: {{{initial}}}}}" if self.ground else f"initial: {{m: {{{initial}}}}}",
                more="",
                extra="",
                integrator="cenic",
                accuracy="1e-3",
            )
            folder = Path(folder)
            initial, _ = starts(binary, folder, of(0, ""), path)
            # What was drawn through the ground stands on it.
            _, depth = starts(binary, folder, of(0, initial), path)
            scene = of(-1.01 * depth, initial)
            self.summary, errors, self.took = execute(binary, folder, scene, path, ["--json", "--quiet"], limit)
        self.failure = None if self.summary else reason(errors)
        self.errors = errors


def starts(binary, folder, scene, model):
    """Joints whose reference lies outside of their stops, to start at the nearer one; how deep the ground is met."""
    (folder / "scene.yaml").write_text(scene)
    value = f"systems.plant.models.m.file={json.dumps(str(model))}"
    command = [binary, "check", str(folder / "scene.yaml"), "--notes", "--set", value]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    number = r"(-?[\w.+-]+)"
    note = re.compile(rf"joint m/(\S+) starts at {number}, outside of its limits {number} to {number}:")
    nearer = lambda q, low, high: low if float(q) < float(low) else high
    found = note.findall(done.stdout + done.stderr)
    initial = ", ".join(f'"{joint}": {nearer(q, low, high)}' for joint, q, low, high in found)
    depths = re.findall(rf"world and m/\S+ start {number} m inside", done.stdout + done.stderr)
    return initial, max(map(float, depths), default=0.0)


def falls(options, root):
    """All files, in parallel."""
    files = [f for package in PACKAGES for f in sorted((root / package).rglob("*.xml"))]
    files = [f for f in files if not any(str(f).endswith(no) for no in NO_MODELS)]
    if options.only:
        files = [f for f in files if any(only in str(f) for only in options.only.split(","))]
    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda f: Fall(options.binary, root, f, options.limit), files))


def is_model(path):
    """Whether the outermost element is <mujoco>."""
    text = re.sub(r"<!--.*?-->|<\?.*?\?>", "", path.read_text(errors="replace"), flags=re.S)
    return re.match(r"\s*<mujoco[\s>]", text) is not None


class Motion:
    """One model without contact, against MuJoCo."""

    def __init__(self, binary, path, seed, accuracy, integrator):
        import mujoco
        import numpy

        self.name = path.name
        text = path.read_text()
        random = numpy.random.default_rng(seed)
        flags = '<option><flag contact="disable" limit="disable"/></option>'
        text = re.sub(r"</mujoco>\s*$", flags + "</mujoco>", text)
        spec = mujoco.MjModel.from_xml_string(text)
        q, v = numpy.zeros(spec.nq), 0.5 * random.standard_normal(spec.nv)
        data = mujoco.MjData(spec)
        q[:] = data.qpos
        for joint in range(spec.njnt):
            at = spec.jnt_qposadr[joint]
            if spec.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
                turn = random.standard_normal(4)
                q[at + 3 : at + 7] = turn / numpy.linalg.norm(turn)
            elif spec.jnt_type[joint] != mujoco.mjtJoint.mjJNT_BALL:
                q[at] += 0.3 * random.standard_normal()
        u = 0.05 * random.uniform(-1, 1, spec.nu)
        numbers = lambda values: " ".join(repr(float(x)) for x in values)
        key = f'<keyframe><key name="start" qpos="{numbers(q)}" qvel="{numbers(v)}"/></keyframe>'
        text = re.sub(r"</mujoco>\s*$", key + "</mujoco>", text)

        spec.opt.integrator, spec.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 2e-5
        data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, u
        for _ in range(50000):
            mujoco.mj_step(spec, data)
        theirs = numpy.concatenate([data.qpos, data.qvel])

        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / path.name).write_text(text)
            controls = ", ".join(repr(float(x)) for x in u)
            extra = f"  controls: {{type: constant, value: [{controls}]}}\n" if spec.nu else ""
            wires = "connections: [controls.output -> plant.m.actuation]\n" if spec.nu else ""
            scene = SCENE.format(ground="", more=", keyframe: start", extra=extra + wires, integrator=integrator, accuracy=accuracy)
            self.summary, errors, _ = execute(binary, folder, scene, folder / path.name, ["--json", "--quiet"], 120)
        self.failure = None if self.summary else reason(errors)
        self.difference = float("nan")
        if self.summary:
            ours = [value for name, value in self.summary["final_state"].items() if name.startswith("plant.")]
            self.difference = float(numpy.abs(native(ours, spec) - theirs).max())


def native(state, spec):
    """A state in the order and the axes of MuJoCo."""
    import mujoco
    import numpy

    q, v = numpy.array(state[: spec.nq]), numpy.array(state[spec.nq : spec.nq + spec.nv])
    for joint in range(spec.njnt):
        if spec.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            continue
        a, b = spec.jnt_qposadr[joint], spec.jnt_dofadr[joint]
        turn = q[a : a + 4].copy()
        q[a : a + 7] = numpy.concatenate([q[a + 4 : a + 7], turn])
        R = numpy.zeros(9)
        mujoco.mju_quat2Mat(R, turn)
        v[b : b + 6] = numpy.concatenate([v[b + 3 : b + 6], R.reshape(3, 3).T @ v[b : b + 3]])
    return numpy.concatenate([q, v])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--packages", required=True, type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--no-motion", action="store_true")
    parser.add_argument("--no-fall", action="store_true")
    parser.add_argument("--accuracy", default="1e-10")
    parser.add_argument("--integrator", default="dopri5")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    bar = "|" if options.markdown else ""

    if not options.no_fall:
        rows = falls(options, options.packages)
        models = [row for row in rows if is_model(options.packages / row.name)]
        fragments = len(rows) - len(models)
        ran = [row for row in models if row.summary]
        print(f"{len(models)} models ({fragments} files are parts of others): {len(ran)} run, {len(models) - len(ran)} refused or failed\n")
        if options.markdown:
            print("| file | 1 s takes [s] | times real time | steps |\n|---|---|---|---|")
        for row in ran:
            run = row.summary
            steps = run["statistics"]["steps"] if "statistics" in run else run["steps"]
            print(f"{bar} {row.name} {bar} {run['wall_s']:.3f} {bar} {run['real_time_factor']:.3g} {bar} {steps} {bar}")
        print()
        if options.markdown:
            print("| refused or failed | why |\n|---|---|")
        for row in models:
            if not row.summary:
                print(f"{bar} {row.name} {bar} {row.failure} {bar}")
    if not options.no_motion:
        print()
        if options.markdown:
            print("| motion against MuJoCo over 1 s | largest difference |\n|---|---|")
        worst = 0.0
        folder = options.packages / "gymnasium/envs/mujoco/assets"
        for seed, path in enumerate(sorted(folder.glob("*.xml"))):
            if options.only and not any(only in path.name for only in options.only.split(",")):
                continue
            motion = Motion(options.binary, path, seed, options.accuracy, options.integrator)
            print(f"{bar} {motion.name} {bar} {motion.failure or f'{motion.difference:.1e}'} {bar}")
            worst = max(worst, motion.difference) if not motion.failure else float("inf")
        print(f"\nlargest difference: {worst:.1e}")
        if not worst < 1e-6:
            sys.exit(1)


if __name__ == "__main__":
    main()
