//! A state from which convex steps start.

use super::closure::Closure;
use crate::contact::{Problem, Solution};
use crate::diagram::State;
use crate::linearize::Linearization;
use crate::systems::convex::{PlantPoint, Switches};
use nalgebra::Vector3;

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
    pub(super) linear: Linearization,
    /// How far the rows of each constraint are to move in a step from here.
    pub(super) ways: Vec<Vector3<f64>>,
    /// The force that each is expected to hold with.
    pub(super) expected: Vec<Vector3<f64>>,
    /// What the rows of rigid constraints, as they have turned in the last step from here, added to its velocities.
    pub(super) turned: Vec<f64>,
}

impl StepPoint {
    /// Tells the problem what its constraints are to do, as far as that is known.
    pub(super) fn tell_rows(&mut self) {
        self.problem.rows.iter_mut().zip(&self.ways).for_each(|(group, way)| group.way = *way);
        self.problem.rows.iter_mut().zip(&self.expected).for_each(|(group, force)| group.expected = *force);
    }

    /// Nothing is known of that any more.
    pub(super) fn forget_rows(&mut self) {
        self.ways.clear();
        self.expected.clear();
    }

    /// What is left for constraints to do after a step of length `h` from `start`. (What is off here has come of the
    /// step itself: it is an error that is extrapolated, or met in the next step.)
    pub(super) fn take_rest_of(&mut self, start: &StepPoint, h: f64) {
        self.forget_rows();
        self.ways.extend(start.problem.rows.iter().map(|group| group.way - group.way_within(h)));
        self.expected.extend_from_slice(&start.expected);
    }
}
