//! Compliance of a shape in contact, as a model file, a diagram file or a program gives it.

use crate::scene_data::Grain;

/// Role of a shape in pressure-field contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hydroelastic {
    /// Rigid.
    Rigid,
    /// Compliant: it has a pressure field.
    Compliant,
    /// None: it touches in points.
    None,
}

/// Compliance of a shape; fields that are `None` take their values from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proximity {
    /// Role in pressure-field contact.
    pub hydroelastic: Option<Hydroelastic>,
    /// Pressure at the core of a compliant shape \[Pa\].
    pub modulus: Option<f64>,
    /// Edge length of its mesh at curved surfaces \[m\].
    pub resolution: Option<f64>,
    /// Extent of its pressure field outside of the shape \[m\].
    pub margin: Option<f64>,
    /// Depth at which the pressure of a compliant half-space is the modulus \[m\].
    pub slab_thickness: Option<f64>,
    /// Stiffness of this side in point contact \[N/m\].
    pub stiffness: Option<f64>,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: Option<f64>,
    /// Static friction coefficient.
    pub static_friction: Option<f64>,
    /// Dynamic friction coefficient.
    pub dynamic_friction: Option<f64>,
    /// Where friction depends on the direction of sliding: then the coefficients above are those along the grain.
    pub grain: Option<Grain>,
}

impl Proximity {
    /// A rigid shape.
    pub fn rigid() -> Self {
        Proximity { hydroelastic: Some(Hydroelastic::Rigid), ..Self::default() }
    }

    /// A compliant shape with this modulus \[Pa\].
    pub fn compliant(modulus: f64) -> Self {
        Proximity { hydroelastic: Some(Hydroelastic::Compliant), modulus: Some(modulus), ..Self::default() }
    }

    /// These values, with those of `other` for fields that are `None`.
    pub fn or(self, other: Self) -> Self {
        Proximity {
            hydroelastic: self.hydroelastic.or(other.hydroelastic),
            modulus: self.modulus.or(other.modulus),
            resolution: self.resolution.or(other.resolution),
            margin: self.margin.or(other.margin),
            slab_thickness: self.slab_thickness.or(other.slab_thickness),
            stiffness: self.stiffness.or(other.stiffness),
            dissipation: self.dissipation.or(other.dissipation),
            static_friction: self.static_friction.or(other.static_friction),
            dynamic_friction: self.dynamic_friction.or(other.dynamic_friction),
            grain: self.grain.or(other.grain),
        }
    }
}
