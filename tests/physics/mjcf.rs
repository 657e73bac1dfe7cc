//! Forces of MJCF files: servos, contact, couplings, against closed forms.

use crate::common::*;
use crate::mjcf_plants::*;

/// A wheel of 0.5 kg m² without gravity, with actuators on its axle.
fn wheel(actuators: &str) -> String {
    format!(
        r#"<mujoco><option><flag gravity="disable"/></option><worldbody><body name="wheel"><joint name="axle"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/></body></worldbody>
        <actuator>{actuators}</actuator></mujoco>"#
    )
}

/// `I q̈ = kp (u - q) - kv q̇`.
#[test]
fn a_position_servo_is_a_damped_spring() {
    let (kp, kv, inertia, u) = (50.0_f64, 2.0_f64, 0.5_f64, 0.3_f64);
    let servo = wheel(r#"<position joint="axle" kp="50" kv="2"/>"#);
    let decay = kv / (2.0 * inertia);
    let rate = (kp / inertia - decay * decay).sqrt();
    let expected = |t: f64| u * (1.0 - (-decay * t).exp() * ((rate * t).cos() + decay / rate * (rate * t).sin()));
    for accuracy in [1e-4, 1e-6] {
        let q = end(&diagram(&servo, &[u]), cenic(accuracy), 0.7)[0];
        assert!((q - expected(0.7)).abs() < 30.0 * accuracy, "{q} instead of {} at {accuracy}", expected(0.7));
    }
}

/// For any stiffness, and also without a control: the servo is part of the step.
#[test]
fn a_stiff_servo_holds_in_long_steps() {
    let servo = wheel(r#"<position joint="axle" kp="1e8" kv="1e4"/>"#);
    let q = end(&diagram(&servo, &[0.3]), icf(0.05), 5.0);
    assert!((q[0] - 0.3).abs() < 1e-6 && q[1].abs() < 1e-6, "{q:?}");
    let idle = end(&diagram(&servo.replace(r#"name="axle""#, r#"name="axle" ref="10""#), &[]), icf(0.05), 5.0);
    assert!(idle[0].abs() < 1e-6, "{idle:?}");
}

/// A servo far from its goal exerts the end of its range, times its gear.
#[test]
fn forces_stay_in_their_range() {
    let servo = wheel(r#"<position joint="axle" kp="1e6" gear="2" forcerange="-3 0.5"/>"#);
    for (u, force) in [(10.0, 0.5), (-10.0, -3.0)] {
        let v = end(&diagram(&servo, &[u]), cenic(1e-6), 0.1)[1];
        assert!((v - 2.0 * force * 0.1 / 0.5).abs() < 1e-6, "{v}");
    }
    let motor = wheel(r#"<motor joint="axle" ctrlrange="-1 1" gear="4"/>"#);
    let v = end(&diagram(&motor, &[7.0]), cenic(1e-6), 0.1)[1];
    assert!((v - 4.0 * 0.1 / 0.5).abs() < 1e-6, "{v}");
}

/// Half the sum of two angles is driven, which exerts half the torque on each.
#[test]
fn a_tendon_drives_all_of_its_joints() {
    let body = |name: &str| {
        format!(
            r#"<body name="{name}"><joint name="{name}"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>"#
        )
    };
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>{}{}</worldbody>
        <tendon><fixed name="t"><joint joint="a" coef="0.5"/><joint joint="b" coef="-0.5"/></fixed></tendon>
        <actuator><general tendon="t" gaintype="fixed" gainprm="8" biastype="affine" biasprm="0 -8 0"/></actuator></mujoco>"#,
        body("a"),
        body("b")
    );
    // With l = (a - b)/2: l̈ = (8 (u - l)/2 + 8 (u - l)/2)/2 = 4 (u - l), from rest.
    let q = end(&diagram(&text, &[0.4]), cenic(1e-6), 1.0);
    let l = 0.4 * (1.0 - 2.0_f64.cos());
    assert!(((q[0] - q[1]) / 2.0 - l).abs() < 1e-4 && (q[0] + q[1]).abs() < 1e-9, "{q:?} {l}");
}

const BALL: &str =
    r#"<body name="ball" pos="0 0 0.101"><freejoint name="ball"/><geom size="0.1" mass="MASS" BITS/></body>"#;

fn ball_on_a_floor(mass: &str, bits: &str) -> Vec<f64> {
    let ball = BALL.replace("MASS", mass).replace("BITS", bits);
    let text = format!(r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>{ball}</worldbody></mujoco>"#);
    end(&diagram(&text, &[]), cenic(1e-5), 2.0)
}

/// Depth of rest in the reference implementation (version 4.0.0), for any weight.
#[test]
fn a_ball_rests_as_deep_as_the_contact_parameters_say() {
    for (mass, bits, depth) in [("1", "", 0.36718e-3), ("20", "", 0.36718e-3), ("3", r#"solref="0.04 1""#, 0.83329e-3)]
    {
        let state = ball_on_a_floor(mass, bits);
        let found = 0.1 - state[6];
        assert!((found - depth).abs() < 2e-8, "{found} instead of {depth}");
    }
}

#[test]
fn shapes_without_common_bits_pass_through_each_other() {
    assert!(ball_on_a_floor("1", r#"contype="2" conaffinity="4""#)[6] < -10.0);
    assert!(ball_on_a_floor("1", r#"contype="0" conaffinity="3""#)[6] > 0.09);
}

/// A constraint on the sum of three joints, as stiff as the format states: the sum of their rotations stays zero.
#[test]
fn a_coupling_of_three_joints_holds() {
    let link = |name: &str, more: &str| {
        format!(
            r#"<body name="{name}"><joint name="{name}" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
            {more}</body>"#
        )
    };
    let text = format!(
        r#"<mujoco><worldbody>{}{}{}</worldbody><tendon><fixed name="t"><joint joint="a" coef="1"/>
        <joint joint="b" coef="2"/><joint joint="c" coef="-3"/></fixed></tendon>
        <equality><tendon tendon1="t" solref=".002 1" solimp=".9999 .9999 .001"/></equality>
        <contact><exclude body1="a" body2="b"/><exclude body1="a" body2="c"/><exclude body1="b" body2="c"/></contact>
        </mujoco>"#,
        link("a", ""),
        link("b", ""),
        link("c", "").replace("1 0 0\"", "0 0 1\"")
    );
    let q = end(&diagram(&text, &[]), cenic(1e-6), 1.0);
    assert!((q[0] + 2.0 * q[1] - 3.0 * q[2]).abs() < 1e-5 && q[0].abs() > 0.1, "{q:?}");
}
