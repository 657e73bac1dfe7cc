//! A hull of fewer corners within a distance of one of many: what touches is found in a time that grows with the
//! corners, and scanned parts have thousands that nobody sees.
//!
//! Corners are kept, not moved: those farthest along a few directions first, then over every face of the hull so far
//! the one that is farthest outside, until none is outside by more than the distance. Large flat faces so stay flat,
//! and what has few corners keeps all of them.

use super::ConvexHull;
use super::clusters::Clusters;
use nalgebra::Vector3;

/// Each round adds a corner per face that needs one.
const MAX_ROUNDS: usize = 30;

impl ConvexHull {
    /// The hull of some of its corners, with none of the others farther than `distance` \[m\] outside; itself where
    /// that cannot be had.
    pub fn simplified(&self, distance: f64) -> ConvexHull {
        let points: Vec<Vector3<f64>> = self.vertices().collect();
        let clusters = Clusters::new(&points);
        let mut kept = vec![false; points.len()];
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let n = Vector3::new(f64::from(x), f64::from(y), f64::from(z));
                    let height = |i: &usize| points[*i].dot(&n);
                    let farthest =
                        (0..points.len()).reduce(|best, i| if height(&i) > height(&best) { i } else { best });
                    farthest.into_iter().for_each(|i| kept[i] = true);
                }
            }
        }
        for _ in 0..MAX_ROUNDS {
            let some: Vec<Vector3<f64>> =
                points.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(p, _)| *p).collect();
            let Ok(hull) = ConvexHull::new(&some) else { break };
            let mut done = true;
            for face in &hull.faces {
                // Most faces have nothing outside, beyond doubt.
                let base = face.normal.dot(&hull.center) + face.offset;
                let surely = base + distance * (1.0 - 2e-6);
                if clusters.farthest_beyond(&face.normal, surely) - base < distance * (1.0 - 1e-6) {
                    continue;
                }
                let above = |p: &Vector3<f64>| face.normal.dot(&(p - hull.center)) - face.offset;
                let outside =
                    points.iter().enumerate().map(|(i, p)| (i, above(p))).filter(|(_, above)| *above > distance);
                if let Some((i, _)) = outside.reduce(|best, one| if one.1 > best.1 { one } else { best }) {
                    // One that is kept and outside all the same was merged into a face: no more can be had.
                    done &= kept[i];
                    kept[i] = true;
                }
            }
            if done {
                return hull;
            }
        }
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    /// Points of a ball, and a prism of many sides: few corners stay, all the others are near, and a box keeps its own.
    #[test]
    fn what_is_left_out_is_near() {
        let ball = |i: i32| {
            let (z, turn) = (f64::from(i) / 1500.0 - 1.0, f64::from(i) * 2.4);
            Vector3::new(turn.cos() * (1.0 - z * z).sqrt(), turn.sin() * (1.0 - z * z).sqrt(), z)
        };
        let prism = |i: i32| {
            let angle = f64::from(i / 2) * std::f64::consts::TAU / 1000.0;
            Vector3::new(angle.cos(), angle.sin(), if i % 2 == 0 { 0.3 } else { -0.3 })
        };
        let turn = Rotation3::from_euler_angles(0.3, 1.0, -0.4);
        let shapes: [(Vec<Vector3<f64>>, usize); 2] =
            [((0..3001).map(ball).collect(), 1000), ((0..2000).map(|i| turn * prism(i)).collect(), 300)];
        for (points, most) in shapes {
            let exact = ConvexHull::new(&points).unwrap();
            let hull = exact.simplified(5e-3);
            assert!(hull.vertices().len() < most, "{} of {}", hull.vertices().len(), exact.vertices().len());
            for face in &hull.faces {
                let outside = |p: &Vector3<f64>| face.normal.dot(&(p - hull.center)) - face.offset;
                assert!(points.iter().all(|p| outside(p) <= 5e-3 + 1e-9));
            }
        }
        let corners: Vec<_> =
            (0..8).map(|i| Vector3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        assert_eq!(ConvexHull::new(&corners).unwrap().simplified(1e-3).vertices().len(), 8);
    }
}
