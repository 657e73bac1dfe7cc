//! The part of a solid that can touch in a given direction: a point, a segment, a rectangle, a polygon or a disc.

use super::ConvexHull;
use super::hull::Face;
use super::placed::Placed;
use super::root::crossing;
use nalgebra::{Isometry3, Vector3};

/// Tilt below which the lowest direction of a rim blends into a fixed one \[rad\].
const UPRIGHT_TILT: f64 = 1e-6;

/// Least cosine between n and the normal of a hull's face that touches as a face; below it, the sharp corner or edge
/// touches alone.
const MIN_FACE_COSINE: f64 = 0.25;

/// A touching feature; flat ones carry their plane as two unit axes.
#[derive(Clone, Copy, Debug)]
pub enum Feature<'a> {
    /// One point.
    Point(Vector3<f64>),
    /// Two ends.
    Segment([Vector3<f64>; 2]),
    /// A face of a box.
    Rectangle { center: Vector3<f64>, axes: [Vector3<f64>; 2], half: [f64; 2] },
    /// A face of a hull; `pose` places its corners.
    Polygon {
        center: Vector3<f64>,
        axes: [Vector3<f64>; 2],
        hull: &'a ConvexHull,
        face: &'a Face,
        pose: Isometry3<f64>,
    },
    /// A cap of a cylinder with its four rim points.
    Disc { center: Vector3<f64>, axes: [Vector3<f64>; 2], radius: f64, rim: [Vector3<f64>; 4] },
}

/// Four directions to the rim of a cylinder, 90° apart, the first towards `n`.
///
/// Reason why this does not make a standing cylinder jump: near standing, "towards n" turns arbitrarily fast with the
/// tilt. But for points equally spaced on a circle, any sum of products of up to three terms, each linear in the
/// position (depth, approach speed, lever arm), does not depend on the position of the first one: the 1st, 2nd and 3rd
/// harmonics cancel for four points (for three points the 3rd would not). So force and moment are continuous although
/// the points move. Once points lift off, the tilt is large and the direction is well defined. To keep the points
/// themselves still at rest, tilts below [`UPRIGHT_TILT`] blend into the body's x direction; the lowest rim point is
/// then off by less than `radius * UPRIGHT_TILT`. Lying down (n normal to the axis) nothing is blended.
pub(super) fn rim_directions(axes: &[Vector3<f64>; 3], n: &Vector3<f64>) -> [Vector3<f64>; 4] {
    let [x, y, z] = *axes;
    let (u, v) = (x.dot(n) + UPRIGHT_TILT * z.dot(n).powi(2), y.dot(n));
    let length = u.hypot(v);
    let (c, s) = if length > 0.0 { (u / length, v / length) } else { (1.0, 0.0) };
    let first = x * c + y * s;
    let second = y * c - x * s;
    [first, second, -first, -second]
}

/// Of the faces that contain all corners farthest along `n`, the one that faces `n` most.
pub(super) fn hull_feature<'a>(placed: &Placed, hull: &'a ConvexHull, n: &Vector3<f64>) -> Feature<'a> {
    let m = placed.turned(n);
    let band = 1e-7 * hull.radius;
    let mut top = hull.top(&m, band);
    let Some(first) = top.next() else { return Feature::Point(placed.center) };
    let second = top.next();
    let facing = |f: &Face| f.normal.dot(&m);
    let most = |holds_all: bool| {
        let faces = hull.faces_around(first).iter().map(|&f| &hull.faces[f as usize]);
        let holds = |f: &&Face| !holds_all || hull.top(&m, band).all(|v| f.corners.contains(&(v as u32)));
        // The first of several.
        faces.filter(holds).reduce(|best, f| if facing(f) > facing(best) { f } else { best })
    };
    let face = if second.is_some() { most(true).or_else(|| most(false)) } else { most(false) };
    let place = |v: usize| placed.unlocal(&hull.corners()[v]);
    match (face, second) {
        (Some(face), _) if facing(face) > MIN_FACE_COSINE => Feature::Polygon {
            center: placed.unlocal(&face.center),
            axes: face.axes.map(|axis| placed.unturned(&axis)),
            hull,
            face,
            pose: placed.pose,
        },
        (_, Some(second)) => Feature::Segment([place(first), place(second)]),
        _ => Feature::Point(place(first)),
    }
}

/// A flat outline (rectangle, polygon or disc) seen along a direction.
pub(super) struct Outline<'a> {
    center: Vector3<f64>,
    axes: [Vector3<f64>; 2],
    /// Normal of the plane divided by its component along the viewing direction.
    slope: Vector3<f64>,
    n: Vector3<f64>,
    bounds: Bounds<'a>,
}

enum Bounds<'a> {
    Rectangle([f64; 2]),
    Polygon(&'a Face),
    Disc(f64),
}

impl<'a> Outline<'a> {
    /// Outline of a feature seen along `n`; `None` for points and segments.
    pub fn new(feature: &Feature<'a>, n: &Vector3<f64>) -> Option<Self> {
        let (center, axes, bounds) = match *feature {
            Feature::Rectangle { center, axes, half } => (center, axes, Bounds::Rectangle(half)),
            Feature::Polygon { center, axes, face, .. } => (center, axes, Bounds::Polygon(face)),
            Feature::Disc { center, axes, radius, .. } => (center, axes, Bounds::Disc(radius)),
            _ => return None,
        };
        let m = axes[0].cross(&axes[1]);
        // Features are chosen to face n by at least `MIN_FACE_COSINE`: no division by a small number.
        Some(Self { center, axes, slope: m / m.dot(n), n: *n, bounds })
    }

    /// `p` moved along the viewing direction into the plane.
    pub fn project(&self, p: &Vector3<f64>) -> Vector3<f64> {
        p + self.n * self.slope.dot(&(self.center - p))
    }

    fn plane_coordinates(&self, p: &Vector3<f64>) -> [f64; 2] {
        let d = self.project(p) - self.center;
        [self.axes[0].dot(&d), self.axes[1].dot(&d)]
    }

    /// True if `p`, seen along the direction, lies within the outline (grown by `tolerance`).
    pub fn contains(&self, p: &Vector3<f64>, tolerance: f64) -> bool {
        let [u, v] = self.plane_coordinates(p);
        match self.bounds {
            Bounds::Rectangle([a, b]) => u.abs() <= a + tolerance && v.abs() <= b + tolerance,
            Bounds::Polygon(face) => sides(face).all(|side| side.inside([u, v]) >= -tolerance),
            Bounds::Disc(r) => u.hypot(v) <= r + tolerance,
        }
    }

    /// The part of the segment from `p` (0) to `q` (1) within the outline (grown by `tolerance`).
    pub fn clip(&self, p: &Vector3<f64>, q: &Vector3<f64>, tolerance: f64) -> Option<[f64; 2]> {
        let start = self.plane_coordinates(p);
        let end = self.plane_coordinates(q);
        let d = [end[0] - start[0], end[1] - start[1]];
        let mut range = [0.0_f64, 1.0_f64];
        match self.bounds {
            Bounds::Rectangle(half) => {
                for i in 0..2 {
                    // The tolerance only decides which parts to keep; crossings are those of the true outline, so that
                    // they do not depend on it.
                    if start[i].min(end[i]) > half[i] + tolerance || start[i].max(end[i]) < -half[i] - tolerance {
                        return None;
                    }
                    if d[i].abs() <= tolerance {
                        continue;
                    }
                    let (t0, t1) = ((-half[i] - start[i]) / d[i], (half[i] - start[i]) / d[i]);
                    range = [range[0].max(t0.min(t1)), range[1].min(t0.max(t1))];
                }
            }
            Bounds::Polygon(face) => {
                for side in sides(face) {
                    let (s, e) = (side.inside(start), side.inside(end));
                    if s.max(e) < -tolerance {
                        return None;
                    }
                    if (e - s).abs() <= tolerance {
                        continue;
                    }
                    let t = s / (s - e);
                    range = if e > s { [range[0].max(t), range[1]] } else { [range[0], range[1].min(t)] };
                }
            }
            Bounds::Disc(radius) => {
                // |start + t d|² = r²
                let a = d[0] * d[0] + d[1] * d[1];
                if a <= tolerance * tolerance {
                    return self.contains(p, tolerance).then_some(range);
                }
                let middle = -(start[0] * d[0] + start[1] * d[1]) / a;
                let (x, y) = (start[0] + middle * d[0], start[1] + middle * d[1]);
                let rest = radius * radius - x * x - y * y;
                if rest < -tolerance * radius {
                    return None;
                }
                let half = (rest.max(0.0) / a).sqrt();
                range = [range[0].max(middle - half), range[1].min(middle + half)];
            }
        }
        let slack = tolerance / (d[0].hypot(d[1])).max(tolerance);
        if range[0] > range[1] + slack {
            return None;
        }
        Some([range[0].clamp(0.0, 1.0), range[1].clamp(0.0, 1.0)])
    }

    /// Crossings of the rims of two discs, seen along the direction: points on this rim, up to four.
    pub fn rim_crossings(&self, other: &Self) -> [Option<Vector3<f64>>; 4] {
        let mut found = [None; 4];
        let (Bounds::Disc(own), Bounds::Disc(radius)) = (&self.bounds, &other.bounds) else { return found };
        let on_rim = |angle: f64| self.center + (self.axes[0] * angle.cos() + self.axes[1] * angle.sin()) * *own;
        let outside = |angle: f64| {
            let [x, y] = other.plane_coordinates(&on_rim(angle));
            x.hypot(y) - radius
        };
        let inside = |miss: f64| miss < -1e-12 * radius;
        // Samples start at the direction to the other disc, so that the smallest lens contains one.
        let [u, v] = self.plane_coordinates(&other.center);
        let (heading, step) = (v.atan2(u), std::f64::consts::PI / 12.0);
        let (mut last, mut count) = (outside(heading), 0);
        for i in 1..=24 {
            let now = outside(heading + i as f64 * step);
            if inside(last) != inside(now) && count < 4 {
                let sign = if inside(last) { 1.0 } else { -1.0 };
                let middle = heading + (i as f64 - 0.5) * step;
                let s = crossing(|s| sign * outside(middle + 0.5 * step * s), 1e-15 * radius);
                found[count] = Some(on_rim(middle + 0.5 * step * s));
                count += 1;
            }
            last = now;
        }
        found
    }
}

/// A side of a polygon: a point of it and the unit vector to the inside.
struct Side {
    point: [f64; 2],
    inward: [f64; 2],
}

impl Side {
    /// Distance of `p` from the side, positive on the inside.
    fn inside(&self, p: [f64; 2]) -> f64 {
        (p[0] - self.point[0]) * self.inward[0] + (p[1] - self.point[1]) * self.inward[1]
    }
}

fn sides(face: &Face) -> impl Iterator<Item = Side> + '_ {
    face.outline.iter().zip(&face.inward).map(|(&point, &inward)| Side { point, inward })
}
