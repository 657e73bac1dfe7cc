//! Filters in motion.

use super::{check, open};

/// Step responses in closed form: 1 - e^(-wt) (1 + wt/√2-terms) of the second order Butterworth filter, lead-lag by its
/// residue, and a full notch of ζ = 1: 1 - 2 w t e^(-w t).
#[test]
fn step_responses_in_closed_form() {
    let mut simulation = open(
        "one: {type: constant, value: 1}
        low: {type: butterworth, order: 2, to: 3}
        high: {type: butterworth, order: 1, from: 3}
        lead: {type: lead_lag, lead: 0.5, lag: 0.25, gain: 2}
        notch: {type: notch, frequency: 3, damping_ratio: 1}",
        "one.output -> low.input
        one.output -> high.input
        one.output -> lead.input
        one.output -> notch.input",
    );
    for t in [0.1, 0.7, 2.0] {
        let phase = 3.0 * t / 2.0_f64.sqrt();
        let expected = [
            ("low.output", 1.0 - (-phase).exp() * (phase.cos() + phase.sin())),
            ("high.output", (-3.0 * t).exp()),
            ("lead.output", 2.0 * (1.0 + (-4.0 * t).exp())),
            ("notch.output", 1.0 - 6.0 * t * (-3.0 * t).exp()),
        ];
        check(&mut simulation, t, &expected, 1e-8);
    }
}

/// A wave at the frequency of the notch dies out; one in the middle of a band pass comes through as it is.
#[test]
fn waves_are_taken_out_or_pass() {
    let mut simulation = open(
        "wave: {type: sine, frequency: 4}
        notch: {type: notch, frequency: 4}
        band: {type: butterworth, order: 3, from: 2, to: 8}",
        "wave.output -> notch.input
        wave.output -> band.input",
    );
    for t in [30.0, 30.3] {
        check(&mut simulation, t, &[("notch.output", 0.0), ("band.output", (4.0 * t).sin())], 1e-7);
    }
}
