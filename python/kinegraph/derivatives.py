"""Derivatives of runs."""

from __future__ import annotations

import os
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _kinegraph

Path = Union[str, "os.PathLike[str]"]


class OverTime(NamedTuple):
    """Channels over time with their derivatives."""

    #: Times [s].
    times: np.ndarray
    #: Names of the channels.
    channels: List[str]
    #: The channels, one row each.
    values: np.ndarray
    #: Their derivatives by each number over time: channel, number, time; not-a-number at the time of a jump.
    derivatives: np.ndarray
    #: Estimates of their errors, alike; not-a-number without a second look.
    errors: np.ndarray


class Gradient(NamedTuple):
    """Derivatives of measures of a run, one row a measure, one column a number by which is differentiated."""

    #: Names of the measures.
    of: List[str]
    #: Names of the numbers.
    by: List[str]
    #: The measures.
    values: np.ndarray
    #: The derivatives.
    value: np.ndarray
    #: Estimates of their errors; not-a-number without a second look.
    error: np.ndarray
    #: Smallest and largest value of each number for which they hold: the last axis has both.
    valid: np.ndarray
    #: Notes on derivatives that are not what they seem.
    notes: List[str]
    #: Channels that are differentiated over time; without any it is empty.
    over_time: OverTime


Names = Union[str, Sequence[str]]


def _list(names: Optional[Names]) -> List[str]:
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


def gradient(
    file: Path,
    of: Optional[Names] = None,
    by: Optional[Names] = None,
    *,
    over_time: Optional[Names] = None,
    until: Optional[float] = None,
    every: Optional[float] = None,
    set: Optional[Mapping[str, Any]] = None,
    second_look: bool = True,
) -> Gradient:
    """Derivatives of the run of a diagram file. `of` are measures (`end(CHANNEL)`, …) or `time(EVENT)`, `by` values of
    the file as of `set` (`systems.controller.kp`; with the value where the file has none: `PATH=VALUE`) or
    `initial(STATE)`, `over_time` channels that are differentiated at samples `every` seconds. What is not given is that
    of the section `gradient` of the file. With `second_look` the run is made again, to an eighth of the accuracy and
    more, for the errors."""
    description = {
        "path": os.fspath(file),
        "of": _list(of),
        "by": _list(by),
        "over_time": _list(over_time),
        "until": until,
        "every": every,
        "set": list((set or {}).items()),
        "second_look": second_look,
    }
    found = _kinegraph.gradient(description)
    numbers = len(found["by"])
    shape = (len(found["of"]), numbers)
    value, error, low, high = (found[key].reshape(shape) for key in ("value", "error", "low", "high"))
    valid = np.stack([low, high], axis=-1)
    times, channels = found["times"], found["channels"]
    series = (len(channels), numbers, len(times))
    slopes = found["slopes"].reshape(series)
    errors = found["slope_errors"].reshape(series) if second_look else np.full(series, np.nan)
    own = OverTime(times, channels, found["series"].reshape(len(channels), len(times)), slopes, errors)
    return Gradient(found["of"], found["by"], found["values"], value, error, valid, found["notes"], own)
