//! Contact by the volume of overlap: from patches to the contact points of a convex step.
//!
//! A side of modulus E, whose shape has the thickness H to its middle, resists a volume with `E/H` \[Pa/m\], two sides
//! in series with `1/(H_A/E_A + H_B/E_B) = k`. Where V is d deep the pressure is `k d`: a point with the area A is a
//! contact with the stiffness `k A` and the depth d. All points of a pair have the normal of the patch, so that their
//! elastic forces sum to `k |V| n` with the centre of pressure at the centroid of V. The friction of each point is that
//! of its pressure: together they resist sliding and spin as the pressure does, in one convex potential of the six
//! velocities of the pair, the sum of those of its points.
//!
//! **Bodies apart** have the points of the volume that they would share if B came nearer to A, as in `press.rs`.

use super::patch_pair::{Approach, PatchPair};
use crate::proximity::{Hydroelastic, Proximity};
use kinegraph_core::convex::{ContactPoint, FEATURE_BITS};
use kinegraph_geometry as geometry;
use kinegraph_geometry::hydroelastic::{Tessellation, Volume};
use kinegraph_geometry::overlap::{Patch, PatchPoint, Solid, SolidError, overlap};
use kinegraph_geometry::{Aabb, Points, Shape, Touch, aabb};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;

/// A shape with its solid.
#[derive(Clone, Debug)]
pub(super) struct VolumeSide {
    pub solid: Arc<Solid>,
    /// Rate at which the pressure grows with the depth; infinite for a rigid side \[Pa/m\].
    pub gradient: f64,
    /// Modulus \[Pa\]; infinite for a rigid side.
    pub modulus: f64,
    /// Largest distance by which its hull extends beyond the shape \[m\].
    pub bulge: f64,
}

impl VolumeSide {
    /// The side of a shape with the compliance `said`; `None` if it takes no part.
    pub fn new(shape: &Shape, said: &Proximity, resolution: f64, volume: Volume) -> Result<Option<Self>, SolidError> {
        let rigid = match said.hydroelastic {
            Some(Hydroelastic::None) | None => return Ok(None),
            Some(Hydroelastic::Rigid) => true,
            Some(Hydroelastic::Compliant) => false,
        };
        let positive = |what, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(value),
            false => Err(SolidError::OutOfRange { what, value }),
        };
        let solid = Arc::new(Solid::new(shape, &Tessellation { resolution, margin: 0.0, volume })?);
        let (modulus, gradient) = if rigid {
            (f64::INFINITY, f64::INFINITY)
        } else {
            let modulus = positive("modulus", said.modulus.unwrap_or(f64::NAN))?;
            let thickness = match (solid.is_half_space(), said.slab_thickness) {
                (true, None) => return Err(SolidError::NoThickness),
                (true, Some(thickness)) => positive("slab thickness", thickness)?,
                (false, _) => positive("half thickness", shape.half_thickness())?,
            };
            (modulus, modulus / thickness)
        };
        let bounds = solid
            .vertices()
            .first()
            .map(|first| solid.vertices().iter().fold([*first, *first], |[low, high], v| [low.inf(v), high.sup(v)]));
        let bulge = bounds.map_or(0.0, |[min, max]| {
            let Aabb { min: low, max: high } = aabb(shape, &Isometry3::identity());
            // The diagonal extent is at most √3 times that along an axis.
            3.0_f64.sqrt() * (low - min).max().max((max - high).max()).max(0.0)
        });
        Ok(Some(VolumeSide { solid, gradient, modulus, bulge }))
    }

    /// Reason why two sides share no compliant volume.
    pub fn cannot_meet(&self, other: &VolumeSide) -> Option<&'static str> {
        match (self.solid.is_half_space() && other.solid.is_half_space(), self.is_rigid() && other.is_rigid()) {
            (true, _) => Some("both are half-spaces"),
            (_, true) => Some("both are rigid"),
            _ => None,
        }
    }

    fn is_rigid(&self) -> bool {
        self.gradient.is_infinite()
    }
}

/// Rate at which the pressure of a pair grows with the depth of its volume \[Pa/m\].
pub(super) fn gradient([a, b]: [&VolumeSide; 2]) -> f64 {
    1.0 / (1.0 / a.gradient + 1.0 / b.gradient)
}

/// A pair of shapes that touch by their volume, A and B.
pub(super) struct Overlapping<'a> {
    pub pair: PatchPair<'a>,
    pub sides: [&'a VolumeSide; 2],
}

impl Overlapping<'_> {
    /// Appends the points of the pair: those of its volume, or for gaps up to `margin` those after an approach.
    pub fn append(&self, margin: f64, patch: &mut Patch, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        if self.find(self.pair.poses[1], touches, patch) {
            let (mut feature, friction_arm) = (0, patch.friction_part());
            patch.points(|point| {
                feature += 1;
                let found = self.point(&point, patch.normal, point.p_WC, point.depth, feature);
                out.push(ContactPoint { friction_arm, ..found });
            });
        } else if margin > 0.0 {
            self.append_gap(margin, patch, touches, out);
        }
    }

    /// Finds the patch with B at `X_WB`. If one shape contains the other, the normal is that of contact in points.
    fn find(&self, X_WB: &Isometry3<f64>, touches: &mut Vec<Touch>, patch: &mut Patch) -> bool {
        let ([a, b], [of_a, of_b], X_WA) = (self.pair.shapes, self.sides, self.pair.poses[0]);
        let aside = || {
            touches.clear();
            geometry::touches(a, X_WA, b, X_WB, Points::Deepest, 0.0, touches);
            touches.first().map(|touch| touch.normal)
        };
        overlap(&of_a.solid, X_WA, &of_b.solid, X_WB, aside, patch)
    }

    fn append_gap(&self, margin: f64, patch: &mut Patch, touches: &mut Vec<Touch>, out: &mut Vec<ContactPoint>) {
        let modulus = self.sides[0].modulus.min(self.sides[1].modulus);
        let Some(Approach { n, gap, way, X_WB: X }) = self.pair.append_nearest(margin, modulus, touches, out) else {
            return;
        };
        if self.find(&X, touches, patch) {
            let (normal, along) = (patch.normal, n.dot(&patch.normal).max(0.0));
            let mut feature = 0;
            patch.points(|point| {
                feature += 1;
                let depth = (point.depth - way * along).min(-gap * along);
                out.push(self.point(&point, normal, point.p_WC + n * (0.5 * way), depth, feature));
            });
        }
    }

    fn point(
        &self,
        point: &PatchPoint,
        normal: Vector3<f64>,
        p: Vector3<f64>,
        depth: f64,
        feature: u64,
    ) -> ContactPoint {
        let stiffness = gradient(self.sides) * point.area;
        let feature = feature.min((1 << FEATURE_BITS) - 1);
        ContactPoint { p_WC: p.into(), normal: normal.into(), depth, stiffness, ..self.pair.at(feature) }
    }
}
