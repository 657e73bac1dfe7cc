//! Comparisons within formulas, and how far a condition is from changing its truth.
//!
//! A comparison has a margin, positive where it holds: `a - b` of `a > b`. The margin of `A and B` is the smaller one,
//! of `A or B` the larger one, of `not A` the negative; a number that counts as a condition has `value - 0.5`.

use super::program::{DEPTH, Instruction, Program};
use kinegraph_core::logic::{TRUE_ABOVE, due, is_true, least, number};

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `a > b`
    Greater,
    /// `a >= b`
    AtLeast,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a == b`
    Equal,
    /// `a != b`
    Unequal,
}

impl Comparison {
    /// True if it holds for this difference `a - b`.
    pub fn holds(self, difference: f64) -> bool {
        match self {
            Comparison::Greater => difference > 0.0,
            Comparison::AtLeast => difference >= 0.0,
            Comparison::Less => difference < 0.0,
            Comparison::AtMost => difference <= 0.0,
            Comparison::Equal => difference == 0.0,
            Comparison::Unequal => difference != 0.0,
        }
    }

    /// Distance from the other truth: positive where it holds, also at equality.
    fn margin(self, difference: f64) -> f64 {
        due(self.holds(difference), difference)
    }
}

impl Program {
    /// Distance of a condition from changing its truth, positive where it is true; not-a-number where it has no truth.
    pub fn margin(&self, time: f64, input: impl Fn(usize, usize) -> f64) -> f64 {
        // Value and margin of each part.
        let mut stack = [(0.0_f64, None::<f64>); DEPTH];
        let mut top = 0;
        let of = |(value, margin): (f64, Option<f64>)| margin.unwrap_or(value - TRUE_ABOVE);
        let condition = |margin: f64| (if margin.is_nan() { margin } else { number(margin > 0.0) }, Some(margin));
        for &instruction in self.instructions() {
            use Instruction::*;
            let growth = instruction.growth();
            if growth > 0 {
                stack[top] = (Program::pushed(instruction, time, &input), None);
                top += 1;
                continue;
            }
            top -= growth.unsigned_abs();
            let [a, b, c] = [0, 1, 2].map(|of| stack[(top - 1 + of).min(DEPTH - 1)]);
            stack[top - 1] = match instruction {
                Compare(comparison, _) => condition(comparison.margin(a.0 - b.0)),
                And => condition(least(of(a), of(b))),
                Or => condition(-least(-of(a), -of(b))),
                Not => condition(due(of(a) <= 0.0, of(a))),
                If if is_true(a.0) => b,
                If => c,
                _ => (Program::computed(instruction, a.0, b.0), None),
            };
        }
        of(stack[0])
    }
}
