//! Many worlds of one diagram, advanced on all cores.
//!
//! A world takes the same steps as alone, bit for bit, with any number of threads: worlds share nothing that changes.
//! The threads are those of the current `rayon` pool; `ThreadPool::install` chooses another.

use super::open_inputs::InputHandle;
use super::panic::panic_message;
use super::plan::Plan;
use super::run_error::RunError;
use super::simulation::Simulation;
use super::world::World;
use crate::integrators::{IntegratorError, Statistics, check_state};
use kinegraph_diagram::{Channel, Diagram, State};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Worlds of one diagram, each with its own state, and with its own parameters where it has a plan of its own.
///
/// ```
/// use kinegraph::simulate::{Plan, Scenario, Worlds};
/// use std::sync::Arc;
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let scenario = Scenario::open("examples/double_pendulum/double_pendulum.yaml")?;
/// let plan = Arc::new(Plan::new(&scenario.diagram, scenario.options)?);
/// let mut worlds = Worlds::new(&plan, 16);
/// for i in 0..16 {
///     let mut state = scenario.diagram.initial_state();
///     state.continuous[0] = 0.1 * i as f64;
///     worlds.start_at(i, state)?;
/// }
/// worlds.advance_to(0.5);
/// let channels = scenario.diagram.find_channels("plant.pendulum.j1.q")?;
/// let mut angles = [0.0; 16];
/// worlds.read(&channels, &mut angles)?;
/// assert!(worlds.faults().next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Worlds {
    slots: Vec<Slot>,
    /// Diagram of the first plan; those of the others have the same states and channels.
    diagram: Diagram,
    stop: Arc<AtomicBool>,
}

/// One world.
#[derive(Clone)]
struct Slot {
    plan: Arc<Plan>,
    world: World,
    /// State after a reset.
    start: State,
    fault: Option<WorldFault>,
}

/// Reason why a world stands still.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum WorldFault {
    /// The run cannot continue; its state is that of the last good step.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A block panicked.
    #[error("a block panicked: {message}")]
    Panicked {
        /// Message of the panic.
        message: String,
    },
}

kinegraph_core::debug_is_message!(WorldFault);

/// Reason why a request to worlds fails.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum WorldsError {
    /// No plan, no worlds.
    #[error("there is no plan to make worlds of")]
    Empty,
    /// The diagram of a plan has other states or channels than that of the first.
    #[error("plan {index} has another diagram than the first: {what} differ")]
    OtherDiagram {
        /// Index among the plans.
        index: usize,
        /// Difference, in words.
        what: &'static str,
    },
    /// An array has the wrong number of elements.
    #[error("{what} has {given} numbers, expected {worlds} worlds times {width}")]
    Shape {
        /// Name of the array.
        what: &'static str,
        /// Given number of elements.
        given: usize,
        /// Number of worlds.
        worlds: usize,
        /// Number of values per world.
        width: usize,
    },
    /// The input belongs to another diagram.
    #[error("`{path}` is no open input of this diagram")]
    ForeignInput {
        /// Its path.
        path: String,
    },
    /// The channel belongs to another diagram.
    #[error("`{name}` is no channel of this diagram")]
    ForeignChannel {
        /// Its name.
        name: String,
    },
    /// A value is not a finite number.
    #[error("{what} of world {world} is {value}, expected a finite number")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the world.
        world: usize,
        /// The value.
        value: f64,
    },
    /// There is no such world.
    #[error("there is no world {index}: there are {worlds}")]
    NoWorld {
        /// Requested index.
        index: usize,
        /// Number of worlds.
        worlds: usize,
    },
    /// The state belongs to another diagram.
    #[error(transparent)]
    State(#[from] IntegratorError),
}

kinegraph_core::debug_is_message!(WorldsError);

impl Slot {
    fn new(plan: &Arc<Plan>) -> Self {
        Slot { plan: plan.clone(), world: plan.world(), start: plan.diagram().initial_state(), fault: None }
    }

    /// Calls `go` on the world, unless it stands still. A failure is the fault of this world alone.
    fn attempt(&mut self, go: impl FnOnce(&mut World) -> Result<(), RunError>) {
        if self.fault.is_some() {
            return;
        }
        let world = &mut self.world;
        // After a panic nothing of a world is used before it is made anew.
        self.fault = match catch_unwind(AssertUnwindSafe(|| go(world))) {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.into()),
            Err(panic) => Some(WorldFault::Panicked { message: panic_message(&*panic) }),
        };
    }

    fn reset(&mut self) {
        match self.fault.take() {
            // The state left by the panic is discarded.
            Some(WorldFault::Panicked { .. }) => self.world = self.plan.world(),
            Some(WorldFault::Run(_)) | None => {}
        }
        self.world.set_state(self.start.clone());
    }
}

impl Worlds {
    /// `n` worlds of `plan`, at the initial state of its diagram.
    pub fn new(plan: &Arc<Plan>, n: usize) -> Self {
        let slot = Slot::new(plan);
        Worlds { slots: vec![slot; n], diagram: plan.diagram().clone(), stop: Arc::default() }
    }

    /// Worlds of several plans, one each: worlds with parameters of their own. Their diagrams must have the same states
    /// and channels.
    ///
    /// # Errors
    /// No plan, or one of another diagram.
    pub fn of_plans(plans: &[Arc<Plan>]) -> Result<Self, WorldsError> {
        let first = plans.first().ok_or(WorldsError::Empty)?;
        for (index, plan) in plans.iter().enumerate().filter(|(_, plan)| !Arc::ptr_eq(plan, first)) {
            let (one, other) = (first.diagram(), plan.diagram());
            let places = |d: &Diagram| d.channels().into_iter().map(|c| (c.name, c.index)).collect::<Vec<_>>();
            let differs = [
                ("continuous states", one.state_names() != other.state_names()),
                ("discrete states", one.discrete_names() != other.discrete_names()),
                ("channels", places(one) != places(other)),
            ];
            if let Some((what, _)) = differs.into_iter().find(|(_, differ)| *differ) {
                return Err(WorldsError::OtherDiagram { index, what });
            }
        }
        let slots = plans.iter().map(Slot::new).collect();
        Ok(Worlds { slots, diagram: first.diagram().clone(), stop: Arc::default() })
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True if there are no worlds.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The diagram (the first, where worlds have plans of their own).
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// Advances every world to time `t` \[s\]. A world that is past it, or at fault, stays where it is, and so does one
    /// that would take more steps than a run can ([`RunError::TooManySteps`], its fault). Returns the number of worlds
    /// at fault.
    pub fn advance_to(&mut self, t: f64) -> usize {
        self.advance_each(|_| t)
    }

    /// Advances every world by `dt` \[s\] from its own time; one that is at fault stays where it is. Returns the number
    /// of worlds at fault.
    pub fn advance(&mut self, dt: f64) -> usize {
        self.advance_each(|time| time + dt)
    }

    fn advance_each(&mut self, end: impl Fn(f64) -> f64 + Sync) -> usize {
        self.stop.store(false, Ordering::SeqCst);
        let stop = &*self.stop;
        self.slots.par_iter_mut().for_each(|slot| {
            let plan = slot.plan.clone();
            slot.attempt(|world| {
                let end = end(world.state.time);
                plan.check_steps(world.state.time, end)?;
                world.start()?;
                while (world.state.time < end || end.is_nan()) && !stop.load(Ordering::Relaxed) {
                    world.step(end)?;
                }
                Ok(())
            });
        });
        self.faults().count()
    }

    /// Flag that ends the current advance when set to `true`: every world stays at the end of its present step.
    /// Advancing clears it.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Resets the worlds for which `mask` is `true` to their start, faults forgotten: from there they continue as new
    /// ones do, bit for bit.
    ///
    /// # Errors
    /// The mask does not have one value per world.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), WorldsError> {
        self.check("the mask", mask.len(), 1)?;
        let (slots, mask) = (self.slots.par_iter_mut(), mask.par_iter());
        slots.zip(mask).filter(|(_, chosen)| **chosen).for_each(|(slot, _)| slot.reset());
        Ok(())
    }

    /// Sets world `i` to `state`, faults forgotten; later resets lead to this state. A state with [seeds of its
    /// own](Diagram::seeded) gives it noise of its own.
    ///
    /// # Errors
    /// There is no such world; the state belongs to another diagram.
    pub fn start_at(&mut self, i: usize, state: State) -> Result<(), WorldsError> {
        check_state(&self.diagram, &state)?;
        let slot = self.slot_mut(i)?;
        slot.start = state;
        slot.reset();
        Ok(())
    }

    /// Time, continuous and discrete state of world `i`.
    ///
    /// # Errors
    /// There is no such world.
    pub fn state(&self, i: usize) -> Result<&State, WorldsError> {
        Ok(self.slot(i)?.world.state())
    }

    /// Times of all worlds \[s\].
    pub fn times(&self) -> Vec<f64> {
        self.slots.iter().map(|slot| slot.world.state.time).collect()
    }

    /// Writes the continuous states of all worlds into `out`, world by world
    /// ([`state_width`](Diagram::state_width) numbers each).
    ///
    /// # Errors
    /// An array of the wrong size.
    pub fn read_states(&self, out: &mut [f64]) -> Result<(), WorldsError> {
        let width = self.diagram.state_width();
        self.check("the array", out.len(), width)?;
        if width > 0 {
            let rows = out.par_chunks_exact_mut(width);
            rows.zip(&self.slots).for_each(|(row, slot)| row.copy_from_slice(&slot.world.state.continuous));
        }
        Ok(())
    }

    /// Writes the values of `channels` in all worlds into `out`, world by world.
    ///
    /// # Errors
    /// A channel that the diagram does not have; an array of the wrong size.
    pub fn read(&mut self, channels: &[Channel], out: &mut [f64]) -> Result<(), WorldsError> {
        self.check("the array", out.len(), channels.len())?;
        let width = self.diagram.arena_width();
        if let Some(foreign) = channels.iter().find(|channel| channel.index >= width) {
            return Err(WorldsError::ForeignChannel { name: foreign.name.clone() });
        }
        if !channels.is_empty() {
            let rows = out.par_chunks_exact_mut(channels.len());
            rows.zip(&mut self.slots).for_each(|(row, slot)| {
                let World { state, values, .. } = &mut slot.world;
                let plan = &slot.plan;
                // A block that panics here has done so in a step, or will: that is reported there.
                let evaluated = catch_unwind(AssertUnwindSafe(|| plan.diagram().evaluate_state(state, values)));
                for (value, channel) in row.iter_mut().zip(channels) {
                    *value = if evaluated.is_ok() { values.arena()[channel.index] } else { f64::NAN };
                }
            });
        }
        Ok(())
    }

    /// Sets an input of all worlds to `values`, world by world; it keeps them until it is set again or reset. A world
    /// at fault ignores them; if the change itself fails (a witness function becomes not-a-number), that is a fault of
    /// the world.
    ///
    /// # Errors
    /// An input of another diagram; an array of the wrong size; a value that is not finite. Nothing is set then.
    pub fn set_input(&mut self, input: &InputHandle, values: &[f64]) -> Result<(), WorldsError> {
        let width = input.width;
        if input.place.end > self.diagram.discrete_width() {
            return Err(WorldsError::ForeignInput { path: input.path.clone() });
        }
        self.check("the array", values.len(), width)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (world, value) = (at / width, values[at]);
            return Err(WorldsError::NotFinite { what: "the input", world, value });
        }
        if width > 0 {
            let rows = values.par_chunks_exact(width);
            let slots = self.slots.par_iter_mut();
            slots.zip(rows).for_each(|(slot, row)| slot.attempt(|world| world.set_discrete(input.place.start, row)));
        }
        Ok(())
    }

    /// Reason why world `i` stands still; `None` while it runs.
    ///
    /// # Errors
    /// There is no such world.
    pub fn fault(&self, i: usize) -> Result<Option<&WorldFault>, WorldsError> {
        Ok(self.slot(i)?.fault.as_ref())
    }

    /// Worlds that stand still, each with the reason.
    pub fn faults(&self) -> impl Iterator<Item = (usize, &WorldFault)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| Some((i, slot.fault.as_ref()?)))
    }

    /// Counts of world `i` since it started.
    ///
    /// # Errors
    /// There is no such world.
    pub fn statistics(&self, i: usize) -> Result<&Statistics, WorldsError> {
        Ok(self.slot(i)?.world.integrator.statistics())
    }

    /// Simulation that continues as world `i` does, for a closer look.
    ///
    /// # Errors
    /// There is no such world.
    pub fn simulation(&self, i: usize) -> Result<Simulation, WorldsError> {
        let slot = self.slot(i)?;
        Ok(Simulation::going_on(slot.plan.clone(), slot.world.clone()))
    }

    fn check(&self, what: &'static str, given: usize, width: usize) -> Result<(), WorldsError> {
        let worlds = self.len();
        if given == worlds * width { Ok(()) } else { Err(WorldsError::Shape { what, given, worlds, width }) }
    }

    fn slot(&self, index: usize) -> Result<&Slot, WorldsError> {
        self.slots.get(index).ok_or(WorldsError::NoWorld { index, worlds: self.len() })
    }

    fn slot_mut(&mut self, index: usize) -> Result<&mut Slot, WorldsError> {
        let worlds = self.len();
        self.slots.get_mut(index).ok_or(WorldsError::NoWorld { index, worlds })
    }
}

impl std::fmt::Debug for Worlds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worlds").field("diagram", &self.diagram.name()).field("len", &self.len()).finish()
    }
}
