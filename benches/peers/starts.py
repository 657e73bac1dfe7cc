"""Seeded starts of a scene: its free bodies and robots a little moved and turned."""
import copy
import math
import random


def starts(instances, seed, count, shift, turn):
    """`count` copies of the instances of a scene. In each, every free body is moved by up to `shift` [m] along each
    axis and turned by up to `turn` [rad] about an axis of its own; joints of robots with a free base start up to `turn`
    away."""
    return [perturbed(instances, random.Random(f"{seed}/{i}"), shift, turn) for i in range(count)]


def perturbed(instances, rng, shift, turn):
    instances = copy.deepcopy(instances)
    for instance in (i for i in instances if i["base"] == "floating"):
        pose = instance["pose"]
        pose["xyz"] = [x + rng.uniform(-shift, shift) for x in pose["xyz"]]
        pose["quat"] = product(rotation(rng, turn), pose["quat"])
        for joint in (instance.get("joints") or {}).values():
            joint["q"] += rng.uniform(-turn, turn)
    return instances


def rotation(rng, turn):
    """A quaternion of a rotation by up to `turn` [rad] about an axis of any direction."""
    axis = [rng.gauss(0, 1) for _ in range(3)]
    length, half = math.hypot(*axis), rng.uniform(-turn, turn) / 2
    return [math.cos(half)] + [math.sin(half) * a / length for a in axis]


def product(p, q):
    """The rotation q followed by p, as a unit quaternion w, x, y, z."""
    (a, b, c, d), (w, x, y, z) = p, q
    out = [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
           a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w]
    return [part / math.hypot(*out) for part in out]


def into_diagram(diagram, instances):
    """A diagram file of to_kinegraph.py with these instances at its start."""
    diagram = copy.deepcopy(diagram)
    plant = diagram["systems"]["plant"]
    of_name = {instance["name"]: instance for instance in instances}
    for model in plant["models"]:
        instance = of_name[model["name"]]
        if instance["base"] == "floating":
            model["pose"] = instance["pose"]
        if instance.get("joints"):
            plant["initial"][model["name"]] = instance["joints"]
    return diagram
