//! Rigid triangle meshes and height fields.

use crate::box_tree::Candidates;
use crate::exact_mesh::MeshFace;
use crate::{Aabb, CollisionShape, Drawing, ExactMesh, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::cell::RefCell;

/// Distance from the rim of a face, relative to its size, within which a passing ray still hits it, so that none slips
/// through between two faces.
const SEAM: f64 = 1e-12;

thread_local! {
    /// Kept so that a query allocates nothing after warm-up; emptied before each use.
    static CANDIDATES: RefCell<Candidates> = RefCell::default();
}

/// The hit of a ray on a flat face, if nearer than `limit`.
fn meets(face: &MeshFace, mesh: &ExactMesh, ray: &Ray, limit: f64) -> Option<RayHit> {
    let corner = |i: usize| mesh.vertices()[face.corners[i] as usize];
    let rate = face.normal.dot(&ray.direction());
    let distance = face.normal.dot(&(corner(0) - ray.origin())) / rate;
    if !(0.0..limit).contains(&distance) {
        return None;
    }
    let at = ray.at(distance);
    let count = face.corners.len();
    let slack = SEAM * face.radius;
    let within = (0..count).all(|i| {
        let (p, q) = (corner(i), corner((i + 1) % count));
        let along = q - p;
        face.normal.cross(&along).dot(&(at - p)) >= -slack * along.norm()
    });
    within.then_some(RayHit { distance, normal: face.normal })
}

impl CollisionShape for ExactMesh {
    fn name(&self) -> &'static str {
        "triangle mesh"
    }

    /// None: it touches by its faces, not as its hull.
    fn support(&self, _direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        None
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let R = X_WG.rotation.to_rotation_matrix();
        let [low, high] = self.bounds();
        let center = X_WG.rotation * ((low + high) * 0.5) + X_WG.translation.vector;
        Aabb::around(&center, &(R.matrix().abs() * ((high - low) * 0.5)))
    }

    fn bounding_radius(&self) -> f64 {
        self.radius()
    }

    fn half_thickness(&self) -> f64 {
        0.0
    }

    /// None: it is a surface.
    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        // Far away the coordinates would lose digits: the ray is restarted at its nearest point.
        let (near, shift) = ray.recentred();
        let skipped = (shift - self.radius()).max(0.0);
        let start = Ray::new(near.at(skipped - shift), near.direction())?;
        CANDIDATES.with_borrow_mut(|candidates| {
            self.tree.near_ray(&start, candidates);
            let mut first: Option<RayHit> = None;
            for &(f, _) in &candidates.pairs {
                let limit = first.map_or(f64::INFINITY, |hit| hit.distance);
                first = meets(&self.faces[f as usize], self, &start, limit).or(first);
            }
            first.map(|hit| RayHit { distance: hit.distance + skipped, ..hit })
        })
    }

    fn drawing(&self) -> Drawing {
        Drawing::Triangles {
            vertices: self.vertices().iter().map(|v| (*v).into()).collect(),
            triangles: self.triangles().to_vec(),
        }
    }
}
