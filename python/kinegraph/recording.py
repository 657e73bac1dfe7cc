"""Recorded channels of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from .errors import NameFault

if TYPE_CHECKING:
    import pandas


class Requirement(NamedTuple):
    """What became of a requirement of the diagram file."""

    #: "met", "violated", or "undecided" where the run ended before.
    verdict: str
    #: Distance from being violated, in `unit`: the smallest one of the run.
    margin: Optional[float]
    unit: str
    #: When it was first violated [s].
    violated_at: Optional[float]
    #: When the margin was the smallest [s].
    margin_at: Optional[float]
    #: Value of a measure.
    value: Optional[float]


def requirements(text: str) -> Dict[str, Requirement]:
    """Requirements by name, from the list of `kinegraph run --json`."""
    fields = Requirement._fields
    return {one["name"]: Requirement(*(one.get(field) for field in fields)) for one in json.loads(text)}


class Recording:
    """Samples of a run: `recording["plant.arm.joint1.q"]` is an array over `recording.time`, and
    `recording["plant.arm"]` one of two dimensions. Can be pickled."""

    def __init__(
        self,
        channels: List[Tuple[str, str]],
        time: np.ndarray,
        data: np.ndarray,
        status: str,
        statistics: Dict[str, Any],
        requirements: Optional[Dict[str, Requirement]] = None,
    ) -> None:
        #: Names of the channels, in the order of the columns.
        self.channels = [name for name, _ in channels]
        #: Units by channel; empty where the block does not say.
        self.units = dict(channels)
        #: Times of the samples [s].
        self.time = time
        #: One row per sample, one column per channel.
        self.data = data
        #: "done", or why the run ended before.
        self.status = status
        #: What the integrator counted, by the names of `kinegraph run --json`.
        self.statistics = statistics
        #: What became of the requirements of the diagram file, by name.
        self.requirements: Dict[str, Requirement] = requirements or {}
        self._columns: Optional[Dict[str, int]] = None

    def __getitem__(self, name: str) -> np.ndarray:
        if self._columns is None:
            self._columns = {name: i for i, name in enumerate(self.channels)}
        column = self._columns.get(name)
        if column is not None:
            return self.data[:, column]
        group = [i for i, channel in enumerate(self.channels) if channel.startswith((name + ".", name + "["))]
        if not group:
            raise NameFault(f"`{name}` was not recorded; recorded are {', '.join(self.channels)}")
        return self.data[:, group]

    def __contains__(self, name: object) -> bool:
        return name in self.units

    def __len__(self) -> int:
        return len(self.time)

    def keys(self) -> List[str]:
        """Names of the channels."""
        return self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with a column per channel and the time as its index."""
        import pandas

        return pandas.DataFrame(self.data, index=pandas.Index(self.time, name="time"), columns=self.channels)

    def save_csv(self, path: Any) -> None:
        """Writes a table: `time`, then the channels."""
        table = np.column_stack([self.time, self.data])
        header = ",".join(["time", *self.channels])
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header=header, comments="")

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_columns": None}

    def __eq__(self, other: object) -> Union[bool, Any]:
        if not isinstance(other, Recording):
            return NotImplemented
        same = (self.channels, self.status) == (other.channels, other.status)
        return same and np.array_equal(self.time, other.time) and np.array_equal(self.data, other.data, equal_nan=True)

    def __repr__(self) -> str:
        end = f" to t = {self.time[-1]:g} s" if len(self) else ""
        return f"<kinegraph.Recording: {len(self)} samples{end} of {len(self.channels)} channels, {self.status}>"
