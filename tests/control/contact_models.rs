//! Linear models in contact against the nonlinear motion: differences of short runs of tight accuracy.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::Options;
use kinegraph::linearize::state_space::{LinearContact, Rotations};
use kinegraph::linearize::{LinearizePorts, Linearizer, TrimOptions};
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::discretized;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactParameters, Material};
use kinegraph::systems::multibody::{Base, Inertia, Joint, JointKind, Link, PlantBuilder};
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Vector3};

/// A body of random shape and inertia on the ground, with a damped pendulum above or below a hinge on it. The ground is
/// `hardness` times as stiff as a soft one, and friction as much more abrupt.
fn scene(numbers: &mut Random, draw: usize, hardness: f64) -> Diagram {
    let (shape, height) = match draw % 3 {
        0 => (Shape::Sphere { radius: 0.1 }, 0.1),
        1 => (Shape::Box { half_extents: Vector3::new(0.2, 0.15, 0.08) }, 0.08),
        _ => (Shape::Cylinder { radius: 0.15, half_length: 0.07 }, 0.07),
    };
    let mut model = solid(shape, numbers.between(0.5, 3.0));
    let moments = Vector3::from_fn(|_, _| numbers.between(0.01, 0.015));
    let mass = numbers.between(0.1, 0.5);
    let inertia = Inertia {
        mass,
        p_BoBcm: Vector3::new(0.0, 0.0, if draw.is_multiple_of(2) { -0.05 } else { 0.05 }),
        I_BBcm: Matrix3::from_diagonal(&(moments * mass)),
    };
    model.links.push(Link { name: "arm".into(), inertia: Some(inertia), ..Link::default() });
    model.joints.push(Joint {
        axis: Vector3::y(),
        damping: numbers.between(0.0, 0.1),
        X_PF: Isometry3::translation(0.0, 0.0, 0.02),
        ..Joint::new("hinge", JointKind::Continuous, "body", "arm")
    });
    let friction = numbers.between(0.2, 0.9);
    let pair = Material {
        stiffness: hardness * numbers.between(1e3, 2e4),
        dissipation: numbers.between(0.0, 3.0),
        static_friction: friction,
        dynamic_friction: friction,
    };
    let stiction_tolerance = numbers.between(0.02, 0.1) / hardness;
    let contact = ContactParameters { pair, stiction_tolerance, ..Default::default() };
    let base = Base::floating(Isometry3::translation(0.0, 0.0, height));
    let mut b = DiagramBuilder::new("on the ground");
    b.add("plant", PlantBuilder::new().ground(0.0).contact(contact).model("p", model, base).build().unwrap());
    b.build().unwrap()
}

/// The state after `duration`, by an explicit method that follows the laws of contact as they are.
fn after(diagram: &Diagram, state: &State, duration: f64) -> DVector<f64> {
    let mut simulation = Simulation::new(diagram, Options::dopri5(1e-11)).unwrap();
    simulation.set_state(state.clone()).unwrap();
    simulation.advance_to(duration).unwrap_or_else(|error| panic!("{error}"));
    DVector::from_vec(simulation.state().continuous.clone())
}

#[test]
fn models_of_the_laws_agree_with_differences_of_runs() {
    const DURATION: f64 = 0.03;
    let mut numbers = Random(507);
    let mut worst: f64 = 0.0;
    for draw in 0..30 {
        let diagram = scene(&mut numbers, draw, 1.0);
        let start = diagram.initial_state();
        let mut linearizer = Linearizer::new(&diagram, &start, &LinearizePorts::default()).unwrap();
        let state =
            linearizer.trim(&start, &[], &TrimOptions::default()).unwrap_or_else(|e| panic!("{draw}: {e}")).state;
        let model = linearizer.at(&state, &[]).unwrap();
        let n = model.a.nrows();
        let (ahead, _) = discretized(&model.a, &DMatrix::zeros(n, 1), DURATION).unwrap();
        let minimal = Rotations::of(&diagram).deviations(&state.continuous);
        // Small against the depth, and against the speed at which friction bends.
        let size = DVector::from_fn(n, |i, _| if i < n / 2 { 1e-7 } else { 1e-5 });
        let deviation = size.map(|size| size * numbers.between(-1.0, 1.0));
        let directions = minimal.clone().pseudo_inverse(1e-12).unwrap();
        let beside = |sign: f64| {
            let mut moved = state.clone();
            let change = &directions * &deviation * sign;
            moved.continuous.iter_mut().zip(change.iter()).for_each(|(x, change)| *x += change);
            after(&diagram, &moved, DURATION)
        };
        let found = &minimal * (beside(1.0) - beside(-1.0)) / 2.0;
        let expected = ahead * &deviation;
        for half in [0..n / 2, n / 2..n] {
            let of = |x: &DVector<f64>| x.rows(half.start, half.len()).norm();
            worst = worst.max(of(&(&found - &expected)) / of(&expected));
        }
        assert!(worst < 1e-3, "{draw}: {worst}: {found} instead of {expected}");
    }
}

/// Held, the same scenes have no creep; the slow motion of the model with regularized friction is theirs.
#[test]
fn slow_poles_of_the_laws_are_those_of_what_is_held() {
    let mut numbers = Random(508);
    for draw in [1, 2, 4, 5, 7, 8, 10, 11] {
        let diagram = scene(&mut numbers, draw, 1e3);
        let start = diagram.initial_state();
        let poles = |contact: LinearContact| {
            let linearizer = Linearizer::new(&diagram, &start, &LinearizePorts::default()).unwrap();
            let mut linearizer = linearizer.with_contact(contact);
            let found = linearizer.trim(&start, &[], &TrimOptions::default()).unwrap_or_else(|e| panic!("{draw}: {e}"));
            linearizer.at(&found.state, &[]).unwrap().poles().unwrap()
        };
        let held = poles(LinearContact::Hold);
        assert_eq!(held.len(), 2, "{draw}: {held:?}");
        let law = poles(LinearContact::Law);
        for pole in held {
            let nearest = law.iter().map(|known| (known - pole).norm()).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.02 * pole.norm(), "{draw}: {pole} among {law:?}");
        }
    }
}
