"""The ensembles as Markdown: what each setting does to the statistics, and the cheapest that keeps them."""
import agreement
from table import number, seconds

RESTING = ("height", "spread", "travel", "energy_lost")
ALL = (*RESTING, "deepest")
UNITS = {"height": "mm", "spread": "mm", "travel": "mm", "energy_lost": "J", "deepest": "mm"}


def judged(rows, scene, engine, quantities):
    """[(setting, row, comparisons or None, agrees)] of the settings of an engine on a scene, the tight run with them;
    None where that failed."""
    mine = {setting: r for (s, e, setting), r in rows.items() if (s, e) == (scene, engine)}
    tight = next((r for r in mine.values() if r["tight"]), None)
    if tight is None or "quantities" not in tight:
        return None
    found = []
    for setting, r in mine.items():
        compared = agreement.compare(r["quantities"], tight["quantities"]) if "quantities" in r else None
        sound = compared is not None and not r["fell"]
        found.append((setting, r, compared, sound and agreement.agrees(compared, quantities)))
    return found


def best(rows, scene, engine, quantities):
    settings = judged(rows, scene, engine, quantities) or []
    return agreement.cheapest([(setting, r["time"], agreed) for setting, r, _, agreed in settings
                               if r["time"] and not r["tight"]])


def shown(found):
    if found is None:
        return ""
    time, setting, bound = found
    return f"none, {setting}: {seconds(time)}" if bound else f"{setting}: {seconds(time)}"


def ratio_table(rows, engines, scenes, quantities):
    """(lines, {engine: {scene: (ratio, bound)}})."""
    first, others = engines[0], engines[1:]
    lines = ["| scene | " + " | ".join([*engines, *(f"{e}/{first}" for e in others)]) + " |",
             "|---" * (1 + len(engines) + len(others)) + "|"]
    ratios = {e: {} for e in others}
    for scene in scenes:
        costs = {e: best(rows, scene, e, quantities) for e in engines}
        cells = [shown(costs[e]) for e in engines]
        for e in others:
            found = agreement.ratio(costs[first], costs[e])
            if found:
                ratios[e][scene] = found
            cells.append(f"{found[1]} {number(found[0])}".strip() if found else "")
        lines.append(f"| {scene} | " + " | ".join(cells) + " |")
    for title, of in (("geometric mean", agreement.mean_ratio), ("least", lambda values: min((v for v, _ in values), default=None))):
        cells = [f"{number(of(list(ratios[e].values())))} ({len(ratios[e])})" for e in others]
        lines.append(f"| **{title}** (scenes) | " + " | ".join([""] * len(engines) + cells) + " |")
    return lines, ratios


def details(rows, engines, scenes):
    """Every setting: its time, and the mean and standard deviation of each quantity; bold where the distribution is
    another one than that of the tight run."""
    lines = ["| scene | engine | setting | time | " + " | ".join(f"{q} [{UNITS[q]}]" for q in ALL) + " |",
             "|---" * (4 + len(ALL)) + "|"]
    for scene in scenes:
        for e in engines:
            for setting, r, compared, _ in judged(rows, scene, e, ALL) or []:
                cells = [f"{r['failed']} failed"] + [""] * (len(ALL) - 1) if compared is None else \
                    [cell(compared[q], UNITS[q]) for q in ALL]
                cells[0] += f" ({r['fell']} fell through)" if r.get("fell") else ""
                name = f"{setting}, tight" if r["tight"] else setting
                lines.append(f"| {scene} | {e} | {name} | {seconds(r['time'])} | " + " | ".join(cells) + " |")
    return lines


def cell(found, unit):
    scale = 1e3 if unit == "mm" else 1.0
    text = f"{number(scale * found.mean)} ± {number(scale * found.deviation, 2)}"
    return f"**{text}**" if found.chance < agreement.LEVEL / len(ALL) else text


def tables(rows, engines, scenes):
    """(lines, {engine: {scene: ratio}}): the ratios are those of all quantities."""
    lines, kept = [], {}
    for title, quantities in (("all statistics", ALL), ("where bodies lie and the energy lost", RESTING)):
        text, ratios = ratio_table(rows, engines, scenes, quantities)
        lines += [f"The cheapest setting of the same statistics as the engine's own tight run, {title}:", "", *text, ""]
        kept = kept or {e: {s: float(f"{v:.3g}") for s, (v, _) in found.items()} for e, found in ratios.items()}
    lines += ["Means and standard deviations (bold: another distribution than that of the tight run):", ""]
    return lines + details(rows, engines, scenes) + [""], kept
