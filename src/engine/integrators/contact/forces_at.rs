//! Contacts and constraints at a state before any discretization, for linear models of a diagram.

use super::build::{Sought, fill, gather};
use super::point::StepPoint;
use super::scales;
use crate::integrators::{Discretization, ErrorWeights, FrictionPlace};
use crate::linearize::{External, Layout};
use kinegraph_convex::contact::{CompliantStop, Element, ForceContext, MAX_STEP, Problem, RowGroup, RowOrigin};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_diagram::{Diagram, State};
use nalgebra::Vector3;

/// Contacts and constraints of the plants of a diagram at a state; keeps its memory.
pub(crate) struct ForcesAt {
    external: External,
    point: StepPoint,
    /// Locked velocities of all plants, which move in the problem.
    locked: Vec<usize>,
}

impl ForcesAt {
    /// Prepares `diagram`.
    pub fn new(diagram: &Diagram) -> Self {
        let mut point = StepPoint::default();
        point.problem.settings.scales = scales::laws(&ErrorWeights::default(), MAX_STEP);
        ForcesAt { external: External::new(diagram), point, locked: Vec::new() }
    }

    /// Holds the discrete state of `state` and the switches there.
    pub fn hold(&mut self, state: &State) {
        self.external.hold(&state.discrete);
        self.external.switches(state.time, &state.continuous, &mut self.point.switches);
        self.locked.clear();
        for (slot, switches) in self.external.layout().plants.iter().zip(&mut self.point.switches) {
            let locked = switches.locked.iter().enumerate().filter(|(_, locked)| **locked);
            self.locked.extend(locked.map(|(i, _)| slot.global.start + i));
            switches.locked.clear();
        }
    }

    /// Sets a fixed value of the diagram, by its index among all signals.
    pub fn set(&mut self, index: usize, value: f64) {
        self.external.set(index, value);
    }

    /// Evaluates plants, contacts with gaps up to `gap` \[m\], and constraints at `time` and `continuous`.
    pub fn evaluate(&mut self, time: f64, continuous: &[f64], gap: f64, friction: FrictionPlace) {
        let discretization = Discretization { friction, redundant_rows: true, ..Discretization::default() };
        let (external, point) = (&mut self.external, &mut self.point);
        if external.layout().has_moving_surfaces(external.diagram()) {
            external.evaluate(time, continuous, &mut crate::linearize::Forces::default());
        }
        let mut watch = Stopwatch::default();
        gather(external, continuous, Sought::Near(gap), 0.0, &discretization, point, &mut watch);
        fill(external, time, continuous, &discretization, point, &mut watch);
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        self.external.diagram()
    }

    /// Places of the plants.
    pub fn layout(&self) -> &Layout {
        self.external.layout()
    }

    /// The problem at the last evaluation.
    pub fn problem(&self) -> &Problem {
        &self.point.problem
    }

    /// Locked velocities.
    pub fn locked(&self) -> &[usize] {
        &self.locked
    }

    /// Replaces generalized forces by the accelerations `M^-1 forces`; `false` if a mass matrix has no factor.
    pub fn accelerate(&mut self, forces: &mut [f64]) -> bool {
        let problem = &mut self.point.problem;
        (0..problem.num_cliques()).all(|clique| {
            let range = problem.velocities_of(clique);
            problem.solve_mass(clique, &mut forces[range])
        })
    }

    /// Generalized forces on all velocities by what yields: compliant constraints, if `stops` compliant stops, if
    /// `contacts` contacts with their friction and their resistance to rolling. Rigid constraints, ranges and dry
    /// friction of joints and tendons are left out.
    pub fn forces(&self, contacts: bool, stops: bool, forces: &mut Vec<f64>) {
        let problem = &self.point.problem;
        forces.clear();
        forces.resize(problem.size(), 0.0);
        if contacts {
            let mut found = vec![kinegraph_convex::contact::ContactImpulse::default(); problem.num_contacts()];
            for (pair, found) in problem.contacts.points.iter().zip(&mut found) {
                found.impulse = pair.explicit_force(0.0);
            }
            problem.add_contact_forces(|_| true, &found, forces);
        }
        for group in problem.constraints.rows.iter().filter(|group| yields(group, contacts)) {
            let support = &problem.constraints.support[group.support.clone()];
            let velocity = support
                .iter()
                .fold(Vector3::zeros(), |sum, support| sum + support.column * problem.trees.v0[support.velocity]);
            let force = group.force(&velocity);
            support.iter().for_each(|support| forces[support.velocity] += support.column.dot(&force));
        }
        for stop in problem.elements.of::<CompliantStop>().iter().filter(|_| stops) {
            let velocity = problem.trees.v0[stop.velocity];
            let context = ForceContext { moved: 0.0, velocity, mobility: f64::NAN, locked: false };
            forces[stop.velocity] += stop.force(&context);
        }
    }

    /// True if any such force may act here.
    pub fn any_yields(&self, contacts: bool, stops: bool) -> bool {
        let problem = &self.point.problem;
        (contacts && problem.num_contacts() > 0)
            || problem.constraints.rows.iter().any(|group| yields(group, contacts))
            || (stops && problem.elements.of::<CompliantStop>().iter().any(|stop| stop.gap < 0.0))
    }
}

/// True if the force of rows follows from the motion.
fn yields(group: &RowGroup, contacts: bool) -> bool {
    match (&group.friction, &group.range) {
        (Some(_), _) => contacts && matches!(group.origin, Some(RowOrigin::Contacts(_))),
        (None, Some(_)) => false,
        (None, None) => group.compliance.is_some(),
    }
}
