//! Bodies that fell through what they stood on.

use std::fmt;

/// A body that fell through what it was above, and falls freely.
#[derive(Clone, Debug, PartialEq)]
pub struct LostBody {
    /// The root of what falls, full name.
    pub body: String,
    /// What it fell through: body, full name, or `ground`.
    pub through: String,
    /// How long ago it left everything above that stands still \[s\].
    pub since: f64,
    /// Why nothing held it.
    pub why: WhyLost,
}

/// Why two bodies did not touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLost {
    /// It has no collision shapes.
    NoShapes,
    /// The pair is excluded by name.
    Excluded,
    /// The pair overlaps in the initial positions and is excluded for it.
    ExcludedAtStart,
    /// The bits of their shapes do not meet.
    Bits,
    /// They are joined by a joint, or welded to what is.
    Joined,
    /// One of them collides with the ground alone.
    GroundOnly,
    /// They may touch, and it started inside.
    StartedInside,
    /// They may touch, and it was above at the start.
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
