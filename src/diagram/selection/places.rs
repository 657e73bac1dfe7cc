//! Which numbers of which port the end of a wire names.
//!
//! An output is named by the port (`arm.state`), by one of its elements (`arm.shoulder.q`), by a joint, which means its
//! positions and velocities (`arm.shoulder`), or by a model with parts, which are joints (`arm[0:3]`: first the
//! positions of the three, then their velocities, as in `arm.state`). An input is named by the port, or by a model,
//! whose actuation it is.

use super::syntax::{Part, split};
use crate::diagram::fault::Side;
use kinegraph_systems::names::{did_you_mean, nearest};
use kinegraph_systems::port::OutputPort;
use kinegraph_systems::{Ports, SignalKind};
use std::collections::HashSet;

/// Numbers of one port of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// Index of the port among the inputs or the outputs of its block.
    pub port: usize,
    /// The places in it, in the order of the wire; `None` for the whole port.
    pub of: Option<Vec<usize>>,
}

/// The numbers of an output that `text` names; `Ok(None)` if there is no such port.
///
/// # Errors
/// What is wrong with the parts.
pub(crate) fn find_output(ports: &Ports, text: &str) -> Result<Option<Places>, String> {
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

/// The numbers of an input that `text` names; `Ok(None)` if there is no such port.
///
/// # Errors
/// What is wrong with the parts.
pub(crate) fn find_input(ports: &Ports, text: &str) -> Result<Option<Places>, String> {
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

/// The names of the numbers of an input that nothing drives.
pub(crate) fn missing(ports: &Ports, port: usize, driven: &[bool]) -> Vec<String> {
    let input = &ports.inputs()[port];
    let name = |i: usize| input.elements.get(i).cloned().unwrap_or_else(|| format!("{}[{i}]", input.name));
    (0..input.width).filter(|&i| !driven[i]).map(name).collect()
}

/// The places of an element, or of all elements of a group. Of several outputs that have them, a state is meant.
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

/// Whether `port` is the state of the model `name`.
fn is_state_of(port: &OutputPort, name: &str) -> bool {
    port.kind == SignalKind::MultibodyState && port.name.strip_suffix(".state") == Some(name)
}

/// The places of some joints of a model in its state: first their positions, then their velocities.
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

/// The names of joints that stand for numbers of a state, each once.
pub(crate) fn joints(ports: &Ports) -> Vec<String> {
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

/// The places that the parts name among numbers of these names.
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
                    return Err(beyond(first.max(end.saturating_sub(1))));
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

/// Whether `name` is the element, or whole parts of its name: `shoulder` and `shoulder.q` are parts of
/// `arm.shoulder.q`.
fn is_named(element: &str, name: &str) -> bool {
    format!(".{element}.").contains(&format!(".{name}."))
}

/// As many of the last parts of `element` as `name` has.
fn last_parts(element: &str, name: &str) -> String {
    let parts: Vec<&str> = element.split('.').collect();
    let wanted = name.split('.').count().min(parts.len());
    parts[parts.len() - wanted..].join(".")
}

/// The first names of a long list.
fn listed(names: &[String]) -> String {
    const MAX_LISTED: usize = 8;
    let shown = names.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED { format!("{shown}, … {} in all", names.len()) } else { shown }
}

/// The names of the numbers of a port of a block, for messages about widths; none where they only are numbered.
pub(crate) fn entries(ports: &Ports, side: Side, port: usize) -> Option<String> {
    let elements = match side {
        Side::Input => &ports.inputs()[port].elements,
        Side::Output => &ports.outputs()[port].elements,
    };
    (!elements.is_empty()).then(|| listed(elements))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinegraph_systems::Dyn;
    use kinegraph_systems::signal::MultibodyState;

    /// A plant with an arm of two joints and a ball that floats.
    fn plant() -> Ports {
        let mut ports = Ports::new();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let arm = ["arm.shoulder.q", "arm.elbow.q", "arm.shoulder.v", "arm.elbow.v"];
        let ball = ["ball.base.qw", "ball.base.px", "ball.base.wx", "ball.base.vx"];
        for (name, elements) in [("arm.state", &arm[..]), ("ball.state", &ball[..])] {
            let port = ports.output_of_width::<MultibodyState>(name, elements.len());
            ports.name_elements(port, names(elements));
        }
        let all = ports.output_of_width::<MultibodyState>("state", 8);
        ports.name_elements(all, names(&[&arm[..], &ball[..]].concat()));
        let efforts = ports.output_of_width::<Dyn>("net_actuation", 2);
        ports.name_elements(efforts, names(&["arm.shoulder.net_actuation", "arm.elbow.net_actuation"]));
        ports.output_of_width::<Dyn>("plain", 3);
        let actuation = ports.optional_input_of_width::<Dyn>("arm.actuation", 2);
        ports.name_input_elements(actuation, names(&["arm.shoulder", "arm.elbow"]));
        ports.input_of_width::<Dyn>("u", 3);
        ports
    }

    #[test]
    fn outputs_are_named_by_port_element_joint_and_model() {
        for (text, port, of) in [
            ("arm.state", 0, None),
            ("arm.state[1:3]", 0, Some(vec![1, 2])),
            ("arm.state[elbow.v, elbow.q]", 0, Some(vec![3, 1])),
            ("arm.shoulder.v", 0, Some(vec![2])),
            ("arm.elbow", 0, Some(vec![1, 3])),
            ("arm.elbow[1]", 0, Some(vec![3])),
            ("arm[1]", 0, Some(vec![1, 3])),
            ("arm[0:2]", 0, Some(vec![0, 1, 2, 3])),
            ("arm[elbow, shoulder]", 0, Some(vec![1, 0, 3, 2])),
            ("ball[0]", 1, Some(vec![0, 1, 2, 3])),
            ("net_actuation[elbow]", 3, Some(vec![1])),
            ("plain[:]", 4, Some(vec![0, 1, 2])),
        ] {
            assert_eq!(find_output(&plant(), text), Ok(Some(Places { port, of })), "{text}");
        }
        assert_eq!(find_output(&plant(), "leg.state[0]"), Ok(None));
    }

    #[test]
    fn inputs_are_named_by_port_and_model() {
        for (text, port, of) in [
            ("u[0, 2]", 1, Some(vec![0, 2])),
            ("arm[1]", 0, Some(vec![1])),
            ("arm.actuation[elbow]", 0, Some(vec![1])),
            ("u", 1, None),
        ] {
            assert_eq!(find_input(&plant(), text), Ok(Some(Places { port, of })), "{text}");
        }
        assert_eq!(missing(&plant(), 0, &[true, false]), ["arm.elbow"]);
        assert_eq!(missing(&plant(), 1, &[true, false, false]), ["u[1]", "u[2]"]);
    }

    #[test]
    fn parts_that_are_not_there_are_said_with_those_that_are() {
        for (text, expected) in [
            ("plain[3]", "there is no plain[3]: it has plain[0] to plain[2]"),
            ("plain[1:5]", "there is no plain[4]"),
            ("arm[2:]", "there is no arm[2]"),
            ("arm.state[elbw.q]", "no element `elbw.q`; did you mean `elbow.q`?"),
            ("arm[wrist]", "(arm.shoulder, arm.elbow)"),
        ] {
            let fault = find_output(&plant(), text).unwrap_err();
            assert!(fault.contains(expected), "{text}: {fault}");
        }
        assert_eq!(find_input(&plant(), "u[1, 0:2]"), Err("u[1] is named twice".into()));
    }
}
