//! Efforts and outputs as a step used them.
//!
//! An output that drives a plant and depends on the motion of a plant has the value that the step used: the mean over
//! each half of the step ([`SolvedStep`]), not the gain times the error of the kept position. So have the efforts that
//! a plant reports of a step. Steps of free motion, and those of methods for differential equations, solve nothing:
//! efforts follow the motion. Inside them, efforts are those of the law at the recorded state, and the forces of bodies
//! from their parents are those that move them as the dense output does.

use crate::integrators::{DenseStep, Integrator, SolvedStep, acted};
use kinegraph_core::convex::PlantPoint;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, Schedule, Source, State, Values};
use std::ops::Range;

/// The last step for its readers, at its end or inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepSeen<'a> {
    /// Records of the plants; empty before the first step.
    pub records: &'a [StepRecord],
    /// Ends of its solves, where these differ from the motion.
    pub solved: Option<&'a SolvedStep>,
    /// Motion within it.
    pub dense: Option<&'a DenseStep>,
    /// Time that a sample reports, if it is not that of its state: that of the event just after it \[s\].
    pub reported: Option<f64>,
}

impl<'a> StepSeen<'a> {
    /// The last step of `integrator`.
    pub fn new(integrator: &'a dyn Integrator) -> Self {
        let (records, solved, dense) = (integrator.records(), integrator.solved(), Some(integrator.dense()));
        StepSeen { records, solved, dense, reported: None }
    }
}

impl<'a> From<&'a [StepRecord]> for StepSeen<'a> {
    fn from(records: &'a [StepRecord]) -> Self {
        StepSeen { records, ..StepSeen::default() }
    }
}

/// Efforts that a plant reports of a step.
#[derive(Clone, Debug)]
struct Reported {
    block: usize,
    /// Velocities of the plant among those of all plants.
    velocities: Range<usize>,
    /// Index in the discrete state of the diagram, and velocity of the plant.
    efforts: Vec<(usize, usize)>,
    /// True if nothing but joints and contact connects its bodies.
    is_tree: bool,
    /// Record of the plant inside a step that solved nothing.
    record: StepRecord,
    point: PlantPoint,
}

/// Outputs as steps use them, and the memory to evaluate them.
#[derive(Clone)]
pub(super) struct Acting {
    diagram: Diagram,
    /// Ranges of the outputs that drive plants among all values, and the schedule that computes them.
    outputs: Vec<Range<usize>>,
    schedule: Schedule,
    /// The whole diagram without these.
    rest: Schedule,
    /// Computes the inputs of plants.
    inputs: Schedule,
    values: Values<f64>,
    reported: Vec<Reported>,
    /// Velocity that each number of the outputs drives alone, and the effort there for one at the port.
    alone: Vec<Option<(usize, f64)>>,
    /// Limits of efforts, per velocity of all plants.
    limits: Vec<f64>,
    /// Outputs over both halves of a step, one after the other, and in the full step.
    halves: [Vec<f64>; 2],
    full: Vec<f64>,
    /// Number of the step of these outputs, with the discrete state of its blocks.
    known: (u64, Vec<f64>),
    /// State of a sample, with reports of plants.
    at: State,
    efforts: Vec<f64>,
    slopes: Vec<f64>,
}

/// Outputs of other blocks that drive plants and depend on the motion of a plant without delay.
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

/// Velocity that each number of `outputs` drives as an actuator, with the effort there for one at the port, where
/// nothing else drives it and nothing else is driven by it. A controller that is not linear in the motion, or that a
/// step uses only in part, has another output at the end of a solve than the step used; here the used one is known.
fn alone(diagram: &Diagram, outputs: &[Range<usize>], plants: &[Reported]) -> Vec<Option<(usize, f64)>> {
    let numbers: Vec<usize> = outputs.iter().cloned().flatten().collect();
    if numbers.is_empty() {
        return Vec::new();
    }
    let (state, mut values) = (diagram.initial_state(), diagram.values::<f64>());
    let width = plants.last().map_or(0, |plant| plant.velocities.end);
    let efforts = |values: &Values<f64>| {
        let mut all = vec![0.0; width];
        for plant in plants {
            let Some(block) = diagram.blocks()[plant.block].system.as_plant() else { continue };
            let context = diagram.context(plant.block, state.time, &state.continuous, values);
            let mut applied = vec![0.0; plant.velocities.len()];
            block.input_forces_f64(&context, &mut all[plant.velocities.clone()], &mut applied);
        }
        all
    };
    values.hold(&state.discrete);
    values.arena_mut().fill(0.0);
    let rest = efforts(&values);
    let mut found: Vec<Option<(usize, f64)>> = Vec::with_capacity(numbers.len());
    let mut drivers = vec![0; width];
    for &at in &numbers {
        let mut answers = [1.0, 2.0].map(|given| {
            values.arena_mut()[at] = given;
            efforts(&values)
        });
        values.arena_mut()[at] = 0.0;
        answers.iter_mut().for_each(|answer| answer.iter_mut().zip(&rest).for_each(|(x, rest)| *x -= rest));
        let driven: Vec<usize> = (0..width).filter(|&v| answers[0][v] != 0.0).collect();
        driven.iter().for_each(|&v| drivers[v] += 1);
        let is_linear = |v: usize| answers[1][v] == 2.0 * answers[0][v] && rest[v] == 0.0;
        found.push(match driven[..] {
            [v] if is_linear(v) => Some((v, answers[0][v])),
            _ => None,
        });
    }
    for plant in plants {
        let block = &diagram.blocks()[plant.block];
        let Some(system) = block.system.as_plant() else { continue };
        for velocity in 0..plant.velocities.len() {
            // Servos of the plant, and wires from elsewhere.
            system.own_feedback(velocity, &mut |on| drivers[plant.velocities.start + on] += 2);
            let elsewhere = block.inputs.iter().enumerate().filter(|(input, source)| {
                let is_effort = system.input_is_effort(*input);
                let known = source.as_ref().is_some_and(|range| outputs.contains(range));
                is_effort && source.is_some() && !known && system.input_drives(*input, velocity)
            });
            drivers[plant.velocities.start + velocity] += 2 * elsewhere.count();
        }
    }
    found.iter_mut().for_each(|one| *one = one.filter(|(v, _)| drivers[*v] == 1));
    found
}

impl Acting {
    /// Outputs of `diagram` as steps use them.
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
            let is_tree = plant.structure().constraints.is_empty();
            let (record, point) = (StepRecord::default(), PlantPoint::default());
            reported.push(Reported { block: index, velocities, efforts, is_tree, record, point });
            plants.push(index);
        }
        let outputs: Vec<Range<usize>> =
            pinned.iter().map(|&(block, port)| blocks[block].outputs[port].clone()).collect();
        let structures = plants.iter().filter_map(|&plant| Some(blocks[plant].system.as_plant()?.structure()));
        Acting {
            alone: alone(diagram, &outputs, &reported),
            limits: structures.flat_map(|structure| structure.effort_limits.iter().copied()).collect(),
            outputs,
            schedule: diagram.schedule_for_outputs(&pinned),
            rest: diagram.schedule().restricted(|block, port| !pinned.contains(&(block, port))),
            inputs: diagram.schedule_for_inputs_of(&plants),
            values: diagram.values(),
            diagram: diagram.clone(),
            reported,
            halves: [Vec::new(), Vec::new()],
            full: Vec::new(),
            known: (0, Vec::new()),
            at: State::default(),
            efforts: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// Returns `schedule` without the outputs that are reported as steps use them.
    pub fn without(&self, schedule: &Schedule) -> Schedule {
        let blocks = self.diagram.blocks();
        schedule.restricted(|block, port| !self.outputs.contains(&blocks[block].outputs[port]))
    }

    /// Evaluates `part`, or everything, into `values`, at a state that the last step led to or past. `part` is a
    /// schedule, and that schedule without the outputs that are reported as steps use them.
    pub fn evaluate(
        &mut self,
        part: Option<(&Schedule, &Schedule)>,
        state: &State,
        seen: &StepSeen<'_>,
        values: &mut Values<f64>,
    ) {
        let differs = seen.solved.is_some_and(|solved| !solved.is_free) && !self.outputs.is_empty();
        if differs {
            self.write(state, seen, values);
        }
        let (diagram, rest) = (self.diagram.clone(), std::mem::take(&mut self.rest));
        let schedule = match part {
            None if differs => &rest,
            None => diagram.schedule(),
            Some((_, without)) if differs => without,
            Some((schedule, _)) => schedule,
        };
        diagram.evaluate_part(schedule, self.state(state, seen), values);
        self.rest = rest;
    }

    /// State of a sample with reports of plants there, inside the last step or at its end.
    fn state<'s>(&'s mut self, state: &'s State, seen: &StepSeen<'_>) -> &'s State {
        let Some(solved) = seen.solved.filter(|_| !self.reported.is_empty()) else { return state };
        let inside = state.time < solved.times.1;
        if solved.is_free && !inside {
            // The record is that of the end.
            return state;
        }
        self.at.clone_from(state);
        if solved.is_free {
            self.follow(state, seen);
            return &self.at;
        }
        for plant in &self.reported {
            let Some(efforts) = solved.efforts[half_of(solved, state.time)].get(plant.velocities.clone()) else {
                continue;
            };
            let limits = &self.limits[plant.velocities.clone()];
            for &(at, velocity) in &plant.efforts {
                self.at.discrete[at] = efforts[velocity].clamp(-limits[velocity], limits[velocity]);
            }
        }
        &self.at
    }

    /// Writes the reports of plants inside a step that solved nothing, at `state`, to `self.at`.
    fn follow(&mut self, state: &State, seen: &StepSeen<'_>) {
        let Acting { diagram, inputs, values, reported, limits, at, efforts, slopes, .. } = self;
        diagram.evaluate_part(inputs, state, values);
        let dense = seen.dense.filter(|dense| dense.times.0 < dense.times.1);
        if let Some(dense) = dense {
            dense.slopes((state.time - dense.times.0) / (dense.times.1 - dense.times.0), slopes);
        }
        for (number, plant) in reported.iter_mut().enumerate() {
            let Some(block) = diagram.blocks()[plant.block].system.as_plant() else { continue };
            let structure = block.structure();
            let width = plant.velocities.len();
            efforts.clear();
            efforts.resize(2 * width, 0.0);
            let (actuation, applied) = efforts.split_at_mut(width);
            let context = diagram.context(plant.block, state.time, &state.continuous, values);
            block.input_forces_f64(&context, actuation, applied);
            let limits = &limits[plant.velocities.clone()];
            actuation.iter_mut().zip(limits).for_each(|(effort, limit)| *effort = effort.clamp(-limit, *limit));
            plant.efforts.iter().for_each(|&(place, velocity)| at.discrete[place] = actuation[velocity]);
            let (Some(end), Some(dense)) = (seen.records.get(number), dense) else { continue };
            let own = diagram.blocks()[plant.block].state.clone();
            if !(plant.is_tree && end.contacts.is_empty() && slopes.len() == state.continuous.len()) {
                continue;
            }
            let (q, v) = state.continuous[own.clone()].split_at(structure.num_positions);
            let v_dot = &slopes[own][structure.num_positions..];
            let (record, h) = (&mut plant.record, dense.times.1 - dense.times.0);
            (record.end, record.length) = (state.time, h);
            record.q.clear();
            record.q.extend_from_slice(q);
            record.v.clear();
            record.v.extend_from_slice(&v[..width]);
            record.velocity.clear();
            record.velocity.extend(v.iter().zip(v_dot).take(width).map(|(v, v_dot)| v + v_dot));
            record.actuation.clear();
            record.actuation.extend_from_slice(actuation);
            record.applied.clear();
            record.applied.extend_from_slice(applied);
            record.stops.clone_from(&end.stops);
            record.multipliers.clone_from(&end.multipliers);
            record.wrenches.clear();
            record.wrenches.resize(structure.bodies.len(), [0.0; 6]);
            block.add_input_wrenches(&context, &mut record.wrenches);
            block.poses(q, &mut plant.point);
            block.read_out(record, &mut plant.point, &mut at.discrete[diagram.blocks()[plant.block].discrete.clone()]);
        }
    }

    /// Writes the outputs as the last step used them at the time of `state` into `values`.
    fn write(&mut self, state: &State, seen: &StepSeen<'_>, values: &mut Values<f64>) {
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
        let Acting { diagram, schedule, values, outputs, alone, limits, halves: [a, b], full, known, .. } = self;
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
        for (found, efforts) in [a, b].into_iter().zip(&solved.efforts) {
            for (number, alone) in found.iter_mut().zip(alone.iter()) {
                let Some((velocity, coefficient)) = *alone else { continue };
                // Beyond its limit an effort does not show the requested value.
                if let Some(effort) = efforts.get(velocity).filter(|effort| effort.abs() < limits[velocity]) {
                    *number = effort / coefficient;
                }
            }
        }
        known.0 = solved.number;
        known.1.clone_from(&state.discrete);
    }
}

/// Half of the step that contains a time.
fn half_of(solved: &SolvedStep, time: f64) -> usize {
    usize::from(time > 0.5 * (solved.times.0 + solved.times.1))
}
