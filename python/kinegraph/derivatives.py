"""Derivatives of runs."""

from __future__ import annotations

import os
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _kinegraph

Path = Union[str, "os.PathLike[str]"]


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


def gradient(
    file: Path,
    of: Union[str, Sequence[str]],
    by: Union[str, Sequence[str]],
    *,
    until: Optional[float] = None,
    set: Optional[Mapping[str, Any]] = None,
    second_look: bool = True,
) -> Gradient:
    """Derivatives of the run of a diagram file. `of` are measures (`end(CHANNEL)`, …) or `time(EVENT)`, `by` values of
    the file as of `set` (`systems.controller.kp`; with the value where the file has none: `PATH=VALUE`) or
    `initial(STATE)`. With `second_look` the run is made again, to an eighth of the accuracy and more, for the errors."""
    of, by = ([some] if isinstance(some, str) else list(some) for some in (of, by))
    found = _kinegraph.gradient(os.fspath(file), of, by, until, list((set or {}).items()), second_look)
    shape = (len(of), len(by))
    value, error, low, high = (found[key].reshape(shape) for key in ("value", "error", "low", "high"))
    valid = np.stack([low, high], axis=-1)
    return Gradient(found["of"], found["by"], found["values"], value, error, valid, found["notes"])
