//! Contact points of a convex step from contact surfaces: one point per polygon.
//!
//! A polygon of area A, with the pressure p at its centroid C, which grows by g per length of approach, is a point at C
//! with the stiffness `k = A g` and the depth `p/g`: its elastic force `k depth` is `A p`. If g is small or negative,
//! since the normal leans back from the gradient, a fraction of the gradient stands in for it: the force is the same,
//! but its rate within a step is not; error control takes care of that.
//!
//! **Bodies apart.** A step has to know the gaps that it may close. Bodies with a gap along n that is less than the
//! margin of the query have the surface that they would have if B came nearer by some s > gap along -n; its polygons
//! are points with the depths `p/g - s n.n_C`. A step that brings the bodies nearer by a <= s finds the polygons of the
//! surface there. The nearest point itself is added with hardly any stiffness, for code that needs the distance of the
//! bodies.

use super::patch_pair::{Approach, PatchPair};
use super::pressure_field::PressureField;
use kinegraph_core::convex::{ContactPoint, FEATURE_BITS};
use kinegraph_geometry::Touch;
use kinegraph_geometry::hydroelastic::{Face, Surface, contact_surface};
use nalgebra::Vector3;

/// The least g, relative to the steeper of both fields.
const LEAST_GRADIENT: f64 = 0.05;

/// Least cosine between the normal and the direction of approach of a polygon of bodies apart; others are ignored.
const ALONG: f64 = 0.1;

/// A pair of shapes that touch with a surface, A and B.
pub(super) struct Pressed<'a> {
    pub pair: PatchPair<'a>,
    pub fields: [&'a PressureField; 2],
}

impl Pressed<'_> {
    /// Appends the points of the pair: those of its surface, or for gaps up to `margin` those after an approach.
    pub fn append(&self, margin: f64, surface: &mut Surface, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let [a, b] = self.fields;
        // Shapes that cannot meet were rejected when the plant was built.
        if contact_surface(&a.field, self.pair.poses[0], &b.field, self.pair.poses[1], surface).is_err() {
            return;
        }
        if !surface.is_empty() {
            let friction_arm = surface.friction_part();
            return out.extend(surface.faces.iter().enumerate().map(|(i, face)| {
                let found = self.point(face, i, face.p_WC, face.pressure / steepness(face));
                ContactPoint { friction_arm, ..found }
            }));
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
                    // Where the normal leans back, pressure grows too slowly to determine the depth.
                    let depth = (face.pressure / steepness(face) - way * along).min(-gap * along);
                    out.push(self.point(face, i, face.p_WC + n * (0.5 * way), depth));
                }
            }
        }
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

    /// Feature number of a polygon of a pair: by its elements if there are few enough of them, otherwise by its order.
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

/// Rate at which the pressure grows with the approach, or its lower bound \[Pa/m\].
fn steepness(face: &Face) -> f64 {
    face.gradient.max(LEAST_GRADIENT * face.steepest)
}
