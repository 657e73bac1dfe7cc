//! Actuators never exceed their limit. Without contact the effort that acted in a step is
//! `M(q0) (v - v0)/h + k(q0, v0)`.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::linearize::Feedback;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::{InverseDynamicsController, Pid};
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::plant::Constraint;
use kinegraph::systems::multibody::{Base, Model, MultibodyPlant, PlantBuilder};
use proptest::array::uniform7;
use proptest::prelude::*;
use std::path::Path;

/// The plant is block 0 and a single tree.
fn acting_effort(diagram: &Diagram, before: &State, after: &State) -> Vec<f64> {
    let plant = diagram.blocks()[0].system.as_plant().unwrap();
    let (nq, nv) = (plant.structure().num_positions, plant.structure().num_velocities);
    let mut point = PlantPoint::default();
    plant.evaluate(&before.continuous[..nq], &before.continuous[nq..nq + nv], &mut point);
    let h = after.time - before.time;
    let rate = |j: usize| (after.continuous[nq + j] - before.continuous[nq + j]) / h;
    (0..nv).map(|i| point.bias[i] + (0..nv).map(|j| point.mass_matrix[j * nv + i] * rate(j)).sum::<f64>()).collect()
}

fn limited_pendulum() -> Model {
    let mut model = double_pendulum();
    model.joints[0].effort = 0.1;
    model.joints[1].effort = 0.2;
    model
}

#[test]
fn a_constant_input_beyond_the_limit_gives_exactly_the_limit() {
    let mut b = DiagramBuilder::new("pushed");
    let plant = b.add("plant", PlantBuilder::new().model("dp", limited_pendulum(), Base::fixed()).build().unwrap());
    b.fix(plant.actuation("dp"), [10.0, -10.0]);
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, icf(1e-2)).unwrap();
    for _ in 0..50 {
        let before = simulation.state().clone();
        // A time at which the step length has no rounding.
        simulation.set_state(State { time: 0.0, ..before }).unwrap();
        let before = simulation.state().clone();
        simulation.step(1.0).unwrap();
        let effort = acting_effort(&diagram, &before, simulation.state());
        assert!((effort[0] - 0.1).abs() < 1e-12 && (effort[1] + 0.2).abs() < 1e-12, "{effort:?}");
    }
}

/// In one step from rest, a limited joint has exactly its limit, up to rounding, and another joint the required effort.
#[test]
fn the_effort_of_one_step_is_exact() {
    for (asked, given) in [([10.0, 10.0], [0.1, 0.2]), ([-10.0, 0.15], [-0.1, 0.15])] {
        let plant = PlantBuilder::new().model("dp", limited_pendulum(), Base::fixed());
        let mut b = DiagramBuilder::new("pushed");
        let plant = b.add("plant", plant.initial("dp/j1", 0.3, 0.0).initial("dp/j2", -0.2, 0.0).build().unwrap());
        b.fix(plant.actuation("dp"), asked);
        let diagram = b.build().unwrap();
        let mut simulation = Simulation::new(&diagram, icf(1e-2)).unwrap();
        let before = simulation.state().clone();
        simulation.step(1.0).unwrap();
        let effort = acting_effort(&diagram, &before, simulation.state());
        for (effort, given) in effort.iter().zip(given) {
            // Rounding of the terms of the sum, up to 10 N m.
            assert!((effort - given).abs() <= 40.0 * f64::EPSILON, "{effort} instead of {given}");
        }
    }
}

/// The seven-joint arm with effort limits that differ by joint; its controllers pull it to zero.
fn arm(limits: &[f64; 7]) -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/arm7/arm.urdf");
    let mut model = read_urdf(&file).unwrap().model;
    for (joint, limit) in model.joints.iter_mut().zip(limits) {
        joint.effort = *limit;
    }
    model
}

fn plant(model: Model, q: [f64; 7], v: [f64; 7]) -> MultibodyPlant {
    let mut plant = PlantBuilder::new().model("arm", model, Base::fixed());
    for i in 0..7 {
        plant = plant.initial(format!("arm/joint{}", i + 1), q[i], v[i]);
    }
    plant.build().unwrap()
}

/// Under stiff decentralised control.
fn limited_arm(limits: [f64; 7], kp: f64) -> Diagram {
    let mut b = DiagramBuilder::new("arm");
    let plant = b.add("plant", plant(arm(&limits), [0.4, -0.6, 0.3, -1.2, 0.5, 1.0, -0.3], [0.0; 7]));
    let pid = b.add("pid", Pid::new(7, kp, 0.0, 2.0 * kp.sqrt()).unwrap());
    b.connect(plant.state("arm"), pid.measured);
    b.connect(pid.effort, plant.actuation("arm"));
    b.fix(pid.desired, [0.0; 14]);
    b.build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The gains of computed-torque control couple all joints: one clamped effort changes the effects of the others.
    #[test]
    fn coupled_feedback_never_exceeds_the_limits(
        q in uniform7(-1.5..1.5),
        v in uniform7(-2.0..2.0),
        exponents in uniform7(-0.3..2.0),
        (h, kp) in (prop::sample::select(&[1e-3, 1e-2, 5e-2][..]), prop::sample::select(&[1e2, 1e4][..])),
    ) {
        let model = arm(&exponents.map(|e| 10.0_f64.powf(e)));
        let mut b = DiagramBuilder::new("arm");
        let c = InverseDynamicsController::new(&model, [0.0, 0.0, -9.81], kp, 0.0, 2.0 * kp.sqrt()).unwrap();
        let (plant, c) = (b.add("plant", plant(model, q, v)), b.add("controller", c));
        b.connect(plant.state("arm"), c.estimated_state);
        b.connect(c.generalized_force, plant.actuation("arm"));
        b.fix(c.desired_state, [0.0; 14]);
        let diagram = b.build().unwrap();
        let mut simulation = Simulation::new(&diagram, icf(h)).unwrap();
        for _ in 0..5 {
            let before = simulation.state().clone();
            simulation.step(1.0).unwrap();
            let after = simulation.state();
            // The solver's tolerance, as a force.
            let fastest = before.continuous[7..].iter().chain(&after.continuous[7..]).fold(0.0_f64, |m, v| m.max(v.abs()));
            let slack = 1e-8 * 10.0 * fastest / h;
            for (effort, limit) in acting_effort(&diagram, &before, after).iter().zip(exponents) {
                let limit = 10.0_f64.powf(limit);
                prop_assert!(effort.abs() <= limit * (1.0 + 1e-5) + slack, "{} beyond {}", effort, limit);
            }
            if fastest > 50.0 {
                break; // long steps of fast motion: rounding of large terms
            }
        }
    }
}

#[test]
fn feedback_never_exceeds_the_limits() {
    for (limits, kp) in
        [([87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0], 1e4), ([60.0, 90.0, 40.0, 30.0, 8.0, 4.0, 1.0], 100.0)]
    {
        let diagram = limited_arm(limits, kp);
        let mut simulation = Simulation::new(&diagram, icf(2e-3)).unwrap();
        let (mut at_limit, mut within) = (0, 0);
        while simulation.time() < 0.6 {
            let before = simulation.state().clone();
            simulation.step(0.6).unwrap();
            for (effort, limit) in acting_effort(&diagram, &before, simulation.state()).iter().zip(limits) {
                assert!(effort.abs() <= limit * (1.0 + 1e-6), "{effort} beyond {limit} at {}", before.time);
                if effort.abs() > limit * (1.0 - 1e-6) { at_limit += 1 } else { within += 1 }
            }
        }
        // The run has both.
        assert!(at_limit > 20 && within > 20, "{at_limit} at the limit, {within} within");
    }
}

#[test]
fn explicit_feedback_obeys_the_limits_too() {
    let limits = [60.0, 90.0, 40.0, 30.0, 8.0, 4.0, 1.0];
    let diagram = limited_arm(limits, 100.0);
    let options = Options { feedback: Feedback::Explicit, ..icf(1e-3) };
    let mut simulation = Simulation::new(&diagram, options).unwrap();
    while simulation.time() < 0.1 {
        let before = simulation.state().clone();
        simulation.step(0.1).unwrap();
        for (effort, limit) in acting_effort(&diagram, &before, simulation.state()).iter().zip(limits) {
            assert!(effort.abs() <= limit * (1.0 + 1e-6), "{effort} beyond {limit}");
        }
    }
}

/// A motor that requires more than its limit drives a carriage through a gear against its stop and rests there. Momenta
/// vanish, and a tolerance relative to them: the residual balance of motor, gear and stop is rounding.
#[test]
fn a_motor_at_its_limit_rests_on_a_stop_behind_a_gear() {
    let (limit, ratio, room) = (2.0, 20.0, 0.25);
    let mut motor = slider(0.5);
    motor.joints[0].effort = limit;
    let mut carriage = slider(2.0);
    carriage.joints[0].limits = (-0.5, room);
    let plant = weightless().model("motor", motor, Base::fixed()).model("carriage", carriage, Base::fixed());
    let plant = plant.constraint(Constraint::coupler("gear", ["motor/x", "carriage/x"], ratio, 0.0));
    let mut b = DiagramBuilder::new("pressing");
    let plant = b.add("plant", plant.build().unwrap());
    let pid = b.add("pid", Pid::new(1, 50.0, 20.0, 1.0).unwrap());
    b.connect(plant.state("motor"), pid.measured);
    b.fix(pid.desired, [8.0, 0.0]);
    b.connect(pid.effort, plant.actuation("motor"));
    let diagram = b.build().unwrap();
    for options in [icf(1e-2), icf(1e-3), cenic(1e-2), cenic(1e-4), Options::cenic_trapezoid(1e-3)] {
        for feedback in [Feedback::Full, Feedback::Diagonal, Feedback::Explicit] {
            let mut simulation = run(&diagram, Options { feedback, ..options }, 3.0);
            let read = |simulation: &mut Simulation, name: &str| simulation.channel(name).unwrap();
            let stop = read(&mut simulation, "plant.carriage.x.stop");
            let q = read(&mut simulation, "plant.carriage.x.q");
            // A stop yields by twice what the load would move in a thousandth of a step.
            assert!((q - room).abs() < 1e-3, "{options:?} {feedback:?}: {q}");
            if options.step.is_some() {
                assert!((stop + limit * ratio).abs() < 1e-6, "{options:?} {feedback:?}: {stop}");
            }
        }
    }
}
