//! Refinement of smooth motion beside stiff motion.

use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::integrators::contact::refine::{Others, Refinement};
use kinegraph_engine::linearize::External;
use kinegraph_geometry::Shape;
use kinegraph_multibody::plant::{ContactParameters, Material};
use kinegraph_multibody::{Base, Collision, Inertia, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

/// A ball pressed a centimetre into the ground, of which an explicit step makes a shot, and one that falls above it.
fn balls() -> Diagram {
    let radius = 0.1;
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.004 };
    let shape = Shape::Sphere { radius };
    let collision = Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
    let link = Link { name: "b".into(), inertia: Some(inertia), collisions: vec![collision], ..Link::default() };
    let model = Model { name: "b".into(), links: vec![link], ..Model::default() };
    let at = |z: f64| Base::Floating {
        X_WR: Isometry3::from_parts(Translation3::new(0.0, 0.0, z), UnitQuaternion::identity()),
        w_WR: Vector3::zeros(),
        v_WR: Vector3::zeros(),
    };
    let pair = Material { stiffness: 1e7, dissipation: 0.0, static_friction: 0.5, dynamic_friction: 0.5 };
    let contact = ContactParameters { pair, ..ContactParameters::default() };
    let plant = PlantBuilder::new().gravity([0.0, 0.0, -10.0]).ground(0.0).contact(contact);
    let plant = plant.model("pressed", model.clone(), at(radius - 0.01)).model("falling", model, at(3.2 * radius));
    let mut builder = DiagramBuilder::new("balls");
    builder.add("plant", plant.build().unwrap());
    builder.build().unwrap()
}

#[test]
fn what_an_explicit_step_shoots_off_strikes_nothing() {
    let (diagram, h) = (balls(), 2e-3);
    let (mut external, state) = (External::new(&diagram), diagram.initial_state());
    let (mut refinement, mut switches) = (Refinement::default(), Vec::new());
    external.switches(state.time, &state.continuous, &mut switches);
    refinement.contact.prepare(&switches, std::iter::repeat_n(true, 2));
    let index = |name: &str| diagram.state_names().iter().position(|other| other == name).unwrap();
    let (z, vz) = (index("plant.falling.b.z"), index("plant.falling.b.vz"));
    let pressed: Vec<usize> =
        (0..state.continuous.len()).filter(|&i| diagram.state_names()[i].starts_with("plant.pressed")).collect();
    let mut off = |others: Others<'_>| {
        assert!(refinement.step(&mut external, &state, h, true, None, others));
        let (end, start) = (&refinement.end, &state.continuous);
        (end[z] - (start[z] - 5.0 * h * h)).abs() + h * (end[vz] + 10.0 * h).abs()
    };
    let beside = off(Others { entries: &pressed, end: &state.continuous });
    assert!(beside < 1e-15, "{beside:e}");
    // The shot would have struck it.
    let with_all = off(Others::NONE);
    assert!(with_all > 1e-2, "{with_all:e}");
}
