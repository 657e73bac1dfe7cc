//! Tests of `systems/geometry/spin.rs`.

use kinegraph_geometry::spin::{Plane, first_moment, part_of_points};
use nalgebra::{Vector2, Vector3};

/// The first moment by the midpoint rule over small triangles.
fn numerically(p: Vector2<f64>, q: Vector2<f64>, d: &Plane) -> f64 {
    const N: usize = 400;
    let area = 0.5 * p.perp(&q) / (N * N) as f64;
    let mut sum = 0.0;
    for i in 0..N {
        for j in 0..N - i {
            // The middles of a triangle and of the one beyond it.
            for (third, counts) in [(1.0 / 3.0, true), (2.0 / 3.0, i + j + 1 < N)] {
                if counts {
                    let r = (p * (i as f64 + third) + q * (j as f64 + third)) / N as f64;
                    sum += area * r.norm() * (d.at + d.slope.dot(&r));
                }
            }
        }
    }
    sum
}

#[test]
fn the_moment_of_a_triangle_is_that_of_its_integral() {
    let cases = [
        ([1.0, -0.5], [0.8, 0.9], 1.0, [0.0, 0.0]),
        ([0.3, 0.1], [-0.2, 0.5], 2.0, [0.7, -1.3]),
        ([-0.3, -0.4], [0.5, -0.45], 0.4, [-0.5, 0.2]),
        ([0.5, -0.45], [-0.3, -0.4], 0.4, [-0.5, 0.2]),
    ];
    for (p, q, at, slope) in cases {
        let d = Plane { at, slope: slope.into() };
        let (found, wanted) = (first_moment(&p.into(), &q.into(), &d), numerically(p.into(), q.into(), &d));
        assert!((found - wanted).abs() < 2e-5 * wanted.abs(), "{p:?} {q:?}: {found} {wanted}");
    }
}

#[test]
fn corners_of_a_square_and_ends_of_a_line_turn_at_a_part_of_their_distance() {
    let n = Vector3::new(0.0, 0.6, 0.8);
    let (u, v) = (Vector3::x(), Vector3::new(0.0, 0.8, -0.6));
    let square: Vec<_> =
        [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].map(|(x, y)| u * (x + 3.0) + v * y).into();
    let mean = (2.0_f64.sqrt() + 1.0_f64.asinh()) / 3.0;
    assert!((part_of_points(&square, &n, false) - mean / 2.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(part_of_points(&square, &n, true), 2.0 / 3.0);
    assert_eq!(part_of_points(&square[..2], &n, false), 0.5);
    assert_eq!(part_of_points(&square[..1], &n, false), 1.0);
}
