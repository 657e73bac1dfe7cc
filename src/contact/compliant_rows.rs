//! Compliant constraints as means of both ends of a step, for the trapezoid scheme.

use super::problem::Problem;
use super::rows::{RowCompliance, RowGroup};
use nalgebra::Vector3;

/// The law of row `row` if it is compliant and a step of length `dt` follows it: neither its oscillation nor its damping
/// is fast against the step.
fn followed(group: &RowGroup, row: usize, dt: f64) -> Option<RowCompliance> {
    let law = group.compliance?[row];
    let rate = dt * group.delassus * (dt * law.stiffness + law.damping);
    (group.delassus > 0.0 && rate < 1.0).then_some(law)
}

impl Problem {
    /// The force at the start of a step of length `dt` of the rows of a group that are compliant and followed; `None`
    /// if there are none.
    pub(crate) fn followed_row_force(&self, group: usize, dt: f64) -> Option<Vector3<f64>> {
        let rows = &self.rows[group];
        if (0..3).all(|row| followed(rows, row, dt).is_none()) {
            return None;
        }
        let rate = self.row_velocity(group, &self.v0);
        Some(Vector3::from_fn(|row, _| {
            followed(rows, row, dt).map_or(0.0, |law| -law.stiffness * rows.violation[row] - law.damping * rate[row])
        }))
    }

    /// Makes of the compliant rows of a group at the end of a step of length `dt` from `start` those of the second solve:
    /// followed ones have half their force, at the place to which the mean of both velocities leads; all others have
    /// their violation stepped back.
    ///
    /// With half the force `-(k g(v) + c u)/2` and `g(v) = g + dt (u0 + u)/2 - dt u^`, u the velocity of a row, the law
    /// is that of a stiffness k/4 from the violation `2 g + dt (u0 - 2 u^)` and a damping c/2.
    pub(crate) fn average_compliant_rows(&mut self, start: &Problem, group: usize, dt: f64) {
        let ahead = self.row_velocity(group, &self.v0);
        let before = self.row_velocity(group, &start.v0);
        let (rows, own) = (&mut self.rows[group], &start.rows[group]);
        let Some(mut compliance) = rows.compliance else { return };
        for (row, law) in compliance.iter_mut().enumerate() {
            match followed(own, row, dt) {
                None => rows.violation[row] -= dt * ahead[row],
                Some(RowCompliance { stiffness, damping }) => {
                    rows.violation[row] = 2.0 * rows.violation[row] + dt * (before[row] - 2.0 * ahead[row]);
                    *law = RowCompliance { stiffness: 0.25 * stiffness, damping: 0.5 * damping };
                }
            }
        }
        rows.compliance = Some(compliance);
    }
}
