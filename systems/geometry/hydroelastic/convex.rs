//! Convex polyhedra: every triangle of the surface joined to the centroid.
//!
//! The pressure falls linearly from the centroid to the surface, so that a side at the distance h from the centroid
//! has the gradient E/h.

use super::super::{CollisionShape, ConvexHull};
use crate::cells::{Cells, Tessellation};

/// A polyhedron. With a margin it is scaled about its centroid until its nearest side has moved out by the margin: the
/// field continues outside as it is inside.
pub(super) fn convex(hull: &ConvexHull, tessellation: &Tessellation) -> Cells {
    let mut cells = Cells::default();
    let center = hull.center();
    let grown = tessellation.margin / hull.half_thickness();
    for vertex in hull.vertices() {
        cells.add(center + (vertex - center) * (1.0 + grown), -grown);
    }
    let middle = cells.add(center, 1.0);
    for corners in hull.faces() {
        for i in 1..corners.len().max(2) - 1 {
            cells.tets.push([middle, corners[0], corners[i], corners[i + 1]]);
        }
    }
    cells
}
