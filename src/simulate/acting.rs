//! What acted within a step.
//!
//! An output that drives a plant and depends on the motion of a plant is told as the step used it: the mean over each
//! half of the step ([`SolvedStep`]), not the gain times the error of the position that is kept. So are the efforts
//! that a plant reports of a step. A step of free motion solves nothing: what acts follows the motion.

use crate::diagram::{Diagram, Schedule, Source, State, Values};
use crate::integrators::{SolvedStep, acted};
use crate::systems::step_record::StepRecord;
use std::ops::Range;

/// The last step, as those see it who read it: at its end or inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepSeen<'a> {
    /// What acted on each plant; empty before the first step.
    pub records: &'a [StepRecord],
    /// How its solves ended, where that tells more.
    pub solved: Option<&'a SolvedStep>,
}

impl<'a> From<&'a [StepRecord]> for StepSeen<'a> {
    fn from(records: &'a [StepRecord]) -> Self {
        StepSeen { records, solved: None }
    }
}

/// The efforts that a plant reports of a step.
#[derive(Clone, Debug)]
struct Reported {
    block: usize,
    /// Its velocities among those of all plants.
    velocities: Range<usize>,
    /// Place in the discrete state of the diagram, and velocity of the plant.
    efforts: Vec<(usize, usize)>,
}

/// Outputs as steps use them, and the memory to evaluate them.
#[derive(Clone)]
pub(super) struct Acting {
    diagram: Diagram,
    /// Where the outputs that drive plants stand among all values, and what computes them.
    outputs: Vec<Range<usize>>,
    schedule: Schedule,
    /// Computes the inputs of plants.
    inputs: Schedule,
    values: Values<f64>,
    reported: Vec<Reported>,
    /// The outputs over both halves of a step, one after the other, and in the full step.
    halves: [Vec<f64>; 2],
    full: Vec<f64>,
    /// The step that these are of, with what its blocks held.
    known: (u64, Vec<f64>),
    /// The state of a sample, with what plants report.
    at: State,
    efforts: Vec<f64>,
}

/// The outputs of other blocks that drive plants and depend on the motion of a plant without delay.
fn driving(diagram: &Diagram) -> Vec<(usize, usize)> {
    let blocks = diagram.blocks();
    let plants: Vec<usize> = (0..blocks.len()).filter(|&b| blocks[b].system.as_plant().is_some()).collect();
    let schedule = diagram.schedule_for_inputs_of(&plants);
    let moved = diagram.calls_depending_on_any(&schedule, &plants);
    let mut found = Vec::new();
    for &at in &plants {
        let Some(plant) = blocks[at].system.as_plant() else { continue };
        let width = plant.structure().num_velocities;
        for (input, source) in blocks[at].sources.iter().enumerate() {
            let Source::Output { block, port } = *source else { continue };
            let drives = (0..width).any(|velocity| plant.input_drives(input, velocity));
            if drives && blocks[block].system.as_plant().is_none() && moved.outputs_of(block).contains(&port) {
                found.push((block, port));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl Acting {
    /// Of `diagram`.
    pub fn new(diagram: &Diagram) -> Self {
        let blocks = diagram.blocks();
        let pinned = driving(diagram);
        let (mut reported, mut plants, mut first) = (Vec::new(), Vec::new(), 0);
        for (index, block) in blocks.iter().enumerate() {
            let Some(plant) = block.system.as_plant() else { continue };
            let velocities = first..first + plant.structure().num_velocities;
            first = velocities.end;
            let efforts = plant.effort_read_outs().into_iter();
            let efforts = efforts.map(|(at, velocity)| (block.discrete.start + at, velocity)).collect();
            reported.push(Reported { block: index, velocities, efforts });
            plants.push(index);
        }
        Acting {
            outputs: pinned.iter().map(|&(block, port)| blocks[block].outputs[port].clone()).collect(),
            schedule: diagram.schedule_for_outputs(&pinned),
            inputs: diagram.schedule_for_inputs_of(&plants),
            values: diagram.values(),
            diagram: diagram.clone(),
            reported,
            halves: [Vec::new(), Vec::new()],
            full: Vec::new(),
            known: (0, Vec::new()),
            at: State::default(),
            efforts: Vec::new(),
        }
    }

    /// `schedule` without the outputs that are told as steps use them.
    pub fn without(&self, schedule: &Schedule) -> Schedule {
        let blocks = self.diagram.blocks();
        schedule.restricted(|block, port| !self.outputs.contains(&blocks[block].outputs[port]))
    }

    /// Whether the last step took outputs as other than the motion says.
    pub fn differs(&self, seen: &StepSeen<'_>) -> bool {
        seen.solved.is_some_and(|solved| !solved.is_free) && !self.outputs.is_empty()
    }

    /// The state of a sample with what plants report there, inside the last step or at its end.
    pub fn state<'s>(&'s mut self, state: &'s State, seen: &StepSeen<'_>) -> &'s State {
        let Some(solved) = seen.solved.filter(|_| self.reported.iter().any(|plant| !plant.efforts.is_empty())) else {
            return state;
        };
        let inside = state.time < solved.times.1;
        if solved.is_free && !inside {
            // What the record has is that of the end.
            return state;
        }
        self.at.clone_from(state);
        if solved.is_free {
            self.diagram.evaluate_part(&self.inputs, state, &mut self.values);
        }
        for plant in &self.reported {
            let width = plant.velocities.len();
            let efforts = if solved.is_free {
                self.efforts.clear();
                self.efforts.resize(2 * width, 0.0);
                let (actuation, applied) = self.efforts.split_at_mut(width);
                let context = self.diagram.context(plant.block, state.time, &state.continuous, &self.values);
                let Some(block) = self.diagram.blocks()[plant.block].system.as_plant() else { continue };
                block.input_forces_f64(&context, actuation, applied);
                let limits = &block.structure().effort_limits;
                actuation.iter_mut().zip(limits).for_each(|(effort, limit)| *effort = effort.clamp(-limit, *limit));
                &*actuation
            } else {
                match solved.efforts[half_of(solved, state.time)].get(plant.velocities.clone()) {
                    Some(efforts) => efforts,
                    None => continue,
                }
            };
            plant.efforts.iter().for_each(|&(at, velocity)| self.at.discrete[at] = efforts[velocity]);
        }
        &self.at
    }

    /// Writes the outputs as the last step used them at the time of `state` into `values`.
    pub fn write(&mut self, state: &State, seen: &StepSeen<'_>, values: &mut Values<f64>) {
        let Some(solved) = seen.solved else { return };
        if self.known.0 != solved.number || self.known.1 != state.discrete {
            self.find(solved, state);
        }
        let mut found = &self.halves[half_of(solved, state.time)][..];
        for range in &self.outputs {
            let (own, rest) = found.split_at(range.len());
            values.arena_mut()[range.clone()].copy_from_slice(own);
            found = rest;
        }
    }

    /// Evaluates the outputs at the ends of all solves.
    fn find(&mut self, solved: &SolvedStep, state: &State) {
        let Acting { diagram, schedule, values, outputs, halves: [a, b], full, known, .. } = self;
        values.hold(&state.discrete);
        let (start, end) = solved.times;
        let middle = 0.5 * (start + end);
        for (time, at, found) in
            [(end, &solved.full, &mut *full), (middle, &solved.half, &mut *a), (end, &solved.end, &mut *b)]
        {
            diagram.evaluate_schedule(schedule, time, at, values);
            found.clear();
            outputs.iter().for_each(|range| found.extend_from_slice(values.get(range.clone())));
        }
        acted(full, (a, b), solved.extrapolated);
        known.0 = solved.number;
        known.1.clone_from(&state.discrete);
    }
}

/// Which half of the step a time is in.
fn half_of(solved: &SolvedStep, time: f64) -> usize {
    usize::from(time > 0.5 * (solved.times.0 + solved.times.1))
}
