//! Contact properties of a pair of shapes, combined from both.

use super::collision_geometry::Geometry;
use super::material::Material;
use kinegraph_geometry::Touch;
use nalgebra::{Isometry3, Vector3};

/// Contact properties of two shapes.
pub(super) struct PairSurface {
    pub material: Material,
    pub stiffness_part_a: f64,
    pub resistance: [f64; 2],
}

/// Rule by which the coefficients of two surfaces become that of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrictionRule {
    /// The harmonic mean.
    Mean,
    /// The larger one.
    Larger,
    /// Takes that of A.
    OfA,
    /// Takes that of B.
    OfB,
}

impl FrictionRule {
    /// The rule for two shapes. Where the files of both state surfaces, the larger friction counts, or that of the
    /// higher priority.
    pub fn of(a: &Geometry, b: &Geometry) -> FrictionRule {
        let (Some(sa), Some(sb)) = (a.surface, b.surface) else { return FrictionRule::Mean };
        match sa.priority.cmp(&sb.priority) {
            std::cmp::Ordering::Less => FrictionRule::OfB,
            std::cmp::Ordering::Greater => FrictionRule::OfA,
            std::cmp::Ordering::Equal => FrictionRule::Larger,
        }
    }
}

/// The material of a pair, with the same friction in all directions.
pub(super) fn pair_material(a: &Geometry, b: &Geometry) -> Material {
    let pair = a.material.combine(&b.material);
    let friction_of = |g: &Geometry| g.surface.map_or(0.0, |surface| surface.friction);
    let friction = match FrictionRule::of(a, b) {
        FrictionRule::Mean => return pair,
        FrictionRule::OfB => friction_of(b),
        FrictionRule::OfA => friction_of(a),
        FrictionRule::Larger => friction_of(a).max(friction_of(b)),
    };
    Material { static_friction: friction, dynamic_friction: friction, ..pair }
}

/// Resistance of a pair to spinning and rolling: the larger values of the two surfaces, or those of the higher
/// priority, if either makes them act. A shape without a surface of its own has those of the plant.
pub(super) fn pair_resistance(a: &Geometry, b: &Geometry, of_plant: [f64; 2]) -> [f64; 2] {
    let otherwise = (of_plant, of_plant.map(|length| length > 0.0));
    let of = |g: &Geometry| g.surface.map_or(otherwise, |s| (s.resistance, s.resists));
    let (ra, rb) = (of(a), of(b));
    let priority = |g: &Geometry| g.surface.map_or(0, |surface| surface.priority);
    let (lengths, acts) = match priority(a).cmp(&priority(b)) {
        std::cmp::Ordering::Less => rb,
        std::cmp::Ordering::Greater => ra,
        std::cmp::Ordering::Equal => {
            let larger = [0, 1].map(|i| ra.0[i].max(rb.0[i]));
            (larger, [0, 1].map(|i| ra.1[i] || rb.1[i]))
        }
    };
    [0, 1].map(|i| if acts[i] { lengths[i] } else { 0.0 })
}

/// The material of a pair that touches with a surface or by its volume: dissipation is weighted by the moduli, so that
/// that of the softer side counts for more.
pub(super) fn material_by_moduli(a: &Geometry, b: &Geometry, [of_a, of_b]: [f64; 2]) -> Material {
    let side = |g: &Geometry, modulus: f64| Material { stiffness: modulus, ..g.material };
    let dissipation = side(a, of_a).combine(&side(b, of_b)).dissipation;
    Material { dissipation, ..pair_material(a, b) }
}

/// Fraction of the stiffness of a pair below which its contact has no effect.
pub(super) const NEGLIGIBLE: f64 = 1e-6;

/// Fraction of the stiffness with which a pair touches where pieces of fibres fade, at the mean of its points. (A body
/// along a piece touches it at both ends, with the whole stiffness.)
pub(super) fn part_of(sides: [(&Geometry, &Isometry3<f64>); 2], touches: &[Touch]) -> f64 {
    if sides.iter().all(|(g, _)| g.fade.is_none()) || touches.is_empty() {
        return 1.0;
    }
    let all = touches.iter().map(|t| t.share).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = touches.iter().map(|t| t.p_WC * (t.share / all)).sum::<Vector3<f64>>();
    let part = |(g, X_WG): (&Geometry, &Isometry3<f64>)| {
        let along = (g.X_BG * X_WG.inverse_transform_point(&mean.into())).x;
        g.fade.map_or(1.0, |fade| fade.part(along))
    };
    sides.into_iter().map(part).product()
}
