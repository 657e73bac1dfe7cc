//! Settings of the elements that are added to a problem, and of its discretization in time.

use super::run_scales::RunScales;

/// Settings of a problem, which hold for what is added from then on.
#[derive(Clone, Debug, Default)]
pub struct ProblemSettings {
    /// Largest speed at which limits and rigid constraints remove a violation \[m/s, rad/s\].
    pub correction_speed: f64,
    /// Slowest impact with a rebound on joint stops \[m/s\]; of an angle, its equivalent.
    pub slowest_rebound: f64,
    /// Scales of the run.
    pub scales: RunScales,
    /// True if joint damping acts with the velocities at the start of the step, not with those at its end.
    pub explicit_damping: bool,
    /// True if the whole of the springs acts at the end of the step, however short that is.
    pub implicit_springs: bool,
}
