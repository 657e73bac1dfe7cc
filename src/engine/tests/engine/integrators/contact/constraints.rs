//! Rows of constraints, and what they report.

use kinegraph_convex::solvers::icf::Solver;
use kinegraph_core::convex::RowMeasure;
use kinegraph_diagram::DiagramBuilder;
use kinegraph_engine::integrators::contact::{StepOptions, StepPoint};
use kinegraph_engine::integrators::{Candidate, IcfStep, OneStep, Statistics};
use kinegraph_multibody::plant::{Attachment, Constraint};
use kinegraph_multibody::{Base, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Two free bodies and two carriages under every kind of constraint, all capturing the start.
fn constrained() -> (kinegraph_diagram::Diagram, Vec<&'static str>) {
    let body = |name: &str| {
        let inertia = Inertia { mass: 2.0, p_BoBcm: Vector3::new(0.1, 0.0, 0.2), I_BBcm: Matrix3::identity() * 0.1 };
        Link { name: name.into(), inertia: Some(inertia), ..Link::default() }
    };
    let solid = Model { name: "solid".into(), links: vec![body("body")], ..Model::default() };
    let mut arm =
        Model { name: "arm".into(), links: vec![Link { name: "base".into(), ..Link::default() }], ..Model::default() };
    for (i, axis) in [Vector3::z(), Vector3::y()].into_iter().enumerate() {
        let parent = arm.links[i].name.clone();
        arm.links.push(body(&format!("l{i}")));
        arm.joints.push(Joint {
            X_PF: Isometry3::translation(0.0, 0.3, 0.1),
            axis,
            ..Joint::new(format!("j{i}"), JointKind::Continuous, parent, format!("l{i}"))
        });
    }
    let turned = |p: [f64; 3], r: [f64; 3]| Isometry3::new(p.into(), r.into());
    let (on_arm, on_body) = (Attachment::at("arm/l1", [0.1, 0.2, 0.3]), Attachment::at("one/body", [0.0, -0.2, 0.1]));
    let on_other = Attachment::new("two/body", turned([0.3, 0.0, 0.1], [0.5, 0.1, 0.2]));
    let plant = PlantBuilder::new()
        .model("arm", arm, Base::fixed())
        .model("one", solid.clone(), Base::floating(turned([0.5, 0.1, 0.2], [0.3, 0.2, -0.4])))
        .model("two", solid, Base::floating(turned([-0.5, 0.3, 0.7], [-0.1, 0.9, 0.4])))
        .initial("arm/j0", 0.4, 0.0)
        .initial("arm/j1", -0.7, 0.0)
        .constraint(Constraint::weld("a", on_arm.clone(), on_body.clone()).capturing())
        .constraint(Constraint::ball("b", on_other.clone(), on_arm.clone()).capturing())
        .constraint(Constraint::distance("c", on_body, on_other.clone(), 0.0).capturing())
        .constraint(Constraint::weld("d", on_other, Attachment::world(Isometry3::identity())).capturing())
        .constraint(Constraint::coupler("e", ["arm/j0", "arm/j1"], 2.5, 0.0).capturing());
    let mut builder = DiagramBuilder::new("constrained");
    builder.add("plant", plant.build().unwrap());
    (builder.build().unwrap(), vec!["orientation", "point", "point", "distance", "orientation", "point", "coupler"])
}

/// The rows measure the rate of the violation: `J v` is its derivative along the motion, here where it is zero.
#[test]
fn rows_are_the_rates_of_violations() {
    let (diagram, names) = constrained();
    let mut simulation = kinegraph_engine::simulate::Simulation::new(&diagram, Default::default()).unwrap();
    simulation.advance_to(1e-9).unwrap(); // the constraints capture
    let state = simulation.state().clone();
    let (mut step, mut counts) =
        (IcfStep::new(&diagram, StepOptions::default(), Solver::default()), Statistics::default());
    let mut prepared = |continuous: &[f64]| {
        let (mut point, mut at) = (StepPoint::default(), state.clone());
        at.continuous.copy_from_slice(continuous);
        step.prepare(&at, 1e-3, &mut point, &mut counts).unwrap();
        point
    };
    let point = prepared(&state.continuous);
    let num_velocities = point.problem.size();
    let layout = kinegraph_engine::linearize::Layout::new(&diagram);
    let h = 1e-5;
    for velocity in 0..num_velocities {
        let mut v = vec![0.0; num_velocities];
        v[velocity] = 1.0;
        let violations = [-h, h].map(|dt| {
            let mut moved = state.continuous.clone();
            layout.advance_positions(&diagram, &state.continuous, &v, dt, &mut moved, &mut Vec::new());
            prepared(&moved).plants[0].constraints.iter().map(|r| Vector3::from(r.violation)).collect::<Vec<_>>()
        });
        for (group, name) in names.iter().enumerate() {
            let rate = (violations[1][group] - violations[0][group]) / (2.0 * h);
            let found = point.problem.row_velocity(group, &v);
            assert!((rate - found).norm() < 1e-6, "{name} {group}, velocity {velocity}: {rate} and {found}");
        }
    }
}

/// Reported forces of constraints are those that moved the plant: M (v - v0)/h + k = their generalized forces, which on
/// free bodies are the wrenches.
#[test]
fn reported_forces_balance_the_motion() {
    let (diagram, _) = constrained();
    let (mut step, mut point, mut counts) = (
        IcfStep::new(&diagram, StepOptions::default(), Solver::default()),
        StepPoint::default(),
        Statistics::default(),
    );
    let mut simulation = kinegraph_engine::simulate::Simulation::new(&diagram, Default::default()).unwrap();
    simulation.advance_to(1e-3).unwrap();
    let (mut next, h) = (Candidate::default(), 1e-2);
    step.prepare(simulation.state(), h, &mut point, &mut counts).unwrap();
    let v0 = step.velocity_at(&point).to_vec();
    next.velocity.clone_from(&v0);
    step.step(&mut point, h, 1e-8, &mut next, &mut counts).unwrap();
    let (mut wrenches, mut forces) = (vec![[0.0; 6]; point.plants[0].p_WB.len()], vec![0.0; v0.len()]);
    point.add_constraint_forces(0, 0, h, &mut wrenches, &mut forces);
    let weight = 2.0 * 9.81;
    for (i, force) in forces.iter().enumerate() {
        let inertia: f64 =
            (0..v0.len()).map(|j| point.problem.mass_entry(i, j) * (next.velocity[j] - v0[j])).sum::<f64>() / h;
        let sum = inertia + point.plants[0].bias[i];
        assert!((sum - force).abs() < 1e-5 * weight, "velocity {i}: {sum} and {force}");
    }
    // Velocities: two of the arm, then six of each free body; bodies: world, base, two links, two free ones.
    for (body, velocity) in [(4, 2), (5, 8)] {
        for i in 0..6 {
            assert!((wrenches[body][i] - forces[velocity + i]).abs() < 1e-9 * weight);
        }
    }
    let total: Vector3<f64> = wrenches.iter().map(|w| Vector3::new(w[3], w[4], w[5])).sum();
    assert!(total.norm() < 1e-9 * weight && wrenches[0][5] < -1.0, "action and reaction");
}

/// A body of 2 kg held at one end of an arm: the impulses per step are its weight and the moment of its weight.
#[test]
fn the_impulses_of_a_weld_at_rest_carry_the_weight() {
    let inertia = Inertia { mass: 2.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.1 };
    let body = Link { name: "body".into(), inertia: Some(inertia), ..Link::default() };
    let model = Model { name: "m".into(), links: vec![body], ..Model::default() };
    let hold =
        Constraint::weld("hold", Attachment::world(Isometry3::identity()), Attachment::at("m/body", [0.3, 0.0, 0.0]));
    let base = Base::floating(Isometry3::translation(-0.3, 0.0, 0.0));
    let mut builder = DiagramBuilder::new("held");
    builder.add("plant", PlantBuilder::new().model("m", model, base).constraint(hold).build().unwrap());
    let diagram = builder.build().unwrap();
    let (mut step, mut point, mut counts) = (
        IcfStep::new(&diagram, StepOptions::default(), Solver::default()),
        StepPoint::default(),
        Statistics::default(),
    );
    let (mut state, mut next, h) = (diagram.initial_state(), Candidate::default(), 0.01);
    let mut impulses = Vec::new();
    for _ in 0..20 {
        step.prepare(&state, h, &mut point, &mut counts).unwrap();
        next.velocity.clear();
        next.velocity.extend_from_slice(step.velocity_at(&point));
        step.step(&mut point, h, 1e-8, &mut next, &mut counts).unwrap();
        point.constraint_impulses(&mut impulses);
        state.continuous.clone_from(&next.continuous);
        state.time += h;
    }
    let [torque, force] = [0, 1].map(|i: usize| Vector3::from(impulses[i].impulse) / h);
    assert!(matches!(impulses[0].rows.measure, RowMeasure::Orientation { body_a: 0, body_b: 1 }));
    assert!((force - Vector3::new(0.0, 0.0, 2.0 * 9.81)).norm() < 1e-4, "{force}");
    // The weight, 0.3 m along -x of the held point, turns the body about -y.
    assert!((torque - Vector3::new(0.0, 0.3 * 2.0 * 9.81, 0.0)).norm() < 1e-4, "{torque}");
}
