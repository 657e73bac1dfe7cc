#!/usr/bin/env python3
"""Random scenes beside Drake and MuJoCo: a folder that compare.py takes in place of that of the shared scenes.

    python3 benches/peers/random_scenes.py --scenes DIR --out OUT --seed 1 --count 60
    python3 benches/peers/compare.py --scenes OUT --accuracies 1e-2,1e-3

DIR is that of compare.py: its programs are copied, and gen_scenes.py writes the files. Scene i of a seed is of kind i
modulo the number of kinds, and the same whatever the count. Bodies touch in balls, of which all three simulators find
the same points, or in boxes, one point a pair. Sizes, masses, velocities, stiffness, dissipation, friction and its
stiction tolerance are drawn anew for each scene.
"""
import argparse
import importlib.util
import math
import shutil
from pathlib import Path

import numpy as np


class Draw:
    """Numbers of one scene."""

    def __init__(self, seed, i):
        self.rng = np.random.default_rng([seed, i])

    def uniform(self, low, high, size=None):
        drawn = self.rng.uniform(low, high, size)
        return float(drawn) if size is None else drawn

    def log(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def count(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def yes(self):
        return self.rng.random() < 0.5

    def axis(self):
        return tuple(np.eye(3)[self.rng.integers(3)])


def contact(g, draw, dissipation=None):
    mu = draw.uniform(0.1, 1.0)
    d = draw.log(0.5, 20.0) if dissipation is None else dissipation
    return g.contact(draw.log(1e4, 1e7), d, mu * draw.uniform(1.0, 1.5), mu, draw.log(1e-4, 1e-2))


def pile(g, draw, name, kinds):
    """Bodies of unlike sizes that fall into a bin."""
    n, columns = draw.count(3, 20), draw.count(1, 3)
    size = draw.uniform(0.03, 0.08)
    pitch = 4 * size
    models, instances = [g.bin_model(pitch * columns + 0.02)], [g.inst("bin", "bin", "fixed")]
    for i in range(n):
        layer, r = divmod(i, columns * columns)
        x, y = (pitch * (k - (columns - 1) / 2) for k in (r % columns, r // columns))
        at = np.array([x, y, 0.15 + pitch * layer]) + draw.uniform(-0.1, 0.1, 3) * size
        scale = draw.uniform(0.6, 1.0) * size
        kind = kinds[i % len(kinds)]
        if kind == "ball":
            models.append(g.sphere_model(f"m{i}", scale))
        else:
            sides = list(2 * scale * draw.uniform(0.6, 1.0, 3))
            shapes = [g.col("box", size=sides)] if kind == "box" else g.corner_spheres(sides, 0.1 * min(sides))
            models.append(g.box_model(f"m{i}", sides, collisions=shapes))
        instances.append(g.inst(f"b{i}", f"m{i}", "floating", at, g.rand_quat(draw.rng)))
    g.write_scene(name, models, instances, duration=1.0, contact=contact(g, draw), ground=False, chaotic=True)


def thrown(g, draw, name):
    """Boxes and balls thrown on the ground: they slide, roll and tumble."""
    models, instances = [], []
    for i in range(draw.count(1, 3)):
        size = draw.uniform(0.05, 0.3)
        if draw.yes():
            models.append(g.sphere_model(f"m{i}", size))
        else:
            sides = list(2 * size * draw.uniform(0.4, 1.0, 3))
            models.append(g.box_model(f"m{i}", sides, collisions=g.corner_spheres(sides, 0.1 * min(sides))))
        v = [*draw.uniform(-2.0, 2.0, 2), draw.uniform(-1.0, 1.0)]
        at, turned = (1.5 * i, 0, draw.uniform(0.5, 1.0)), g.rand_quat(draw.rng)
        instances.append(g.inst(f"b{i}", f"m{i}", "floating", at, turned, w=draw.uniform(-5, 5, 3), v=v))
    g.write_scene(name, models, instances, duration=2.0, contact=contact(g, draw), chaotic=True)


def bouncing(g, draw, name):
    """Balls that hardly lose anything."""
    models, instances = [], []
    for i in range(draw.count(1, 4)):
        models.append(g.sphere_model(f"m{i}", draw.uniform(0.03, 0.2), draw.log(0.1, 10)))
        v = [draw.uniform(-1, 1), draw.uniform(-1, 1), 0]
        at = (i, 0, draw.uniform(0.4, 1.5))
        instances.append(g.inst(f"b{i}", f"m{i}", "floating", at, w=draw.uniform(-9, 9, 3), v=v))
    g.write_scene(name, models, instances, duration=2.0, contact=contact(g, draw, draw.uniform(0, 0.3)), chaotic=True)


def chain(g, draw, n, length, tip=None):
    """Links and joints of a chain that hangs from the link `base`."""
    links, joints = [], []
    for i in range(n):
        mass, rod = draw.log(0.3, 3.0), [0.05, 0.05, length]
        shapes = [g.col("sphere", (0, 0, -length), radius=tip)] if tip and i == n - 1 else []
        links.append(g.link(f"l{i}", mass, (0, 0, -length / 2), g.I_box(mass, rod), shapes))
        at = (0, 0, 0) if i == 0 else (0, 0, -length)
        joints.append(g.joint(f"j{i}", "continuous", "base" if i == 0 else f"l{i - 1}", f"l{i}", at,
                              axis=draw.axis(), damping=draw.uniform(0, 0.2)))
    return links, joints


def hanging(g, draw, name):
    """A chain that swings; half of them strike the ground with their tips."""
    n, length, strikes = draw.count(1, 7), draw.uniform(0.2, 0.5), draw.yes()
    links, joints = chain(g, draw, n, length, 0.05 if strikes else None)
    joints[0]["axis"], joints[0]["xyz"] = [0, 1, 0], [0, 0, length * n * (0.8 if strikes else 1.5) + 0.1]
    m = g.model("chain", [g.link("base", 0.0)] + links, joints)
    start = {f"j{i}": (draw.uniform(1.2, 2.0) if i == 0 else draw.uniform(-0.4, 0.4), 0.0) for i in range(n)}
    g.write_scene(name, [m], [g.inst("chain", "chain", "fixed", joints=start)], duration=2.0, contact=contact(g, draw),
                  ground=strikes, chaotic=True)


def legged(g, draw, name):
    """A robot with two to six legs of two joints, dropped."""
    half, n = draw.uniform(0.15, 0.4), draw.count(2, 6)
    mass, body = draw.log(5, 30), [2 * half, half, 0.15]
    links, joints = [g.link("body", mass, inertia=g.I_box(mass, body), collisions=g.corner_spheres(body, 0.03))], []
    start, length = {}, draw.uniform(0.2, 0.35)
    for i in range(n):
        x, y = half * (1 - 2 * (i // 2) / max(1, (n - 1) // 2)) if n > 2 else 0.0, (1 - 2 * (i % 2)) * half / 2
        foot = [g.col("sphere", (0, 0, -length), radius=0.03)]
        parts = (("upper", "body", (x, y, 0), []), ("lower", f"upper{i}", (0, 0, -length), foot))
        for part, parent, at, shapes in parts:
            m, limits = draw.log(0.3, 2.0), (-1.0, 2.0) if part == "upper" else (-2.6, -0.2)
            links.append(g.link(f"{part}{i}", m, (0, 0, -length / 2), g.I_box(m, [0.05, 0.05, length]), shapes))
            joints.append(g.joint(f"{part}_joint{i}", "revolute", parent, f"{part}{i}", at, axis=(0, 1, 0),
                                  limits=limits, damping=draw.uniform(0.2, 1.0)))
        start.update({f"upper_joint{i}": (0.6, 0.0), f"lower_joint{i}": (-1.2, 0.0)})
    tilt = g.quat((draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1), 0))
    robot = g.inst("robot", "robot", "floating", (0, 0, 2 * length + 0.2), tilt, joints=start,
                   collision_group="ground_only")
    m = g.model("robot", links, joints)
    g.write_scene(name, [m], [robot], duration=1.5, contact=contact(g, draw), chaotic=True)


def tower(g, draw, name):
    """Boxes on each other, set down from a finger's width, the lowest on its way."""
    models, instances, z = [], [], 0.0
    for i in range(draw.count(2, 5)):
        sides = [draw.uniform(0.15, 0.25), draw.uniform(0.15, 0.25), draw.uniform(0.08, 0.2)]
        models.append(g.box_model(f"m{i}", sides, draw.log(0.5, 5.0), collisions=g.corner_spheres(sides, 0.01)
                                  + [g.col("box", size=[sides[0], sides[1], sides[2] - 0.004])]))
        z += sides[2] + 0.01
        at = (draw.uniform(-0.01, 0.01), draw.uniform(-0.01, 0.01), z - sides[2] / 2)
        instances.append(g.inst(f"b{i}", f"m{i}", "floating", at, v=(draw.uniform(0, 0.5) if i == 0 else 0, 0, 0)))
    g.write_scene(name, models, instances, duration=1.0, contact=contact(g, draw), chaotic=True)


def belt(g, draw, name):
    """A block on a belt that goes to and fro on a spring."""
    mass, rate, sides = 1000.0, 2 * math.pi * draw.uniform(0.5, 2.0), [4.0, 1.0, 0.05]
    m = g.model("belt", [g.link("rail", 0.0), g.link("belt", mass, inertia=g.I_box(mass, sides),
                                                      collisions=[g.col("box", size=sides)])],
                [g.joint("slide", "prismatic", "rail", "belt", (0, 0, -0.025), axis=(1, 0, 0))])
    block = list(draw.uniform(0.1, 0.3, 3))
    block[2] *= 0.6
    law, weight = contact(g, draw), draw.log(0.3, 3.0)
    speed = draw.uniform(0.3, 1.5)
    z = block[2] / 2 - weight * g.G / 4 / law["stiffness"]
    models = [m, g.box_model("block", block, weight, collisions=g.corner_spheres(block, 0.005)[::2])]
    instances = [g.inst("belt", "belt", "fixed", joints={"slide": (0.0, speed)}),
                 g.inst("block", "block", "floating", (0, 0, z), v=(speed, 0, 0))]
    g.write_scene(name, models, instances, duration=2.0, contact=law, ground=False, chaotic=True,
                  springs=[{"instance": "belt", "joint": "slide", "stiffness": mass * rate * rate, "rest": 0.0}])


def wheel(g, draw, name):
    """A ring of balls that rolls and falls over, as a coin does."""
    r, n, width, mass = draw.uniform(0.05, 0.2), draw.count(8, 16), draw.uniform(0.02, 0.2), draw.log(0.3, 5)
    turns = [2 * math.pi * i / n for i in range(n)]
    rim = [g.col("sphere", (r * math.cos(a), r * math.sin(a), s * width / 2), radius=0.01)
           for s in (-1, 1) for a in turns]
    m = g.model("wheel", [g.link("wheel", mass, inertia=g.I_cyl(mass, r, width), collisions=rim)])
    q = g.quat((draw.uniform(1.0, 2.1), draw.uniform(-0.3, 0.3), 0))
    turn, speed = draw.uniform(-8, 8, 3), (draw.uniform(-1, 1), 0, 0)
    body = g.inst("wheel", "wheel", "floating", (0, 0, r + 0.1), q, w=turn, v=speed)
    g.write_scene(name, [m], [body], duration=1.5, contact=contact(g, draw), chaotic=True)


def grasp(g, draw, name):
    """Two fingers on springs hold a block, or let it slip, while their carriage falls and swings."""
    half, weight, force = draw.uniform(0.02, 0.06), draw.log(0.05, 1.0), draw.uniform(5, 60)
    block = [draw.uniform(0.04, 0.1), 2 * half, draw.uniform(0.06, 0.15)]
    links = [g.link("rail", 0.0), g.link("hand", 1.0, inertia=g.I_box(1.0, [0.1, 0.2, 0.05]))]
    joints = [g.joint("lift", "prismatic", "rail", "hand", (0, 0, 1.0), axis=(0, 0, 1), damping=5.0)]
    springs = [{"instance": "gripper", "joint": "lift", "stiffness": draw.uniform(50, 500), "rest": 0.0}]
    for side, s in (("left", 1), ("right", -1)):
        pads = [g.col("sphere", (x, s * 0.005, z), radius=0.005) for x in (-0.01, 0.01) for z in (-0.02, 0.02)]
        links.append(g.link(side, 0.05, (0, s * 0.01, 0), g.I_box(0.05, [0.03, 0.02, 0.06]), pads))
        joints.append(g.joint(side, "prismatic", "hand", side, (0, 0, -0.1), axis=(0, s, 0), damping=2.0))
        springs.append({"instance": "gripper", "joint": side, "stiffness": 1000.0, "rest": half - force / 1000})
    instances = [g.inst("gripper", "gripper", "fixed", joints={"lift": (0, 0), "left": (half, 0), "right": (half, 0)}),
                 g.inst("block", "block", "floating", (0, 0, 0.9))]
    models = [g.model("gripper", links, joints), g.box_model("block", block, weight)]
    g.write_scene(name, models, instances, duration=1.0, contact=contact(g, draw), chaotic=True, ground=False,
                  springs=springs)


KINDS = {
    "balls": lambda *a: pile(*a, ["ball"]),
    "boxes": lambda *a: pile(*a, ["box", "ball"]),
    "corners": lambda *a: pile(*a, ["corners", "ball"]),
    "thrown": thrown,
    "bouncing": bouncing,
    "hanging": hanging,
    "legged": legged,
    "tower": tower,
    "belt": belt,
    "wheel": wheel,
    "grasp": grasp,
}


def writer(scenes, out):
    """The module of the shared scenes that writes one, into the folder `out` with their programs."""
    out.mkdir(parents=True, exist_ok=True)
    for program in scenes.glob("*.py"):
        shutil.copy(program, out)
    spec = importlib.util.spec_from_file_location("gen_scenes", scenes / "gen_scenes.py")
    g = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(g)
    g.OUT = out / "scenes"
    return g


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    g = writer(options.scenes, options.out)
    for i in range(options.count):
        kind = list(KINDS)[i % len(KINDS)]
        KINDS[kind](g, Draw(options.seed, i), f"{kind}_{i:03d}")
    print(f"{options.count} scenes in {g.OUT}")


if __name__ == "__main__":
    main()
