//! The energy of what nothing drives.

/// The energy of all that nothing drives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MechanicalEnergy {
    /// All of it: kinetic, of gravity, springs and contacts \[J\].
    pub total: f64,
    /// The part that contacts hold and bodies cannot have back: damping takes it \[J\].
    pub unrecoverable: f64,
    /// That of the motion: kinetic, and of contacts \[J\].
    pub moving: f64,
    /// What lifts all by the length that an accuracy of 1 is \[J\]: their weight, with the default weight of lengths.
    pub weight: f64,
    /// Gain that is allowed \[J\]: what lifts all by as much as constraints on fibres are off, which do so much work as
    /// they return, and a part of the motion on contact surfaces, whose forces are nearly those of an energy.
    pub corrected: f64,
    /// Whether any body is near another, or on a beam: the geometry of a step is then not all linear.
    pub near: bool,
}
