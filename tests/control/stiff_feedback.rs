//! Feedback is implicit within a step: stiff gains cost no steps, external state included, and act with the right sign.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::linearize::Feedback;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::Pid;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::sources::Trajectory;
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};

/// A slider of 1 kg under PID control towards (position, velocity), starting at (q0, v0), with a constant disturbing
/// force.
fn servo(gains: [f64; 3], desired: [f64; 2], start: [f64; 2], disturbance: f64) -> Diagram {
    let plant = PlantBuilder::new().model("s", slider(1.0), Base::fixed()).initial("s/x", start[0], start[1]);
    let mut b = DiagramBuilder::new("servo");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(1, gains[0], gains[1], gains[2]).unwrap());
    b.connect(plant.state("s"), pid.measured);
    b.connect(pid.effort, plant.actuation("s"));
    b.fix(pid.desired, desired);
    b.fix(plant.applied_generalized_force("s"), [disturbance]);
    b.build().unwrap()
}

fn critically_damped(kp: f64) -> Diagram {
    servo([kp, 0.0, 2.0 * kp.sqrt()], [0.5, 0.0], [0.0; 2], 0.0)
}

#[test]
fn steps_do_not_grow_with_the_gain() {
    let steps: Vec<usize> = [1e2, 1e3, 1e4, 1e5, 1e6]
        .map(|kp| {
            let simulation = run(&critically_damped(kp), cenic(1e-3), 2.0);
            let error = (simulation.state().continuous[0] - 0.5).abs();
            assert!(error < 1e-3, "{error:e} at kp = {kp}");
            simulation.statistics().steps + simulation.statistics().rejected_steps
        })
        .into();
    assert!(steps.iter().all(|steps| *steps <= 85), "{steps:?}");
}

#[test]
fn explicit_feedback_needs_many_more_steps() {
    let diagram = critically_damped(1e6);
    let implicit = run(&diagram, cenic(1e-3), 2.0).statistics().steps;
    let options = Options { feedback: Feedback::Explicit, ..cenic(1e-3) };
    let mut explicit = Simulation::new(&diagram, options).unwrap();
    // Enough of the run to judge by.
    let reached = (0..5 * implicit).try_for_each(|_| match explicit.time() < 2.0 {
        true => explicit.step(2.0).map(|_| ()),
        false => Ok(()),
    });
    assert!(
        reached.is_err() || explicit.time() < 2.0,
        "{implicit} implicit steps, {} explicit",
        explicit.statistics().steps
    );
}

#[test]
fn integral_state_is_implicit() {
    // Stable below ki = kp kd = 2e6. At rest the integral carries the disturbance: ki z = -3 N.
    let gains = [1e4, 9e5, 200.0];
    let diagram = servo(gains, [0.5, 0.0], [0.5, 0.0], 3.0);
    let simulation = run(&diagram, cenic(1e-3), 3.0);
    let [q, v, z] = simulation.state().continuous[..] else { panic!("three states") };
    assert!((q - 0.5).abs() < 1e-5 && v.abs() < 1e-3, "q = {q}, v = {v}");
    assert!((z * gains[1] + 3.0).abs() < 0.05, "ki z = {}", z * gains[1]);
    let attempts = simulation.statistics().steps + simulation.statistics().rejected_steps;
    assert!(attempts < 150, "{attempts}");
}

/// The setpoint moves at 0.5 m/s; the slider starts on it.
fn ramp() -> Diagram {
    let plant = PlantBuilder::new().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.0, 0.5);
    let mut b = DiagramBuilder::new("ramp");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(1, 100.0, 0.0, 20.0).unwrap());
    let knots = vec![vec![0.5], vec![0.5]];
    let goal = Trajectory::with_velocities(vec![0.0, 10.0], vec![vec![0.0], vec![5.0]], knots).unwrap();
    let goal = b.add("goal", goal);
    b.connect(goal.state, pid.desired);
    b.connect(plant.state("s"), pid.measured);
    b.connect(pid.effort, plant.actuation("s"));
    b.build().unwrap()
}

#[test]
fn a_moving_setpoint_is_followed_without_lag() {
    for (options, bound) in [(cenic(1e-3), 1e-3), (cenic(1e-5), 1e-5), (icf(1e-3), 1e-12), (icf(1e-2), 1e-12)] {
        let lag = run(&ramp(), options, 2.0).state().continuous[0] - 1.0;
        assert!(lag.abs() < bound, "{lag:e} with {:?}", options.integrator);
    }
}

#[test]
fn a_desired_velocity_has_its_sign() {
    // At rest kp (0 - q) + kd (0.5 - 0) = 0: q = +0.1.
    for options in [cenic(1e-3), icf(1e-3)] {
        let end = run(&servo([100.0, 0.0, 20.0], [0.0, 0.5], [0.0; 2], 0.0), options, 3.0);
        let q = end.state().continuous[0];
        assert!((q - 0.1).abs() < 1e-6, "{q}");
    }
}

#[test]
fn a_gain_that_destabilizes_acts_explicitly() {
    // x¨ = 50 x from x = 0.01: 0.01 cosh(sqrt(50) t).
    let diagram = servo([-50.0, 0.0, 0.0], [0.0; 2], [0.01, 0.0], 0.0);
    let exact = 0.01 * 50.0_f64.sqrt().cosh();
    for (accuracy, bound) in [(1e-4, 0.2), (1e-6, 0.02)] {
        let q = run(&diagram, cenic(accuracy), 1.0).state().continuous[0];
        assert!((q / exact - 1.0).abs() < bound, "{q} instead of {exact}");
    }
    let q = run(&diagram, icf(1e-4), 1.0).state().continuous[0];
    assert!((q / exact - 1.0).abs() < 5e-3, "{q} instead of {exact}");
}

/// sin(6 t + 0.7).
struct Sine {
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Sine {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [(S::constant(6.0) * ctx.time + S::constant(0.7)).sin()]);
    }
}

#[test]
fn an_open_loop_force_is_read_at_the_middle_of_the_step() {
    let mut b = DiagramBuilder::new("sine");
    let plant = b.add("plant", PlantBuilder::new().model("s", slider(1.0), Base::fixed()).build().unwrap());
    let mut ports = Ports::new();
    let sine = b.add("sine", Sine { output: ports.output("output"), ports });
    b.connect(sine.output, plant.applied_generalized_force("s"));
    let diagram = b.build().unwrap();
    let exact = (0.7_f64.cos() - 6.7_f64.cos()) / 6.0;
    let errors = [0.02, 0.01, 0.005].map(|h| (run(&diagram, icf(h), 1.0).state().continuous[1] - exact).abs());
    for pair in errors.windows(2) {
        assert!((3.8..4.2).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn a_nearly_infinite_gain_ends_in_a_result_not_a_panic() {
    for kp in [1e12, 1e100, 1e300] {
        let mut simulation = Simulation::new(&servo([kp, 0.0, kp], [0.5, 0.0], [0.0; 2], 0.0), cenic(1e-3)).unwrap();
        let result = simulation.advance_to(0.1);
        assert!(simulation.state().continuous.iter().all(|x| x.is_finite()), "{kp}: {result:?}");
    }
}
