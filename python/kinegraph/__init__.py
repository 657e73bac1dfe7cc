"""Kinegraph: wire plants and controllers as blocks and simulate the whole diagram, contact included, to the accuracy
you ask for.

    import kinegraph as kg

    diagram = kg.load("franka.yaml", set={"systems.controller.kp": 2e3})
    sim = kg.Simulation(diagram, integrator="cenic", accuracy=1e-3)
    recording = sim.run(3.5, every=0.01)
"""

from . import blocks
from ._kinegraph import Context, Snapshot, integrators
from .block import Bench, Block
from .derivatives import Gradient, gradient
from .diagram import Builder, Diagram, load
from .errors import Fault, FaultsError, KinegraphError, NameFault, RunError, SnapshotError
from .fits import fit, fit_torques, plan_fit
from .ports import Port
from .recording import Recording, Requirement
from .simulation import Contact, Linearization, Pose, Simulation, State, Verification
from .sweep import SweepError, SweepTable, sweep
from .worlds import Worlds

__version__ = "0.1.0"

__all__ = [
    "Bench",
    "Block",
    "Builder",
    "Contact",
    "Context",
    "Diagram",
    "Fault",
    "FaultsError",
    "Gradient",
    "KinegraphError",
    "Linearization",
    "NameFault",
    "Port",
    "Pose",
    "Recording",
    "Requirement",
    "RunError",
    "Simulation",
    "Snapshot",
    "SnapshotError",
    "State",
    "SweepError",
    "SweepTable",
    "Verification",
    "Worlds",
    "blocks",
    "fit",
    "fit_torques",
    "gradient",
    "integrators",
    "load",
    "plan_fit",
    "sweep",
]
