//! Linearizations against closed forms and central differences.

mod closed_forms;
mod policies;
mod responses;
mod scenes;
mod trim;
mod zeros;
