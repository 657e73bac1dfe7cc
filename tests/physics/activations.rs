//! Activations: states between controls and forces, in a separate block beside the plant.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::Options;

/// A mass on a slide with these actuators, under these controls.
fn slide(actuators: &str, controls: &[f64]) -> Diagram {
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
        <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body></worldbody><actuator>{actuators}</actuator></mujoco>"#
    );
    diagram(&text, controls)
}

/// `a = u (1 - e^(-t/T))`, `v = u/m (t - T (1 - e^(-t/T)))`, by every kind of integrator.
#[test]
fn a_filtered_motor_pushes_as_its_filter_says() {
    let diagram = slide(r#"<general name="f" joint="x" dyntype="filter" dynprm="0.2"/>"#, &[3.0]);
    let names: Vec<&str> = diagram.blocks().iter().map(|block| block.name.as_str()).collect();
    assert_eq!(names, ["plant", "plant/activations"]);
    let (t, time) = (0.5_f64, 0.2_f64);
    let a = 3.0 * (1.0 - (-t / time).exp());
    let v = 1.5 * (t - time * (1.0 - (-t / time).exp()));
    for (options, tolerance) in [(cenic(1e-6), 1e-5), (Options::icf(1e-4), 1e-3), (Options::dopri5(1e-9), 1e-8)] {
        let state = end(&diagram, options, t);
        assert!((state[1] - v).abs() < tolerance && (state[2] - a).abs() < tolerance, "{state:?} for {v} and {a}");
    }
}

/// An activation with a range stays within it, and leaves it at once when the control turns round.
#[test]
fn an_integrated_control_stays_within_its_range() {
    let actuator = r#"<intvelocity name="i" joint="x" kp="100" kv="30" actrange="-0.1 0.4"/>"#;
    let up = end(&slide(actuator, &[1.0]), cenic(1e-5), 3.0);
    assert!((up[2] - 0.4).abs() < 1e-4, "{up:?}");
    assert!((up[0] - 0.4).abs() < 1e-3, "{up:?}");
    let down = end(&slide(actuator, &[-1.0]), cenic(1e-5), 3.0);
    assert!((down[2] + 0.1).abs() < 1e-4, "{down:?}");
}

/// A muscle under a full control is activated by `ȧ = (1 - a)/(T₁ (1/2 + 3/2 a))`; with `a = 1` it stays so.
#[test]
fn a_muscle_is_activated_as_its_times_say() {
    let muscle = r#"<muscle name="m" joint="x" lengthrange="-1 1" force="0" timeconst="0.02 0.08"/>"#;
    let on = end(&slide(muscle, &[1.0]), cenic(1e-7), 0.02);
    // t = T₁ ∫ (1/2 + 3/2 a)/(1 - a) da = T₁ (-2 ln(1 - a) - 3/2 a)
    let a = on[2];
    let time = 0.02 * (-2.0 * (1.0 - a).ln() - 1.5 * a);
    assert!((time - 0.02).abs() < 1e-6, "{a} after {time}");
}

/// Growth beside an activation is followed: `ẍ = k² x + a/m` with a spring that pushes away.
#[test]
fn growth_beside_an_activation_is_followed() {
    let spring = r#"<general name="s" joint="x" gainprm="0" biastype="affine" biasprm="0 2000 0"/>"#;
    let actuators = format!(r#"<general name="f" joint="x" dyntype="filter" dynprm="0.2"/>{spring}"#);
    let (t, time, push, k) = (0.2_f64, 0.2_f64, 1.5, 1000.0_f64.sqrt());
    let part = push / (1.0 / (time * time) - k * k);
    let (sinh, cosh) = ((k * t).sinh(), (k * t).cosh());
    let exact = -push / (k * k) - part * (-t / time).exp() + (push / (k * k) + part) * cosh - part / (time * k) * sinh;
    let state = end(&slide(&actuators, &[3.0, 0.0]), cenic(1e-7), t);
    // A deviation of one accuracy at the start has grown by the cosine.
    assert!((state[0] - exact).abs() < 20.0 * 1e-7 * cosh, "{} for {exact}", state[0]);
}
