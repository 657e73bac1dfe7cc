//! Markers: parts of other blocks on the bodies of a plant.

use super::Pose;
use serde::{Deserialize, Serialize};

/// A marker at a pose on a body of the plant that a block is wired to.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Name within the block (`cups[0]`).
    pub name: String,
    /// Kind of the marker.
    pub kind: MarkerKind,
    /// The input of the block that takes the body poses of the plant.
    pub poses: usize,
    /// The body.
    pub body: usize,
    /// Pose in the body's frame.
    pub pose: Pose,
}

/// Kinds of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MarkerKind {
    /// The tip of a suction cup. The output `force` of the block reports the forces of all its cups, in their order.
    SuctionCup,
}
