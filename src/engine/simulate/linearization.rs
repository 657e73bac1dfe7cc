//! Linearization of a diagram on request of the command line.

use super::Snapshot;
use crate::choices::linearization::PADE_ORDER;
use crate::linearize::state_space::{
    DelayedModel, LinearizeFault, LinearizePorts, Linearizer, Margins, ResponseGrid, TrimFault, TrimOptions,
    response_range,
};
use kinegraph_diagram::{Diagram, State};
use nalgebra::{Complex, DMatrix};

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
    /// Frequency response, if it is asked for.
    pub response: Option<ResponseRequest>,
}

/// Request for a frequency response.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResponseRequest {
    /// Range of angular frequencies \[rad/s\]; `None`: around the corners of the model.
    pub range: Option<(f64, f64)>,
}

/// Response from one input to one output.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct FrequencyResponse {
    /// Name of the input.
    pub input: String,
    /// Name of the output.
    pub output: String,
    /// Its points, by frequency.
    pub points: Vec<ResponsePoint>,
}

/// A frequency response at one frequency.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ResponsePoint {
    /// Angular frequency \[rad/s\].
    pub w: f64,
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
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

/// A pole or a zero \[1/s\].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Pole {
    /// Real part: growth.
    pub re: f64,
    /// Imaginary part: frequency \[rad/s\].
    pub im: f64,
}

impl From<Complex<f64>> for Pole {
    fn from(pole: Complex<f64>) -> Self {
        Pole { re: pole.re, im: pole.im }
    }
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
    /// The invariant zeros of all inputs and outputs together, by real part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zeros: Vec<Pole>,
    /// Frequency responses, if they were asked for: exact where signals are delayed. A single one is `response` alone
    /// in JSON.
    #[serde(skip_serializing_if = "is_single")]
    pub responses: Vec<FrequencyResponse>,
    /// The points of the response, if there is one input and one output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub response: Vec<ResponsePoint>,
    /// Margins of the loop that negative feedback closes from the one output to the one input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margins: Option<Margins>,
    /// True if the loop was opened at the input, which the output drives: margins are those of minus the response.
    #[serde(skip)]
    pub opened: bool,
    /// Degree of the rational functions that stand for delays in A, B, C, D; `None`: nothing is delayed, or delays are
    /// cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pade_order: Option<usize>,
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
    let delayed = match request.response {
        Some(_) => Some(delayed_model(diagram, &state, &inputs, request)?),
        None => None,
    };
    let has_delays = delayed.as_ref().is_some_and(DelayedModel::has_delays);
    let model = match &delayed {
        Some(delayed) if has_delays => delayed.with_pade(PADE_ORDER),
        Some(delayed) => delayed.model.clone(),
        None => linearizer.at(&state, &inputs).map_err(failed)?,
    };
    let poles = model.poles().ok_or_else(|| LinearizeError::Failed("the poles could not be computed".into()))?;
    let zeros = model.zeros().ok_or_else(|| LinearizeError::Failed("the zeros could not be computed".into()))?;
    let opened = opens_loop(diagram, &request.ports);
    let (mut responses, mut margins) = (Vec::new(), None);
    if let (Some(delayed), Some(asked)) = (&delayed, &request.response) {
        let delays = delayed.delays.iter().copied().flatten();
        let range = asked.range.unwrap_or_else(|| response_range(&poles, delays));
        let grid = ResponseGrid::of(range, |w| delayed.response(w));
        for (i, input) in model.input_names.iter().enumerate() {
            for (o, output) in model.output_names.iter().enumerate() {
                let values = grid.frequencies.iter().zip(grid.entry(o, i));
                let points = values.map(|(&w, value)| ResponsePoint { w, re: value.re, im: value.im }).collect();
                responses.push(FrequencyResponse { input: input.clone(), output: output.clone(), points });
            }
        }
        if model.input_names.len() == 1 && model.output_names.len() == 1 {
            let sign = if opened { -1.0 } else { 1.0 };
            let open: Vec<_> = grid.entry(0, 0).into_iter().map(|value| value * sign).collect();
            margins = Some(Margins::of(&grid.frequencies, &open, |w| delayed.response(w)[(0, 0)] * sign));
        }
    }
    Ok(LinearizeReport {
        response: match responses.as_slice() {
            [only] => only.points.clone(),
            _ => Vec::new(),
        },
        responses,
        margins,
        opened,
        pade_order: has_delays.then_some(PADE_ORDER),
        without_contact: linearizer.left_out(&state).iter().map(left_out).collect(),
        diagram: name,
        time: state.time,
        trimmed: request.trim.is_some(),
        largest_rate: model.rates.iter().fold(0.0, |a, rate| a.max(rate.abs())),
        snapshot: Snapshot::new(diagram, &state),
        state_values: state_values(diagram, &state, &model.state_names),
        states: model.state_names,
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
        poles: poles.into_iter().map(Pole::from).collect(),
        zeros: zeros.into_iter().map(Pole::from).collect(),
        without_constraints: diagram
            .plants()
            .filter(|(_, plant)| !plant.structure().constraints.is_empty())
            .map(|(block, _)| block.name.clone())
            .collect(),
    })
}

/// The model with its delays at the operating point.
fn delayed_model(
    diagram: &Diagram,
    state: &State,
    inputs: &[f64],
    request: &LinearizeRequest,
) -> Result<DelayedModel, LinearizeError> {
    let found = DelayedModel::of(diagram, state, inputs, &request.ports, request.without_contact);
    found.map_err(|faults| LinearizeError::Failed(faults.to_string()))
}

/// Values of the states of a model by name; states of approximants are at rest.
fn state_values(diagram: &Diagram, state: &State, names: &[String]) -> Vec<f64> {
    let own = diagram.state_names();
    let mut known = own.iter().zip(&state.continuous).peekable();
    // States of the diagram come in the same order.
    names.iter().map(|name| known.next_if(|(own, _)| *own == name).map_or(0.0, |(_, value)| *value)).collect()
}

/// True if there is no more than one response.
fn is_single(responses: &[FrequencyResponse]) -> bool {
    responses.len() < 2
}

/// True if the one input is a port that was cut off and the one output is what drove it: the loop is open there.
fn opens_loop(diagram: &Diagram, ports: &LinearizePorts) -> bool {
    let ([cut], [], [output]) = (ports.cuts.as_slice(), ports.inputs.as_slice(), ports.outputs.as_slice()) else {
        return false;
    };
    let (Ok(inputs), Ok(channels)) = (diagram.inputs(cut), diagram.find_channels(output)) else { return false };
    let range = inputs.first().and_then(|input| input.range.clone()).unwrap_or(0..0);
    !range.is_empty() && channels.iter().map(|channel| channel.index).eq(range)
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
