//! Compliant constraints as means of both ends of a step, for the trapezoid scheme.

use super::problem::Problem;
use nalgebra::Vector3;

impl Problem {
    /// The force at the start of a step of length `dt` of the rows of a group that are compliant and followed; `None`
    /// if there are none.
    pub fn followed_row_force(&self, group: usize, dt: f64) -> Option<Vector3<f64>> {
        self.rows[group].followed_force(&self.row_velocity(group, &self.v0), dt)
    }

    /// Makes of the compliant rows of a group at the end of a step of length `dt` from `start`, which are the group
    /// `earlier` there, those of the second solve.
    pub fn average_compliant_rows(&mut self, group: usize, start: &Problem, earlier: usize, dt: f64) {
        let before = self.row_velocity(group, &start.v0);
        let ahead = self.row_velocity(group, &self.v0);
        self.rows[group].average(&start.rows[earlier], &before, &ahead, dt);
    }
}
