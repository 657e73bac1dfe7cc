//! Checks the connections of a file against the ports of the built blocks: names, directions, kinds and widths.

use crate::connection::ConnectionSpec;
use crate::fault::FaultKind;
use crate::loader::Loader;
use crate::names::unknown;
use crate::port_name::PortName;
use crate::words::{counted, listed};
use kinegraph_core::names::nearest;
use kinegraph_core::{Ports, SignalKind};
use kinegraph_diagram::selection::{Places, entries, find_input, find_output, joints, missing};
use std::collections::HashMap;

/// Checks every connection, in order, and records faults at the line of the connection. Returns for each connection
/// true if it is sound.
///
/// `blocks` are the names of the file's systems with their ports; a block that could not be built (`None`, after its
/// faults were recorded) causes no further faults.
pub fn check(connections: &[ConnectionSpec], blocks: &[(&str, Option<&Ports>)], loader: &Loader) -> Vec<bool> {
    let built: Built<'_> = blocks.iter().filter_map(|(name, ports)| Some((*name, (*ports)?))).collect();
    let wires: Vec<Option<Wire<'_>>> = connections.iter().map(|connection| wire(connection, &built, loader)).collect();
    check_parts(connections, &wires, loader);
    wires.iter().map(Option::is_some).collect()
}

/// Ports of the blocks by name.
type Built<'a> = HashMap<&'a str, &'a Ports>;

/// The input that a connection drives.
struct Wire<'a> {
    ports: &'a Ports,
    to: Places,
}

fn wire<'a>(connection: &ConnectionSpec, built: &Built<'a>, loader: &Loader) -> Option<Wire<'a>> {
    let from = built.get(connection.from.block.as_str()).copied();
    let to = built.get(connection.to.block.as_str()).copied();
    let output = from.and_then(|ports| {
        let found = find_output(ports, &connection.from.port);
        port(connection, &connection.from, found, [&Side::outputs(ports), &Side::inputs(ports)], loader)
    });
    let input = to.and_then(|ports| {
        let found = find_input(ports, &connection.to.port);
        port(connection, &connection.to, found, [&Side::inputs(ports), &Side::outputs(ports)], loader)
    });
    let ((from_ports, to_ports), (output, input)) = ((from?, to?), (output?, input?));

    let (source, target) = (&from_ports.outputs()[output.port], &to_ports.inputs()[input.port]);
    // Parts of a port are plain numbers, without the kind of the whole.
    let is_of_parts = output.of.is_some() || input.of.is_some();
    let kind = if is_of_parts { SignalKind::Vector } else { source.kind };
    let given = output.of.as_ref().map_or(source.width, Vec::len);
    let taken = input.of.as_ref().map_or(target.width, Vec::len);
    let (output_name, input_name) = (&connection.from, &connection.to);
    let (message, help) = if !kind.feeds(target.kind) {
        let message = format!("{output_name} carries a signal of type {kind}, {input_name} takes {}", target.kind);
        (
            message,
            format!("connect an output that carries {} (`kinegraph check FILE --ports` lists ports)", target.kind),
        )
    } else if given != taken {
        let named = |ports: &Ports, side: kinegraph_diagram::Side, places: &Places| {
            let names = if places.of.is_none() { entries(ports, side, places.port) } else { None };
            names.map_or_else(String::new, |names| format!(" ({names})"))
        };
        let message = format!(
            "{output_name} gives {}{}, {input_name} takes {taken}{}",
            counted(given, "number"),
            named(from_ports, kinegraph_diagram::Side::Output, &output),
            named(to_ports, kinegraph_diagram::Side::Input, &input),
        );
        (message, width_help(input_name))
    } else {
        return Some(Wire { ports: to_ports, to: input });
    };
    loader.report(connection.at, FaultKind::Wiring { message, help: Some(help) });
    None
}

/// Checks that inputs driven part by part are driven completely, and each number once. An input with a faulty wire
/// causes no further faults.
fn check_parts(connections: &[ConnectionSpec], wires: &[Option<Wire<'_>>], loader: &Loader) {
    let mut inputs: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
    for (i, wire) in wires.iter().enumerate() {
        if let Some(wire) = wire {
            inputs.entry((&connections[i].to.block, wire.to.port)).or_default().push(i);
        }
    }
    let is_lost = |block: &str, port: &str| {
        let leads_to = |to: &PortName| to.block == block && [plain(port), model_of(port)].contains(&plain(&to.port));
        connections.iter().zip(wires).any(|(connection, wire)| wire.is_none() && leads_to(&connection.to))
    };
    let mut inputs: Vec<_> = inputs.into_iter().collect();
    inputs.sort_by_key(|(_, of)| of.first().copied());
    for ((block, port), of) in inputs {
        let wires: Vec<(usize, &Wire<'_>)> = of.iter().filter_map(|&i| Some((i, wires[i].as_ref()?))).collect();
        let Some(&(first, Wire { ports, .. })) = wires.first() else { continue };
        if wires.iter().all(|(_, wire)| wire.to.of.is_none()) {
            continue;
        }
        if let Some(whole) = wires.iter().find(|(_, wire)| wire.to.of.is_none()).map(|(i, _)| &connections[*i]) {
            let of_part = wires.iter().find(|(_, wire)| wire.to.of.is_some()).map_or(first, |(i, _)| *i);
            let message = format!(
                "{} is a part of {}, which is driven too (line {})",
                connections[of_part].to, whole.to, whole.at.line
            );
            let help = Some("connect the whole or its parts".into());
            loader.report(connections[of_part].at, FaultKind::Wiring { message, help });
            continue;
        }
        let mut driven = vec![false; ports.inputs()[port].width];
        wires.iter().filter_map(|(_, wire)| wire.to.of.as_ref()).flatten().for_each(|&place| driven[place] = true);
        let missing = missing(ports, port, &driven);
        let name = &ports.inputs()[port].name;
        if !missing.is_empty() && !ports.inputs()[port].optional && !is_lost(block, name) {
            let input = format!("{block}.{name}");
            let message = format!("{input} is driven in part only: nothing drives {}", missing.join(", "));
            let help = Some("connect these numbers too, or a `constant` to them".into());
            loader.report(connections[first].at, FaultKind::Wiring { message, help });
        }
    }
}

/// Remedy for two ports of different widths.
fn width_help(input: &PortName) -> String {
    let widths = "make the widths equal (`width`, the length of lists), or name the numbers that are meant: \
                  `block.port[0:3]`, `block.port[2]`";
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
    /// Joints with numbers in a state.
    joints: Vec<String>,
}

impl<'a> Side<'a> {
    fn inputs(ports: &'a Ports) -> Self {
        Side {
            direction: "input",
            names: ports.inputs().iter().map(|port| port.name.as_str()).collect(),
            joints: Vec::new(),
        }
    }

    fn outputs(ports: &'a Ports) -> Self {
        Side {
            direction: "output",
            names: ports.outputs().iter().map(|port| port.name.as_str()).collect(),
            joints: joints(ports),
        }
    }
}

/// Resolves the end `name` of a connection; `sides` are the ports of the wanted direction and of the other.
fn port(
    connection: &ConnectionSpec,
    name: &PortName,
    found: Result<Option<Places>, String>,
    sides: [&Side<'_>; 2],
    loader: &Loader,
) -> Option<Places> {
    let [Side { direction, names: valid, joints }, other] = sides;
    let kind = match found {
        Ok(Some(found)) => return Some(found),
        Err(problem) => {
            let message = format!("{name}: {problem}");
            FaultKind::Wiring { message, help: None }
        }
        Ok(None) if other.names.contains(&plain(&name.port)) => {
            let choice = if valid.is_empty() {
                format!("{} has none", name.block)
            } else {
                format!("{} has {}", name.block, listed(valid))
            };
            let message = format!("{name} is an {}, an {direction} is needed here ({choice})", other.direction);
            FaultKind::Wiring { message, help: Some("write `block.output -> block.input`".into()) }
        }
        Ok(None) => {
            let what = format!("{direction} of {}", name.block);
            let mut kind = unknown(plain(&name.port), &what, connection.to_string(), valid.iter().copied(), loader);
            // Joints are valid names too, but are not listed, since there are many.
            if let FaultKind::UnknownName { nearest: near, .. } = &mut kind {
                *near = nearest(plain(&name.port), valid.iter().copied().chain(joints.iter().map(String::as_str)));
            }
            kind
        }
    };
    loader.report(connection.at, kind);
    None
}

/// Model that an actuation input belongs to.
fn model_of(port: &str) -> &str {
    port.strip_suffix(".actuation").unwrap_or(port)
}

/// Name of a port without its parts.
fn plain(port: &str) -> &str {
    port.split('[').next().unwrap_or(port)
}
