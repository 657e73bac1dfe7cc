//! Equilibria.

use super::scenes::{self, PENDULUM};
use kinegraph_diagram::{Diagram, DiagramBuilder, State};
use kinegraph_engine::linearize::{LinearizePorts, Linearizer, TrimFault, TrimOptions};
use kinegraph_multibody::{Base, Model, PlantBuilder};
use std::f64::consts::PI;

fn pendulum() -> Diagram {
    let mut b = DiagramBuilder::new("pendulum");
    b.add("plant", scenes::plant("p", scenes::pendulum(0.0, f64::INFINITY)));
    b.build().unwrap()
}

fn at(diagram: &Diagram, continuous: &[f64]) -> State {
    State { continuous: continuous.to_vec(), ..diagram.initial_state() }
}

fn actuated() -> LinearizePorts {
    LinearizePorts { inputs: vec!["plant.p.actuation".into()], ..LinearizePorts::default() }
}

#[test]
fn a_pendulum_rests_below_and_above() {
    let diagram = pendulum();
    for (from, to) in [(0.4, 0.0), (2.8, PI)] {
        let state = at(&diagram, &[from, 0.3]);
        let mut linearizer = Linearizer::new(&diagram, &state, &LinearizePorts::default()).unwrap();
        let found = linearizer.trim(&state, &[], &TrimOptions::default()).unwrap();
        assert!((found.state.continuous[0] - to).abs() < 1e-12 && found.state.continuous[1].abs() < 1e-12);
    }
}

/// Near the horizontal the linearized moment of the weight leads many turns away.
#[test]
fn the_equilibrium_found_is_the_nearest() {
    let diagram = pendulum();
    for i in 0..=600 {
        let from = -3.0 + 0.01 * f64::from(i) + 1e-3;
        let state = at(&diagram, &[from, 0.0]);
        let mut linearizer = Linearizer::new(&diagram, &state, &LinearizePorts::default()).unwrap();
        let found = linearizer.trim(&state, &[], &TrimOptions::default()).unwrap().state.continuous[0];
        let nearest = (from / PI).round() * PI;
        assert!((found - nearest).abs() < 1e-9, "from {from} to {found}");
    }
}

/// Both rods of a double pendulum rest upright or hanging, in four ways; from anywhere the nearest is found.
#[test]
fn of_four_equilibria_the_nearest_is_found() {
    use rand_distr::{Distribution, Uniform};
    use rand_pcg::{Pcg64, rand_core::SeedableRng};
    let mut random = Pcg64::seed_from_u64(5);
    for _ in 0..40 {
        let mut draw = |from: f64, to: f64| Uniform::new(from, to).unwrap().sample(&mut random);
        let (lengths, masses) = ([draw(0.3, 1.0), draw(0.3, 1.0)], [draw(0.5, 3.0), draw(0.5, 3.0)]);
        let start = [draw(-3.0, 3.0), draw(-3.0, 3.0)];
        let mut b = DiagramBuilder::new("pendulums");
        b.add("plant", scenes::plant("p", scenes::double_pendulum(lengths, masses)));
        let diagram = b.build().unwrap();
        let state = at(&diagram, &[start[0], start[1], 0.0, 0.0]);
        let mut linearizer = Linearizer::new(&diagram, &state, &LinearizePorts::default()).unwrap();
        let found = linearizer.trim(&state, &[], &TrimOptions::default()).unwrap().state.continuous;
        let away = |q: [f64; 2]| (q[0] - start[0]).hypot(q[1] - start[1]);
        let turns = (-2..=2).flat_map(|i| (-3..=3).map(move |j| [f64::from(i) * PI, f64::from(j) * PI]));
        let nearest = turns.map(away).fold(f64::INFINITY, f64::min);
        assert!((away([found[0], found[1]]) - nearest).abs() < 1e-6, "from {start:?} to {found:?}");
    }
}

#[test]
fn a_held_pendulum_needs_its_weight_moment() {
    let diagram = pendulum();
    let state = at(&diagram, &[0.6, 0.0]);
    let mut linearizer = Linearizer::new(&diagram, &state, &actuated()).unwrap();
    let options = TrimOptions { hold: vec!["plant.p.hinge.q".into()], free_inputs: true, ..TrimOptions::default() };
    let found = linearizer.trim(&state, &[0.0], &options).unwrap();
    assert_eq!(found.state.continuous[0], 0.6);
    assert!((found.inputs[0].abs() - PENDULUM.1 * 0.6_f64.sin()).abs() < 1e-10);
    // Without the torque there is no rest at this angle, and the joint is named.
    let held = TrimOptions { free_inputs: false, ..options };
    let TrimFault::NotFound { residuals, .. } = linearizer.trim(&state, &[0.0], &held).unwrap_err() else { panic!() };
    let acceleration = PENDULUM.1 * 0.6_f64.sin() / PENDULUM.0;
    assert_eq!(residuals.len(), 1);
    assert_eq!(residuals[0].0, "plant.p.hinge.v");
    assert!((residuals[0].1.abs() - acceleration).abs() < 1e-9);
    let misspelt = TrimOptions { hold: vec!["plant.p.hinge.p".into()], ..TrimOptions::default() };
    let text = linearizer.trim(&state, &[0.0], &misspelt).unwrap_err().to_string();
    assert!(text.contains("did you mean `plant.p.hinge."), "{text}");
}

#[test]
fn a_floating_body_is_held_by_its_weight_and_keeps_unit_quaternions() {
    let model = Model { links: vec![scenes::link("body", 1.5, 0.2, 0.1)], ..Model::default() };
    let plant = PlantBuilder::new().model(
        "p",
        model,
        Base::Floating {
            X_WR: nalgebra::Isometry3::identity(),
            w_WR: nalgebra::Vector3::zeros(),
            v_WR: nalgebra::Vector3::zeros(),
        },
    );
    let mut b = DiagramBuilder::new("floating");
    b.add("plant", plant.build().unwrap());
    let diagram = b.build().unwrap();
    let ports =
        LinearizePorts { inputs: vec!["plant.p.applied_generalized_force".into()], ..LinearizePorts::default() };
    let state = diagram.initial_state();
    let mut linearizer = Linearizer::new(&diagram, &state, &ports).unwrap();
    let options = TrimOptions { free_inputs: true, ..TrimOptions::default() };
    let found = linearizer.trim(&state, &[0.0; 6], &options).unwrap();
    let weight = 1.5 * scenes::G;
    assert!((found.inputs[5] - weight).abs() < 1e-9, "{:?}", found.inputs);
    let length: f64 = found.state.continuous[..4].iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-15);
    // Nothing holds it without a force.
    let falling = linearizer.trim(&state, &[0.0; 6], &TrimOptions::default()).unwrap_err();
    assert!(falling.to_string().contains("vz"), "{falling}");
}
