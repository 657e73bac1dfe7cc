//! Models in discrete time: `x[k+1] = A x[k] + B u[k]`, `y[k] = C x[k] + D u[k]` over a period.
//!
//! Blocks with one periodic event stand in the diagram as [`Held`]: what they hold is state, and its rate the change by
//! the event. One linearization then has the derivatives of rates, of updates and of outputs together. A period is
//! composed of events and of flows between them ([`lifting`]); several periods have a common multiple ([`period`]).
//!
//! **Conventions.** x\[k\] is the state just before the events at k T, u\[k\] the input from just before these
//! events up to those at (k + 1) T, y\[k\] the output just after them, as a recording has it. So a hold alone passes
//! u\[k\] on as y\[k\], and a plant between two of its samples is its exact discretization.

mod lifting;
mod period;

use super::delays::StandIns;
use super::fault::{LinearizeFault, LinearizeFaults};
use super::{
    Equilibrium, HeldPart, LinearContact, LinearModel, LinearizePorts, Linearizer, Rotations, TrimFault, TrimOptions,
};
use kinegraph_core::Sampling;
use kinegraph_diagram::{Diagram, State};
pub use period::Period;

/// A diagram whose sampled parts stand as state, at an operating point.
pub struct SampledDiagram {
    stand_ins: StandIns,
    ports: LinearizePorts,
    contact: LinearContact,
}

/// A model in discrete time, with the degree of the rational functions that stand for delays of signals that change
/// between events; `None`: there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledModel {
    /// The model.
    pub model: LinearModel,
    /// The degree.
    pub pade_order: Option<usize>,
}

impl SampledDiagram {
    /// Prepares `diagram` at `state`. Where a run has not begun, every sampled block has its first sample.
    ///
    /// # Errors
    /// Faults of the stand-ins for sampled blocks and delays.
    pub fn new(
        diagram: &Diagram,
        state: &State,
        ports: &LinearizePorts,
        contact: LinearContact,
    ) -> Result<Self, LinearizeFaults> {
        Ok(SampledDiagram { stand_ins: StandIns::sampled(diagram, state)?, ports: ports.clone(), contact })
    }

    fn linearizer(&self) -> Result<Linearizer, LinearizeFaults> {
        let made = Linearizer::new(&self.stand_ins.diagram, &self.stand_ins.state, &self.ports)?;
        Ok(made.with_contact(self.contact))
    }

    /// Values of the inputs at the operating point.
    ///
    /// # Errors
    /// Ports that do not exist.
    pub fn start_inputs(&self) -> Result<Vec<f64>, LinearizeFaults> {
        Ok(self.linearizer()?.start_inputs().to_vec())
    }

    /// Moves the operating point to an equilibrium in which no event changes anything either. Returns the inputs there.
    ///
    /// # Errors
    /// As [`Linearizer::trim`].
    pub fn trim(
        &mut self,
        inputs: &[f64],
        options: &TrimOptions,
    ) -> Result<Result<Equilibrium, TrimFault>, LinearizeFaults> {
        // At rest a delay has at its output what goes in.
        let at_rest = self.stand_ins.with_lags()?;
        let mut linearizer = Linearizer::new(&at_rest, &self.stand_ins.state, &self.ports)?.with_contact(self.contact);
        let found = linearizer.trim(&self.stand_ins.state, inputs, options);
        if let Ok(found) = &found {
            self.stand_ins.state = found.state.clone();
        }
        Ok(found)
    }

    /// Contacts and stops at the operating point, which are left out.
    ///
    /// # Errors
    /// Ports that do not exist.
    pub fn left_out(&self) -> Result<Vec<LinearizeFault>, LinearizeFaults> {
        Ok(self.linearizer()?.left_out(&self.stand_ins.state))
    }

    /// Contacts and what holds at the operating point.
    ///
    /// # Errors
    /// As [`Linearizer::held`].
    pub fn held(&self, inputs: &[f64]) -> Result<Vec<HeldPart>, LinearizeFaults> {
        self.linearizer()?.held(&self.stand_ins.state, inputs).map_err(|fault| LinearizeFaults(vec![fault]))
    }

    /// The operating point as a state of `diagram`, from which this was made.
    pub fn state_of(&self, diagram: &Diagram, before: &State) -> State {
        self.stand_ins.state_of(diagram, before)
    }

    /// Values of the states at the operating point, by name.
    pub fn state_values(&self) -> Vec<(String, f64)> {
        let names = self.stand_ins.diagram.state_names();
        names.into_iter().zip(self.stand_ins.state.continuous.iter().copied()).collect()
    }

    /// The model over `period`, in which signals that delays change between events go through rational functions of
    /// degree `order`.
    ///
    /// # Errors
    /// As [`linearize`](super::linearize), and periods that do not fit together.
    pub fn model(&self, period: Period, inputs: &[f64], order: usize) -> Result<SampledModel, LinearizeFaults> {
        let one = |fault: LinearizeFault| LinearizeFaults(vec![fault]);
        let length = period.length(&self.stand_ins.samplings).map_err(one)?;
        let mut linearizer = self.linearizer()?;
        let model = linearizer.at(&self.stand_ins.state, inputs).map_err(one)?;
        let rotations = Rotations::of(&self.stand_ins.diagram);
        let delays = rotations.shortened(&self.stand_ins.delays);
        let held = rotations.shortened(&self.stand_ins.held);
        let delays: Vec<_> = linearizer.kept().iter().map(|i| delays[*i]).collect();
        let held: Vec<_> = linearizer.kept().iter().map(|i| held[*i]).collect();
        lifting::Lifting::new(model, &delays, &held, length, order).composed().map_err(one)
    }
}

/// Kind of a number of the state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A continuous state.
    Flows,
    /// A number that a block holds, updated at these times.
    Held(Sampling),
    /// A signal that changes at events only, behind its delay \[s\].
    Late(f64),
}
