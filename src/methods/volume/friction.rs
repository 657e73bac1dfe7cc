//! Friction of a patch: the wrenches that it can hold, and its wrench in sliding.
//!
//! In the axes of the patch (two tangents, normal) a wrench `[f1, f2, fn, t1, t2, tn]` about the centre is held if it
//! is a sum, with parts that are not negative, of `K(p_l)'phi_p` for the corners `p_l` and the edges
//! `phi_p = n + mu (cos, sin)(2 pi (p + phase)/P)` of a pyramid of friction. This is a problem of non-negative least
//! squares (Lawson and Hanson 1974), whose residual is zero if the wrench is held.
//!
//! A sliding patch has at each corner a normal force `e_l >= 0` and friction `mu_k e_l s_l` against the velocity there.
//! Sum and moments of e follow from the normal force and its centre. The remaining freedom is used to bring friction as
//! near as possible to the wrench that would hold the patch.

use super::options::{Kinetic, VolumeOptions};
use super::qp::{ActiveSet, QuadraticProgram, dot};
use crate::choices::volume_friction::EVEN;
use std::f64::consts::TAU;

/// Relative to the normal force: a smaller residual counts as zero.
const HELD: f64 = 1e-9; // rounding
/// Relative to the greatest slip of a corner: a slower corner counts as at rest.
const STANDS: f64 = 1e-12; // rounding

pub type Wrench = [f64; 6];

/// Workspace of both problems.
#[derive(Clone, Debug, Default)]
pub struct Friction {
    edges: Vec<Wrench>,
    lengths: Vec<f64>,
    set: ActiveSet,
    program: QuadraticProgram,
    slips: Vec<[f64; 2]>,
}

/// Radius of the patch: that of the disc with its area.
pub(super) fn radius(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    let doubled: f64 = outline.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum();
    (0.5 * doubled.abs() / std::f64::consts::PI).sqrt().max(f64::MIN_POSITIVE)
}

impl Friction {
    /// True if friction with the coefficient `mu` at the corners of `outline` can hold the wrench.
    pub fn holds(&mut self, wrench: &Wrench, outline: &[[f64; 2]], mu: f64, options: &VolumeOptions) -> bool {
        let [f1, f2, normal, ..] = *wrench;
        let farthest = outline.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max);
        if normal <= 0.0 {
            return wrench.iter().all(|x| *x == 0.0);
        }
        let limit = mu * normal * (1.0 + HELD);
        if f1.hypot(f2) > limit || wrench[5].abs() > limit * 2.0 * farthest {
            return false;
        }
        let size = radius(outline);
        let scaled = |w: Wrench| [w[0], w[1], w[2], w[3] / size, w[4] / size, w[5] / size];
        let Friction { edges, lengths, set, .. } = self;
        edges.clear();
        lengths.clear();
        for &[x, y] in outline {
            for side in 0..options.sides {
                let (sin, cos) = (TAU * (side as f64 + options.phase) / options.sides as f64).sin_cos();
                let (a, b) = (mu * cos, mu * sin);
                edges.push(scaled([a, b, 1.0, y, -x, x * b - y * a]));
            }
        }
        lengths.extend(edges.iter().map(|edge| dot(edge, edge).sqrt()));
        let wanted = scaled(wrench.map(|x| x / normal));
        let size = dot(&wanted, &wanted).sqrt();
        set.start.clear();
        set.start.extend(edges.iter().map(|edge| -dot(edge, &wanted)));
        set.scales.clear();
        set.scales.extend(lengths.iter().map(|length| length * size));
        // The residual is valid also if rounding ends the search.
        set.solve(edges.len(), 0, |i, j| dot(&edges[i], &edges[j]));
        let mut residual = wanted.map(|x| -x);
        for (edge, part) in edges.iter().zip(&set.multipliers) {
            residual.iter_mut().zip(edge).for_each(|(r, e)| *r += part.max(0.0) * e);
        }
        dot(&residual, &residual).sqrt() <= HELD * size
    }

    /// Wrench of a patch that slides with the velocity `motion` (two tangents, angular velocity about the normal),
    /// nearest to the wrench that would hold it. `None` if no corner moves.
    pub fn sliding(
        &mut self,
        wrench: &Wrench,
        outline: &[[f64; 2]],
        mu: f64,
        motion: [f64; 3],
        kinetic: Kinetic,
    ) -> Option<Wrench> {
        let normal = wrench[2];
        let velocity = |[x, y]: [f64; 2]| [motion[0] - motion[2] * y, motion[1] + motion[2] * x];
        let fastest = outline.iter().map(|&p| velocity(p)).map(|[a, b]| a.hypot(b)).fold(0.0, f64::max);
        if !(fastest > 0.0 && normal > 0.0) {
            return None;
        }
        self.slips.clear();
        self.slips.extend(outline.iter().map(|&p| {
            let [a, b] = velocity(p);
            let speed = a.hypot(b);
            if speed > STANDS * fastest { [-a / speed, -b / speed] } else { [0.0; 2] }
        }));
        let size = radius(outline);
        let wanted = [wrench[0] / normal, wrench[1] / normal, wrench[5] / (normal * size)];
        let friction = |l: usize, slips: &[[f64; 2]]| {
            let ([x, y], [a, b]) = (outline[l], slips[l]);
            [mu * a, mu * b, mu * (x * b - y * a) / size]
        };
        // Sum of the parts, and their two moments.
        let moments = |l: usize| [1.0, outline[l][1] / size, -outline[l][0] / size];
        let given = [1.0, wrench[3] / (normal * size), wrench[4] / (normal * size)];
        let corners = outline.len();
        let parts = match kinetic {
            Kinetic::LinearProgram => self.best_three(corners, friction, moments, given, wanted),
            Kinetic::LeastSquares => None,
        };
        let found = |parts: &dyn Fn(usize) -> f64, slips: &[[f64; 2]]| {
            let mut sum = [0.0; 3];
            for l in 0..corners {
                let of_l = friction(l, slips);
                sum.iter_mut().zip(of_l).for_each(|(s, x)| *s += parts(l) * x);
            }
            [normal * sum[0], normal * sum[1], normal, wrench[3], wrench[4], normal * size * sum[2]]
        };
        if let Some(parts) = parts {
            let of = |l: usize| parts.iter().filter(|(corner, _)| *corner == l).map(|(_, part)| part).sum();
            return Some(found(&of, &self.slips));
        }
        let program = &mut self.program;
        program.start(corners);
        let even = 1.0 / corners as f64;
        for l in 0..corners {
            let of_l = friction(l, &self.slips);
            program.gradient[l] = -dot(&of_l, &wanted) - EVEN * even;
            for m in 0..corners {
                let of_m = friction(m, &self.slips);
                program.hessian[l * corners + m] = dot(&of_l, &of_m) + if l == m { EVEN } else { 0.0 };
            }
        }
        for (k, bound) in given.iter().enumerate() {
            program.constrain(*bound).iter_mut().enumerate().for_each(|(l, a)| *a = moments(l)[k]);
        }
        program.equations = 3;
        for l in 0..corners {
            program.constrain(0.0)[l] = 1.0;
        }
        if !program.solve() {
            // The centre of pressure is on the rim up to rounding: even parts.
            return Some(found(&|_| even, &self.slips));
        }
        Some(found(&|l| program.solution[l].max(0.0), &self.slips))
    }

    /// Linear program of the published method: the vertex of its polyhedron with the largest sum of ratios.
    fn best_three(
        &self,
        corners: usize,
        friction: impl Fn(usize, &[[f64; 2]]) -> [f64; 3],
        moments: impl Fn(usize) -> [f64; 3],
        given: [f64; 3],
        wanted: [f64; 3],
    ) -> Option<[(usize, f64); 3]> {
        let worth = |l: usize| -> f64 {
            let ratios = friction(l, &self.slips).into_iter().zip(wanted).filter(|(_, w)| w.abs() > HELD);
            ratios.map(|(x, w)| x / w).sum()
        };
        let (mut best, mut found) = (f64::NEG_INFINITY, None);
        for i in 0..corners {
            for j in 0..i {
                for k in 0..j {
                    let matrix = nalgebra::Matrix3::from_columns(&[i, j, k].map(|l| moments(l).into()));
                    let Some(inverse) = matrix.try_inverse() else { continue };
                    let parts = inverse * nalgebra::Vector3::from(given);
                    let value = parts[0] * worth(i) + parts[1] * worth(j) + parts[2] * worth(k);
                    if parts.min() >= -HELD && value > best {
                        (best, found) = (value, Some([(i, parts[0]), (j, parts[1]), (k, parts[2])]));
                    }
                }
            }
        }
        found
    }
}
