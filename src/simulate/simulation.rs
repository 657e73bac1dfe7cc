//! Running a diagram from Rust: a diagram, its state, and the integrator that advances it.

use super::events::{Crossed, Events};
use super::run_error::RunError;
use super::snapshot::{Snapshot, SnapshotError};
use crate::diagram::{BuildError, Channel, Diagram, State, Values};
use crate::integrators::{Attempt, Attempts, Integrator, IntegratorError, OptionError, Options, Statistics, Step};
use crate::profile::{Phases, Stopwatch};
use kinegraph_systems::port::simultaneous;
use kinegraph_systems::step_record::{ContactResults, StepRecord};
use kinegraph_systems::{ConvexPlant, Out, Signal};
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
    /// A block that is no plant.
    #[error("there is no plant `{name}`; plants of the diagram: {}", plants.join(", "))]
    NoPlant {
        /// The name asked for.
        name: String,
        /// The plants that there are.
        plants: Vec<String>,
    },
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
    events: Events,
    /// Start of the latest crowd of crossings, and their number.
    crowd: (f64, usize),
    stepping: Duration,
}

/// What a run tells while it advances.
pub(super) enum Told<'a> {
    /// The state at the time of a sample.
    Sample(&'a State),
    /// A step was taken, or failed.
    Step(&'a Simulation),
}

/// This many crossings within [`ZENO_WINDOW`] stop a run.
const ZENO_EVENTS: usize = 500;
/// Relative to the time (at least one second).
const ZENO_WINDOW: f64 = 1e-6;

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
        Ok(Simulation {
            values: diagram.values(),
            events: Events::new(diagram),
            diagram: diagram.clone(),
            state,
            integrator,
            crowd: (f64::NEG_INFINITY, 0),
            stepping: Duration::ZERO,
        })
    }

    /// Replaces the integrator; the state stays.
    ///
    /// # Errors
    /// An integrator that does not suit the diagram.
    pub fn switch(&mut self, mut integrator: Box<dyn Integrator>) -> Result<(), IntegratorError> {
        integrator.initialize(&self.diagram, &self.state)?;
        let (old, new) = (self.integrator.statistics_mut(), integrator.statistics_mut());
        (new.watch, new.attempts) = (std::mem::take(&mut old.watch), std::mem::take(&mut old.attempts));
        self.integrator = integrator;
        Ok(())
    }

    /// Takes one step that ends no later than `limit` \[s\], and handles what happens at its end.
    ///
    /// # Errors
    /// The integrator cannot go on, a witness function is not a number, or events come without end; the state is that
    /// of the last good step.
    pub fn step(&mut self, limit: f64) -> Result<Step, RunError> {
        self.start()?;
        let start = Instant::now();
        let result = self.step_to_event(limit);
        self.stepping += start.elapsed();
        result
    }

    /// Fires the events of the start time, once.
    fn start(&mut self) -> Result<(), RunError> {
        if self.state.started {
            return Ok(());
        }
        self.state.started = true;
        self.update()
    }

    fn step_to_event(&mut self, limit: f64) -> Result<Step, RunError> {
        if limit.is_nan() || limit <= self.state.time {
            return Ok(self.integrator.advance(&mut self.state, limit)?);
        }
        let tick = self.events.next_tick(&self.diagram, self.state.time);
        // A limit within rounding of a tick is the tick.
        let limit = if (tick - limit).abs() <= simultaneous(limit) { limit } else { limit.min(tick) };
        let at_tick = limit >= tick - simultaneous(tick);
        if self.events.watches() {
            self.events.look_before(&self.diagram, &self.state)?;
        }
        self.integrator.statistics_mut().attempts.clear();
        let step = self.integrator.advance(&mut self.state, limit)?;
        let mut event = false;
        if self.events.watches()
            && let Some(crossed) = self.events.locate(&self.diagram, self.integrator.dense(), &mut self.state)?
        {
            self.cross(crossed)?;
            event = true;
        }
        if at_tick && self.state.time == limit {
            self.update()?;
            event = true;
        }
        Ok(if event { Step::Event { time: self.state.time } } else { step })
    }

    /// Applies the resets of crossings, then those of the crossings that they make in turn, until there are none.
    fn cross(&mut self, mut crossed: Crossed) -> Result<(), RunError> {
        self.integrator.interrupted();
        loop {
            let next = self.events.reset(&self.diagram, &crossed, &mut self.state)?;
            self.guard_against_zeno(&crossed)?;
            match next {
                Some(next) => crossed = next,
                None => return Ok(()),
            }
        }
    }

    /// Fires the periodic events of the current time, and the crossings that they make.
    fn update(&mut self) -> Result<(), RunError> {
        if self.events.watches() {
            self.events.look_before(&self.diagram, &self.state)?;
        }
        if !self.events.fire_ticks(&self.diagram, &mut self.state) {
            return Ok(());
        }
        self.integrator.interrupted();
        if !self.events.watches() {
            return Ok(());
        }
        match self.events.jumped(&self.diagram, &self.state)? {
            Some(crossed) => self.cross(crossed),
            None => Ok(()),
        }
    }

    /// Crossings that crowd together without end (a ball that bounces ever faster) stop the run with a report.
    fn guard_against_zeno(&mut self, crossed: &Crossed) -> Result<(), RunError> {
        let window = ZENO_WINDOW * crossed.time.abs().max(1.0);
        if crossed.time - self.crowd.0 > window {
            self.crowd = (crossed.time, 0);
        }
        self.crowd.1 += 1;
        if self.crowd.1 > ZENO_EVENTS {
            let witnesses = self.events.names(&self.diagram, crossed);
            return Err(RunError::Zeno { time: crossed.time, events: self.crowd.1, window, witnesses });
        }
        Ok(())
    }

    /// Advances to time `t` \[s\].
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn advance_to(&mut self, t: f64) -> Result<(), RunError> {
        self.start()?;
        // A time that is not a number is refused by the first step.
        while self.state.time < t || t.is_nan() {
            self.step(t)?;
        }
        Ok(())
    }

    /// Advances to `t` and calls `sample` with the state at every multiple of `every` \[s\] from where it is, and at
    /// the end. Samples are read off the steps and never change them; at an event they see the state after it. An
    /// `every` that is not a positive number asks for the first and the last sample only.
    ///
    /// # Errors
    /// As [`step`](Self::step); all samples before were taken.
    pub fn advance_sampling(&mut self, t: f64, every: f64, mut sample: impl FnMut(&State)) -> Result<(), RunError> {
        self.advance_telling(t, every, |told| match told {
            Told::Sample(state) => sample(state),
            Told::Step(..) => {}
        })
    }

    /// The same, and tells of every step, of one that failed too.
    pub(super) fn advance_telling(
        &mut self,
        t: f64,
        every: f64,
        mut tell: impl FnMut(Told<'_>),
    ) -> Result<(), RunError> {
        self.start()?;
        let start = self.state.time;
        let mut at = self.state.clone();
        tell(Told::Sample(&at));
        let mut next = 1_u64;
        let every = if every > 0.0 { every } else { f64::INFINITY };
        let time_of = |k: u64| start + k as f64 * every;
        while self.state.time < t || t.is_nan() {
            // Inside a step the discrete state is that of its start, except for what plants tell of the step itself.
            at.discrete.clone_from(&self.state.discrete);
            let stepped = self.step(t);
            tell(Told::Step(self));
            stepped?;
            for block in self.diagram.blocks().iter().filter(|block| block.system.as_plant().is_some()) {
                at.discrete[block.discrete.clone()].copy_from_slice(&self.state.discrete[block.discrete.clone()]);
            }
            let now = self.state.time;
            while time_of(next) < now - simultaneous(now) {
                at.time = time_of(next);
                self.integrator.dense().evaluate(at.time, &mut at.continuous);
                tell(Told::Sample(&at));
                next += 1;
            }
            if time_of(next) <= now + simultaneous(now) {
                if now < t {
                    tell(Told::Sample(&self.state));
                }
                next += 1;
            }
        }
        if t > start {
            tell(Told::Sample(&self.state));
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
        self.crowd = (f64::NEG_INFINITY, 0);
        Ok(())
    }

    /// What it takes to go on from here later, bit for bit.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            integrator: self.integrator.name().to_owned(),
            memory: self.integrator.memory(),
            crowd: (self.crowd.0.into(), self.crowd.1 as u64),
            ..Snapshot::new(&self.diagram, &self.state)
        }
    }

    /// Goes back, or on, to where `snapshot` was taken: the steps that follow are those that would have followed there,
    /// to the last bit. What another integrator remembers is ignored; counts start anew.
    ///
    /// # Errors
    /// A snapshot of another diagram; an integrator that cannot start from its state. The simulation is then as it was.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.set_state(snapshot.state_of(&self.diagram)?)?;
        if snapshot.integrator == self.integrator.name() {
            self.integrator.recall(&snapshot.memory);
        }
        self.crowd = (snapshot.crowd.0.into(), snapshot.crowd.1 as usize);
        Ok(())
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The value of an output port now; empty if the port is not of this diagram.
    pub fn output<T: Signal>(&mut self, port: Out<T>) -> Vec<f64> {
        self.diagram.evaluate_state(&self.state, &mut self.values);
        self.diagram.range_of(port).map_or_else(Vec::new, |range| self.values.get(range).to_vec())
    }

    /// The value of a channel now (`plant.arm.joint1.q`).
    ///
    /// # Errors
    /// A name that the diagram does not have.
    pub fn channel(&mut self, name: &str) -> Result<f64, SimulationError> {
        let channels = self.diagram.find_channels(name).map_err(Box::new)?;
        self.diagram.evaluate_state(&self.state, &mut self.values);
        Ok(channels.first().map_or(f64::NAN, |c: &Channel| self.values.arena()[c.index]))
    }

    /// What acted on a plant in the last accepted step, by the name of its block; `None` before the first step.
    ///
    /// # Errors
    /// A name that is none of a plant of the diagram.
    pub fn step_record(&self, plant: &str) -> Result<Option<&StepRecord>, SimulationError> {
        Ok(self.integrator.records().get(self.plant(plant)?.0))
    }

    /// The contact points of a plant in the last accepted step, by the name of its block; none before the first step.
    ///
    /// # Errors
    /// A name that is none of a plant of the diagram.
    pub fn contact_results(&self, plant: &str) -> Result<ContactResults<'_>, SimulationError> {
        let (index, plant) = self.plant(plant)?;
        let contacts = self.integrator.records().get(index).map_or(&[][..], |record| &record.contacts);
        Ok(ContactResults { structure: plant.structure(), contacts })
    }

    /// The plant of this name and its place among all plants.
    fn plant(&self, name: &str) -> Result<(usize, &dyn ConvexPlant), SimulationError> {
        let plants = || {
            let blocks = self.diagram.blocks().iter();
            blocks.filter_map(|block| Some((block.name.as_str(), block.system.as_plant()?)))
        };
        let found = plants().enumerate().find(|(_, (other, _))| *other == name);
        found.map(|(index, (_, plant))| (index, plant)).ok_or_else(|| SimulationError::NoPlant {
            name: name.to_owned(),
            plants: plants().map(|(name, _)| name.to_owned()).collect(),
        })
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

    /// Has the time of each [phase](crate::profile::Phase) of the steps to come measured. The steps are the same;
    /// reading the clock makes small scenes slower.
    pub fn profile(&mut self) {
        self.integrator.statistics_mut().watch = Stopwatch::on();
        self.stepping = Duration::ZERO;
    }

    /// Time spent in each phase since [`profile`](Self::profile); `None` without it.
    pub fn phases(&self) -> Option<&Phases> {
        self.integrator.statistics().watch.phases()
    }

    /// Has the attempts at every step to come kept until the next step.
    pub fn keep_attempts(&mut self) {
        self.integrator.statistics_mut().attempts = Attempts::kept();
    }

    /// The attempts at the last step, the one that was accepted last; empty without
    /// [`keep_attempts`](Self::keep_attempts).
    pub fn attempts(&self) -> &[Attempt] {
        self.integrator.statistics().attempts.list()
    }

    /// Name of the coordinate in which an attempt erred most; empty where the method has no estimate.
    pub fn worst_coordinate(&self, attempt: &Attempt) -> &str {
        let norm = self.integrator.error_norm();
        attempt.worst.zip(norm).map_or("", |(worst, norm)| norm.name(worst))
    }

    /// Wall time spent in the integrator, since [`profile`](Self::profile) if that was called.
    pub fn stepping_time(&self) -> Duration {
        self.stepping
    }
}
