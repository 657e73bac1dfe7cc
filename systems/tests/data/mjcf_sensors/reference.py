"""Readings of MuJoCo's sensors at random states, for systems/tests/all/multibody/mjcf_sensors.rs.

    python reference.py STATES OUT.json MODEL.xml

Written with MuJoCo 4.0.0. States are in the conventions of this project: of a free joint the quaternion before the
place, and both velocities in world axes. Accelerations are those of MuJoCo at the state, so that readings are compared
and not dynamics. In contact forces of joints and touch are left out, and of models with equalities forces of joints.
"""

import json
import sys

import mujoco
import numpy as np


def ours(model, data):
    q, v, a, f = [], [], [], []
    for j in range(model.njnt):
        p, d = model.jnt_qposadr[j], model.jnt_dofadr[j]
        kind = model.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, data.qpos[p + 3 : p + 7])
            R = turn.reshape(3, 3)
            q += [*data.qpos[p + 3 : p + 7], *data.qpos[p : p + 3]]
            v += [*(R @ data.qvel[d + 3 : d + 6]), *data.qvel[d : d + 3]]
            a += [*(R @ data.qacc[d + 3 : d + 6]), *data.qacc[d : d + 3]]
            f += [0.0] * 6
        else:
            n, m = (4, 3) if kind == mujoco.mjtJoint.mjJNT_BALL else (1, 1)
            q += list(data.qpos[p : p + n])
            v += list(data.qvel[d : d + m])
            a += list(data.qacc[d : d + m])
            f += list(data.qfrc_actuator[d : d + m])
    return q, v, a, f


def main():
    states, out, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(1)
    rows, tries = [], 0
    sensor_kinds = [mujoco.mjtSensor(t).name.removeprefix("mjSENS_").lower() for t in model.sensor_type]
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SENSOR, i) or "" for i in range(model.nsensor)]
    while len(rows) < states and tries < 50 * states:
        tries += 1
        mujoco.mj_resetData(model, data)
        data.time = rng.uniform(0, 5)
        step = rng.normal(size=model.nv) * min(1.0, 0.02 * tries)
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        data.qvel[:] = rng.normal(size=model.nv)
        data.ctrl[:] = rng.uniform(-1, 1, size=model.nu)
        try:
            mujoco.mj_forward(model, data)
        except mujoco.FatalError:
            # More contacts than its memory holds.
            continue
        if not np.all(np.isfinite(data.qacc)):
            continue
        q, v, a, f = ours(model, data)
        values = {}
        for i, name in enumerate(names):
            kind = sensor_kinds[i]
            of_contact = data.ncon > 0 and kind in ("force", "torque", "touch")
            held = model.neq > 0 and kind in ("force", "torque")
            if not name or of_contact or held or kind == "jointlimitfrc":
                continue
            at = model.sensor_adr[i]
            values[name] = [float(x) for x in data.sensordata[at : at + model.sensor_dim[i]]]
        rows.append({"time": data.time, "q": q, "v": v, "v_dot": a, "actuation": f, "values": values})
    kinds = {n: k for n, k in zip(names, sensor_kinds) if n}
    text = {"origin": f"MuJoCo {mujoco.__version__}", "model": path, "kinds": kinds, "states": rows}
    with open(out, "w") as file:
        json.dump(text, file)
    print(path, len(rows), "states", len(kinds), "sensors")


main()
