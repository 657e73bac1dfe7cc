//! Simulation of a diagram from Rust: a diagram, its state, and the integrator that advances it.

use super::acting::StepSeen;
use super::energies;
use super::plan::Plan;
use super::run_error::RunError;
use super::sampling::Sampling;
use super::snapshot::{Snapshot, SnapshotError};
use super::step_motion::StepMotion;
use super::uncut::Uncut;
use super::world::World;
use crate::integrators::{Attempt, Attempts, Integrator, IntegratorError, Options, Statistics, Step, check_state};
use kinegraph_convex::profile::Phases;
use kinegraph_core::step_record::{ContactResults, StepRecord};
use kinegraph_core::{ConvexPlant, Out, Signal};
use kinegraph_diagram::{BuildError, Channel, Diagram, State};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Reason why a simulation cannot be made.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option of the integrator is out of range, or it does not suit the diagram or the state.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
    /// A block that is no plant.
    #[error("there is no plant `{name}`; plants of the diagram: {}", plants.join(", "))]
    NoPlant {
        /// Requested name.
        name: String,
        /// Known plants.
        plants: Vec<String>,
    },
    /// A channel that the diagram does not have.
    #[error(transparent)]
    Channel(#[from] Box<BuildError>),
}

kinegraph_core::debug_is_message!(SimulationError);

/// A simulation: one [`World`] of a [`Plan`]. Deterministic: the same inputs give the same bits. A copy continues as
/// the original does, and shares its plan.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(super) plan: Arc<Plan>,
    pub(super) world: World,
    /// State of the observed run before its end affects its steps, once that is near.
    pub(super) uncut: Option<Box<Uncut>>,
    /// Time from which the next run reports, if that is not its present time.
    pub(super) reports_from: Option<f64>,
    /// True if a run has two samples at each event.
    pub(super) samples_events: bool,
}

/// Report of a run while it advances.
pub(super) enum Advance<'a> {
    /// State at the time of a sample, and the step that led there or past it.
    Sample(&'a State, StepSeen<'a>),
    /// A step was taken, or failed.
    Step(&'a Simulation),
    /// The motion within that step; at the start, and at the end after its events, one without length.
    Motion(StepMotion<'a>),
}

impl Simulation {
    /// Simulation of `diagram` from its initial state, with these `options`.
    ///
    /// # Errors
    /// Options out of range; an integrator that does not suit the diagram.
    pub fn new(diagram: &Diagram, options: Options) -> Result<Self, SimulationError> {
        Ok(Self::of(&Arc::new(Plan::new(diagram, options)?)))
    }

    /// A new world of `plan`, at the initial state of its diagram.
    pub fn of(plan: &Arc<Plan>) -> Self {
        Self::going_on(plan.clone(), plan.world())
    }

    /// Simulation that continues as `world` of `plan` does.
    pub(super) fn going_on(plan: Arc<Plan>, world: World) -> Self {
        Simulation { plan, world, uncut: None, reports_from: None, samples_events: false }
    }

    /// Simulation of the diagram of `integrator` from `state`.
    ///
    /// # Errors
    /// [`IntegratorError::ForeignState`]: a state of another diagram.
    pub fn with(state: State, integrator: Box<dyn Integrator>) -> Result<Self, IntegratorError> {
        let plan = Arc::new(Plan::with(integrator));
        let world = plan.world_at(state)?;
        Ok(Self::going_on(plan, world))
    }

    /// Continues with another integrator, of these options or with its defaults. Time, state and future events stay as
    /// they are, to the last bit; counts start anew.
    ///
    /// ```
    /// use kinegraph::integrators::METHODS;
    /// use kinegraph::simulate::Scenario;
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let mut simulation = Scenario::open("examples/double_pendulum/double_pendulum.yaml")?.simulation()?;
    /// for method in METHODS {
    ///     simulation.switch(method)?;
    ///     simulation.advance_to(simulation.time() + 0.01)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Options out of range; an integrator that does not suit the diagram. The simulation is then as it was.
    pub fn switch(&mut self, options: impl Into<Options>) -> Result<(), IntegratorError> {
        let plan = self.plan.switched(options.into())?;
        self.world.switch(plan.integrator(), plan.non_finite(), plan.promise());
        self.world.threads = plan.threads().clone();
        self.plan = Arc::new(plan);
        Ok(())
    }

    /// Makes the energy of the plants be judged from the next step on, unless the resumed run was judged already: a run
    /// with steps of fixed length stops as soon as they have gained more energy than anything could give them. Do not
    /// use it if the state is changed by hand.
    pub fn judge_energy(&mut self) {
        self.world.judge_energy(true);
    }

    /// Makes the energy be judged at the end of the run only.
    pub fn judge_energy_at_end(&mut self) {
        self.world.judge_energy(false);
    }

    /// Fault of the energy of a judged run that ends now, in words, if there is one.
    pub fn energy_fault(&self) -> Option<String> {
        self.world.energy_fault()
    }

    /// Doubt about the energy of a judged run that ends now, in words, if there is one that is no fault: a gain of more
    /// than a tenth of what anything could give.
    pub fn energy_doubt(&self) -> Option<String> {
        self.world.energy_doubt()
    }

    /// Fires the events of the start time, once.
    pub(super) fn start(&mut self) -> Result<(), RunError> {
        self.world.start()
    }

    /// Takes one step that ends no later than `limit` \[s\], and handles the events at its end.
    ///
    /// # Errors
    /// The integrator cannot continue, a witness function is not a number, or events come without end; the state is
    /// that of the last good step.
    pub fn step(&mut self, limit: f64) -> Result<Step, RunError> {
        self.world.step(limit)
    }

    /// Advances to time `t` \[s\].
    ///
    /// # Errors
    /// Errors of [`step`](Self::step).
    pub fn advance_to(&mut self, t: f64) -> Result<(), RunError> {
        self.check_steps(t)?;
        self.world.advance_to(t)
    }

    /// Checks that a run can take the steps to `t`; for loops over [`step`](Self::step).
    ///
    /// # Errors
    /// [`RunError::TooManySteps`].
    pub fn check_steps(&self, t: f64) -> Result<(), RunError> {
        self.plan.check_steps(self.world.state.time, t)
    }

    /// Advances to `t` and calls `sample` with the state at every multiple of `every` \[s\] from the present time, and
    /// at the end. Samples are interpolated from the steps and never change them; at an event they show the state after
    /// it. If `every` is not a positive number, there are only the first and the last sample.
    ///
    /// # Errors
    /// Errors of [`step`](Self::step); all samples before were taken.
    pub fn advance_sampling(&mut self, t: f64, every: f64, mut sample: impl FnMut(&State)) -> Result<(), RunError> {
        self.advance_reporting(t, every, |advance| {
            if let Advance::Sample(state, _) = advance {
                sample(state);
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Advances to `t`, with samples every `every` \[s\], and reports every step, also one that failed. An error of
    /// `report` ends the run; if it answers a step with `Break`, the run ends there as it would at `t`, the samples up
    /// to there included.
    pub(super) fn advance_reporting<E: From<RunError>>(
        &mut self,
        t: f64,
        every: f64,
        report: impl FnMut(Advance<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.check_steps(t)?;
        self.world.start()?;
        let resumed = self.reports_from.take();
        let sampling = Sampling::new(&self.world, resumed, every).with_events(self.samples_events);
        self.advance_with(t, sampling, resumed, report)
    }

    /// Advances to `t` with the samples of `sampling`, and reports them and every step. Samples and steps before
    /// `resumed` are known and not reported.
    pub(super) fn advance_with<E: From<RunError>>(
        &mut self,
        mut t: f64,
        mut sampling: Sampling,
        resumed: Option<f64>,
        mut report: impl FnMut(Advance<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let start = self.world.state.time;
        if resumed.is_none() {
            // Only steps may end the run.
            let _ = report(Advance::Sample(&self.world.state, self.world.seen()))?;
        }
        let _ = report(Advance::Motion(sampling.point(&self.world)))?;
        if self.world.stopped_by().is_some() {
            return Ok(());
        }
        while self.world.state.time < t || t.is_nan() {
            sampling.hold(&self.world);
            let stepped = self.step_of_run(t);
            let is_known = stepped.is_ok() && resumed.is_some_and(|from| self.world.state.time < from);
            let flow = if is_known { ControlFlow::Continue(()) } else { report(Advance::Step(self))? };
            stepped?;
            if !is_known {
                let _ = report(Advance::Motion(sampling.motion(&self.world)))?;
            }
            if flow.is_break() || self.world.stopped_by().is_some() {
                t = self.world.state.time;
            }
            sampling.read(&self.world, t, |state, seen| report(Advance::Sample(state, seen)).map(drop))?;
        }
        if t > start {
            // The end after its events.
            let _ = report(Advance::Motion(sampling.point(&self.world)))?;
            let _ = report(Advance::Sample(&self.world.state, self.world.seen()))?;
        }
        Ok(())
    }

    /// Name of the condition of the diagram that ended the run, if one did: see
    /// [`stopping_when`](super::stopping_when). Runs with samples or an observer end
    /// there; [`step`](Self::step) and [`advance_to`](Self::advance_to) go on.
    pub fn stopped_by(&self) -> Option<&str> {
        self.world.stopped_by()
    }

    /// Plan, shared with other simulations of this diagram and these options.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// World: the part that the simulation changes.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        self.plan.diagram()
    }

    /// Time and continuous state.
    pub fn state(&self) -> &State {
        &self.world.state
    }

    /// Changes the state from outside. The integrator restarts without memory of the run, and counts start anew.
    ///
    /// # Errors
    /// [`IntegratorError::ForeignState`]: a state of another diagram.
    pub fn set_state(&mut self, state: State) -> Result<(), IntegratorError> {
        check_state(self.diagram(), &state)?;
        self.world.set_state(state);
        (self.uncut, self.reports_from) = (None, None);
        Ok(())
    }

    /// Returns all that is needed to continue from here later, bit for bit.
    pub fn snapshot(&self) -> Snapshot {
        let World { state, integrator, crossings, .. } = &self.world;
        Snapshot {
            integrator: integrator.name().to_owned(),
            memory: integrator.memory(),
            crossings: (crossings.0.into(), crossings.1 as u64),
            judged: self.world.judged(),
            ..Snapshot::new(self.diagram(), state)
        }
    }

    /// Restores the state of `snapshot`: the following steps are those that would have followed there, to the last bit.
    /// The memory of another integrator is ignored; counts start anew.
    ///
    /// # Errors
    /// A snapshot of another diagram, or of this one as it was before a change. The simulation is then as it was.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let state = snapshot.state_of(self.diagram())?;
        let changes = snapshot.changes(self.diagram());
        if !changes.is_empty() {
            return Err(SnapshotError::Changed { changes });
        }
        self.go_on_from(snapshot, state)
    }

    /// Restores `snapshot` in a diagram that has changed since: its states must be those of the snapshot. Returns the
    /// other differences.
    ///
    /// # Errors
    /// A snapshot of another diagram. The simulation is then as it was.
    pub fn restore_changed(&mut self, snapshot: &Snapshot) -> Result<Vec<String>, SnapshotError> {
        let state = snapshot.state_of(self.diagram())?;
        self.go_on_from(snapshot, state)?;
        let changes = snapshot.changes(self.diagram());
        if !changes.is_empty() {
            // Its energy was that of another diagram.
            self.world.was_judged(None);
        }
        Ok(changes)
    }

    fn go_on_from(&mut self, snapshot: &Snapshot, state: State) -> Result<(), SnapshotError> {
        self.set_state(state)?;
        let World { integrator, crossings, .. } = &mut self.world;
        if snapshot.integrator == integrator.name() {
            integrator.recall(&snapshot.memory);
        }
        *crossings = (snapshot.crossings.0.into(), snapshot.crossings.1 as usize);
        self.world.was_judged(snapshot.judged.clone());
        Ok(())
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    /// All numbers of all inputs and outputs now, as [`Channel::index`] counts them. Inputs of plants have the values
    /// that the last step used.
    pub fn values(&mut self) -> &[f64] {
        self.world.evaluate().arena()
    }

    /// Value of an output port now; empty if the port is not of this diagram. Inputs of plants have the values that the
    /// last step used, in recordings as here.
    pub fn output<T: Signal>(&mut self, port: Out<T>) -> Vec<f64> {
        let diagram = self.plan.diagram();
        let values = self.world.evaluate();
        diagram.range_of(port).map_or_else(Vec::new, |range| values.get(range).to_vec())
    }

    /// Value of a channel now (`plant.arm.joint1.q`).
    ///
    /// # Errors
    /// A name that the diagram does not have.
    pub fn channel(&mut self, name: &str) -> Result<f64, SimulationError> {
        let diagram = self.plan.diagram();
        let channels = diagram.find_channels(name).map_err(Box::new)?;
        let values = self.world.evaluate();
        Ok(channels.first().map_or(f64::NAN, |c: &Channel| values.arena()[c.index]))
    }

    /// Record of the last accepted step for a plant, by the name of its block; `None` before the first step.
    ///
    /// # Errors
    /// A name that is none of a plant of the diagram.
    pub fn step_record(&self, plant: &str) -> Result<Option<&StepRecord>, SimulationError> {
        Ok(self.world.integrator.records().get(self.plant(plant)?.0))
    }

    /// Contact points of a plant in the last accepted step, by the name of its block; none before the first step.
    ///
    /// # Errors
    /// A name that is none of a plant of the diagram.
    pub fn contact_results(&self, plant: &str) -> Result<ContactResults<'_>, SimulationError> {
        let (index, plant) = self.plant(plant)?;
        let contacts = self.world.integrator.records().get(index).map_or(&[][..], |record| &record.contacts);
        Ok(ContactResults { structure: plant.structure(), contacts })
    }

    /// Plant of this name and its index among all plants.
    fn plant(&self, name: &str) -> Result<(usize, &dyn ConvexPlant), SimulationError> {
        let plants = || self.diagram().plants().map(|(block, plant)| (block.name.as_str(), plant));
        let found = plants().enumerate().find(|(_, (other, _))| *other == name);
        found.map(|(index, (_, plant))| (index, plant)).ok_or_else(|| SimulationError::NoPlant {
            name: name.to_owned(),
            plants: plants().map(|(name, _)| name.to_owned()).collect(),
        })
    }

    /// Mechanical energy of all plants at `state` \[J\]: kinetic, of weight, of springs and of compliant constraints,
    /// without contact; `None` without a plant.
    pub fn energy_at(&self, state: &State) -> Option<f64> {
        let plants = self.diagram().plants().map(|(block, plant)| {
            let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
            plant.energy(q, v)
        });
        Some(plants.reduce(|a, b| a + b)? + energies::of_constraints(self.diagram(), state))
    }

    /// Mechanical energy of all plants now \[J\]; `None` without a plant.
    pub fn energy(&self) -> Option<f64> {
        self.energy_at(self.state())
    }

    /// Counts of the run so far.
    pub fn statistics(&self) -> &Statistics {
        self.world.integrator.statistics()
    }

    /// The integrator.
    pub fn integrator(&self) -> &dyn Integrator {
        self.world.integrator()
    }

    /// Measures the time of each [phase](kinegraph_convex::profile::Phase) of the following steps. The steps do not
    /// change; reading the clock makes small scenes slower.
    pub fn profile(&mut self) {
        self.world.integrator.statistics_mut().watch.switch_on();
        self.world.stepping = Duration::ZERO;
    }

    /// Time spent in each phase since [`profile`](Self::profile); `None` without it.
    pub fn phases(&self) -> Option<&Phases> {
        self.world.integrator.statistics().watch.phases()
    }

    /// If `events`, makes the following runs take two samples at each event, at one time: just before it and after it.
    /// At an event, a witness function, a source or a guard makes a signal jump.
    pub fn sample_events(&mut self, events: bool) {
        self.samples_events = events;
    }

    /// Keeps the attempts at each step until the next step.
    pub fn keep_attempts(&mut self) {
        self.world.integrator.statistics_mut().attempts = Attempts::kept();
    }

    /// Attempts at the last step, the accepted one last; empty without [`keep_attempts`](Self::keep_attempts).
    pub fn attempts(&self) -> &[Attempt] {
        self.world.integrator.statistics().attempts.list()
    }

    /// Witness functions that crossed zero at the end of the last step, as `block: witness`; none unless something
    /// switched there.
    pub fn crossed(&self) -> impl Iterator<Item = String> + '_ {
        self.world.crossed()
    }

    /// Name of the coordinate with the largest error of an attempt; empty where the method has no estimate.
    pub fn worst_coordinate(&self, attempt: &Attempt) -> &str {
        let norm = self.world.integrator.error_norm();
        attempt.worst.zip(norm).map_or("", |(worst, norm)| norm.name(worst))
    }

    /// Wall time spent in the integrator, since [`profile`](Self::profile) if that was called.
    pub fn stepping_time(&self) -> Duration {
        self.world.stepping
    }
}
