//! Bodies that fell through their support.

use std::fmt;

/// A body that fell through another one below it, and falls freely.
#[derive(Clone, Debug, PartialEq)]
pub struct LostBody {
    /// Full name of the root of the falling tree.
    pub body: String,
    /// Full name of the body that it fell through, or `ground`.
    pub through: String,
    /// Time since it passed below all fixed shapes \[s\].
    pub since: f64,
    /// Reason why nothing held it.
    pub why: WhyLost,
}

/// Reasons why two bodies did not touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLost {
    /// The body has no collision shapes.
    NoShapes,
    /// The pair is excluded by name.
    Excluded,
    /// The pair overlaps in the initial positions and is excluded for it.
    ExcludedAtStart,
    /// Their collision masks (bits) exclude each other.
    Bits,
    /// They are connected by a joint, or welded to bodies that are.
    Joined,
    /// One of them collides with the ground only.
    GroundOnly,
    /// They may touch, but one started inside the other.
    StartedInside,
    /// They may touch, and one started above the other.
    PassedThrough,
}

impl fmt::Display for WhyLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WhyLost::NoShapes => "it has no collision shapes",
            WhyLost::Excluded => "the pair is excluded from contact by name",
            WhyLost::ExcludedAtStart => {
                "the pair overlaps in the initial positions and does not collide for it (`exclude_touching_at_start` \
                 of `collisions`)"
            }
            WhyLost::Bits => "what their files say they collide with (`contype` and `conaffinity`) does not meet",
            WhyLost::Joined => "bodies that a joint joins do not collide",
            WhyLost::GroundOnly => "one of them collides with the ground only (`collisions`)",
            WhyLost::StartedInside => "it started inside",
            WhyLost::PassedThrough => "it passed through; a smaller `max_step` shows where",
        })
    }
}
