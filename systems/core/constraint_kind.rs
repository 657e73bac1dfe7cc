//! The kinds of constraints that a plant may have.

use serde::{Deserialize, Serialize};

/// Kind of a constraint, by the quantity that it constrains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// The pose of one frame relative to another.
    Weld,
    /// The position of one point relative to another frame.
    Ball,
    /// The distance of two points.
    Distance,
    /// The pose of one frame relative to another, by springs and dampers.
    Bushing,
    /// The pose of one frame relative to another, by the energy of a beam between them.
    Beam,
    /// A relation between joint positions: a weighted sum, or a polynomial.
    Coupler,
}
