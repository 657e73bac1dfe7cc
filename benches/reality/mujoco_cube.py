"""The cube in MuJoCo, with its own law of contact."""

from __future__ import annotations

from typing import Dict, List, Sequence

import mujoco
import mujoco.rollout
import numpy as np

import cube
from sets import Parameter

LAW = [
    Parameter("friction", "1", 0.18, 0.08, 0.4),
    Parameter("time_constant", "s", 0.01, 0.002, 0.05, log=True),
    Parameter("damping_ratio", "1", 1.0, 0.05, 10.0, log=True),
    Parameter("least_impedance", "1", 0.9, 0.05, 0.99),
    Parameter("impedance", "1", 0.95, 0.5, 0.999),
    Parameter("impedance_width", "m", 0.001, 1e-4, 0.02, log=True),
    Parameter("impratio", "1", 1.0, 0.2, 50.0, log=True),
]


class MujocoCube:
    """Elliptic cones, Newton's solver, steps of a fixed length that divides the time between samples."""

    is_stepped = True

    def __init__(self) -> None:
        self.parameters: List[Parameter] = LAW + cube.SCENE

    def model(self, values: Dict[str, float], step: float) -> mujoco.MjModel:
        """The cube over the table."""
        radius, moment = values["radius"], cube.INERTIA * values["inertia"]
        shape = f'<geom type="box" size="{cube.WIDTH / 2} {cube.WIDTH / 2} {cube.WIDTH / 2}"/>'
        if radius > 0:
            ball = '<geom type="sphere" size="{}" pos="{} {} {}"/>'
            shape = "".join(ball.format(radius, *centre) for centre in cube.corners(radius))
        low, high = sorted((values["least_impedance"], values["impedance"]))
        gravity = " ".join(str(g) for g in cube.gravity(values))
        centre = " ".join(str(x) for x in cube.centre(values))
        return mujoco.MjModel.from_xml_string(f"""<mujoco>
            <option timestep="{step}" gravity="{gravity}" cone="elliptic" solver="Newton"
                impratio="{values['impratio']}" integrator="implicitfast"/>
            <default><geom friction="{values['friction']} 0 0" condim="3"
                solref="{values['time_constant']} {values['damping_ratio']}"
                solimp="{low} {high} {values['impedance_width']}"/></default>
            <worldbody>
                <geom type="plane" size="0 0 1" pos="0 0 {values['height']}"/>
                <body><freejoint/>
                    <inertial pos="{centre}" mass="{cube.MASS}" diaginertia="{moment} {moment} {moment}"/>
                    {shape}
                </body>
            </worldbody></mujoco>""")

    def predict(self, values: Dict[str, float], recordings: Sequence[cube.Toss], accuracy: float) -> List[np.ndarray]:
        """Poses at the times of the recordings, by steps of about `accuracy` [s]."""
        period = recordings[0].time[-1] / (len(recordings[0].time) - 1)
        parts = max(1, round(period / accuracy))
        model = self.model(values, period / parts)
        data = mujoco.MjData(model)
        samples = max(len(recording.time) for recording in recordings) - 1
        starts = []
        for recording in recordings:
            pose, velocity = cube.start(recording, values)
            turn = cube.rotation(recording.quaternion[0])
            spin = turn.T @ velocity[:3]
            starts.append(np.concatenate([[0.0], pose[4:], pose[:4], velocity[3:], spin]))
        states, _ = mujoco.rollout.rollout(model, data, np.array(starts), nstep=samples * parts)
        found = []
        for start, path, recording in zip(starts, states, recordings):
            rows = np.concatenate([start[None], path[parts - 1 :: parts]])[: len(recording.time)]
            found.append(np.concatenate([rows[:, 4:8], rows[:, 1:4]], axis=1))
        return found
