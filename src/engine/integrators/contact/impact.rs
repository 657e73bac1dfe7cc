//! Impact of two bodies along one direction, and the motion after it: what rules that follow impacts have in common.

use super::plan::StepPlan;
use crate::choices::oscillation::NEAREST_END;
use kinegraph_convex::contact::NEAR_RATIO;

/// Two bodies that press on each other or are about to, along their normal.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct Impact {
    /// Depth; negative: the gap between them \[m, rad\].
    pub depth: f64,
    /// Angular frequency of the oscillation while they touch \[rad/s\].
    pub omega: f64,
    /// Speed at which they part.
    pub vn: f64,
    /// Acceleration at which they approach each other without their contact.
    pub fall: f64,
}

impl Impact {
    /// Speed of the oscillation, with the `acceleration` at which they part by all forces, and the time \[s\] after
    /// which they touch or part.
    pub fn speed_and_end(&self, acceleration: impl FnOnce() -> f64) -> (f64, f64) {
        let Impact { depth, omega, vn, fall } = *self;
        if depth > 0.0 {
            let acceleration = acceleration();
            let parts = if vn > 0.0 { time_to_go(depth, vn, acceleration.max(0.0)) } else { f64::INFINITY };
            return (vn.hypot(acceleration / omega), parts);
        }
        // The full step falls twice as far.
        let (gap, twice) = (-depth, 2.0 * fall.max(0.0));
        (vn.hypot((twice * gap).sqrt()), time_to_go(gap, -vn, twice))
    }

    /// Number of accuracies from which the impact is followed: less once they touch, so that it is followed to its end,
    /// though it loses speed meanwhile.
    pub fn visible(&self, plan: &StepPlan) -> f64 {
        let tuning = &plan.options.tuning;
        if self.depth > 0.0 { tuning.to_the_end * tuning.visible } else { tuning.visible }
    }

    /// Longest step \[s\] that follows the impact by `angle` \[rad\] and `ends` where they touch or part: the forces
    /// before and after are not smooth together.
    pub fn longest_step(&self, angle: f64, ends: f64) -> f64 {
        let ends = if ends > NEAREST_END * NEAR_RATIO * angle / self.omega { ends } else { f64::INFINITY };
        let is_apart = self.depth <= 0.0 && ends < f64::INFINITY;
        if is_apart { ends } else { ends.min(angle / self.omega) }
    }
}

/// Part of its speed that an oscillation of the damping ratio `zeta` below 1 keeps after half a turn.
pub(in crate::integrators) fn kept_after_half_turn(zeta: f64) -> f64 {
    (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp()
}

/// Time \[s\] to move by `way` \[m\] with `speed` \[m/s\] and this acceleration.
pub(in crate::integrators) fn time_to_go(way: f64, speed: f64, acceleration: f64) -> f64 {
    let end = (speed * speed + 2.0 * acceleration * way).max(0.0).sqrt();
    if speed + end > 0.0 { 2.0 * way / (speed + end) } else { f64::INFINITY }
}

/// Motion, as an error, of bodies that meet at `speed` \[m/s\] and part again with the part `back` of it; zero if they
/// hardly rebound.
pub(in crate::integrators) fn visibility(
    plan: &StepPlan,
    speed: f64,
    dissipation: f64,
    back: f64,
    gravity: f64,
) -> f64 {
    let horizon = plan.options.max_step;
    if dissipation * speed > plan.options.tuning.springy {
        return 0.0;
    }
    let back = back * speed;
    let time = if gravity > 0.0 { (back / (2.0 * gravity)).min(horizon) } else { horizon };
    back * time / plan.scales.length(1.0)
}
