"""How many times longer the others took, release by release.

The file is a list, oldest first:

    [{"release": "0.1.0", "began": "2026-11-28", "ratios": {"drake": {"1e-2": {"arm7": 9.1}}}}]

In the place of an accuracy stands "equal error" or "equal statistics" (`ensemble.py`) for the ratios of those.
"""
import json

from precision import geometric_mean
from table import equal_error, number, row_of, sound_ratio

EQUAL_ERROR, EQUAL_STATISTICS = "equal error", "equal statistics"


def ratios_of(rows, engines, accuracies, scenes):
    """The time of each other engine over that of the first, by engine, accuracy and scene, of runs with sound ends."""
    first, found = engines[0], {}
    for engine in engines[1:]:
        for accuracy in accuracies:
            for scene in scenes:
                ours = rows.get((scene, first, accuracy))
                value = sound_ratio(ours, row_of(rows, scene, engine, accuracy))
                if value:
                    found.setdefault(engine, {}).setdefault(accuracy, {})[scene] = rounded(value)
    for engine, of_scenes in equal_error(rows, engines, scenes).items():
        if of_scenes:
            found.setdefault(engine, {})[EQUAL_ERROR] = {scene: rounded(value[0]) for scene, value in of_scenes.items()}
    return found


def rounded(value):
    return float(f"{value:.3g}")


def note(file, release, began, ratios):
    """Notes the ratios of a release in the file, in the place of what it says of that release, engine and accuracy; all
    that it says then."""
    history = json.loads(file.read_text()) if file.exists() else []
    entry = next((known for known in history if known["release"] == release), None)
    if entry is None:
        entry = {"release": release, "began": began, "ratios": {}}
        history.append(entry)
    entry["began"] = began
    for engine, by_accuracy in ratios.items():
        entry["ratios"].setdefault(engine, {}).update(by_accuracy)
    file.write_text(json.dumps(history, indent=1) + "\n")
    return history


def tables(history):
    """A table for each engine and accuracy: scenes, and a column a release; means over the scenes of all of them."""
    lines = []
    keys = dict.fromkeys((e, a) for entry in history for e, by_accuracy in entry["ratios"].items() for a in by_accuracy)
    for engine, accuracy in keys:
        columns = [(entry["release"], entry["ratios"].get(engine, {}).get(accuracy, {})) for entry in history]
        columns = [(release, values) for release, values in columns if values]
        scenes = sorted({scene for _, values in columns for scene in values})
        common = [scene for scene in scenes if all(scene in values for _, values in columns)]
        lines += [f"{engine} at {accuracy}, by release:", "", "| scene | " + " | ".join(r for r, _ in columns) + " |",
                  "|---" * (1 + len(columns)) + "|"]
        lines += [f"| {scene} | " + " | ".join(number(values.get(scene)) for _, values in columns) + " |" for scene in scenes]
        means = (number(geometric_mean([values[scene] for scene in common])) for _, values in columns)
        lines += [f"| **geometric mean** of {len(common)} | " + " | ".join(means) + " |", ""]
    return lines
