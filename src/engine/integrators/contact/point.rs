//! A state from which convex steps start.

use super::deferred_contacts::DeferredContacts;
use super::scales::Scales;
use crate::linearize::Linearization;
use kinegraph_convex::contact::{Island, Problem, RowGroup, Solution};
use kinegraph_core::convex::{ConstraintRows, PlantPoint, Switches};
use kinegraph_diagram::State;
use nalgebra::Vector3;

/// Position corrections of rigid constraints that are violated.
#[derive(Clone, Debug, Default)]
pub struct PositionCorrections {
    /// Displacement of the rows of each constraint, and the longest in its island.
    pub rows: Vec<(Vector3<f64>, f64)>,
    /// Displacement of all velocities that makes them; empty if nothing is off.
    pub displacement: Vec<f64>,
}

/// Bounds on the lengths of steps from a point \[s\].
#[derive(Clone, Debug, Default)]
pub struct LengthBounds {
    /// Longest step in which turning bodies sweep over nothing unseen.
    pub swept: f64,
    /// Longest step for feedback with kinks.
    pub(in crate::integrators) bent: f64,
    /// True if the last bound on the length of a step is that of a visible oscillation.
    pub(in crate::integrators) follows: bool,
}

/// Rows of constraints in steps from a point.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct HeldRows {
    /// Displacements of the rows.
    pub corrections: PositionCorrections,
    /// Expected force of each constraint.
    pub expected: Vec<Vector3<f64>>,
    /// Change of velocities by the rows of rigid constraints as they have turned in the last step.
    pub turned: Vec<f64>,
}

/// Vectors in which a problem is built; every use fills them anew.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct PointScratch {
    /// Velocities of a plant, with locked joints at rest.
    pub velocity: Vec<f64>,
    /// True for each body of a plant that takes part in contacts and constraints.
    pub wanted: Vec<bool>,
    /// Contact points by depth.
    pub depths: Vec<(f64, usize, usize)>,
}

/// Everything about a starting state that does not depend on the step length.
#[derive(Clone, Debug, Default)]
pub struct StepPoint {
    /// The state.
    pub state: State,
    /// Plants as they were evaluated.
    pub plants: Vec<PlantPoint>,
    /// Number of threads that compare shapes; 0 counts as one.
    pub(in crate::integrators) threads: usize,
    /// Switches, read at the start of a step and held over all of it, half steps included.
    pub switches: Vec<Switches>,
    /// Contacts that no step from here is expected to close.
    pub(in crate::integrators) deferred: DeferredContacts,
    /// The problem of the steps from here.
    pub problem: Problem,
    /// Solution of the last step from here.
    pub solution: Solution,
    /// The deepest penetration \[m\].
    pub max_depth: f64,
    /// Bounds on the lengths of steps from here.
    pub bounds: LengthBounds,
    /// Contact points of plants with belts: pair of the problem, plant, contact of the plant.
    pub(in crate::integrators) belts: Vec<(usize, usize, usize)>,
    /// Linearization of the external systems.
    pub linear: Linearization,
    /// Rows of constraints in steps from here.
    pub(in crate::integrators) held: HeldRows,
    pub(in crate::integrators) scratch: PointScratch,
}

impl StepPoint {
    /// Runs a function that reads the state and changes everything else.
    pub fn with_state<R>(&mut self, change: impl FnOnce(&State, &mut StepPoint) -> R) -> R {
        let state = std::mem::take(&mut self.state);
        let done = change(&state, self);
        self.state = state;
        done
    }

    /// Writes position corrections and expected forces of constraints to the problem, as far as they are known.
    pub(in crate::integrators) fn update_rows(&mut self) {
        for (group, (way, farthest)) in self.problem.constraints.rows.iter_mut().zip(&self.held.corrections.rows) {
            (group.correction, group.farthest) = (*way, *farthest);
        }
        self.problem
            .constraints
            .rows
            .iter_mut()
            .zip(&self.held.expected)
            .for_each(|(group, force)| group.expected = *force);
        self.problem.harden_rows();
    }

    /// After a solve for the step `h` in which a rigid constraint yielded by an error of more than `tolerance` \[1\],
    /// expects of all constraints the forces of that solve (the method of multipliers). Returns whether any yielded:
    /// then the step is to be solved again.
    pub(in crate::integrators) fn expect_found(&mut self, scales: &Scales, h: f64, tolerance: f64) -> bool {
        let (problem, most) = (&self.problem, scales.length(tolerance));
        let yielded = problem.constraints.rows.iter().zip(self.listed_rows()).enumerate().any(
            |(group, (held, (rows, first)))| {
                let moved = || problem.row_velocity(group, &self.solution.velocity) * h - held.correction_within(h);
                held.compliance.is_none() && held.delassus > 0.0 && moved().amax() > most * scales.unit_of(rows, first)
            },
        );
        if yielded {
            let StepPoint { problem, solution, .. } = self;
            let found = problem.constraints.rows.iter_mut().zip(&solution.rows);
            found.for_each(|(group, impulse)| group.expected = impulse / h);
        }
        yielded
    }

    /// True if rows of rigid constraints move faster than the part `broken` of the fastest velocity, so that no step
    /// has brought them to rest.
    pub(in crate::integrators) fn breaks_constraints(&self, scales: &Scales, broken: f64) -> bool {
        let problem = &self.problem;
        let v = problem.start_velocity();
        let fastest = scales.fastest(v);
        self.listed_rows().enumerate().any(|(group, (rows, first))| {
            let moves = || problem.row_velocity(group, v).amax() > broken * fastest * scales.unit_of(rows, first);
            rows.compliance.is_none() && moves()
        })
    }

    /// Rows of all constraints, in the order in which their groups stand in the problem, each with the first velocity
    /// of its plant.
    pub(super) fn listed_rows(&self) -> impl Iterator<Item = (&ConstraintRows, usize)> {
        let first = self.plants.iter().scan(0, |next, data| {
            let first = *next;
            *next += data.bias.len();
            Some(first)
        });
        self.plants.iter().zip(first).flat_map(|(data, first)| data.constraints.iter().map(move |rows| (rows, first)))
    }

    /// Forgets corrections and expected forces of constraints.
    pub(in crate::integrators) fn forget_rows(&mut self) {
        self.held.corrections.rows.clear();
        self.held.corrections.displacement.clear();
        self.held.expected.clear();
    }

    /// Takes over the position corrections that remain after a step of length `h` from `start`. (A violation here is
    /// due to the step itself: it is an error that is extrapolated, or corrected in the next step.)
    pub(in crate::integrators) fn take_rest_of(&mut self, start: &StepPoint, h: f64) {
        self.forget_rows();
        let left = |group: &RowGroup| 1.0 - group.part_within(h);
        let mut next = 0;
        for own in &self.problem.constraints.rows {
            let earlier = start.problem.same_rows(own, next);
            next = earlier.map_or(next, |at| at + 1);
            let rest = earlier.map_or((own.correction, own.farthest), |at| {
                let group = &start.problem.constraints.rows[at];
                (group.correction * left(group), group.farthest * left(group))
            });
            self.held.corrections.rows.push(rest);
            self.held.expected.push(earlier.and_then(|at| start.held.expected.get(at)).copied().unwrap_or_default());
        }
        if !start.held.corrections.displacement.is_empty() {
            self.held.corrections.displacement.clone_from(&start.held.corrections.displacement);
            for island in start.problem.islands() {
                let Some(group) = start.rigid_of(island) else { continue };
                let velocities = island.cliques.iter().flat_map(|&c| start.problem.velocities_of(c));
                velocities.for_each(|v| self.held.corrections.displacement[v] *= left(group));
            }
        }
    }

    /// Returns a rigid constraint of an island, if it has any.
    fn rigid_of(&self, island: &Island) -> Option<&RowGroup> {
        island.rows.iter().map(|&g| &self.problem.constraints.rows[g]).find(|group| group.compliance.is_none())
    }

    /// Rigid constraints with a violation large enough for position corrections.
    pub fn off_groups<'a>(&'a self, scales: &'a Scales) -> impl Iterator<Item = usize> + 'a {
        let rows = self.listed_rows().zip(&self.problem.constraints.rows).enumerate();
        rows.filter_map(|(group, ((rows, first), row))| {
            let is_off = row.compliance.is_none() && scales.is_far(row.correction.norm(), rows, first);
            is_off.then_some(group)
        })
    }
}
