//! Formulas of named numbers, evaluated once: `2*sqrt($m/$kp)`.

use super::parse::{self, Meaning};
use super::program::Program;
use super::tokens::{Token, tokens};
use kinegraph_core::parameter::ParameterError;

/// A formula of numbers (`2`, `pi`), named numbers (`$m`), `+ - * / ^` and the functions of
/// [`Expression`](super::Expression), which is evaluated once, before a run.
#[derive(Debug)]
pub struct Formula {
    program: Program,
    names: Vec<NameInFormula>,
}

/// A name in a formula, as `m` in `2*$m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameInFormula {
    /// The name, without its `$`.
    pub name: String,
    /// Column of its `$`, in characters from 1.
    pub column: usize,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// Text that is no formula, with the column where it fails; `t` is none, since a formula has no time.
    pub fn new(text: &str) -> Result<Self, ParameterError> {
        let fault = |(column, message)| ParameterError::Expression { expression: text.into(), column, message };
        let mut names: Vec<NameInFormula> = Vec::new();
        for (column, token) in tokens(text).map_err(fault)? {
            if let Token::Name(name) = token
                && let Some(name) = name.strip_prefix('$')
                && names.iter().all(|known| known.name != name)
            {
                names.push(NameInFormula { name: name.to_owned(), column });
            }
        }
        let written: Vec<String> = names.iter().map(|one| format!("${}", one.name)).collect();
        let inputs: Vec<(&str, usize)> = written.iter().map(|name| (name.as_str(), 1)).collect();
        let program = parse::parse(text, &inputs, Meaning::NamedNumbers)?;
        Ok(Formula { program, names })
    }

    /// Its names, each once, in the order of the text.
    pub fn names(&self) -> &[NameInFormula] {
        &self.names
    }

    /// Its value; `values` are those of its names, in their order.
    pub fn value(&self, values: &[f64]) -> f64 {
        self.program.run(0.0, |name, _| values.get(name).copied().unwrap_or(f64::NAN))
    }
}
