//! Linearization of a whole diagram: `ẋ = A x + B u`, `y = C x + D u` for deviations from an operating point.
//!
//! States are the continuous states of all blocks, plants included: with the laws of their contacts, or what sticks
//! held ([`LinearContact`]), and reduced by rigid constraints. Orientations are in minimal coordinates: a rotation
//! vector `rx ry rz` of zero length at the operating point stands for a unit quaternion, so that a free body has 12
//! states. Discrete states are held.
//! Columns come from dual numbers, one pass for every [`JET_WIDTH`] of them; a block with another derivative policy is
//! differentiated by that.
//!
//! Signals that a block samples or delays do not follow the continuous state: [`LinearModel::cut_by`] names the blocks
//! that cut paths of the model in this way. Where they cut every path from an input to an output, B and D would be
//! zero, and there is no model ([`LinearizeFault::CutPath`]).
//!
//! An input is any input port. Its column is a disturbance added to the signal of the port, so that loops through it
//! stay closed; a port in [`LinearizePorts::cuts`] is cut off instead and its loops are open.

mod contact;
mod cut_paths;
mod delays;
mod disturbance;
mod fault;
mod flat_blocks;
mod held;
mod margins;
mod minimal;
mod model;
mod peak;
mod reduce;
mod response_grid;
mod rewire;
mod root_locus;
mod rotations;
mod sampled;
mod scaling;
mod sine_input;
mod step_response;
mod trim;
mod zeros;

pub use crate::choices::linear_model::DRIFT;
pub use contact::{HeldKind, HeldPart, LinearContact};
pub use delays::DelayedModel;
pub use fault::{LinearizeFault, LinearizeFaults};
pub use margins::{Margins, decibels, phases};
pub use minimal::Removed;
pub use model::{BlockFault, LinearModel, beyond_stability};
pub use peak::{PeakGain, largest as largest_gain};
pub use reduce::{ReduceFault, Reduced};
pub use response_grid::{ResponseGrid, response_range};
pub use rewire::LinearizePorts;
pub use root_locus::{Crossing, RootLocus};
pub use rotations::Rotations;
pub use sampled::{Period, SampledDiagram, SampledModel};
pub(crate) use sine_input::{SineInput, Wave};
pub use step_response::{StepResponses, step_duration};
pub use trim::{Bound, Equilibrium, TrimFault, TrimOptions};

use cut_paths::CutPaths;
use flat_blocks::FlatBlocks;
use kinegraph_core::convex::{JointLimit, PlantPoint};
use kinegraph_core::memory;
use kinegraph_core::scalar::seed;
use kinegraph_core::{JET_WIDTH, Jet, Scalar};
use kinegraph_diagram::{Channel, Diagram, State, Values};
use nalgebra::DMatrix;

/// A diagram with chosen inputs and outputs, ready to be linearized at any operating point.
pub struct Linearizer {
    diagram: Diagram,
    /// Place of each number of the inputs in the arena, with its name and its value when the linearizer was made.
    inputs: Vec<Channel>,
    start: Vec<f64>,
    outputs: Vec<Channel>,
    contact: LinearContact,
    /// Laws of contacts and rows of constraints; `None` without a plant.
    laws: Option<contact::Laws>,
    /// Beginnings of the names of states that are kept first.
    preferred: Vec<String>,
    /// States of the whole model that the last one has.
    kept: Vec<usize>,
    /// Paths that samples and delays cut.
    cut: CutPaths,
    flat: FlatBlocks,
    rotations: Rotations,
    values: Values<f64>,
    jets: Values<Jet>,
}

/// Linearizes `diagram` at `state`.
///
/// # Errors
/// Ports that do not exist, all together; or an operating point that has no linearization.
pub fn linearize(diagram: &Diagram, state: &State, ports: &LinearizePorts) -> Result<LinearModel, LinearizeFaults> {
    let mut linearizer = Linearizer::new(diagram, state, ports)?;
    let inputs = linearizer.start_inputs().to_vec();
    linearizer.at(state, &inputs).map_err(|fault| LinearizeFaults(vec![fault]))
}

impl Linearizer {
    /// Prepares `diagram`; ports that are cut off get the values they have at `state`.
    ///
    /// # Errors
    /// Ports that do not exist, or are both disturbed and cut; all together.
    pub fn new(diagram: &Diagram, state: &State, ports: &LinearizePorts) -> Result<Self, LinearizeFaults> {
        let rewired = rewire::rewire(diagram, state, ports)?;
        let (values, jets) = (rewired.diagram.values(), rewired.diagram.values());
        let start = rewired.inputs.iter().map(|channel| values.arena()[channel.index]).collect();
        let cut = CutPaths::of(&rewired.diagram, &rewired.inputs, &rewired.outputs);
        let laws = contact::Laws::new(&rewired.diagram, &rewired.inputs, LinearContact::default());
        Ok(Linearizer {
            cut,
            flat: FlatBlocks::of(&rewired.diagram, &rewired.outputs),
            rotations: Rotations::of(&rewired.diagram),
            diagram: rewired.diagram,
            inputs: rewired.inputs,
            start,
            outputs: rewired.outputs,
            contact: LinearContact::default(),
            laws,
            preferred: Vec::new(),
            kept: Vec::new(),
            values,
            jets,
        })
    }

    /// Leaves contacts out: bodies in contact and joints beyond their stops move as if they were not.
    /// [`Linearizer::left_out`] lists them.
    #[must_use]
    pub fn without_contact(self) -> Self {
        self.with_contact(LinearContact::Without)
    }

    /// Values of the inputs when the linearizer was made.
    pub fn start_inputs(&self) -> &[f64] {
        &self.start
    }

    /// Names of the inputs: the port's path, with an index if it is wider than one.
    pub fn input_names(&self) -> Vec<String> {
        self.inputs.iter().map(|channel| channel.name.clone()).collect()
    }

    /// Computes A, B, C, D at `state` with the given values of the inputs. Where constraints, locks or contacts hold,
    /// the states are those of the motion that is left, and velocities are those nearest that fit.
    ///
    /// # Errors
    /// An operating point beyond a rigid joint stop that neither holds nor is left out; contacts that cannot stick; an
    /// output that an input reaches by way of samples and delays only; an algebraic loop that does not close; a
    /// derivative that is not a finite number.
    ///
    /// # Panics
    /// If `state` or `inputs` has the wrong length.
    pub fn at(&mut self, state: &State, inputs: &[f64]) -> Result<LinearModel, LinearizeFault> {
        if self.contact == LinearContact::Law {
            let refused =
                self.left_out(state).into_iter().find(|fault| matches!(fault, LinearizeFault::BeyondStop { .. }));
            refused.map_or(Ok(()), Err)?;
        }
        if let Some(fault) = &self.cut.fault {
            return Err(fault.clone());
        }
        let Some(hold) = self.hold(state, inputs)? else {
            let model = self.whole(state, inputs)?;
            self.kept = (0..model.a.nrows()).collect();
            return Ok(model);
        };
        hold.check()?;
        let reduction = self.reduced(&hold, inputs)?;
        self.kept = reduction.kept;
        reduction.model.check_finite()?;
        Ok(reduction.model)
    }

    /// Computes the rates of the continuous state: with the laws of contacts if they count, without what holds.
    pub fn rates(&mut self, state: &State, inputs: &[f64], rates: &mut [f64]) -> Result<(), LinearizeFault> {
        self.smooth_rates(state, inputs, rates)?;
        if let Some(laws) = &mut self.laws
            && !laws.add_rates(state, inputs, rates)
        {
            return Err(LinearizeFault::CannotHold { what: "a body without inertia".into() });
        }
        Ok(())
    }

    /// Computes the rates of the smooth motion.
    fn smooth_rates(&mut self, state: &State, inputs: &[f64], rates: &mut [f64]) -> Result<(), LinearizeFault> {
        self.values.hold(&state.discrete);
        for (channel, value) in self.inputs.iter().zip(inputs) {
            self.values.arena_mut()[channel.index] = *value;
        }
        self.diagram.evaluate(state.time, &state.continuous, &mut self.values);
        if let Some(fault) = self.values.fault() {
            return Err(LinearizeFault::Loop(Box::new(fault.clone())));
        }
        self.diagram.derivatives_with_plants(state.time, &state.continuous, &self.values, rates);
        Ok(())
    }

    /// The model of all states, the four numbers of quaternions among them.
    fn differentiate(&mut self, state: &State, inputs: &[f64]) -> Result<LinearModel, LinearizeFault> {
        let (nx, nu, ny) = (self.diagram.state_width(), self.inputs.len(), self.outputs.len());
        assert_eq!((state.continuous.len(), inputs.len()), (nx, nu), "number of states and inputs");
        // The four matrices, their copies for the caller, and the decomposition of the first.
        let bytes = 8 * (6 * (nx + ny) * (nx + nu) + 4 * nx * nx) as u64;
        memory::ask(|| format!("the linear model of {nx} states, {nu} inputs and {ny} outputs"), bytes)?;
        // Algebraic loops of the dual passes start from the solution.
        let mut rates = vec![0.0; nx];
        self.rates(state, inputs, &mut rates)?;
        self.jets.hold(&state.discrete);
        self.jets.set_constants(&self.values);
        let (mut of_rates, mut of_outputs) = (DMatrix::zeros(nx, nx + nu), DMatrix::zeros(ny, nx + nu));
        let mut continuous = vec![Jet::constant(0.0); nx];
        let mut jet_rates = continuous.clone();
        let time = Jet::constant(state.time);
        self.flat.start();
        for first in (0..nx + nu).step_by(JET_WIDTH) {
            let chunk = first..(nx + nu).min(first + JET_WIDTH);
            let variable = |index: usize, value: f64| match chunk.contains(&index) {
                true => seed(value, index - first, 1.0),
                false => Jet::constant(value),
            };
            for (i, (to, from)) in continuous.iter_mut().zip(&state.continuous).enumerate() {
                *to = variable(i, *from);
            }
            for (i, (channel, value)) in self.inputs.iter().zip(inputs).enumerate() {
                self.jets.arena_mut()[channel.index] = variable(nx + i, *value);
            }
            self.diagram.evaluate(time, &continuous, &mut self.jets);
            if let Some(fault) = self.jets.fault() {
                return Err(LinearizeFault::Loop(Box::new(fault.clone())));
            }
            self.flat.look(&self.diagram, &self.jets);
            self.diagram.derivatives_with_plants(time, &continuous, &self.jets, &mut jet_rates);
            let spread = |row: usize, jet: Jet, matrix: &mut DMatrix<f64>| {
                for (column, partial) in chunk.clone().zip(jet.partials()) {
                    matrix[(row, column)] = partial;
                }
            };
            jet_rates.iter().enumerate().for_each(|(row, jet)| spread(row, *jet, &mut of_rates));
            for (row, channel) in self.outputs.iter().enumerate() {
                spread(row, self.jets.arena()[channel.index], &mut of_outputs);
            }
        }
        if let Some(laws) = &mut self.laws {
            laws.add_derivatives(state, inputs, &mut of_rates);
        }
        let model = LinearModel {
            a: of_rates.columns(0, nx).into_owned(),
            b: of_rates.columns(nx, nu).into_owned(),
            c: of_outputs.columns(0, nx).into_owned(),
            d: of_outputs.columns(nx, nu).into_owned(),
            rates,
            output_values: self.outputs.iter().map(|channel| self.values.arena()[channel.index]).collect(),
            state_names: self.diagram.state_names(),
            input_names: self.input_names(),
            cut_by: self.cut.blocks.clone(),
            flat: self.flat.names(&self.diagram),
            output_names: self.outputs.iter().map(|channel| channel.name.clone()).collect(),
            period: None,
        };
        model.check_finite()?;
        Ok(model)
    }

    /// Lists the contacts, one for each two bodies, and the joints beyond their stops at `state`: there the smooth
    /// motion is not the plant's motion.
    pub fn left_out(&self, state: &State) -> Vec<LinearizeFault> {
        let mut found = Vec::new();
        for (block, plant) in self.diagram.plants() {
            let structure = plant.structure();
            let (q, v) = state.continuous[block.state.clone()].split_at(structure.num_positions);
            let point = PlantPoint::touching(plant, q, v);
            for contact in point.contacts.iter().filter(|contact| contact.depth > 0.0) {
                let name = |body: usize| structure.bodies[body].name.clone();
                let bodies = (name(contact.body_a), name(contact.body_b));
                let fault = LinearizeFault::InContact { plant: block.name.clone(), bodies };
                if !found.contains(&fault) {
                    found.push(fault);
                }
            }
            let counts = |l: &&JointLimit| l.compliance.is_none() || self.contact == LinearContact::Without;
            let beyond = |l: &&JointLimit| q[l.position] < l.lower || q[l.position] > l.upper;
            for limit in structure.limits.iter().filter(counts).filter(beyond) {
                let position = format!("{}.{}", block.name, structure.position_names[limit.position]);
                found.push(LinearizeFault::BeyondStop { position, value: q[limit.position] });
            }
        }
        found
    }
}
