//! From contact surfaces to the contact points of a convex step: one point per polygon.
//!
//! A polygon of the area A and the pressure p in its centroid C, which grows by g per length of approach, is a point at
//! C with the stiffness `k = A g` and the depth `p/g`: its elastic force `k depth` is `A p`. Where g is small or
//! negative, since the normal leans back from the gradient, a part of the gradient stands in for it: the force is the
//! same, its rate within a step is not, which is a matter of the error control.
//!
//! **Bodies apart.** A step has to know what it may close. Bodies that are a gap apart along n, and less than the
//! margin of the query, have the surface that they would have if B came nearer by some s > gap along -n; its polygons
//! are points with the depths `p/g - s n.n_C`. A step that brings them nearer by a <= s finds the polygons of the
//! surface there. Beside them stands the nearest point itself, with hardly any stiffness, for those who ask how far
//! apart bodies are.

use super::collision::Geometry;
use super::hydroelastic::PressureField;
use super::material::Material;
use crate::convex::{ContactPoint, FEATURE_BITS, POLYGON};
use crate::geometry::hydroelastic::{Face, Surface, contact_surface};
use crate::geometry::{self, Points, Touch};
use nalgebra::{Isometry3, Vector3};

/// The least g, relative to the steeper of both fields.
const LEAST_GRADIENT: f64 = 0.05;

/// Relative to the half thickness of the thinner body: how far into each other bodies apart are seen.
const LAYER: f64 = 0.1;

/// Relative to a whole layer of the body: the stiffness of the nearest point of bodies apart.
const DISTANT_STIFFNESS: f64 = 1e-9;

/// Cosine of normal and direction of approach below which a polygon of bodies apart counts for nothing.
const ALONG: f64 = 0.1;

/// A pair of shapes that touch with a surface, A and B.
pub(super) struct Pressed<'a> {
    pub shapes: [&'a Geometry; 2],
    pub fields: [&'a PressureField; 2],
    pub poses: [&'a Isometry3<f64>; 2],
    /// Of the pair, friction as for points.
    pub material: Material,
    /// Key of the pair; the lowest [`FEATURE_BITS`] are free.
    pub key: u64,
}

impl Pressed<'_> {
    /// Appends the points of the pair: those of its surface, or of what gaps up to `margin` may become.
    pub fn append(&self, margin: f64, surface: &mut Surface, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let [a, b] = self.fields;
        // Whether they can meet was asked when the plant was built.
        if contact_surface(&a.field, self.poses[0], &b.field, self.poses[1], surface).is_err() {
            return;
        }
        if !surface.is_empty() {
            return out.extend(
                surface
                    .faces
                    .iter()
                    .enumerate()
                    .map(|(i, face)| self.point(face, i, face.p_WC, face.pressure / steepness(face))),
            );
        }
        if margin > 0.0 {
            self.append_gap(margin, surface, touches, out);
        }
    }

    fn append_gap(&self, margin: f64, surface: &mut Surface, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let ([a, b], [X_WA, X_WB]) = (self.shapes, self.poses);
        touches.clear();
        geometry::touches(&a.shape, X_WA, &b.shape, X_WB, Points::Deepest, margin, touches);
        let Some(nearest) = touches.first() else { return };
        // Where curved shapes touch their meshes may not yet.
        let (n, gap) = (nearest.normal, (-nearest.depth).max(0.0));
        let thickness = a.shape.half_thickness().min(b.shape.half_thickness());
        let modulus = self.fields[0].modulus.min(self.fields[1].modulus);
        out.push(ContactPoint {
            p_WC: nearest.p_WC.into(),
            normal: n.into(),
            depth: -gap,
            stiffness: DISTANT_STIFFNESS * modulus * thickness,
            ..self.at(0)
        });
        let way = gap + (margin - gap).min(LAYER * thickness);
        let mut X = *X_WB;
        X.translation.vector -= n * way;
        let [of_a, of_b] = self.fields;
        if contact_surface(&of_a.field, X_WA, &of_b.field, &X, surface).is_ok() {
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

    fn point(&self, face: &Face, index: usize, p: Vector3<f64>, depth: f64) -> ContactPoint {
        let stiffness = face.area * steepness(face);
        ContactPoint {
            p_WC: p.into(),
            normal: face.normal.into(),
            depth,
            stiffness,
            ..self.at(self.feature(face, index))
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

    fn at(&self, feature: u64) -> ContactPoint {
        let Material { dissipation, static_friction, dynamic_friction, .. } = self.material;
        ContactPoint {
            body_a: self.shapes[0].body,
            body_b: self.shapes[1].body,
            p_WC: [0.0; 3],
            normal: [0.0; 3],
            depth: 0.0,
            stiffness: 0.0,
            stiffness_part_a: 0.5,
            dissipation,
            static_friction,
            dynamic_friction,
            of_ball: false,
            key: POLYGON | self.key | feature,
        }
    }
}

/// How the pressure grows with the approach, or what stands in for it \[Pa/m\].
fn steepness(face: &Face) -> f64 {
    face.gradient.max(LEAST_GRADIENT * face.steepest)
}
