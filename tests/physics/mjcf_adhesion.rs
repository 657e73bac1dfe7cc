//! Adhesion of MJCF files against mechanics: actuators that pull at touching bodies, adhesive surfaces, gaps across
//! which they act.

use crate::common::*;
use crate::mjcf_plants::*;

const G: f64 = 9.81;

/// A box of 2 kg below a ceiling, 10 µm inside it, with four points of contact, under one adhesion actuator with a
/// gain of 10 N.
fn hanging(box_geom: &str, ceiling: &str) -> String {
    format!(
        r#"<mujoco><worldbody><geom name="ceiling" type="box" size="1 1 .1" pos="0 0 .1" {ceiling}/>
        <body name="b" pos="0 0 -.04999"><freejoint/>
        <geom name="box" type="box" size=".1 .1 .05" mass="2" {box_geom}/></body></worldbody>
        <actuator><adhesion body="b" ctrlrange="0 10" gain="10"/></actuator></mujoco>"#
    )
}

/// How far the box fell.
fn fallen(text: &str, control: f64, time: f64) -> f64 {
    -0.05 - end(&diagram(text, &[control]), cenic(1e-4), time)[6]
}

/// A fall under the gravity `g` over `gap`, then under the whole of it.
fn fall(g: f64, gap: f64, time: f64) -> f64 {
    let (within, speed) = ((2.0 * gap / g).sqrt(), (2.0 * g * gap).sqrt());
    let rest = time - within;
    gap + speed * rest + 0.5 * G * rest * rest
}

/// The box hangs if the pull exceeds its weight of 19.62 N; the range of controls applies.
#[test]
fn an_adhesion_actuator_carries_as_much_as_it_pulls() {
    assert!(fallen(&hanging("", ""), 2.2, 1.0).abs() < 1e-3);
    let short = hanging("", "").replace("0 10", "0 1.5");
    for (text, control) in [(hanging("", ""), 1.5), (short, 9.0), (hanging("", ""), 0.0)] {
        let (found, expected) = (fallen(&text, control, 0.5), 0.5 * G * 0.25);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} instead of {expected}");
    }
}

/// The pull of 15 N acts without contact within the sum of the gaps; its parts at four points are one force.
#[test]
fn a_gap_is_how_far_a_pull_reaches() {
    let text = hanging(r#"gap="0.03""#, r#"gap="0.02""#);
    let (found, expected) = (fallen(&text, 1.5, 0.5), fall(G - 15.0 / 2.0, 0.05, 0.5));
    assert!((found / expected - 1.0).abs() < 0.02, "{found} instead of {expected}");
}

/// Each of four contacts pulls with the sum of both surfaces, or with that of the higher priority, or of the pair.
#[test]
fn surfaces_stick_with_the_sum_of_both() {
    let hangs = |own: &str, other: &str, more: &str| {
        let text = hanging(own, other).replace("</worldbody>", &format!("</worldbody><contact>{more}</contact>"));
        fallen(&text, 0.0, 0.3).abs() < 2e-3
    };
    assert!(hangs(r#"adhesion="3""#, r#"adhesion="2.5""#, ""));
    assert!(!hangs(r#"adhesion="3""#, r#"adhesion="1.5""#, ""));
    assert!(!hangs(r#"adhesion="3" priority="1""#, r#"adhesion="2.5""#, ""));
    assert!(hangs(r#"adhesion="5.5" priority="1""#, "", ""));
    let pair = |adhesion: f64| format!(r#"<pair geom1="box" geom2="ceiling" adhesion="{adhesion}"/>"#);
    assert!(hangs("", "", &pair(5.5)));
    assert!(!hangs(r#"adhesion="3""#, r#"adhesion="2.5""#, &pair(4.5)));
}

/// On a wall the pull F presses: a box of 2 kg slides down with `g - μ F/m`, or is held.
#[test]
fn friction_holds_a_body_pulled_to_a_wall() {
    let text = r#"<mujoco><worldbody><geom type="box" size=".1 3 3" pos="-.1 0 0" friction="0.5"/>
        <body name="b" pos=".04999 0 0"><freejoint/>
        <geom type="box" size=".05 .2 .2" mass="2" friction="0.5"/></body></worldbody>
        <actuator><adhesion body="b" ctrlrange="0 10" gain="10"/></actuator></mujoco>"#;
    let sunk = |control: f64| -end(&diagram(text, &[control]), cenic(1e-4), 0.5)[6];
    let expected = 0.5 * (G - 0.5 * 20.0 / 2.0) * 0.25;
    assert!((sunk(2.0) / expected - 1.0).abs() < 0.02, "{} instead of {expected}", sunk(2.0));
    assert!(sunk(6.0).abs() < 2e-3, "{}", sunk(6.0));
}

/// Two free balls across a gap: opposite forces, and the closing acceleration `δ (1/m₁ + 1/m₂)`.
#[test]
fn magnets_pull_at_each_other() {
    let ball = |x: f64, mass: f64| {
        format!(r#"<body pos="{x} 0 0"><freejoint/><geom size=".05" mass="{mass}" adhesion="0.3" gap="0.1"/></body>"#)
    };
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>{}{}</worldbody></mujoco>"#,
        ball(0.0, 0.2),
        ball(0.2, 0.6)
    );
    let time = 0.15;
    let state = end(&diagram(&text, &[]), cenic(1e-5), time);
    let (a, b) = (state[4], state[11]);
    let closed = 0.5 * 0.6 * (1.0 / 0.2 + 1.0 / 0.6) * time * time;
    assert!((0.2 - (b - a) - closed).abs() < 1e-6, "{} instead of {closed}", 0.2 - (b - a));
    assert!((0.2 * a + 0.6 * (b - 0.2)).abs() < 1e-9, "{a} {b}");
}
