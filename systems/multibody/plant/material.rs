//! Contact materials, and their combination for two geometries.

use crate::scene_data::Surface;
use kinegraph_geometry::Points;

/// Material of a collision geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Stiffness of this side \[N/m\]; the points of a pair share the stiffness of the pair.
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Static friction coefficient.
    pub static_friction: f64,
    /// Dynamic friction coefficient.
    pub dynamic_friction: f64,
}

impl Material {
    /// The material of a surface of a model file.
    pub(super) fn of(surface: &Surface) -> Material {
        let Surface { stiffness, dissipation, friction, .. } = *surface;
        Material { stiffness, dissipation, static_friction: friction, dynamic_friction: friction }
    }

    /// Combined values of a pair: stiffness in series, dissipation weighted by the other side's share of the
    /// deformation, friction by the harmonic mean. An infinite stiffness is a rigid side.
    pub fn combine(&self, other: &Material) -> Material {
        let (ka, kb) = (self.stiffness, other.stiffness);
        let (stiffness, share_a) = match (ka.is_infinite(), kb.is_infinite()) {
            (true, _) => (kb, 0.0),
            (false, true) => (ka, 1.0),
            (false, false) if ka + kb == 0.0 => (0.0, 0.5),
            (false, false) => (ka * kb / (ka + kb), kb / (ka + kb)),
        };
        let mean = |a: f64, b: f64| if a + b == 0.0 { 0.0 } else { 2.0 * a * b / (a + b) };
        Material {
            stiffness,
            dissipation: share_a * self.dissipation + (1.0 - share_a) * other.dissipation,
            static_friction: mean(self.static_friction, other.static_friction),
            dynamic_friction: mean(self.dynamic_friction, other.dynamic_friction),
        }
    }

    /// Stiffness of this side over the sum of both stiffnesses: 1 for a rigid one.
    pub fn stiffness_part(&self, other: &Material) -> f64 {
        let (ka, kb) = (self.stiffness, other.stiffness);
        match (ka.is_infinite(), kb.is_infinite()) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) if ka + kb == 0.0 => 0.5,
            (false, false) => ka / (ka + kb),
        }
    }
}

/// Contact parameters of a plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// The values of a pair of default geometries.
    pub pair: Material,
    /// Regularization velocity of friction \[m/s\].
    pub stiction_tolerance: f64,
    /// Number of contact points of a pair of shapes.
    pub points: Points,
    /// Coefficients of torsional and rolling friction of shapes whose files state none \[m\].
    pub resistance: [f64; 2],
}

impl Default for ContactParameters {
    fn default() -> Self {
        ContactParameters {
            pair: Material { stiffness: 1e5, dissipation: 10.0, static_friction: 0.5, dynamic_friction: 0.5 },
            stiction_tolerance: 1e-4,
            points: Points::Manifold,
            resistance: [0.0; 2],
        }
    }
}

impl ContactParameters {
    /// The material of a default geometry: two in series have the stiffness of the pair.
    pub fn default_material(&self) -> Material {
        Material { stiffness: 2.0 * self.pair.stiffness, ..self.pair }
    }
}
