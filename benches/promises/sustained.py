"""The family `sustained`: contact that lasts.

Balls that roll, against their closed form; bodies on rims, that slide, spin, are towed, driven or stand on legs, balls
on domes, in bowls and between moving plates, boxes that an arm swings, legs and arms under feedback, against the same
law of contact integrated by another method at a much tighter accuracy.
"""

import math
import random

from models import box_inertia, contact, diagram, joint, link, robot, sphere_inertia, xyz
from odes import cross, rotated, trajectory

G = 9.81
EVERY = 0.05
EXACT = ["--integrator", "dopri5"]


def log_uniform(r, low, high):
    return math.exp(r.uniform(math.log(low), math.log(high)))


def tilted(slope, about=0.0):
    """Gravity on a plane that falls by the angle `slope` along the direction at the angle `about`."""
    along = G * math.sin(slope)
    return (along * math.cos(about), along * math.sin(about), -G * math.cos(slope))


def of_a_body(model, place, quat, turn, speed, duration, gravity, law):
    """The files of a scene of one body on a plane."""
    body = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": place, "quat": quat}}
    body["velocity"] = {"angular": turn, "linear": speed}
    text = diagram([body], duration, EVERY, gravity=gravity, contact=law, ground={"height": 0})
    return {"b.urdf": robot(model), "scene.yaml": text}


def driven(model, initial, duration, law, **rest):
    """The files of a scene of a mechanism on a fixed base, above a plane."""
    models = [{"name": "m", "file": "m.urdf", "base": "fixed", "actuated": rest.pop("actuated", "none")}]
    text = diagram(models, duration, EVERY, contact=law, ground={"height": 0}, initial={"m": initial}, **rest)
    return {"m.urdf": robot('<link name="base"/>', *model), "scene.yaml": text}


def rolls(r):
    """A ball rolls down, across or up a plane, with spin about the normal."""
    mass, radius, slope, mu = log_uniform(r, 0.3, 3), 0.1, r.uniform(0.0, 0.3), r.uniform(0.5, 1.0)
    k, tolerance, duration = log_uniform(r, 1e4, 1e6), r.choice([1e-5, 1e-4]), 1.0
    spun = 0.4 * mass * radius**2 * r.uniform(0.7, 1.5)
    about, speed, spin = r.uniform(0, 2 * math.pi), r.uniform(0.0, 1.5), r.uniform(-25, 25)
    gravity = tilted(slope, r.uniform(0, 2 * math.pi))
    depth = -mass * gravity[2] / k
    # Where bodies are pressed into each other, they touch in the middle.
    arm = radius - 0.5 * depth
    accel = [g / (1 + spun / (mass * arm**2)) for g in gravity[:2]]
    # Friction that sticks creeps.
    load = spun / arm**2 * math.hypot(*accel) / (mu * -mass * gravity[2])
    creep = tolerance / math.sqrt(1 - load**2) * load / max(math.hypot(*accel), 1e-300)
    v0 = [speed * math.cos(about), speed * math.sin(about)]

    def turning(v):
        x, y = v[0] - creep * accel[0], v[1] - creep * accel[1]
        return [-y / arm, x / arm, spin]

    def rate(x):
        (w, q), v = (turning(x[6:8]), x[2:6]), x[6:8]
        u = cross(w, q[1:])
        dot = sum(a * b for a, b in zip(w, q[1:]))
        dq = [-0.5 * dot] + [0.5 * (q[0] * a + b) for a, b in zip(w, u)]
        return [*v, *dq, *accel]

    ticks = [round(i * EVERY, 12) for i in range(int(round(duration / EVERY)) + 1)]
    wanted = trajectory(rate, [0, 0, 1, 0, 0, 0, *v0], ticks, 1e-3)
    model = link("b", mass, (spun,) * 3, shape=("sphere", radius))
    law = contact(k, 10, mu, mu, tolerance)
    files = of_a_body(model, (0, 0, radius - depth), [1, 0, 0, 0], turning(v0), (*v0, 0), duration, gravity, law)
    head = ["time", *(f"plant.b.b.{c}" for c in ("x", "y", "qw", "qx", "qy", "qz", "vx", "vy"))]
    return files, (head, [[t, *x] for t, x in zip(ticks, wanted)])


def rims(r):
    """A coin or a cylinder rolls on its rim."""
    mass, radius, half = log_uniform(r, 0.3, 3), 0.1, r.choice([0.002, 0.01, 0.05])
    k, mu = log_uniform(r, 2e4, 1e6), r.uniform(0.4, 0.9)
    across, along = mass * (radius**2 / 4 + half**2 / 3), mass * radius**2 / 2
    tip = math.pi / 2 - r.uniform(0.2, 0.7)
    quat = [math.cos(tip / 2), math.sin(tip / 2), 0.0, 0.0]
    axis = rotated(quat, [0, 0, 1])
    turn = [r.uniform(5, 14) * x for x in axis]
    down = [axis[2] * x for x in axis]
    down[2] -= 1
    length = math.sqrt(sum(x * x for x in down))
    point = [radius * d / length - half * a * math.copysign(1, axis[2]) for d, a in zip(down, axis)]
    speed = [-x for x in cross(turn, point)]
    model = link("b", mass, (across, across, along), shape=("cylinder", (radius, 2 * half)))
    place = (0, 0, -point[2] - mass * G / k)
    law = contact(k, r.uniform(5, 20), mu, mu, 1e-3)
    return of_a_body(model, place, quat, turn, speed, 0.6, (0, 0, -G), law), None


def slides(r):
    """A block slides from rest, set down with its static depth or without."""
    mass, size = log_uniform(r, 0.3, 3), (r.uniform(0.1, 0.3), r.uniform(0.1, 0.3), r.uniform(0.05, 0.12))
    k, slope, deep = log_uniform(r, 2e4, 1e6), r.uniform(0.35, 0.6), r.random() < 0.5
    mu = math.tan(slope) * r.uniform(0.5, 0.9)
    gravity = tilted(slope, r.uniform(-0.5, 0.5))
    law = contact(k, 10, mu, mu, 1e-3)
    law["points"] = "manifold"
    depth = -mass * gravity[2] / k if deep else 0.0
    model = link("b", mass, box_inertia(mass, size), shape=("box", size))
    place = (0, 0, 0.5 * size[2] - depth)
    return of_a_body(model, place, [1, 0, 0, 0], (0, 0, 0), (0, 0, 0), 1.0, gravity, law), None


def pucks(r):
    """A block slides and spins until it rests, or nearly."""
    mass, size = log_uniform(r, 0.3, 3), (r.uniform(0.1, 0.3), r.uniform(0.1, 0.3), r.uniform(0.02, 0.06))
    k, mu = log_uniform(r, 2e4, 1e6), r.uniform(0.1, 0.4)
    law = contact(k, 10, mu, mu, 1e-3)
    law["points"] = "manifold"
    model = link("b", mass, box_inertia(mass, size), shape=("box", size))
    place, speed = (0, 0, 0.5 * size[2] - mass * G / k), (r.uniform(0.5, 2), 0, 0)
    return of_a_body(model, place, [1, 0, 0, 0], (0, 0, r.uniform(-12, 12)), speed, 0.5, (0, 0, -G), law), None


def damped(text, damping):
    return text.replace("</joint>", f'<dynamics damping="{damping!r}"/></joint>')


def tows(r):
    """A rod trails behind a cart that a spring pulls."""
    length, height, mu = 1.0, r.uniform(0.6, 0.9), r.uniform(0.2, 0.5)
    tip, k, mass = 0.02, log_uniform(r, 2e4, 5e5), log_uniform(r, 0.5, 2)
    hang = math.acos((height - tip) / length) - 1e-4
    parts = [
        link("cart", r.uniform(1, 3), (0.01, 0.01, 0.01)),
        link("rod", mass, (mass / 12, mass / 12, 1e-3), (0, 0, -0.5 * length)),
        link("tip", 0.05, sphere_inertia(0.05, tip), shape=("sphere", tip)),
        joint("x", "prismatic", "base", "cart", (1, 0, 0), (0, 0, height), limit=(-100, 100)),
        joint("th", "continuous", "cart", "rod", (0, 1, 0)),
        joint("f", "fixed", "rod", "tip", (0, 0, 1), (0, 0, -length)),
    ]
    initial = {"x": {"q": 0.0, "v": r.uniform(0.5, 1.5)}, "th": {"q": hang, "v": 0.0}}
    springs = [{"joint": "m/x", "stiffness": r.uniform(5, 20), "rest": 1.5}]
    return driven(parts, initial, 0.8, contact(k, 10, mu, mu, 1e-3), springs=springs), None


def two_legs(r, hip, knee, damping):
    """A body on two legs: its parts, their state at the start, and the law of contact of its feet."""
    long, short, foot = 0.25, 0.25, 0.02
    mass, k, mu = r.uniform(4, 10), log_uniform(r, 2e4, 5e5), r.uniform(0.4, 0.8)
    parts = [link("sx", 0.01, (1e-4,) * 3), link("sz", 0.01, (1e-4,) * 3), link("body", mass, (0.1, 0.2, 0.1))]
    height = long * math.cos(hip) + short * math.cos(hip + knee) + foot - r.choice([0.0, 1e-4])
    parts += [
        joint("x", "prismatic", "base", "sx", (1, 0, 0), limit=(-100, 100)),
        joint("z", "prismatic", "sx", "sz", (0, 0, 1), limit=(-100, 100)),
        joint("p", "continuous", "sz", "body", (0, -1, 0)),
    ]
    initial = {"x": {"q": 0.0, "v": r.uniform(0, 0.3)}, "z": {"q": height, "v": 0.0}, "p": {"q": 0.0, "v": 0.0}}
    for side, at in (("a", 0.3), ("b", -0.3)):
        parts += [
            link(f"u{side}", 0.8, (0.005,) * 3, (0, 0, -0.5 * long)),
            link(f"l{side}", 0.3, (0.002,) * 3, (0, 0, -0.5 * short)),
            link(f"f{side}", 0.05, sphere_inertia(0.05, foot), shape=("sphere", foot)),
            damped(joint(f"h{side}", "continuous", "body", f"u{side}", (0, -1, 0), (at, 0, 0)), damping),
            damped(joint(f"k{side}", "continuous", f"u{side}", f"l{side}", (0, -1, 0), (0, 0, -long)), damping),
            joint(f"e{side}", "fixed", f"l{side}", f"f{side}", (0, 0, 1), (0, 0, -short)),
        ]
        initial[f"h{side}"], initial[f"k{side}"] = {"q": hip, "v": 0.0}, {"q": knee, "v": 0.0}
    return parts, initial, contact(k, 12, mu, mu, 1e-3)


def legs(r):
    """A body on two legs whose joints springs and dampers hold."""
    hip, knee = r.uniform(0.3, 0.6), r.uniform(-1.2, -0.8)
    parts, initial, law = two_legs(r, hip, knee, 4.0)
    springs = []
    for side in "ab":
        springs.append({"joint": f"m/h{side}", "stiffness": 150.0, "rest": hip + r.uniform(-0.1, 0.1)})
        springs.append({"joint": f"m/k{side}", "stiffness": 150.0, "rest": knee})
    return driven(parts, initial, 0.6, law, springs=springs), None


def wiper(r, upper, fore):
    """An arm of two links whose tip touches the ground: its parts, their state at the start, and the law of contact."""
    long, tip, k, mu = 0.3, 0.02, log_uniform(r, 2e4, 5e5), r.uniform(0.2, 0.7)
    height = long * math.cos(upper) + long * math.cos(upper + fore) + tip
    inertia = (0.5 * long**2 / 12, 0.5 * long**2 / 12, 1e-3)
    parts = [
        link("upper", 0.5, inertia, (0, 0, -0.5 * long)),
        link("fore", 0.5, inertia, (0, 0, -0.5 * long)),
        link("tip", 0.05, sphere_inertia(0.05, tip), shape=("sphere", tip)),
        joint("a", "continuous", "base", "upper", (0, 1, 0), (0, 0, height)),
        joint("b", "continuous", "upper", "fore", (0, 1, 0), (0, 0, -long)),
        joint("f", "fixed", "fore", "tip", (0, 0, 1), (0, 0, -long)),
    ]
    initial = {"a": {"q": upper, "v": 0.0}, "b": {"q": fore, "v": 0.0}}
    return parts, initial, contact(k, 12, mu, mu, 1e-3)


def servos(r):
    """Feedback leads what touches the ground along sine waves: two legs that squat, or an arm that wipes."""
    squats, rate = r.random() < 0.5, r.uniform(3, 12)
    if squats:
        hip, knee, swing, kp, kd = r.uniform(0.3, 0.6), r.uniform(-1.2, -0.8), r.uniform(0.02, 0.15), 150.0, 4.0
        names, middle, amplitude = ["ha", "ka", "hb", "kb"], [hip, knee] * 2, [swing, -2 * swing] * 2
        parts, initial, law = two_legs(r, hip, knee, 0.1)
    else:
        upper, fore, swing, kp, kd = r.uniform(-0.9, -0.5), r.uniform(1.3, 1.7), r.uniform(0.05, 0.2), 60.0, 2.0
        # The goal is below the ground.
        names, middle, amplitude = ["a", "b"], [upper, fore - r.uniform(0.05, 0.15)], [swing, -swing]
        parts, initial, law = wiper(r, upper, fore)
    goal = {"type": "sine", "amplitude": amplitude, "frequency": [rate] * len(names), "offset": middle}
    systems = {"goal": goal, "pid": {"type": "pid", "kp": kp, "kd": kd, "width": len(names)}}
    measured = f"plant.m[{', '.join(names)}] -> pid.measured"
    wires = [measured, "goal.state -> pid.desired", "pid.effort -> plant.m.actuation"]
    return driven(parts, initial, 0.6, law, systems=systems, connections=wires, actuated=names), None


def wheels(r):
    """A wheel under a cart is driven by a torque that its friction bears, or does not."""
    radius, mass, load = 0.1, r.uniform(0.5, 2), r.uniform(1, 5)
    k, mu = log_uniform(r, 2e4, 5e5), r.uniform(0.4, 0.8)
    weight = (mass + load) * G
    torque = mu * weight * radius * r.uniform(0.2, 1.3)
    parts = [
        link("sx", 0.01, (1e-4,) * 3),
        link("cart", load, (0.1, 0.1, 0.1)),
        link("wheel", mass, sphere_inertia(mass, radius), shape=("sphere", radius)),
        joint("x", "prismatic", "base", "sx", (1, 0, 0), limit=(-100, 100)),
        joint("z", "prismatic", "sx", "cart", (0, 0, 1), limit=(-100, 100)),
        joint("w", "continuous", "cart", "wheel", (0, 1, 0)),
    ]
    v0 = r.uniform(0.2, 1)
    initial = {"x": {"q": 0.0, "v": v0}, "z": {"q": radius - weight / k, "v": 0.0}, "w": {"q": 0.0, "v": v0 / radius}}
    systems = {"torque": {"type": "constant", "value": [torque]}}
    drive = {"systems": systems, "connections": ["torque.output -> plant.m.actuation"], "actuated": ["w"]}
    return driven(parts, initial, 0.6, contact(k, 10, mu, mu, 1e-3), **drive), None


def domes(r):
    """A ball rolls off a dome, and begins to slide on it."""
    radius, top, mass = 0.05, r.uniform(0.2, 0.6), log_uniform(r, 0.1, 1)
    k, mu = log_uniform(r, 2e4, 1e6), r.uniform(0.3, 0.9)
    lean, about, turned = r.uniform(0.05, 0.25), r.uniform(0, 2 * math.pi), r.uniform(0, 2 * math.pi)
    up = (math.sin(lean) * math.cos(about), math.sin(lean) * math.sin(about), math.cos(lean))
    depth = mass * G * up[2] / k
    speed = r.uniform(0, 0.5)
    v = [speed * x for x in cross((math.cos(turned), math.sin(turned), 0.0), up)]
    spin, arm = r.uniform(-5, 5), radius - 0.25 * depth
    w = [x / arm + spin * y for x, y in zip(cross(up, v), up)]
    place = [(top + radius - depth) * x for x in up]
    dome = {"name": "d", "file": "d.urdf", "base": "fixed", "actuated": "none"}
    ball = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": place}}
    ball["velocity"] = {"angular": w, "linear": v}
    files = {
        "d.urdf": robot(link("d", 1.0, (1.0,) * 3, shape=("sphere", top))),
        "b.urdf": robot(link("b", mass, sphere_inertia(mass, radius), shape=("sphere", radius))),
        "scene.yaml": diagram([dome, ball], 0.5, EVERY, contact=contact(k, 10, mu, mu, 1e-3)),
    }
    return files, None


def hollow(corners, faces):
    """The text of a mesh: a surface that is seen from above."""
    lines = [f"v {xyz(p)}" for p in corners] + ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    return "\n".join(lines) + "\n"


def bowl(radius, sides, rings, step):
    """A bowl of flat faces: its corners, on a sphere, in rings that are an angle `step` apart, and its faces."""
    around = [2 * math.pi * i / sides for i in range(sides)]
    corners = [(0, 0, 0)]
    for ring in range(1, rings + 1):
        s, c = math.sin(ring * step), math.cos(ring * step)
        corners += [(radius * s * math.cos(a), radius * s * math.sin(a), radius * (1 - c)) for a in around]
    at = lambda ring, i: 1 + (ring - 1) * sides + i % sides
    faces = [(0, at(1, i), at(1, i + 1)) for i in range(sides)]
    for ring in range(1, rings):
        faces += [(at(ring, i), at(ring + 1, i), at(ring + 1, i + 1), at(ring, i + 1)) for i in range(sides)]
    return corners, faces


def bowls(r):
    """A ball rolls in a bowl of flat faces, or along the bottom of a gutter of two."""
    radius, mass, k = 0.05, log_uniform(r, 0.1, 1), log_uniform(r, 2e4, 1e6)
    mu, speed, spin = r.uniform(0.4, 0.9), r.uniform(0.1, 0.8), r.uniform(-5, 5)
    if r.random() < 0.5:
        corners, faces = bowl(r.uniform(0.3, 0.6), r.choice([24, 48, 96]), 12, r.uniform(0.05, 0.08))
        face = faces[r.choice(range(len(faces) // 3, len(faces) // 2))]
        points = [corners[i] for i in face]
        up = cross([b - a for a, b in zip(points[0], points[1])], [b - a for a, b in zip(points[0], points[2])])
        up = [x / math.sqrt(sum(y * y for y in up)) for x in up]
        depth = mass * G * up[2] / k
        place = [sum(x) / len(points) + (radius - depth) * n for x, n in zip(zip(*points), up)]
        about = r.uniform(0, 2 * math.pi)
        v = [speed * x for x in cross(up, (math.cos(about), math.sin(about), 0.0))]
        arm = radius - 0.5 * depth
        w = [x / arm + spin * n for x, n in zip(cross(up, v), up)]
    else:
        # The gutter leads along x; its sides rise by the angle `steep`, and its bottom falls by `slope`.
        steep, slope = r.uniform(0.5, 0.9), r.uniform(0.0, 0.3)
        wide, high, fall = math.cos(steep), math.sin(steep), math.tan(slope)
        corners = [(x, y, z - x * fall) for x in (-1, 3) for y, z in ((wide, high), (0, 0), (-wide, high))]
        faces = [(0, 1, 4, 3), (1, 2, 5, 4)]
        length = math.sqrt(1 + (fall * wide) ** 2)
        # What of their normals points away from the bottom.
        away = wide / (math.cos(slope) * length)
        depth = mass * G * math.cos(slope) / (2 * k * away)
        place = [0, 0, (radius - depth) * length / wide]
        v = [speed * math.cos(slope), 0, -speed * math.sin(slope)]
        w = [0, speed / ((radius - 0.5 * depth) * away), 0]
    still = {"name": "h", "file": "h.urdf", "base": "fixed", "actuated": "none", "meshes": "exact"}
    ball = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": place}}
    ball["velocity"] = {"angular": w, "linear": v}
    files = {
        "h.obj": hollow(corners, faces),
        "h.urdf": robot(link("h", 1.0, (1.0,) * 3, shape=("mesh", "h.obj"))),
        "b.urdf": robot(link("b", mass, sphere_inertia(mass, radius), shape=("sphere", radius))),
        "scene.yaml": diagram([still, ball], 0.5, EVERY, contact=contact(k, 10, mu, mu, 1e-3)),
    }
    return files, None


def plates(r):
    """A ball rolls between two plates that springs move to and fro; the upper one rests on it."""
    radius, mass, k, mu = 0.05, log_uniform(r, 0.3, 1), log_uniform(r, 2e4, 2e5), r.uniform(0.4, 0.9)
    size, thick, press = (0.6, 0.3, 0.02), 0.02, r.uniform(0.5, 2)
    low, high = r.uniform(0.3, 1), r.uniform(-0.5, 0.5)
    above, below = press * G / k, (press + mass) * G / k
    height = thick + 2 * radius - above - below
    parts = [
        link("low", 1.0, box_inertia(1.0, size), shape=("box", size)),
        link("side", 0.01, (1e-4,) * 3),
        link("high", press, box_inertia(press, size), shape=("box", size)),
        joint("x", "prismatic", "base", "low", (1, 0, 0), limit=(-100, 100)),
        joint("s", "prismatic", "base", "side", (1, 0, 0), (0, 0, height), limit=(-100, 100)),
        joint("z", "prismatic", "side", "high", (0, 0, 1), limit=(-100, 100)),
    ]
    initial = {"x": {"q": 0.0, "v": low}, "s": {"q": 0.0, "v": high}, "z": {"q": 0.0, "v": 0.0}}
    springs = [{"joint": f"m/{name}", "stiffness": r.uniform(20, 100), "rest": 0.0} for name in ("x", "s")]
    place = (0, 0, 0.5 * thick + radius - below)
    turn = (0, 0.5 * (high - low) / (radius - 0.25 * (above + below)), r.uniform(-5, 5))
    ball = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": place}}
    ball["velocity"] = {"angular": turn, "linear": (0.5 * (low + high), 0, 0)}
    models = [{"name": "m", "file": "m.urdf", "base": "fixed", "actuated": "none"}, ball]
    law = contact(k, 10, mu, mu, 1e-3)
    files = {
        "m.urdf": robot('<link name="base"/>', *parts),
        "b.urdf": robot(link("b", mass, sphere_inertia(mass, radius), shape=("sphere", radius))),
        "scene.yaml": diagram(models, 0.5, EVERY, contact=law, initial={"m": initial}, springs=springs),
    }
    return files, None


def swings(r):
    """A box hangs between two fingers of an arm that swings."""
    long, wide, mass = r.uniform(0.3, 0.6), r.uniform(0.03, 0.06), log_uniform(r, 0.05, 0.3)
    k, mu, grip = log_uniform(r, 2e4, 2e5), r.uniform(0.5, 0.9), r.uniform(3, 8) * mass * G
    finger, size, hold = (0.01, 0.03, 0.03), (wide, wide, wide), 500.0
    # Four points on either side carry the grip.
    away = 0.5 * (wide + finger[0]) - 0.25 * grip / k
    angle, rate = r.uniform(-1, 1), r.uniform(-1, 1)
    parts = [
        link("arm", 0.5, (0.5 * long**2 / 12, 0.5 * long**2 / 12, 1e-3), (0, 0, -0.5 * long)),
        joint("th", "continuous", "base", "arm", (0, 1, 0)),
    ]
    initial, springs = {"th": {"q": angle, "v": rate}}, []
    for side, sign in (("a", 1), ("b", -1)):
        slide = joint(f"s{side}", "prismatic", "arm", f"f{side}", (1, 0, 0), (sign * away, 0, -long), limit=(-1, 1))
        parts += [link(f"f{side}", 0.1, box_inertia(0.1, finger), shape=("box", finger)), damped(slide, 5.0)]
        springs.append({"joint": f"m/s{side}", "stiffness": hold, "rest": -sign * grip / hold})
        initial[f"s{side}"] = {"q": 0.0, "v": 0.0}
    s, c = math.sin(angle), math.cos(angle)
    pose = {"xyz": (-long * s, 0, -long * c), "quat": [math.cos(angle / 2), 0, math.sin(angle / 2), 0]}
    box = {"name": "b", "file": "b.urdf", "base": "floating", "pose": pose}
    box["velocity"] = {"angular": (0, rate, 0), "linear": (-long * c * rate, 0, long * s * rate)}
    models = [{"name": "m", "file": "m.urdf", "base": "fixed", "actuated": "none"}, box]
    law = contact(k, 10, mu, mu, 1e-3)
    law["points"] = "manifold"
    files = {
        "m.urdf": robot('<link name="base"/>', *parts),
        "b.urdf": robot(link("b", mass, box_inertia(mass, size), shape=("box", size))),
        "scene.yaml": diagram(models, 0.5, EVERY, contact=law, initial={"m": initial}, springs=springs),
    }
    return files, None


KINDS = [rolls, rims, slides, pucks, tows, legs, wheels, domes, plates, swings, bowls, servos]


def columns_of(run, head):
    """The columns of a head that a run has too: place in the rows of the head, in those of the run, last part."""
    return [(i, run.head.index(name), name.rsplit(".", 1)[-1]) for i, name in enumerate(head) if name in run.head]


def speed_deviation(run, wanted):
    """The largest deviation of the velocities of a run from recorded rows [m/s, rad/s]."""
    head, rows = wanted
    columns = [(i, j) for i, j, last in columns_of(run, head) if last[0] in "vw"]
    return max(abs(row[j] - other[i]) for row, other in zip(run.rows, rows) for i, j in columns)


def deviation(run, wanted):
    """The largest deviation of a run from recorded rows: of positions, and half the angle between orientations."""
    head, rows = wanted
    worst = 0.0
    columns = columns_of(run, head)
    places = [(i, j) for i, j, last in columns if last in ("x", "y", "z", "q")]
    first = [(i, j) for i, j, last in columns if last == "qw"]
    for row, other in zip(run.rows, rows):
        worst = max([worst, *(abs(row[j] - other[i]) for i, j in places)])
        for i, j in first:
            p, q = row[j : j + 4], other[i : i + 4]
            norm = math.sqrt(sum(v * v for v in q))
            apart = min(math.dist(p, [s * v / norm for v in q]) for s in (1, -1))
            worst = max(worst, apart)
    return worst


def scene(seed):
    """The files of the scene of a seed, and the head and rows that are wanted of it, if those are known."""
    r = random.Random(seed)
    return KINDS[seed % len(KINDS)](r)
