//! Collision geometry of a mesh: its hull, convex parts of it, or its triangles.
//!
//! Parts are those of an approximate convex decomposition of its voxels [Mamou and Ghorbel 2009, "A simple and
//! efficient approach for 3D mesh approximate convex decomposition"], by `parry`; each is the hull of the parts of the
//! triangles within its voxels. The method is deterministic: the same mesh has the same parts.

use super::fault::MeshFault;
use super::hull_of;
use super::triangles::TriangleMesh;
use crate::options::MeshCollision;
use kinegraph_geometry::{ConvexHull, ExactMesh, Shape};
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::sync::Arc;

/// Number of voxels along the longest side.
const RESOLUTION: u32 = 64;

/// Fraction of the volume that a part may add.
const CONCAVITY: f64 = 0.002;

/// Maximum number of parts.
const MAX_PARTS: u32 = 64;

/// Collision shapes of a mesh.
#[derive(Clone, Debug)]
pub enum Collides {
    /// Its hull, simplified if it has very many corners.
    Hull {
        /// The hull.
        hull: ConvexHull,
        /// True if all points of the mesh are within it.
        exact: bool,
    },
    /// Convex parts.
    Parts {
        /// The parts.
        parts: Vec<ConvexHull>,
        /// Difference of their volume from that of the mesh, relative to it.
        error: f64,
    },
    /// Its triangles.
    Exact(ExactMesh),
}

/// The collision shapes of a mesh.
pub fn collides(mesh: &TriangleMesh, how: MeshCollision) -> Result<Collides, MeshFault> {
    match how {
        MeshCollision::Hull => hull_of(&mesh.positions).map(|(hull, exact)| Collides::Hull { hull, exact }),
        MeshCollision::Decomposed => decomposed(mesh),
        MeshCollision::Exact => Ok(Collides::Exact(ExactMesh::new(&mesh.positions, &mesh.triangles)?)),
    }
}

impl Collides {
    /// The shapes with their names: parts have the name of the mesh with a number.
    pub fn shapes(self, name: &str) -> Vec<(String, Shape)> {
        match self {
            Collides::Hull { hull, .. } => vec![(name.to_owned(), Shape::Convex(Arc::new(hull)))],
            Collides::Exact(mesh) => vec![(name.to_owned(), Shape::Mesh(Arc::new(mesh)))],
            Collides::Parts { parts, .. } => {
                let named = |(i, hull)| (format!("{name}~{}", i + 1), Shape::Convex(Arc::new(hull)));
                parts.into_iter().enumerate().map(named).collect()
            }
        }
    }
}

fn decomposed(mesh: &TriangleMesh) -> Result<Collides, MeshFault> {
    // A mesh without a hull has no voxels, either; a mesh without triangles is a cloud of points.
    let whole = ConvexHull::new(&mesh.positions)?;
    if mesh.triangles.is_empty() {
        return hull_of(&mesh.positions).map(|(hull, exact)| Collides::Hull { hull, exact });
    }
    let points: Vec<Vector> = mesh.positions.iter().map(|p| (*p).into()).collect();
    let parameters = VHACDParameters {
        concavity: CONCAVITY,
        resolution: RESOLUTION,
        max_convex_hulls: MAX_PARTS,
        convex_hull_approximation: true,
        ..VHACDParameters::default()
    };
    let parts = VHACD::decompose(&parameters, &points, &mesh.triangles, true);
    let hulls = parts.compute_exact_convex_hulls(&points, &mesh.triangles);
    let corners = |part: Vec<Vector>| part.into_iter().map(Vector3::from).collect::<Vec<_>>();
    let parts: Vec<ConvexHull> =
        hulls.into_iter().filter_map(|(part, _)| Some(hull_of(&corners(part)).ok()?.0)).collect();
    if parts.is_empty() {
        return Err(MeshFault::NoParts);
    }
    let volume = mesh.volume();
    // For a mesh that is not closed, only the volume of the hull is available for comparison.
    let volume = if volume > 1e-3 * whole.volume() { volume } else { whole.volume() };
    let error = parts.iter().map(ConvexHull::volume).sum::<f64>() / volume - 1.0;
    Ok(Collides::Parts { parts, error })
}
