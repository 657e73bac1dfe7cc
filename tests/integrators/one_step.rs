//! A one-step method that knows how to prepare and how to step: the core of the contract is enough for steps of fixed
//! length. Step doubling over the convex step keeps what two steps of that method find.

use crate::models::{Equation, Oscillator, diagram, distance};
use kinegraph::diagram::{Diagram, State};
use kinegraph::integrators::contact::{IcfStep, StepOptions};
use kinegraph::integrators::{
    Candidate, ErrorWeights, FixedStep, Integrator, OneStep, Options, Statistics, StepControl, StepDoubling,
    StepFailure,
};
use kinegraph::simulate::{Simulation, Snapshot};
use kinegraph::solvers::icf::Solver;
use nalgebra::{Matrix2, Vector2};

/// Implicit Euler of `x' = A x`: `x1 = (I - h A)^-1 x0`, of first order, stable for any step where A is.
#[derive(Clone)]
struct ImplicitEuler {
    matrix: Matrix2<f64>,
}

impl ImplicitEuler {
    fn oscillator() -> Self {
        ImplicitEuler { matrix: Matrix2::new(0.0, 1.0, -1.0, 0.0) }
    }
}

impl OneStep for ImplicitEuler {
    type Point = State;

    fn prepare(
        &mut self,
        state: &State,
        _reach: f64,
        point: &mut State,
        _statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        point.clone_from(state);
        Ok(())
    }

    fn step(
        &mut self,
        point: &mut State,
        h: f64,
        _tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        statistics.solves += 1;
        let x = Vector2::from_column_slice(&point.continuous);
        let Some(end) = (Matrix2::identity() - self.matrix * h).lu().solve(&x) else {
            return Err(StepFailure::NotFinite { what: "the end of the step".into() });
        };
        next.continuous.clear();
        next.continuous.extend_from_slice(end.as_slice());
        Ok(())
    }
}

fn fixed(diagram: &Diagram, h: f64) -> Box<dyn Integrator> {
    Box::new(FixedStep::new("implicit-euler", diagram, ImplicitEuler::oscillator(), h))
}

/// Step doubling over the convex step, which is the implicit Euler method where nothing but blocks moves.
fn doubled(diagram: &Diagram, accuracy: f64, max_step: f64) -> Box<dyn Integrator> {
    let mut control = StepControl::new(accuracy, max_step);
    control.initial_step = Some(max_step);
    let options = StepOptions { error_weights: Some(ErrorWeights::POSITIONS), ..StepOptions::default() };
    let method = IcfStep::new(diagram, options, Solver::default());
    Box::new(StepDoubling::new("doubled-convex-step", diagram, method, control))
}

/// The oscillator advanced to t = 2.
fn run(integrator: Box<dyn Integrator>) -> Simulation {
    let mut simulation = Simulation::with(integrator.diagram().initial_state(), integrator).unwrap();
    simulation.advance_to(2.0).unwrap();
    simulation
}

fn error(integrator: Box<dyn Integrator>) -> f64 {
    distance(&Oscillator::exact(2.0), &run(integrator).state().continuous)
}

#[test]
fn steps_of_fixed_length_have_its_order() {
    let d = diagram::<Oscillator>();
    let errors = [0.02, 0.01, 0.005].map(|h| error(fixed(&d, h)));
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.05, "{errors:?}");
    }
    // And its very numbers: n steps scale the amplitude by (1 + h²)^(-n/2).
    let end = run(fixed(&d, 0.01));
    let amplitude = end.state().continuous.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((amplitude - 1.0001_f64.powi(-100)).abs() < 1e-13, "{amplitude}");
}

/// Two half steps are kept, so that steps of length h err as steps of h/2 do.
#[test]
fn doubled_steps_have_its_order_and_hold_the_accuracy() {
    let d = diagram::<Oscillator>();
    let errors = [0.02, 0.01].map(|h| error(doubled(&d, 0.5, h)));
    let halves = [0.01, 0.005].map(|h| error(fixed(&d, h)));
    for (doubled, half) in errors.iter().zip(halves) {
        assert!((doubled - half).abs() < 1e-12, "{errors:?} and {halves:?}");
    }
    // The estimate is h²/4 |x''| where x'' has length 1: steps follow the root of the accuracy, errors too.
    let runs = [1e-4, 1e-6].map(|accuracy| run(doubled(&d, accuracy, 0.1)));
    let steps = runs.each_ref().map(|run| run.statistics().steps as f64);
    assert!((steps[1] / steps[0] - 10.0).abs() < 1.0, "{steps:?}");
    let errors = runs.each_ref().map(|run| distance(&Oscillator::exact(2.0), &run.state().continuous));
    assert!(errors[0] < 0.02 && (errors[0] / errors[1] - 10.0).abs() < 1.0, "{errors:?}");
    assert!(runs.iter().all(|run| run.statistics().rejected_steps > 0), "the first steps are too long");
}

/// The method is an integrator like any other: dense output, snapshots and copies come from the wrapper.
#[test]
fn the_wrapper_gives_the_rest() {
    let d = diagram::<Oscillator>();
    let new = || Simulation::with(d.initial_state(), doubled(&d, 1e-4, 0.1)).unwrap();
    let (mut whole, mut samples) = (new(), Vec::new());
    whole.advance_sampling(2.0, 0.1, |state| samples.push((state.time, state.continuous.clone()))).unwrap();
    assert_eq!(samples.len(), 21);
    assert!(samples.iter().all(|(t, x)| distance(&Oscillator::exact(*t), x) < 0.02));
    let mut half = new();
    half.advance_to(1.0).unwrap();
    let saved = Snapshot::from_bytes(&half.snapshot().to_bytes().unwrap()).unwrap();
    let (mut copy, mut restored) = (half.clone(), new());
    restored.restore(&saved).unwrap();
    for simulation in [&mut half, &mut copy, &mut restored] {
        simulation.advance_to(2.0).unwrap();
    }
    assert_eq!(half.state(), copy.state());
    assert_eq!(half.state(), restored.state());
    assert_eq!(half.statistics(), copy.statistics());
    // Beside it the diagram can be advanced by name.
    let mut named = Simulation::new(&d, Options::dopri5(1e-9)).unwrap();
    named.advance_to(2.0).unwrap();
    assert!(distance(&named.state().continuous, &half.state().continuous) < 0.02);
}
