//! Newton's method for one algebraic loop.

use super::elimination::Elimination;
use crate::call::{Call, Loop};
use crate::loop_fault::LoopCause;
use crate::signals::Signals;
use crate::structure::Diagram;
use kinegraph_core::system::ErasedScalar;
use kinegraph_core::{JET_WIDTH, Jet, Scalar};

/// Workspace that solves the loops of a diagram, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct LoopSolver {
    time: f64,
    continuous: Vec<f64>,
    continuous_jets: Vec<Jet>,
    real: Signals<f64>,
    jets: Signals<Jet>,
    /// Values of the torn outputs, and trial values.
    unknowns: Vec<f64>,
    trial: Vec<f64>,
    /// Residual `G(y) - y`.
    residual: Vec<f64>,
    trial_residual: Vec<f64>,
    step: Vec<f64>,
    slopes: Vec<f64>,
    elimination: Elimination,
    /// True if the factors belong to the present unknowns.
    current: bool,
}

/// Reason why a loop was not solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub cause: LoopCause,
    pub iterations: usize,
    pub residual: f64,
    /// Index of the unknown with the largest residual.
    pub worst: usize,
}

const MAX_ITERATIONS: usize = 60;
/// A step smaller than this part of the unknown is rounding.
const ROUNDING: f64 = 1e-14;
/// Where steps make no more progress, a residual up to this (relative to the largest unknown, or to one) is taken for
/// rounding inside the blocks.
const STAGNATION: f64 = 1e-10;
const MAX_HALVINGS: usize = 40;

impl LoopSolver {
    pub fn new(diagram: &Diagram) -> Self {
        LoopSolver {
            time: 0.0,
            continuous: vec![0.0; diagram.state_width()],
            continuous_jets: vec![Jet::constant(0.0); diagram.state_width()],
            real: Signals::new(diagram),
            jets: Signals::new(diagram),
            unknowns: Vec::new(),
            trial: Vec::new(),
            residual: Vec::new(),
            trial_residual: Vec::new(),
            step: Vec::new(),
            slopes: Vec::new(),
            elimination: Elimination::default(),
            current: false,
        }
    }

    /// Copies the inputs of the calls (time, states, discrete states and input signals) as plain numbers, and the last
    /// values of the torn outputs.
    pub fn load<S: ErasedScalar>(
        &mut self,
        diagram: &Diagram,
        calls: &[Call],
        l: &Loop,
        time: S,
        continuous: &[S],
        signals: &Signals<S>,
    ) {
        self.time = time.value();
        for block in calls.iter().map(|call| &diagram.blocks()[call.block]) {
            for i in block.state.clone() {
                self.continuous[i] = continuous[i].value();
                self.continuous_jets[i] = Jet::constant(self.continuous[i]);
            }
            for i in block.discrete.clone() {
                self.real.discrete[i] = signals.discrete[i];
                self.jets.discrete[i] = signals.discrete[i];
            }
            for i in block.inputs.iter().flatten().flat_map(|range| range.clone()) {
                self.real.arena[i] = signals.arena[i].value();
                self.jets.arena[i] = Jet::constant(self.real.arena[i]);
            }
        }
        self.unknowns.clear();
        for &(block, port) in &l.tears {
            let range = diagram.blocks()[block].outputs[port].clone();
            self.unknowns.extend(signals.arena[range].iter().map(|x| x.value()));
        }
        let size = self.unknowns.len();
        for v in [&mut self.trial, &mut self.residual, &mut self.trial_residual, &mut self.step, &mut self.slopes] {
            v.clear();
            v.resize(size, 0.0);
        }
        self.slopes.resize(size * JET_WIDTH, 0.0);
    }

    /// Solves for the unknowns, starting from their present values and, if that fails, from zero.
    pub fn solve(&mut self, diagram: &Diagram, calls: &[Call], l: &Loop) -> Result<(), Failure> {
        let warm = self.unknowns.iter().all(|y| y.is_finite()) && self.unknowns.iter().any(|&y| y != 0.0);
        if warm && self.newton(diagram, calls, l).is_ok() {
            return Ok(());
        }
        self.unknowns.fill(0.0);
        self.newton(diagram, calls, l)
    }

    fn newton(&mut self, diagram: &Diagram, calls: &[Call], l: &Loop) -> Result<(), Failure> {
        self.current = false;
        self.trial.copy_from_slice(&self.unknowns);
        self.evaluate_trial(diagram, calls, l);
        self.residual.copy_from_slice(&self.trial_residual);
        for iteration in 0..MAX_ITERATIONS {
            let size = norm(&self.residual);
            if size == 0.0 {
                return Ok(());
            }
            if !size.is_finite() {
                return Err(self.failure(LoopCause::NotFinite, iteration));
            }
            let regular = self.linearize(diagram, calls, l);
            self.step.copy_from_slice(&self.residual);
            // Where the Newton matrix is singular, fixed-point substitution may make progress.
            if regular {
                self.elimination.solve(&mut self.step);
            }
            if !norm(&self.step).is_finite() {
                return Err(self.failure(LoopCause::NotFinite, iteration));
            }
            let last = regular && self.step_is_rounding();
            let mut part = 1.0;
            for halving in 0.. {
                for ((t, y), d) in self.trial.iter_mut().zip(&self.unknowns).zip(&self.step) {
                    *t = y + part * d;
                }
                self.evaluate_trial(diagram, calls, l);
                let better = norm(&self.trial_residual) < size;
                if !better && (last || size <= STAGNATION * norm(&self.unknowns).max(1.0)) {
                    return Ok(());
                }
                if better {
                    std::mem::swap(&mut self.unknowns, &mut self.trial);
                    std::mem::swap(&mut self.residual, &mut self.trial_residual);
                    self.current = false;
                    break;
                }
                if halving == MAX_HALVINGS {
                    return Err(self.failure(LoopCause::NoProgress, iteration + 1));
                }
                part *= 0.5;
            }
            // The same factors show whether another step would be rounding; for a linear loop it always is.
            if regular {
                self.step.copy_from_slice(&self.residual);
                self.elimination.solve(&mut self.step);
                if self.step_is_rounding() {
                    return Ok(());
                }
            }
        }
        Err(self.failure(LoopCause::TooSlow, MAX_ITERATIONS))
    }

    fn step_is_rounding(&self) -> bool {
        self.step.iter().zip(&self.unknowns).all(|(d, y)| d.abs() <= ROUNDING * y.abs())
    }

    /// Computes the residual `G(y) - y` at the trial values.
    fn evaluate_trial(&mut self, diagram: &Diagram, calls: &[Call], l: &Loop) {
        write(diagram, l, &self.trial, &mut self.real);
        diagram.run_calls(calls, self.time, &self.continuous, &mut self.real);
        let computed = torn(diagram, l).map(|i| self.real.arena[i]);
        for ((r, g), y) in self.trial_residual.iter_mut().zip(computed).zip(&self.trial) {
            *r = g - y;
        }
    }

    /// Factors `I - G_y` at the unknowns; returns `false` if it is singular.
    fn linearize(&mut self, diagram: &Diagram, calls: &[Call], l: &Loop) -> bool {
        let size = self.unknowns.len();
        self.elimination.reset(size);
        for first in (0..size).step_by(JET_WIDTH) {
            let chunk = first..size.min(first + JET_WIDTH);
            for (k, i) in torn(diagram, l).enumerate() {
                self.jets.arena[i] = if chunk.contains(&k) {
                    kinegraph_core::scalar::seed(self.unknowns[k], k - first, 1.0)
                } else {
                    Jet::constant(self.unknowns[k])
                };
            }
            diagram.run_calls(calls, Jet::constant(self.time), &self.continuous_jets, &mut self.jets);
            for (row, i) in torn(diagram, l).enumerate() {
                let partials = self.jets.arena[i].partials();
                for column in chunk.clone() {
                    self.elimination.matrix[column * size + row] = -partials[column - first];
                }
            }
        }
        for k in 0..size {
            self.elimination.matrix[k * size + k] += 1.0;
        }
        self.current = self.elimination.factor();
        self.current
    }

    /// Writes the unknowns into `signals`, as constants.
    pub fn unknowns_to<S: ErasedScalar>(&self, diagram: &Diagram, l: &Loop, signals: &mut Signals<S>) {
        write(diagram, l, &self.unknowns, signals);
    }

    /// Computes the derivatives of the unknowns from `signals` after a pass with constant unknowns. Returns true if any
    /// derivative is not zero.
    pub fn react<S: ErasedScalar>(
        &mut self,
        diagram: &Diagram,
        calls: &[Call],
        l: &Loop,
        signals: &Signals<S>,
    ) -> Result<bool, Failure> {
        let size = self.unknowns.len();
        let mut any = false;
        for (row, i) in torn(diagram, l).enumerate() {
            for (direction, slope) in signals.arena[i].partials().into_iter().enumerate() {
                self.slopes[direction * size + row] = slope;
                any |= slope != 0.0;
            }
        }
        if !any {
            return Ok(false);
        }
        if !self.current && !self.linearize(diagram, calls, l) {
            return Err(self.failure(LoopCause::Singular, 0));
        }
        for column in self.slopes.chunks_exact_mut(size) {
            self.elimination.solve(column);
        }
        Ok(true)
    }

    /// Writes the unknowns into `signals`, with the derivatives found.
    pub fn reactions_to<S: ErasedScalar>(&self, diagram: &Diagram, l: &Loop, signals: &mut Signals<S>) {
        let size = self.unknowns.len();
        for (row, i) in torn(diagram, l).enumerate() {
            let partials = std::array::from_fn(|direction| self.slopes[direction * size + row]);
            signals.arena[i] = S::with_partials(self.unknowns[row], &partials);
        }
    }

    fn failure(&self, cause: LoopCause, iterations: usize) -> Failure {
        let mut worst = 0;
        for (i, r) in self.residual.iter().enumerate() {
            if !r.is_finite() || r.abs() > self.residual[worst].abs() {
                worst = i;
            }
            if !r.is_finite() {
                break;
            }
        }
        Failure { cause, iterations, residual: self.residual.get(worst).map_or(0.0, |r| r.abs()), worst }
    }
}

/// Ranges of the torn outputs in the arena, one after the other.
fn torn<'a>(diagram: &'a Diagram, l: &'a Loop) -> impl Iterator<Item = usize> + 'a {
    l.tears.iter().flat_map(|&(block, port)| diagram.blocks()[block].outputs[port].clone())
}

fn write<S: Scalar>(diagram: &Diagram, l: &Loop, unknowns: &[f64], signals: &mut Signals<S>) {
    for (i, y) in torn(diagram, l).zip(unknowns) {
        signals.arena[i] = S::constant(*y);
    }
}

/// Largest absolute value; infinite if an entry is not a number.
fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a: f64, x| if x.is_nan() { f64::INFINITY } else { a.max(x.abs()) })
}
