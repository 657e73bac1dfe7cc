//! Throws past a post that it almost meets: derivatives say up to which speed they hold, and hold on either side.

use super::family::{add, report};
use super::scenes::*;
use crate::common::*;
use kinegraph::integrators::Options;
use kinegraph::simulate::gradient::NoteKind;

/// Radii of the disk and of the post, together \[m\].
const BOTH: f64 = 0.1 + 0.05;

/// Smallest distance of the centres of a disk thrown from (0, `z`) with (`vx`, `vz`) and the centre of a post.
fn least([z, vz, vx]: [f64; 3], post: [f64; 2]) -> f64 {
    let at = |t: f64| (vx * t - post[0]).hypot(z + vz * t - 0.5 * 9.81 * t * t - post[1]);
    let (mut low, mut high) = (0.0, 2.0 * post[0] / vx);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(0.5 * (low + high))
}

#[test]
fn a_miss_says_at_which_speed_it_is_a_hit() {
    let mut random = Random(5);
    let mut hits = [1e-3, 1e-4].map(|accuracy| (accuracy, Vec::new()));
    let mut thrown = 0;
    while thrown < 20 {
        let mut within = |low: f64, high: f64| random.between(low, high);
        let (z, vx) = (within(0.8, 1.5), within(1.0, 3.0));
        let post = [within(0.5, 1.0), within(0.6, 1.2)];
        let miss = within(0.003, 0.02);
        // The speed at which it passes above by the miss, and the one at which it just does not touch.
        let speed = |gap: f64| {
            let above = post[0] / vx;
            let mut low = (post[1] - z + 0.5 * 9.81 * above * above) / above;
            let mut high = low + 10.0;
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if least([z, middle, vx], post) < BOTH + gap { low = middle } else { high = middle }
            }
            0.5 * (low + high)
        };
        let (vz, grazing) = (speed(miss), speed(0.0));
        let until = 1.3 * post[0] / vx;
        if z + vz * until - 0.5 * 9.81 * until * until < 0.2 {
            continue; // It would land.
        }
        thrown += 1;
        let p = [z, vz, vx, 0.0, 0.3, 1e5, 1.0];
        let scene = move |p: &[f64]| disk_past([p[0], p[1], p[2], p[3], p[4], p[5], p[6]], post);
        for accuracy in [1e-3, 1e-4] {
            let found = gradient(scene, &p, &[1, 2], "end(plant.d.z.q)", until, accuracy);
            // In free flight: z + vz t - g t^2 / 2.
            assert!((found.get(0, 0).value - until).abs() < 30.0 * accuracy, "{:?}", found.get(0, 0));
            assert!(found.get(0, 1).value.abs() < 30.0 * accuracy, "{:?}", found.get(0, 1));
            let end = found.get(0, 0).valid.0;
            assert!((end - grazing).abs() <= 0.02 * (vz - grazing), "{accuracy:e}: {vz}: {end} for {grazing}");
            assert!(found.notes.iter().any(|note| note.kind == NoteKind::NearMiss), "{:?}", found.notes);
        }
        // As far on the other side it strikes the post.
        let mut p = p;
        p[1] = 2.0 * grazing - vz;
        // In flight a step may be long enough to pass the post by.
        let short = Options { max_step: 2e-3, ..tight() };
        let difference = |step| differences_of(&short, &scene, &p, 1, "plant.d.z.q", until, step);
        let references = [[2e-5, 1e-5].map(difference)];
        add(scene, &p, &[1], ("plant.d.z.q", until), &references, &mut hits);
    }
    for (accuracy, silent, within, count) in report("hits that graze", &hits) {
        assert_eq!(silent, 0, "{accuracy:e}");
        assert!(within * 100 >= count * 90, "{accuracy:e}: {within} of {count}");
    }
}
