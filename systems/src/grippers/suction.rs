//! Suction forces over the distance, and the target faces.

use kinegraph_core::Scalar;
use nalgebra::Vector3;

/// Force laws by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Suction {
    /// `c / (distance + d0)`: c/d0 in contact, long range.
    InverseDistance {
        /// Factor c \[N m\].
        c: f64,
        /// Offset d0 \[m\].
        d0: f64,
    },
    /// `force (1 - 3 s² + 2 s³)`, s = distance/reach: nothing beyond the reach.
    Seal {
        /// Holding force \[N\].
        force: f64,
        /// Distance beyond which there is no force \[m\].
        reach: f64,
    },
}

impl Suction {
    /// The force \[N\] at `distance` \[m\].
    pub(super) fn force<S: Scalar>(&self, distance: S) -> S {
        match *self {
            Suction::InverseDistance { c, d0 } => S::constant(c) / (distance + S::constant(d0)),
            Suction::Seal { reach, .. } if distance.value() >= reach => S::zero(),
            Suction::Seal { force, reach } => {
                let s = distance / S::constant(reach);
                S::constant(force) * (S::one() - s * s * (S::constant(3.0) - S::constant(2.0) * s))
            }
        }
    }

    /// The parameters with their names; all must be positive.
    pub(super) fn parameters(&self) -> [(&'static str, f64); 2] {
        match *self {
            Suction::InverseDistance { c, d0 } => [("suction.c", c), ("suction.d0", d0)],
            Suction::Seal { force, reach } => [("suction.force", force), ("suction.reach", reach)],
        }
    }
}

/// A face that cups can hold, in the axes of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// An unbounded plane; points under it have the distance zero.
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
    pub fn distance<S: Scalar>(&self, p: &Vector3<S>) -> (S, Vector3<S>) {
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
