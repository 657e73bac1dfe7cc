//! A position loop around a speed loop. With states s (integral of the speed error), w and q the closed loop is
//!
//! ```text
//! s' = r - w,   0.2 w' = 10 (0.5 (r - w) + 4 s) - w,   q' = w,   r = 5 (goal - q):
//! ```
//!
//! linear under a constant goal, so that its motion is a matrix exponential.

use super::{check, open};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::control::{PidOnError, PidSettings};
use kinegraph::systems::dynamics::FirstOrderLag;
use kinegraph::systems::operators::{Adder, Gain, Integrator};
use kinegraph::systems::sources::Step;
use nalgebra::{Matrix4, Vector4};

fn speed_loop() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("speed_loop");
    let error = b.add("error", Adder::new(1, [1.0, -1.0]).unwrap());
    let control = b.add("control", PidOnError::new(1, PidSettings::new(0.5, 4.0, 0.0)).unwrap());
    let motor = b.add("motor", FirstOrderLag::new(1, 0.2, 10.0, 0.0).unwrap());
    b.connect(motor.output, error.inputs[1]);
    b.connect(error.output, control.error);
    b.connect(control.effort, motor.input);
    b.export_input("reference", error.inputs[0]);
    b.export_output("speed", motor.output);
    b.export_output("voltage", control.effort);
    b
}

fn by_hand() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("cascade");
    let goal = b.add("goal", Step::new(1, 0.1, 0.0, 2.0).unwrap());
    let error = b.add("error", Adder::new(1, [1.0, -1.0]).unwrap());
    let control = b.add("control", Gain::new(1, 5.0).unwrap());
    b.add_diagram("speed_loop", speed_loop());
    let position = b.add("position", Integrator::new([0.0]).unwrap());
    b.connect(goal.output, error.inputs[0]);
    b.connect(position.output, error.inputs[1]);
    b.connect(error.output, control.input);
    b.connect_paths("control.output", "speed_loop.reference");
    b.connect_paths("speed_loop.speed", "position.input");
    b
}

/// Integral, speed and position at `t`.
fn exact(t: f64) -> Vec<f64> {
    // With the goal as a fourth, constant state.
    #[rustfmt::skip]
    let A = Matrix4::new(
        0.0, -1.0, -5.0, 5.0,
        200.0, -30.0, -125.0, 125.0,
        0.0, 1.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0,
    );
    let x = (A * (t - 0.1).max(0.0)).exp() * Vector4::new(0.0, 0.0, 0.0, 2.0);
    vec![x[0], x[1], x[2]]
}

#[test]
fn a_position_loop_around_a_speed_loop() {
    let scenario = open("examples/cascade/cascade.yaml", by_hand());
    check(&scenario, &["speed_loop/control", "speed_loop/motor", "position"], exact);
    assert!((exact(scenario.duration)[2] - 2.0).abs() < 0.05);
}
