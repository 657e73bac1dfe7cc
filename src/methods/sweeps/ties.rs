//! Statically indeterminate loads of rigid contact: choice of the most even ones.
//!
//! Four wheels of a car, or four corners of a box, carry a weight that three could carry: normal impulses λ and λ + z
//! move nothing differently where `J'z = 0`. The result of sweeps depends on their order, so that a wheel may carry
//! nothing and spin. Of all λ + Σ t z >= 0 the one with the least `Σ λ²/k` is taken: the loads of slightly compliant
//! bodies with stiffness k at each point. No velocity changes, and nothing yields.

use super::row_impulse::change;
use super::rows::{Owner, Rows};
use crate::choices::ties::{MAX_POINTS, MOVED, PASSES, TOUCHING};
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::Problem;
use kinegraph_core::convex::surface_of;

/// A point counts as dependent if its mobility with the others held falls below this part of its own.
const DEPENDENT: f64 = 1e-9; // rounding

/// Range of numbers of points: with fewer than four all loads are determined.
const POINTS: std::ops::RangeInclusive<usize> = 4..=MAX_POINTS;

/// Workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Ties {
    rows: Vec<usize>,
    /// 1/k of each row.
    weights: Vec<f64>,
    /// Mobilities between rows, and their Cholesky factor over the independent rows.
    couplings: Vec<f64>,
    factor: Vec<f64>,
    free: Vec<usize>,
    /// Null vectors z, one after the other.
    ways: Vec<f64>,
    loads: Vec<f64>,
}

impl Ties {
    /// Shares the loads of the contact points in `rows` among themselves, at the velocities `v`. Returns true if a load
    /// has changed; the limits of friction then change, too.
    pub fn share(&mut self, problem: &Problem, rows: &mut Rows, groups: &Groups, v: &mut [f64]) -> bool {
        self.find(problem, rows, groups, v);
        if !POINTS.contains(&self.rows.len()) || !self.find_ways(rows) {
            return false;
        }
        let Ties { rows: own, weights, ways, loads, .. } = self;
        let n = own.len();
        loads.clear();
        loads.extend(own.iter().map(|&row| rows.all[row].impulse));
        for _ in 0..PASSES {
            for z in ways.chunks_exact(n) {
                let of = |x: &[f64]| z.iter().zip(&**weights).zip(x).map(|((z, w), x)| z * w * x).sum::<f64>();
                let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
                for (z, load) in z.iter().zip(&**loads) {
                    if *z > 0.0 {
                        low = low.max(-load / z);
                    } else if *z < 0.0 {
                        high = high.min(-load / z);
                    }
                }
                let t = (-of(loads) / of(z)).max(low).min(high);
                if t.is_finite() {
                    loads.iter_mut().zip(z).for_each(|(load, z)| *load = (*load + t * z).max(0.0));
                }
            }
        }
        let largest = loads.iter().fold(0.0, |most: f64, load| most.max(*load));
        let moves = |(&row, load): (&usize, &f64)| (load - rows.all[row].impulse).abs() > MOVED * largest;
        if !own.iter().zip(&**loads).any(moves) {
            return false;
        }
        // Velocities change by rounding only.
        own.iter().zip(&**loads).for_each(|(&row, load)| {
            change(rows, row, *load, groups, v);
        });
        true
    }

    /// Finds the normal rows of rigid points that touch.
    fn find(&mut self, problem: &Problem, rows: &Rows, groups: &Groups, v: &[f64]) {
        let Ties { rows: own, weights, .. } = self;
        let point = |row: usize| match rows.all[row].owner {
            Owner::Contact { pair } => {
                Some(&problem.contacts.points[pair]).filter(|pair| surface_of(pair.key).is_none())
            }
            _ => None,
        };
        own.clear();
        weights.clear();
        let fastest = |i: usize| rows.all[i].impulse * rows.all[i].mobility;
        let fastest = (0..rows.all.len()).filter(|&i| point(i).is_some()).map(fastest).fold(0.0, f64::max);
        for i in 0..rows.all.len() {
            let (Some(pair), row) = (point(i), &rows.all[i]) else { continue };
            let touches = || rows.velocity(i, groups, v) - row.target <= TOUCHING * fastest;
            if row.softness == 0.0 && row.mobility > 0.0 && (row.impulse > 0.0 || touches()) {
                own.push(i);
                weights.push(if pair.material.stiffness > 0.0 { 1.0 / pair.material.stiffness } else { 1.0 });
            }
            if own.len() > *POINTS.end() {
                return;
            }
        }
    }

    /// Computes the null vectors z, by a Cholesky factor of the mobilities that leaves out rows which depend on earlier
    /// ones. Returns true if there are any.
    fn find_ways(&mut self, rows: &Rows) -> bool {
        let Ties { rows: own, couplings, factor, free, ways, .. } = self;
        let n = own.len();
        couplings.clear();
        couplings.extend((0..n * n).map(|ij| rows.coupling(own[ij / n], own[ij % n])));
        factor.clear();
        factor.resize(n * n, 0.0);
        free.clear();
        ways.clear();
        for i in 0..n {
            // Row of the factor: L l = a.
            for (k, &j) in free.iter().enumerate() {
                let known: f64 = (0..k).map(|m| factor[i * n + m] * factor[j * n + m]).sum();
                factor[i * n + k] = (couplings[i * n + j] - known) / factor[j * n + k];
            }
            let count = free.len();
            let left = couplings[i * n + i] - factor[i * n..i * n + count].iter().map(|l| l * l).sum::<f64>();
            if left > DEPENDENT * couplings[i * n + i] {
                factor[i * n + count] = left.sqrt();
                free.push(i);
                continue;
            }
            // z = e_i - sum of c_j e_j with L' c = l.
            let first = ways.len();
            ways.resize(first + n, 0.0);
            ways[first + i] = 1.0;
            for k in (0..count).rev() {
                let known: f64 = (k + 1..count).map(|m| factor[free[m] * n + k] * -ways[first + free[m]]).sum();
                ways[first + free[k]] = -(factor[i * n + k] - known) / factor[free[k] * n + k];
            }
        }
        !ways.is_empty()
    }
}
