//! Cylinders.

use crate::convex::Convex;
use crate::feature::{Feature, rim_directions};
use crate::placed::{Placed, clamp, side as side_of};
use crate::ray::{Chord, roots};
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::FRAC_1_SQRT_2;
use std::f64::consts::PI;
use std::ops::Range;

/// A cylinder along z about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Cylinder {
    pub radius: f64,
    pub half_length: f64,
}

/// The part of a ray within a cylinder along z without ends.
pub(super) fn side(near: &Ray, radius: f64) -> Option<Chord> {
    let (p, d) = (near.origin().xy(), near.direction().xy());
    let a = d.norm_squared();
    // Along the axis: all or nothing.
    if a <= f64::EPSILON * f64::EPSILON {
        return (p.norm() <= radius).then(Chord::whole);
    }
    let [t, u] = roots(a, p.dot(&d), p.norm_squared() - radius * radius)?;
    let hit = |distance| {
        let at = near.at(distance);
        RayHit { distance, normal: Vector3::new(at.x / radius, at.y / radius, 0.0) }
    };
    Some(Chord { enters: hit(t), leaves: hit(u) })
}

/// The part of a chord between two planes at `±half_length`.
pub(super) fn between(chord: Chord, near: &Ray, half_length: f64) -> Option<Chord> {
    chord.cut(near, &Vector3::z(), half_length)?.cut(near, &-Vector3::z(), half_length)
}

impl CollisionShape for Cylinder {
    fn name(&self) -> &'static str {
        "cylinder"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.corner(direction))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let &Self { radius, half_length } = self;
        let R = X_WG.rotation.to_rotation_matrix();
        let z = R.matrix().column(2);
        let reach = z.map(|a: f64| half_length * a.abs() + radius * (1.0 - a * a).max(0.0).sqrt());
        Aabb::around(&X_WG.translation.vector, &reach)
    }

    fn bounding_radius(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    fn half_thickness(&self) -> f64 {
        self.radius.min(self.half_length)
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let (r, l) = (self.radius, self.half_length);
        let volume = 2.0 * PI * r * r * l;
        let across = r * r / 4.0;
        Some(MassProperties::centered(volume, Vector3::new(across, across, l * l / 3.0) * volume))
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) = ray.recentred();
        between(side(&near, self.radius)?, &near, self.half_length)?.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Cylinder { radius: self.radius, length: self.half_length * 2.0 }
    }
}

impl<'a> Convex<'a> for Cylinder {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        self.half_length * n.z.abs() + self.radius * n.x.hypot(n.y)
    }

    fn reach(&self, placed: &Placed, n: &Vector3<f64>) -> f64 {
        self.half_length * placed.axis().dot(n).abs() + self.radius * placed.axis().cross(n).norm()
    }

    fn size(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        let facing = placed.axes.map(|a| a.dot(n));
        let [x, y, z] = placed.axes;
        let outward = x * facing[0] + y * facing[1];
        let length = outward.norm();
        let rim = if length < 1e-7 { Vector3::zeros() } else { outward * (self.radius / length) };
        rim + z * (self.half_length * side_of(facing[2]))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let length = direction.x.hypot(direction.y);
        let (x, y) = if length > 0.0 {
            (self.radius * direction.x / length, self.radius * direction.y / length)
        } else {
            (0.0, 0.0)
        };
        Vector3::new(x, y, self.half_length.copysign(direction.z))
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let mut q = *p;
        let rho = q.x.hypot(q.y);
        if rho > self.radius {
            q.x *= self.radius / rho;
            q.y *= self.radius / rho;
        }
        q.z = clamp(q.z, self.half_length);
        q
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        let &Self { radius, half_length } = self;
        let axis = placed.axis();
        let along = axis.dot(n);
        if along.abs() > FRAC_1_SQRT_2 {
            let center = placed.center + axis * half_length.copysign(along);
            let rim = rim_directions(&placed.axes, n);
            Feature::Disc { center, axes: [rim[0], rim[1]], radius, rim: rim.map(|d| center + d * radius) }
        } else {
            let outward = (n - axis * along).try_normalize(0.0).unwrap_or(placed.axes[0]);
            let middle = placed.center + outward * radius;
            Feature::Segment([middle - axis * half_length, middle + axis * half_length])
        }
    }

    /// Visits four points on either rim. For a standing cylinder, those of one rim have a quarter each; for a lying
    /// one, the two lowest have half each.
    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        let &Self { radius, half_length } = self;
        let axis = placed.axis();
        let rim = rim_directions(&placed.axes, &-n);
        let standing = axis.dot(n).powi(2).min(1.0);
        for (cap, side) in [(0, -1.0), (1, 1.0)] {
            for (i, direction) in rim.iter().enumerate() {
                let lying = if i == 0 { 0.5 * (1.0 - standing) } else { 0.0 };
                let share = 0.25 * standing + lying;
                visit(axis * (side * half_length) + direction * radius, share, 4 * cap + i as u32);
            }
        }
    }

    fn straight_axes(&self) -> Range<usize> {
        2..3
    }

    fn flat_axes(&self) -> Range<usize> {
        2..3
    }

    fn rod(&self, placed: &Placed, n: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        let outward = n - placed.axis() * placed.axis().dot(n);
        Some((outward.try_normalize(0.0).map_or_else(Vector3::zeros, |e| e * self.radius), self.half_length))
    }
}
