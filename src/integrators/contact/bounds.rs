//! Bounds: how fast things move, and how stiff they may be.

use crate::systems::convex::{PlantPoint, PlantStructure};
use nalgebra::{DMatrix, Vector3};

/// Distance per step^2 by which gravity may bring bodies closer than their velocity shows \[m/s²\]: twice what one
/// falls that started at rest.
pub(in crate::integrators) fn fall(structure: &PlantStructure) -> f64 {
    Vector3::from(structure.gravity).norm()
}

/// The largest closing speed of any two bodies that can touch, bounded by twice the speed of the fastest point \[m/s\];
/// `radius` is that of each body about its origin, zero if it has no shape.
pub(in crate::integrators) fn fastest(data: &PlantPoint, radius: &[f64]) -> f64 {
    let mut fastest = 0.0_f64;
    for (V, &r) in data.V_WB.iter().zip(radius).filter(|(_, r)| **r > 0.0) {
        let (w, v) = halves(V);
        fastest = fastest.max(v.norm() + w.norm() * r);
    }
    2.0 * fastest
}

/// A bound on the speed at which any two of these bodies, or one and what stands still, approach each other \[m/s\]:
/// angular velocity, velocity of the origin, and how far the points of the body are from that. Bodies that move
/// together do not approach each other.
pub(in crate::integrators) fn fastest_approach(
    bodies: impl Iterator<Item = ((Vector3<f64>, Vector3<f64>), f64)>,
) -> f64 {
    let (mut lower, mut upper) = (Vector3::zeros(), Vector3::zeros());
    let (mut first, mut second) = (0.0_f64, 0.0_f64);
    for ((w, v), radius) in bodies {
        let turning = w.norm() * radius;
        lower = lower.inf(&v.add_scalar(-turning));
        upper = upper.sup(&v.add_scalar(turning));
        let speed = v.norm() + turning;
        second = second.max(speed.min(first));
        first = first.max(speed);
    }
    (upper - lower).norm().min(first + second)
}

/// Angular velocity and velocity.
pub(in crate::integrators) fn halves(V: &[f64; 6]) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(V[0], V[1], V[2]), Vector3::new(V[3], V[4], V[5]))
}

/// A bound on the rates of `z' = F z` \[1/s\]: the root of the largest row sum of `|F|²`. `sums` is scratch.
pub(in crate::integrators) fn fastest_rate(F: &DMatrix<f64>, sums: &mut Vec<f64>) -> f64 {
    let row =
        |i: usize, weight: &dyn Fn(usize) -> f64| F.row(i).iter().enumerate().map(|(j, x)| x.abs() * weight(j)).sum();
    sums.clear();
    sums.extend((0..F.nrows()).map(|i| -> f64 { row(i, &|_| 1.0) }));
    let squares = (0..F.nrows()).map(|i| -> f64 { row(i, &|j| sums[j]) });
    squares.fold(0.0, f64::max).sqrt()
}
