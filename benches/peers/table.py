"""The comparison as Markdown."""
from precision import FAR_OFF, geometric_mean, ratio_at_equal_error


# Ends that no accuracy excuses.
UNPHYSICAL = ("fell through", "deep")


def number(x, digits=3):
    return "" if x is None else f"{x:.{digits}g}"


def seconds(x):
    if x is None:
        return ""
    return f"{1e3 * x:.3g} ms" if x < 1 else f"{x:.3g} s"


def count(r, key):
    return "" if r is None or r.get(key) is None else str(int(r[key]))


def cell_time(r):
    if r is None:
        return ""
    if r["time"] is None:
        return r["status"]
    return ("> " if r["status"] == "timeout" else "") + seconds(r["time"])


def row_of(rows, scene, engine, accuracy):
    """The row of an engine; of one with steps of fixed length that of its first step."""
    return rows.get((scene, engine, accuracy)) or rows.get((scene, engine, None))


def ratio(a, b):
    """Time of b over time of a, None unless both ended."""
    if not a or not b or "ok" != a["status"] or b["status"] != "ok" or not a["time"] or not b["time"]:
        return None
    return b["time"] / a["time"]


def sound_ratio(a, b):
    """The same, None also where the end of either is none that an accuracy excuses."""
    value = ratio(a, b)
    return value if value and not any(r["wrong"] in UNPHYSICAL for r in (a, b)) else None


def overview(rows, engines, accuracies, scenes):
    """All accuracies beside each other: the time of the first engine and the ratios to it; bold where it is slower."""
    first, others = engines[0], engines[1:]
    head = ["scene"] + [cell for a in accuracies for cell in [f"{first} {a}"] + [f"{e}/{first}" for e in others]]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    ratios = {}
    for scene in scenes:
        cells = [scene]
        for a in accuracies:
            ours = rows.get((scene, first, a))
            cells.append(cell_time(ours) + ("†" if ours and ours["wrong"] in UNPHYSICAL else ""))
            for e in others:
                theirs = row_of(rows, scene, e, a)
                value = ratio(ours, theirs)
                if sound_ratio(ours, theirs):
                    ratios.setdefault((a, e), []).append(value)
                mark = "†" if theirs and theirs["wrong"] in UNPHYSICAL else ""
                cells.append((f"**{number(value)}**" if value and value < 1 else number(value)) + mark)
        lines.append("| " + " | ".join(cells) + " |")
    means = ["**geometric mean** without † (scenes)"]
    for a in accuracies:
        means.append("")
        means += [f"{number(geometric_mean(values))} ({len(values)})" for values in (ratios.get((a, e), []) for e in others)]
    return lines + ["| " + " | ".join(means) + " |"]


def by_accuracy(rows, engines, accuracy, scenes):
    """One table per accuracy: times, ratio to the first engine, errors, steps, iterations; scenes in their order."""
    first, others = engines[0], engines[1:]
    head = ["scene"] + [f"{e} time" for e in engines] + [f"{e}/{first}" for e in others]
    head += [f"{e} {what}" for e in engines if e != "mujoco" for what in ("end error", "steps", "iterations")]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    ratios = {e: [] for e in others}
    sound = {e: [] for e in others}
    for scene in (s for s in scenes if (s, first, accuracy) in rows):
        found = {e: row_of(rows, scene, e, accuracy) for e in engines}
        cells = [scene] + [cell_time(found[e]) + (f" ({found[e]['wrong']})" if found[e] and found[e]["wrong"] else "")
                           for e in engines]
        for e in others:
            value = ratio(found[first], found[e])
            ratios[e].append(value)
            sound[e].append(sound_ratio(found[first], found[e]))
            cells.append(number(value))
        for e in engines:
            if e != "mujoco":
                r = found[e]
                steps = count(r, "steps") + (f"+{count(r, 'rejected')}" if r and r.get("rejected") else "")
                cells += [number(r["error"], 2) if r else "", steps, count(r, "solver_iterations")]
        lines.append("| " + " | ".join(cells) + " |")
    for title, values in (("all that ended", ratios), ("without wrong ends", sound)):
        means = [f"{number(geometric_mean(values[e]))} ({sum(v is not None for v in values[e])})" for e in others]
        blank = len(head) - 1 - len(engines) - len(others)
        lines.append("| " + " | ".join([f"**geometric mean**, {title} (scenes)"] + [""] * len(engines) + means + [""] * blank) + " |")
    return lines


def points_of(rows, engine, scene, own=False):
    """(error, time) of the runs of an engine; errors from its own tight run, or from the reference that Kinegraph and
    Drake share. What the reference does not know is no smaller error. Runs with a wrong end count for nothing; of an
    engine that has no other the dearest one stands, for a bound."""
    error, uncertain = ("own_error", "own_uncertain") if own else ("error", "uncertain")
    ended = [(max(r[error], r.get(uncertain) or 0.0), r["time"], r["wrong"] not in UNPHYSICAL and r[error] <= FAR_OFF)
             for (s, e, _), r in rows.items()
             if (s, e) == (scene, engine) and r["status"] == "ok" and r.get(error) and r["time"]]
    return [(e, t) for e, t, sound in ended if sound] or [(e, t) for e, t, _ in ended if t == max(x[1] for x in ended)]


def has_own_model(engine):
    """MuJoCo's contacts are another model than those of Kinegraph and Drake: only errors of time steps can be
    compared."""
    return engine == "mujoco"


def equal_error(rows, engines, scenes):
    """{engine: {scene: (ratio, bound, from error, to error)}} of the engines but the first."""
    found = {e: {} for e in engines[1:]}
    for scene in scenes:
        for e in engines[1:]:
            ours, theirs = (points_of(rows, name, scene, has_own_model(e)) for name in (engines[0], e))
            value = ratio_at_equal_error(ours, theirs)
            if value and min(min(ours), min(theirs))[0] <= FAR_OFF:
                found[e][scene] = value
    return found


def at_equal_error(rows, engines, scenes):
    """Work and precision: how many times longer the other engines take for the same end error."""
    first, others = engines[0], engines[1:]
    found = equal_error(rows, engines, scenes)
    columns = " | ".join(f"{e}/{first} | end errors compared | best of {e}" for e in others)
    lines = [f"| scene | best of {first} | {columns} |", "|---" * (2 + 3 * len(others)) + "|"]
    for scene in (s for s in scenes if any(s in found[e] for e in others)):
        best = {e: min((error for error, _ in points_of(rows, e, scene, has_own_model(e))), default=None) for e in engines}
        cells = []
        for e in others:
            value, bound, low, high = found[e].get(scene, (None, "", None, None))
            between = "" if low is None else f"{low:.1e} to {high:.1e}"
            cells += [f"{bound}{' ' if bound else ''}{number(value)}", between, number(best[e], 2)]
        lines.append(f"| {scene} | {number(best[first], 2)} | {' | '.join(cells)} |")
    for title, of in (("geometric mean", geometric_mean), ("least", lambda values: min(values, default=None))):
        values = {e: [value[0] for value in found[e].values()] for e in others}
        tail = " | ".join(f"{number(of(values[e]))} | {len(values[e])} scenes | " for e in others)
        lines.append(f"| **{title}** | | {tail} |")
    return lines


def profiles(rows, engine, accuracies, scenes):
    """Parts of the time of an engine that measured them, in percent."""
    shown = [(s, a, rows[s, engine, a]) for a in accuracies for s in scenes
             if (s, engine, a) in rows and rows[s, engine, a].get("phases") and rows[s, engine, a].get("profile_s")]
    if not shown:
        return []
    names = list(shown[0][2]["phases"])
    lines = ["| scene | accuracy | " + " | ".join(names) + " | rest |", "|---" * (len(names) + 3) + "|"]
    for scene, accuracy, r in shown:
        parts = [100 * r["phases"][n] / r["profile_s"] for n in names]
        lines.append(f"| {scene} | {accuracy} | " + " | ".join(f"{p:.0f}" for p in parts + [100 - sum(parts)]) + " |")
    return lines
