//! A state from which convex steps start.

use super::deferred_contacts::DeferredContacts;
use super::scales::Scales;
use crate::linearize::Linearization;
use kinegraph_convex::contact::{Island, Problem, RowGroup, Solution};
use kinegraph_core::convex::{ConstraintRows, PlantPoint, Switches};
use kinegraph_diagram::State;
use nalgebra::Vector3;

/// The position corrections of rigid constraints that are off.
#[derive(Clone, Debug, Default)]
pub struct PositionCorrections {
    /// Of the rows of each constraint, and the longest in its island.
    pub rows: Vec<(Vector3<f64>, f64)>,
    /// The displacement that makes them; empty if nothing is off.
    pub displacement: Vec<f64>,
}

/// Everything about a starting state that does not depend on the step length.
#[derive(Clone, Debug, Default)]
pub struct StepPoint {
    /// The state.
    pub state: State,
    /// Each plant as it was evaluated.
    pub plants: Vec<PlantPoint>,
    /// How many threads compare shapes; 0 is one, too.
    pub(in crate::integrators) threads: usize,
    /// Read at the start of a step and held over all of it, half steps included.
    pub switches: Vec<Switches>,
    pub(in crate::integrators) velocity: Vec<f64>,
    /// Contacts that no step from here is thought to close.
    pub(in crate::integrators) deferred: DeferredContacts,
    /// The problem of the steps from here.
    pub problem: Problem,
    /// What the last step from here found.
    pub solution: Solution,
    /// The deepest penetration \[m\].
    pub max_depth: f64,
    /// How long \[s\] a step may be for bodies that turn to sweep over nothing unseen.
    pub(in crate::integrators) longest_step: f64,
    /// Whether the last bound on the length of a step is that of an oscillation which the accuracy can see.
    pub(in crate::integrators) follows: bool,
    /// How long \[s\] a step may be for feedback that bends.
    pub(in crate::integrators) bent: f64,
    /// Contact points of plants with belts: pair of the problem, plant, contact of the plant.
    pub(in crate::integrators) belts: Vec<(usize, usize, usize)>,
    /// The bodies of a plant that take part in contacts and constraints (scratch).
    pub(in crate::integrators) wanted: Vec<bool>,
    /// Contact points by depth (scratch).
    pub(in crate::integrators) depths: Vec<(f64, usize, usize)>,
    /// How all that is no plant reacts.
    pub linear: Linearization,
    /// How far the rows of constraints are to move in a step from here.
    pub(in crate::integrators) corrections: PositionCorrections,
    /// The force that each is expected to hold with.
    pub(in crate::integrators) expected: Vec<Vector3<f64>>,
    /// What the rows of rigid constraints, as they have turned in the last step from here, added to its velocities.
    pub(in crate::integrators) turned: Vec<f64>,
}

impl StepPoint {
    /// Does what reads the state and changes all else.
    pub fn with_state<R>(&mut self, change: impl FnOnce(&State, &mut StepPoint) -> R) -> R {
        let state = std::mem::take(&mut self.state);
        let done = change(&state, self);
        self.state = state;
        done
    }

    /// Writes to the problem what its constraints are to do, as far as that is known.
    pub(in crate::integrators) fn update_rows(&mut self) {
        for (group, (way, farthest)) in self.problem.rows.iter_mut().zip(&self.corrections.rows) {
            (group.correction, group.farthest) = (*way, *farthest);
        }
        self.problem.rows.iter_mut().zip(&self.expected).for_each(|(group, force)| group.expected = *force);
        self.problem.harden_rows();
    }

    /// Where rigid constraints yielded by an error of more than `tolerance` \[1\] in the solve for the step `h`,
    /// expects of all what they held with in it (the method of multipliers). Whether any did: then it is to be solved
    /// again.
    pub(in crate::integrators) fn expect_found(&mut self, scales: &Scales, h: f64, tolerance: f64) -> bool {
        let (problem, most) = (&self.problem, scales.length(tolerance));
        let yielded = problem.rows.iter().zip(self.listed_rows()).enumerate().any(|(group, (held, (rows, first)))| {
            let moved = || problem.row_velocity(group, &self.solution.velocity) * h - held.correction_within(h);
            held.compliance.is_none() && held.delassus > 0.0 && moved().amax() > most * scales.unit_of(rows, first)
        });
        if yielded {
            let StepPoint { problem, solution, .. } = self;
            let found = problem.rows.iter_mut().zip(&solution.rows);
            found.for_each(|(group, impulse)| group.expected = impulse / h);
        }
        yielded
    }

    /// Whether the velocities are far from those that rigid constraints allow: whether rows move faster than the part
    /// `broken` of the fastest velocity, so that no step has brought them to rest.
    pub(in crate::integrators) fn breaks_constraints(&self, scales: &Scales, broken: f64) -> bool {
        let problem = &self.problem;
        let v = problem.start_velocity();
        let fastest = scales.fastest(v);
        self.listed_rows().enumerate().any(|(group, (rows, first))| {
            let moves = || problem.row_velocity(group, v).amax() > broken * fastest * scales.unit_of(rows, first);
            rows.compliance.is_none() && moves()
        })
    }

    /// The rows of all constraints, in the order in which their groups stand in the problem, each with the first
    /// velocity of its plant.
    pub(super) fn listed_rows(&self) -> impl Iterator<Item = (&ConstraintRows, usize)> {
        let first = self.plants.iter().scan(0, |next, data| {
            let first = *next;
            *next += data.bias.len();
            Some(first)
        });
        self.plants.iter().zip(first).flat_map(|(data, first)| data.constraints.iter().map(move |rows| (rows, first)))
    }

    /// Nothing is known of that any more.
    pub(in crate::integrators) fn forget_rows(&mut self) {
        self.corrections.rows.clear();
        self.corrections.displacement.clear();
        self.expected.clear();
    }

    /// What is left for constraints to do after a step of length `h` from `start`. (What is off here is due to the
    /// step itself: it is an error that is extrapolated, or met in the next step.)
    pub(in crate::integrators) fn take_rest_of(&mut self, start: &StepPoint, h: f64) {
        self.forget_rows();
        let left = |group: &RowGroup| 1.0 - group.part_within(h);
        let mut next = 0;
        for own in &self.problem.rows {
            let earlier = start.problem.same_rows(own, next);
            next = earlier.map_or(next, |at| at + 1);
            let rest = earlier.map_or((own.correction, own.farthest), |at| {
                let group = &start.problem.rows[at];
                (group.correction * left(group), group.farthest * left(group))
            });
            self.corrections.rows.push(rest);
            self.expected.push(earlier.and_then(|at| start.expected.get(at)).copied().unwrap_or_default());
        }
        if !start.corrections.displacement.is_empty() {
            self.corrections.displacement.clone_from(&start.corrections.displacement);
            for island in start.problem.islands() {
                let Some(group) = start.rigid_of(island) else { continue };
                let velocities = island.cliques.iter().flat_map(|&c| start.problem.velocities_of(c));
                velocities.for_each(|v| self.corrections.displacement[v] *= left(group));
            }
        }
    }

    /// A rigid constraint of an island, if it has any.
    fn rigid_of(&self, island: &Island) -> Option<&RowGroup> {
        island.rows.iter().map(|&g| &self.problem.rows[g]).find(|group| group.compliance.is_none())
    }

    /// The rigid constraints that are to return from farther off than what counts.
    pub fn off_groups<'a>(&'a self, scales: &'a Scales) -> impl Iterator<Item = usize> + 'a {
        let rows = self.listed_rows().zip(&self.problem.rows).enumerate();
        rows.filter_map(|(group, ((rows, first), row))| {
            let is_off = row.compliance.is_none() && scales.is_far(row.correction.norm(), rows, first);
            is_off.then_some(group)
        })
    }
}
