//! What runs of a diagram share: made once.

use super::clockwork::resolution::Promise;
use super::event_table::EventTable;
use super::run_error::RunError;
use super::simulation::SimulationError;
use super::world::World;
use crate::integrators::{Integrator, IntegratorError, MAX_STEPS, NonFinite, Options, check_state};
use kinegraph_core::threads::Threads;
use kinegraph_diagram::{Diagram, State};
use std::sync::Arc;

/// A diagram and how it is advanced, with all that depends on these two alone: schedules, tables of events, where
/// plants and external state stand, which of them can react to each other, the error norm. Runs differ by their
/// [`World`].
pub struct Plan {
    diagram: Diagram,
    events: Arc<EventTable>,
    /// As it is before a run. Every world has a copy, and copies share what depends on the diagram alone.
    integrator: Box<dyn Integrator>,
    /// What the integrator was made of, if it is one of ours.
    options: Option<Options>,
    threads: Threads,
}

impl Plan {
    /// `diagram`, to be advanced as `options` say.
    ///
    /// # Errors
    /// Options out of range; an integrator that does not suit the diagram.
    pub fn new(diagram: &Diagram, options: Options) -> Result<Self, SimulationError> {
        let threads = Threads::new(options.threads);
        Ok(Plan { options: Some(options), threads, ..Self::with(options.build(diagram)?) })
    }

    /// The diagram of `integrator`, to be advanced by copies of it. They start as it is now: what it remembers and has
    /// counted so far is part of every world.
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

    /// The same diagram, to be advanced as `options` say.
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

    /// How it is advanced; `None` where that was given as an [`Integrator`].
    pub fn options(&self) -> Option<&Options> {
        self.options.as_ref()
    }

    /// What runs do where a value is not a finite number.
    pub(super) fn non_finite(&self) -> NonFinite {
        self.options.map_or(NonFinite::Stop, |options| options.non_finite)
    }

    /// Whether so few steps lead from time `from` to `t` \[s\] that a run can take them.
    pub(super) fn check_steps(&self, from: f64, t: f64) -> Result<(), RunError> {
        let Some(step) = self.options().map(Options::longest_step) else { return Ok(()) };
        let steps = (t - from) / step;
        // A time that is not finite is refused by the first step, or is no time at all but "until something happens".
        if t.is_finite() && steps > MAX_STEPS {
            return Err(RunError::TooManySteps { steps, step, time: t, most: MAX_STEPS });
        }
        Ok(())
    }

    /// What steps are held to; `None` without error control.
    pub(super) fn promise(&self) -> Option<Promise> {
        let controlled = self.options.filter(Options::error_controlled);
        controlled.map(|options| Promise { accuracy: options.accuracy, longest_step: options.longest_step() })
    }

    /// An integrator as it is before a run.
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

    /// What runs share their work among.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan").field("diagram", &self.diagram).field("integrator", &self.integrator.name()).finish()
    }
}
