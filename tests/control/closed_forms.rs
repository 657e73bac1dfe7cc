//! Control loops, filters, delays and sampled blocks in motion, against their solutions in closed form.
#![allow(non_snake_case)] // A, B, C, D: as the field writes them

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::{AntiWindup, KalmanFilter, KalmanModel, Lqr, Pid, PidOnError, PidSettings, lqr_gain};
use kinegraph::systems::dynamics::{
    Counter, DiscreteDerivative, DiscreteTransferFunction, FirstOrderLag, Integrator, IntegratorSettings, Restart,
    SecondOrder, StateSpace, TransferFunction, TransportDelay, UnitDelay, ZeroOrderHold,
};
use kinegraph::systems::operators::{Adder, Gain};
use kinegraph::systems::port::Crossing;
use kinegraph::systems::sources::{Constant, Pulse, Ramp, Sine, Step};
use kinegraph::systems::{Out, Sampling, Signal};
use nalgebra::DMatrix;
use std::f64::consts::{FRAC_PI_2, PI};

/// Tolerance of the closed forms.
const TOLERANCE: f64 = 1e-6;

fn simulation(diagram: &Diagram) -> Simulation {
    Simulation::new(diagram, Options { max_step: 0.5, ..Options::dopri5(1e-10) }).unwrap()
}

/// Runs to the end and compares `output` with `expected` at sample times that are incommensurate with all periods.
#[track_caller]
fn follows<T: Signal>(diagram: &Diagram, output: Out<T>, until: f64, expected: impl Fn(f64) -> Vec<f64>) {
    let mut simulation = simulation(diagram);
    let mut time = 0.0;
    while time < until {
        simulation.advance_to(time).unwrap();
        let (found, expected) = (simulation.output(output), expected(time));
        assert_eq!(found.len(), expected.len());
        let error = found.iter().zip(&expected).map(|(f, e)| (f - e).abs()).fold(0.0, f64::max);
        assert!(error <= TOLERANCE, "at {time}: {found:?} instead of {expected:?}");
        time += 0.071_234_567;
    }
}

fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, values)
}

/// A mass of 1 kg on a line: position, then velocity.
fn mass(initial: [f64; 2]) -> StateSpace {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, 0.0, 0.0]), matrix(2, 1, &[0.0, 1.0]));
    StateSpace::new(A, B, DMatrix::identity(2, 2), DMatrix::zeros(2, 1), initial).unwrap()
}

/// kp = 11, ki = 6, kd = 6 put the poles at -1, -2, -3. With a resting desired state of 1 the position is
/// (11 s + 6)/(s (s + 1)(s + 2)(s + 3)), by its residues 1 + 5/2 e^-t - 8 e^-2t + 9/2 e^-3t.
#[test]
fn step_response_of_a_pid_loop() {
    let mut b = DiagramBuilder::new("pid");
    let goal = b.add("goal", Constant::new([1.0, 0.0]).unwrap());
    let pid = b.add("pid", Pid::new(1, 11.0, 6.0, 6.0).unwrap());
    let mass = b.add("mass", mass([0.0, 0.0]));
    b.connect(goal.output, pid.desired);
    b.connect(mass.output, pid.measured);
    b.connect(pid.effort, mass.input);
    follows(&b.build().unwrap(), mass.output, 6.0, |t| {
        let [a, b, c] = [1.0, 2.0, 3.0].map(|p: f64| (-p * t).exp());
        vec![1.0 + 2.5 * a - 8.0 * b + 4.5 * c, -2.5 * a + 16.0 * b - 13.5 * c]
    });
}

/// A double integrator under PD with a filtered rate, kp = 4, kd = 8/3, T = 1/6 on the error 1 - q: the loop
/// s² (1 + T s) + kp (1 + T s) + kd s = (s³ + 6 s² + 20 s + 24)/6 has the poles -2 and -2 ± 2√2 i.
#[test]
fn derivative_filter_in_a_loop() {
    let mut b = DiagramBuilder::new("filter");
    let goal = b.add("goal", Constant::new([1.0]).unwrap());
    let error = b.add("error", Adder::new(1, [1.0, -1.0]).unwrap());
    let filter = Some((1.0 / 6.0).into());
    let settings = PidSettings { derivative_filter: filter, ..PidSettings::new(4.0, 0.0, 8.0 / 3.0) };
    let pid = b.add("pid", PidOnError::new(1, settings).unwrap());
    let v = b.add("v", Integrator::new([0.0]).unwrap());
    let q = b.add("q", Integrator::new([0.0]).unwrap());
    b.connect(goal.output, error.inputs[0]);
    b.connect(q.output, error.inputs[1]);
    b.connect(error.output, pid.error);
    b.connect(pid.effort, v.input);
    b.connect(v.output, q.input);
    // q(s) = (20 s + 24)/(s (s + 2)(s² + 4 s + 12)): residue -1/2·(20·(-2) + 24)/8 = 1 at -2, and the rest by q(0) =
    // q̇(0) = 0: 1 + e^-2t (1 - 2 cos wt) + c e^-2t sin wt with q̇(0) = -2 + 4 + c w = 0.
    let w = 8.0_f64.sqrt();
    follows(&b.build().unwrap(), q.output, 5.0, |t| {
        vec![1.0 + (-2.0 * t).exp() * (1.0 - 2.0 * (w * t).cos() - 2.0 / w * (w * t).sin())]
    });
}

/// Under a constant error of 1, kp = 1, ki = 2 the effort reaches its limit 3 at t = 1. With I = ki z and the tracking
/// time T, I = 2 + ki T (1 - e^-(t-1)/T) from then on; at t = 3 the error turns to -1 and the effort leaves the limit
/// at once by -2 kp, if the integral has not wound up by more.
#[test]
fn windup_and_its_cures() {
    let tracking = 0.4;
    for (anti_windup, integral) in [
        (AntiWindup::Off, (|t: f64| 2.0 * t) as fn(f64) -> f64),
        (AntiWindup::Clamping, |t: f64| 2.0 * t.min(1.0)),
        (AntiWindup::BackCalculation(Some(tracking.into())), |t: f64| {
            if t < 1.0 { 2.0 * t } else { 2.0 + 2.0 * 0.4 * (1.0 - (-(t - 1.0) / 0.4).exp()) }
        }),
    ] {
        let mut b = DiagramBuilder::new("windup");
        let error = b.add("error", Step::new(1, 3.0, 1.0, -1.0).unwrap());
        let settings = PidSettings { upper: Some(3.0.into()), anti_windup, ..PidSettings::new(1.0, 2.0, 0.0) };
        let pid = b.add("pid", PidOnError::new(1, settings).unwrap());
        b.connect(error.output, pid.error);
        let diagram = b.build().unwrap();
        follows(&diagram, pid.effort, 3.0, |t| vec![(1.0 + integral(t)).min(3.0)]);
        // Just after the turn: raw = integral - 1. With back calculation raw is below the limit, the integral falls by
        // 2 per second.
        let at_turn = integral(3.0);
        if at_turn - 1.0 < 3.0 {
            let mut simulation = simulation(&diagram);
            simulation.advance_to(3.5).unwrap();
            let effort = simulation.output(pid.effort)[0];
            assert!((effort - (at_turn - 1.0 - 1.0)).abs() < TOLERANCE, "{effort}");
        }
    }
}

/// A loop that saturates: without protection it overshoots; with back calculation it does not.
#[test]
fn protection_against_windup_removes_the_overshoot() {
    let peak = |anti_windup| {
        let mut b = DiagramBuilder::new("loop");
        let goal = b.add("goal", Constant::new([1.0]).unwrap());
        let error = b.add("error", Adder::new(1, [1.0, -1.0]).unwrap());
        let (lower, upper) = (Some((-0.1).into()), Some(0.1.into()));
        let settings = PidSettings { lower, upper, anti_windup, ..PidSettings::new(2.0, 1.0, 0.0) };
        let pid = b.add("pid", PidOnError::new(1, settings).unwrap());
        let plant = b.add("plant", Integrator::new([0.0]).unwrap());
        b.connect(goal.output, error.inputs[0]);
        b.connect(plant.output, error.inputs[1]);
        b.connect(error.output, pid.error);
        b.connect(pid.effort, plant.input);
        let mut simulation = Simulation::new(&b.build().unwrap(), Options::dopri5(1e-6)).unwrap();
        let mut peak = 0.0_f64;
        simulation.advance_sampling(40.0, 0.1, |state| peak = peak.max(state.continuous[1])).unwrap();
        peak
    };
    assert!(peak(AntiWindup::Off) > 1.5);
    assert!(peak(AntiWindup::BackCalculation(None)) < 1.05);
    assert!(peak(AntiWindup::Clamping) < 1.05);
}

/// A double integrator under its regulator (K = [1, √3], poles -√3/2 ± i/2) from (1, 0), watched through a Kalman
/// filter that starts right.
#[test]
fn regulator_and_observer() {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, 0.0, 0.0]), matrix(2, 1, &[0.0, 1.0]));
    let one = DMatrix::identity(1, 1);
    let C = matrix(1, 2, &[1.0, 0.0]);
    assert!((lqr_gain(&A, &B, &DMatrix::identity(2, 2), &one).unwrap()[1] - 3.0_f64.sqrt()).abs() < 1e-12);
    let mut b = DiagramBuilder::new("lqg");
    let lqr = b.add("lqr", Lqr::design(&A, &B, &DMatrix::identity(2, 2), &one).unwrap());
    let process_noise = matrix(2, 2, &[0.0, 0.0, 0.0, 4.0]);
    let model = KalmanModel { A, B, C: C.clone(), process_noise, measurement_noise: one };
    let filter = b.add("filter", KalmanFilter::new(model, [1.0, 0.0]).unwrap());
    let mass = b.add("mass", mass([1.0, 0.0]));
    let sensor = b.add(
        "sensor",
        StateSpace::new(DMatrix::zeros(0, 0), DMatrix::zeros(0, 2), DMatrix::zeros(1, 0), C, []).unwrap(),
    );
    b.connect(mass.output, sensor.input);
    b.connect(sensor.output, filter.measurement);
    b.connect(lqr.effort, filter.input);
    b.connect(filter.estimate, lqr.state);
    b.connect(lqr.effort, mass.input);
    let (decay, w) = (3.0_f64.sqrt() / 2.0, 0.5);
    follows(&b.build().unwrap(), mass.output, 8.0, |t| {
        let (sin, cos) = (w * t).sin_cos();
        let envelope = (-decay * t).exp();
        vec![envelope * (cos + decay / w * sin), -envelope * (w + decay * decay / w) * sin]
    });
}

/// The error of an observer that starts wrong decays with the poles of A - L C: L = [2, 2] for an acceleration noise of
/// 4 gives -1 ± i.
#[test]
fn the_error_of_a_kalman_filter_decays_with_its_own_poles() {
    let mut b = DiagramBuilder::new("observer");
    let model = KalmanModel {
        A: matrix(2, 2, &[0.0, 1.0, 0.0, 0.0]),
        B: matrix(2, 1, &[0.0, 1.0]),
        C: matrix(1, 2, &[1.0, 0.0]),
        process_noise: matrix(2, 2, &[0.0, 0.0, 0.0, 4.0]),
        measurement_noise: DMatrix::identity(1, 1),
    };
    let filter = b.add("filter", KalmanFilter::new(model, [1.0, 0.0]).unwrap());
    b.fix(filter.input, [0.0]);
    b.fix(filter.measurement, [0.0]);
    // ë + 2 ė + 2 e = 0 with ė(0) = -2 e(0): e = e^-t (cos t - sin t).
    follows(&b.build().unwrap(), filter.estimate, 6.0, |t| {
        let (sin, cos) = t.sin_cos();
        let e = (-t).exp() * (cos - sin);
        // x̂₂ = ė + 2 e
        vec![e, (-t).exp() * (-2.0 * cos) + 2.0 * e]
    });
}

#[test]
fn lags_and_oscillators_answer_a_step() {
    let mut b = DiagramBuilder::new("steps");
    let one = b.add("one", Constant::new([1.0]).unwrap());
    let lag = b.add("lag", FirstOrderLag::new(1, 0.3, 2.0, 0.5).unwrap());
    let oscillator = b.add("oscillator", SecondOrder::new(1, 3.0, 0.4, 2.0, 0.0).unwrap());
    // 1/((s + 1)(s + 4)) + 1 of a step: 1 + 1/4 - e^-t/3 + e^-4t/12.
    let function = b.add("function", TransferFunction::new(&[1.0, 5.0, 5.0], &[1.0, 5.0, 4.0]).unwrap());
    b.connect(one.output, lag.input);
    b.connect(one.output, oscillator.input);
    b.connect(one.output, function.input);
    let diagram = b.build().unwrap();
    follows(&diagram, lag.output, 3.0, |t| vec![2.0 - 1.5 * (-t / 0.3).exp()]);
    follows(&diagram, function.output, 3.0, |t| vec![1.25 - (-t).exp() / 3.0 + (-4.0 * t).exp() / 12.0]);
    let (decay, w) = (1.2, 3.0 * (1.0_f64 - 0.16).sqrt());
    follows(&diagram, oscillator.state, 5.0, |t| {
        let (sin, cos) = (w * t).sin_cos();
        let envelope = 2.0 * (-decay * t).exp();
        vec![2.0 - envelope * (cos + decay / w * sin), envelope * 9.0 / w * sin]
    });
}

/// The integral of cos t within [-0.5, 0.5]: it stays at a limit until cos changes its sign. From the first limit on it
/// repeats: at 0.5 until π/2, then 0.5 - (1 - sin t) until it reaches -0.5 at t = π, and so on.
#[test]
fn limited_integral_of_a_cosine() {
    let mut b = DiagramBuilder::new("limits");
    let cosine = b.add("cosine", Sine::new(1, 1.0, 1.0, FRAC_PI_2, 0.0).unwrap());
    let settings = IntegratorSettings { lower: Some((-0.5).into()), upper: Some(0.5.into()), reset: None };
    let integral = b.add("integral", Integrator::with([0.0], settings).unwrap());
    b.connect(cosine.output, integral.input);
    follows(&b.build().unwrap(), integral.output, 20.0, |t| {
        if t < FRAC_PI_2 {
            return vec![t.sin().min(0.5)];
        }
        // Half periods from π/2: it goes down in even ones, up in odd ones, by 1 - |sin| until the range of 1 is used
        // up.
        let half = ((t - FRAC_PI_2) / PI).floor();
        let within = t - FRAC_PI_2 - half * PI;
        let moved = (1.0 - within.cos()).min(1.0);
        vec![if half % 2.0 == 0.0 { 0.5 - moved } else { -0.5 + moved }]
    });
}

/// A sawtooth: the integral of 1, reset by the edges of a square wave at 1, 2, 3 s; a counter counts the same edges.
#[test]
fn edges_reset_an_integral_and_are_counted() {
    let mut b = DiagramBuilder::new("edges");
    let one = b.add("one", Constant::new([1.0]).unwrap());
    let pulse = b.add("pulse", Pulse::new(1, 1.0, 1.0, 0.5, 1.0).unwrap());
    let settings = IntegratorSettings { reset: Some(Restart::on(Crossing::Rising)), ..IntegratorSettings::default() };
    let sawtooth = b.add("sawtooth", Integrator::with([0.25], settings).unwrap());
    let counter = b.add("counter", Counter::new(0.5, Some(3)).unwrap());
    b.connect(one.output, sawtooth.input);
    b.connect(pulse.output, sawtooth.reset.unwrap());
    b.connect(pulse.output, counter.input);
    let diagram = b.build().unwrap();
    follows(&diagram, sawtooth.output, 5.0, |t| vec![0.25 + t.fract()]);
    follows(&diagram, counter.output, 5.0, |t| vec![t.floor() % 3.0]);
}

/// A sine counted: it rises through 0.5 at 1/12 of each period of 0.4 s.
#[test]
fn crossings_inside_steps_are_counted() {
    let mut b = DiagramBuilder::new("crossings");
    let sine = b.add("sine", Sine::new(1, 1.0, 5.0 * PI, 0.0, 0.0).unwrap());
    let counter = b.add("counter", Counter::new(0.5, None).unwrap());
    // Something whose error makes steps shorter than the period.
    let follower = b.add("follower", FirstOrderLag::new(1, 0.1, 1.0, 0.0).unwrap());
    b.connect(sine.output, counter.input);
    b.connect(sine.output, follower.input);
    follows(&b.build().unwrap(), counter.output, 4.0, |t| vec![(t / 0.4 + 11.0 / 12.0).floor()]);
}

/// Every delay of a ramp is exact; for a sampled ramp all values are known.
#[test]
fn a_ramp_delayed_and_sampled() {
    let mut b = DiagramBuilder::new("samples");
    let ramp = b.add("ramp", Ramp::new(1, 2.0, 0.0, 0.0, None).unwrap());
    let (period, offset) = (0.25, 0.125);
    let sampling = Sampling { period, offset };
    let delay = b.add("delay", TransportDelay::new(1, 0.7, 0.1, 0.0).unwrap());
    let hold = b.add("hold", ZeroOrderHold::new(1, sampling, -1.0).unwrap());
    let last = b.add("last", UnitDelay::new(1, sampling, -1.0).unwrap());
    let rate = b.add("rate", DiscreteDerivative::new(1, sampling).unwrap());
    // y_k = y_(k-1)/2 + u_k
    let equation = b.add("equation", DiscreteTransferFunction::new(&[1.0, 0.0], &[1.0, -0.5], sampling).unwrap());
    for input in [delay.input, hold.input, last.input, rate.input, equation.input] {
        b.connect(ramp.output, input);
    }
    let diagram = b.build().unwrap();
    // The number of the latest event; -1 before the first.
    let latest = |t: f64| ((t - offset) / period).floor();
    let sample = |k: f64| 2.0 * (offset + k * period);
    follows(&diagram, delay.output, 3.0, |t| vec![2.0 * (t - 0.7).max(0.0)]);
    follows(&diagram, hold.output, 3.0, |t| vec![if latest(t) < 0.0 { -1.0 } else { sample(latest(t)) }]);
    follows(&diagram, last.output, 3.0, |t| vec![if latest(t) < 1.0 { -1.0 } else { sample(latest(t) - 1.0) }]);
    follows(&diagram, rate.output, 3.0, |t| vec![if latest(t) < 1.0 { 0.0 } else { 2.0 }]);
    // Σ_j 2^-j u_(k-j) = 2 Σ 2^-j (offset + (k-j) period)
    follows(&diagram, equation.output, 3.0, |t| {
        let k = latest(t);
        vec![(0..=k.max(-1.0) as i64).map(|j| 0.5_f64.powi(j as i32) * sample(k - j as f64)).sum()]
    });
}

/// A loop with a delay: ẋ = -x(t - 1) from x = 1, with x = 0 before. By the method of steps x = 1 on [0, 1], then 1 -
/// (t - 1), then that plus (t - 2)²/2; up to there the delayed signal is linear between samples.
#[test]
fn a_delayed_loop_by_the_method_of_steps() {
    let mut b = DiagramBuilder::new("loop");
    let x = b.add("x", Integrator::new([1.0]).unwrap());
    let delay = b.add("delay", TransportDelay::new(1, 1.0, 0.01, 0.0).unwrap());
    let minus = b.add("minus", Gain::new(1, -1.0).unwrap());
    b.connect(x.output, delay.input);
    b.connect(delay.output, minus.input);
    b.connect(minus.output, x.input);
    let past = |t: f64, k: f64| (t - k).max(0.0);
    follows(&b.build().unwrap(), x.output, 3.0, |t| vec![1.0 - past(t, 1.0) + past(t, 2.0).powi(2) / 2.0]);
}
