//! Impacts on compliant stops: of joints, of ropes and other rows with a range.
//!
//! The law is that of a contact without friction, and so is the rule (`cenic/rules/oscillation.rs`): an impact with a
//! visible rebound is followed in parts of the oscillation, and steps end where a stop is met or left. A stop with a
//! damper of damping ratio ζ returns `exp(-π ζ/sqrt(1 - ζ²))` of the impact speed, and nothing from ζ = 1 on.

use super::accelerations::Accelerations;
use super::impact::{Impact, kept_after_half_turn, time_to_go, visibility};
use super::plan::StepPlan;
use crate::choices::strikes::{BEYOND_STOP, HELD_RATIO, PART_OF_STABILITY, PART_OF_WAY};
use kinegraph_convex::contact::{CompliantStop, Element, Problem, restitution};

/// Stop at the start of a step, along its direction.
struct Strike<'a> {
    stop: &'a CompliantStop,
    /// Speed away from the stop, and its derivative by all forces, and by all but contacts.
    away: f64,
    all: f64,
    free: f64,
    /// Inverse effective mass \[1/kg, 1/(kg m²)\].
    mobility: f64,
    /// The displacement of the stop that counts as 1 m does.
    unit: f64,
}

/// True if the problem has a compliant stop.
pub(in crate::integrators) fn any(problem: &Problem) -> bool {
    problem.constraints.rows.iter().any(|group| group.range.is_some())
        || !problem.elements.of::<CompliantStop>().is_empty()
}

/// Bounds of steps at stops that they do not follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::integrators) enum AtStops {
    /// The step is stable up to this length of the negative real axis.
    Stable(f64),
    /// The step takes the forces at both ends: one that begins slack has to end where the stop is met, and one that
    /// strikes it would return the speed that the stop damps.
    BothEnds,
}

impl AtStops {
    /// Longest step \[s\], up to `h`, at a stop of this mobility that is left at the speed `away`, which decreases by
    /// `fall` \[m/s²\] without the stop; speeds below `seen` count as none.
    fn longest_step(self, stop: &CompliantStop, mobility: f64, (away, fall): (f64, f64), seen: f64, h: f64) -> f64 {
        let (is_pressed, nears) = (stop.gap < 0.0, away < 0.0 || fall > 0.0);
        let met = match (is_pressed, nears, stop.gap == 0.0) {
            (true, ..) | (false, true, true) => 0.0,
            (false, true, false) => time_to_go(stop.gap, -away, fall),
            (false, false, _) => f64::INFINITY,
        };
        // A body that neither moves nor sinks further is held.
        let holds = || away.abs() <= seen && mobility * stop.stiffness * -stop.gap >= HELD_RATIO * fall;
        if met >= h || (is_pressed && self == AtStops::BothEnds && holds()) {
            return f64::INFINITY;
        }
        let omega = (stop.stiffness * mobility).sqrt();
        // The least speed at which the motion goes into the stop.
        let speed = away.hypot((2.0 * fall.max(0.0) * stop.gap.max(0.0)).sqrt());
        let depth = (-stop.gap).max(speed / omega);
        let damping = stop.damping + stop.stiffness * stop.dissipation * depth;
        let fastest = omega.max(damping * mobility);
        let within = match self {
            AtStops::Stable(stability) => PART_OF_STABILITY * stability / fastest,
            AtStops::BothEnds if is_pressed => 1.0 / fastest,
            AtStops::BothEnds => BEYOND_STOP / fastest,
        };
        // Not-a-number bounds nothing.
        if within > 0.0 { within.max(PART_OF_WAY * met) } else { f64::INFINITY }
    }
}

/// Longest step \[s\], up to `h`, that meets or presses compliant stops of ropes and joints.
pub(in crate::integrators) fn longest_at_stops(
    at: AtStops,
    plan: &StepPlan,
    accelerations: &Accelerations,
    problem: &mut Problem,
    [h, accuracy]: [f64; 2],
) -> f64 {
    // The speed of a visible motion over the largest step.
    let seen = plan.options.tuning.visible * plan.scales.length(accuracy) / plan.options.max_step;
    let mut longest = f64::INFINITY;
    for (group, rows) in problem.constraints.rows.iter().enumerate().filter(|(_, rows)| rows.range.is_some()) {
        let (rate, free) =
            (problem.row_velocity(group, &problem.trees.v0).x, problem.row_velocity(group, &accelerations.free).x);
        for stop in rows.stops() {
            let motion = (stop.sign * rate, -stop.sign * free);
            longest = longest.min(at.longest_step(&stop, rows.delassus, motion, seen, h));
        }
    }
    for i in 0..problem.elements.of::<CompliantStop>().len() {
        let stop = problem.elements.of::<CompliantStop>()[i];
        let velocity = stop.velocity();
        if problem.trees.locked[velocity] {
            continue;
        }
        let motion = (stop.sign * problem.trees.v0[velocity], -stop.sign * accelerations.free[velocity]);
        let mobility = problem.mobility_of_velocity(velocity);
        longest = longest.min(at.longest_step(&stop, mobility, motion, seen * plan.scales.unit(velocity), h));
    }
    longest
}

/// Longest step \[s\], up to `h`, that follows impacts on compliant stops.
pub(in crate::integrators) fn longest_step(
    plan: &StepPlan,
    accelerations: &Accelerations,
    problem: &mut Problem,
    h: f64,
    accuracy: f64,
) -> f64 {
    let mut longest = f64::INFINITY;
    for (group, rows) in problem.constraints.rows.iter().enumerate().filter(|(_, rows)| rows.range.is_some()) {
        let along = |x: &[f64]| problem.row_velocity(group, x).x;
        let (rate, all, free) = (along(&problem.trees.v0), along(&accelerations.all), along(&accelerations.free));
        for stop in &mut rows.stops() {
            let strike = Strike {
                stop: &stop,
                away: stop.sign * rate,
                all: stop.sign * all,
                free: stop.sign * free,
                mobility: rows.delassus,
                unit: 1.0,
            };
            longest = longest.min(strike.longest_step(plan, h, accuracy));
        }
    }
    for i in 0..problem.elements.of::<CompliantStop>().len() {
        let stop = problem.elements.of::<CompliantStop>()[i];
        let velocity = stop.velocity();
        let along = |x: &[f64]| stop.sign * x[velocity];
        let mut strike = Strike {
            stop: &stop,
            away: along(&problem.trees.v0),
            all: along(&accelerations.all),
            free: along(&accelerations.free),
            // All others can only make it more compliant, and damp it more.
            mobility: 1.0 / problem.mass_entry(velocity, velocity),
            unit: plan.scales.unit(velocity),
        };
        if problem.trees.locked[velocity] || !strike.may_act(h) || strike.gives_back(0.0) == 0.0 {
            continue;
        }
        strike.mobility = problem.mobility_of_velocity(velocity);
        longest = longest.min(strike.longest_step(plan, h, accuracy));
    }
    longest
}

impl Strike<'_> {
    /// True if the stop acts within `h` \[s\], as far as its motion shows.
    fn may_act(&self, h: f64) -> bool {
        let (gap, fall) = (self.stop.gap, -self.free);
        gap < 0.0 || (time_to_go(gap, -self.away, fall) < h && (self.away < 0.0 || fall > 0.0))
    }

    /// Part of a `speed` of impact that the stop returns.
    fn gives_back(&self, speed: f64) -> f64 {
        if self.stop.damping == 0.0 {
            return restitution(self.stop.dissipation * speed);
        }
        let zeta = 0.5 * self.stop.damping * (self.mobility / self.stop.stiffness).sqrt();
        if zeta < 1.0 { kept_after_half_turn(zeta) } else { 0.0 }
    }

    fn longest_step(&self, plan: &StepPlan, h: f64, accuracy: f64) -> f64 {
        if !self.may_act(h) || self.mobility.is_nan() || self.mobility <= 0.0 {
            return f64::INFINITY;
        }
        let (tuning, stop) = (&plan.options.tuning, self.stop);
        let omega = (stop.stiffness * self.mobility).sqrt();
        let impact = Impact { depth: -stop.gap, omega, vn: self.away, fall: -self.free };
        let (speed, ends) = impact.speed_and_end(|| {
            let force = stop.stiffness * impact.depth * (1.0 - stop.dissipation * impact.vn).max(0.0);
            self.all + self.mobility * (force - stop.damping * impact.vn).max(0.0)
        });
        let back = self.gives_back(speed);
        let seen = visibility(plan, speed, stop.dissipation, back, self.free.abs()) / (accuracy * self.unit);
        if seen <= impact.visible(plan) {
            return f64::INFINITY;
        }
        // Steps are of second order here.
        let part = |from: f64| (from / seen).powf(0.25).min(1.0); // formula
        let damping = stop.dissipation * speed / std::f64::consts::PI;
        let angle = 0.5 * tuning.angle * part(tuning.well_visible) / (1.0 + damping);
        impact.longest_step(angle, ends)
    }
}
