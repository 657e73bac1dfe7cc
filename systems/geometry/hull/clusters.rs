//! Points in clusters, and clusters in nested boxes, to find the farthest point in a direction.
//!
//! A mesh has thousands of points, its hull thousands of faces, and every face tests every point: the box around a
//! cluster shows for most of them that they are not the farthest.

use nalgebra::Vector3;

/// Number of points in a cluster.
const SIZE: usize = 16;
/// Relative growth of bounds, so that rounding hides no point.
const ROUNDING: f64 = 1e-14;

/// Points, grouped by proximity.
pub struct Clusters {
    points: Vec<Vector3<f64>>,
    /// The box of all points first; a box with parts is followed by its first part.
    boxes: Vec<Held>,
}

/// A box around some of the points.
struct Held {
    center: Vector3<f64>,
    half_width: Vector3<f64>,
    first: usize,
    end: usize,
    /// Index of its second part; `None` for a cluster.
    second: Option<usize>,
}

impl Clusters {
    /// Clusters of `points`; at least one.
    pub fn new(points: &[Vector3<f64>]) -> Self {
        let mut points = points.to_vec();
        let mut boxes = Vec::with_capacity(points.len() / 4 + 1);
        split(&mut points, 0, &mut boxes);
        Clusters { boxes, points }
    }

    /// The largest coordinate along `n`, or `least` if no point is beyond that: the larger `least` is, the fewer points
    /// are examined.
    pub fn farthest_beyond(&self, n: &Vector3<f64>, least: f64) -> f64 {
        self.farthest(n, least).map_or(least, |p| p.dot(n))
    }

    /// The point with the largest coordinate along `n`, if that is beyond `least`.
    pub fn farthest(&self, n: &Vector3<f64>, least: f64) -> Option<Vector3<f64>> {
        let (size, mut best) = (n.abs(), (least, None));
        self.search(0, n, &size, &mut best);
        best.1.map(|at: usize| self.points[at])
    }

    /// Calls `visit` with all points whose coordinate along `n` is at least `least`.
    pub fn visit_beyond(&self, n: &Vector3<f64>, least: f64, visit: &mut impl FnMut(&Vector3<f64>)) {
        let (size, mut pending) = (n.abs(), vec![0]);
        while let Some(at) = pending.pop() {
            let held = &self.boxes[at];
            if held.bound(n, &size) < least {
                continue;
            }
            match held.second {
                Some(second) => pending.extend([at + 1, second]),
                None => self.points[held.first..held.end].iter().filter(|p| p.dot(n) >= least).for_each(&mut *visit),
            }
        }
    }

    fn search(&self, at: usize, n: &Vector3<f64>, size: &Vector3<f64>, best: &mut (f64, Option<usize>)) {
        let held = &self.boxes[at];
        match held.second {
            None => {
                for (i, p) in (held.first..held.end).zip(&self.points[held.first..held.end]) {
                    let along = p.dot(n);
                    if along > best.0 {
                        *best = (along, Some(i));
                    }
                }
            }
            Some(second) => {
                let bounds = [at + 1, second].map(|part| (self.boxes[part].bound(n, size), part));
                // The more promising part first, so that more of the rest can be skipped.
                let order = if bounds[0].0 >= bounds[1].0 { [0, 1] } else { [1, 0] };
                for (bound, part) in order.map(|i| bounds[i]) {
                    if bound > best.0 {
                        self.search(part, n, size, best);
                    }
                }
            }
        }
    }
}

impl Held {
    /// Upper bound of the coordinates of its points along `n`, of which `size` has the absolute values.
    fn bound(&self, n: &Vector3<f64>, size: &Vector3<f64>) -> f64 {
        let (middle, reach) = (self.center.dot(n), self.half_width.dot(size));
        middle + reach + ROUNDING * (middle.abs() + reach)
    }
}

/// Orders points so that each `SIZE` of them are near each other, and adds their boxes; `first` is the index of the
/// first point.
fn split(points: &mut [Vector3<f64>], first: usize, boxes: &mut Vec<Held>) {
    let (low, high) = bounds(points);
    let own = boxes.len();
    let (center, half_width) = ((low + high) / 2.0, (high - low) / 2.0);
    boxes.push(Held { center, half_width, first, end: first + points.len(), second: None });
    if points.len() <= SIZE {
        return;
    }
    let axis = (high - low).imax();
    let half = (points.len() / 2).div_ceil(SIZE) * SIZE;
    points.select_nth_unstable_by(half, |p, q| p[axis].total_cmp(&q[axis]));
    let (near, far) = points.split_at_mut(half);
    split(near, first, boxes);
    boxes[own].second = Some(boxes.len());
    split(far, first + half, boxes);
}

fn bounds(points: &[Vector3<f64>]) -> (Vector3<f64>, Vector3<f64>) {
    points.iter().fold((points[0], points[0]), |(low, high), p| (low.inf(p), high.sup(p)))
}
