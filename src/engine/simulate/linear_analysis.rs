//! Answers to requests for a linearization.

use super::linearization::{
    ChosenInput, EquilibriumFound, FrequencyResponse, LinearizeError, LinearizeReport, LinearizeRequest, Pole,
    Reduction, RemovedStates, ResponsePoint, ResponseRequest, StepRequest, StepResponse,
};
use super::{Snapshot, measured_response};
use crate::choices::linearization::PADE_ORDER;
use crate::state_space::{
    DelayedModel, Equilibrium, HeldPart, LinearContact, LinearModel, LinearizeFault, LinearizeFaults, LinearizePorts,
    Linearizer, Margins, PeakGain, Period, Reduced, ResponseGrid, SampledDiagram, StepResponses, TrimFault,
    TrimOptions, largest_gain, response_range, step_duration,
};
use kinegraph_diagram::{Diagram, State};
use nalgebra::{Complex, DMatrix};
use std::collections::HashMap;
use std::f64::consts::PI;

/// A linear model at its operating point.
struct Found {
    /// The model, in which delays are rational functions.
    model: LinearModel,
    /// The model with its delays, if there are some in continuous time.
    delayed: Option<DelayedModel>,
    pade_order: Option<usize>,
    state: State,
    state_values: Vec<f64>,
    inputs: Vec<f64>,
    /// Inputs that only the search for an equilibrium has.
    chosen: Vec<ChosenInput>,
    without_contact: Vec<String>,
    held: Vec<HeldPart>,
    equilibria: Vec<EquilibriumFound>,
}

impl Found {
    /// The response at an angular frequency, through the delays themselves if there are some.
    fn response(&self, w: f64) -> DMatrix<Complex<f64>> {
        self.delayed.as_ref().map_or_else(|| self.model.response(w), |delayed| delayed.response(w))
    }

    /// Leaves out the states that no input moves or no output shows.
    fn make_minimal(&mut self, tolerance: f64) -> Result<RemovedStates, LinearizeError> {
        let states = self.model.a.nrows();
        let failed = || LinearizeError::Failed("--minimal: a singular value could not be computed".into());
        let (model, removed) = self.model.minimal(tolerance).ok_or_else(failed)?;
        self.replace(model);
        let poles = |poles: Vec<Complex<f64>>| poles.into_iter().map(Pole::from).collect();
        let (unreachable, unobservable) = (poles(removed.unreachable), poles(removed.unobservable));
        Ok(RemovedStates { states, unreachable, unobservable, tolerance })
    }

    fn reduce(&mut self, order: usize) -> Result<Reduction, LinearizeError> {
        let states = self.model.a.nrows();
        let found = self.model.reduced(order).map_err(|fault| LinearizeError::Request(fault.to_string()))?;
        let Reduced { model, hankel, unstable, error_bound } = found;
        self.replace(model);
        Ok(Reduction { states, hankel, unstable, error_bound })
    }

    /// Takes a model with fewer states, which are deviations; delays are part of it as rational functions.
    fn replace(&mut self, model: LinearModel) {
        if model.state_names != self.model.state_names {
            self.state_values = vec![0.0; model.state_names.len()];
            self.delayed = None;
        }
        self.model = model;
    }

    fn steps(&self, poles: &[Complex<f64>], asked: StepRequest) -> StepResponses {
        let delays = self.delayed.iter().flat_map(|delayed| delayed.delays.iter().copied().flatten());
        let longest = delays.fold(0.0, f64::max);
        let duration = asked.duration.unwrap_or_else(|| step_duration(poles, self.model.period, longest));
        match &self.delayed {
            Some(delayed) => delayed.step_responses(duration),
            None => self.model.step_responses(duration),
        }
    }
}

/// Step responses by input and output.
fn step_responses(model: &LinearModel, steps: &StepResponses) -> Vec<StepResponse> {
    if steps.times.is_empty() {
        return Vec::new();
    }
    let pairs = (0..model.b.ncols()).flat_map(|i| (0..model.c.nrows()).map(move |o| (i, o)));
    let response = |(i, o): (usize, usize)| StepResponse {
        input: model.input_names[i].clone(),
        output: model.output_names[o].clone(),
        t: steps.times.clone(),
        y: steps.values.iter().map(|value| value[(o, i)]).collect(),
    };
    pairs.map(response).collect()
}

/// The largest gain: of a stable model without delays over all frequencies, with delays over those of the responses.
fn peak_gain(found: &Found, poles: &[Complex<f64>], responses: &[FrequencyResponse]) -> Option<PeakGain> {
    let model = &found.model;
    if poles.iter().any(|pole| model.beyond_stability(*pole) >= 0.0) {
        return None;
    }
    if found.delayed.is_none() {
        return model.peak_gain();
    }
    let (inputs, outputs) = (model.input_names.len(), model.output_names.len());
    let count = responses.first()?.points.len();
    let at = |k: usize| {
        // Responses are listed by input, then by output.
        let value = |o: usize, i: usize| {
            let point = responses[i * outputs + o].points[k];
            Complex::new(point.re, point.im)
        };
        let matrix = DMatrix::from_fn(outputs, inputs, value);
        (largest_gain(&matrix), responses[0].points[k].w)
    };
    let best = (0..count).map(at).filter(|(gain, _)| gain.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(PeakGain { gain: best.0, frequency: best.1, lower_bound: true })
}

/// Linearizes `diagram` at `state` or at the equilibrium near it.
pub fn linearize(
    name: String,
    diagram: &Diagram,
    state: &State,
    request: &LinearizeRequest,
) -> Result<LinearizeReport, LinearizeError> {
    let mut found = match request.sampled {
        None => continuous(diagram, state, request)?,
        Some(period) => sampled(diagram, state, period, request)?,
    };
    let removed = request.minimal.map(|tolerance| found.make_minimal(tolerance)).transpose()?;
    let reduction = request.reduce.map(|order| found.reduce(order)).transpose()?;
    let computed = |roots: Option<Vec<Complex<f64>>>, what: &str| {
        roots.ok_or_else(|| LinearizeError::Failed(format!("the {what} could not be computed")))
    };
    let poles = computed(found.model.poles(), "poles")?;
    let zeros = computed(found.model.zeros(), "zeros")?;
    let opened = opens_loop(diagram, &request.ports);
    let (responses, margins) = match &request.response {
        Some(asked) => responses(&found, &poles, opened, asked)?,
        None => (Vec::new(), None),
    };
    let peak_gain = request.response.as_ref().and_then(|_| peak_gain(&found, &poles, &responses));
    let steps = request.step.map(|asked| found.steps(&poles, asked)).unwrap_or_default();
    let exact_delays = found.delayed.is_some();
    let measured = request.measure.as_ref().map(|asked| {
        let names = (found.model.input_names.as_slice(), found.model.output_names.as_slice());
        measured_response::prepared(names, asked, |w| found.response(w))
    });
    let Found { model, .. } = found;
    Ok(LinearizeReport {
        response: match responses.as_slice() {
            [only] => only.points.clone(),
            _ => Vec::new(),
        },
        responses,
        margins,
        opened,
        peak_gain,
        removed,
        reduction,
        step: step_responses(&model, &steps),
        measured: measured.unwrap_or_default(),
        equilibrium_states: if found.equilibria.is_empty() { Vec::new() } else { diagram.state_names() },
        equilibria: found.equilibria,
        rounded_delays: steps.rounded,
        exact_delays,
        pade_order: found.pade_order,
        without_contact: found.without_contact,
        diagram: name,
        time: found.state.time,
        trimmed: request.trim.is_some(),
        largest_rate: model.rates.iter().fold(0.0, |a, rate| a.max(rate.abs())),
        snapshot: Snapshot::new(diagram, &found.state),
        state_values: found.state_values,
        states: model.state_names,
        inputs: model.input_names,
        input_values: found.inputs,
        chosen_inputs: found.chosen,
        outputs: model.output_names,
        output_values: model.output_values,
        cut_by: model.cut_by,
        flat: model.flat,
        a: rows(&model.a),
        b: rows(&model.b),
        c: rows(&model.c),
        d: rows(&model.d),
        period: model.period,
        poles: poles.into_iter().map(Pole::from).collect(),
        zeros: zeros.into_iter().map(Pole::from).collect(),
        contact: request.contact.name(),
        held: found.held,
    })
}

/// The model in continuous time.
fn continuous(diagram: &Diagram, state: &State, request: &LinearizeRequest) -> Result<Found, LinearizeError> {
    let (ports, extra) = ports_of_search(diagram, request);
    let linearizer =
        Linearizer::new(diagram, state, &ports).map_err(|faults| LinearizeError::Request(faults.to_string()))?;
    let mut linearizer = linearizer.with_contact(request.contact);
    let (mut state, mut inputs) = (state.clone(), linearizer.start_inputs().to_vec());
    let failed = |fault: LinearizeFault| LinearizeError::Failed(fault.to_string());
    let mut equilibria = Vec::new();
    if let Some(options) = &request.trim {
        let found = match request.trim_all {
            None => linearizer.trim(&state, &inputs, options).map(|found| vec![found]),
            Some((starts, seed)) => linearizer.trim_all(&state, &inputs, options, starts, seed),
        };
        let found = found.map_err(|fault| {
            let touching = linearizer.held(&state, &inputs);
            let slips = request.contact == LinearContact::Law
                && touching.is_ok_and(|parts| parts.iter().any(|part| part.points > 0));
            no_equilibrium(fault, options, !inputs.is_empty(), slips)
        })?;
        if request.trim_all.is_some() {
            let all = found.iter().map(|at| equilibrium(&mut linearizer, at));
            equilibria = all.collect::<Result<_, _>>().map_err(failed)?;
        }
        if let Some(nearest) = found.into_iter().next() {
            (state, inputs) = (nearest.state, nearest.inputs);
        }
    }
    let delayed = match request.needs_delays() {
        true => Some(delayed_model(diagram, &state, &inputs, &ports, request.contact)?),
        false => None,
    };
    let has_delays = delayed.as_ref().is_some_and(DelayedModel::has_delays);
    let model = match &delayed {
        Some(delayed) if has_delays => delayed.with_pade(PADE_ORDER),
        Some(delayed) => delayed.model.clone(),
        None => linearizer.at(&state, &inputs).map_err(failed)?,
    };
    let mut delayed = delayed.filter(|_| has_delays);
    if let Some(delayed) = &mut delayed {
        split_chosen(&mut delayed.model, &inputs, &extra);
    }
    let mut model = model;
    let (inputs, chosen) = split_chosen(&mut model, &inputs, &extra);
    Ok(Found {
        chosen,
        delayed,
        pade_order: has_delays.then_some(PADE_ORDER),
        without_contact: ignored(linearizer.left_out(&state), request.contact),
        held: linearizer.held(&state, &inputs).map_err(failed)?,
        state_values: state_values(diagram.state_names().into_iter().zip(state.continuous.clone()), &model.state_names),
        model,
        state,
        inputs,
        equilibria,
    })
}

/// The ports of a request, with those that the search for an equilibrium needs besides, and these alone.
fn ports_of_search(diagram: &Diagram, request: &LinearizeRequest) -> (LinearizePorts, Vec<String>) {
    let mut ports = request.ports.clone();
    let Some(options) = &request.trim else { return (ports, Vec::new()) };
    let states = diagram.state_names();
    let bounds = options.bounds.iter().map(|bound| &bound.name);
    let mut extra: Vec<String> = Vec::new();
    for name in options.free.iter().chain(bounds).chain(options.start.iter().map(|(name, _)| name)) {
        let port = name.split('[').next().unwrap_or(name);
        let is_known = ports.inputs.iter().chain(&ports.cuts).any(|known| known == port);
        if !is_known && !states.contains(name) && diagram.inputs(port).is_ok() {
            ports.inputs.push(port.to_owned());
            extra.push(port.to_owned());
        }
    }
    (ports, extra)
}

/// Takes the inputs of the ports `extra` out of `model`. Returns the values of the others, and theirs.
fn split_chosen(model: &mut LinearModel, inputs: &[f64], extra: &[String]) -> (Vec<f64>, Vec<ChosenInput>) {
    let is_extra = |name: &String| extra.iter().any(|port| name.split('[').next() == Some(port.as_str()));
    let (chosen, asked): (Vec<usize>, Vec<usize>) = (0..inputs.len()).partition(|&i| is_extra(&model.input_names[i]));
    let named = |&i: &usize| ChosenInput { name: model.input_names[i].clone(), value: inputs[i] };
    let found = chosen.iter().map(named).collect();
    model.b = model.b.select_columns(&asked);
    model.d = model.d.select_columns(&asked);
    model.input_names = asked.iter().map(|&i| model.input_names[i].clone()).collect();
    (asked.iter().map(|&i| inputs[i]).collect(), found)
}

/// An equilibrium with the poles there.
fn equilibrium(linearizer: &mut Linearizer, at: &Equilibrium) -> Result<EquilibriumFound, LinearizeFault> {
    let poles = linearizer.at(&at.state, &at.inputs)?.poles().unwrap_or_default();
    let growth = poles.iter().map(|pole| pole.re).fold(f64::NEG_INFINITY, f64::max);
    Ok(EquilibriumFound {
        states: at.state.continuous.clone(),
        inputs: at.inputs.clone(),
        largest_rate: at.residual,
        growth,
        stable: growth < 0.0,
    })
}

/// The model in discrete time.
fn sampled(
    diagram: &Diagram,
    state: &State,
    period: Period,
    request: &LinearizeRequest,
) -> Result<Found, LinearizeError> {
    let wrong = |faults: LinearizeFaults| LinearizeError::Request(faults.to_string());
    let (ports, extra) = ports_of_search(diagram, request);
    let mut sampled = SampledDiagram::new(diagram, state, &ports, request.contact).map_err(wrong)?;
    let mut inputs = sampled.start_inputs().map_err(wrong)?;
    if let Some(options) = &request.trim {
        let found = sampled.trim(&inputs, options).map_err(wrong)?;
        inputs = found.map_err(|fault| no_equilibrium(fault, options, !inputs.is_empty(), false))?.inputs;
    }
    let mut made = sampled.model(period, &inputs, PADE_ORDER).map_err(|faults| match faults.0.as_slice() {
        [fault] if fault.is_of_request() => wrong(faults),
        _ => LinearizeError::Failed(faults.to_string()),
    })?;
    let all_inputs = inputs;
    let (inputs, chosen) = split_chosen(&mut made.model, &all_inputs, &extra);
    Ok(Found {
        chosen,
        delayed: None,
        pade_order: made.pade_order,
        without_contact: ignored(sampled.left_out().map_err(wrong)?, request.contact),
        held: sampled.held(&all_inputs).map_err(wrong)?,
        state_values: state_values(sampled.state_values().into_iter(), &made.model.state_names),
        state: sampled.state_of(diagram, state),
        model: made.model,
        inputs,
        equilibria: Vec::new(),
    })
}

/// The fault of a search for an equilibrium.
/// The fault with what may help; `slips`: bodies touch, and friction is regularized.
fn no_equilibrium(fault: TrimFault, options: &TrimOptions, has_inputs: bool, slips: bool) -> LinearizeError {
    match fault {
        TrimFault::Linearize(fault @ (LinearizeFault::State { .. } | LinearizeFault::FreeInput { .. })) => {
            LinearizeError::Request(fault.to_string())
        }
        fault => {
            let mut help = String::new();
            if !options.free_inputs && has_inputs {
                help += "\n  help: the inputs keep their values; with `--free-inputs` the search chooses them, too";
            }
            if slips {
                help += "\n  help: regularized friction has no force at rest; with `--contact hold` what sticks carries loads";
            }
            LinearizeError::Failed(format!("{fault}{help}"))
        }
    }
}

/// Responses from all inputs to all outputs, and the margins of a single one.
fn responses(
    found: &Found,
    poles: &[Complex<f64>],
    opened: bool,
    asked: &ResponseRequest,
) -> Result<(Vec<FrequencyResponse>, Option<Margins>), LinearizeError> {
    let model = &found.model;
    let response = |w: f64| found.response(w);
    let highest = model.period.map_or(f64::INFINITY, |period| PI / period);
    let (low, high) = asked.range.unwrap_or_else(|| match (&found.delayed, model.period) {
        (Some(delayed), _) => response_range(poles, delayed.delays.iter().copied().flatten()),
        (None, Some(period)) => {
            // The corner of a pole in discrete time is that of the pole in continuous time which it samples.
            let corners = poles.iter().filter(|pole| pole.norm() > f64::EPSILON.sqrt()).map(|pole| pole.ln() / period);
            let (low, _) = response_range(&corners.collect::<Vec<_>>(), std::iter::empty());
            (low.min(1e-2 * highest), highest)
        }
        (None, None) => response_range(poles, std::iter::empty()),
    });
    if low >= highest {
        return Err(LinearizeError::Request(format!(
            "--frequencies: a model with a period of {} s has responses up to its Nyquist frequency of {highest:.6} rad/s, \
             and {low} rad/s is beyond",
            model.period.unwrap_or_default()
        )));
    }
    let grid = ResponseGrid::of((low, high.min(highest)), response);
    let mut responses = Vec::new();
    for (i, input) in model.input_names.iter().enumerate() {
        for (o, output) in model.output_names.iter().enumerate() {
            let values = grid.frequencies.iter().zip(grid.entry(o, i));
            let points = values.map(|(&w, value)| ResponsePoint { w, re: value.re, im: value.im }).collect();
            responses.push(FrequencyResponse { input: input.clone(), output: output.clone(), points });
        }
    }
    let margins = (model.input_names.len() == 1 && model.output_names.len() == 1).then(|| {
        let sign = if opened { -1.0 } else { 1.0 };
        let open: Vec<_> = grid.entry(0, 0).into_iter().map(|value| value * sign).collect();
        let mut margins = Margins::of(&grid.frequencies, &open, |w| response(w)[(0, 0)] * sign);
        // There the response is real, as it is at zero.
        if grid.frequencies.last().is_some_and(|last| *last >= highest * (1.0 - 1e-12))
        // rounding
        {
            margins.meet_real(highest, response(highest)[(0, 0)] * sign);
        }
        if found.delayed.is_none() {
            margins.refine(model, sign);
        }
        margins
    });
    Ok((responses, margins))
}

/// The model with its delays at the operating point.
fn delayed_model(
    diagram: &Diagram,
    state: &State,
    inputs: &[f64],
    ports: &LinearizePorts,
    contact: LinearContact,
) -> Result<DelayedModel, LinearizeError> {
    let found = DelayedModel::of(diagram, state, inputs, ports, contact);
    found.map_err(|faults| LinearizeError::Failed(faults.to_string()))
}

/// Values of the states of a model by name; states of approximants are at rest, a rotation vector is zero.
fn state_values(own: impl Iterator<Item = (String, f64)>, names: &[String]) -> Vec<f64> {
    let known: HashMap<String, f64> = own.collect();
    names.iter().map(|name| known.get(name).copied().unwrap_or(0.0)).collect()
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

/// Contacts and stops that are left out.
fn ignored(found: Vec<LinearizeFault>, contact: LinearContact) -> Vec<String> {
    let found = found.iter().filter(|_| contact == LinearContact::Without);
    found.map(left_out).collect()
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
