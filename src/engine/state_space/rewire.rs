//! Diagram with its chosen inputs as fixed values, whose places in the arena a dual pass can seed.

use super::disturbance::Disturbance;
use super::fault::{LinearizeFault, LinearizeFaults};
use kinegraph_core::{DerivativePolicy, WithDerivatives};
use kinegraph_diagram::{BuildError, BuildErrors, Channel, Diagram, Source, State};
use std::collections::HashSet;
use std::sync::Arc;

/// Inputs and outputs of a linearization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearizePorts {
    /// Paths of input ports that are disturbed: connected ones get a disturbance on top of their signal, fixed ones on
    /// top of their value, unconnected ones on top of zero.
    pub inputs: Vec<String>,
    /// Paths of connected input ports that are cut off and become inputs, at the value they had.
    pub cuts: Vec<String>,
    /// Paths of outputs, or names of single channels.
    pub outputs: Vec<String>,
}

pub(super) struct Rewired {
    pub diagram: Diagram,
    pub inputs: Vec<Channel>,
    pub outputs: Vec<Channel>,
    /// The port whose fixed value the inputs of a path are, with its width, in order.
    pub places: Vec<(String, usize)>,
}

pub(super) fn rewire(diagram: &Diagram, state: &State, ports: &LinearizePorts) -> Result<Rewired, LinearizeFaults> {
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    let diagram = &with_derivatives(diagram).map_err(all)?;
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(state, &mut values);
    let mut builder = diagram.to_builder();
    // The ports whose places are the inputs, with the names that people know.
    let mut places: Vec<(String, &str)> = Vec::new();
    let asked = ports.inputs.iter().map(|path| (path, false)).chain(ports.cuts.iter().map(|path| (path, true)));
    for (number, (path, cut)) in asked.enumerate() {
        let ends = match diagram.inputs(path) {
            Ok(inputs) => inputs,
            Err(fault) => {
                faults.push(port(fault));
                continue;
            }
        };
        if !seen.insert(path) {
            faults.push(LinearizeFault::Twice { path: path.clone() });
            continue;
        }
        let input = &ends[0];
        if ends.iter().any(|end| end.source != input.source) {
            faults.push(LinearizeFault::DrivenDifferently { path: path.clone() });
            continue;
        }
        if input.declaration.width == 0 {
            faults.push(LinearizeFault::Empty { path: path.clone() });
            continue;
        }
        let is_driven = matches!(input.source, Source::Output { .. });
        if cut && !is_driven {
            faults.push(LinearizeFault::NotConnected { path: path.clone() });
            continue;
        }
        // The inputs as the builder names them; a nested diagram may export several under one name.
        let ends: Vec<String> = ends.iter().map(|end| diagram.path_of(end)).collect();
        let width = input.declaration.width;
        let mut start = vec![0.0; width];
        let mut from = None;
        for end in &ends {
            from = builder.disconnect_path(end).or(from);
            start = builder.unfix_path(end).unwrap_or(start);
        }
        if cut && let Some(range) = &input.range {
            start = values.get(range.clone()).to_vec();
            from = None;
        }
        if let ([end], None) = (ends.as_slice(), &from) {
            builder.fix_path(end, start);
            places.push((end.clone(), path));
            continue;
        }
        let name = free_name(diagram, number);
        builder.add(&name, Disturbance::new(input.declaration.kind, width));
        match from {
            Some(from) => builder.connect_paths(from, format!("{name}.signal")),
            None => builder.fix_path(format!("{name}.signal"), vec![0.0; width]),
        }
        ends.iter().for_each(|end| builder.connect_paths(format!("{name}.output"), end));
        builder.fix_path(format!("{name}.disturbance"), start);
        places.push((format!("{name}.disturbance"), path));
    }
    for path in &ports.outputs {
        faults.extend(diagram.find_channels(path).err().map(port));
    }
    if !faults.is_empty() {
        return Err(LinearizeFaults(faults));
    }
    let rewired = builder.build().map_err(all)?;
    let (mut inputs, mut ports_of) = (Vec::new(), Vec::new());
    for (place, path) in places {
        let range = rewired.input(&place).map_err(|fault| LinearizeFaults(vec![port(fault)]))?.range.unwrap_or(0..0);
        let wide = range.len() > 1;
        ports_of.push((place, range.len()));
        inputs.extend(range.enumerate().map(|(i, index)| {
            let name = if wide { format!("{path}[{i}]") } else { path.to_owned() };
            Channel { name, index, unit: "".into(), sampled: false }
        }));
    }
    // Blocks are added at the end only, but fixed values stand behind all outputs: places are looked up anew.
    let outputs = ports.outputs.iter().map(|path| rewired.find_channels(path).map_err(port));
    let outputs = outputs.collect::<Result<Vec<_>, _>>().map_err(|fault| LinearizeFaults(vec![fault]))?.concat();
    Ok(Rewired { diagram: rewired, inputs, outputs, places: ports_of })
}

/// Returns the diagram with derivatives of the values of blocks that count as constant over a step of an integrator:
/// the omission of a method is no property of the block.
fn with_derivatives(diagram: &Diagram) -> Result<Diagram, BuildErrors> {
    let explicit = diagram.blocks().iter().filter(|block| block.system.policy() == DerivativePolicy::Explicit);
    explicit.filter(|block| block.system.as_plant().is_none()).try_fold(diagram.clone(), |diagram, block| {
        let by_values = WithDerivatives::new(block.system.clone(), DerivativePolicy::Differences);
        diagram.replace(&block.name, Arc::new(by_values))
    })
}

/// The faults of a rewired diagram.
pub(super) fn all(errors: BuildErrors) -> LinearizeFaults {
    LinearizeFaults(errors.0.into_iter().map(port).collect())
}

fn port(fault: BuildError) -> LinearizeFault {
    LinearizeFault::Port(Box::new(fault))
}

/// A name that no block has.
fn free_name(diagram: &Diagram, number: usize) -> String {
    let mut name = format!("disturbance{number}");
    while diagram.find_block(&name).is_ok() {
        name.push('_');
    }
    name
}
