//! Dry friction of a joint, as a problem has it.

use super::elements::Element;

/// Regularization velocity \[rad/s, m/s\]: a joint under its largest load creeps by less than a micrometre in a tenth
/// of a second.
pub const STICTION_VELOCITY: f64 = 1e-5;

/// A joint that resists motion with an effort of at most `force`, whatever its speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// The velocity that it resists.
    pub velocity: usize,
    /// The largest effort \[N, N m\].
    pub force: f64,
}

impl Element for JointFriction {
    fn velocity(&self) -> usize {
        self.velocity
    }
}
