//! Elements of networks.

use kinegraph_core::parameter::{self, ParameterError};

/// The node against which across values are measured.
pub const GROUND: &str = "ground";

/// An element between two nodes. What is across it is the value of the first node less that of the second; what flows
/// through it is positive from the first to the second.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkElement {
    /// Its name, unique in the network.
    pub name: String,
    /// Its nodes; [`GROUND`] is the one at zero.
    pub nodes: [String; 2],
    /// Its law.
    pub law: ElementLaw,
}

impl NetworkElement {
    /// An element from one node to another.
    pub fn new(name: impl Into<String>, nodes: [&str; 2], law: ElementLaw) -> Self {
        NetworkElement { name: name.into(), nodes: nodes.map(String::from), law }
    }
}

/// Law of an element; v is across it, i flows through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ElementLaw {
    /// `v = R i`: resistor, pipe with laminar flow, thermal conductor.
    Resistance(f64),
    /// `i = C dv/dt`: capacitor, tank, thermal mass.
    Capacity {
        /// C, above zero.
        capacity: f64,
        /// v at the start.
        initial: f64,
    },
    /// `v = L di/dt`: inductor, mass of the fluid in a pipe.
    Inertance {
        /// L, above zero.
        inertance: f64,
        /// i at the start.
        initial: f64,
    },
    /// v is given by an input, or by this number where the input is not connected.
    AcrossSource(Option<f64>),
    /// i is given by an input, or by this number where the input is not connected.
    ThroughSource(Option<f64>),
    /// `v = k w` with a speed w as input, and `k i` as output: the back EMF of a motor and its torque.
    Motor(f64),
    /// `i = A w` with a speed w as input, and `A v` as output: the flow into a cylinder and the force on its piston.
    Cylinder(f64),
    /// `i = I (e^(v/V) - 1)`: a diode; nothing breaks down if v is negative. A conductance of 1e-12 S lies beside it,
    /// and above a million amperes it goes on along its tangent.
    Diode {
        /// I \[A\], above zero.
        saturation_current: f64,
        /// V \[V\], above zero: temperature times the Boltzmann constant over the elementary charge, times the ideality
        /// factor.
        thermal_voltage: f64,
    },
    /// `i = c A √(2/ρ) v/(v² + p²)^¼`: turbulent flow through an opening of area A, laminar below the pressure p.
    Orifice {
        /// A \[m²\], above zero.
        area: f64,
        /// c, the part of the area that the jet has, above zero.
        discharge: f64,
        /// ρ \[kg/m³\], above zero.
        density: f64,
        /// p \[Pa\], above zero.
        transition: f64,
    },
    /// `i = (v - o)/R` where v is above the opening pressure o, and a billionth of `v/R` otherwise.
    CheckValve {
        /// R \[Pa s/m³\], above zero.
        resistance: f64,
        /// o \[Pa\], not negative.
        opening: f64,
        /// Width over which it opens \[Pa\], above zero.
        transition: f64,
    },
    /// `i = ε σ A (T₁⁴ - T₂⁴)`: heat radiated between nodes whose temperatures are in kelvin; with a conductance beside
    /// it as near a hundredth of a kelvin.
    Radiation {
        /// A \[m²\], above zero.
        area: f64,
        /// ε, above zero: emissivity, times the view factor.
        emissivity: f64,
    },
}

impl ElementLaw {
    /// True if v does not follow from i at the same instant.
    pub(super) fn gives_across(&self) -> bool {
        matches!(self, ElementLaw::Capacity { .. } | ElementLaw::AcrossSource(_) | ElementLaw::Motor(_))
    }

    /// True if i does not follow from v at the same instant.
    pub(super) fn gives_through(&self) -> bool {
        matches!(self, ElementLaw::Inertance { .. } | ElementLaw::ThroughSource(_) | ElementLaw::Cylinder(_))
    }

    /// True if what flows is no linear function of what is across.
    pub(super) fn is_nonlinear(&self) -> bool {
        use ElementLaw::*;
        matches!(self, Diode { .. } | Orifice { .. } | CheckValve { .. } | Radiation { .. })
    }

    /// True if what flows does not follow from the difference of the values alone.
    pub(super) fn is_radiation(&self) -> bool {
        matches!(self, ElementLaw::Radiation { .. })
    }

    /// Factor that makes a value of the domain from its state or input: that of a motor or cylinder from a speed.
    pub(super) fn scale(&self) -> f64 {
        match self {
            ElementLaw::Motor(by) | ElementLaw::Cylinder(by) => *by,
            _ => 1.0,
        }
    }

    /// True if it has an input.
    pub(super) fn has_input(&self) -> bool {
        use ElementLaw::*;
        matches!(self, AcrossSource(_) | ThroughSource(_) | Motor(_) | Cylinder(_))
    }

    /// State at the start, if it has a state.
    pub(super) fn initial(&self) -> Option<f64> {
        match self {
            ElementLaw::Capacity { initial, .. } | ElementLaw::Inertance { initial, .. } => Some(*initial),
            _ => None,
        }
    }

    pub(super) fn check(&self, name: &str) -> Result<(), ParameterError> {
        let finite = |what: &str, x: f64| parameter::finite(&format!("{what} of `{name}`"), &[x]);
        let positive = |what: &str, x: f64| {
            finite(what, x)?;
            parameter::positive(&format!("{what} of `{name}`"), &[x])
        };
        match *self {
            ElementLaw::Resistance(resistance) => positive("resistance", resistance),
            ElementLaw::Capacity { capacity, initial } => {
                positive("capacity", capacity)?;
                finite("initial", initial)
            }
            ElementLaw::Inertance { inertance, initial } => {
                positive("inertance", inertance)?;
                finite("initial", initial)
            }
            ElementLaw::AcrossSource(value) | ElementLaw::ThroughSource(value) => finite("value", value.unwrap_or(0.0)),
            ElementLaw::Motor(constant) => positive("constant", constant),
            ElementLaw::Cylinder(area) => positive("area", area),
            ElementLaw::Diode { saturation_current, thermal_voltage } => {
                positive("saturation current", saturation_current)?;
                positive("thermal voltage", thermal_voltage)
            }
            ElementLaw::Orifice { area, discharge, density, transition } => {
                positive("area", area)?;
                positive("discharge", discharge)?;
                positive("density", density)?;
                positive("transition", transition)
            }
            ElementLaw::CheckValve { resistance, opening, transition } => {
                positive("resistance", resistance)?;
                finite("opening", opening)?;
                parameter::within(&format!("opening of `{name}`"), &[opening], "a number that is not negative", |x| {
                    x >= 0.0
                })?;
                positive("transition", transition)
            }
            ElementLaw::Radiation { area, emissivity } => {
                positive("area", area)?;
                positive("emissivity", emissivity)
            }
        }
    }
}

/// Indices of the elements whose law `has` something.
pub(super) fn numbered(elements: &[NetworkElement], has: impl Fn(&ElementLaw) -> bool) -> Vec<usize> {
    elements.iter().enumerate().filter(|(_, element)| has(&element.law)).map(|(i, _)| i).collect()
}
