//! Sweeps over the rows of an island, each contact as a block.

use super::options::Metric;
use super::prox::Ball;
use crate::solvers::common::inertia_groups::Groups;
use crate::solvers::common::sweeps::{IMMOVABLE, Owner, Row, Rows, change};
use nalgebra::{Matrix3, Vector3};

/// The blocks of contacts, by the normal rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    balls: Vec<Option<Ball>>,
    /// Rows of friction of a contact: two, or three with the spin.
    count: usize,
}

impl Blocks {
    /// Finds the blocks of friction of all contacts; `radius` \[m\] of the spin, if there is one.
    pub fn enter(&mut self, rows: &Rows, groups: &Groups, radius: Option<f64>, kind: Metric) {
        self.balls.clear();
        self.count = if radius.is_some() { 3 } else { 2 };
        let axes = Vector3::new(1.0, 1.0, radius.unwrap_or(1.0));
        for (i, row) in rows.all.iter().enumerate() {
            let Owner::Contact { .. } = row.owner else {
                self.balls.push(None);
                continue;
            };
            let mut metric = Matrix3::zeros();
            for a in 0..self.count {
                let first = if kind == Metric::Diagonal { a } else { 0 };
                for b in first..=a {
                    let (k, l) = (i + 1 + a, i + 1 + b);
                    // Feedback may make it unsymmetric.
                    let entry = 0.5 * (rows.coupling(k, l, groups) + rows.coupling(l, k, groups));
                    (metric[(a, b)], metric[(b, a)]) = (entry, entry);
                }
            }
            if radius.is_none() {
                // The third axis takes no part.
                metric[(2, 2)] = metric[(0, 0)].max(metric[(1, 1)]);
            }
            self.balls.push(Ball::new(&metric, axes));
        }
    }

    /// Solves every row and every contact once, forwards or backwards. Returns the squares of the changes of impulses
    /// and of the impulses, by their mobilities \[J\].
    pub fn sweep(&self, rows: &mut Rows, groups: &Groups, backwards: bool, v: &mut [f64]) -> (f64, f64) {
        let (mut changed, mut all) = (0.0, 0.0);
        let n = rows.all.len();
        for number in 0..n {
            let i = if backwards { n - 1 - number } else { number };
            let Row { owner, target, softness, lower, upper, mobility, impulse, .. } = rows.all[i];
            if owner == Owner::Tangent || mobility + softness < IMMOVABLE {
                continue;
            }
            let away = rows.velocity(i, groups, v) + softness * impulse - target;
            let next = (impulse - away / (mobility + softness)).clamp(lower, upper);
            changed += change(rows, i, next, groups, v).powi(2);
            all += mobility * next * next;
            if let Owner::Contact { .. } = owner {
                changed += self.slide(rows, i, groups, v);
                all +=
                    (1..=self.count).map(|k| rows.all[i + k].mobility * rows.all[i + k].impulse.powi(2)).sum::<f64>();
            }
        }
        (changed, all)
    }

    /// The largest difference between the impulse of a contact and what its own law answers to its velocity
    /// \[N s; N m s\].
    pub fn residual(&self, rows: &Rows, groups: &Groups, v: &[f64]) -> f64 {
        let contact = |(_, row): &(usize, &Row)| {
            matches!(row.owner, Owner::Contact { .. }) && row.mobility + row.softness >= IMMOVABLE
        };
        let of = |(i, row): (usize, &Row)| {
            let away = rows.velocity(i, groups, v) + row.softness * row.impulse - row.target;
            let next = (row.impulse - away / (row.mobility + row.softness)).clamp(row.lower, row.upper);
            let across = self.answer(rows, i, groups, v).map_or(0.0, |(now, next)| (next - now).norm());
            (next - row.impulse).hypot(across)
        };
        rows.all.iter().enumerate().filter(contact).map(of).fold(0.0, f64::max)
    }

    /// Friction of the contact at row `i`: what there is, and what answers its velocity.
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
