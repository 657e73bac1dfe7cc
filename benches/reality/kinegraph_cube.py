"""The cube in Kinegraph."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Dict, List, Sequence

import numpy as np

import cube
import kinegraph as kg
from sets import Parameter

FRICTION = Parameter("friction", "1", 0.18, 0.08, 0.4)
TOLERANCE = Parameter("stiction_tolerance", "m/s", 1e-2, 1e-5, 1.0, log=True)
STIFF = [
    TOLERANCE,
    Parameter("stiffness", "N/m", 1e4, 1e3, 1e6, log=True),
    Parameter("dissipation", "s/m", 3.0, 0.02, 30.0, log=True),
]
SURFACE = [
    TOLERANCE,
    Parameter("modulus", "Pa", 1e6, 1e5, 1e8, log=True),
    Parameter("dissipation", "s/m", 3.0, 0.02, 30.0, log=True),
]
#: By method: what its law has in place of stiffness and dissipation.
OTHERS = {
    "sap": [Parameter("stiffness", "N/m", 1e4, 1e3, 1e6, log=True),
            Parameter("relaxation_time", "s", 0.01, 1e-4, 0.1, log=True)],
    "theta-gamma": [Parameter("restitution", "1", 0.2, 0.0, 0.9)],
}
FIXED = ("icf", "sap", "theta-gamma")


class KinegraphCube:
    """One method and contact model."""

    def __init__(self, method: str, model: str) -> None:
        self.method, self.model = method, model
        self.is_stepped = method in FIXED
        self.folder = Path(tempfile.mkdtemp(prefix="cube-"))
        own = OTHERS.get(method, SURFACE if model == "hydroelastic" else STIFF)
        self.parameters: List[Parameter] = [FRICTION, *own, *cube.SCENE]
        if model == "hydroelastic":
            self.parameters = [one for one in self.parameters if one.name != "radius"]

    def diagram(self, values: Dict[str, float], accuracy: float) -> "kg.Diagram":
        """The cube over the table."""
        (self.folder / "cube.urdf").write_text(urdf(values))
        contact = {
            "static_friction": values["friction"],
            "dynamic_friction": values["friction"],
        }
        keys = ("stiffness", "dissipation", "modulus", "stiction_tolerance")
        contact.update({key: values[key] for key in keys if key in values})
        more = {}
        if self.model == "hydroelastic":
            contact["model"] = "hydroelastic"
            contact.pop("stiffness", None)
            more["hydroelastic"] = {"ground": "rigid", "cube/cube": {"modulus": contact["modulus"]}}
        builder = kg.Builder("toss", folder=str(self.folder))
        builder.add("plant", kg.blocks.MultibodyPlant(
            ground={"height": values["height"]},
            gravity=[float(g) for g in cube.gravity(values)],
            contact=contact,
            models=[{"name": "cube", "file": "cube.urdf", "base": "floating", "pose": {"xyz": [0, 0, 1]}}],
            **more,
        ))
        return builder.build(**self.options(values, accuracy))

    def options(self, values: Dict[str, float], accuracy: float) -> Dict[str, object]:
        """The section `simulation`."""
        options: Dict[str, object] = {"integrator": self.method, "duration": 1}
        options["step" if self.method in FIXED else "accuracy"] = accuracy
        if "relaxation_time" in values:
            options["sap"] = {"relaxation_time": values["relaxation_time"]}
        if "restitution" in values:
            options["theta_gamma"] = {"restitution": values["restitution"]}
        return options

    def predict(self, values: Dict[str, float], recordings: Sequence[cube.Toss], accuracy: float) -> List[np.ndarray]:
        """Poses at the times of the recordings. A run that fails has none."""
        simulation = kg.Simulation(self.diagram(values, accuracy))
        fresh = simulation.snapshot()
        found = []
        for recording in recordings:
            simulation.restore(fresh)
            pose, velocity = cube.start(recording, values)
            simulation.state["plant.cube.q"] = pose
            simulation.state["plant.cube.v"] = velocity
            count, end = len(recording.time), recording.time[-1]
            try:
                run = simulation.run(end, every=end / (count - 1), channels=["plant.cube"], events=False)
                states = np.asarray(run["plant.cube"])[:count, :7]
            except kg.RunError:
                states = np.empty((0, 7))
            found.append(states if len(states) == count else np.full((count, 7), np.nan))
        return found


def urdf(values: Dict[str, float]) -> str:
    """A model file: a box, or balls in its corners where these are round."""
    radius, moment = values.get("radius", 0.0), cube.INERTIA * values["inertia"]
    shape = f'<collision><geometry><box size="{cube.WIDTH} {cube.WIDTH} {cube.WIDTH}"/></geometry></collision>'
    if radius > 0:
        ball = '<collision><origin xyz="{} {} {}"/><geometry><sphere radius="{}"/></geometry></collision>'
        shape = "".join(ball.format(*centre, radius) for centre in cube.corners(radius))
    inertia = f'<inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/>'
    origin = '<origin xyz="{} {} {}"/>'.format(*cube.centre(values))
    link = f'<inertial>{origin}<mass value="{cube.MASS}"/>{inertia}</inertial>{shape}'
    return f'<robot name="cube"><link name="cube">{link}</link></robot>'
