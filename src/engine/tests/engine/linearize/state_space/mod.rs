//! Linearizations against closed forms and central differences.

mod closed_forms;
mod policies;
mod scenes;
mod trim;
