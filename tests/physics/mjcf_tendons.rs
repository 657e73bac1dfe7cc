//! Inertia of tendons over several joints and of strings, and lengths of strings, against closed forms.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::scene_data::Factor;

/// Two masses of 2 kg that slide along z, a tendon over both, and its drive.
fn sliders(gravity: &str, tendon: &str) -> String {
    let body = |name: &str| {
        format!(
            r#"<body name="{name}"><joint name="{name}" type="slide"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
<site name="{name}"/></body>"#
        )
    };
    let (a, b) = (body("a"), body("b"));
    format!(
        r#"<mujoco><option gravity="0 0 {gravity}"/><worldbody><site name="top" pos="0 0 4"/>{a}{b}</worldbody>
<tendon>{tendon}</tendon><actuator><motor tendon="t"/></actuator></mujoco>"#
    )
}

/// Position after a time from a state of all positions, then all velocities.
fn after(text: &str, controls: &[f64], start: &[f64], time: f64) -> Vec<f64> {
    let diagram = diagram(text, controls);
    let mut simulation = Simulation::new(&diagram, cenic(1e-6)).unwrap();
    let mut state = simulation.state().clone();
    state.continuous.copy_from_slice(start);
    simulation.set_state(state).unwrap();
    simulation.advance_to(time).unwrap();
    simulation.state().continuous.clone()
}

/// `(m + 2 A) z'' = -m g` of two bodies whose sum of heights turns a rotor.
#[test]
fn a_rotor_between_two_trees_slows_both() {
    let tendon = r#"<fixed name="t" armature="3"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed>"#;
    let state = after(&sliders("-8", tendon), &[0.0], &[0.0; 4], 1.0);
    for z in &state[..2] {
        assert!((z + 0.5 * 8.0 / 4.0).abs() < 1e-9, "{state:?}");
    }
}

/// A body that flies off with a string which turns a rotor: `(m + A) r'' = L²/(m r³)`, so that from r = 1 with the
/// velocity 1 across the string `r² = 1 + m t²/(m + A)`.
#[test]
fn a_string_that_turns_a_rotor_keeps_momentum_and_energy() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="o"/><body pos="1 0 0">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="p"/></body></worldbody>
      <tendon><spatial armature="3"><site site="o"/><site site="p"/></spatial></tendon></mujoco>"#;
    let state = after(text, &[], &[0.0, 0.0, 0.0, 1.0], 2.0);
    let [x, y, vx, vy] = [state[0] + 1.0, state[1], state[2], state[3]];
    assert!((x * x + y * y - (1.0 + 0.4 * 4.0)).abs() < 1e-5, "{state:?}");
    assert!((x * vy - y * vx - 1.0).abs() < 1e-5, "{state:?}");
}

/// A muscle on a string without stated lengths has those of the joint's range: from a point 2 m above a hinge to the
/// tip of an arm of 1 m that is θ below the horizontal, `√(5 + 4 sin θ)`. MuJoCo 4.0.0 finds 1.7315 m and 2.9095 m for
/// a gear of one by a simulation, whose stops yield.
#[test]
fn muscles_on_strings_find_their_lengths() {
    let text = |range: &str| {
        format!(
            r#"<mujoco><worldbody><site name="w" pos="0 0 2"/><body><joint axis="0 1 0" {range}/>
<geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/><site name="s" pos="1 0 0"/></body></worldbody>
<tendon><spatial name="t"><site site="w"/><site site="s"/></spatial></tendon>
<actuator><muscle tendon="t" gear="2"/></actuator></mujoco>"#
        )
    };
    let read = |range: &str| parse_mjcf(&text(range), "test.xml", &LoadOptions::default()).unwrap().model.scene;
    let Factor::Muscle(muscle) = read(r#"range="-30 60""#).actuators[0].gain else { panic!("no muscle") };
    let expected = [-30.0_f64, 60.0].map(|angle| 2.0 * (5.0 + 4.0 * angle.to_radians().sin()).sqrt());
    assert!((muscle.lengths.0 - expected[0]).abs() < 1e-9 && (muscle.lengths.1 - expected[1]).abs() < 1e-9);
    // Without a range of the joint there is none of the string.
    assert!(read("").actuators[0].tendon.is_none());
}

/// A string whose length an equality holds carries 2 kg, which sink by `(1 - d) g/(d k)` with `d k = d/(d T)²`: T of
/// `solref` the time constant, d the impedance. Beside its own spring it shares the load, and `polycoef` moves it.
#[test]
fn equalities_hold_lengths_of_strings() {
    let text = |string: &str, equality: &str| {
        format!(
            r#"<mujoco><worldbody><site name="o" pos="0 0 2"/><body><joint type="slide" axis="0 0 1"/>
<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="s"/></body></worldbody>
<tendon><spatial name="t" {string}><site site="o"/><site site="s"/></spatial></tendon>
<equality><tendon tendon1="t" solref=".2 1" solimp=".9 .9 .001" {equality}/></equality></mujoco>"#
        )
    };
    let after = |text: &str| end(&diagram(text, &[]), cenic(1e-5), 5.0)[0];
    let sag: f64 = 0.1 * 9.81 * 0.2 * 0.2;
    for (string, equality, expected) in [
        ("", "", -sag),
        ("", r#"polycoef=".3 1 0 0 0""#, -sag - 0.3),
        // As stiff again.
        (&format!(r#"stiffness="{}" springlength="2""#, 2.0 * 9.81 / sag), "", -0.5 * sag),
        (r#"range="0 2.01""#, "", -sag.min(0.01)),
    ] {
        let z = after(&text(string, equality));
        assert!((z - expected).abs() < 3e-4, "{string} {equality}: {z} m for {expected} m");
    }
    assert!(after(&text("", r#"active="false""#)) < -100.0);
}

/// `z2'' = g/3` of 2 kg on one string and 1 kg on two, with a stiff equality for the rope, at any accuracy.
#[test]
fn a_stiff_equality_is_a_rope_of_pulleys() {
    let scenario = Scenario::open("tests/data/edges/hoist.yaml").unwrap_or_else(|fault| panic!("{fault}"));
    for (accuracy, most) in [(1e-2, 5.0), (1e-3, 20.0), (1e-5, 1.0)] {
        let mut simulation = Simulation::new(&scenario.diagram, cenic(accuracy)).unwrap();
        simulation.advance_to(0.5).unwrap();
        let z = simulation.channel("plant.m.z2.q").unwrap();
        let off = (z - 0.40875).abs() / accuracy;
        assert!(off < most, "{accuracy:e}: {off} accuracies");
    }
}

/// Masses of 2 kg that slide along z, one joint each, fixed tendons over them, and equalities of these.
fn held_sliders(count: usize, tendons: &[&[(usize, f64)]], equality: &str) -> String {
    let bodies: String = (0..count)
        .map(|i| {
            format!(
                r#"<body><joint name="z{i}" type="slide"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>"#
            )
        })
        .collect();
    let tendon = |(t, joints): (usize, &&[(usize, f64)])| {
        let parts = joints.iter().map(|(i, c)| format!(r#"<joint joint="z{i}" coef="{c}"/>"#)).collect::<String>();
        format!(r#"<fixed name="t{t}">{parts}</fixed>"#)
    };
    let tendons: String = tendons.iter().enumerate().map(tendon).collect();
    format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>{bodies}</worldbody><tendon>{tendons}</tendon>
<equality>{equality}</equality></mujoco>"#
    )
}

/// Six masses whose sum an equality holds lose the common part of their velocities, and nothing else.
#[test]
fn an_equality_holds_a_sum_of_many_joints() {
    let all: Vec<(usize, f64)> = (0..6).map(|i| (i, 1.0)).collect();
    let text = held_sliders(6, &[&all], r#"<tendon tendon1="t0"/>"#);
    let speeds = [1.0, -0.5, 2.0, 0.3, 0.0, 0.8];
    let start: Vec<f64> = [0.0; 6].into_iter().chain(speeds).collect();
    let state = after(&text, &[], &start, 1.0);
    let common = speeds.iter().sum::<f64>() / 6.0;
    for (i, speed) in speeds.iter().enumerate() {
        assert!((state[6 + i] - (speed - common)).abs() < 1e-4, "{state:?}");
    }
    assert!(state[..6].iter().sum::<f64>().abs() < 1e-4, "{state:?}");
}

/// Two sums of joints on a parabola: `z₀ + z₁ = (z₂ - z₃)²/2`, as closely as the softness of 20 ms allows.
#[test]
fn an_equality_of_two_tendons_follows_its_polynomial() {
    let text = held_sliders(
        4,
        &[&[(0, 1.0), (1, 1.0)], &[(2, 1.0), (3, -1.0)]],
        r#"<tendon tendon1="t0" tendon2="t1" polycoef="0 0 .5 0 0"/>"#,
    );
    let state = after(&text, &[], &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, -0.5], 1.0);
    let (held, along) = (state[0] + state[1], state[2] - state[3]);
    assert!(along > 0.7 && (held - 0.5 * along * along).abs() < 2e-3, "{state:?}");
    // Nothing pushes both sums alike: the momentum of each pair follows from the force of one row.
    assert!((state[4] - state[5]).abs() < 1e-9 && (state[6] + state[7]).abs() < 1e-9, "{state:?}");
}
