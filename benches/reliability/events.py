"""Scenes in which contact begins, ends, or goes over to other bodies: what features are added to.

A scene has one or two bodies that move (`a`, `b`), what they touch, and the law of their contact. A body is a single
link, or a box on a leg with a joint `leg`, for features of joints.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "promises"))
from models import box_inertia, joint, link, robot, sphere_inertia  # noqa: E402

EVENTS = ("landing", "leaving", "changing")
G = 9.81
CUBE = "".join(f"v {x} {y} {z}\n" for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)) + (
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n"
)
# Shapes with the distance from their middle to their foot.
SHAPES = {
    "ball": (("sphere", 0.05), 0.05),
    "box": (("box", (0.12, 0.1, 0.08)), 0.04),
    "cylinder": (("cylinder", (0.05, 0.06)), 0.03),
    "capsule": (("capsule", (0.03, 0.08)), 0.07),
    "mesh": (("mesh", "cube.obj"), 0.05),
}
HEIGHT = 0.2


@dataclass
class Scene:
    files: dict = field(default_factory=dict)
    models: list = field(default_factory=list)
    plant: dict = field(default_factory=dict)
    systems: dict = field(default_factory=dict)
    wires: list = field(default_factory=list)
    duration: float = 0.12
    # Whether something gives energy, and how much there is about to compare a gain with [J].
    driven: bool = False
    energy: float = 0.0
    # Links of what moves, as `model/link`: the first touches.
    links: list = field(default_factory=list)
    # Of `b`, where there is one.
    other: str = ""
    # Height of what is touched, and how deep the first body stands in it.
    top: float = 0.0

    def add(self, name, text, base="floating", **rest):
        kind = "xml" if text.lstrip().startswith("<mujoco") else "urdf"
        self.files[f"{name}.{kind}"] = text
        entry = {"name": name, "file": f"{name}.{kind}", "actuated": "none", **rest}
        if kind == "urdf":
            entry["base"] = base
        self.models.append(entry)
        return entry


def inertia_of(mass, shape):
    kind, size = shape
    if kind == "sphere":
        return sphere_inertia(mass, size)
    return box_inertia(mass, size if kind == "box" else (0.1, 0.1, 0.1))


def single(kind, mass):
    shape, low = SHAPES[kind]
    return robot(link("body", mass, inertia_of(mass, shape), shape=shape)), low


def legged(kind, mass, way, extra):
    """A box on a leg with a foot of this shape; `extra` goes into the joint."""
    shape, low = SHAPES[kind]
    axis = (0, 0, 1) if way == "prismatic" else (0, 1, 0)
    made = joint("leg", way, "body", "foot", axis, (0, 0, -0.08), limit=(-0.03, 0.05) if extra != "free" else None)
    if way == "continuous":
        made = joint("leg", way, "body", "foot", axis, (0, 0, -0.08))
    if extra not in ("", "free"):
        made = made.replace("</joint>", extra + "</joint>")
    parts = [
        link("body", mass, box_inertia(mass, (0.1, 0.08, 0.06)), shape=("box", (0.1, 0.08, 0.06))),
        link("foot", 0.4 * mass, inertia_of(0.4 * mass, shape), (0, 0, -0.03), shape=shape),
        made,
    ]
    return robot(*parts), 0.08 + low


def law(rng):
    """A law of contact; features change it."""
    static = rng.choice([0.0, 0.3, 0.6, 1.0])
    return {
        "stiffness": 10 ** rng.uniform(4, 6),
        "dissipation": rng.choice([0.0, 0.5, 5.0, 20.0]),
        "static_friction": static,
        "dynamic_friction": static,
    }


def box_of(size, mass=1.0):
    return robot(link("body", mass, box_inertia(mass, size), shape=("box", size)))


def support(rng, scene, kind):
    """What is stood on: the ground, a fixed box, or a loose one on the ground; its height."""
    what = rng.choice(["ground", "table", "loose"]) if kind == "any" else kind
    scene.plant["ground"] = {"height": 0.0}
    if what == "ground":
        return 0.0
    size = (0.6, 0.6, 0.1)
    if what == "table":
        scene.add("table", box_of(size), base="fixed", pose={"xyz": [0, 0, HEIGHT - 0.05]})
        return HEIGHT
    scene.add("table", box_of(size, 5.0), pose={"xyz": [0, 0, 0.05 - 1e-6]})
    return 0.1


def moving(rng, jointed, extra, mass, name, kinds=tuple(SHAPES)):
    """The text of a body, how high its origin stands above its foot, and its links, the one that touches first."""
    kind = rng.choice(kinds)
    if not jointed:
        text, low = single(kind, mass)
        return text, low, [f"{name}/body"], kind
    text, low = legged(kind if kind != "mesh" else "ball", mass, jointed, extra)
    return text, low, [f"{name}/foot", f"{name}/body"], kind


def make(rng, event, jointed="", extra=""):
    """A scene of an event, whose first body has a leg with a joint of the kind `jointed`."""
    scene = Scene()
    scene.plant = {"gravity": [0.0, 0.0, -G], "contact": law(rng)}
    mass = 10 ** rng.uniform(-0.7, 0.5)
    if event == "landing":
        land(rng, scene, mass, jointed, extra)
    elif event == "leaving":
        leave(rng, scene, mass, jointed, extra)
    else:
        change(rng, scene, mass, jointed, extra)
    return scene


def place(scene, name, text, xyz, linear, angular, mass):
    entry = scene.add(name, text, pose={"xyz": [float(x) for x in xyz]})
    entry["velocity"] = {"angular": [float(x) for x in angular], "linear": [float(x) for x in linear]}
    fast = sum(x * x for x in linear)
    scene.energy += 1.5 * mass * (0.5 * fast + G * 0.05) + 0.01 * mass * sum(x * x for x in angular)
    return entry


def sunk(scene, mass):
    """How deep a body rests in what carries it [m]."""
    return 1.2 * mass * G / scene.plant["contact"]["stiffness"]


def turn(rng, size):
    return [round(rng.uniform(-size, size), 3) for _ in range(3)]


def land(rng, scene, mass, jointed, extra):
    """A body falls on something, or two do, one on the other."""
    top = support(rng, scene, "any")
    text, low, links, _ = moving(rng, jointed, extra, mass, "a")
    gap = 10 ** rng.uniform(-3.5, -2.2)
    speed = [round(rng.uniform(-1, 1), 3), 0.0, -round(rng.uniform(0, 0.8), 3)]
    entry = place(scene, "a", text, (0, 0, top + low + gap), speed, turn(rng, rng.choice([0, 3, 10])), mass)
    if rng.random() < 0.4:
        entry["pose"]["rpy"] = turn(rng, 0.3)
        entry["pose"]["xyz"][2] += 0.02
    if rng.random() < 0.3:
        text, low, _, _ = moving(rng, "", "", mass, "b")
        place(scene, "b", text, (0.02, 0.01, top + 0.21 + low), (0, 0, -2.0), turn(rng, 2), mass)
        scene.other = "b/body"
    scene.links, scene.top = links, top


def leave(rng, scene, mass, jointed, extra):
    """A body that stands on something is thrown off it, or slides off its edge."""
    top = support(rng, scene, "any")
    edge = top > 0 and rng.random() < 0.5
    text, low, links, _ = moving(rng, jointed, extra, mass, "a", ("ball", "box", "cylinder") if edge else tuple(SHAPES))
    deep = min(sunk(scene, mass), 0.002)
    if edge:
        at, speed, spin = (0.26, 0.0), (rng.uniform(0.8, 2.0), 0.0, 0.0), [0.0, 0.0, 0.0]
    else:
        at, speed, spin = (0.0, 0.0), (0.0, rng.uniform(-0.5, 0.5), rng.uniform(0.2, 1.0)), turn(rng, 3)
    place(scene, "a", text, (*at, top + low - deep), speed, spin, mass)
    scene.links, scene.top = links, top


def change(rng, scene, mass, jointed, extra):
    """A body goes from one to the other, one lands as the other leaves, or one strikes another that leaves."""
    how = rng.choice(["over", "over", "swap", "strike"])
    if how == "over":
        scene.plant["ground"] = {"height": 0.0}
        step = rng.choice([0.0, 0.0, 1e-4, 2e-3])
        for name, x, height in (("left", -0.2, HEIGHT), ("right", 0.2, HEIGHT - step)):
            scene.add(name, box_of((0.4, 0.4, 0.1)), base="fixed", pose={"xyz": [x, 0, height - 0.05]})
        text, low, links, kind = moving(rng, jointed, extra, mass, "a", ("ball", "box", "cylinder"))
        speed = rng.uniform(0.8, 2.0)
        spin = [0.0, speed / 0.05 if kind == "ball" and not jointed else 0.0, 0.0]
        place(scene, "a", text, (-0.03, 0.01, HEIGHT + low - min(sunk(scene, mass), 0.002)), (speed, 0, 0), spin, mass)
        scene.links, scene.top = links, HEIGHT
        return
    top = support(rng, scene, "ground" if how == "swap" else "any")
    text, low, links, kind = moving(rng, jointed, extra, mass, "a")
    scene.links, scene.top, scene.other = links, top, "b/body"
    deep = min(sunk(scene, mass), 0.002)
    if how == "swap":
        # As many rows before as after.
        place(scene, "a", text, (0, 0, top + low - deep), (0, 0, rng.uniform(0.3, 1.0)), turn(rng, 2), mass)
        text, low, _, _ = moving(rng, "", "", mass, "b", (kind,))
        place(scene, "b", text, (0.5, 0, top + low + rng.uniform(1e-4, 5e-3)), (0, 0, -0.2), turn(rng, 2), mass)
        return
    place(scene, "a", text, (0, 0, top + low - deep), (rng.uniform(1.0, 3.0), 0, 0), [0, 0, 0], mass)
    text, low, _, _ = moving(rng, "", "", mass, "b", ("ball", "box"))
    place(scene, "b", text, (0.115 + rng.uniform(0, 0.02), 0.01, top + low - deep), (0, 0, 0), [0, 0, 0], mass)
