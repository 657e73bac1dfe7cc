//! Errors of outputs under error control ([`DiagramBuilder::control_output`]).
//!
//! An output counts as a coordinate that may err by the accuracy: its deviation is weighted by the accuracy of the run
//! over its own. Methods for differential equations evaluate it at the two ends whose difference is their estimate.
//! Step doubling does so at the ends of its three solves, `f` of the full step and `a`, `b` of the half steps. Such an
//! output is read as its mean over each half, so that both the error of the mean and the loss between means count:
//!
//! ```text
//! max(|(a + b)/2 - f|, |b - a|/4)
//! ```
//!
//! [`DiagramBuilder::control_output`]: kinegraph_diagram::DiagramBuilder::control_output

use kinegraph_diagram::{Diagram, Schedule, Values};
use std::ops::Range;

/// Outputs under error control, and the memory to evaluate them.
#[derive(Clone)]
pub struct OutputErrors {
    diagram: Diagram,
    schedule: Schedule,
    values: Values<f64>,
    /// Index range of each among all values, and the accuracy of each of its numbers.
    outputs: Vec<(Range<usize>, Vec<f64>)>,
    found: [Vec<f64>; 3],
}

impl OutputErrors {
    /// Outputs under error control of `diagram`; `None` if it has none.
    pub fn new(diagram: &Diagram) -> Option<Box<Self>> {
        let controlled = diagram.controlled_outputs();
        if controlled.is_empty() {
            return None;
        }
        let ports: Vec<(usize, usize)> = controlled.iter().map(|output| (output.block, output.port)).collect();
        let range = |block: usize, port: usize| diagram.blocks()[block].outputs[port].clone();
        Some(Box::new(OutputErrors {
            schedule: diagram.schedule_for_outputs(&ports),
            values: diagram.values(),
            outputs: controlled
                .iter()
                .map(|output| (range(output.block, output.port), output.accuracies.clone()))
                .collect(),
            found: Default::default(),
            diagram: diagram.clone(),
        }))
    }

    /// Names of all numbers, in the order in which they are counted.
    pub fn names(diagram: &Diagram) -> Vec<String> {
        let outputs = diagram.controlled_outputs().iter();
        outputs.flat_map(|o| diagram.channels_of(o.block, o.port)).map(|channel| channel.name).collect()
    }

    /// Evaluates the outputs with the `discrete` state held.
    fn evaluate(&mut self, at: usize, time: f64, continuous: &[f64], discrete: &[f64]) {
        let OutputErrors { diagram, schedule, values, outputs, found } = self;
        values.hold(discrete);
        diagram.evaluate_schedule(schedule, time, continuous, values);
        found[at].clear();
        outputs.iter().for_each(|(range, _)| found[at].extend_from_slice(values.get(range.clone())));
    }

    /// Largest difference of outputs between two ends of a step, in terms of the `accuracy` of the run, and the number
    /// with it.
    pub fn of_ends(&mut self, accuracy: f64, time: f64, ends: [&[f64]; 2], discrete: &[f64]) -> (f64, usize) {
        self.evaluate(0, time, ends[0], discrete);
        self.evaluate(1, time, ends[1], discrete);
        let [a, b, _] = &self.found;
        self.largest(accuracy, a.iter().zip(b).map(|(a, b)| (a - b).abs()))
    }

    /// Error of a step over `times` whose full step and half steps ended at `full`, `half` and `end`.
    pub fn of_halves(
        &mut self,
        accuracy: f64,
        times: (f64, f64),
        [full, half, end]: [&[f64]; 3],
        discrete: &[f64],
    ) -> (f64, usize) {
        let middle = 0.5 * (times.0 + times.1);
        for (at, time, continuous) in [(0, times.1, full), (1, middle, half), (2, times.1, end)] {
            self.evaluate(at, time, continuous, discrete);
        }
        let [f, a, b] = &self.found;
        let error = |((f, a), b): ((&f64, &f64), &f64)| (0.5 * (a + b) - f).abs().max(0.25 * (b - a).abs()); // formula
        self.largest(accuracy, f.iter().zip(a).zip(b).map(error))
    }

    fn largest(&self, accuracy: f64, deviations: impl Iterator<Item = f64>) -> (f64, usize) {
        let weights = self.outputs.iter().flat_map(|(_, allowed)| allowed).map(|allowed| accuracy / allowed);
        let (mut largest, mut worst) = (0.0, 0);
        for (k, (deviation, weight)) in deviations.zip(weights).enumerate() {
            let error = deviation * weight;
            if error.is_nan() {
                return (f64::NAN, k);
            }
            if error > largest {
                (largest, worst) = (error, k);
            }
        }
        (largest, worst)
    }
}

/// Larger of two errors with their indices; not-a-number is the largest. The second is counted after `before` others.
pub(super) fn larger(one: (f64, usize), other: (f64, usize), before: usize) -> (f64, usize) {
    if other.0 <= one.0 || one.0.is_nan() { one } else { (other.0, before + other.1) }
}
