#!/usr/bin/env python3
"""A rope of a hundred segments over a drum: fibres and cables under `cenic` beside `mujoco.elasticity.cable`.

    pip install mujoco==3.3.2          (4.0.0 has no composites)
    python3 benches/peers/cable.py --kinegraph PROGRAM [--repeats 5]

The scene is `examples/rope`. Its cable is one file for both programs: `<composite type="cable">` with the points and
the stiffness of that rope. MuJoCo runs at its own stable step: the longest of a list at which the ends are within
20 mm of those at half the step and nothing diverges; with `implicitfast`, its integrator for cables. CPU time of the
simulation alone (for Kinegraph the program's, less that of a run of no length), the least of `--repeats`.
"""

import argparse
import json
import math
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import mujoco

ROPE = Path(__file__).parents[2] / "examples" / "rope" / "rope.yaml"
SEGMENTS = 100
POINTS = [(-0.107, 0, 0.3), (-0.107, 0, 1), (-0.0989, 0, 1.0409), (-0.0757, 0, 1.0757), (-0.0409, 0, 1.0989),
          (0, 0, 1.107), (0.0409, 0, 1.0989), (0.0757, 0, 1.0757), (0.0989, 0, 1.0409), (0.107, 0, 1), (0.107, 0, 0.1)]
RADIUS, YOUNG, DENSITY, DAMPING = 0.005, 1.0e7, 1000, 0.002
STEPS = [1e-2, 5e-3, 4e-3, 3e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4]
# Of the heights of both ends [m].
CLOSE = 0.02


def cut(points, count):
    """Ends of `count` pieces of equal length of a polyline."""
    sides = [math.dist(a, b) for a, b in zip(points, points[1:])]
    out, corner, before = [], 0, 0.0
    for i in range(count + 1):
        s = sum(sides) * i / count
        while corner + 1 < len(sides) and s > before + sides[corner]:
            before, corner = before + sides[corner], corner + 1
        part = min(1.0, (s - before) / sides[corner])
        out.append([a + part * (b - a) for a, b in zip(points[corner], points[corner + 1])])
    return out


def cable():
    """The scene as MJCF. A damped hinge stands for the damping of the material: EI/L times its time."""
    nodes = cut(POINTS, SEGMENTS)
    piece = math.dist(nodes[0], nodes[1])
    damping = DAMPING * YOUNG * math.pi * RADIUS**4 / 4 / piece
    vertices = " ".join(f"{x:.6f}" for node in nodes for x in node)
    return f"""<mujoco>
  <option integrator="implicitfast"/>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <worldbody>
    <geom type="cylinder" size="0.1 0.15" pos="0 0 1" euler="90 0 0" friction="0.3"/>
    <composite type="cable" vertex="{vertices}" initial="free">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="twist" value="{YOUNG / 2.6:.6g}"/>
        <config key="bend" value="{YOUNG:.6g}"/>
        <config key="flat" value="true"/>
      </plugin>
      <joint kind="main" damping="{damping:.6g}"/>
      <geom type="capsule" size="{RADIUS}" density="{DENSITY}" friction="0.3"/>
    </composite>
  </worldbody>
</mujoco>
"""


def of_mujoco(model, step, duration):
    """CPU time, and the height of both ends; `None` where it is not stable."""
    model.opt.timestep = step
    data = mujoco.MjData(model)
    begin, fastest = time.process_time(), 0.0
    for _ in range(round(duration / step)):
        mujoco.mj_step(model, data)
    spent = time.process_time() - begin
    if any(warning.number for warning in data.warning) or abs(data.qvel[:3]).max() > 20:
        return spent, None
    return spent, [data.site(name).xpos[2] for name in ("S_first", "S_last")]


def of_kinegraph(program, file, duration, extra):
    command = [program, "run", str(file), "--json", "--quiet", "--set", f"simulation.duration={duration}", *extra]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, json.loads(found.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinegraph", required=True, help="the program, of a release build")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--duration", type=float, default=1.0)
    options = parser.parse_args()
    duration = options.duration
    model = mujoco.MjModel.from_xml_string(cable())
    for stable in STEPS:
        ends, half = (of_mujoco(model, step, duration)[1] for step in (stable, 0.5 * stable))
        off = None if ends is None or half is None else max(abs(a - b) for a, b in zip(ends, half))
        what = "not stable" if off is None else f"ends {1e3 * off:.1f} mm off those at half of it"
        print(f"mujoco at {1e3 * stable:g} ms: {what}", flush=True)
        if off is not None and off < CLOSE:
            break
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cable.xml").write_text(cable())
        file = Path(folder) / "cable.yaml"
        file.write_text(f"""kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {{stiffness: 1.0e4, dissipation: 10, static_friction: 0.3, stiction_tolerance: 1.0e-3}}
    models: [{{name: m, file: cable.xml, base: fixed}}]
simulation: {{integrator: cenic, accuracy: 1.0e-3, duration: {duration}}}
""")
        plain = ["--set", "record.every=1"]
        runs = {"fibre, cenic 1e-3": (ROPE, plain), "the same cable, cenic 1e-3": (file, [])}
        best, reports = {}, {}
        for _ in range(options.repeats):
            for name, (scene, extra) in runs.items():
                start, _ = of_kinegraph(options.kinegraph, scene, 1e-6, extra)
                spent, reports[name] = of_kinegraph(options.kinegraph, scene, duration, extra)
                best[name] = min(best.get(name, math.inf), spent - start)
            name = f"mujoco, {1e3 * stable:g} ms"
            best[name] = min(best.get(name, math.inf), of_mujoco(model, stable, duration)[0])
    theirs = best[f"mujoco, {1e3 * stable:g} ms"]
    over = f"over mujoco at {1e3 * stable:g} ms"
    head = [f"{duration:g} s of the rope", "CPU time [s]", over, "steps (rejected), solves"]
    print("\n| " + " | ".join(head) + " |")
    print("|---|---|---|---|")
    for name, spent in best.items():
        r = reports.get(name)
        counts = str(round(1e3 * duration / float(name.split()[1]))) if r is None else (
            f"{r['steps']} ({r['rejected_steps']}), {r['solves']}"
        )
        print(f"| {name} | {spent:.3f} | {spent / theirs:.2f} | {counts} |")


if __name__ == "__main__":
    main()
