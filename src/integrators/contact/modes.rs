//! Blows and oscillations that the accuracy can see are followed, not stepped over.
//!
//! An implicit step that is long against the frequency of a contact or of a spring takes all its energy, and the full
//! step and the half steps agree about that: the estimate of the error tends to zero because the step is too long. What
//! would be lost can be told before: two bodies that meet with the speed s part again with e s, e by the law of the
//! contact ([`restitution`]), and make a way of
//!
//! ```text
//! u min(HORIZON, u / (2 g)),   u = e(d s) s,
//! ```
//!
//! where bodies fall with g: what falls together falls on other things together. If that is more than the accuracy,
//! steps are no longer than `PART / omega`, `omega² = k w`, while they touch, and end where they do. A pair under
//! pressure has `s² = vn² + (an / omega)²` with the acceleration an by all forces: none at rest, whatever the depth. A
//! spring on a joint is looked at alike, with the amplitude that it keeps after half a turn.
//!
//! Joint stops with restitution, see [`Modes::time_to_rebound`]. Other stops, welds and couplers give nothing back by
//! their law, and feedback is no matter of this.

use super::accelerations::Accelerations;
use super::manifold::EndProjection;
use super::point::StepPoint;
use crate::contact::{JointStops, Problem, SLOWEST_REBOUND, restitution};
use crate::linearize::External;
use nalgebra::Vector3;

/// The angle of an oscillation that a step may be long.
const PART: f64 = 0.4;
/// The same over dissipation times speed: the damping force grows with the depth, and as fast as that it acts.
/// Refinement of higher order follows no faster damping. What is damped that much gives back too little for more.
const DAMPED: f64 = 0.1;
/// What part of each other's way, in accuracies, is followed at all, and followed by refinement where it is damped: a
/// blow that is stepped over loses the whole of it, one that is followed to second order some percent.
const VISIBLE: f64 = 10.0;
const TO_THE_END: f64 = 0.25;
const WELL_VISIBLE: f64 = 200.0;
const SHORTEST: f64 = 0.1;
/// Bodies that touch within this part of such a step are as good as touching.
const NEAR: f64 = 0.1;
/// Blows of more dissipation times speed give back less than a fifth of it, and are no oscillations.
const SPRINGY: f64 = 5.0;
/// No blow is followed that would be deeper than this \[m\].
const DEEPEST: f64 = 1.0;
/// For how long a way counts without gravity \[s\].
const HORIZON: f64 = 0.1;

/// A joint comes this part of its way to a stop in a step.
const PART_OF_WAY: f64 = 0.5;
/// A stop is struck from this part of the accuracy.
const STRUCK_FROM: f64 = 0.1;

/// The search for them; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    pub accelerations: Accelerations,
    unit: Vec<f64>,
}

impl Modes {
    /// How long \[s\] a step from `point` may be, up to `h`, that follows what is larger than `accuracy`.
    pub fn longest_step(
        &mut self,
        (external, ends): (&mut External, &mut EndProjection),
        point: &mut StepPoint,
        h: f64,
        accuracy: f64,
    ) -> f64 {
        let problem = &point.problem;
        if accuracy.is_infinite() || (problem.springs.is_empty() && !may_give_back(problem, accuracy)) {
            return f64::INFINITY;
        }
        if !self.accelerations.find(external, ends, point) {
            return f64::INFINITY;
        }
        let contacts = self.contacts(&point.problem, h, accuracy);
        contacts.min(self.springs(&mut point.problem, accuracy))
    }

    /// How long \[s\] a step from `point` may be for its joints to strike stops that give something back where these
    /// are.
    ///
    /// The convex step knows the velocity at its start only, and where in the step a stop is struck makes no difference
    /// to its end: full step and half steps agree about that. So joints come near to such a stop by parts of the way,
    /// and strike it from within a small part of the accuracy.
    pub fn time_to_rebound(
        &mut self,
        (external, ends): (&mut External, &mut EndProjection),
        point: &mut StepPoint,
        accuracy: f64,
    ) -> f64 {
        let elastic = |stops: &&JointStops| stops.rebound.restitution > 0.0;
        if point.problem.elements.of::<JointStops>().iter().all(|stops| !elastic(&stops))
            || !self.accelerations.find(external, ends, point)
        {
            return f64::INFINITY;
        }
        let (problem, mut longest) = (&point.problem, f64::INFINITY);
        for stops in problem.elements.of::<JointStops>().iter().filter(elastic) {
            for (sign, gap) in [(1.0, stops.lower_gap), (-1.0, stops.upper_gap)] {
                let (near, gap) = (STRUCK_FROM * accuracy, gap.max(0.0));
                let (speed, pull) =
                    (-sign * problem.v0[stops.velocity], -sign * self.accelerations.all[stops.velocity]);
                // The speed squared at which it would be struck, by what pulls now.
                let there = speed * speed + 2.0 * pull * gap;
                let comes = speed > 0.0 || pull > 0.0;
                if !gap.is_finite() || !comes || there <= SLOWEST_REBOUND * SLOWEST_REBOUND {
                    continue;
                }
                let time = if gap > near {
                    // The root of `gap = speed t + pull t²/2`.
                    PART_OF_WAY * 2.0 * gap / (speed + there.sqrt()).max(f64::MIN_POSITIVE)
                } else if speed > SLOWEST_REBOUND {
                    near / speed
                } else {
                    continue;
                };
                longest = longest.min(time);
            }
        }
        longest
    }

    fn contacts(&self, problem: &Problem, h: f64, accuracy: f64) -> f64 {
        let mut longest = f64::INFINITY;
        for patch in &problem.patches {
            // Points of a patch act together.
            let stiffness: f64 = problem.pairs[patch.pairs.clone()]
                .iter()
                .filter(|pair| pair.depth > 0.0 || patch.pairs.len() == 1)
                .map(|pair| pair.contact.stiffness)
                .sum();
            for pair in &problem.pairs[patch.pairs.clone()] {
                let contact = &pair.contact;
                let along = |x: &[f64]| -> f64 {
                    let of = |body: usize, p: &Vector3<f64>| problem.point_velocity(body, p, x);
                    contact.normal.dot(&(of(patch.body_b, &pair.p_BC) - of(patch.body_a, &pair.p_AC)))
                };
                let omega = (stiffness.max(contact.stiffness) * contact.mobility).sqrt();
                let (vn, fall) = (contact.separation0, -along(&self.accelerations.free));
                let (speed, mut limit) = if pair.depth > 0.0 {
                    (vn.hypot(along(&self.accelerations.all) / omega), PART / omega)
                } else {
                    let gap = -pair.depth;
                    let speed = vn.hypot((2.0 * fall.max(0.0) * gap).sqrt());
                    let touches = if speed - vn > 0.0 { 2.0 * gap / (speed - vn) } else { f64::INFINITY };
                    if touches >= h || (vn >= 0.0 && fall <= 0.0) {
                        continue;
                    }
                    // The step ends where they touch: what acts afterwards is not smooth with what acts before.
                    (speed, if touches > NEAR * PART / omega { touches } else { PART / omega })
                };
                let gravity = [(patch.body_a, &pair.p_AC), (patch.body_b, &pair.p_BC)]
                    .map(|(body, p)| problem.point_velocity(body, p, &self.accelerations.free).norm());
                let gravity = gravity[0].max(gravity[1]);
                // Bodies that would go through each other by a metre are beyond the model.
                let sane = speed < DEEPEST * omega;
                let seen = |part: f64| is_visible(speed, contact.dissipation, gravity, part * accuracy);
                // What is followed is followed to its end, though it loses speed on the way.
                let visible = if pair.depth > 0.0 { TO_THE_END * VISIBLE } else { VISIBLE };
                if limit >= longest || !sane || !seen(visible) {
                    continue;
                }
                let damped = (DAMPED / (contact.dissipation * speed)).clamp(SHORTEST, PART) / omega;
                if damped < limit && limit <= PART / omega && seen(WELL_VISIBLE) {
                    limit = damped;
                }
                longest = longest.min(limit);
            }
        }
        longest
    }

    fn springs(&mut self, problem: &mut Problem, accuracy: f64) -> f64 {
        let mut longest = f64::INFINITY;
        for i in 0..problem.springs.len() {
            let (velocity, stiffness) = problem.springs[i];
            let clique = problem.clique_of(velocity);
            let first = problem.velocities_of(clique).start;
            self.unit.clear();
            self.unit.resize(problem.velocities_of(clique).len(), 0.0);
            self.unit[velocity - first] = 1.0;
            if !problem.solve_mass(clique, &mut self.unit) {
                return longest;
            }
            let mobility = self.unit[velocity - first];
            let omega = (stiffness * mobility).sqrt();
            let zeta = 0.5 * problem.damping[velocity] * mobility / omega;
            if !(omega > 0.0 && zeta < 1.0) {
                continue;
            }
            let amplitude = (problem.v0[velocity] / omega).hypot(self.accelerations.all[velocity] / (omega * omega));
            let kept = (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
            if amplitude * kept > accuracy {
                longest = longest.min(PART / omega);
            }
        }
        longest
    }
}

/// Whether any contact could give back more than the accuracy, as far as that can be told without accelerations.
fn may_give_back(problem: &Problem, accuracy: f64) -> bool {
    problem.pairs.iter().any(|pair| {
        let contact = &pair.contact;
        let stored = contact.elastic_force.max(0.0) * (contact.mobility / contact.stiffness).sqrt();
        // A gap may be closed by what falls, at a speed that is not known here.
        pair.depth <= 0.0 || is_visible(contact.separation0.hypot(stored), 0.0, 0.0, accuracy)
    })
}

/// Whether bodies that meet at `speed` \[m/s\] part by more than `accuracy` \[m\] again.
fn is_visible(speed: f64, dissipation: f64, gravity: f64, accuracy: f64) -> bool {
    if speed * HORIZON <= accuracy || dissipation * speed > SPRINGY {
        return false;
    }
    let back = restitution(dissipation * speed) * speed;
    let time = if gravity > 0.0 { (back / (2.0 * gravity)).min(HORIZON) } else { HORIZON };
    back * time > accuracy
}
