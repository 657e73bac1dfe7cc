//! The explicit midpoint method: the rates in the middle of a step lead over all of it,
//!
//! ```text
//! x1 = x0 + h f(t0 + h/2, x0 + h/2 f(t0, x0))
//! ```

use kinegraph::integrators::{
    Attempted, Build, DenseStep, Ends, Family, IntegratorType, OdeIntegrator, OdeMethod, RightHandSide, StepFailure,
    StepLength,
};

/// `explicit-midpoint`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "explicit-midpoint",
    family: Family::EXPLICIT,
    about: "explicit midpoint method, steps of fixed length",
    remarks: "Two evaluations for every step, of second order",
    options: &["step"],
    build: Build::Fixed(|options, diagram, step| {
        OdeIntegrator::build(TYPE.name, ExplicitMidpoint::default(), options, diagram, StepLength::Fixed(step))
    }),
};

#[derive(Clone, Default)]
struct ExplicitMidpoint {
    middle: Vec<f64>,
    rates: Vec<f64>,
}

impl OdeMethod for ExplicitMidpoint {
    fn estimate_order(&self) -> Option<i32> {
        None
    }

    fn stability(&self) -> f64 {
        2.0
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Attempted { start, h, end, .. } = step;
        let x = &start.continuous;
        let ExplicitMidpoint { middle, rates } = self;
        f.start(start, &mut ends.rates)?;
        middle.clear();
        middle.extend(x.iter().zip(&ends.rates.start).map(|(x, rate)| x + 0.5 * h * rate));
        rates.resize(x.len(), 0.0);
        f.evaluate(start.time + 0.5 * h, middle, rates)?;
        ends.end.clear();
        ends.end.extend(x.iter().zip(&*rates).map(|(x, rate)| x + h * rate));
        f.complete(&mut ends.end);
        f.evaluate(end, &ends.end, &mut ends.rates.end)
    }

    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        let rates = (&ends.rates.start[..], &ends.rates.end[..]);
        dense.record((step.start.time, step.end), &step.start.continuous, &ends.end, rates);
    }
}
