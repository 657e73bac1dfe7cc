//! The contact surface of two geometries: polygons with a pressure.
//!
//! Two pressure fields balance where they are equal, p_M = p_N, and push there with that pressure along the normal
//! (Elandt et al., "A pressure field model for fast, robust approximation of net contact force and moment between
//! nominally rigid objects", IROS 2019). On each polygon the pressure is linear, so that its value at the centroid
//! gives the force exactly. A convex step also needs the rate at which that pressure grows as the bodies approach along
//! the normal n: with the gradients of both fields along it,
//!
//! ```text
//! g = 1 / (1/g_M + 1/g_N),   g_M = grad p_M . n,   g_N = -grad p_N . n   (n points out of N, into M)
//! ```
//!
//! where the gradient of a rigid side is infinite; the polygon then has the stiffness `k = A g` and the force `A p`.

use super::mesh::Linear;
use super::polygon::{Plane, Polygon};
use crate::box_tree::Candidates;
use nalgebra::{Isometry3, Vector3};
use std::ops::Range;

/// Least cosine between the normal and the pressure gradient of a face, that of 5 π / 8: other faces are on the far
/// side of a thin body and are left out.
const LEAST_COSINE: f64 = -0.382_683_432_365_089_8;

/// Distance, relative to the size of the bodies, within which corners of a polygon coincide.
const COINCIDENT: f64 = 1e-12;

/// A polygon of a contact surface, in world.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Its centroid C \[m\].
    pub p_WC: Vector3<f64>,
    /// Unit normal, from A into B.
    pub normal: Vector3<f64>,
    /// Area \[m²\].
    pub area: f64,
    /// Pressure at the centroid \[Pa\]; negative in the margin.
    pub pressure: f64,
    /// Rate at which the pressure grows as the bodies approach \[Pa/m\]: `g` above. Negative if the normal leans back.
    pub gradient: f64,
    /// Gradient of the steeper of the two fields \[Pa/m\].
    pub steepest: f64,
    /// The elements (tetrahedra, triangles) of A and B; 0 for a half-space.
    pub elements: [u32; 2],
    /// True if it is the part of a polygon on which the pressure is negative.
    pub speculative: bool,
    /// Range of its corners among those of the surface.
    pub corners: Range<u32>,
    /// Pressure as a function of the position, in world.
    pub(super) field: Linear,
}

impl Face {
    /// Force in the normal direction \[N\]; negative in the margin.
    pub fn elastic_force(&self) -> f64 {
        self.area * self.pressure
    }

    /// Rate at which the force grows as the bodies approach \[N/m\].
    pub fn stiffness(&self) -> f64 {
        (self.area * self.gradient).max(0.0)
    }

    /// Gradient of the pressure, in world \[Pa/m\].
    pub fn pressure_gradient(&self) -> Vector3<f64> {
        self.field.gradient
    }

    /// The pressure at a point of the face \[Pa\].
    pub fn pressure_at(&self, p: &Vector3<f64>) -> f64 {
        self.field.at(p)
    }
}

/// The contact surface of a pair; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The polygons, in the order of their elements.
    pub faces: Vec<Face>,
    /// Corners of all polygons, in world.
    pub corners: Vec<Vector3<f64>>,
    /// Buffers for the search.
    pub(super) candidates: Candidates,
    /// The fields of N, in the frame of M.
    pub(super) placed: Vec<Linear>,
}

impl Surface {
    /// True if the bodies do not touch.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The area \[m²\].
    pub fn area(&self) -> f64 {
        self.faces.iter().map(|face| face.area).sum()
    }

    /// The elastic force on B \[N\], and its moment about the point `about` \[N m\].
    pub fn wrench(&self, about: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        self.faces.iter().fold(Default::default(), |(force, moment), face| {
            let part = face.normal * face.elastic_force();
            (force + part, moment + (face.p_WC - about).cross(&part))
        })
    }

    /// The sum of the stiffnesses of all polygons \[N/m\].
    pub fn stiffness(&self) -> f64 {
        self.faces.iter().map(Face::stiffness).sum()
    }
}

/// Adds the polygons of a pair to its surface.
pub(super) struct Emitter<'a> {
    pub surface: &'a mut Surface,
    /// The frame in which polygons are found, in world.
    pub X_WF: Isometry3<f64>,
    /// True if M is A.
    pub m_is_a: bool,
    pub size: f64,
    /// True if pressures may be negative.
    pub has_margin: bool,
}

/// Data of a polygon before it is measured.
#[derive(Clone, Copy)]
pub(super) struct Balance {
    /// Unit normal out of N into M.
    pub normal: Vector3<f64>,
    /// The pressure on the polygon.
    pub field: Linear,
    /// `g_M` and `g_N`, see the top of the file; infinite for a rigid side.
    pub g_M: f64,
    pub g_N: f64,
    pub steepest: f64,
    /// Elements of M and N.
    pub elements: [u32; 2],
}

impl Balance {
    /// The balance of two fields across `normal`.
    pub fn between(normal: Vector3<f64>, field_m: &Linear, field_n: &Linear, elements: [u32; 2]) -> Self {
        let (g_M, g_N) = (field_m.gradient.dot(&normal), -field_n.gradient.dot(&normal));
        let steepest = field_m.gradient.norm().max(field_n.gradient.norm());
        Balance { normal, field: *field_m, g_M, g_N, steepest, elements }
    }
}

impl Emitter<'_> {
    /// Adds a polygon, cut in two where its pressure changes sign.
    pub fn add(&mut self, polygon: Polygon, balance: &Balance) {
        if !self.has_margin {
            return self.add_part(polygon, balance, false);
        }
        // The zero line is straight: the pressure is linear.
        let zero = Plane { normal: balance.field.gradient, offset: -balance.field.offset };
        let (mut pushing, mut speculative) = (polygon, polygon);
        pushing.clip(&zero.flipped(), true);
        speculative.clip(&zero, false);
        self.add_part(pushing, balance, false);
        self.add_part(speculative, balance, true);
    }

    fn add_part(&mut self, mut polygon: Polygon, balance: &Balance, speculative: bool) {
        polygon.tidy(COINCIDENT * self.size);
        let Some((area, centroid)) = polygon.measure() else { return };
        let field = balance.field.moved(&self.X_WF);
        let sign = if self.m_is_a { -1.0 } else { 1.0 };
        let [m, n] = balance.elements;
        let first = self.surface.corners.len() as u32;
        let p_WC = self.X_WF.rotation * centroid + self.X_WF.translation.vector;
        let face = Face {
            p_WC,
            normal: self.X_WF.rotation * balance.normal * sign,
            area,
            pressure: balance.field.at(&centroid),
            gradient: 1.0 / (1.0 / balance.g_M + 1.0 / balance.g_N),
            steepest: balance.steepest,
            elements: if self.m_is_a { [m, n] } else { [n, m] },
            speculative,
            corners: first..first + polygon.corners().len() as u32,
            field,
        };
        let finite = |x: &Vector3<f64>| x.iter().all(|x| x.is_finite());
        if finite(&face.p_WC) && finite(&face.normal) && face.pressure.is_finite() && face.gradient.is_finite() {
            let X = &self.X_WF;
            self.surface.corners.extend(polygon.corners().iter().map(|p| X.rotation * p + X.translation.vector));
            self.surface.faces.push(face);
        }
    }
}

/// True if a normal leans back from a gradient too far.
pub(super) fn leans_back(normal: &Vector3<f64>, gradient: &Vector3<f64>) -> bool {
    let steep = gradient.norm();
    steep == 0.0 || normal.dot(gradient) <= LEAST_COSINE * steep
}
