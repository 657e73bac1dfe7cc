//! Delays by a signal in motion.

use super::{check, open};

/// A step at 0.4017 s through a delay of 0.2 + t/2: it arrives where t/2 - 0.2 is its instant, at 1.2034 s.
#[test]
fn a_jump_arrives_at_its_exact_instant() {
    for delay in [
        "delay: {type: ramp, slope: 0.5, initial: 0.2}",
        "delay: {type: integrator, initial: 0.2}\nhalf: {type: constant, value: 0.5}",
    ] {
        let wires = if delay.contains("half") { "half.output -> delay.input" } else { "" };
        let mut simulation = open(
            &format!(
                "{delay}
                step: {{type: step, time: 0.4017, final: 3}}
                link: {{type: variable_delay, longest: 2, period: 0.01}}
                sum: {{type: integrator}}"
            ),
            &format!(
                "{wires}
                delay.output -> link.delay
                step.output -> link.input
                link.output -> sum.input"
            ),
        );
        check(&mut simulation, 1.2, &[("link.output", 0.0), ("sum.output", 0.0)], 1e-12);
        check(&mut simulation, 1.7034, &[("link.output", 3.0), ("sum.output", 1.5)], 1e-8);
    }
}

/// A delay that grows faster than the time takes the output back: with 0.1 + 0.3 t² the instant t - delay rises up to
/// 1.667 s and then falls; it passes 0.4017 s both ways.
#[test]
fn a_jump_returns_where_the_delay_outruns_the_time() {
    let mut simulation = open(
        "delay: {type: expression, expression: \"0.1 + 0.3*t^2\"}
        step: {type: step, time: 0.4017, final: 3}
        link: {type: variable_delay, longest: 5, period: 0.01}
        sum: {type: integrator}",
        "delay.output -> link.delay
        step.output -> link.input
        link.output -> sum.input",
    );
    let half = (1.0_f64 - 4.0 * 0.3 * 0.5017).sqrt() / 0.6;
    let (there, back) = (1.0 / 0.6 - half, 1.0 / 0.6 + half);
    check(&mut simulation, there + 0.5, &[("link.output", 3.0), ("sum.output", 1.5)], 1e-8);
    check(&mut simulation, back + 0.2, &[("link.output", 0.0), ("sum.output", 3.0 * (back - there))], 1e-8);
}

/// A ramp with the slope 2 through a delay of 0.1 + t/4 is 2 (3/4 t - 0.1): exact, with its slope.
#[test]
fn a_growing_delay_stretches_what_passes() {
    let mut simulation = open(
        "delay: {type: ramp, slope: 0.25, initial: 0.1}
        ramp: {type: ramp, slope: 2}
        link: {type: variable_delay, longest: 5, period: 0.01}
        sum: {type: integrator}",
        "delay.output -> link.delay
        ramp.output -> link.input
        link.output -> sum.input",
    );
    // It begins at 0.1/0.75 s.
    for t in [0.05, 0.5, 1.234, 3.0] {
        let since = f64::max(t - 0.1 / 0.75, 0.0);
        check(&mut simulation, t, &[("link.output", 1.5 * since), ("sum.output", 0.75 * since * since)], 1e-7);
    }
}
