//! Contacts by their laws before any discretization: the normal force `k x (1 + d x')`, regularized friction, and
//! resistance to rolling; with them compliant constraints and compliant joint stops.
//!
//! They are generalized forces f(q, v) beside those of the smooth motion, so that
//!
//! ```text
//! ∂v'/∂x = ∂v'_smooth/∂x + M^-1 ∂(f - M a)/∂x,   a = M^-1 f fixed
//! ```
//!
//! The derivatives on the right are central differences of fourth order, along single velocities, so that contact
//! points and normals move with the shapes whatever these are. Their steps are short against the depths, the shapes and
//! the speeds at which friction changes: they err by rounding, about 1e-10 of the largest entry.

use super::directions::{Directions, difference};
use super::{LinearContact, Yielding};
use crate::choices::contact_model::{PART_OF_DEPTH, PART_OF_SIZE, PART_OF_SLIP, TURN};
use crate::integrators::FrictionPlace;
use crate::integrators::contact::ForcesAt;
use crate::linearize::Layout;
use kinegraph_diagram::{Channel, Diagram, State};
use nalgebra::DMatrix;

/// Forces of what yields in a diagram.
pub(in crate::state_space) struct Laws {
    at: ForcesAt,
    /// Places of the inputs among all signals.
    inputs: Vec<usize>,
    /// Forces that count.
    yielding: Yielding,
}

impl Laws {
    /// The laws of `diagram`, whose inputs are `inputs`, as far as a model of contact takes them; `None` without a
    /// plant.
    pub fn new(diagram: &Diagram, inputs: &[Channel], contact: LinearContact) -> Option<Self> {
        diagram.plants().next()?;
        let inputs = inputs.iter().map(|input| input.index).collect();
        Some(Laws { at: ForcesAt::new(diagram), inputs, yielding: contact.into() })
    }

    /// Chooses the model of contact.
    pub fn set(&mut self, contact: LinearContact) {
        self.yielding = contact.into();
    }

    /// The evaluation, held at `state` and `inputs`.
    pub fn at(&mut self, state: &State, inputs: &[f64]) -> &mut ForcesAt {
        for (index, value) in self.inputs.iter().zip(inputs) {
            self.at.set(*index, *value);
        }
        self.at.hold(state);
        &mut self.at
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        self.at.diagram()
    }

    /// Places of the plants.
    pub fn layout(&self) -> &Layout {
        self.at.layout()
    }

    /// Adds the accelerations by these forces to `rates`. `false` if a mass matrix is singular.
    pub fn add_rates(&mut self, state: &State, inputs: &[f64], rates: &mut [f64]) -> bool {
        let yielding = self.yielding;
        let at = self.at(state, inputs);
        at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
        if !at.any_yields(yielding.contacts, yielding.stops) {
            return true;
        }
        let mut accelerations = Vec::new();
        at.forces(yielding.contacts, yielding.stops, &mut accelerations);
        let done = at.accelerate(&mut accelerations);
        for slot in &at.layout().plants {
            let own = &accelerations[slot.global.clone()];
            rates[slot.velocities.clone()].iter_mut().zip(own).for_each(|(rate, a)| *rate += a);
        }
        done
    }

    /// Adds the derivatives of the accelerations by these forces to `of_rates`, states x (states, then inputs).
    pub fn add_derivatives(&mut self, state: &State, inputs: &[f64], of_rates: &mut DMatrix<f64>) {
        let yielding = self.yielding;
        let indices = self.inputs.clone();
        let at = self.at(state, inputs);
        at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
        if !at.any_yields(yielding.contacts, yielding.stops) {
            return;
        }
        let mut accelerations = Vec::new();
        at.forces(yielding.contacts, yielding.stops, &mut accelerations);
        at.accelerate(&mut accelerations);
        let steps = Steps::at(at);
        let mut directions = Directions::new(at.diagram(), at.layout());
        let belts = at.layout().has_moving_surfaces(at.diagram());
        let nx = state.continuous.len();
        let plants = at.layout().plants.clone();
        for (p, slot) in plants.iter().enumerate() {
            let positions = Directions::inverse_map(at.diagram(), at.layout(), slot, &state.continuous);
            let mut by_positions = DMatrix::zeros(slot.global.len(), slot.global.len());
            for (column, j) in slot.global.clone().enumerate() {
                let mut moved = difference(steps.position[j], |step| {
                    directions.advance(at, &state.continuous, j, step);
                    forces(at, state.time, &directions.continuous, yielding)
                });
                let turned = directions.of_momentum(at, p, &state.continuous, j, &accelerations);
                moved.iter_mut().zip(turned).for_each(|(force, turned)| *force -= turned);
                at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
                at.accelerate(&mut moved);
                slot.global.clone().enumerate().for_each(|(row, i)| by_positions[(row, column)] = moved[i]);
                let velocity = slot.velocities.start + column;
                let mut slowed = difference(steps.velocity[j], |step| {
                    let mut continuous = state.continuous.clone();
                    continuous[velocity] += step;
                    forces(at, state.time, &continuous, yielding)
                });
                at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
                at.accelerate(&mut slowed);
                add(of_rates, slot.velocities.start, velocity, &slowed[slot.global.clone()]);
            }
            let by_positions = by_positions * positions;
            for (column, j) in slot.positions.clone().enumerate() {
                add(of_rates, slot.velocities.start, j, by_positions.column(column).as_slice());
            }
        }
        // Surfaces that move by themselves move with what drives them.
        let others = (0..nx + inputs.len()).filter(|i| !plants.iter().any(|slot| slot.covers(*i)));
        for column in others.filter(|_| belts) {
            let mut slid = difference(steps.slowest, |step| {
                let mut continuous = state.continuous.clone();
                match column.checked_sub(nx) {
                    None => continuous[column] += step,
                    Some(input) => at.set(indices[input], inputs[input] + step),
                }
                forces(at, state.time, &continuous, yielding)
            });
            if let Some(input) = column.checked_sub(nx) {
                at.set(indices[input], inputs[input]);
            }
            at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
            at.accelerate(&mut slid);
            for slot in &plants {
                add(of_rates, slot.velocities.start, column, &slid[slot.global.clone()]);
            }
        }
    }
}

fn add(to: &mut DMatrix<f64>, first: usize, column: usize, values: &[f64]) {
    values.iter().enumerate().for_each(|(i, value)| to[(first + i, column)] += value);
}

/// Generalized forces at another state.
fn forces(at: &mut ForcesAt, time: f64, continuous: &[f64], yielding: Yielding) -> Vec<f64> {
    let mut found = Vec::new();
    at.evaluate(time, continuous, 0.0, FrictionPlace::default());
    at.forces(yielding.contacts, yielding.stops, &mut found);
    found
}

/// Steps of the differences along each velocity of all plants.
struct Steps {
    /// Of its position \[m, rad\].
    position: Vec<f64>,
    /// Of itself \[m/s, rad/s\].
    velocity: Vec<f64>,
    /// The least of all speeds of surfaces \[m/s\].
    slowest: f64,
}

impl Steps {
    /// Steps at the last evaluation, none so short that rounding is all that is left.
    fn at(at: &ForcesAt) -> Self {
        let problem = at.problem();
        let size = problem.size();
        let reaches = reaches(at);
        let mut steps = Steps { position: vec![TURN; size], velocity: vec![PART_OF_SLIP; size], slowest: PART_OF_SLIP };
        let mut unit = vec![0.0; size];
        for row in &problem.contacts.points {
            let length = reaches[row.body_a].min(reaches[row.body_b]);
            let length = if length > 0.0 && length.is_finite() { length } else { 1.0 };
            let slip = row.start.slip_tolerance.hypot(row.start.slip0.norm());
            steps.slowest = steps.slowest.min(PART_OF_SLIP * slip);
            for j in 0..size {
                unit[j] = 1.0;
                let (a, b) = (problem.body_velocity(row.body_a, &unit), problem.body_velocity(row.body_b, &unit));
                unit[j] = 0.0;
                let (moved, turned) = (row.velocity_between(&a, &b), (b.0 - a.0).norm());
                let along = row.normal.dot(&moved).abs();
                let way = moved.norm() + length * turned;
                if way == 0.0 {
                    continue;
                }
                let limits = [PART_OF_SIZE * length / way, PART_OF_DEPTH * row.depth.abs() / along];
                steps.position[j] = limits.into_iter().fold(steps.position[j], f64::min);
                steps.velocity[j] = steps.velocity[j].min(PART_OF_SLIP * slip / way);
            }
        }
        let stops = problem.elements.of::<kinegraph_convex::contact::CompliantStop>();
        for stop in stops.iter().filter(|stop| stop.gap != 0.0) {
            let step = &mut steps.position[stop.velocity];
            *step = step.min(PART_OF_DEPTH * stop.gap.abs());
        }
        const MIN_STEP: f64 = 1e-10; // rounding
        steps.position.iter_mut().chain(&mut steps.velocity).for_each(|step| *step = step.max(MIN_STEP));
        steps
    }
}

/// Distance from the origin of each body to its farthest point \[m\].
fn reaches(at: &ForcesAt) -> Vec<f64> {
    let plants = at.layout().plants.iter().map(|slot| at.layout().plant(at.diagram(), slot));
    plants.flat_map(|plant| plant.reach().to_vec()).collect()
}
