//! Derivatives through impacts. References: tight runs of the continuous law, differences with two steps; the pendulum
//! by DOP853 with events.

use super::scenes::*;
use kinegraph::systems::multibody::plant::StopLaw;

/// Without the change of the time of the impact, the first would be 0.557.
#[test]
fn a_stop_gives_back() {
    let scene = |p: &[f64]| pendulum(p[0], StopLaw::giving_back(p[1]));
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
        let found = gradient(scene, &[1.0, 0.8], &[0, 1], "end(plant.p.hinge.q)", 2.0, accuracy);
        for (i, reference) in [0.478_672_59, 1.465_708_4].into_iter().enumerate() {
            let value = found.get(0, i).value;
            assert!((value - reference).abs() < 2e-6, "{accuracy:e}: {value} for {reference}");
        }
        assert!(found.notes.is_empty(), "{:?}", found.notes);
        // The time of the first impact.
        let found = gradient(scene, &[1.0, 0.8], &[0], "time(stop plant.p.hinge)", 1.0, accuracy);
        let value = found.get(0, 0).value;
        assert!((value - 0.070_656_2).abs() < 2e-7, "{accuracy:e}: {value}");
    }
}

#[test]
fn a_compliant_stop() {
    let scene = |p: &[f64]| pendulum(p[0], StopLaw::compliant(10f64.powf(p[1]), 0.1));
    for (accuracy, most) in [(1e-4, 1e-3), (1e-5, 1e-4)] {
        let found = gradient(scene, &[1.0, 4.0], &[0, 1], "end(plant.p.hinge.q)", 2.0, accuracy);
        for (i, reference) in [0.263_261_5, 0.071_207_66].into_iter().enumerate() {
            let value = found.get(0, i).value;
            assert!((value - reference).abs() < most, "{accuracy:e}: {value} for {reference}");
        }
    }
}

#[test]
fn a_damped_impact_that_rubs() {
    let scene = |p: &[f64]| disk([p[0], -1.0, 1.0, 0.0, p[1], 1e6, 30.0]);
    let reference = [0, 1].map(|by| differences(&scene, &[0.3, 0.3], by, "plant.d.x.q", 0.2, 1e-4));
    for accuracy in [1e-3, 1e-4] {
        let found = gradient(scene, &[0.3, 0.3], &[0, 1], "end(plant.d.x.q)", 0.2, accuracy);
        for (i, reference) in reference.into_iter().enumerate() {
            let value = found.get(0, i).value;
            assert!((value - reference).abs() < 1e-3, "{accuracy:e}: {value} for {reference}");
        }
    }
}

/// Derivatives of the way of a disk, by two of its numbers, against differences, at some accuracies.
fn disk_agrees(p: [f64; 7], by: [usize; 2], until: f64, rows: &[(f64, f64)]) {
    let scene = |p: &[f64]| disk([p[0], p[1], p[2], p[3], p[4], p[5], p[6]]);
    let reference = by.map(|by| differences(&scene, &p, by, "plant.d.x.q", until, 1e-4));
    for &(accuracy, most) in rows {
        let found = gradient(scene, &p, &by, "end(plant.d.x.q)", until, accuracy);
        for (i, reference) in reference.into_iter().enumerate() {
            let value = found.get(0, i).value;
            assert!((value - reference).abs() < most, "{accuracy:e}: {value} for {reference}");
        }
    }
}

#[test]
fn a_soft_ball_that_rolls_between_two_impacts() {
    disk_agrees([0.3, -1.0, 1.0, 0.0, 0.3, 1e4, 0.2], [0, 4], 0.6, &[(1e-3, 2e-3), (1e-4, 2e-3)]);
}

#[test]
fn sliding_that_ends_in_rolling() {
    disk_agrees([0.1 - 9.81e-4, 0.0, 0.8, 0.0, 0.3, 1e4, 1.0], [2, 4], 0.4, &[(1e-3, 5e-5), (1e-4, 5e-4)]);
}
