"""A shared scene in MuJoCo: its twin scene.xml with a step, a cone and an integrator, and its state by the names of the
other engines."""
import importlib.util
import json
import sys
import time

import mujoco
import numpy as np

CONES = {"pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL, "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}
INTEGRATORS = {"Euler": mujoco.mjtIntegrator.mjINT_EULER, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
               "implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT, "RK4": mujoco.mjtIntegrator.mjINT_RK4}
FREE = mujoco.mjtJoint.mjJNT_FREE


def program_of(folder, name):
    """A program of the folder of the shared scenes as a module: its helpers set up scenes."""
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location(f"shared_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Scene:
    """The twin of a scene, with steps of `step` seconds."""

    def __init__(self, folder, name, step, cone="elliptic", integrator="implicitfast"):
        self.folder = folder / "scenes" / name
        self.shared = program_of(folder, "run_mujoco")
        self.described = json.loads((self.folder / "scene.json").read_text())
        self.model = mujoco.MjModel.from_xml_path(str(self.folder / "scene.xml"))
        self.model.opt.timestep = step
        self.model.opt.cone, self.model.opt.integrator = CONES[cone], INTEGRATORS[integrator]
        self.steps = round(self.described["duration"] / step)
        self.controller, self.controller_s = None, 0.0
        if self.described["controller"]:
            law = {"inverse_dynamics_pd": self.shared.Franka, "vacuum": self.shared.VacuumCtl}
            self.controller = law[self.described["controller"]["type"]](self.model, self.described, self.folder)

    def start(self, instances=None):
        """The state at the start: the scene's own, or that of other instances (`starts.py`)."""
        return self.shared.initial(self.model, {**self.described, "instances": instances or self.described["instances"]})

    def advance(self, data, steps):
        if self.controller is None:
            mujoco.mj_step(self.model, data, steps)
            return
        for _ in range(steps):
            began = time.process_time()
            self.controller(self.model, data)
            self.controller_s += time.process_time() - began
            mujoco.mj_step(self.model, data)

    def run_watched(self, data):
        """A whole run: (deepest penetration of any step [m], most contacts, iterations of the solver)."""
        deepest, contacts, iterations = 0.0, 0, 0
        for _ in range(self.steps):
            self.advance(data, 1)
            if data.ncon:
                deepest = max(deepest, -float(data.contact.dist.min()))
                contacts = max(contacts, data.ncon)
            if data.nefc:
                iterations += int(np.sum(data.solver_niter[:max(1, data.nisland)]))
        return deepest, contacts, iterations

    def warnings(self, data):
        """MuJoCo warns where the motion diverged, and starts anew."""
        return {mujoco.mjtWarning(i).name: int(w.number) for i, w in enumerate(data.warning) if w.number}

    def state(self, data):
        """Positions and velocities by name, as of the others: free bodies with angular velocities in world axes."""
        found = {}
        for j in range(self.model.njnt):
            joint, q, v = self.model.joint(j), self.model.jnt_qposadr[j], self.model.jnt_dofadr[j]
            if self.model.jnt_type[j] == FREE:
                name = self.model.body(self.model.jnt_bodyid[j]).name.replace("/", "_")
                turned = np.zeros(3)
                mujoco.mju_rotVecQuat(turned, data.qvel[v + 3:v + 6], data.qpos[q + 3:q + 7])
                values = [*data.qpos[q + 3:q + 7], *data.qpos[q:q + 3], *turned, *data.qvel[v:v + 3]]
                parts = ("qw", "qx", "qy", "qz", "x", "y", "z", "wx", "wy", "wz", "vx", "vy", "vz")
                found.update({f"{name}_{part}": float(value) for part, value in zip(parts, values)})
            else:
                name = joint.name.replace("/", "_")
                found.update({f"{name}_q": float(data.qpos[q]), f"{name}_v": float(data.qvel[v])})
        return found

    def place(self, data, state):
        """Sets the state by name, that of any engine: the inverse of `state`."""
        for j in range(self.model.njnt):
            q, v = self.model.jnt_qposadr[j], self.model.jnt_dofadr[j]
            if self.model.jnt_type[j] == FREE:
                name = self.model.body(self.model.jnt_bodyid[j]).name.replace("/", "_")
                of = lambda *parts: np.array([state[f"{name}_{part}"] for part in parts])
                turn, back = of("qw", "qx", "qy", "qz"), np.zeros(4)
                turn /= np.linalg.norm(turn)
                mujoco.mju_negQuat(back, turn)
                data.qpos[q:q + 3], data.qpos[q + 3:q + 7] = of("x", "y", "z"), turn
                data.qvel[v:v + 3] = of("vx", "vy", "vz")
                mujoco.mju_rotVecQuat(data.qvel[v + 3:v + 6], of("wx", "wy", "wz"), back)
            else:
                name = self.model.joint(j).name.replace("/", "_")
                data.qpos[q], data.qvel[v] = any_of(state, name, "_q", "_x"), any_of(state, name, "_v", "_w")


def any_of(state, name, *endings):
    """A slider is `..._x` with Drake, a hinge turns at `..._w`."""
    return next(state[name + ending] for ending in endings if name + ending in state)
