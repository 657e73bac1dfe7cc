//! Linearizations against closed forms and central differences.

mod closed_forms;
mod contact;
mod held;
mod policies;
mod random;
mod reductions;
mod responses;
mod sampled;
mod scenes;
mod steps;
mod trim;
mod zeros;
