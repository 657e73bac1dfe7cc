"""What kind of disagreement it is, by what the scene consists of and which relation found it."""

import re

SAMPLED = ("zero_order_hold", "unit_delay", "discrete_", "moving_average", "transport_delay", "clock", "encoder")
KINKED = (
    "dead_zone", "backlash", "lugre_friction", "hysteresis", "mixer", "saturation", "table", "relay", "quantizer",
    "sign", "abs", "rate_limiter", "min(", "max(",
)
SOURCES = (
    "sine", "chirp", "pulse", "noise", "playback", "trajectory", "piecewise_polynomial", "expression", "ramp", "step",
)


def upstream(scene, block, seen=None):
    """All blocks that a block hangs on, itself first."""
    seen = [] if seen is None else seen
    if block in seen:
        return seen
    seen.append(block)
    for a, b in scene.wires:
        if b.split(".")[0] == block:
            upstream(scene, a.split(".")[0], seen)
    return seen


def words(scene, blocks):
    """Types of the blocks, with their formulas and functions."""
    found = []
    for name in blocks:
        block = scene.systems.get(name)
        if block:
            found.append(block["type"])
            found += [str(block.get(key, "")) for key in ("function", "expression")]
    return " ".join(found)


def fastest(block):
    """Angular frequency of a source [rad/s]."""
    if block["type"] == "expression":
        return max([float(w) for w in re.findall(r"([0-9.e+]+)\*t", str(block["expression"]))], default=0.0)
    if block["type"] == "pulse":
        return 6.28 / block["period"]
    return max([0.0, *block.get("frequencies", []), block.get("frequency", 0.0)])


def label(scene, finding):
    relation, where = finding.relation, finding.where
    if re.search(r"\bcrashed\b|exit 101", finding.variant):
        return "crashes"
    if relation == "resume":
        return "other bits after a resume"
    if relation == "units":
        return "other bits in other units"
    if relation == "sweep":
        return "a sweep's row is not the run's"
    if relation in ("momentum", "redundant"):
        failed = " that fail" if finding.said and not finding.size else ""
        return {"momentum": "momentum", "redundant": "redundant rows"}[relation] + failed
    if relation == "readout":
        return f"readout of {finding.variant.split(' ')[0].split(',')[0]}"
    if relation == "closed":
        return {"slides": "sliding to rest", "spins": "spinning faces", "stands": "toppling"}[
            finding.variant.split(",")[0]]
    if finding.where == "steps":
        return "steps beside something idle"
    if relation == "linear":
        return "linearize through samples" if any(w in words(scene, scene.systems) for w in SAMPLED) else "linearize"
    if "bits" in finding.variant:
        return "other bits by order" if relation == "wording" else "other bits beside something idle"
    if finding.said and not finding.size:
        return "one fails, the other ends"
    block = where.split(".")[0]
    if block in scene.systems:
        return signal_class(scene, finding, upstream(scene, block))
    if (scene.plant or {}).get("fibres"):
        return "fibres"
    if scene.bodies:
        return body_class(scene, finding)
    return "other"


def signal_class(scene, finding, chain):
    text = words(scene, chain)
    if "plant" in chain and finding.relation != "idle":
        return "read off a plant: " + (body_class(scene, finding) if scene.bodies else "other")
    if "integrator" in [scene.systems[n]["type"] for n in chain[1:] if n in scene.systems] or "lower" in str(
            scene.systems.get(chain[0])):
        limited = any(scene.systems[n]["type"] == "integrator" and ("lower" in scene.systems[n] or
                      "upper" in scene.systems[n]) for n in chain if n in scene.systems)
        if limited:
            return "limited integrator"
        if any("reset" in scene.systems[n] for n in chain if n in scene.systems):
            return "reset integrator"
    if "transport_delay" in text:
        return "delay of a jump"
    if "counter" in text or "relay" in text:
        return "roots within a step"
    if any(w in text for w in SAMPLED):
        return "sampled blocks"
    if finding.relation == "idle" or scene.bodies and (scene.plant or {}).get("ground"):
        return "values between steps"
    if "table" in text or "piecewise" in text:
        return "tables in series"
    if any(w in text for w in ("abs", "sign", "min(", "max(", "dead_zone", "saturation", "switch", "quantizer",
                               "floor", "ceil", "round", "angle_difference")):
        return "kinks of signals"
    if any(w in text for w in SOURCES):
        fast = max([fastest(scene.systems[n]) for n in chain if n in scene.systems], default=0.0)
        slow = fast * scene.simulation.get("max_step", 0.1) < 2 * ("square" not in text) + 1
        return "values between steps" if slow else "aliased sources"
    return "signals: " + " ".join(sorted(set(text.split()))[:4])


def body_class(scene, finding):
    plant = scene.plant
    driven = [a.split(".")[0] for a, b in scene.wires if b.startswith("plant.")]
    chain = [n for d in driven for n in upstream(scene, d)]
    text = words(scene, chain)
    if any(b["model"].get("tendons") for b in scene.bodies):
        t = scene.bodies[0]["model"]["tendons"][0]
        if t.get("limits"):
            return "rope limits"
        return "pulleys" if t.get("equality") else "tendons"
    if any(j["kind"] == "ball" and j.get("limits") for b in scene.bodies for j in b["model"]["joints"]):
        return "rope limits"
    if plant.get("ground") and any(b["base"] == "floating" for b in scene.bodies):
        return ground_class(scene, finding)
    if plant.get("contact") and not plant.get("ground"):
        return "bodies that meet in flight"
    if plant.get("constraints"):
        kinds = {c["type"] for c in plant["constraints"]}
        if kinds == {"coupler"} and not driven:
            return "couplers"
        if kinds != {"coupler"}:
            return "misaligned loops" if finding.relation == "frame" else "loops"
    if finding.relation == "wording" and "SDF" in finding.variant:
        return "axes of SDFormat"
    if driven:
        fed = "plant" in chain
        if fed and any(w in text for w in ("sign", "relay")):
            return "sliding by blocks"
        if fed and any(w in text for w in KINKED):
            return "backlash and kinks in feedback"
        if fed and any(w in text for w in (*SAMPLED, "counter")):
            return "sampled feedback"
        if any(w in text for w in SOURCES):
            return "aliased sources" if not fed else "feedback and sources"
        return "feedback"
    if any(j.get("limits") for b in scene.bodies for j in b["model"]["joints"]):
        return "stops of joints"
    if any(j.get("friction") for b in scene.bodies for j in b["model"]["joints"]):
        return "dry friction of joints"
    return "free machines"


def ground_class(scene, finding):
    law = scene.plant.get("contact", {}).get("model", "point")
    spin = any((b.get("velocity") or {}).get("angular") for b in scene.bodies)
    moving = any((b.get("velocity") or {}).get("linear") for b in scene.bodies)
    if "as four" in finding.variant:
        return "spinning faces" if spin and not moving else "shapes in parts"
    if spin and not moving:
        return "spinning to rest"
    if moving and not spin:
        return "sliding to rest" if law == "point" else f"sliding on {law}"
    return "thrown bodies" if spin else "bodies at rest or that fall"
