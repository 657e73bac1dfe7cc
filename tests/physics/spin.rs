//! Spinning bodies in convex steps: energy and momentum for any step.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::{Base, Collision, Inertia, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

/// A body of 1 kg with principal moments 1, 2, 3 kg m² about `com`.
fn unequal(com: [f64; 3]) -> Model {
    let inertia =
        Inertia { mass: 1.0, p_BoBcm: com.into(), I_BBcm: Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)) };
    let body = Link { name: "body".into(), inertia: Some(inertia), ..Link::default() };
    Model { name: "unequal".into(), links: vec![body], ..Model::default() }
}

/// Largest and smallest energy over the first on the way to `end`.
fn range_of_energy(diagram: &Diagram, options: Options, end: f64) -> (f64, f64) {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let start = simulation.energy().unwrap();
    let ratios = (1..=100).map(|i| {
        simulation.advance_to(end * f64::from(i) / 100.0).unwrap();
        simulation.energy().unwrap() / start
    });
    ratios.fold((1.0, 1.0), |(low, high), ratio| (f64::min(low, ratio), f64::max(high, ratio)))
}

#[test]
fn a_free_body_keeps_its_energy_whatever_the_step() {
    let off = |accuracy| Options { extrapolate: false, ..cenic(accuracy) };
    let cases = [
        ([0.3, 2.0, 0.1], off(1e-2), 1e-11),
        ([0.3, 2.0, 0.1], off(1e-4), 1e-11),
        ([3.0, 100.0, 1.0], icf(0.01), 1e-10),
        ([40.0, 110.0, -50.0], icf(0.1), 1e-10),
    ];
    for com in [[0.0; 3], [0.1, 0.2, -0.1]] {
        for (w, options, within) in cases {
            let diagram = alone(weightless().model("b", unequal(com), thrown([0.0; 3], w, [0.5, 0.0, -1.0])));
            let (low, high) = range_of_energy(&diagram, options, 10.0);
            assert!(1.0 - low < within && high - 1.0 < within, "{com:?} {w:?}: {low} {high}");
        }
    }
}

/// For any falling speed: the solver's tolerance is relative to the whole momentum.
#[test]
fn a_slow_turn_is_not_lost_in_a_fast_flight() {
    let base = thrown([0.0; 3], [0.3, 2.0, 0.1], [1e3, 0.0, 0.0]);
    let diagram = alone(weightless().model("b", unequal([0.0; 3]), base));
    let mut simulation = run(&diagram, Options { extrapolate: false, ..cenic(1e-3) }, 5.0);
    let slow = run(
        &alone(weightless().model("b", unequal([0.0; 3]), thrown([0.0; 3], [0.3, 2.0, 0.1], [0.0; 3]))),
        Options { extrapolate: false, ..cenic(1e-3) },
        5.0,
    );
    let (w, _) = velocity(&mut simulation, "b");
    let expected = Vector3::from_column_slice(&slow.state().continuous[7..10]);
    assert!((w - expected).norm() < 1e-6, "{w} {expected}");
}

/// A top of 100 rad/s on its tip, which slides.
#[test]
fn a_top_on_the_ground_gains_no_energy() {
    let inertia = Inertia {
        mass: 0.5,
        p_BoBcm: Vector3::new(0.0, 0.0, 0.1),
        I_BBcm: Matrix3::from_diagonal(&Vector3::new(0.002, 0.002, 0.001)),
    };
    let tip = Collision {
        name: String::new(),
        X_BG: Isometry3::identity(),
        shape: Shape::Sphere { radius: 0.005 },
        surface: None,
    };
    let body = Link { name: "body".into(), inertia: Some(inertia), collisions: vec![tip], ..Link::default() };
    let model = Model { name: "top".into(), links: vec![body], ..Model::default() };
    let tilt = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.3);
    let pose = Isometry3::from_parts(Translation3::new(0.0, 0.0, 0.005), tilt);
    let base = Base::Floating { X_WR: pose, w_WR: tilt * Vector3::new(0.0, 0.0, 100.0), v_WR: Vector3::zeros() };
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 10.0, 0.5));
    let diagram = alone(plant.model("top", model, base));
    let plain = |accuracy| Options { extrapolate: false, ..cenic(accuracy) };
    let trapezoid = Options::cenic_trapezoid;
    for options in [icf(0.002), plain(1e-2), plain(1e-3), cenic(1e-4), trapezoid(1e-2), trapezoid(1e-3)] {
        let name = options.integrator.name;
        let (low, high) = range_of_energy(&diagram, options, 2.0);
        assert!(high < 1.01 && low > 0.95, "{name}: {low} {high}");
    }
}

/// Angular momentum of balls about the origin \[kg m²/s\].
fn momentum(simulation: &mut Simulation, balls: [(&str, f64, f64); 2]) -> Vector3<f64> {
    let mut sum = Vector3::zeros();
    for (name, mass, radius) in balls {
        let (p, (w, v)) = (position(simulation, name), velocity(simulation, name));
        sum += w * (0.4 * mass * radius * radius) + p.cross(&v) * mass;
    }
    sum
}

#[test]
fn a_collision_keeps_the_angular_momentum() {
    let plant = weightless()
        .contact(contact(1e5, 1.0, 0.4))
        .model("a", ball(1.0, 0.1), thrown([0.0, 0.0, 0.0], [30.0, -5.0, 40.0], [1.0, 0.0, 0.0]))
        .model("b", ball(2.5, 0.2), thrown([0.4, 0.1, 0.05], [0.0, 20.0, -15.0], [-1.0, 0.2, 0.0]));
    let diagram = alone(plant);
    let balls = [("a", 1.0, 0.1), ("b", 2.5, 0.2)];
    for options in [icf(0.005), Options { extrapolate: false, ..cenic(1e-3) }] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let start = momentum(&mut simulation, balls);
        simulation.advance_to(0.3).unwrap();
        let change = momentum(&mut simulation, balls) - start;
        let (w, _) = velocity(&mut simulation, "a");
        assert!((w - Vector3::new(30.0, -5.0, 40.0)).norm() > 1.0, "they met");
        assert!(change.norm() < 1e-12 * start.norm(), "{}", change.norm() / start.norm());
    }
}
