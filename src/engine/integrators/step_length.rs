//! How long the steps of a method are that can take any.

use super::StepControl;

/// How long the steps are.
#[derive(Clone, Copy, Debug)]
pub enum StepLength {
    /// Steps of this length \[s\]; the last one before a limit is shorter.
    Fixed(f64),
    /// As long as the accuracy allows.
    Controlled(StepControl),
}

impl StepLength {
    /// The longest \[s\].
    pub(super) fn longest(&self) -> f64 {
        match self {
            StepLength::Fixed(step) => *step,
            StepLength::Controlled(control) => control.max_step,
        }
    }
}
