//! The fastest motion from rest to rest within limits of velocity, acceleration and jerk: the S-curve of seven phases.
//!
//! ```text
//! jerk  +j  0  -j  0  -j  0  +j       over  t_j  t_a  t_j  t_v  t_j  t_a  t_j
//! ```
//!
//! The acceleration reaches A, the velocity V: t_j = A/j, t_a = V/A - A/j, and both ramps together go the way V (V/A +
//! A/j). V and A are the limits if the way is long enough for them; otherwise they follow from
//!
//! ```text
//! A = a:            V²/a + V a/j = D
//! without t_a:      A = √(V j),   2 V √(V/j) = D
//! ```
//!
//! Without a limit of the jerk, t_j is zero: a trapezoid of the velocity. (Biagiotti, Melchiorri, "Trajectory Planning
//! for Automatic Machines and Robots", Springer 2008, sections 3.2 and 3.4.)

/// Limits of a motion along a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Above zero \[m/s\].
    pub velocity: f64,
    /// Above zero \[m/s²\].
    pub acceleration: f64,
    /// Above zero; infinite for none \[m/s³\].
    pub jerk: f64,
}

/// A part of a motion with a constant jerk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase {
    /// Length \[s\].
    pub duration: f64,
    /// Coefficients of the way, by rising powers of the time from its start.
    pub coefficients: [f64; 4],
}

/// Largest velocity and acceleration of the motion over `distance`.
fn peaks(distance: f64, limits: Limits) -> (f64, f64) {
    let Limits { velocity, acceleration, jerk } = limits;
    let within = |velocity: f64| acceleration.min((velocity * jerk).sqrt());
    let peak = within(velocity);
    if velocity * (velocity / peak + peak / jerk) <= distance {
        return (velocity, peak);
    }
    let ramp = acceleration / jerk;
    let reached = 0.5 * acceleration * ((ramp * ramp + 4.0 * distance / acceleration).sqrt() - ramp);
    let reached =
        if reached * jerk < acceleration * acceleration { (0.25 * distance * distance * jerk).cbrt() } else { reached };
    (reached, within(reached))
}

/// The phases of the motion over `distance` > 0; those without length are left out.
pub(super) fn s_curve(distance: f64, limits: Limits) -> Vec<Phase> {
    let (velocity, acceleration) = peaks(distance, limits);
    let ramp = acceleration / limits.jerk;
    let steady = (velocity / acceleration - ramp).max(0.0);
    let cruise = ((distance - velocity * (velocity / acceleration + ramp)) / velocity).max(0.0);
    let jerk = if limits.jerk.is_finite() { limits.jerk } else { 0.0 };
    // Length of each phase, its acceleration at the start and its jerk.
    let plan = [
        [ramp, 0.0, jerk],
        [steady, acceleration, 0.0],
        [ramp, acceleration, -jerk],
        [cruise, 0.0, 0.0],
        [ramp, 0.0, -jerk],
        [steady, -acceleration, 0.0],
        [ramp, -acceleration, jerk],
    ];
    let (mut s, mut v) = (0.0, 0.0);
    let mut phases = Vec::new();
    for [t, a, j] in plan.into_iter().filter(|phase| phase[0] > 0.0) {
        phases.push(Phase { duration: t, coefficients: [s, v, a / 2.0, j / 6.0] });
        s += t * (v + t * (a / 2.0 + t * j / 6.0));
        v += t * (a + t * j / 2.0);
    }
    phases
}
