//! Sweeps over the rows of an island, each contact as a block.

use super::options::Metric;
use super::prox::Ball;
use crate::inertia_groups::Groups;
use crate::sweeps::{IMMOVABLE, Owner, Row, Rows, change};
use nalgebra::{Matrix3, Vector3};

/// Blocks of contacts, by their normal rows. Blocks and responses are computed when a contact first acts: most contacts
/// of a bundle are near and do not act.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    balls: Vec<Option<Ball>>,
    known: Vec<bool>,
    /// Number of friction rows of a contact: two, or three with the spin.
    count: usize,
    radius: Option<f64>,
    kind: Metric,
}

/// Computes the response and the mobility of a row, unless they are known.
pub(super) type Need<'a> = &'a mut dyn FnMut(&mut Rows, usize);

impl Blocks {
    /// Begins with other rows; `radius` \[m\] of the spin, if there is one.
    pub fn enter(&mut self, rows: &Rows, radius: Option<f64>, kind: Metric) {
        (self.radius, self.kind) = (radius, kind);
        self.count = if radius.is_some() { 3 } else { 2 };
        self.known.clear();
        self.known.resize(rows.all.len(), false);
        self.balls.clear();
        self.balls.resize(rows.all.len(), None);
    }

    /// True if the row at `i`, a contact with its tangents, has no impulse, and its velocity requires none.
    fn is_idle(&self, rows: &Rows, i: usize, away: f64) -> bool {
        let Row { owner, impulse, lower, .. } = rows.all[i];
        let tangents = if let Owner::Contact { .. } = owner { self.count } else { 0 };
        impulse == 0.0
            && lower == 0.0
            && away >= 0.0
            && rows.all[i + 1..=i + tangents].iter().all(|row| row.impulse == 0.0)
    }

    /// Computes the responses of the row at `i` and its tangents, and its block.
    fn know(&mut self, rows: &mut Rows, i: usize, need: Need<'_>) {
        if std::mem::replace(&mut self.known[i], true) {
            return;
        }
        need(rows, i);
        let Owner::Contact { .. } = rows.all[i].owner else { return };
        (i + 1..=i + self.count).for_each(|k| need(rows, k));
        let mut metric = Matrix3::zeros();
        for a in 0..self.count {
            let first = if self.kind == Metric::Diagonal { a } else { 0 };
            for b in first..=a {
                let (k, l) = (i + 1 + a, i + 1 + b);
                // Symmetrized: feedback may make it unsymmetric.
                let entry = 0.5 * (rows.coupling(k, l) + rows.coupling(l, k));
                (metric[(a, b)], metric[(b, a)]) = (entry, entry);
            }
        }
        if self.radius.is_none() {
            // The third axis is unused.
            metric[(2, 2)] = metric[(0, 0)].max(metric[(1, 1)]);
        }
        self.balls[i] = Ball::new(&metric, Vector3::new(1.0, 1.0, self.radius.unwrap_or(1.0)));
    }

    /// Solves every row and every contact once, forwards or backwards. Returns the sums of squares of the changes of
    /// impulses and of the impulses, times their mobilities \[J\].
    pub fn sweep(
        &mut self,
        rows: &mut Rows,
        groups: &Groups,
        backwards: bool,
        v: &mut [f64],
        need: Need<'_>,
    ) -> (f64, f64) {
        let (mut changed, mut all) = (0.0, 0.0);
        let n = rows.all.len();
        for number in 0..n {
            let i = if backwards { n - 1 - number } else { number };
            let owner = rows.all[i].owner;
            if owner == Owner::Tangent {
                continue;
            }
            let Some(next) = self.push(rows, i, groups, v, need) else { continue };
            changed += change(rows, i, next, groups, v).powi(2);
            all += rows.all[i].mobility * next * next;
            if let Owner::Contact { .. } = owner {
                changed += self.slide(rows, i, groups, v);
                all +=
                    (1..=self.count).map(|k| rows.all[i + k].mobility * rows.all[i + k].impulse.powi(2)).sum::<f64>();
            }
        }
        (changed, all)
    }

    /// Largest difference between the impulse of a contact and the one that its law requires at its velocity
    /// \[N s; N m s\].
    pub fn residual(&mut self, rows: &mut Rows, groups: &Groups, v: &[f64], need: Need<'_>) -> f64 {
        let mut largest = 0.0_f64;
        for i in 0..rows.all.len() {
            let Row { owner: Owner::Contact { .. }, impulse, .. } = rows.all[i] else { continue };
            let Some(next) = self.push(rows, i, groups, v, need) else { continue };
            let across = self.answer(rows, i, groups, v).map_or(0.0, |(now, next)| (next - now).norm());
            largest = largest.max((next - impulse).hypot(across));
        }
        largest
    }

    /// Impulse of row `i`, solved for its own velocity; `None` if it rests or nothing can move.
    fn push(&mut self, rows: &mut Rows, i: usize, groups: &Groups, v: &[f64], need: Need<'_>) -> Option<f64> {
        let Row { target, softness, lower, upper, impulse, .. } = rows.all[i];
        let away = rows.velocity(i, groups, v) + softness * impulse - target;
        if self.is_idle(rows, i, away) {
            return None;
        }
        self.know(rows, i, need);
        let mobility = rows.all[i].mobility;
        let can_move = mobility + softness >= IMMOVABLE;
        can_move.then(|| (impulse - away / (mobility + softness)).clamp(lower, upper))
    }

    /// Friction of the contact at row `i`: its present value, and the one that its law requires at its velocity.
    fn answer(&self, rows: &Rows, i: usize, groups: &Groups, v: &[f64]) -> Option<(Vector3<f64>, Vector3<f64>)> {
        let ball = self.balls[i].as_ref()?;
        let radius = rows.all[i].friction * rows.all[i].impulse;
        let (mut now, mut u) = (Vector3::zeros(), Vector3::zeros());
        for k in 0..self.count {
            now[k] = rows.all[i + 1 + k].impulse;
            u[k] = rows.velocity(i + 1 + k, groups, v);
        }
        Some((now, ball.solve(&now, &u, radius)))
    }

    /// Solves the friction of the contact at row `i`.
    fn slide(&self, rows: &mut Rows, i: usize, groups: &Groups, v: &mut [f64]) -> f64 {
        let Some((_, next)) = self.answer(rows, i, groups, v) else { return 0.0 };
        (0..self.count).map(|k| change(rows, i + 1 + k, next[k], groups, v).powi(2)).sum()
    }
}
