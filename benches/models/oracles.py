#!/usr/bin/env python3
"""Accelerations of the small files in tests/data/mjcf by MuJoCo 4.0.0, at random states.

  oracles.py [NAME ...]  writes NAME.json beside NAME.xml, or beside every file (needs the packages mujoco and numpy)

Composites are no part of version 4.0.0: the file `cables` is one for version 3.3.2, and is to be named.

Every state has positions, velocities, controls and activations in the order of MuJoCo, and with them the accelerations
and the rates of the activations; constraints are switched off.
"""

import json
import sys
from pathlib import Path

import mujoco
import numpy

FOLDER = Path(__file__).resolve().parents[2] / "tests/data/mjcf"


def accelerations(model, data):
    """Those after a forward pass. The mass matrix there has no entries for joints of which neither carries the other,
    and so not all of what inertias along tendons give: with such inertias the whole one is solved."""
    if not model.tendon_armature.any():
        return data.qacc
    arms, size = numpy.zeros((model.ntendon, model.nv)), model.nv
    of = model if hasattr(model, "ten_J_rownnz") else data
    for t in range(model.ntendon):
        own = slice(of.ten_J_rowadr[t], of.ten_J_rowadr[t] + of.ten_J_rownnz[t])
        arms[t, of.ten_J_colind[own]] = data.ten_J[own]
    armature = model.tendon_armature.copy()
    model.tendon_armature[:] = 0.0
    without, M = mujoco.MjData(model), numpy.zeros((size, size))
    without.qpos[:] = data.qpos
    mujoco.mj_forward(model, without)
    mujoco.mj_fullM(model, without, M)
    model.tendon_armature[:] = armature
    return numpy.linalg.solve(M + arms.T @ numpy.diag(armature) @ arms, data.qfrc_smooth)


def main():
    for path in [FOLDER / f"{name}.xml" for name in sys.argv[1:]] or sorted(FOLDER.glob("*.xml")):
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        random = numpy.random.default_rng(27)
        states = []
        for _ in range(6):
            data = mujoco.MjData(model)
            mujoco.mj_integratePos(model, data.qpos, 0.5 * random.standard_normal(model.nv), 1.0)
            data.qvel[:] = 0.7 * random.standard_normal(model.nv)
            data.ctrl[:] = random.uniform(-0.5, 1.5, model.nu)
            data.act[:] = random.uniform(0.0, 1.0, model.na)
            limited = model.actuator_actlimited
            for k in range(model.nu):
                if model.actuator_actadr[k] >= 0 and limited[k]:
                    data.act[model.actuator_actadr[k]] = random.uniform(*model.actuator_actrange[k])
            mujoco.mj_forward(model, data)
            data.qacc[:] = accelerations(model, data)
            names = ["qpos", "qvel", "ctrl", "act", "qacc", "act_dot"]
            states.append({name: [float(x) for x in getattr(data, name)] for name in names})
        origin = f"MuJoCo {mujoco.__version__}, benches/models/oracles.py"
        path.with_suffix(".json").write_text(json.dumps({"origin": origin, "states": states}, indent=1) + "\n")


if __name__ == "__main__":
    main()
