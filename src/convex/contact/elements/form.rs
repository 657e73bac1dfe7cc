//! The forms of a law that methods take.

use std::fmt;

/// A form of the law of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The convex potential of a step.
    Convex,
    /// Rows that are answered one after the other.
    Sweeps,
    /// The force before any discretization.
    Continuous,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 3] = [Form::Convex, Form::Sweeps, Form::Continuous];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Convex => "a convex law of a step",
            Form::Sweeps => "rows for sweeps",
            Form::Continuous => "a continuous force",
        })
    }
}
