//! ROS2, a linearly implicit (Rosenbrock) method of second order
//! [J. G. Verwer, E. J. Spee, J. G. Blom & W. Hundsdorfer, A second-order Rosenbrock method applied to photochemical
//! dispersion problems, SIAM J. Sci. Comput. 20 (1999)]:
//!
//! ```text
//! (I - γ h J) k1 = f(t, x) + γ h f_t
//! (I - γ h J) k2 = f(t + h, x + h k1) - 2 k1 - γ h f_t
//! x1 = x + h (3 k1 + k2)/2,   error = x1 - (x + h k1)
//! ```
//!
//! It is of second order with any matrix in place of J, so that differences do no harm. But an old Jacobian would hold
//! bodies that have come loose, without a trace in the estimate: every step begins with one of its own. In steps of
//! fixed length, which no estimate shortens, a step that meets a contact takes the Jacobian there. Of the two values
//! for which it is L-stable, `γ = 1 - 1/sqrt(2)` errs 34 times less than `γ = 1 + 1/sqrt(2)`.

use super::ends::Ends;
use super::family::Family;
use super::implicit::{CHANGE, Jacobian};
use super::integrator_type::{Build, IntegratorType};
use super::mean_weights::MeanWeights;
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use kinegraph_diagram::State;
use std::f64::consts::FRAC_1_SQRT_2;

/// `ros2`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "ros2",
    family: Family::IMPLICIT,
    about: "linearly implicit Rosenbrock method of second order",
    remarks: "L-stable, without iterations: two evaluations and one Jacobian for every step. Pays without plants, where \
        Jacobians are exact and cheap; with plants see `sdirk2`",
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| {
        OdeIntegrator::build(TYPE.name, Ros2::default(), options, diagram, step_length)
    }),
};

impl Options {
    /// Options of the Rosenbrock method of second order with error control.
    pub fn ros2(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

const GAMMA: f64 = 1.0 - FRAC_1_SQRT_2;

#[derive(Clone, Default)]
struct Ros2 {
    jacobian: Jacobian,
    /// f_t.
    time_derivative: Vec<f64>,
    k: [Vec<f64>; 2],
    /// State at which the first stage met contact.
    met: Option<State>,
}

impl Ros2 {
    /// Computes k1 by the Jacobian at hand, the end of that stage, and in the place of k2 the rates there.
    fn first_stage(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Ros2 { jacobian, time_derivative, k: [k1, k2], .. } = self;
        let (x, h) = (&step.start.continuous, step.h);
        k1.iter_mut().enumerate().for_each(|(i, k)| *k = ends.rates.start[i] + GAMMA * h * time_derivative[i]);
        jacobian.solve(0, GAMMA * h, k1, f.statistics);
        ends.end.iter_mut().enumerate().for_each(|(i, end)| *end = x[i] + h * k1[i]);
        f.evaluate(step.end, &ends.end, k2)
    }

    /// True if the rates at the end of the first stage differ from those of its Jacobian, and change the end of the
    /// step by more than the stage itself: a contact begins there. By `(I - γ h J) k1 = f + γ h f_t` the Jacobian
    /// predicts `f + h J k1 + h f_t = f + (k1 - f)/γ`.
    fn misses_contact(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> bool {
        let [k1, k2] = &self.k;
        let (Ends { rates, error, .. }, h) = (ends, step.h);
        for (i, missed) in error.iter_mut().enumerate() {
            let foreseen = (k1[i] - rates.start[i]) / GAMMA;
            *missed = 0.5 * h * (k2[i] - rates.start[i] - foreseen);
        }
        let missed = f.size(h, error);
        error.iter_mut().zip(k1.iter()).for_each(|(moved, k1)| *moved = h * k1);
        missed > f.size(h, error).max(step.accuracy)
    }
}

impl OdeMethod for Ros2 {
    fn estimate_order(&self) -> Option<i32> {
        Some(2)
    }

    fn prepare(&mut self, start: &State, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        f.start(start, &mut ends.rates)?;
        self.jacobian.evaluate(start, &ends.rates.start, f)
    }

    fn is_linearly_implicit(&self) -> bool {
        true
    }

    fn growth_rate(&mut self, enough: f64) -> f64 {
        self.jacobian.growth_rate(enough)
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Attempted { start, h, end: time, .. } = step;
        let n = start.continuous.len();
        let [k1, k2] = &mut self.k;
        for scratch in [&mut self.time_derivative, k1, k2] {
            scratch.resize(n, 0.0);
        }
        f.start(start, &mut ends.rates)?;
        self.jacobian.evaluate(start, &ends.rates.start, f)?;
        // Within the step, beyond which the rates may differ.
        let ahead = start.time + (CHANGE * (start.time.abs() + h)).min(h);
        f.evaluate(ahead, &start.continuous, &mut self.time_derivative)?;
        let ahead = ahead - start.time;
        for (change, rate) in self.time_derivative.iter_mut().zip(&ends.rates.start) {
            *change = if ahead > 0.0 { (*change - rate) / ahead } else { 0.0 };
        }
        self.first_stage(step, ends, f)?;
        if step.is_fixed && f.rates.touches() && self.misses_contact(step, ends, f) {
            let Ros2 { jacobian, met, k: [_, k2], .. } = self;
            let met = met.get_or_insert_with(|| start.clone());
            met.clone_from(start);
            met.continuous.clone_from(&ends.end);
            met.time = time;
            jacobian.evaluate(met, k2, f)?;
            self.first_stage(step, ends, f)?;
        }
        let Ros2 { jacobian, time_derivative, k: [k1, k2], .. } = self;
        let Ends { rates, end, error } = ends;
        let s = GAMMA * h;
        k2.iter_mut().enumerate().for_each(|(i, k2)| *k2 -= 2.0 * k1[i] + s * time_derivative[i]);
        jacobian.solve(0, s, k2, f.statistics);
        for (i, error) in error.iter_mut().enumerate() {
            *error = 0.5 * h * (k1[i] + k2[i]);
            end[i] = start.continuous[i] + h * (1.5 * k1[i] + 0.5 * k2[i]);
        }
        f.complete(end);
        f.evaluate(time, end, &mut rates.end)
    }

    /// Where nothing is stiff against the step, velocities change by the mean of the rates at both ends.
    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[0.5], end: 0.5 }
    }

    /// Records a parabola: `k1 + k2 = (1 - 2 γ) h x'' + …`
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        dense.record_parabola((step.start.time, step.end), &step.start.continuous, &ends.end, |i, _, _| {
            -ends.error[i] / (1.0 - 2.0 * GAMMA)
        });
    }
}
