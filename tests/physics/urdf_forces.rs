//! Forces of URDF files beyond joints: springs between links, servos, against closed forms.

use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_urdf_with};
use kinegraph::systems::multibody::{Base, MultibodyPlant};

/// A weight of 2 kg on a rail along z, with further elements.
fn plant(more: &str) -> MultibodyPlant {
    let text = format!(
        "<robot name='r' xmlns:drake='d'><link name='rail'/><link name='weight'><inertial><mass value='2'/>\
         <inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='lift' type='prismatic'><parent link='rail'/>\
         <child link='weight'/><axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1000'/></joint>{more}</robot>"
    );
    let model =
        parse_urdf_with(&text, "r.urdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    weightless().model("r", model, Base::fixed()).initial("r/lift", 0.7, 0.0).build().unwrap()
}

/// `x = 0.2 e^(-d t / 2m) (cos w t + d / (2 m w) sin w t)` about the free length, w² = k/m - (d / 2m)².
#[test]
fn a_spring_between_links_swings_about_its_free_length() {
    let (k, d, m, t) = (120.0_f64, 0.8, 2.0, 0.9);
    let spring = "<drake:linear_spring_damper><drake:linear_spring_damper_body_A name='rail'/>\
                  <drake:linear_spring_damper_body_B name='weight'/><drake:linear_spring_damper_free_length value='0.5'/>\
                  <drake:linear_spring_damper_stiffness value='120'/><drake:linear_spring_damper_damping value='0.8'/>\
                  </drake:linear_spring_damper>";
    let decay = d / (2.0 * m);
    let w = (k / m - decay * decay).sqrt();
    let expected = 0.5 + 0.2 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
    for accuracy in [1e-4, 1e-6] {
        let mut b = DiagramBuilder::new("spring");
        b.add("plant", plant(spring));
        let mut simulation = Simulation::new(&b.build().unwrap(), cenic(accuracy)).unwrap();
        simulation.advance_to(t).unwrap();
        let q = simulation.state().continuous[0];
        assert!((q - expected).abs() < 30.0 * accuracy, "{q} instead of {expected} at {accuracy}");
    }
}

/// `m q̈ = p (u - q) - d q̇`, critically damped: `q - u = (q₀ - u) (1 + w t) e^(-w t)`.
#[test]
fn a_motor_with_gains_is_a_servo() {
    let servo = "<transmission><type>SimpleTransmission</type><joint name='lift'/><actuator name='a'>\
                 <drake:controller_gains p='50' d='20'/></actuator></transmission>";
    let (w, t, u) = (5.0_f64, 0.6, 1.1);
    let expected = u + (0.7 - u) * (1.0 + w * t) * (-w * t).exp();
    let mut b = DiagramBuilder::new("servo");
    let plant = b.add("plant", plant(servo));
    b.fix(plant.actuator("r", "lift"), [u]);
    let mut simulation = Simulation::new(&b.build().unwrap(), cenic(1e-6)).unwrap();
    simulation.advance_to(t).unwrap();
    let q = simulation.state().continuous[0];
    assert!((q - expected).abs() < 1e-5, "{q} instead of {expected}");
}
