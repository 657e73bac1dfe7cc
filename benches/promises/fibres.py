"""The family `fibres`: a fibre that swings, is struck, or is dragged over the ground.

Each against the same law of beams and contact integrated by an explicit method of fifth order at 1e-9, which takes
stretch and shear as they come; the error is that of the place of the last node at the end. That the law is the
derivative of its energy is a test of its own (`force_conformance.rs`).
"""

import math

from models import contact, diagram, link, robot, sphere_inertia

EVERY = 0.05
EXACT = ["--integrator", "dopri5"]


def log_uniform(r, low, high):
    return math.exp(r.uniform(math.log(low), math.log(high)))


def fibre(r, points, elements, radius, **rest):
    """A fibre whose stretch is a hundred to ten thousand times stiffer than its bending over an element."""
    bend, mass = log_uniform(r, 3e-3, 3e-2), log_uniform(r, 0.05, 0.2)
    stretch = log_uniform(r, 3e2, 3e3)
    return {
        "name": "f",
        "points": points,
        "elements": elements,
        "section": {"stretch": [stretch] * 3, "bend": [bend, bend, bend], "mass": mass, "radius": radius},
        "material": {"young": 1.0, "density": 1.0, "damping": r.choice([0.0, 2e-4, 2e-3])},
        **rest,
    }


def swings(r):
    """Held at its start, from the side."""
    lean, about = r.uniform(-0.6, 1.2), r.uniform(0, 2 * math.pi)
    length = r.uniform(0.4, 0.8)
    tip = [
        length * math.cos(lean) * math.cos(about),
        length * math.cos(lean) * math.sin(about),
        -length * math.sin(lean),
    ]
    held = r.choice(["clamped", "pinned"])
    f = fibre(r, [[0, 0, 0], tip], 6, 0.005, start={held: "world"}, contact_radius=0)
    return [], [f], {}, {}


def struck(r):
    """A ball flies against a fibre that hangs."""
    length = r.uniform(0.4, 0.6)
    f = fibre(r, [[0, 0, 0], [0, 0, -length]], 6, 0.01, start={"clamped": "world"})
    mass, speed = log_uniform(r, 0.02, 0.3), r.uniform(0.5, 2.0)
    place = (-0.08, r.uniform(-0.01, 0.01), -length * r.uniform(0.4, 0.9))
    ball = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": place}}
    ball["velocity"] = {"angular": (0, 0, 0), "linear": (speed, 0, 0)}
    text = robot(link("b", mass, sphere_inertia(mass, 0.03), shape=("sphere", 0.03)))
    return [ball], [f], {"b.urdf": text}, {"contact": contact(log_uniform(r, 1e3, 1e4), r.choice([0.5, 5]), 0.3, 0.3, 1e-3)}


def dragged(r):
    """A body slides ahead and drags a fibre over the ground behind it.

    Clamped: a pin would jerk the fibre at the start, an impact that an explicit method has no law for.
    """
    length, radius, k = 0.4, 0.01, log_uniform(r, 1e3, 1e4)
    mass = log_uniform(r, 0.1, 0.5)
    f = fibre(r, [[-length, 0, radius], [0, 0, radius]], 5, radius, end={"clamped": "b/b"})
    ball = {"name": "b", "file": "b.urdf", "base": "floating", "pose": {"xyz": (0, 0, radius)}}
    ball["velocity"] = {"angular": (0, 0, 0), "linear": (r.uniform(0.3, 1.0), r.uniform(-0.5, 0.5), 0)}
    text = robot(link("b", mass, sphere_inertia(mass, 0.03), shape=("sphere", radius)))
    law = contact(k, r.choice([2, 10]), *(2 * [r.uniform(0.1, 0.5)]), 1e-2)
    return [ball], [f], {"b.urdf": text}, {"contact": law, "ground": {"height": 0}}


KINDS = [swings, struck, dragged]


def scene(r, seed):
    """Files of a scene, the columns of the place of its last node, the energy that moves in it, and its weight."""
    models, fibres, files, rest = KINDS[seed % 3](r)
    files["scene.yaml"] = diagram(models, 0.5, EVERY, fibres=fibres, **rest)
    node = fibres[0]["elements"] if seed % 3 < 2 else 0
    f = fibres[0]
    length = math.dist(*f["points"])
    # The fall of the fibre, or the speed of what strikes or drags it.
    energy = 9.81 * f["section"]["mass"] * length**2 / 4
    energy += sum(0.01 * sum(v * v for v in m["velocity"]["linear"]) for m in models)
    return files, [f"plant.f.n{node}.{c}" for c in "xyz"], energy, 9.81 * f["section"]["mass"] * length


def deviation(run, exact, columns):
    """How far the last node is from its place at the end \\[m\\]."""
    of = lambda run, c: run.rows[-1][run.head.index(c)]
    return max(abs(of(run, c) - of(exact, c)) for c in columns)
