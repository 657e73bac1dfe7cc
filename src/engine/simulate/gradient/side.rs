//! A run beside the one that is differentiated: the same steps with the same decisions, from a state nearby or in a
//! diagram with another value of a parameter. At knots it has its own times.

use super::gauges::Gauges;
use super::landing::{Change, Gap, Gaps, Width, root_beside, width_of};
use super::request::GradientError;
use crate::integrators::{Decisions, Integrator, IntegratorError, NonFinite, StepMemory};
use crate::linearize::Layout;
use crate::simulate::event_table::{Crossed, EventTable};
use crate::simulate::events::{Events, Of as Which};
use kinegraph_diagram::{Diagram, State};
use std::sync::Arc;

/// A run beside.
pub(super) struct Side {
    pub diagram: Diagram,
    pub layout: Arc<Layout>,
    pub integrator: Box<dyn Integrator>,
    pub events: Events,
    pub state: State,
    /// State at the start of its step.
    pub before: State,
    pub gauges: Gauges,
    gaps: Gaps,
    widths: Vec<Width>,
    /// Memory of the integrator at the start of its step.
    memory: StepMemory,
}

/// A knot that the run has found: its time \[s\], and the rate of its function there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landed {
    pub time: f64,
    pub rate: f64,
    /// Largest distance of the knot of a run beside \[s\].
    pub reach: f64,
}

impl Side {
    pub fn new(integrator: Box<dyn Integrator>, state: State, gauges: Gauges) -> Self {
        let diagram = integrator.diagram().clone();
        let table = Arc::new(EventTable::new(&diagram));
        Side {
            layout: Arc::new(Layout::new(&diagram)),
            events: Events::new(&table, NonFinite::Stop),
            before: state.clone(),
            state,
            gauges,
            gaps: Gaps::default(),
            widths: Vec::new(),
            memory: StepMemory::default(),
            integrator,
            diagram,
        }
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        self.before.clone_from(&self.state);
        self.memory = self.integrator.memory();
    }

    /// Returns to the start of the step.
    pub fn take_back(&mut self) {
        self.state.clone_from(&self.before);
        self.integrator.recall(&self.memory);
    }

    /// Takes the step of `decisions` to the time `end`.
    pub fn step(&mut self, end: f64, decisions: &Decisions) -> Result<(), IntegratorError> {
        self.integrator.repeat(&mut self.state, end, decisions)
    }

    /// Takes the step of `decisions` to the time at which a gap of its own closes, or a function crosses zero.
    pub fn land(&mut self, at: Landed, target: Target, decisions: &Decisions) -> Result<(), GradientError> {
        let Side { integrator, state, before, events, gaps, widths, diagram, layout, memory, .. } = self;
        let mut taken = None;
        let time = root_beside(at.time, at.rate, at.reach, |time| {
            if taken.replace(time).is_some() {
                integrator.recall(memory);
            }
            state.clone_from(before);
            integrator.repeat(state, time, decisions)?;
            match target {
                Target::Witness(witness) => events.witness_at(state, witness).map_err(GradientError::from),
                Target::Gap(gap, change, margin) => {
                    gaps.find(diagram, layout, &state.continuous, margin, widths);
                    Ok::<_, GradientError>(width_of(&gap, widths).map_or(f64::NAN, |width| change.zero(width)))
                }
            }
        })?;
        if taken != Some(time) {
            integrator.recall(memory);
            state.clone_from(before);
            integrator.repeat(state, time, decisions)?;
        }
        Ok(())
    }

    /// Sees the motion of the last step.
    pub fn see_step(&mut self) {
        let Side { integrator, before, state, gauges, .. } = self;
        gauges.see_step(before, integrator.dense(), (before.time, state.time));
    }

    /// Applies the resets of crossings that the run had, at this run's own time.
    pub fn cross(&mut self, crossed: &[Crossed]) -> Result<(), GradientError> {
        if crossed.is_empty() {
            return Ok(());
        }
        self.integrator.interrupted();
        for crossed in crossed {
            self.events.reset(crossed, &mut self.state)?;
        }
        Ok(())
    }

    /// Fires the periodic events of some blocks, and the crossings that they made in the run.
    pub fn update(&mut self, of: Which, crossed: &[Crossed]) -> Result<(), GradientError> {
        self.events.listen(&self.state);
        if self.events.watches() {
            self.events.look_before(&self.state)?;
        }
        if self.events.fire_ticks(of, &mut self.state)? {
            self.integrator.interrupted();
        }
        self.cross(crossed)?;
        self.events.report_jumps(&mut self.state);
        Ok(())
    }

    /// Gaps of its state.
    pub fn widths(&mut self, margin: f64) -> &[Width] {
        let Side { gaps, widths, diagram, layout, state, .. } = self;
        gaps.find(diagram, layout, &state.continuous, margin, widths);
        widths
    }
}

/// Function that is zero at a knot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// Witness function of this index.
    Witness(usize),
    /// A gap that closes or opens, sought up to a margin \[m\].
    Gap(Gap, Change, f64),
}
