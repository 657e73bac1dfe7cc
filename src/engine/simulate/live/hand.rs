//! The hand that pulls at a body: a spring and a damper from the picked point P to the position of the hand, T,
//!
//! ```text
//! F = m ω² (p_WT - p_WP) - 2 m ω v_WP
//! ```
//!
//! with the effective mass m of the point, three over the trace of J M⁻¹ Jᵀ, and a fixed ω: any body follows the hand
//! alike, critically damped. The force is computed at the ends of steps and held in between, an input of the step like
//! any other; held for at most [`PERIOD`] it is stable, as ω h is 0.25.

use crate::simulate::HandForce;
use kinegraph_core::ConvexPlant;
use kinegraph_core::convex::PlantPoint;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// ω \[rad/s\]: a body held at its centre of mass hangs 16 mm below the hand.
const RATE: f64 = 25.0;
/// Longest time for which a force is held \[s\].
pub(super) const PERIOD: f64 = 0.01;

/// A held point of a body.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    /// Input that has its force.
    pub input: String,
    /// Index of the plant among all plants.
    pub plant: usize,
    /// Index of the body in the plant.
    pub body: usize,
    /// Point, from the body's origin in its axes \[m\].
    pub point: [f64; 3],
    /// Position of the hand \[m\].
    pub target: [f64; 3],
    /// Range of the spatial force in the discrete state.
    pub place: std::ops::Range<usize>,
    /// Index of the body at the port.
    pub index: usize,
    pub memory: PlantPoint,
}

impl Hand {
    /// Spatial force on the body, about its origin, and the data to draw it.
    pub fn force(&mut self, plant: &dyn ConvexPlant, time: f64, q: &[f64], v: &[f64]) -> ([f64; 6], HandForce) {
        let point = &mut self.memory;
        plant.evaluate(q, v, point);
        let R_WB = Matrix3::from_column_slice(&point.R_WB[self.body]);
        let p_BP_W = R_WB * Vector3::from(self.point);
        let p_WP = Vector3::from(point.p_WB[self.body]) + p_BP_W;
        let [wx, wy, wz, vx, vy, vz] = point.V_WB[self.body];
        let v_WP = Vector3::new(vx, vy, vz) + Vector3::new(wx, wy, wz).cross(&p_BP_W);
        let m = mass(plant, self.body, &p_BP_W, point);
        let force = (Vector3::from(self.target) - p_WP) * (m * RATE * RATE) - v_WP * (2.0 * m * RATE);
        let torque = p_BP_W.cross(&force);
        let seen = HandForce {
            time,
            plant: self.plant,
            body: self.body,
            point: p_WP.into(),
            target: self.target,
            force: force.into(),
        };
        ([torque.x, torque.y, torque.z, force.x, force.y, force.z], seen)
    }
}

/// Effective mass of a point of a body \[kg\], at the state of the last evaluation: three over the trace of J M⁻¹ Jᵀ, J
/// the Jacobian of the point. Zero where nothing can move it.
fn mass(plant: &dyn ConvexPlant, body: usize, p_BP_W: &Vector3<f64>, point: &mut PlantPoint) -> f64 {
    let structure = plant.structure();
    let Some(clique) = structure.bodies[body].clique else { return 0.0 };
    let mut wanted = vec![false; structure.bodies.len()];
    wanted[body] = true;
    plant.jacobians(&wanted, point);
    let n = structure.cliques[clique].len();
    let at: usize = structure.cliques[..clique].iter().map(|clique| clique.len() * clique.len()).sum();
    let M = DMatrix::from_column_slice(n, n, &point.mass_matrix[at..at + n * n]);
    let J = match structure.bodies[body].free {
        true => DMatrix::identity(6, n),
        false => DMatrix::from_column_slice(6, n, &point.jacobians[structure.bodies[body].jacobian.clone()]),
    };
    let rotation = -p_BP_W.cross_matrix();
    let J_P = DMatrix::from_fn(3, n, |i, j| J[(3 + i, j)] + (0..3).map(|k| rotation[(i, k)] * J[(k, j)]).sum::<f64>());
    let Some(factor) = M.cholesky() else { return 0.0 };
    let mobility = (&J_P * factor.solve(&J_P.transpose())).trace();
    if mobility > 0.0 { 3.0 / mobility } else { 0.0 }
}
