//! What a model file, a diagram file or a program says about the compliance of a shape where it touches.

/// What a shape is in pressure-field contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hydroelastic {
    /// It is rigid.
    Rigid,
    /// It has a pressure field.
    Compliant,
    /// It takes no part: it touches in points.
    None,
}

/// The compliance of a shape; what is not said comes from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proximity {
    /// What it is in pressure-field contact.
    pub hydroelastic: Option<Hydroelastic>,
    /// Of a compliant one: the pressure in its core \[Pa\].
    pub modulus: Option<f64>,
    /// How long the edges of its mesh are where it is curved \[m\].
    pub resolution: Option<f64>,
    /// How far its pressure field goes on outside \[m\].
    pub margin: Option<f64>,
    /// Of a compliant half-space: in which depth the pressure is the modulus \[m\].
    pub slab_thickness: Option<f64>,
    /// Of contact in points: stiffness of this side \[N/m\].
    pub stiffness: Option<f64>,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: Option<f64>,
    /// Static friction coefficient.
    pub static_friction: Option<f64>,
    /// Dynamic friction coefficient.
    pub dynamic_friction: Option<f64>,
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

    /// This, and where it says nothing, the other.
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
        }
    }
}
