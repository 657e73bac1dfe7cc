//! A flat pyramid behind a convex polygon: a hull that represents one face of a surface.

use super::ConvexHull;
use super::build::assemble;
use super::faces::Region;
use nalgebra::Vector3;

/// Height of the pyramid, relative to the size of its base.
const HEIGHT: f64 = 0.02;

impl ConvexHull {
    /// The pyramid over `corners` (anticlockwise about `normal`, in one plane) whose apex lies a little behind them.
    /// Its first corners are those of the base, in their order, and its first face is the base.
    pub(in super::super) fn flat_pyramid(corners: &[Vector3<f64>], normal: Vector3<f64>) -> Option<ConvexHull> {
        let n = corners.len();
        if n < 3 {
            return None;
        }
        let middle = corners.iter().fold(Vector3::zeros(), |sum, p| sum + p) / n as f64;
        let mut points: Vec<Vector3<f64>> = corners.iter().map(|p| p - middle).collect();
        let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        points.push(normal * (-HEIGHT * size));
        let apex = n as u32;
        let mut triangles: Vec<[u32; 3]> = (1..n as u32 - 1).map(|i| [0, i, i + 1]).collect();
        let mut regions = vec![Region { normal, corners: (0..apex).collect() }];
        for i in 0..apex {
            let side = [(i + 1) % apex, i, apex];
            let [p, q, r] = side.map(|k| points[k as usize]);
            triangles.push(side);
            regions.push(Region { normal: (q - p).cross(&(r - p)).try_normalize(0.0)?, corners: side.to_vec() });
        }
        assemble(&points, &triangles, &regions, middle)
    }
}
