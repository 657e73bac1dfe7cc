#!/usr/bin/env python3
"""Tests of the generator itself: faults that are planted must be found, and nothing else.

  self_test.py [--kinegraph PROGRAM]     with a program, relations are tested with planted faults, too
"""

import argparse
import copy
import math
import random
import tempfile
import unittest
from pathlib import Path

import elastic
import frames
import outcomes
import text
from catalog import Catalog, pick
from clockwork import Clockwork
from compare import differences
from draws import draw, ground, machines, play
from relations import Unjudged, all_relations
from relations.frame import mirror
from run import Program
from scene import Scene

PROGRAM = None
CATALOG = None


class Planted(Program):
    """A program with a fault: runs of the scenes that `wrong` names move differently, and end elsewhere."""

    def __init__(self, *arguments, wrong):
        super().__init__(*arguments)
        self.first, self.wrong = None, wrong

    def run(self, scene, *arguments):
        run = copy.copy(super().run(scene, *arguments))
        key = (scene.text(), arguments)
        self.first = self.first or key
        if run.done and self.wrong(scene, key == self.first):
            run.values = {name: [x + 0.5 * k for k, x in enumerate(v)] for name, v in run.values.items()}
            run.columns = {name: [x + 0.5 * k for k, x in enumerate(v)] for name, v in run.columns.items()}
            run.summary = {**run.summary, "energy_end": (run.summary["energy_end"] or 0.0) + 1e6,
                           "final_state": {n: x + 0.5 for n, x in run.summary["final_state"].items()}}
        return run

    def command(self, *arguments):
        code, out, said = super().command(*arguments)
        return code, out.replace('.q":', '.q":1'), said


class Drifting(Program):
    """A program whose runs at an accuracy drift by `drift(accuracy)`, of which their steps estimate a part."""

    def __init__(self, *arguments, drift, estimated):
        super().__init__(*arguments)
        self.drift, self.estimated = drift, estimated

    def run(self, scene, *arguments):
        run = copy.copy(super().run(scene, *arguments))
        if run.done and arguments[:1] == ("--accuracy",) and len(arguments) == 2:
            run.drift = self.drift(float(arguments[1]))
            end = run.times[-1]
            run.values = {n: [x + run.drift * t / end for t, x in zip(run.times, v)] for n, v in run.values.items()}
        return run

    def errors(self, run):
        return [(t, self.estimated * getattr(run, "drift", 0.0) / len(run.times)) for t in run.times]


def scene_of(fill, *rest, duration=0.2, accuracy=1e-3, seed=3):
    scene, rng = Scene(), random.Random(seed)
    fill(scene, rng, *rest)
    scene.simulation = {"integrator": "cenic", "accuracy": accuracy, "duration": duration}
    scene.every = duration / 20
    return scene


def pendulum(scene, rng):
    machines.pendulum(scene, rng)
    scene.plant.pop("ground", None)
    scene.bodies[0]["start"]["pivot"] = {"q": 0.7, "v": 0.0}


def box(scene, rng):
    """A box that slides on points."""
    scene.plant = {"gravity": [0, 0, -9.81], "ground": {"height": 0.0}, "contact": {
        "model": "point", "stiffness": 1e6, "dissipation": 10.0, "static_friction": 0.3, "stiction_tolerance": 1e-4}}
    one = {"name": "b", "mass": 1.0, "centre": (0.0,) * 3, "shapes": [{"kind": "box", "size": [0.3, 0.2, 0.1],
           "at": (0.0,) * 3, "R": frames.IDENTITY}],
           "inertia": ((0.004, 0.0, 0.0), (0.0, 0.008, 0.0), (0.0, 0.0, 0.011))}
    scene.bodies.append({"name": "b0", "format": "urdf", "base": "floating", "R": frames.IDENTITY,
                         "p": (0.0, 0.0, 0.05 - 9.81e-6), "model": {"links": [one], "joints": []},
                         "velocity": {"linear": [1.0, 0.0, 0.0]}})


def flying(scene, rng):
    """The box, thrown, without any ground."""
    box(scene, rng)
    scene.plant = {"gravity": [0, 0, -9.81]}
    scene.bodies[0]["velocity"] = {"linear": [1.0, 0.0, 2.0], "angular": [1.0, 2.0, 3.0]}


def wave(scene, rng):
    scene.systems = {"wave": {"type": "sine", "frequency": 3.0}, "double": {"type": "gain", "gain": 2.0},
                     "probe0": {"type": "integrator", "initial": [0.0]}}
    scene.wires = [["wave.output", "double.input"], ["double.output", "probe0.input"]]


class Pieces(unittest.TestCase):
    """Parts that need no program."""

    def test_integrals_of_the_clockwork(self):
        scene = Scene(simulation={"duration": 2.0})
        wave(scene, None)
        f = Clockwork(scene).output("probe0.output")
        for t in (0.3, 1.0, 1.9):
            self.assertAlmostEqual(f(t, -1), 2 / 3 * (1 - math.cos(3 * t)), delta=1e-7)

    def test_a_delay_of_the_clockwork_is_linear_between_samples_and_jumps(self):
        wires = [["jump.output", "pipe.input"], ["wave.output", "late.input"]]
        scene = Scene(simulation={"duration": 1.0}, wires=wires)
        scene.systems = {"jump": {"type": "step", "time": 0.123, "final": 2.0},
                         "pipe": {"type": "transport_delay", "delay": 0.2, "period": 0.05},
                         "wave": {"type": "sine", "frequency": 20.0},
                         "late": {"type": "transport_delay", "delay": 0.2, "period": 0.05}}
        clock = Clockwork(scene)
        pipe, late = clock.output("pipe.output"), clock.output("late.output")
        self.assertEqual([pipe(t, -1) for t in (0.3, 0.3229, 0.3231, 0.9)], [0.0, 0.0, 2.0, 2.0])
        self.assertAlmostEqual(late(0.525, -1), (math.sin(6.0) + math.sin(7.0)) / 2)

    def test_counts_of_the_clockwork(self):
        scene = Scene(simulation={"duration": 1.0}, wires=[["wave.output", "count.input"]])
        scene.systems = {"wave": {"type": "sine", "frequency": 100 * math.pi},
                         "count": {"type": "counter", "threshold": 0.9}}
        self.assertEqual(Clockwork(scene).output("count.output")(1.0, -1), 50)

    def test_a_new_name_changes_no_draw_that_it_does_not_win(self):
        names = {f"n{i}": 1.0 for i in range(9)}
        for seed in range(200):
            old = pick(random.Random(seed), names)
            self.assertIn(pick(random.Random(seed), {**names, "new": 1.0}), (old, "new"))

    def test_an_image_of_an_image_is_the_scene(self):
        for seed in range(20):
            scene = scene_of(machines.add, seed=seed)
            image = mirror(scene)
            if image:
                self.assertNotEqual(repr(image.bodies), repr(scene.bodies))
                for a, b in zip(mirror(image).bodies, scene.bodies):
                    self.assertEqual(text.written([list(map(float, a["p"]))]), text.written([list(map(float, b["p"]))]))
                    for i, j in zip(a["model"]["joints"], b["model"]["joints"]):
                        self.assertEqual([x + 0.0 for x in i["axis"]], [x + 0.0 for x in j["axis"]])

    def test_springs_of_blocks_have_their_energy(self):
        for seed in range(20):
            scene = scene_of(play.add, seed=seed)
            n = len(scene.bodies[0]["model"]["joints"])
            q = {f"plant.m.j{i}.q": 0.5 * (-1) ** i for i in range(n)}
            right = 0.0
            for i in range(n - 1):
                lost = scene.systems.get(f"play{i}", {}).get("upper", 0.0)
                right += scene.systems[f"push{i}"]["gain"] / 2 * (1.0 - lost) ** 2
            self.assertAlmostEqual(sum(spring.energy(q) for spring in elastic.springs(scene)) / right, 1.0)
            scene.systems["pull0"]["gain"] *= 1.5
            self.assertIsNone(elastic.springs(scene))

    def test_a_scene_is_its_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            log = outcomes.Log(Path(folder) / "log")
            log.add(outcomes.Draw(7, "rope", "done", [outcomes.Outcome("frame", "disagrees", "x", True, "c", 2)]))
            with open(Path(folder) / "log", "a") as file:
                file.write('{"seed": 8, "ki')
            again = outcomes.Log(Path(folder) / "log")
            self.assertEqual(list(again.done), [7])
            self.assertTrue(again.done[7].found[0].bad)
            outcomes.write_known(Path(folder) / "known", again.done.values())
            known = outcomes.read_known(Path(folder) / "known")
            self.assertEqual(known, {(7, "frame"): "c"})
            self.assertTrue(outcomes.against_known(again.done.values(), known))
            self.assertFalse(outcomes.against_known(again.done.values(), {}))


class Planting(unittest.TestCase):
    """Each relation agrees where all is well, and finds a fault that is planted."""

    SCENES = (
        ("method", pendulum), ("frame", pendulum), ("idle", pendulum), ("conservation", pendulum),
        ("redundant", pendulum), ("switch", pendulum), ("sweep", pendulum), ("readout", pendulum), ("resume", pendulum),
        ("wording", wave), ("time", wave), ("linear", wave), ("closed", box), ("units", pendulum),
        ("momentum", flying),
    )
    # Where not all scenes but the first are to be wrong: relations of one run, and those that look for chaos.
    WRONG = {
        **dict.fromkeys(("conservation", "time", "closed", "readout", "sweep", "momentum"), lambda scene, first: True),
        "switch": lambda scene, first: False, "linear": lambda scene, first: "linear.yaml" in scene.files,
    }
    def setUp(self):
        if PROGRAM is None:
            self.skipTest("without a program")

    def found(self, program, name, scene):
        relation = all_relations()[name]
        self.assertTrue(relation.applies(scene), name)
        for choice in range(4):
            try:
                return relation.check(program, scene, random.Random(choice))
            except Unjudged:
                continue
        self.fail(f"{name} judges nothing")

    def test_nothing_is_found_where_all_is_well(self):
        for name, fill in self.SCENES:
            with self.subTest(name):
                self.assertIsNone(self.found(Program(PROGRAM, CATALOG, 10), name, scene_of(fill)))

    def test_planted_faults_are_found(self):
        for name, fill in self.SCENES:
            with self.subTest(name):
                wrong = self.WRONG.get(name, lambda scene, first: not first)
                program = Planted(PROGRAM, CATALOG, 10, wrong=wrong)
                self.assertIsNotNone(self.found(program, name, scene_of(fill)), name)

    def test_errors_of_steps_add_up_where_estimates_see_them(self):
        """60 accuracies: right where the steps estimate as much and a tenth of the accuracy makes it a tenth."""
        for drift, estimated, right in ((lambda a: 60 * a, 1.2, True), (lambda a: 60 * a, 0.2, False),
                                        (lambda a: 0.06 if a > 5e-5 else 0.0, 1.2, False)):
            program = Drifting(PROGRAM, CATALOG, 10, drift=drift, estimated=estimated)
            finding = all_relations()["method"].check(program, scene_of(pendulum), random.Random(0))
            self.assertEqual(finding is None, right, finding and finding.line)

    def test_a_perturbed_start_is_another_motion(self):
        program = Program(PROGRAM, CATALOG, 10)
        scene = scene_of(pendulum)
        other = scene.copy()
        other.bodies[0]["start"]["pivot"]["q"] += 0.1
        gap = max(d for _, d, _ in differences(program.run(scene), program.run(other), scene))
        self.assertGreater(gap, 0.05)

    def test_every_kind_of_draw_is_taken(self):
        kinds = set()
        for seed in range(60):
            scene, kind, _ = draw(seed, CATALOG)
            if kind not in kinds:
                kinds.add(kind)
                self.assertNotEqual(Program(PROGRAM, CATALOG, 10).run(scene).ended, "crashed", kind)
        self.assertGreater(len(kinds), 8)

    def test_a_slope_is_one_on_which_a_box_stands(self):
        scene = Scene()
        ground.slope(scene, random.Random(1))
        scene.simulation.update({"integrator": "icf", "step": 1e-3, "duration": 0.3})
        relation = all_relations()["closed"]
        self.assertTrue(relation.applies(scene))
        self.assertIsNone(relation.check(Program(PROGRAM, CATALOG, 10), scene, random.Random(0)))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--kinegraph")
    a, rest = ap.parse_known_args()
    if a.kinegraph:
        PROGRAM = str(Path(a.kinegraph).resolve())
        CATALOG = Catalog.read(PROGRAM)
    unittest.main(argv=["self_test.py", *rest])
