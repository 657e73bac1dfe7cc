//! Sliding modes: outputs that jump to and fro from step to step.
//!
//! Dry friction as a sign of the velocity brakes what moves, whichever way. Between the ends of a step it
//! would jump as often as anyone looks; steps take one side or the other, whatever their accuracy, and end nowhere near
//! the motion. A run under error control stops there with the name of the block.
//!
//! What turns round in some of a few steps makes a look at the blocks that bend or jump. An output may jump on the
//! straight way between the states at both ends of a step, or to where the rates at its start lead: a step may begin
//! and end on one side, and have been on the other between. Where the rates on either side of a jump lead to the other,
//! nothing leaves it [A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988]. A block of
//! which that is so twice in a look is in a sliding mode.

use kinegraph_diagram::{Diagram, Schedule, State, Values};
use std::ops::Range;

/// So many of the last steps turn round where a motion is looked at, of which `RECENT` has a bit each.
const TURNS: u32 = 3;
const RECENT: u32 = 0xff;
/// So many steps a look takes, and so many jumps that nothing leaves are a sliding mode.
const LOOKS: u32 = 16;
const JUMPS: u32 = 2;
/// The part of a step for which rates beside a jump are followed.
const BESIDE: f64 = 1e-6;
/// Halvings of the way between two states, and the part of a change over the whole of it that is left of a jump.
const HALVINGS: u32 = 40;
const JUMP_RATIO: f64 = 0.25;

/// Looks for sliding modes; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct SlidingModes {
    /// The outputs of blocks that bend or jump, what computes them, and how often each jumped in the look.
    outputs: Vec<(usize, Range<usize>)>,
    schedule: Schedule,
    jumps: Vec<u32>,
    values: Values<f64>,
    /// The state at the last step, how each number of it changed last, and in which of the last steps it turned round.
    last: State,
    change: Vec<f64>,
    turns: Vec<u32>,
    /// Steps that the look still takes.
    looks: u32,
    /// The rates at the last state, where the way that is looked at leads, a state on it, the rates there, and the
    /// outputs at both ends and between.
    start: Vec<f64>,
    goal: Vec<f64>,
    between: Vec<f64>,
    rates: Vec<f64>,
    ends: [Vec<f64>; 3],
}

impl SlidingModes {
    /// For `diagram`; `None` where nothing jumps.
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

    /// Sees the `state` to which a step led. The name of a block in a sliding mode, once one is known.
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

    /// Looks at the step to `state`, and at that from the last one along its rates.
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

    /// Where an output jumps on the straight way from the last state to the goal, at one time: the parts of the way on
    /// either side.
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
            // What changes more is followed.
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

    /// Leaves the state at the part `u` of the way in `self.between`.
    fn place(&mut self, u: f64) {
        let ways = self.last.continuous.iter().zip(&self.goal);
        self.between.clear();
        self.between.extend(ways.map(|(from, to)| from + u * (to - from)));
    }

    /// Evaluates an output at the part `u` of the way.
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
