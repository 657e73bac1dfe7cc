"""A drawn diagram as data: blocks, a plant with its models, wires, how to simulate; and its files.

What is compared of two scenes are *readings*: positions of joints of one axis, three points of every other link that
moves, and the outputs of integrators (the probes among them).
"""

import copy
from dataclasses import dataclass, field
from pathlib import Path

import frames
import model as models
import text


@dataclass
class Scene:
    systems: dict = field(default_factory=dict)
    plant: dict = None
    bodies: list = field(default_factory=list)
    wires: list = field(default_factory=list)
    simulation: dict = field(default_factory=dict)
    every: float = 0.01
    files: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    # How the world and single links of this variant are turned against the scene it was made of.
    world: tuple = None
    turns: dict = field(default_factory=dict)
    scale: dict = field(default_factory=dict)
    # Whether it is the image of that scene in the plane y = 0.
    mirrored: bool = False
    digits: int = 17
    watched: list = None
    # Blocks of a nested diagram, and names of blocks in the scene that this one was made of.
    nested: dict = field(default_factory=dict)
    aliases: dict = field(default_factory=dict)
    # Channels that a relation reads besides, as they are (`Run.columns`).
    channels: list = field(default_factory=list)

    def copy(self):
        return copy.deepcopy(self)

    def parts(self):
        links = sum(len(b["model"]["links"]) for b in self.bodies)
        elements = sum(len((self.plant or {}).get(key, [])) for key in ("constraints", "springs", "fibres", "belts"))
        return len(self.systems) + links + elements

    def readings(self):
        """What is compared: (name, kind, channels, body, link)."""
        found = []
        for b in self.bodies:
            if self.watched is not None and b["name"] not in self.watched:
                continue
            joints = {j["child"]: j for j in b["model"]["joints"]}
            for link in b["model"]["links"]:
                joint = joints.get(link["name"])
                kind = joint["kind"] if joint else b["base"]
                name = f"plant.{b['name']}.{link['name']}"
                if link["name"] in b.get("whole", []):
                    found.append((f"{name}.pose", "pose", None, b["name"], link["name"]))
                elif "part" in link["name"]:
                    continue
                elif joint and kind in models.ONE_AXIS:
                    found.append((f"plant.{b['name']}.{joint['name']}.q", kind, None, b["name"], joint["name"]))
                elif kind in ("ball", "universal", "planar", "floating"):
                    found.append((f"{name}.pose", "pose", None, b["name"], link["name"]))
        for fibre in (self.plant or {}).get("fibres", []):
            if self.watched is None or fibre["name"] in self.watched:
                found += [(f"plant.{fibre['name']}.{node}.pose", "pose", None, fibre["name"], node)
                          for node in seen_nodes(fibre)]
        for name, block in {**self.systems, **self.nested}.items():
            if block["type"] == "integrator" and (self.watched is None or name in self.watched):
                found.append((f"{self.names.get(name, name)}.output", "integral", None, None, name))
        return found

    def text(self):
        systems = {}
        if self.plant is not None:
            plant = {"type": "multibody_plant", **self.plant}
            plant["models"] = []
            initial = {}
            for b in self.bodies:
                entry = {"name": b["name"], "file": f"{b['name']}.{extension(b)}"}
                if b["format"] != "mjcf":
                    entry["base"] = b["base"]
                pose = {}
                if any(b["p"]):
                    pose["xyz"] = rounded(b["p"], self.digits)
                angles = rounded(frames.rpy(b["R"]), self.digits)
                if any(angles):
                    pose["rpy"] = angles
                if pose:
                    entry["pose"] = pose
                if b.get("velocity"):
                    entry["velocity"] = b["velocity"]
                entry["actuated"] = b.get("actuated") or "none"
                if b["format"] == "mjcf":
                    entry["surfaces"] = "plant"
                if b.get("materials"):
                    entry["materials"] = b["materials"]
                plant["models"].append(entry)
                if b.get("start"):
                    initial[b["name"]] = b["start"]
            if initial:
                plant["initial"] = initial
            constraints = []
            for c in plant.get("constraints", []):
                c = dict(c)
                for end in ("a", "b"):
                    if end in c:
                        frame, rotation = {"link": c[end]["link"], "pose": {}}, c[end]["R"]
                        frame["pose"]["xyz"] = rounded(c[end]["p"], self.digits)
                        angles = rounded(frames.rpy(rotation), self.digits)
                        if any(angles):
                            frame["pose"]["rpy"] = angles
                        c[end] = frame
                constraints.append(c)
            if constraints:
                plant["constraints"] = constraints
            kept = {k: v for k, v in plant.items() if v not in ([], {}, None) or k == "models" and plant.get("fibres")}
            if plant.get("ground") == {}:
                kept["ground"] = {}
            systems["plant"] = kept
        systems.update(self.systems)
        lines = ["kinegraph: 1", "systems:"]
        for name, block in systems.items():
            if block["type"] == "multibody_plant":
                lines.append(f"  {name}:")
                for key, value in block.items():
                    if key in ("models", "constraints", "springs") and value:
                        lines.append(f"    {key}:")
                        lines += [f"      - {text.written(item)}" for item in value]
                    else:
                        lines.append(f"    {key}: {text.written(value)}")
            else:
                lines.append(f"  {name}: {text.written(block)}")
        if self.wires:
            lines.append("connections:")
            lines += [f"  - {text.written(f'{a} -> {b}') if '[' in a + b else f'{a} -> {b}'}" for a, b in self.wires]
        lines.append(f"simulation: {text.written(self.simulation)}")
        channels = [*(r[0] for r in self.readings()), *self.channels]
        lines.append(f"record: {text.written({'every': self.every, 'channels': channels})}")
        return "\n".join(lines) + "\n"

    def write(self, folder):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for b in self.bodies:
            name = folder / f"{b['name']}.{extension(b)}"
            if b["format"] == "mjcf":
                name.write_text(models.mjcf(b["model"], self.digits, b["base"] == "floating"))
            elif b["format"].startswith("sdf"):
                name.write_text(models.sdf(b["model"], self.digits, b["format"][3:]))
            else:
                name.write_text(models.urdf(b["model"], self.digits))
        for name, content in self.files.items():
            (folder / name).write_text(content)
        (folder / "scene.yaml").write_text(self.text())
        return folder / "scene.yaml"

    def canonical(self, head, rows):
        """Readings over time as they would be if nothing were turned, moved or scaled: name to list of numbers."""
        column = {name: i for i, name in enumerate(head)}
        back = frames.transposed(self.world[0]) if self.world else frames.IDENTITY
        away = self.world[1] if self.world else (0.0, 0.0, 0.0)
        length = self.scale.get("length", 1.0)
        found = {}
        for name, kind, _, body, item in self.readings():
            if kind == "pose":
                part = [column[f"{name}.{c}"] for c in ("px", "py", "pz", "qw", "qx", "qy", "qz")]
                own = frames.transposed(self.turns.get(body, {}).get(item, frames.IDENTITY))
                out = [[] for _ in range(9)]
                for row in rows:
                    v = [row[i] for i in part]
                    p = frames.turned(back, frames.minus(v[:3], away))
                    r = frames.product(back, frames.product(frames.from_quaternion(v[3:]), own))
                    if self.mirrored:
                        p, r = frames.mirrored(p), frames.mirrored_rotation(r)
                    values = [x / length for x in p] + [r[0][0], r[1][0], r[2][0], r[0][1], r[1][1], r[2][1]]
                    for series, x in zip(out, values):
                        series.append(x)
                for n, series in enumerate(out):
                    found[f"{body}.{item}.{n}"] = series
            elif kind == "integral":
                parts = [i for i, h in enumerate(head) if h == name or h.startswith(name + "[")]
                for n, i in enumerate(parts):
                    found[f"{self.aliases.get(item, item)}.{n}"] = [row[i] for row in rows]
            else:
                by = length if kind == "prismatic" else 1.0
                found[f"{body}.{item}"] = [row[column[name]] / by for row in rows]
        return found


def seen_nodes(fibre):
    """Nodes of a fibre that are compared: the first and the last that are its own, and the middle one."""
    n = fibre["elements"]
    first, last = int("clamped" in fibre.get("start", {})), n - int("clamped" in fibre.get("end", {}))
    return [f"n{i}" for i in sorted({first, n // 2, last})]


def extension(body):
    return {"mjcf": "xml", "urdf": "urdf"}.get(body["format"], "sdf")


def rounded(v, digits):
    """Numbers of the diagram file, which takes none that only rounding leaves."""
    return [0.0 if abs(x) < 1e-12 else float(models.number(x, digits)) for x in v]
