//! One pass computes what the equations say, at both scalars.

use crate::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Gain, Integrator};

/// ẋ = v, v̇ = effort of a PID that drives [x; v] to [1; 0], written with two integrators' worth of state in one.
fn servo() -> (Diagram, kinegraph_systems::Out<kinegraph_systems::Dyn>) {
    let mut b = DiagramBuilder::new("servo");
    // The controller is inserted before what it reads: order of insertion is not order of evaluation.
    let pid = b.add("pid", Pid::new(1, 100.0, 5.0, 7.0).unwrap());
    let plant = b.add("plant", Integrator::new([0.1, 0.2]).unwrap());
    let rates = b.add("rates", Gain::new(2, 1.0).unwrap());
    b.connect(plant.output, pid.measured);
    b.fix(pid.desired, [1.0, 0.0]);
    b.fix(rates.input, [0.0, 0.0]);
    b.connect(rates.output, plant.input);
    (b.build().unwrap(), pid.effort)
}

#[test]
fn a_controller_inserted_before_its_measurement_sees_it() {
    let (diagram, effort) = servo();
    let mut values = diagram.values::<f64>();
    let mut state = diagram.initial_state();
    let integral = diagram.blocks()[0].state.start;
    state.continuous[integral] = 0.2;
    diagram.evaluate(0.0, &state.continuous, &mut values);
    let u = diagram.read(effort, &values).unwrap()[0];
    // 100 (1 - 0.1) + 7 (0 - 0.2) + 5 0.2
    assert!((u - 89.6).abs() < 1e-12, "{u}");
    let mut rates = vec![0.0; diagram.state_width()];
    diagram.derivatives(0.0, &state.continuous, &values, &mut rates);
    assert_eq!(rates, [0.9, 0.0, 0.0]);
}
