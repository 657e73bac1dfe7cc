//! Expressions as programs for a small stack machine: they run on any scalar and allocate nothing.

use super::comparison::Comparison;
use crate::operators::{Binary, Elementary};
use kinegraph_core::{Scalar, logic};

/// Maximum number of intermediate results at one time.
pub(super) const DEPTH: usize = 32;

/// An instruction: it takes its arguments from the stack and puts its result there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instruction {
    /// A number.
    Number(f64),
    /// The time.
    Time,
    /// An element of an input.
    Input(usize, usize),
    /// The negative.
    Negate,
    /// The sum of two.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient.
    Divide,
    /// A whole power, for any base.
    WholePower(i32),
    /// A function of one number.
    Unary(Elementary),
    /// A function of two numbers.
    Binary(Binary),
    /// The truth of a comparison of two numbers, 1 or 0, and its number among the comparisons of the program.
    Compare(Comparison, usize),
    /// True if both are.
    And,
    /// True if one is.
    Or,
    /// True if the number is not.
    Not,
    /// The second of three numbers where the first is true, the third otherwise.
    If,
}

impl Instruction {
    /// Change of the height of the stack.
    pub fn growth(self) -> isize {
        use Instruction::*;
        match self {
            Number(_) | Time | Input(..) => 1,
            Negate | WholePower(_) | Unary(_) | Not => 0,
            Add | Subtract | Multiply | Divide | Binary(_) | Compare(..) | And | Or => -1,
            If => -2,
        }
    }
}

/// A compiled expression: it leaves one result, with never more than [`DEPTH`] on the stack.
#[derive(Debug)]
pub(crate) struct Program(Vec<Instruction>);

impl Program {
    /// The program of these instructions, `None` if it needs too deep a stack.
    pub fn new(instructions: Vec<Instruction>) -> Option<Self> {
        let mut height = 0;
        let fits = instructions.iter().all(|instruction| {
            height += instruction.growth();
            height <= DEPTH as isize
        });
        fits.then_some(Program(instructions))
    }

    /// True if it contains neither inputs nor the time.
    pub fn is_constant(&self) -> bool {
        !self.0.iter().any(|i| matches!(i, Instruction::Time | Instruction::Input(..)))
    }

    /// True if it reads input `index`.
    pub fn reads(&self, index: usize) -> bool {
        self.0.iter().any(|instruction| matches!(instruction, Instruction::Input(input, _) if *input == index))
    }

    /// Its instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.0
    }

    /// True if it has all derivatives within its domain.
    pub fn is_smooth(&self) -> bool {
        self.0.iter().all(|instruction| match instruction {
            Instruction::Unary(function) => function.is_smooth(),
            Instruction::Binary(function) => function.is_smooth(),
            _ => true,
        })
    }

    /// Number of its comparisons.
    pub fn comparisons(&self) -> usize {
        self.0.iter().filter(|instruction| matches!(instruction, Instruction::Compare(..))).count()
    }

    /// The result at a time; `input(i, k)` is element k of input i.
    pub fn run<S: Scalar>(&self, time: S, input: impl Fn(usize, usize) -> S) -> S {
        self.run_with(time, input, &mut |_| {}, |_, comparison, difference| comparison.holds(difference))
    }

    /// Returns the result at a time, as [`run`](Self::run) does. Calls `see` with a number for each of its functions
    /// that has a kink: the number crosses zero at the kink. Calls `truth` for each comparison, with its number and the
    /// difference of what it compares: the answer counts as its truth.
    pub fn run_with<S: Scalar>(
        &self,
        time: S,
        input: impl Fn(usize, usize) -> S,
        see: &mut (impl FnMut(S) + ?Sized),
        mut truth: impl FnMut(usize, Comparison, f64) -> bool,
    ) -> S {
        let mut stack = [S::zero(); DEPTH];
        // Index of the result on top, plus one.
        let mut top = 0;
        let number = |truth: bool| S::constant(logic::number(truth));
        let holds = |number: S| logic::is_true(number.value());
        for &instruction in &self.0 {
            use Instruction::*;
            let growth = instruction.growth();
            if growth > 0 {
                stack[top] = Self::pushed(instruction, time, &input);
                top += 1;
                continue;
            }
            top -= growth.unsigned_abs();
            // One argument: a. Two: a, then b. Three: a, b, then c.
            let [a, b, c] = [0, 1, 2].map(|of| stack[(top - 1 + of).min(DEPTH - 1)]);
            match instruction {
                Binary(function) if function.bends() => see(a - b),
                Unary(function) if function.bends() => see(a),
                _ => {}
            }
            stack[top - 1] = match instruction {
                Compare(comparison, which) => number(truth(which, comparison, (a - b).value())),
                And => number(holds(a) && holds(b)),
                Or => number(holds(a) || holds(b)),
                Not => number(!holds(a)),
                If if holds(a) => b,
                If => c,
                _ => Self::computed(instruction, a, b),
            };
        }
        stack[0]
    }

    /// Number that an instruction without arguments puts on the stack.
    pub(super) fn pushed<S: Scalar>(instruction: Instruction, time: S, input: &impl Fn(usize, usize) -> S) -> S {
        match instruction {
            Instruction::Number(value) => S::constant(value),
            Instruction::Input(index, element) => input(index, element),
            _ => time,
        }
    }

    /// The result of an instruction of one or two numbers that decides nothing.
    pub(super) fn computed<S: Scalar>(instruction: Instruction, a: S, b: S) -> S {
        use Instruction::*;
        match instruction {
            Add => a + b,
            Subtract => a - b,
            Multiply => a * b,
            Divide => a / b,
            Binary(function) => function.apply(a, b),
            Unary(function) => function.apply(a),
            WholePower(exponent) => a.powi(exponent),
            _ => -a,
        }
    }
}
