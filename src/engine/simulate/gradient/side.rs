//! A run beside the one that is differentiated: the same steps with the same decisions, from a state nearby or in a
//! diagram with another value of a parameter. At knots it has its own times.

use super::gauges::Gauges;
use super::landing::{Change, Gap, Gaps, Root, Width, root_beside, width_of};
use super::numbers::TOUCHED;
use super::request::GradientError;
use crate::integrators::{Decisions, Integrator, IntegratorError, NonFinite, StepMemory};
use crate::linearize::Layout;
use crate::simulate::event_table::{Crossed, EventTable};
use crate::simulate::events::{Events, Of as Which};
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::{Diagram, State, Values};
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
    /// A continuous state within a step.
    probe: Vec<f64>,
    /// True if it has taken its step: its last knot was not later.
    pub has_stepped: bool,
    /// Signals of its diagram, where blocks are looked at.
    pub looks: Values<f64>,
    /// Memory of the integrator at the start of its step.
    memory: StepMemory,
    /// Time of an event of a source that a number moves: in the run, and in this one \[s\].
    pub timed: Option<(f64, f64)>,
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
            probe: Vec::new(),
            has_stepped: false,
            looks: diagram.values(),
            memory: StepMemory::default(),
            timed: None,
            integrator,
            diagram,
        }
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        self.before.clone_from(&self.state);
        self.memory = self.integrator.memory();
        self.has_stepped = false;
    }

    /// Returns to the start of the step.
    pub fn take_back(&mut self) {
        self.state.clone_from(&self.before);
        self.integrator.recall(&self.memory);
    }

    /// Takes the step of `decisions` to the time `end`; none if its last knot was later than that.
    pub fn step(&mut self, end: f64, decisions: &Decisions) -> Result<(), IntegratorError> {
        let end = self.timed.filter(|(time, _)| *time == end).map_or(end, |(_, own)| own);
        if self.is_ahead(end) {
            return Ok(());
        }
        self.has_stepped = true;
        self.integrator.repeat(&mut self.state, end, decisions)
    }

    /// True if it is at the time `end` \[s\] or later already.
    fn is_ahead(&self, end: f64) -> bool {
        self.before.time >= end - simultaneous(end)
    }

    /// Takes the step of `decisions` to the time at which a gap of its own closes, or a function crosses zero. Returns
    /// that time \[s\], if it is near that of the run `at`; if not, the step ends at the time of the run. The search
    /// begins at `guess`; the runs are `distance` apart.
    pub fn land(
        &mut self,
        at: Root,
        (guess, distance): (f64, f64),
        target: Target,
        decisions: &Decisions,
    ) -> Result<Option<f64>, GradientError> {
        if self.is_ahead(at.time) {
            return Ok(None);
        }
        self.has_stepped = true;
        let low = self.before.time;
        // At a touch the bodies are in contact, so that the runs go on alike.
        let close = if matches!(target, Target::Gap(..)) { 0.25 * TOUCHED } else { f64::INFINITY };
        let found = root_beside(at, guess, low, (distance, close), |time| self.value_at(time, target, decisions));
        let found = found.ok().flatten();
        if found != Some(self.state.time) {
            self.take_back();
            self.integrator.repeat(&mut self.state, found.unwrap_or(at.time), decisions)?;
        }
        Ok(found)
    }

    /// Takes the step of `decisions` to `time`, and reads the function of `target` there.
    fn value_at(&mut self, time: f64, target: Target, decisions: &Decisions) -> Result<f64, GradientError> {
        self.take_back();
        let Side { integrator, state, events, gaps, widths, diagram, layout, .. } = self;
        integrator.repeat(state, time, decisions)?;
        match target {
            Target::Witness(witness) => Ok(events.witness_at(state, witness)?),
            Target::Gap(gap, change, margin) => {
                gaps.find(diagram, layout, &state.continuous, margin, widths);
                Ok(width_of(&gap, widths).map_or(f64::NAN, |width| change.zero(width)))
            }
        }
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

    /// Gaps of its motion at a time in its last step.
    pub fn widths_at(&mut self, time: f64, margin: f64) -> &[Width] {
        let Side { integrator, gaps, widths, diagram, layout, probe, .. } = self;
        integrator.dense().evaluate(time, probe);
        gaps.find(diagram, layout, probe, margin, widths);
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
