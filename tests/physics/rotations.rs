//! Orientations: a rotation about a fixed axis is exact in convex steps of any angle; if the axis moves, errors fall at
//! least with the second power of the step, and a free body keeps its energy.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{Options, Rule, RuleSwitches};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

fn orientation(continuous: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(continuous[0], continuous[1], continuous[2], continuous[3]))
}

/// A body of 1 kg with principal moments 1, 2, 3 kg m².
fn unequal() -> Model {
    let moments = Vector3::new(1.0, 2.0, 3.0);
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::from_diagonal(&moments) };
    let body = Link { name: "body".into(), inertia: Some(inertia), ..Link::default() };
    Model { name: "unequal".into(), links: vec![body], ..Model::default() }
}

/// The unequal body, rotating by `w` about one point, on a ball joint.
fn on_a_ball_joint(w: [f64; 3]) -> Diagram {
    let mut model = unequal();
    model.links.push(Link { name: "base".into(), ..Link::default() });
    model.joints.push(joint("j", JointKind::Ball, "base", "body", Vector3::z()));
    let diagram = alone(weightless().model("b", model, Base::fixed()));
    let at = diagram.initial_state().continuous.len() - 3;
    assert_eq!((at, w.len()), (4, 3));
    diagram
}

/// Steps without free motion and refinement: the convex step and what extrapolation makes of it.
fn convex(accuracy: f64) -> Options {
    Options { rules: RuleSwitches::ALL.without(Rule::FreeMotion).without(Rule::Refinement), ..cenic(accuracy) }
}

#[test]
fn a_turn_about_a_fixed_axis_is_exact() {
    let w = [0.0, 0.0, 17.0];
    let free = alone(weightless().model("b", unequal(), thrown([0.0; 3], w, [1.0, 0.0, 2.0])));
    let hinged = on_a_ball_joint(w);
    for (diagram, first) in [(&free, 7), (&hinged, 4)] {
        for options in [icf(0.01), icf(0.1), convex(1e-2), convex(1e-4)] {
            let name = options.integrator.name;
            let mut simulation = Simulation::new(diagram, options).unwrap();
            let mut state = simulation.state().clone();
            state.continuous[first..first + 3].copy_from_slice(&w);
            simulation.set_state(state).unwrap();
            let mut worst = 0.0_f64;
            simulation
                .advance_sampling(1.0, 0.037, |state| {
                    let exact = UnitQuaternion::from_scaled_axis(Vector3::from(w) * state.time);
                    worst = worst.max(orientation(&state.continuous).angle_to(&exact));
                })
                .unwrap();
            let exact = UnitQuaternion::from_scaled_axis(Vector3::from(w));
            worst = worst.max(orientation(&simulation.state().continuous).angle_to(&exact));
            assert!(worst < 1e-7, "{name}: {worst}");
            let q = orientation(&simulation.state().continuous);
            let off = (q * exact.inverse()).vector().norm();
            assert!(off < 1e-12, "{name}: {off}");
        }
    }
}

/// A ball that rolls down a ramp with spin about the normal: its axis turns.
#[test]
fn extrapolated_steps_of_a_rolling_ball_turn_by_second_order() {
    let (radius, k, slope) = (0.1, 1e5, 0.3_f64);
    let gravity = [9.81 * slope.sin(), 0.0, -9.81 * slope.cos()];
    let depth = -gravity[2] / k;
    let base = thrown([0.0, 0.0, radius - depth], [0.0, 10.0, 20.0], [10.0 * (radius - 0.5 * depth), 0.0, 0.0]);
    let plant = PlantBuilder::new().gravity(gravity).ground(0.0).contact(contact(k, 10.0, 0.6));
    let diagram = alone(plant.model("b", ball(1.0, radius), base));
    let exact = orientation(&run(&diagram, Options::dopri5(1e-10), 1.0).state().continuous);
    let error = |max_step: f64| {
        let simulation = run(&diagram, Options { max_step, ..convex(5e-3) }, 1.0);
        assert!(simulation.statistics().steps as f64 <= 1.2 / max_step + 8.0);
        0.5 * orientation(&simulation.state().continuous).angle_to(&exact)
    };
    let (coarse, fine) = (error(0.01), error(0.005));
    assert!(coarse < 1e-4, "{coarse}");
    assert!((3.0..5.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn a_free_body_keeps_its_energy_where_steps_are_extrapolated() {
    let diagram = alone(weightless().model("b", unequal(), thrown([0.0; 3], [1.0, 2.0, 3.0], [0.0; 3])));
    let exact = orientation(&run(&diagram, Options::dopri5(1e-12), 10.0).state().continuous);
    for (accuracy, within) in [(1e-3, 1e-6), (1e-4, 1e-6), (1e-5, 1e-8)] {
        let mut simulation = Simulation::new(&diagram, convex(accuracy)).unwrap();
        let start = simulation.energy().unwrap();
        simulation.advance_to(10.0).unwrap();
        let change = (simulation.energy().unwrap() / start - 1.0).abs();
        let angle = 0.5 * orientation(&simulation.state().continuous).angle_to(&exact) / accuracy;
        assert!(change < within && angle < 8.0, "{accuracy}: energy {change:e}, {angle} accuracies");
    }
}
