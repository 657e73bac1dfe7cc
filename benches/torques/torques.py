"""Recorded torques of random arms on random paths, against a tight run.

    python benches/torques/torques.py --binary target/release/kinegraph

Thirty arms of two to five joints follow cubic paths under PID or inverse dynamics control; with `--impedance` thirty
other arms draw their ends along such paths. Of every joint the root mean square of the controller's port and of the
plant's `net_actuation`, every 2 ms, is compared with that at accuracy 1e-7: the largest deviation of the joints of an
arm, in percent. `--held 0.03` puts the port under error control. See docs/decisions/18-records-of-a-step.md.
"""

import argparse
import csv
import math
import random
import re
import subprocess
import tempfile
from pathlib import Path


def arm(rng, joints):
    text, before = '<robot name="arm"><link name="l0"/>', 0.0
    for i in range(1, joints + 1):
        m, l = rng.uniform(0.5, 4), rng.uniform(0.2, 0.6)
        axis = rng.choice(["1 0 0", "0 1 0", "0 0 1"])
        a, c = m * l * l / 10, m * l * l / 40
        text += (
            f'<link name="l{i}"><inertial><origin xyz="0 0 {l / 2}"/><mass value="{m}"/>'
            f'<inertia ixx="{a}" iyy="{a}" izz="{c}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            f'<joint name="j{i}" type="continuous"><parent link="l{i - 1}"/><child link="l{i}"/>'
            f'<origin xyz="0 0 {before}"/><axis xyz="{axis}"/></joint>'
        )
        before = l
    return text + "</robot>"


def listed(numbers):
    return "[" + ", ".join(f"{x:.6g}" for x in numbers) + "]"


def scene(rng, case, folder):
    joints = rng.randint(2, 5)
    (folder / "arm.urdf").write_text(arm(rng, joints))
    times = [0.0]
    for _ in range(4):
        times.append(times[-1] + rng.uniform(0.4, 1.0))
    values = [[0.0] * joints] + [[rng.uniform(-1, 1) for _ in range(joints)] for _ in range(4)]
    w = rng.uniform(8, 40)
    if case % 3 == 1:
        gains = f"kp: {w * w:.5g}, kd: {2 * w:.5g}"
        controller = f"{{type: inverse_dynamics_controller, plant_model: {{of: plant.arm}}, {gains}}}"
        measured, desired, port = "estimated_state", "desired_state", "controller.generalized_force"
    else:
        kp, kd = w * w * rng.uniform(0.5, 2), 2 * w * rng.uniform(0.6, 1.2)
        controller = f"{{type: pid, kp: {listed([kp] * joints)}, kd: {listed([kd] * joints)}}}"
        measured, desired, port = "measured", "desired", "controller.effort"
    path = f"{{type: trajectory, times: {listed(times)}, values: [{', '.join(map(listed, values))}]}}"
    file = folder / "scene.yaml"
    file.write_text(
        "kinegraph: 1\nsystems:\n"
        "  plant: {type: multibody_plant, models: [{name: arm, file: arm.urdf, base: fixed}]}\n"
        f"  controller: {controller}\n  path: {path}\n"
        f"connections:\n  - plant.arm.state -> controller.{measured}\n  - path.state -> controller.{desired}\n"
        f"  - {port} -> plant.arm.actuation\nsimulation: {{duration: {times[-1]:.6g}}}\n"
    )
    return file, port, joints


def reaching(rng, folder):
    """An arm whose end is drawn along a path by springs and dampers; its joints are held about a posture, damped."""
    joints = rng.randint(2, 5)
    text = arm(rng, joints)
    (folder / "arm.urdf").write_text(text)
    reach = sum(2 * float(z) for z in re.findall(r'<inertial><origin xyz="0 0 ([0-9.e-]+)"', text))
    times = [0.0]
    for _ in range(4):
        times.append(times[-1] + rng.uniform(0.4, 1.0))
    places = [[rng.uniform(-0.6, 0.6) * reach for _ in range(2)] + [rng.uniform(0.2, 0.8) * reach] for _ in times]
    values = [[*place, 1, 0, 0, 0] for place in places]
    k, w = rng.uniform(200, 2000), rng.uniform(8, 40)
    posture = [rng.uniform(-1, 1) for _ in range(joints)]
    start = ", ".join(f"j{i + 1}: {x:.6g}" for i, x in enumerate(posture))
    file = folder / "scene.yaml"
    file.write_text(
        "kinegraph: 1\nsystems:\n"
        f"  plant:\n    type: multibody_plant\n    models: [{{name: arm, file: arm.urdf, base: fixed}}]\n"
        f"    initial: {{arm: {{{start}}}}}\n"
        f"  controller: {{type: impedance_controller, plant_model: {{of: plant.arm}}, link: l{joints}, "
        f"translational_stiffness: {k:.5g}, translational_damping: {2 * k / w:.5g}, rotational_stiffness: 0, "
        f"rotational_damping: {rng.uniform(0, 1):.5g}, posture: {listed(posture)}, "
        f"nullspace_stiffness: {rng.uniform(5, 50):.5g}, nullspace_damping: {rng.uniform(1, 10):.5g}}}\n"
        f"  path: {{type: trajectory, times: {listed(times)}, values: [{', '.join(map(listed, values))}]}}\n"
        "connections:\n  - plant.arm.state -> controller.estimated_state\n"
        "  - path.position -> controller.desired_pose\n"
        f"  - controller.generalized_force -> plant.arm.actuation\nsimulation: {{duration: {times[-1]:.6g}}}\n"
    )
    return file, "controller.generalized_force", joints


def squares(binary, file, port, accuracy, held=None):
    table = file.with_name(f"{accuracy}.csv")
    channels = f"record.channels=[{port}, plant.arm.net_actuation]"
    command = [binary, "run", file, "--accuracy", accuracy, "--every", "0.002", "--record", table, "--set", channels]
    if held:
        command += ["--set", f"outputs={{accuracy: {{{port}: {listed(held)}}}}}"]
    subprocess.run(command, check=True, capture_output=True)
    with open(table) as lines:
        # Before the first step nothing has acted.
        rows = [[float(x) for x in row] for row in list(csv.reader(lines))[2:]]
    return [math.sqrt(sum(row[i] ** 2 for row in rows) / len(rows)) for i in range(1, len(rows[0]))]


def deviation(found, tight, largest):
    """In percent; a joint that nothing drives has no torque but rounding."""
    return 0.0 if tight < 1e-9 * largest else 100 * abs(found / tight - 1)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", default="target/release/kinegraph")
    options.add_argument("--arms", type=int, default=30)
    options.add_argument("--accuracies", default="1e-2,1e-3,1e-4")
    options.add_argument("--impedance", action="store_true", help="arms under impedance control instead")
    options.add_argument("--held", type=float, help="hold efforts to this part of their root mean square")
    options = options.parse_args()
    rng, table = random.Random(41), []
    accuracies = options.accuracies.split(",")
    print("arm  port and net actuation [%] at", ", ".join(accuracies))
    for case in range(options.arms):
        with tempfile.TemporaryDirectory() as folder:
            drawn = reaching(rng, Path(folder)) if options.impedance else scene(rng, case, Path(folder))
            file, port, joints = drawn
            tight, row = squares(options.binary, file, port, "1e-7"), []
            for accuracy in accuracies:
                # A joint that nothing drives cannot be held to a part of rounding.
                held = [options.held * max(x, 1e-6 * max(tight)) for x in tight[:joints]] if options.held else None
                found = squares(options.binary, file, port, accuracy, held)
                off = [deviation(x, t, max(tight)) for x, t in zip(found, tight)]
                row += [max(off[:joints]), max(off[joints:])]
        table.append(row)
        print(f"{case:3}", *(f"{x:9.1f}" for x in row), flush=True)
    for name, pick in (("median", lambda column: sorted(column)[len(column) // 2]), ("largest", max)):
        print(name, *(f"{pick(column):9.1f}" for column in zip(*table)))


if __name__ == "__main__":
    main()
