//! The patch of two solids: volume, normal, centre, and points that carry the pressure of the volume.
//!
//! A polygon of the contact plane above which the depth is linear is cut into triangles about its centroid. The corners
//! of a triangle with a twelfth of its area each, and its centroid with three quarters, integrate quadratic functions
//! exactly, as needed for force, torque, stiffness and its moments. The corners are among the points so that the centre
//! of pressure can move to the rim within a step: a body tips over its edge, not before. Slivers, which appear and
//! vanish as bodies tilt, are one point each with the same force and torque.

use super::cells::Overlay;
use super::clip::{Cut, moved};
use super::polyhedron::{Body, Polyhedron, Solid};
use crate::hydroelastic::polygon::Plane;
use crate::spin;
use nalgebra::{Isometry3, Matrix6, Vector2, Vector3};
use std::ops::Range;

/// Area, relative to the whole, below which a polygon is one point.
const SLIVER: f64 = 1e-3;

/// Area, relative to the whole, below which a polygon is rounding. The centroids of such polygons have no meaning.
const NOTHING: f64 = 1e-12;

/// Sum of vector areas, relative to all faces, below which it gives no direction.
const BALANCED: f64 = 1e-9;

/// Least cosine with the normal of a face that counts as above or below.
const UPRIGHT: f64 = 1e-13;

/// A point of the contact plane that represents an area of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// Position in world \[m\].
    pub p_WC: Vector3<f64>,
    /// The area that it represents \[m²\].
    pub area: f64,
    /// Length of V along the normal there \[m\].
    pub depth: f64,
}

/// A polygon of the contact plane above which the depth is linear.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Area \[m²\].
    pub area: f64,
    /// Centroid in the axes of the patch, from its centre \[m\].
    pub centroid: Vector2<f64>,
    /// Depth at the origin of these axes \[m\], and its slope along each.
    pub(super) depth: [f64; 3],
    /// Range of its corners among those of the patch.
    pub(super) corners: Range<usize>,
}

/// The exact integrals over the faces of V for the velocity-level problem. Rows: linear, then angular, about the
/// centre, in world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// `Q = int K'K dA` over all faces, `K = [1, -[r]x]`, r in the contact plane \[m², m³, m⁴\].
    pub q: Matrix6<f64>,
    /// `c = int depth [n; r x n] dA = [|V| n; 0]` \[m³\].
    pub c: nalgebra::Vector6<f64>,
}

/// The overlap of two solids. In world.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Volume of the overlap \[m³\].
    pub volume: f64,
    /// Its centroid, the centre of the pressure \[m\].
    pub center: Vector3<f64>,
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Two axes of the contact plane, right-handed with the normal.
    pub axes: [Vector3<f64>; 2],
    /// Area of the projection of V onto the contact plane \[m²\].
    pub area: f64,
    pub(super) cells: Overlay,
    /// Largest depth of V along the normal \[m\].
    most: f64,
    cut: Cut,
}

/// Finds the overlap of A and B, and stores it in `patch`, whose memory is reused; `false` if there is none. `aside`
/// gives a normal if one solid contains the other.
pub fn overlap(
    a: &Solid,
    X_WA: &Isometry3<f64>,
    b: &Solid,
    X_WB: &Isometry3<f64>,
    aside: impl FnOnce() -> Option<Vector3<f64>>,
    patch: &mut Patch,
) -> bool {
    let (X_WF, a_is_cut) = match (&a.0, &b.0) {
        (Body::HalfSpace, Body::HalfSpace) => return false,
        (Body::HalfSpace, Body::Polyhedron(cut)) => (X_WA, patch.below(cut, X_WB, X_WA, false)),
        (Body::Polyhedron(cut), Body::HalfSpace) => (X_WB, patch.below(cut, X_WA, X_WB, true)),
        (Body::Polyhedron(p), Body::Polyhedron(q)) if p.planes.len() >= q.planes.len() => {
            (X_WA, patch.intersect(p, X_WA, q, X_WB, true))
        }
        (Body::Polyhedron(p), Body::Polyhedron(q)) => (X_WB, patch.intersect(q, X_WB, p, X_WA, false)),
    };
    a_is_cut.is_some_and(|a_is_cut| patch.measure(X_WF, a_is_cut, aside))
}

/// Two unit vectors that are right-handed with `n`: the first is normal to the axis that is farthest from n.
pub(super) fn axes(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let mut axis = Vector3::zeros();
    axis[n.iamin()] = 1.0;
    let u = axis.cross(n).normalize();
    [u, n.cross(&u)]
}

fn finite(X: Isometry3<f64>) -> Option<Isometry3<f64>> {
    X.translation.vector.iter().chain(X.rotation.coords.iter()).all(|x| x.is_finite()).then_some(X)
}

impl Patch {
    /// Cuts a polyhedron by the planes of another one, in its own frame. Returns `a_is_cut` if something remains.
    fn intersect(
        &mut self,
        cut: &Polyhedron,
        X_WC: &Isometry3<f64>,
        by: &Polyhedron,
        X_WO: &Isometry3<f64>,
        a_is_cut: bool,
    ) -> Option<bool> {
        let X = finite(X_WC.inv_mul(X_WO))?;
        self.cut.start(cut, &Isometry3::identity(), cut.size.max(by.size));
        by.planes.iter().all(|plane| self.cut.cut(&moved(plane, &X))).then_some(a_is_cut)
    }

    /// Cuts a polyhedron by the surface of a half-space, in the frame of the half-space.
    fn below(
        &mut self,
        cut: &Polyhedron,
        X_WC: &Isometry3<f64>,
        X_WH: &Isometry3<f64>,
        a_is_cut: bool,
    ) -> Option<bool> {
        self.cut.start(cut, &finite(X_WH.inv_mul(X_WC))?, cut.size);
        self.cut.cut(&Plane { normal: Vector3::z(), offset: 0.0 }).then_some(a_is_cut)
    }

    fn measure(&mut self, X_WF: &Isometry3<f64>, a_is_cut: bool, aside: impl FnOnce() -> Option<Vector3<f64>>) -> bool {
        let cut = &self.cut;
        let mean = cut.vertices.iter().fold(Vector3::zeros(), |sum, v| sum + v) / cut.vertices.len() as f64;
        let (mut volume, mut moment) = (0.0, Vector3::zeros());
        let (mut on_a, mut total) = (Vector3::zeros(), 0.0);
        // Number of faces of each side, and the normal of the last of them.
        let mut sides = [(0, Vector3::zeros()); 2];
        for face in &cut.faces {
            let mut corners = cut.corners(face).map(|p| p - mean);
            let Some(first) = corners.next() else { continue };
            let mut area = Vector3::zeros();
            for (p, q) in corners.clone().zip(corners.skip(1)) {
                let part = (p - first).cross(&(q - first)) * 0.5;
                let tetrahedron = part.dot(&first) / 3.0;
                area += part;
                volume += tetrahedron;
                moment += (first + p + q) * (tetrahedron / 4.0);
            }
            let of_a = face.of_first == a_is_cut;
            total += area.norm();
            if of_a {
                on_a += area;
            }
            let side = &mut sides[usize::from(!of_a)];
            *side = (side.0 + 1, face.plane.normal);
        }
        if !(volume > 0.0 && total > 0.0) {
            return false;
        }
        let normal = match sides {
            [(1, normal), (1.., _)] => Some(normal),
            [(1.., _), (1, normal)] => Some(-normal),
            _ if on_a.norm() > BALANCED * total => Some(on_a.normalize()),
            _ => aside().map(|n| X_WF.inverse_transform_vector(&n)),
        };
        let Some(n) = normal else { return false };
        let (center, [u, v]) = (mean + moment / volume, axes(&n));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in &cut.vertices {
            let height = n.dot(&(p - center));
            (low, high) = (low.min(height), high.max(height));
        }
        self.cells.start();
        for face in &cut.faces {
            let slope = n.dot(&face.plane.normal);
            if slope.abs() <= UPRIGHT {
                continue;
            }
            // height(x, y) of the plane over the contact plane.
            let at = (face.plane.offset - face.plane.normal.dot(&center)) / slope;
            let height = [at, -face.plane.normal.dot(&u) / slope, -face.plane.normal.dot(&v) / slope];
            let flat = cut.corners(face).map(|p| {
                let r = p - center;
                Vector2::new(r.dot(&u), r.dot(&v))
            });
            self.cells.add(slope > 0.0, height, flat);
        }
        self.area = self.cells.overlay();
        self.volume = volume;
        self.most = high - low;
        self.center = X_WF.rotation * center + X_WF.translation.vector;
        self.normal = X_WF.rotation * n;
        self.axes = [X_WF.rotation * u, X_WF.rotation * v];
        self.area > 0.0
    }

    /// The polygons above which the depth is linear.
    pub fn cells(&self) -> &[Cell] {
        &self.cells.cells
    }

    /// The corners of a cell, anticlockwise about the normal, in world.
    pub fn corners<'p>(&'p self, cell: &Cell) -> impl ExactSizeIterator<Item = Vector3<f64>> + 'p {
        self.cells.corners[cell.corners.clone()].iter().map(|r| self.at(r))
    }

    /// The depth of V above a point of the cell that is given in the axes of the patch \[m\].
    pub fn depth(&self, cell: &Cell, r: &Vector2<f64>) -> f64 {
        let [at, along_u, along_v] = cell.depth;
        (at + along_u * r.x + along_v * r.y).clamp(0.0, self.most)
    }

    /// The depth of V above a point in world that lies within the cell \[m\].
    pub fn depth_at(&self, cell: &Cell, p: &Vector3<f64>) -> f64 {
        let r = p - self.center;
        self.depth(cell, &Vector2::new(r.dot(&self.axes[0]), r.dot(&self.axes[1])))
    }

    fn at(&self, r: &Vector2<f64>) -> Vector3<f64> {
        self.center + self.axes[0] * r.x + self.axes[1] * r.y
    }

    /// Visits the points that carry the pressure of the volume, in an order that depends on solids and poses alone.
    pub fn points(&self, mut visit: impl FnMut(PatchPoint)) {
        let mut point = |r: Vector2<f64>, area: f64, depth: f64| visit(PatchPoint { p_WC: self.at(&r), area, depth });
        for cell in self.cells().iter().filter(|cell| cell.area > NOTHING * self.area) {
            let middle = cell.centroid;
            let ring = &self.cells.corners[cell.corners.clone()];
            let next = |i: usize| ring[if i + 1 == ring.len() { 0 } else { i + 1 }];
            let triangle = |i: usize| 0.5 * (ring[i] - middle).perp(&(next(i) - middle));
            if cell.area < SLIVER * self.area {
                let (mut sum, mut moment) = (0.0, Vector2::zeros());
                for (i, &corner) in ring.iter().enumerate() {
                    let third = triangle(i) / 3.0;
                    for r in [(corner + next(i)) * 0.5, (corner + middle) * 0.5, (next(i) + middle) * 0.5] {
                        let part = third * self.depth(cell, &r);
                        sum += part;
                        moment += r * part;
                    }
                }
                if sum > 0.0 {
                    // The quotient of two small numbers may exceed the length of V.
                    point(moment / sum, cell.area, (sum / cell.area).min(self.most));
                }
                continue;
            }
            point(middle, cell.area / 12.0, self.depth(cell, &middle));
            let mut before = triangle(ring.len() - 1);
            for (i, &corner) in ring.iter().enumerate() {
                let own = triangle(i);
                let inner = (corner + next(i) + middle) / 3.0;
                point(corner, (before + own) / 12.0, self.depth(cell, &corner));
                point(inner, 0.75 * own, self.depth(cell, &inner));
                before = own;
            }
        }
    }

    /// Friction arm: the fraction of the way from the centre to the points at which their friction acts, so that the
    /// points resist a spin about the centre as the pressure does.
    pub fn friction_part(&self) -> f64 {
        let (mut of_area, mut of_points) = (0.0, 0.0);
        for cell in self.cells() {
            if cell.area < SLIVER * self.area {
                // Its depth is the quotient of two small numbers.
                of_area += cell.area * self.depth(cell, &cell.centroid) * cell.centroid.norm();
                continue;
            }
            let ring = &self.cells.corners[cell.corners.clone()];
            let [at, along_u, along_v] = cell.depth;
            let depth = spin::Plane { at, slope: Vector2::new(along_u, along_v) };
            let edges = (0..ring.len()).map(|i| [ring[i], ring[if i + 1 == ring.len() { 0 } else { i + 1 }]]);
            of_area += edges.map(|[p, q]| spin::first_moment(&p, &q, &depth)).sum::<f64>();
        }
        self.points(|point| {
            let r = point.p_WC - self.center;
            of_points += point.area * point.depth * (r - self.normal * self.normal.dot(&r)).norm();
        });
        if of_points > 0.0 && of_area > 0.0 { of_area / of_points } else { 1.0 }
    }

    /// The corners of the projection of V onto the contact plane, anticlockwise about the normal, in world.
    pub fn outline(&self) -> Vec<Vector3<f64>> {
        super::cells::hull(&self.cells.corners).iter().map(|r| self.at(r)).collect()
    }

    /// The integrals over the faces of V, by the same rule: faces below count like faces above.
    pub fn moments(&self) -> Moments {
        let (mut q, [u, v]) = (Matrix6::zeros(), self.axes);
        for cell in self.cells() {
            let ring = &self.cells.corners[cell.corners.clone()];
            for i in 0..ring.len() {
                let (p, s, m) = (ring[i], ring[if i + 1 == ring.len() { 0 } else { i + 1 }], cell.centroid);
                let third = (p - m).perp(&(s - m)) * 0.5 / 3.0;
                for r in [(p + s) * 0.5, (p + m) * 0.5, (s + m) * 0.5] {
                    let mut k = nalgebra::Matrix3x6::zeros();
                    k.fixed_columns_mut::<3>(0).copy_from(&nalgebra::Matrix3::identity());
                    k.fixed_columns_mut::<3>(3).copy_from(&-(u * r.x + v * r.y).cross_matrix());
                    q += k.transpose() * k * (2.0 * third);
                }
            }
        }
        let mut c = nalgebra::Vector6::zeros();
        c.fixed_rows_mut::<3>(0).copy_from(&(self.normal * self.volume));
        Moments { q, c }
    }

    /// The vector areas of all faces of V, outward in the frame of the solid that was cut.
    pub fn areas(&self) -> Vec<Vector3<f64>> {
        let faces = self.cut.faces.iter().map(|face| {
            let corners: Vec<_> = self.cut.corners(face).collect();
            (1..corners.len() - 1).map(|i| (corners[i] - corners[0]).cross(&(corners[i + 1] - corners[0])) * 0.5).sum()
        });
        faces.collect()
    }
}
