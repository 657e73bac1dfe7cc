"""Blocks written in Python."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._kinegraph import Bench as _Bench
from ._kinegraph import Context
from .blocks import CatalogBlock
from .ports import Named

#: Names that `Context` has for itself.
RESERVED = ("time", "state", "discrete")


class Block(Named):
    """A block written in Python: declare ports and state in `__init__`, and write what computes.

    A block keeps nothing between two calls: what it remembers is its state, which the diagram holds. It is called
    at times that go forth and back, for steps that are tried and dropped.

    An exception in a block ends the run with its traceback; what was recorded before is kept.
    """

    #: Where derivatives come from: "differences" of its values, or "explicit", none within a step. A block with a
    #: method `jacobian` gives its own.
    derivatives_from = "differences"

    def __init__(self) -> None:
        self._inputs: List[tuple] = []
        self._outputs: List[tuple] = []
        self._states: List[tuple] = []
        self._discrete_states: List[tuple] = []
        self._events: List[tuple] = []
        self._witnesses: List[tuple] = []

    # ---- What `__init__` declares. ----

    def add_input(self, name: str, width: int = 1, optional: bool = False) -> None:
        """An input: `ctx.NAME` in the methods, `block.NAME` in wires."""
        if name in RESERVED:
            raise ValueError(f"`{name}` is a name of the context: call the input otherwise")
        self._inputs.append((name, width, optional))

    def add_output(self, name: str, width: int = 1, depends_on: Optional[Sequence[str]] = None) -> None:
        """An output; `depends_on` are the inputs that it depends on directly, not through state: all, if not said."""
        self._outputs.append((name, width, None if depends_on is None else list(depends_on)))

    def add_state(self, name: str, initial: Union[float, Sequence[float]] = 0.0) -> None:
        """Continuous state with its initial values; `derivatives` gives its rates."""
        self._states.append((name, _list(initial)))

    def add_discrete_state(self, name: str, initial: Union[float, Sequence[float]] = 0.0) -> None:
        """Discrete state with its initial values: it changes at events only."""
        self._discrete_states.append((name, _list(initial)))

    def add_event(self, period: float, offset: float = 0.0) -> int:
        """Has `update` called at `offset + k period` [s]; the number of the event."""
        self._events.append((float(period), float(offset)))
        return len(self._events) - 1

    def add_witness(self, name: str, crossing: str = "either") -> int:
        """A witness function, at whose crossings of zero ("rising", "falling", "either") `reset` is called."""
        if crossing not in ("rising", "falling", "either"):
            raise ValueError(f"a crossing is rising, falling or either, not `{crossing}`")
        self._witnesses.append((name, crossing))
        return len(self._witnesses) - 1

    # ---- What computes. ----

    def outputs(self, ctx: Context) -> Any:
        """The outputs from time, state and inputs: the value of the only one, a tuple of them, or a dict by name."""
        return ()

    def derivatives(self, ctx: Context) -> Any:
        """The time derivative of the continuous state."""
        raise NotImplementedError("a block with continuous state has a method `derivatives`")

    def jacobian(self, ctx: Context) -> Any:
        """The derivatives of all outputs, then of all state derivatives (rows), with respect to time, continuous state
        and inputs (columns)."""
        raise NotImplementedError

    def update(self, event: int, ctx: Context) -> Any:
        """The discrete state after an event; None leaves it as it is."""
        return None

    def witnesses(self, ctx: Context) -> Any:
        """The values of the witness functions."""
        raise NotImplementedError("a block with witness functions has a method `witnesses`")

    def reset(self, witness: int, ctx: Context) -> Optional[Mapping[str, Any]]:
        """Returns the changes at a crossing: a dict with `state`, `discrete` or both; None changes nothing."""
        return None

    # ---- What the diagram asks. ----

    def _derivative_policy(self) -> str:
        return "given" if type(self).jacobian is not Block.jacobian else self.derivatives_from

    def _entry(self, objects: List[Any]) -> Dict[str, Any]:
        objects.append(self)
        return {"type": "python", "object": len(objects) - 1}


def _list(values: Union[float, Sequence[float]]) -> List[float]:
    try:
        return [float(value) for value in values]  # type: ignore[union-attr]
    except TypeError:
        return [float(values)]  # type: ignore[arg-type]


class Bench(_Bench):
    """Evaluates one block without a diagram: `Bench(block).input("u", 2.0).eval("y")`."""

    def __new__(cls, block: Union[Block, CatalogBlock], folder: str = "") -> "Bench":
        if isinstance(block, CatalogBlock):
            return super().__new__(cls, block.type_name, block.parameters, str(folder))
        return super().__new__(cls, None, block)
