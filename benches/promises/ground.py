"""Bodies on ground of triangles: rough, hollow, stepped, domed; finer or coarser than what falls on it."""

import math

from models import box_inertia, contact, diagram, link, robot, sphere_inertia

HALF = 0.5


def heights(r):
    """The height of a kind of ground over x and y [m]."""
    kind = r.choice(["rough", "bowl", "dome", "steps", "furrows"])
    steep, up = r.uniform(0.3, 2.0), r.uniform(0.01, 0.08)
    tilt = [r.choice([0.0, r.uniform(-0.2, 0.2)]) for _ in range(2)]
    shape = {
        "rough": lambda x, y: r.uniform(0, up),
        "bowl": lambda x, y: steep * (x * x + y * y),
        "dome": lambda x, y: -0.5 * steep * (x * x + y * y),
        "steps": lambda x, y: up * math.floor(5 * x),
        "furrows": lambda x, y: 0.5 * up * math.sin(25 * x + 5 * y),
    }[kind]
    return lambda x, y: shape(x, y) + tilt[0] * x + tilt[1] * y


def mesh(r):
    """A grid of triangles in the format of Wavefront, with either diagonal; half of them are blocks, not sheets."""
    cells, z, diagonal, block = r.randint(3, 16), heights(r), r.random() < 0.5, r.random() < 0.5
    rows = range(cells + 1)
    at = lambda i: -HALF + 2 * HALF * i / cells
    points = [(at(i), at(j), z(at(i), at(j))) for i in rows for j in rows]
    corner = lambda i, j: i * (cells + 1) + j
    faces = []
    for i in range(cells):
        for j in range(cells):
            a, b, c, d = corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)
            faces.extend(((a, b, c), (a, c, d)) if diagonal else ((a, b, d), (b, c, d)))
    if block:
        # Around, seen from above: sides go down from there to the bottom, which is a fan.
        sides = [(i, 0) for i in rows[:-1]] + [(cells, j) for j in rows[:-1]]
        sides += [(i, cells) for i in rows[:0:-1]] + [(0, j) for j in rows[:0:-1]]
        above, first, n = [corner(*side) for side in sides], len(points), len(sides)
        low = min(p[2] for p in points) - 0.5
        points += [(*points[p][:2], low) for p in above] + [(0.0, 0.0, low)]
        for k in range(n):
            a, b, c, d = above[k], above[(k + 1) % n], first + k, first + (k + 1) % n
            faces.extend(((a, c, d), (a, d, b), (c, first + n, d)))
    lines = [f"v {x!r} {y!r} {height!r}" for x, y, height in points]
    return "\n".join(lines + ["f " + " ".join(str(p + 1) for p in face) for face in faces]) + "\n"


def body(r):
    """A shape and the inertia of a body of one density."""
    mass, a = math.exp(r.uniform(math.log(0.1), math.log(2))), r.uniform(0.02, 0.06)
    kind = r.choice(["sphere", "box", "cylinder", "capsule"])
    if kind == "sphere":
        return mass, sphere_inertia(mass, a), (kind, a)
    if kind == "box":
        size = tuple(r.uniform(0.03, 0.12) for _ in range(3))
        return mass, box_inertia(mass, size), (kind, size)
    length = r.uniform(0.02, 0.15)
    across = mass * (3 * a * a + length * length) / 12
    return mass, (across, across, 0.5 * mass * a * a), (kind, (a, length))


def scene(r):
    """The files of a scene: one to four bodies, thrown at one ground."""
    files = {"ground.obj": mesh(r), "ground.urdf": robot(link("ground", 1.0, (1, 1, 1), shape=("mesh", "ground.obj")))}
    models = [{"name": "ground", "file": "ground.urdf", "base": "fixed", "actuated": "none", "meshes": "exact"}]
    for i in range(r.choice([1, 1, 2, 4])):
        mass, inertia, shape = body(r)
        files[f"b{i}.urdf"] = robot(link("b", mass, inertia, shape=shape))
        turn = [r.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(x * x for x in turn))
        pose = {
            "xyz": [r.uniform(-0.2, 0.2), r.uniform(-0.2, 0.2), 0.3 + 0.2 * i],
            "quat": [x / size for x in turn],
        }
        velocity = {"angular": [r.gauss(0, 5) for _ in range(3)], "linear": [r.gauss(0, 0.5) for _ in range(3)]}
        models.append({"name": f"b{i}", "file": f"b{i}.urdf", "base": "floating", "pose": pose, "velocity": velocity})
    static = r.uniform(0, 1)
    law = contact(10 ** r.uniform(3.5, 6), r.choice([0, 1, 10, 50]), static, static * r.choice([1, 0.7]), 1e-3)
    files["scene.yaml"] = diagram(models, 1.0, 0.05, contact=law)
    return files
