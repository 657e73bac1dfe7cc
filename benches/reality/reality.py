"""Predictions against measurements: fits engines to a part of a set of recordings, and judges them by the rest.

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

import optimizer
from sets import SEED, Predictor, split


def judged(data: Any, engine: Predictor, values: Dict[str, float], recordings: List[Any], accuracy: float) -> Dict:
    """The summary of the predictions of recordings, and the processor time of one."""
    began = time.process_time()
    predictions = engine.predict(values, recordings, accuracy)
    spent = time.process_time() - began
    found = np.array([data.errors(recording, one) for recording, one in zip(recordings, predictions)])
    return {"accuracy": accuracy, **data.summary(found), "milliseconds": 1e3 * spent / len(recordings)}


def fitted(data: Any, make: Any, train: List[Any], options: argparse.Namespace, label: str) -> Dict[str, Any]:
    """The best of the fits from the seeds, by what it was fitted on."""
    found = []
    start = json.loads(options.start.read_text()) if options.start else None
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        name = f"{label}, seed {seed}"
        values, loss, used = optimizer.fit(data, make(), train, options.fit_at, options.budget, seed, name, start)
        runs = used * len(train)
        found.append({"seed": seed, "accuracy": options.fit_at, "loss": loss, "values": values, "predictions": runs})
    best = min(found, key=lambda one: one["loss"])
    return best


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", help="the set of recordings: a module beside this file, such as `cube`")
    parser.add_argument("--data", type=Path, required=True, help="folder of the recordings")
    parser.add_argument("--fetch", action="store_true", help="clone what is published into that folder first")
    parser.add_argument("--engines", help="names, separated by `;` (default: all of the set)")
    parser.add_argument("--budget", type=int, default=1000, help="predictions of all recordings in a fit")
    parser.add_argument("--seeds", type=int, default=1, help="fits of so many seeds, of which the best counts")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--fit-at", type=float, default=1e-3, help="accuracy, or step [s], of the fit")
    parser.add_argument("--start", type=Path, help="go on from the values of this file, by name (JSON)")
    parser.add_argument("--values", type=Path, help="take the values of this file instead of a fit")
    parser.add_argument("--like", help="take those of this engine in that file")
    parser.add_argument("--out", type=Path, required=True, help="file to which the results are added")
    options = parser.parse_args()
    data = importlib.import_module(options.set)
    folder = options.data
    if options.fetch:
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", data.SOURCE, str(folder)], check=True)
    if (folder / data.FOLDER).is_dir():
        folder = folder / data.FOLDER
    recordings = data.load(folder)
    if len(recordings) <= data.TRAIN:
        sys.exit(f"{options.data} has {len(recordings)} recordings, and {data.TRAIN} are fitted")
    train, judge = split(recordings, data.TRAIN)
    engines = data.engines()
    names = options.engines.split(";") if options.engines else list(engines)
    for name in names:
        if options.values:
            fit = json.loads(options.values.read_text())["engines"][options.like or name]["fit"]
        else:
            fit = fitted(data, engines[name], train, options, name)
        engine = engines[name]()
        grid = data.STEPS if engine.is_stepped else data.ACCURACIES
        entry = {
            "stepped": engine.is_stepped,
            "fit": fit,
            "train": judged(data, engine, fit["values"], train, fit["accuracy"]),
            "judge": [judged(data, engine, fit["values"], judge, accuracy) for accuracy in grid],
        }
        results = json.loads(options.out.read_text()) if options.out.exists() else {"seed": SEED, "engines": {}}
        results["engines"][name] = entry
        options.out.write_text(json.dumps(results, indent=1) + "\n")
        print(name, "fitted on", entry["train"], file=sys.stderr)


if __name__ == "__main__":
    main()
