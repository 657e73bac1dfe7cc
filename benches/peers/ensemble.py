#!/usr/bin/env python3
"""Motions that nobody can predict to the end: many seeded starts of a scene, and the cheapest setting whose statistics
are right.

    pip install drake==1.51.1 mujoco==4.0.0 numpy
    python3 benches/peers/ensemble.py --scenes DIR --out ensemble

For each engine and setting every start is run. Where bodies lie, the energy lost and the deepest penetration are
compared with those of the engine's own tight run from the same starts. See README.md beside this file.
"""
import argparse
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

import agreement
import ensemble_table
import history
from engines import HERE, Diagrams, Kinegraph, Runner, build_kinegraph
from precision import FALLEN, name_of
from starts import into_diagram, starts

SCENES = "scale_005,scale_010,scaleb_010,soft_clutter,hard_clutter_balls,quadruped"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=Path, default=os.environ.get("KINEGRAPH_PEER_SCENES"), help="that of compare.py")
    p.add_argument("--only", default=SCENES)
    p.add_argument("--engines", default="kinegraph,drake,mujoco", help="the first is the one the others are compared with")
    p.add_argument("--accuracies", default="1e-1,1e-2,1e-3,1e-4")
    p.add_argument("--tight", default="1e-5", help="accuracy of the tight runs")
    p.add_argument("--mujoco-steps", default="0.005,0.002,0.001,0.0005", help="[s]")
    p.add_argument("--mujoco-tight", default="0.0001", help="step of its tight runs [s]")
    p.add_argument("--starts", type=int, default=30)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--shift", type=float, default=1e-3, help="of free bodies at the start [m]")
    p.add_argument("--turn", type=float, default=1e-2, help="of free bodies and joints at the start [rad]")
    p.add_argument("--kinegraph", metavar="PROGRAM", help="a build of run_kinegraph; default: builds it")
    p.add_argument("--core", type=int, help="the core to run on; default: the last")
    p.add_argument("--limit", type=float, default=900.0, help="seconds for all starts of a setting")
    p.add_argument("--out", type=Path, help="writes OUT.md and OUT.json")
    p.add_argument("--read", type=Path, action="append", default=[], metavar="FILE.json", help="runs nothing: tables of runs")
    p.add_argument("--history", type=Path, metavar="FILE.json")
    p.add_argument("--release", metavar="NAME", help="notes the ratios in the history, as those of a release")
    a = p.parse_args()
    if a.scenes is None and not a.read:
        p.error("--scenes DIR, or KINEGRAPH_PEER_SCENES")
    if a.release and not a.history:
        p.error("--release NAME goes with --history FILE.json")
    if a.core is None:
        a.core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    a.scenes, a.set = a.scenes and Path(a.scenes).resolve(), []
    a.budget = a.limit
    return a


class Ours:
    """Kinegraph: a process for each start."""

    def __init__(self, a, run, scratch):
        diagrams = Diagrams(a.scenes, [], scratch)
        self.scratch, self.diagrams = Path(scratch), diagrams
        self.engine = Kinegraph("kinegraph", a.kinegraph or build_kinegraph(), a, run, lambda _: self.file)

    def __call__(self, scene, accuracy, beginnings, _tight):
        written = self.diagrams(scene)
        diagram, self.file = json.loads(written.read_text()), written.with_name("start.yaml")
        runs = []
        for instances in beginnings:
            self.file.write_text(json.dumps(into_diagram(diagram, instances)))
            run = self.engine.once(scene, accuracy)
            run["state"] = {name_of(channel): value for channel, value in run.pop("final_state", {}).items()}
            runs.append(run)
        return runs


class Peer:
    """Drake or MuJoCo by ensemble_runs.py: one process for all starts."""

    def __init__(self, name, a, run, scratch):
        self.name, self.a, self.run, self.file = name, a, run, Path(scratch) / "starts.json"

    def __call__(self, scene, setting, beginnings, tight):
        self.file.write_text(json.dumps(beginnings))
        command = [sys.executable, HERE / "ensemble_runs.py", self.name, "--scenes", self.a.scenes, "--scene", scene]
        command += ["--setting", setting, "--starts", self.file] + ["--untimed"] * tight
        done = self.run(command)
        return done.get("runs") or [{"status": done.get("status"), "error": done.get("error")}] * len(beginnings)


def settings_of(a, engine):
    steps = engine == "mujoco"
    return [*(a.mujoco_steps if steps else a.accuracies).split(","), a.mujoco_tight if steps else a.tight]


def row(runs, beginnings, scene, quantities):
    """The quantities of all runs of a setting and the CPU time of one, the mean; without quantities where one ended
    wrongly."""
    failed = [run.get("error") or run["status"] for run in runs if run["status"] != "ok"]
    times = [run["cpu_s"] for run in runs if run.get("cpu_s")]
    out = {"time": agreement.mean(times) if times else None, "failed": len(failed), "reason": failed[0] if failed else ""}
    if not failed:
        firsts = [scene.state(scene.start(instances)) for instances in beginnings]
        out["quantities"] = [quantities.of(first, run["state"], run["max_penetration"])
                             for first, run in zip(firsts, runs)]
        out["fell"] = sum(lowest(run["state"]) < FALLEN for run in runs)
    return out


def lowest(state):
    return min(value for name, value in state.items() if name.endswith("_z") and name[:-1] + "qw" in state)


def measure(a, engines):
    from mujoco_scene import Scene
    from quantities import Quantities
    rows = {}
    for name in a.only.split(","):
        scene = Scene(a.scenes, name, 1e-3)
        quantities = Quantities(scene)
        beginnings = starts(scene.described["instances"], f"{a.seed}/{name}", a.starts, a.shift, a.turn)
        for turn in range(max(len(settings_of(a, e)) for e in engines)):
            for e, engine in engines.items():
                if turn >= len(settings_of(a, e)):
                    continue
                setting, began = settings_of(a, e)[turn], time.perf_counter()
                tight = turn == len(settings_of(a, e)) - 1
                found = rows[name, e, setting] = row(engine(name, setting, beginnings, tight), beginnings, scene, quantities)
                found["tight"] = tight
                print(f"{name:20s} {e:10s} {setting:7s} {found['time'] or 0:.4g} s a run, {time.perf_counter() - began:.0f} s "
                      f"{found['reason'][:80]}", file=sys.stderr, flush=True)
    return rows


def report(a, rows, load, began):
    names = [e for e in a.engines.split(",") if any(key[1] == e for key in rows)]
    scenes = list(dict.fromkeys(key[0] for key in rows))
    lines = [f"{platform.machine()}, one core, CPU time of a run, mean of {a.starts} starts, seed {a.seed}; load "
             f"{load[0]:.1f} before and {load[1]:.1f} after.", ""]
    text, found = ensemble_table.tables(rows, names, scenes)
    lines += text
    if a.release:
        ratios = {e: {history.EQUAL_STATISTICS: of_scenes} for e, of_scenes in found.items() if of_scenes}
        lines += history.tables(history.note(a.history, a.release, began, ratios))
    return "\n".join(lines)


def read(a):
    rows, loads, began = {}, [], ""
    for file in a.read:
        data = json.loads(file.read_text())
        a.starts, a.seed = data["starts"], data["seed"]
        loads.append(data["load"])
        began = max(began, data["began"])
        for r in data["rows"]:
            rows[r.pop("scene"), r.pop("engine"), r.pop("setting")] = r
    print(report(a, rows, (loads[0][0], loads[-1][1]), began))


def main():
    a = arguments()
    if a.read:
        return read(a)
    load, began = [os.getloadavg()[0]], time.strftime("%Y-%m-%d")
    with tempfile.TemporaryDirectory() as scratch:
        run = Runner(a.core, a.limit)
        engines = {name: Ours(a, run, scratch) if name == "kinegraph" else Peer(name, a, run, scratch)
                   for name in a.engines.split(",")}
        rows = measure(a, engines)
    load.append(os.getloadavg()[0])
    text = report(a, rows, load, began)
    print(text)
    if a.out:
        listed = [{"scene": s, "engine": e, "setting": x, **r} for (s, e, x), r in rows.items()]
        a.out.with_suffix(".md").write_text(text)
        a.out.with_suffix(".json").write_text(json.dumps(
            {"load": load, "began": began, "starts": a.starts, "seed": a.seed, "rows": listed}))


if __name__ == "__main__":
    main()
