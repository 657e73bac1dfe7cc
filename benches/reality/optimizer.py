"""The optimizer of every engine: covariance matrix adaptation, with one budget of rollouts for all."""

from __future__ import annotations

import sys
import time
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import cma
import numpy as np

from sets import Parameter, Predictor


def named(parameters: Sequence[Parameter], x: Sequence[float]) -> Dict[str, float]:
    """Values by name from places between the bounds."""
    return {one.name: one.from_unit(float(np.clip(place, 0, 1))) for one, place in zip(parameters, x)}


def fit(
    data: Any,
    engine: Predictor,
    recordings: Sequence[Any],
    accuracy: float,
    budget: int,
    seed: int,
    label: str = "",
    start: Mapping[str, float] | None = None,
) -> Tuple[Dict[str, float], float, int]:
    """Values that make `data.loss` over the recordings small with `budget` predictions of all of them. With `start` the
    search goes on from these values, in a smaller neighbourhood. Returns the values, the loss and the number of
    predictions of all recordings. The values are the centre of the last draws if that is no worse than the best draw by
    more than a twentieth: the loss is rough, and the best draw is a lucky one."""
    free = engine.parameters
    best: Tuple[float, Dict[str, float]] = (np.inf, {})
    began, used = time.time(), 0

    def cost(x: np.ndarray) -> float:
        nonlocal best, used
        values = named(free, x)
        used += 1
        errors = np.array([
            data.errors(recording, prediction)
            for recording, prediction in zip(recordings, engine.predict(values, recordings, accuracy))
        ])
        found = data.loss(errors)
        if found < best[0]:
            best = (found, values)
        return found

    begin = [one.to_unit((start or {}).get(one.name, one.start)) for one in free]
    options = {"bounds": [0, 1], "maxfevals": budget, "seed": seed, "verbose": -9, "popsize": 14, "tolfun": 1e-4}

    def progress(_: cma.CMAEvolutionStrategy) -> None:
        line = f"{label}: {used} of {budget}, loss {best[0]:.4f}, {time.time() - began:.0f} s"
        print(f"\r{line} ", end="", file=sys.stderr)

    width = 0.05 if start else 0.12
    _, search = cma.fmin2(cost, np.clip(begin, 0.01, 0.99), width, options, callback=progress)
    print(file=sys.stderr)
    lucky = best
    centre = cost(np.asarray(search.result.xfavorite))
    if centre < 1.05 * lucky[0]:
        return named(free, search.result.xfavorite), centre, used
    return lucky[1], lucky[0], used
