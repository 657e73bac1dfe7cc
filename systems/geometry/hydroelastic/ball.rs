//! Balls and ellipsoids: a subdivided octahedron and one vertex at the centre.
//!
//! The pressure falls from the modulus at the centre to zero on the surface, linearly along every ray. For an
//! ellipsoid, whose mesh is that of the unit ball stretched, the field is stiffer along the shorter axes.

use crate::cells::{Cells, Tessellation, Volume};
use nalgebra::Vector3;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Maximum number of subdivisions: half a million tetrahedra.
const MAX_SUBDIVISIONS: f64 = 8.0;

/// A ball of this radius.
pub(super) fn ball(radius: f64, tessellation: &Tessellation) -> Cells {
    ellipsoid(Vector3::repeat(radius), tessellation)
}

/// An ellipsoid with these semi-axes.
pub(super) fn ellipsoid(semi_axes: Vector3<f64>, tessellation: &Tessellation) -> Cells {
    let grown = semi_axes.add_scalar(tessellation.margin);
    let mut cells = unit_ball(subdivisions(tessellation.resolution / grown.max()));
    let factor = match tessellation.volume {
        Volume::Preserved => (4.0 / 3.0 * PI / volume(&cells)).cbrt(),
        Volume::Inscribed => 1.0,
    };
    for (vertex, level) in cells.vertices.iter_mut().zip(&mut cells.levels) {
        let place = vertex.component_mul(&grown);
        *vertex = place * factor;
        // Zero on the surface of the shape, negative outside of it.
        if *level == 0.0 && tessellation.margin > 0.0 {
            *level = 1.0 - place.component_div(&semi_axes).norm();
        }
    }
    cells
}

/// Number of subdivisions such that the edges of the equator are no longer than `hint` radii.
fn subdivisions(hint: f64) -> usize {
    let half = 0.5 * hint.min(2.0);
    ((PI / half.asin()).log2().ceil() - 2.0).clamp(0.0, MAX_SUBDIVISIONS) as usize
}

fn volume(cells: &Cells) -> f64 {
    cells.tets.iter().map(|tet| cells.volume_of(tet).abs()).sum()
}

fn unit_ball(subdivisions: usize) -> Cells {
    let mut cells = Cells::default();
    let center = cells.add(Vector3::zeros(), 1.0);
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
    let [east, north, west, south, top, bottom] = [x, y, -x, -y, z, -z].map(|p| cells.add(p, 0.0));
    let equator = [east, north, west, south];
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..4 {
        let (p, q) = (equator[i], equator[(i + 1) % 4]);
        triangles.extend([[p, q, top], [q, p, bottom]]);
    }
    for _ in 0..subdivisions {
        let mut middles = HashMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let mut middle = |p: u32, q: u32| {
                *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                    let sum = cells.vertices[p as usize] + cells.vertices[q as usize];
                    cells.add(sum.normalize(), 0.0)
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    cells.tets = triangles.into_iter().map(|[a, b, c]| [center, a, b, c]).collect();
    cells
}
