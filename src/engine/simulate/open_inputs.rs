//! A diagram with inputs that are set from outside while it runs.

use kinegraph_core::parameter::ParameterError;
use kinegraph_diagram::{BuildError, BuildErrors, Diagram, Source};
use kinegraph_systems::sources::ExternalInput;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// A diagram, and the places of its open inputs.
#[derive(Clone, Debug)]
pub struct OpenInputs {
    /// Diagram with an [`ExternalInput`] for each input that is set.
    pub diagram: Diagram,
    /// Inputs, in the requested order.
    pub inputs: Vec<InputHandle>,
}

/// An input that is set from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputHandle {
    /// Requested path.
    pub path: String,
    /// Number of values.
    pub width: usize,
    /// Range in the discrete state.
    pub(super) place: Range<usize>,
}

/// Reason why an input cannot be opened.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum OpenInputError {
    /// There is no such port, or the diagram with it cannot be built.
    #[error(transparent)]
    Port(#[from] Box<BuildError>),
    /// The diagram cannot be built with it.
    #[error(transparent)]
    Build(#[from] BuildErrors),
    /// The input is driven by a block that has inputs of its own.
    #[error("`{path}` is driven by `{by}`: open an input that nothing or a source drives, or that source")]
    Driven {
        /// Path of the input.
        path: String,
        /// Block that drives it.
        by: String,
    },
    /// The inputs exported under one name have different values.
    #[error("the inputs behind `{path}` are not driven by the same: open them one by one")]
    DrivenDifferently {
        /// The exported name.
        path: String,
    },
    /// An input is requested twice.
    #[error("`{path}` is opened twice")]
    Twice {
        /// The input.
        path: String,
    },
    /// The value of a source at the start is not a finite number.
    #[error("`{path}`: {fault}")]
    Initial {
        /// The source.
        path: String,
        /// Fault of the value.
        fault: ParameterError,
    },
}

kinegraph_core::debug_is_message!(OpenInputError);

/// Returns `diagram` with the signals at `paths` set from outside. A path is an input that nothing drives or that has a
/// fixed value (`plant.arm.actuation`), or a block without inputs, a constant for instance (`setpoint`,
/// `setpoint.output`). Until it is set, each has its value in `diagram` at the start; zero where nothing drives it.
///
/// # Errors
/// The first path that is no such signal.
pub fn open_inputs(diagram: &Diagram, paths: &[impl AsRef<str>]) -> Result<OpenInputs, OpenInputError> {
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(&diagram.initial_state(), &mut values);
    let mut seen = HashSet::new();
    let mut blocks = Vec::new();
    let mut opened = diagram.clone();
    for (number, path) in paths.iter().map(AsRef::as_ref).enumerate() {
        let initial = |fault| OpenInputError::Initial { path: path.to_owned(), fault };
        let name = match source(diagram, path) {
            Some(index) => {
                let block = &diagram.blocks()[index];
                let start = values.get(block.outputs[0].clone());
                let input = ExternalInput::in_place_of(&block.system.ports().outputs()[0], start).map_err(initial)?;
                opened = opened.replace(&block.name, Arc::new(input))?;
                block.name.clone()
            }
            None => {
                let ends = diagram.inputs(path).map_err(Box::new)?;
                let first = &ends[0];
                if let Source::Output { block, .. } = *first.source {
                    let by = diagram.blocks()[block].name.clone();
                    return Err(OpenInputError::Driven { path: path.to_owned(), by });
                }
                let value = |range: &Option<Range<usize>>| match range {
                    Some(range) => values.get(range.clone()).to_vec(),
                    None => vec![0.0; first.declaration.width],
                };
                let start = value(&first.range);
                if ends.iter().any(|end| end.source != first.source || value(&end.range) != start) {
                    return Err(OpenInputError::DrivenDifferently { path: path.to_owned() });
                }
                let name = free_name(diagram, number);
                let mut builder = opened.to_builder();
                builder.add(&name, ExternalInput::new(first.declaration.kind, start).map_err(initial)?);
                for end in ends.iter().map(|end| diagram.path_of(end)) {
                    builder.unfix_path(&end);
                    builder.connect_paths(format!("{name}.output"), end);
                }
                opened = builder.build()?;
                name
            }
        };
        if !seen.insert(name.clone()) {
            return Err(OpenInputError::Twice { path: path.to_owned() });
        }
        blocks.push((path.to_owned(), name));
    }
    let handle = |(path, name): (String, String)| -> Result<InputHandle, OpenInputError> {
        let place = opened.blocks()[opened.find_block(&name).map_err(Box::new)?].discrete.clone();
        Ok(InputHandle { path, width: place.len(), place })
    };
    let inputs = blocks.into_iter().map(handle).collect::<Result<_, _>>()?;
    Ok(OpenInputs { diagram: opened, inputs })
}

/// Block without inputs that `path` names, or whose only output it names.
fn source(diagram: &Diagram, path: &str) -> Option<usize> {
    let (name, port) = path.split_once('.').map_or((path, None), |(name, port)| (name, Some(port)));
    let index = diagram.find_block(name).ok()?;
    let ports = diagram.blocks()[index].system.ports();
    let [output] = ports.outputs() else { return None };
    (ports.inputs().is_empty() && port.is_none_or(|port| port == output.name)).then_some(index)
}

/// A name that no block has.
fn free_name(diagram: &Diagram, number: usize) -> String {
    let mut name = format!("external{number}");
    while diagram.find_block(&name).is_ok() || diagram.nested().contains(&name) {
        name.push('_');
    }
    name
}
