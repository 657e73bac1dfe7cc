//! A ring: a shape that is not convex, added by a program.

use kinegraph::systems::geometry::{
    CollisionShape, ContactFeature, Drawing, MassProperties, PlaneContact, Ray, RayHit, rim_points,
};
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// A torus about the z axis: a circle of radius `ring` whose points are centres of a tube of radius `tube`.
#[derive(Debug)]
pub struct Torus {
    /// From the middle to the middle of the tube \[m\].
    pub ring: f64,
    /// Radius of the tube \[m\].
    pub tube: f64,
}

impl Torus {
    /// The point of the circle nearest to `p`; of those on the axis, the one along x.
    fn nearest_on_ring(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let outward = Vector3::new(p.x, p.y, 0.0).try_normalize(0.0).unwrap_or_else(Vector3::x);
        outward * self.ring
    }

    /// Distance from the surface; negative inside \[m\].
    fn distance(&self, p: &Vector3<f64>) -> f64 {
        (p - self.nearest_on_ring(p)).norm() - self.tube
    }

    /// A point of the surface by two angles, and how far the tube is turned at it.
    fn point(&self, around: f64, turned: f64) -> Vector3<f64> {
        let from_axis = self.ring + self.tube * turned.cos();
        Vector3::new(from_axis * around.cos(), from_axis * around.sin(), self.tube * turned.sin())
    }
}

impl CollisionShape for Torus {
    fn name(&self) -> &'static str {
        "torus"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.nearest_on_ring(direction) + direction.normalize() * self.tube)
    }

    fn half_thickness(&self) -> f64 {
        self.tube
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let (r, t) = (self.ring.powi(2), self.tube.powi(2));
        let volume = 2.0 * PI * PI * self.ring * t;
        let across = r / 2.0 + 3.0 / 8.0 * t;
        Some(MassProperties::centered(volume, Vector3::new(across, across, t / 4.0) * volume))
    }

    /// No surface is nearer than the distance says: the ray goes on by it until that is nothing.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let size = self.ring + self.tube;
        let nearest = -ray.origin().dot(&ray.direction());
        let mut along = (nearest - size).max(0.0);
        for _ in 0..10_000 {
            let p = ray.at(along);
            let left = self.distance(&p).abs();
            if left <= 1e-14 * size {
                return Some(RayHit { distance: along, normal: (p - self.nearest_on_ring(&p)).normalize() });
            }
            along += left;
            if along > nearest + size {
                break;
            }
        }
        None
    }

    fn drawing(&self) -> Drawing {
        const AROUND: u32 = 48;
        const TURNED: u32 = 24;
        let angle = |i: u32, of: u32| TAU * f64::from(i % of) / f64::from(of);
        let vertices = (0..AROUND * TURNED).map(|k| self.point(angle(k / TURNED, AROUND), angle(k, TURNED)).into());
        let index = |i: u32, j: u32| i % AROUND * TURNED + j % TURNED;
        let quads = (0..AROUND * TURNED).map(|k| {
            let (i, j) = (k / TURNED, k % TURNED);
            [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)]
        });
        Drawing::Triangles {
            vertices: vertices.collect(),
            triangles: quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        }
    }

    /// Lying, it touches along a circle: as a disc.
    fn feature(&self, direction: &Vector3<f64>) -> Option<ContactFeature> {
        if direction.z.abs() < 0.9 {
            return self.support(direction).map(ContactFeature::Point);
        }
        let normal = Vector3::z() * direction.z.signum();
        Some(ContactFeature::Disc { center: direction * self.tube, normal, radius: self.ring })
    }

    /// Four points of the circle; of an upright ring only the lowest counts.
    fn plane_contacts(&self, down: &Vector3<f64>, visit: &mut dyn FnMut(PlaneContact)) {
        let lying = down.z.powi(2);
        let rim = rim_points(&Vector3::zeros(), &Vector3::z(), self.ring, down);
        for (i, p) in (0..).zip(rim) {
            let share = 0.25 * lying + if i == 0 { 1.0 - lying } else { 0.0 };
            visit(PlaneContact { p_GC: p + down * self.tube, share, feature: i });
        }
    }
}
