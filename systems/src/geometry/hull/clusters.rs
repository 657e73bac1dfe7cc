//! Points in clusters, each with the box that holds it, for what lies farthest in a direction.
//!
//! A mesh has thousands of points, its hull thousands of faces, and every face asks every point: most of them are told
//! by their box that they are not the farthest.

use nalgebra::Vector3;

/// Points in a cluster.
const SIZE: usize = 16;

/// Points, near ones together.
pub(super) struct Clusters {
    points: Vec<Vector3<f64>>,
    /// Centre and half width of the box of each `SIZE` points.
    boxes: Vec<[Vector3<f64>; 2]>,
}

impl Clusters {
    /// Clusters of `points`; at least one.
    pub fn new(points: &[Vector3<f64>]) -> Self {
        let mut points = points.to_vec();
        split(&mut points);
        let boxes = points.chunks(SIZE).map(|cluster| {
            let (low, high) = bounds(cluster);
            [(low + high) / 2.0, (high - low) / 2.0]
        });
        Clusters { boxes: boxes.collect(), points }
    }

    /// The largest coordinate along `n`.
    pub fn farthest(&self, n: &Vector3<f64>) -> f64 {
        let size = n.abs();
        let bound = |[center, half]: &[Vector3<f64>; 2]| center.dot(n) + half.dot(&size);
        let (mut first, mut most) = (0, f64::NEG_INFINITY);
        for (i, held) in self.boxes.iter().enumerate() {
            let bound = bound(held);
            if bound > most {
                (first, most) = (i, bound);
            }
        }
        let cluster = |i: usize| &self.points[i * SIZE..self.points.len().min((i + 1) * SIZE)];
        let within = |i: usize, best: f64| cluster(i).iter().map(|p| p.dot(n)).fold(best, f64::max);
        let mut best = within(first, f64::NEG_INFINITY);
        for (i, held) in self.boxes.iter().enumerate() {
            if bound(held) > best {
                best = within(i, best);
            }
        }
        best
    }
}

/// Orders points so that each `SIZE` of them are near each other.
fn split(points: &mut [Vector3<f64>]) {
    if points.len() <= SIZE {
        return;
    }
    let (low, high) = bounds(points);
    let axis = (high - low).imax();
    let half = (points.len() / 2).div_ceil(SIZE) * SIZE;
    points.select_nth_unstable_by(half, |p, q| p[axis].total_cmp(&q[axis]));
    let (first, second) = points.split_at_mut(half);
    split(first);
    split(second);
}

fn bounds(points: &[Vector3<f64>]) -> (Vector3<f64>, Vector3<f64>) {
    points.iter().fold((points[0], points[0]), |(low, high), p| (low.inf(p), high.sup(p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_of_all_is_found_whatever_their_number() {
        for count in [1, 4, 15, 16, 17, 31, 33, 100, 1000] {
            let points: Vec<_> = (0..count)
                .map(f64::from)
                .map(|x| Vector3::new((1.7 * x).sin(), 0.3 * (2.9 * x).cos(), (0.4 * x).sin() * (5.1 * x).cos()))
                .collect();
            let clusters = Clusters::new(&points);
            for turn in (0..50).map(f64::from) {
                let n = Vector3::new((1.3 * turn).sin(), (0.7 * turn).cos(), (2.1 * turn).sin()).normalize();
                let farthest = points.iter().map(|p| p.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
                assert!((clusters.farthest(&n) - farthest).abs() < 1e-15, "{count}");
            }
        }
    }
}
