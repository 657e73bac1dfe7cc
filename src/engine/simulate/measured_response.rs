//! Frequency responses measured on the diagram itself: a sine on top of an input, and the fundamental of the outputs.
//!
//! A run starts at the operating point and settles until the slowest part of the model has decayed. Over the periods
//! that follow, `a sin + b cos + c + d t` is fitted to each output by least squares: (a + i b)/amplitude is it.
//! c and d take what drifts, as an integrator does.

use super::Simulation;
use super::linearization::{LinearizeError, LinearizeReport, MeasureRequest, MeasuredPoint, MeasuredResponse};
use crate::choices::measured_response::{DECAY, MAX_PERIODS, MIN_PERIODS, PERIODS, SAMPLES};
use crate::integrators::Options;
use crate::linearize::state_space::{LinearizePorts, SineInput, Wave};
use kinegraph_diagram::{Diagram, State};
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::TAU;

/// Fills the measured responses of `report`, which has the linear ones at these frequencies.
///
/// # Errors
/// A model that is not stable, a run that fails.
pub fn measure(
    diagram: &Diagram,
    options: Options,
    state: &State,
    ports: &LinearizePorts,
    asked: &MeasureRequest,
    report: &mut LinearizeReport,
) -> Result<(), LinearizeError> {
    let fastest = report.poles.iter().fold(0.0, |most: f64, pole| most.max(pole.re.hypot(pole.im)));
    let edge = 1e-9 * fastest; // rounding
    if let Some(pole) = report.poles.iter().find(|pole| pole.re > edge) {
        return Err(LinearizeError::Request(format!(
            "--measure: the pole {:.4}{:+.4}i grows, so that no run settles: keep the loop closed that stabilizes it \
             (--input instead of --cut)",
            pole.re, pole.im
        )));
    }
    let decaying = report.poles.iter().filter(|pole| pole.re < -edge);
    let slowest = decaying.fold(f64::INFINITY, |least: f64, pole| least.min(-pole.re));
    let settling = if slowest.is_finite() { DECAY / slowest } else { 0.0 };
    let inputs = report.input_values.clone();
    let outputs = report.outputs.len();
    for input in 0..report.inputs.len() {
        let count = report.measured[input * outputs..].first().map_or(0, |response| response.points.len());
        for k in 0..count {
            let w = report.measured[input * outputs].points[k].w;
            let wave = Wave { input, amplitude: asked.amplitude, frequency: w };
            let found = SineInput::new(diagram, state, ports, &inputs, wave)
                .map_err(|faults| LinearizeError::Request(faults.to_string()))?;
            let periods = asked.settle.unwrap_or_else(|| (settling * w / TAU).ceil().clamp(MIN_PERIODS, MAX_PERIODS));
            let values = run(&found, options, periods, w)
                .map_err(|error| LinearizeError::Failed(format!("--measure at {w:.6} rad/s: {error}")))?;
            for (o, fundamental) in fundamentals(&values, w).into_iter().enumerate() {
                let point = &mut report.measured[input * outputs + o].points[k];
                let measured = fundamental / asked.amplitude;
                let linear = Complex::new(point.linear_re, point.linear_im);
                (point.re, point.im) = (measured.re, measured.im);
                point.deviation = (measured - linear).norm() / linear.norm();
            }
        }
    }
    Ok(())
}

/// Linear responses at the frequencies that are to be measured.
pub(super) fn prepared(
    (inputs, outputs): (&[String], &[String]),
    asked: &MeasureRequest,
    response: impl Fn(f64) -> DMatrix<Complex<f64>>,
) -> Vec<MeasuredResponse> {
    let (from, to) = asked.range;
    let ratio = |k: usize| if asked.count > 1 { k as f64 / (asked.count - 1) as f64 } else { 0.0 };
    let frequencies: Vec<f64> = (0..asked.count).map(|k| from * (to / from).powf(ratio(k))).collect();
    let values: Vec<_> = frequencies.iter().map(|w| response(*w)).collect();
    let mut found = Vec::new();
    for (i, input) in inputs.iter().enumerate() {
        for (o, output) in outputs.iter().enumerate() {
            let point = |(w, value): (&f64, &DMatrix<Complex<f64>>)| MeasuredPoint {
                w: *w,
                linear_re: value[(o, i)].re,
                linear_im: value[(o, i)].im,
                ..MeasuredPoint::default()
            };
            let points = frequencies.iter().zip(&values).map(point).collect();
            found.push(MeasuredResponse { input: input.clone(), output: output.clone(), points });
        }
    }
    found
}

/// Times since the start of the sine, with the outputs there.
type Samples = Vec<(f64, Vec<f64>)>;

fn run(found: &SineInput, options: Options, settle: f64, w: f64) -> Result<Samples, String> {
    let mut simulation = Simulation::new(&found.diagram, options).map_err(|error| error.to_string())?;
    simulation.set_state(found.state.clone()).map_err(|error| error.to_string())?;
    let (start, period) = (found.state.time, TAU / w);
    let mut samples = Vec::with_capacity(PERIODS * SAMPLES);
    for k in 0..PERIODS * SAMPLES {
        let time = (settle + k as f64 / SAMPLES as f64) * period;
        simulation.advance_to(start + time).map_err(|error| error.to_string())?;
        let arena = simulation.values();
        samples.push((time, found.outputs.iter().map(|channel| arena[channel.index]).collect()));
    }
    Ok(samples)
}

/// The fundamental of each output: its part along the sine, and that along the cosine.
fn fundamentals(samples: &Samples, w: f64) -> Vec<Complex<f64>> {
    let middle = samples.iter().map(|(time, _)| time).sum::<f64>() / samples.len().max(1) as f64;
    let basis = DMatrix::from_fn(samples.len(), 4, |row, column| {
        let time = samples[row].0;
        match column {
            0 => (w * time).sin(),
            1 => (w * time).cos(),
            2 => 1.0,
            _ => w * (time - middle),
        }
    });
    let normal = (basis.transpose() * &basis).cholesky();
    let outputs = samples.first().map_or(0, |(_, values)| values.len());
    let fit = |o: usize| {
        let values = DVector::from_fn(samples.len(), |row, _| samples[row].1[o]);
        let right = basis.transpose() * values;
        let found = normal.as_ref().map_or_else(|| right.clone() * f64::NAN, |normal| normal.solve(&right));
        Complex::new(found[0], found[1])
    };
    (0..outputs).map(fit).collect()
}
