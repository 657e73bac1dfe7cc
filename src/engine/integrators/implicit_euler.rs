//! The implicit Euler method with step doubling: `x1 = x + h f(t + h, x1)`. The end comes from two steps of half the
//! length, the error from one of the whole.
//!
//! Each step errs by up to the accuracy, and always to the same side. Where a state grows as `e^(λ t)`, all errors grow
//! with it: there are `1/(λ h)` of them within a growth time, 40 accuracies at 1e-3 and `1/sqrt(accuracy)` in general.
//! There, and nowhere else, the end is extrapolated, `2 x_half - x_full`, which errs by `O((λ h)^3)`. With plants it is
//! not: their Jacobian is one of differences, and the growth of one step (a pendulum that passes its top) is absent in
//! the next, so that errors would fall by one order or the other. Steps of fixed length follow the formula.

use super::ends::Ends;
use super::family::Family;
use super::implicit::{Newton, Stage};
use super::integrator_type::{Build, IntegratorType};
use super::mean_weights::MeanWeights;
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, Kept, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use kinegraph_diagram::State;

/// `implicit-euler`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "implicit-euler",
    family: Family::IMPLICIT,
    about: "implicit Euler method, of first order, error control by step doubling",
    remarks: "L-stable: what is faster than its steps is damped, not followed. With plants as `sdirk2`, in more and \
        shorter steps where they are accurate",
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| {
        OdeIntegrator::build(TYPE.name, ImplicitEuler::default(), options, diagram, step_length)
    }),
};

impl Options {
    /// Options of the implicit Euler method with error control.
    pub fn implicit_euler(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

#[derive(Clone, Default)]
struct ImplicitEuler {
    newton: Newton,
    full: Vec<f64>,
    half: Vec<f64>,
}

impl OdeMethod for ImplicitEuler {
    fn estimate_order(&self) -> Option<i32> {
        Some(2)
    }

    fn prepare(&mut self, start: &State, _ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        self.newton.prepare(start, f);
        Ok(())
    }

    fn growth_rate(&mut self, enough: f64) -> f64 {
        self.newton.jacobian.growth_rate(enough)
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let ImplicitEuler { newton, full, half } = self;
        let Ends { rates, end, error } = ends;
        let Attempted { start, h, end: time, accuracy, is_fixed } = step;
        let x = &start.continuous;
        half.resize(x.len(), 0.0);
        let whole = Stage { time, s: h, h, which: 0, accuracy };
        let second = Stage { s: 0.5 * h, which: 1, ..whole };
        let first = Stage { time: start.time + 0.5 * h, ..second };
        let is_known = !is_fixed && f.rates.diagram_without_plants().is_some();
        let least_rate = least_rate(h);
        let mut grows = false;
        newton.step(start, rates, f, |newton, rates, f| {
            full.clone_from(x);
            newton.solve(whole, x, full, f)?;
            half.iter_mut().enumerate().for_each(|(i, half)| *half = 0.5 * (x[i] + full[i]));
            newton.solve(first, x, half, f)?;
            f.note_at(1, first.time, half, error)?;
            end.copy_from_slice(full);
            newton.solve(second, half, end, f)?;
            grows = is_known && newton.jacobian.growth_rate(least_rate) > least_rate;
            if grows {
                set_difference(error, end, full);
                // The error of the first half is half of that of the end.
                half.iter_mut().zip(&*error).for_each(|(half, error)| *half += 0.5 * error);
                end.iter_mut().zip(&*error).for_each(|(end, error)| *end += error);
            }
            f.complete(end);
            f.evaluate(time, end, &mut rates.end)
        })?;
        if !grows {
            set_difference(error, end, full);
        }
        Ok(())
    }

    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[0.0, 0.5], end: 0.5 }
    }

    /// Records a parabola through the end of the first half.
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        dense.record_parabola((step.start.time, step.end), &step.start.continuous, &ends.end, |i, x, change| {
            // Where the motion is smooth, this is the estimate; faster decays are not followed.
            let most = ends.error[i].abs();
            4.0 * (self.half[i] - x - 0.5 * change).clamp(-most, most) // formula
        });
    }

    fn kept(&self) -> Option<&dyn Kept> {
        Some(&self.newton)
    }

    fn kept_mut(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.newton)
    }
}

/// Slowest growth \[1/s\] that a step of length h looks for, `λ h = (4 ε)^(1/3)`. Steps that err by an accuracy a each,
/// `(λ h)² x / 4`, are shorter only where `x / a` is larger than `λ h / ε`, and there the run has ended, since rounding
/// exceeds the accuracy within a growth time. It is the same for steps of about one length, so that one Jacobian serves
/// all of them.
fn least_rate(h: f64) -> f64 {
    (4.0 * f64::EPSILON).cbrt() / (4.0 * (h.log2() / 4.0).ceil()).exp2()
}

fn set_difference(error: &mut [f64], end: &[f64], full: &[f64]) {
    error.iter_mut().enumerate().for_each(|(i, error)| *error = end[i] - full[i]);
}
