//! Dry friction along rows among the potentials: the law is that of the element.

use super::{AlongLine, HessianBlocks, Note, Pieces, Potential};
use crate::contact::{Island, Problem, RowFrictionLaw, Solution};
use std::ops::Range;

/// Flag in pieces that act always, so that zero is a piece too.
const ALWAYS: u8 = 1 << 7;

/// All groups of rows that have dry friction, sorted by island.
#[derive(Clone, Debug, Default)]
pub struct RowFrictionPool {
    laws: Vec<Entry>,
    islands: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    law: RowFrictionLaw,
    group: usize,
}

impl RowFrictionPool {
    fn on(&self, island: &Island) -> &[Entry] {
        self.islands.get(island.index).map_or(&[], |range| &self.laws[range.clone()])
    }

    /// Scale of an impulse along the rows of a group in the norm of the gradient.
    fn scale(problem: &Problem, entry: &Entry) -> f64 {
        problem.constraints.rows[entry.group].delassus.sqrt()
    }
}

impl Potential for RowFrictionPool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        8
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.islands.clear();
        if problem.constraints.rows.iter().all(|group| group.friction.is_none()) {
            return;
        }
        for island in problem.islands() {
            let first = self.laws.len();
            self.laws.extend(island.rows.iter().filter_map(|&group| {
                let friction = problem.constraints.rows[group].friction.as_ref()?;
                Some(Entry { law: RowFrictionLaw::new(friction, problem.step_terms.dt), group })
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
        self.on(island).iter().map(|entry| entry.law.cost(&problem.row_velocity(entry.group, v))).sum()
    }

    fn add_gradient(&self, problem: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]) {
        for Entry { law, group } in self.on(island) {
            let impulse = law.impulse(&problem.row_velocity(*group, v));
            for s in &problem.constraints.support[problem.constraints.rows[*group].support.clone()] {
                gradient[s.velocity] -= s.column.dot(&impulse);
            }
        }
    }

    fn add_hessian(&self, problem: &Problem, island: &Island, v: &[f64], h: &mut HessianBlocks<'_>) {
        for Entry { law, group } in self.on(island) {
            let weight = law.hessian(&problem.row_velocity(*group, v));
            let support = &problem.constraints.support[problem.constraints.rows[*group].support.clone()];
            for (k, sj) in support.iter().enumerate() {
                let column = weight * sj.column;
                for si in &support[k..] {
                    h.add(problem, si.velocity, sj.velocity, si.column.dot(&column));
                }
            }
        }
    }

    fn add_along(&self, problem: &Problem, island: &Island, v: &[f64], w: &[f64], alpha: f64, sum: &mut AlongLine) {
        for Entry { law, group } in self.on(island) {
            let rate = problem.row_velocity(*group, w);
            let u = problem.row_velocity(*group, v) + rate * alpha;
            sum.slope -= law.impulse(&u).dot(&rate);
            sum.curvature += rate.dot(&(law.hessian(&u) * rate));
        }
    }

    fn note_pieces(&self, problem: &Problem, island: &Island, v: &[f64], note: &mut Note<'_>) {
        for Entry { law, group } in self.on(island) {
            let [end, start] = [v, &problem.trees.v0].map(|v| problem.row_velocity(*group, v));
            let [piece, before] =
                [law.piece(&end, &start), law.piece_at_start(&end, &start)].map(|piece| piece | ALWAYS);
            let mut last = None;
            for s in &problem.constraints.support[problem.constraints.rows[*group].support.clone()] {
                if last.replace(s.clique) != Some(s.clique) {
                    let ended = if piece == before { 0.0 } else { 1.0 };
                    let pieces = Pieces { coarse: piece, end: piece, start: before, ended };
                    note(s.clique, problem.key_of_rows(*group), pieces);
                }
            }
        }
    }

    fn is_touching(&self, _: &Problem, _: &Island, _: &[f64]) -> bool {
        false
    }

    fn push_saturations(&self, problem: &Problem, island: &Island, v: &[f64], out: &mut Vec<u8>) {
        out.extend(self.on(island).iter().map(|entry| {
            let u = problem.row_velocity(entry.group, v);
            entry.law.piece(&u, &u)
        }));
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let impulse = |entry: &Entry| entry.law.impulse(&problem.row_velocity(entry.group, v));
        self.on(island).iter().map(|entry| impulse(entry).norm() * Self::scale(problem, entry)).sum()
    }

    fn impulse_norms_of_velocity(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let norm = |entry: &Entry| {
            let u = problem.row_velocity(entry.group, v);
            (entry.law.hessian(&u) * u.abs()).norm() * Self::scale(problem, entry)
        };
        self.on(island).iter().map(norm).sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        for Entry { law, group } in &self.laws {
            solution.rows[*group] = law.impulse(&problem.row_velocity(*group, v));
        }
    }
}
