"""Parameters of a block, drawn by the kinds of values that its type declares."""

import random
import re
import zlib

from catalog import pick
from draws.values import around, between, r3, spread

NUMBER = re.compile(r"^a number( or a list of numbers| or a list of such numbers|$)")
POSITIVE = re.compile(r"^a number above 0")
NOT_NEGATIVE = re.compile(r"^a number that is not negative")
COUNT = re.compile(r"^a whole number")
CHOICE = re.compile(r"^[a-z_0-9]+(, [a-z_0-9]+)*( or [a-z_0-9]+)$")
LEFT_OUT = {"width", "seed", "columns", "rows", "posture", "largest_mass", "largest_inertia", "samples", "plant"}
FORMULAS = (
    "{a}*sin({w}*t + {x})",
    "{a}*cos({w}*t)",
    "{a}*{x} - {b}*sign({x})",
    "abs({x} - {b})",
    "min({x}, {b}) + max({x}, -{a})",
    "{b}*sin({w}*t) - {a}*sign({x})",
    "{a}*{x}^2 - {b}*{x}",
)


def drawn(rng, block, rare=0.3):
    """Parameters for one block of the type, near those of its example, some optional ones besides."""
    example = next((dict(b) for b in block.example.values() if b.get("type") == block.type), {"type": block.type})
    found = {"type": block.type}
    base = rng.getrandbits(32)
    knots = None
    single = base % 5 < 3 and not any(isinstance(v, list) and isinstance(v[0], dict) for v in example.values() if v)
    for name, parameter in block.parameters.items():
        # Each parameter has its own numbers, so that a new one leaves those of the others.
        own = random.Random(base ^ zlib.crc32(name.encode()))
        given = example.get(name)
        if name == "derivatives":
            if own.random() < 0.04:
                found[name] = own.choice(["differences", "explicit"])
            continue
        if given is None and (name in LEFT_OUT or own.random() > rare):
            continue
        if isinstance(given, list) and " or a list of " in parameter.kind and single:
            # One signal where the example has several.
            given = given[:1] if name == "initial" else given[0]
        value = number(own, block, parameter, given)
        if parameter.kind == "a list of increasing numbers":
            knots = value
        if parameter.kind == "a list with the value at each argument" and knots:
            value = [own.choice([0.0, r3(own.uniform(-2, 2))]) for _ in knots]
        if value is not None:
            found[name] = value
    ordered(found)
    return found


def number(rng, block, parameter, given):
    kind, name, meaning = parameter.kind, parameter.name, parameter.meaning
    if name == "expression":
        width = len(given) if isinstance(given, list) else 1
        names = {"a": 1, "q[0]": 1, "q[1]": 1}
        return [formula(rng, rng.choice(list(names))) for _ in range(width)]
    if kind == "name" or name == "function":
        return rng.choice(functions(parameter))
    if CHOICE.match(kind):
        return rng.choice(re.split(r", | or ", kind))
    if kind == "a list of increasing numbers":
        return increasing(rng)
    if isinstance(given, str) or isinstance(given, dict) or COUNT.match(kind) or "matrix" in kind or "width" in kind:
        return given if given is not None else None
    if isinstance(given, list):
        return [around(rng, x) if isinstance(x, (int, float)) and not isinstance(x, bool) else x for x in given] \
            if all(isinstance(x, (int, float)) for x in given) and "list of" not in kind or name == "frequencies" \
            else given
    if "[rad/s]" in meaning:
        return spread(rng, 1.0, 6e3) if rng.random() < 0.5 else spread(rng, 1.0, 60.0)
    if name == "initial" and isinstance(given, list):
        return [0.0 for _ in given]
    if name in ("lower", "fall_at", "low"):
        return -spread(rng, 1e-3, 1.0)
    if name in ("upper", "rise_at", "threshold"):
        return spread(rng, 1e-3, 1.0)
    if "[s]" in meaning:
        return spread(rng, 2e-3, 0.5)
    if isinstance(given, (int, float)):
        return around(rng, given)
    if POSITIVE.match(kind) or NOT_NEGATIVE.match(kind):
        return spread(rng, 0.05, 5.0)
    if NUMBER.match(kind):
        return between(rng, -1.0, 1.0)
    return given


def formula(rng, name):
    return rng.choice(FORMULAS).format(a=spread(rng, 0.1, 5), b=spread(rng, 0.1, 5), w=spread(rng, 1, 2e3), x=name)


def functions(parameter):
    names = [n for n in re.findall(r"[a-z0-9]+", parameter.kind.split("(")[0]) if n not in ("or", "in", "all")]
    # Those without a pole: what has no finite value stops a run, which is right.
    poles = {"log", "log10", "reciprocal", "tan", "acos", "asin", "exp", "sinh", "cosh", "power", "sqrt"}
    # Those that rectify: what they make of a fast wave does not average to nothing.
    kinks = [n for n in names if n in ("abs", "sign", "square")]
    return [n for n in names if n not in poles] + 3 * kinks


def increasing(rng):
    """Arguments of a table: regular, or with a short burst."""
    at, found = rng.choice([0.0, -0.5]), []
    for _ in range(rng.choice([3, 4, 6, 9])):
        found.append(r3(at))
        at += spread(rng, 2e-3, 5e-3) if rng.random() < 0.4 else spread(rng, 0.05, 0.5)
    return sorted(set(found))


def ordered(found):
    for low, high in (("lower", "upper"), ("fall_at", "rise_at"), ("low", "high")):
        a, b = found.get(low), found.get(high)
        if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a >= b:
            found[low], found[high] = b - 0.1, a
    if found["type"] == "rate_transition":
        found["to"] = r3(found["from"] * (1 + round(10 * found["to"])))
    for low, high in (("start", "stop"), ("period", "delay"), ("period", "longest"), ("from", "to"),
                      ("coulomb", "breakaway")):
        a, b = found.get(low), found.get(high)
        if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a >= b and found["type"] != "pulse":
            found[low], found[high] = b, a
    if "counts_per_turn" in found:
        found.pop("resolution", None)
    if "frequencies" in found:
        found["frequencies"] = sorted(found["frequencies"])


def first_of(rng, names):
    return pick(rng, {n: 1.0 for n in names})
