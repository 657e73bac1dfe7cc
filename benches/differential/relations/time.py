"""Time: what follows from the time alone is compared with its own evaluation (`clockwork.py`)."""

from classes import upstream
from clockwork import Clockwork, Unknown
from compare import PROMISE, Finding, Sums
from relations import Unjudged

NAME = "time"


def applies(scene):
    """An integrator behind blocks that the clockwork knows."""
    for name, block in scene.systems.items():
        if block["type"] == "integrator":
            chain = upstream(scene, name)
            if all(n in scene.systems and hasattr(Clockwork, scene.systems[n]["type"]) for n in chain):
                return True
    return False


def check(program, scene, rng):
    a = scene.simulation["accuracy"]
    known = []
    for name, block in scene.systems.items():
        if block["type"] != "integrator":
            continue
        try:
            pair = [Clockwork(scene, fineness).output(f"{name}.output") for fineness in (1.0, 2.0)]
            known.append((name, pair))
        except (Unknown, KeyError, TypeError, ValueError, OverflowError, RecursionError):
            continue
    if not known:
        raise Unjudged("no clockwork")
    known_methods = program.catalog.integrators.items()
    adaptive = sorted(m for m, d in known_methods if "accuracy" in d["reads"] and m != "implicit-euler")
    method = rng.choice(["cenic", "cenic", rng.choice(adaptive)])
    run = program.accurate(scene, a, method)
    if not run.done:
        raise Unjudged(run.ended)
    worst, sums = None, None
    for name, (coarse, fine) in known:
        values = run.values.get(f"{name}.0")
        if values is None:
            continue
        gaps = []
        for time, x in zip(run.times, values):
            exact = fine(time, -1)
            own = abs(coarse(time, -1) - exact)
            gaps.append((abs(x - exact) - 3 * own, time))
        for (d, time), (e, _) in zip(gaps, gaps[1:]):
            lasting = min(d, e)
            if lasting <= PROMISE * a:
                continue
            # Errors of steps add up, as far as they estimate themselves.
            sums = sums or Sums(program.errors(run))
            bound = max(PROMISE * a, sums.until(time))
            if lasting > bound and (worst is None or lasting / bound > worst[0] / worst[3]):
                worst = (lasting, f"{name}.output", time, bound)
    if worst:
        size, where, time, bound = worst
        return Finding(NAME, f"{method} {a:.0e} against its evaluation", size / a, bound / a, where, time,
                       run.words(), runs=(run,))
    return None
