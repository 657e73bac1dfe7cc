//! Redundant rows of rigid constraints at the start of a run, and nearly redundant ones.
//!
//! A planar loop needs two of the three rows of the ball that closes it, a door one of its bearings. Redundant rows
//! exert no force, and a violation along them, by the digits of a file, stays. Rows that hold against less than digits
//! would explain may mean another mechanism than its author intended: one degree by which two axes are not parallel
//! locks a loop.

use super::Simulation;
use crate::integrators::contact::problem_at;
use crate::linearize::External;
use std::fmt;

/// Redundant rows of constraints of a plant, or nearly redundant ones.
#[derive(Clone, Debug, PartialEq)]
pub struct RedundantRows {
    /// Plant.
    pub plant: String,
    /// Constraints that take part in them.
    pub constraints: Vec<String>,
    /// Number of independent redundant combinations of their rows; zero if they are only nearly redundant.
    pub rows: usize,
    /// Violation that stays \[m, rad\]. Of nearly redundant rows: the motion that they prevent, as a part of that with
    /// free bodies.
    pub amount: f64,
    /// True if the violation is more than digits of a file leave.
    pub conflicts: bool,
}

/// Violations, as parts of the lever of a row, that digits of a file leave.
const DIGITS: f64 = 1e-5;

impl fmt::Display for RedundantRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RedundantRows { plant, constraints, rows, amount, conflicts } = self;
        let (of, plural) = (constraints.join(", "), if constraints.len() == 1 { "" } else { "s" });
        match (rows, conflicts) {
            (0, _) => write!(
                f,
                "{plant}: constraint{plural} {of}: a row holds against {amount:.1e} of what it would if its bodies \
                 were free: axes that are nearly parallel or nearly meet? It may lock the mechanism"
            ),
            (rows, false) => write!(
                f,
                "{plant}: constraint{plural} {of}: {rows} of their rows are redundant and exert no force (open by \
                 {amount:.1e})"
            ),
            (rows, true) => write!(
                f,
                "{plant}: constraint{plural} {of}: {rows} of their rows are redundant and exert no force, and \
                 {amount:.3e} m or rad stay open: nothing can close that"
            ),
        }
    }
}

impl Simulation {
    /// Redundant rows of rigid constraints at the present state of the simulation, plant by plant.
    pub fn redundant_rows(&self) -> Vec<RedundantRows> {
        // A copy and the external system of a plant are large where blocks are wide.
        if self.diagram().plants().all(|(_, plant)| plant.structure().constraints.is_empty()) {
            return Vec::new();
        }
        let mut here = self.clone();
        if here.start().is_err() {
            return Vec::new();
        }
        let (diagram, state) = (here.diagram(), here.state());
        let (external, switches) = External::holding(diagram, state);
        let point = problem_at(&external, &switches, &state.continuous);
        // Groups stand in the problem in the order in which the plants listed them.
        let (mut found, mut first) = (Vec::new(), 0);
        for (((block, plant), slot), data) in diagram.plants().zip(&external.layout().plants).zip(&point.plants) {
            let name = |group: usize| {
                let rows = data.constraints.get(group.checked_sub(first)?)?;
                Some(plant.structure().constraints.get(rows.constraint)?.name.clone())
            };
            let mut add = |groups: &mut dyn Iterator<Item = usize>, rows: usize, amount: f64, conflicts: bool| {
                let mut constraints: Vec<String> = groups.filter_map(name).collect();
                constraints.dedup();
                if constraints.is_empty() {
                    return;
                }
                let plant = block.name.clone();
                found.push(RedundantRows { plant, constraints, rows, amount, conflicts });
            };
            let velocities = &slot.global;
            let own = |set: &&kinegraph_convex::contact::RedundantSet| velocities.contains(&set.velocity);
            for set in point.problem.redundant_sets().iter().filter(own) {
                let groups = point.problem.groups_of(set);
                let conflicts = set.open > DIGITS * set.lever;
                add(&mut groups.into_iter(), set.rows, set.open, conflicts);
            }
            if let Some((group, part)) = point.problem.weakest_row() {
                add(&mut std::iter::once(group), 0, part, false);
            }
            first += data.constraints.len();
        }
        found
    }
}
