//! A bounded convex shape placed in a frame: centre, axes, sizes. One number per direction, the [`Solid::reach`], is
//! its whole support function. All but hulls are symmetric about their centre: they reach as far along n as along -n.

use super::nearest_point::{nearest_on_cone, nearest_on_ellipsoid};
use super::{ConvexHull, Shape};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// What kind of solid, with its sizes \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    /// A segment of half length `half_length` along the third axis, swept by a ball (a sphere has length 0).
    Round { radius: f64, half_length: f64 },
    /// A box of these half extents.
    Box(Vector3<f64>),
    /// A cylinder along the third axis.
    Cylinder { radius: f64, half_length: f64 },
    /// An ellipsoid with these semi-axes.
    Ellipsoid(Vector3<f64>),
    /// A cone along the third axis, apex up; its centre is half way up.
    Cone { radius: f64, half_length: f64 },
    /// A convex polyhedron.
    Hull(&'a ConvexHull),
}

/// A shape with its pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid<'a> {
    pub kind: Kind<'a>,
    /// Axes and centre as a pose.
    pub pose: Isometry3<f64>,
    pub center: Vector3<f64>,
    pub axes: [Vector3<f64>; 3],
}

impl<'a> Solid<'a> {
    /// `None` for a half-space, which is not bounded, and a mesh, which is not convex.
    pub fn new(shape: &'a Shape, X: &Isometry3<f64>) -> Option<Self> {
        let mut pose = *X;
        let kind = match *shape {
            Shape::Sphere { radius } => Kind::Round { radius, half_length: 0.0 },
            Shape::Capsule { radius, half_length } => Kind::Round { radius, half_length },
            Shape::Box { half_extents } => Kind::Box(half_extents),
            Shape::Cylinder { radius, half_length } => Kind::Cylinder { radius, half_length },
            Shape::Convex(ref hull) => {
                pose.translation.vector += X.rotation * hull.center();
                Kind::Hull(hull)
            }
            Shape::Ellipsoid { semi_axes } => Kind::Ellipsoid(semi_axes),
            Shape::Cone { radius, half_length } => Kind::Cone { radius, half_length },
            Shape::HalfSpace | Shape::Mesh(_) => return None,
        };
        let R = X.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|i| R.matrix().column(i).into_owned());
        Some(Self { kind, pose, center: pose.translation.vector, axes })
    }

    /// A hull in its own frame.
    pub fn of_hull(hull: &'a ConvexHull) -> Self {
        let pose = Isometry3::from_parts(hull.center().into(), UnitQuaternion::identity());
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        Self { kind: Kind::Hull(hull), pose, center: hull.center(), axes }
    }

    /// Moved by `d`.
    pub fn moved(&self, d: Vector3<f64>) -> Self {
        let mut moved = *self;
        moved.pose.translation.vector += d;
        moved.center += d;
        moved
    }

    /// The third axis: that of cylinders and capsules.
    pub fn axis(&self) -> Vector3<f64> {
        self.axes[2]
    }

    /// How far the solid reaches from its centre along the unit vector `n`: `h(n) - centre · n`.
    pub fn reach(&self, n: &Vector3<f64>) -> f64 {
        match self.kind {
            Kind::Round { radius, half_length } => radius + half_length * self.axis().dot(n).abs(),
            Kind::Box(h) => (0..3).map(|i| h[i] * self.axes[i].dot(n).abs()).sum(),
            Kind::Cylinder { radius, half_length } => {
                half_length * self.axis().dot(n).abs() + radius * self.axis().cross(n).norm()
            }
            Kind::Hull(hull) => hull.reach(&self.turned(n)),
            Kind::Ellipsoid(_) | Kind::Cone { .. } => self.reach_turned(&self.turned(n)),
        }
    }

    /// The same for a direction in the axes of the solid.
    pub fn reach_turned(&self, n: &Vector3<f64>) -> f64 {
        match self.kind {
            Kind::Round { radius, half_length } => radius + half_length * n.z.abs(),
            Kind::Box(h) => h.dot(&n.abs()),
            Kind::Cylinder { radius, half_length } => half_length * n.z.abs() + radius * n.x.hypot(n.y),
            Kind::Hull(hull) => hull.reach(n),
            Kind::Ellipsoid(s) => s.component_mul(n).norm(),
            Kind::Cone { radius, half_length } => (half_length * n.z).max(radius * n.x.hypot(n.y) - half_length * n.z),
        }
    }

    /// The direction `n` in the axes of the solid.
    pub fn turned(&self, n: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.axes[0].dot(n), self.axes[1].dot(n), self.axes[2].dot(n))
    }

    /// A direction of the solid's axes, turned back.
    pub fn unturned(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.axes[0] * n.x + self.axes[1] * n.y + self.axes[2] * n.z
    }

    /// Whether it reaches as far along any n as along -n.
    pub fn is_symmetric(&self) -> bool {
        !matches!(self.kind, Kind::Hull(_) | Kind::Cone { .. })
    }

    /// Radius of the ball around the centre that holds the solid.
    pub fn size(&self) -> f64 {
        match self.kind {
            Kind::Round { radius, half_length } => radius + half_length,
            Kind::Box(h) => h.norm(),
            Kind::Cylinder { radius, half_length } => radius.hypot(half_length),
            Kind::Hull(hull) => hull.radius,
            Kind::Ellipsoid(s) => s.max(),
            Kind::Cone { radius, half_length } => radius.hypot(half_length),
        }
    }

    /// `p` in the axes of the solid, from its centre.
    pub fn local(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.turned(&(p - self.center))
    }

    /// Back from the axes of the solid.
    pub fn unlocal(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.center + self.unturned(p)
    }

    /// The point of the solid (boxes, cylinders and hulls) or of its segment (round solids) nearest to `p`.
    pub fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let local = self.local(p);
        let mut q = local;
        match self.kind {
            Kind::Box(h) => q = Vector3::new(clamp(q.x, h.x), clamp(q.y, h.y), clamp(q.z, h.z)),
            Kind::Cylinder { radius, half_length } => {
                let rho = q.x.hypot(q.y);
                if rho > radius {
                    q.x *= radius / rho;
                    q.y *= radius / rho;
                }
                q.z = clamp(q.z, half_length);
            }
            Kind::Round { half_length, .. } => q = Vector3::new(0.0, 0.0, clamp(q.z, half_length)),
            Kind::Hull(hull) => q = hull.nearest(&q),
            Kind::Ellipsoid(s) => q = nearest_on_ellipsoid(&s, &q),
            Kind::Cone { radius, half_length } => q = nearest_on_cone(radius, half_length, &q),
        }
        // A point inside is its own nearest: turned to and fro, it would be off by rounding.
        if q == local { *p } else { self.unlocal(&q) }
    }
}

/// `x` kept within `[-limit, limit]`; unlike the standard method, never panics.
pub(super) fn clamp(x: f64, limit: f64) -> f64 {
    x.min(limit).max(-limit)
}

/// Support overlap `D(n) = h_A(n) + h_B(-n)`: an upper bound of the depth for any unit `n`.
pub(super) fn overlap(a: &Solid, b: &Solid, n: &Vector3<f64>) -> f64 {
    a.reach(n) + b.reach(&-n) - (b.center - a.center).dot(n)
}

/// The point of `solid` farthest along `n`; the middle of the feature where that is not unique.
pub(super) fn support(solid: &Solid, n: &Vector3<f64>) -> Vector3<f64> {
    let side = |x: f64| if x.abs() < 1e-7 { 0.0 } else { x.signum() };
    let facing = solid.axes.map(|a| a.dot(n));
    let [x, y, z] = solid.axes;
    solid.center
        + match solid.kind {
            Kind::Round { radius, half_length } => n * radius + z * (half_length * side(facing[2])),
            Kind::Box(h) => x * (h.x * side(facing[0])) + y * (h.y * side(facing[1])) + z * (h.z * side(facing[2])),
            Kind::Cylinder { radius, half_length } => {
                let outward = x * facing[0] + y * facing[1];
                let length = outward.norm();
                let rim = if length < 1e-7 { Vector3::zeros() } else { outward * (radius / length) };
                rim + z * (half_length * side(facing[2]))
            }
            Kind::Ellipsoid(s) => {
                let local = s.component_mul(&s.component_mul(&Vector3::from(facing)));
                let length = s.component_mul(&Vector3::from(facing)).norm();
                solid.unturned(&(local / length))
            }
            Kind::Cone { radius, half_length } => {
                let outward = x * facing[0] + y * facing[1];
                let length = outward.norm();
                // The apex is that much farther than the rim.
                let rim = if length < 1e-7 { Vector3::zeros() } else { outward * (radius / length) };
                match side((2.0 * half_length * facing[2] - radius * length) / radius.hypot(half_length)) {
                    0.0 => rim * 0.5,
                    s if s > 0.0 => z * half_length,
                    _ => rim - z * half_length,
                }
            }
            Kind::Hull(hull) => {
                let (mut sum, mut count) = (Vector3::zeros(), 0.0);
                for i in hull.top(&solid.turned(n), 1e-7 * hull.radius) {
                    sum += hull.corners()[i];
                    count += 1.0;
                }
                solid.unturned(&(sum / count))
            }
        }
}
