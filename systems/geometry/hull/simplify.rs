//! Simplification of a hull: fewer corners, within a given distance. Contact takes a time that grows with the number of
//! corners, and scanned parts have thousands of insignificant ones.
//!
//! Corners are kept, not moved: first those farthest along a few directions, then, over every face of the hull so far,
//! the one that is farthest outside, until none is outside by more than the distance. So large flat faces stay flat,
//! and a shape with few corners keeps all of them.

use super::ConvexHull;
use super::clusters::Clusters;
use nalgebra::Vector3;

/// Maximum number of rounds; each adds a corner per face that needs one.
const MAX_ROUNDS: usize = 30;

impl ConvexHull {
    /// The hull of a subset of its corners, with none of the others farther than `distance` \[m\] outside; the hull
    /// itself if that is impossible.
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
                // Most faces certainly have nothing outside.
                let base = face.normal.dot(&hull.center) + face.offset;
                let surely = base + distance * (1.0 - 2e-6);
                if clusters.farthest_beyond(&face.normal, surely) - base < distance * (1.0 - 1e-6) {
                    continue;
                }
                let above = |p: &Vector3<f64>| face.normal.dot(&(p - hull.center)) - face.offset;
                let outside =
                    points.iter().enumerate().map(|(i, p)| (i, above(p))).filter(|(_, above)| *above > distance);
                if let Some((i, _)) = outside.reduce(|best, one| if one.1 > best.1 { one } else { best }) {
                    // A corner that is kept and still outside was merged into a face: no improvement is possible.
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
