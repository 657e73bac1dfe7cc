"""Parameters from recordings, plans of experiments, and arms from torques."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _kinegraph
from .derivatives import Names, Path, _list

Paths = Union[Path, Sequence[Path]]
Noise = Union[None, float, Mapping[str, float]]


def _paths(some: Paths) -> List[str]:
    return [os.fspath(one) for one in ([some] if isinstance(some, (str, os.PathLike)) else some)]


def _matches(match: Optional[Mapping[str, str]]) -> List[str]:
    return [f"{channel}={column}" for channel, column in (match or {}).items()]


def _noise(noise: Noise) -> List[str]:
    if noise is None:
        return []
    if isinstance(noise, Mapping):
        return [f"{channel}={float(deviation)!r}" for channel, deviation in noise.items()]
    return [repr(float(noise))]


def fit(
    file: Path,
    data: Paths = (),
    by: Names = (),
    *,
    each: Names = (),
    match: Optional[Mapping[str, str]] = None,
    set: Optional[Mapping[str, Any]] = None,
    noise: Noise = None,
    robust: Optional[bool] = None,
    until: Optional[float] = None,
    out: Optional[Path] = None,
    resume: bool = False,
    report: Optional[Path] = None,
    progress: Optional[Callable[[int, int, float], Any]] = None,
) -> Dict[str, Any]:
    """Fits values of a diagram file to recordings: `by` are values as of `gradient`, `delay(CHANNEL)` or
    `bias(CHANNEL)`, with bounds (`PATH=LOW:HIGH`, `PATH=LOW:START:HIGH`, `:log` behind them for a logarithmic scale);
    `each` are those of which each recording has its own; `match` maps channels to columns; `noise` is the deviation of
    all channels, or maps channels to theirs; `until` is the end of the runs. What is not given is that of the section
    `fit` of the file. The answer has `parameters` (name, value, interval of 95 %, range), `undetermined`,
    `correlated`, `channels`, `notes`, `converged`, `stop`.

    `out` is the file that is written with the values; the search is saved beside it, and goes on from there with
    `resume`. `report` is a page with plots. `progress(iterations, runs, size)` is called after each run with its
    derivatives; `size` is that of the residuals over the first ones. Ctrl-C and exceptions of `progress` end the
    search.
    """
    description = {
        "path": os.fspath(file),
        "data": _paths(data),
        "by": _list(by),
        "each": _list(each),
        "matches": _matches(match),
        "set": list((set or {}).items()),
        "noise": _noise(noise),
        "robust": robust,
        "until": until,
        "out": None if out is None else os.fspath(out),
        "resume": resume,
        "report": None if report is None else os.fspath(report),
        "progress": progress,
    }
    return json.loads(_kinegraph.fit(description))


def plan_fit(
    files: Paths,
    by: Names = (),
    *,
    noise: Noise,
    each: Names = (),
    match: Optional[Mapping[str, str]] = None,
    set: Optional[Mapping[str, Any]] = None,
    vary: Optional[Mapping[str, Sequence[Any]]] = None,
    data: Paths = (),
) -> Dict[str, Any]:
    """Knowledge that experiments would give, before they are made: each of `files` with each combination of the values
    of `vary` is one. Arguments are as of `fit`; samples are at the times of `data`, or those that the file records.
    The answer has `experiments` (parameters with intervals of 95 %, `undetermined`), `together`, and the index `best`
    of the most informative one."""
    description = {
        "paths": _paths(files),
        "data": _paths(data),
        "by": _list(by),
        "each": _list(each),
        "matches": _matches(match),
        "set": list((set or {}).items()),
        "noise": _noise(noise),
        "vary": [(path, list(values)) for path, values in (vary or {}).items()],
    }
    return json.loads(_kinegraph.plan_fit(description))


def fit_torques(
    file: Path,
    model: Optional[str] = None,
    data: Paths = (),
    *,
    match: Optional[Mapping[str, str]] = None,
    set: Optional[Mapping[str, Any]] = None,
    friction: Optional[bool] = None,
    rotors: Optional[bool] = None,
    window: Optional[int] = None,
    out: Optional[Path] = None,
) -> Dict[str, Any]:
    """Base parameters of the arm `model` (`plant.arm`) from torques of its joints, by inverse dynamics: recordings have
    `JOINT.q`, `JOINT.tau` and, if they were measured, `JOINT.v` and `JOINT.a`, or columns that `match` maps these to.
    What is not given is that of the section `fit` of the file.
    The answer has `parameters` with intervals of 95 %, `idle` (on which no torque depends), `undetermined`, `joints`,
    and possible `links`; `out` is the file that is written with them."""
    description = {
        "path": os.fspath(file),
        "model": model,
        "data": _paths(data),
        "matches": _matches(match),
        "set": list((set or {}).items()),
        "friction": friction,
        "rotors": rotors,
        "window": window,
        "out": None if out is None else os.fspath(out),
    }
    return json.loads(_kinegraph.fit_torques(description))
