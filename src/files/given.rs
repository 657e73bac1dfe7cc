//! Numbers that a diagram file sets for the parameters of a file nested in it.

use kinegraph_core::unit::Unit;

/// A number for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The number as it is written, or as a formula made it.
    pub(super) number: f64,
    /// Its unit, if it is written with one.
    pub(super) unit: Option<Unit>,
}
