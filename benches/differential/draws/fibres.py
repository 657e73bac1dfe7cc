"""Ropes and cables: chains of beams that hang, swing, or fly, some with a weight at their end."""

import frames
from draws.ground import solid
from draws.values import between, r3, spread


def add(scene, rng):
    gravity = rng.choice([[0, 0, -9.81], [0, 0, -9.81], [1.0, -2.0, -9.0]])
    scene.plant = {"gravity": gravity, "springs": [], "constraints": [], "stops": {}}
    elements = rng.choice([2, 3, 4, 6, 8])
    radius = spread(rng, 4e-3, 3e-2)
    material = {"young": spread(rng, 1e6, 1e9), "density": spread(rng, 500, 3000)}
    if rng.random() < 0.5:
        material["damping"] = spread(rng, 1e-4, 1e-2)
    start = [0.0, 0.0, 2.0]
    way = rng.choice([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, -0.8), (0.48, 0.64, -0.6), (0.0, 0.0, -1.0)])
    length = between(rng, 0.2, 1.0)
    end = [r3(s + length * w) for s, w in zip(start, way)]
    fibre = {"name": "f", "points": [start, end], "elements": elements, "section": {"radius": radius},
             "material": material, "contact_radius": 0}
    if rng.random() < 0.3:
        fibre["section"] = {"width": 2 * radius, "height": radius}
    if "width" in fibre["section"] or rng.random() < 0.8:
        # A direction that no way of these has.
        fibre["up"] = [0.1, -0.2, 1.0] if way[2] > -0.9 else [1.0, 0.2, 0.1]
    held = rng.choice(["clamped", "clamped", "pinned", "free"])
    if held != "free":
        fibre["start"] = {held: "world"}
    other = rng.choice(["free", "free", "weight", "world"])
    if other == "world" and held != "free":
        fibre["end"] = {rng.choice(["clamped", "pinned"]): "world"}
    elif other == "weight":
        one, _ = solid(rng)
        one["name"], one["shapes"] = "b", []
        scene.bodies.append({
            "name": "w", "format": "urdf", "base": "floating", "R": frames.IDENTITY, "p": tuple(end),
            "model": {"links": [one], "joints": []}, "velocity": {"linear": [between(rng, -1, 1) for _ in range(3)]},
        })
        fibre["end"] = {rng.choice(["clamped", "pinned"]): "w/b"}
    shaped(rng, fibre)
    scene.plant["fibres"] = [fibre]
    scene.simulation["duration"] = rng.choice([0.1, 0.2])


def shaped(rng, fibre):
    """A section given by its stiffness, a Poisson ratio, a twist, a coil that unwinds: now and then."""
    if rng.random() < 0.2:
        fibre["material"]["poisson"] = between(rng, 0.0, 0.45)
    if rng.random() < 0.15:
        fibre["section"] = {"stretch": [spread(rng, 1e3, 1e5)] * 3, "mass": spread(rng, 0.05, 1), "radius": 5e-3,
                            "bend": [spread(rng, 0.05, 5) for _ in range(3)]}
        fibre["material"] = {"young": 1.0, "density": 1.0, **{k: v for k, v in fibre["material"].items()
                                                              if k == "damping"}}
    if rng.random() < 0.1 and "end" not in fibre:
        fibre["natural"] = "straight"
        fibre["helix"] = {"centre": fibre.pop("points")[0], "axis": [0.0, 0.0, 1.0], "radius": spread(rng, 0.1, 0.5),
                          "pitch": spread(rng, 0.05, 0.5), "turns": between(rng, 0.2, 0.6)}
        fibre.pop("up", None)
