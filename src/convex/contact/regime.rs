//! Smooth pieces of the laws that act on a part of the state, as numbers to compare.

/// Regime of a clique. Equal numbers of two solves mean the same pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regime {
    /// Pieces in which extrapolation is valid: which contacts touch, stick and slide, and which efforts are limited.
    /// Zero: nothing acts, the motion is free.
    pub pieces: u64,
    /// Pieces at the end of the step, with contacts that are about to touch, to part, to break loose or to reverse.
    pub end: u64,
    /// Pieces at the start of the step, as far as touching is concerned; all others count as at the end.
    pub start: u64,
    /// Part of the step in which a force at its limit (dry friction, an effort) was enough to end or reverse the motion
    /// that it opposes; 0 where no motion ended. Velocities at the end do not show when it did.
    pub ended: f64,
    /// True if a joint of its island is on a stop, at the latest at the end of the step.
    pub stopped: bool,
    /// True if one of these is not held all through the step. If a joint reaches its stop within the step, the end of
    /// the step depends on its length in a way that cannot be extrapolated: the joint arrives at the speed that ends
    /// there.
    pub struck: bool,
}

impl Regime {
    /// True if something began or ceased to act within the step.
    pub fn changed(&self) -> bool {
        self.start != self.end
    }
}
