//! A state from which convex steps start.

use super::closure::Closure;
use crate::contact::{Island, Problem, RowGroup, Solution};
use crate::diagram::State;
use crate::linearize::Linearization;
use crate::systems::convex::{PlantPoint, Switches};
use nalgebra::Vector3;

/// Rows that move faster than this part of the fastest velocity have not been brought to rest by a step.
const BROKEN: f64 = 1e-2;

/// The ways back of rigid constraints from where they are off.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Of the rows of each constraint, and the longest in its island.
    pub rows: Vec<(Vector3<f64>, f64)>,
    /// The displacement that makes them; empty if nothing is off.
    pub displacement: Vec<f64>,
}

/// Everything about a starting state that does not depend on the step length.
#[derive(Clone, Debug, Default)]
pub struct StepPoint {
    pub(super) state: State,
    pub(super) plants: Vec<PlantPoint>,
    /// Read at the start of a step and held over all of it, half steps included.
    pub(super) switches: Vec<Switches>,
    pub(super) velocity: Vec<f64>,
    /// Contacts that no step from here is thought to close.
    pub(super) closure: Closure,
    pub(super) problem: Problem,
    /// What the last step from here found.
    pub(super) solution: Solution,
    pub(super) max_depth: f64,
    /// How long \[s\] a step may be for bodies that turn to sweep over nothing unseen.
    pub(super) longest_step: f64,
    /// Whether the last bound on the length of a step is that of an oscillation which the accuracy can see.
    pub(super) follows: bool,
    /// Contact points of plants with belts: pair of the problem, plant, contact of the plant.
    pub(super) belts: Vec<(usize, usize, usize)>,
    /// The bodies of a plant that take part in contacts and constraints (scratch).
    pub(super) wanted: Vec<bool>,
    /// Contact points by depth (scratch).
    pub(super) depths: Vec<(f64, usize, usize)>,
    pub(super) linear: Linearization,
    /// How far the rows of constraints are to move in a step from here.
    pub(super) ways: Ways,
    /// The force that each is expected to hold with.
    pub(super) expected: Vec<Vector3<f64>>,
    /// What the rows of rigid constraints, as they have turned in the last step from here, added to its velocities.
    pub(super) turned: Vec<f64>,
}

impl StepPoint {
    /// Does what reads the state and changes all else.
    pub(super) fn with_state<R>(&mut self, change: impl FnOnce(&State, &mut StepPoint) -> R) -> R {
        let state = std::mem::take(&mut self.state);
        let done = change(&state, self);
        self.state = state;
        done
    }

    /// Tells the problem what its constraints are to do, as far as that is known.
    pub(super) fn tell_rows(&mut self) {
        for (group, (way, farthest)) in self.problem.rows.iter_mut().zip(&self.ways.rows) {
            (group.way, group.farthest) = (*way, *farthest);
        }
        self.problem.rows.iter_mut().zip(&self.expected).for_each(|(group, force)| group.expected = *force);
        self.problem.harden_rows();
    }

    /// Where rigid constraints gave way by more than `tolerance` \[m, rad\] in the solve for the step `h`, expects of
    /// all what they held with in it (the method of multipliers). Whether any did: then it is to be solved again.
    pub(super) fn expect_found(&mut self, h: f64, tolerance: f64) -> bool {
        let StepPoint { problem, solution, .. } = self;
        let gave_way = (0..problem.num_row_groups()).any(|group| {
            let rows = &problem.rows[group];
            let moved = || problem.row_velocity(group, &solution.velocity) * h - rows.way_within(h);
            rows.compliance.is_none() && rows.delassus > 0.0 && moved().amax() > tolerance
        });
        if gave_way {
            let found = problem.rows.iter_mut().zip(&solution.rows);
            found.for_each(|(group, impulse)| group.expected = impulse / h);
        }
        gave_way
    }

    /// Whether the velocities are far from those that rigid constraints allow.
    pub(super) fn breaks_constraints(&self) -> bool {
        let problem = &self.problem;
        let fastest = problem.start_velocity().iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        (0..problem.num_row_groups()).any(|group| {
            let rigid = problem.rows[group].compliance.is_none();
            rigid && problem.row_velocity(group, problem.start_velocity()).amax() > BROKEN * fastest
        })
    }

    /// Nothing is known of that any more.
    pub(super) fn forget_rows(&mut self) {
        self.ways.rows.clear();
        self.ways.displacement.clear();
        self.expected.clear();
    }

    /// What is left for constraints to do after a step of length `h` from `start`. (What is off here has come of the
    /// step itself: it is an error that is extrapolated, or met in the next step.)
    pub(super) fn take_rest_of(&mut self, start: &StepPoint, h: f64) {
        self.forget_rows();
        self.expected.extend_from_slice(&start.expected);
        let left = |group: &RowGroup| 1.0 - group.part_within(h);
        let groups = &start.problem.rows;
        self.ways.rows.extend(groups.iter().map(|group| (group.way * left(group), group.farthest * left(group))));
        if !start.ways.displacement.is_empty() {
            self.ways.displacement.clone_from(&start.ways.displacement);
            for island in start.problem.islands() {
                let Some(group) = start.rigid_of(island) else { continue };
                let velocities = island.cliques.iter().flat_map(|&c| start.problem.velocities_of(c));
                velocities.for_each(|v| self.ways.displacement[v] *= left(group));
            }
        }
    }

    /// A rigid constraint of an island, if it has any.
    fn rigid_of(&self, island: &Island) -> Option<&RowGroup> {
        island.rows.iter().map(|&g| &self.problem.rows[g]).find(|group| group.compliance.is_none())
    }

    /// Adds the velocities with which a step of length `h` from here goes its ways to `v`, of all plants.
    pub(super) fn add_way_velocities(&self, h: f64, v: &mut [f64]) {
        if self.ways.displacement.is_empty() {
            return;
        }
        for island in self.problem.islands() {
            let Some(group) = self.rigid_of(island) else { continue };
            let rate = group.part_within(h) / h;
            for i in island.cliques.iter().flat_map(|&c| self.problem.velocities_of(c)) {
                v[i] += rate * self.ways.displacement[i];
            }
        }
    }

    /// Whether a rigid constraint is farther off than `tolerance`.
    pub(super) fn is_off(&self, island: &Island, tolerance: f64) -> bool {
        self.rigid_of(island).is_some_and(|group| group.farthest > tolerance)
    }
}
