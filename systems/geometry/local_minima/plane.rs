//! Contact of a mesh and a half-space: every vertex near the plane that is a local minimum of the height.

use super::super::{Touch, exact_mesh::ExactMesh};
use super::pair::{Pair, Placed};
use super::{Minimum, append};
use crate::shares::SHALLOW;
use nalgebra::{Isometry3, Vector3};
use std::cell::RefCell;

thread_local! {
    /// Kept so that a query allocates nothing after warm-up; emptied before each use.
    static FOUND: RefCell<Vec<Minimum>> = RefCell::default();
}

/// Appends the contact points of a half-space (A) and a mesh; none if the mesh is no manifold.
pub(crate) fn touches(
    X_WA: &Isometry3<f64>,
    mesh: &ExactMesh,
    X_WM: &Isometry3<f64>,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let Ok(features) = mesh.features() else { return };
    let X_AM = X_WA.inv_mul(X_WM);
    let placed = Placed { mesh, features, X: X_AM };
    let size = mesh.radius();
    let reach = margin.max(SHALLOW * size);
    let down = -Vector3::z();
    FOUND.with_borrow_mut(|found| {
        found.clear();
        for i in 0..mesh.vertices.len() as u32 {
            let p = placed.vertex(i);
            if p.z >= reach || p.z.is_nan() {
                continue;
            }
            let weight = placed.vertex_counts(i, &down);
            if weight > 0.0 {
                let (pair, depth) = (Pair::FaceVertex(0, i), -p.z);
                let p = Vector3::new(p.x, p.y, 0.5 * p.z);
                found.push(Minimum { pair, p, normal: Vector3::z(), depth, weight });
            }
        }
        append(found, X_WA, margin, size, out);
    });
}
