//! Dry friction along tendons over several joints and along strings, and of ball joints, against closed forms.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;

/// State after a time, with initial velocities in the last places of the state.
fn after(text: &str, v: &[f64], options: Options, time: f64) -> Vec<f64> {
    let diagram = diagram(text, &[]);
    let mut simulation = Simulation::new(&diagram, options).unwrap();
    let mut state = simulation.state().clone();
    let first = state.continuous.len() - v.len();
    state.continuous[first..].copy_from_slice(v);
    simulation.set_state(state).unwrap();
    simulation.advance_to(time).unwrap();
    simulation.state().continuous.clone()
}

/// Two masses of 2 kg on rails, with a friction of 3 N on the sum of their positions, and this pull.
fn sum_of_ways(pull: f64) -> String {
    let body = |name: &str| {
        format!(
            r#"<body name="{name}"><joint name="{name}" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>"#
        )
    };
    let (a, b, gravity) = (body("a"), body("b"), pull / 2.0);
    format!(
        r#"<mujoco><option gravity="{gravity} 0 0"/><worldbody>{a}{b}</worldbody><tendon><fixed frictionloss="3">
<joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon></mujoco>"#
    )
}

/// Each mass is pulled with `pull` and held with 3 N; a held mass creeps at a tenth of the stiction tolerance.
#[test]
fn a_sum_of_ways_breaks_loose_slides_and_rests() {
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
        let of = |pull, v| after(&sum_of_ways(pull), &[v, v], cenic(accuracy), 1.0);
        for (q, v) in [(0, 2), (1, 3)] {
            let (pulled, held, thrown) = (of(5.0, 0.0), of(2.9, 0.0), of(0.0, 1.0));
            assert!((pulled[q] - 0.5).abs() < accuracy && (pulled[v] - 1.0).abs() < accuracy, "{pulled:?}");
            assert!((0.0..=0.5e-5).contains(&held[q]), "{held:?}");
            assert!((thrown[q] - 1.0 / 3.0).abs() < 20.0 * accuracy && thrown[v].abs() < 1e-5, "{thrown:?}");
        }
    }
    for options in [icf(1e-3), Options::cenic_trapezoid(1e-3), projected_gauss_seidel(1e-3)] {
        let (pulled, held) = (after(&sum_of_ways(5.0), &[], options, 1.0), after(&sum_of_ways(2.9), &[], options, 1.0));
        assert!((pulled[0] - 0.5).abs() < 2e-3 && held[0].abs() < 1e-5, "{options:?}: {pulled:?}, {held:?}");
    }
}

fn projected_gauss_seidel(step: f64) -> Options {
    let integrator = kinegraph::integrators::method("projected-gauss-seidel").expect("an integrator");
    Options { step: Some(step), ..Options::of(integrator) }
}

/// A mass of 2 kg that hangs from a string with dry friction, over a pulley that divides by two or not, and moves along
/// three rails: the tension of the string is the weight times the divisor.
#[test]
fn a_string_holds_a_weight_up_to_its_friction() {
    let text = |friction: f64, divisor: f64| {
        format!(
            r#"<mujoco><option gravity="0 0 -5"/><worldbody><site name="o" pos="0 0 2"/><body>
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
      <site name="p"/></body></worldbody><tendon><spatial frictionloss="{friction}"><pulley divisor="{divisor}"/>
      <site site="o"/><site site="p"/></spatial></tendon></mujoco>"#
        )
    };
    for divisor in [1.0, 2.0] {
        for accuracy in [1e-2, 1e-4] {
            let held = after(&text(10.5 * divisor, divisor), &[], cenic(accuracy), 1.0);
            assert!((-1.1e-5 * divisor..=0.0).contains(&held[2]), "{held:?}");
            // 10 N pull, 6 N hold.
            let fallen = after(&text(6.0 * divisor, divisor), &[], cenic(accuracy), 1.0);
            assert!((fallen[2] + 1.0).abs() < accuracy && (fallen[5] + 2.0).abs() < accuracy, "{fallen:?}");
        }
    }
}

/// A rotor of equal moments on a ball joint is slowed about each axis of its own, by 0.2 N m.
#[test]
fn a_ball_joint_is_slowed_about_each_axis() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint type="ball" frictionloss="0.2"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>"#;
    for accuracy in [1e-3, 1e-5] {
        let state = after(text, &[2.0, -1.0, 0.5], cenic(accuracy), 0.4);
        let expected = [1.2, -0.2, 0.0];
        for (v, expected) in state[4..].iter().zip(expected) {
            assert!((v - expected).abs() < 20.0 * accuracy, "{state:?} at {accuracy}");
        }
    }
}
