//! Closed forms of fibres and of contact by volume, by every method: those that the page on closed forms lists under
//! "all".
//!
//! Scenes are small, so that explicit methods can follow their stiff parts. A method of fixed step takes the step of
//! the [`Pace`]; methods with error control its accuracy.

mod bends;
mod fibres;
mod volume;
mod volume_rest;

use crate::features::Findings;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{Build, FEATURES, Family, METHODS, Options};
use kinegraph::simulate::{RunError, Simulation};

/// Step, accuracy and time for a closed form.
struct Pace {
    /// Step of implicit methods, and simulated time \[s\].
    step: f64,
    accuracy: f64,
    time: f64,
    /// Step of explicit methods.
    short: f64,
    short_time: f64,
}

impl Pace {
    fn time(&self, family: Family) -> f64 {
        if family == Family::EXPLICIT { self.short_time } else { self.time }
    }
}

/// Runs a check by every method that takes `feature`, and reports all faults together.
fn by_every_method(feature: &str, pace: &Pace, check: impl Fn(Options, Family, &mut Findings) -> Result<(), RunError>) {
    assert!(FEATURES.iter().any(|known| known.name == feature), "a line of the table");
    let mut faults = Vec::new();
    for method in METHODS {
        let step = if method.family == Family::EXPLICIT { pace.short } else { pace.step };
        let options = match method.build {
            Build::Fixed(_) | Build::Either(_) => Options { step: Some(step), ..Options::of(method) },
            Build::Controlled(_) => Options { accuracy: pace.accuracy, ..Options::of(method) },
        };
        let start = std::time::Instant::now();
        let mut findings = Findings::default();
        match check(options, method.family, &mut findings) {
            Ok(()) => faults.extend(findings.faults().iter().map(|fault| format!("{}: {fault}", method.name))),
            Err(error) => faults.push(format!("{}: {error}", method.name)),
        }
        println!("{}: {:.3} s", method.name, start.elapsed().as_secs_f64());
    }
    assert!(faults.is_empty(), "{feature}:\n{}", faults.join("\n"));
}

/// State at rest: the convex step removes all motion in long steps.
fn at_rest(diagram: &Diagram, step: f64, time: f64) -> Simulation {
    let mut simulation = Simulation::new(diagram, Options::icf(step)).unwrap();
    simulation.advance_to(time).unwrap_or_else(|e| panic!("{e}"));
    simulation
}

/// A copy that another method advances for `time`.
fn gone_on(rest: &Simulation, options: Options, time: f64) -> Result<Simulation, RunError> {
    let mut simulation = rest.clone();
    simulation.switch(options)?;
    simulation.advance_to(rest.time() + time)?;
    Ok(simulation)
}
