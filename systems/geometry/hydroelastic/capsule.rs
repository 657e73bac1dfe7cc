//! Capsules: circles of latitude, two poles, and the ends of the segment in the middle.

use super::ball::ball;
use super::splits::{prism, pyramid};
use crate::cells::{Cells, Tessellation, Volume, around};
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Maximum number of vertices of a circle.
const MAX_RIM_VERTICES: f64 = 706.0;
/// Length of a segment, relative to the radius, below which the capsule is a ball.
const SPHERE_RATIO: f64 = 1e-9;

/// A capsule along z; `half_length` is that of the segment.
pub(super) fn capsule(radius: f64, half_length: f64, tessellation: &Tessellation) -> Cells {
    if half_length <= SPHERE_RATIO * radius {
        return ball(radius, tessellation);
    }
    let (margin, z) = (tessellation.margin, Vector3::z());
    let grown = radius + margin;
    let n = (TAU * grown / tessellation.resolution).floor().clamp(3.0, MAX_RIM_VERTICES) as usize;
    let circles = n / 2;
    let mut cells = Cells::default();
    let [down, up] = [-half_length, half_length].map(|h| cells.add(z * h, 1.0));
    let outer = -margin / radius;
    let mut cap = |sign: f64, end: u32| {
        let latitudes: Vec<Vec<u32>> = (0..circles)
            .map(|k| {
                let (sin, cos) = (FRAC_PI_2 * k as f64 / circles as f64).sin_cos();
                let height = z * (sign * (half_length + grown * sin));
                around(n).map(|direction| cells.add(direction * (grown * cos) + height, outer)).collect()
            })
            .collect();
        let pole = cells.add(z * (sign * (half_length + grown)), outer);
        for (i, j) in (0..n).map(|i| (i, (i + 1) % n)) {
            for pair in latitudes.windows(2) {
                let [p, q, r, s] = [pair[0][i], pair[0][j], pair[1][j], pair[1][i]];
                // The diagonals of both caps rise in the same sense.
                let [p, q, r, s] = if sign < 0.0 { [p, q, r, s] } else { [q, r, s, p] };
                cells.tets.extend(pyramid([p, q, r, s, end]));
            }
            let last = &latitudes[circles - 1];
            cells.tets.push([last[i], last[j], pole, end]);
        }
        latitudes
    };
    let (low, high) = (cap(-1.0, down), cap(1.0, up));
    let caps = cells.tets.len();
    for (i, j) in (0..n).map(|i| (i, (i + 1) % n)) {
        cells.tets.extend(prism([down, low[0][i], low[0][j], up, high[0][i], high[0][j]]));
    }
    if tessellation.volume == Volume::Preserved {
        let volume = |tets: &[[u32; 4]]| tets.iter().map(|tet| cells.volume_of(tet).abs()).sum::<f64>();
        let (of_caps, of_side) = (volume(&cells.tets[..caps]), volume(&cells.tets[caps..]));
        let wanted = PI * grown * grown * (4.0 / 3.0 * grown + 2.0 * half_length);
        let factor = scale(of_caps, of_side, wanted);
        for vertex in &mut cells.vertices {
            let end = vertex.z.clamp(-half_length, half_length);
            *vertex = Vector3::new(vertex.x * factor, vertex.y * factor, end + (vertex.z - end) * factor);
        }
    }
    cells
}

/// The root of `caps f³ + side f² = wanted`: Newton's method, from below on a convex function and then from above.
fn scale(caps: f64, side: f64, wanted: f64) -> f64 {
    let mut f: f64 = 1.0;
    for _ in 0..50 {
        let step = (f * f * (caps * f + side) - wanted) / (f * (3.0 * caps * f + 2.0 * side));
        f -= step;
        if step.abs() <= f64::EPSILON * f {
            break;
        }
    }
    f
}
