//! Contact of fibres against closed forms: rollers, a capstan; and from node to node.

use crate::common::capstan::{Capstan, THICK};
use crate::common::*;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreMaterial, Section};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Two fibres between the ground and a plate are rollers: the plate is twice as fast as they are. Under the part a of
/// gravity along the ground it has `(M + m/2) a/(M + 3 m/8)`, where m is the mass of both fibres together.
#[test]
fn fibres_between_plates_are_rollers() {
    let (plate, radius, length, density, pull, end) = (1.0, 0.01, 0.2, 7800.0, 0.4, 0.5);
    let fibre = |name: &str, x: f64| {
        let line = [-0.5 * length, 0.5 * length].map(|y| Vector3::new(x, y, radius)).to_vec();
        let material = FibreMaterial::isotropic(1e9, 0.3, density);
        Fibre::new(name, Curve::Polyline(line), 8, Section::Circle { radius }, material)
    };
    let plant = || {
        PlantBuilder::new()
            .gravity([pull, 0.0, -9.81])
            .ground(0.0)
            .contact(contact(1e6, 10.0, 0.5))
            .fibre(fibre("back", -0.1))
            .fibre(fibre("front", 0.1))
            .model("plate", cuboid(plate, [0.3, 0.15, 0.01]), at(0.0, 0.0, 2.0 * radius + 0.01))
    };
    let fibres = 2.0 * density * PI * radius * radius * length;
    let speed = (plate + 0.5 * fibres) / (plate + 0.375 * fibres) * pull * end;
    for options in
        [icf(1e-3), cenic(1e-3), Options::cenic_trapezoid(1e-3), Options::sap(1e-3), Options::theta_gamma(1e-3)]
    {
        let mut simulation = run(&alone(plant()), options, end);
        let found = velocity(&mut simulation, "plate").1.x;
        assert!((found / speed - 1.0).abs() < 2e-3, "{found} m/s, not {speed}: {options:?}");
        for node in 0..=8 {
            let mut rate = |c: &str| simulation.channel(&format!("plant.back.n{node}.velocity.{c}")).unwrap();
            let (rolled, turned) = (rate("vx") / (0.5 * speed), rate("wy") * radius / (0.5 * speed));
            assert!((rolled - 1.0).abs() < 5e-3 && (turned - 1.0).abs() < 5e-3, "{node}: {rolled} {turned}");
        }
    }
}

/// A cord without weight over half a turn of a drum whose surface slides under it, pulled by 1 N at one end and held at
/// the other. Returns the logarithm of the ratio of both tensions.
fn tensions(elements: usize, friction: f64, options: Options) -> f64 {
    let (stiffness, stretch, mass, radius) = (1e6, 1e4, 0.01, THICK);
    let capstan = Capstan { elements, legs: 4, stiffness, friction, stretch, mass, radius, damping: 5e-2 };
    let mut simulation = Simulation::new(&capstan.build(), options).unwrap();
    simulation.advance_to(0.25).unwrap_or_else(|e| panic!("{e}"));
    let mut held = |c: &str| simulation.channel(&format!("plant.constraints.cord.e0.{c}")).unwrap();
    held("fx").hypot(held("fy")).ln()
}

/// Sliding leads to the ratio `exp(π μ)` of the tensions (Euler 1769). With nodes at turns of θ it is the product of
/// `(1 + μ tan(θ/2))/(1 - μ tan(θ/2))`: of second order, up to a thousandth, from the thickness of the cord.
#[test]
fn a_cord_over_a_drum_has_eulers_ratio() {
    let friction = 0.3;
    let off = |elements: usize, options| tensions(elements, friction, options) - PI * friction;
    for options in [icf(1e-3), Options::theta_gamma(1e-3)] {
        let [coarse, fine] = [6, 12].map(|elements| off(elements, options));
        assert!((3.5..5.5).contains(&(coarse / fine)) && fine < 0.01, "{coarse} {fine}: {options:?}");
    }
    let finest = off(60, icf(1e-3));
    assert!(finest.abs() < 2e-3, "{finest}");
}

/// A peg lies across a fibre that is an arc of radius `bend`, pressed into it by `deep` at the angle `at` along the
/// arc. Returns the force, from its points, and the largest part of it on one node.
fn pressed_by_a_peg(bend: f64, deep: f64, at: f64, smooth_contact: bool) -> [f64; 2] {
    const ELEMENTS: usize = 8;
    let (thick, peg, span) = (5e-3, 0.02, 0.8);
    let half_turn = 0.5 * span / bend;
    let place = |turn: f64| Vector3::new(turn.sin(), 0.0, turn.cos()) * bend;
    let nodes = (0..=ELEMENTS).map(|i| place(half_turn * (2.0 * i as f64 / ELEMENTS as f64 - 1.0))).collect();
    let section = Section::Circle { radius: thick };
    let fibre = Fibre::new("cord", Curve::Polyline(nodes), ELEMENTS, section, FibreMaterial::isotropic(1e6, 0.3, 1e3));
    let mut model = solid(Shape::Cylinder { radius: peg, half_length: 0.1 }, 1.0);
    model.links[0].collisions[0].X_BG = Isometry3::rotation(Vector3::x() * FRAC_PI_2);
    let middle = place(at) / bend * (bend + thick + peg - deep);
    let base = Base::Fixed { X_WR: Isometry3::translation(middle.x, middle.y, middle.z) };
    let builder = weightless().contact(contact(1e5, 0.0, 0.5)).model("peg", model, base);
    let diagram = alone(builder.fibre(Fibre { smooth_contact, ..fibre }));
    let plant = diagram.blocks()[0].system.as_plant().unwrap();
    let (state, mut point) = (diagram.initial_state().continuous, PlantPoint::default());
    let (q, v) = state.split_at(7 * (ELEMENTS + 1));
    plant.evaluate(q, v, &mut point);
    plant.contacts(0.0, &mut point);
    let forces: Vec<f64> = point.contacts.iter().map(|c| c.stiffness * c.depth.max(0.0)).collect();
    [forces.iter().sum(), forces.iter().copied().fold(0.0, f64::max)]
}

/// A body that slides along a straight fibre has the same force everywhere, and the force passes from node to node
/// without a jump. (Pieces that end at their joints would have twice the force there.) Where the fibre is bent, the
/// force changes by the distance of the mean of two tangents from the arc, `L²κ/8`.
#[test]
fn smooth_contact_passes_from_node_to_node() {
    let (deep, piece, steps) = (2e-3, 0.1, 100);
    for (bend, most) in [(1e4, 1e-3), (2.0, 1.1 * piece * piece / (8.0 * 2.0) / deep)] {
        let forces = |smooth: bool| -> Vec<[f64; 2]> {
            let turn = |i: i32| piece / bend * (2.0 * f64::from(i) / f64::from(steps) - 1.0);
            (0..=steps).map(|i| pressed_by_a_peg(bend, deep, turn(i), smooth).map(|f| f / (1e5 * deep))).collect()
        };
        let spread = |forces: &[[f64; 2]]| {
            let all = || forces.iter().map(|f| f[0]);
            all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min)
        };
        let smooth = forces(true);
        assert!(spread(&smooth) < most, "bend {bend}: {}", spread(&smooth));
        assert!(spread(&forces(false)) > 0.9, "bend {bend}");
        // A strip of 25 mm in steps of 2 mm, at most 3/2 times as steep as its mean, and up to 1.3 times as deep.
        for pair in smooth.windows(2) {
            assert!((pair[1][1] - pair[0][1]).abs() < 1.5 * 0.08 * 1.3, "bend {bend}: {pair:?}");
        }
    }
}
