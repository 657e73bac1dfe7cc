//! Common parts of contact with surfaces and by volume: a pair of shapes, and the nearest point of a pair that is
//! apart.

use super::material::Material;
use kinegraph_core::convex::{ContactPoint, POLYGON};
use kinegraph_geometry as geometry;
use kinegraph_geometry::{Points, Shape, Touch};
use nalgebra::{Isometry3, Vector3};

/// Depth to which bodies apart are moved into each other, relative to the half thickness of the thinner body.
const LAYER: f64 = 0.1;

/// Stiffness of the nearest point of bodies apart, relative to that of a whole layer of the body.
const DISTANT_STIFFNESS: f64 = 1e-9;

/// A pair of shapes, A and B.
pub(super) struct PatchPair<'a> {
    pub shapes: [&'a Shape; 2],
    pub bodies: [usize; 2],
    pub poses: [&'a Isometry3<f64>; 2],
    /// Material of the pair; friction as for points.
    pub material: Material,
    /// Key of the pair; the lowest [`FEATURE_BITS`](kinegraph_core::convex::FEATURE_BITS) are free.
    pub key: u64,
}

/// A pair that is apart, and its poses after an approach.
pub(super) struct Approach {
    /// Direction from A to B.
    pub n: Vector3<f64>,
    /// Gap of the shapes \[m\].
    pub gap: f64,
    /// Distance by which B is moved along -n \[m\].
    pub way: f64,
    /// Pose of B after that motion.
    pub X_WB: Isometry3<f64>,
}

impl PatchPair<'_> {
    /// Appends the nearest point of shapes that are at most `margin` apart, with hardly any stiffness; `modulus` is
    /// that of the softer side. Returns the approach, with B moved into A as far as a step may close the gap.
    pub fn append_nearest(
        &self,
        margin: f64,
        modulus: f64,
        touches: &mut Vec<Touch>,
        out: &mut Vec<ContactPoint>,
    ) -> Option<Approach> {
        let ([a, b], [X_WA, X_WB]) = (self.shapes, self.poses);
        touches.clear();
        geometry::touches(a, X_WA, b, X_WB, Points::Deepest, margin, touches);
        let nearest = touches.first()?;
        // Where curved shapes touch, their meshes or hulls may not touch yet.
        let (n, gap) = (nearest.normal, (-nearest.depth).max(0.0));
        let thickness = a.half_thickness().min(b.half_thickness());
        out.push(ContactPoint {
            p_WC: nearest.p_WC.into(),
            normal: n.into(),
            depth: -gap,
            stiffness: DISTANT_STIFFNESS * modulus * thickness,
            ..self.at(0)
        });
        let way = gap + (margin - gap).min(LAYER * thickness);
        let mut X_WB = *X_WB;
        X_WB.translation.vector -= n * way;
        Some(Approach { n, gap, way, X_WB })
    }

    /// A contact point of the pair, with position, normal and stiffness still to be set.
    pub fn at(&self, feature: u64) -> ContactPoint {
        let Material { dissipation, static_friction, dynamic_friction, .. } = self.material;
        ContactPoint {
            body_a: self.bodies[0],
            body_b: self.bodies[1],
            p_WC: [0.0; 3],
            normal: [0.0; 3],
            depth: 0.0,
            stiffness: 0.0,
            stiffness_part_a: 0.5,
            dissipation,
            static_friction,
            dynamic_friction,
            grain: [0.0; 3],
            resistance: [0.0; 2],
            friction_arm: 1.0,
            of_ball: false,
            key: POLYGON | self.key | feature,
        }
    }
}
