//! A convex polyhedron cut by planes, one after the other.
//!
//! Each cut is closed by a cap in its plane. Corners are shared by the faces around them, so that the vector areas of
//! all faces sum to zero to rounding even if planes coincide. Corners within [`WITHIN`] of a plane count as in it and
//! stay.

use super::polyhedron::Polyhedron;
use crate::hydroelastic::polygon::{Plane, crossing};
use nalgebra::{Isometry3, Vector3};

/// Distance that counts as rounding, relative to the size of the solids.
const WITHIN: f64 = 1e-13;

/// A face of the cut solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CutFace {
    pub plane: Plane,
    /// True if it is a part of the solid that was cut; otherwise it lies in a cutting plane.
    pub of_first: bool,
    start: u32,
    end: u32,
}

/// The part of a solid that the cuts have left.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    pub vertices: Vec<Vector3<f64>>,
    pub faces: Vec<CutFace>,
    corners: Vec<u32>,
    within: f64,
    // Buffers.
    spare: Vec<CutFace>,
    spare_corners: Vec<u32>,
    heights: Vec<f64>,
    renamed: Vec<u32>,
    crossings: Vec<(u32, u32, u32)>,
    cap: Vec<(f64, u32)>,
}

/// A vertex that is cut off.
const GONE: u32 = u32::MAX;

impl Cut {
    /// Starts with a whole solid at the pose `X`; `size` is that of both solids.
    pub fn start(&mut self, solid: &Polyhedron, X: &Isometry3<f64>, size: f64) {
        self.within = WITHIN * size;
        self.vertices.clear();
        self.vertices.extend(solid.vertices.iter().map(|v| X.rotation * v + X.translation.vector));
        self.corners.clear();
        self.corners.extend(&solid.corners);
        self.faces.clear();
        self.faces.extend(solid.planes.iter().zip(solid.starts.windows(2)).map(|(plane, range)| CutFace {
            plane: moved(plane, X),
            of_first: true,
            start: range[0],
            end: range[1],
        }));
    }

    /// The corners of a face, anticlockwise seen from outside.
    pub fn corners(&self, face: &CutFace) -> impl ExactSizeIterator<Item = &Vector3<f64>> + Clone {
        self.corners[face.start as usize..face.end as usize].iter().map(|&v| &self.vertices[v as usize])
    }

    /// Cuts off the part above the plane; `false` if no volume remains.
    pub fn cut(&mut self, plane: &Plane) -> bool {
        self.heights.clear();
        self.heights.extend(self.vertices.iter().map(|v| plane.height(v)));
        let (within, heights) = (self.within, &self.heights);
        if heights.iter().all(|&h| h <= within) {
            return heights.iter().any(|&h| h < -within);
        }
        if heights.iter().all(|&h| h >= -within) {
            return false;
        }
        let above = |v: u32| heights[v as usize] > within;
        let below = |v: u32| heights[v as usize] < -within;
        let mut count = 0;
        self.renamed.clear();
        self.renamed.extend(heights.iter().map(|&h| {
            let name = if h > within { GONE } else { count };
            count += u32::from(h <= within);
            name
        }));
        let Cut { vertices, faces, corners, spare, spare_corners, crossings, cap, renamed, .. } = self;
        spare.clear();
        spare_corners.clear();
        crossings.clear();
        cap.clear();
        // Crossings come after the remaining vertices.
        for face in faces.iter() {
            let start = spare_corners.len();
            let ring = &corners[face.start as usize..face.end as usize];
            for (i, &u) in ring.iter().enumerate() {
                let v = ring[if i + 1 == ring.len() { 0 } else { i + 1 }];
                if !above(u) {
                    spare_corners.push(renamed[u as usize]);
                    // A corner in the plane whose neighbour is cut off belongs to the cap.
                    let before = ring[if i == 0 { ring.len() - 1 } else { i - 1 }];
                    if !below(u) && (above(v) || above(before)) {
                        cap.push((0.0, renamed[u as usize]));
                    }
                }
                if (above(u) && below(v)) || (below(u) && above(v)) {
                    let (low, high) = (u.min(v), u.max(v));
                    let known = crossings.iter().find(|found| (found.0, found.1) == (low, high)).map(|found| found.2);
                    let name = known.unwrap_or_else(|| {
                        let name = count + crossings.len() as u32;
                        crossings.push((low, high, name));
                        cap.push((0.0, name));
                        name
                    });
                    spare_corners.push(name);
                }
            }
            if spare_corners.len() >= start + 3 {
                spare.push(CutFace { start: start as u32, end: spare_corners.len() as u32, ..*face });
            } else {
                spare_corners.truncate(start);
            }
        }
        for &(low, high, _) in crossings.iter() {
            let (p, q) = (vertices[low as usize], vertices[high as usize]);
            vertices.push(crossing(&p, heights[low as usize], &q, heights[high as usize]));
        }
        let mut kept = 0;
        for i in 0..vertices.len() {
            if renamed.get(i).is_none_or(|&name| name != GONE) {
                vertices[kept] = vertices[i];
                kept += 1;
            }
        }
        vertices.truncate(kept);
        std::mem::swap(faces, spare);
        std::mem::swap(corners, spare_corners);
        self.close(plane);
        !self.faces.is_empty()
    }

    /// Adds the cap, with its corners in order about their mean.
    fn close(&mut self, plane: &Plane) {
        let Cut { vertices, faces, corners, cap, .. } = self;
        cap.sort_unstable_by_key(|&(_, name)| name);
        cap.dedup_by_key(|&mut (_, name)| name);
        if cap.len() < 3 {
            return;
        }
        let at = |name: u32| vertices[name as usize];
        let mean = cap.iter().fold(Vector3::zeros(), |sum, &(_, name)| sum + at(name)) / cap.len() as f64;
        let [u, v] = super::patch::axes(&plane.normal);
        for (angle, name) in cap.iter_mut() {
            let r = at(*name) - mean;
            *angle = r.dot(&v).atan2(r.dot(&u));
        }
        cap.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let start = corners.len() as u32;
        corners.extend(cap.iter().map(|&(_, name)| name));
        faces.push(CutFace { plane: *plane, of_first: false, start, end: corners.len() as u32 });
    }
}

/// A plane in the frame in which its own frame has the pose `X`.
pub(super) fn moved(plane: &Plane, X: &Isometry3<f64>) -> Plane {
    let normal = X.rotation * plane.normal;
    Plane { normal, offset: plane.offset + normal.dot(&X.translation.vector) }
}
