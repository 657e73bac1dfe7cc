//! Rows of an island with the data they act on: inertia with feedback, limited efforts, initial impulses.

use super::row_impulse;
use super::row_rules::RowRules;
use super::rows::{Owner, Rows, directions};
use super::ties::Ties;
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::{ContactImpulse, Island, Problem, Solution};
use nalgebra::Vector3;

/// Rows of one island; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandRows {
    pub groups: Groups,
    pub rows: Rows,
    /// For each limited effort of the island's feedback, true if it is within its limits.
    acting: Vec<bool>,
    /// The value of `acting` in the previous round.
    acted: Vec<bool>,
    impulses: Vec<f64>,
    local: Vec<f64>,
    ties: Ties,
}

impl IslandRows {
    /// Collects the rows of an island.
    pub fn enter(&mut self, problem: &Problem, island: &Island, rules: &RowRules) {
        self.groups.enter(problem, island);
        self.rows.enter(problem, island, &self.groups, rules);
        for_limited_efforts(problem, island, &mut self.acting, |effort, limit, _| effort.abs() <= limit);
    }

    /// Factors the inertia and computes the responses of the rows. Returns the number of factors.
    pub fn factor(&mut self, problem: &Problem, island: &Island) -> usize {
        self.groups.factor(problem, island, &self.acting);
        self.rows.respond(&mut self.groups);
        self.groups.all().len()
    }

    /// Returns true if the set of limited efforts within their limits is confirmed by the velocities `v`; otherwise
    /// updates the set.
    pub fn settle(&mut self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        std::mem::swap(&mut self.acting, &mut self.acted);
        for_limited_efforts(problem, island, &mut self.acting, |effort, limit, reaction| {
            (effort - reaction(v)).abs() <= limit
        });
        self.acting == self.acted
    }

    /// Computes the velocities without the impulses of rows, `A^-1 r`, and the initial impulses.
    pub fn start(&mut self, problem: &Problem, island: &Island, solution: &mut Solution) {
        self.impulses.clear();
        self.impulses.extend_from_slice(&problem.step_terms.momentum);
        let mut number = 0;
        for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
            for (row, gain) in block.limited_rows() {
                let effort = if self.acting[number] {
                    row.effort + block.row_times(gain, &problem.trees.v0)
                } else {
                    let asked = block.asked(row, gain, &solution.velocity, &problem.trees.v0);
                    asked.clamp(-row.limit, row.limit)
                };
                self.impulses[row.velocity] += problem.step_terms.dt * effort;
                number += 1;
            }
        }
        for group in 0..self.groups.all().len() {
            self.local.clear();
            self.local.extend(self.groups.all()[group].velocities.iter().map(|&v| self.impulses[v]));
            self.groups.solve(group, &mut self.local);
            for (&v, x) in self.groups.all()[group].velocities.iter().zip(&self.local) {
                solution.velocity[v] = *x;
            }
        }
        for i in 0..self.rows.all.len() {
            let row = &mut self.rows.all[i];
            row.impulse = 0.0_f64.clamp(row.lower, row.upper);
            let Owner::Contact { pair } = row.owner else { continue };
            // The pairs of patches are stored patch after patch.
            let patch = problem.contacts.patches.partition_point(|patch| patch.points.end <= pair);
            let Some(patch) = problem.contacts.patches.get(patch) else { continue };
            let known = solution.forces.get([patch.body_a, patch.body_b], problem.contacts.points[pair].key);
            if let Some(force) = known {
                let along =
                    directions(&problem.contacts.points[pair].normal).map(|d| d.dot(&force) * problem.step_terms.dt);
                let normal = along[0].max(0.0);
                for (k, impulse) in [normal, along[1], along[2]].into_iter().enumerate() {
                    self.rows.all[i + k].impulse = impulse;
                }
            }
        }
        row_impulse::start(&self.rows, &self.groups, &mut solution.velocity);
    }

    /// Shares statically indeterminate loads evenly, at the velocities `v`. Returns true if a load has changed.
    pub fn share_loads(&mut self, problem: &Problem, v: &mut [f64]) -> bool {
        self.ties.share(problem, &mut self.rows, &self.groups, v)
    }

    /// Writes the impulses of the island. Velocities of contact points are `ratio` times those that the rows measure,
    /// as in their law.
    pub fn write(&self, problem: &Problem, solution: &mut Solution, ratio: f64) {
        for (i, row) in self.rows.all.iter().enumerate() {
            match row.owner {
                Owner::Contact { pair } => {
                    let along = directions(&problem.contacts.points[pair].normal);
                    let sum = |value: &dyn Fn(usize) -> f64| -> Vector3<f64> {
                        along.iter().enumerate().map(|(k, d)| d * value(i + k)).sum()
                    };
                    let v = &solution.velocity;
                    solution.pairs[pair] = ContactImpulse {
                        impulse: sum(&|k| self.rows.all[k].impulse),
                        velocity: sum(&|k| self.rows.velocity(k, &self.groups, v)) * ratio,
                    };
                }
                Owner::Group { group, row: k } => solution.rows[group][k] = row.impulse,
                Owner::Range { group, sign } => solution.rows[group].x += sign * row.impulse,
                Owner::Element { kind, element, sign } => {
                    solution.impulses_of_kind_mut(kind)[element] += sign * row.impulse;
                }
                Owner::Tangent => {}
            }
        }
    }
}

/// Calls back for every limited effort of the island's feedback, with its effort at the start of the step, its limit
/// and its reaction to velocities.
fn for_limited_efforts(
    problem: &Problem,
    island: &Island,
    out: &mut Vec<bool>,
    mut ask: impl FnMut(f64, f64, &dyn Fn(&[f64]) -> f64) -> bool,
) {
    out.clear();
    for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
        for (row, gain) in block.limited_rows() {
            let reaction = |v: &[f64]| row.effort - block.asked(row, gain, v, &problem.trees.v0);
            out.push(ask(row.effort, row.limit, &reaction));
        }
    }
}
