"""Many worlds of one diagram, as arrays."""

from __future__ import annotations

import os
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _kinegraph
from .diagram import Diagram, load
from .options import integrator_options
from .ports import Port


class Worlds(_kinegraph.Worlds):
    """`n` worlds of one diagram, each with its own state, advanced on all cores; each moves as a simulation alone does,
    bit for bit, whatever the number of threads.

    `inputs` are paths of what is set from outside: inputs that nothing drives (`plant.arm.actuation`), or constants.
    With a `seed`, noise blocks of every world have their own noise.
    """

    #: What is simulated.
    diagram: Diagram

    def __new__(
        cls,
        diagram: Union[Diagram, str, "os.PathLike[str]"],
        n: int,
        inputs: Sequence[Union[str, Port]] = (),
        seed: Optional[int] = None,
        threads: Optional[int] = None,
        integrator: Optional[str] = None,
        accuracy: Optional[float] = None,
        step: Optional[float] = None,
        max_step: Optional[float] = None,
        min_step: Optional[float] = None,
        initial_step: Optional[float] = None,
    ) -> "Worlds":
        diagram = diagram if isinstance(diagram, Diagram) else load(diagram)
        options = integrator_options(integrator, accuracy, step, max_step, min_step, initial_step)
        worlds = super().__new__(cls, diagram, n, [str(path) for path in inputs], seed, threads, options)
        worlds.diagram = diagram
        return worlds

    def reset(self, mask: Optional[Any] = None) -> None:
        """Takes the worlds where `mask` is true (all, without one) back to where they started, faults forgotten."""
        self._reset(self._mask(mask))

    def start_at(self, states: Any, mask: Optional[Any] = None) -> None:
        """Puts the worlds where `mask` is true at time zero and their rows of `states` (n x width), where resets take
        them from now on."""
        self._start(states, self._mask(mask))

    def _mask(self, mask: Optional[Any]) -> list:
        return np.ones(len(self), bool).tolist() if mask is None else np.asarray(mask, bool).ravel().tolist()

    def __repr__(self) -> str:
        return f"<kinegraph.Worlds: {len(self)} of {self.diagram.name}>"
