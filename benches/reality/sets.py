"""Sets of recordings for `reality.py`. Each is a module beside this one with

* `SOURCE` and `FOLDER`: the repository from which `--fetch` takes the recordings, and their folder in it;
* `load(folder)`: the recordings, in the order of their names;
* `TRAIN`: how many of them parameters are fitted on; the rest judges;
* `errors(recording, prediction)`: the errors of one prediction, one number for each of `ERRORS` (name, unit);
* `summary(errors)`: what is reported of the errors of many recordings, by name;
* `loss(errors)`: what the fit makes small;
* `engines()`: `{name: make}`; `make()` gives a `Predictor`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Dict, List, Protocol, Sequence, Tuple

import numpy as np

#: Seed of the split; the recordings that judge are never fitted.
SEED = 50


@dataclass(frozen=True)
class Parameter:
    """A number that is fitted, between bounds, on a linear scale or, where `log`, on that of ratios."""

    name: str
    unit: str
    start: float
    low: float
    high: float
    log: bool = False

    def from_unit(self, x: float) -> float:
        """The value at `x` of the way from `low` (0) to `high` (1)."""
        if self.log:
            return self.low * (self.high / self.low) ** x
        return self.low + (self.high - self.low) * x

    def to_unit(self, value: float) -> float:
        """Where between `low` (0) and `high` (1) a value is."""
        if self.log:
            return float(np.log(value / self.low) / np.log(self.high / self.low))
        return (value - self.low) / (self.high - self.low)


class Predictor(Protocol):
    """An engine that predicts recordings from their first samples."""

    #: Whether it has steps of a fixed length in place of an accuracy.
    is_stepped: bool
    #: What of it is fitted.
    parameters: List[Parameter]

    def predict(self, values: Dict[str, float], recordings: Sequence[Any], accuracy: float) -> List[np.ndarray]:
        """Predictions at the times of the recordings; `accuracy` is the step [s] for methods of fixed steps."""


def split(recordings: Sequence[Any], train: int) -> Tuple[List[Any], List[Any]]:
    """The recordings to fit on and those that judge, drawn by `SEED`."""
    order = list(range(len(recordings)))
    random.Random(SEED).shuffle(order)
    chosen = set(order[:train])
    parts: Tuple[List[Any], List[Any]] = ([], [])
    for index, recording in enumerate(recordings):
        parts[index not in chosen].append(recording)
    return parts
