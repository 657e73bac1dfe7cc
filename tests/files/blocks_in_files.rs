//! Every block type can be named in a diagram file, and computes what it should in a simulation of that file.

use kinegraph::files::load_str;
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

/// Builds a file with these systems and connections, to be run with fixed steps of 0.1 s.
fn open(systems: &[&str], connections: &[&str]) -> Result<Simulation, String> {
    let list = |lines: &[&str], mark: &str| lines.iter().map(|line| format!("  {mark}{line}\n")).collect::<String>();
    let text = format!(
        "kinegraph: 1\nsystems:\n{}connections:{}\n{}simulation: {{integrator: icf, step: 0.1, duration: 100}}\n",
        list(systems, ""),
        if connections.is_empty() { " []" } else { "" },
        list(connections, "- "),
    );
    let loaded = load_str(Path::new("blocks.yaml"), &text, &[]).map_err(|error| format!("{error}\nin\n{text}"))?;
    match Scenario::build(&loaded.diagram, &loaded.loader) {
        Some(scenario) => scenario.simulation().map_err(|error| error.to_string()),
        None => Err(loaded.loader.finish().expect_err("a fault").to_string()),
    }
}

/// Runs to `time` and compares outputs of the block `b`, by name.
fn check(systems: &[&str], connections: &[&str], time: f64, expected: &[(&str, f64)], tolerance: f64) {
    let mut simulation = open(systems, connections).unwrap_or_else(|fault| panic!("{systems:?}: {fault}"));
    simulation.advance_to(time).unwrap_or_else(|error| panic!("{systems:?}: {error}"));
    for (output, expected) in expected {
        let found = simulation.channel(&format!("b.{output}")).unwrap_or_else(|fault| panic!("{systems:?}: {fault}"));
        assert!((found - expected).abs() <= tolerance, "{systems:?}: {output} = {found}, not {expected}");
    }
}

/// Rounding of a few operations.
const EXACT: f64 = 1e-12;

/// A source, the time, and some of its outputs.
type SourceCase = (&'static str, f64, &'static [(&'static str, f64)]);

const SOURCES: &[SourceCase] = &[
    ("{type: constant, value: [1, 2]}", 1.0, &[("output[1]", 2.0)]),
    ("{type: step, time: 0.55, final: 3}", 0.5, &[("output", 0.0)]),
    ("{type: step, time: 0.55, initial: [1, 2], final: 3}", 0.6, &[("output[0]", 3.0), ("output[1]", 3.0)]),
    ("{type: ramp, slope: 2}", 0.7, &[("output", 1.4)]),
    ("{type: ramp, slope: 2, start: 0.25, stop: 0.5, initial: 1}", 0.7, &[("output", 1.5)]),
    ("{type: sine, frequency: 3}", 0.5, &[("output", 0.997494986604054), ("rate", 0.212211605003108)]),
    ("{type: sine, amplitude: 2, frequency: 0, phase: [0, 1.5707963267948966], offset: 1}", 0.5, &[("output[1]", 3.0)]),
    // φ = 0.5 + (2 - 1)/2 * 0.25.
    ("{type: chirp, frequencies: [1, 2], duration: 1}", 0.5, &[("output", 0.585097272940462)]),
    ("{type: pulse, amplitude: 4, period: 1, width_fraction: 0.25}", 2.1, &[("output", 4.0)]),
    ("{type: pulse, amplitude: 4, period: 1, width_fraction: 0.25}", 2.4, &[("output", 0.0)]),
    (
        "{type: piecewise_polynomial, breaks: [0, 1], coefficients: [[[1, 2, 3]]]}",
        0.5,
        &[("position", 2.75), ("velocity", 5.0)],
    ),
    ("{type: noise, standard_deviation: 0, mean: 3, period: 0.07}", 0.5, &[("output", 3.0)]),
    ("{type: trajectory, times: [0, 1], values: [[0], [2]]}", 0.5, &[("position", 1.0), ("velocity", 3.0)]),
    (
        "{type: expression, expression: [\"2*t\", \"t^2 - pi\"]}",
        2.0,
        &[("output[0]", 4.0), ("output[1]", 4.0 - std::f64::consts::PI)],
    ),
    ("{type: expression, expression: 7}", 2.0, &[("output", 7.0)]),
];

#[test]
fn sources() {
    for (block, time, expected) in SOURCES {
        check(&[&format!("b: {block}")], &[], *time, expected, EXACT);
    }
}

/// A block, the constant values of its inputs, and some of its outputs.
type OperatorCase = (&'static str, &'static [(&'static str, &'static str)], &'static [(&'static str, f64)]);

const OPERATORS: &[OperatorCase] = &[
    ("{type: gain, gain: [2, 3]}", &[("input", "[5, 7]")], &[("output[1]", 21.0)]),
    ("{type: adder, signs: \"+-\"}", &[("input0", "5"), ("input1", "7")], &[("output", -2.0)]),
    ("{type: product, factors: \"*/\"}", &[("input0", "5"), ("input1", "8")], &[("output", 0.625)]),
    ("{type: matrix_gain, matrix: [[1, 2], [3, 4], [5, 6]]}", &[("input", "[1, 10]")], &[("output[2]", 65.0)]),
    ("{type: multiplexer, widths: [1, 2]}", &[("input0", "1"), ("input1", "[2, 3]")], &[("output[2]", 3.0)]),
    ("{type: demultiplexer, widths: [1, 2]}", &[("input", "[1, 2, 3]")], &[("output0", 1.0), ("output1[1]", 3.0)]),
    (
        "{type: saturation, lower: -1, upper: [1, 2]}",
        &[("input", "[5, 1.5]")],
        &[("output[0]", 1.0), ("output[1]", 1.5)],
    ),
    ("{type: dead_zone, lower: -1, upper: 1}", &[("input", "-3")], &[("output", -2.0)]),
    ("{type: quantizer, interval: 0.5}", &[("input", "1.2")], &[("output", 1.0)]),
    ("{type: switch}", &[("control", "-1"), ("above", "3"), ("below", "4")], &[("output", 4.0)]),
    ("{type: relay, rise_at: 1, fall_at: -1, high: 5}", &[("input", "2")], &[("output", 5.0)]),
    ("{type: relay, rise_at: 1, fall_at: -1, starts: high}", &[("input", "0")], &[("output", 1.0)]),
    ("{type: relay, rise_at: 1, fall_at: -1}", &[("input", "0")], &[("output", 0.0)]),
    ("{type: function, function: sqrt, width: 2}", &[("input", "[9, 16]")], &[("output[1]", 4.0)]),
    ("{type: binary_function, function: hypot}", &[("a", "3"), ("b", "4")], &[("output", 5.0)]),
    ("{type: expression, inputs: [x, y], expression: x/y}", &[("x", "3"), ("y", "4")], &[("output", 0.75)]),
    ("{type: expression, inputs: {q: 2}, expression: \"q[0] - q[1]\"}", &[("q", "[3, 4]")], &[("output", -1.0)]),
    ("{type: table, arguments: [0, 2, 4], values: [0, 4, 0]}", &[("input", "2.5")], &[("output", 3.0)]),
    ("{type: table, arguments: [0, 2], values: [0, 4], beyond: extend}", &[("input", "3")], &[("output", 6.0)]),
    ("{type: angle_difference}", &[("desired", "3"), ("measured", "-3")], &[("output", 6.0 - std::f64::consts::TAU)]),
    (
        "{type: dc_motor, resistance: 2, torque_constant: 0.5, gear_ratio: 10}",
        &[("voltage", "4"), ("velocity", "0.4")],
        &[("current", 1.0), ("torque", 5.0)],
    ),
    ("{type: pid, kp: 2}", &[("measured", "[1, 0]"), ("desired", "[4, 0]")], &[("effort", 6.0)]),
];

#[test]
fn operators() {
    for (block, inputs, expected) in OPERATORS {
        let constant = |(name, value): &(&str, &str)| format!("{name}_of_b: {{type: constant, value: {value}}}");
        let sources: Vec<String> = inputs.iter().map(constant).collect();
        let block = format!("b: {block}");
        let systems: Vec<&str> = sources.iter().map(String::as_str).chain([block.as_str()]).collect();
        let wires: Vec<String> = inputs.iter().map(|(name, _)| format!("{name}_of_b.output -> b.{name}")).collect();
        let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
        check(&systems, &wires, 1e-3, expected, EXACT);
    }
}

#[test]
fn blocks_with_state() {
    let one = "one: {type: constant, value: 1}";
    check(&[one, "b: {type: integrator, initial: 2}"], &["one.output -> b.input"], 1.5, &[("output", 3.5)], EXACT);
    // Far from its goal, the limiter moves at its bound.
    let limiter = "b: {type: rate_limiter, rising: 0.2, falling: 1, time_constant: 0.01}";
    check(&[one, limiter], &["one.output -> b.input"], 1.5, &[("output", 0.3)], EXACT);
    let belt = "b: {type: conveyor_belt, acceleration: 0.2, time_constant: 0.01, initial_speed: 0.1}";
    check(&[one, belt], &["one.output -> b.command"], 1.5, &[("speed", 0.4)], EXACT);
    // Switched off, it runs down.
    let zero = "zero: {type: constant, value: 0}";
    let wires = ["one.output -> b.command", "zero.output -> b.on"];
    check(&[one, zero, belt], &wires, 0.2, &[("speed", 0.06)], EXACT);
}

/// No step crosses a jump or a kink of a source: the integral is exact, although steps are coarse and do not fit.
#[test]
fn integrals_of_sources_are_exact() {
    for (source, time, integral) in [
        ("{type: step, time: 0.123, final: 5}", 1.0, 5.0 * 0.877),
        (
            "{type: pulse, amplitude: 3, period: 0.37, width_fraction: 0.3, delay: 0.11}",
            0.11 + 4.0 * 0.37,
            4.0 * 3.0 * 0.111,
        ),
        (
            "{type: piecewise_polynomial, breaks: [0, 0.33, 0.71], coefficients: [[[2]], [[-1]]]}",
            1.0,
            0.66 - 0.38 - 0.29,
        ),
        // Constant speed between two rests.
        ("{type: trajectory, times: [0.33, 0.71], values: [[0], [0.76]], velocities: [[2], [2]]}", 1.0, 0.76),
    ] {
        let (source, wire) = (format!("source: {source}"), ["source.output -> b.input"]);
        let wire = if source.contains("piecewise") { ["source.position -> b.input"] } else { wire };
        let wire = if source.contains("trajectory") { ["source.velocity -> b.input"] } else { wire };
        check(&[&source, "b: {type: integrator}"], &wire, time, &[("output", integral)], 1e-11);
    }
}

/// A room that warms at 1/s while the heater is on and cools at 1/s while it is off oscillates between the thresholds,
/// ±0.25: with slope 1 from 0, it reaches 0.25 at 0.25 s and then turns every 0.5 s.
#[test]
fn a_relay_keeps_its_input_within_the_hysteresis() {
    let systems = ["relay: {type: relay, rise_at: 0.25, fall_at: -0.25, high: -1, low: 1}", "b: {type: integrator}"];
    let wires = ["relay.output -> b.input", "b.output -> relay.input"];
    for (time, expected) in [(0.2, 0.2), (0.5, 0.0), (0.75, -0.25), (1.0, 0.0), (1.15, 0.15), (10.5, 0.0)] {
        check(&systems, &wires, time, &[("output", expected)], 1e-9);
    }
}

/// A jump of a source takes a relay over its threshold without a continuous crossing.
#[test]
fn a_relay_follows_jumps() {
    let relay = "b: {type: relay, rise_at: 1, fall_at: -1}";
    let source = "source: {type: pulse, amplitude: 4, period: 0.5, delay: 0.13}";
    let shift = "shift: {type: expression, inputs: [u], expression: u - 2}";
    let wires = ["source.output -> shift.u", "shift.output -> b.input"];
    for (time, expected) in [(0.1, 0.0), (0.2, 1.0), (0.37, 1.0), (0.39, 0.0), (0.64, 1.0), (1.0, 0.0)] {
        check(&[relay, source, shift], &wires, time, &[("output", expected)], EXACT);
    }
}

/// Faults of parameters name the block and, in a formula, the column.
#[test]
fn faults_are_those_of_the_file() {
    for (block, message) in [
        (
            "{type: expression, inputs: [a], expression: \"2*sni(a)\"}",
            "systems.b: `2*sni(a)`, column 3: `sni` is not known; did you mean `sin`?",
        ),
        ("{type: expression, inputs: {a: 0}, expression: a}", "systems.b.inputs.a: expected a whole number from 1 to"),
        ("{type: saturation, lower: 2, upper: 1}", "systems.b: lower[0] = 2 is not below upper[0] = 1"),
        (
            "{type: saturation, lower: [1, 2], upper: [1, 2, 3]}",
            "systems.b.upper: 3 numbers here, but `lower` makes the width 2",
        ),
        ("{type: product, factors: \"*+\"}", "systems.b.factors: expected one `*` or `/` per input"),
        (
            "{type: noise, standard_deviation: 1, period: 0.1, seed: 1.5}",
            "systems.b.seed: expected a whole number that is not negative",
        ),
        ("{type: function, function: sinn}", "systems.b.function: unknown function `sinn`"),
        (
            "{type: table, arguments: [1, 0], values: [1, 2]}",
            "systems.b: arguments[1] = 0 does not come after arguments[0] = 1",
        ),
        (
            "{type: rate_limiter, rising: [1, 1], falling: 1, time_constant: 1, initial: [0]}",
            "systems.b.initial: 1 number here",
        ),
    ] {
        let fault = open(&[&format!("b: {block}")], &[]).err().unwrap_or_else(|| panic!("{block} is accepted"));
        assert!(fault.contains(message), "{block}: {fault}");
    }
}
