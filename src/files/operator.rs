//! Signals of an `operator_input` and the devices that move them.

use serde::{Deserialize, Serialize};

/// A signal that a person moves, from -1 to 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorSignal {
    /// Its name.
    pub name: String,
    /// Number of an axis of a gamepad, from 1.
    pub axis: Option<usize>,
    /// Number of a button of a gamepad, from 1.
    pub button: Option<usize>,
    /// The key of 1, or those of -1 and 1.
    pub keys: Vec<String>,
}
