//! Every fault is found, and its message names the ports.

use super::blocks::Mixer;
use kinegraph::diagram::{BuildError, BuildErrors, DiagramBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Adder, Gain, Integrator};
use kinegraph_systems::signal::{BodyPoses, SpatialForces};
use kinegraph_systems::sources::Constant;
use kinegraph_systems::{Context, ErasedSystem, In, LeafSystem, Out, Outputs, Ports, Scalar};
use std::sync::Arc;

/// The faults of a diagram around `gain` (input driven by `source`) after `spoil`.
fn faults(spoil: impl FnOnce(&mut DiagramBuilder, &Gain, &Constant)) -> Vec<BuildError> {
    let mut b = DiagramBuilder::new("test");
    let source = b.add("source", Constant::new([1.0, 2.0]).unwrap());
    let gain = b.add("left/gain", Gain::new(2, 3.0).unwrap());
    b.connect(source.output, gain.input);
    spoil(&mut b, &gain, &source);
    b.build().err().map_or(Vec::new(), |BuildErrors(faults)| faults)
}

/// Asserts that there is exactly one fault and that its message contains `parts`.
#[track_caller]
fn one(faults: Vec<BuildError>, parts: &[&str]) -> BuildError {
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let text = faults[0].to_string();
    for part in parts {
        assert!(text.contains(part), "expected `{part}` in: {text}");
    }
    faults[0].clone()
}

#[test]
fn the_unspoilt_diagram_builds() {
    assert_eq!(faults(|_, _, _| {}), []);
}

#[test]
fn duplicate_name() {
    let fault = faults(|b, _, _| drop(b.add("source", Constant::new([0.0]).unwrap())));
    one(fault, &["two blocks are named `source`"]);
}

#[test]
fn invalid_names() {
    for name in ["", "a.b", "a b", "/a", "a//b", "a/", "a->b"] {
        let fault =
            one(faults(|b, _, _| drop(b.add(name, Constant::new([0.0]).unwrap()))), &["not a valid block name"]);
        assert_eq!(fault.paths(), [name]);
    }
    assert_eq!(faults(|b, _, _| drop(b.add("Größe_2/arm-left", Constant::new([0.0]).unwrap()))), []);
}

#[test]
fn same_block_twice() {
    let fault = faults(|b, _, _| {
        let block: Arc<dyn ErasedSystem> = Arc::new(Constant::new([0.0]).unwrap());
        b.add_erased("one", block.clone());
        b.add_erased("two", block);
    });
    one(fault, &["`one`", "`two`", "added twice"]);
}

#[test]
fn unconnected_input() {
    let fault = faults(|b, _, _| drop(b.add("right/gain", Gain::new(3, 1.0).unwrap())));
    let fault = one(fault, &["right/gain.input (width 3) is not connected", "fix its value"]);
    assert_eq!(fault.paths(), ["right/gain.input"]);
}

#[test]
fn optional_input_may_stay_unconnected() {
    assert_eq!(faults(|b, _, _| drop(b.add("mixer", Mixer::new(1, &[vec![0]], None, true)))), []);
}

#[test]
fn input_driven_twice() {
    let fault = faults(|b, gain, _| {
        let second = b.add("second", Constant::new([0.0, 0.0]).unwrap());
        b.connect(second.output, gain.input);
    });
    one(fault, &["left/gain.input is driven twice, by source.output and by second.output"]);
}

#[test]
fn fixed_and_connected() {
    let fault = faults(|b, gain, _| b.fix(gain.input, [1.0, 2.0]));
    one(fault, &["left/gain.input is driven by source.output and fixed"]);
}

#[test]
fn fixed_twice() {
    let fault = faults(|b, _, _| {
        let free = b.add("free", Gain::new(1, 1.0).unwrap());
        b.fix(free.input, [1.0]);
        b.fix_path("free.input", [2.0]);
    });
    one(fault, &["free.input is fixed to a value twice"]);
}

#[test]
fn fixed_to_the_wrong_number_of_values() {
    let fault = faults(|b, _, _| {
        let free = b.add("free", Gain::new(3, 1.0).unwrap());
        b.fix(free.input, [1.0, 2.0]);
    });
    one(fault, &["free.input has width 3 but is fixed to 2 values"]);
}

#[test]
fn fixed_values_must_be_finite() {
    let fault = faults(|b, _, _| {
        let free = b.add("free", Gain::new(2, 1.0).unwrap());
        b.fix(free.input, [1.0, f64::NAN]);
    });
    one(fault, &["free.input is fixed to NaN at element 1"]);
}

#[test]
fn width_mismatch() {
    let fault = faults(|b, _, source| {
        let wide = b.add("wide", Gain::new(9, 1.0).unwrap());
        b.connect(source.output, wide.input);
    });
    one(fault, &["source.output -> wide.input: widths 2 and 9"]);
}

/// Poses of one body in, forces on one body out.
struct Contactor {
    poses: In<BodyPoses>,
    forces: Out<SpatialForces>,
    ports: Ports,
}

impl Contactor {
    fn new() -> Self {
        let mut ports = Ports::new();
        let poses = ports.input_of_width("poses", 7);
        Contactor { poses, forces: ports.output_of_width("forces", 6), ports }
    }
}

impl LeafSystem for Contactor {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _: &Context<S>, _: &mut Outputs<S>) {}
}

#[test]
fn kind_mismatch() {
    let fault = faults(|b, _, _| {
        b.add("contactor", Contactor::new());
        b.connect_paths("contactor.forces", "contactor.poses");
    });
    // (No loop either: the faulty wire is left out.)
    one(fault, &["contactor.forces -> contactor.poses: spatial forces cannot drive body poses"]);
}

#[test]
fn kinds_may_widen_to_vectors() {
    let faults = faults(|b, _, _| {
        let contactor = b.add("contactor", Contactor::new());
        b.add("gain", Gain::new(6, 1.0).unwrap());
        b.fix(contactor.poses, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        b.connect_paths("contactor.forces", "gain.input");
        let mixer = b.add("mixer", Gain::new(6, 1.0).unwrap());
        b.connect(contactor.forces, mixer.input);
    });
    assert_eq!(faults, []);
}

#[test]
fn unknown_block() {
    let fault = faults(|b, _, _| b.connect_paths("sorce.output", "left/gain.input"));
    one(fault, &["`sorce.output`: there is no block `sorce`", "did you mean `source`?", "blocks: source, left/gain"]);
}

#[test]
fn unknown_port() {
    let fault = faults(|b, _, _| {
        b.add("pid", Pid::new(1, 1.0, 1.0, 1.0).unwrap());
        b.connect_paths("source.output", "pid.mesured");
        b.fix_path("pid.desired", [0.0, 0.0]);
        b.fix_path("pid.measured", [0.0, 0.0]);
    });
    one(
        fault,
        &[
            "`pid.mesured`: block `pid` has no input `mesured`",
            "did you mean `measured`?",
            "(inputs: measured, desired)",
        ],
    );
}

#[test]
fn port_of_the_other_side() {
    let fault = faults(|b, _, _| b.connect_paths("left/gain.input", "source.output"));
    assert_eq!(fault.len(), 2);
    assert!(fault[0].to_string().contains("has no output `input`, it is an input"), "{}", fault[0]);
    assert!(fault[1].to_string().contains("has no input `output`, it is an output (it has no inputs)"), "{}", fault[1]);
}

#[test]
fn path_without_a_port() {
    one(faults(|b, _, _| b.connect_paths("source", "left/gain.input")), &["`source` is not a port", "block.port"]);
}

#[test]
fn foreign_handle() {
    let stranger = Constant::new([0.0, 0.0]).unwrap();
    let fault = faults(|b, _, _| {
        let free = b.add("free", Gain::new(2, 1.0).unwrap());
        b.connect(stranger.output, free.input);
    });
    let parts = ["uses an output of a block that was never added to diagram `test`", "its other end is free.input"];
    let fault = one(fault, &parts);
    assert_eq!(fault.paths(), ["free.input"]);
    let stranger = Gain::new(1, 1.0).unwrap();
    one(faults(|b, _, _| b.fix(stranger.input, [1.0])), &["uses an input of a block that was never added"]);
}

#[test]
fn five_faults_in_one_diagram_are_all_reported() {
    let mut b = DiagramBuilder::new("five");
    let source = b.add("source", Constant::new([1.0, 2.0]).unwrap());
    let adder = b.add("adder", Adder::new(2, [1.0, -1.0, 1.0]).unwrap());
    b.add("adder", Integrator::new([0.0]).unwrap()); // 1: the name; 2: its input
    let narrow = b.add("narrow", Gain::new(1, 1.0).unwrap());
    b.connect(source.output, narrow.input); // 3: widths
    b.connect(adder.output, adder.inputs[0]); // 4: a loop
    b.connect(source.output, adder.inputs[1]);
    b.connect_paths("source.outptu", "adder.input2"); // 5: the port
    let errors = b.build().unwrap_err();
    use BuildError::*;
    let count = |is: fn(&BuildError) -> bool| errors.0.iter().filter(|fault| is(fault)).count();
    assert_eq!(errors.0.len(), 5, "{errors}");
    assert_eq!(count(|f| matches!(f, DuplicateName { .. })), 1);
    assert_eq!(count(|f| matches!(f, Unconnected { .. })), 1);
    assert_eq!(count(|f| matches!(f, WidthMismatch { .. })), 1);
    assert_eq!(count(|f| matches!(f, AlgebraicLoop { .. })), 1);
    assert_eq!(count(|f| matches!(f, UnknownPort { .. })), 1);
    let text = errors.to_string();
    assert!(
        text.starts_with("5 faults in the diagram:\n")
            && text.contains("source.output -> narrow.input: widths 2 and 1")
    );
}
