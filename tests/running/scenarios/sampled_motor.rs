//! A motor under two sampled controllers. Between two updates the voltage is constant and the motor linear, so that the
//! motion from one update to the next is a matrix exponential: `d/dt (x, u) = (A x + B u, 0)`. All instants are whole
//! milliseconds.

use super::{check, open};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::Sampling;
use kinegraph::systems::dynamics::{DiscreteTransferFunction, StateSpace, ZeroOrderHold};
use kinegraph::systems::operators::{Adder, Demultiplexer, Gain};
use kinegraph::systems::sources::Constant;
use nalgebra::{DMatrix, Matrix3, Vector3};

fn by_hand() -> DiagramBuilder {
    let matrix = |rows, columns, values: &[f64]| DMatrix::from_row_slice(rows, columns, values);
    let mut b = DiagramBuilder::new("sampled_motor");
    let goal = b.add("goal", Constant::new([100.0]).unwrap());
    let speed_error = b.add("speed_error", Adder::new(1, [1.0, -1.0]).unwrap());
    let slow = Sampling::every(0.01);
    let speed_control =
        b.add("speed_control", DiscreteTransferFunction::new(&[0.155, -0.15], &[1.0, -1.0], slow).unwrap());
    let fast = Sampling { period: 0.003, offset: 0.001 };
    let current = b.add("current", ZeroOrderHold::new(1, fast, 0.0).unwrap());
    let current_error = b.add("current_error", Adder::new(1, [1.0, -1.0]).unwrap());
    let current_control = b.add("current_control", Gain::new(1, 4.0).unwrap());
    let (A, B) = (matrix(2, 2, &[-100.0, -5.0, 100.0, -1.0]), matrix(2, 1, &[50.0, 0.0]));
    let motor = StateSpace::new(A, B, DMatrix::identity(2, 2), DMatrix::zeros(2, 1), [0.0, 0.0]);
    let motor = b.add("motor", motor.unwrap());
    let sensors = b.add("sensors", Demultiplexer::new(&[1, 1]).unwrap());
    b.connect(goal.output, speed_error.inputs[0]);
    b.connect(sensors.outputs[1], speed_error.inputs[1]);
    b.connect(speed_error.output, speed_control.input);
    b.connect(speed_control.output, current_error.inputs[0]);
    b.connect(current.output, current_error.inputs[1]);
    b.connect(current_error.output, current_control.input);
    b.connect(current_control.output, motor.input);
    b.connect(motor.output, sensors.input);
    b.connect(sensors.outputs[0], current.input);
    b
}

/// Current and speed at `t`.
fn exact(t: f64) -> Vec<f64> {
    // States i, w and the constant voltage u.
    let A = Matrix3::new(-100.0, -5.0, 50.0, 100.0, -1.0, 0.0, 0.0, 0.0, 0.0);
    let millisecond = (A * 1e-3).exp();
    let mut x = Vector3::zeros();
    let (mut wanted, mut last_error, mut current) = (0.0, 0.0, 0.0);
    let whole = (t * 1e3 + 1e-9).floor();
    for k in 0..=whole as u32 {
        let (i, w) = (x[0], x[1]);
        if k % 10 == 0 {
            // y(k) = y(k-1) + 0.155 e(k) - 0.15 e(k-1)
            let error = 100.0 - w;
            wanted += 0.155 * error - 0.15 * last_error;
            last_error = error;
        }
        if k % 3 == 1 {
            current = i;
        }
        x[2] = 4.0 * (wanted - current);
        if f64::from(k) < whole {
            x = millisecond * x;
        }
    }
    x = (A * (t - whole * 1e-3)).exp() * x;
    vec![x[0], x[1]]
}

#[test]
fn two_rates_that_do_not_divide_each_other() {
    let scenario = open("examples/sampled_motor/sampled_motor.yaml", by_hand());
    check(&scenario, &["motor"], exact);
    // The controllers reach their goal.
    assert!((exact(scenario.duration)[1] - 100.0).abs() < 2.0, "{:?}", exact(scenario.duration));
}
