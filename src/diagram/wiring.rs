//! From wires and fixed values as the user stated them to one source per input.

use super::builder::PortRef;
use super::fault::{BuildError, Side};
use super::lookup::Lookup;

/// Where an input's numbers come from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wire {
    Nothing,
    Output(usize, usize),
    Fixed(Vec<f64>),
}

/// One source per input of every block: `wiring[block][input]`.
pub(super) type Wiring = Vec<Vec<Wire>>;

/// Resolves and checks all wires; a faulty wire is reported and left out.
pub(super) fn resolve(
    lookup: &Lookup,
    wires: &[(PortRef, PortRef)],
    fixed: &[(PortRef, Vec<f64>)],
    faults: &mut Vec<BuildError>,
) -> Wiring {
    let mut wiring: Wiring =
        lookup.blocks.iter().map(|(_, system)| vec![Wire::Nothing; system.ports().inputs().len()]).collect();
    // Inputs that someone tried to drive: not reported as unconnected on top of the fault of the attempt.
    let mut attempted: Vec<Vec<bool>> = wiring.iter().map(|inputs| vec![false; inputs.len()]).collect();

    for (from, to) in wires {
        let ends = (lookup.resolve(from, Side::Output), lookup.resolve(to, Side::Input));
        if let Ok(input) = &ends.1 {
            attempted[input.0][input.1] = true;
        }
        match ends {
            (Ok(output), Ok(input)) => connect(lookup, &mut wiring, output, input, faults),
            (Err(fault), Ok(input)) => faults.push(with_other_end(fault, || lookup.input_path(input))),
            (Ok(output), Err(fault)) => faults.push(with_other_end(fault, || lookup.output_path(output))),
            (Err(first), Err(second)) => faults.extend([first, second]),
        }
    }
    for (port, values) in fixed {
        match lookup.resolve(port, Side::Input) {
            Ok(input) => {
                attempted[input.0][input.1] = true;
                fix(lookup, &mut wiring, input, values, faults);
            }
            Err(fault) => faults.push(fault),
        }
    }
    for (block, (_, system)) in lookup.blocks.iter().enumerate() {
        for (index, port) in system.ports().inputs().iter().enumerate() {
            if wiring[block][index] == Wire::Nothing && !attempted[block][index] && !port.optional {
                faults.push(BuildError::Unconnected { input: lookup.input_path((block, index)), width: port.width });
            }
        }
    }
    wiring
}

fn connect(
    lookup: &Lookup,
    wiring: &mut Wiring,
    output: (usize, usize),
    input: (usize, usize),
    faults: &mut Vec<BuildError>,
) {
    let from = &lookup.blocks[output.0].1.ports().outputs()[output.1];
    let to = &lookup.blocks[input.0].1.ports().inputs()[input.1];
    let paths = || (lookup.output_path(output), lookup.input_path(input));
    if let Wire::Output(block, port) = wiring[input.0][input.1] {
        let (second, input) = paths();
        faults.push(BuildError::DrivenTwice { input, first: lookup.output_path((block, port)), second });
        return;
    }
    let mut fits = true;
    if !from.kind.feeds(to.kind) {
        let (output, input) = paths();
        faults.push(BuildError::KindMismatch { output, input, from: from.kind, to: to.kind });
        fits = false;
    } else if from.width != to.width {
        let (output, input) = paths();
        faults.push(BuildError::WidthMismatch { output, input, from: from.width, to: to.width });
        fits = false;
    }
    if fits {
        wiring[input.0][input.1] = Wire::Output(output.0, output.1);
    }
}

fn fix(lookup: &Lookup, wiring: &mut Wiring, input: (usize, usize), values: &[f64], faults: &mut Vec<BuildError>) {
    let path = lookup.input_path(input);
    let width = lookup.blocks[input.0].1.ports().inputs()[input.1].width;
    match wiring[input.0][input.1] {
        Wire::Output(block, port) => {
            faults.push(BuildError::FixedAndConnected { input: path, output: lookup.output_path((block, port)) });
        }
        Wire::Fixed(_) => faults.push(BuildError::FixedTwice { input: path }),
        Wire::Nothing if values.len() != width => {
            faults.push(BuildError::FixedWidth { input: path, width, given: values.len() });
        }
        Wire::Nothing => match values.iter().position(|value| !value.is_finite()) {
            Some(element) => {
                faults.push(BuildError::FixedNotFinite { input: path, element, value: values[element] });
            }
            None => wiring[input.0][input.1] = Wire::Fixed(values.to_vec()),
        },
    }
}

/// A handle of a foreign block has no name; what the wire's other end is helps to find it.
fn with_other_end(fault: BuildError, path: impl FnOnce() -> String) -> BuildError {
    match fault {
        BuildError::ForeignHandle { diagram, side, .. } => {
            BuildError::ForeignHandle { diagram, side, other: Some(path()) }
        }
        fault => fault,
    }
}
