"""Features of diagrams, each added to a scene in which contact begins, ends or changes (`events.py`)."""

import events
from events import G
from mechanisms import MECHANISMS

FEATURES = {}


def feature(group, name):
    """Enrols a function of a generator of random numbers and an event that makes a scene."""

    def enrol(make):
        FEATURES[name] = (group, make)
        return make

    return enrol


def with_law(**law):
    """A feature of the law of contact."""

    def make(rng, event):
        scene = events.make(rng, event)
        scene.plant["contact"].update({k: v(rng) if callable(v) else v for k, v in law.items()})
        if "static_friction" in law:
            scene.plant["contact"].setdefault("dynamic_friction", 0.0)
        return scene

    return make


def between(low, high):
    return lambda rng: round(rng.uniform(low, high), 6)


def power(low, high):
    return lambda rng: 10 ** rng.uniform(low, high)


LAWS = {
    "points": {},
    "deepest points": {"points": "deepest"},
    "local minima": {"points": "local_minima"},
    "hydroelastic surfaces": {"model": "hydroelastic", "modulus": power(5, 7)},
    "volumes": {"model": "volume", "modulus": power(5, 6)},
    "torsional friction": {"torsional_friction": power(-4, -1), "static_friction": 0.5, "dynamic_friction": 0.5},
    "rolling friction": {"rolling_friction": power(-4, -1), "static_friction": 0.5, "dynamic_friction": 0.5},
    "torsional and rolling friction": {"torsional_friction": power(-4, -1), "rolling_friction": power(-4, -1)},
    "surfaces that resist spinning": {"model": "hydroelastic", "torsional_friction": power(-4, -1),
                                      "rolling_friction": power(-4, -1)},
    "friction that falls": {"static_friction": 0.9, "dynamic_friction": between(0.0, 0.8)},
    "no friction": {"static_friction": 0.0, "dynamic_friction": 0.0},
    "elastic contact": {"dissipation": 0.0},
    "soft contact": {"stiffness": power(2.5, 4)},
    "hard contact": {"stiffness": power(7, 9)},
    "damped contact": {"dissipation": power(1, 3)},
}
for law_name, of_law in LAWS.items():
    FEATURES[law_name] = ("contact", with_law(**of_law))


@feature("contact", "meshes as they are")
def exact_meshes(rng, event):
    scene = events.make(rng, event)
    text, _ = events.single("mesh", 0.5)
    scene.add("m", text, pose={"xyz": [0.3, 0.3, scene.top + 0.052]}, meshes={"body": "exact"})
    scene.plant["contact"]["points"] = "local_minima"
    return scene


@feature("contact", "rigid bodies on compliant ones")
def rigid_surfaces(rng, event):
    scene = events.make(rng, event)
    scene.plant["contact"].update({"model": "hydroelastic", "modulus": 10 ** rng.uniform(5, 7)})
    scene.plant["hydroelastic"] = {"a": "rigid", "ground": {"kind": "compliant", "slab_thickness": 0.1}}
    return scene


@feature("contact", "belts")
def belts(rng, event):
    scene = events.make(rng, event)
    link = "ground" if scene.top == 0.0 else f"{scene.models[0]['name']}/body"
    scene.plant["belts"] = [{"name": "line", "link": link, "axis": [0, 1, 0], "speed": rng.uniform(0.2, 1.0)}]
    scene.driven = True
    return scene


@feature("contact", "suction")
def suction(rng, event):
    """A hand above the body that sucks it, and releases it."""
    scene = events.make(rng, event)
    scene.add("hand", events.box_of((0.05, 0.05, 0.05)), base="fixed", pose={"xyz": [0, 0, scene.top + 0.2]})
    face = {"link": scene.links[-1], "plane": {"point": [0, 0, 0.05], "normal": [0, 0, 1]}}
    scene.systems["hold"] = {"type": "vacuum_gripper", "plant": "plant", "targets": [face],
                             "suction": {"force": rng.uniform(5, 40), "reach": rng.uniform(0.01, 0.1)},
                             "cups": [{"link": "hand/body", "point": [0, 0, -0.025], "reaction": scene.links[-1]}]}
    scene.systems["on"] = pulse(rng)
    scene.wires += ["on.output -> hold.on", "plant.body_poses -> hold.body_poses",
                    "hold.applied_spatial_force -> plant.applied_spatial_force"]
    scene.driven = True
    return scene


def pulse(rng):
    return {"type": "pulse", "period": rng.uniform(0.02, 0.1), "delay": rng.uniform(0.0, 0.03)}


# Constraints.


def frames(scene):
    """Where the first body and what it is held to are: two frames that are one at the start."""
    name, link = scene.links[0].split("/")
    at = next(m for m in scene.models if m["name"] == name)["pose"]["xyz"]
    down = -0.08 if link == "foot" else 0.0
    return [at[0], at[1], at[2] + down]


def holds(kind, **more):
    """A constraint between the first body and the world, or another body, rigid or compliant."""

    def make(rng, event):
        scene = events.make(rng, event, "prismatic" if rng.random() < 0.3 else "")
        x, y, z = frames(scene)
        entry = next(m for m in scene.models if m["name"] == "a")
        entry["pose"].pop("rpy", None)
        entry["velocity"] = {"angular": [0, 0, 0], "linear": [0, 0, 0]}
        one = {"name": "hold", "type": kind, "a": {"link": scene.links[0]}}
        hung = [x + 0.2, y, z + (0.1 if kind == "distance" else 0.0)]
        partner = rng.choice(["world", "world", "free"])
        if partner == "free":
            scene.add("c", events.robot(events.link("body", 0.5, (1e-3,) * 3)), pose={"xyz": hung})
            other = {"link": "c/body"}
            scene.energy += 0.5 * G * 0.1
        else:
            other = {"link": "world", "pose": {"xyz": hung}}
        if kind == "distance":
            one["length"] = (0.2**2 + 0.1**2) ** 0.5
        else:
            one["a"]["pose"] = {"xyz": [0.2, 0.0, 0.0]}
        if kind == "bushing":
            one["force_stiffness"] = [10 ** rng.uniform(2, 5) for _ in range(3)]
            one["force_damping"] = [10 ** rng.uniform(-1, 2) for _ in range(3)]
            one["torque_stiffness"] = [10 ** rng.uniform(0, 3) for _ in range(3)]
        elif rng.random() < 0.4:
            one["stiffness"], one["damping"] = 10 ** rng.uniform(2, 6), 10 ** rng.uniform(0, 2)
        one["b"] = other
        one.update(more)
        scene.plant["constraints"] = [one]
        if more.get("capture"):
            scene.systems["grip"] = pulse(rng)
            scene.wires.append("grip.output -> plant.constraints.hold.active")
            scene.driven = "stiffness" in one
        return scene

    return make


for constraint in ("weld", "ball", "distance", "bushing"):
    FEATURES[f"{constraint} constraints"] = ("constraints", holds(constraint))
FEATURES["grippers that hold and release"] = ("constraints", holds("weld", active=False, capture=True))


# Elements of a joint: the first body has a leg.


def on_leg(way, extra="", **plant):
    def make(rng, event):
        scene = events.make(rng, event, way, extra)
        plant_of = {k: v(rng) if callable(v) else v for k, v in plant.items()}
        scene.plant.update(plant_of)
        spring = next(iter(plant_of.get("springs", [])), None)
        if spring:
            scene.energy += 0.5 * spring["stiffness"] * 0.03**2
        return scene

    return make


def stop(**of):
    return lambda rng: {"a": {"leg": {k: v(rng) if callable(v) else v for k, v in of.items()}}}


LEGS = {
    "joints without limits": ("continuous", "free", {}),
    "springs of joints": ("prismatic", "", {
        "springs": lambda r: [{"joint": "a/leg", "stiffness": 10 ** r.uniform(2, 5)}]}),
    "dampers of joints": ("prismatic", '<dynamics damping="5"/>', {}),
    "dry friction of joints": ("revolute", '<dynamics friction="0.5"/>', {}),
    "rigid stops": ("prismatic", "", {}),
    "stops that give back": ("prismatic", "", {"stops": stop(restitution=between(0.1, 1.0))}),
    "compliant stops": ("revolute", "", {"stops": stop(stiffness=power(2, 6), dissipation=between(0.0, 5.0))}),
    "locked joints": ("prismatic", "", {"locked": ["a/leg"]}),
}
for leg_name, (leg_way, leg_extra, leg_plant) in LEGS.items():
    FEATURES[leg_name] = ("elements", on_leg(leg_way, leg_extra, **leg_plant))


@feature("elements", "locks switched in motion")
def switched_lock(rng, event):
    scene = events.make(rng, event, rng.choice(["prismatic", "revolute"]))
    scene.plant["lockable"] = ["a/leg"]
    scene.systems["lock"] = pulse(rng)
    scene.wires.append("lock.output -> plant.a.leg.lock")
    return scene


@feature("elements", "limited efforts, motors")
def efforts(rng, event):
    scene = events.make(rng, event, "prismatic", '<limit lower="-0.03" upper="0.05" effort="5" velocity="9"/>')
    scene.files["a.urdf"] = scene.files["a.urdf"].replace('effort="1e6" velocity="1e6"', "").replace(
        '<limit lower="-0.03" upper="0.05" />', "", 1)
    next(m for m in scene.models if m["name"] == "a").pop("actuated")
    scene.systems["servo"] = {"type": "pid", "kp": 10 ** rng.uniform(1, 4), "kd": 10 ** rng.uniform(0, 2)}
    scene.systems["goal"] = {"type": "constant", "value": [0.03, 0.0]}
    scene.wires += ["goal.output -> servo.desired", "plant.a.leg -> servo.measured", "servo.effort -> plant.a.leg"]
    scene.driven = True
    return scene


@feature("elements", "play and relays in feedback")
def play(rng, event):
    scene = events.make(rng, event, "prismatic", "free")
    next(m for m in scene.models if m["name"] == "a")["actuated"] = ["leg"]
    kind = rng.choice([{"type": "dead_zone", "lower": -0.005, "upper": 0.005}, {"type": "quantizer", "interval": 0.002},
                       {"type": "relay", "rise_at": 0.002, "fall_at": -0.002, "high": 1, "low": -1}])
    scene.systems["play"] = kind
    scene.systems["push"] = {"type": "gain", "gain": -(10 ** rng.uniform(0, 3))}
    scene.wires += ["plant.a.state[leg.q] -> play.input", "play.output -> push.input", "push.output -> plant.a.leg"]
    scene.driven = True
    return scene


for mechanism, (of_group, build) in MECHANISMS.items():
    FEATURES[mechanism] = (of_group, build)


# Sensors.

POSES = {"body_poses": "body_poses"}
INPUTS = {
    "contact_sensor": {**POSES, "contact_results": "contact_results"},
    "force_torque_sensor": {**POSES, "spatial_forces": "reaction_forces"},
    "frame_sensor": {**POSES, "body_velocities": "body_velocities"},
    "imu": {**POSES, "body_velocities": "body_velocities"},
    "joint_encoder": {"state": "state"},
    "clock": {},
}
READ = {"contact_sensor": "force", "imu": "specific_force", "force_torque_sensor": "force"}


def senses(kind, **of):
    def make(rng, event):
        scene = events.make(rng, event, "prismatic" if kind == "joint_encoder" else "")
        block = {"type": kind, **of}
        if kind != "clock":
            block["plant"] = "plant"
        if kind == "joint_encoder":
            block["joints"] = ["a/leg"]
        elif kind != "clock":
            block["link"] = scene.links[0]
        if "period" in of:
            block["period"] = 10 ** rng.uniform(-3, -1.5)
        scene.systems["sensor"] = block
        scene.wires += [f"plant.{wire} -> sensor.{port}" for port, wire in INPUTS.get(kind, POSES).items()]
        if kind in READ:
            # What reads forces is read by something.
            scene.systems["sum"] = {"type": "integrator", "initial": [0.0, 0.0, 0.0]}
            scene.wires.append(f"sensor.{READ[kind]} -> sum.input")
        return scene

    return make


SENSORS = {
    "contact_sensor": {"period": 0, "threshold": 0.5},
    "force_torque_sensor": {},
    "frame_sensor": {},
    "imu": {"period": 0, "gyroscope_noise": 0.01},
    "joint_encoder": {"period": 0, "counts_per_turn": 4096},
    "lidar": {"period": 0, "columns": 8, "max_range": 5},
    "range_finder": {"period": 0, "max_range": 5, "latency": 0.003},
    "depth_camera": {"period": 0, "columns": 4, "rows": 3, "max_depth": 5},
    "segmentation_camera": {"period": 0, "columns": 4, "rows": 3, "max_depth": 5},
    "magnetometer": {"period": 0},
    "clock": {"period": 0, "drift": 1e-4},
}
for sensor, keys in SENSORS.items():
    FEATURES[f"sensor: {sensor}"] = ("sensors", senses(sensor, **keys))
