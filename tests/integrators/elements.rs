//! Elements that a plant names by their kind: every method takes the kinds that it has a law for, and refuses all
//! others on construction.

use crate::common::*;
use kinegraph::contact::{Form, Untaken, UntakenElement};
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{IntegratorError, METHODS, Options, RIGID};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::Element;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use std::collections::BTreeSet;

/// A carriage of 2 kg on a rail that starts at 1 m/s, with elements on its joint.
fn carriage(friction: f64, elements: &[(&str, &[f64])]) -> Diagram {
    let mut model = slider(2.0);
    model.joints[0].friction = friction;
    let plant = PlantBuilder::new().gravity([0.0; 3]).model("rail", model, Base::fixed());
    alone(elements.iter().fold(plant.initial("rail/x", 0.0, 1.0), |plant, (kind, parameters)| {
        plant.element(Element { joint: "rail/x".into(), kind: (*kind).into(), parameters: parameters.to_vec() })
    }))
}

#[test]
fn every_method_refuses_elements_without_a_law_on_construction() {
    let diagram = carriage(0.0, &[("magnet", &[1.0]), ("joint_friction", &[3.0]), ("joint_friction", &[])]);
    for method in METHODS {
        let options = Options { step: Some(1e-3), ..Options::of(method) };
        let refused = options.build(&diagram).err().unwrap_or_else(|| panic!("{} takes a magnet", method.name));
        let untaken = |kind: &str, why| UntakenElement { kind: kind.into(), name: "plant.rail.x".into(), why };
        let elements = vec![
            untaken("magnet", Untaken::Unlisted { known: vec!["joint_friction"] }),
            untaken("joint_friction", Untaken::Parameters { expected: Some(&["force"]), found: 0 }),
        ];
        assert_eq!(refused, IntegratorError::Elements { integrator: method.name, elements });
        let message = refused.to_string();
        for part in [method.name, "`magnet` on `plant.rail.x`", "needs the numbers (force), and has 0"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(Simulation::new(&diagram, options).is_err(), "{}", method.name);
    }
}

#[test]
fn an_element_by_its_kind_is_that_of_the_model() {
    let (own, named) = (carriage(3.0, &[]), carriage(0.0, &[("joint_friction", &[3.0])]));
    for method in METHODS {
        let options = Options { step: Some(1e-3), ..Options::of(method) };
        let end = |diagram: &Diagram| {
            let mut simulation = Simulation::new(diagram, options).unwrap();
            simulation.advance_to(0.2).unwrap();
            simulation.state().continuous.clone()
        };
        assert_eq!(end(&own), end(&named), "{}", method.name);
        assert!(end(&own)[1] < 0.8, "{}: {:?}", method.name, end(&own));
    }
}

/// Each family takes one form of law; the methods have the two of the engine, and rows of their own.
#[test]
fn every_form_is_taken_by_some_method() {
    let forms: BTreeSet<&str> = METHODS.iter().map(|method| method.family.form.name).collect();
    let expected = BTreeSet::from([Form::CONVEX.name, Form::CONTINUOUS.name, RIGID.form.name]);
    assert_eq!(forms, expected);
    assert_eq!(expected.len(), 3);
}
