//! Contacts and closed chains in linear models, against closed forms and differences of the vector field.

use super::random::Numbers;
use super::scenes::{self, G, joint, link};
use kinegraph_diagram::{Diagram, DiagramBuilder, State};
use kinegraph_engine::linearize::state_space::{HeldKind, LinearContact};
use kinegraph_engine::linearize::{LinearModel, LinearizeFault, LinearizePorts, Linearizer, TrimOptions};
use kinegraph_geometry::Shape;
use kinegraph_multibody::plant::{Attachment, Constraint, ContactParameters, Material};
use kinegraph_multibody::{Base, Collision, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Complex, Isometry3, Matrix3, Vector3};

const STIFFNESS: f64 = 1e5;
const DISSIPATION: f64 = 2.0;
pub const FRICTION: f64 = 0.5;
const STICTION: f64 = 1e-2;

pub fn contact() -> ContactParameters {
    let pair = Material {
        stiffness: STIFFNESS,
        dissipation: DISSIPATION,
        static_friction: FRICTION,
        dynamic_friction: FRICTION,
    };
    ContactParameters { pair, stiction_tolerance: STICTION, ..ContactParameters::default() }
}

/// A body with this shape, its centre of mass at `center`.
fn body(shape: Shape, mass: f64, inertia: [f64; 3], center: [f64; 3]) -> Link {
    let inertia = Inertia { mass, p_BoBcm: center.into(), I_BBcm: Matrix3::from_diagonal(&inertia.into()) };
    let collision = Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
    Link { name: "body".into(), inertia: Some(inertia), collisions: vec![collision], ..Link::default() }
}

pub fn floating(z: f64) -> Base {
    let (w_WR, v_WR) = Default::default();
    Base::Floating { X_WR: Isometry3::translation(0.0, 0.0, z), w_WR, v_WR }
}

fn on_ground(model: Model, z: f64) -> Diagram {
    let mut b = DiagramBuilder::new("standing");
    let plant = PlantBuilder::new().ground(0.0).contact(contact()).model("p", model, floating(z));
    b.add("plant", plant.build().unwrap());
    b.build().unwrap()
}

fn alone(link: Link, z: f64) -> Diagram {
    on_ground(Model { links: vec![link], ..Model::default() }, z)
}

pub fn linearizer(diagram: &Diagram, inputs: &[&str], contact: LinearContact) -> Linearizer {
    let inputs = inputs.iter().map(|input| input.to_string()).collect();
    let ports = LinearizePorts { inputs, ..LinearizePorts::default() };
    Linearizer::new(diagram, &diagram.initial_state(), &ports).unwrap().with_contact(contact)
}

fn model_at(diagram: &Diagram, state: &State, contact: LinearContact) -> LinearModel {
    linearizer(diagram, &[], contact).at(state, &[]).unwrap()
}

/// Asserts that these are poles; all others are zero.
fn assert_poles(model: &LinearModel, expected: &[(f64, f64)], tolerance: f64) {
    let mut poles = model.poles().expect("convergence");
    for &(re, im) in expected {
        let near = |p: &Complex<f64>| (p - Complex::new(re, im)).norm();
        let best = (0..poles.len()).min_by(|&a, &b| near(&poles[a]).total_cmp(&near(&poles[b]))).expect("a pole");
        assert!(near(&poles[best]) < tolerance * re.hypot(im).max(1.0), "no pole near {re} + {im} i: {poles:?}");
        poles.swap_remove(best);
    }
    assert!(poles.iter().all(|pole| pole.norm() < 1e-2), "{poles:?}");
}

pub fn entry(model: &LinearModel, row: &str, column: &str) -> f64 {
    let at = |name: &str| model.state_names.iter().position(|n| n.ends_with(name)).unwrap_or_else(|| panic!("{name}"));
    model.a[(at(row), at(column))]
}

pub fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found} for {expected}");
}

#[test]
fn a_ball_on_the_ground_is_a_mass_on_a_spring_with_a_damper() {
    let (mass, radius) = (1.0, 0.1);
    let inertia = 0.4 * mass * radius * radius;
    let depth = mass * G / STIFFNESS;
    let diagram = alone(body(Shape::Sphere { radius }, mass, [inertia; 3], [0.0; 3]), radius - depth);
    let model = model_at(&diagram, &diagram.initial_state(), LinearContact::Law);
    // m z'' + m g d z' + k z = 0.
    let (c, k) = (G * DISSIPATION, STIFFNESS / mass);
    let im = (k - c * c / 4.0).sqrt();
    // Friction brakes slip along both axes; its point lies in the middle of the overlap.
    let arm = radius - depth / 2.0;
    let slip = -FRICTION * mass * G / STICTION * (1.0 / mass + arm * arm / inertia);
    assert_poles(&model, &[(-c / 2.0, im), (-c / 2.0, -im), (slip, 0.0), (slip, 0.0)], 1e-8);
    // Held, it rolls and spins: three degrees of freedom, nothing drives them.
    let held = model_at(&diagram, &diagram.initial_state(), LinearContact::Hold);
    assert_eq!(held.a.nrows(), 6);
    assert_poles(&held, &[], 1e-8);
    let free = model_at(&diagram, &diagram.initial_state(), LinearContact::Without);
    assert!((free.rates.last().unwrap() + G).abs() < 1e-12 && free.a.nrows() == 12);
}

/// The point of contact moves over the ball as it rolls: a ball that is heavy below rocks.
#[test]
fn a_ball_with_its_weight_below_rocks() {
    let (mass, radius, below, inertia) = (2.0, 0.1, 0.03, 0.01);
    let depth = mass * G / STIFFNESS;
    let ball = body(Shape::Sphere { radius }, mass, [inertia; 3], [0.0, 0.0, -below]);
    let diagram = alone(ball, radius - depth);
    let held = model_at(&diagram, &diagram.initial_state(), LinearContact::Hold);
    let arm = radius - depth / 2.0 - below;
    let w = (mass * G * below / (inertia + mass * arm * arm)).sqrt();
    let rocks: Vec<f64> = held.poles().unwrap().iter().map(|pole| pole.im).filter(|im| *im > 0.1).collect();
    assert_eq!(rocks.len(), 2);
    // The pole of a point at the middle of the overlap, whose distance to the centre stays as it is.
    rocks.iter().for_each(|found| assert_near(*found, w, 1e-3));
    let law = model_at(&diagram, &diagram.initial_state(), LinearContact::Law);
    let slow: Vec<f64> = law.poles().unwrap().iter().filter(|p| p.norm() < 30.0 && p.im > 0.1).map(|p| p.im).collect();
    assert_eq!(slow.len(), 2, "{:?}", law.poles());
    slow.iter().for_each(|found| assert_near(*found, w, 1e-2));
}

fn block() -> Diagram {
    let half_extents = Vector3::new(0.2, 0.1, 0.05);
    let depth = 2.0 * G / STIFFNESS;
    alone(body(Shape::Box { half_extents }, 2.0, [0.02, 0.03, 0.04], [0.0; 3]), 0.05 - depth)
}

#[test]
fn a_sliding_block_has_the_slope_of_regularized_friction() {
    let diagram = block();
    let mut state = diagram.initial_state();
    let velocity = diagram.state_names().iter().position(|name| name.ends_with(".vx")).expect("a velocity");
    let v = 0.2;
    state.continuous[velocity] = v;
    let root = (v * v + STICTION * STICTION).sqrt();
    let along = -FRICTION * G * STICTION * STICTION / root.powi(3);
    let law = model_at(&diagram, &state, LinearContact::Law);
    assert_near(entry(&law, ".vx", ".vx"), along, 1e-8);
    assert_near(entry(&law, ".vy", ".vy"), -FRICTION * G / root, 1e-8);
    assert_near(entry(&law, ".vx", ".z"), FRICTION * STIFFNESS / 2.0 * v / root, 1e-8);
    let mut held = linearizer(&diagram, &[], LinearContact::Hold);
    let model = held.at(&state, &[]).unwrap();
    assert_eq!(model.a.nrows(), 6, "{:?}", model.state_names);
    assert_near(entry(&model, ".vx", ".vx"), along, 1e-6);
    assert_near(entry(&model, ".vy", ".vy"), -FRICTION * G / root, 1e-6);
    let rate = model.state_names.iter().position(|name| name.ends_with(".vx")).unwrap();
    assert_near(model.rates[rate], -FRICTION * G * v / root, 1e-9);
    let parts = held.held(&state, &[]).unwrap();
    assert!(parts.iter().all(|part| part.kind == HeldKind::Slides), "{parts:?}");
    assert_near(parts.iter().map(|part| part.force).sum(), 2.0 * G, 1e-9);
}

#[test]
fn what_friction_cannot_hold_is_refused_and_its_margin_is_known() {
    let diagram = block();
    let state = diagram.initial_state();
    let mut held = linearizer(&diagram, &["plant.p.applied_generalized_force"], LinearContact::Hold);
    let pushed = |force: f64| [0.0, 0.0, 0.0, force, 0.0, 0.0];
    let parts = held.held(&state, &pushed(3.0)).unwrap();
    assert_eq!((parts.len(), parts[0].points), (1, 4));
    assert_near(parts[0].margin.unwrap(), 1.0 - 3.0 / (FRICTION * 2.0 * G), 1e-9);
    assert!(held.at(&state, &pushed(3.0)).unwrap().a.is_empty());
    let fault = held.at(&state, &pushed(12.0)).unwrap_err();
    assert!(matches!(fault, LinearizeFault::SlipsAway { .. }), "{fault}");
}

/// A double pendulum on a floating foot: a box on the ground.
fn on_a_foot(foot: Option<Shape>) -> Model {
    let mut model = scenes::double_pendulum([0.5, 0.4], [1.0, 0.7]);
    let collision = |shape| Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
    model.links[0] = Link { collisions: foot.into_iter().map(collision).collect(), ..link("base", 5.0, 0.0, 0.1) };
    // Upright.
    for link in &mut model.links[1..] {
        let inertia = link.inertia.as_mut().unwrap();
        inertia.p_BoBcm = -inertia.p_BoBcm;
    }
    let X_PF = Isometry3::translation(0.0, 0.0, 0.5);
    model.joints[1] = Joint { X_PF, ..model.joints[1].clone() };
    model
}

#[test]
fn a_double_pendulum_on_a_foot_that_sticks_is_one_on_a_fixed_base() {
    let inputs = ["plant.p.actuation"];
    let mut b = DiagramBuilder::new("fixed");
    b.add("plant", PlantBuilder::new().model("p", on_a_foot(None), Base::fixed()).build().unwrap());
    let fixed = b.build().unwrap();
    let half_extents = Vector3::new(0.15, 0.1, 0.02);
    for gap in [0.0, -1e-4] {
        let standing = on_ground(on_a_foot(Some(Shape::Box { half_extents })), 0.02 + gap);
        for angles in [[0.0, 0.0], [0.1, -0.3]] {
            let turned = |diagram: &Diagram| {
                let mut state = diagram.initial_state();
                for (joint, angle) in ["upper.q", "lower.q"].iter().zip(angles) {
                    let i = diagram.state_names().iter().position(|name| name.ends_with(joint)).unwrap();
                    state.continuous[i] = angle;
                }
                state
            };
            let expected = linearizer(&fixed, &inputs, LinearContact::Law).at(&turned(&fixed), &[0.0, 0.0]).unwrap();
            let found =
                linearizer(&standing, &inputs, LinearContact::Hold).at(&turned(&standing), &[0.0, 0.0]).unwrap();
            assert_eq!(found.state_names, expected.state_names);
            let scale = expected.a.amax();
            assert!((&found.a - &expected.a).amax() < 1e-9 * scale, "{}{}", found.a, expected.a);
            assert!((&found.b - &expected.b).amax() < 1e-9 * scale, "{}{}", found.b, expected.b);
            let apart = found.rates.iter().zip(&expected.rates).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(apart < 1e-9 * scale, "{:?} {:?}", found.rates, expected.rates);
        }
    }
}

/// A parallelogram hangs from two hinges: its coupler does not turn, and it swings as one pendulum.
#[test]
fn a_four_bar_loop_swings_as_its_one_degree_of_freedom() {
    let (length, mass, coupler) = (0.4, 1.5, 2.0);
    let hinge = |name: &str, parent: &str, child: &str, p: [f64; 3]| Joint {
        X_PF: Isometry3::translation(p[0], p[1], p[2]),
        ..joint(name, JointKind::Continuous, parent, child, Vector3::y())
    };
    let model = Model {
        name: "four_bar".into(),
        links: vec![
            Link { name: "base".into(), ..Link::default() },
            link("left", mass, 0.2, 0.02),
            link("right", mass, 0.2, 0.02),
            link("bar", coupler, 0.0, 0.05),
        ],
        joints: vec![
            hinge("left", "base", "left", [0.0; 3]),
            hinge("right", "base", "right", [1.0, 0.0, 0.0]),
            hinge("bar", "left", "bar", [0.0, 0.0, -length]),
        ],
        ..Model::default()
    };
    let end = Attachment::at("p/bar", [1.0, 0.0, 0.0]);
    let closes = Constraint::ball("loop", end, Attachment::at("p/right", [0.0, 0.0, -length]));
    let mut b = DiagramBuilder::new("loop");
    b.add("plant", PlantBuilder::new().model("p", model, Base::fixed()).constraint(closes).build().unwrap());
    let diagram = b.build().unwrap();
    let inertia = 2.0 * (0.02 + mass * 0.2 * 0.2) + coupler * length * length;
    let w = (G * (2.0 * mass * 0.2 + coupler * length) / inertia).sqrt();
    for contact in [LinearContact::Law, LinearContact::Hold] {
        let found = model_at(&diagram, &diagram.initial_state(), contact);
        assert_eq!(found.a.nrows(), 2, "{:?}", found.state_names);
        assert_poles(&found, &[(0.0, w), (0.0, -w)], 1e-9);
    }
    // From a state in which it is open it is closed and brought to rest.
    let mut state = diagram.initial_state();
    state.continuous[..3].copy_from_slice(&[0.3, 0.3, -0.3]);
    let found = linearizer(&diagram, &[], LinearContact::Law).trim(&state, &[], &TrimOptions::default()).unwrap();
    assert!(found.state.continuous[..3].iter().all(|q| q.abs() < 1e-7), "{:?}", found.state.continuous);
}

/// The derivatives are those of the vector field: differences of its rates along single states agree.
#[test]
fn derivatives_of_contacts_are_those_of_the_vector_field() {
    let mut numbers = Numbers(50);
    for draw in 0..24 {
        let shape = match draw % 3 {
            0 => Shape::Sphere { radius: numbers.between(0.05, 0.2) },
            1 => Shape::Box { half_extents: Vector3::from_fn(|_, _| numbers.between(0.05, 0.2)) },
            _ => Shape::Capsule { radius: numbers.between(0.05, 0.1), half_length: numbers.between(0.05, 0.2) },
        };
        let height = match &shape {
            Shape::Sphere { radius } => *radius,
            Shape::Box { half_extents } => half_extents.z,
            Shape::Capsule { radius, half_length } => radius + half_length,
            _ => 0.0,
        };
        let diagram = alone(body(shape, 1.0, [0.01, 0.02, 0.015], [0.01, 0.0, 0.02]), height - 2e-3);
        let mut state = diagram.initial_state();
        // A little off level: every corner stays in contact.
        for (i, tilt) in [1, 2, 3].iter().zip([2e-3, -1e-3, 0.7]) {
            state.continuous[*i] = tilt * numbers.between(0.5, 1.0);
        }
        let length = state.continuous[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
        state.continuous[..4].iter_mut().for_each(|x| *x /= length);
        let fast = if draw % 2 == 0 { 0.3 } else { 2e-3 };
        state.continuous[7..].iter_mut().for_each(|v| *v = numbers.between(-fast, fast));
        let mut law = linearizer(&diagram, &[], LinearContact::Law);
        let found = law.at(&state, &[]).unwrap();
        let scale = found.a.amax();
        for (column, name) in found.state_names.iter().enumerate().skip(3) {
            // Without the rotation, which has other coordinates.
            let full = column + 1;
            let step = 1e-6;
            let mut rates = |by: f64| {
                let mut beside = state.clone();
                beside.continuous[full] += by;
                let mut rates = vec![0.0; 13];
                law.rates(&beside, &[], &mut rates).unwrap();
                rates
            };
            let (up, down) = (rates(step), rates(-step));
            for row in 6..12 {
                let expected = (up[row + 1] - down[row + 1]) / (2.0 * step);
                let off = (found.a[(row, column)] - expected).abs() / scale;
                assert!(off < 1e-6, "{draw}, {name}, {row}: {} for {expected}", found.a[(row, column)]);
            }
        }
    }
}

#[test]
fn bodies_that_begin_at_the_ground_are_set_down() {
    let (mass, radius) = (1.0, 0.1);
    let diagram = alone(body(Shape::Sphere { radius }, mass, [0.004; 3], [0.0; 3]), radius);
    let mut law = linearizer(&diagram, &[], LinearContact::Law);
    let found = law.trim(&diagram.initial_state(), &[], &TrimOptions::default()).unwrap();
    assert_near(found.state.continuous[6], radius - mass * G / STIFFNESS, 1e-12);
}

/// A pendulum that leans stands still by its motors; held, friction and corners carry what they must.
#[test]
fn a_leaning_pendulum_on_a_foot_is_trimmed_by_its_motors() {
    let half_extents = Vector3::new(0.15, 0.1, 0.02);
    let diagram = on_ground(on_a_foot(Some(Shape::Box { half_extents })), 0.02);
    let mut state = diagram.initial_state();
    let place = |joint: &str| diagram.state_names().iter().position(|name| name.ends_with(joint)).unwrap();
    state.continuous[place("upper.q")] = 0.05;
    state.continuous[place("lower.q")] = -0.2;
    let hold = vec!["plant.p.upper.q".to_owned(), "plant.p.lower.q".to_owned()];
    let options = TrimOptions { hold, free_inputs: true, ..TrimOptions::default() };
    let moment = |upper: f64, lower: f64| 0.7 * G * 0.4 * f64::sin(upper + lower);
    let all = moment(0.05, -0.2) + G * 0.5 * (1.0 + 0.7) * f64::sin(0.05);
    for contact in [LinearContact::Hold, LinearContact::Law] {
        let mut linearizer = linearizer(&diagram, &["plant.p.actuation"], contact);
        let found =
            linearizer.trim(&state, &[0.0, 0.0], &options).unwrap_or_else(|fault| panic!("{contact:?}: {fault}"));
        if contact == LinearContact::Hold {
            assert_near(found.inputs[0], -all, 1e-6);
            assert_near(found.inputs[1], -moment(0.05, -0.2), 1e-6);
        }
        let parts = linearizer.held(&found.state, &found.inputs).unwrap();
        assert_near(parts.iter().map(|part| part.force).sum(), 6.7 * G, 1e-6);
    }
}
