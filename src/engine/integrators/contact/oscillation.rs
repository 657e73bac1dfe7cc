//! Follows impacts and oscillations that the accuracy can see, instead of stepping over them.
//!
//! An implicit step that is long against the frequency of a contact or of a spring takes all its energy, and the full
//! step and the half steps agree about that: the estimate of the error tends to zero because the step is too long. The
//! loss is known before: two bodies that meet with the speed s part again with e s, e by the law of the contact
//! ([`restitution`]), and then move by
//!
//! ```text
//! u min(max_step, u / (2 g)),   u = e(d s) s,
//! ```
//!
//! where bodies fall with g: bodies that fall together have no fall against each other. If that is V accuracies, and
//! many, steps are no longer than an angle of the oscillation, `omega² = k w`, while they touch. An explicit method of
//! fourth order follows it, so that the angle is as the fourth root of 1/V. It is less with damping, and with friction,
//! which depends on the normal force and shows its errors for as long as bodies slide. A pair under pressure has `s² =
//! vn² + (an / omega)²` with the acceleration an by all forces: none at rest, whatever the depth. A spring on a joint
//! is treated alike, with the amplitude that it keeps after half a turn.
//!
//! Steps end where bodies touch or part: the forces before and after are not smooth together, and a search for that
//! place takes many attempts. The time is that of a gap or a depth at constant acceleration, and for the full step of
//! an implicit method, which falls twice as far, never too late. The rest of the distance is the next step, until it is
//! a small part of one.
//!
//! Joint stops with restitution: see `rebound.rs`; compliant stops of joints and of ropes: `strikes.rs`; feedback with
//! kinks: `kinks.rs`. Welds and couplers return nothing by their law; other feedback is not treated here.

use super::accelerations::Accelerations;
use super::kinks::Kinks;
use super::plan::{StepContext, StepPlan};
use super::point::StepPoint;
use super::strikes::{self, AtStops};
use crate::choices::oscillation::NEAREST_END;
use kinegraph_convex::contact::{ContactRow, JointSpring, NEAR_RATIO, Patch, Problem, restitution};
use kinegraph_core::convex::surface_of;
use nalgebra::Vector3;

/// Factor on the least mobility of a joint, so that rounding finds no smaller one.
const ROUNDED_DOWN: f64 = 1.0 - 1e-9; // rounding

/// Longest step \[s\] from `point`, up to `h`, that follows impacts and oscillations larger than `accuracy`.
pub(super) fn longest_step(
    context: &mut StepContext<'_>,
    accelerations: &mut Accelerations,
    kinks: &mut Kinks,
    point: &mut StepPoint,
    h: f64,
    accuracy: f64,
) -> f64 {
    point.bent = f64::INFINITY;
    let (plan, problem) = (context.plan, &point.problem);
    let bends = context.external.has_kinks();
    let bounces = plan.options.bounces;
    let bounce = bounces && (!problem.springs.is_empty() || may_give_back(plan, problem, accuracy));
    if !bounce && !bends && !strikes::any(problem) {
        return f64::INFINITY;
    }
    if !accelerations.find(context.external, context.ends, point) {
        return f64::INFINITY;
    }
    let (mut contacts, mut springs) = (f64::INFINITY, f64::INFINITY);
    if bounces {
        contacts = self::contacts(plan, accelerations, &point.problem, h, accuracy);
        springs = self::springs(plan, accelerations, &mut point.problem, accuracy);
    }
    let mut strikes = strikes::longest_step(plan, accelerations, &mut point.problem, h, accuracy);
    if !bounces {
        let (problem, limits) = (&mut point.problem, [h, accuracy]);
        let held = strikes::longest_at_stops(AtStops::BothEnds, plan, accelerations, problem, limits);
        strikes = strikes.min(held);
    }
    if bends {
        point.bent = kinks.longest_step(plan, context.external, accelerations, point, h, accuracy);
    }
    contacts.min(springs).min(strikes).min(point.bent)
}

/// Longest step \[s\] that follows the oscillations of springs.
fn springs(plan: &StepPlan, accelerations: &Accelerations, problem: &mut Problem, accuracy: f64) -> f64 {
    let mut longest = f64::INFINITY;
    for i in 0..problem.springs.len() {
        let JointSpring { velocity, stiffness } = problem.springs[i];
        let seen = plan.scales.length(accuracy) * plan.scales.unit(velocity);
        // Frequency with this mobility, if the spring oscillates and its amplitude may be visible.
        let followed = |mobility: f64, problem: &Problem, part: f64| {
            let omega = (stiffness * mobility).sqrt();
            let zeta = 0.5 * problem.damping[velocity] * mobility / omega;
            let amplitude = (problem.v0[velocity] / omega).hypot(accelerations.all[velocity] / (omega * omega));
            let turns = omega > 0.0 && zeta < 1.0;
            (turns && amplitude * kept_after_half_turn(part * zeta) > seen).then_some(omega)
        };
        // All others can only make it more compliant: with them held it is slowest, damped least, and moves farthest.
        let held = ROUNDED_DOWN / problem.mass_entry(velocity, velocity);
        if followed(held, problem, 0.0).is_none() {
            continue;
        }
        let mobility = problem.mobility_of_velocity(velocity);
        if let Some(omega) = followed(mobility, problem, 1.0) {
            longest = longest.min(0.5 * plan.options.tuning.angle / omega);
        }
    }
    longest
}

/// Longest step \[s\], up to `h`, that follows impacts of contacts.
fn contacts(plan: &StepPlan, accelerations: &Accelerations, problem: &Problem, h: f64, accuracy: f64) -> f64 {
    let tuning = &plan.options.tuning;
    let mut longest = f64::INFINITY;
    for patch in &problem.patches {
        // Points of a patch act together.
        let stiffness: f64 = problem.pairs[patch.pairs.clone()]
            .iter()
            .filter(|pair| pair.depth > 0.0 || patch.pairs.len() == 1)
            .map(|pair| pair.stiffness)
            .sum();
        for pair in &problem.pairs[patch.pairs.clone()] {
            let contact = pair;
            let along = |x: &[f64]| -> f64 {
                let of = |body: usize, p: &Vector3<f64>| problem.point_velocity(body, p, x);
                contact.normal.dot(&(of(patch.body_b, &pair.p_BC) - of(patch.body_a, &pair.p_AC)))
            };
            let omega = (stiffness.max(contact.stiffness) * contact.mobility).sqrt();
            let (vn, fall) = (contact.separation0, -along(&accelerations.free));
            if pair.depth <= 0.0 && (time_to_go(-pair.depth, -vn, fall) >= h || (vn >= 0.0 && fall <= 0.0)) {
                continue;
            }
            let impact = Impact { depth: pair.depth, omega, vn, fall };
            let (speed, ends) = impact.speed_and_end(|| along(&accelerations.all));
            let ends = if is_on_rim(problem, patch, pair) { f64::INFINITY } else { ends };
            let gravity = [(patch.body_a, &pair.p_AC), (patch.body_b, &pair.p_BC)]
                .map(|(body, p)| problem.point_velocity(body, p, &accelerations.free).norm());
            let gravity = gravity[0].max(gravity[1]);
            let visible = impact.visible(plan);
            // Without damping it is largest.
            let seen = |dissipation: f64| visibility_of(plan, speed, dissipation, gravity) / accuracy;
            if seen(0.0) <= visible {
                continue;
            }
            let seen = seen(contact.dissipation);
            if seen <= visible {
                continue;
            }
            // An error of the fourth order in the angle is one of the visible motion.
            let part = |from: f64| (from / seen).powf(0.25).min(1.0); // formula
            let angle = tuning.angle * part(tuning.well_visible);
            let angle = if contact.rubs() { (0.5 * angle).max(tuning.angle * part(tuning.visible)) } else { angle };
            // The mean damping ratio of an impact of the depth sin(omega t).
            let damping = contact.dissipation * speed / std::f64::consts::PI;
            let angle = angle / (1.0 + damping);
            longest = longest.min(impact.longest_step(angle, ends));
        }
    }
    longest
}

/// True if a point of a contact surface is not its deepest: points that come and go at the rim of a surface carry
/// nothing there, so that motion is smooth.
fn is_on_rim(problem: &Problem, patch: &Patch, pair: &ContactRow) -> bool {
    let surface = surface_of(pair.key);
    let deeper = |other: &ContactRow| surface_of(other.key) == surface && other.depth > pair.depth;
    surface.is_some() && problem.pairs[patch.pairs.clone()].iter().any(deeper)
}

/// Two bodies that press on each other or are about to, along their normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
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
pub(super) fn kept_after_half_turn(zeta: f64) -> f64 {
    (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp()
}

/// Time \[s\] to move by `way` \[m\] with `speed` \[m/s\] and this acceleration.
pub(super) fn time_to_go(way: f64, speed: f64, acceleration: f64) -> f64 {
    let end = (speed * speed + 2.0 * acceleration * way).max(0.0).sqrt();
    if speed + end > 0.0 { 2.0 * way / (speed + end) } else { f64::INFINITY }
}

/// True if any contact could return more than the accuracy, as far as that is known without accelerations.
fn may_give_back(plan: &StepPlan, problem: &Problem, accuracy: f64) -> bool {
    problem.pairs.iter().any(|pair| {
        let contact = pair;
        let stored = contact.elastic_force.max(0.0) * (contact.mobility / contact.stiffness).sqrt();
        // Falling bodies may close a gap, at a speed that is not known here.
        pair.depth <= 0.0 || visibility_of(plan, contact.separation0.hypot(stored), 0.0, 0.0) > accuracy
    })
}

/// Motion, as an error, of bodies that meet at `speed` \[m/s\] and part again; zero if they hardly rebound.
fn visibility_of(plan: &StepPlan, speed: f64, dissipation: f64, gravity: f64) -> f64 {
    visibility(plan, speed, dissipation, restitution(dissipation * speed), gravity)
}

/// Motion, as an error, of bodies that meet at `speed` \[m/s\] and part again with the part `back` of it; zero if they
/// hardly rebound.
pub(super) fn visibility(plan: &StepPlan, speed: f64, dissipation: f64, back: f64, gravity: f64) -> f64 {
    let horizon = plan.options.max_step;
    if dissipation * speed > plan.options.tuning.springy {
        return 0.0;
    }
    let back = back * speed;
    let time = if gravity > 0.0 { (back / (2.0 * gravity)).min(horizon) } else { horizon };
    back * time / plan.scales.length(1.0)
}
