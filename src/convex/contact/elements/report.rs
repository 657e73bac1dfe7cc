//! Place of the forces of elements in records.

/// Place of the force of an element in the record of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// With damping and springs, by its velocity.
    Passive,
    /// With the stops of joints, by the joint.
    Stop,
    /// With the efforts of actuators, of which it is a part: nowhere else.
    Actuation,
}
