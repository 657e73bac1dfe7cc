//! Linearization of a diagram on request of the command line: the request and the report.

use super::Snapshot;
use crate::state_space::{HeldPart, LinearContact, LinearizePorts, Margins, PeakGain, Period, TrimOptions};
use kinegraph_core::unit::Unit;
use nalgebra::Complex;

/// Request: the parts to linearize, and the operating point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearizeRequest {
    /// Time \[s\] that is simulated first.
    pub at: f64,
    /// Inputs, cuts and outputs.
    pub ports: LinearizePorts,
    /// Options of a search for the nearest equilibrium; `None`: no search.
    pub trim: Option<TrimOptions>,
    /// Number of searches for further equilibria and the seed of their starts, if these are asked for.
    pub trim_all: Option<(usize, u64)>,
    /// Period of a model in discrete time; `None`: a model in continuous time.
    pub sampled: Option<Period>,
    /// Tolerance of a minimal realization, if it is asked for.
    pub minimal: Option<f64>,
    /// Number of states of a reduced model, if it is asked for.
    pub reduce: Option<usize>,
    /// Step responses, if they are asked for.
    pub step: Option<StepRequest>,
    /// Measurement of the response on the diagram itself, if it is asked for.
    pub measure: Option<MeasureRequest>,
    /// Treatment of contacts.
    pub contact: LinearContact,
    /// Frequency response, if it is asked for.
    pub response: Option<ResponseRequest>,
    /// True if delays are in the model as rational functions, though no response is asked for.
    pub rational_delays: bool,
    /// Units that numbers of the request were written with, to be compared with those of the diagram.
    pub units: Vec<WrittenUnit>,
}

/// Unit that a number of a state or an input was written with.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenUnit {
    /// The option that has the number.
    pub option: &'static str,
    /// Name of the state or the input.
    pub name: String,
    /// The unit.
    pub unit: Unit,
}

impl LinearizeRequest {
    /// True if an answer depends on delays.
    pub(super) fn needs_delays(&self) -> bool {
        self.rational_delays || self.response.is_some() || self.step.is_some() || self.measure.is_some()
    }
}

/// Request for a frequency response.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResponseRequest {
    /// Range of angular frequencies \[rad/s\]; `None`: around the corners of the model.
    pub range: Option<(f64, f64)>,
}

/// Request for step responses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepRequest {
    /// Their duration \[s\]; `None`: until the slowest part has decayed.
    pub duration: Option<f64>,
}

/// Request to measure a frequency response by sines on the diagram itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureRequest {
    /// Range of angular frequencies \[rad/s\].
    pub range: (f64, f64),
    /// Number of frequencies, at even ratios.
    pub count: usize,
    /// Amplitude of the sine, in the unit of the input.
    pub amplitude: f64,
    /// Periods before the measurement; `None`: until the slowest part of the model has decayed.
    pub settle: Option<f64>,
}

/// A measured response from one input to one output.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MeasuredResponse {
    /// Name of the input.
    pub input: String,
    /// Name of the output.
    pub output: String,
    /// Its points, by frequency.
    pub points: Vec<MeasuredPoint>,
}

/// A measured response at one frequency, beside that of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct MeasuredPoint {
    /// Angular frequency \[rad/s\].
    pub w: f64,
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
    /// Real part of the response of the model.
    pub linear_re: f64,
    /// Imaginary part of the response of the model.
    pub linear_im: f64,
    /// Distance of both, relative to the response of the model.
    pub deviation: f64,
}

/// One of several equilibria.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct EquilibriumFound {
    /// Values of the states of the diagram, in the order of `equilibrium_states`.
    pub states: Vec<f64>,
    /// Values of the inputs.
    pub inputs: Vec<f64>,
    /// Largest remaining rate.
    pub largest_rate: f64,
    /// Largest real part of a pole there \[1/s\].
    pub growth: f64,
    /// True if every pole decays.
    pub stable: bool,
}

/// An input that is none of the model, with the value that the search for an equilibrium chose.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ChosenInput {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// Output after a unit step of an input from rest.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct StepResponse {
    /// Name of the input.
    pub input: String,
    /// Name of the output.
    pub output: String,
    /// Times after the step \[s\].
    pub t: Vec<f64>,
    /// Deviation of the output at each.
    pub y: Vec<f64>,
}

/// Poles of the states that a minimal realization left out.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RemovedStates {
    /// Number of states before.
    pub states: usize,
    /// Poles of the states that no input moves.
    pub unreachable: Vec<Pole>,
    /// Poles of the states that no output shows.
    pub unobservable: Vec<Pole>,
    /// Part of the size of the model below which a direction counts as nothing.
    pub tolerance: f64,
}

/// Facts of a reduction.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Reduction {
    /// Number of states before.
    pub states: usize,
    /// Hankel singular values of the stable part, the largest first.
    pub hankel: Vec<f64>,
    /// Number of states that are not stable, and stay.
    pub unstable: usize,
    /// Bound on the peak of the error over all frequencies.
    pub error_bound: f64,
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

/// A pole or a zero \[1/s\]; in discrete time that of z \[1\].
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
    /// Inputs beside these that the search for an equilibrium chose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen_inputs: Vec<ChosenInput>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Their values at the operating point.
    pub output_values: Vec<f64>,
    /// States x states.
    #[serde(rename = "A")]
    pub a: Vec<Vec<f64>>,
    /// States x inputs.
    #[serde(rename = "B")]
    pub b: Vec<Vec<f64>>,
    /// Outputs x states.
    #[serde(rename = "C")]
    pub c: Vec<Vec<f64>>,
    /// Outputs x inputs.
    #[serde(rename = "D")]
    pub d: Vec<Vec<f64>>,
    /// Period \[s\] of a model in discrete time, `x[k+1] = A x[k] + B u[k]`; `None`: in continuous time.
    pub period: Option<f64>,
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
    /// Largest gain from all inputs to all outputs over all frequencies; with delays a lower bound. `None`: there is
    /// none, as with an integrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_gain: Option<PeakGain>,
    /// States that a minimal realization left out, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<RemovedStates>,
    /// Facts of a reduction, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<Reduction>,
    /// Step responses, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub step: Vec<StepResponse>,
    /// Names of the states of the diagram, for `equilibria`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equilibrium_states: Vec<String>,
    /// The equilibria that were found, if several were looked for; the model is made at the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equilibria: Vec<EquilibriumFound>,
    /// Measured responses, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredResponse>,
    /// Largest change of a delay that step responses needed \[s\].
    #[serde(skip)]
    pub rounded_delays: f64,
    /// True if responses have the delays themselves, where A, B, C, D have rational functions.
    #[serde(skip)]
    pub exact_delays: bool,
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
    /// Treatment of contacts: `law`, `hold` or `none`.
    pub contact: &'static str,
    /// Contacts, and constraints, stops and locks that hold, with their forces at the operating point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldPart>,
    /// Bodies that touch (`hand/finger and crate/crate`) and joints beyond their stops, which are left out on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_contact: Vec<String>,
}

/// True if there is no more than one response.
fn is_single(responses: &[FrequencyResponse]) -> bool {
    responses.len() < 2
}
