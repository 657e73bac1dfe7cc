//! Impulses on bodies as generalized impulses: `J' [torque; force]`.

use super::body::Body;
use super::contacts::Patch;
use super::elements::ContactRow;
use super::problem::Problem;
use nalgebra::Vector3;

/// Adds `J' [torque; force]` of a body to `out`, `scale` times.
#[inline(always)]
pub fn add_wrench(
    problem: &Problem,
    body: usize,
    torque: &Vector3<f64>,
    force: &Vector3<f64>,
    scale: f64,
    out: &mut [f64],
) {
    let b = &problem.trees.bodies[body];
    let Some(clique) = b.clique else { return };
    let out = &mut out[problem.trees.cliques[clique].velocities.clone()];
    if b.free {
        if let Some(out) = out.first_chunk_mut::<6>() {
            let wrench = [torque.x, torque.y, torque.z, force.x, force.y, force.z];
            for i in 0..6 {
                out[i] += scale * wrench[i];
            }
        }
        return;
    }
    add_linked_wrench(problem, b, torque, force, scale, out);
}

/// Adds the wrench of a body in a tree of several; `out` is that of its clique.
fn add_linked_wrench(
    problem: &Problem,
    b: &Body,
    torque: &Vector3<f64>,
    force: &Vector3<f64>,
    scale: f64,
    out: &mut [f64],
) {
    for (i, column) in problem.moving_columns(b) {
        let dot = column[0] * torque.x
            + column[1] * torque.y
            + column[2] * torque.z
            + column[3] * force.x
            + column[4] * force.y
            + column[5] * force.z;
        out[i] += scale * dot;
    }
}

/// The impulses of a patch, summed up about the origins of its bodies.
#[derive(Default)]
pub struct Wrench {
    torque_a: Vector3<f64>,
    torque_b: Vector3<f64>,
    force: Vector3<f64>,
}

impl Wrench {
    /// Adds the impulse of the law of a contact point.
    #[inline(always)]
    pub fn add(&mut self, pair: &ContactRow, impulse: &Vector3<f64>) {
        let impulse = &pair.scaled(impulse);
        let turning = pair.turning_torque(impulse);
        self.torque_a += pair.p_AC.cross(impulse) + turning;
        self.torque_b += pair.p_BC.cross(impulse) + turning;
        self.force += impulse;
    }

    /// Subtracts `J'` times it from momenta of all velocities.
    #[inline(always)]
    pub fn subtract_from(&self, problem: &Problem, patch: &Patch, out: &mut [f64]) {
        add_wrench(problem, patch.body_b, &self.torque_b, &self.force, -1.0, out);
        add_wrench(problem, patch.body_a, &self.torque_a, &self.force, 1.0, out);
    }

    /// Adds `J'` times it to generalized forces of all velocities.
    pub fn add_to(&self, problem: &Problem, patch: &Patch, out: &mut [f64]) {
        add_wrench(problem, patch.body_b, &self.torque_b, &self.force, 1.0, out);
        add_wrench(problem, patch.body_a, &self.torque_a, &self.force, -1.0, out);
    }
}
