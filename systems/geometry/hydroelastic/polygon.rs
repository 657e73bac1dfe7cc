//! A convex polygon with few corners: the rest of a slice or a triangle after clipping.
//!
//! A slice of a tetrahedron has at most four corners, each of four clipping planes adds at most one, and so does the
//! cut along p = 0: no memory has to be allocated.

use nalgebra::Vector3;

/// Maximum number of corners of a polygon, with room to spare.
const MAX_VERTICES: usize = 12;

/// A plane `normal . x = offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Its normal, usually of unit length.
    pub normal: Vector3<f64>,
    /// Its distance from the origin along the normal, if that has unit length \[m\].
    pub offset: f64,
}

impl Plane {
    /// Height above the plane: with a unit normal, the distance.
    pub fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// The plane with its normal reversed.
    pub fn flipped(&self) -> Self {
        Plane { normal: -self.normal, offset: -self.offset }
    }
}

/// The polygon: its corners in order.
#[derive(Clone, Copy, Debug)]
pub struct Polygon {
    corners: [Vector3<f64>; MAX_VERTICES],
    len: usize,
}

impl Polygon {
    /// A polygon with these corners, at most `MAX_VERTICES`.
    pub fn new(corners: &[Vector3<f64>]) -> Self {
        let mut polygon = Polygon { corners: [Vector3::zeros(); MAX_VERTICES], len: corners.len().min(MAX_VERTICES) };
        polygon.corners[..polygon.len].copy_from_slice(&corners[..polygon.len]);
        polygon
    }

    /// Its corners in order.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners[..self.len]
    }

    /// True if it has no area.
    pub fn is_empty(&self) -> bool {
        self.len < 3
    }

    /// Orients the polygon anticlockwise seen against `normal`.
    pub fn face(&mut self, normal: &Vector3<f64>) {
        if self.len >= 3 && self.doubled_area().dot(normal) < 0.0 {
            self.corners[..self.len].reverse();
        }
    }

    fn doubled_area(&self) -> Vector3<f64> {
        let c = self.corners();
        (1..self.len.max(2) - 1).map(|i| (c[i] - c[0]).cross(&(c[i + 1] - c[0]))).sum()
    }

    /// Cuts off the part above the plane. A polygon that lies in the plane stays if `keep_within`.
    ///
    /// Heights of corners over the two sides of one plane are negatives of each other to the last bit, so that the
    /// parts of a polygon that two neighbours keep make up the whole, without a gap or an overlap.
    pub fn clip(&mut self, plane: &Plane, keep_within: bool) {
        let mut heights = [0.0; MAX_VERTICES];
        for (height, corner) in heights.iter_mut().zip(self.corners()) {
            *height = plane.height(corner);
        }
        let heights = &heights[..self.len];
        if heights.iter().all(|&h| h <= 0.0) {
            if !keep_within && heights.iter().all(|&h| h == 0.0) {
                self.len = 0;
            }
            return;
        }
        if heights.iter().all(|&h| h > 0.0) {
            self.len = 0;
            return;
        }
        let mut kept = Polygon::new(&[]);
        for i in 0..self.len {
            let j = if i + 1 == self.len { 0 } else { i + 1 };
            let (p, q, hp, hq) = (self.corners[i], self.corners[j], heights[i], heights[j]);
            if hp <= 0.0 {
                kept.push(p);
            }
            if (hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0) {
                kept.push(crossing(&p, hp, &q, hq));
            }
        }
        *self = kept;
    }

    fn push(&mut self, corner: Vector3<f64>) {
        if self.len < MAX_VERTICES {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// Drops corners nearer than `tolerance` to the one before.
    pub fn tidy(&mut self, tolerance: f64) {
        let near = tolerance * tolerance;
        let mut kept = 0;
        for i in 0..self.len {
            if kept == 0 || (self.corners[i] - self.corners[kept - 1]).norm_squared() > near {
                self.corners[kept] = self.corners[i];
                kept += 1;
            }
        }
        while kept > 1 && (self.corners[kept - 1] - self.corners[0]).norm_squared() <= near {
            kept -= 1;
        }
        self.len = kept;
    }

    /// Area and centroid; `None` if it has no area. Triangles of the fan count by their size: a sliver that rounding
    /// has reversed subtracts nothing.
    pub fn measure(&self) -> Option<(f64, Vector3<f64>)> {
        let c = self.corners();
        let (mut doubled, mut moment) = (0.0, Vector3::zeros());
        for i in 1..self.len.max(2) - 1 {
            let (u, v) = (c[i] - c[0], c[i + 1] - c[0]);
            let part = u.cross(&v).norm();
            doubled += part;
            moment += (u + v) * (part / 3.0);
        }
        (doubled > 0.0).then(|| (0.5 * doubled, c[0] + moment / doubled))
    }
}

/// The intersection of a segment with a plane, given the heights of its ends, which are on both sides. The same for
/// either order of the ends.
pub(crate) fn crossing(p: &Vector3<f64>, hp: f64, q: &Vector3<f64>, hq: f64) -> Vector3<f64> {
    let (above, ha, below, hb) = if hp > hq { (p, hp, q, hq) } else { (q, hq, p, hp) };
    below + (above - below) * (hb / (hb - ha))
}
