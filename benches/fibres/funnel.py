#!/usr/bin/env python3
"""A bundle of fibres is pushed through a funnel into a square hole: time per step of `theta-gamma` by their number.

    python3 benches/fibres/funnel.py --kinegraph PROGRAM [--counts 10,20,40,84] [--duration 0.1]

Each fibre has 20 nodes (100 mm long, 1 mm thick, E = 3 GPa, Poisson's ratio 0.35, 1200 kg/m³, friction 0.2) and is
pushed by 2 mN at its upper end; the inner ones are ahead. The plates lean by 10 degrees. Two thirds of the hole are
filled, whatever the number of fibres: 10 mm for 84 of them, 10,080 velocities. Steps of 1 ms.

Beside CPU time: the most contact points, solves that ended at the most sweeps, and the largest natural residual.
"""

import argparse
import json
import math
import resource
import subprocess
import tempfile
from pathlib import Path

LENGTH, RADIUS, ELEMENTS, PUSH, LEAN, STEP = 0.1, 0.0005, 19, 0.002, math.radians(10), 1e-3
DENSITY = 1200


def funnel(half):
    """Four plates that lean, above four walls of the hole: boxes of 2 mm."""
    boxes = []
    long, deep, thick = 0.09, 0.03, 0.002
    for side in range(4):
        yaw = side * math.pi / 2
        along = half + 0.5 * thick * math.cos(LEAN) + 0.5 * long * math.sin(LEAN)
        z = 0.5 * long * math.cos(LEAN) - 0.5 * thick * math.sin(LEAN)
        wide = 2 * (half + long * math.sin(LEAN)) + 0.01
        boxes.append((along, yaw, z, LEAN, (thick, wide, long)))
        boxes.append((half + 0.5 * thick, yaw, -0.5 * deep, 0.0, (thick, 2 * half + 2 * thick, deep)))
    shapes = "".join(
        f'<collision><origin xyz="{a * math.cos(yaw):.6f} {a * math.sin(yaw):.6f} {z:.6f}" '
        f'rpy="0 {lean:.6f} {yaw:.6f}"/>'
        f'<geometry><box size="{s[0]} {s[1]:.6f} {s[2]}"/></geometry></collision>\n'
        for a, yaw, z, lean, s in boxes
    )
    return f'<robot name="funnel"><link name="funnel">\n{shapes}</link></robot>\n'


def scene(count, duration):
    """The diagram, and the mass of a fibre."""
    half = 0.005 * math.sqrt(count / 84)
    row = math.ceil(math.sqrt(count))
    pitch = 2.2 * 2 * half / row
    places = [((i - 0.5 * (row - 1)) * pitch, (j - 0.5 * (row - 1)) * pitch) for i in range(row) for j in range(row)]
    places = sorted(places, key=lambda p: math.hypot(*p))[:count]
    top = (max(math.hypot(*p) for p in places) + 2 * RADIUS - half) / math.tan(LEAN)
    fibres, wires = [], []
    for k, (x, y) in enumerate(places):
        z = top + 5e-4 * k
        fibres.append(
            f"      - {{name: f{k}, points: [[{x:.6f}, {y:.6f}, {z:.6f}], [{x:.6f}, {y:.6f}, {z + LENGTH:.6f}]], "
            f"elements: {ELEMENTS}, section: {{radius: {RADIUS}}}, "
            f"material: {{young: 3.0e9, poisson: 0.35, density: {DENSITY}, damping: 1.0e-4}}}}"
        )
        wires.append(f"  - push.output -> plant.f{k}.applied_generalized_force")
    force = [0.0] * (6 * (ELEMENTS + 1))
    force[-1] = -PUSH
    lines = "\n".join(fibres)
    joined = "\n".join(wires)
    return f"""kinegraph: 1
name: funnel_{count}
systems:
  plant:
    type: multibody_plant
    contact: {{stiffness: 1.0e4, dissipation: 10, static_friction: 0.2}}
    models: [{{name: funnel, file: funnel.urdf, base: fixed}}]
    fibres:
{lines}
  push: {{type: constant, value: {force}}}
connections:
{joined}
simulation: {{integrator: theta-gamma, step: {STEP}, duration: {duration}}}
record: {{every: {STEP}, channels: [plant.funnel.funnel.contact.fz, plant.body_velocities, plant.body_poses]}}
""", half


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinegraph", required=True, help="the program, of a release build")
    parser.add_argument("--counts", default="10,20,40,84")
    parser.add_argument("--duration", type=float, default=0.1)
    parser.add_argument("--set", action="append", default=[], help="as for `kinegraph run`")
    options = parser.parse_args()
    head = ["fibres", "velocities", "contacts", "CPU ms a step", "iterations a step", "unsettled", "residual [N]"]
    print("| " + " | ".join(head) + " |", flush=True)
    print("|---|---|---|---|---|---|---|", flush=True)
    for count in map(int, options.counts.split(",")):
        text, half = scene(count, options.duration)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "funnel.urdf").write_text(funnel(half))
            file = Path(folder) / "funnel.yaml"
            file.write_text(text)
            settings = [word for setting in options.set for word in ("--set", setting)]
            command = [options.kinegraph, "run", str(file), "--json", "--quiet", *settings]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            found = subprocess.run(command, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if found.returncode:
            print(found.stderr[-2000:])
            continue
        r = json.loads(found.stdout)
        spent = after.ru_utime - before.ru_utime
        steps = max(1, r["steps"])
        print(
            f"| {count} | {6 * (ELEMENTS + 1) * count} | {r['max_contacts']} | {1e3 * spent / steps:.0f} "
            f"| {r['solver_iterations'] / steps:.1f} | {r['unsettled_solves']} | {r['max_residual']:.1e} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
