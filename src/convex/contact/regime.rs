//! Which smooth pieces of the laws act on a part of the state, as numbers to compare.

/// What acts on a clique. Equal numbers of two solves mean the same pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regime {
    /// The pieces in which extrapolation is valid: what touches, sticks, slides and is limited. Zero: nothing acts, the
    /// motion is free.
    pub pieces: u64,
    /// The same at the end of the step, with what is about to touch or to part, to break loose or to turn round.
    pub end: u64,
    /// That at the start of the step, as far as touching is concerned; all else counts as at the end.
    pub start: u64,
    /// For which part of the step a force at its limit (dry friction, an effort) was enough to end the motion that it
    /// acts against, or to turn it round; 0 where no motion ended. Velocities at the end do not show when it did.
    pub ended: f64,
    /// Whether a joint of its island is on a stop, at the latest at the end of the step.
    pub stopped: bool,
    /// Whether one of these is not held all through the step. Where a joint comes to its stop, the end of the step
    /// depends on its length in no way that could be extrapolated: it comes at the speed that ends there.
    pub struck: bool,
}

impl Regime {
    /// Whether something began or ceased to act within the step.
    pub fn changed(&self) -> bool {
        self.start != self.end
    }
}
