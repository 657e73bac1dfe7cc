"""The cube in Drake: CENIC under error control, and the discrete plant with SAP."""

from __future__ import annotations

from typing import Dict, List, Sequence

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder, EventStatus

import cube
from sets import Parameter

LAW = [
    Parameter("friction", "1", 0.18, 0.08, 0.4),
    Parameter("stiffness", "N/m", 1e4, 1e3, 1e6, log=True),
]
#: Radius of the balls in sharp corners: a single point of a box would not hold a face.
SHARP = 1e-4


class DrakeCube:
    """`cenic` or `sap`. The cube touches with balls in its corners."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.is_stepped = method == "sap"
        own = [
            Parameter("stiction_tolerance", "m/s", 1e-2, 1e-5, 1.0, log=True),
            Parameter("dissipation", "s/m", 3.0, 0.02, 30.0, log=True),
        ]
        if method == "sap":
            own = [Parameter("relaxation_time", "s", 0.01, 1e-4, 0.1, log=True)]
        self.parameters: List[Parameter] = LAW + own + cube.SCENE

    def build(self, values: Dict[str, float], step: float):
        """Diagram and plant."""
        builder = DiagramBuilder()
        config = MultibodyPlantConfig(time_step=0.0, contact_model="point")
        if self.method == "sap":
            config.time_step, config.discrete_contact_approximation = step, "sap"
        else:
            config.stiction_tolerance = values["stiction_tolerance"]
        plant, _ = AddMultibodyPlant(config, builder)
        plant.mutable_gravity_field().set_gravity_vector(cube.gravity(values))
        moment = cube.INERTIA * values["inertia"] / cube.MASS
        about_centre = UnitInertia(moment, moment, moment)
        centre = np.array(cube.centre(values))
        inertia = SpatialInertia(cube.MASS, centre, about_centre.ShiftFromCenterOfMass(centre))
        body = plant.AddRigidBody("cube", inertia)
        radius = values["radius"] or SHARP
        for index, centre in enumerate(cube.corners(radius)):
            plant.RegisterCollisionGeometry(
                body, RigidTransform(centre), Sphere(radius), f"corner{index}", self.material(values))
        ground = HalfSpace.MakePose([0, 0, 1], [0, 0, values["height"]])
        plant.RegisterCollisionGeometry(plant.world_body(), ground, HalfSpace(), "ground", self.material(values))
        plant.Finalize()
        return builder.Build(), plant, body

    def material(self, values: Dict[str, float]) -> ProximityProperties:
        """Half of the compliance of the pair on each side."""
        properties = ProximityProperties()
        friction = CoulombFriction(values["friction"], values["friction"])
        dissipation = values.get("dissipation", 0.0)
        AddContactMaterial(dissipation, 2 * values["stiffness"], friction, properties)
        if self.method == "sap":
            properties.AddProperty("material", "relaxation_time", values["relaxation_time"] / 2)
        return properties

    def predict(self, values: Dict[str, float], recordings: Sequence[cube.Toss], accuracy: float) -> List[np.ndarray]:
        """Poses at the times of the recordings, by cubic polynomials between the ends of steps."""
        diagram, plant, body = self.build(values, accuracy)
        return [self.toss(diagram, plant, values, recording, accuracy) for recording in recordings]

    def toss(self, diagram, plant, values, recording: cube.Toss, accuracy: float) -> np.ndarray:
        """One prediction; not-a-number where the run fails."""
        context = diagram.CreateDefaultContext()
        inside = plant.GetMyMutableContextFromRoot(context)
        pose, velocity = cube.start(recording, values)
        plant.SetPositions(inside, pose)
        plant.SetVelocities(inside, velocity)
        simulator = Simulator(diagram, context)
        if self.method == "cenic":
            config = SimulatorConfig(integration_scheme="cenic", max_step_size=0.1, accuracy=accuracy)
            ApplySimulatorConfig(config, simulator)
        knots: List[np.ndarray] = []

        def note(root):
            own = plant.GetMyContextFromRoot(root)
            state = plant.GetPositionsAndVelocities(own)
            rate = plant.MapVelocityToQDot(own, state[7:])
            knots.append(np.concatenate([[root.get_time()], state[:7], rate]))
            return EventStatus.DidNothing()

        simulator.set_monitor(note)
        try:
            simulator.Initialize()
            simulator.AdvanceTo(recording.time[-1])
        except RuntimeError:
            return np.full((len(recording.time), 7), np.nan)
        return between(np.array(knots), recording.time)


def between(knots: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Cubic polynomials with values and rates of the knots."""
    keep = np.concatenate([[True], np.diff(knots[:, 0]) > 0])
    knots = knots[keep]
    index = np.clip(np.searchsorted(knots[:, 0], times, side="right") - 1, 0, len(knots) - 2)
    first, second = knots[index], knots[index + 1]
    length = (second[:, 0] - first[:, 0])[:, None]
    u = ((times - first[:, 0])[:, None]) / length
    p, q, m, n = first[:, 1:8], second[:, 1:8], first[:, 8:] * length, second[:, 8:] * length
    return (2 * u**3 - 3 * u**2 + 1) * p + (u**3 - 2 * u**2 + u) * m + (3 * u**2 - 2 * u**3) * q + (u**3 - u**2) * n
