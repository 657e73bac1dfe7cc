//! Forces of MJCF files without actuators: gravity compensation, tendons with springs and stops, ball joints with
//! stops; and limits and missing controls of actuators.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::{PlantDynamics, PlantPoint};
use kinegraph::systems::models::{LoadOptions, Note, parse_mjcf};
use kinegraph::systems::testing::Bench;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Accelerations by the reference implementation (version 4.0.0).
#[test]
fn carried_bodies_and_tendons_accelerate_as_they_should() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody>
      <body name="a" pos="0 0 1" gravcomp="0.4"><joint name="a" axis="0 1 0" damping="0.1" springref="0.2"/>
        <inertial pos="0.1 0 -0.3" mass="1.5" diaginertia="0.1 0.12 0.05"/>
        <body name="b" pos="0 0 -0.6" gravcomp="1.3"><joint name="b" axis="0 1 0" armature="0.02"/>
          <inertial pos="0 0.1 -0.2" mass="0.7" diaginertia="0.03 0.04 0.05"/>
          <body name="c" pos="0.1 0 -0.4"><joint name="c" type="slide" axis="0 0 1"/>
            <inertial pos="0 0 0" mass="0.4" diaginertia="0.01 0.01 0.01"/></body></body></body></worldbody>
      <tendon>
        <fixed name="t" stiffness="20" damping="0.7"><joint joint="a" coef="2"/><joint joint="b" coef="-1.5"/>
          <joint joint="c" coef="0.5"/></fixed>
        <fixed name="u" stiffness="30" springlength="-0.1 0.2"><joint joint="a" coef="1"/>
          <joint joint="c" coef="3"/></fixed>
        <fixed name="w" stiffness="11" damping="0.2" springlength="0.05"><joint joint="b" coef="-0.5"/></fixed>
      </tendon></mujoco>"#;
    let plant = plant(text);
    for (state, expected) in [
        ([0.3, -0.5, 0.2, 0.4, 0.7, -0.3], [-163.83115386794117, 519.3787885641074, -110.65903407497608]),
        ([0.1, 0.2, -0.05, -1.0, 0.2, 0.5], [116.51012856068218, -330.63480128848494, -2.85341461460885]),
    ] {
        let rates = Bench::new(&plant).state(state.to_vec()).derivatives();
        for (found, expected) in rates[3..].iter().zip(expected) {
            assert!((found - expected).abs() < 1e-10 * expected.abs().max(1.0), "{rates:?}");
        }
    }
}

/// The energy that the step computes from its mass matrix is the energy of the plant: rotors of joints and of tendons,
/// springs, stops and weights included.
#[test]
fn the_energy_is_that_of_the_mass_matrix_and_the_potential_energy_at_a_point() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><site name="top" pos="0 0 2"/>
      <body name="a" pos="0 0 1" gravcomp="0.4"><freejoint/>
        <inertial pos="0.1 0 -0.3" mass="1.5" diaginertia="0.1 0.12 0.05"/><site name="s"/>
        <body name="b" pos="0 0 -0.6"><joint name="b" axis="0 1 0" armature="0.02" stiffness="3" range="-0.1 0.1"/>
          <inertial pos="0 0.1 -0.2" mass="0.7" diaginertia="0.03 0.04 0.05"/>
          <body name="c" pos="0.1 0 -0.4"><joint name="c" type="slide" axis="0 0 1"/>
            <inertial pos="0 0 0" mass="0.4" diaginertia="0.01 0.01 0.01"/></body></body></body></worldbody>
      <tendon><fixed stiffness="20" armature="0.3"><joint joint="b" coef="2"/><joint joint="c" coef="-1.5"/></fixed>
        <spatial stiffness="40" springlength="0.3" armature="0.1"><site site="top"/><site site="s"/></spatial>
      </tendon></mujoco>"#;
    let (plant, mut random, mut point) = (plant(text), Random(3), PlantPoint::default());
    for _ in 0..20 {
        let [q, v]: [Vec<f64>; 2] = [9, 8].map(|n| (0..n).map(|_| random.between(-1.0, 1.0)).collect());
        plant.evaluate(&q, &v, &mut point);
        let (mut kinetic, mut at) = (0.0, 0);
        for clique in &plant.structure().cliques {
            for i in clique.clone() {
                for j in clique.clone() {
                    kinetic += 0.5 * v[i] * point.mass_matrix[at] * v[j];
                    at += 1;
                }
            }
        }
        let (energy, potential) = (plant.energy(&q, &v), plant.potential_energy(&q, &point).unwrap());
        assert!(
            (kinetic + potential - energy).abs() < 1e-11 * (kinetic + energy.abs()),
            "{kinetic} + {potential}, {energy}"
        );
    }
}

/// A body with gravity compensation β falls with (1 - β) g, exactly, and one with full compensation stays.
#[test]
fn carried_bodies_fall_by_the_rest_of_their_weight() {
    let body = |part: f64| {
        format!(
            r#"<mujoco><worldbody><body gravcomp="{part}"><freejoint/>
            <inertial pos="0.1 0.2 0" mass="3" diaginertia="0.1 0.2 0.3"/></body></worldbody></mujoco>"#
        )
    };
    for part in [0.25, 1.0, 1.5] {
        let state = end(&diagram(&body(part), &[]), cenic(1e-4), 1.0);
        let expected = -0.5 * (1.0 - part) * 9.81;
        assert!((state[6] - expected).abs() < 1e-9, "{} instead of {expected}", state[6]);
        assert!(state[7..10].iter().all(|w| w.abs() < 1e-9), "{state:?}");
    }
}

/// Energy is conserved: it includes springs of tendons and the remaining part of gravity.
#[test]
fn a_swinging_chain_of_carried_links_keeps_its_energy() {
    let text = r#"<mujoco><worldbody><body gravcomp="0.3"><joint name="a" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/>
      <body pos="0.5 0 0" gravcomp="-0.5"><joint name="b" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/></body></body></worldbody>
      <tendon><fixed stiffness="8" springlength="-0.2 0.1"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed>
      </tendon></mujoco>"#;
    let mut simulation = Simulation::new(&diagram(text, &[]), cenic(1e-6)).unwrap();
    let start = simulation.energy().unwrap();
    simulation.advance_to(3.0).unwrap();
    let drift = (simulation.energy().unwrap() - start).abs();
    assert!(drift < 1e-3, "{drift}");
}

const SLIDERS: &str = r#"<mujoco><option GRAVITY/><worldbody>
  <body><joint name="a" type="slide" axis="0 0 1" DAMPING/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
  <body><joint name="b" type="slide" axis="0 0 1" DAMPING/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
  </worldbody><tendon><fixed OWN><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon></mujoco>"#;

/// Half of two masses of 2 kg hangs on the stop of the sum of their heights: a load at rest on contact with these
/// parameters is 0.36718 mm deep per unit of inertia, and the sum has the inertia 1/(1/2 + 1/2) against a load of 2 g.
#[test]
fn the_range_of_a_tendon_over_two_joints_holds_them() {
    let text = SLIDERS.replace("GRAVITY", "").replace("DAMPING", r#"damping="3""#);
    let text = text.replace("OWN", r#"range="-0.1 0.2""#);
    let state = end(&diagram(&text, &[]), cenic(1e-5), 4.0);
    let (sum, expected) = (state[0] + state[1], -0.1 - 2.0 * 0.36718e-3);
    assert!((sum - expected).abs() < 1e-7, "{sum} instead of {expected}");
}

/// A stop of a tendon over one joint is that of the joint: rigid.
#[test]
fn the_range_of_a_tendon_over_one_joint_is_that_of_the_joint() {
    let text = SLIDERS.replace("GRAVITY", "").replace("DAMPING", "").replace(r#"<joint joint="b" coef="1"/>"#, "");
    let text = text.replace("OWN", r#"range="-0.1 0.2""#).replace(r#"joint="a" coef="1""#, r#"joint="a" coef="-0.5""#);
    // -0.5 a within -0.1 and 0.2: a within -0.4 and 0.2.
    let state = end(&diagram(&text, &[]), cenic(1e-4), 1.0);
    assert!((state[0] + 0.4).abs() < 1e-6 && state[1] < -4.0, "{state:?}");
}

/// An inverted pendulum on a ball joint leans on its cone: `k x = m l (g sin θ + a cos θ)` at θ = 30° + x, with the
/// stiffness of contact per unit of inertia, 9.81 / 0.36718 mm, times the mean inertia of the joint.
#[test]
fn a_ball_joint_leans_on_its_cone() {
    let text = r#"<mujoco><option gravity="1 0 -9.81"/><worldbody><body name="p">
      <joint name="p" type="ball" range="0 30" damping="0.5"/>
      <inertial pos="0 0 0.5" mass="1" diaginertia="0.01 0.01 0.01"/></body></worldbody></mujoco>"#;
    let q = end(&diagram(text, &[]), cenic(1e-5), 6.0);
    let turn = 2.0 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt().atan2(q[0].abs());
    let gravity = 9.81_f64.hypot(1.0);
    // The depth at rest depends a little on gravity: that of the reference, 0.36718 mm, is for 9.81 m/s².
    let inertia = 3.0 / (1.0 / 0.26 + 1.0 / 0.26 + 1.0 / 0.01);
    let excess = turn - 30.0_f64.to_radians();
    let torque = 0.5 * (9.81 * turn.sin() + turn.cos());
    let stiffness = gravity / 0.36718e-3 * inertia;
    assert!(excess > 0.0 && (stiffness * excess / torque - 1.0).abs() < 0.02, "{excess} {torque} {stiffness}");
    // Within the cone it is free.
    let text = text.replace("0 30", "0 170").replace("1 0 -9.81", "0 0 9.81");
    let free = end(&diagram(&text, &[]), cenic(1e-5), 0.5);
    assert!(free[0] > 1.0 - 1e-9, "{free:?}");
}

/// The two directions have limits of their own.
#[test]
fn the_force_on_a_joint_has_a_limit_in_each_direction() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" actuatorfrcrange="-1 3"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/></body></worldbody>
      <actuator><motor joint="j" gear="-2"/></actuator></mujoco>"#;
    for (u, force) in [(10.0, -1.0), (-10.0, 3.0), (0.2, -0.4)] {
        let v = end(&diagram(text, &[u]), cenic(1e-6), 0.1)[1];
        assert!((v - force * 0.1 / 0.5).abs() < 1e-9, "{v}");
    }
}

/// An actuator or an equality that names both repeated and single elements is left out with a note; a tendon is
/// repeated over the elements that it names.
#[test]
fn references_that_mix_repeated_and_single_elements_are_left_out() {
    let text = r#"<mujoco><worldbody><body name="a"><joint name="ja"/><geom size="0.1"/><site name="sa"/></body>
      <replicate count="2" offset="1 0 0" sep="_"><body name="b"><joint name="jb"/><geom size="0.1"/><site name="sb"/>
        <site name="sc"/></body></replicate></worldbody>
      <tendon><fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed></tendon>
      <equality><weld body1="a" body2="b"/><connect body1="b" body2="world" anchor="0 0 0"/></equality>
      <actuator><general name="lost" site="sa" refsite="sb"/><general name="kept" site="sb" refsite="sc"/>
        <motor name="pulls" tendon="t"/></actuator></mujoco>"#;
    let loaded = parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap();
    let names: Vec<&str> = loaded.model.scene.actuators.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["kept_0", "pulls_0", "kept_1", "pulls_1"]);
    assert_eq!(loaded.model.scene.couplings.len(), 2);
    let left_out = |note: &&Note| note.to_string().contains("it is left out");
    assert_eq!(loaded.notes.iter().filter(left_out).count(), 2);
}

/// The frame to which keyframes refer where a free joint has the frame of the inertia: for a box that is moved and
/// turned in its body.
#[test]
fn keyframes_of_free_joints_with_the_frame_of_the_inertia() {
    let scene = |compiler: &str, joint: &str, inside: &str| {
        format!(
            r#"<mujoco><compiler {compiler}/><worldbody><body name="b">{joint}
<geom type="box" size=".1 .2 .3" pos=".1 .2 .05" quat="1 .3 0 0"/>{inside}</body></worldbody>
<keyframe><key name="k" qpos="1 2 3 .6 0 .8 0" qvel="1 0 0 0 2 0"/></keyframe></mujoco>"#
        )
    };
    let key = |text: &str| {
        let model = parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap().model;
        let key = model.scene.keyframes[0].clone();
        (key.positions, key.velocities)
    };
    let free = r#"<freejoint align="true"/>"#;
    let aligned = [scene("", free, ""), scene(r#"alignfree="true""#, r#"<joint type="free"/>"#, "")];
    for (q, v) in aligned.iter().map(|text| key(text)) {
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(0.6, 0.0, 0.8, 0.0));
        let own = UnitQuaternion::from_quaternion(Quaternion::new(1.0, 0.3, 0.0, 0.0));
        let body = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        assert!((body * own).angle_to(&turn) < 1e-12, "{q:?}");
        // The centre of mass is where the keyframe says, with the velocity that it says.
        let arm = body * Vector3::new(0.1, 0.2, 0.05);
        let (p, w) = (Vector3::new(q[4], q[5], q[6]), Vector3::new(v[0], v[1], v[2]));
        assert!((p + arm - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-12, "{q:?}");
        assert!((w - turn * Vector3::new(0.0, 2.0, 0.0)).norm() < 1e-12, "{v:?}");
        let velocity = Vector3::new(v[3], v[4], v[5]) + w.cross(&arm);
        assert!((velocity - Vector3::x()).norm() < 1e-12, "{v:?}");
    }
    let carries = r#"<body pos="0 0 1"><geom size=".1"/></body>"#;
    for text in [scene("", "<freejoint/>", ""), scene("", free, carries)] {
        assert_eq!(key(&text).0[..4], [0.6, 0.0, 0.8, 0.0]);
    }
}

/// Copy i stands at the i-th power of the pose that is between two.
#[test]
fn replicates_are_written_out() {
    let text = r#"<mujoco><worldbody><replicate count="10" offset="1 0 0" euler="0 0 30" sep="-">
      <body name="b" pos="0 0.5 0"><joint name="j"/><geom name="g" size="0.1"/></body></replicate></worldbody></mujoco>"#;
    let plant = plant(text);
    let poses = Bench::new(&plant).eval(plant.body_poses());
    let names: Vec<&str> = plant.tree().bodies()[2..].iter().map(|body| body.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[9]), (10, "m/b-00", "m/b-09"));
    // By the reference implementation (version 4.0.0), of the third copy.
    for (found, expected) in
        poses[7 * 3..].iter().zip([1.4330127018922194, 0.75, 0.0, 0.8660254037844387, 0.0, 0.0, 0.5])
    {
        assert!((found - expected).abs() < 1e-12, "{poses:?}");
    }
}
