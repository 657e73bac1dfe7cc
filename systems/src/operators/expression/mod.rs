//! Formulas as blocks.

mod formula;
mod parse;
mod program;
mod tokens;
mod variation;

use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};
use parse::Meaning;
use program::Program;

pub use formula::{Formula, NameInFormula};

/// `outputᵢ = expressionᵢ(t, inputs)`, one number per expression.
///
/// An expression is written as in a book: `a*sin(2*pi*t) + b^2`. It may contain
/// - numbers (`2`, `0.5`, `1e-3`), `pi`, the time `t` \[s\] and the inputs by name: `a` where its width is 1, `a[0]`,
///   `a[1]`, … otherwise;
/// - `+ - * / ^` and parentheses; `^` binds strongest and to the right, so -2^2 = -4 and 2^3^2 = 2^9;
/// - the functions of [`Elementary`](super::Elementary) (`sin(x)`, `sqrt(x)`, …) and of [`Binary`](super::Binary)
///   (`atan2(y, x)`, `min(a, b)`, …).
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
        let programs =
            expressions.iter().map(|text| parse::parse(text, inputs, Meaning::Signals)).collect::<Result<_, _>>()?;
        let mut ports = Ports::new();
        Ok(Expression {
            inputs: inputs.iter().map(|&(name, width)| ports.input_of_width(name, width)).collect(),
            output: ports.output_of_width("output", expressions.len()),
            programs,
            ports,
        })
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
        for program in self.programs.iter().filter(|program| !program.is_smooth()) {
            program.run_and_see(ctx.time, |input, element| ctx.get(self.inputs[input])[element], see);
        }
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        let variations = self.programs.iter().map(|program| program.variation(times));
        variations.fold(TimeVariation::Steady, variation::faster)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, program) in out.slice(self.output).iter_mut().zip(&self.programs) {
            *y = program.run(ctx.time, |input, element| ctx.get(self.inputs[input])[element]);
        }
    }
}
