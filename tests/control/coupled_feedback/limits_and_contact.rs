//! The arm under computed torque at its effort limits, and pressing a wall.

use super::arm::{A, END, arm, arm_diagram, goal, joints};
use super::reference::{Reference, follow};
use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::{Base, Collision, Link, Model, PlantBuilder};
use nalgebra::{DMatrix, DVector, Isometry3, Vector3};

/// The arm's own equation with efforts clamped: `M v' + k = clamp(M a + k)`.
fn limited_reference(start: [f64; 7], gains: [f64; 3], limits: [f64; 7], steps: usize) -> Reference {
    let diagram = alone(PlantBuilder::new().model("arm", arm(), Base::fixed()));
    let plant = diagram.blocks()[0].system.as_plant().unwrap();
    let mut point = PlantPoint::default();
    Reference::new([start.as_slice(), &[0.0; 7]].concat(), 7, END, steps, |t, x| {
        let (q, v) = (x.rows(0, 7).into_owned(), x.rows(7, 7).into_owned());
        plant.evaluate(q.as_slice(), v.as_slice(), &mut point);
        let m = DMatrix::from_column_slice(7, 7, &point.mass_matrix);
        let k = DVector::from_column_slice(&point.bias);
        let (qd, vd) = goal(t);
        let mut effort = &m * ((qd - q) * gains[0] + (vd - &v) * gains[2]) + &k;
        effort.iter_mut().zip(limits).for_each(|(effort, limit)| *effort = effort.clamp(-limit, limit));
        let a = m.cholesky().unwrap().solve(&(effort - k));
        DVector::from_iterator(14, v.iter().chain(a.iter()).copied())
    })
}

#[test]
fn coupled_efforts_at_their_limits_cost_few_steps() {
    let (limits, gains) = ([87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0], [1e4, 0.0, 200.0]);
    let mut start = A;
    start.iter_mut().zip([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]).for_each(|(q, sign)| *q += 0.1 * sign);
    let mut model = arm();
    model.joints.iter_mut().zip(limits).for_each(|(joint, limit)| joint.effort = limit);
    let diagram = arm_diagram(model, start, gains, 0.0, |plant| plant);
    let reference = limited_reference(start, gains, limits, 7000);
    // When efforts come off their limits is located by luck: 0.010 to 0.046 rad at accuracies close to each other, in
    // attempts whose number differs by 10 %. Efforts that a combination of solutions would take past their limits are
    // those of the half steps, which costs 3 %.
    let outcomes = [0.8e-3, 0.85e-3, 0.9e-3, 0.95e-3, 1e-3].map(|accuracy| {
        let o = follow(&diagram, cenic(accuracy), END, &reference);
        assert!(o.largest < 0.05 && o.end < 1e-8, "{accuracy}: {o:?}");
        o.attempts
    });
    assert!(outcomes.iter().sum::<usize>() <= 5 * 335, "{outcomes:?}");
}

/// A wall half way of the tool, which presses against it with a ball, without friction.
fn with_wall(plant: PlantBuilder) -> PlantBuilder {
    let wall = Collision {
        name: "wall".into(),
        X_BG: Isometry3::translation(0.5, WALL + RADIUS + 0.5, 0.5),
        shape: Shape::Box { half_extents: Vector3::new(2.0, 0.5, 2.0) },
        surface: None,
    };
    let link = Link { name: "wall".into(), collisions: vec![wall], ..Link::default() };
    let model = Model { name: "wall".into(), links: vec![link], ..Model::default() };
    plant.model("wall", model, Base::fixed()).contact(contact(1e5, 10.0, 0.0))
}

/// Half of the tool's y at pose B, and the radius of its ball \[m\].
const WALL: f64 = 0.175989;
const RADIUS: f64 = 0.02;

#[test]
fn an_arm_that_presses_a_wall_costs_few_steps() {
    let gains = [1e4, 0.0, 200.0];
    let mut model = arm();
    let tool = model.links.iter_mut().find(|link| link.name == "tool").unwrap();
    let ball = Shape::Sphere { radius: RADIUS };
    tool.collisions.push(Collision { name: "tip".into(), X_BG: Isometry3::identity(), shape: ball, surface: None });
    let diagram = arm_diagram(model.clone(), A, gains, 0.0, with_wall);
    let times: Vec<f64> = (1..=14).map(|i| 0.25 * f64::from(i)).collect();
    let at = |options: Options| {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let q: Vec<DVector<f64>> = times
            .iter()
            .map(|&t| {
                simulation.advance_to(t).unwrap();
                DVector::from_column_slice(&simulation.state().continuous[..7])
            })
            .collect();
        q
    };
    let pressed = |diagram: &Diagram, most: usize| {
        let simulation = run(diagram, cenic(1e-3), END);
        let attempts = simulation.statistics().steps + simulation.statistics().rejected_steps;
        assert!(attempts <= most, "{attempts}");
        let end = DVector::from_column_slice(&simulation.state().continuous[..7]) - DVector::from_column_slice(&A);
        assert!(end.amax() < 1e-8, "{end}");
    };
    // 204: the tip lands where it touches.
    pressed(&diagram, 220);
    // At the limits of its first joints while it presses.
    let limits = [400.0, 348.0, 400.0, 400.0, 60.0, 60.0, 60.0];
    model.joints.iter_mut().zip(limits).for_each(|(joint, limit)| joint.effort = limit);
    let limited = arm_diagram(model, A, gains, 0.0, with_wall);
    pressed(&limited, 480);
    // Steps of fixed length cannot shrink where the clamped problem does not solve: they go on with a simpler law.
    for (h, most) in [(0.1, std::f64::consts::TAU), (0.02, 1e-8)] {
        let end = run(&limited, icf(h), END);
        let q = DVector::from_column_slice(&end.state().continuous[..7]) - DVector::from_column_slice(&A);
        assert!(q.amax() < most, "{} with steps of {h} s", q.amax());
    }
    let (coarse, fine) = (at(cenic(1e-3)), at(cenic(1e-5)));
    let free = joints(gains, 0.0, 7000);
    let differ = |a: &DVector<f64>, b: &DVector<f64>| (a - b).amax();
    for ((t, a), b) in times.iter().zip(&coarse).zip(&fine) {
        assert!(differ(a, b) < 0.02, "{} at {t}", differ(a, b));
    }
    // The tool does press against the wall.
    assert!(differ(&fine[7], &free.positions(2.0)) > 0.1);
}
