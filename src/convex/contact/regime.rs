//! Regimes: the smooth pieces of the laws that act on a clique, as numbers to compare.

/// Regime of a clique. If its numbers are equal in two solves, so are the pieces of all laws that act.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regime {
    /// Hash of the pieces in which extrapolation is valid: which contacts touch, stick and slide, and which efforts are
    /// limited. Zero: nothing acts, the motion is free.
    pub pieces: u64,
    /// Hash of the pieces at the end of the step. It also distinguishes contacts that are about to touch, to part, to
    /// break loose or to reverse.
    pub end: u64,
    /// Hash with the contacts that touch at the start of the step; all else is as at the end.
    pub start: u64,
    /// Fraction of the step for which a force was at its limit (dry friction, an effort), if the motion that it opposes
    /// ended or reversed; 0 if none did. Velocities at the end do not show when that was.
    pub ended: f64,
    /// True if a joint of its island is on a stop, at least at the end of the step.
    pub stopped: bool,
    /// True if a joint that is on a stop is not held there throughout the step. Such a step cannot be extrapolated: the
    /// joint takes the speed that leads just to the stop, so that the state at the end depends on the length of the
    /// step.
    pub struck: bool,
}

impl Regime {
    /// True if something began or ceased to act within the step.
    pub fn changed(&self) -> bool {
        self.start != self.end
    }
}
