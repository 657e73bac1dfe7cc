//! State as a value: saved, restored, compared, cloned; a run continues from it as if nothing had happened.

use super::command::kinegraph;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::prelude::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar, Scenario, Simulation};
use kinegraph::simulate::snapshot::{MAGIC, Named, VERSION};
use kinegraph::simulate::{Snapshot, SnapshotError};
use kinegraph::systems::control::Pid;
use kinegraph::systems::operators::Integrator;
use kinegraph::systems::port::{Crossing, Sampling, Tick, Witness};
use kinegraph::systems::system::Reset;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Samples its input and adds it up: u holds sum + u at each tick.
struct Sampler {
    input: In<Fixed<1>>,
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl Sampler {
    fn new(sampling: Sampling) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input("input"), ports.output("output"));
        ports.no_feedthrough(output);
        ports.discrete_state("held", vec![0.0]);
        ports.discrete_state("count", vec![0.0]);
        ports.periodic(sampling);
        Sampler { input, output, ports }
    }
}

impl LeafSystem for Sampler {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::constant(ctx.discrete[0])]);
    }
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next[0] = 0.5 * next[0] - 0.9 * ctx.get(self.input)[0];
        next[1] += 1.0;
    }
}

/// A point that falls and bounces: position, velocity; counts its bounces.
struct Bouncer {
    ports: Ports,
    height: Out<Fixed<1>>,
}

impl Bouncer {
    fn new() -> Self {
        let mut ports = Ports::new();
        let height = ports.output("height");
        ports.continuous_state("x", vec![1.0, 0.0]);
        ports.discrete_state("bounces", vec![0.0]);
        ports.witness("ground", Crossing::Falling);
        Bouncer { ports, height }
    }
}

impl LeafSystem for Bouncer {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.height, [ctx.continuous[0]]);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.copy_from_slice(&[ctx.continuous[1], S::constant(-9.81)]);
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.continuous[0];
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.continuous[0] = 0.0;
        state.continuous[1] = -0.8 * ctx.continuous[1];
        state.discrete[0] += 1.0;
    }
}

/// Two sampled loops whose periods do not divide each other, one with an offset, and a bouncing point beside them.
fn hybrid() -> Diagram {
    let mut b = DiagramBuilder::new("hybrid");
    for (name, period, offset) in [("fast", 0.03, 0.0), ("slow", 0.0701, 0.011)] {
        let mut sub = DiagramBuilder::new(name);
        let x = sub.add("x", Integrator::new([1.0]).unwrap());
        let sampler = sub.add("sampler", Sampler::new(Sampling { period, offset }));
        sub.connect(x.output, sampler.input);
        sub.connect(sampler.output, x.input);
        sub.export_output("x", x.output);
        b.add_diagram(name, sub);
    }
    b.add("ball", Bouncer::new());
    b.build().unwrap()
}

fn example(name: &str) -> Diagram {
    Scenario::open(format!("examples/{name}/{name}.yaml")).unwrap().diagram
}

fn bits(simulation: &Simulation) -> (u64, Vec<u64>, Vec<u64>) {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect();
    let state = simulation.state();
    (state.time.to_bits(), bits(&state.continuous), bits(&state.discrete))
}

/// Both forms of the file read back to the same snapshot.
fn through_files(snapshot: &Snapshot) -> Snapshot {
    let json = Snapshot::from_json(&snapshot.to_json().unwrap()).unwrap();
    let bytes = Snapshot::from_bytes(&snapshot.to_bytes().unwrap()).unwrap();
    assert_eq!(json, bytes);
    assert_eq!(&json, snapshot);
    bytes
}

/// A run with a stop in between ends in the same bits as one that is saved there and continued elsewhere.
fn goes_on_bit_for_bit(diagram: &Diagram, options: Options, stop: f64, end: f64) {
    let mut whole = Simulation::new(diagram, options).unwrap();
    whole.advance_to(stop).unwrap();
    let saved = through_files(&whole.snapshot());
    whole.advance_to(end).unwrap();
    let mut resumed = Simulation::new(diagram, options).unwrap();
    resumed.restore(&saved).unwrap();
    assert_eq!(resumed.time(), stop);
    resumed.advance_to(end).unwrap();
    assert_eq!(bits(&whole), bits(&resumed));
    assert_eq!(whole.snapshot(), resumed.snapshot());
    assert_eq!(whole.integrator().memory(), resumed.integrator().memory());
}

#[test]
fn an_error_controlled_run_with_contact_goes_on_bit_for_bit() {
    goes_on_bit_for_bit(&example("franka"), Options::cenic(1e-3), 0.05, 0.1);
    goes_on_bit_for_bit(&example("clutter"), Options::cenic(1e-3), 0.2, 0.25);
    goes_on_bit_for_bit(&example("double_pendulum"), Options::cenic(1e-4), 1.0, 2.0);
    goes_on_bit_for_bit(&example("vacuum"), Options::cenic(1e-3), 1.0, 1.5);
    goes_on_bit_for_bit(&example("conveyor"), Options::cenic(1e-3), 0.3, 0.5);
}

/// The contact forces from which solves start are part of a snapshot.
#[test]
fn a_run_by_the_primal_dual_method_goes_on_bit_for_bit() {
    for options in [Options::cenic(1e-3), Options::icf(5e-3), Options::cenic_trapezoid(1e-2)] {
        let options = Options { solver: kinegraph::solvers::icf::Method::PrimalDual, ..options };
        goes_on_bit_for_bit(&example("clutter"), options, 0.2, 0.25);
    }
}

#[test]
fn a_run_with_fixed_steps_goes_on_bit_for_bit() {
    goes_on_bit_for_bit(&example("clutter"), Options::icf(5e-3), 0.2, 0.25);
    // A stop that no step meets by itself.
    goes_on_bit_for_bit(&example("double_pendulum"), Options::icf(1e-3), 0.31415, 0.5);
}

#[test]
fn a_hybrid_run_goes_on_bit_for_bit_and_loses_no_event() {
    let diagram = hybrid();
    for options in [Options::cenic(1e-3), Options::icf(7e-3)] {
        // At a tick of one loop, between ticks, at the start before anything has fired, just after the first bounce.
        for stop in [0.3, 0.30001, 0.0, 0.4516] {
            goes_on_bit_for_bit(&diagram, options, stop, 1.0);
        }
    }
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    simulation.advance_to(0.5).unwrap();
    let saved = simulation.snapshot();
    simulation.restore(&saved).unwrap();
    simulation.advance_to(1.0).unwrap();
    let count = |name: &str| simulation.snapshot().discrete.iter().find(|n| n.0 == name).map(|n| n.1);
    assert_eq!(count("fast/sampler.count"), Some(34.0), "ticks at 0, 0.03, …, 0.99");
    assert_eq!(count("slow/sampler.count"), Some(15.0), "ticks at 0.011 + k 0.0701");
}

#[test]
fn the_memory_of_the_step_length_matters() {
    // Without it, the run would begin with a first step again: the restored run above would not be equal by accident.
    let diagram = example("double_pendulum");
    let mut whole = Simulation::new(&diagram, Options::cenic(1e-4)).unwrap();
    whole.advance_to(1.0).unwrap();
    let mut forgetful = Simulation::new(&diagram, Options::cenic(1e-4)).unwrap();
    forgetful.set_state(whole.state().clone()).unwrap();
    whole.advance_to(1.5).unwrap();
    forgetful.advance_to(1.5).unwrap();
    assert_ne!(bits(&whole), bits(&forgetful));
}

#[test]
fn another_integrator_takes_up_the_state_alone() {
    let diagram = hybrid();
    let mut first = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    first.advance_to(0.5).unwrap();
    let mut second = Simulation::new(&diagram, Options::icf(1e-3)).unwrap();
    second.restore(&first.snapshot()).unwrap();
    assert_eq!(first.state(), second.state());
    second.advance_to(0.6).unwrap();
}

#[test]
fn a_state_is_a_value() {
    let diagram = hybrid();
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    let start = simulation.state().clone();
    simulation.advance_to(0.2).unwrap();
    let later = simulation.state().clone();
    assert_ne!(start, later);
    let text = serde_json::to_string(&later).unwrap();
    assert_eq!(serde_json::from_str::<kinegraph::diagram::State>(&text).unwrap(), later);
    simulation.set_state(start.clone()).unwrap();
    simulation.advance_to(0.2).unwrap();
    assert_eq!(simulation.state(), &later);
}

#[test]
fn a_block_is_exchanged_in_the_middle_of_a_run_and_all_other_state_stays() {
    let nested = |kp: f64| {
        let mut sub = DiagramBuilder::new("cascade");
        let pid = sub.add("pid", Pid::new(1, kp, 0.5, 0.1).unwrap());
        let x = sub.add("x", Integrator::new([0.0, 0.0]).unwrap());
        let sampler = sub.add("sampler", Sampler::new(Sampling::every(0.04)));
        sub.connect(x.output, pid.measured);
        sub.connect(pid.effort, sampler.input);
        sub.fix(x.input, [0.1, 0.2]);
        sub.export_input("reference", pid.desired);
        let mut b = DiagramBuilder::new("outer");
        let sub = b.add_diagram("cascade", sub);
        b.fix(sub.input("reference"), [1.0, 0.0]);
        b.build().unwrap()
    };
    let old = nested(3.0);
    let mut simulation = Simulation::new(&old, Options::cenic(1e-3)).unwrap();
    simulation.advance_to(0.3).unwrap();
    let new = old.replace("cascade/pid", Arc::new(Pid::new(1, 5.0, 0.5, 0.1).unwrap())).unwrap();
    let carried = new.carry_over(&old, simulation.state());
    assert_eq!(&carried, simulation.state());
    // Discrete state of an exchanged block carries over as well.
    let new = old.replace("cascade/sampler", Arc::new(Sampler::new(Sampling::every(0.05)))).unwrap();
    assert_eq!(new.carry_over(&old, simulation.state()), *simulation.state());
    // A diagram that is built anew is another diagram with the same names: a snapshot fits.
    let mut again = Simulation::new(&nested(3.0), Options::cenic(1e-3)).unwrap();
    again.restore(&simulation.snapshot()).unwrap();
    simulation.advance_to(0.6).unwrap();
    again.advance_to(0.6).unwrap();
    assert_eq!(bits(&simulation), bits(&again));
}

#[test]
fn a_snapshot_of_another_diagram_is_refused_with_what_differs() {
    let snapshot = Simulation::new(&hybrid(), Options::cenic(1e-3)).unwrap().snapshot();
    let mut b = DiagramBuilder::new("hybrid");
    b.nest("fast", {
        let mut sub = DiagramBuilder::new("fast");
        let y = sub.add("y", Integrator::new([1.0]).unwrap());
        sub.fix(y.input, [0.0]);
        sub
    });
    b.add("ball", Bouncer::new());
    let mut simulation = Simulation::new(&b.build().unwrap(), Options::cenic(1e-3)).unwrap();
    let before = simulation.state().clone();
    let error = simulation.restore(&snapshot).unwrap_err();
    let SnapshotError::OtherDiagram { missing, unknown, .. } = &error else { panic!("{error}") };
    assert_eq!(missing, &["fast/y.x"]);
    let expected = [
        "fast/x.x",
        "slow/x.x",
        "fast/sampler.held (discrete)",
        "fast/sampler.count (discrete)",
        "slow/sampler.held (discrete)",
        "slow/sampler.count (discrete)",
    ];
    assert_eq!(unknown, &expected);
    assert!(error.to_string().contains("it lacks the states fast/y.x; only it has the states fast/x.x"), "{error}");
    assert_eq!(simulation.state(), &before);

    let mut renamed = snapshot;
    renamed.diagram = "other".into();
    let error = renamed.state_of(&hybrid()).unwrap_err();
    assert_eq!(error.to_string(), "the snapshot is one of diagram `other`, not of `hybrid`");
}

#[test]
fn malformed_snapshots_are_refused() {
    let snapshot = Simulation::new(&hybrid(), Options::cenic(1e-3)).unwrap().snapshot();
    let (bytes, json) = (snapshot.to_bytes().unwrap(), snapshot.to_json().unwrap());
    for end in 0..bytes.len() {
        assert!(matches!(Snapshot::from_bytes(&bytes[..end]), Err(SnapshotError::Malformed { .. })), "{end}");
    }
    assert!(Snapshot::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    assert!(matches!(Snapshot::from_json("{}"), Err(SnapshotError::Malformed { .. })));
    let newer = json.replacen(&format!(": {VERSION}"), ": 99", 1);
    assert_eq!(Snapshot::from_json(&newer), Err(SnapshotError::Version { found: 99 }));
    let newer = [MAGIC, &[99], &bytes[MAGIC.len() + 1..]].concat();
    assert_eq!(Snapshot::from_bytes(&newer), Err(SnapshotError::Version { found: 99 }));

    let mut broken = snapshot;
    broken.continuous[0].1 = f64::INFINITY;
    let broken = through_files(&broken);
    assert!(matches!(broken.state_of(&hybrid()), Err(SnapshotError::NotFinite { .. })));
}

#[test]
fn numbers_survive_both_forms_exactly() {
    let mut snapshot = Simulation::new(&hybrid(), Options::cenic(1e-3)).unwrap().snapshot();
    let hard = [f64::MAX, 5e-324, -0.0, 0.1 + 0.2, 1.0 / 3.0, f64::NEG_INFINITY, 123456789.12345679];
    snapshot.discrete = hard.iter().map(|x| Named("x".into(), *x)).collect();
    let read = through_files(&snapshot);
    let bits = |s: &Snapshot| s.discrete.iter().map(|n| n.1.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&read), bits(&snapshot));
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn files_are_of_the_kind_that_their_name_says_and_replaced_as_a_whole() {
    let snapshot = Simulation::new(&hybrid(), Options::cenic(1e-3)).unwrap().snapshot();
    for name in ["snapshot.json", "snapshot.bin"] {
        let file = scratch(name);
        std::fs::write(&file, "something older").unwrap();
        snapshot.write(&file).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(bytes.starts_with(MAGIC), name.ends_with("bin"));
        assert_eq!(Snapshot::read(&file).unwrap(), snapshot);
        assert!(!scratch(&format!("{name}.part")).exists());
    }
    assert!(matches!(Snapshot::read(&scratch("none")), Err(SnapshotError::Unreadable { .. })));
    assert!(matches!(snapshot.write(&scratch("no folder/x")), Err(SnapshotError::Unwritable { .. })));
}

#[test]
fn the_command_line_saves_and_resumes() {
    let file = "examples/double_pendulum/double_pendulum.yaml";
    let path = |name: &str| scratch(name).display().to_string();
    let (first, second) = (path("first.kg"), path("second.json"));
    let (code, _, err) = kinegraph(&["run", file, "--quiet", "--until", "0.2", "--snapshot", &first]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) =
        kinegraph(&["run", file, "--quiet", "--until", "0.4", "--resume", &first, "--snapshot", &second]);
    assert_eq!((code, err.as_str()), (0, ""));
    let mut whole = Scenario::open(file).unwrap().simulation().unwrap();
    // The first end is no part of the trajectory.
    whole.advance_to(0.4).unwrap();
    let (saved, whole) = (Snapshot::read(Path::new(&second)).unwrap(), whole.snapshot());
    assert_eq!((saved.time, &saved.continuous, &saved.discrete), (whole.time, &whole.continuous, &whole.discrete));
    assert_eq!(saved.memory, whole.memory);

    let franka = "examples/franka/franka.yaml";
    for (args, part) in [
        (
            ["run", file, "--until", "0.3", "--resume", &second],
            "the snapshot is at t = 0.4 s, the run ends at t = 0.3 s",
        ),
        (["run", franka, "--until", "1", "--resume", &second], "it lacks the states plant.arm.joint1.q"),
        (["run", file, "--until", "1", "--resume", file], "not a snapshot"),
        (["run", file, "--until", "1", "--snapshot", "no such folder/x"], "cannot be written"),
    ] {
        let (code, out, err) = kinegraph(&args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

#[test]
fn the_command_line_draws() {
    let file = "tests/nested/pair.yaml";
    let (code, out, _) = kinegraph(&["graph", file]);
    assert!(code == 0 && out.starts_with("digraph {"));
    let picture = scratch("pair.svg");
    let (code, out, err) = kinegraph(&["graph", file, "-o", &picture.display().to_string()]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert!(std::fs::read_to_string(picture).unwrap().starts_with("<svg "));
    assert_eq!(kinegraph(&["graph", file, "-o", "x.png"]).0, 2);
    assert_eq!(kinegraph(&["graph", "tests/nested/faults.yaml"]).0, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn saving_anywhere_changes_nothing(stop in 0.0..1.0f64, accuracy in 2.0..5.0f64, fixed in any::<bool>()) {
        let options = if fixed { Options::icf(0.013) } else { Options::cenic(10f64.powf(-accuracy)) };
        goes_on_bit_for_bit(&hybrid(), options, stop, 1.2);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Snapshot::from_bytes(&[MAGIC, &[VERSION as u8], &bytes].concat());
        let _ = Snapshot::from_bytes(&bytes);
        let _ = Snapshot::from_json(&String::from_utf8_lossy(&bytes));
    }
}
