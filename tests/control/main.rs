//! Controllers and feedback: closed loops against closed forms, and feedback that is implicit within a step.

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod coupled_feedback;
mod linearization;
mod stiff_feedback;
