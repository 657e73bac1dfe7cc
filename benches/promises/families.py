"""Families of random scenes, each with what must hold. A scene is made from its seed alone.

A scene has files, integrator arguments, and promises: `gain` (no more than 2 % of energy from nowhere), `error(run)`
against an independent reference at every recorded time, in units of the accuracy, and `holds(run)` for what is a matter
of yes or no.

Longer than 600 lines: a family is a few lines, and all of them share the helpers at the top.
"""

import math
import random
from dataclasses import dataclass, field
from typing import Callable, Optional

import fibres as fibre_scenes
import ground as ground_scenes
import sustained as sustained_contact
from models import box_inertia, contact, diagram, joint, link, robot, rod_inertia, sphere_inertia
from odes import one_degree, rotated, spin, step, trajectory

G = 9.81


@dataclass
class Scene:
    files: dict
    gain: bool = True
    energy: Optional[float] = None  # that moves, to compare gains with [J]; that at the start
    error: Optional[Callable] = None
    speeds: Optional[Callable] = None  # the same of velocities
    holds: Optional[Callable] = None
    reference: Optional[list] = None  # arguments of the run that `error` compares with, given as its second argument
    exact: float = 1e-9  # the accuracy of that run
    arguments: list = field(default_factory=list)


def log_uniform(r, low, high):
    return math.exp(r.uniform(math.log(low), math.log(high)))


def times(duration, every):
    return [round(i * every, 12) for i in range(int(round(duration / every)) + 1)]


def against(columns, reference):
    """The largest deviation of recorded columns from a list of rows at the recorded times."""

    def error(run):
        rows = [[row[run.head.index(c)] for c in columns] for row in run.rows]
        return max(abs(x - y) for row, wanted in zip(rows, reference) for x, y in zip(row, wanted))

    return error


def on_a_base(name, model, duration, every, **rest):
    """The files of a scene of one model on a fixed base, whose joints nothing drives."""
    models = [{"name": name, "file": f"{name}.urdf", "base": "fixed", "actuated": "none"}]
    return {f"{name}.urdf": model, "scene.yaml": diagram(models, duration, every, **rest)}


def clusters(seed):
    """Elastic and nearly elastic balls and boxes that fly into each other, without gravity."""
    r = random.Random(seed)
    n, boxes = r.randint(3, 6), r.random() < 0.3
    k, d = log_uniform(r, 1e5, 1e9), r.choice([0.0, 0.05, 0.5, 5.0])
    files, models = {}, []
    chain = r.random() < 0.4
    for i in range(n):
        mass, radius = log_uniform(r, 0.1, 3), 0.05
        shape = ("box", (0.08, 0.06, 0.05)) if boxes else ("sphere", radius)
        inertia = box_inertia(mass, shape[1]) if boxes else sphere_inertia(mass, radius)
        files[f"b{i}.urdf"] = robot(link("b", mass, inertia, shape=shape))
        place = (
            0.101 * i + (0 if i else -0.3),
            0 if chain else r.uniform(-0.04, 0.04),
            0 if chain else r.uniform(-0.04, 0.04),
        )
        speed = (r.uniform(0.5, 4) if i == 0 else 0, 0, 0)
        turn = [r.uniform(-2, 2) if boxes else 0 for _ in range(3)]
        models.append(
            {
                "name": f"b{i}",
                "file": f"b{i}.urdf",
                "base": "floating",
                "pose": {"xyz": place},
                "velocity": {"angular": turn, "linear": speed},
            }
        )
    files["scene.yaml"] = diagram(models, 0.8, 0.1, gravity=(0, 0, 0), contact=contact(k, d))
    return Scene(files)


def piles(seed):
    """Balls and cubes fall into a heap, stiff and damped: once they have come down, none gets up again."""
    r = random.Random(seed)
    n, k, d = r.randint(3, 7), log_uniform(r, 1e4, 1e8), log_uniform(r, 5, 100)
    friction, points = r.choice([0.0, 0.3, 0.8]), r.choice(["deepest", "manifold"])
    files, models, moments = {}, [], []
    for i in range(n):
        mass, a = log_uniform(r, 0.2, 3), r.uniform(0.03, 0.06)
        cube = r.random() < 0.6
        shape = ("box", (2 * a,) * 3) if cube else ("sphere", a)
        inertia = box_inertia(mass, shape[1]) if cube else sphere_inertia(mass, a)
        moments.append((mass, inertia[0]))
        files[f"b{i}.urdf"] = robot(link("b", mass, inertia, shape=shape))
        pose = {"xyz": (r.uniform(-0.03, 0.03), r.uniform(-0.03, 0.03), 0.1 + 0.15 * i)}
        turn = [r.uniform(-3, 3) for _ in range(3)]
        velocity = {"angular": turn, "linear": (r.uniform(-0.5, 0.5), 0, 0)}
        models.append({"name": f"b{i}", "file": f"b{i}.urdf", "base": "floating", "pose": pose, "velocity": velocity})
    law = contact(k, d, friction, friction)
    law["points"] = points
    files["scene.yaml"] = diagram(models, 2.0, 0.02, contact=law, ground={"height": 0})

    def energy(run, row):
        at = {name: x for name, x in zip(run.head, row)}
        total = 0.0
        for i, (mass, inertia) in enumerate(moments):
            of = lambda what: at[f"plant.b{i}.b.{what}"]
            total += mass * G * of("z") + 0.5 * mass * sum(of(x) ** 2 for x in ("vx", "vy", "vz"))
            total += 0.5 * inertia * sum(of(x) ** 2 for x in ("wx", "wy", "wz"))
        return total

    def stays_down(run):
        energies = [energy(run, row) for row in run.rows]
        weight = G * sum(mass for mass, _ in moments)
        allowed = 0.02 * (energies[0] - min(energies)) + weight * run.accuracy
        lowest = energies[0]
        for e in energies:
            lowest = min(lowest, e)
            if e > lowest + allowed:
                return False
        return True

    return Scene(files, holds=stays_down)


def drops(seed):
    """A ball or a box falls on the ground, soft or hard, springy or not."""
    r = random.Random(seed)
    mass, box = r.choice([0.1, 1.0, 10.0]), r.random() < 0.3
    k, d, height = log_uniform(r, 1e3, 1e8), r.choice([0, 0.02, 0.05, 0.2, 1, 10, 100, 1000]), r.uniform(0.1, 1.5)
    shape = ("box", (0.2, 0.15, 0.1)) if box else ("sphere", 0.1)
    inertia = box_inertia(mass, shape[1]) if box else sphere_inertia(mass, 0.1)
    friction = r.choice([0.0, 0.5])
    turn = [r.uniform(-3, 3) for _ in range(3)] if box else [0, 0, 0]
    models = [
        {
            "name": "b",
            "file": "b.urdf",
            "base": "floating",
            "pose": {"xyz": (0, 0, 0.1 + height)},
            "velocity": {"angular": turn, "linear": (0, 0, 0)},
        }
    ]
    files = {
        "b.urdf": robot(link("b", mass, inertia, shape=shape)),
        "scene.yaml": diagram(models, 0.9, 0.02, contact=contact(k, d, friction, friction), ground={"height": 0}),
    }
    return Scene(files)


def bounces(seed):
    """A ball falls on hard ground that gives back a part of its speed: how high it comes again."""
    r = random.Random(seed)
    mass, k, height = log_uniform(r, 0.1, 10), log_uniform(r, 1e6, 1e9), r.uniform(0.2, 1.2)
    speed = math.sqrt(2 * G * height)
    d = r.uniform(0, 0.8) / speed
    back = restitution(d * speed)
    files = {
        "b.urdf": robot(link("b", mass, sphere_inertia(mass, 0.1), shape=("sphere", 0.1))),
        "scene.yaml": diagram(
            [{"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": (0, 0, 0.1 + height)}}],
            speed / G * (1 + 1.3 * back),
            0.002,
            contact=contact(k, d),
            ground={"height": 0},
        ),
    }

    def comes_again(run):
        heights = [row[run.head.index("plant.b.b.z")] for row in run.rows if row[0] > speed / G * 1.02]
        return abs(max(heights) - 0.1 - back**2 * height) <= 10 * run.accuracy + 0.005

    return Scene(files, holds=comes_again)


def restitution(s):
    """Of the law k x (1 + d x'), met at the speed v: e with ln(1 + s) - s = ln(1 - e s) + e s, s = d v."""
    if s < 1e-6:
        return 1 - 2 / 3 * s
    low, high = 0.0, min(1.0, (1 - 1e-15) / s)
    for _ in range(200):
        e = 0.5 * (low + high)
        low, high = (e, high) if math.log(1 - e * s) + e * s > math.log(1 + s) - s else (low, e)
    return 0.5 * (low + high)


def sweeps(seed):
    """A blade on a hinge turns fast; a ball rests in its way, and must be struck."""
    r = random.Random(seed)
    speed, at, phase = log_uniform(r, 20, 1000), r.uniform(0.15, 0.45), r.uniform(0.3, 2.6)
    rod = robot(
        '<link name="base"/>',
        link("rod", 1.0, rod_inertia(1.0, 1.0), shape=("capsule", (0.003, 1.0), (0, math.pi / 2, 0))),
        joint("j", "continuous", "base", "rod", (0, 0, 1)),
    )
    ball = robot(link("ball", 0.01, sphere_inertia(0.01, 0.01), shape=("sphere", 0.01)))
    models = [
        {"name": "rod", "file": "rod.urdf", "base": "fixed", "actuated": "none"},
        {
            "name": "ball",
            "file": "ball.urdf",
            "base": "floating",
            "pose": {"xyz": (at * math.cos(phase), at * math.sin(phase), 0)},
        },
    ]
    duration = 2 * math.pi / speed
    files = {
        "rod.urdf": rod,
        "ball.urdf": ball,
        "scene.yaml": diagram(
            models,
            duration,
            duration / 4,
            gravity=(0, 0, 0),
            contact=contact(1e6, 10, 0.5, 0.5),
            initial={"rod": {"j": {"q": 0.0, "v": speed}}},
        ),
    }

    def struck(run):
        return math.hypot(run.end["plant.ball.ball.vx"], run.end["plant.ball.ball.vy"]) > 0.2 * speed * at

    return Scene(files, holds=struck)


def linkages(seed):
    """A slider-crank whose loop is closed by a ball, against its motion reduced to the angle of the crank."""
    r = random.Random(seed)
    r1, r2 = r.uniform(0.1, 0.3), r.uniform(0.4, 0.8)
    m1, m2, m3 = (log_uniform(r, 0.3, 4) for _ in range(3))
    th0, w0, duration = r.uniform(-3, 3), r.uniform(4, 10) * r.choice([-1, 1]), 1.5

    def mass(th):
        phi = -math.asin(r1 * math.sin(th) / r2)
        k = -r1 * math.cos(th) / (r2 * math.cos(phi))
        rod = (r1 * math.sin(th) + r2 / 2 * math.sin(phi) * k) ** 2 + (
            r1 * math.cos(th) + r2 / 2 * math.cos(phi) * k
        ) ** 2
        slide = (r1 * math.sin(th) + r2 * math.sin(phi) * k) ** 2
        return m1 * r1 * r1 / 3 + m2 * rod + m2 * r2 * r2 / 12 * k * k + m3 * slide

    def potential(th):
        return G * (m1 * r1 / 2 * math.sin(th) + m2 * r1 / 2 * math.sin(th))

    phi0 = -math.asin(r1 * math.sin(th0) / r2)
    phi_rate = -r1 * math.cos(th0) * w0 / (r2 * math.cos(phi0))
    slider = r1 * math.cos(th0) + r2 * math.cos(phi0)
    slider_rate = -r1 * math.sin(th0) * w0 - r2 * math.sin(phi0) * phi_rate
    model = robot(
        '<link name="base"/>',
        link("crank", m1, rod_inertia(m1, r1), (r1 / 2, 0, 0)),
        link("rod", m2, rod_inertia(m2, r2), (r2 / 2, 0, 0)),
        link("slider", m3, (0.01, 0.01, 0.01)),
        joint("j1", "continuous", "base", "crank", (0, -1, 0)),
        joint("j2", "continuous", "crank", "rod", (0, -1, 0), (r1, 0, 0)),
        joint("js", "prismatic", "base", "slider", (1, 0, 0), limit=(-10, 10)),
    )
    initial = {
        "sc": {
            "j1": {"q": th0, "v": w0},
            "j2": {"q": phi0 - th0, "v": phi_rate - w0},
            "js": {"q": slider, "v": slider_rate},
        }
    }
    pin = {
        "name": "pin",
        "type": "ball",
        "a": {"link": "sc/rod", "pose": {"xyz": (r2, 0, 0)}},
        "b": {"link": "sc/slider"},
    }
    files = on_a_base("sc", model, duration, 0.05, initial=initial, constraints=[pin])
    wanted = trajectory(one_degree(mass, potential), [th0, w0], times(duration, 0.05), 5e-4)
    energy = 0.5 * mass(th0) * w0**2 + potential(math.pi / 2)
    return Scene(files, energy=energy, error=against(["plant.sc.j1.q"], [[x[0]] for x in wanted]))


def tops(seed):
    """A top, symmetric or not, held at its tip by a ball, against Euler's equations about the tip."""
    r = random.Random(seed)
    mass, height = log_uniform(r, 0.2, 2), r.uniform(0.05, 0.2)
    a, c = mass * 0.004 * r.uniform(0.5, 2), mass * 0.002 * r.uniform(0.7, 1.3)
    b = a if r.random() < 0.6 else a * r.uniform(0.8, 1.2)
    tilt, turn, duration = r.uniform(0.1, 1.0), r.uniform(20, 100), 1.0
    inertia = (a + mass * height**2, b + mass * height**2, c)

    def torque(q):
        down = rotated([q[0], -q[1], -q[2], -q[3]], [0, 0, -mass * G])
        return [-height * down[1], height * down[0], 0.0]

    q0 = [math.cos(tilt / 2), math.sin(tilt / 2), 0.0, 0.0]
    w0 = [r.uniform(-1, 1), r.uniform(-1, 1), turn]
    wanted = trajectory(spin(inertia, torque), q0 + w0, times(duration, 0.05), 1e-4)
    model = robot(link("rotor", mass, (a, b, c), (0, 0, height)))
    world = rotated(q0, w0)
    models = [
        {
            "name": "top",
            "file": "top.urdf",
            "base": "floating",
            "pose": {"xyz": (0, 0, 1), "quat": q0},
            "velocity": {"angular": world, "linear": (0, 0, 0)},
        }
    ]
    pivot = {
        "name": "pivot",
        "type": "ball",
        "a": {"link": "world", "pose": {"xyz": (0, 0, 1)}},
        "b": {"link": "top/rotor"},
    }
    files = {"top.urdf": model, "scene.yaml": diagram(models, duration, 0.05, constraints=[pivot])}
    columns = [f"plant.top.rotor.q{x}" for x in "wxyz"]

    def error(run):
        worst = 0.0
        for row, x in zip(run.rows, wanted):
            p, q = [row[run.head.index(name)] for name in columns], x[:4]
            norm = math.sqrt(sum(v * v for v in q))
            worst = max(worst, 2 * min(math.dist(p, [v / norm for v in q]), math.dist(p, [-v / norm for v in q])))
        return worst

    return Scene(files, energy=0.5 * inertia[2] * turn**2, error=error)


def regulators(seed):
    """A cart with a pole under state feedback of any symmetry, against its equations of motion."""
    r = random.Random(seed)
    m, p, l = log_uniform(r, 0.5, 5), log_uniform(r, 0.1, 1), r.uniform(0.2, 1)
    inertia = p * l * l / 3
    # Poles of the linearized loop, placed for the linear model [x, th, x', th'] by Ackermann's formula.
    fast = r.random() < 0.25
    scale = r.uniform(15, 60) if fast else r.uniform(2, 8)
    poles = [-scale * r.uniform(0.5, 1.5) for _ in range(2)]
    turn = r.uniform(0.2, 1) * scale
    poly = [1.0]
    for a in poles:
        poly = [x - a * y for x, y in zip(poly + [0], [0] + poly)]
    s = -scale * r.uniform(0.4, 1)
    poly = [
        sum(t)
        for t in zip(
            poly + [0, 0], [0] + [-2 * s * x for x in poly] + [0], [0, 0] + [(s * s + turn * turn) * x for x in poly]
        )
    ]
    gains = place(m, p, l, inertia, poly)
    q0, duration = [r.uniform(-0.3, 0.3), r.uniform(-0.2, 0.2), 0.0, 0.0], 2.0
    longest = min(5e-4, 0.02 / scale)

    def rate(x):
        _, th, v, w = x
        u = -sum(k * a for k, a in zip(gains, x))
        s_, c_ = math.sin(th), math.cos(th)
        # (m + p) x'' + p l c th'' = u + p l s w²;  p l c x'' + (inertia + p l²) th'' = p g l s
        a, b, d = m + p, p * l * c_, inertia + p * l * l
        f, g = u + p * l * s_ * w * w, p * G * l * s_
        det = a * d - b * b
        return [v, w, (d * f - b * g) / det, (a * g - b * f) / det]

    wanted = None
    while wanted is None:
        # Only a part of all states can be caught.
        q0 = [0.5 * x for x in q0]
        try:
            wanted = trajectory(rate, q0, times(duration, 0.05), longest)
        except (ValueError, OverflowError):
            continue
        if max(abs(x[1]) for x in wanted) > 0.5:
            wanted = None
    model = robot(
        '<link name="rail"/>',
        link("cart", m, (0.01, 0.01, 0.01)),
        link("pole", p, (inertia, inertia, 1e-4), (0, 0, l)),
        joint("slide", "prismatic", "rail", "cart", (1, 0, 0), limit=(-100, 100)),
        joint("pivot", "continuous", "cart", "pole", (0, 1, 0)),
    )
    systems = {"feedback": {"type": "matrix_gain", "matrix": [[-k for k in gains]]}}
    files = {
        "cp.urdf": model,
        "scene.yaml": diagram(
            [{"name": "cp", "file": "cp.urdf", "base": "fixed", "actuated": ["slide"]}],
            duration,
            0.05,
            systems=systems,
            connections=["plant.cp.state -> feedback.input", "feedback.output -> plant.cp.actuation"],
            initial={"cp": {"slide": {"q": q0[0]}, "pivot": {"q": q0[1]}}},
        ),
    }
    return Scene(files, gain=False, error=against(["plant.cp.slide.q", "plant.cp.pivot.q"], [x[:2] for x in wanted]))


def place(m, p, l, inertia, poly):
    """Gains that give the linearized cart-pole the characteristic polynomial `poly` (Ackermann)."""
    a, b, d = m + p, p * l, inertia + p * l * l
    det = a * d - b * b
    A = [[0, 0, 1, 0], [0, 0, 0, 1], [0, -b * p * G * l / det, 0, 0], [0, a * p * G * l / det, 0, 0]]
    B = [0, 0, d / det, -b / det]

    def times_vector(M, v):
        return [sum(x * y for x, y in zip(row, v)) for row in M]

    def times_matrix(M, N):
        return [[sum(M[i][k] * N[k][j] for k in range(4)) for j in range(4)] for i in range(4)]

    columns = [B]
    for _ in range(3):
        columns.append(times_vector(A, columns[-1]))
    # e4' C^-1: solve C' y = e4.
    y = solve([[columns[i][j] for j in range(4)] for i in range(4)], [0, 0, 0, 1])
    value = [[poly[4] * (i == j) for j in range(4)] for i in range(4)]
    power = [[float(i == j) for j in range(4)] for i in range(4)]
    for c in (poly[3], poly[2], poly[1], poly[0]):
        power = times_matrix(power, A)
        value = [[v + c * q for v, q in zip(vs, qs)] for vs, qs in zip(value, power)]
    return [sum(y[i] * value[i][j] for i in range(4)) for j in range(4)]


def solve(M, b):
    """Gaussian elimination with pivoting."""
    n = len(b)
    M = [list(map(float, row)) + [float(x)] for row, x in zip(M, b)]
    for i in range(n):
        best = max(range(i, n), key=lambda j: abs(M[j][i]))
        M[i], M[best] = M[best], M[i]
        for j in range(i + 1, n):
            f = M[j][i] / M[i][i]
            M[j] = [x - f * y for x, y in zip(M[j], M[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (M[i][n] - sum(M[i][j] * x[j] for j in range(i + 1, n))) / M[i][i]
    return x


def stops(seed):
    """A link falls on its stop, which takes its energy, and stays there; or gravity lets it swing between two."""
    r = random.Random(seed)
    mass, centre = log_uniform(r, 0.3, 3), r.uniform(0.1, 0.5)
    inertia = mass * centre**2 * r.uniform(0.2, 0.5)
    start, upper, duration = r.uniform(-1.2, 0.2), r.uniform(0.3, 1.0), 1.2
    v0 = r.uniform(-1, 1)
    about = inertia + mass * centre**2

    # Angle below the horizontal: it falls towards larger angles.
    def rate(x):
        return [x[1], mass * G * centre * math.cos(x[0]) / about]

    wanted, x, now, h = [], [start, v0], 0.0, 1e-4
    for t in times(duration, 0.05):
        while now < t - 1e-12:
            dt = min(h, t - now)
            if x[0] < upper:
                y = step(rate, x, dt)
                x = [upper, 0.0] if y[0] >= upper else y
            now += dt
        wanted.append([x[0]])
    model = robot(
        '<link name="base"/>',
        link("rod", mass, (1e-3, inertia, inertia), (centre, 0, 0)),
        joint("hinge", "revolute", "base", "rod", (0, 1, 0), limit=(-6.0, upper)),
    )
    files = on_a_base("m", model, duration, 0.05, initial={"m": {"hinge": {"q": start, "v": v0}}})
    return Scene(files, energy=mass * G * centre, error=against(["plant.m.hinge.q"], wanted))


def rebounds(seed):
    """A mass on a rail with dry friction falls on a stop that gives back a part of its speed, again and again."""
    r = random.Random(seed)
    mass, part, restitution = log_uniform(r, 0.3, 3), r.uniform(0.05, 0.4), r.uniform(0.3, 0.9)
    height, duration = r.uniform(0.2, 1.0), 1.5
    # It falls at one acceleration and rises at another.
    down, up = G * (1 - part), G * (1 + part)
    wanted, height_then, since, speed, falls, rests = [], height, 0.0, 0.0, True, False
    for t in times(duration, 0.05):
        while True:
            end = since + (math.sqrt(2 * height_then / down) if falls else speed / up)
            rests = height_then < 1e-12
            if t < end or rests:
                break
            if falls:
                speed, falls = restitution * math.sqrt(2 * down * height_then), False
            else:
                height_then, falls = speed * speed / (2 * up), True
            since = end
        x = t - since
        place = height_then - down * x * x / 2 if falls else speed * x - up * x * x / 2
        wanted.append([0.0 if rests else place])
    friction = part * mass * G
    model = robot(
        '<link name="base"/>',
        link("m", mass, (0.01, 0.01, 0.01)),
        joint("z", "prismatic", "base", "m", (0, 0, 1), limit=(0.0, 10.0)).replace(
            "</joint>", f'<dynamics friction="{friction!r}"/></joint>'
        ),
    )
    initial = {"m": {"z": {"q": height}}}
    stops = {"m": {"z": {"restitution": restitution}}}
    files = on_a_base("m", model, duration, 0.05, initial=initial, stops=stops)
    return Scene(files, energy=mass * G * height, error=against(["plant.m.z.q"], wanted))


def springs(seed):
    """A mass on a spring, soft to stiff, with an amplitude that the accuracy may or may not see."""
    r = random.Random(seed)
    mass, k, amplitude = log_uniform(r, 0.3, 3), log_uniform(r, 1e1, 1e6), log_uniform(r, 1e-2, 0.3)
    omega = math.sqrt(k / mass)
    duration = min(2.0, 40 / omega)
    wanted = [[amplitude * math.cos(omega * t)] for t in times(duration, duration / 20)]
    model = robot(
        '<link name="base"/>',
        link("m", mass, (0.01, 0.01, 0.01)),
        joint("x", "prismatic", "base", "m", (1, 0, 0), limit=(-10, 10)),
    )
    spring = {"joint": "m/x", "stiffness": k}
    initial = {"m": {"x": {"q": amplitude}}}
    files = on_a_base("m", model, duration, duration / 20, gravity=(0, 0, 0), springs=[spring], initial=initial)
    return Scene(files, gain=False, error=against(["plant.m.x.q"], wanted))


def rolling(seed):
    """A ball rolls or a block of one point slides over a slope, against the closed form of rigid Coulomb friction."""
    r = random.Random(seed)
    mass, radius, slope, mu = log_uniform(r, 0.3, 3), 0.1, r.uniform(0.05, 0.3), r.uniform(0.5, 1.0)
    k, duration = log_uniform(r, 1e4, 1e6), 1.0
    rolls = r.random() < 0.6
    spun = 1.0 if not rolls else 0.4 * mass * radius**2 * r.uniform(0.7, 1.5)
    mu = mu if rolls else 0.5 * math.tan(slope)
    gravity = (G * math.sin(slope), 0, -G * math.cos(slope))
    depth = mass * G * math.cos(slope) / k
    # Where bodies are pressed into each other, they touch in the middle.
    arm = radius - 0.5 * depth
    accel = (
        G * math.sin(slope) / (1 + spun / (mass * arm**2)) if rolls else G * (math.sin(slope) - mu * math.cos(slope))
    )
    v0 = 0.3
    wanted = [[v0 * t + 0.5 * accel * t * t] for t in times(duration, 0.05)]
    if not rolls:
        # Friction turns the heavy sphere by its moment, which its large inertia hardly lets it.
        spun = 1e4
    models = [
        {
            "name": "b",
            "file": "b.urdf",
            "base": "floating",
            "pose": {"xyz": (0, 0, radius - depth)},
            "velocity": {"angular": (0, v0 / arm if rolls else 0, 0), "linear": (v0, 0, 0)},
        }
    ]
    files = {
        "b.urdf": robot(link("b", mass, (spun,) * 3, shape=("sphere", radius))),
        "scene.yaml": diagram(
            models, duration, 0.05, gravity=gravity, contact=contact(k, 10, mu, mu, 1e-6), ground={"height": 0}
        ),
    }
    return Scene(files, gain=False, error=against(["plant.b.b.x"], wanted))


def sustained(seed):
    """Contact that lasts: bodies that roll, slide, are towed, driven, swung, or stand on legs."""
    files, wanted = sustained_contact.scene(seed)

    def of(deviation):
        return lambda run, *exact: deviation(run, wanted or (exact[0].head, exact[0].rows))

    places, speeds = of(sustained_contact.deviation), of(sustained_contact.speed_deviation)
    reference = None if wanted else sustained_contact.EXACT
    return Scene(files, gain=False, error=places, speeds=speeds, reference=reference, exact=1e-11)


def fibres(seed):
    """A fibre swings, is struck, or is dragged over the ground."""
    files, columns, energy, weight = fibre_scenes.scene(random.Random(seed), seed)
    error = lambda run, exact: fibre_scenes.deviation(run, exact, columns)

    def falls(run):
        # What errors of the accuracy may weigh comes on top.
        gained = run.summary["energy_end"] - run.summary["energy_start"]
        return gained <= 0.02 * energy + weight * run.accuracy

    return Scene(files, gain=False, error=error, holds=falls, reference=fibre_scenes.EXACT)


def ground(seed):
    """Bodies thrown at ground of triangles."""
    return Scene(ground_scenes.scene(random.Random(seed)))


FAMILIES = {
    f.__name__: f
    for f in (
        clusters,
        piles,
        drops,
        bounces,
        sweeps,
        linkages,
        tops,
        regulators,
        stops,
        rebounds,
        springs,
        rolling,
        sustained,
        fibres,
        ground,
    )
}
