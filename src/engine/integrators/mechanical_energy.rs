//! Mechanical energy of plants that no input drives.

/// Energy of all plants that no input drives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MechanicalEnergy {
    /// Total: kinetic, of gravity, springs and contacts \[J\].
    pub total: f64,
    /// The part that contacts hold and cannot return: damping takes it \[J\].
    pub unrecoverable: f64,
    /// Energy of the motion: kinetic, and of contacts \[J\].
    pub moving: f64,
    /// Work that lifts all bodies by the length of an accuracy of 1 \[J\]: their weight, with the default weight of
    /// lengths.
    pub weight: f64,
    /// Allowed gain \[J\]: the work that lifts all bodies by the violation of constraints on fibres, which these do as
    /// they return, and a part of the motion on contact surfaces, whose forces are nearly those of an energy.
    pub corrected: f64,
    /// True if any body is near another, or on a beam: then the geometry of a step is not all linear.
    pub near: bool,
}
