//! Sliding modes: outputs that jump to and fro between steps.
//!
//! Dry friction as a sign of the velocity opposes motion in either direction. Between the ends of a step its sign could
//! change any number of times; steps take one side or the other, whatever their accuracy, and do not converge to the
//! motion. A run under error control stops there with the name of the block.
//!
//! If a number of the state reverses in some of the last steps, the blocks with kinks or jumps are examined. An output
//! may jump on the straight line between the states at both ends of a step, or on that along the rates at its start: a
//! step may begin and end on one side, and have been on the other between. Where the rates on either side of a jump
//! lead to the other, nothing leaves it [A. F. Filippov, Differential Equations with Discontinuous Righthand Sides,
//! 1988]. A block for which this holds twice in an examination is in a sliding mode.

use kinegraph_diagram::{Diagram, Schedule, State, Values};
use std::ops::Range;

/// Number of reversals in the last steps from which a motion is examined; `RECENT` has a bit for each step.
const TURNS: u32 = 3;
const RECENT: u32 = 0xff;
/// Number of steps of an examination, and of jumps without exit that make a sliding mode.
const LOOKS: u32 = 16;
const JUMPS: u32 = 2;
/// Part of a step for which rates beside a jump are followed.
const BESIDE: f64 = 1e-6;
/// Halvings of the line between two states, and the part of the whole change that remains of a jump.
const HALVINGS: u32 = 40;
const JUMP_RATIO: f64 = 0.25;

/// Search for sliding modes; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct SlidingModes {
    /// Outputs of blocks with kinks or jumps, the schedule that computes them, and their numbers of jumps in the
    /// examination.
    outputs: Vec<(usize, Range<usize>)>,
    schedule: Schedule,
    jumps: Vec<u32>,
    values: Values<f64>,
    /// State at the last step, the last change of each number, and the steps in which it reversed.
    last: State,
    change: Vec<f64>,
    turns: Vec<u32>,
    /// Remaining steps of the examination.
    looks: u32,
    /// Rates at the last state, the goal of the examined line, a state on it, the rates there, and the outputs at both
    /// ends and between.
    start: Vec<f64>,
    goal: Vec<f64>,
    between: Vec<f64>,
    rates: Vec<f64>,
    ends: [Vec<f64>; 3],
}

impl SlidingModes {
    /// Search for `diagram`; `None` where nothing jumps.
    pub fn new(diagram: &Diagram) -> Option<Self> {
        let bends = |&b: &usize| {
            let system = &*diagram.blocks()[b].system;
            system.has_kinks() && system.as_plant().is_none()
        };
        let blocks: Vec<usize> = (0..diagram.blocks().len()).filter(bends).collect();
        let ports: Vec<(usize, usize)> =
            blocks.iter().flat_map(|&b| (0..diagram.blocks()[b].outputs.len()).map(move |port| (b, port))).collect();
        if ports.is_empty() {
            return None;
        }
        let outputs = ports.iter().map(|&(b, port)| (b, diagram.blocks()[b].outputs[port].clone())).collect();
        let width = diagram.state_width();
        Some(SlidingModes {
            schedule: diagram.schedule_for_outputs(&ports),
            jumps: vec![0; ports.len()],
            outputs,
            values: diagram.values(),
            last: State::default(),
            change: vec![0.0; width],
            turns: vec![0; width],
            looks: 0,
            start: vec![0.0; width],
            goal: vec![0.0; width],
            between: vec![0.0; width],
            rates: vec![0.0; width],
            ends: [Vec::new(), Vec::new(), Vec::new()],
        })
    }

    /// Notes the `state` at the end of a step. Returns the name of a block in a sliding mode, once one is known.
    pub fn see(&mut self, diagram: &Diagram, state: &State) -> Option<String> {
        let mut is_busy = false;
        if self.last.continuous.len() == state.continuous.len() {
            let numbers = state.continuous.iter().zip(&self.last.continuous);
            for ((x, last), (change, turns)) in numbers.zip(self.change.iter_mut().zip(&mut self.turns)) {
                let now = x - last;
                *turns = (*turns << 1) | u32::from(now * *change < 0.0);
                is_busy |= (*turns & RECENT).count_ones() >= TURNS;
                if now != 0.0 {
                    *change = now;
                }
            }
        }
        if is_busy && self.looks == 0 {
            self.looks = LOOKS;
            self.jumps.fill(0);
        }
        let mut found = None;
        if self.looks > 0 {
            self.looks -= 1;
            found = self.look(diagram, state);
            if self.looks == 0 {
                self.turns.fill(0);
            }
        }
        self.last.clone_from(state);
        found
    }

    /// Examines the step to `state`, and the line from the last state along its rates.
    fn look(&mut self, diagram: &Diagram, state: &State) -> Option<String> {
        self.values.hold(&state.discrete);
        let SlidingModes { last, start, values, .. } = &mut *self;
        diagram.evaluate_schedule(diagram.schedule(), last.time, &last.continuous, values);
        diagram.derivatives_with_plants(last.time, &last.continuous, values, start);
        for output in 0..self.outputs.len() {
            let mut jumps = false;
            let h = state.time - self.last.time;
            for along in [true, false] {
                self.goal.clear();
                if along {
                    self.goal.extend(self.last.continuous.iter().zip(&self.start).map(|(x, rate)| x + h * rate));
                } else {
                    self.goal.extend_from_slice(&state.continuous);
                }
                if let Some(sides) = self.jump_on_the_way(diagram, state.time, output) {
                    jumps |= self.is_left_by_nothing(diagram, [state.time, h], output, sides);
                }
            }
            if jumps {
                self.jumps[output] += 1;
                if self.jumps[output] >= JUMPS {
                    return Some(diagram.blocks()[self.outputs[output].0].name.clone());
                }
            }
        }
        None
    }

    /// Parts of the straight line from the last state to the goal, at one time, on either side of a jump of an output.
    fn jump_on_the_way(&mut self, diagram: &Diagram, time: f64, output: usize) -> Option<[f64; 2]> {
        self.evaluate(diagram, time, output, 0.0, 0);
        self.evaluate(diagram, time, output, 1.0, 1);
        let whole = self.difference();
        let (mut from, mut to) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            if self.difference() < JUMP_RATIO * whole || whole == 0.0 {
                return None;
            }
            let middle = 0.5 * (from + to);
            self.evaluate(diagram, time, output, middle, 2);
            // Larger changes are followed.
            if distance(&self.ends[2], &self.ends[1]) >= 0.5 * self.difference() {
                self.ends.swap(0, 2);
                from = middle;
            } else {
                self.ends.swap(1, 2);
                to = middle;
            }
        }
        (self.difference() >= JUMP_RATIO * whole).then_some([from, to])
    }

    /// True if the rates on either `side` of a jump of an output lead to the other, in a step of length `h`.
    fn is_left_by_nothing(&mut self, diagram: &Diagram, [time, h]: [f64; 2], output: usize, sides: [f64; 2]) -> bool {
        sides.into_iter().enumerate().all(|(side, u)| {
            self.place(u);
            let SlidingModes { between, rates, values, .. } = &mut *self;
            diagram.evaluate_schedule(diagram.schedule(), time, between, values);
            diagram.derivatives_with_plants(time, between, values, rates);
            between.iter_mut().zip(&*rates).for_each(|(x, rate)| *x += BESIDE * h * rate);
            diagram.evaluate_schedule(&self.schedule, time, &self.between, &mut self.values);
            let there = &self.values.arena()[self.outputs[output].1.clone()];
            distance(there, &self.ends[1 - side]) < distance(there, &self.ends[side])
        })
    }

    /// Writes the state at the part `u` of the line to `self.between`.
    fn place(&mut self, u: f64) {
        let ways = self.last.continuous.iter().zip(&self.goal);
        self.between.clear();
        self.between.extend(ways.map(|(from, to)| from + u * (to - from)));
    }

    /// Evaluates an output at the part `u` of the line.
    fn evaluate(&mut self, diagram: &Diagram, time: f64, output: usize, u: f64, end: usize) {
        self.place(u);
        diagram.evaluate_schedule(&self.schedule, time, &self.between, &mut self.values);
        self.ends[end].clear();
        self.ends[end].extend_from_slice(&self.values.arena()[self.outputs[output].1.clone()]);
    }

    fn difference(&self) -> f64 {
        distance(&self.ends[0], &self.ends[1])
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
