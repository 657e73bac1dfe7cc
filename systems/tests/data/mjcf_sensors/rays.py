"""Distances and geoms of MuJoCo's rays (`mj_multiRay`) through a scene, for
systems/tests/all/multibody/mjcf_sensors.rs.

    python rays.py all.xml rays.json all.json
    python rays.py edges.xml edges.json

Written with MuJoCo 4.0.0; at the states of all.json. Without states rays start anywhere, inside of things too.
"""

import json
import sys

import mujoco
import numpy as np


def place(model, data, q):
    """Of a free joint the quaternion stands before the place."""
    at = 0
    for j in range(model.njnt):
        p, kind = model.jnt_qposadr[j], model.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[p + 3 : p + 7], data.qpos[p : p + 3] = q[at : at + 4], q[at + 4 : at + 7]
            at += 7
        else:
            n = 4 if kind == mujoco.mjtJoint.mjJNT_BALL else 1
            data.qpos[p : p + n] = q[at : at + n]
            at += n
    mujoco.mj_forward(model, data)


def main():
    model = mujoco.MjModel.from_xml_path(sys.argv[1])
    data, rng, out = mujoco.MjData(model), np.random.default_rng(7), []
    still = len(sys.argv) < 4
    for state in [{"q": []}] * 3 if still else json.load(open(sys.argv[3]))["states"][:3]:
        place(model, data, state["q"])
        for _ in range(4):
            # From well outside of all bodies, towards them, and anywhere.
            origin = rng.normal(size=3)
            if not still:
                origin *= 4 / np.linalg.norm(origin)
                origin[2] = abs(origin[2])
            directions = []
            for i in range(50):
                target = data.geom_xpos[rng.integers(0 if still else 1, model.ngeom)] + 0.1 * rng.normal(size=3)
                d = target - origin if i % 5 else rng.normal(size=3)
                directions.append(d / np.linalg.norm(d))
            n = len(directions)
            geom, distance = np.zeros(n, np.int32), np.zeros(n)
            flat, every = np.array(directions).flatten(), np.ones(6, np.uint8)
            mujoco.mj_multiRay(model, data, origin, flat, every, 1, -1, geom, distance, None, n, 1e9)
            bodies = [model.body(model.geom_bodyid[g]).name if g >= 0 else "" for g in geom]
            fan = {"q": state["q"], "origin": list(origin), "directions": flat.tolist(), "distances": distance.tolist()}
            out.append({**fan, "bodies": bodies, "geoms": geom.tolist()})
    json.dump({"origin": f"MuJoCo {mujoco.__version__}", "fans": out}, open(sys.argv[2], "w"))
    print(len(out), "fans;", sum(x >= 0 for fan in out for x in fan["distances"]), "hits")


main()
