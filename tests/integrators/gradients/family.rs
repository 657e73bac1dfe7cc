//! Derivatives of random throws, against differences of tight runs: within 30 accuracies of their own size, or said to
//! be off by as much.

use super::scenes::*;
use crate::common::*;
use kinegraph::simulate::gradient::{Gradient, NoteKind};

/// Result of one derivative: its error over the accuracy, and whether its estimate or a note says so.
struct Found {
    ratio: f64,
    said: bool,
}

fn judge(gradient: &Gradient, by: usize, reference: f64, accuracy: f64) -> Found {
    let found = gradient.get(0, by);
    let off = (found.value - reference).abs();
    let said = found.error >= off || gradient.notes.iter().any(|note| note.kind != NoteKind::NearMiss);
    Found { ratio: off / (accuracy * reference.abs().max(1.0)), said }
}

/// Throws of a disk; the reference is left out where its two differences do not agree.
fn throws(count: usize, accuracies: &[f64]) -> Vec<Vec<Found>> {
    let mut random = Random(7);
    let mut all: Vec<Vec<Found>> = accuracies.iter().map(|_| Vec::new()).collect();
    for _ in 0..count {
        let mut within = |low: f64, high: f64| random.between(low, high);
        let (stiffness, dissipation) = (10f64.powf(within(3.5, 6.0)), 10f64.powf(within(-1.5, 1.5)));
        let p = [within(0.15, 0.5), within(-2.0, 1.0), within(-2.0, 2.0), within(-20.0, 20.0), within(0.05, 0.9)];
        let until = within(0.3, 0.8);
        let scene = move |p: &[f64]| disk([p[0], p[1], p[2], p[3], p[4], stiffness, dissipation]);
        let channel = "plant.d.x.q";
        let references = [0, 4].map(|by| [2e-4, 1e-4].map(|step| differences(&scene, &p, by, channel, until, step)));
        for (&accuracy, all) in accuracies.iter().zip(&mut all) {
            let gradient = gradient(scene, &p, &[0, 4], "end(plant.d.x.q)", until, accuracy);
            for (by, [coarse, fine]) in references.iter().enumerate() {
                if (coarse - fine).abs() < accuracy * fine.abs().max(1.0) {
                    all.push(judge(&gradient, by, fine + (fine - coarse) / 3.0, accuracy));
                }
            }
        }
    }
    all
}

#[test]
fn throws_have_derivatives_that_say_how_far_off_they_are() {
    let count = std::env::var("KINEGRAPH_THROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let accuracies = [1e-3, 1e-4];
    for (accuracy, found) in accuracies.iter().zip(throws(count, &accuracies)) {
        let mut ratios: Vec<f64> = found.iter().map(|found| found.ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let silent = found.iter().filter(|found| found.ratio > 30.0 && !found.said).count();
        let within = found.iter().filter(|found| found.ratio <= 30.0).count();
        println!("{accuracy:e}: {within} of {} within 30, {silent} silent; {ratios:.2?}", found.len());
        assert_eq!(silent, 0, "{accuracy:e}");
        assert!(within * 100 >= found.len() * 80, "{accuracy:e}: {ratios:?}");
    }
}
