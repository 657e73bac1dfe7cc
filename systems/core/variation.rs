//! How fast the outputs of a block change by the time alone.

/// How fast the outputs of a block change between events by the time alone, its inputs and its state held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeVariation {
    /// Not at all: the block does not read the time, or reads it at events only.
    Steady,
    /// No faster than a wave of this shortest period \[s\] does; infinite where it is a straight line.
    Period(f64),
    /// Nobody says: a simulation looks at the outputs at many times.
    Unknown,
}

impl TimeVariation {
    /// The variation of a wave of angular frequency `omega` \[rad/s\].
    pub fn of_frequency(omega: f64) -> Self {
        TimeVariation::Period(std::f64::consts::TAU / omega.abs())
    }
}
