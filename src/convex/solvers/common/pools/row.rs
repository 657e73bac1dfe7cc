//! Bilateral constraints among the potentials: the law is that of the element.

use super::{Couple, HessianBlocks, Note, Pieces, Potential};
use crate::contact::{Island, Problem, RowLaw, Solution};
use nalgebra::Vector3;

/// All groups of rows, in the order of the problem.
#[derive(Clone, Debug, Default)]
pub struct RowPool {
    laws: Vec<RowLaw>,
}

impl RowPool {
    /// Impulses of a group at `v`.
    #[inline]
    fn impulse(&self, problem: &Problem, group: usize, v: &[f64]) -> Vector3<f64> {
        self.laws[group].impulses(&problem.row_velocity(group, v))
    }
}

impl Potential for RowPool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        4
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.laws.extend(problem.constraints.rows.iter().map(|group| RowLaw::new(group, problem.step_terms.dt)));
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, _: &Island) -> bool {
        true
    }

    fn couple(&self, problem: &Problem, island: &Island, couple: &mut Couple<'_>) {
        for &g in &island.rows {
            let support = &problem.constraints.support[problem.constraints.rows[g].support.clone()];
            for (i, a) in support.iter().enumerate() {
                support[..i].iter().for_each(|b| couple(a.clique, b.clique));
            }
        }
    }

    fn cost(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let cost = |&g: &usize| {
            let vc = problem.row_velocity(g, v);
            (0..3).map(|row| self.laws[g].cost(row, vc[row])).sum::<f64>()
        };
        island.rows.iter().map(cost).sum()
    }

    fn add_gradient(&self, problem: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]) {
        for &g in &island.rows {
            let gamma = self.impulse(problem, g, v);
            for s in &problem.constraints.support[problem.constraints.rows[g].support.clone()] {
                gradient[s.velocity] -= s.column.dot(&gamma);
            }
        }
    }

    fn add_hessian(&self, problem: &Problem, island: &Island, _: &[f64], h: &mut HessianBlocks<'_>) {
        for &g in &island.rows {
            let (weight, support) =
                (self.laws[g].hessian(), &problem.constraints.support[problem.constraints.rows[g].support.clone()]);
            // Velocities of one clique stand side by side, and share a block.
            for (number, columns) in support.chunk_by(|a, b| a.clique == b.clique).enumerate() {
                let (clique, first) = (columns[0].clique, problem.trees.cliques[columns[0].clique].velocities.start);
                for rows in support.chunk_by(|a, b| a.clique == b.clique).skip(number) {
                    let start = problem.trees.cliques[rows[0].clique].velocities.start;
                    let block = h.places.block(h.local[rows[0].clique], h.local[clique]);
                    for (k, sj) in columns.iter().enumerate() {
                        let column = sj.column.component_mul(&weight);
                        let lower = if rows[0].clique == clique { k } else { 0 };
                        for si in &rows[lower..] {
                            let entry = block.entry(si.velocity - start, sj.velocity - first);
                            h.values[entry] += si.column.dot(&column);
                        }
                    }
                }
            }
        }
    }

    fn quadratic_along(&self, problem: &Problem, island: &Island, v: &[f64], w: &[f64]) -> (f64, f64) {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &g in &island.rows {
            let u = problem.row_velocity(g, w);
            slope -= self.impulse(problem, g, v).dot(&u);
            curvature += self.laws[g].curvature(&u);
        }
        (slope, curvature)
    }

    fn note_pieces(&self, problem: &Problem, island: &Island, _: &[f64], note: &mut Note<'_>) {
        for &g in island.rows.iter().filter(|&&g| !problem.constraints.rows[g].acts_otherwise()) {
            let mut last = None;
            for s in &problem.constraints.support[problem.constraints.rows[g].support.clone()] {
                if last.replace(s.clique) != Some(s.clique) {
                    note(s.clique, problem.key_of_rows(g), Pieces::throughout(4));
                }
            }
        }
    }

    fn is_touching(&self, _: &Problem, _: &Island, _: &[f64]) -> bool {
        false
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        island
            .rows
            .iter()
            .map(|&g| self.impulse(problem, g, v).norm() * problem.constraints.rows[g].delassus.sqrt())
            .sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        solution.rows.clear();
        solution.rows.extend((0..self.laws.len()).map(|g| self.impulse(problem, g, v)));
    }
}
