//! Running a diagram from Rust: a diagram, its state, and the integrator that advances it.

use crate::diagram::{BuildError, Channel, Diagram, State, Values};
use crate::integrators::{Integrator, IntegratorError, OptionError, Options, Statistics, Step};
use kinegraph_systems::{Out, Signal};
use std::time::{Duration, Instant};

/// Why a simulation cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option of the integrator is out of range.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The integrator cannot start or go on.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
    /// A channel that the diagram does not have.
    #[error(transparent)]
    Channel(#[from] Box<BuildError>),
}

/// A diagram in motion. Deterministic: the same inputs give the same bits.
pub struct Simulation {
    diagram: Diagram,
    state: State,
    integrator: Box<dyn Integrator>,
    values: Values<f64>,
    stepping: Duration,
}

impl Simulation {
    /// `diagram` at its initial state, advanced as `options` say.
    ///
    /// # Errors
    /// Options out of range; an integrator that does not suit the diagram.
    pub fn new(diagram: &Diagram, options: Options) -> Result<Self, SimulationError> {
        Ok(Self::with(diagram, diagram.initial_state(), options.build()?)?)
    }

    /// `diagram` at `state`, advanced by `integrator`.
    ///
    /// # Errors
    /// An integrator that does not suit the diagram.
    pub fn with(diagram: &Diagram, state: State, mut integrator: Box<dyn Integrator>) -> Result<Self, IntegratorError> {
        integrator.initialize(diagram, &state)?;
        let values = diagram.values();
        Ok(Simulation { diagram: diagram.clone(), state, integrator, values, stepping: Duration::ZERO })
    }

    /// Replaces the integrator; the state stays.
    ///
    /// # Errors
    /// An integrator that does not suit the diagram.
    pub fn switch(&mut self, mut integrator: Box<dyn Integrator>) -> Result<(), IntegratorError> {
        integrator.initialize(&self.diagram, &self.state)?;
        self.integrator = integrator;
        Ok(())
    }

    /// Takes one step that ends no later than `limit` \[s\].
    ///
    /// # Errors
    /// The integrator cannot go on; the state is that of the last good step.
    pub fn step(&mut self, limit: f64) -> Result<Step, IntegratorError> {
        let start = Instant::now();
        let step = self.integrator.advance(&mut self.state, limit);
        self.stepping += start.elapsed();
        step
    }

    /// Advances to time `t` \[s\].
    ///
    /// # Errors
    /// The integrator cannot go on; the state is that of the last good step.
    pub fn advance_to(&mut self, t: f64) -> Result<(), IntegratorError> {
        while self.state.time < t {
            self.step(t)?;
        }
        Ok(())
    }

    /// Advances to `t` and calls `sample` with time and state at every multiple of `every` \[s\] from where it is, and at the end. Samples
    /// are read off the steps and never change them.
    ///
    /// # Errors
    /// The integrator cannot go on; all samples before were taken.
    pub fn advance_sampling(
        &mut self,
        t: f64,
        every: f64,
        mut sample: impl FnMut(&State),
    ) -> Result<(), IntegratorError> {
        let start = self.state.time;
        let mut at = self.state.clone();
        sample(&at);
        let mut next = 1_u64;
        let time_of = |k: u64| start + k as f64 * every;
        while self.state.time < t {
            self.step(t)?;
            // A sample that falls on the end within rounding is the end.
            while time_of(next) <= self.state.time && time_of(next) < t - 1e-9 * every {
                at.time = time_of(next);
                self.integrator.dense().evaluate(at.time, &mut at.continuous);
                sample(&at);
                next += 1;
            }
        }
        if t > start {
            sample(&self.state);
        }
        Ok(())
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// Time and continuous state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Changes the state from outside.
    ///
    /// # Errors
    /// An integrator that cannot start from it.
    pub fn set_state(&mut self, state: State) -> Result<(), IntegratorError> {
        self.integrator.initialize(&self.diagram, &state)?;
        self.state = state;
        Ok(())
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The value of an output port now; empty if the port is not of this diagram.
    pub fn output<T: Signal>(&mut self, port: Out<T>) -> Vec<f64> {
        self.diagram.evaluate(self.state.time, &self.state.continuous, &mut self.values);
        self.diagram.range_of(port).map_or_else(Vec::new, |range| self.values.get(range).to_vec())
    }

    /// The value of a channel now (`plant.arm.joint1.q`).
    ///
    /// # Errors
    /// A name that the diagram does not have.
    pub fn channel(&mut self, name: &str) -> Result<f64, SimulationError> {
        let channels = self.diagram.find_channels(name).map_err(Box::new)?;
        self.diagram.evaluate(self.state.time, &self.state.continuous, &mut self.values);
        Ok(channels.first().map_or(f64::NAN, |c: &Channel| self.values.arena()[c.index]))
    }

    /// Mechanical energy of all plants at `state` \[J\]; `None` without a plant.
    pub fn energy_at(&self, state: &State) -> Option<f64> {
        let plants = self.diagram.blocks().iter().filter_map(|block| {
            let plant = block.system.as_plant()?;
            let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
            Some(plant.energy(q, v))
        });
        plants.reduce(|a, b| a + b)
    }

    /// Mechanical energy of all plants now \[J\]; `None` without a plant.
    pub fn energy(&self) -> Option<f64> {
        self.energy_at(&self.state)
    }

    /// Counts of the run so far.
    pub fn statistics(&self) -> &Statistics {
        self.integrator.statistics()
    }

    /// The integrator.
    pub fn integrator(&self) -> &dyn Integrator {
        &*self.integrator
    }

    /// Wall time spent in the integrator.
    pub fn stepping_time(&self) -> Duration {
        self.stepping
    }
}
