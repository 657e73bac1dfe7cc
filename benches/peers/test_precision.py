#!/usr/bin/env python3
"""python3 -m unittest discover benches/peers"""
import tempfile
import unittest
from pathlib import Path

import history
import table
from precision import Reference, end_of, front, geometric_mean, lowest, ratio_at_equal_error, time_at, unsigned, wrong


class Precision(unittest.TestCase):
    def test_methods_of_the_same_order_differ_by_their_constant(self):
        # Second order: the error falls with the square of the work. Theirs works three times as much, at other errors.
        ours = [(1e-2, 1.0), (1e-4, 10.0), (1e-6, 100.0)]
        theirs = [(3e-3, 3.0 * (1e-2 / 3e-3) ** 0.5), (3e-5, 3.0 * (1e-2 / 3e-5) ** 0.5)]
        ratio, bound, low, high = ratio_at_equal_error(ours, theirs)
        self.assertAlmostEqual(ratio, 3.0, 9)
        self.assertEqual((bound, low, high), ("", 3e-5, 3e-3))

    def test_a_method_that_is_always_more_accurate_gives_a_bound(self):
        self.assertEqual(ratio_at_equal_error([(1e-6, 1.0), (1e-8, 2.0)], [(1e-2, 3.0), (1e-4, 5.0)])[:2], (5.0, ">"))
        self.assertEqual(ratio_at_equal_error([(1e-2, 3.0), (1e-4, 5.0)], [(1e-6, 1.0), (1e-8, 2.0)])[:2], (0.2, "<"))
        self.assertIsNone(ratio_at_equal_error([], [(1.0, 1.0)]))

    def test_a_run_that_is_worse_in_both_does_not_count(self):
        points = front([(1e-2, 1.0), (2e-2, 2.0), (1e-4, 10.0)])
        self.assertEqual(points, [(1e-2, 1.0), (1e-4, 10.0)])
        self.assertAlmostEqual(time_at(points, 1e-3), 10 ** 0.5)
        self.assertEqual((time_at(points, 1.0), time_at(points, 1e-5)), (1.0, float("inf")))

    def test_the_mean_leaves_out_what_is_missing(self):
        self.assertAlmostEqual(geometric_mean([2.0, None, 8.0]), 4.0)
        self.assertIsNone(geometric_mean([None]))

    def test_coordinates_are_found_under_both_names(self):
        run = {"status": "ok", "final_state": {"plant.crate.base.qw": 1.0, "plant.crate.base.z": -0.2, "plant.hand.finger.q": 0.1}}
        self.assertEqual(end_of(run, ["hand_finger_x", "crate_base_z"]), {"hand_finger_x": 0.1, "crate_base_z": -0.2})
        self.assertIsNone(end_of(run, ["nobody"]))
        peer = {"status": "ok", "q_names": ["hand_finger_x", "crate_base_z"], "final_q": [0.1, -0.2]}
        self.assertEqual(end_of(peer, ["hand_finger_q", "crate_base_z"]), {"hand_finger_q": 0.1, "crate_base_z": -0.2})
        self.assertIsNone(end_of(peer, ["nobody"]))
        self.assertEqual(lowest(run, {"crate"}), -0.2)
        self.assertEqual(wrong(run, None, {"crate"}), "fell through")
        peer = {"status": "ok", "final_positions": {"crate/base": [0, 0, 0.1], "arm/hanging": [0, 0, -0.5]}}
        self.assertEqual(wrong(peer, 0.2, {"crate"}), "far off")
        self.assertEqual(wrong({"status": "timeout"}, None, set()), "timeout")

    def test_both_signs_of_a_quaternion_are_the_same(self):
        reference = {"b_qw": 1.0, "b_qx": 0.0, "b_qy": 0.0, "b_qz": 0.0, "b_x": 1.0}
        turned = unsigned(reference, {"b_qw": -1.0, "b_qx": 0.0, "b_qy": 0.0, "b_qz": 0.0, "b_x": 1.0})
        self.assertEqual((turned["b_qw"], turned["b_x"]), (-1.0, 1.0))


class References(unittest.TestCase):
    def run_at(self, x, **more):
        return {"status": "ok", "q_names": ["a_q", "a_v"], "final_q": [x, 7.0], **more}

    def test_an_engine_is_judged_by_its_own_tight_runs(self):
        own = Reference.of_runs(self.run_at(1.0), self.run_at(1.0001), set())
        self.assertEqual((own.names, own.q), (["a_q"], [1.0001]))
        self.assertAlmostEqual(own.uncertain, 1e-4)
        self.assertAlmostEqual(own.error(self.run_at(1.5)), 0.4999)

    def test_tight_runs_that_part_are_no_reference(self):
        self.assertIsNone(Reference.of_runs(self.run_at(1.0), self.run_at(1.5), set()).error(self.run_at(1.5)))
        self.assertIsNone(Reference.of_runs({"status": "timeout"}, self.run_at(1.5), set()).q)

    def row(self, error, time, own_error=None, uncertain=0.0):
        return {"status": "ok", "error": error, "own_error": own_error, "time": time, "wrong": "", "uncertain": uncertain}

    def test_no_error_counts_as_less_than_the_reference_knows(self):
        rows = {("a", "kinegraph", "1e-2"): self.row(1e-9, 1.0, uncertain=1e-3)}
        self.assertEqual(table.points_of(rows, "kinegraph", "a"), [(1e-3, 1.0)])

    def test_runs_that_end_elsewhere_are_a_bound_at_most(self):
        rows = {("a", "drake", "1e-1"): self.row(0.5, 1.0), ("a", "drake", "1e-2"): self.row(0.3, 2.0)}
        self.assertEqual(table.points_of(rows, "drake", "a"), [(0.3, 2.0)])
        rows["a", "kinegraph", "1e-2"] = self.row(0.4, 1.0)
        self.assertEqual(table.equal_error(rows, ["kinegraph", "drake"], ["a"]), {"drake": {}})
        rows["a", "kinegraph", "1e-3"] = self.row(0.02, 1.0)
        self.assertEqual(table.equal_error(rows, ["kinegraph", "drake"], ["a"])["drake"]["a"][:2], (2.0, ">"))
        rows["a", "drake", "1e-3"] = self.row(0.01, 9.0)
        self.assertEqual(table.points_of(rows, "drake", "a"), [(0.01, 9.0)])

    def test_another_contact_model_is_compared_by_the_errors_of_steps(self):
        rows = {("a", "kinegraph", "1e-2"): self.row(0.05, 2.0, own_error=1e-3),
                ("a", "drake", "1e-2"): self.row(0.05, 6.0), ("a", "mujoco", None): self.row(1e-3, 1.0, own_error=1e-3)}
        found = table.equal_error(rows, ["kinegraph", "drake", "mujoco"], ["a"])
        self.assertEqual({e: (round(of["a"][0], 9), of["a"][1]) for e, of in found.items()}, {"drake": (3.0, ""), "mujoco": (0.5, "")})
        ratios = history.ratios_of(rows, ["kinegraph", "drake", "mujoco"], ["1e-2"], ["a"])
        self.assertEqual(ratios["drake"], {"1e-2": {"a": 3.0}, "equal error": {"a": 3.0}})


class History(unittest.TestCase):
    def run_of(self, seconds, wrong=None):
        return {"status": "ok", "time": seconds, "wrong": wrong}

    def test_ratios_are_those_of_sound_runs(self):
        rows = {("a", "kinegraph", "1e-2"): self.run_of(2.0), ("a", "drake", "1e-2"): self.run_of(8.0),
                ("a", "mujoco", None): self.run_of(1.0), ("b", "kinegraph", "1e-2"): self.run_of(1.0),
                ("b", "drake", "1e-2"): self.run_of(9.0, "fell through"), ("c", "kinegraph", "1e-2"): self.run_of(1.0)}
        found = history.ratios_of(rows, ["kinegraph", "drake", "mujoco"], ["1e-2"], ["a", "b", "c"])
        self.assertEqual(found, {"drake": {"1e-2": {"a": 4.0}}, "mujoco": {"1e-2": {"a": 0.5}}})

    def test_what_else_is_noted_of_a_release_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "history.json"
            history.note(file, "0.1.0", "2026-01-01", {"drake": {"equal error": {"a": 2.0}}})
            noted = history.note(file, "0.1.0", "2026-01-02", {"drake": {"equal statistics": {"b": 3.0}}})
        self.assertEqual(noted, [{"release": "0.1.0", "began": "2026-01-02", "ratios": {
            "drake": {"equal error": {"a": 2.0}, "equal statistics": {"b": 3.0}}}}])

    def test_releases_stand_beside_each_other_and_a_name_is_noted_once(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "history.json"
            history.note(file, "0.1.0", "2026-01-01", {"drake": {"1e-2": {"a": 1.0, "b": 2.0}}})
            history.note(file, "0.2.0", "2026-02-01", {"drake": {"1e-2": {"a": 5.0}}})
            lines = history.tables(history.note(file, "0.2.0", "2026-02-02", {"drake": {"1e-2": {"a": 4.0, "c": 3.0}}}))
        self.assertEqual(lines, ["drake at 1e-2, by release:", "", "| scene | 0.1.0 | 0.2.0 |", "|---|---|---|",
                                 "| a | 1 | 4 |", "| b | 2 |  |", "| c |  | 3 |", "| **geometric mean** of 1 | 1 | 4 |", ""])


if __name__ == "__main__":
    unittest.main()
