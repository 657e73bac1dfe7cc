"""Ports of blocks by name, for wires."""

from __future__ import annotations

from typing import Any


class Port:
    """A port of a block, or the beginning of the name of one: `plant.arm.state`, or `plant.state("arm")`."""

    __slots__ = ("_block", "_name")

    def __init__(self, block: "Named", name: str) -> None:
        self._block = block
        self._name = name

    def __getattr__(self, name: str) -> "Port":
        if name.startswith("__"):
            raise AttributeError(name)
        return Port(self._block, f"{self._name}.{name}")

    def __getitem__(self, name: Any) -> "Port":
        return Port(self._block, f"{self._name}.{name}")

    def __call__(self, model: str) -> "Port":
        """The port of this name of one of the models of a plant."""
        return Port(self._block, f"{model}.{self._name}")

    def __str__(self) -> str:
        return f"{self._block.name}.{self._name}"

    def __repr__(self) -> str:
        return f"<port {self}>"


class Named:
    """Owner of ports: a block that gets its name when it is added to a diagram."""

    _block_name = None

    @property
    def name(self) -> str:
        """Its name in the diagram."""
        if self._block_name is None:
            raise ValueError("the block has no name before it is added: `block = b.add(\"name\", block)`")
        return self._block_name

    def __getattr__(self, name: str) -> Port:
        if name.startswith("_"):
            raise AttributeError(name)
        return Port(self, name)

    def __getitem__(self, name: str) -> Port:
        """The port of this name, which need not be one of Python."""
        return Port(self, name)
