//! Impacts and oscillations that the accuracy can see are followed, not stepped over.
//!
//! An implicit step that is long against the frequency of a contact or of a spring takes all its energy, and the full
//! step and the half steps agree about that: the estimate of the error tends to zero because the step is too long. What
//! would be lost is known before: two bodies that meet with the speed s part again with e s, e by the law of the
//! contact ([`restitution`]), and make a way of
//!
//! ```text
//! u min(max_step, u / (2 g)),   u = e(d s) s,
//! ```
//!
//! where bodies fall with g: what falls together falls on other things together. If that is more than the accuracy,
//! steps are no longer than `PART / omega`, `omega² = k w`, while they touch, and end where they do. A pair under
//! pressure has `s² = vn² + (an / omega)²` with the acceleration an by all forces: none at rest, whatever the depth. A
//! spring on a joint is looked at alike, with the amplitude that it keeps after half a turn.
//!
//! Joint stops with restitution: see `rebound.rs`. Other stops, welds and couplers give nothing back by
//! their law, and feedback is no matter of this.

use super::accelerations::Accelerations;
use super::plan::{StepContext, StepPlan};
use super::point::StepPoint;
use crate::contact::{JointSpring, Problem, restitution};
use nalgebra::Vector3;

/// Relative to the least mobility of a joint: what is taken for it, so that rounding finds no less.
const ROUNDED_DOWN: f64 = 1.0 - 1e-9;

/// How long \[s\] a step from `point` may be, up to `h`, that follows what is larger than `accuracy`.
pub(super) fn longest_step(
    context: &mut StepContext<'_>,
    accelerations: &mut Accelerations,
    point: &mut StepPoint,
    h: f64,
    accuracy: f64,
) -> f64 {
    let (plan, problem) = (context.plan, &point.problem);
    if problem.springs.is_empty() && !may_give_back(plan, problem, accuracy) {
        return f64::INFINITY;
    }
    if !accelerations.find(context.external, context.ends, point) {
        return f64::INFINITY;
    }
    let contacts = contacts(plan, accelerations, &point.problem, h, accuracy);
    contacts.min(springs(plan, accelerations, &mut point.problem, accuracy))
}

/// The same of springs.
fn springs(plan: &StepPlan, accelerations: &Accelerations, problem: &mut Problem, accuracy: f64) -> f64 {
    let mut longest = f64::INFINITY;
    for i in 0..problem.springs.len() {
        let JointSpring { velocity, stiffness } = problem.springs[i];
        let seen = plan.scales.length(accuracy) * plan.scales.unit(velocity);
        // Its frequency with this mobility, if it turns, and if its amplitude may be seen.
        let followed = |mobility: f64, problem: &Problem, part: f64| {
            let omega = (stiffness * mobility).sqrt();
            let zeta = 0.5 * problem.damping[velocity] * mobility / omega;
            let amplitude = (problem.v0[velocity] / omega).hypot(accelerations.all[velocity] / (omega * omega));
            let kept = |zeta: f64| (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
            let turns = omega > 0.0 && zeta < 1.0;
            (turns && amplitude * kept(part * zeta) > seen).then_some(omega)
        };
        // All others can only let it yield more: with them held it is slowest, damped least, and moves farthest.
        let held = ROUNDED_DOWN / problem.mass_entry(velocity, velocity);
        if followed(held, problem, 0.0).is_none() {
            continue;
        }
        let mobility = problem.mobility_of_velocity(velocity);
        if let Some(omega) = followed(mobility, problem, 1.0) {
            longest = longest.min(plan.options.tuning.angle / omega);
        }
    }
    longest
}

/// The same of contacts.
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
            let (speed, mut limit) = if pair.depth > 0.0 {
                (vn.hypot(along(&accelerations.all) / omega), tuning.angle / omega)
            } else {
                let gap = -pair.depth;
                let speed = vn.hypot((2.0 * fall.max(0.0) * gap).sqrt());
                let touches = if speed - vn > 0.0 { 2.0 * gap / (speed - vn) } else { f64::INFINITY };
                if touches >= h || (vn >= 0.0 && fall <= 0.0) {
                    continue;
                }
                // The step ends where they touch: what acts afterwards is not smooth with what acts before.
                (speed, if touches > tuning.max_shrink * tuning.angle / omega { touches } else { tuning.angle / omega })
            };
            let gravity = [(patch.body_a, &pair.p_AC), (patch.body_b, &pair.p_BC)]
                .map(|(body, p)| problem.point_velocity(body, p, &accelerations.free).norm());
            let gravity = gravity[0].max(gravity[1]);
            let seen = |part: f64| is_visible(plan, speed, contact.dissipation, gravity, part * accuracy);
            // What is followed is followed to its end, though it loses speed on the way.
            let visible = if pair.depth > 0.0 { tuning.to_the_end * tuning.visible } else { tuning.visible };
            if limit >= longest || !seen(visible) {
                continue;
            }
            let least = tuning.to_the_end * tuning.angle;
            let damped = (least / (contact.dissipation * speed)).clamp(least, tuning.angle) / omega;
            if damped < limit && limit <= tuning.angle / omega && seen(tuning.well_visible) {
                limit = damped;
            }
            longest = longest.min(limit);
        }
    }
    longest
}

/// Whether any contact could give back more than the accuracy, as far as that is known without accelerations.
fn may_give_back(plan: &StepPlan, problem: &Problem, accuracy: f64) -> bool {
    problem.pairs.iter().any(|pair| {
        let contact = pair;
        let stored = contact.elastic_force.max(0.0) * (contact.mobility / contact.stiffness).sqrt();
        // A gap may be closed by what falls, at a speed that is not known here.
        pair.depth <= 0.0 || is_visible(plan, contact.separation0.hypot(stored), 0.0, 0.0, accuracy)
    })
}

/// Whether bodies that meet at `speed` \[m/s\] part by more than `accuracy` again.
fn is_visible(plan: &StepPlan, speed: f64, dissipation: f64, gravity: f64, accuracy: f64) -> bool {
    let (tuning, horizon) = (&plan.options.tuning, plan.options.max_step);
    let small = plan.scales.length(accuracy);
    if speed * horizon <= small || dissipation * speed > tuning.springy {
        return false;
    }
    let back = restitution(dissipation * speed) * speed;
    let time = if gravity > 0.0 { (back / (2.0 * gravity)).min(horizon) } else { horizon };
    back * time > small
}
