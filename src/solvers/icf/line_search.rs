//! Line search: the minimum of the cost along the Newton direction.
//!
//! Along a line every relative velocity is affine in alpha, so an evaluation is one pass over the pairs (see
//! [`line_pairs`](super::line_pairs)). Only the slope is needed: it increases with alpha (the cost is convex), and its
//! root is bracketed by 0 and 1. [CENIC spec 3.3] The same holds without a cost where the gradient is monotone.

use super::assemble::Workspace;
use super::pools::{ContactPool, Pools, Potential};
use crate::contact::Island;
use crate::contact::Problem;

/// What the search found.
pub(super) struct Found {
    pub alpha: f64,
    pub evaluations: usize,
}

/// The quadratic part of the cost along the line: slope `linear + alpha * curvature`.
pub(in crate::solvers) struct Line<'a, C = ContactPool> {
    problem: &'a Problem,
    island: &'a Island,
    v: &'a [f64],
    pools: &'a Pools<C>,
    work: &'a Workspace,
    linear: f64,
    curvature: f64,
    /// Slope at its start and curvature of `1/2 v'A v - r'v`.
    inertia: (f64, f64),
}

impl<'a, C: Potential> Line<'a, C> {
    /// The line from `v` along `work.direction`, with momenta `momentum` for velocities that no potential acts on. The
    /// contact points know the line already. Leaves A times the direction in `work.product`.
    pub fn new(
        problem: &'a Problem,
        island: &'a Island,
        v: &'a [f64],
        momentum: &[f64],
        pools: &'a Pools<C>,
        work: &'a mut Workspace,
    ) -> Self {
        let mut product = std::mem::take(&mut work.product);
        for &c in &island.cliques {
            product[problem.cliques[c].velocities.clone()].fill(0.0);
        }
        problem.add_product(island, &work.direction, &mut product);
        let (mut linear, mut curvature) = (0.0, 0.0);
        for pool in pools.rest() {
            let own = pool.quadratic_along(problem, island, v, &work.direction);
            (linear, curvature) = (linear + own.0, curvature + own.1);
        }
        let rest = (linear, curvature);
        for &c in &island.cliques {
            for i in problem.cliques[c].velocities.clone() {
                let w = work.direction[i];
                curvature += w * product[i];
                linear += v[i] * product[i] - w * momentum[i];
            }
        }
        let inertia = (linear - rest.0, curvature - rest.1);
        // Where A is not symmetric, the slope has w'A v, not v'A w.
        for &f in &island.feedback {
            let block = &problem.feedback[f];
            if block.unsymmetric {
                for (column, &j) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                    for (&k, &i) in column.iter().zip(&block.velocities) {
                        linear += problem.dt * k * (work.direction[i] * v[j] - v[i] * work.direction[j]);
                    }
                }
            }
        }
        work.product = product;
        Line { problem, island, v, pools, work, linear, curvature, inertia }
    }

    /// Slope at its start and curvature of `1/2 v'A v - r'v`, for A that is symmetric.
    pub fn inertia(&self) -> (f64, f64) {
        self.inertia
    }

    /// The direction.
    pub fn direction(&self) -> &[f64] {
        &self.work.direction
    }

    /// The slope at its start, from the gradient there.
    pub fn initial_slope(&self) -> f64 {
        let velocities = self.island.cliques.iter().flat_map(|&c| self.problem.cliques[c].velocities.clone());
        velocities.map(|i| self.work.gradient[i] * self.work.direction[i]).sum()
    }

    /// First and second derivative of the cost at `alpha`.
    pub fn derivatives(&self, alpha: f64) -> (f64, f64) {
        let (mut slope, mut curvature) = (self.linear + alpha * self.curvature, self.curvature);
        let mut sum = (slope, curvature);
        for pool in self.pools.all() {
            pool.add_along(self.problem, self.island, self.v, &self.work.direction, alpha, &mut sum);
        }
        (slope, curvature) = sum;
        for &f in &self.island.feedback {
            let block = &self.problem.feedback[f];
            for (row, gain) in block.limited_rows() {
                let (w, rate) = (self.work.direction[row.velocity], block.row_times(gain, &self.work.direction));
                let asked = block.asked(row, gain, self.v, &self.problem.v0) - alpha * rate;
                slope -= self.problem.dt * asked.clamp(-row.limit, row.limit) * w;
                if row.regime(asked) == 0 {
                    curvature += self.problem.dt * rate * w;
                }
            }
        }
        (slope, curvature)
    }
}

/// Finds the root of the slope along `work.direction` in (0, 1], to `tolerance` times the slope at 0. `None` if the
/// direction does not descend or the search breaks down (not-a-number).
pub(super) fn search(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    pools: &mut Pools,
    work: &mut Workspace,
    tolerance: f64,
) -> Option<Found> {
    pools.contact.set_line(problem, island);
    let line = Line::new(problem, island, v, &problem.momentum, pools, work);
    let initial_slope = line.initial_slope();
    if initial_slope >= 0.0 || !initial_slope.is_finite() {
        return None;
    }
    let (slope, slope_rate) = line.derivatives(1.0);
    if !slope.is_finite() {
        return None;
    }
    let small = tolerance * -initial_slope;
    if slope <= small {
        return Some(Found { alpha: 1.0, evaluations: 1 });
    }
    bracketed_root(&line, initial_slope, (slope, slope_rate), small)
}

/// About where the cubic with the slope and its rate at both ends crosses zero. At 0 a Newton direction has
/// `w' H w = -w' g`: the rate is minus the slope.
fn cubic_root(slope0: f64, (slope1, rate1): (f64, f64)) -> f64 {
    let at = |x: f64| {
        let y = 1.0 - x;
        slope0 * y * y * (1.0 + 2.0 * x) - slope0 * x * y * y + slope1 * x * x * (3.0 - 2.0 * x) - rate1 * x * x * y
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if at(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// Newton safeguarded by bisection on the bracket \[0, 1\], where the slope is negative at 0 and positive at 1.
fn bracketed_root(line: &Line, slope0: f64, end: (f64, f64), small: f64) -> Option<Found> {
    let (mut low, mut high) = (0.0, 1.0);
    let mut alpha = 1.0_f64;
    let mut last_step = 1.0_f64;
    let mut guess = cubic_root(slope0, end);
    for evaluations in 2..=100 {
        if !(guess > low && guess < high) {
            guess = 0.5 * (low + high);
        }
        let step = guess - alpha;
        alpha = guess;
        let (f, df) = line.derivatives(alpha);
        if !f.is_finite() {
            return None;
        }
        if f.abs() <= small || high - low < 1e-14 {
            return Some(Found { alpha, evaluations });
        }
        if f > 0.0 {
            high = alpha;
        } else {
            low = alpha;
        }
        // Bisect where Newton does not at least halve the last step.
        guess = alpha - f / df;
        if 2.0 * f.abs() > (last_step * df).abs() {
            guess = 0.5 * (low + high);
        }
        last_step = step;
    }
    // The bracket is as good as it gets; its lower end descends.
    Some(Found { alpha: if low > 0.0 { low } else { alpha }, evaluations: 100 })
}
