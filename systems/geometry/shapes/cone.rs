//! Cones.

use crate::convex::Convex;
use crate::feature::{Feature, rim_directions};
use crate::nearest_point::nearest_on_cone;
use crate::placed::{Placed, side};
use crate::ray::{Chord, roots};
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::FRAC_1_SQRT_2;
use std::f64::consts::PI;

/// A cone along z with its apex up, centred half way between apex and base.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    pub radius: f64,
    pub half_length: f64,
}

impl CollisionShape for Cone {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.corner(direction))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let &Self { radius, half_length } = self;
        let R = X_WG.rotation.to_rotation_matrix();
        let z = R.matrix().column(2);
        // The apex, and a disc about the base.
        let across = z.map(|a: f64| radius * (1.0 - a * a).max(0.0).sqrt());
        let (apex, base) = (z * half_length, z * -half_length);
        let center = X_WG.translation.vector;
        Aabb { min: center + apex.inf(&(base - across)), max: center + apex.sup(&(base + across)) }
    }

    fn bounding_radius(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    /// Distance from the middle of the axis to the base, or to the side.
    fn half_thickness(&self) -> f64 {
        let &Self { radius, half_length } = self;
        half_length.min(radius * half_length / radius.hypot(2.0 * half_length))
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let (r, l) = (self.radius, self.half_length);
        let volume = 2.0 / 3.0 * PI * r * r * l;
        // A cone of the height h has the second moments 3/20 r² across and 3/80 h² along its axis about its centre of
        // mass, a quarter up.
        let across = 0.15 * r * r;
        let centered = MassProperties::centered(volume, Vector3::new(across, across, 0.15 * l * l) * volume);
        Some(MassProperties { p_GoGcm: Vector3::new(0.0, 0.0, -0.5 * l), ..centered })
    }

    /// The ray meets the double cone `x² + y² = s² (l - z)²` in up to two points, those between base and apex count,
    /// and the base in one.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let &Self { radius, half_length } = self;
        let (near, shift) = ray.recentred();
        let slope = radius / (2.0 * half_length);
        // From the apex, its height scaled such that the side rises at 45°.
        let mut p = near.origin() - Vector3::z() * half_length;
        let mut d = near.direction();
        p.z *= slope;
        d.z *= slope;
        let form = |u: &Vector3<f64>, v: &Vector3<f64>| u.x * v.x + u.y * v.y - u.z * v.z;
        let (a, b, c) = (form(&d, &d), form(&p, &d), form(&p, &p));
        let distances = if a > 1e-14 {
            roots(a, b, c).unwrap_or([f64::NAN; 2])
        } else if a < -1e-14 {
            roots(-a, -b, -c).unwrap_or([f64::NAN; 2])
        } else {
            // Parallel to a side.
            [-0.5 * c / b, f64::NAN]
        };
        let mut hits = [None; 3];
        for (hit, distance) in hits.iter_mut().zip(distances) {
            let at = near.at(distance);
            if at.z.abs() <= half_length {
                let outward = Vector3::new(at.x, at.y, slope * at.xy().norm());
                let normal = outward.try_normalize(0.0).unwrap_or_else(Vector3::z);
                *hit = Some(RayHit { distance, normal });
            }
        }
        let distance = (-half_length - near.origin().z) / near.direction().z;
        if near.at(distance).xy().norm() <= radius {
            hits[2] = Some(RayHit { distance, normal: -Vector3::z() });
        }
        let found = hits.into_iter().flatten().map(|hit| Chord { enters: hit, leaves: hit });
        found.reduce(Chord::joined)?.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Cone { radius: self.radius, length: self.half_length * 2.0 }
    }
}

impl<'a> Convex<'a> for Cone {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        (self.half_length * n.z).max(self.radius * n.x.hypot(n.y) - self.half_length * n.z)
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn size(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        let &Self { radius, half_length } = self;
        let facing = placed.axes.map(|a| a.dot(n));
        let [x, y, z] = placed.axes;
        let outward = x * facing[0] + y * facing[1];
        let length = outward.norm();
        // The apex is farther than the rim by this difference.
        let rim = if length < 1e-7 { Vector3::zeros() } else { outward * (radius / length) };
        match side((2.0 * half_length * facing[2] - radius * length) / radius.hypot(half_length)) {
            0.0 => rim * 0.5,
            s if s > 0.0 => z * half_length,
            _ => rim - z * half_length,
        }
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let &Self { radius, half_length } = self;
        let length = direction.x.hypot(direction.y);
        if 2.0 * half_length * direction.z >= radius * length {
            return Vector3::new(0.0, 0.0, half_length);
        }
        let (x, y) =
            if length > 0.0 { (radius * direction.x / length, radius * direction.y / length) } else { (0.0, 0.0) };
        Vector3::new(x, y, -half_length)
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        nearest_on_cone(self.radius, self.half_length, p)
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        let &Self { radius, half_length } = self;
        let axis = placed.axis();
        let along = axis.dot(n);
        let base = placed.center - axis * half_length;
        if along < -FRAC_1_SQRT_2 {
            let rim = rim_directions(&placed.axes, n);
            Feature::Disc { center: base, axes: [rim[0], rim[1]], radius, rim: rim.map(|d| base + d * radius) }
        } else if let Some(outward) = (n - axis * along).try_normalize(1e-9) {
            Feature::Segment([base + outward * radius, placed.center + axis * half_length])
        } else {
            Feature::Point(placed.center + axis * half_length)
        }
    }

    /// Visits four points on the rim, and the apex.
    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        let &Self { radius, half_length } = self;
        let axis = placed.axis();
        let rim = rim_directions(&placed.axes, &-n);
        let [standing, tipped] = stance(axis.dot(n), radius, half_length);
        for (i, direction) in rim.iter().enumerate() {
            let lying = if i == 0 { 0.5 * (1.0 - standing) } else { 0.0 };
            visit(direction * radius - axis * half_length, 0.25 * standing + lying, i as u32);
        }
        visit(axis * half_length, 0.5 * (1.0 + tipped), 4);
    }
}

/// Weights of a cone standing on its base, and on its apex: from zero, lying on its side, to one. `rise` is the cosine
/// of its axis with the normal.
fn stance(rise: f64, radius: f64, half_length: f64) -> [f64; 2] {
    let lying = -radius / radius.hypot(2.0 * half_length);
    let part = |x: f64| x.clamp(0.0, 1.0).powi(2);
    [part((rise - lying) / (1.0 - lying)), part((rise - lying) / (-1.0 - lying))]
}
