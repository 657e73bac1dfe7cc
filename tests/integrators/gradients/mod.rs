//! Derivatives of runs: closed forms, differences of tight runs.

mod blows;
mod events;
mod family;
mod scenes;
