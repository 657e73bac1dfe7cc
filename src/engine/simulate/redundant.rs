//! Rows of rigid constraints that hold against nothing where a run starts, or against almost nothing.
//!
//! A planar loop needs two of the three rows of the ball that closes it, a door one of its bearings. What is redundant
//! exerts no force, and what digits of a file leave open there stays open. What holds by less than digits would explain
//! is another mechanism than its author may think: one degree by which two axes are not parallel locks a loop.

use super::Simulation;
use crate::integrators::contact::problem_at;
use crate::linearize::External;
use std::fmt;

/// Rows of constraints of a plant that nothing moves, or almost nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct RedundantRows {
    /// The plant.
    pub plant: String,
    /// The constraints that have part in them.
    pub constraints: Vec<String>,
    /// How many independent combinations of their rows hold against nothing; zero: against almost nothing.
    pub rows: usize,
    /// The violation that stays open there \[m, rad\]. Where rows hold against almost nothing: what they hold against,
    /// as a part of what it would be if their bodies were free.
    pub amount: f64,
    /// True if more stays open than digits of a file leave.
    pub conflicts: bool,
}

/// Violations up to this part of the lever of a row are what digits of a file leave.
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
    /// The rows of rigid constraints that are redundant at the state that the simulation has now, plant by plant.
    pub fn redundant_rows(&self) -> Vec<RedundantRows> {
        // A copy and what acts on a plant are large where blocks are wide.
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
