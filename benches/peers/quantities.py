"""What is compared of motions that nobody can predict to the end: where bodies lie, and what energy is left. The same
for every engine, by the kinematics and masses of the MuJoCo twin of the scene."""
import mujoco
import numpy as np


class Quantities:
    def __init__(self, scene):
        self.scene, model = scene, scene.model
        self.moving = np.flatnonzero(model.body_weldid != 0)
        self.mass = model.body_mass[self.moving]

    def of(self, start, end, deepest):
        """Of a run, from its states by name at both ends:

        - height [m] of the centre of mass at the end;
        - spread [m]: radius of gyration of the centres of the bodies about the vertical through it;
        - travel [m]: root mean square of how far bodies have slid and rolled, along the ground;
        - energy_lost [J], kinetic and potential;
        - deepest [m]: penetration, of any step of the run.
        """
        before, energy_before = self.place(start)
        after, energy_after = self.place(end)
        centre = self.mean(after)
        return {"height": float(centre[2]), "spread": self.root_mean_square(after - centre),
                "travel": self.root_mean_square(after - before), "energy_lost": energy_before - energy_after,
                "deepest": deepest}

    def place(self, state):
        """(centres of mass of the bodies, energy) of a state by name."""
        model, data = self.scene.model, mujoco.MjData(self.scene.model)
        self.scene.place(data, state)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        return data.xipos[self.moving].copy(), float(sum(data.energy))

    def mean(self, values):
        return np.average(values, axis=0, weights=self.mass)

    def root_mean_square(self, away):
        """Of horizontal distances, weighted by mass."""
        return float(np.sqrt(self.mean(np.sum(away[:, :2] ** 2, axis=1))))
