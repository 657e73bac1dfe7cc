//! Six axes of one description follow a logged motion; their margins are those of the formula.

use super::{channel, open};
use crate::command::kinegraph;

const FILE: &str = "examples/six_axes/six_axes.yaml";

/// A complex number.
type Complex = [f64; 2];

/// Response of the open loop at w \[rad/s\] with a delay T \[s\]: (kp + kd s) e^(-s T)/(J s²), which does not depend on
/// the inertia, since the gains are made for it.
fn open_loop(w: f64) -> Complex {
    const W: f64 = 30.0;
    const T: f64 = 0.005;
    let [re, im] = [W * W / -(w * w), 1.6 * W * w / -(w * w)];
    let (sin, cos) = (-w * T).sin_cos();
    [re * cos - im * sin, re * sin + im * cos]
}

#[test]
fn margins_with_a_late_bus_are_those_of_the_formula() {
    let args = ["--cut", "axis[3]/bus.input", "--output", "axis[3]/pid.effort", "--margins", "--json"];
    let (code, out, err) = kinegraph(&[&["linearize", FILE][..], &args].concat());
    assert_eq!(code, 0, "{out}{err}");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let (mut low, mut high) = (1.0_f64, 1e3_f64);
    for _ in 0..100 {
        let w = (low * high).sqrt();
        let [re, im] = open_loop(w);
        if re.hypot(im) > 1.0 { low = w } else { high = w }
    }
    let [re, im] = open_loop(low);
    let phase = 180.0 + im.atan2(re).to_degrees();
    for (name, expected) in [("phase_frequency", low), ("phase_deg", phase), ("delay_s", phase.to_radians() / low)] {
        let value = found["margins"][name].as_f64().unwrap_or(f64::NAN);
        assert!((value - expected).abs() < 1e-8 * expected, "{name}: {value} for {expected}");
    }
}

#[test]
fn all_axes_follow_the_log_alike() {
    let (scenario, mut simulation) = open(FILE);
    simulation.advance_to(0.75).expect("half way");
    // The log is half way at 0.75 s, with 1.25 rad/s: 30/1.5 (s² - 2 s³ + s⁴) at s = 1/2.
    assert!((channel(&mut simulation, "log.output[0]") - 0.5).abs() < 1e-6);
    assert!((channel(&mut simulation, "log.output[1]") - 1.25).abs() < 1e-6);
    let angles =
        |simulation: &mut _| -> Vec<f64> { (0..6).map(|i| channel(simulation, &format!("axis[{i}].angle"))).collect() };
    for angle in angles(&mut simulation) {
        assert!((angle - 0.5).abs() < 0.02, "{angle}");
    }
    simulation.advance_to(scenario.duration).expect("the end");
    assert!(angles(&mut simulation).iter().all(|angle| (angle - 1.0).abs() < 1e-3));
}

#[test]
fn requirements_hold_until_the_bus_is_too_slow() {
    let (code, out, err) = kinegraph(&["test", "examples/six_axes", "examples/cart_pole"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("2 files: 2 met"), "{out}");
    let (code, out, err) = kinegraph(&["run", FILE, "--set", "systems.axis.set.late=40"]);
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("no_overshoot  violated at"), "{out}");
}
