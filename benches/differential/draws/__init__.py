"""Random diagrams of 1 to 40 parts: what is drawn together, how long it runs and what is recorded of it."""

import random

from catalog import pick
from draws import fibres, flat, free, ground, machines, options, play, ropes, signals
from draws.values import log_uniform, r3
from scene import Scene

KINDS = {
    "signals": 1.6, "clockwork": 3.0, "machine": 3.4, "rope": 1.4, "ground": 2.2, "signals beside bodies": 1.4,
    "sensed": 1.0, "free": 1.4, "play": 0.5, "fibre": 0.5, "flat": 1.0,
}


def draw(seed, catalog):
    """The scene of a seed: nothing but the seed and the declarations decide it."""
    rng = random.Random(seed)
    scene = Scene()
    kind = pick(rng, KINDS)
    if kind == "signals":
        signals.add(scene, rng, catalog, rng.choice([1, 1, 2, 3]))
    elif kind == "clockwork":
        signals.add(scene, rng, catalog, rng.choice([1, 1, 2]), known=True)
    elif kind == "machine":
        machines.add(scene, rng)
        machines.drive(scene, rng, catalog)
    elif kind == "rope":
        ropes.add(scene, rng)
    elif kind == "ground":
        ground.add(scene, rng)
    elif kind == "flat":
        flat.add(scene, rng)
    elif kind == "free":
        free.add(scene, rng, catalog)
    elif kind == "play":
        play.add(scene, rng)
    elif kind == "fibre":
        fibres.add(scene, rng)
    elif kind == "signals beside bodies":
        rng.choice([ground.add, machines.add])(scene, rng)
        signals.add(scene, rng, catalog, rng.choice([1, 2]), known=rng.random() < 0.5)
    else:
        machines.pendulum(scene, rng)
        signals.sensed(scene, rng, catalog)
    duration = scene.simulation.pop("duration", None) or rng.choice([0.2, 0.5, 1.0, 1.0, 2.0])
    accuracy = rng.choice([1e-2, 1e-3, 1e-3, 1e-4, 1e-4, 1e-5, 1e-6])
    scene.simulation = {"integrator": "cenic", "accuracy": accuracy, "duration": duration, **scene.simulation}
    if rng.random() < 0.25:
        scene.simulation["max_step"] = r3(duration * log_uniform(rng, 0.02, 0.5))
    options.add(scene, rng)
    scene.every = duration / rng.choice([20, 40, 64])
    return scene, kind, rng
