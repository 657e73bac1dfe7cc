//! Cylinders: prisms with a regular polygon as base, cut along their medial axis.

use super::splits::{prism, pyramid};
use crate::cells::{Cells, Tessellation, Volume, around};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Maximum number of vertices of a rim.
const MAX_RIM_VERTICES: f64 = 706.0;
/// Difference from the radius, relative to the size, below which half lengths are equal to it.
const EQUAL: f64 = 1e-9;

/// A cylinder along z.
pub(super) fn cylinder(radius: f64, half_length: f64, tessellation: &Tessellation) -> Cells {
    let margin = tessellation.margin;
    let n = (TAU * (radius + margin) / tessellation.resolution).ceil().clamp(3.0, MAX_RIM_VERTICES) as usize;
    let factor = match tessellation.volume {
        Volume::Preserved => (TAU / (n as f64 * (TAU / n as f64).sin())).sqrt(),
        Volume::Inscribed => 1.0,
    };
    let depth = radius.min(half_length);
    let outer = -margin / depth;
    let height = half_length + margin;
    let mut cells = Cells::default();
    let z = Vector3::z();
    let [bottom, top] = [-height, height].map(|h| cells.add(z * h, outer));
    let rim = (radius + margin) * factor;
    let mut circle = |radius: f64, height: f64, level: f64| -> Vec<u32> {
        around(n).map(|direction| cells.add(direction * radius + z * height, level)).collect()
    };
    let (low, high) = (circle(rim, -height, outer), circle(rim, height, outer));
    let sectors = (0..n).map(|i| (i, (i + 1) % n));
    if (half_length - radius).abs() <= EQUAL * depth {
        let middle = cells.add(Vector3::zeros(), 1.0);
        for (i, j) in sectors {
            cells.tets.extend([[bottom, low[i], low[j], middle], [top, high[i], high[j], middle]]);
            cells.tets.extend(pyramid([low[i], low[j], high[j], high[i], middle]));
        }
    } else if half_length > radius {
        let [down, up] = [radius - half_length, half_length - radius].map(|h| cells.add(z * h, 1.0));
        for (i, j) in sectors {
            cells.tets.extend([[bottom, low[i], low[j], down], [top, high[i], high[j], up]]);
            cells.tets.extend(prism([down, low[i], low[j], up, high[i], high[j]]));
        }
    } else {
        let ring = circle((radius - half_length) * factor, 0.0, 1.0);
        let middle = cells.add(Vector3::zeros(), 1.0);
        for (i, j) in sectors {
            cells.tets.extend(prism([bottom, low[i], low[j], middle, ring[i], ring[j]]));
            cells.tets.extend(prism([top, high[i], high[j], middle, ring[i], ring[j]]));
            cells.tets.extend(prism([ring[j], low[j], high[j], ring[i], low[i], high[i]]));
        }
    }
    cells
}
