//! Conformance of blocks: rules for every block, checked at pseudo-random samples.
//!
//! - values and the values of jets agree; derivatives of jets agree with central differences, with respect to inputs,
//!   states and time (they are zero for a block whose derivative policy is `Explicit`);
//! - an output does not depend on an input that its declaration excludes;
//! - evaluating twice gives the same bits, whatever was evaluated in between (blocks keep nothing);
//! - the value of an output does not depend on which other outputs are wanted;
//! - everything is written; names of ports are present and unique.
//!
//! Enrol a block with one line: `conformance::check(&Gain::new(3, 2.0)?)`.

use super::probe::Probe;
use super::sample::Sample;
use crate::scalar::partial;
use crate::{DerivativePolicy, ErasedSystem, Scalar};
use std::fmt;
use thiserror::Error;

/// Number of pseudo-random samples of [`check`].
const SAMPLES: u64 = 6;
/// Relative agreement of plain values and jets: they differ only in the rounding of divisions.
const VALUE_TOLERANCE: f64 = 1e-12;
/// Relative agreement of jets and central differences.
const SLOPE_TOLERANCE: f64 = 1e-6;

/// A rule that a block breaks, and where.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// A port has no name, or the same name as another.
    #[error("port name `{name}` is empty or used twice on the same side")]
    Name {
        /// The name.
        name: String,
    },
    /// A number is not finite.
    #[error("{what} is {value}: never written, or undefined at this sample")]
    NotFinite {
        /// Output element or state derivative.
        what: String,
        /// Its value.
        value: f64,
    },
    /// The two scalars disagree.
    #[error("{what}: value {value}, but {jet} when computed with derivatives")]
    ScalarsDiffer {
        /// Output element or state derivative.
        what: String,
        /// With `f64`.
        value: f64,
        /// With jets.
        jet: f64,
    },
    /// A derivative is wrong.
    #[error("d {what} / d {variable}: {jet} by jets, {difference} by central differences")]
    Slope {
        /// Output element or state derivative.
        what: String,
        /// Input element, state or time.
        variable: String,
        /// The jet's partial derivative.
        jet: f64,
        /// The central difference.
        difference: f64,
    },
    /// An output depends on an input that its declaration excludes.
    #[error("{what} depends directly on input `{input}`, but its declared feedthrough excludes it")]
    Feedthrough {
        /// Output element.
        what: String,
        /// Name of the input.
        input: String,
    },
    /// One sample gave two results.
    #[error("{what} is {first}, then {second} at the same sample: the block keeps something between evaluations")]
    NotRepeatable {
        /// Output element or state derivative.
        what: String,
        /// The first result.
        first: f64,
        /// The second.
        second: f64,
    },
    /// The result depends on which other outputs are wanted.
    #[error("{what} is {alone} when it alone is wanted, {together} when all outputs are")]
    Wanted {
        /// Output element.
        what: String,
        /// Wanted alone.
        alone: f64,
        /// Wanted together with all others.
        together: f64,
    },
}

crate::debug_is_message!(Failure);

/// All rules that a block breaks; empty for a good block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The failures, each with the number of its sample.
    pub failures: Vec<(usize, Failure)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN: usize = 12;
        write!(f, "the block breaks {} contracts:", self.failures.len())?;
        for (sample, failure) in self.failures.iter().take(MAX_SHOWN) {
            write!(f, "\n  sample {sample}: {failure}")?;
        }
        if self.failures.len() > MAX_SHOWN {
            write!(f, "\n  and {} more", self.failures.len() - MAX_SHOWN)
        } else {
            Ok(())
        }
    }
}

/// Checks a block at pseudo-random samples, which are the same in every run.
///
/// # Panics
/// If there are failures, with all of them.
#[track_caller]
pub fn check(block: &dyn ErasedSystem) {
    let report = report_at_random(block);
    assert!(report.failures.is_empty(), "{report}");
}

/// Checks a block at given samples, for one that is not defined or differentiable everywhere.
///
/// # Panics
/// If there are failures, with all of them.
#[track_caller]
pub fn check_at(block: &dyn ErasedSystem, samples: &[Sample]) {
    let report = report(block, samples);
    assert!(report.failures.is_empty(), "{report}");
}

/// Returns the failures that [`check`] would panic with.
pub fn report_at_random(block: &dyn ErasedSystem) -> Report {
    let samples: Vec<Sample> = (0..SAMPLES).map(|number| Sample::random(block, number)).collect();
    report(block, &samples)
}

/// Returns the failures that [`check_at`] would panic with.
pub fn report(block: &dyn ErasedSystem, samples: &[Sample]) -> Report {
    let mut report = Report::default();
    report.failures.extend(names(block).into_iter().map(|failure| (0, failure)));
    for (number, sample) in samples.iter().enumerate() {
        let probe = Probe::new(block, sample);
        let other = Probe::new(block, &samples[(number + 1) % samples.len()]);
        let mut failures = Vec::new();
        values(&probe, &other, &mut failures);
        wanted(&probe, &mut failures);
        feedthrough(&probe, number, &mut failures);
        slopes(&probe, &mut failures);
        report.failures.extend(failures.into_iter().map(|failure| (number, failure)));
    }
    report
}

fn names(block: &dyn ErasedSystem) -> Vec<Failure> {
    let ports = block.ports();
    let inputs: Vec<&String> = ports.inputs().iter().map(|port| &port.name).collect();
    let outputs: Vec<&String> = ports.outputs().iter().map(|port| &port.name).collect();
    let bad = |names: &[&String]| -> Vec<Failure> {
        let is_bad = |i: &usize| names[*i].is_empty() || names[..*i].contains(&names[*i]);
        (0..names.len()).filter(is_bad).map(|i| Failure::Name { name: names[i].clone() }).collect()
    };
    [bad(&inputs), bad(&outputs)].concat()
}

/// Checks that values are finite, and the same bits again after an evaluation elsewhere.
fn values(probe: &Probe, other: &Probe, failures: &mut Vec<Failure>) {
    let first = probe.respond(&probe.variables, &probe.all());
    other.respond(&other.variables, &other.all());
    let second = probe.respond(&probe.variables, &probe.all());
    let pairs = first.outputs.iter().chain(&first.derivatives).zip(second.outputs.iter().chain(&second.derivatives));
    for (index, (&first, &second)) in pairs.enumerate() {
        let what = || result_name(probe, index);
        if !first.is_finite() {
            failures.push(Failure::NotFinite { what: what(), value: first });
        } else if first.to_bits() != second.to_bits() {
            failures.push(Failure::NotRepeatable { what: what(), first, second });
        }
    }
}

fn wanted(probe: &Probe, failures: &mut Vec<Failure>) {
    let together = probe.outputs(&probe.variables, &probe.all());
    for (index, port) in probe.system.ports().outputs().iter().enumerate() {
        let mut wanted = vec![false; probe.all().len()];
        wanted[index] = true;
        let alone = probe.outputs(&probe.variables, &wanted);
        for at in port.range.clone().filter(|&at| alone[at].to_bits() != together[at].to_bits()) {
            let what = result_name(probe, at);
            failures.push(Failure::Wanted { what, alone: alone[at], together: together[at] });
        }
    }
}

/// Checks that moving an excluded input changes no bit of the output.
fn feedthrough(probe: &Probe, number: usize, failures: &mut Vec<Failure>) {
    let here = probe.outputs(&probe.variables, &probe.all());
    let elsewhere = Sample::random(probe.system, 2 * number as u64 + 1000);
    for (input, port) in probe.system.ports().inputs().iter().enumerate() {
        let (Some(range), Some(moved)) = (&probe.inputs[input], &elsewhere.inputs[input]) else { continue };
        let mut variables = probe.variables.clone();
        variables[range.clone()].copy_from_slice(moved);
        let there = probe.outputs(&variables, &probe.all());
        for output in probe.system.ports().outputs().iter().filter(|output| !output.feedthrough.contains(input)) {
            for at in output.range.clone().filter(|&at| here[at].to_bits() != there[at].to_bits()) {
                failures.push(Failure::Feedthrough { what: result_name(probe, at), input: port.name.clone() });
            }
        }
    }
}

/// Checks jets against values and central differences.
fn slopes(probe: &Probe, failures: &mut Vec<Failure>) {
    let flat = |variables: &[f64]| {
        let response = probe.respond(variables, &probe.all());
        [response.outputs, response.derivatives].concat()
    };
    let values = flat(&probe.variables);
    let explicit = probe.system.policy() == DerivativePolicy::Explicit;
    for (chunk, response) in probe.jets(0..probe.variables.len()) {
        let jets = [response.outputs, response.derivatives].concat();
        for (at, (&value, jet)) in values.iter().zip(&jets).enumerate() {
            let apart = (value - jet.value()).abs() > VALUE_TOLERANCE * (1.0 + value.abs());
            // One such failure per number is enough; every chunk would repeat it.
            if apart && chunk.start == 0 {
                failures.push(Failure::ScalarsDiffer { what: result_name(probe, at), value, jet: jet.value() });
            }
        }
        for (direction, variable) in chunk.enumerate() {
            // At this step, truncation and rounding of a central difference balance: the cube root of the unit
            // roundoff.
            let step = f64::EPSILON.cbrt() * probe.variables[variable].abs().max(1.0);
            let mut moved = probe.variables.clone();
            moved[variable] = probe.variables[variable] + step;
            let above = (moved[variable], flat(&moved));
            moved[variable] = probe.variables[variable] - step;
            let below = (moved[variable], flat(&moved));
            for (at, jet) in jets.iter().enumerate() {
                let slope = partial(jet, direction) + 0.0; // no "-0" in messages
                let difference = if explicit { 0.0 } else { (above.1[at] - below.1[at]) / (above.0 - below.0) };
                let allowed = SLOPE_TOLERANCE * slope.abs().max(difference.abs())
                    + 1e-2 * SLOPE_TOLERANCE * (1.0 + values[at].abs());
                // A slope that is NaN must fail, too.
                let agree = (slope - difference).abs() <= allowed;
                if !agree && values[at].is_finite() {
                    let (what, variable) = (result_name(probe, at), variable_name(probe, variable));
                    failures.push(Failure::Slope { what, variable, jet: slope, difference });
                }
            }
        }
    }
}

/// Name of a result, `output[i]` or the derivative of a state, by its index among all results.
fn result_name(probe: &Probe, at: usize) -> String {
    let ports = probe.system.ports();
    match ports.outputs().iter().find(|output| output.range.contains(&at)) {
        Some(output) => {
            let i = at - output.range.start;
            let element = output.elements.get(i).map_or(String::new(), |element| format!(" ({element})"));
            format!("output `{}[{i}]`{element}", output.name)
        }
        None => format!("derivative of {}", state_name(probe, at - ports.outputs_width())),
    }
}

fn variable_name(probe: &Probe, variable: usize) -> String {
    for (range, port) in probe.inputs.iter().zip(probe.system.ports().inputs()) {
        if let Some(range) = range.as_ref().filter(|range| range.contains(&variable)) {
            return format!("input `{}[{}]`", port.name, variable - range.start);
        }
    }
    if probe.state.contains(&variable) { state_name(probe, variable - probe.state.start) } else { "time".to_owned() }
}

fn state_name(probe: &Probe, mut index: usize) -> String {
    for run in probe.system.ports().continuous() {
        if index < run.initial.len() {
            return format!("state `{}[{index}]`", run.name);
        }
        index -= run.initial.len();
    }
    format!("state {index}")
}
