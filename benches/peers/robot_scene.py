#!/usr/bin/env python3
"""A robot of an MJCF file as scenes for compare.py and ensemble.py: dropped so that it stands on its legs, and so that
it falls.

    python3 benches/peers/robot_scene.py --scenes DIR --model go1_mjx_feetonly.xml --out OUT
    python3 benches/peers/ensemble.py --scenes OUT --only go1_stands,go1_falls

DIR is that of compare.py. The file (such as that of the Go1 in the package playground 0.2.0) gives the tree, the
inertias, axes, stops and damping of the joints, and the shapes: spheres as they are, capsules as spheres in both ends,
boxes as spheres in their corners, the rest not. They touch the ground alone. Its meshes are not read; armatures,
friction and limits of torque are left out. `stands` holds the joints by springs and dampers, a PD controller that all
three simulators have in common.
"""
import argparse
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mujoco
import numpy as np

from random_scenes import writer

CORNER = 0.02   # radius of a sphere in the corner of a box [m]
DURATION = 2.0  # s


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=Path, required=True)
    p.add_argument("--model", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="go1")
    p.add_argument("--pose", default="0,0.9,-1.8", help="angles of the joints of each leg, from the body on [rad]")
    p.add_argument("--stiffness", type=float, default=35.0, help="[N m/rad]")
    p.add_argument("--height", type=float, default=0.45, help="of the body at the start [m]")
    return p.parse_args()


def without_meshes(path):
    """The model, without what needs other files, and without sensors and actuators."""
    root = ElementTree.parse(path).getroot()
    for parent in list(root.iter()):
        for part in list(parent):
            refers = part.tag == "geom" and ("mesh" in part.attrib or part.get("class") == "visual")
            if refers or part.tag in ("asset", "sensor", "actuator", "keyframe", "include", "contact", "light"):
                parent.remove(part)
    root.find("compiler").attrib.pop("meshdir", None)
    for part in root.iter("geom"):
        part.attrib.pop("material", None)
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))


def matrix(quaternion):
    """The rotation matrix of a unit quaternion w, x, y, z."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, quaternion)
    return turn.reshape(3, 3)


def shapes(g, model, body):
    """Spheres in place of the shapes of a body."""
    found = []
    for i in np.flatnonzero(model.geom_bodyid == body):
        at, size, turn = model.geom_pos[i], model.geom_size[i], matrix(model.geom_quat[i])
        kind = model.geom_type[i]
        if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
            found.append(g.col("sphere", at.tolist(), radius=float(size[0])))
        elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
            found += [g.col("sphere", (at + s * size[1] * turn[:, 2]).tolist(), radius=float(size[0])) for s in (-1, 1)]
        elif kind == mujoco.mjtGeom.mjGEOM_BOX:
            corners = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T * (size - CORNER)
            found += [g.col("sphere", (at + turn @ corner).tolist(), radius=CORNER) for corner in corners]
    return found


def robot(g, model, name):
    """The tree of the first body that floats."""
    links, joints = [], []
    for body in range(1, model.nbody):
        turn = matrix(model.body_iquat[body])
        i = turn @ np.diag(model.body_inertia[body]) @ turn.T
        inertia = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
        links.append(g.link(model.body(body).name, float(model.body_mass[body]), model.body_ipos[body].tolist(),
                            [float(x) for x in inertia], shapes(g, model, body)))
        if body > 1:
            assert model.body_jntnum[body] == 1 and model.body_quat[body][0] == 1.0, "a tree of single hinges that are not turned"
            j = model.body_jntadr[body]
            joints.append(g.joint(model.joint(j).name, "revolute", model.body(model.body_parentid[body]).name,
                                  model.body(body).name, model.body_pos[body].tolist(), axis=model.jnt_axis[j].tolist(),
                                  limits=model.jnt_range[j].tolist(), damping=float(model.dof_damping[model.jnt_dofadr[j]])))
    return g.model(name, links, joints)


def main():
    a = arguments()
    g = writer(a.scenes, a.out)
    tree = robot(g, without_meshes(a.model), a.name)
    pose = [float(x) for x in a.pose.split(",")]
    rest = {joint["name"]: pose[i % len(pose)] for i, joint in enumerate(tree["joints"])}
    start = {name: (angle, 0.0) for name, angle in rest.items()}
    springs = [{"instance": a.name, "joint": name, "stiffness": a.stiffness, "rest": angle} for name, angle in rest.items()]
    law = g.contact(1e5, 10.0, 0.6, 0.6, 1e-3)
    for what, held in (("stands", springs), ("falls", [])):
        placed = g.inst(a.name, a.name, "floating", (0, 0, a.height), g.quat((0.02, 0.03, 0)), joints=start,
                        collision_group="ground_only")
        g.write_scene(f"{a.name}_{what}", [tree], [placed], duration=DURATION, contact=law, chaotic=True, springs=held)
    print(f"two scenes in {g.OUT}")


if __name__ == "__main__":
    main()
