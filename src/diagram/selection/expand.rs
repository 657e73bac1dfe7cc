//! Inserts a [`Selection`] before each input that is driven by parts of outputs or part by part, before the diagram is
//! compiled.

use super::block::Selection;
use super::places::{Places, find_input, find_output, missing};
use crate::builder::DiagramBuilder;
use crate::ends::PortRef;
use crate::exports;
use crate::fault::{BuildError, Side};
use crate::lookup::Lookup;
use kinegraph_core::Ports;
use kinegraph_core::port::OutputPort;
use std::collections::HashMap;
use std::sync::Arc;

/// A wire with parts, its ends resolved.
struct PartWire {
    /// Block and output.
    from: (usize, usize),
    /// Indices of the numbers in that output.
    of: Vec<usize>,
    /// Their indices in the input.
    to: Vec<usize>,
    /// Path of the output as the user wrote it.
    written: String,
    /// Path of the input as the user wrote it.
    written_to: String,
}

/// An input that is driven part by part.
struct Target {
    /// Its path as the user wrote it, without parts.
    path: String,
    wires: Vec<PartWire>,
}

/// Output and input of the wire of each number of a [`Selection`] as the user wrote them, by the name of the block.
pub(crate) type WrittenWires = HashMap<String, Vec<Option<(String, String)>>>;

/// Result of [`expand`].
#[derive(Default)]
pub(crate) struct Expanded {
    /// Paths of the inputs that faulty wires lead to.
    pub lost: Vec<String>,
    /// The wires of the blocks that were put in.
    pub written: WrittenWires,
}

/// Puts a block before each input that is driven by parts. Faulty wires are reported and left out.
pub(crate) fn expand(builder: &mut DiagramBuilder, faults: &mut Vec<BuildError>) -> Expanded {
    // Faults of names and exports are reported by the compilation.
    let lookup = exports::lookup(builder, &mut Vec::new());
    if !builder.wires.iter().any(|wire| is_of_parts(&lookup, wire)) {
        return Expanded::default();
    }
    let (mut lost, mut written_wires) = (Vec::new(), WrittenWires::new());
    let (mut kept, mut targets, mut order) = (Vec::new(), HashMap::<(usize, usize), Target>::new(), Vec::new());
    for wire in &builder.wires {
        if !is_of_parts(&lookup, wire) {
            kept.push(wire.clone());
            continue;
        }
        match ends(&lookup, wire) {
            Ok((key, path, part)) => {
                let target = targets.entry(key).or_insert_with(|| {
                    order.push(key);
                    Target { path, wires: Vec::new() }
                });
                target.wires.push(part);
            }
            Err(fault) => {
                lost.extend(find(&lookup, &wire.1, Side::Input).ok().map(|(input, _)| lookup.input_path(input)));
                faults.push(fault);
            }
        }
    }
    take_elements(&lookup, &mut kept, &mut targets);
    let mut added = Vec::new();
    for key in order {
        let Some(target) = targets.remove(&key) else { continue };
        let ports = lookup.blocks[key.0].1.ports();
        // Numbers left undriven by a faulty wire are not a fault of their own.
        let (path, before) = (lookup.input_path(key), faults.len());
        let Some((sources, entries)) = entries(ports, key.1, &target, faults) else {
            if lost.contains(&path) {
                let is_open = |fault: &BuildError| matches!(fault, BuildError::PartsUnconnected { .. });
                let mut found = faults.split_off(before);
                found.retain(|fault| !is_open(fault));
                faults.append(&mut found);
            }
            lost.push(path);
            continue;
        };
        let from = |&(block, port): &(usize, usize)| &lookup.blocks[block].1.ports().outputs()[port];
        let outputs: Vec<&OutputPort> = sources.iter().map(from).collect();
        let name = free_name(&lookup, &added, &path);
        for (i, source) in sources.iter().enumerate() {
            let input = PortRef::Path(format!("{name}.input{i}"));
            kept.push((PortRef::Path(lookup.output_path(*source)), input));
        }
        let mut written = vec![None; entries.len()];
        for wire in &target.wires {
            for &to in &wire.to {
                written[to] = Some((wire.written.clone(), wire.written_to.clone()));
            }
        }
        written_wires.insert(name.clone(), written);
        kept.push((PortRef::Path(format!("{name}.output")), PortRef::Path(target.path)));
        added.push((name, Selection::new(&outputs, entries)));
    }
    builder.wires = kept;
    for (name, block) in added {
        builder.add_erased(name, Arc::new(block));
    }
    Expanded { lost, written: written_wires }
}

/// Redirects wires to a single element of an input that is driven by parts: they drive that part.
fn take_elements(
    lookup: &Lookup<'_>,
    kept: &mut Vec<(PortRef, PortRef)>,
    targets: &mut HashMap<(usize, usize), Target>,
) {
    kept.retain(|(from, to)| {
        let Ok(((block, input), None)) = find(lookup, to, Side::Input) else { return true };
        let ports = lookup.blocks[block].1.ports();
        let Some(whole) = ports.inputs()[input].element_of else { return true };
        let place = ports.inputs()[whole].elements.iter().position(|name| *name == ports.inputs()[input].name);
        let (Some(place), Some(target)) = (place, targets.get_mut(&(block, whole))) else { return true };
        let Ok((source, None)) = find(lookup, from, Side::Output) else { return true };
        if lookup.blocks[source.0].1.ports().outputs()[source.1].width != 1 {
            return true;
        }
        let written = match from {
            PortRef::Path(path) => path.clone(),
            _ => lookup.output_path(source),
        };
        let written_to = match to {
            PortRef::Path(path) => path.clone(),
            _ => lookup.input_path((block, input)),
        };
        target.wires.push(PartWire { from: source, of: vec![0], to: vec![place], written, written_to });
        false
    });
}

/// True if one of the ends names numbers of a port; false for an end with other faults.
fn is_of_parts(lookup: &Lookup<'_>, (from, to): &(PortRef, PortRef)) -> bool {
    let of_parts = |end: &PortRef, side: Side| match end {
        PortRef::Path(path) if port_of(path).contains(['[', ']']) => true,
        PortRef::Path(path) => {
            side == Side::Output
                && lookup.resolve(end, side).is_err()
                && block_of(lookup, path).is_some_and(|(ports, port)| matches!(find_output(ports, port), Ok(Some(_))))
        }
        _ => false,
    };
    of_parts(from, Side::Output) || of_parts(to, Side::Input)
}

/// The port of a path, with its parts; the path itself if it names no block.
fn port_of(path: &str) -> &str {
    path.split_once('.').map_or(path, |(_, port)| port)
}

fn block_of<'a, 'p>(lookup: &Lookup<'a>, path: &'p str) -> Option<(&'a Ports, &'p str)> {
    let (block, port) = path.split_once('.')?;
    let index = *lookup.by_name.get(block)?;
    Some((lookup.blocks[index].1.ports(), port))
}

/// Input, its path as the user wrote it, and the wire to it.
fn ends(
    lookup: &Lookup<'_>,
    (from, to): &(PortRef, PortRef),
) -> Result<((usize, usize), String, PartWire), BuildError> {
    let (source, of) = find(lookup, from, Side::Output)?;
    let (input, places) = find(lookup, to, Side::Input)?;
    let output = &lookup.blocks[source.0].1.ports().outputs()[source.1];
    let width = lookup.blocks[input.0].1.ports().inputs()[input.1].width;
    let of = of.unwrap_or_else(|| (0..output.width).collect());
    let to_places = places.unwrap_or_else(|| (0..width).collect());
    let written = |end: &PortRef, side: Side| match (end, side) {
        (PortRef::Path(path), _) => path.clone(),
        (_, Side::Output) => lookup.output_path(source),
        (_, Side::Input) => lookup.input_path(input),
    };
    if of.len() != to_places.len() {
        let (output, input) = (written(from, Side::Output), written(to, Side::Input));
        return Err(BuildError::WidthMismatch { output, input, from: of.len(), to: to_places.len() });
    }
    let path = match to {
        PortRef::Path(path) if !port_of(path).contains('[') => path.clone(),
        _ => lookup.input_path(input),
    };
    let (written, written_to) = (written(from, Side::Output), written(to, Side::Input));
    Ok((input, path, PartWire { from: source, of, to: to_places, written, written_to }))
}

/// One end of a wire: block and port, and the indices in it; `None` for the whole port.
type End = ((usize, usize), Option<Vec<usize>>);

/// Port at one end of a wire and the indices in it.
fn find(lookup: &Lookup<'_>, end: &PortRef, side: Side) -> Result<End, BuildError> {
    let PortRef::Path(path) = end else { return whole(lookup, end, side) };
    let fault = |problem: String| BuildError::Part { path: path.clone(), problem };
    let found = |ports: &Ports, port: &str| match side {
        Side::Input => find_input(ports, port),
        Side::Output => find_output(ports, port),
    };
    if let Some((ports, port)) = block_of(lookup, path)
        && let Some((block, _)) = path.split_once('.')
        && let Some(Places { port, of }) = found(ports, port).map_err(fault)?
    {
        return Ok(((lookup.by_name[block], port), of));
    }
    // Exports of a nested diagram have parts by number and by name, too.
    let (plain, parts) = super::split_path(path).map_err(fault)?;
    let (at, _) = whole(lookup, &PortRef::Path(plain.to_owned()), side)?;
    let Some(_) = parts else { return Ok((at, None)) };
    let ports = lookup.blocks[at.0].1.ports();
    let name = match side {
        Side::Input => &ports.inputs()[at.1].name,
        Side::Output => &ports.outputs()[at.1].name,
    };
    let brackets = path[plain.len()..].trim_start();
    match found(ports, &format!("{name}{brackets}")).map_err(fault)? {
        Some(Places { of, .. }) => Ok((at, of)),
        None => Ok((at, None)),
    }
}

/// Port that is named as a whole and stands for itself alone.
fn whole(lookup: &Lookup<'_>, end: &PortRef, side: Side) -> Result<End, BuildError> {
    let found = lookup.resolve(end, side)?;
    match (found.ports.as_slice(), end) {
        ([only], _) => Ok((*only, None)),
        (several, PortRef::Path(path) | PortRef::Export(_, path)) => Err(BuildError::SeveralInputs {
            path: path.clone(),
            inputs: several.iter().map(|&port| lookup.input_path(port)).collect(),
        }),
        (_, PortRef::Handle(..)) => Err(BuildError::MalformedPath { path: String::new() }),
    }
}

/// Outputs that an input takes numbers from, and for each of its numbers the source and index.
type Sources = (Vec<(usize, usize)>, Vec<Option<(usize, usize)>>);

/// Source of each number of an input; `None` after a fault: a number is driven twice, or a required one is not driven.
fn entries(ports: &Ports, port: usize, target: &Target, faults: &mut Vec<BuildError>) -> Option<Sources> {
    let input = &ports.inputs()[port];
    let mut sources: Vec<(usize, usize)> = Vec::new();
    let mut entries: Vec<Option<(usize, usize)>> = vec![None; input.width];
    let mut by: Vec<Option<&str>> = vec![None; input.width];
    let mut is_whole = true;
    for wire in &target.wires {
        let source = sources.iter().position(|source| *source == wire.from).unwrap_or_else(|| {
            sources.push(wire.from);
            sources.len() - 1
        });
        for (&of, &to) in wire.of.iter().zip(&wire.to) {
            if let Some(first) = by[to].replace(&wire.written) {
                let (input, first) = (format!("{}[{to}]", target.path), first.to_owned());
                faults.push(BuildError::DrivenTwice { input, first, second: wire.written.clone() });
                is_whole = false;
                break;
            }
            entries[to] = Some((source, of));
        }
    }
    let driven: Vec<bool> = by.iter().map(Option::is_some).collect();
    let missing = missing(ports, port, &driven);
    if is_whole && !input.optional && !missing.is_empty() {
        faults.push(BuildError::PartsUnconnected { input: target.path.clone(), missing });
        is_whole = false;
    }
    is_whole.then_some((sources, entries))
}

/// Free name for the block before the input `path`: `servo/pid-measured`.
fn free_name(lookup: &Lookup<'_>, added: &[(String, Selection)], path: &str) -> String {
    let name = path.replace('.', "-");
    let is_taken = |name: &str| lookup.by_name.contains_key(name) || added.iter().any(|(other, _)| other == name);
    let numbered = |i: usize| if i == 1 { name.clone() } else { format!("{name}-{i}") };
    (1..).map(numbered).find(|name| !is_taken(name)).unwrap_or(name)
}
