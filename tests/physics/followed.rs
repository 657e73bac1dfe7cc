//! Motion that exceeds the accuracy is followed however fast it is, and motion below it costs nothing.

use crate::common::*;
use kinegraph::contact::restitution;
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::multibody::{Base, PlantBuilder};

const G: f64 = 9.81;

/// The rebound of an impact is that of the contact law in closed form, for every stiffness, though the impact is many
/// times shorter than a step of the accuracy.
#[test]
fn a_ball_comes_again_as_high_as_its_contact_gives_back() {
    let speed = (2.0 * G).sqrt();
    for (stiffness, dissipation, mass) in [(1e6, 0.0, 1.0), (1e7, 0.05, 0.1), (1e8, 0.12, 10.0), (1e9, 0.05, 1.0)] {
        let back = restitution(dissipation * speed);
        for accuracy in [1e-3, 1e-4, 1e-5] {
            let plant = PlantBuilder::new().ground(0.0).contact(contact(stiffness, dissipation, 0.0));
            let plant = plant.model("ball", ball(mass, 0.1), at(0.0, 0.0, 1.1));
            let mut simulation = run(&alone(plant), cenic(accuracy), 0.6);
            let (z, v) = (position(&mut simulation, "ball").z - 0.1, simulation.state().continuous[12]);
            let apex = z + v * v / (2.0 * G);
            let error = (apex - back * back).abs();
            assert!(error < 0.01 + accuracy, "{stiffness} {dissipation} at {accuracy}: {apex}, not {}", back * back);
        }
    }
}

/// Sixteen periods of a spring of 1 kg on 1e8 N/m.
#[test]
fn a_stiff_spring_is_followed_where_its_amplitude_can_be_seen() {
    let diagram = |amplitude: f64| {
        let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", amplitude, 0.0);
        alone(plant.spring("s/x", 1e8, 0.0))
    };
    for (accuracy, lost) in [(1e-3, 0.1), (1e-4, 1e-2), (1e-5, 1e-3)] {
        let simulation = run(&diagram(0.01), cenic(accuracy), 0.01);
        let energy = simulation.energy().unwrap() / (0.5 * 1e8 * 1e-4);
        assert!((energy - 1.0).abs() < lost, "{accuracy}: {energy} of the energy");
        let simulation = run(&diagram(0.5 * accuracy), cenic(accuracy), 0.01);
        assert!(attempts(&simulation) <= 5, "{accuracy}: {} attempts", attempts(&simulation));
    }
}

/// A gripper moves down to a crate that rests on the ground. Both are in one problem if the step is long enough for
/// them to meet, and not in that of its second half: that is not a transition.
#[test]
fn an_approaching_contact_is_no_transition() {
    let file = format!("{}/examples/vacuum/vacuum.yaml", env!("CARGO_MANIFEST_DIR"));
    let mut scenario = Scenario::open(file).unwrap();
    for accuracy in [1e-3, 1e-4] {
        scenario.options.accuracy = accuracy;
        let mut simulation = Simulation::new(&scenario.diagram, scenario.options).unwrap();
        simulation.advance_to(0.6).unwrap();
        let rejected = simulation.statistics().rejected_steps;
        assert!(rejected <= 5, "{accuracy}: {rejected} attempts in vain");
    }
}
