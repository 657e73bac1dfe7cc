//! Boxes, cut along their medial axis: the pressure is exactly the distance from the nearest side over the least half
//! size.
//!
//! The points nearest to one of the six sides form a cell with that side as its outer face. Its other faces lie on the
//! medial axis: four between an edge of the side and an edge of the core (the box that remains when every half size is
//! reduced by the least), and the core itself, which is flat. All of them are cut into triangles, the same way from
//! both sides, and joined to the middle of the side. A half turn about any axis of the box leaves the mesh unchanged,
//! so that a box that spins on its side is not pushed aside: the diagonals between edge and core begin at the corners
//! with an even number of positive coordinates.

use crate::cells::{Cells, Tessellation};
use nalgebra::Vector3;

/// Size below which a core is a point along an axis, relative to the least half size.
const THIN: f64 = 1e-9;

/// A box with these half sizes.
pub(super) fn cuboid(half_sizes: Vector3<f64>, tessellation: &Tessellation) -> Cells {
    let least = half_sizes.min();
    let grown = half_sizes.add_scalar(tessellation.margin);
    let core = (half_sizes.add_scalar(-least)).map(|x| if x <= THIN * least { 0.0 } else { x });
    let outer = -tessellation.margin / least;
    let mut cells = Cells::default();
    let at = |corner: usize, size: &Vector3<f64>| {
        Vector3::from_fn(|axis, _| if corner >> axis & 1 == 1 { size[axis] } else { -size[axis] })
    };
    // Corners by the signs of their coordinates, one bit each.
    let corners: [u32; 8] = std::array::from_fn(|corner| cells.add(at(corner, &grown), outer));
    let mut inner = [0; 8];
    for corner in 0..8 {
        // If the core is flat, corners on both sides of it are one.
        let first = (0..3).fold(corner, |c, axis| if core[axis] == 0.0 { c & !(1 << axis) } else { c });
        inner[corner] = if first == corner { cells.add(at(corner, &core), 1.0) } else { inner[first] };
    }
    for axis in 0..3 {
        for side in [0_usize, 1 << axis] {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let mut middle = Vector3::zeros();
            middle[axis] = if side == 0 { -grown[axis] } else { grown[axis] };
            let middle = cells.add(middle, outer);
            let ring = [side, side | u, side | u | v, side | v];
            let mut join = |[a, b, c]: [u32; 3]| {
                if a != b && b != c && c != a {
                    cells.tets.push([middle, a, b, c]);
                }
            };
            for i in 0..4 {
                let (p, q) = (ring[i], ring[(i + 1) % 4]);
                let (p, q) = if p.count_ones() % 2 == 0 { (p, q) } else { (q, p) };
                join([corners[p], corners[q], inner[q]]);
                join([corners[p], inner[q], inner[p]]);
            }
            let cap = ring.map(|corner| inner[corner]);
            let first = (0..4).min_by_key(|&i| cap[i]).unwrap_or(0);
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| cap[(first + i) % 4]);
            join([a, b, c]);
            join([a, c, d]);
        }
    }
    cells
}
