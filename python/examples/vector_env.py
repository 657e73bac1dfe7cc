"""Worlds as a vector environment of Gymnasium: 1,000 cart-poles, and 256 arms that carry boxes.

Nothing is trained: actions are random. `pip install gymnasium`, then `python python/examples/vector_env.py`.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

import kinegraph as kg

HERE = Path(__file__).resolve().parent
FRANKA = HERE.parents[1] / "examples" / "franka" / "franka.yaml"


class WorldsEnv(gymnasium.vector.VectorEnv):
    """One world an environment. A subclass says what is rewarded and when an episode is over."""

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, diagram: kg.Diagram, n: int, action: str, observation: str, dt: float, largest: float) -> None:
        self.worlds = kg.Worlds(diagram, n, inputs=[action])
        self.num_envs, self.dt, self.action, self.observed = n, dt, action, observation
        width = dict(self.worlds.inputs)[action]
        self.single_action_space = gymnasium.spaces.Box(-largest, largest, (width,), np.float64)
        shape = self.worlds.read(observation).shape[1:]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.action_space = batch_space(self.single_action_space, n)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.over = np.zeros(n, bool)
        self.initial = self.worlds.states

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> Any:
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, bool))
        return self.worlds.read(self.observed), {}

    def step(self, actions: np.ndarray) -> Any:
        # Episodes that were over begin anew instead of taking an action.
        self._begin(self.over)
        self.worlds.set_input(self.action, np.where(self.over[:, None], 0.0, actions))
        self.worlds.advance(self.dt)
        seen = self.worlds.read(self.observed)
        rewards, terminated, truncated = self.judge(seen)
        # A world that cannot go on is one whose episode is over.
        terminated[list(self.worlds.faults)] = True
        rewards = np.where(self.over, 0.0, rewards)
        self.over = terminated | truncated
        return seen, rewards, terminated, truncated, {}

    def judge(self, seen: np.ndarray) -> Any:
        """Rewards, and which episodes have come to their end or are broken off."""
        raise NotImplementedError

    def start(self) -> np.ndarray:
        """States in which episodes begin, one row an environment."""
        return self.initial

    def _begin(self, mask: np.ndarray) -> None:
        if mask.any():
            self.worlds.start_at(self.start(), mask)


class CartPoles(WorldsEnv):
    """A pole on a cart is to stay upright."""

    def __init__(self, n: int) -> None:
        b = kg.Builder("cart_pole", folder=HERE)
        models = [{"name": "cart", "file": "cart_pole.urdf", "base": "fixed"}]
        b.add("plant", kg.blocks.MultibodyPlant(models=models))
        diagram = b.build(integrator="cenic", accuracy=1e-3)
        super().__init__(diagram, n, "plant.cart.slide", "plant.cart.state", dt=0.02, largest=10.0)

    def start(self) -> np.ndarray:
        return self.np_random.uniform(-0.05, 0.05, self.initial.shape)

    def judge(self, seen: np.ndarray) -> Any:
        fallen = (np.abs(seen[:, 0]) > 2.4) | (np.abs(seen[:, 1]) > 0.2)
        return np.ones(self.num_envs), fallen, self.worlds.times > 10.0


class Arms(WorldsEnv):
    """An arm under control that grasps and carries a box: actions are torques on its joints besides."""

    def __init__(self, n: int) -> None:
        super().__init__(kg.load(FRANKA), n, "plant.arm.applied_generalized_force", "plant.state", dt=0.05, largest=2.0)

    def judge(self, seen: np.ndarray) -> Any:
        return -np.abs(seen).sum(axis=1), np.zeros(self.num_envs, bool), self.worlds.times > 3.5


def steps_per_second(env: WorldsEnv, steps: int) -> float:
    """How many environments take a step in a second."""
    env.reset(seed=0)
    env.action_space.seed(0)
    started = time.perf_counter()
    for _ in range(steps):
        seen, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
        assert np.isfinite(seen).all()
    return steps * env.num_envs / (time.perf_counter() - started)


if __name__ == "__main__":
    print(f"1000 cart-poles: {steps_per_second(CartPoles(1000), 100):.0f} steps of 0.02 s in a second")
    print(f"256 arms with contact: {steps_per_second(Arms(256), 10):.0f} steps of 0.05 s in a second")
