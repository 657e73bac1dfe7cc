//! The connections of a file against the ports of real blocks: names, directions, meanings and widths.

use super::fault::FaultKind;
use super::loader::Loader;
use super::names::unknown;
use super::schema::connection::{ConnectionSpec, PortName};
use super::words::{counted, listed};
use kinegraph_systems::Ports;
use std::collections::HashMap;

/// A wire between ports by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Block (index into the blocks given) and its output.
    pub from: (usize, usize),
    /// Block and its input.
    pub to: (usize, usize),
}

/// Resolves every connection, in their order; faults are recorded at the connection's line, and its wire is `None`.
///
/// `blocks` are the names of the file's systems with their ports; a block that could not be built
/// (`None`, its faults being recorded) makes no further faults.
pub fn resolve(
    connections: &[ConnectionSpec],
    blocks: &[(&str, Option<&Ports>)],
    loader: &Loader,
) -> Vec<Option<Wire>> {
    let built = blocks.iter().enumerate().filter_map(|(i, (name, ports))| Some((*name, (i, (*ports)?))));
    let built: Built<'_> = built.collect();
    connections.iter().map(|connection| wire(connection, &built, loader)).collect()
}

/// The blocks by name, with their numbers.
type Built<'a> = HashMap<&'a str, (usize, &'a Ports)>;

fn wire(connection: &ConnectionSpec, built: &Built<'_>, loader: &Loader) -> Option<Wire> {
    let from = built.get(connection.from.block.as_str()).copied();
    let to = built.get(connection.to.block.as_str()).copied();
    let output = from
        .and_then(|(_, ports)| port(connection, &connection.from, &Side::outputs(ports), &Side::inputs(ports), loader));
    let input =
        to.and_then(|(_, ports)| port(connection, &connection.to, &Side::inputs(ports), &Side::outputs(ports), loader));
    let ((from, from_ports), (to, to_ports)) = (from?, to?);
    let (output, input) = (output?, input?);

    let (source, target) = (&from_ports.outputs()[output], &to_ports.inputs()[input]);
    let (output_name, input_name) = (&connection.from, &connection.to);
    let (message, help) = if !source.kind.feeds(target.kind) {
        let message =
            format!("{output_name} carries a signal of type {}, {input_name} takes {}", source.kind, target.kind);
        (
            message,
            format!("connect an output that carries {} (`kinegraph check FILE --ports` lists ports)", target.kind),
        )
    } else if source.width != target.width {
        let given = counted(source.width, "number");
        let message = format!("{output_name} gives {given}, {input_name} takes {}", target.width);
        (message, width_help(input_name))
    } else {
        return Some(Wire { from: (from, output), to: (to, input) });
    };
    loader.report(connection.at, FaultKind::Wiring { message, help: Some(help) });
    None
}

/// How the widths of two ports become equal.
fn width_help(input: &PortName) -> String {
    let widths = "make the widths equal (`width`, the length of lists), or use `multiplexer` and `demultiplexer`";
    match input.port.strip_suffix(".actuation") {
        Some(model) => format!(
            "{input} takes one number per joint with a motor (`kinegraph check FILE --ports` lists them): those that the \
             file of {model} has transmissions for, or all where it has none. Say which have with `actuated: all` or \
             `actuated: [JOINT, …]` at that model; else {widths}"
        ),
        None => widths.to_owned(),
    }
}

/// The ports of one direction of a block.
struct Side<'a> {
    /// `input` or `output`.
    direction: &'static str,
    names: Vec<&'a str>,
}

impl<'a> Side<'a> {
    fn inputs(ports: &'a Ports) -> Self {
        Side { direction: "input", names: ports.inputs().iter().map(|port| port.name.as_str()).collect() }
    }

    fn outputs(ports: &'a Ports) -> Self {
        Side { direction: "output", names: ports.outputs().iter().map(|port| port.name.as_str()).collect() }
    }
}

/// The number of a port among `wanted`; `other` are the ports of the other direction.
fn port(
    connection: &ConnectionSpec,
    name: &PortName,
    wanted: &Side<'_>,
    other: &Side<'_>,
    loader: &Loader,
) -> Option<usize> {
    let Side { direction, names: valid } = wanted;
    let found = valid.iter().position(|port| *port == name.port);
    if found.is_some() {
        return found;
    }
    let kind = if other.names.contains(&name.port.as_str()) {
        let choice = if valid.is_empty() {
            format!("{} has none", name.block)
        } else {
            format!("{} has {}", name.block, listed(valid))
        };
        let message = format!("{name} is an {}, an {direction} is needed here ({choice})", other.direction);
        FaultKind::Wiring { message, help: Some("write `block.output -> block.input`".into()) }
    } else {
        let what = format!("{direction} of {}", name.block);
        unknown(&name.port, &what, connection.to_string(), valid.iter().copied(), loader)
    };
    loader.report(connection.at, kind);
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::node::Position;
    use kinegraph_systems::{Dyn, Ports, signal::BodyPoses};
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

    fn faults_of(connection: ConnectionSpec) -> (Vec<Wire>, String) {
        let [source, sink] = blocks();
        let loader = Loader::new(Path::new("d.yaml"));
        let wires = resolve(&[connection], &[("goal", Some(&source)), ("ctl", Some(&sink))], &loader);
        let wires = wires.into_iter().flatten().collect();
        (wires, loader.finish().err().map_or_else(String::new, |f| f.to_string()))
    }

    #[test]
    fn a_fitting_wire_is_resolved() {
        let (wires, faults) = faults_of(connection(("goal", "state"), ("ctl", "desired_state")));
        assert_eq!((wires, faults.as_str()), (vec![Wire { from: (0, 0), to: (1, 0) }], ""));
    }

    #[test]
    fn misfits_name_the_line_the_ports_and_the_way_out() {
        for (from, to, expected) in [
            (
                ("goal", "stat"),
                ("ctl", "desired_state"),
                "unknown output of goal `stat`\n  help: did you mean `state`?",
            ),
            (("goal", "torque"), ("ctl", "desired_state"), "goal.torque gives 2 numbers, ctl.desired_state takes 4"),
            (("ctl", "desired_state"), ("ctl", "desired_state"), "ctl.desired_state is an input, an output is needed"),
            (
                ("goal", "state"),
                ("ctl", "poses"),
                "goal.state carries a signal of type vector, ctl.poses takes body poses",
            ),
        ] {
            let (wires, faults) = faults_of(connection(from, to));
            assert!(wires.is_empty());
            assert!(faults.starts_with("d.yaml:7:1: ") && faults.contains(expected), "{faults}");
        }
    }
}
