"""Chains of blocks from the whole catalog, from sources over operators to integrators that probe them."""

from catalog import Parameter, pick
from clockwork import Clockwork
from draws.levels import fitted
from draws.parameters import drawn, formula
from draws.values import fresh, spread

SOURCES = {"sine": 4, "pulse": 2, "step": 2, "ramp": 2, "expression": 2, "operator_input": 0.3}
OPERATORS = {
    "table": 4, "function": 4, "counter": 4, "transport_delay": 4, "integrator": 4, "dead_zone": 2, "saturation": 2,
    "relay": 2, "expression": 2, "multibody_plant": 0, "diagram": 0, "vacuum_gripper": 0,
    # The ports of its operations differ, and no wave is a rotation.
    "quaternion": 0,
}
WAVES = {"sine": 3, "expression": 1, "pulse": 1}
DETECTORS = {"counter": 3, "relay": 2, "saturation": 1, "dead_zone": 1}
IMAGES = "image"
NO_PARAMETER = Parameter("", "", "", "")


def kinds(catalog, wanted, known=False):
    """Types of the catalog with how often they are drawn: `source` without inputs, `operator` with vectors alone;
    `known`: those that the clockwork evaluates."""
    found = {}
    for name, block in catalog.blocks.items():
        if known and not hasattr(Clockwork, name):
            continue
        vectors = all(p.kind == "vector" or p.kind == "multibody state" for p in block.inputs)
        bound = "plant" in block.parameters or "model" in block.parameters
        if wanted == "source" and not block.inputs and not bound:
            found[name] = SOURCES.get(name, 1)
        elif wanted == "operator" and block.inputs and vectors and not bound:
            found[name] = OPERATORS.get(name, 1)
        elif wanted == "bound" and bound:
            found[name] = OPERATORS.get(name, 1)
    return found


def ports(block, parameters):
    """Inputs and outputs of a drawn block: (name, width); those of the example, but for what parameters change."""
    inputs = [(p.name, p.width, p.kind, p.optional) for p in block.inputs]
    outputs = [(p.name, p.width, p.kind) for p in block.outputs]
    example = next((b for b in block.example.values() if b.get("type") == block.type), {})
    for key, value in parameters.items():
        shown = example.get(key)
        if isinstance(shown, list) and " or a list of " in block.parameters.get(key, NO_PARAMETER).kind:
            if not isinstance(value, list) or len(value) == 1 < len(shown):
                wide = len(shown)
                inputs = [(n, 1 if w == wide else w, k, o) for n, w, k, o in inputs]
                outputs = [(n, 1 if w == wide else w, k) for n, w, k in outputs]
    if parameters.get("type") == "expression":
        names = parameters.get("inputs", {})
        names = names if isinstance(names, dict) else {n: 1 for n in names}
        inputs = [(n, w, "vector", False) for n, w in names.items()]
        formulas = parameters["expression"]
        outputs = [("output", len(formulas) if isinstance(formulas, list) else 1, "vector")]
    if parameters.get("type") == "pid" and parameters.get("input") == "error":
        inputs = [("error", 1, "vector", False)]
    if parameters.get("manual") in (True, "true"):
        inputs += [("manual", 1, "vector", False), ("track", inputs[0][1], "vector", False)]
    if parameters.get("reset", "none") != "none":
        inputs.append(("reset", 1, "vector", False))
        if parameters.get("reset_to") == "input":
            inputs.append(("reset_value", outputs[0][1], "vector", False))
    return inputs, outputs


def place(scene, rng, catalog, kind, pool):
    """A block of the type with wires from the pool; its outputs are returned, number by number."""
    block = catalog.blocks[kind]
    parameters = drawn(rng, block)
    if kind == "expression" and not pool:
        parameters["expression"] = formula(rng, "t")
        parameters.pop("inputs", None)
    if kind == "integrator" and parameters.get("reset_to") == "input" and parameters.get("reset") in (None, "none"):
        parameters.pop("reset_to")
    name = fresh(scene.systems, "".join(c for c in kind if c.isalpha())[:6])
    scene.systems[name] = parameters
    inputs, outputs = ports(block, parameters)
    for port, width, _, optional in inputs:
        if optional and rng.random() < 0.5:
            continue
        source = rng.choice(pool)
        for i in range(width):
            source = source if rng.random() < 0.6 else rng.choice(pool)
            scene.wires.append([source, f"{name}.{port}[{i}]" if width > 1 else f"{name}.{port}"])
    fitted(scene, rng, name)
    found = []
    for port, width, what in outputs:
        if what != IMAGES:
            found += [f"{name}.{port}[{i}]" if width > 1 else f"{name}.{port}" for i in range(width)]
    return found


def add(scene, rng, catalog, chains, known=False):
    """Sources, blocks behind them, and an integrator at the ends."""
    pool = []
    for _ in range(chains):
        pool += place(scene, rng, catalog, pick(rng, kinds(catalog, "source", known)), [])
    if known and rng.random() < 0.2:
        pool += detected(scene, rng, catalog)
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 6])):
        # Mostly what was there last, so that chains grow long.
        near = pool[-3:] if rng.random() < 0.6 else pool
        pool += place(scene, rng, catalog, pick(rng, kinds(catalog, "operator", known)), near)
    probes(scene, rng, pool)


def detected(scene, rng, catalog):
    """A wave of many periods and what counts or switches by it: of blocks drawn one by one hardly any meet."""
    wave = place(scene, rng, catalog, pick(rng, WAVES), [])
    block = scene.systems[wave[0].split(".")[0]]
    if block["type"] == "expression":
        block["expression"] = f"{spread(rng, 0.1, 5)}*cos({spread(rng, 20, 3e3)}*t)"
    elif block["type"] == "sine" and not isinstance(block["frequency"], list):
        block["frequency"] = spread(rng, 20, 3e3)
    elif block["type"] == "pulse":
        block["period"] = spread(rng, 2e-3, 0.1)
    return place(scene, rng, catalog, pick(rng, DETECTORS), wave[:1])


def probes(scene, rng, pool, most=4):
    used = {a for a, _ in scene.wires}
    free = [p for p in pool if p not in used][-most:] or pool[-1:]
    for source in free:
        name = fresh(scene.systems, "probe")
        scene.systems[name] = {"type": "integrator", "initial": [0.0]}
        scene.wires.append([source, f"{name}.input"])


def sensed(scene, rng, catalog):
    """Blocks that are bound to a plant: sensors and controllers of the pendulum that their examples name."""
    pool = []
    pool += place(scene, rng, catalog, pick(rng, kinds(catalog, "source")), [])
    driven = False
    for _ in range(rng.choice([1, 1, 2])):
        kind = pick(rng, {k: w for k, w in kinds(catalog, "bound").items() if w})
        block = catalog.blocks[kind]
        if any("scanner" in f for f in block.files):
            continue
        parameters = drawn(rng, block, 0.15)
        name = fresh(scene.systems, kind[:6].rstrip("_"))
        if "model" in block.parameters:
            scene.files["known.urdf"] = next(iter(block.files.values()), "")
            parameters["model"] = {"file": "known.urdf"}
        scene.systems[name] = parameters
        for port in block.inputs:
            if port.kind == "vector" or port.name.startswith("desired"):
                if port.optional:
                    continue
                wire_vector(scene, rng, name, port, pool)
            else:
                whole = {"body poses": "plant.body_poses", "body velocities": "plant.body_velocities",
                         "spatial forces": "plant.contact_results", "multibody state": "plant.pendulum.state"}
                if port.optional:
                    continue
                source = whole.get(port.kind)
                if port.name == "spatial_forces":
                    source = rng.choice(["plant.contact_results", "plant.reaction_forces"])
                scene.wires.append([source, f"{name}.{port.name}"])
        out = [f"{name}.{p.name}[{i}]" if p.width > 1 else f"{name}.{p.name}"
               for p in block.outputs if p.kind == "vector" for i in range(p.width)]
        force = [p for p in block.outputs if p.name == "generalized_force"]
        if force and not driven:
            driven = True
            scene.wires.append([f"{name}.generalized_force", "plant.pendulum.pivot"])
            scene.bodies[0]["actuated"] = ["pivot"]
        pool += out
    if rng.random() < 0.5:
        pool += place(scene, rng, catalog, pick(rng, kinds(catalog, "operator")), pool)
    if not driven and rng.random() < 0.6:
        gain = fresh(scene.systems, "gain")
        scene.systems[gain] = {"type": "gain", "gain": -spread(rng, 0.1, 5)}
        scene.wires += [[rng.choice(pool), f"{gain}.input"], [f"{gain}.output", "plant.pendulum.pivot"]]
        scene.bodies[0]["actuated"] = ["pivot"]
    probes(scene, rng, pool)


def wire_vector(scene, rng, name, port, pool):
    if port.name == "desired_pose":
        still = fresh(scene.systems, "still")
        scene.systems[still] = {"type": "constant", "value": [0.3, 0.0, -0.9, 1.0, 0.0, 0.0, 0.0]}
        scene.wires.append([f"{still}.output", f"{name}.{port.name}"])
        return
    for i in range(port.width):
        part = f"[{i}]" if port.width > 1 else ""
        scene.wires.append([rng.choice(pool), f"{name}.{port.name}{part}"])
