"""Model files and diagrams, as little as the families need."""

import json


def link(name, mass, inertia, centre=(0, 0, 0), shape=None):
    """A link with its centre of mass and, if it collides, one shape: ("sphere", radius), ("box", (x, y, z)),
    ("cylinder", (radius, length)), ("mesh", file)."""
    ixx, iyy, izz = inertia
    text = (
        f'<link name="{name}"><inertial><origin xyz="{xyz(centre)}"/><mass value="{mass!r}"/>'
        f'<inertia ixx="{ixx!r}" iyy="{iyy!r}" izz="{izz!r}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    if shape:
        kind, size, *turn = shape
        geometry = {
            "sphere": f'<sphere radius="{size!r}"/>' if kind == "sphere" else "",
            "box": f'<box size="{xyz(size)}"/>' if kind == "box" else "",
            "cylinder": f'<cylinder radius="{size[0]!r}" length="{size[1]!r}"/>' if kind == "cylinder" else "",
            "mesh": f'<mesh filename="{size}"/>' if kind == "mesh" else "",
            "capsule": f'<drake:capsule radius="{size[0]!r}" length="{size[1]!r}"/>' if kind == "capsule" else "",
        }[kind]
        rpy = f' rpy="{xyz(turn[0])}"' if turn else ""
        text += f'<collision><origin xyz="0 0 0"{rpy}/><geometry>{geometry}</geometry></collision>'
    return text + "</link>"


def joint(name, kind, parent, child, axis, origin=(0, 0, 0), limit=None):
    limits = f'<limit lower="{limit[0]!r}" upper="{limit[1]!r}" effort="1e6" velocity="1e6"/>' if limit else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz(origin)}"/><axis xyz="{xyz(axis)}"/>{limits}</joint>'
    )


def robot(*parts):
    return f'<robot name="m" xmlns:drake="http://drake.mit.edu">{"".join(parts)}</robot>'


def xyz(v):
    return " ".join(repr(float(x)) for x in v)


def diagram(models, duration, every, gravity=(0, 0, -9.81), systems=None, connections=(), **plant):
    """The text of a diagram file (JSON is YAML)."""
    systems = {
        "plant": {"type": "multibody_plant", "gravity": list(gravity), "models": models, **plant},
        **(systems or {}),
    }
    return json.dumps(
        {
            "kinegraph": 1,
            "name": "promise",
            "systems": systems,
            "connections": list(connections),
            "simulation": {"integrator": "cenic", "accuracy": 1e-3, "duration": duration},
            "record": {"every": every, "channels": ["plant.state"]},
        }
    )


def contact(stiffness, dissipation, static=0.0, dynamic=0.0, stiction=1e-4):
    return {
        "stiffness": stiffness,
        "dissipation": dissipation,
        "static_friction": static,
        "dynamic_friction": dynamic,
        "stiction_tolerance": stiction,
    }


def sphere_inertia(mass, radius):
    return (0.4 * mass * radius**2,) * 3


def box_inertia(mass, size):
    x, y, z = size
    return (mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y))


def rod_inertia(mass, length):
    return (1e-4 * mass, mass * length**2 / 12, mass * length**2 / 12)
