"""Diagrams: read from files, or built in Python."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _kinegraph
from .block import Block
from .blocks import CatalogBlock
from .ports import Port


class Diagram(_kinegraph.Diagram):
    """Blocks and wires that make a diagram. Made by `load` and `Builder.build`; can be pickled.

    A diagram of a file is pickled as the name of the file: where it is unpickled, the file must be.
    """

    _source: Tuple[Any, str, Sequence[Tuple[str, Any]], List[Block]]

    def __new__(cls, source: Any, folder: str, set: Sequence[Tuple[str, Any]], objects: List[Block]) -> "Diagram":
        diagram = super().__new__(cls, source, folder, set, objects)
        diagram._source = (source, folder, set, objects)
        return diagram

    def __reduce__(self) -> Any:
        return (Diagram, self._source)

    def with_values(self, values: Mapping[str, Any]) -> "Diagram":
        """Returns a copy of the diagram with values of its file replaced: dotted paths as keys."""
        source, folder, before, objects = self._source
        return Diagram(source, folder, [*before, *values.items()], objects)

    def save_svg(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture of blocks and wires."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_svg())

    def __repr__(self) -> str:
        return f"<kinegraph.Diagram {self.name}: {len(self.blocks)} blocks, {len(self.state_names)} states>"

    def _repr_svg_(self) -> str:
        return self.to_svg()


def load(path: Union[str, "os.PathLike[str]"], set: Optional[Mapping[str, Any]] = None) -> Diagram:
    """The diagram of a file; `set` replaces values of it, `{"systems.controller.kp": 2e3}`.

    Raises `FaultsError` with every fault of the file and of the models it names.
    """
    # Absolute, for who unpickles it in another folder.
    return Diagram(os.path.abspath(path), "", list((set or {}).items()), [])


Wireable = Union[Port, str]


class Builder:
    """A diagram under construction. Nothing is checked before `build`, which reports all faults together."""

    def __init__(self, name: str = "diagram", folder: Union[str, "os.PathLike[str]"] = "") -> None:
        """`folder` is where files that blocks name lie."""
        self.name = name
        self.folder = os.fspath(folder)
        self._blocks: Dict[str, Union[Block, CatalogBlock]] = {}
        self._wires: List[str] = []
        self._exports: Dict[str, Dict[str, Any]] = {"inputs": {}, "outputs": {}}
        self._accuracies: Dict[str, Union[float, List[float]]] = {}
        self._solve_loops = False

    def add(self, name: str, block: Any) -> Any:
        """Adds a block, which is given back: its ports are its attributes."""
        if name in self._blocks:
            raise ValueError(f"there is a block `{name}` already")
        if block._block_name is not None:
            raise ValueError(f"the block is in a diagram already, as `{block._block_name}`")
        block._block_name = name
        self._blocks[name] = block
        return block

    def connect(self, output: Wireable, input: Wireable) -> None:
        """Lets an output drive an input: `b.connect(plant.state("arm"), pid.measured)`."""
        self._wires.append(f"{output} -> {input}")

    def export_input(self, name: str, *inputs: Wireable) -> None:
        """Makes inputs one input of the diagram, for what drives it from outside."""
        ports = [str(port) for port in inputs]
        self._exports["inputs"][name] = ports[0] if len(ports) == 1 else ports

    def export_output(self, name: str, output: Wireable) -> None:
        """Makes an output one of the diagram."""
        self._exports["outputs"][name] = str(output)

    def control_output(self, output: Wireable, accuracy: Union[float, Sequence[float]]) -> None:
        """Puts an output under error control: a step may err in none of its numbers by more than `accuracy`, one for
        all or one for each, in the unit of the output."""
        self._accuracies[str(output)] = accuracy if isinstance(accuracy, (int, float)) else list(accuracy)

    def solve_algebraic_loops(self) -> None:
        """Lets algebraic loops be solved instead of being faults."""
        self._solve_loops = True

    def document(self, objects: Optional[List[Block]] = None, **simulation: Any) -> Dict[str, Any]:
        """The diagram as a diagram file would have it; blocks of Python are put into `objects`."""
        objects = [] if objects is None else objects
        document: Dict[str, Any] = {"kinegraph": 1, "name": self.name}
        document["systems"] = {name: block._entry(objects) for name, block in self._blocks.items()}
        if self._wires:
            document["connections"] = list(self._wires)
        exports = {side: ports for side, ports in self._exports.items() if ports}
        if exports:
            document["exports"] = exports
        if self._accuracies:
            document["outputs"] = {"accuracy": dict(self._accuracies)}
        if self._solve_loops:
            document["algebraic_loops"] = "solve"
        document["simulation"] = {"duration": 1.0, **simulation}
        return document

    def build(
        self, record: Optional[Sequence[Wireable]] = None, every: Optional[float] = None, **simulation: Any
    ) -> Diagram:
        """The diagram. Keyword arguments are the keys of `simulation` in diagram files (`integrator`, `accuracy`,
        `duration`); `record` and `every` are what is recorded where nobody says otherwise.

        Raises `FaultsError` with every fault of the blocks and of the wires.
        """
        objects: List[Block] = []
        document = self.document(objects, **simulation)
        recorded: Dict[str, Any] = {}
        if record is not None:
            recorded["channels"] = [str(channel) for channel in record]
        if every is not None:
            recorded["every"] = every
        if recorded:
            document["record"] = recorded
        return Diagram(document, self.folder and os.path.abspath(self.folder), [], objects)
