//! The point of a hull nearest to a point.

use super::{ConvexHull, Face};
use nalgebra::Vector3;

impl ConvexHull {
    /// The point of the hull nearest to `p`, both about the centre; `p` itself if it is inside.
    pub(in super::super) fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let above = |face: &Face| face.normal.dot(p) - face.offset;
        let (mut top, mut highest) = (0.0, None);
        for face in &self.faces {
            let height = above(face);
            if height > top {
                (top, highest) = (height, Some(face));
            }
        }
        let Some(highest) = highest else { return *p };
        let mut nearest = highest.nearest(p);
        let mut least = (nearest - p).norm_squared();
        let mut distance = least.sqrt();
        // Straight above a face no other point is nearer: every point of the hull is below its plane.
        if least <= top * top * (1.0 + 1e-14) {
            return nearest;
        }
        // The nearest point is on a face that p is above.
        for face in &self.faces {
            let height = above(face);
            if height > 0.0 && height < distance && (p - face.center).norm_squared() < (distance + face.radius).powi(2)
            {
                let q = face.nearest(p);
                let square = (q - p).norm_squared();
                if square < least {
                    (least, nearest, distance) = (square, q, square.sqrt());
                }
            }
        }
        nearest
    }
}

impl Face {
    /// The point of the face nearest to `p`.
    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let d = p - self.center;
        let [x, y] = self.axes.map(|axis| axis.dot(&d));
        let (mut best, mut least) = ([x, y], f64::INFINITY);
        let mut inside = true;
        for (i, &[ax, ay]) in self.outline.iter().enumerate() {
            let [bx, by] = self.outline[(i + 1) % self.outline.len()];
            let (ex, ey) = (bx - ax, by - ay);
            let (px, py) = (x - ax, y - ay);
            if ex * py - ey * px >= 0.0 {
                continue;
            }
            inside = false;
            let t = ((px * ex + py * ey) / (ex * ex + ey * ey)).clamp(0.0, 1.0);
            let (qx, qy) = (ax + t * ex, ay + t * ey);
            let distance = (x - qx).powi(2) + (y - qy).powi(2);
            if distance < least {
                (best, least) = ([qx, qy], distance);
            }
        }
        if inside {
            best = [x, y];
        }
        self.center + self.axes[0] * best[0] + self.axes[1] * best[1]
    }
}
