//! Length of the steps of a method that can take any.

use super::StepControl;

/// Length of the steps of a method.
#[derive(Clone, Copy, Debug)]
pub enum StepLength {
    /// Steps of this length \[s\]; the last one before a limit is shorter.
    Fixed(f64),
    /// Steps as long as the accuracy allows.
    Controlled(StepControl),
}

impl StepLength {
    /// Longest step \[s\].
    pub(super) fn longest(&self) -> f64 {
        match self {
            StepLength::Fixed(step) => *step,
            StepLength::Controlled(control) => control.max_step,
        }
    }
}
