//! Derivatives of random throws, slides and pendulums on stops, against differences of tight runs: within 30 accuracies
//! of their own size, or said to be off by as much.

use super::scenes::*;
use crate::common::*;
use kinegraph::simulate::gradient::{Gradient, NoteKind};
use kinegraph::systems::multibody::plant::StopLaw;

/// Result of one derivative: its error over the accuracy, and whether its estimate or a note says so.
pub struct Found {
    ratio: f64,
    said: bool,
    /// True if a note says that a block branches or holds.
    branches: bool,
}

/// Error of a derivative, and whether something says so.
pub fn judge(gradient: &Gradient, by: usize, reference: f64, accuracy: f64) -> Found {
    let found = gradient.get(0, by);
    let off = (found.value - reference).abs();
    if off > 30.0 * accuracy * reference.abs().max(1.0) {
        println!("    {:?} for {reference}, notes {:?}", found, gradient.notes);
    }
    let said = found.error >= off || gradient.notes.iter().any(|note| note.kind != NoteKind::NearMiss);
    let branches = gradient.notes.iter().any(|note| matches!(note.kind, NoteKind::Kink | NoteKind::Held));
    Found { branches, ratio: off / (accuracy * reference.abs().max(1.0)), said }
}

impl Found {
    /// True if it is far off, and nothing says so.
    pub fn is_silent(&self) -> bool {
        self.ratio > 30.0 && !self.said
    }
}

/// Derivatives of a scene at all accuracies; left out where the two differences of the reference do not agree.
pub fn add(
    scene: impl Scene,
    p: &[f64],
    by: &[usize],
    (channel, until): (&str, f64),
    references: &[[f64; 2]],
    all: &mut [(f64, Vec<Found>)],
) {
    for (accuracy, all) in all {
        let gradient = gradient(scene.clone(), p, by, &format!("end({channel})"), until, *accuracy);
        for (column, [coarse, fine]) in references.iter().enumerate() {
            if (coarse - fine).abs() < *accuracy * fine.abs().max(1.0) {
                all.push(judge(&gradient, column, fine + (fine - coarse) / 3.0, *accuracy));
            }
        }
    }
}

/// Throws of a disk, by its height and friction, and slides of a disk at rest, by its speed and friction.
fn disks(count: usize, all: &mut [(f64, Vec<Found>)]) {
    let mut random = Random(7);
    for i in 0..count {
        let mut within = |low: f64, high: f64| random.between(low, high);
        let (stiffness, dissipation) = (10f64.powf(within(3.5, 6.0)), 10f64.powf(within(-1.5, 1.5)));
        let mut p = [within(0.15, 0.5), within(-2.0, 1.0), within(-2.0, 2.0), within(-20.0, 20.0), within(0.05, 0.9)];
        let until = within(0.3, 0.8);
        let slides = i % 4 == 3;
        if slides {
            (p[0], p[1]) = (0.1 - 9.81 / stiffness, 0.0);
        }
        let by = if slides { [2, 4] } else { [0, 4] };
        let scene = move |p: &[f64]| disk([p[0], p[1], p[2], p[3], p[4], stiffness, dissipation]);
        let channel = "plant.d.x.q";
        let references = by.map(|by| [2e-4, 1e-4].map(|step| differences(&scene, &p, by, channel, until, step)));
        add(scene, &p, &by, (channel, until), &references, all);
    }
}

/// Angle at a time of a pendulum of 1 m that strikes a stop at 0: fourth order in 20,000 steps a second, with impacts
/// where the angle of the cubic is zero.
fn struck(start: f64, restitution: f64, until: f64) -> f64 {
    let rate = |[q, v]: [f64; 2]| [v, -9.81 * q.sin()];
    let along = |x: [f64; 2], k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
    let step = |x: [f64; 2], h: f64| {
        let a = rate(x);
        let b = rate(along(x, a, 0.5 * h));
        let c = rate(along(x, b, 0.5 * h));
        let d = rate(along(x, c, h));
        [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]))
    };
    let (mut x, mut t) = ([start, 0.0], 0.0);
    while t < until {
        let h = (until - t).min(5e-5);
        let next = step(x, h);
        if next[0] < 0.0 && next[1] < 0.0 {
            let (mut low, mut high) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                (low, high) = if step(x, middle)[0] > 0.0 { (middle, high) } else { (low, middle) };
            }
            let at = step(x, high);
            (x, t) = ([0.0, -restitution * at[1]], t + high);
        } else {
            (x, t) = (next, t + h);
        }
    }
    x[0]
}

/// Pendulums that strike a stop, by their start and their restitution.
fn pendulums(count: usize, all: &mut [(f64, Vec<Found>)]) {
    let mut random = Random(11);
    for _ in 0..count {
        let p = [random.between(0.3, 1.5), random.between(0.4, 0.95)];
        let until = random.between(0.8, 2.0);
        let references = [0, 1].map(|by| {
            [2e-5, 1e-5].map(|step| {
                let end = |sign: f64| {
                    let mut moved = p;
                    moved[by] += sign * step;
                    struck(moved[0], moved[1], until)
                };
                (end(1.0) - end(-1.0)) / (2.0 * step)
            })
        });
        let scene = |p: &[f64]| pendulum(p[0], StopLaw::giving_back(p[1]));
        add(scene, &p, &[0, 1], ("plant.p.hinge.q", until), &references, all);
    }
}

#[test]
fn random_scenes_have_derivatives_that_say_how_far_off_they_are() {
    let count = std::env::var("KINEGRAPH_SCENES").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let mut all = [1e-3, 1e-4].map(|accuracy| (accuracy, Vec::new()));
    disks(count, &mut all);
    pendulums(count, &mut all);
    for (accuracy, silent, within, count) in report("throws, slides, stops", &all) {
        assert_eq!(silent, 0, "{accuracy:e}");
        assert!(within * 100 >= count * 90, "{accuracy:e}: {within} of {count}");
    }
}

/// Prints what was found. Returns for each accuracy how many are off without a word, within 30 accuracies, and all.
pub fn report(name: &str, all: &[(f64, Vec<Found>)]) -> Vec<(f64, usize, usize, usize)> {
    let mut counts = Vec::new();
    for (accuracy, found) in all {
        let mut ratios: Vec<f64> = found.iter().map(|found| found.ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let silent = found.iter().filter(|found| found.is_silent()).count();
        let within = found.iter().filter(|found| found.ratio <= 30.0).count();
        let noted = found.iter().filter(|found| found.branches).count();
        let percent = |part: usize| ratios.get(part * ratios.len().saturating_sub(1) / 100).copied().unwrap_or(0.0);
        println!(
            "{name}, {accuracy:e}: {within} of {} within 30, {silent} silent, {noted} with a branch noted; median {:.2}, 90 % {:.1}, worst {:.1}",
            found.len(),
            percent(50),
            percent(90),
            percent(100)
        );
        counts.push((*accuracy, silent, within, found.len()));
    }
    counts
}
