"""Other units: lengths or times of a plant times a power of two, or masses times one of four, give the same bits.

A factor of the inertia has roots of masses, which are scaled without rounding by powers of four alone. Where velocities
count as errors they do so by a tenth of a second, which no unit of time changes.
"""

from compare import Finding, same_bits
from relations import Unjudged, both

NAME = "units"


def applies(scene):
    urdf = all(b["format"] == "urdf" for b in scene.bodies)
    return bool(scene.bodies or scene.plant and scene.plant.get("fibres")) and urdf and not scene.systems


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    what = rng.choice(["mass", "length", "time"])
    by = 2.0 ** rng.choice([-5, -3, -1, 1, 2, 6])
    by = by * by if what == "mass" else by
    plain = scene.copy()
    if what == "time":
        plain.simulation.pop("error_norm", None)
    plain.simulation.setdefault("max_step", 0.1)
    plain.plant["correction_speed"] = 2.0
    plain.plant.setdefault("contact", {}).setdefault("stiction_tolerance", 1e-4)
    plain.simulation["error_weights"] = {"angle": 1.0, "length": 1.0, "rotation": 0.5, "external": 1.0}
    if plain.simulation.get("error_norm") == "state":
        plain.simulation["error_weights"].update(angular_velocity=0.1, velocity=0.1)
    s = plain.copy()
    if what == "length" and any(b["model"]["joints"] for b in s.bodies):
        # What bounds speeds of slides bounds those of hinges, too.
        if s.plant.get("constraints") or any(j.get("friction") or j.get("limits")
                                             for b in s.bodies for j in b["model"]["joints"]):
            raise Unjudged("a speed of angles and lengths")
    units = Units(**{what: by})
    units.scaled(s)
    first, second = program.run(plain), program.run(s)
    if not both(first, second):
        return Finding(NAME, f"{what} times {by}: {first.ended}, {second.ended}", 0.0, 0.0,
                       said=first.words() or second.words())
    for name, one in first.values.items():
        other = second.values[name]
        for time, x, y in zip(first.times, one, other):
            if x != y and abs(x - y) > 0.0:
                size = max(abs(p - q) for p, q in zip(one, other)) / a
                return Finding(NAME, f"{what} times {by}, bits", size, 0.0, name, time, second.words(),
                               runs=(second, first))
    return None


class Units:
    """New units: one kilogram, metre, second of the scene is so many of the new one."""

    def __init__(self, mass=1.0, length=1.0, time=1.0):
        self.m, self.l, self.t = mass, length, time

    def of(self, kind):
        """Factor of a coordinate: 1 of an angle, a length else."""
        return self.l if kind == "prismatic" else 1.0

    def force(self, kind):
        return self.m * self.l / self.t**2 * (1.0 if kind == "prismatic" else self.l)

    def scaled(self, s):
        m, l, t = self.m, self.l, self.t
        s.scale = {"length": l, "time": t}
        plant, simulation = s.plant, s.simulation
        plant["gravity"] = [g * l / t**2 for g in plant["gravity"]]
        # It is of lengths and of angles; where it acts on both no scale of lengths keeps it.
        plant["correction_speed"] *= l / t
        simulation["duration"] *= t
        for key in ("max_step", "min_step", "initial_step"):
            if key in simulation:
                simulation[key] *= t
        s.every *= t
        weights = simulation["error_weights"]
        weights["length"] /= l
        for key, factor in (("velocity", t / l), ("angular_velocity", t)):
            if key in weights:
                weights[key] *= factor
        law = plant.get("contact")
        if law:
            for key, factor in (("stiffness", m / t**2), ("modulus", m / (l * t**2)), ("dissipation", t / l),
                                ("stiction_tolerance", l / t), ("torsional_friction", l), ("rolling_friction", l)):
                if key in law:
                    law[key] *= factor
        for shape in plant.get("hydroelastic", {}).values():
            shape["modulus"] *= m / (l * t**2)
            shape["slab_thickness"] *= l
        if plant.get("ground"):
            plant["ground"]["height"] *= l
        kinds = {}
        for b in s.bodies:
            b["p"] = tuple(l * x for x in b["p"])
            if b.get("velocity"):
                v = b["velocity"]
                b["velocity"] = {k: [x * (l / t if k == "linear" else 1 / t) for x in v[k]] for k in v}
            for link in b["model"]["links"]:
                link["mass"] *= m
                link["centre"] = tuple(l * x for x in link["centre"])
                link["inertia"] = tuple(tuple(m * l * l * x for x in row) for row in link["inertia"])
                for shape in link["shapes"]:
                    shape["size"] = [l * x for x in shape["size"]]
                    shape["at"] = tuple(l * x for x in shape["at"])
            for j in b["model"]["joints"]:
                self.joint(j)
                kinds[f"{b['name']}/{j['name']}"] = j["kind"]
                start = b.get("start", {}).get(j["name"])
                if start:
                    start["q"] *= self.of(j["kind"])
                    start["v"] *= self.of(j["kind"]) / t
        for spring in plant.get("springs", []):
            kind = kinds[spring["joint"]]
            spring["stiffness"] *= self.force(kind) / self.of(kind)
            if "rest" in spring:
                spring["rest"] *= self.of(kind)
        for name, stops in plant.get("stops", {}).items():
            for joint, stop in stops.items():
                kind = kinds[f"{name}/{joint}"]
                if "stiffness" in stop:
                    stop["stiffness"] *= self.force(kind) / self.of(kind)
                    stop["dissipation"] *= t / self.of(kind)
        for c in plant.get("constraints", []):
            self.constraint(c, kinds)
        for fibre in plant.get("fibres", []):
            self.fibre(fibre)
        for belt in plant.get("belts", []):
            belt["speed"] *= l / t

    def joint(self, j):
        j["p"] = tuple(self.l * x for x in j["p"])
        if j.get("limits"):
            j["limits"] = [self.of(j["kind"]) * x for x in j["limits"]]
        if j.get("damping"):
            j["damping"] *= self.force(j["kind"]) / self.of(j["kind"]) * self.t
        for key in ("friction", "effort"):
            if j.get(key):
                j[key] *= self.force(j["kind"])
        if j.get("pitch"):
            j["pitch"] *= self.l

    def fibre(self, fibre):
        m, l, t = self.m, self.l, self.t
        if "points" in fibre:
            fibre["points"] = [[l * x for x in p] for p in fibre["points"]]
        curve = fibre.get("helix") or fibre.get("circle")
        if curve:
            curve["centre"] = [l * x for x in curve["centre"]]
            for key in ("radius", "pitch"):
                if key in curve:
                    curve[key] *= l
        section, given = fibre["section"], "stretch" in fibre["section"]
        for key in ("radius", "width", "height", "outer", "inner"):
            if key in section:
                section[key] *= l
        if given:
            section["stretch"] = [m * l / t**2 * x for x in section["stretch"]]
            section["bend"] = [m * l**3 / t**2 * x for x in section["bend"]]
            section["mass"] *= m / l
        for key, by in (("young", m / (l * t**2)), ("density", m / l**3), ("damping", t)):
            # Of a section that is given, both are numbers that nothing reads.
            if key in fibre["material"] and (key == "damping" or not given):
                fibre["material"][key] *= by
        if "contact_radius" in fibre:
            fibre["contact_radius"] *= l

    def constraint(self, c, kinds):
        for end in ("a", "b"):
            if end in c:
                c[end]["p"] = tuple(self.l * x for x in c[end]["p"])
        if "length" in c:
            c["length"] *= self.l
        for key, by in (("force_stiffness", self.m / self.t**2), ("force_damping", self.m / self.t),
                        ("torque_stiffness", self.m * self.l**2 / self.t**2),
                        ("torque_damping", self.m * self.l**2 / self.t)):
            if key in c:
                c[key] = [by * x for x in c[key]]
        if "angular_stiffness" in c:
            c["angular_stiffness"] *= self.m * self.l**2 / self.t**2
        if "stiffness" in c:
            c["stiffness"] *= self.m / self.t**2
            c["damping"] *= self.m / self.t
        if c["type"] == "coupler":
            first, second = (self.of(kinds[j]) for j in c["joints"])
            c["ratio"] *= first / second
            c["offset"] *= first
