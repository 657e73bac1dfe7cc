//! Bounds of speeds and rates.

use crate::linearize::GroupMatrix;
use kinegraph_core::convex::{ContactPoint, PlantPoint, PlantStructure};
use nalgebra::Vector3;

/// Acceleration \[m/s²\] that, times step², bounds how far gravity may bring bodies closer than their velocity shows:
/// twice the distance of a fall from rest.
pub(in crate::integrators) fn fall(structure: &PlantStructure) -> f64 {
    Vector3::from(structure.gravity).norm()
}

/// Bound on the closing speed of any two bodies that can touch \[m/s\]: twice the speed of the fastest point. `radius`
/// is that of each body about its origin, zero if it has no shape.
pub(in crate::integrators) fn fastest(data: &PlantPoint, radius: &[f64]) -> f64 {
    let mut fastest = 0.0_f64;
    for (V, &r) in data.V_WB.iter().zip(radius).filter(|(_, r)| **r > 0.0) {
        let (w, v) = halves(V);
        fastest = fastest.max(v.norm() + w.norm() * r);
    }
    2.0 * fastest
}

/// Distance \[m\] from the origin of `body` of a contact to its surface along `out`, which leads to the other body.
pub(in crate::integrators) fn nearest(contact: &ContactPoint, at: &PlantPoint, body: usize, out: &Vector3<f64>) -> f64 {
    // The point of a contact is in the middle of the gap.
    let to_middle = Vector3::from(contact.p_WC) - Vector3::from(at.p_WB[body]);
    out.dot(&to_middle) + 0.5 * contact.depth
}

/// Bound on the speed at which two bodies approach each other, for points up to `beyond` outside of them \[m/s\];
/// `radius` is that of each body about its origin.
pub(in crate::integrators) fn approach(
    [(w, v), (other_w, other_v)]: [(Vector3<f64>, Vector3<f64>); 2],
    radius: [f64; 2],
    beyond: f64,
) -> f64 {
    (v - other_v).norm() + w.norm() * (radius[0] + beyond) + other_w.norm() * (radius[1] + beyond)
}

/// Bound on the speed at which any two of these bodies, or one and a fixed one, approach each other \[m/s\]. Of each
/// body: angular velocity, velocity of the origin, and the distance of its points from there. Bodies that move together
/// do not approach each other.
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

/// Angular velocity and velocity of the spatial velocity `V`.
pub(in crate::integrators) fn halves(V: &[f64; 6]) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(V[0], V[1], V[2]), Vector3::new(V[3], V[4], V[5]))
}

/// Bound on the rates of `z' = F z` \[1/s\]: the root of the largest row sum of `|F|²`. `sums` is scratch.
pub fn fastest_rate(F: &GroupMatrix, sums: &mut Vec<f64>) -> f64 {
    let n = F.nrows();
    sums.clear();
    sums.resize(2 * n, 0.0);
    let (sums, squares) = sums.split_at_mut(n);
    for column in 0..n {
        let (rows, values) = F.column(column);
        rows.iter().zip(values).for_each(|(&row, x)| sums[row] += x.abs());
    }
    for (column, sum) in sums.iter().enumerate() {
        let (rows, values) = F.column(column);
        rows.iter().zip(values).for_each(|(&row, x)| squares[row] += x.abs() * sum);
    }
    squares.iter().copied().fold(0.0, f64::max).sqrt()
}
