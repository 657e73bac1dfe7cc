"""What draws use of all that the program declares, and what they never use."""

import re

from catalog import printed
from draws import draw

# Kinds that files of models have, which no command lists.
KINDS = {
    "joints": ("revolute", "continuous", "prismatic", "screw", "ball", "universal", "planar", "fixed"),
    "bases": ("fixed", "floating"), "shapes": ("box", "sphere", "cylinder", "capsule", "mesh"),
    "formats": ("urdf", "sdf", "mjcf"), "joint keys": ("damping", "friction", "limits", "effort"),
    "tendons": ("spatial", "fixed", "limits", "equality", "stiffness", "frictionloss"),
}


def nested(program):
    """Keys of maps within the plant, by the name of the map, with the names that a value may have."""
    found, group = {}, None
    for line in printed(program, "systems", "multibody_plant", "--markdown").splitlines():
        heads = re.findall(r"`([\w.]+)`", line) if re.match(r"^`[\w.`, ]+:$", line) else []
        row = re.match(r"^\| `(\w+)` \| ([^|]*) \|", line)
        if heads:
            group = heads[0]
        elif row and group:
            found[f"{group}.{row.group(1)}"] = re.split(r", | or ", row.group(2)) \
                if re.match(r"^[a-z_]+(, [a-z_]+)* or [a-z_]+$", row.group(2)) else []
    return found


def declared(program, catalog):
    """All that could be used: (group, name)."""
    found = {("blocks", name) for name in catalog.blocks}
    for kind, block in catalog.blocks.items():
        found |= {("parameters", f"{kind}.{name}") for name in block.parameters}
    for key, values in nested(program).items():
        found.add(("plant", key))
        found |= {("plant", f"{key}={v}") for v in values if v not in ("true", "false")}
    for integrator in catalog.integrators.values():
        found |= {("simulation", key) for key in integrator["reads"]}
    return found | {(group, name) for group, names in KINDS.items() for name in names}


def parts(scene):
    """All that a scene uses: (group, name)."""
    found = {("simulation", key) for key in scene.simulation} | {("blocks", b["type"]) for b in scene.systems.values()}
    for b in scene.systems.values():
        found |= {("parameters", f"{b['type']}.{key}") for key in b}
    plant = scene.plant
    if plant is not None:
        found.add(("blocks", "multibody_plant"))
        found |= {("parameters", f"multibody_plant.{key}") for key, v in plant.items() if v not in ([], {}, None)}
        if any(b.get("start") for b in scene.bodies):
            found.add(("parameters", "multibody_plant.initial"))
        for group in ("contact", "springs", "belts", "constraints", "fibres", "ground", "collisions"):
            maps = plant.get(group, [])
            for one in maps if isinstance(maps, list) else [maps]:
                found |= walked(group, one)
        for stops in plant.get("stops", {}).values():
            for stop in stops.values():
                found |= walked("stops", stop)
    for b in scene.bodies:
        found |= model(b)
    return found


def walked(group, one):
    found = set()
    for key, value in one.items():
        found |= {("plant", f"{group}.{key}"), ("plant", f"{group}.{key}={value}")}
        if isinstance(value, dict):
            found |= walked(f"{group}.{key}", value)
    return found


def model(b):
    found = {("bases", b["base"]), ("formats", b["format"]), ("parameters", "multibody_plant.models")}
    found |= {("plant", f"models.{key}") for key in ("name", "file", "base", "pose", "actuated")}
    if b.get("velocity"):
        found |= {("plant", "models.velocity"), *(("plant", f"models.velocity.{key}") for key in b["velocity"])}
    for material in b.get("materials", {}).values():
        found |= {("plant", "models.materials"), *(("plant", f"models.materials.{key}") for key in material)}
    if b.get("start"):
        found |= {("plant", "initial.q"), ("plant", "initial.v")}
    found |= {("shapes", shape["kind"]) for link in b["model"]["links"] for shape in link["shapes"]}
    for j in b["model"]["joints"]:
        found |= {("joints", j["kind"]), *(("joint keys", k) for k in KINDS["joint keys"] if j.get(k))}
    for t in b["model"].get("tendons", []):
        found |= {("tendons", t["kind"]), *(("tendons", key) for key in t)}
    return found


def show(program, catalog, seeds):
    """Prints how many draws use each thing, and those that none uses, group by group."""
    everything, counts = declared(program, catalog), {}
    for seed in seeds:
        for item in parts(draw(seed, catalog)[0]):
            counts[item] = counts.get(item, 0) + 1
    for group in sorted({g for g, _ in everything}):
        names = sorted(n for g, n in everything if g == group)
        seen = [n for n in names if (group, n) in counts]
        print(f"{group}: {len(seen)} of {len(names)} used")
        print("  " + ", ".join(f"{n} {counts[group, n]}" for n in seen))
        print("  never: " + (", ".join(n for n in names if n not in seen) or "none"))
