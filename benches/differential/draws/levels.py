"""Levels within the range of what they are compared with.

A threshold that a wave never reaches shows nothing: drawn without a look at the wave, most counters counted nothing,
and counts that were missed within a step were never seen.
"""

from clockwork import Clockwork, Unknown
from draws.values import r3
from scene import Scene

LEVELS = {
    "counter": ("threshold",), "relay": ("fall_at", "rise_at"), "dead_zone": ("lower", "upper"),
    "saturation": ("lower", "upper"), "switch": ("threshold",), "table": ("arguments",),
    "comparator": ("threshold",), "edge": ("threshold",), "timer": ("threshold",),
}
CONTROL = {"switch": "control"}
# How often a level is taken from the range; else it stays as it was drawn.
OFTEN = {"counter": 0.9, "relay": 0.9, "table": 0.4}
SAMPLES = 197


def fitted(scene, rng, name):
    """Puts the levels of a block between the least and the largest value of its input, where that is known."""
    block = scene.systems[name]
    keys = LEVELS.get(block["type"])
    chance, parts = rng.random(), [rng.uniform(0.05, 0.95) for _ in range(2)]
    if not keys or chance > OFTEN.get(block["type"], 0.7):
        return
    if block["type"] != "table" and any(isinstance(block.get(k), list) for k in keys):
        return
    port = f"{name}.{CONTROL.get(block['type'], 'input')}"
    source = next((a for a, b in scene.wires if b == port), None)
    ends = span(scene, source) if source else None
    if ends is None or ends[1] - ends[0] < 1e-3:
        return
    low, high = ends
    if block["type"] == "table":
        x = block["arguments"]
        wide = (high - low) / ((x[-1] - x[0]) or 1.0)
        found = [r3(low + (u - x[0]) * wide) for u in x]
        if all(a < b for a, b in zip(found, found[1:])):
            block["arguments"] = found
        return
    levels = sorted(r3(low + part * (high - low)) for part in parts[:len(keys)])
    if len(set(levels)) == len(keys):
        block.update(zip(keys, levels))


def span(scene, source):
    """Least and largest value of an output in the first second, or None where the time alone does not decide it."""
    look = Scene(systems=scene.systems, wires=scene.wires, simulation={"duration": 1.0})
    try:
        f = Clockwork(look).output(source)
        # Steps in the golden ratio meet no wave in step.
        values = [f((k * 0.6180339887498949) % 1.0, 1) for k in range(SAMPLES)]
    except (Unknown, KeyError, TypeError, ValueError, OverflowError, RecursionError, ZeroDivisionError):
        return None
    return min(values), max(values)
