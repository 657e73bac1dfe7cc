//! Rate of change of the outputs of a block with time alone.

/// Rate of change of the outputs of a block with time alone between events, with inputs and state held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeVariation {
    /// Constant: the block does not read the time, or reads it at events only.
    Steady,
    /// No faster than a wave of this period \[s\], the shortest; infinite for a straight line.
    Period(f64),
    /// Unknown: a simulation samples the outputs at many times.
    Unknown,
}

impl TimeVariation {
    /// The variation of a wave of angular frequency `omega` \[rad/s\].
    pub fn of_frequency(omega: f64) -> Self {
        TimeVariation::Period(std::f64::consts::TAU / omega.abs())
    }
}
