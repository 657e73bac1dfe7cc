//! Linearization of a diagram on request of the command line.

use super::Snapshot;
use crate::linearize::state_space::{LinearizeFault, LinearizePorts, Linearizer, TrimFault, TrimOptions};
use kinegraph_diagram::{Diagram, State};
use nalgebra::DMatrix;

/// Request: the parts to linearize, and the operating point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearizeRequest {
    /// Time \[s\] that is simulated first.
    pub at: f64,
    /// Inputs, cuts and outputs.
    pub ports: LinearizePorts,
    /// Options of a search for the nearest equilibrium; `None`: no search.
    pub trim: Option<TrimOptions>,
    /// True if contacts and joint stops are left out; else an operating point with some is refused.
    pub without_contact: bool,
}

/// Reason why there is no linearization.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum LinearizeError {
    /// The request names what the diagram does not have.
    #[error("{0}")]
    Request(String),
    /// The run, the search or the operating point failed.
    #[error("{0}")]
    Failed(String),
}

kinegraph_core::debug_is_message!(LinearizeError);

/// A pole \[1/s\].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Pole {
    /// Real part: growth.
    pub re: f64,
    /// Imaginary part: frequency \[rad/s\].
    pub im: f64,
}

/// A linearization with all its names. The field names are the keys of the JSON object; matrices are lists of rows.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LinearizeReport {
    /// Name of the diagram.
    pub diagram: String,
    /// Time of the operating point \[s\].
    pub time: f64,
    /// True if the operating point is an equilibrium that was searched for.
    pub trimmed: bool,
    /// The largest rate at the operating point.
    pub largest_rate: f64,
    /// Names of the states.
    pub states: Vec<String>,
    /// Their values at the operating point.
    pub state_values: Vec<f64>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Their values at the operating point; a disturbance of a connected port is zero.
    pub input_values: Vec<f64>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Their values at the operating point.
    pub output_values: Vec<f64>,
    /// States x states.
    pub a: Vec<Vec<f64>>,
    /// States x inputs.
    pub b: Vec<Vec<f64>>,
    /// Outputs x states.
    pub c: Vec<Vec<f64>>,
    /// Outputs x inputs.
    pub d: Vec<Vec<f64>>,
    /// The eigenvalues of A, by real part.
    pub poles: Vec<Pole>,
    /// Snapshot from which a run starts at the operating point.
    #[serde(skip)]
    pub snapshot: Snapshot,
    /// Blocks that sample or delay and so cut paths of the model: what they hold counts as constant. Where they close a
    /// loop, the poles are those of the open one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_by: Vec<String>,
    /// Blocks that pass nothing on at the operating point, though their inputs change: what leads through them alone is
    /// zero in the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flat: Vec<String>,
    /// Plants with constraints, which are left out: the model is that of the mechanism without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_constraints: Vec<String>,
    /// Bodies that touch (`hand/finger and crate/crate`) and joints beyond their stops, which are left out on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_contact: Vec<String>,
}

/// Linearizes `diagram` at `state` or at the equilibrium near it.
pub fn linearize(
    name: String,
    diagram: &Diagram,
    state: &State,
    request: &LinearizeRequest,
) -> Result<LinearizeReport, LinearizeError> {
    let mut linearizer = Linearizer::new(diagram, state, &request.ports)
        .map_err(|faults| LinearizeError::Request(faults.to_string()))?;
    if request.without_contact {
        linearizer = linearizer.without_contact();
    }
    let (mut state, mut inputs) = (state.clone(), linearizer.start_inputs().to_vec());
    if let Some(options) = &request.trim {
        let found = linearizer.trim(&state, &inputs, options).map_err(|fault| match fault {
            TrimFault::Linearize(fault @ LinearizeFault::State { .. }) => LinearizeError::Request(fault.to_string()),
            fault => {
                let held = !options.free_inputs && !inputs.is_empty();
                let help = if held {
                    "\n  help: the inputs keep their values; with `--free-inputs` the search chooses them, too"
                } else {
                    ""
                };
                LinearizeError::Failed(format!("{fault}{help}"))
            }
        })?;
        (state, inputs) = (found.state, found.inputs);
    }
    let failed = |fault: LinearizeFault| LinearizeError::Failed(fault.to_string());
    let model = linearizer.at(&state, &inputs).map_err(failed)?;
    let poles = model.poles().ok_or_else(|| LinearizeError::Failed("the poles could not be computed".into()))?;
    Ok(LinearizeReport {
        without_contact: linearizer.left_out(&state).iter().map(left_out).collect(),
        diagram: name,
        time: state.time,
        trimmed: request.trim.is_some(),
        largest_rate: model.rates.iter().fold(0.0, |a, rate| a.max(rate.abs())),
        snapshot: Snapshot::new(diagram, &state),
        states: model.state_names,
        state_values: state.continuous,
        inputs: model.input_names,
        input_values: inputs,
        outputs: model.output_names,
        output_values: model.output_values,
        cut_by: model.cut_by,
        flat: model.flat,
        a: rows(&model.a),
        b: rows(&model.b),
        c: rows(&model.c),
        d: rows(&model.d),
        poles: poles.into_iter().map(|pole| Pole { re: pole.re, im: pole.im }).collect(),
        without_constraints: diagram
            .plants()
            .filter(|(_, plant)| !plant.structure().constraints.is_empty())
            .map(|(block, _)| block.name.clone())
            .collect(),
    })
}

/// Short description of a contact or stop that is left out.
fn left_out(fault: &LinearizeFault) -> String {
    match fault {
        LinearizeFault::InContact { bodies: (a, b), .. } => format!("{a} and {b}"),
        LinearizeFault::BeyondStop { position, .. } => format!("the stop of {position}"),
        other => other.to_string(),
    }
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}
