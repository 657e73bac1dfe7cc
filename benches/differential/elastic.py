"""Springs made of blocks: where forces on joints come of their positions alone, they have an energy.

Read off the wires: sums of positions of joints go through `dead_zone` or nothing to gains, whose outputs drive joints,
alone or summed. Each such source must drive its joints with the gains that an energy has.
"""

from dataclasses import dataclass


@dataclass
class Spring:
    """Energy k/2 d(u)^2, where u is the sum of `coefficients` times positions and d(u) what is beyond the play."""

    coefficients: dict
    play: tuple
    stiffness: float

    def energy(self, q):
        u = sum(c * q.get(f"plant.{name}.q", 0.0) for name, c in self.coefficients.items())
        beyond = u - min(max(u, self.play[0]), self.play[1])
        return 0.5 * self.stiffness * beyond**2


@dataclass
class Linear:
    """Energy -q'F q/2 of forces F q, where F is symmetric: (joint, joint) to factor."""

    factors: dict

    @property
    def stiffness(self):
        return max(map(abs, self.factors.values()))

    def energy(self, q):
        at = lambda name: q.get(f"plant.{name}.q", 0.0)
        return -0.5 * sum(f * at(a) * at(b) for (a, b), f in self.factors.items())


def springs(scene):
    """All springs of a scene, none where nothing drives its plants, or None where what drives them is no spring."""
    into = {b: a for a, b in scene.wires}
    forces = {}
    for a, b in scene.wires:
        if not b.startswith("plant."):
            continue
        joint = b.split(".", 1)[1]
        for source, gain in terms(scene, into, a):
            law = deflection(scene, into, source)
            if law is None:
                return None
            forces.setdefault(law, {}).setdefault(joint, 0.0)
            forces[law][joint] += gain
    found, linear = [], {}
    for (coefficients, play), gains in forces.items():
        arms = dict(coefficients)
        if play is None:
            for joint, gain in gains.items():
                for other, arm in arms.items():
                    linear[joint, other] = linear.get((joint, other), 0.0) + gain * arm
            continue
        if set(gains) != set(arms):
            return None
        stiffness = {-gain / arms[joint] for joint, gain in gains.items()}
        if len(stiffness) != 1 or min(stiffness) <= 0:
            return None
        found.append(Spring(arms, play, stiffness.pop()))
    if any(f != linear.get((b, a), 0.0) for (a, b), f in linear.items()):
        return None
    return [*found, Linear(linear)] if linear else found


def terms(scene, into, source):
    """What a source is the sum of: (block, factor)."""
    block = source.split(".")[0]
    p = scene.systems.get(block, {})
    if p.get("type") == "adder":
        return [term for n, sign in enumerate(p["signs"])
                for term in scaled(terms(scene, into, into.get(f"{block}.input{n}", "")), 1 if sign == "+" else -1)]
    if p.get("type") == "gain" and not isinstance(p["gain"], list):
        return scaled(terms(scene, into, into.get(f"{block}.input", "")), p["gain"])
    return [(source, 1.0)]


def scaled(found, by):
    return [(source, by * factor) for source, factor in found]


def deflection(scene, into, source):
    """The law of a source: (coefficients of positions of joints, play or None), or None."""
    block, play = source.split(".")[0], None
    p = scene.systems.get(block, {})
    if p.get("type") == "dead_zone":
        if set(p) - {"type", "lower", "upper"} or isinstance(p["lower"], list) or isinstance(p["upper"], list):
            return None
        play, source = (p["lower"], p["upper"]), into.get(f"{block}.input", "")
    found = {}
    for end, factor in terms(scene, into, source):
        if not end.startswith("plant.") or not end.endswith(".q]") or ".state[" not in end:
            return None
        name = end[len("plant."):-len(".q]")].replace(".state[", ".")
        found[name] = found.get(name, 0.0) + factor
    return tuple(sorted(found.items())), play
