//! How strongly a cup sucks at a distance, and the faces it sucks at.

use crate::Scalar;
use nalgebra::Vector3;

/// The force of one cup over its distance from a face.
///
/// With the distance zero while the cup touches, the force there should be the cup's holding force, and fall smoothly
/// from it: where it falls faster than the springs behind the cup yield, the cup snaps on, as real ones do.
pub trait SuctionLaw: Send + Sync + 'static {
    /// The force \[N\] at `distance` \[m\], zero or more.
    fn force<S: Scalar>(&self, distance: S) -> S;
}

/// Force laws by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Suction {
    /// `c / (distance + d0)`: c/d0 in touch, long range.
    InverseDistance {
        /// \[N m\]
        c: f64,
        /// \[m\]
        d0: f64,
    },
    /// `force (1 - 3 s² + 2 s³)`, s = distance/reach: nothing beyond the reach.
    Seal {
        /// Holding force \[N\].
        force: f64,
        /// \[m\]
        reach: f64,
    },
}

impl SuctionLaw for Suction {
    fn force<S: Scalar>(&self, distance: S) -> S {
        match *self {
            Suction::InverseDistance { c, d0 } => S::constant(c) / (distance + S::constant(d0)),
            Suction::Seal { reach, .. } if distance.value() >= reach => S::zero(),
            Suction::Seal { force, reach } => {
                let s = distance / S::constant(reach);
                S::constant(force) * (S::one() - s * s * (S::constant(3.0) - S::constant(2.0) * s))
            }
        }
    }
}

impl Suction {
    /// The parameters with their names, all of which must be positive.
    pub(super) fn parameters(&self) -> [(&'static str, f64); 2] {
        match *self {
            Suction::InverseDistance { c, d0 } => [("suction.c", c), ("suction.d0", d0)],
            Suction::Seal { force, reach } => [("suction.force", force), ("suction.reach", reach)],
        }
    }
}

/// A face that cups can suck at, in the axes of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// An unbounded plane; what lies under it touches it.
    Plane {
        /// A point of it \[m\].
        point: [f64; 3],
        /// Its normal, out of the link; of any length.
        normal: [f64; 3],
    },
    /// A box along the axes of the link.
    Box {
        /// Its centre \[m\].
        center: [f64; 3],
        /// Its edges \[m\].
        size: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// Its centre \[m\].
        center: [f64; 3],
        /// Its radius \[m\].
        radius: f64,
    },
}

impl Face {
    /// Distance of the point `p` (in link axes) from the face, zero inside, and the normal out of the face there.
    pub(super) fn distance<S: Scalar>(&self, p: &Vector3<S>) -> (S, Vector3<S>) {
        let lift = |v: [f64; 3]| Vector3::from(v).map(S::constant);
        match *self {
            Face::Plane { point, normal } => {
                let n = Vector3::from(normal).normalize().map(S::constant);
                (at_least_zero(n.dot(&(p - lift(point)))), n)
            }
            Face::Sphere { center, radius } => {
                let d = p - lift(center);
                if d.norm_squared().value() == 0.0 {
                    return (S::zero(), Vector3::z());
                }
                let length = d.norm();
                (at_least_zero(length - S::constant(radius)), d / length)
            }
            Face::Box { center, size } => {
                let d = p - lift(center);
                let beyond = Vector3::from_fn(|i, _| {
                    let half = S::constant(0.5 * size[i]);
                    if d[i] > half {
                        d[i] - half
                    } else if d[i] < -half {
                        d[i] + half
                    } else {
                        S::zero()
                    }
                });
                if beyond.norm_squared().value() > 0.0 {
                    let length = beyond.norm();
                    return (length, beyond / length);
                }
                // Inside: the nearest side.
                let depth = |i: usize| 0.5 * size[i] - d[i].value().abs();
                let side = (0..3).min_by(|&i, &j| depth(i).total_cmp(&depth(j))).unwrap_or(2);
                let outward = Vector3::from_fn(|i, _| match i == side {
                    true => S::constant(1.0_f64.copysign(d[i].value())),
                    false => S::zero(),
                });
                (S::zero(), outward)
            }
        }
    }
}

fn at_least_zero<S: Scalar>(x: S) -> S {
    if x.value() > 0.0 { x } else { S::zero() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(face: Face, p: [f64; 3], distance: f64, normal: [f64; 3]) {
        let (d, n) = face.distance(&Vector3::from(p));
        assert!((d - distance).abs() < 1e-15 && (n - Vector3::from(normal)).norm() < 1e-15, "{face:?}: {d}, {n}");
    }

    #[test]
    fn distances_and_normals() {
        let plane = Face::Plane { point: [0.0, 0.0, 1.0], normal: [0.0, 0.0, 5.0] };
        check(plane, [3.0, 4.0, 3.0], 2.0, [0.0, 0.0, 1.0]);
        check(plane, [3.0, 4.0, 0.0], 0.0, [0.0, 0.0, 1.0]);
        let sphere = Face::Sphere { center: [1.0, 0.0, 0.0], radius: 2.0 };
        check(sphere, [1.0, 0.0, -5.0], 3.0, [0.0, 0.0, -1.0]);
        check(sphere, [1.0, 1.0, 0.0], 0.0, [0.0, 1.0, 0.0]);
        let block = Face::Box { center: [0.0, 0.0, 1.0], size: [2.0, 4.0, 6.0] };
        check(block, [0.5, 0.5, 5.0], 1.0, [0.0, 0.0, 1.0]);
        check(block, [4.0, 6.0, 1.0], 5.0, [0.6, 0.8, 0.0]);
        check(block, [0.9, 0.0, 1.0], 0.0, [1.0, 0.0, 0.0]);
        check(block, [0.0, -1.9, 1.0], 0.0, [0.0, -1.0, 0.0]);
    }

    #[test]
    fn laws_start_at_the_holding_force_and_fall() {
        let inverse = Suction::InverseDistance { c: 0.01, d0: 0.001 };
        assert!((inverse.force(0.0) - 10.0).abs() < 1e-12 && (inverse.force(0.009) - 1.0).abs() < 1e-12);
        let seal = Suction::Seal { force: 8.0, reach: 0.01 };
        assert_eq!([seal.force(0.0), seal.force(0.005), seal.force(0.01), seal.force(0.1)], [8.0, 4.0, 0.0, 0.0]);
    }
}
