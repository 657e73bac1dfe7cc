//! Ends steps where joint stops with restitution are struck.
//!
//! The convex step knows the velocity at its start only, and the time of the impact within the step makes no difference
//! to its end: full step and half steps agree about that. So joints approach such a stop by parts of the distance, and
//! strike it from within a small part of the accuracy.

use super::trial::StepStart;
use crate::integrators::contact::{ContactStep, Prediction};
use kinegraph_convex::contact::JointStops;

/// Longest step \[s\] in which joints strike stops with restitution where these are.
pub(super) fn bound(start: &mut StepStart<'_>) -> f64 {
    let StepStart { method, point, accuracy, .. } = start;
    let ContactStep { plan, external, ends, prediction: Prediction { accelerations, .. }, .. } = &mut **method;
    let elastic = |stops: &&JointStops| stops.rebound.restitution > 0.0;
    if !point.problem.elements.of::<JointStops>().iter().any(|stops| elastic(&stops))
        || !accelerations.find(external, ends, point)
    {
        return f64::INFINITY;
    }
    let (tuning, scales) = (&plan.options.tuning, &plan.scales);
    let (problem, mut longest) = (&point.problem, f64::INFINITY);
    for stops in problem.elements.of::<JointStops>().iter().filter(elastic) {
        let slowest = stops.rebound.slowest;
        let small = scales.length(*accuracy) * scales.unit(stops.velocity);
        for (sign, gap) in [(1.0, stops.lower_gap), (-1.0, stops.upper_gap)] {
            let (near, gap) = (tuning.struck_from * small, gap.max(0.0));
            let (speed, pull) = (-sign * problem.trees.v0[stops.velocity], -sign * accelerations.all[stops.velocity]);
            // Square of the speed of impact, with the present acceleration.
            let there = speed * speed + 2.0 * pull * gap;
            let approaches = speed > 0.0 || pull > 0.0;
            if !gap.is_finite() || !approaches || there <= slowest * slowest {
                continue;
            }
            let time = if gap > near {
                // The root of `gap = speed t + pull t²/2`.
                tuning.part_of_way * 2.0 * gap / (speed + there.sqrt()).max(f64::MIN_POSITIVE)
            } else if speed > slowest {
                near / speed
            } else {
                continue;
            };
            longest = longest.min(time);
        }
    }
    longest
}
