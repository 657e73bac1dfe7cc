//! The external system of the plants: (time, plant state, external state) to forces on the plants and external
//! derivatives.

use super::external_plan::ExternalPlan;
use super::layout::Layout;
use kinegraph_core::convex::Switches;
use kinegraph_core::system::ErasedScalar;
use kinegraph_core::{Context, Jet, Scalar};
use kinegraph_diagram::{Diagram, LoopFault, State, Values};
use std::sync::Arc;

/// Outputs of the external system.
#[derive(Clone, Debug)]
pub struct Forces<S> {
    /// Generalized forces of actuators on all velocities, without effort limits \[N, N m\].
    pub actuation: Vec<S>,
    /// Generalized forces of all other inputs.
    pub applied: Vec<S>,
    /// Derivatives of the external state.
    pub derivatives: Vec<S>,
    /// Derivatives of the diagram's whole continuous state (scratch).
    all: Vec<S>,
}

impl<S> Default for Forces<S> {
    fn default() -> Self {
        Forces { actuation: Vec::new(), applied: Vec::new(), derivatives: Vec::new(), all: Vec::new() }
    }
}

/// External system of a diagram, with the workspaces of its evaluation. A copy shares the data that depend on the
/// diagram alone.
#[derive(Clone)]
pub struct External {
    /// The part that depends on the diagram alone.
    pub plan: Arc<ExternalPlan>,
    pub(super) values: Values<f64>,
    pub(super) jets: Values<Jet>,
    pub(super) continuous_jets: Vec<Jet>,
    pub(super) forces_jets: Forces<Jet>,
    /// Workspace of a linearization: values at its point, a unit velocity and the rates of position it gives.
    pub(super) forces_values: Forces<f64>,
    pub(super) unit: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

impl External {
    /// The external system of `diagram`.
    pub fn new(diagram: &Diagram) -> Self {
        External {
            plan: Arc::new(ExternalPlan::new(diagram)),
            values: diagram.values(),
            jets: diagram.values(),
            continuous_jets: vec![Jet::constant(0.0); diagram.state_width()],
            forces_jets: Forces::default(),
            forces_values: Forces::default(),
            unit: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// Layout of plants and external state.
    pub fn layout(&self) -> &Layout {
        &self.plan.layout
    }

    /// The layout, to be held while the external system is evaluated.
    pub fn shared_layout(&self) -> Arc<Layout> {
        self.plan.layout.clone()
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.plan.diagram
    }

    /// External system of `diagram` with the discrete state of `state`, and the switches of all plants there.
    pub fn holding(diagram: &Diagram, state: &State) -> (Self, Vec<Switches>) {
        let (mut external, mut switches) = (External::new(diagram), Vec::new());
        external.hold(&state.discrete);
        external.switches(state.time, &state.continuous, &mut switches);
        (external, switches)
    }

    /// Holds the discrete state for the evaluations and linearizations that follow.
    pub fn hold(&mut self, discrete: &[f64]) {
        self.values.hold(discrete);
        self.jets.hold(discrete);
    }

    /// Sets a fixed value of the diagram for the evaluations that follow, by its index among all signals.
    pub(crate) fn set(&mut self, index: usize, value: f64) {
        self.values.arena_mut()[index] = value;
    }

    /// Reason why the last evaluation or linearization could not solve an algebraic loop, if it failed.
    pub fn loop_fault(&self) -> Option<&LoopFault> {
        self.values.fault().or(self.jets.fault())
    }

    /// Reads the switches of all plants at `time` and the diagram's `continuous` state.
    pub fn switches(&mut self, time: f64, continuous: &[f64], out: &mut Vec<Switches>) {
        if self.plan.switched {
            self.plan.diagram.evaluate_schedule(&self.plan.schedule, time, continuous, &mut self.values);
        }
        out.resize_with(self.plan.layout.plants.len(), Switches::default);
        for (slot, switches) in self.plan.layout.plants.iter().zip(out) {
            let context = self.plan.diagram.context(slot.block, time, continuous, &self.values);
            self.plan.layout.plant(&self.plan.diagram, slot).switches(&context, switches);
        }
    }

    /// Evaluates forces and derivatives at `time` and the diagram's `continuous` state.
    pub fn evaluate(&mut self, time: f64, continuous: &[f64], forces: &mut Forces<f64>) {
        self.plan.diagram.evaluate_schedule(&self.plan.schedule, time, continuous, &mut self.values);
        collect(&self.plan.diagram, &self.plan.layout, time, continuous, &self.values, forces);
    }

    /// Context of plant number `plant` of the layout in the last evaluation.
    pub fn context<'a>(&'a self, plant: usize, time: f64, continuous: &'a [f64]) -> Context<'a, f64> {
        self.plan.diagram.context(self.plan.layout.plants[plant].block, time, continuous, &self.values)
    }

    /// True if feedback has kinks.
    pub fn has_kinks(&self) -> bool {
        !self.plan.bending.is_empty()
    }

    /// Evaluates the external system at `time` and `continuous`, and writes to `out` the kink function of each place
    /// where feedback may bend: it crosses zero there.
    pub fn kinks(&mut self, time: f64, continuous: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let ExternalPlan { diagram, schedule, bending, .. } = &*self.plan;
        diagram.evaluate_schedule(schedule, time, continuous, &mut self.values);
        for &block in bending {
            let context = diagram.context(block, time, continuous, &self.values);
            diagram.blocks()[block].system.kinks(&context, &mut |value| out.push(value));
        }
    }

    /// Computes the rates of the whole continuous state at `time`, plants moving freely: without contacts and limits.
    pub fn rates(&mut self, time: f64, continuous: &[f64], rates: &mut [f64]) {
        self.plan.diagram.evaluate_schedule(&self.plan.schedule, time, continuous, &mut self.values);
        self.plan.diagram.derivatives_with_plants(time, continuous, &self.values, rates);
    }

    /// True if there is nothing outside the plants: no input of a plant is connected, and no other block has a state.
    /// All forces are zero then.
    pub fn is_absent(&self) -> bool {
        self.plan.schedule.calls.is_empty()
            && self.plan.layout.external.is_empty()
            && !self.plan.layout.driven.contains(&true)
    }

    /// True if anything outside the plants depends on their state, or has a state of its own.
    pub fn reacts(&self) -> bool {
        !self.plan.reacting.calls.is_empty() || !self.plan.layout.external.is_empty() || self.plan.servos
    }

    /// Memory of the matrices of a linearization and of its laws \[bytes\].
    pub fn matrix_bytes(&self) -> f64 {
        (self.plan.groups.matrix_sizes() * size_of::<f64>()) as f64
    }

    /// Calls `see` with each velocity or state that acts through the external system, and with those that it may act
    /// on: velocities of all plants, counted from zero, then external states.
    pub fn for_each_reach(&self, mut see: impl FnMut(usize, &[usize])) {
        let sensed = (0..self.plan.sensed.len()).filter(|&i| self.plan.sensed[i]);
        let states = (0..self.plan.layout.external.len()).map(|z| self.plan.layout.num_velocities + z);
        let count = sensed.clone().count();
        // Columns of positions, which reach as far as those of their velocities, come first.
        for (column, from) in sensed.chain(states).enumerate() {
            see(from, self.plan.coloring.rows(count + column));
        }
    }

    /// True if the diagram drives any switch of a plant.
    pub fn is_switched(&self) -> bool {
        self.plan.switched
    }

    /// True if the external system reads reports of a plant on a step: an output that senses no velocity.
    pub fn reads_records(&self) -> bool {
        self.plan.layout.plants.iter().any(|slot| {
            let plant = self.plan.layout.plant(&self.plan.diagram, slot);
            let senses = |output: usize| (0..slot.global.len()).any(|v| plant.output_senses(output, v));
            self.plan.schedule.outputs_of(slot.block).into_iter().any(|output| !senses(output))
        })
    }

    /// First output, in order of evaluation, that was not a finite number in the last evaluation.
    pub fn not_finite_output(&self) -> Option<String> {
        self.plan.schedule.calls.iter().find_map(|call| {
            let block = &self.plan.diagram.blocks()[call.block];
            let bad = |range: &std::ops::Range<usize>| self.values.get(range.clone()).iter().any(|x| !x.is_finite());
            let port = (0..call.wanted.len()).find(|&port| call.wanted[port] && bad(&block.outputs[port]))?;
            Some(format!("output `{}.{}`", block.name, block.system.ports().outputs()[port].name))
        })
    }
}

/// Reads forces and derivatives off evaluated signals.
pub(super) fn collect<S: ErasedScalar>(
    diagram: &Diagram,
    layout: &Layout,
    time: S,
    continuous: &[S],
    values: &Values<S>,
    forces: &mut Forces<S>,
) {
    let zero = S::constant(0.0);
    for f in [&mut forces.actuation, &mut forces.applied] {
        f.clear();
        f.resize(layout.num_velocities, zero);
    }
    for slot in &layout.plants {
        let context = diagram.context(slot.block, time, continuous, values);
        let range = slot.global.clone();
        let plant = layout.plant(diagram, slot);
        S::input_forces(plant, &context, &mut forces.actuation[range.clone()], &mut forces.applied[range]);
    }
    forces.derivatives.clear();
    if !layout.external.is_empty() {
        forces.all.resize(continuous.len(), zero);
        diagram.derivatives(time, continuous, values, &mut forces.all);
        forces.derivatives.extend(layout.external.iter().map(|&i| forces.all[i]));
    }
}
