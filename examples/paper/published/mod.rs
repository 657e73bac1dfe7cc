//! The method as the paper has it, written down once more: one problem for all bodies, dense algebra, Newton's method
//! with exact line search, reuse of factors (sec. VI), step doubling in the norm of positions (sec. V).
//!
//! It is here to count what the library does otherwise or not at all: starts of the line search, reuse of the Hessian,
//! tolerances that do not adapt. Plants only: no controllers, no stops, no constraints.

mod line_search;
mod problem;
mod solver;

pub use solver::{Counts, Settings};

use kinegraph::diagram::Diagram;
use kinegraph::systems::ConvexPlant;
use problem::Problem;
use solver::Solver;

/// How steps are chosen.
#[derive(Clone, Copy, Debug)]
pub enum Steps {
    /// Of this length \[s\].
    Fixed(f64),
    /// To this accuracy.
    Controlled(f64),
}

/// Part of the accuracy that the solver is asked for, and the tightest tolerance.
const KAPPA: f64 = 1e-3;
const MIN_TOLERANCE: f64 = 1e-8;
/// Largest step \[s\].
const MAX_STEP: f64 = 0.1;

/// A plant in motion.
pub struct Published<'a> {
    plant: &'a dyn ConvexPlant,
    solver: Solver,
    /// True if the tolerance of the solver follows the accuracy.
    adaptive: bool,
    steps: Steps,
    time: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<'a> Published<'a> {
    /// The plant of `diagram` at its initial state; `None` without one.
    pub fn new(diagram: &'a Diagram, steps: Steps, adaptive: bool, settings: Settings) -> Option<Self> {
        let (block, plant) = diagram.plants().next()?;
        let state = diagram.initial_state();
        let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
        let solver = Solver::new(settings);
        Some(Published { plant, solver, adaptive, steps, time: 0.0, q: q.to_vec(), v: v.to_vec() })
    }

    /// Advances to `until` \[s\].
    ///
    /// # Errors
    /// A solve that does not arrive.
    pub fn advance(&mut self, until: f64) -> Result<Counts, String> {
        let mut next = 0.1 * MAX_STEP;
        while self.time < until - 1e-12 {
            let left = until - self.time;
            let problem = Problem::new(self.plant, &self.q, &self.v);
            match self.steps {
                Steps::Fixed(step) => {
                    let h = step.min(left);
                    let v = self.solve(&problem, h, &self.v.clone(), MIN_TOLERANCE)?;
                    self.q = self.moved(&self.q, &v, h);
                    (self.v, self.time) = (v, self.time + h);
                }
                Steps::Controlled(accuracy) => next = self.controlled(&problem, next, left, accuracy)?,
            }
            self.solver.counts.steps += 1;
        }
        Ok(self.solver.counts)
    }

    /// A step of length `first` \[s\] or less, that `left` allows; returns the step to try next.
    fn controlled(&mut self, problem: &Problem, first: f64, left: f64, accuracy: f64) -> Result<f64, String> {
        let tolerance = if self.adaptive { (KAPPA * accuracy).max(MIN_TOLERANCE) } else { MIN_TOLERANCE };
        let mut h = first.min(MAX_STEP);
        let cut = left < 0.95 * h;
        h = if left < 1.001 * h { left } else { h };
        loop {
            let full = self.solve(problem, h, &self.v.clone(), tolerance)?;
            let guess: Vec<f64> = self.v.iter().zip(&full).map(|(a, b)| 0.5 * (a + b)).collect();
            let half = self.solve(problem, 0.5 * h, &guess, tolerance)?;
            let middle = self.moved(&self.q, &half, 0.5 * h);
            let second = Problem::new(self.plant, &middle, &half);
            let end = self.solve(&second, 0.5 * h, &full, tolerance)?;
            let (once, twice) = (self.moved(&self.q, &full, h), self.moved(&middle, &end, 0.5 * h));
            let error = once.iter().zip(&twice).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let wanted = step_after(h, error, accuracy);
            if wanted >= h {
                (self.q, self.v, self.time) = (twice, end, self.time + h);
                return Ok(if cut { first } else { wanted.min(MAX_STEP) });
            }
            self.solver.counts.rejected += 1;
            h = wanted;
        }
    }

    fn solve(&mut self, problem: &Problem, h: f64, guess: &[f64], tolerance: f64) -> Result<Vec<f64>, String> {
        let solved = self.solver.solve(&problem.for_step(h), guess, tolerance);
        solved.ok_or_else(|| format!("a solve did not arrive at t = {} s", self.time))
    }

    /// Positions moved by these velocities, with the map from velocities to rates at the start; quaternions are made
    /// unit again.
    fn moved(&self, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
        let mut rates = vec![0.0; q.len()];
        self.plant.position_rates(q, v, &mut rates);
        let mut moved: Vec<f64> = q.iter().zip(&rates).map(|(q, rate)| q + h * rate).collect();
        for &at in &self.plant.structure().quaternions {
            let norm = moved[at..at + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            moved[at..at + 4].iter_mut().for_each(|x| *x /= norm);
        }
        moved
    }
}

/// The step after one of length `h` with this error; shorter than `h` if that is to be repeated.
fn step_after(h: f64, error: f64, accuracy: f64) -> f64 {
    let mut next = if error == 0.0 { 5.0 * h } else { 0.9 * h * (accuracy / error).sqrt() };
    if next.is_nan() {
        return 0.1 * h;
    }
    if next > h && next < 1.2 * h {
        next = h;
    }
    if next < h {
        next = if error <= accuracy { h } else { next.min(0.9 * h) };
    }
    next.clamp(0.1 * h, 5.0 * h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::scene;
    use kinegraph::simulate::Simulation;

    #[test]
    fn published_convex_step_agrees_with_the_library() {
        let scenario = scene("cylinder_mp", &[]).expect("a scene");
        let mut published =
            Published::new(&scenario.diagram, Steps::Fixed(1e-3), true, Settings::default()).expect("a plant");
        published.advance(0.3).expect("it arrives");
        let mut simulation =
            Simulation::new(&scenario.diagram, crate::measure::fixed("icf", 1e-3)).expect("an integrator");
        simulation.advance_to(0.3).expect("it arrives");
        let apart = published.q.iter().zip(&simulation.state().continuous).map(|(a, b)| (a - b).abs());
        // In this time it falls, strikes and tips; the library turns bodies to the second order.
        assert!(apart.fold(0.0, f64::max) < 5e-3);
    }

    #[test]
    fn reuse_of_factors_leads_to_the_same_end_with_fewer_of_them() {
        let scenario = scene("scale_005", &[]).expect("a scene");
        let [without, with] = [false, true].map(|reuse| {
            let settings = Settings { reuse, ..Settings::default() };
            let mut run = Published::new(&scenario.diagram, Steps::Fixed(1e-3), true, settings).expect("a plant");
            (run.advance(0.25).expect("it arrives"), run.q)
        });
        assert!(with.0.factorizations < without.0.factorizations && without.0.factorizations == without.0.iterations);
        let apart = without.1.iter().zip(&with.1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-6, "{apart}");
    }
}
