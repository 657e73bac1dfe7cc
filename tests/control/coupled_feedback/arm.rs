//! An arm under computed torque.
//!
//! With an exact model it leaves `q'' = a_d + kp (q_d - q) + kd (v_d - v) + ki z` in every joint, whatever the arm: the
//! reference is that equation alone. The arm and its motion are those of `tests/data/scenes/franka`.

use super::reference::{Reference, follow};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::control::InverseDynamicsController;
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, Model, PlantBuilder};
use kinegraph::systems::sources::Trajectory;
use nalgebra::DVector;
use std::path::Path;

pub const A: [f64; 7] = [0.0, -0.2, 0.0, -2.0, 0.0, 1.8, std::f64::consts::FRAC_PI_4];
pub const B: [f64; 7] = [0.8, 0.3, -0.3, -1.6, 0.3, 2.1, 1.2];
pub const END: f64 = 3.5;

/// From A to B, rest, and back.
pub fn motion() -> (Vec<f64>, Vec<Vec<f64>>) {
    (vec![0.0, 0.5, 1.5, 2.0, 3.0, END], [A, A, B, B, A, A].map(|q| q.to_vec()).to_vec())
}

pub fn arm() -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/franka/control_model.urdf");
    read_urdf(&file).unwrap().model
}

/// The arm under computed torque with gains p, i, d, along the motion; `add` adds to the plant.
pub fn arm_diagram(
    model: Model,
    start: [f64; 7],
    gains: [f64; 3],
    acceleration: f64,
    add: impl FnOnce(PlantBuilder) -> PlantBuilder,
) -> Diagram {
    let mut b = DiagramBuilder::new("arm");
    let [kp, ki, kd] = gains;
    let controller = InverseDynamicsController::new(&model, [0.0, 0.0, -9.81], kp, ki, kd).unwrap();
    let mut plant = add(PlantBuilder::new().model("arm", model, Base::fixed()));
    for (i, q) in start.into_iter().enumerate() {
        plant = plant.initial(format!("arm/joint{}", i + 1), q, 0.0);
    }
    let (plant, controller) = (b.add("plant", plant.build().unwrap()), b.add("controller", controller));
    let (times, values) = motion();
    let goal = b.add("goal", Trajectory::new(times, values).unwrap());
    b.connect(goal.state, controller.desired_state);
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.fix(controller.desired_acceleration, [acceleration; 7]);
    b.build().unwrap()
}

/// The motion and its rate at a time.
pub fn goal(t: f64) -> (DVector<f64>, DVector<f64>) {
    let (times, values) = motion();
    let i = times[1..times.len() - 1].iter().filter(|knot| **knot <= t).count();
    let (h, a, b) = (times[i + 1] - times[i], DVector::from_vec(values[i].clone()), &values[i + 1]);
    let (u, d) = ((t - times[i]) / h, DVector::from_vec(b.clone()) - &a);
    (a + &d * (u * u * (3.0 - 2.0 * u)), d * (6.0 * u * (1.0 - u) / h))
}

/// The joints under exact computed torque.
pub fn joints(gains: [f64; 3], acceleration: f64, steps: usize) -> Reference {
    let [kp, ki, kd] = gains;
    Reference::new([A.as_slice(), &[0.0; 14]].concat(), 7, END, steps, |t, x| {
        let (qd, vd) = goal(t);
        let (q, v, z) = (x.rows(0, 7), x.rows(7, 7), x.rows(14, 7));
        let e = qd - q;
        let a = &e * kp + (vd - v) * kd + z * ki;
        DVector::from_iterator(21, v.iter().copied().chain(a.iter().map(|a| a + acceleration)).chain(e.iter().copied()))
    })
}

#[test]
fn stiff_computed_torque_costs_few_steps() {
    for (gains, most, largest, steps) in [([1e4, 0.0, 200.0], 90, 3e-3, 7000), ([1e6, 0.0, 2000.0], 100, 3e-3, 35_000)]
    {
        let diagram = arm_diagram(arm(), A, gains, 0.0, |plant| plant);
        let o = follow(&diagram, cenic(1e-3), END, &joints(gains, 0.0, steps));
        assert!(o.attempts <= most && o.largest < largest && o.end < 1e-8, "{o:?}");
    }
}

#[test]
fn integral_action_near_its_stability_limit_costs_few_steps() {
    // Stable below ki = kp kd = 2e6. The integral carries the acceleration that is asked for in vain.
    let gains = [1e4, 9e5, 200.0];
    let o = follow(&arm_diagram(arm(), A, gains, 3.0, |plant| plant), cenic(1e-3), END, &joints(gains, 3.0, 7000));
    assert!(o.attempts <= 60 && o.largest < 3e-3 && o.end < 1e-5, "{o:?}");
}

#[test]
fn a_pose_is_held_with_steps_far_beyond_the_time_constant() {
    // A diagonal gain is unstable here beyond 18 ms.
    let mut b = DiagramBuilder::new("hold");
    let controller = InverseDynamicsController::new(&arm(), [0.0, 0.0, -9.81], 1e4, 0.0, 200.0).unwrap();
    let mut plant = PlantBuilder::new().model("arm", arm(), Base::fixed());
    for (i, q) in A.into_iter().enumerate() {
        plant = plant.initial(format!("arm/joint{}", i + 1), q + 1e-6, 0.0);
    }
    let (plant, controller) = (b.add("plant", plant.build().unwrap()), b.add("controller", controller));
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.fix(controller.desired_state, [A.as_slice(), &[0.0; 7]].concat());
    let simulation = run(&b.build().unwrap(), icf(0.1), 4.0);
    for (q, a) in simulation.state().continuous.iter().zip(A) {
        assert!((q - a).abs() < 1e-14, "{:e}", q - a);
    }
}

#[test]
fn separate_loops_give_the_bits_of_one() {
    // Each with integral action and at its effort limits for a while.
    let gains = [1e4, 9e5, 200.0];
    let limited = || {
        let mut model = arm();
        model.joints.iter_mut().for_each(|joint| joint.effort = 60.0);
        model
    };
    let diagram = |copies: usize| {
        let mut b = DiagramBuilder::new("arms");
        let mut plant = PlantBuilder::new();
        for name in &["one", "two"][..copies] {
            plant = plant.model(*name, limited(), Base::fixed());
            for (i, q) in A.into_iter().enumerate() {
                plant = plant.initial(format!("{name}/joint{}", i + 1), q, 0.0);
            }
        }
        let plant = b.add("plant", plant.build().unwrap());
        for name in &["one", "two"][..copies] {
            let [kp, ki, kd] = gains;
            let c = InverseDynamicsController::new(&limited(), [0.0, 0.0, -9.81], kp, ki, kd).unwrap();
            let c = b.add(*name, c);
            b.connect(plant.state(name), c.estimated_state);
            b.connect(c.generalized_force, plant.actuation(name));
            b.fix(c.desired_state, [B.as_slice(), &[0.0; 7]].concat());
        }
        b.build().unwrap()
    };
    let (one, two) = (run(&diagram(1), icf(0.01), 0.3), run(&diagram(2), icf(0.01), 0.3));
    let (one, two) = (&one.state().continuous, &two.state().continuous);
    assert_eq!(one[..7], two[..7]);
    assert_eq!(one[..7], two[7..14]);
    assert_eq!(one[14..21], two[28..35]);
}
