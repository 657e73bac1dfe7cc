#!/usr/bin/env python3
"""python3 -m unittest discover benches/peers"""
import math
import random
import unittest

import agreement
import ensemble_table
from starts import into_diagram, product, starts


class Agreement(unittest.TestCase):
    def test_distance_is_that_of_the_distributions(self):
        self.assertEqual(agreement.distance([1.0, 2.0], [1.0, 2.0]), 0.0)
        self.assertEqual(agreement.distance([1.0, 2.0], [3.0, 4.0]), 1.0)
        self.assertEqual(agreement.distance([1.0, 3.0], [2.0, 4.0]), 0.5)

    def test_a_difference_within_the_slack_is_none(self):
        low, high = [1.0, 2.0, 3.0], [1.1, 2.1, 3.1]
        self.assertGreater(agreement.distance(low, high), 0.0)
        self.assertEqual(agreement.distance(low, high, 0.2), 0.0)
        self.assertEqual(agreement.distance(high, low, 0.2), 0.0)
        self.assertEqual(agreement.distance([1.0], [2.0], 0.5), 1.0)

    def test_chance_is_that_of_all_orders(self):
        # Of the 20 ways to mix three and three, two separate them; nothing is closer than one third.
        self.assertAlmostEqual(agreement.chance(1.0, 3), 2 / math.comb(6, 3))
        self.assertEqual((agreement.chance(0.0, 30), agreement.chance(1 / 3, 3)), (1.0, 1.0))

    def test_chance_is_what_random_samples_show(self):
        rng, n, trials = random.Random(1), 10, 2000
        drawn = lambda: [rng.random() for _ in range(n)]
        for d in (0.4, 0.5, 0.6):
            seen = sum(agreement.distance(drawn(), drawn()) >= d - 1e-9 for _ in range(trials)) / trials
            p = agreement.chance(d, n)
            self.assertLess(abs(seen - p), 4 * math.sqrt(p * (1 - p) / trials))

    def test_a_setting_agrees_whose_distributions_do(self):
        rng = random.Random(2)
        runs = lambda shift: [{"height": rng.gauss(0.5 + shift, 0.1), "energy_lost": rng.gauss(10, 1)} for _ in range(30)]
        tight = runs(0.0)
        same, other = (agreement.compare(runs(shift), tight) for shift in (0.0, 0.2))
        self.assertTrue(agreement.agrees(same, ["height", "energy_lost"]))
        self.assertFalse(agreement.agrees(other, ["height", "energy_lost"]))
        self.assertTrue(agreement.agrees(other, ["energy_lost"]))

    def test_the_cheapest_that_agrees_counts_and_a_bound_where_none_does(self):
        ours = agreement.cheapest([("1e-1", 1.0, False), ("1e-2", 2.0, True), ("1e-3", 5.0, True)])
        self.assertEqual(ours, (2.0, "1e-2", False))
        luck = agreement.cheapest([("1e-1", 1.0, True), ("1e-2", 2.0, False), ("1e-3", 5.0, True)])
        self.assertEqual(luck, (5.0, "1e-3", False))
        none = agreement.cheapest([("1e-1", 1.0, False), ("1e-2", 8.0, False)])
        self.assertEqual(none, (8.0, "1e-2", True))
        self.assertIsNone(agreement.cheapest([]))
        self.assertEqual(agreement.ratio(ours, none), (4.0, ">"))
        self.assertEqual(agreement.ratio(none, ours), (0.25, "<"))
        self.assertIsNone(agreement.ratio(none, none))
        self.assertIsNone(agreement.ratio(None, ours))

    def test_the_table_takes_the_cheapest_setting_of_each_engine(self):
        rng = random.Random(3)
        sample = lambda height: [{q: rng.gauss(height if q == "height" else 1, 0.1) for q in ensemble_table.ALL}
                                 for _ in range(30)]
        row = lambda time, height, tight=False: {"time": time, "tight": tight, "failed": 0, "fell": 0, "reason": "",
                                                 "quantities": sample(height)}
        rows = {("pile", "kinegraph", "1e-1"): row(1.0, 2.0), ("pile", "kinegraph", "1e-2"): row(2.0, 1.0),
                ("pile", "kinegraph", "1e-5"): row(9.0, 1.0, True), ("pile", "drake", "1e-1"): row(6.0, 5.0),
                ("pile", "drake", "1e-5"): row(None, 5.0, True), ("pile", "mujoco", "0.005"): row(3.0, 2.0),
                ("pile", "mujoco", "0.0001"): row(None, 5.0, True)}
        _, ratios = ensemble_table.ratio_table(rows, ["kinegraph", "drake", "mujoco"], ["pile"], ensemble_table.ALL)
        self.assertEqual(ratios, {"drake": {"pile": (3.0, "")}, "mujoco": {"pile": (1.5, ">")}})


class Starts(unittest.TestCase):
    INSTANCES = [{"name": "bin", "base": "fixed", "pose": {"xyz": [0, 0, 0], "quat": [1, 0, 0, 0]}},
                 {"name": "robot", "base": "floating", "pose": {"xyz": [0.0, 0.0, 1.0], "quat": [1, 0, 0, 0]},
                  "joints": {"knee": {"q": -1.0, "v": 0.0}}}]

    def test_starts_are_seeded_near_and_unlike(self):
        found = starts(self.INSTANCES, "1/pile", 20, 1e-3, 1e-2)
        self.assertEqual(found, starts(self.INSTANCES, "1/pile", 20, 1e-3, 1e-2))
        self.assertEqual(found[:5], starts(self.INSTANCES, "1/pile", 5, 1e-3, 1e-2))
        self.assertEqual(len({tuple(start[1]["pose"]["xyz"]) for start in found}), 20)
        for start in found:
            self.assertEqual(start[0], self.INSTANCES[0])
            pose = start[1]["pose"]
            self.assertLessEqual(max(abs(x - y) for x, y in zip(pose["xyz"], [0, 0, 1])), 1e-3)
            self.assertLessEqual(2 * math.acos(min(1.0, pose["quat"][0])), 1e-2 + 1e-9)
            self.assertAlmostEqual(math.hypot(*pose["quat"]), 1.0, 12)
            self.assertLessEqual(abs(start[1]["joints"]["knee"]["q"] + 1.0), 1e-2)
        self.assertEqual(self.INSTANCES[1]["pose"]["xyz"], [0.0, 0.0, 1.0])

    def test_rotations_follow_each_other(self):
        half = math.sqrt(0.5)
        for a, b in zip(product([half, 0, 0, half], [half, half, 0, 0]), [0.5, 0.5, 0.5, 0.5]):
            self.assertAlmostEqual(a, b)

    def test_a_diagram_gets_the_poses_of_free_models_and_all_joints(self):
        models = [{"name": "bin", "pose": "kept"}, {"name": "robot", "pose": "old"}]
        diagram = {"systems": {"plant": {"models": models, "initial": {"robot": "old"}}}}
        plant = into_diagram(diagram, self.INSTANCES)["systems"]["plant"]
        self.assertEqual([model["pose"] for model in plant["models"]], ["kept", self.INSTANCES[1]["pose"]])
        self.assertEqual(plant["initial"], {"robot": self.INSTANCES[1]["joints"]})
        self.assertEqual(models[1]["pose"], "old")


if __name__ == "__main__":
    unittest.main()
