//! Takes a problem that was evaluated at the predicted positions back to the start of the step.

use kinegraph_convex::contact::Problem;
use nalgebra::Vector3;

/// Extrapolates terms that were evaluated after the time `dt` \[s\] at the velocities `v` back to the start of the
/// step, to first order: depths of contacts, violations of rows, forces of springs. (Stops are those of the start.)
/// Returns the largest depth of a contact \[m\]; zero if there is none.
pub(super) fn look_back(problem: &mut Problem, v: &[f64], dt: f64) -> f64 {
    for patch in 0..problem.contacts.patches.len() {
        let (a, b) = (problem.contacts.patches[patch].body_a, problem.contacts.patches[patch].body_b);
        for i in problem.contacts.patches[patch].points.clone() {
            let pair = &problem.contacts.points[i];
            let rate = problem.point_velocity(b, &pair.p_BC, v) - problem.point_velocity(a, &pair.p_AC, v);
            let back = dt * pair.normal.dot(&rate);
            problem.contacts.points[i].depth += back;
        }
    }
    for group in &mut problem.constraints.rows {
        let rate: Vector3<f64> =
            problem.constraints.support[group.support.clone()].iter().map(|s| s.column * v[s.velocity]).sum();
        group.violation -= rate * dt;
    }
    for spring in &problem.trees.springs {
        problem.trees.bias[spring.velocity] += spring.change(dt, v[spring.velocity]);
    }
    problem.contacts.points.iter().map(|pair| pair.depth).fold(0.0, f64::max)
}
