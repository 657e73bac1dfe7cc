//! From contact surfaces to the contact points of a convex step: one point per polygon.
//!
//! A polygon of the area A, on which the pressure p is linear and grows by g per length of approach, is a point at its
//! centre of pressure, `∫ p x dA/∫ p dA`. With the pressure P there, `P = ∫ p² dA/∫ p dA`, it has the depth `P/g` and
//! the stiffness `k = g (∫ p dA)²/∫ p² dA`. So its force `∫ p dA`, its torque, what it does in any motion of the plane,
//! and the energy `k depth²/2 = ∫ p² dA/(2 g)` are those of the polygon. (A point in the centroid has another energy
//! and another torque than the pressure: a box that tips over an edge of its patch gained energy in every step.) The
//! stiffness is `A g` where the pressure is even, and two thirds of that where it falls to zero: the rate of the force
//! within a step is a matter of the error control. So it is where g is small or negative, since the normal leans back
//! from the gradient: a part of the gradient stands in for it.
//!
//! **Bodies apart.** A step has to know what it may close. Bodies that are a gap apart along n, and less than the
//! margin of the query, have the surface that they would have if B came nearer by some s > gap along -n; its polygons
//! are points with the depths `p/g - s n.n_C`. A step that brings them nearer by a <= s finds the polygons of the
//! surface there. Beside them stands the nearest point itself, with hardly any stiffness, for those who ask how far
//! apart bodies are.

use super::hydroelastic::PressureField;
use super::patch_pair::{Approach, PatchPair};
use crate::convex::{ContactPoint, FEATURE_BITS};
use crate::geometry::Touch;
use crate::geometry::hydroelastic::{Face, Surface, contact_surface};
use nalgebra::Vector3;

/// The least g, relative to the steeper of both fields.
const LEAST_GRADIENT: f64 = 0.05;

/// Cosine of normal and direction of approach below which a polygon of bodies apart counts for nothing.
const ALONG: f64 = 0.1;

/// A pair of shapes that touch with a surface, A and B.
pub(super) struct Pressed<'a> {
    pub pair: PatchPair<'a>,
    pub fields: [&'a PressureField; 2],
}

impl Pressed<'_> {
    /// Appends the points of the pair: those of its surface, or of what gaps up to `margin` may become.
    pub fn append(&self, margin: f64, surface: &mut Surface, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let [a, b] = self.fields;
        // Whether they can meet was asked when the plant was built.
        if contact_surface(&a.field, self.pair.poses[0], &b.field, self.pair.poses[1], surface).is_err() {
            return;
        }
        if !surface.is_empty() {
            return out
                .extend(surface.faces.iter().enumerate().map(|(i, face)| self.pressed(face, i, &surface.corners)));
        }
        if margin > 0.0 {
            self.append_gap(margin, surface, touches, out);
        }
    }

    fn append_gap(&self, margin: f64, surface: &mut Surface, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let modulus = self.fields[0].modulus.min(self.fields[1].modulus);
        let Some(Approach { n, gap, way, X_WB: X }) = self.pair.append_nearest(margin, modulus, touches, out) else {
            return;
        };
        let [of_a, of_b] = self.fields;
        if contact_surface(&of_a.field, self.pair.poses[0], &of_b.field, &X, surface).is_ok() {
            for (i, face) in surface.faces.iter().enumerate() {
                let along = n.dot(&face.normal);
                if along > ALONG {
                    // What leans back grows too slowly for its depth to say anything.
                    let depth = (face.pressure / steepness(face) - way * along).min(-gap * along);
                    out.push(self.point(face, i, face.p_WC + n * (0.5 * way), depth));
                }
            }
        }
    }

    /// The point at the centre of pressure of a polygon.
    fn pressed(&self, face: &Face, index: usize, corners: &[Vector3<f64>]) -> ContactPoint {
        let at_centroid = || self.point(face, index, face.p_WC, face.pressure / steepness(face));
        let range = face.corners.start as usize..face.corners.end as usize;
        let Some([first, rest @ ..]) = corners.get(range).filter(|_| !face.speculative) else { return at_centroid() };
        // ∫ p, ∫ p (x - C), ∫ p² over the triangles of a fan.
        let (mut force, mut moment, mut square) = (0.0, Vector3::zeros(), 0.0);
        for pair in rest.windows(2) {
            let area = 0.5 * (pair[0] - first).cross(&(pair[1] - first)).dot(&face.normal).abs();
            let p = [first, &pair[0], &pair[1]].map(|corner| face.pressure_at(corner));
            let sum = p[0] + p[1] + p[2];
            force += area * sum / 3.0;
            square += area * (sum * sum + p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / 12.0;
            for (p, corner) in p.iter().zip([first, &pair[0], &pair[1]]) {
                moment += (corner - face.p_WC) * (area * (p + sum) / 12.0);
            }
        }
        if !(force > 0.0 && square.is_finite() && face.pressure > 0.0) {
            return at_centroid();
        }
        let centre = face.p_WC + moment / force;
        let point = self.point(face, index, centre, square / force / steepness(face));
        ContactPoint { stiffness: point.stiffness * (force / face.area) / (square / force), ..point }
    }

    fn point(&self, face: &Face, index: usize, p: Vector3<f64>, depth: f64) -> ContactPoint {
        let stiffness = face.area * steepness(face);
        ContactPoint {
            p_WC: p.into(),
            normal: face.normal.into(),
            depth,
            stiffness,
            ..self.pair.at(self.feature(face, index))
        }
    }

    /// Distinguishes the polygons of a pair by the elements that they are of, as long as these are not too many to have
    /// a number of their own; then by the order.
    fn feature(&self, face: &Face, index: usize) -> u64 {
        let [a, b] = face.elements.map(u64::from);
        let elements = self.fields.map(|field| field.field.num_elements() as u64);
        let most = 1 << (FEATURE_BITS - 1);
        let feature = if elements[0] * elements[1] * 2 + 1 < most {
            1 + 2 * (a * elements[1] + b) + u64::from(face.speculative)
        } else {
            most + index as u64
        };
        feature.min((1 << FEATURE_BITS) - 1)
    }
}

/// How the pressure grows with the approach, or what stands in for it \[Pa/m\].
fn steepness(face: &Face) -> f64 {
    face.gradient.max(LEAST_GRADIENT * face.steepest)
}
