//! Tests of `systems/geometry/shares.rs`.

use kinegraph_geometry::shares::{of_end, of_outline};

fn shares(outline: &[[f64; 2]]) -> Vec<f64> {
    let mut shares = vec![0.0; outline.len()];
    of_outline(outline, |j, w| shares[j] = w);
    shares
}

/// Shares sum to one, and the points weighted by them have the centroid of the outline.
#[test]
fn the_force_acts_in_the_centroid() {
    let l = [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [1.0, 4.0], [0.0, 3.0]];
    let (twice, moment) = (0..5).fold((0.0, [0.0; 2]), |(a, m), j| {
        let (p, q): ([f64; 2], [f64; 2]) = (l[j], l[(j + 1) % 5]);
        let part = p[0] * q[1] - p[1] * q[0];
        (a + part, [m[0] + part * (p[0] + q[0]), m[1] + part * (p[1] + q[1])])
    });
    let w = shares(&l);
    assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    for axis in 0..2 {
        let mean: f64 = w.iter().zip(&l).map(|(w, p)| w * p[axis]).sum();
        assert!((mean - moment[axis] / (3.0 * twice)).abs() < 1e-14);
    }
    assert_eq!(shares(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), [0.25; 4]);
}

/// Two corners in place of one have its share together, to first order in their distance.
#[test]
fn a_corner_that_is_cut_off_keeps_its_share() {
    let square = shares(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    for e in [1e-3, 1e-6, 1e-9] {
        let cut = shares(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0 - e], [1.0 - e, 1.0], [0.0, 1.0]]);
        let merged = [cut[0], cut[1], cut[2] + cut[3], cut[4]];
        assert!(merged.iter().zip(&square).all(|(a, b)| (a - b).abs() < 2.0 * e), "{merged:?}");
    }
}

#[test]
fn points_on_a_line_and_at_its_ends() {
    assert_eq!(shares(&[[0.0, 0.0], [2.0, 0.0]]), [0.5, 0.5]);
    assert_eq!(shares(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]]), [0.25, 0.25, 0.5]);
    assert_eq!((of_end(0.0, 1.0), of_end(1.0, 0.0), of_end(-1.0, 0.0)), (0.5, 1.0, 0.0));
}
