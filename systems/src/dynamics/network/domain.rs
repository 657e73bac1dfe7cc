//! The physical domains of networks: names and units of what they have in common.

/// A physical domain: what stands across an element, what flows through it, and their units.
///
/// The product of both is a power, but in a thermal network, where heat itself flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Name of the quantity across an element, and at a node against ground: `voltage`.
    pub across: &'static str,
    /// Its unit.
    pub across_unit: &'static str,
    /// Name of the quantity through an element: `current`.
    pub through: &'static str,
    /// Its unit.
    pub through_unit: &'static str,
    /// True if the product of both is a power.
    pub has_power: bool,
}

impl Domain {
    /// Electrical: voltage \[V\] and current \[A\].
    pub const ELECTRICAL: Domain =
        Domain { across: "voltage", across_unit: "V", through: "current", through_unit: "A", has_power: true };
    /// Hydraulic: pressure \[Pa\] and volume flow \[m³/s\].
    pub const HYDRAULIC: Domain =
        Domain { across: "pressure", across_unit: "Pa", through: "flow", through_unit: "m³/s", has_power: true };
    /// Thermal: temperature \[K\], or above any other zero, and heat flow \[W\].
    pub const THERMAL: Domain =
        Domain { across: "temperature", across_unit: "any", through: "heat", through_unit: "W", has_power: false };
}
