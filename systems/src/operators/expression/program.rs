//! Expressions as programs for a small stack machine: they run on any scalar and allocate nothing.

use crate::operators::{Binary, Elementary};
use kinegraph_core::Scalar;

/// Maximum number of intermediate results at one time.
pub(super) const DEPTH: usize = 32;

/// An instruction: it takes its arguments from the stack and puts its result there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Instruction {
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
}

impl Instruction {
    /// Change of the height of the stack.
    fn growth(self) -> isize {
        use Instruction::*;
        match self {
            Number(_) | Time | Input(..) => 1,
            Negate | WholePower(_) | Unary(_) => 0,
            Add | Subtract | Multiply | Divide | Binary(_) => -1,
        }
    }
}

/// A compiled expression: it leaves one result, with never more than [`DEPTH`] on the stack.
#[derive(Debug)]
pub(super) struct Program(Vec<Instruction>);

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

    /// The result at a time; `input(i, k)` is element k of input i.
    pub fn run<S: Scalar>(&self, time: S, input: impl Fn(usize, usize) -> S) -> S {
        self.run_and_see(time, input, &mut |_| {})
    }

    /// Returns the result at a time, as [`run`](Self::run) does. Calls `see` with a number for each of its functions
    /// that has a kink: the number crosses zero at the kink.
    pub fn run_and_see<S: Scalar>(
        &self,
        time: S,
        input: impl Fn(usize, usize) -> S,
        see: &mut (impl FnMut(S) + ?Sized),
    ) -> S {
        let mut stack = [S::zero(); DEPTH];
        // Index of the result on top, plus one.
        let mut top = 0;
        for &instruction in &self.0 {
            use Instruction::*;
            let growth = instruction.growth();
            if growth > 0 {
                stack[top] = match instruction {
                    Number(value) => S::constant(value),
                    Input(index, element) => input(index, element),
                    _ => time,
                };
                top += 1;
                continue;
            }
            if growth < 0 {
                top -= 1;
            }
            // One argument: a. Two: a, then b.
            let (a, b) = (stack[top - 1], stack[top.min(DEPTH - 1)]);
            match instruction {
                Binary(function) if function.bends() => see(a - b),
                Unary(function) if function.bends() => see(a),
                _ => {}
            }
            stack[top - 1] = match instruction {
                Add => a + b,
                Subtract => a - b,
                Multiply => a * b,
                Divide => a / b,
                Binary(function) => function.apply(a, b),
                Unary(function) => function.apply(a),
                WholePower(exponent) => a.powi(exponent),
                _ => -a,
            };
        }
        stack[0]
    }
}
