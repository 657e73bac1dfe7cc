//! Plan: the shared part of runs of a diagram, made once.

use super::clockwork::resolution::Promise;
use super::event_table::EventTable;
use super::run_error::RunError;
use super::simulation::SimulationError;
use super::world::World;
use crate::integrators::{Integrator, IntegratorError, MAX_STEPS, NonFinite, Options, check_state};
use kinegraph_core::threads::Threads;
use kinegraph_diagram::{Diagram, State};
use std::sync::Arc;

/// A diagram and its integrator, with all data that depend on these two alone: schedules, tables of events, the places
/// of plants and external state, the couplings between them, the error norm. Runs differ by their [`World`].
pub struct Plan {
    diagram: Diagram,
    events: Arc<EventTable>,
    /// Integrator before a run. Every world has a copy, and copies share the data that depend on the diagram alone.
    integrator: Box<dyn Integrator>,
    /// Options of the integrator, if it was built from options.
    options: Option<Options>,
    threads: Threads,
}

impl Plan {
    /// Plan of `diagram` with these `options`.
    ///
    /// # Errors
    /// Options out of range; an integrator that does not suit the diagram.
    pub fn new(diagram: &Diagram, options: Options) -> Result<Self, SimulationError> {
        let threads = Threads::new(options.threads);
        Ok(Plan { options: Some(options), threads, ..Self::with(options.build(diagram)?) })
    }

    /// Plan of the diagram of `integrator`, with copies of it. They start as it is now: its memory and counts so far
    /// are part of every world.
    pub fn with(integrator: Box<dyn Integrator>) -> Self {
        let diagram = integrator.diagram().clone();
        Plan {
            events: Arc::new(EventTable::new(&diagram)),
            diagram,
            integrator,
            options: None,
            threads: Threads::default(),
        }
    }

    /// Plan of this diagram with other `options`.
    pub(super) fn switched(&self, options: Options) -> Result<Self, IntegratorError> {
        let integrator = options.build(&self.diagram)?;
        Ok(Plan {
            diagram: self.diagram.clone(),
            events: self.events.clone(),
            integrator,
            options: Some(options),
            threads: Threads::new(options.threads),
        })
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// Options; `None` where an [`Integrator`] was given.
    pub fn options(&self) -> Option<&Options> {
        self.options.as_ref()
    }

    /// Treatment of values that are not finite numbers.
    pub(super) fn non_finite(&self) -> NonFinite {
        self.options.map_or(NonFinite::Stop, |options| options.non_finite)
    }

    /// Checks that a run can take the steps from time `from` to `t` \[s\].
    pub(super) fn check_steps(&self, from: f64, t: f64) -> Result<(), RunError> {
        let Some(step) = self.options().map(Options::longest_step) else { return Ok(()) };
        let steps = (t - from) / step;
        // A time that is not finite is refused by the first step, or means "until something happens".
        if t.is_finite() && steps > MAX_STEPS {
            return Err(RunError::TooManySteps { steps, step, time: t, most: MAX_STEPS });
        }
        Ok(())
    }

    /// Accuracy and longest step; `None` without error control.
    pub(super) fn promise(&self) -> Option<Promise> {
        let controlled = self.options.filter(Options::error_controlled);
        controlled.map(|options| Promise { accuracy: options.accuracy, longest_step: options.longest_step() })
    }

    /// Integrator before a run.
    pub(super) fn integrator(&self) -> Box<dyn Integrator> {
        self.integrator.clone()
    }

    /// A world at the initial state.
    pub fn world(&self) -> World {
        self.world_of(self.diagram.initial_state())
    }

    /// A world at `state`.
    ///
    /// # Errors
    /// [`IntegratorError::ForeignState`]: a state of another diagram.
    pub fn world_at(&self, state: State) -> Result<World, IntegratorError> {
        check_state(&self.diagram, &state)?;
        Ok(self.world_of(state))
    }

    fn world_of(&self, state: State) -> World {
        let mut world = World::new(state, self.integrator(), &self.events, self.non_finite(), self.promise());
        world.threads = self.threads.clone();
        world
    }

    /// Threads that share the work of runs.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan").field("diagram", &self.diagram).field("integrator", &self.integrator.name()).finish()
    }
}
