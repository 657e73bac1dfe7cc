//! Diagrams that flow and jump: periodic updates, witness functions and resets, against closed forms.

mod blocks;
mod bouncing_ball;
mod clockwork;
mod crossings;
mod event_samples;
mod order_of_events;
mod sampled_control;
mod saved_runs;
mod thermostat;

use kinegraph::integrators::Options;

/// Integrators for smooth motion to high accuracy.
fn accurate() -> Options {
    Options::dopri5(1e-12)
}
