//! Compliant constraints and ranges as means of both ends of a step.
//!
//! A followed row has half its force, at the place to which the mean of both velocities leads; of all others the
//! violation is stepped back. With half the force `-(k g(v) + c u)/2` and `g(v) = g + dt (u0 + u)/2 - dt u^`, u the
//! rate of a row, the law is that of a stiffness k/4 from the violation `2 g + dt (u0 - 2 u^)` and a damping c/2.

use kinegraph_convex::contact::{Problem, RowCompliance, RowGroup};
use nalgebra::Vector3;

/// Law of row `k` if it is compliant and a step of length `dt` follows it: neither its oscillation nor its damping is
/// fast against the step.
fn followed(group: &RowGroup, k: usize, dt: f64) -> Option<RowCompliance> {
    let law = match &group.range {
        Some(range) if k == 0 => RowCompliance { stiffness: range.stop.stiffness, damping: range.stop.damping },
        _ => group.compliance?[k],
    };
    let rate = dt * group.delassus * (dt * law.stiffness + law.damping);
    (group.delassus > 0.0 && rate < 1.0).then_some(law)
}

/// True if a group has a range with stops that a step of length `dt` follows.
pub(super) fn is_followed_range(group: &RowGroup, dt: f64) -> bool {
    group.range.is_some() && followed(group, 0, dt).is_some()
}

/// Force at the start of a step of length `dt` of the compliant and followed rows of a group; `None` if there are none.
pub(super) fn followed_force(problem: &Problem, group: usize, dt: f64) -> Option<Vector3<f64>> {
    let (rows, velocity) = (&problem.constraints.rows[group], problem.row_velocity(group, &problem.trees.v0));
    if (0..3).all(|k| followed(rows, k, dt).is_none()) {
        return None;
    }
    if rows.range.is_some() {
        return is_followed_range(rows, dt).then(|| rows.force(&velocity));
    }
    Some(Vector3::from_fn(|k, _| {
        let force = |law: RowCompliance| -law.stiffness * rows.violation[k] - law.damping * velocity[k];
        followed(rows, k, dt).map_or(0.0, force)
    }))
}

/// Makes of the compliant rows of a group at the `end` of a step of length `dt` from `start`, which are the group
/// `earlier` there, those of the second solve.
pub(super) fn average(end: &mut Problem, group: usize, start: &Problem, earlier: usize, dt: f64) {
    // Rates at the velocities at the start, and at the end of the first solve.
    let before = end.row_velocity(group, &start.trees.v0);
    let ahead = end.row_velocity(group, &end.trees.v0);
    let (rows, start) = (&mut end.constraints.rows[group], &start.constraints.rows[earlier]);
    if let Some(range) = &mut rows.range {
        if is_followed_range(start, dt) {
            rows.violation = 2.0 * rows.violation + dt * (before - 2.0 * ahead);
            (range.least, range.most) = (2.0 * range.least, 2.0 * range.most);
            // formula
            (range.stop.stiffness, range.stop.damping) = (0.25 * range.stop.stiffness, 0.5 * range.stop.damping);
        } else {
            rows.violation -= ahead * dt;
        }
        return;
    }
    let Some(compliance) = &mut rows.compliance else { return };
    for (k, law) in compliance.iter_mut().enumerate() {
        match followed(start, k, dt) {
            None => rows.violation[k] -= dt * ahead[k],
            Some(RowCompliance { stiffness, damping }) => {
                rows.violation[k] = 2.0 * rows.violation[k] + dt * (before[k] - 2.0 * ahead[k]);
                *law = RowCompliance { stiffness: 0.25 * stiffness, damping: 0.5 * damping }; // formula
            }
        }
    }
}
