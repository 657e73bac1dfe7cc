//! Rate of the closed loop of plants and external systems.
//!
//! The motion of a free plant with its feedback, linearized at one state, is `x' = J x` of the changes of positions,
//! velocities and external states:
//!
//! ```text
//!     | 0               1            0        |
//! J = | M^-1 (g_q - K)  M^-1 (g_v - D)  M^-1 g_z |
//!     | f_q             f_v          f_z      |
//! ```
//!
//! with the springs K and the damping D of the plants. An explicit method follows it in steps up to a few times the
//! inverse of its spectral radius rho. Row sums are no good bound: the gain of a regulator is far from symmetric, and
//! they overestimate rho by factors of ten and more. Powers are: `rho <= |J^m|^(1/m)`, and for m = 64 a matrix whose
//! eigenvectors have the condition c is overestimated by `c^(1/64)` at most \[Gelfand 1941\].

use super::jacobian::Linearization;
use super::sparse_power::SparsePower;
use crate::choices::loop_rate::{LARGE_SIZE, SQUARINGS, SQUARINGS_OF_LARGE};
use kinegraph_convex::contact::Problem;
use kinegraph_convex::linear_algebra::{Cholesky, DisjointSets};

/// The search for the fastest rate, with its memory.
#[derive(Clone, Debug, Default)]
pub struct LoopRate {
    /// Sets over all velocities, then all external states.
    sets: DisjointSets,
    moved: Vec<bool>,
    /// Root and number of all velocities and states that take part.
    members: Vec<(usize, usize)>,
    /// Place of each velocity and external state in its part.
    place: Vec<usize>,
    springs: Vec<f64>,
    mass: Cholesky,
    matrix: Vec<f64>,
    square: Vec<f64>,
    sums: Vec<f64>,
    cliques: Vec<usize>,
    /// A power of J that is mostly empty.
    power: SparsePower,
}

/// True if J of a part is large and mostly empty, as of a long chain of blocks without a plant.
pub(super) fn is_sparse(part: &[(usize, usize)], problem: &Problem, linear: &Linearization) -> bool {
    let state = part[0].1.checked_sub(problem.start_velocity().len());
    state.and_then(|z| linear.groups.of_external(z)).is_some_and(|group| group.sparse_rates)
}

impl LoopRate {
    /// Bound on the spectral radius of the loop \[1/s\]. A bound below `enough` is not made sharper.
    pub fn bound(&mut self, problem: &Problem, linear: &Linearization, enough: f64) -> f64 {
        let mut fastest = 0.0_f64;
        self.for_each_part(problem, linear, |loops, part| {
            fastest = fastest.max(loops.bound_of(part, problem, linear, enough));
        });
        fastest
    }

    /// Calls `see` with the members of each part of the motion that is independent of the others.
    pub(super) fn for_each_part(
        &mut self,
        problem: &Problem,
        linear: &Linearization,
        mut see: impl FnMut(&mut Self, &[(usize, usize)]),
    ) {
        self.find_parts(problem, linear);
        let members = std::mem::take(&mut self.members);
        members.chunk_by(|a, b| a.0 == b.0).for_each(|part| see(self, part));
        self.members = members;
    }

    /// True if a body of a part is in contact.
    pub(super) fn touches(&mut self, part: &[(usize, usize)], problem: &Problem) -> bool {
        let nv = problem.start_velocity().len();
        self.cliques.clear();
        self.cliques.extend(part.iter().take_while(|(_, i)| *i < nv).map(|&(_, i)| problem.clique_of(i)));
        self.cliques.dedup();
        !self.cliques.is_empty() && problem.touches(&self.cliques)
    }

    /// True if the energy of a part shows that nothing in it grows faster than `rate`: with `M v' = -D v - K x` (the
    /// symmetric parts D_s, K_s and the rest K_a of K) and `V = v' M v + x' (K_s + rate² M) x`,
    ///
    /// ```text
    /// V' <= 2 rate V   where   [ rate (K_s + rate² M)    (K_a - rate² M)'/2 ]
    ///                          [ (K_a - rate² M)/2       rate M + D_s       ]   is positive definite
    /// ```
    ///
    /// External states that no motion drives are checked separately: J is block triangular, whatever forces they make.
    /// The test does not apply to parts with others.
    pub(super) fn dissipates(
        &mut self,
        part: &[(usize, usize)],
        problem: &Problem,
        linear: &Linearization,
        rate: f64,
    ) -> bool {
        let nv = problem.start_velocity().len();
        let n = part.partition_point(|(_, i)| *i < nv);
        if n == 0 || n < part.len() && !self.states_alone_stay_below(part, n, problem, linear, rate) {
            return false;
        }
        let part = &part[..n];
        self.place.resize(nv + linear.external.z.nrows(), 0);
        part.iter().enumerate().for_each(|(at, &(_, i))| self.place[i] = at);
        // K, then D.
        self.matrix.clear();
        self.matrix.resize(2 * n * n, 0.0);
        for (at, &(_, v)) in part.iter().enumerate() {
            self.matrix[at * n + at] += self.springs[v];
            self.matrix[n * n + at * n + at] += problem.trees.damping[v];
        }
        for group in linear.groups.among(part, nv) {
            for &c in &group.columns {
                let column = self.place[linear.sensed[c]] * n;
                let (actuation, applied) = (&linear.actuation, &linear.applied);
                let (rows, q) = actuation.q.column(c);
                let (v, more_q, more_v) = (actuation.v.column(c).1, applied.q.column(c).1, applied.v.column(c).1);
                for (entry, &row) in rows.iter().enumerate() {
                    let at = column + self.place[row];
                    self.matrix[at] -= q[entry] + more_q[entry];
                    self.matrix[n * n + at] -= v[entry] + more_v[entry];
                }
            }
        }
        let (k, d) = self.matrix.split_at(n * n);
        let form = self.mass.start(2 * n);
        for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
            let (k, k_transposed) = (k[j * n + i], k[i * n + j]);
            let m = problem.mass_entry(part[i].1, part[j].1);
            form[2 * n * j + i] = rate * (0.5 * (k + k_transposed) + rate * rate * m);
            form[2 * n * (n + j) + n + i] = rate * m + 0.5 * (d[j * n + i] + d[i * n + j]);
            let mixed = 0.5 * (0.5 * (k - k_transposed) - rate * rate * m);
            (form[2 * n * j + n + i], form[2 * n * (n + i) + j]) = (mixed, mixed);
        }
        self.mass.factor()
    }

    /// True if no motion drives the external states of a part, which follow its `n` velocities, and Gershgorin's
    /// circles show that none of them grows faster than `rate`.
    fn states_alone_stay_below(
        &mut self,
        part: &[(usize, usize)],
        n: usize,
        problem: &Problem,
        linear: &Linearization,
        rate: f64,
    ) -> bool {
        let is_zero = |values: &[f64]| values.iter().all(|&x| x == 0.0);
        let (q, v) = (&linear.external.q, &linear.external.v);
        let mut groups = linear.groups.among(part, problem.start_velocity().len());
        groups.all(|group| group.columns.iter().all(|&c| is_zero(q.column(c).1) && is_zero(v.column(c).1)))
            && self.circles_of_states(&part[n..], problem, linear) <= rate
    }

    /// Writes J of a part and returns it with its number of rows; `None` if the mass matrix has no factor.
    pub(super) fn matrix_of(
        &mut self,
        part: &[(usize, usize)],
        problem: &Problem,
        linear: &Linearization,
    ) -> Option<(usize, &[f64])> {
        let size = self.assemble(part, problem, linear)?;
        Some((size, &self.matrix))
    }

    /// Bound of a part that is large and mostly empty, as [`bound`](Self::bound) gives it, without J as a whole.
    fn sparse_bound(&mut self, part: &[(usize, usize)], problem: &Problem, linear: &Linearization, enough: f64) -> f64 {
        let nv = problem.start_velocity().len();
        self.place.resize(nv + linear.external.z.nrows(), 0);
        part.iter().enumerate().for_each(|(at, &(_, i))| self.place[i] = at);
        let place = &self.place[nv..];
        self.power.start(part.iter().map(|(_, i)| {
            let (rows, values) = linear.external.z.column(i - nv);
            rows.iter().map(|&z| place[z]).zip(values.iter().copied())
        }));
        let mut bound = self.power.norm();
        for squarings in 1..=SQUARINGS_OF_LARGE {
            if bound <= enough || !bound.is_finite() || !self.power.square() {
                break;
            }
            bound = (0..squarings).fold(self.power.norm(), |root, _| root.sqrt());
        }
        if bound.is_nan() { f64::INFINITY } else { bound }
    }

    /// Bound on the growth of external states, those of a part or a single one, by Gershgorin's circles of rows and of
    /// columns \[1/s\].
    pub(super) fn circles_of_states(
        &mut self,
        states: &[(usize, usize)],
        problem: &Problem,
        linear: &Linearization,
    ) -> f64 {
        let nv = problem.start_velocity().len();
        self.sums.clear();
        self.sums.resize(linear.external.z.nrows(), 0.0);
        let mut columns = f64::NEG_INFINITY;
        for z in states.iter().map(|(_, i)| i - nv) {
            let (rows, values) = linear.external.z.column(z);
            let mut sum = 0.0;
            for (&row, x) in rows.iter().zip(values) {
                let right = if row == z { *x } else { x.abs() };
                self.sums[row] += right;
                sum += right;
            }
            columns = columns.max(sum);
        }
        states.iter().map(|(_, i)| self.sums[i - nv]).fold(f64::NEG_INFINITY, f64::max).min(columns)
    }

    /// Finds the parts of the motion that do not react to each other, without those that react to nothing.
    fn find_parts(&mut self, problem: &Problem, linear: &Linearization) {
        let (nv, nz) = (problem.start_velocity().len(), linear.external.z.nrows());
        self.sets.reset(nv + nz);
        self.moved.clear();
        self.moved.resize(nv + nz, false);
        self.springs.clear();
        self.springs.resize(nv, 0.0);
        problem.trees.springs.iter().for_each(|spring| self.springs[spring.velocity] += spring.stiffness);
        for group in linear.groups.all() {
            let columns = group.columns.iter().map(|&c| linear.sensed[c]);
            let states = group.external.iter().map(|z| nv + z);
            let mut first = None;
            for i in group.rows.iter().copied().chain(columns).chain(states) {
                self.moved[i] = true;
                self.sets.join(*first.get_or_insert(i), i);
            }
        }
        for v in 0..nv {
            self.moved[v] |= problem.trees.damping[v] != 0.0 || self.springs[v] != 0.0;
            let first = problem.velocities_of(problem.clique_of(v)).start;
            self.sets.join(first, v);
        }
        for i in 0..nv + nz {
            let root = self.sets.root(i);
            self.moved[root] |= self.moved[i];
        }
        self.members.clear();
        for i in 0..nv + nz {
            let root = self.sets.root(i);
            if self.moved[root] {
                self.members.push((root, i));
            }
        }
        self.members.sort_unstable();
    }

    /// Writes J of the part with these members, velocities first, and returns its number of rows.
    fn assemble(&mut self, part: &[(usize, usize)], problem: &Problem, linear: &Linearization) -> Option<usize> {
        let nv = problem.start_velocity().len();
        let n = part.partition_point(|(_, i)| *i < nv);
        self.place.resize(nv + linear.external.z.nrows(), 0);
        part.iter().enumerate().for_each(|(at, &(_, i))| self.place[i] = at);
        self.write(part, n, problem, linear).then_some(n + part.len())
    }

    /// Bound of the part with these members, velocities first.
    fn bound_of(&mut self, part: &[(usize, usize)], problem: &Problem, linear: &Linearization, enough: f64) -> f64 {
        if is_sparse(part, problem, linear) {
            return self.sparse_bound(part, problem, linear, enough);
        }
        let Some(size) = self.assemble(part, problem, linear) else { return f64::INFINITY };
        let most = if size > LARGE_SIZE { SQUARINGS_OF_LARGE } else { SQUARINGS };
        // |J^m|^(1/m) = |J| exp(scale + ln |(J/|J|)^m|/m), where `scale` is the later divisor per factor: a rate in
        // other units of time is the same to the bit.
        let unit = self.norm(size);
        let (mut power, mut scale, mut bound) = (1.0, 0.0, unit);
        for _ in 0..most {
            if bound <= enough || !bound.is_finite() {
                return if bound.is_nan() { f64::INFINITY } else { bound };
            }
            let norm = self.norm(size);
            if norm == 0.0 {
                return 0.0;
            }
            scale += if power > 1.0 { norm.ln() / power } else { 0.0 };
            self.matrix.iter_mut().for_each(|x| *x /= norm);
            self.multiply(size);
            power *= 2.0;
            bound = unit * (scale + self.norm(size).ln() / power).exp();
        }
        if bound.is_nan() { f64::INFINITY } else { bound }
    }

    /// Writes J, column major, with velocities times the root of their inertia and positions scaled so that the powers
    /// begin with a fair norm; `false` if the mass matrix has no factor.
    fn write<'a>(&mut self, part: &[(usize, usize)], n: usize, problem: &Problem, linear: &'a Linearization) -> bool {
        let nv = problem.start_velocity().len();
        let velocities = &part[..n];
        let size = n + part.len();
        let factor = self.mass.start(n);
        for (j, &(_, vj)) in velocities.iter().enumerate() {
            for (i, &(_, vi)) in velocities.iter().enumerate() {
                factor[j * n + i] = problem.mass_entry(vi, vj);
            }
        }
        if !self.mass.factor() {
            return false;
        }
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for (j, &(_, v)) in velocities.iter().enumerate() {
            self.matrix[j * size + n + j] -= self.springs[v];
            self.matrix[(n + j) * size + n + j] -= problem.trees.damping[v];
        }
        for group in linear.groups.among(part, nv) {
            let columns = group.columns.iter().flat_map(|&c| {
                let at = self.place[linear.sensed[c]];
                [(at, c, 0), (n + at, c, 1)]
            });
            let columns = columns.chain(group.external.iter().map(|&z| (n + self.place[nv + z], z, 2)));
            for (to, c, kind) in columns {
                let of = |from: &'a super::ForceJacobian| [&from.q, &from.v, &from.z][kind].column(c);
                let ((rows, actuation), (_, applied)) = (of(&linear.actuation), of(&linear.applied));
                for ((&row, actuation), applied) in rows.iter().zip(actuation).zip(applied) {
                    self.matrix[to * size + n + self.place[row]] += actuation + applied;
                }
                let (states, rates) = of(&linear.external);
                for (&z, rate) in states.iter().zip(rates) {
                    self.matrix[to * size + n + self.place[nv + z]] += rate;
                }
            }
        }
        // M^-1, then the scales.
        for column in self.matrix.chunks_exact_mut(size) {
            self.mass.solve(&mut column[n..2 * n]);
        }
        let inertia = |i: usize| problem.mass_entry(velocities[i].1, velocities[i].1).sqrt();
        self.sums.clear();
        self.sums.extend((0..size).map(|i| if i < 2 * n { inertia(i % n) } else { 1.0 }));
        for (column, &from) in self.matrix.chunks_exact_mut(size).zip(&self.sums) {
            column.iter_mut().zip(&self.sums).for_each(|(x, to)| *x *= to / from);
        }
        let sum = |row: usize, columns: std::ops::Range<usize>| -> f64 {
            columns.map(|c| self.matrix[c * size + row].abs()).sum()
        };
        let a = (n..2 * n).map(|row| sum(row, 0..n)).fold(0.0, f64::max);
        let b = (n..2 * n).map(|row| sum(row, n..2 * n)).fold(0.0, f64::max);
        // rate² = b rate + a
        let rate = 0.5 * (b + (b * b + 4.0 * a).sqrt()); // formula
        let rate = if rate > 0.0 { rate } else { 1.0 };
        self.matrix[..n * size].iter_mut().for_each(|x| *x /= rate);
        (0..n).for_each(|i| self.matrix[(n + i) * size + i] = rate);
        true
    }

    /// Largest row sum.
    fn norm(&mut self, size: usize) -> f64 {
        self.sums.clear();
        self.sums.resize(size, 0.0);
        for column in self.matrix.chunks_exact(size) {
            self.sums.iter_mut().zip(column).for_each(|(sum, x)| *sum += x.abs());
        }
        // `f64::max` would skip not-a-number.
        if self.sums.iter().any(|sum| sum.is_nan()) { f64::NAN } else { self.sums.iter().copied().fold(0.0, f64::max) }
    }

    /// Squares the matrix.
    fn multiply(&mut self, size: usize) {
        self.square.clear();
        self.square.resize(size * size, 0.0);
        for (out, column) in self.square.chunks_exact_mut(size).zip(self.matrix.chunks_exact(size)) {
            for (&x, factor) in column.iter().zip(self.matrix.chunks_exact(size)).filter(|(x, _)| **x != 0.0) {
                out.iter_mut().zip(factor).for_each(|(out, a)| *out += a * x);
            }
        }
        std::mem::swap(&mut self.matrix, &mut self.square);
    }
}
