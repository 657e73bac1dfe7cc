#!/usr/bin/env python3
"""Runs the shared scenes in Kinegraph, Drake and MuJoCo, turn by turn, and compares time, error, steps and iterations.

    pip install drake mujoco numpy
    python3 benches/peers/compare.py --scenes DIR

DIR has scenes/, reference/, run_drake.py, run_mujoco.py and to_kinegraph.py (or set KINEGRAPH_PEER_SCENES). See
README.md beside this file.
"""
import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

import history
import table
from engines import Diagrams, Drake, Kinegraph, MuJoCo, Runner, build_kinegraph
from precision import FAR_OFF, Reference, wrong

KEPT = ("steps", "rejected", "solves", "solver_iterations", "factorizations", "linesearch_iterations", "geometry_queries",
        "max_penetration", "max_contacts", "version", "error", "sim_time")

# Runs below this have no CPU time worth the name [s].
SHORT = 2e-3


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=Path, default=os.environ.get("KINEGRAPH_PEER_SCENES"), help="folder of the shared scenes")
    p.add_argument("--diagrams", type=Path, action="append", default=[],
                   help="folder with NAME/NAME.yaml for scenes that need one by hand")
    p.add_argument("--only", default="", help="scenes, with commas; default: all with point contact")
    p.add_argument("--skip", default="", help="scenes left out")
    p.add_argument("--contact", choices=("point", "hydroelastic"), default="point",
                   help="hydroelastic: Kinegraph and Drake on the scenes that have pressure fields")
    p.add_argument("--accuracies", default="1e-2,1e-3,1e-4")
    p.add_argument("--engines", default="kinegraph,drake,mujoco", help="the first is the one the others are compared with")
    p.add_argument("--also", action="append", default=[], metavar="NAME=PROGRAM", help="another build of run_kinegraph")
    p.add_argument("--kinegraph", metavar="PROGRAM", help="a build of run_kinegraph; default: builds it")
    p.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a value in Kinegraph's diagrams")
    p.add_argument("--tight", default="1e-7,1e-8", help="accuracies of Kinegraph's own two tight runs")
    p.add_argument("--mujoco-steps", default="0.001,0.002,0.005", help="[s]; the first is the one of tables by accuracy")
    p.add_argument("--mujoco-tight", default="4e-5,2e-5", help="steps of the two runs that its ends are judged by [s]")
    p.add_argument("--mujoco-cone", default="elliptic")
    p.add_argument("--mujoco-integrator", default="implicitfast")
    p.add_argument("--python", default=sys.executable, help="a Python with drake and mujoco")
    p.add_argument("--repeats", type=int, default=5, help="processes per configuration; short runs repeat inside each")
    p.add_argument("--budget", type=float, default=60.0, help="seconds for one run")
    p.add_argument("--core", type=int, help="the core to run on; default: the last")
    p.add_argument("--profile", action="store_true",
                   help="one more, untimed run of Kinegraph each, to see where its time goes")
    p.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    p.add_argument("--out", type=Path, help="writes OUT.md and OUT.json")
    p.add_argument("--read", type=Path, action="append", default=[], metavar="FILE.json",
                   help="runs nothing: the tables of earlier runs, together")
    p.add_argument("--history", type=Path, metavar="FILE.json", help="shows the ratios of all releases in it")
    p.add_argument("--release", metavar="NAME", help="notes those of this run in the history, as those of a release")
    a = p.parse_args()
    if a.contact == "hydroelastic" and "mujoco" in a.engines:
        a.engines = ",".join(name for name in a.engines.split(",") if name != "mujoco")
    if a.release and not a.history:
        p.error("--release NAME goes with --history FILE.json")
    if a.scenes is None and not a.read:
        p.error("--scenes DIR, or KINEGRAPH_PEER_SCENES")
    a.scenes = a.scenes and Path(a.scenes).resolve()
    if a.core is None:
        a.core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    return a


def scene_list(a):
    """Scenes: their durations and the names of what is free in them."""
    folder = a.scenes / "scenes"
    names = a.only.split(",") if a.only else sorted(p.name for p in folder.iterdir() if p.is_dir())
    found = {}
    for name in (n for n in names if n not in a.skip.split(",")):
        scene = json.loads((folder / name / "scene.json").read_text())
        if scene.get("hydroelastic") if a.contact == "hydroelastic" else scene.get("run_point", True):
            found[name] = scene["duration"], {i["name"] for i in scene["instances"] if i["base"] == "floating"}
    return found


def time_of(result, clock):
    """Time of a run by the clock asked for. CPU time is counted in ticks on some systems: of the shortest runs it says
    nothing, and they are hardly ever interrupted."""
    wall = result.get("wall_s")
    if wall is None or wall < SHORT or result.get(f"{clock}_s") is None:
        return wall
    return result[f"{clock}_s"]


def summary(runs, reference, own, clock):
    """One row of the table from the runs of a configuration: medians of the processes' medians, the counts of the last
    run. Its error is that from the reference, and from the engine's own one."""
    last = runs[-1]
    times = [t for t in (time_of(r, clock) for r in runs) if t is not None]
    walls = [r["wall_s"] for r in runs if r.get("wall_s")]
    # Some figures only the first run reports.
    row = {k: last.get(k, runs[0].get(k)) for k in KEPT}
    row["failure"] = row.pop("error")
    error = reference.error(last)
    judged = {**last, "max_penetration": row["max_penetration"]}
    row.update(status=last.get("status", "failed"), error=error, uncertain=reference.uncertain, own_error=own.error(last),
               own_uncertain=own.uncertain, wrong=wrong(judged, error, reference.free), times=times,
               time=statistics.median(times) if times else None, wall=statistics.median(walls) if walls else None)
    return row


def rotate(settings, scene, repeats):
    """Runs A B C A B C …, each engine at its setting; one whose run does not end is not asked again."""
    runs = {e: [] for e in settings}
    for turn in range(repeats):
        for e, setting in settings.items():
            if all(r.get("status") == "ok" for r in runs[e]):
                runs[e].append(e(scene, setting, turn == 0))
    return runs


def own_reference(engine, scene, shared):
    """An engine's own tight runs, where the motion can be predicted at all. They keep errors of time steps apart from
    differences of contact models."""
    if not engine.tight or shared.q is None:
        return Reference(shared.free)
    coarse, fine = (engine.once(scene, setting) for setting in engine.tight)
    if fine.get("max_contacts") == 0:
        return shared  # Where nothing touches there is one model.
    own, apart = Reference.of_runs(coarse, fine, shared.free), shared.error(fine)
    another_motion = apart is None or apart > FAR_OFF
    print(f"{scene:20s} tight  {engine.name:10s} ends {apart} from the reference, uncertain by {own.uncertain if own.q else None}",
          file=sys.stderr, flush=True)
    return Reference(shared.free) if another_motion else own


def measure(a, engines, profiler, scenes, accuracies):
    rows = {}
    for scene, (duration, free) in scenes.items():
        shared = Reference.of_file(a.scenes, scene, duration, free, a.contact)
        owns = {e: own_reference(e, scene, shared) for e in engines}
        for turn in range(max(len(e.settings(accuracies)) for e in engines)):
            settings = {e: e.settings(accuracies)[turn] for e in engines if turn < len(e.settings(accuracies))}
            for engine, runs in rotate(settings, scene, a.repeats).items():
                setting = settings[engine]
                # The first step of an engine with steps of fixed length stands beside every accuracy.
                key = (scene, engine.name, setting if engine.accurate or turn else None)
                row = rows[key] = summary(runs, shared if engine.accurate else owns[engine], owns[engine], a.clock)
                if engine is profiler and row["status"] == "ok" and a.profile:
                    command = [engine.program, engine.diagrams(scene), "--accuracy", setting, "--profile"]
                    profiled = engine.run(command + engine.overrides)
                    row.update(phases=profiled.get("phases"), profile_s=profiled.get("profile_s"))
                shown = table.cell_time(row) + (f" ({row['wrong']})" if row["wrong"] else "")
                print(f"{scene:20s} {setting:6s} {engine.name:10s} {shown:24s} steps {row['steps']} error {row['error']} "
                      f"{(row['failure'] or '')[:100]}", file=sys.stderr, flush=True)
    return rows


def report(a, rows, names, scenes, accuracies, load, began):
    shown = [x for x in accuracies if x in a.accuracies.split(",")]
    lines = [f"{platform.machine()}, one core, {'CPU' if a.clock == 'cpu' else 'wall'} time, medians of {a.repeats} processes in turn; load "
             f"{load[0]:.1f} before and {load[1]:.1f} after. Versions: "
             + ", ".join(sorted({f"{e} {r['version']}" for (_, e, _), r in rows.items() if r.get("version")})) + ".", ""]
    if len(names) > 1:
        lines += ["Time at equal end error:", ""] + table.at_equal_error(rows, names, scenes) + [""]
    lines += ["Times and ratios (†: a body fell through the ground or went deep):", ""] + table.overview(rows, names, shown, scenes) + [""]
    for accuracy in shown:
        lines += [f"Accuracy {accuracy}:", ""] + table.by_accuracy(rows, names, accuracy, scenes) + [""]
    shares = table.profiles(rows, names[0], shown, scenes)
    if shares:
        lines += [f"Where the time of {names[0]} goes, in percent:", ""] + shares + [""]
    if a.release:
        lines += history.tables(history.note(a.history, a.release, began, history.ratios_of(rows, names, shown, scenes)))
    elif a.history:
        lines += history.tables(json.loads(a.history.read_text()))
    return "\n".join(lines)


def read(a):
    """The tables of earlier runs."""
    rows, loads, began = {}, [], ""
    for file in a.read:
        data = json.loads(file.read_text())
        loads.append(data["load"])
        began = max(began, data["began"])
        a.repeats = data.get("repeats", a.repeats)
        for row in data["rows"]:
            rows[row.pop("scene"), row.pop("engine"), row.pop("accuracy")] = row
    names = [e for e in a.engines.split(",") if any(key[1] == e for key in rows)]
    accuracies = sorted({key[2] for key in rows if key[2] and key[1] != "mujoco"}, key=float, reverse=True)
    print(report(a, rows, names, sorted({key[0] for key in rows}), accuracies, (loads[0][0], loads[-1][1]), began))


def main():
    a = arguments()
    if a.read:
        return read(a)
    scenes, accuracies = scene_list(a), a.accuracies.split(",")
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as scratch:
        run = Runner(a.core, 40 + 12 * a.budget)
        diagrams = Diagrams(a.scenes, a.diagrams, scratch, a.contact)
        engines = []
        for name in a.engines.split(","):
            if name == "kinegraph":
                engines.append(Kinegraph(name, a.kinegraph or build_kinegraph(), a, run, diagrams))
            elif name in ("drake", "mujoco"):
                engines.append({"drake": Drake, "mujoco": MuJoCo}[name](a, run))
            else:
                sys.exit(f"unknown engine {name}: kinegraph, drake or mujoco (another build of Kinegraph: --also NAME=PROGRAM)")
        for name, program in (x.split("=", 1) for x in a.also):
            engines.append(Kinegraph(name, program, a, run, diagrams))
        profiler = next((e for e in engines if isinstance(e, Kinegraph)), None)
        rows = measure(a, engines, profiler, scenes, accuracies)
    load.append(os.getloadavg()[0])
    names = [e.name for e in engines]
    began = time.strftime("%Y-%m-%d")
    text = report(a, rows, names, scenes, accuracies, load, began)
    print(text)
    if a.out:
        listed = [{"scene": s, "engine": e, "accuracy": x, **row} for (s, e, x), row in rows.items()]
        a.out.with_suffix(".md").write_text(text)
        a.out.with_suffix(".json").write_text(json.dumps({"load": load, "began": began, "repeats": a.repeats, "rows": listed}, indent=1))


if __name__ == "__main__":
    main()
