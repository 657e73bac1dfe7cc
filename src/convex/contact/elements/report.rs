//! Where the forces of elements are recorded.

/// Where a record of a step has the force of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// With damping and springs, by its velocity.
    Passive,
    /// With the stops of joints, by the joint.
    Stop,
    /// With the efforts of actuators, of which it is made: nowhere else.
    Actuation,
}
