"""Diagrams in motion."""

from __future__ import annotations

import json
import math
import os
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _kinegraph, notebook
from ._kinegraph import Snapshot
from .diagram import Diagram, load
from .options import integrator_options
from .ports import Port
from .recording import Recording, requirements


class Contact(NamedTuple):
    """A contact point of the last step; vectors in world axes."""

    plant: str
    #: The body that the normal points away from, and the one that it points to.
    body_a: str
    body_b: str
    #: Where they touch [m].
    point: np.ndarray
    #: From A into B.
    normal: np.ndarray
    #: On B [N].
    force: np.ndarray
    #: Of the surface of B over that of A [m/s].
    slip_velocity: np.ndarray
    #: How fast the surfaces part [m/s].
    separation_speed: float
    #: Overlap at the start of the step [m].
    depth: float


class Pose(NamedTuple):
    """Where a body is in the world."""

    #: Its origin [m].
    xyz: np.ndarray
    #: Unit quaternion (w, x, y, z).
    quat: np.ndarray


@dataclass(frozen=True, eq=False)
class Linearization:
    """x' = A x + B u, y = C x + D u for deviations from where the simulation was; in discrete time, with a period `dt`,
    x[k+1] = A x[k] + B u[k].

    It unpacks as the arguments of other packages: `A, B, C, D` in continuous time, so that `control.ss(*model)` and
    `scipy.signal.StateSpace(*model)` take it, and `A, B, C, D, dt` in discrete time for `control.ss(*model)`; scipy
    takes the period by name there, `scipy.signal.StateSpace(*model[:4], dt=model.dt)`."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    #: Blocks that sample or delay and so cut paths of the model: what they hold counts as constant.
    cut_by: List[str]
    #: Blocks that pass nothing on there, such as a quantizer: what leads through them alone is zero in the model.
    flat: List[str]
    #: Period of a model in discrete time [s]; None: in continuous time.
    dt: Optional[float] = None
    #: Degree of the rational functions that stand for delays in A, B, C, D; None: nothing is delayed, or all delays are
    #: exact.
    pade_order: Optional[int] = None
    #: Contacts, and constraints, stops and locks that hold, each as a dictionary: `plant`, `names` of both bodies or of
    #: the constraint or joint, `kind` (`sticks`, `slides`, `constraint`, `stop`, `lock`), `points`, `force` and
    #: `friction` [N], `slip` [m/s], `margin` (part of the friction that is left; None of what does not stick).
    held: Sequence[Dict[str, Any]] = ()

    def _arguments(self) -> Tuple[Any, ...]:
        matrices = (self.A, self.B, self.C, self.D)
        return matrices if self.dt is None else (*matrices, self.dt)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._arguments())

    def __len__(self) -> int:
        return len(self._arguments())

    def __getitem__(self, index: Any) -> Any:
        return self._arguments()[index]

    @property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A: [1/s], in discrete time those of z."""
        return np.linalg.eigvals(self.A)


class Verification(NamedTuple):
    """How far a run is from one at a tenth of the accuracy and from one by a method of another family."""

    #: `verified`, `differs`, `undetermined` (from some time on the motion cannot be predicted at this accuracy) or
    #: `unverified` (the other runs did not get to the end).
    verdict: str
    #: The largest difference of any channel, in accuracies; before the motion is undetermined, if it becomes so.
    accuracies: float
    #: Its channel; empty where nothing differs.
    channel: str
    #: When it is [s].
    time: float
    #: Why the verdict is not `verified`, if it is not.
    reason: Optional[str]
    #: From when on the motion cannot be predicted at this accuracy [s].
    undetermined_from: Optional[float]
    #: The first difference beyond the bound: time, channel, integrator, rules of the steps, what was switching.
    parted: Optional[Dict[str, Any]]
    #: The runs beside: integrator, accuracy or step, largest difference, status.
    runs: List[Dict[str, Any]]
    #: The largest difference of every channel, in accuracies, and its time [s].
    channels: Dict[str, Tuple[float, float]]


class State:
    """The state of a simulation by name, to read and to write.

    A name is that of one number (`plant.arm.joint1.q`), of all that begin so (`plant.arm`, `pid.integral`), or
    `plant.arm.q` and `plant.arm.v`: positions and velocities of a model or of the whole plant.
    """

    __slots__ = ("_simulation",)

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> Any:
        return self._simulation.get_state(name)

    def __setitem__(self, name: str, values: Any) -> None:
        self._simulation.set_state(name, values)

    @property
    def names(self) -> List[str]:
        """Names of the continuous states."""
        return self._simulation.diagram.state_names

    @property
    def continuous(self) -> np.ndarray:
        """The whole continuous state."""
        return self._simulation.continuous

    @property
    def discrete(self) -> np.ndarray:
        """The whole discrete state."""
        return self._simulation.discrete

    def __repr__(self) -> str:
        values = self.continuous
        return "\n".join(f"{name} = {value:g}" for name, value in zip(self.names, values))


class Simulation(_kinegraph.Simulation):
    """A diagram at its initial state, and the integrator that advances it. Can be copied and pickled.

    `integrator`, `accuracy` and the others take the place of what the file says. The lock of the interpreter is
    released while a simulation steps; one simulation is used by one thread at a time.
    """

    #: What is simulated.
    diagram: Diagram
    #: The last recording, also of a run that was interrupted.
    recording: Optional[Recording]
    _options: Dict[str, Any]
    _run_again: Optional[Tuple[Snapshot, Dict[str, Any], float, Optional[List[str]]]]

    def __new__(
        cls,
        diagram: Union[Diagram, str, "os.PathLike[str]"],
        integrator: Optional[str] = None,
        accuracy: Optional[float] = None,
        step: Optional[float] = None,
        max_step: Optional[float] = None,
        min_step: Optional[float] = None,
        initial_step: Optional[float] = None,
    ) -> "Simulation":
        diagram = diagram if isinstance(diagram, Diagram) else load(diagram)
        options = integrator_options(integrator, accuracy, step, max_step, min_step, initial_step)
        simulation = super().__new__(cls, diagram, options)
        simulation.diagram = diagram
        simulation.recording = None
        simulation._options = options
        simulation._run_again = None
        return simulation

    @property
    def state(self) -> State:
        """The state by name, to read and to write."""
        return State(self)

    def run(
        self,
        duration: Optional[float] = None,
        every: Optional[float] = None,
        channels: Optional[Sequence[Union[str, Port]]] = None,
        events: Optional[bool] = None,
    ) -> Recording:
        """Advances by `duration` [s] and records `channels` at multiples of `every` [s] and at the end, with `events`
        also just before each event and behind it, at one time; what is not said is as in the file. Where the run fails
        or Ctrl-C comes, `simulation.recording` is what was recorded. Bodies that fell through what they stood on are a
        warning (`lost_bodies`).
        """
        start = self.snapshot()
        every = self.diagram.every if every is None else every
        events = self.diagram.events if events is None else events
        end = self.time + (self.diagram.duration if duration is None else duration)
        names = None if channels is None else [str(channel) for channel in channels]
        facts, time, data, stopped, judged = self._run(self.diagram, end, every, events, names)
        status = "done" if stopped is None else f"{type(stopped).__name__}: {stopped}"
        self.recording = Recording(facts, time, data, status, self.statistics, requirements(judged))
        for lost in self.lost_bodies():
            warnings.warn(lost, stacklevel=2)
        self._run_again = (start, dict(self._options), every, names)
        if stopped is not None:
            raise stopped
        return self.recording

    def verify(
        self,
        duration: Optional[float] = None,
        every: Optional[float] = None,
        channels: Optional[Sequence[Union[str, Port]]] = None,
        within: float = 20.0,
    ) -> Verification:
        """Verifies the numbers of a run from here: the run is made, repeated at a tenth of the accuracy, and repeated
        by a method of another family, and every channel is compared in accuracies. `within` is the number of
        accuracies by which they may differ; the other arguments are those of `run`. The state of the simulation does
        not change.
        """
        every = self.diagram.every if every is None else every
        end = self.time + (self.diagram.duration if duration is None else duration)
        names = None if channels is None else [str(channel) for channel in channels]
        found = json.loads(self._verify(self.diagram, end, every, names, within))

        def number(value: Optional[float]) -> float:
            return math.inf if value is None else value

        return Verification(
            found["verdict"],
            number(found["accuracies"]),
            found["channel"],
            found["time"],
            found.get("reason"),
            found.get("undetermined_from"),
            found.get("parted"),
            found["runs"],
            {one["channel"]: (number(one["accuracies"]), one["time"]) for one in found["channels"]},
        )

    def switch(
        self,
        integrator: Optional[str] = None,
        accuracy: Optional[float] = None,
        step: Optional[float] = None,
        max_step: Optional[float] = None,
        min_step: Optional[float] = None,
        initial_step: Optional[float] = None,
    ) -> None:
        """Goes on with another integrator, or with other options; state and time stay as they are."""
        options = integrator_options(integrator, accuracy, step, max_step, min_step, initial_step)
        self._switch(options)
        self._options = {**self._options, **{key: value for key, value in options.items() if value is not None}}

    def linearize(
        self,
        inputs: Sequence[Any] = (),
        outputs: Sequence[Any] = (),
        cuts: Sequence[Any] = (),
        sampled: Union[bool, float] = False,
        contact: str = "law",
    ) -> Linearization:
        """The linear model of the whole diagram here: `inputs` are input ports that are disturbed, `cuts` those that
        are cut off and become inputs, `outputs` outputs or single channels. With `sampled` it is in discrete time, with
        all sampled blocks in it: over their common period (`True`) or over the given one [s]. Delays are rational
        functions of degree `pade_order` in it. `contact` is what becomes of contacts: `law` (the derivatives of their
        forces, with regularized friction), `hold` (what sticks holds, and the states are those of the motion that is
        left) or `none`."""
        ports = [[str(port) for port in some] for some in (inputs, cuts, outputs)]
        period = None if isinstance(sampled, bool) else float(sampled)
        if period is not None and not 0.0 < period < float("inf"):
            raise ValueError(f"sampled={sampled!r}: expected True, or a period above 0 in seconds")
        return Linearization(*_kinegraph.linearize(self, ports, sampled is not False, period, contact))

    def contacts(self) -> List[Contact]:
        """The contact points of the last step."""
        return [Contact(*names, *map(np.array, vectors), *numbers) for names, vectors, numbers in
                ((facts[:3], facts[3:7], facts[7:]) for facts in self._contacts())]

    def poses(self) -> Dict[str, Pose]:
        """Where the bodies are, by `plant.model/body`."""
        return {f"{plant}.{body}": Pose(np.array(xyz), np.array(quat)) for plant, body, xyz, quat in self._poses()}

    def copy(self) -> "Simulation":
        """A simulation that goes on as this one does, bit for bit."""
        other = Simulation(self.diagram, **self._options)
        other._copy_from(self)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Simulation":
        return self.copy()

    def __reduce__(self) -> Any:
        return (_restored, (self.diagram, self._options, self.snapshot()))

    def page(self) -> str:
        """The page of `kinegraph view`, as HTML that needs nothing else, with the last run in it; the run is done once
        more for it. Without a run: the simulation as it is now."""
        if self._run_again is None:
            return _kinegraph.page(self, self.diagram, self.snapshot(), 0.0, None)
        start, options, every, names = self._run_again
        again = self
        if options != self._options:
            again = self.copy()
            again.switch(**options)
        return _kinegraph.page(again, self.diagram, start, every, names)

    def save_page(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page of the last run, for any browser."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page())

    def __repr__(self) -> str:
        return f"<kinegraph.Simulation of {self.diagram.name} at t = {self.time:g} s, {self.integrator}>"

    def _repr_html_(self) -> str:
        return notebook.html_of(self)


def _restored(diagram: Diagram, options: Dict[str, Any], snapshot: Snapshot) -> Simulation:
    simulation = Simulation(diagram, **options)
    simulation.restore(snapshot)
    return simulation
