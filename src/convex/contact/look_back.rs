//! A problem evaluated where a step is thought to lead.

use super::problem::Problem;
use nalgebra::Vector3;

impl Problem {
    /// Takes what was evaluated after the time `dt` \[s\] at the velocities `v` back to the start of the step, to first
    /// order: depths of contacts, violations of rows, forces of springs. (Stops are those of the start.)
    pub fn look_back(&mut self, v: &[f64], dt: f64) {
        for patch in 0..self.patches.len() {
            let (a, b) = (self.patches[patch].body_a, self.patches[patch].body_b);
            for i in self.patches[patch].pairs.clone() {
                let pair = &self.pairs[i];
                let rate = self.point_velocity(b, &pair.p_BC, v) - self.point_velocity(a, &pair.p_AC, v);
                let back = dt * pair.normal.dot(&rate);
                self.pairs[i].depth += back;
            }
        }
        for group in &mut self.rows {
            let rate: Vector3<f64> = self.support[group.support.clone()].iter().map(|s| s.column * v[s.velocity]).sum();
            group.violation -= rate * dt;
        }
        for spring in &self.springs {
            self.bias[spring.velocity] += spring.change(dt, v[spring.velocity]);
        }
    }

    /// The deepest contact \[m\]; zero if none is.
    pub fn max_depth(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.depth).fold(0.0, f64::max)
    }
}
