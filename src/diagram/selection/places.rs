//! Numbers of a port that the end of a wire names.
//!
//! An output is named by the port (`arm.state`), by one of its elements (`arm.shoulder.q`), by a joint, which stands
//! for its positions and velocities (`arm.shoulder`), or by a model with parts, which are joints (`arm[0:3]`: first the
//! positions of the three, then their velocities, as in `arm.state`). An input is named by the port, or by a model,
//! which stands for its actuation.

use super::syntax::{Part, split};
use crate::fault::Side;
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_core::port::OutputPort;
use kinegraph_core::{Ports, SignalKind};
use std::collections::HashSet;

/// Numbers of one port of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Index of the port among the inputs or the outputs of its block.
    pub port: usize,
    /// Indices within the port, in the order of the wire; `None` for the whole port.
    pub of: Option<Vec<usize>>,
}

/// Finds the numbers of an output that `text` names; `Ok(None)` if there is no such port.
///
/// # Errors
/// A message on the parts that are wrong.
pub fn find_output(ports: &Ports, text: &str) -> Result<Option<Places>, String> {
    let (name, parts) = split(text)?;
    let outputs = ports.outputs();
    let whole = outputs.iter().position(|port| port.name == name);
    let Some(parts) = parts else {
        let some = |(port, places)| Places { port, of: Some(places) };
        return Ok(whole.map(|port| Places { port, of: None }).or_else(|| element_or_joint(ports, name).map(some)));
    };
    if let Some(port) = whole {
        let names = outputs[port].element_names();
        return Ok(Some(Places { port, of: Some(of_parts(&parts, &names, name)?) }));
    }
    if let Some(port) = outputs.iter().position(|port| is_state_of(port, name)) {
        return Ok(Some(Places { port, of: Some(of_joints(&outputs[port], name, &parts)?) }));
    }
    let Some((port, places)) = element_or_joint(ports, name) else { return Ok(None) };
    let all = outputs[port].element_names();
    let names: Vec<String> = places.iter().map(|&place| all[place].clone()).collect();
    let chosen = of_parts(&parts, &names, name)?.into_iter().map(|i| places[i]).collect();
    Ok(Some(Places { port, of: Some(chosen) }))
}

/// Finds the numbers of an input that `text` names; `Ok(None)` if there is no such port.
///
/// # Errors
/// A message on the parts that are wrong.
pub fn find_input(ports: &Ports, text: &str) -> Result<Option<Places>, String> {
    let (name, parts) = split(text)?;
    let find = |name: &str| ports.inputs().iter().position(|port| port.name == name);
    let Some(parts) = parts else { return Ok(find(name).map(|port| Places { port, of: None })) };
    let Some(port) = find(name).or_else(|| find(&format!("{name}.actuation"))) else { return Ok(None) };
    let input = &ports.inputs()[port];
    let names: Vec<String> =
        (0..input.width).map(|i| input.elements.get(i).cloned().unwrap_or_else(|| format!("{name}[{i}]"))).collect();
    let of = of_parts(&parts, &names, name)?;
    match (1..of.len()).find(|&i| of[..i].contains(&of[i])) {
        Some(twice) => Err(format!("{} is named twice", names[of[twice]])),
        None => Ok(Some(Places { port, of: Some(of) })),
    }
}

/// Names of the numbers of an input that nothing drives.
pub fn missing(ports: &Ports, port: usize, driven: &[bool]) -> Vec<String> {
    let input = &ports.inputs()[port];
    let name = |i: usize| input.elements.get(i).cloned().unwrap_or_else(|| format!("{}[{i}]", input.name));
    (0..input.width).filter(|&i| !driven[i]).map(name).collect()
}

/// Indices of an element, or of all elements of a group. If several outputs have them, the state is taken.
fn element_or_joint(ports: &Ports, name: &str) -> Option<(usize, Vec<usize>)> {
    let places = |port: &OutputPort| -> Vec<usize> {
        let exact = port.elements.iter().position(|element| element == name);
        exact.map_or_else(|| port.group(name), |place| vec![place])
    };
    let found = ports.outputs().iter().map(places).enumerate().filter(|(_, places)| !places.is_empty());
    let found: Vec<(usize, Vec<usize>)> = found.collect();
    let state = found.iter().find(|(port, _)| ports.outputs()[*port].kind == SignalKind::MultibodyState);
    match (state, found.as_slice()) {
        (Some(state), _) => Some(state.clone()),
        (None, [only]) => Some(only.clone()),
        _ => None,
    }
}

/// True if `port` is the state of the model `name`.
fn is_state_of(port: &OutputPort, name: &str) -> bool {
    port.kind == SignalKind::MultibodyState && port.name.strip_suffix(".state") == Some(name)
}

/// Indices of some joints of a model in its state: first their positions, then their velocities.
fn of_joints(state: &OutputPort, model: &str, parts: &[Part<'_>]) -> Result<Vec<usize>, String> {
    let names = joints_of(state);
    let chosen = of_parts(parts, &names, model)?;
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for i in chosen {
        let places = state.group(&names[i]);
        // Velocities stand apart from positions unless the model has no other joint.
        let gap = (1..places.len()).find(|&k| places[k] != places[k - 1] + 1).unwrap_or(places.len());
        positions.extend(&places[..gap]);
        velocities.extend(&places[gap..]);
    }
    Ok([positions, velocities].concat())
}

/// Names of joints with numbers in a state, each once.
pub fn joints(ports: &Ports) -> Vec<String> {
    let states = ports.outputs().iter().filter(|port| port.kind == SignalKind::MultibodyState);
    each_once(states.flat_map(joints_of))
}

fn joints_of(state: &OutputPort) -> Vec<String> {
    let joint = |element: &String| element.rsplit_once('.').map_or(element.as_str(), |(joint, _)| joint).to_owned();
    each_once(state.elements.iter().map(joint))
}

fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Indices that the parts select among numbers with these names.
fn of_parts(parts: &[Part<'_>], names: &[String], whole: &str) -> Result<Vec<usize>, String> {
    let width = names.len();
    let beyond = |i: usize| {
        let last = width.checked_sub(1).map_or("none".into(), |last| format!("{whole}[0] to {whole}[{last}]"));
        format!("there is no {whole}[{i}]: it has {last}")
    };
    let mut places = Vec::new();
    for part in parts {
        match *part {
            Part::Number(i) if i < width => places.push(i),
            Part::Number(i) => return Err(beyond(i)),
            Part::Range(first, end) => {
                let end = end.unwrap_or(width);
                if end > width || first >= end {
                    let all = format!("; all of it is [0:{width}], where the end does not count");
                    return Err(beyond(first.max(end.saturating_sub(1))) + if width > 0 { &all } else { "" });
                }
                places.extend(first..end);
            }
            Part::Name(name) => {
                let found = (0..width).filter(|&i| is_named(&names[i], name));
                let before = places.len();
                places.extend(found);
                if places.len() == before {
                    let suggestion = did_you_mean(&nearest(name, names.iter().map(|n| last_parts(n, name))));
                    return Err(format!("{whole} has no element `{name}`{suggestion} ({})", listed(names)));
                }
            }
        }
    }
    Ok(places)
}

/// True if `name` is the element, or consists of whole parts of its name: `shoulder` and `shoulder.q` are parts of
/// `arm.shoulder.q`.
fn is_named(element: &str, name: &str) -> bool {
    format!(".{element}.").contains(&format!(".{name}."))
}

/// The last parts of `element`, as many as `name` has.
fn last_parts(element: &str, name: &str) -> String {
    let parts: Vec<&str> = element.split('.').collect();
    let wanted = name.split('.').count().min(parts.len());
    parts[parts.len() - wanted..].join(".")
}

/// The first names of a long list, for messages.
fn listed(names: &[String]) -> String {
    const MAX_LISTED: usize = 8;
    let shown = names.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED { format!("{shown}, … {} in all", names.len()) } else { shown }
}

/// Names of the numbers of a port of a block, for messages about widths; `None` if they are only numbered.
pub fn entries(ports: &Ports, side: Side, port: usize) -> Option<String> {
    let elements = match side {
        Side::Input => &ports.inputs()[port].elements,
        Side::Output => &ports.outputs()[port].elements,
    };
    (!elements.is_empty()).then(|| listed(elements))
}
