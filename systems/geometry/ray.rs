//! Rays, and their hits on surfaces.
//!
//! One convention holds for all shapes. A hit is the first point of the surface at a distance of zero or more from the
//! origin of the ray; from inside a solid it is the point where the ray leaves it. The normal always points out of the
//! solid: it faces the ray from outside and looks along it from inside ([`RayHit::is_from_inside`]). Triangles are hit
//! from both sides; their normal is that of the front. A ray that only grazes a surface may hit or miss it.

use nalgebra::{Isometry3, Vector3};

/// A half-line from a point along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vector3<f64>,
    direction: Vector3<f64>,
}

impl Ray {
    /// A ray from `origin` \[m\] along `direction`, which has any length above zero. `None` if a number is not finite
    /// or the direction is zero.
    pub fn new(origin: Vector3<f64>, direction: Vector3<f64>) -> Option<Self> {
        let direction = direction.try_normalize(0.0)?;
        let finite = origin.iter().chain(direction.iter()).all(|x| x.is_finite());
        finite.then_some(Self { origin, direction })
    }

    /// Origin of the ray \[m\].
    pub fn origin(&self) -> Vector3<f64> {
        self.origin
    }

    /// Unit vector along the ray.
    pub fn direction(&self) -> Vector3<f64> {
        self.direction
    }

    /// The point at a distance \[m\].
    pub fn at(&self, distance: f64) -> Vector3<f64> {
        self.origin + self.direction * distance
    }

    /// The ray in the frame G, whose pose in the present frame is `X_WG`.
    pub fn in_frame(&self, X_WG: &Isometry3<f64>) -> Self {
        Self {
            origin: X_WG.rotation.inverse_transform_vector(&(self.origin - X_WG.translation.vector)),
            direction: X_WG.rotation.inverse_transform_vector(&self.direction),
        }
    }

    /// The part of the ray from the point nearest to the origin of the frame on, with the distance of that point:
    /// computations with it lose no digits however far away the ray starts.
    pub(crate) fn recentred(&self) -> (Self, f64) {
        let distance = -self.origin.dot(&self.direction);
        (Self { origin: self.at(distance), direction: self.direction }, distance)
    }
}

/// A hit of a ray on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
    /// Unit normal of the surface, out of the solid.
    pub normal: Vector3<f64>,
}

impl RayHit {
    /// True if the ray comes from inside the solid, or hits the back of a triangle.
    pub fn is_from_inside(&self, ray: &Ray) -> bool {
        self.normal.dot(&ray.direction) > 0.0
    }

    /// The hit with its normal rotated by `X_WG`.
    pub(super) fn turned(&self, X_WG: &Isometry3<f64>) -> Self {
        Self { distance: self.distance, normal: X_WG.rotation * self.normal }
    }
}

/// The part of a line within a convex solid: the points where it enters and leaves, at distances that may be negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    pub enters: RayHit,
    pub leaves: RayHit,
}

impl Chord {
    /// A whole line.
    pub fn whole() -> Self {
        let at = |distance| RayHit { distance, normal: Vector3::zeros() };
        Self { enters: at(f64::NEG_INFINITY), leaves: at(f64::INFINITY) }
    }

    /// The part of the chord behind the plane `normal . x = offset`.
    pub fn cut(self, ray: &Ray, normal: &Vector3<f64>, offset: f64) -> Option<Self> {
        let (rate, height) = (normal.dot(&ray.direction), normal.dot(&ray.origin) - offset);
        let hit = RayHit { distance: -height / rate, normal: *normal };
        let Self { mut enters, mut leaves } = self;
        if rate < 0.0 {
            if hit.distance > enters.distance {
                enters = hit;
            }
        } else if rate > 0.0 {
            if hit.distance < leaves.distance {
                leaves = hit;
            }
        } else if height > 0.0 {
            return None;
        }
        (enters.distance <= leaves.distance).then_some(Self { enters, leaves })
    }

    /// The union of two chords of one convex solid, from the first begin to the last end.
    pub fn joined(self, other: Self) -> Self {
        let enters = if other.enters.distance < self.enters.distance { other.enters } else { self.enters };
        let leaves = if other.leaves.distance > self.leaves.distance { other.leaves } else { self.leaves };
        Self { enters, leaves }
    }

    /// The first end at a distance of zero or more; `shift` is the distance from the origin of the ray to that of the
    /// line.
    pub fn first(self, shift: f64) -> Option<RayHit> {
        let ends = [self.enters, self.leaves].map(|hit| RayHit { distance: hit.distance + shift, ..hit });
        ends.into_iter().find(|hit| hit.distance >= 0.0 && hit.distance.is_finite())
    }
}

/// The smaller and the larger root of `a x² + 2 b x + c`, a positive, without cancellation.
pub(super) fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let root = (b * b - a * c).sqrt();
    if root.is_nan() {
        return None;
    }
    // The larger one in magnitude is a sum of equal signs; their product is c / a.
    let sum = -(b + root.copysign(b));
    let [p, q] = if sum == 0.0 { [0.0, 0.0] } else { [sum / a, c / sum] };
    Some([p.min(q), p.max(q)])
}
