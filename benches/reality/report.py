"""The results of `reality.py` as tables and as a plot.

    python3 benches/reality/report.py RESULTS.json… --plot docs/pictures/reality.svg

prints the tables. Several files of results are put together.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Dict, List

Entry = Dict[str, Any]

def entries(files: List[Path]) -> Dict[str, Entry]:
    """Results by name of engine."""
    found: Dict[str, Entry] = {}
    for file in files:
        found.update(json.loads(file.read_text())["engines"])
    return found


def errors(one: Dict[str, float]) -> str:
    """Mean position and median angle."""
    return f"{one['position mean']:.1f} %, {one['angle median']:.1f}°"


def table(found: Dict[str, Entry], stepped: bool) -> List[str]:
    """A row for each engine, a column for each accuracy, or step [s]."""
    chosen = {name: entry for name, entry in found.items() if entry["stepped"] == stepped}
    settings = sorted({one["accuracy"] for entry in chosen.values() for one in entry["judge"]}, reverse=True)
    heads = [f"{one:.0e}".replace("e-0", "e-") + (" s" if stepped else "") for one in settings]
    setting = "step" if stepped else "accuracy"
    rows = [f"| {setting} | 30 fitted | {' | '.join(heads)} |", "|---" * (2 + len(heads)) + "|"]
    for name, entry in chosen.items():
        cells = [f"{errors(one)}, {one['milliseconds']:.1f} ms" for one in entry["judge"]]
        at = f"{entry['train']['accuracy']:.0e}".replace("e-0", "e-")
        rows.append(f"| {name} | {errors(entry['train'])} at {at} | {' | '.join(cells)} |")
    return rows


def plot(found: Dict[str, Entry], file: Path) -> None:
    """Errors on the tosses that judge, over the processor time of one."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "reality"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    panels = [("position mean", "mean distance [% of the width]"), ("angle median", "median angle [degrees]")]
    for axis, (key, label) in zip(axes, panels):
        for name, entry in found.items():
            judged = entry["judge"]
            times, values = [one["milliseconds"] for one in judged], [one[key] for one in judged]
            (line,) = axis.plot(times, values, "s--" if entry["stepped"] else "o-", label=name)
            for one in judged:
                if one["accuracy"] == entry["train"]["accuracy"]:
                    axis.plot(one["milliseconds"], one[key], "o", color=line.get_color(), ms=12, mfc="none")
        axis.set(xscale="log", yscale="log", xlabel="processor time of one prediction [ms]", ylabel=label)
        ticks = [6, 8, 10, 15, 20, 30, 50]
        axis.set_yticks(ticks, [str(one) for one in ticks])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--plot", type=Path, help="write a plot (needs matplotlib)")
    options = parser.parse_args()
    found = entries(options.results)
    print("\n".join([*table(found, False), "", *table(found, True)]))
    if options.plot:
        plot(found, options.plot)


if __name__ == "__main__":
    main()
