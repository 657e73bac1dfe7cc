//! Proximal rounds on all impulses of an island at once, for stacks and large mass ratios, for which sweeps converge
//! too slowly.
//!
//! With the term `μ |ut|` that friction adds to the normal velocity, Coulomb's law is that of a cone K and its dual,
//!
//! ```text
//! K ∋ λ  ⊥  (un - tn + μ |ut|, ut) ∈ K*                                              [De Saxcé & Feng 1998]
//! ```
//!
//! and with that term held, and all other rows bounded, the conditions of a convex program. A round is a proximal step
//! of it from the present impulses λ0 \[Rockafellar 1976\]: with the velocities `w = J v + b` of rows,
//!
//! ```text
//! v = argmin 1/2 (v - vf)' A (v - vf) + Σ 1/2 |γ|²_R,   γ = projection of λ0 + R^-1 (t - s - w),   s = μ |ut|
//! A (v - vf) = J' γ(v),   H = A + J' G J
//! ```
//!
//! by Newton's method with the block-sparse factor of all bodies, and a line search. Its pattern is that of the rows
//! that act or have acted; rows with a linear law are assembled once. The effect of the compliances R vanishes as
//! rounds go on, so that they may be small, but not so small that rounding shows. Impulses that rows do not determine
//! (four corners of a box) keep their values as far as possible. Sweeps after a round bring sliding contacts to the
//! non-associated law.
//!
//! The next s follows from the velocities after the sweeps. In a bundle of fibres that is wedged into a hole this
//! oscillates, with a decay of a quarter per round. There the s at the end of the round is used, mixed with earlier
//! ones ([`mixing`](super::mixing)).

use super::cone::{Cone, Impulse};
use super::interior::{FIRST_GAPS, Interior};
use super::mixing::Mixing;
use super::units::{Law, Unit, answer, size};
use crate::choices::proximal::{BALANCE, COMPLIANCE, MAX_ITERATIONS, MAX_TRIALS, SLOPE};
use crate::inertia_groups::{Group, Groups};
use crate::sweeps::{IMMOVABLE, Owner, Row, Rows};
use kinegraph_convex::linear_algebra::{BlockCholesky, Patterns, Places};

/// Residual of the balance, relative to the momenta, from which on one that no longer decreases is taken for rounding.
const ROUNDING: f64 = 1e-9; // rounding

/// Workspace of rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Proximal {
    pub(super) units: Vec<Unit>,
    factor: BlockCholesky,
    patterns: Patterns,
    sizes: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// For each unit, true if it has acted since the rows changed; `edges` are those of such units.
    pub(super) coupled: Vec<bool>,
    /// Constant part of H: inertia and rows without bounds. Empty: not computed yet.
    constant: Vec<f64>,
    /// For each row: the length by which spins are measured, the impulse at the start, velocity, impulse, rate of
    /// velocity.
    lengths: Vec<f64>,
    pub(super) start: Vec<f64>,
    pub(super) velocities: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    pub(super) rates: Vec<f64>,
    /// For each unit.
    pub(super) slopes: Vec<[[f64; 4]; 4]>,
    /// For each velocity, group by group.
    free: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) direction: Vec<f64>,
    pub(super) offsets: Vec<usize>,
    found: Vec<f64>,
    /// For each unit: the term s that friction adds to the normal velocity, in the next round, and at the end of the
    /// last round.
    rises: Vec<f64>,
    risen: Vec<f64>,
    /// Units whose law is nonlinear along the direction.
    lively: Vec<usize>,
    mixing: Mixing,
    mixes: bool,
    /// Interior-point method, and the initial gaps for it, one for each attempt; an attempt starts where the last one
    /// and the sweeps after it ended.
    interior: Interior,
    first_gaps: &'static [f64],
}

impl Proximal {
    /// Begins with other rows. If `mixes`, s is taken from the ends of rounds and mixed, otherwise from the velocities
    /// after sweeps.
    pub fn begin(&mut self, mixes: bool) {
        self.mixes = mixes;
        self.first_gaps = if mixes { &FIRST_GAPS } else { &[] };
        self.interior.is_near = false;
        self.rises.clear();
        self.mixing.clear();
        self.forget_couplings();
    }

    /// Clears the set of units that have acted.
    pub(super) fn forget_couplings(&mut self) {
        self.coupled.fill(false);
        self.edges.clear();
        self.constant.clear();
    }

    /// Makes one round from the impulses of the rows and the velocities `v`; `radius` \[m\] is that of the spin, if
    /// there is one. Returns the number of iterations, or `None` if A is not symmetric or the round failed: then
    /// nothing is changed.
    pub fn round(&mut self, rows: &mut Rows, groups: &Groups, radius: Option<f64>, v: &mut [f64]) -> Option<usize> {
        if !groups.all().iter().all(Group::is_symmetric) {
            return None;
        }
        self.enter(rows, groups, radius, v);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.extend_from_slice(v);
        let iterations = self.enter_or_minimize(rows, groups, &mut found);
        self.found = found;
        let iterations = iterations?;
        if self.mixes {
            self.follow(rows);
        }
        for unit in &self.units {
            for i in unit.row..unit.row + unit.count {
                rows.all[i].impulse = self.impulses[i] * self.lengths[i];
            }
        }
        // Velocities follow from the impulses, so that both agree to rounding.
        for (group, &offset) in groups.all().iter().zip(&self.offsets) {
            group.velocities.iter().zip(&self.free[offset..]).for_each(|(&at, free)| v[at] = *free);
        }
        for i in 0..rows.all.len() {
            rows.apply(i, rows.all[i].impulse, groups, v);
        }
        Some(iterations)
    }

    /// True if the last interior-point run came near to the law.
    pub fn is_near_law(&self) -> bool {
        self.interior.is_near
    }

    /// Runs the interior-point method in the first round of a bundle, and again in the next ones until one comes near;
    /// otherwise minimizes.
    fn enter_or_minimize(&mut self, rows: &Rows, groups: &Groups, v: &mut [f64]) -> Option<usize> {
        if let Some((&first_gap, rest)) = self.first_gaps.split_first() {
            self.first_gaps = rest;
            let mut interior = std::mem::take(&mut self.interior);
            let found = interior.approach(self, rows, groups, first_gap, v);
            self.interior = interior;
            if found.is_none() || self.interior.is_near {
                self.first_gaps = &[];
            } else {
                self.mixing.clear();
            }
            if found.is_some() {
                return found;
            }
        }
        self.minimize(rows, groups, v)
    }

    fn enter(&mut self, rows: &Rows, groups: &Groups, radius: Option<f64>, v: &[f64]) {
        self.offsets.clear();
        let mut size = 0;
        for group in groups.all() {
            self.offsets.push(size);
            size += group.velocities.len();
        }
        for (values, size) in [
            (&mut self.free, size),
            (&mut self.gradient, size),
            (&mut self.direction, size),
            (&mut self.lengths, rows.all.len()),
            (&mut self.start, rows.all.len()),
            (&mut self.velocities, rows.all.len()),
            (&mut self.impulses, rows.all.len()),
            (&mut self.rates, rows.all.len()),
        ] {
            values.clear();
            values.resize(size, 0.0);
        }
        self.units.clear();
        if !self.mixes {
            self.rises.clear();
        }
        let first = self.rises.is_empty();
        let mut at = 0;
        while at < rows.all.len() {
            let row = &rows.all[at];
            let tangents = rows.all[at + 1..].iter().take_while(|row| row.owner == Owner::Tangent).count();
            let count = 1 + tangents;
            for i in at..at + count {
                self.lengths[i] = if i == at + 3 { radius.unwrap_or(1.0) } else { 1.0 };
                self.start[i] = rows.all[i].impulse / self.lengths[i];
            }
            if row.mobility + row.softness > IMMOVABLE {
                if first {
                    let rise = self.rise(rows, groups, at, count, v);
                    self.rises.push(rise);
                }
                let law = self.law(rows, at, count);
                self.units.push(Unit { row: at, count, law });
            }
            at += count;
        }
        self.slopes.clear();
        self.slopes.resize(self.units.len(), [[0.0; 4]; 4]);
        // Velocities without the impulses of rows.
        for (group, &offset) in groups.all().iter().zip(&self.offsets) {
            self.free[offset..].iter_mut().zip(&group.velocities).for_each(|(free, &at)| *free = v[at]);
        }
        for row in rows.all.iter().filter(|row| row.impulse != 0.0) {
            for part in &rows.parts[row.parts.clone()] {
                let n = groups.all()[part.group].velocities.len();
                let free = &mut self.free[self.offsets[part.group]..];
                let response = &rows.response[part.start..part.start + n];
                free.iter_mut().zip(response).for_each(|(free, y)| *free -= y * row.impulse);
            }
        }
        self.sizes.clear();
        self.sizes.extend(groups.all().iter().map(|group| group.velocities.len() as u32));
        self.coupled.resize(self.units.len(), false);
    }

    /// Finds the pattern of the rows that act, or have acted. (Most contacts of a bundle are near and do not act; their
    /// couplings would fill the factor.)
    pub(super) fn couple(&mut self, rows: &Rows) -> usize {
        let Proximal { units, slopes, coupled, edges, sizes, patterns, constant, .. } = self;
        let mut found = false;
        for ((unit, slope), coupled) in units.iter().zip(slopes).zip(coupled) {
            if *coupled || slope.iter().flatten().all(|g| *g == 0.0) {
                continue;
            }
            (*coupled, found) = (true, true);
            let parts = || (unit.row..unit.row + unit.count).flat_map(|i| &rows.parts[rows.all[i].parts.clone()]);
            for a in parts() {
                let lower = parts().filter(|b| b.group < a.group);
                edges.extend(lower.map(|b| (b.group as u32, a.group as u32)));
            }
        }
        if found {
            edges.sort_unstable();
            edges.dedup();
            constant.clear();
        }
        patterns.find(sizes, edges)
    }

    /// Term that friction adds to the normal velocity of the contact or row at `at`, at the velocities `v`.
    fn rise(&self, rows: &Rows, groups: &Groups, at: usize, count: usize, v: &[f64]) -> f64 {
        let Row { owner: Owner::Contact { .. }, friction, .. } = rows.all[at] else { return 0.0 };
        let square = |i: usize| (rows.velocity(i, groups, v) * self.lengths[i]).powi(2);
        friction * (at + 1..at + count).map(square).sum::<f64>().sqrt()
    }

    /// Law of the contact or row at `at`, of the next unit.
    fn law(&self, rows: &Rows, at: usize, count: usize) -> Law {
        let Row { owner, mobility, softness, friction, target, .. } = rows.all[at];
        let Owner::Contact { .. } = owner else {
            let proximal = COMPLIANCE * mobility;
            return Law::Bounded { proximal, all: softness + proximal };
        };
        let tangential =
            (at + 1..at + count).map(|i| rows.all[i].mobility * self.lengths[i] * self.lengths[i]).fold(0.0, f64::max);
        let tangential = if tangential > IMMOVABLE { tangential } else { mobility };
        let along = softness + COMPLIANCE * mobility;
        let cone = Cone { friction, compliance: (along, COMPLIANCE * tangential) };
        let target = target - self.rises.get(self.units.len()).unwrap_or(&0.0);
        Law::Contact { cone, target, proximal: if softness == 0.0 { 1.0 } else { COMPLIANCE * mobility / along } }
    }

    /// Updates the friction terms from the end of the round to the start of the next. Inactive contacts are not mixed.
    fn follow(&mut self, rows: &Rows) {
        self.risen.clear();
        for (unit, rise) in self.units.iter().zip(&mut self.rises) {
            let tangents = &self.velocities[unit.row + 1..unit.row + unit.count];
            let sliding = tangents.iter().map(|u| u * u).sum::<f64>().sqrt();
            let is_contact = matches!(unit.law, Law::Contact { .. });
            let risen = if is_contact { rows.all[unit.row].friction * sliding } else { 0.0 };
            self.risen.push(risen);
            if self.impulses[unit.row] <= 0.0 {
                *rise = risen;
            }
        }
        self.mixing.next(&mut self.rises, &self.risen);
        for ((unit, rise), risen) in self.units.iter().zip(&mut self.rises).zip(&self.risen) {
            *rise = if self.impulses[unit.row] > 0.0 { rise.max(0.0) } else { *risen };
        }
    }

    fn minimize(&mut self, rows: &Rows, groups: &Groups, v: &mut [f64]) -> Option<usize> {
        self.measure(rows, groups, v);
        let mut before = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            self.respond(rows);
            let (balance, scale) = self.balance(rows, groups, v);
            if !balance.is_finite() {
                return None;
            }
            let is_rounding = balance <= ROUNDING * scale;
            if balance <= BALANCE * scale || is_rounding && balance > 0.5 * before {
                return Some(iteration);
            }
            before = balance;
            let pattern = self.couple(rows);
            if !self.factor(rows, groups, pattern) {
                return None;
            }
            self.find_direction(rows, groups, pattern);
            let Some(part) = self.search(rows, groups, v) else { return is_rounding.then_some(iteration) };
            for (group, &offset) in groups.all().iter().zip(&self.offsets) {
                group.velocities.iter().zip(&self.direction[offset..]).for_each(|(&at, d)| v[at] += part * d);
            }
            for (velocity, rate) in self.velocities.iter_mut().zip(&self.rates) {
                *velocity += part * rate;
            }
        }
        // Accepts the best values.
        self.respond(rows);
        Some(MAX_ITERATIONS)
    }

    /// Computes the velocities of rows at `v`.
    pub(super) fn measure(&mut self, rows: &Rows, groups: &Groups, v: &[f64]) {
        for i in 0..rows.all.len() {
            self.velocities[i] = self.lengths[i] * rows.velocity(i, groups, v);
        }
    }

    /// Computes impulses and their slopes at the velocities of rows.
    pub(super) fn respond(&mut self, rows: &Rows) {
        for (unit, slope) in self.units.iter().zip(&mut self.slopes) {
            let found = answer(unit, rows, &self.start, |i| self.velocities[i]);
            self.impulses[unit.row..unit.row + unit.count].copy_from_slice(&found.0[..unit.count]);
            *slope = found.1;
        }
    }

    /// Computes the gradient; returns its norm, and the norm of its terms.
    pub(super) fn balance(&mut self, rows: &Rows, groups: &Groups, v: &[f64]) -> (f64, f64) {
        let (mut scale, mut norm) = (0.0, 0.0);
        for (group, &offset) in groups.all().iter().zip(&self.offsets) {
            let n = group.velocities.len();
            let gradient = &mut self.gradient[offset..offset + n];
            gradient.fill(0.0);
            for (j, (&at, column)) in group.velocities.iter().zip(group.inertia.chunks_exact(n)).enumerate() {
                let change = v[at] - self.free[offset + j];
                gradient.iter_mut().zip(column).for_each(|(g, a)| *g += a * change);
            }
            for (i, g) in gradient.iter().enumerate() {
                scale += g * g / group.inertia[i * (n + 1)];
            }
        }
        for unit in &self.units {
            for i in unit.row..unit.row + unit.count {
                let impulse = self.impulses[i] * self.lengths[i];
                scale = f64::max(scale, rows.all[i].mobility * impulse * impulse);
            }
        }
        for number in 0..self.units.len() {
            let Unit { row, count, .. } = self.units[number];
            (row..row + count).for_each(|i| self.add_to_gradient(rows, groups, i, self.impulses[i]));
        }
        for (group, &offset) in groups.all().iter().zip(&self.offsets) {
            let n = group.velocities.len();
            for i in 0..n {
                norm += self.gradient[offset + i].powi(2) / group.inertia[i * (n + 1)];
            }
        }
        (norm.sqrt(), scale.sqrt())
    }

    /// Subtracts the effect of an impulse of row `i` from the gradient.
    pub(super) fn add_to_gradient(&mut self, rows: &Rows, groups: &Groups, i: usize, impulse: f64) {
        let impulse = impulse * self.lengths[i];
        for part in &rows.parts[rows.all[i].parts.clone()] {
            let gradient = &mut self.gradient[self.offsets[part.group]..];
            let jacobian = &rows.jacobian[part.start..part.start + size(groups, part.group)];
            gradient.iter_mut().zip(jacobian).for_each(|(g, j)| *g -= j * impulse);
        }
    }

    /// Factors H; returns `false` if it has no factor.
    pub(super) fn factor(&mut self, rows: &Rows, groups: &Groups, pattern: usize) -> bool {
        let Proximal { units, factor, patterns, slopes, lengths, constant, .. } = self;
        let pattern = patterns.get(pattern);
        let places = Places::Sparse(pattern);
        let h = factor.start(&pattern);
        let add = |h: &mut [f64], is_constant: bool| {
            for (unit, slope) in units.iter().zip(slopes.iter()).filter(|(unit, _)| unit.is_linear(rows) == is_constant)
            {
                unit.add_to(h, &places, slope, &lengths[unit.row..], rows, groups);
            }
        };
        if constant.is_empty() {
            for (number, group) in groups.all().iter().enumerate() {
                let n = group.velocities.len();
                let block = places.block(number, number);
                for j in 0..n {
                    for i in j..n {
                        h[block.entry(i, j)] += group.inertia[j * n + i];
                    }
                }
            }
            add(h, true);
            constant.extend_from_slice(h);
        } else {
            h.copy_from_slice(constant);
        }
        add(h, false);
        factor.factor(&pattern)
    }

    /// Computes the direction `-H⁻¹ gradient`, and the rates of the rows along it.
    pub(super) fn find_direction(&mut self, rows: &Rows, groups: &Groups, pattern: usize) {
        self.solve_direction(pattern);
        (0..self.rates.len()).for_each(|i| self.find_rate(rows, groups, i));
    }

    /// Computes the direction alone.
    pub(super) fn solve_direction(&mut self, pattern: usize) {
        let Proximal { factor, patterns, gradient, direction, .. } = self;
        direction.iter_mut().zip(gradient.iter()).for_each(|(d, g)| *d = -g);
        factor.solve(&patterns.get(pattern), direction);
    }

    /// Computes the rate of row `i` along the direction.
    pub(super) fn find_rate(&mut self, rows: &Rows, groups: &Groups, i: usize) {
        let mut rate = 0.0;
        for part in &rows.parts[rows.all[i].parts.clone()] {
            let n = size(groups, part.group);
            let along = &self.direction[self.offsets[part.group]..];
            let products = rows.jacobian[part.start..part.start + n].iter().zip(along).map(|(j, d)| j * d);
            rate += self.lengths[i] * products.sum::<f64>();
        }
        self.rates[i] = rate;
    }

    /// Step length along the direction at which the cost is minimal.
    fn search(&mut self, rows: &Rows, groups: &Groups, v: &[f64]) -> Option<f64> {
        let (mut linear, mut curvature, mut first) = (0.0, 0.0, 0.0);
        for (group, &offset) in groups.all().iter().zip(&self.offsets) {
            let n = group.velocities.len();
            let direction = &self.direction[offset..offset + n];
            for (j, column) in group.inertia.chunks_exact(n).enumerate() {
                let along: f64 = column.iter().zip(direction).map(|(a, d)| a * d).sum();
                linear += along * (v[group.velocities[j]] - self.free[offset + j]);
                curvature += along * direction[j];
            }
            first += direction.iter().zip(&self.gradient[offset..]).map(|(d, g)| d * g).sum::<f64>();
        }
        if first >= 0.0 || !first.is_finite() {
            return None;
        }
        let mut lively = std::mem::take(&mut self.lively);
        lively.clear();
        for (number, unit) in self.units.iter().enumerate() {
            if unit.is_linear(rows) {
                let (rate, slope) = (self.rates[unit.row], self.slopes[number][0][0]);
                linear -= rate * self.impulses[unit.row];
                curvature += rate * rate * slope;
            } else if !self.rests(unit, rows) {
                lively.push(number);
            }
        }
        self.lively = lively;
        let derivatives = |part: f64| {
            let (mut slope, mut rise) = (linear + part * curvature, curvature);
            for unit in self.lively.iter().map(|&number| &self.units[number]) {
                let (found, change) = answer(unit, rows, &self.start, |i| self.velocities[i] + part * self.rates[i]);
                let rates = &self.rates[unit.row..unit.row + unit.count];
                for (k, rate) in rates.iter().enumerate() {
                    slope -= rate * found[k];
                    rise += rate * rates.iter().zip(&change[k]).map(|(r, g)| r * g).sum::<f64>();
                }
            }
            (slope, rise)
        };
        let (mut low, mut high) = (0.0, 1.0);
        let mut part = 1.0;
        for trial in 0..MAX_TRIALS {
            let (slope, rise) = derivatives(part);
            if !slope.is_finite() {
                return None;
            }
            if slope.abs() <= SLOPE * -first || trial == 0 && slope < 0.0 {
                break;
            }
            if slope > 0.0 {
                high = part;
            } else {
                low = part;
            }
            let next = part - slope / rise;
            // Newton's method within the bracket, and bisection if that is slow.
            part = if trial % 3 != 2 && next > low && next < high { next } else { 0.5 * (low + high) };
        }
        Some(part)
    }

    /// True if a contact has no impulse from here to the end of the direction; the velocities without an impulse are a
    /// convex set.
    fn rests(&self, unit: &Unit, rows: &Rows) -> bool {
        let Law::Contact { .. } = unit.law else { return false };
        let silent = |found: Impulse| found.iter().all(|x| *x == 0.0);
        let mut now = [0.0; 4];
        now[..unit.count].copy_from_slice(&self.impulses[unit.row..unit.row + unit.count]);
        silent(now) && silent(answer(unit, rows, &self.start, |i| self.velocities[i] + self.rates[i]).0)
    }
}
