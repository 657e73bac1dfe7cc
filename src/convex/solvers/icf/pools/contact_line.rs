//! Contact points along a line of velocities, four at a time.
//!
//! Along `vc + alpha uc` the normal velocity is affine, and with the tangential part of vc split along and across that
//! of uc, `vt = c ut + w`, the slip is `|vt + alpha ut|² = |ut|² (c + alpha)² + |w|²`, a sum of squares: nothing
//! cancels where a point turns round. An evaluation needs one root and one division per point, and no vector.

use super::ContactLaw;
use crate::contact::{Island, Problem};
use nalgebra::Vector3;

/// Number of points that are computed together.
const LANES: usize = 4; // size

type Lane = [f64; LANES];

#[derive(Clone, Copy, Debug)]
struct Points {
    /// Normal velocity at the start of the line, and its rate.
    vn: Lane,
    un: Lane,
    /// `c`, `|ut|²`, and `|w|²` plus the square of the regularization velocity.
    along: Lane,
    rate: Lane,
    across: Lane,
    /// `mu n0`.
    friction: Lane,
    /// Elastic force at the start of the step, stiffness times dt, dissipation.
    force: Lane,
    stiffness: Lane,
    dissipation: Lane,
}

impl Default for Points {
    /// Points on which nothing acts.
    fn default() -> Self {
        let zero = [0.0; LANES];
        Points {
            vn: zero,
            un: zero,
            along: zero,
            rate: zero,
            across: [1.0; LANES],
            friction: zero,
            force: zero,
            stiffness: zero,
            dissipation: zero,
        }
    }
}

/// The contact points of an island along a line.
#[derive(Clone, Debug, Default)]
pub struct LinePairs {
    points: Vec<Points>,
    dt: f64,
}

impl LinePairs {
    /// Sets the line of an island's points: their velocities at its start, and their rates.
    pub fn set(
        &mut self,
        problem: &Problem,
        island: &Island,
        laws: &[ContactLaw],
        vc: &[Vector3<f64>],
        uc: &[Vector3<f64>],
    ) {
        self.points.clear();
        self.dt = problem.step_terms.dt;
        let mut lane = LANES;
        for i in island.patches.iter().flat_map(|&p| problem.contacts.patches[p].points.clone()) {
            let law = &laws[i];
            let (vn, un) = (law.normal.dot(&vc[i]), law.normal.dot(&uc[i]));
            let (vt, ut) = (vc[i] - law.normal * vn, uc[i] - law.normal * un);
            let rate = ut.norm_squared();
            let along = if rate > 0.0 { vt.dot(&ut) / rate } else { 0.0 };
            let across = (vt - ut * along).norm_squared();
            if lane == LANES {
                self.points.push(Points::default());
                lane = 0;
            }
            let Some(points) = self.points.last_mut() else { return };
            points.vn[lane] = vn;
            points.un[lane] = un;
            points.along[lane] = along;
            points.rate[lane] = rate;
            points.across[lane] = across + law.slip_tolerance * law.slip_tolerance;
            points.friction[lane] = law.friction_impulse;
            points.force[lane] = law.elastic_force;
            points.stiffness[lane] = law.stiffness * self.dt;
            points.dissipation[lane] = law.dissipation;
            lane += 1;
        }
    }

    /// First and second derivative of the cost of all points at `alpha`.
    pub fn derivatives(&self, alpha: f64) -> (f64, f64) {
        let (mut slope, mut curvature) = ([0.0; LANES], [0.0; LANES]);
        let (mut normal_slope, mut normal_curvature) = ([0.0; LANES], [0.0; LANES]);
        for p in &self.points {
            for k in 0..LANES {
                let vn = p.vn[k] + alpha * p.un[k];
                let elastic = p.force[k] - p.stiffness[k] * vn;
                let damping = 1.0 - p.dissipation[k] * vn;
                // Both factors at least zero; their rates only where both act.
                let acts = if elastic > 0.0 { 1.0 } else { 0.0 } * if damping > 0.0 { 1.0 } else { 0.0 };
                normal_slope[k] -= acts * (elastic * damping) * p.un[k];
                let rate = p.stiffness[k] * damping + p.dissipation[k] * elastic;
                normal_curvature[k] += acts * rate * (p.un[k] * p.un[k]);
                let s = p.along[k] + alpha;
                let inverse = 1.0 / (p.rate[k] * (s * s) + p.across[k]).sqrt();
                let g = p.friction[k] * inverse * p.rate[k];
                slope[k] += g * s;
                curvature[k] += g * (p.across[k] * (inverse * inverse));
            }
        }
        let sum = |lane: Lane| (lane[0] + lane[1]) + (lane[2] + lane[3]);
        (sum(slope) + self.dt * sum(normal_slope), sum(curvature) + self.dt * sum(normal_curvature))
    }
}
