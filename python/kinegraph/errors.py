"""Errors, as exceptions."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence


class Fault(NamedTuple):
    """One fault of a diagram: of its file, its blocks or its wires."""

    message: str
    #: What to do about it, where there is something to say.
    help: Optional[str]
    #: The file; empty for what a program made.
    file: str
    #: Line and column, from 1.
    line: Optional[int]
    column: Optional[int]


class KinegraphError(Exception):
    """Everything that Kinegraph raises of its own."""


class FaultsError(KinegraphError, ValueError):
    """A diagram, or a request, with faults: `faults` has all of them."""

    def __init__(self, message: str, faults: Sequence[tuple] = ()) -> None:
        super().__init__(message, faults)
        self.faults = tuple(Fault(*fault) for fault in faults)

    def __str__(self) -> str:
        return self.args[0]


class RunError(KinegraphError, RuntimeError):
    """A run that cannot go on; `time` is that of its last good step [s]."""

    def __init__(self, message: str, time: float = float("nan")) -> None:
        super().__init__(message, time)
        self.time = time

    def __str__(self) -> str:
        return self.args[0]


class SnapshotError(KinegraphError, ValueError):
    """A snapshot of another diagram, or none at all."""


class NameFault(KinegraphError, KeyError):
    """A name that there is not, with the nearest that there is."""

    def __str__(self) -> str:
        return str(self.args[0])
