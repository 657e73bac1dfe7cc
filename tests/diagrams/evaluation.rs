//! One pass computes the values of the equations, for both scalars.

use super::blocks::{Mixer, WIDTH};
use kinegraph::diagram::{Diagram, DiagramBuilder, State, Values};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Gain, Integrator};
use kinegraph_systems::scalar::{partial, seed};
use kinegraph_systems::{Dyn, JET_WIDTH, Jet, Out, Scalar};

/// A double integrator x = [position; velocity] driven by a PID towards [1; 0].
fn servo() -> (Diagram, Out<Dyn>) {
    let mut b = DiagramBuilder::new("servo");
    // The controller is inserted before what it reads: order of insertion is not order of evaluation.
    let pid = b.add("pid", Pid::new(1, 100.0, 5.0, 7.0).unwrap());
    let plant = b.add("plant", Integrator::new([0.1, 0.2]).unwrap());
    let rates = b.add("rates", Gain::new(2, 1.0).unwrap());
    b.connect(plant.output, pid.measured);
    b.fix(pid.desired, [1.0, 0.0]);
    b.fix(rates.input, [3.0, 4.0]);
    b.connect(rates.output, plant.input);
    (b.build().unwrap(), pid.effort)
}

#[test]
fn a_controller_inserted_before_its_measurement_sees_it() {
    let (diagram, effort) = servo();
    let mut values = diagram.values::<f64>();
    let mut state = diagram.initial_state();
    let integral = diagram.blocks()[0].state.start;
    state.continuous[integral] = 0.2;
    diagram.evaluate(0.0, &state.continuous, &mut values);
    let u = diagram.read(effort, &values).unwrap()[0];
    // 100 (1 - 0.1) + 7 (0 - 0.2) + 5 0.2
    assert!((u - 89.6).abs() < 1e-12, "{u}");
    let mut rates = vec![f64::NAN; diagram.state_width()];
    diagram.derivatives(0.0, &state.continuous, &values, &mut rates);
    assert_eq!(rates, [0.9, 3.0, 4.0]);
}

#[test]
fn a_block_sees_its_inputs_in_its_context() {
    let (diagram, _) = servo();
    let state = diagram.initial_state();
    let mut values = diagram.values();
    diagram.evaluate(0.5, &state.continuous, &mut values);
    let plant = diagram.find_block("plant").unwrap();
    let context = diagram.context(plant, 0.5, &state.continuous, &values);
    assert_eq!((context.time, context.continuous), (0.5, [0.1, 0.2].as_slice()));
    assert_eq!(values.get(diagram.blocks()[plant].inputs[0].clone().unwrap()), [3.0, 4.0]);
}

#[test]
fn jets_through_a_chain_of_three_blocks_equal_central_differences() {
    let mut b = DiagramBuilder::new("chain");
    let last = b.add("last", Mixer::new(1, &[vec![0]], None, false));
    let middle = b.add("middle", Mixer::new(2, &[vec![], vec![0, 1]], Some(0.7), false));
    let first = b.add("first", Mixer::new(0, &[vec![]], Some(-0.4), false));
    b.connect(first.outputs[0], middle.inputs[0]);
    b.connect(first.outputs[0], middle.inputs[1]);
    b.connect(middle.outputs[1], last.inputs[0]);
    let diagram = b.build().unwrap();
    // All outputs and all derivatives, as functions of state and time.
    fn all<S: kinegraph_systems::system::ErasedScalar>(diagram: &Diagram, x: &[S]) -> Vec<S> {
        let (time, state) = x.split_last().unwrap();
        let mut values = Values::new(diagram);
        diagram.evaluate(*time, state, &mut values);
        let mut rates = vec![S::zero(); state.len()];
        diagram.derivatives(*time, state, &values, &mut rates);
        [values.arena(), &rates].concat()
    }
    let mut x = diagram.initial_state().continuous;
    x.push(0.9);
    assert!(x.len() <= JET_WIDTH);
    let jets: Vec<Jet> = x.iter().enumerate().map(|(i, &value)| seed(value, i, 1.0)).collect();
    let jets = all(&diagram, &jets);
    let step = 1e-5;
    for variable in 0..x.len() {
        let moved = |by: f64| {
            let mut x = x.clone();
            x[variable] += by;
            all(&diagram, &x)
        };
        let (above, below) = (moved(step), moved(-step));
        for (at, jet) in jets.iter().enumerate() {
            let difference = (above[at] - below[at]) / (2.0 * step);
            assert!((partial(jet, variable) - difference).abs() < 1e-8, "d value {at} / d variable {variable}");
        }
    }
    // The chain is connected: the last output feels the first state.
    let last = diagram.range_of(last.outputs[0]).unwrap();
    assert!(partial(&jets[last.start], diagram.blocks()[2].state.start).abs() > 1e-2);
}

#[test]
fn a_call_for_some_outputs_keeps_the_others() {
    let mut b = DiagramBuilder::new("parts");
    let mixer = b.add("mixer", Mixer::new(0, &[vec![], vec![]], Some(1.0), false));
    let diagram = b.build().unwrap();
    let mut values = diagram.values::<f64>();
    let mark = diagram.range_of(mixer.outputs[0]).unwrap();
    values.arena_mut()[mark.clone()].fill(42.0);
    let schedule = diagram.schedule_for_outputs(&[(0, 1)]);
    diagram.evaluate_schedule(&schedule, 0.0, &[1.0, 1.0], &mut values);
    assert_eq!(values.get(mark), [42.0; WIDTH]);
    assert_eq!(diagram.read(mixer.outputs[1], &values).unwrap(), [2.0; WIDTH]);
}

#[test]
fn values_and_jets_agree_on_constants() {
    let (diagram, effort) = servo();
    let state = diagram.initial_state();
    let mut values = diagram.values::<f64>();
    diagram.evaluate(0.0, &state.continuous, &mut values);
    let mut jets = diagram.values::<Jet>();
    jets.set_constants(&values);
    let (u, jet) = (diagram.read(effort, &values).unwrap()[0], diagram.read(effort, &jets).unwrap()[0]);
    assert_eq!((u, 0.0), (jet.value(), partial(&jet, 0)));
}

#[test]
fn state_is_saved_and_restored() {
    let state = State { time: 0.25, continuous: vec![-1.5, f64::MIN_POSITIVE, 1e300], ..State::default() };
    let text = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
}

#[test]
fn diagrams_are_shared_between_threads() {
    let (diagram, effort) = servo();
    let run = move |diagram: Diagram| {
        let mut values = diagram.values::<f64>();
        diagram.evaluate(0.0, &diagram.initial_state().continuous, &mut values);
        diagram.read(effort, &values).unwrap()[0]
    };
    let other = diagram.clone();
    assert_eq!(std::thread::spawn(move || run(other)).join().unwrap(), run(diagram));
}

#[test]
fn nested_diagrams_keep_handles_and_relative_paths() {
    let arm = |gain: f64| {
        let mut b = DiagramBuilder::new("arm");
        let controller = b.add("controller", Gain::new(1, gain).unwrap());
        b.add("filter", Integrator::new([2.0]).unwrap());
        b.connect_paths("filter.output", "controller.input");
        b.fix_path("filter.input", [0.0]);
        (b, controller)
    };
    let mut b = DiagramBuilder::new("robot");
    let ((left, left_controller), (right, _)) = (arm(3.0), arm(5.0));
    b.nest("left", left);
    b.nest("right", right);
    let end = b.add("end", Gain::new(1, 10.0).unwrap());
    b.connect(left_controller.output, end.input);
    let diagram = b.build().unwrap();
    let mut values = diagram.values::<f64>();
    diagram.evaluate(0.0, &diagram.initial_state().continuous, &mut values);
    assert_eq!(values.get(diagram.output("end.output").unwrap().range), [60.0]);
    assert_eq!(values.get(diagram.output("right/controller.output").unwrap().range), [10.0]);
}
