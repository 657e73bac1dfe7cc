//! Choices of discretization of a contact step that differ from the convex step.

use kinegraph_convex::contact::Problem;
use kinegraph_core::convex::{PlantPoint, PlantStructure};

/// Point at which the relative velocity of two bodies in contact is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactPointMode {
    /// Midway between the surfaces.
    #[default]
    Midway,
    /// Between the surfaces, the nearer to one the stiffer it is.
    ContactMidpoint,
    /// At the surface of each body.
    WitnessPoint,
}

/// Place of friction of contact points that stand for an area: nearer to their centre of pressure, so that they have
/// the torque of the area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionPlace {
    /// About the centre of the loads that their depths give.
    ByDepth {
        /// Gap on which bodies slide and from which depths count, in parts of the displacement of friction in a step.
        gap: f64,
    },
    /// At the points themselves: methods with rigid bodies do not know the loads before they have solved.
    AtPoints,
}

impl Default for FrictionPlace {
    /// Bodies slide where they touch.
    fn default() -> Self {
        FrictionPlace::ByDepth { gap: 0.0 }
    }
}

/// Advance of positions by velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionIntegration {
    /// By the velocities at the end of the step; orientations by the turn about the angular velocity.
    #[default]
    EndVelocity,
    /// By the velocities at the end of the step; orientations by a chord.
    Chord,
    /// By the mean of the velocities at both ends; orientations by the turn about it.
    Midpoint,
}

/// Treatment of contact points beyond the capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// All of them count.
    #[default]
    Grow,
    /// The deepest points count, the others are left out and reported.
    DropShallowest,
    /// The step fails.
    Error,
}

/// Capacity for contact points, and the treatment of more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Largest number of contact points of all plants together.
    pub max_rigid_contact: usize,
    /// Treatment of more points.
    pub on_overflow: Overflow,
}

impl Default for Capacity {
    fn default() -> Self {
        Capacity { max_rigid_contact: 128, on_overflow: Overflow::Grow }
    }
}

/// Choices of discretization of a contact step that differ from the convex step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discretization {
    /// Point at which relative velocities are measured.
    pub points: ContactPointMode,
    /// Advance of positions.
    pub positions: PositionIntegration,
    /// True if joint damping acts with the velocities at the start of the step.
    pub explicit_damping: bool,
    /// True if springs of joints act at the end of the problem's step, however short that is.
    pub implicit_springs: bool,
    /// True if gyroscopic torques are those of the bias.
    pub spins_by_bias: bool,
    /// Place of the friction of areas.
    pub friction: FrictionPlace,
    /// True if redundant rows of constraints stay in the problem.
    pub redundant_rows: bool,
    /// Capacity for contact points.
    pub capacity: Capacity,
    /// Function that changes an evaluated plant before contacts are looked for.
    pub adjust: Option<fn(&mut PlantPoint)>,
    /// Function that adds to the problem of a plant.
    pub complete: Option<Complete>,
}

/// Adds data of a method to the problem of a plant, from the number of its first body on.
pub type Complete = fn(&mut Problem, &PlantStructure, &PlantPoint, usize);

crate::option_choices! {
    ContactPointMode: Midway, ContactMidpoint, WitnessPoint;
    PositionIntegration: EndVelocity, Chord, Midpoint;
    Overflow: Grow, DropShallowest, Error;
}
