//! Formulas as blocks.

mod comparison;
mod condition;
mod formula;
mod guard;
mod parse;
mod program;
mod tokens;
mod variation;

use kinegraph_core::logic::{UNDECIDED, due, held, number};
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, TimeVariation};
use parse::Meaning;
use program::Program;

pub use condition::Condition;
pub use formula::{Formula, NameInFormula};

/// Formulas as other blocks compile them.
pub(crate) mod formulas {
    pub(crate) use super::guard::Guard;
    pub(crate) use super::parse::check_name;
    pub(crate) use super::program::Program;
    pub(crate) use super::tokens::is_name;
    pub(crate) use super::variation::faster;

    use super::parse::{Meaning, parse};
    use kinegraph_core::parameter::ParameterError;

    /// The formula of some inputs and the time `t`. `$input.name` is another way to write `name`.
    pub(crate) fn of_signals(text: &str, inputs: &[(&str, usize)]) -> Result<Program, ParameterError> {
        const PREFIX: &str = "$input.";
        parse(&text.replace(PREFIX, &" ".repeat(PREFIX.len())), inputs, Meaning::Signals)
    }
}

/// `outputᵢ = expressionᵢ(t, inputs)`, one number per expression.
///
/// An expression is written as in a book: `a*sin(2*pi*t) + b^2`. It may contain
/// - numbers (`2`, `0.5`, `1e-3`), `pi`, the time `t` \[s\] and the inputs by name: `a` where its width is 1, `a[0]`,
///   `a[1]`, … otherwise;
/// - `+ - * / ^` and parentheses; `^` binds strongest and to the right, so -2^2 = -4 and 2^3^2 = 2^9;
/// - the functions of [`Elementary`](super::Elementary) (`sin(x)`, `sqrt(x)`, …) and of [`Binary`](super::Binary)
///   (`atan2(y, x)`, `min(a, b)`, …), and `clamp(x, low, high)`;
/// - conditions: `>`, `>=`, `<`, `<=`, `==`, `!=`, `and`, `or`, `not`, `if(condition, a, b)`. A condition is a number,
///   1 where it is true and 0 otherwise; a number above 0.5 counts as true.
///
/// The truth of a comparison is discrete state: it changes at the exact time of the crossing, and steps end there.
///
/// Expressions are compiled once and run on both scalars, so their derivatives are exact.
pub struct Expression {
    /// The inputs, in the order given.
    pub inputs: Vec<In<Dyn>>,
    /// One number per expression.
    pub output: Out<Dyn>,
    programs: Vec<Program>,
    ports: Ports,
}

impl Expression {
    /// A block with inputs of the given names and widths, and one output number per expression.
    ///
    /// # Errors
    /// No expressions; an input name that is no identifier, is used twice or has a meaning already; text that is no
    /// expression, with the column where it fails.
    pub fn new(inputs: &[(&str, usize)], expressions: &[&str]) -> Result<Self, ParameterError> {
        if expressions.is_empty() {
            return Err(ParameterError::Empty { parameter: "expressions".into() });
        }
        parse::check_names(inputs)?;
        let programs: Vec<Program> =
            expressions.iter().map(|text| parse::parse(text, inputs, Meaning::Signals)).collect::<Result<_, _>>()?;
        let mut ports = Ports::new();
        let inputs = inputs.iter().map(|&(name, width)| ports.input_of_width(name, width)).collect();
        let output = ports.output_of_width("output", expressions.len());
        let comparisons: usize = programs.iter().map(Program::comparisons).sum();
        if comparisons > 0 {
            ports.discrete_state("truths", vec![UNDECIDED; comparisons]);
            ports.periodic(Sampling::once(0.0));
            for i in 0..comparisons {
                ports.witness(format!("comparison[{i}]"), Crossing::Rising);
            }
        }
        Ok(Expression { inputs, output, programs, ports })
    }

    /// The value of a formula without inputs and without the time (`pi/2`); `None` for any other text.
    pub fn number(text: &str) -> Option<f64> {
        let program = parse::parse(text, &[], Meaning::Signals).ok()?;
        program.is_constant().then(|| program.run(0.0, |_, _| 0.0)).filter(|value: &f64| value.is_finite())
    }
}

impl LeafSystem for Expression {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        !self.programs.iter().all(Program::is_smooth)
    }

    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        self.run(ctx, see, |_, _, _| {}, |program| !program.is_smooth());
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.run(ctx, &mut |_| {}, |i, now, _| next[i] = number(now), |_| true);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let see = |i: usize, now: bool, difference: f64| {
            values[i] = due(ctx.discrete[i] != number(now), difference);
        };
        self.run(ctx, &mut |_| {}, see, |_| true);
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        let truth = &mut state.discrete[witness.index];
        *truth = 1.0 - *truth;
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        let variations = self.programs.iter().map(|program| program.variation(times));
        variations.fold(TimeVariation::Steady, variation::faster)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let mut first = 0;
        for (y, program) in out.slice(self.output).iter_mut().zip(&self.programs) {
            let input = |input: usize, element: usize| ctx.get(self.inputs[input])[element];
            *y = program.run_with(ctx.time, input, &mut |_| {}, |i, comparison, difference| {
                held(ctx.discrete[first + i]).unwrap_or_else(|| comparison.holds(difference))
            });
            first += program.comparisons();
        }
    }
}

impl Expression {
    /// Runs the programs that are `wanted` at a context. Calls `see` for kinks, and `compare` with the number of each
    /// comparison, its truth by the numbers of the moment and the difference of the two.
    fn run(
        &self,
        ctx: &Context<f64>,
        see: &mut dyn FnMut(f64),
        mut compare: impl FnMut(usize, bool, f64),
        wanted: fn(&Program) -> bool,
    ) {
        let mut first = 0;
        for program in &self.programs {
            if wanted(program) {
                let input = |input: usize, element: usize| ctx.get(self.inputs[input])[element];
                let _ = program.run_with(ctx.time, input, see, |i, comparison, difference| {
                    let now = comparison.holds(difference);
                    compare(first + i, now, difference);
                    held(ctx.discrete[first + i]).unwrap_or(now)
                });
            }
            first += program.comparisons();
        }
    }
}
