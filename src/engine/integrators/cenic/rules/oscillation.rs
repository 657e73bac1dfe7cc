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
//! Joint stops with restitution: see `rebound.rs`; compliant stops of joints and of ropes: `contact/strikes.rs`;
//! feedback with kinks: `contact/kinks.rs`. Welds and couplers return nothing by their law; other feedback is not
//! treated here.

use super::trial::StepStart;
use crate::integrators::contact::impact::{Impact, kept_after_half_turn, time_to_go, visibility};
use crate::integrators::contact::plan::StepPlan;
use crate::integrators::contact::strikes::{self, AtStops};
use crate::integrators::contact::{Accelerations, ContactStep, Prediction};
use kinegraph_convex::contact::{ContactRow, JointSpring, Patch, Problem, restitution};
use kinegraph_core::convex::surface_of;
use nalgebra::Vector3;

/// Factor on the least mobility of a joint, so that rounding finds no smaller one.
const ROUNDED_DOWN: f64 = 1.0 - 1e-9; // rounding

/// Longest step \[s\] that follows impacts and oscillations larger than the accuracy.
pub(super) fn bound(start: &mut StepStart<'_>) -> f64 {
    let longest = longest_step(start);
    start.point.bounds.follows = longest.is_finite();
    longest
}

fn longest_step(start: &mut StepStart<'_>) -> f64 {
    let StepStart { method, point, .. } = start;
    let (h, accuracy) = (start.h, start.accuracy);
    let ContactStep { plan, external, ends, prediction, .. } = &mut **method;
    let Prediction { accelerations, kinks, .. } = prediction;
    point.bounds.bent = f64::INFINITY;
    let (problem, bends, bounces) = (&point.problem, external.has_kinks(), plan.options.bounces);
    let bounce = bounces && (!problem.trees.springs.is_empty() || may_give_back(plan, problem, accuracy));
    if !bounce && !bends && !strikes::any(problem) {
        return f64::INFINITY;
    }
    if !accelerations.find(external, ends, point) {
        return f64::INFINITY;
    }
    let mut longest = f64::INFINITY;
    if bounces {
        longest = contacts(plan, accelerations, &point.problem, h, accuracy);
        longest = longest.min(springs(plan, accelerations, &mut point.problem, accuracy));
    }
    longest = longest.min(strikes::longest_step(plan, accelerations, &mut point.problem, h, accuracy));
    if !bounces {
        let (problem, limits) = (&mut point.problem, [h, accuracy]);
        longest = longest.min(strikes::longest_at_stops(AtStops::BothEnds, plan, accelerations, problem, limits));
    }
    if bends {
        point.bounds.bent = kinks.longest_step(plan, external, accelerations, point, h, accuracy);
    }
    longest.min(point.bounds.bent)
}

/// Longest step \[s\] that follows the oscillations of springs.
fn springs(plan: &StepPlan, accelerations: &Accelerations, problem: &mut Problem, accuracy: f64) -> f64 {
    let mut longest = f64::INFINITY;
    for i in 0..problem.trees.springs.len() {
        let JointSpring { velocity, stiffness } = problem.trees.springs[i];
        let seen = plan.scales.length(accuracy) * plan.scales.unit(velocity);
        // Frequency with this mobility, if the spring oscillates and its amplitude may be visible.
        let followed = |mobility: f64, problem: &Problem, part: f64| {
            let omega = (stiffness * mobility).sqrt();
            let zeta = 0.5 * problem.trees.damping[velocity] * mobility / omega;
            let amplitude = (problem.trees.v0[velocity] / omega).hypot(accelerations.all[velocity] / (omega * omega));
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
    for patch in &problem.contacts.patches {
        // Points of a patch act together.
        let stiffness: f64 = problem.contacts.points[patch.points.clone()]
            .iter()
            .filter(|pair| pair.depth > 0.0 || patch.points.len() == 1)
            .map(|pair| pair.material.stiffness)
            .sum();
        for pair in &problem.contacts.points[patch.points.clone()] {
            let contact = pair;
            let along = |x: &[f64]| -> f64 {
                let of = |body: usize, p: &Vector3<f64>| problem.point_velocity(body, p, x);
                contact.normal.dot(&(of(patch.body_b, &pair.p_BC) - of(patch.body_a, &pair.p_AC)))
            };
            let omega = (stiffness.max(contact.material.stiffness) * contact.start.mobility).sqrt();
            let (vn, fall) = (contact.start.separation0, -along(&accelerations.free));
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
            let seen = seen(contact.material.dissipation);
            if seen <= visible {
                continue;
            }
            // An error of the fourth order in the angle is one of the visible motion.
            let part = |from: f64| (from / seen).powf(0.25).min(1.0); // formula
            let angle = tuning.angle * part(tuning.well_visible);
            let angle = if contact.rubs() { (0.5 * angle).max(tuning.angle * part(tuning.visible)) } else { angle };
            // The mean damping ratio of an impact of the depth sin(omega t).
            let damping = contact.material.dissipation * speed / std::f64::consts::PI;
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
    surface.is_some() && problem.contacts.points[patch.points.clone()].iter().any(deeper)
}

/// True if any contact could return more than the accuracy, as far as that is known without accelerations.
fn may_give_back(plan: &StepPlan, problem: &Problem, accuracy: f64) -> bool {
    problem.contacts.points.iter().any(|pair| {
        let contact = pair;
        let stored =
            contact.start.elastic_force.max(0.0) * (contact.start.mobility / contact.material.stiffness).sqrt();
        // Falling bodies may close a gap, at a speed that is not known here.
        pair.depth <= 0.0 || visibility_of(plan, contact.start.separation0.hypot(stored), 0.0, 0.0) > accuracy
    })
}

/// Motion, as an error, of bodies that meet at `speed` \[m/s\] and part again; zero if they hardly rebound.
fn visibility_of(plan: &StepPlan, speed: f64, dissipation: f64, gravity: f64) -> f64 {
    visibility(plan, speed, dissipation, restitution(dissipation * speed), gravity)
}
