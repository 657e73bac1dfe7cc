//! Checks of the parameters of blocks, and their errors.

use crate::port::Sampling;
use nalgebra::DMatrix;
use std::collections::HashSet;
use thiserror::Error;

/// Error: a block cannot be made from these parameters.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// A list has the wrong number of elements.
    #[error("{parameter} has {given} elements, expected {expected}")]
    Size {
        /// Name of the parameter.
        parameter: String,
        /// Number of its elements.
        given: usize,
        /// Number of elements that are expected.
        expected: usize,
    },
    /// A list has no elements where at least one is needed.
    #[error("{parameter} is empty")]
    Empty {
        /// Name of the parameter.
        parameter: String,
    },
    /// A number is infinite or not a number.
    #[error("{parameter}[{index}] is {value}, expected a finite number")]
    NotFinite {
        /// Name of the parameter.
        parameter: String,
        /// Index of the element.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A number outside of its range.
    #[error("{parameter}[{index}] is {value}, expected {expected}")]
    Range {
        /// Name of the parameter.
        parameter: String,
        /// Index of the element.
        index: usize,
        /// Its value.
        value: f64,
        /// The valid values, in words that fit "expected …".
        expected: &'static str,
    },
    /// A lower bound that is not below its upper bound.
    #[error("{lower}[{index}] = {below} is not below {upper}[{index}] = {above}")]
    Bounds {
        /// Name of the lower bound.
        lower: &'static str,
        /// Name of the upper bound.
        upper: &'static str,
        /// Index of the element.
        index: usize,
        /// The lower bound.
        below: f64,
        /// The upper bound.
        above: f64,
    },
    /// Text that is no expression.
    #[error("`{expression}`, column {column}: {message}")]
    Expression {
        /// The text.
        expression: String,
        /// Column of the fault in the text, in characters from 1.
        column: usize,
        /// The fault.
        message: String,
    },
    /// Times that are not strictly increasing.
    #[error("{parameter}[{index}] = {value} does not come after {parameter}[{}] = {previous}", .index - 1)]
    NotIncreasing {
        /// Name of the parameter.
        parameter: String,
        /// Index of the element that does not exceed the one before it.
        index: usize,
        /// Its value.
        value: f64,
        /// The value before it.
        previous: f64,
    },
    /// A matrix has the wrong size.
    #[error(
        "{parameter} is {} x {}, expected {} x {}{}",
        .given.0, .given.1, .expected.0, .expected.1, transposed(*.given, *.expected)
    )]
    Shape {
        /// Name of the parameter.
        parameter: String,
        /// Its rows and columns.
        given: (usize, usize),
        /// The rows and columns it should have.
        expected: (usize, usize),
    },
    /// A state with more numbers than a block may have.
    #[error(
        "{parameter}: the block would hold {numbers:.3e} numbers, {:.3e} bytes; at most {MAX_NUMBERS} numbers are held",
        .numbers * 8.0
    )]
    TooLarge {
        /// Name of the parameter.
        parameter: String,
        /// Number of numbers that the state would have.
        numbers: f64,
    },
    /// A name that is empty or not unique.
    #[error("{parameter}[{index}] = `{name}` is empty or stands before: give each a name of its own")]
    Name {
        /// Name of the parameter.
        parameter: String,
        /// Index of the name.
        index: usize,
        /// The name.
        name: String,
    },
    /// A transfer function that would differentiate its input.
    #[error(
        "the numerator has degree {numerator}, the denominator {denominator}: the function is not proper, its output would contain derivatives of the input. Add a pole to the denominator, such as a small time constant"
    )]
    Improper {
        /// Degree of the numerator.
        numerator: usize,
        /// Degree of the denominator.
        denominator: usize,
    },
}

crate::debug_is_message!(ParameterError);

impl ParameterError {
    /// Name of the wrong parameter; `None` if several are wrong together.
    pub fn parameter(&self) -> Option<&str> {
        use ParameterError::*;
        match self {
            Size { parameter, .. }
            | Empty { parameter }
            | NotFinite { parameter, .. }
            | Range { parameter, .. }
            | NotIncreasing { parameter, .. }
            | Shape { parameter, .. }
            | TooLarge { parameter, .. }
            | Name { parameter, .. } => Some(parameter),
            Bounds { lower, .. } => Some(lower),
            Expression { .. } => Some("expression"),
            Improper { .. } => Some("numerator"),
        }
    }
}

/// Maximum number of state variables of one block: a run holds about ten copies of its state, 80 bytes a number.
pub const MAX_NUMBERS: usize = 10_000_000;

/// Returns the total for `count` numbers in each of `width` channels.
///
/// # Errors
/// The total is more than [`MAX_NUMBERS`].
pub fn held(parameter: &str, count: usize, width: usize) -> Result<usize, ParameterError> {
    let numbers = count.checked_mul(width).filter(|numbers| *numbers <= MAX_NUMBERS);
    let too_large =
        || ParameterError::TooLarge { parameter: parameter.to_owned(), numbers: count as f64 * width as f64 };
    numbers.ok_or_else(too_large)
}

/// Checks that every element is finite.
pub fn finite(parameter: &str, values: &[f64]) -> Result<(), ParameterError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(ParameterError::NotFinite { parameter: parameter.to_owned(), index, value: values[index] }),
        None => Ok(()),
    }
}

/// Checks that every element is above zero.
pub fn positive(parameter: &str, values: &[f64]) -> Result<(), ParameterError> {
    within(parameter, values, "a number above 0", |value| value > 0.0)
}

/// Checks that every element is `valid`; `expected` names the valid values in words.
pub fn within(
    parameter: &str,
    values: &[f64],
    expected: &'static str,
    valid: impl Fn(f64) -> bool,
) -> Result<(), ParameterError> {
    match values.iter().position(|&value| !valid(value)) {
        Some(index) => {
            Err(ParameterError::Range { parameter: parameter.to_owned(), index, value: values[index], expected })
        }
        None => Ok(()),
    }
}

/// A parameter with its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedValues<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its elements.
    pub values: &'a [f64],
}

/// Elements of the parameter `name`, for [`bounds`].
pub fn named<'a>(name: &'static str, values: &'a [f64]) -> NamedValues<'a> {
    NamedValues { name, values }
}

/// Checks that each element of `lower` is below its counterpart in `upper`.
///
/// # Errors
/// [`ParameterError::Bounds`] with the first pair that violates this.
pub fn bounds(lower: NamedValues<'_>, upper: NamedValues<'_>) -> Result<(), ParameterError> {
    let pairs = lower.values.iter().zip(upper.values);
    match pairs.enumerate().find(|(_, (below, above))| below >= above) {
        Some((index, (&below, &above))) => {
            Err(ParameterError::Bounds { lower: lower.name, upper: upper.name, index, below, above })
        }
        None => Ok(()),
    }
}

/// Checks that the elements are finite and increase strictly.
pub fn increasing(parameter: &str, values: &[f64]) -> Result<(), ParameterError> {
    finite(parameter, values)?;
    match (1..values.len()).find(|&i| values[i] <= values[i - 1]) {
        Some(index) => {
            let (value, previous) = (values[index], values[index - 1]);
            Err(ParameterError::NotIncreasing { parameter: parameter.to_owned(), index, value, previous })
        }
        None => Ok(()),
    }
}

/// Hint that a row was given where a column is expected, or the reverse.
fn transposed(given: (usize, usize), expected: (usize, usize)) -> &'static str {
    if given.1 == 1 && given.0 > 1 && given.0 == expected.1 {
        ": rows stand in brackets of their own, one row is [[1, 2]]"
    } else if given.0 == 1 && given.1 > 1 && given.1 == expected.0 {
        ": rows stand in brackets of their own, one column is [[1], [2]]"
    } else {
        ""
    }
}

/// Checks the number of elements.
pub fn size(parameter: &str, given: usize, expected: usize) -> Result<(), ParameterError> {
    if given == expected {
        Ok(())
    } else {
        Err(ParameterError::Size { parameter: parameter.to_owned(), given, expected })
    }
}

/// Checks size and elements of a matrix.
pub fn matrix(parameter: &str, matrix: &DMatrix<f64>, expected: (usize, usize)) -> Result<(), ParameterError> {
    if matrix.shape() != expected {
        return Err(ParameterError::Shape { parameter: parameter.to_owned(), given: matrix.shape(), expected });
    }
    for (i, row) in matrix.row_iter().enumerate() {
        if let Some((index, &value)) = row.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            return Err(ParameterError::NotFinite { parameter: format!("{parameter}[{i}]"), index, value });
        }
    }
    Ok(())
}

/// Checks that no name is empty or occurs twice.
pub fn distinct(parameter: &str, names: &[String]) -> Result<(), ParameterError> {
    let mut before = HashSet::new();
    match names.iter().position(|name| name.is_empty() || !before.insert(name)) {
        Some(index) => Err(ParameterError::Name { parameter: parameter.to_owned(), index, name: names[index].clone() }),
        None => Ok(()),
    }
}

/// Checks the times of periodic events: a positive period, an offset that is not negative.
pub fn sampling(sampling: Sampling) -> Result<Sampling, ParameterError> {
    finite("period", &[sampling.period])?;
    positive("period", &[sampling.period])?;
    finite("offset", &[sampling.offset])?;
    within("offset", &[sampling.offset], "a number that is not negative", |offset| offset >= 0.0)?;
    Ok(sampling)
}

/// A parameter given once for all channels, or once per channel.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum PerChannel {
    /// One value for all channels.
    All(f64),
    /// One value for each channel.
    Each(Vec<f64>),
}

impl PerChannel {
    /// One finite value per channel.
    ///
    /// # Errors
    /// A list whose length is not `channels`, or a value that is not finite.
    pub fn expand(self, parameter: &str, channels: usize) -> Result<Vec<f64>, ParameterError> {
        let values = match self {
            PerChannel::All(value) => {
                finite(parameter, &[value])?;
                vec![value; channels]
            }
            PerChannel::Each(values) => values,
        };
        size(parameter, values.len(), channels)?;
        finite(parameter, &values)?;
        Ok(values)
    }
}

impl From<f64> for PerChannel {
    fn from(value: f64) -> Self {
        PerChannel::All(value)
    }
}

impl From<Vec<f64>> for PerChannel {
    fn from(values: Vec<f64>) -> Self {
        PerChannel::Each(values)
    }
}

impl<const N: usize> From<[f64; N]> for PerChannel {
    fn from(values: [f64; N]) -> Self {
        PerChannel::Each(values.to_vec())
    }
}
