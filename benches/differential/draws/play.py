"""Parts that drive each other through play or springs made of blocks, with nothing that dissipates."""

import frames
from draws.machines import link
from draws.values import between, spread


def add(scene, rng):
    """Two or three rotors or slides; between neighbours a spring, mostly with play, as `dead_zone` and `gain`."""
    scene.plant = {"gravity": [0, 0, 0], "springs": [], "constraints": [], "stops": {}}
    root = {"name": "base", "mass": 0.0, "centre": (0.0,) * 3, "inertia": frames.IDENTITY, "shapes": []}
    model = {"links": [root], "joints": []}
    b = {"name": "m", "format": "urdf", "base": "fixed", "R": frames.IDENTITY, "p": (0.0, 0.0, 0.0), "model": model,
         "start": {}, "actuated": []}
    scene.bodies.append(b)
    kind, parts = rng.choice(["continuous", "continuous", "prismatic"]), rng.choice([2, 2, 3])
    for n in range(parts):
        one = {**link(rng, f"l{n}"), "centre": (0.0, 0.0, 0.0)}
        model["links"].append(one)
        model["joints"].append({"name": f"j{n}", "kind": kind, "parent": "base", "child": f"l{n}",
                                "p": (0.0, 0.5 * n, 0.0), "R": frames.IDENTITY, "axis": (0.0, 0.0, 1.0)})
        b["start"][f"j{n}"] = {"q": 0.0, "v": between(rng, -2, 2)}
        b["actuated"].append(f"j{n}")
    play = spread(rng, 1e-3, 0.1)
    forces = [[] for _ in range(parts)]
    for n in range(parts - 1):
        s = scene.systems
        s[f"gap{n}"] = {"type": "adder", "signs": "+-"}
        scene.wires += [[f"plant.m.state[j{n}.q]", f"gap{n}.input0"], [f"plant.m.state[j{n + 1}.q]", f"gap{n}.input1"]]
        source = f"gap{n}.output"
        if rng.random() < 0.75:
            s[f"play{n}"] = {"type": "dead_zone", "lower": -play, "upper": play}
            scene.wires.append([source, f"play{n}.input"])
            source = f"play{n}.output"
        stiffness = spread(rng, 10, 1e5)
        for name, sign, to in ((f"pull{n}", -1, n), (f"push{n}", 1, n + 1)):
            s[name] = {"type": "gain", "gain": sign * stiffness}
            scene.wires.append([source, f"{name}.input"])
            forces[to].append(f"{name}.output")
    for n, sources in enumerate(forces):
        source = sources[0]
        if len(sources) == 2:
            scene.systems[f"sum{n}"] = {"type": "adder", "signs": "++"}
            scene.wires += [[sources[0], f"sum{n}.input0"], [sources[1], f"sum{n}.input1"]]
            source = f"sum{n}.output"
        scene.wires.append([source, f"plant.m.j{n}"])
    scene.simulation["duration"] = rng.choice([0.2, 0.5, 1.0])
