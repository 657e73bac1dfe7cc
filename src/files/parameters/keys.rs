//! Keys and limits of parameters and of repeated diagrams.

/// Key of the parameters of a file.
pub(crate) const PARAMETERS: &str = "parameters";

/// Key of the number of copies of a diagram.
pub(crate) const REPEAT: &str = "repeat";

/// Largest number of copies of a diagram.
pub(crate) const MAX_COPIES: usize = 1000;
