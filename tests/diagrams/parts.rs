//! Wires that name some numbers of a port, by path in Rust.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::operators::{Gain, Integrator};
use kinegraph_systems::sources::Constant;

fn value(diagram: &Diagram, path: &str) -> Vec<f64> {
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(&diagram.initial_state(), &mut values);
    values.get(diagram.output(path).unwrap().range).to_vec()
}

fn two_sources() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("parts");
    b.add("a", Constant::new([1.0, 2.0, 3.0]).unwrap());
    b.add("b", Constant::new([4.0]).unwrap());
    b.add("gain", Gain::new(3, 10.0).unwrap());
    b
}

#[test]
fn an_input_is_put_together_from_several_outputs() {
    let mut b = two_sources();
    b.connect_paths("a.output[2, 0]", "gain.input[0:2]");
    b.connect_paths("b.output", "gain.input[2]");
    let diagram = b.build().unwrap();
    assert_eq!(value(&diagram, "gain.output"), [30.0, 10.0, 40.0]);
    assert!(diagram.blocks().iter().any(|block| block.name == "gain-input"));
    // The compiled diagram gives a builder with the same wires.
    assert_eq!(value(&diagram.to_builder().build().unwrap(), "gain.output"), [30.0, 10.0, 40.0]);
}

#[test]
fn parts_of_what_nested_diagrams_export_are_named_in_the_same_way() {
    let mut inner = DiagramBuilder::new("inner");
    let state = inner.add("x", Integrator::new([5.0, 6.0]).unwrap());
    inner.export_input("u", state.input);
    inner.export_output("y", state.output);
    let mut b = two_sources();
    b.nest("inner", inner);
    b.connect_paths("inner.y[1]", "gain.input[0]");
    b.connect_paths("inner.y[0]", "gain.input[1]");
    b.connect_paths("a.output[1]", "gain.input[2]");
    b.connect_paths("a.output[0]", "inner.u[1]");
    b.connect_paths("b.output", "inner.u[0]");
    let diagram = b.build().unwrap();
    assert_eq!(value(&diagram, "gain.output"), [60.0, 50.0, 20.0]);
    let mut derivatives = vec![0.0; 2];
    let mut values = diagram.values::<f64>();
    let state = diagram.initial_state();
    diagram.evaluate_state(&state, &mut values);
    diagram.derivatives(state.time, &state.continuous, &values, &mut derivatives);
    assert_eq!(derivatives, [4.0, 1.0]);
}

#[test]
fn faults_of_parts_are_reported_together() {
    let mut b = two_sources();
    b.connect_paths("a.output[3]", "gain.input[0]");
    b.connect_paths("a.output[0:2]", "gain.input[2]");
    b.add("other", Gain::new(2, 1.0).unwrap());
    b.connect_paths("b.output", "other.input[1]");
    let faults: Vec<String> = b.build().unwrap_err().0.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "`a.output[3]`: there is no output[3]: it has output[0] to output[2]",
            "a.output[0:2] -> gain.input[2]: widths 2 and 1: make them equal, or join and split signals with \
             `Multiplexer` and `Demultiplexer`",
            "other.input is driven in part only: connect input[0] as well",
        ]
    );
}
