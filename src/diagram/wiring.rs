//! Resolves wires and fixed values, as the user gave them, to one source per input.

use super::ends::PortRef;
use super::fault::{BuildError, Side};
use super::lookup::{Found, Lookup};
use std::collections::HashSet;

/// Source of an input's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputSource {
    Unconnected,
    Output(usize, usize),
    Fixed(Vec<f64>),
}

/// One source per input of every block: `wiring[block][input]`.
pub(super) type Wiring = Vec<Vec<InputSource>>;

/// One end of a wire: a port, and the exported name that was used for it.
#[derive(Clone, Copy)]
struct NamedPort {
    port: (usize, usize),
    alias: Option<usize>,
}

/// Resolves and checks all wires; a faulty wire is reported and left out.
pub(super) fn resolve(
    lookup: &Lookup,
    wires: &[(PortRef, PortRef)],
    fixed: &[(PortRef, Vec<f64>)],
    faults: &mut Vec<BuildError>,
) -> Wiring {
    let mut wiring: Wiring =
        lookup.blocks.iter().map(|(_, system)| vec![InputSource::Unconnected; system.ports().inputs().len()]).collect();
    // Inputs that a faulty wire or value refers to: not reported as unconnected in addition.
    let mut attempted: Vec<Vec<bool>> = wiring.iter().map(|inputs| vec![false; inputs.len()]).collect();

    for (from, to) in wires {
        let ends = (lookup.resolve(from, Side::Output), lookup.resolve(to, Side::Input));
        for &(block, port) in ends.1.iter().flat_map(|input| &input.ports) {
            attempted[block][port] = true;
        }
        match ends {
            (Ok(output), Ok(input)) => {
                let outputs = ends_of(&output);
                for from in outputs {
                    ends_of(&input).for_each(|to| connect(lookup, &mut wiring, from, to, faults));
                }
            }
            (Err(fault), Ok(input)) => {
                let other = ends_of(&input).next().map(|end| lookup.named_input(end.alias, end.port));
                faults.push(with_other_end(fault, other));
            }
            (Ok(output), Err(fault)) => {
                let other = ends_of(&output).next().map(|end| lookup.named_output(end.alias, end.port));
                faults.push(with_other_end(fault, other));
            }
            (Err(first), Err(second)) => faults.extend([first, second]),
        }
    }
    for (port, values) in fixed {
        match lookup.resolve(port, Side::Input) {
            Ok(input) => {
                for end in ends_of(&input) {
                    attempted[end.port.0][end.port.1] = true;
                    fix(lookup, &mut wiring, end, values, faults);
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    report_unconnected(lookup, &wiring, &attempted, faults);
    report_wholes_and_parts(lookup, &wiring, faults);
    wiring
}

/// Reports inputs that are driven as a whole and also by one of their numbers.
fn report_wholes_and_parts(lookup: &Lookup, wiring: &Wiring, faults: &mut Vec<BuildError>) {
    for (block, (_, system)) in lookup.blocks.iter().enumerate() {
        for (index, port) in system.ports().inputs().iter().enumerate() {
            let driven = |input: usize| wiring[block][input] != InputSource::Unconnected;
            if let Some(whole) = port.element_of.filter(|whole| driven(index) && driven(*whole)) {
                let path = |input: usize| lookup.named_input(lookup.input_alias((block, input)), (block, input));
                faults.push(BuildError::WholeAndPart { whole: path(whole), part: path(index) });
            }
        }
    }
}

fn ends_of(found: &Found) -> impl Iterator<Item = NamedPort> + '_ {
    found.ports.iter().map(|&port| NamedPort { port, alias: found.alias })
}

/// Reports required inputs without a value; inputs that are exported together give one fault.
fn report_unconnected(lookup: &Lookup, wiring: &Wiring, attempted: &[Vec<bool>], faults: &mut Vec<BuildError>) {
    let mut reported = HashSet::new();
    for (block, (_, system)) in lookup.blocks.iter().enumerate() {
        for (index, port) in system.ports().inputs().iter().enumerate() {
            if wiring[block][index] == InputSource::Unconnected && !attempted[block][index] && !port.optional {
                let alias = lookup.input_alias((block, index));
                if alias.is_none_or(|alias| reported.insert(alias)) {
                    let input = lookup.named_input(alias, (block, index));
                    faults.push(BuildError::Unconnected { input, width: port.width });
                }
            }
        }
    }
}

fn connect(lookup: &Lookup, wiring: &mut Wiring, from: NamedPort, to: NamedPort, faults: &mut Vec<BuildError>) {
    let output = &lookup.blocks[from.port.0].1.ports().outputs()[from.port.1];
    let input = &lookup.blocks[to.port.0].1.ports().inputs()[to.port.1];
    let paths = || (lookup.named_output(from.alias, from.port), lookup.named_input(to.alias, to.port));
    let place = &mut wiring[to.port.0][to.port.1];
    if let InputSource::Output(block, port) = *place {
        let (second, input) = paths();
        faults.push(BuildError::DrivenTwice { input, first: lookup.output_path((block, port)), second });
    } else if !output.kind.feeds(input.kind) {
        let (from, to) = (output.kind, input.kind);
        let (output, input) = paths();
        faults.push(BuildError::KindMismatch { output, input, from, to });
    } else if output.width != input.width {
        let (from, to) = (output.width, input.width);
        let (output, input) = paths();
        faults.push(BuildError::WidthMismatch { output, input, from, to });
    } else {
        *place = InputSource::Output(from.port.0, from.port.1);
    }
}

fn fix(lookup: &Lookup, wiring: &mut Wiring, end: NamedPort, values: &[f64], faults: &mut Vec<BuildError>) {
    let (block, index) = end.port;
    let path = lookup.named_input(end.alias, end.port);
    let width = lookup.blocks[block].1.ports().inputs()[index].width;
    match wiring[block][index] {
        InputSource::Output(block, port) => {
            faults.push(BuildError::FixedAndConnected { input: path, output: lookup.output_path((block, port)) });
        }
        InputSource::Fixed(_) => faults.push(BuildError::FixedTwice { input: path }),
        InputSource::Unconnected if values.len() != width => {
            faults.push(BuildError::FixedWidth { input: path, width, given: values.len() });
        }
        InputSource::Unconnected => match values.iter().position(|value| !value.is_finite()) {
            Some(element) => {
                faults.push(BuildError::FixedNotFinite { input: path, element, value: values[element] });
            }
            None => wiring[block][index] = InputSource::Fixed(values.to_vec()),
        },
    }
}

/// Adds the other end of the wire to the fault of a foreign handle, which has no name, to help find it.
fn with_other_end(fault: BuildError, other: Option<String>) -> BuildError {
    match fault {
        BuildError::ForeignHandle { diagram, side, .. } => BuildError::ForeignHandle { diagram, side, other },
        fault => fault,
    }
}
