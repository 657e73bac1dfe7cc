//! Motors alone, and driving joints.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::machines::{DcMotor, DcMotorSettings};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::operators::Demultiplexer;
use kinegraph::systems::sources::Step;
use kinegraph::systems::{Dyn, Out};
use nalgebra::{DMatrix, DVector};

/// The rotor held; the voltage steps from 24 V to 4 V at 0.02 s.
fn held(settings: DcMotorSettings) -> (Diagram, Out<Dyn>) {
    let mut b = DiagramBuilder::new("winding");
    let motor = b.add("motor", DcMotor::new(1, settings).unwrap());
    let voltage = b.add("voltage", Step::new(1, 0.02, 24.0, 4.0).unwrap());
    b.connect(voltage.output, motor.voltage);
    b.fix(motor.velocity, [0.0]);
    (b.build().unwrap(), motor.current)
}

/// L/R = 5 ms, U/R = 12 A, then 2 A.
#[test]
fn the_current_rises_and_falls_exponentially() {
    let (diagram, current) = held(DcMotorSettings::new(2.0, 0.01, 0.05));
    let mut simulation = Simulation::new(&diagram, Options::dopri5(1e-10)).unwrap();
    let decay = |t: f64| (-t / 0.005).exp();
    for i in 1..40 {
        let t = 1e-3 * i as f64;
        simulation.advance_to(t).unwrap();
        let turn = 12.0 * (1.0 - decay(0.02));
        let expected = if t < 0.02 { 12.0 * (1.0 - decay(t)) } else { 2.0 + (turn - 2.0) * decay(t - 0.02) };
        let found = simulation.output(current)[0];
        assert!((found - expected).abs() < 1e-8, "at {t}: {found} instead of {expected}");
    }
}

/// The current reaches 9 A at 5 ms ln 4, stays there, and falls as soon as the voltage does.
#[test]
fn the_current_stays_at_its_limit() {
    let (diagram, current) =
        held(DcMotorSettings { current_limit: Some(9.0.into()), ..DcMotorSettings::new(2.0, 0.01, 0.05) });
    let mut simulation = Simulation::new(&diagram, Options::dopri5(1e-10)).unwrap();
    let decay = |t: f64| (-t / 0.005).exp();
    let reached = 0.005 * 4.0_f64.ln();
    for i in 1..80 {
        let t = 5e-4 * i as f64;
        simulation.advance_to(t).unwrap();
        let expected = match t {
            t if t < reached => 12.0 * (1.0 - decay(t)),
            t if t <= 0.02 => 9.0,
            t => 2.0 + 7.0 * decay(t - 0.02),
        };
        let found = simulation.output(current)[0];
        assert!((found - expected).abs() < 1e-8, "at {t}: {found} instead of {expected}");
    }
}

/// A motor on the carriage of a slider; its velocity is the second half of the state.
fn drive(plant: PlantBuilder, settings: DcMotorSettings, volts: f64) -> (Diagram, Out<Dyn>) {
    let mut b = DiagramBuilder::new("drive");
    let motor = b.add("motor", DcMotor::new(1, settings).unwrap());
    let plant = b.add("plant", plant.build().unwrap());
    let parts = b.add("parts", Demultiplexer::new(&[1, 1]).unwrap());
    b.connect(plant.state("slider"), parts.input);
    b.connect(parts.outputs[1], motor.velocity);
    b.connect(motor.torque, plant.actuation("slider"));
    b.fix(motor.voltage, [volts]);
    (b.build().unwrap(), motor.current)
}

/// ẋ = v, m v̇ = N k i - b v, L di/dt = U - R i - k N v.
#[test]
fn a_motor_on_a_carriage_follows_the_matrix_exponential() {
    let (m, b, N, k, R, U) = (2.0, 3.0, 40.0, 0.05, 1.5, 6.0);
    for L in [0.03, 1e-3, 0.0] {
        let mut model = slider(m);
        model.joints[0].damping = b;
        let settings = DcMotorSettings { gear_ratio: N.into(), ..DcMotorSettings::new(R, L, k) };
        let plant = PlantBuilder::new().model("slider", model, Base::fixed()).initial("slider/x", 0.1, -0.5);
        let (diagram, current) = drive(plant, settings, U);
        // States x, v, i, and 1; without inductance the current is (U - k N v)/R.
        let mut A = DMatrix::zeros(4, 4);
        let mut start = DVector::from_column_slice(&[0.1, -0.5, 0.0, 1.0]);
        A[(0, 1)] = 1.0;
        A[(1, 1)] = -b / m;
        if L > 0.0 {
            A[(1, 2)] = N * k / m;
            A.row_mut(2).copy_from_slice(&[0.0, -k * N / L, -R / L, U / L]);
        } else {
            A[(1, 1)] -= (N * k) * (N * k) / (R * m);
            A[(1, 3)] = N * k * U / (R * m);
            start[2] = 0.0;
        }
        let mut simulation = Simulation::new(&diagram, cenic(1e-6)).unwrap();
        for time in [0.02, 0.1, 0.3, 1.0, 3.0] {
            simulation.advance_to(time).unwrap();
            let expected = (&A * time).exp() * &start;
            let state = simulation.state().continuous.clone();
            let plant = if L > 0.0 { 1 } else { 0 };
            let i = if L > 0.0 { expected[2] } else { (U - k * N * expected[1]) / R };
            let found = [state[plant], state[plant + 1], simulation.output(current)[0]];
            for (found, (expected, bound)) in found.iter().zip([(expected[0], 1e-5), (expected[1], 1e-4), (i, 1e-3)]) {
                assert!((found - expected).abs() < bound, "L = {L}, at {time}: {found} instead of {expected}");
            }
        }
    }
}

/// A hoist: raising 20 kg takes m g/(η N k) and lowering it η m g/(N k) of current; the voltage left makes the speed.
#[test]
fn a_lossy_gear_needs_more_current_up_than_down() {
    let (m, N, k, R, efficiency, g) = (20.0, 100.0, 0.05, 1.0, 0.7, 9.81);
    for (volts, power) in [(96.0, 1.0), (10.0, -1.0)] {
        let settings = DcMotorSettings {
            gear_ratio: N.into(),
            efficiency: efficiency.into(),
            reversal_speed: 1e-3.into(),
            ..DcMotorSettings::new(R, 1e-3, k)
        };
        // The carriage runs along x; so does the weight, backwards.
        let plant = PlantBuilder::new().gravity([-g, 0.0, 0.0]).model("slider", slider(m), Base::fixed());
        let (diagram, current) = drive(plant, settings, volts);
        let mut simulation = run(&diagram, cenic(1e-5), 30.0);
        let i = m * g / (N * k * f64::powf(efficiency, power));
        let speed = (volts - R * i) / (N * k);
        let found = (simulation.output(current)[0], *simulation.state().continuous.last().unwrap());
        assert!(speed * power > 1.0, "{speed}");
        assert!((found.0 - i).abs() < 1e-4 && (found.1 - speed).abs() < 1e-4, "{found:?} instead of {i} {speed}");
    }
}
