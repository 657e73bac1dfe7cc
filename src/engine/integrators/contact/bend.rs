//! Turning of rows with a range within a step.
//!
//! A body that goes round on a taut rope leaves the circle by `(v h)²/(2 l)` in a step that knows the rope's direction
//! at its start alone. This distance is the measure of the row where all velocities of the start lead, less its rate
//! times the step; the row has to cover it by the end of the step.

use super::point::StepPoint;
use crate::linearize::External;

/// Finds the bend for a step of length `h` \[s\] from `point`; `ahead` and `rates` are scratch.
pub(super) fn find(external: &External, point: &mut StepPoint, h: f64, ahead: &mut Vec<f64>, rates: &mut Vec<f64>) {
    let StepPoint { state, problem, .. } = point;
    if problem.constraints.rows.iter().all(|rows| rows.range.is_none()) {
        return;
    }
    let (diagram, layout, continuous) = (external.diagram(), external.layout(), &state.continuous);
    ahead.clone_from(continuous);
    layout.advance_positions(diagram, continuous, problem.start_velocity(), h, ahead, rates);
    let mut next = 0;
    for slot in &layout.plants {
        let (q, v) = (&ahead[slot.positions.clone()], &ahead[slot.velocities.clone()]);
        layout.plant(diagram, slot).range_gaps(q, v, &mut |found| {
            while problem.constraints.rows.get(next).is_some_and(|rows| rows.range.is_none()) {
                next += 1;
            }
            let rate = if next < problem.constraints.rows.len() {
                problem.row_velocity(next, &problem.trees.v0).x
            } else {
                0.0
            };
            let Some((rows, range)) =
                problem.constraints.rows.get_mut(next).and_then(|rows| rows.range.map(|range| (rows, range)))
            else {
                return;
            };
            let [from_least, from_most] = found.gaps;
            let value = if from_least.is_finite() { range.least + from_least } else { range.most - from_most };
            let bend = value - rows.violation.x - h * rate;
            rows.bend = if bend.is_finite() { bend } else { 0.0 };
            next += 1;
        });
    }
}
