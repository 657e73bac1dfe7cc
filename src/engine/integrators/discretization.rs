//! What a contact step can do in other ways than the convex step.

use kinegraph_convex::contact::Problem;
use kinegraph_core::convex::{PlantPoint, PlantStructure};

/// Where the relative velocity of two bodies in contact is measured.
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

/// Where friction of contact points acts that stand for an area: nearer to their centre of pressure, so that they have
/// the torque of the area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionPlace {
    /// About the centre of the loads that their depths give.
    ByDepth {
        /// The gap on which bodies slide and from which depths count, in parts of the way of friction in a step.
        gap: f64,
    },
    /// At the points themselves: of methods in which bodies are rigid, loads are not known before they have solved.
    AtPoints,
}

impl Default for FrictionPlace {
    /// Bodies slide where they touch.
    fn default() -> Self {
        FrictionPlace::ByDepth { gap: 0.0 }
    }
}

/// How velocities advance positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionIntegration {
    /// By those at the end of the step; orientations by the turn about the angular velocity.
    #[default]
    EndVelocity,
    /// By those at the end of the step; orientations by a chord.
    Chord,
    /// By the mean of those at both ends; orientations by the turn about it.
    Midpoint,
}

/// What happens with more contact points than there may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// All of them count.
    #[default]
    Grow,
    /// The deepest count, the others are left out and reported.
    DropShallowest,
    /// The step fails.
    Error,
}

/// How many contact points there may be, and what happens with more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// So many points of all plants together.
    pub max_rigid_contact: usize,
    /// With more.
    pub on_overflow: Overflow,
}

impl Default for Capacity {
    fn default() -> Self {
        Capacity { max_rigid_contact: 128, on_overflow: Overflow::Grow }
    }
}

/// What a contact step does in other ways than the convex step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discretization {
    /// Where relative velocities are measured.
    pub points: ContactPointMode,
    /// How positions advance.
    pub positions: PositionIntegration,
    /// Whether joint damping acts with the velocities at the start of the step.
    pub explicit_damping: bool,
    /// Whether springs of joints act at the end of the problem's step, however short that is.
    pub implicit_springs: bool,
    /// Whether gyroscopic torques are those of the bias.
    pub spins_by_bias: bool,
    /// Where friction of areas acts.
    pub friction: FrictionPlace,
    /// How many contact points there may be.
    pub capacity: Capacity,
    /// Changes a plant that was evaluated, before contacts are looked for.
    pub adjust: Option<fn(&mut PlantPoint)>,
    /// Adds to the problem of a plant, whose bodies begin at a number there.
    pub complete: Option<Complete>,
}

/// Adds to the problem of a plant what a method wants to know, from the number of its first body on.
pub type Complete = fn(&mut Problem, &PlantStructure, &PlantPoint, usize);

crate::option_choices! {
    ContactPointMode: Midway, ContactMidpoint, WitnessPoint;
    PositionIntegration: EndVelocity, Chord, Midpoint;
    Overflow: Grow, DropShallowest, Error;
}
