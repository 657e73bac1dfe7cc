//! What an integrator remembers between steps.

use serde::{Deserialize, Serialize};

/// What the next steps depend on besides the state, as numbers by name: the length of the next step, for instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory(pub Vec<(String, f64)>);

impl Memory {
    /// Adds a number, where there is one.
    pub fn with(mut self, name: &str, value: Option<f64>) -> Self {
        self.0.extend(value.map(|value| (name.to_owned(), value)));
        self
    }

    /// The number of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The number of that name, if it is a valid step \[s\].
    pub fn step(&self, name: &str) -> Option<f64> {
        self.get(name).filter(|step| *step > 0.0 && step.is_finite())
    }
}
