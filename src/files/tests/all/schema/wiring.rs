//! The connections of a file against the ports of real blocks.

use kinegraph_core::signal::BodyPoses;
use kinegraph_core::{Dyn, Ports};
use kinegraph_files::ConnectionSpec;
use kinegraph_files::Loader;
use kinegraph_files::PortName;
use kinegraph_files::node::Position;
use kinegraph_files::schema::wiring::check;
use std::path::Path;

fn blocks() -> [Ports; 2] {
    let (mut source, mut sink) = (Ports::new(), Ports::new());
    source.output_of_width::<Dyn>("state", 4);
    source.output_of_width::<Dyn>("torque", 2);
    sink.input_of_width::<Dyn>("desired_state", 4);
    sink.input_of_width::<BodyPoses>("poses", 4);
    [source, sink]
}

fn connection(from: (&str, &str), to: (&str, &str)) -> ConnectionSpec {
    let name = |(block, port): (&str, &str)| PortName { block: block.into(), port: port.into() };
    ConnectionSpec { from: name(from), to: name(to), at: Position { line: 7, ..Position::start() } }
}

fn faults_of(connection: ConnectionSpec) -> (Vec<bool>, String) {
    let [source, sink] = blocks();
    let loader = Loader::new(Path::new("d.yaml"));
    let wires = check(&[connection], &[("goal", Some(&source)), ("ctl", Some(&sink))], &loader);
    (wires, loader.finish().err().map_or_else(String::new, |f| f.to_string()))
}

#[test]
fn a_fitting_wire_is_resolved() {
    let (wires, faults) = faults_of(connection(("goal", "state"), ("ctl", "desired_state")));
    assert_eq!((wires, faults.as_str()), (vec![true], ""));
}

#[test]
fn misfits_name_the_line_the_ports_and_the_way_out() {
    for (from, to, expected) in [
        (("goal", "stat"), ("ctl", "desired_state"), "unknown output of goal `stat`\n  help: did you mean `state`?"),
        (("goal", "torque"), ("ctl", "desired_state"), "goal.torque gives 2 numbers, ctl.desired_state takes 4"),
        (
            ("goal", "state[0:3]"),
            ("ctl", "desired_state[:2]"),
            "goal.state[0:3] gives 3 numbers, ctl.desired_state[:2] takes 2",
        ),
        (
            ("goal", "state[4]"),
            ("ctl", "desired_state"),
            "goal.state[4]: there is no state[4]: it has state[0] to state[3]",
        ),
        (
            ("goal", "torque"),
            ("ctl", "desired_state[1, 3]"),
            "ctl.desired_state is driven in part only: nothing drives desired_state[0], desired_state[2]",
        ),
        (("ctl", "desired_state"), ("ctl", "desired_state"), "ctl.desired_state is an input, an output is needed"),
        (("goal", "state"), ("ctl", "poses"), "goal.state carries a signal of type vector, ctl.poses takes body poses"),
    ] {
        let (wires, faults) = faults_of(connection(from, to));
        // A wire is sound by itself if the only fault is that others are missing.
        assert_eq!(wires, [expected.contains("in part only")]);
        assert!(faults.starts_with("d.yaml:7:1: ") && faults.contains(expected), "{faults}");
    }
}
