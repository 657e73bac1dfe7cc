"""Mechanisms beside a body that lands, leaves or changes partners: in its plant, or in one of their own."""

import events
from events import G
from models import joint, link, robot

WIRE = '<joint name="{name}" type="slide" axis="0 0 1"/>'
WEIGHT = '<geom type="sphere" size="0.04" mass="{mass}"/>'


def hung(rng, tendon, more=""):
    """MJCF: two weights that slide, ropes over sites of the world, and what else is said."""
    first, second = round(rng.uniform(0.2, 2), 3), round(rng.uniform(0.2, 2), 3)
    text = "<mujoco><worldbody>"
    for x in (0.0, 0.3):
        text += f'<site name="top{x}" pos="{x + 1} 0 1"/>'
    for n, (x, mass) in enumerate(((0.0, first), (0.3, second))):
        text += f'<body name="w{n}" pos="{x + 1} 0 0.3">{WIRE.format(name=f"s{n}")}{WEIGHT.format(mass=mass)}'
        text += f'<site name="at{n}"/></body>'
    return f"{text}</worldbody><tendon>{tendon}</tendon>{more}</mujoco>"


def path(name, extra, sites):
    return f'<spatial name="{name}" {extra}>' + "".join(f'<site site="{s}"/>' for s in sites) + "</spatial>"


PULLEY = ["at0", "top0.0", "top0.3", "at1"]


def strings(extra, sites, more="", energy=0.0, driven=False):
    def make(rng, event):
        scene = events.make(rng, event)
        values = {"solref": f'{10 ** rng.uniform(-3.5, -2):.5g} 1', "stiff": f"{10 ** rng.uniform(1, 4):.5g}",
                  "slack": f"{rng.choice([0.0, 0.002, 0.02]):.3g}"}
        length = 0.7 if len(sites) == 2 else 1.7
        values["most"] = f"{length + float(values['slack']):.6g}"
        scene.add("m", hung(rng, path("rope", extra.format(**values), sites), more.format(**values)), surfaces="plant")
        scene.energy += 2 * G * 0.05 + energy * float(values["stiff"])
        scene.driven |= driven
        return scene

    return make


RANGE = 'limited="true" range="0 {most}" solreflimit="{solref}"'
SPRING = 'stiffness="{stiff}" springlength="0 0.6" damping="0.5"'
EQUAL = '<equality><tendon tendon1="rope" solref="{solref}"/></equality>'
MUSCLE = ('<actuator><muscle name="pull" tendon="rope" force="50" lengthrange="0.3 0.9" ctrllimited="true" '
          'ctrlrange="0 1"/></actuator>')
CONNECT = '<equality><connect body1="w0" body2="w1" anchor="0.15 0 0" solref="{solref}"/></equality>'
COUPLED = '<equality><joint joint1="s0" joint2="s1" polycoef="0 -0.5 0 0 0" solref="{solref}"/></equality>'


def four_bar(redundant=False):
    """Links of a parallelogram, and what closes it."""
    bar = lambda name: link(name, 1.0, (0.1, 0.1, 0.01), (0, 0, -0.2))  # noqa: E731
    text = robot(
        '<link name="base"/>', bar("left"), bar("right"), link("bar", 1.0, (0.01, 0.1, 0.1), (0.25, 0, 0)),
        joint("a", "continuous", "base", "left", (0, 1, 0)),
        joint("b", "continuous", "left", "bar", (0, 1, 0), (0, 0, -0.4)),
        joint("c", "continuous", "base", "right", (0, 1, 0), (0.5, 0, 0)),
    )
    ends = {"a": {"link": "loop/right", "pose": {"xyz": [0, 0, -0.4]}},
            "b": {"link": "loop/bar", "pose": {"xyz": [0.5, 0, 0]}}}
    closed = [{"name": "close", "type": "ball", **ends}]
    if redundant:
        closed.append({"name": "again", "type": "ball", **ends})
    return text, closed


def loop(own_plant, redundant=False):
    """A loop that is closed rigidly and swings, in the plant of the body or in another."""

    def make(rng, event):
        scene = events.make(rng, event)
        angle = rng.uniform(0.2, 1.0)
        text, closed = four_bar(redundant)
        start = {"loop": {"a": angle, "b": -angle, "c": angle}}
        scene.energy += 3 * G * 0.4
        if rng.random() < 0.6:
            # Rows of contacts that come and go stand among those of constraints.
            scene.plant["contact"].update({"torsional_friction": 0.01, "rolling_friction": 0.01})
        if own_plant:
            scene.files["loop.urdf"] = text
            entry = {"name": "loop", "file": "loop.urdf", "base": "fixed", "actuated": "none"}
            scene.systems["second"] = {"type": "multibody_plant", "models": [entry], "constraints": closed,
                                       "initial": start}
        else:
            scene.add("loop", text, base="fixed", pose={"xyz": [2, 0, 1]})
            scene.plant["constraints"], scene.plant["initial"] = closed, start
        return scene

    return make


def coupled(rng, event):
    """Two slides that a coupler joins, and a joint that mimics another."""
    scene = events.make(rng, event)
    text = robot(
        '<link name="base"/>', link("x", 1.0, (0.01,) * 3), link("y", 0.5, (0.01,) * 3), link("z", 0.5, (0.01,) * 3),
        joint("x", "prismatic", "base", "x", (0, 0, 1), limit=(-1, 1)),
        joint("y", "prismatic", "base", "y", (0, 0, 1), limit=(-1, 1)),
        joint("z", "continuous", "base", "z", (0, 1, 0)).replace(
            "</joint>", '<mimic joint="x" multiplier="2"/></joint>'),
    )
    scene.add("gear", text, base="fixed", pose={"xyz": [2, 0, 1]})
    gear = {"name": "gear", "type": "coupler", "joints": ["gear/x", "gear/y"],
            "ratio": round(rng.uniform(-2, 2), 3) or 1}
    if rng.random() < 0.4:
        gear.update({"stiffness": 10 ** rng.uniform(2, 5), "damping": 1.0})
    scene.plant["constraints"] = [gear]
    scene.energy += 2 * G * 0.1
    return scene


def fibre(kind):
    def make(rng, event):
        scene = events.make(rng, event)
        radius = 10 ** rng.uniform(-2.3, -1.7)
        found = {"name": "f", "section": {"radius": radius}, "elements": rng.choice([3, 5]),
                 "material": {"young": 10 ** rng.uniform(5.5, 7.5), "density": 1000, "damping": 0.01}}
        low = scene.top + radius + 10 ** rng.uniform(-3.5, -2)
        if kind == "ring":
            found["circle"] = {"centre": [0.3, 0.3, low + 0.12], "axis": [0, 1, 0], "radius": 0.1}
            found["elements"] = 6
        else:
            x, y, z = upright(scene)
            found["points"] = [[x, y, z], [x + 0.25, y, z]] if kind == "held" else [[0.1, 0.3, low], [0.35, 0.3, low]]
            if kind == "held":
                found["start"] = {"pinned": scene.links[0]}
                # It begins within the body.
                found["contact_radius"] = 0
        scene.plant["fibres"] = [found]
        scene.energy += 3.2 * radius**2 * 1000 * 0.6 * G * 0.1
        return scene

    return make


def upright(scene):
    entry = next(m for m in scene.models if m["name"] == "a")
    entry["pose"].pop("rpy", None)
    return entry["pose"]["xyz"]


def softened(rng, event):
    """A ball of MJCF with the softness of its file, on the ground of the plant."""
    scene = events.make(rng, event)
    low = scene.top + 0.05 + 10 ** rng.uniform(-4, -2)
    solref = f"{10 ** rng.uniform(-3, -1.5):.5g} {rng.uniform(0.3, 1.2):.4g}"
    text = (f'<mujoco><worldbody><body name="s" pos="0.3 0.3 {low}"><freejoint/>'
            f'<geom type="sphere" size="0.05" mass="1" solref="{solref}" condim="{rng.choice([1, 3, 4, 6])}" '
            'friction="0.8 0.01 0.001"/></body></worldbody></mujoco>')
    scene.add("s", text)
    scene.energy += G * 0.05
    return scene


def height_field(rng, event):
    scene = events.make(rng, event)
    heights = " ".join(f"{rng.uniform(0, 1):.3f}" for _ in range(25))
    text = ('<mujoco><asset><hfield name="h" nrow="5" ncol="5" size="0.5 0.5 0.05 0.1" '
            f'elevation="{heights}"/></asset><worldbody><geom type="hfield" hfield="h" pos="3 0 {scene.top}"/>'
            f'<body name="s" pos="3 0 {scene.top + 0.12}"><freejoint/>'
            '<geom type="sphere" size="0.05" mass="1"/></body></worldbody></mujoco>')
    scene.add("s", text, surfaces="plant")
    scene.energy += G * 0.1
    return scene


def adhesive(rng, event):
    scene = events.make(rng, event)
    low = scene.top + 0.05 + 10 ** rng.uniform(-4, -2)
    text = (f'<mujoco><worldbody><body name="s" pos="0.3 0.3 {low}"><freejoint/>'
            '<geom type="sphere" size="0.05" mass="1"/></body></worldbody><actuator>'
            '<adhesion name="stick" body="s" ctrlrange="0 1" gain="20"/></actuator></mujoco>')
    scene.add("s", text, surfaces="plant")
    scene.driven = True
    return scene


def cone(rng, event):
    """A rod on a ball joint with a largest angle."""
    scene = events.make(rng, event)
    angle = round(rng.uniform(0.3, 1.2), 3)
    text = ('<mujoco><compiler angle="radian"/><worldbody><body name="rod" pos="3 0 1">'
            f'<joint type="ball" limited="true" range="0 {angle}" solreflimit="{10 ** rng.uniform(-3.5, -2):.5g} 1"/>'
            '<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/></body></worldbody></mujoco>')
    scene.add("rod", text, surfaces="plant")
    scene.energy += G * 0.3
    return scene


MECHANISMS = {
    "couplers, mimic joints": ("constraints", coupled),
    "closed loops": ("constraints", loop(False)),
    "closed loops of another plant": ("constraints", loop(True)),
    "closed loops, held twice": ("constraints", loop(False, redundant=True)),
    "equalities that connect": ("constraints", strings('frictionloss="0.1"', PULLEY[:2], CONNECT)),
    "equalities of joints": ("constraints", strings('frictionloss="0.1"', PULLEY[:2], COUPLED)),
    "ropes": ("elements", strings(RANGE, PULLEY[:2])),
    "ropes over pulleys": ("elements", strings(RANGE, PULLEY)),
    "springs along tendons": ("elements", strings(SPRING, PULLEY[:2], energy=0.5 * 0.1**2)),
    "equalities of tendons": ("elements", strings('frictionloss="0.1"', PULLEY, EQUAL)),
    "friction of tendons": ("elements", strings('frictionloss="5" damping="0.2"', PULLEY)),
    "muscles": ("elements", strings('frictionloss="0.1"', PULLEY[:2], MUSCLE, driven=True)),
    "largest angles of ball joints": ("elements", cone),
    "fibres that fall": ("elements", fibre("falls")),
    "fibres that hang on bodies": ("elements", fibre("held")),
    "rings of fibres": ("elements", fibre("ring")),
    "softness of MJCF": ("contact", softened),
    "height fields": ("contact", height_field),
    "adhesion": ("contact", adhesive),
}
