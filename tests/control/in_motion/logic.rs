//! Events of logic at their exact instants: integrals of the outputs show them to rounding of the integrator.

use super::{WAVE_WIRES, WAVES, check, open};
use std::f64::consts::PI;

const EXACT: f64 = 1e-9;

/// sin(2 t - 1) rises through 0.6 and falls through 0.4.
#[test]
fn a_comparator_switches_at_its_crossings() {
    for (wave, wires) in WAVES.into_iter().zip(WAVE_WIRES) {
        let mut simulation = open(
            &format!(
                "{wave}
                above: {{type: comparator, threshold: 0.5, hysteresis: 0.2}}
                time: {{type: integrator}}"
            ),
            &format!(
                "{wires}
                wave.output[0] -> above.input
                above.output -> time.input"
            ),
        );
        let (on, off) = ((1.0 + 0.6_f64.asin()) / 2.0, (1.0 + PI - 0.4_f64.asin()) / 2.0);
        let middle = (on + off) / 2.0;
        check(&mut simulation, middle, &[("above.output", 1.0), ("time.output", middle - on)], EXACT);
        check(&mut simulation, off + 0.3, &[("above.output", 0.0), ("time.output", off - on)], EXACT);
        check(&mut simulation, on + PI + 0.2, &[("above.output", 1.0), ("time.output", off - on + 0.2)], EXACT);
    }
}

/// Two integrals meet: 1 + t and 3 t at 0.5 s.
#[test]
fn a_comparator_compares_two_signals() {
    let mut simulation = open(
        "rates: {type: constant, value: [1, 3]}
        x: {type: integrator, initial: [1, 0]}
        above: {type: comparator}
        time: {type: integrator}",
        "rates.output -> x.input
        x.output[1] -> above.input
        x.output[0] -> above.reference
        above.output -> time.input",
    );
    check(&mut simulation, 2.0, &[("time.output", 1.5)], EXACT);
}

/// The latch is set while sin(2 t - 1) > 1/2, from (1 + π/6)/2 on, and reset by sin(2 t - 3) > 1/2, 1 s later.
#[test]
fn a_latch_is_set_and_reset_by_crossings() {
    let mut simulation = open(
        "set: {type: expression, expression: \"sin(2*t - 1)\"}
        reset: {type: expression, expression: \"sin(2*t - 3)\"}
        latch: {type: latch}
        time: {type: integrator}",
        "set.output -> latch.set
        reset.output -> latch.reset
        latch.output -> time.input",
    );
    let set = (1.0 + PI / 6.0) / 2.0;
    check(&mut simulation, set + 0.25, &[("latch.output", 1.0), ("time.output", 0.25)], EXACT);
    check(&mut simulation, set + 1.5, &[("latch.output", 0.0), ("time.output", 1.0)], EXACT);
    check(&mut simulation, set + 9.0, &[("latch.output", 0.0), ("time.output", 3.0)], EXACT);
}

/// sin(2 t - 1) rises through zero at 1/2 + k π.
#[test]
fn pulses_begin_at_edges_and_have_their_duration() {
    for (wave, wires) in WAVES.into_iter().zip(WAVE_WIRES) {
        let mut simulation = open(
            &format!(
                "{wave}
                edge: {{type: edge, threshold: 0, duration: 0.25}}
                both: {{type: edge, threshold: 0, duration: 0.25, on: either}}
                time: {{type: integrator, initial: [0, 0]}}
                pulses: {{type: multiplexer, widths: [1, 1]}}"
            ),
            &format!(
                "{wires}
                wave.output[0] -> edge.input
                wave.output[0] -> both.input
                edge.pulse -> pulses.input0
                both.pulse -> pulses.input1
                pulses.output -> time.input"
            ),
        );
        check(&mut simulation, 0.6, &[("edge.pulse", 1.0), ("time.output[0]", 0.1)], EXACT);
        check(&mut simulation, 1.0, &[("edge.pulse", 0.0), ("time.output[0]", 0.25)], EXACT);
        let counts = [("edge.count", 3.0), ("both.count", 5.0), ("time.output[0]", 0.75), ("time.output[1]", 1.25)];
        check(&mut simulation, 0.5 + 2.25 * PI, &counts, EXACT);
    }
}

/// A duration longer than the half of a wave: the pulse of the next edge begins before the last one ends.
#[test]
fn a_pulse_is_prolonged_by_the_next_edge() {
    let mut simulation = open(
        "wave: {type: expression, expression: \"sin(2*t - 1)\"}
        edge: {type: edge, threshold: 0, duration: 2, on: either}
        time: {type: integrator}",
        "wave.output -> edge.input
        edge.pulse -> time.input",
    );
    check(&mut simulation, 9.0, &[("edge.pulse", 1.0), ("time.output", 8.5)], EXACT);
}

/// sin(2 t - 1) is positive from 1/2 + k π on for π/2.
#[test]
fn a_timer_shows_the_time_since_its_start() {
    for (wave, wires) in WAVES.into_iter().zip(WAVE_WIRES) {
        let mut simulation = open(
            &format!(
                "{wave}
                since: {{type: timer, threshold: 0}}
                sum: {{type: timer, threshold: 0, while_false: keep}}
                area: {{type: integrator}}
                up: {{type: step, time: 4, final: 1}}"
            ),
            &format!(
                "{wires}
                wave.output[0] -> since.input
                wave.output[0] -> sum.input
                up.output -> sum.reset
                since.output -> area.input"
            ),
        );
        check(&mut simulation, 1.5, &[("since.output", 1.0), ("area.output", 0.5)], EXACT);
        let half = PI / 2.0;
        check(&mut simulation, 2.5, &[("since.output", 0.0), ("sum.output", half)], EXACT);
        check(&mut simulation, 2.5, &[("area.output", half * half / 2.0)], EXACT);
        // It runs since 1/2 + π, and begins again at 4 s.
        check(&mut simulation, 3.8, &[("since.output", 3.3 - PI), ("sum.output", half + 3.3 - PI)], EXACT);
        check(&mut simulation, 4.5, &[("since.output", 4.0 - PI), ("sum.output", 0.5)], EXACT);
    }
}

/// The selection is the time: input 1 from 1/2 s on, input 2 from 3/2 s on, the last one for good.
#[test]
fn a_multiport_switch_changes_halfway_between_numbers() {
    for clock in ["clock: {type: ramp, slope: 1}", "clock: {type: integrator}\none: {type: constant, value: 1}"] {
        let wires = if clock.contains("one") { "one.output -> clock.input" } else { "" };
        let mut simulation = open(
            &format!(
                "{clock}
                choose: {{type: multiport_switch, inputs: 3}}
                low: {{type: constant, value: 1}}
                middle: {{type: constant, value: 10}}
                high: {{type: constant, value: 100}}
                sum: {{type: integrator}}"
            ),
            &format!(
                "{wires}
                clock.output -> choose.select
                low.output -> choose.input0
                middle.output -> choose.input1
                high.output -> choose.input2
                choose.output -> sum.input"
            ),
        );
        check(&mut simulation, 4.5, &[("choose.output", 100.0), ("sum.output", 0.5 + 10.0 + 300.0)], EXACT);
    }
}

/// A ramp, sampled every 0.1 s and handed over every 0.3 s: at each of these the sample of 0.1 s before counts.
#[test]
fn a_rate_transition_hands_over_the_value_just_before() {
    let mut simulation = open(
        "clock: {type: ramp, slope: 1}
        fast: {type: zero_order_hold, period: 0.1}
        slow: {type: rate_transition, from: 0.1, to: 0.3}
        later: {type: rate_transition, from: 0.1, to: 0.3, transfer: delay}",
        "clock.output -> fast.input
        fast.output -> slow.input
        fast.output -> later.input",
    );
    check(&mut simulation, 1.15, &[("slow.output", 0.8), ("later.output", 0.5)], 1e-12);
    check(&mut simulation, 1.25, &[("slow.output", 1.1), ("later.output", 0.8)], 1e-12);
}
