//! Ranges of rows among the potentials: the law is that of the element.

use super::{AlongLine, HessianBlocks, Note, Pieces, Potential};
use crate::contact::{Island, Problem, RowRangeLaw, Solution, only_takes};
use nalgebra::Vector3;
use std::ops::Range;

/// All rows that have a range, sorted by island.
#[derive(Clone, Debug, Default)]
pub struct RowRangePool {
    laws: Vec<Entry>,
    islands: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    law: RowRangeLaw,
    group: usize,
}

impl RowRangePool {
    fn on(&self, island: &Island) -> &[Entry] {
        self.islands.get(island.index).map_or(&[], |range| &self.laws[range.clone()])
    }
}

impl Entry {
    /// Rate of the row at the velocities `v`.
    fn rate(&self, problem: &Problem, v: &[f64]) -> f64 {
        problem.row_velocity(self.group, v).x
    }
}

impl Potential for RowRangePool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        9
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.islands.clear();
        if problem.constraints.rows.iter().all(|group| group.range.is_none()) {
            return;
        }
        for island in problem.islands() {
            let first = self.laws.len();
            self.laws.extend(island.rows.iter().filter_map(|&group| {
                let range = problem.constraints.rows[group].range.as_ref()?;
                let (x, bend) = (problem.constraints.rows[group].violation.x, problem.constraints.rows[group].bend);
                Some(Entry { law: RowRangeLaw::new(range, x, bend, problem.step_terms.dt), group })
            }));
            self.islands.push(first..self.laws.len());
        }
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, island: &Island) -> bool {
        self.on(island).is_empty()
    }

    // The rows of a group couple cliques, whatever acts along them (`row.rs`).

    fn cost(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        self.on(island).iter().map(|entry| entry.law.cost(entry.rate(problem, v))).sum()
    }

    fn add_gradient(&self, problem: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]) {
        for entry in self.on(island) {
            let impulse = entry.law.impulse(entry.rate(problem, v));
            if impulse != 0.0 {
                for s in &problem.constraints.support[problem.constraints.rows[entry.group].support.clone()] {
                    gradient[s.velocity] -= s.column.x * impulse;
                }
            }
        }
    }

    fn add_hessian(&self, problem: &Problem, island: &Island, v: &[f64], h: &mut HessianBlocks<'_>) {
        for entry in self.on(island) {
            let weight = entry.law.hessian(entry.rate(problem, v));
            if weight == 0.0 {
                continue;
            }
            let support = &problem.constraints.support[problem.constraints.rows[entry.group].support.clone()];
            for (k, sj) in support.iter().enumerate() {
                let column = weight * sj.column.x;
                for si in &support[k..] {
                    h.add(problem, si.velocity, sj.velocity, si.column.x * column);
                }
            }
        }
    }

    fn add_along(&self, problem: &Problem, island: &Island, v: &[f64], w: &[f64], alpha: f64, sum: &mut AlongLine) {
        for entry in self.on(island) {
            let rate = entry.rate(problem, w);
            let u = entry.rate(problem, v) + alpha * rate;
            sum.slope -= entry.law.impulse(u) * rate;
            sum.curvature += entry.law.hessian(u) * rate * rate;
        }
    }

    fn note_pieces(&self, problem: &Problem, island: &Island, v: &[f64], note: &mut Note<'_>) {
        for entry in self.on(island) {
            let u = entry.rate(problem, v);
            let (piece, start) = (entry.law.piece(u), entry.law.piece_at_start());
            let mut last = None;
            for s in &problem.constraints.support[problem.constraints.rows[entry.group].support.clone()] {
                if last.replace(s.clique) != Some(s.clique) {
                    let pieces = Pieces { coarse: piece, end: piece, start, ended: 0.0 };
                    note(s.clique, problem.key_of_rows(entry.group), pieces);
                }
            }
        }
    }

    fn is_touching(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        self.on(island).iter().any(|entry| entry.law.piece(entry.rate(problem, v)) != 0)
    }

    /// An end without rebound stops the motion towards it, as a rigid stop does: the end of a step in which it is
    /// struck does not depend on its length in a way that could be extrapolated.
    fn is_held(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        self.on(island).iter().all(|entry| {
            let rows = &problem.constraints.rows[entry.group];
            let struck = entry.law.piece(entry.rate(problem, v)) & !entry.law.piece_at_start();
            let speed = entry.rate(problem, &problem.trees.v0);
            struck == 0 || !rows.range.is_some_and(|range| only_takes(&range, rows.delassus, speed))
        })
    }

    // The law is the same in steps of every length.
    fn is_stopped(&self, _: &Problem, _: &Island, _: &[f64]) -> bool {
        false
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let norm = |entry: &Entry| {
            entry.law.impulse(entry.rate(problem, v)).abs() * problem.constraints.rows[entry.group].delassus.sqrt()
        };
        self.on(island).iter().map(norm).sum()
    }

    fn impulse_norms_of_velocity(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let norm = |entry: &Entry| {
            let u = entry.rate(problem, v);
            entry.law.hessian(u) * u.abs() * problem.constraints.rows[entry.group].delassus.sqrt()
        };
        self.on(island).iter().map(norm).sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        for entry in &self.laws {
            solution.rows[entry.group] = Vector3::new(entry.law.impulse(entry.rate(problem, v)), 0.0, 0.0);
        }
    }
}
