//! Replacing a block keeps wires and state.

use super::blocks::Mixer;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Adder, Gain, Integrator};
use std::sync::Arc;

fn loop_of(kp: f64) -> Diagram {
    let mut b = DiagramBuilder::new("servo");
    let pid = b.add("pid", Pid::new(1, kp, 5.0, 7.0).unwrap());
    let plant = b.add("plant", Integrator::new([0.1, 0.2]).unwrap());
    b.connect(plant.output, pid.measured);
    b.fix(pid.desired, [1.0, 0.0]);
    b.fix(plant.input, [3.0, 4.0]);
    b.build().unwrap()
}

fn effort(diagram: &Diagram, continuous: &[f64]) -> f64 {
    let mut values = diagram.values::<f64>();
    diagram.evaluate(0.0, continuous, &mut values);
    values.get(diagram.output("pid.effort").unwrap().range)[0]
}

#[test]
fn the_new_block_takes_the_old_one_s_place_wires_and_state() {
    let old = loop_of(100.0);
    let mut state = old.initial_state();
    state.time = 1.5;
    state.continuous = vec![0.4, 0.5, 0.6];
    let new = old.replace("pid", Arc::new(Pid::new(1, 300.0, 5.0, 7.0).unwrap())).unwrap();
    let carried = new.carry_over(&old, &state);
    assert_eq!(carried, state);
    assert_eq!(effort(&new, &carried.continuous), effort(&loop_of(300.0), &state.continuous));
    assert_ne!(effort(&new, &carried.continuous), effort(&old, &state.continuous));
    // The old diagram is as it was.
    assert_eq!(effort(&old, &state.continuous), effort(&loop_of(100.0), &state.continuous));
}

#[test]
fn state_that_the_new_diagram_does_not_know_stays_behind() {
    let mut b = DiagramBuilder::new("one");
    let one = b.add("new", Integrator::new([7.0]).unwrap());
    let plant = b.add("plant", Integrator::new([0.0, 0.0]).unwrap());
    b.fix(one.input, [0.0]);
    b.fix(plant.input, [0.0; 2]);
    let new = b.build().unwrap();
    let old = loop_of(1.0);
    let mut state = old.initial_state();
    state.continuous = vec![0.4, 0.5, 0.6];
    assert_eq!(new.carry_over(&old, &state).continuous, [7.0, 0.5, 0.6]);
}

#[test]
fn a_block_with_other_ports_is_refused_with_all_differences() {
    let diagram = loop_of(1.0);
    let errors = diagram.replace("pid", Arc::new(Adder::new(1, [1.0]).unwrap())).unwrap_err();
    let text = errors.to_string();
    for part in [
        "pid.measured cannot be replaced: the new block has no input of that name",
        "pid.desired cannot be replaced",
        "pid.effort cannot be replaced: the new block has no output of that name",
        "pid.input0 cannot be replaced: the new block asks for this further input",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(errors.0.len(), 4);
    let text = diagram.replace("pid", Arc::new(Pid::new(2, 1.0, 1.0, 1.0).unwrap())).unwrap_err().to_string();
    assert!(text.contains("pid.effort") && text.contains("width 2 instead of Vector of width 1"), "{text}");
    let text = diagram.replace("pdi", Arc::new(Gain::new(1, 1.0).unwrap())).unwrap_err().to_string();
    assert!(text.contains("did you mean `pid`?"), "{text}");
}

#[test]
fn a_replacement_that_closes_a_loop_is_refused() {
    let mut b = DiagramBuilder::new("loop");
    let lag = b.add("lag", Mixer::lagged(1.0));
    let gain = b.add("gain", Gain::new(2, 1.0).unwrap());
    b.connect(lag.outputs[0], gain.input);
    b.connect(gain.output, lag.inputs[0]);
    let diagram = b.build().unwrap();
    let errors = diagram.replace("lag", Arc::new(Mixer::direct())).unwrap_err();
    assert!(errors.to_string().contains("algebraic loop"), "{errors}");
}
