//! Work and memory grow linearly with the size of a diagram, and too large ones are refused with their size.

use super::command::kinegraph;
use super::written;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::prelude::{Context, LeafSystem, Outputs, Ports, Scalar};
use kinegraph::systems::Dyn;
use std::time::{Duration, Instant};

/// A file of these systems and wires.
fn file(name: &str, systems: &str, wires: &str, integrator: &str) -> String {
    let simulation = format!("simulation: {{integrator: {integrator}, duration: 0.1}}\n");
    written(name, &format!("kinegraph: 1\nsystems:\n{systems}connections: [{wires}]\n{simulation}"))
}

fn chain(name: &str, blocks: usize, kind: &str) -> String {
    let systems: String = (1..blocks).map(|i| format!("  b{i}: {{{kind}}}\n")).collect();
    let wires: Vec<String> = (1..blocks).map(|i| format!("b{}.output -> b{i}.input", i - 1)).collect();
    file(name, &format!("  b0: {{type: constant, value: 1}}\n{systems}"), &wires.join(", "), "cenic")
}

/// Chains of blocks without and with a state.
#[test]
fn chains_of_ten_thousand_blocks_are_checked_in_linear_time() {
    for kind in ["type: gain, gain: 0.999", "type: first_order_lag, time_constant: 1"] {
        let small = chain("chain_small.yaml", 1_000, kind);
        let large = chain("chain_large.yaml", 10_000, kind);
        let time = |file: &str| {
            let start = Instant::now();
            let (code, _, err) = kinegraph(&["check", file]);
            assert_eq!(code, 0, "{err}");
            start.elapsed()
        };
        let mut tries = Vec::new();
        // Other work disturbs: one undisturbed try is enough.
        let is_linear = (0..3).any(|_| {
            let (small, large) = (time(&small), time(&large));
            tries.push((small, large));
            large < 20 * small + Duration::from_millis(200)
        });
        println!("{kind}: {tries:.2?}");
        assert!(is_linear, "{kind}: {tries:.2?}");
    }
}

/// Ten thousand lags, separate, in a chain and in a ring, run under `cenic` and under implicit methods for differential
/// equations in less memory than a dense matrix of their derivatives (0.8 GB) takes. Their final values are those of
/// the equation: after a unit step a chain of k lags is at `1 - e^-t (1 + t + ... + t^(k-1)/(k-1)!)`; within 0.1 s no
/// signal passes around a ring.
#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_lags_run_in_little_memory() {
    const COUNT: usize = 10_000;
    let lags: String = (0..COUNT).map(|i| format!("  b{i}: {{type: first_order_lag, time_constant: 1}}\n")).collect();
    let systems = format!("  one: {{type: constant, value: 1}}\n  add: {{type: adder, signs: \"++\"}}\n{lags}");
    let wires = |first: &str, of: &dyn Fn(usize) -> String| {
        std::iter::once(first.to_owned()).chain((1..COUNT).map(of)).collect::<Vec<_>>().join(", ")
    };
    let next = |i: usize| format!("b{}.output -> b{i}.input", i - 1);
    let adder = |other: &str| format!("one.output -> add.input0, {other}.output -> add.input1, add.output -> b0.input");
    let one = |i: usize| format!("one.output -> b{i}.input");
    let last = format!("b{}", COUNT - 1);
    let alone = adder("one").replace("add.output -> b0.input", "one.output -> b0.input");
    let diagrams = [
        ("lags_separate.yaml", wires(&alone, &one), [1, 1]),
        ("lags_in_line.yaml", wires(&alone, &next), [1, 3]),
        ("lags_in_a_ring.yaml", wires(&adder(&last), &next), [1, 3]),
    ];
    let in_line = || ["implicit-euler", "sdirk2", "ros2"].map(|integrator| (&diagrams[1], integrator));
    for ((name, wires, lags), integrator) in diagrams.iter().map(|d| (d, "cenic")).chain(in_line()) {
        let file = file(name, &systems, wires, integrator);
        let table = format!("{file}.csv");
        let channels = "record.channels=[b0.output,b2.output]";
        let run = format!("{} run --quiet --record {table} --set {channels} {file}", env!("CARGO_BIN_EXE_kinegraph"));
        let done = std::process::Command::new("sh").args(["-c", &format!("ulimit -v 700000; exec {run}")]).output();
        let done = done.expect("a shell");
        assert!(done.status.success(), "{name}, {integrator}: {}", String::from_utf8_lossy(&done.stderr));
        let table = std::fs::read_to_string(table).expect("a table");
        let end: Vec<f64> = table.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
        for (found, lags) in end[1..].iter().zip(*lags) {
            let terms = (0..lags).scan(1.0, |term, k| Some(std::mem::replace(term, *term * 0.1 / (k + 1) as f64)));
            let expected = 1.0 - (-0.1_f64).exp() * terms.sum::<f64>();
            assert!((found - expected).abs() < 3e-3, "{name}, {integrator}: {found} instead of {expected}");
        }
    }
}

#[test]
fn too_large_diagrams_are_refused_with_the_memory_they_would_need() {
    let one = "  one: {type: constant, value: 1}\n";
    let window = format!("{one}  mean: {{type: moving_average, samples: 100000, width: 20000, period: 0.01}}\n");
    let (code, _, err) = kinegraph(&["check", &file("window.yaml", &window, "", "cenic")]);
    assert!(code == 2 && err.contains("would hold 2.000e9 numbers, 1.600e10 bytes"), "{err}");
    let wide = "  sine: {type: sine, frequency: 1, width: 30000}\n  sum: {type: integrator, width: 30000}\n";
    let wires = "sine.output -> sum.input";
    let (code, _, err) = kinegraph(&["run", "--quiet", &file("wide.yaml", wide, wires, "cenic")]);
    assert!(code == 2 && err.contains("derivatives of 30000 states") && err.contains("14.4 GB"), "{code} {err}");
    // The derivatives of its 30,000 states with respect to each other are of no use to an explicit method.
    let start = Instant::now();
    let (code, _, err) = kinegraph(&["run", "--quiet", &file("wide_explicit.yaml", wide, wires, "dopri5")]);
    assert!(code == 0 && start.elapsed() < Duration::from_secs(60), "{err} {:?}", start.elapsed());
}

/// A block with an output too wide for any run.
struct Wide(Ports);

impl LeafSystem for Wide {
    fn ports(&self) -> &Ports {
        &self.0
    }
    fn outputs<S: Scalar>(&self, _: &Context<S>, _: &mut Outputs<S>) {}
}

#[test]
fn a_diagram_of_too_many_numbers_is_not_built() {
    let mut ports = Ports::new();
    ports.output_of_width::<Dyn>("y", 60_000_000);
    let mut builder = DiagramBuilder::new("wide");
    builder.add("wide", Wide(ports));
    let fault = builder.build().expect_err("a fault").to_string();
    assert!(fault.contains("60000000 numbers of outputs and state, at least 42.0 GB"), "{fault}");
}

/// A top that turns as fast as only nanoparticles do, in a run of seconds: the ranges allow it, and only its motion
/// shortens the steps.
#[test]
fn a_run_without_an_end_in_sight_stops_and_says_so() {
    let top = "<robot name='top'><link name='top'><inertial><mass value='1'/>\
        <inertia ixx='0.002' iyy='0.003' izz='0.004' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    written("top.urdf", top);
    let run = |speed: &str| {
        let systems = format!(
            "  plant: {{type: multibody_plant, models: [{{name: top, file: top.urdf, base: floating, \
             velocity: {{angular: [{speed}, 0, 1e-3]}}}}]}}\n"
        );
        kinegraph(&["run", "--quiet", "--until", "2", &file("top.yaml", &systems, "", "cenic")])
    };
    let start = Instant::now();
    let (code, _, err) = run("2.4e10");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("there is no end in sight: the last 100000 steps were"), "{err}");
    assert!(err.contains("at most 1e11 are taken") && err.contains("is 2.400e10"), "{err}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(run("10").0, 0);
}
