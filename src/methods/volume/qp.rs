//! Strictly convex quadratic programs by the dual active-set method of Goldfarb and Idnani (1983).
//!
//! ```text
//! min 1/2 x'H x + g'x   with   a_i'x = b_i (i < e),   a_i'x >= b_i (i >= e)
//! ```
//!
//! The method works on the multipliers u: with `K = A H^-1 A'` and the slacks `s = A x - b = s0 + K u` it searches for
//! `u >= 0, s >= 0, u's = 0` (u of equations is free). It starts from the unconstrained minimum and adds the most
//! violated constraint to the active set, one at a time; blocking constraints are removed. K is factored for the active
//! set, which is small.

use kinegraph_convex::linear_algebra::Cholesky;

/// Tolerance of constraints, relative to the largest product in them.
const TOLERANCE: f64 = 1e-13; // rounding
/// A new constraint is dependent if its own part of K, with the active set eliminated, falls below this part of its
/// value.
const DEPENDENT: f64 = 1e-12; // rounding

/// A program of one size; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct QuadraticProgram {
    pub size: usize,
    /// Number of equations, which are the first constraints.
    pub equations: usize,
    /// H, column by column.
    pub hessian: Vec<f64>,
    pub gradient: Vec<f64>,
    /// A, constraint by constraint.
    pub constraints: Vec<f64>,
    pub bounds: Vec<f64>,
    pub solution: Vec<f64>,
    factor: Cholesky,
    // H^-1 A', constraint by constraint, and K.
    responses: Vec<f64>,
    couplings: Vec<f64>,
    core: ActiveSet,
}

/// Active-set method for `u >= 0, s0 + K u >= 0, u'(s0 + K u) = 0`.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    pub multipliers: Vec<f64>,
    pub start: Vec<f64>,
    pub scales: Vec<f64>,
    active: Vec<usize>,
    slacks: Vec<f64>,
    column: Vec<f64>,
    factor: Cholesky,
}

impl QuadraticProgram {
    /// Begins a program with `size` unknowns. H is to be filled; g, constraints and bounds are to be added.
    pub fn start(&mut self, size: usize) {
        (self.size, self.equations) = (size, 0);
        self.hessian.clear();
        self.hessian.resize(size * size, 0.0);
        self.gradient.clear();
        self.gradient.resize(size, 0.0);
        self.constraints.clear();
        self.bounds.clear();
    }

    /// Adds a constraint with zero coefficients, and returns them to be filled.
    pub fn constrain(&mut self, bound: f64) -> &mut [f64] {
        let start = self.constraints.len();
        self.constraints.resize(start + self.size, 0.0);
        self.bounds.push(bound);
        &mut self.constraints[start..]
    }

    /// True if no constraint is active at the solution.
    pub fn is_free(&self) -> bool {
        self.core.active.is_empty()
    }

    /// Multiplier of a constraint.
    pub fn multiplier(&self, i: usize) -> f64 {
        self.core.multipliers[i]
    }

    /// Solves the program; `false` if H is not positive definite or the constraints contradict each other.
    pub fn solve(&mut self) -> bool {
        let n = self.size;
        let QuadraticProgram {
            factor,
            hessian,
            gradient,
            constraints,
            bounds,
            solution,
            responses,
            couplings,
            core,
            ..
        } = self;
        factor.start(n).copy_from_slice(hessian);
        if !factor.factor() {
            return false;
        }
        solution.clear();
        solution.extend(gradient.iter().map(|g| -g));
        factor.solve(solution);
        responses.clone_from(constraints);
        responses.chunks_exact_mut(n).for_each(|response| factor.solve(response));
        let count = bounds.len();
        couplings.clear();
        for row in constraints.chunks_exact(n) {
            couplings.extend(responses.chunks_exact(n).map(|response| dot(row, response)));
        }
        core.start.clear();
        core.scales.clear();
        for (row, bound) in constraints.chunks_exact(n).zip(bounds.iter()) {
            core.start.push(dot(row, solution) - bound);
            core.scales.push(row.iter().zip(solution.iter()).map(|(a, x)| (a * x).abs()).fold(bound.abs(), f64::max));
        }
        if !core.solve(count, self.equations, |i, j| couplings[i * count + j]) {
            return false;
        }
        for (response, u) in responses.chunks_exact(n).zip(&core.multipliers) {
            solution.iter_mut().zip(response).for_each(|(x, y)| *x += u * y);
        }
        solution.iter().all(|x| x.is_finite())
    }
}

impl ActiveSet {
    /// Solves for `count` constraints with the slacks `start` and the couplings K. `false` if they contradict each
    /// other.
    pub fn solve(&mut self, count: usize, equations: usize, coupling: impl Fn(usize, usize) -> f64) -> bool {
        self.multipliers.clear();
        self.multipliers.resize(count, 0.0);
        self.active.clear();
        for i in 0..equations {
            if !self.enter(i, equations, true, &coupling) {
                return false;
            }
        }
        // Every constraint that enters increases the dual function, so no active set occurs twice, up to rounding.
        for _ in 0..20 * count + 20 {
            self.find_slacks(count, &coupling);
            let violated = |i: &usize| self.slacks[*i] < -TOLERANCE * self.scales[*i].max(f64::MIN_POSITIVE);
            let inactive = (equations..count).filter(|i| !self.active.contains(i)).filter(violated);
            let relative = |i: usize| self.slacks[i] / self.scales[i].max(f64::MIN_POSITIVE);
            let Some(most) = inactive.min_by(|&i, &j| relative(i).total_cmp(&relative(j))) else { return true };
            if !self.enter(most, equations, false, &coupling) {
                return false;
            }
        }
        true
    }

    fn find_slacks(&mut self, count: usize, coupling: &impl Fn(usize, usize) -> f64) {
        self.slacks.clear();
        for i in 0..count {
            let by: f64 = self.active.iter().map(|&j| coupling(i, j) * self.multipliers[j]).sum();
            self.slacks.push(self.start[i] + by);
        }
    }

    /// Adds constraint `p` to the active set, and removes blocking constraints.
    fn enter(&mut self, p: usize, equations: usize, free: bool, coupling: &impl Fn(usize, usize) -> f64) -> bool {
        for _ in 0..4 * self.multipliers.len() + 4 {
            let k = self.active.len();
            self.column.clear();
            self.column.extend(self.active.iter().map(|&i| coupling(i, p)));
            let own = coupling(p, p);
            let mut left = own;
            if k > 0 {
                let matrix = self.factor.start(k);
                for (c, &j) in self.active.iter().enumerate() {
                    for (r, &i) in self.active.iter().enumerate() {
                        matrix[c * k + r] = coupling(i, j);
                    }
                }
                if !self.factor.factor() {
                    return false;
                }
                self.factor.solve(&mut self.column);
                left -= self.active.iter().zip(&self.column).map(|(&i, r)| coupling(i, p) * r).sum::<f64>();
            }
            let slack = self.start[p]
                + self.active.iter().map(|&j| coupling(p, j) * self.multipliers[j]).sum::<f64>()
                + own * self.multipliers[p];
            let whole = if left > DEPENDENT * own { -slack / left } else { f64::INFINITY };
            if free {
                // An equation: its multiplier may have either sign.
                if whole.is_infinite() {
                    // It is redundant, or it contradicts the others.
                    // rounding
                    return slack.abs() <= 1e-9 * self.scales[p].max(f64::MIN_POSITIVE);
                }
                self.step(p, whole);
                self.active.push(p);
                return true;
            }
            let releases = self.active.iter().enumerate().filter(|&(c, &j)| j >= equations && self.column[c] > 0.0);
            let ratio = |c: usize| self.multipliers[self.active[c]] / self.column[c];
            let blocking = releases.map(|(c, _)| c).min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)));
            let part = blocking.map_or(f64::INFINITY, ratio);
            let length = whole.min(part).max(0.0);
            if length.is_infinite() {
                return false;
            }
            self.step(p, length);
            if whole <= part {
                self.active.push(p);
                return true;
            }
            if let Some(c) = blocking {
                self.multipliers[self.active[c]] = 0.0;
                self.active.remove(c);
            }
        }
        false
    }

    fn step(&mut self, p: usize, length: f64) {
        for (&j, r) in self.active.iter().zip(&self.column) {
            self.multipliers[j] -= length * r;
        }
        self.multipliers[p] += length;
    }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
