//! Models of what is held: a gripper with its load, and four-bar loops in motion.

use super::contact::{FRICTION, assert_near, contact, entry, floating, linearizer};
use super::random::Numbers;
use super::scenes::{self, G, joint, link};
use kinegraph_diagram::DiagramBuilder;
use kinegraph_engine::linearize::state_space::{HeldKind, LinearContact};
use kinegraph_geometry::Shape;
use kinegraph_multibody::plant::{Attachment, Constraint};
use kinegraph_multibody::{Base, Collision, Joint, JointKind, Link, Model, PlantBuilder};
use nalgebra::{DMatrix, Isometry3, Matrix2, Vector2, Vector3};

fn box_of(half_extents: [f64; 3]) -> Vec<Collision> {
    let shape = Shape::Box { half_extents: half_extents.into() };
    vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }]
}

/// Two fingers on a lift squeeze a box: with it they are one body that is lifted and moves between the fingers' rails.
#[test]
fn a_gripper_and_the_box_that_it_holds_are_one_body() {
    let (palm, finger, held, squeeze) = (3.0, 0.4, 0.5, 20.0);
    let side = |name: &str, x: f64| Joint {
        X_PF: Isometry3::translation(x, 0.0, 0.0),
        ..joint(name, JointKind::Prismatic, "palm", name, Vector3::x())
    };
    let of_finger = |name: &str| Link { collisions: box_of([0.01, 0.03, 0.03]), ..link(name, finger, 0.0, 0.001) };
    let hand = Model {
        name: "hand".into(),
        links: vec![
            Link { name: "base".into(), ..Link::default() },
            link("palm", palm, 0.0, 0.01),
            of_finger("left"),
            of_finger("right"),
        ],
        joints: vec![
            joint("lift", JointKind::Prismatic, "base", "palm", Vector3::z()),
            side("left", -0.06),
            side("right", 0.06),
        ],
        ..Model::default()
    };
    let load = Link { collisions: box_of([0.05, 0.04, 0.02]), ..link("load", held, 0.0, 0.002) };
    let load = Model { links: vec![load], ..Model::default() };
    let plant = PlantBuilder::new().contact(contact()).model("hand", hand, Base::fixed());
    let mut b = DiagramBuilder::new("gripper");
    b.add("plant", plant.model("load", load, floating(0.0)).build().unwrap());
    let diagram = b.build().unwrap();
    let mut hold = linearizer(&diagram, &["plant.hand.actuation"], LinearContact::Hold);
    let all = palm + 2.0 * finger + held;
    let efforts = [all * G, squeeze, -squeeze];
    let found = hold.at(&diagram.initial_state(), &efforts).unwrap();
    assert_eq!(found.state_names, ["plant.hand.lift.q", "plant.hand.left.q", "plant.hand.lift.v", "plant.hand.left.v"]);
    assert!(found.rates.iter().all(|rate| rate.abs() < 1e-9), "{:?}", found.rates);
    let between = 1.0 / (2.0 * finger + held);
    let expected = DMatrix::from_row_slice(2, 3, &[1.0 / all, 0.0, 0.0, 0.0, between, between]);
    assert!((found.b.rows(2, 2) - &expected).amax() < 1e-9, "{}", found.b);
    assert!(found.a.view((2, 0), (2, 4)).amax() < 1e-6, "{}", found.a);
    let parts = hold.held(&diagram.initial_state(), &efforts).unwrap();
    assert_eq!(parts.len(), 2, "{parts:?}");
    for part in &parts {
        assert_eq!((part.kind, part.points), (HeldKind::Sticks, 4), "{parts:?}");
        assert_near(part.force, squeeze, 1e-9);
        assert_near(part.friction, held * G / 2.0, 1e-9);
        assert_near(part.margin.unwrap(), 1.0 - held * G / 2.0 / (FRICTION * squeeze), 1e-9);
    }
    // Half of the lift accelerates the box downwards: friction has less to carry.
    let eased = [all * G / 2.0, squeeze, -squeeze];
    let found = hold.at(&diagram.initial_state(), &eased).unwrap();
    assert_near(found.rates[2], -G / 2.0, 1e-9);
    assert_near(hold.held(&diagram.initial_state(), &eased).unwrap()[0].friction, held * G / 4.0, 1e-9);
}

/// A planar four-bar: crank, coupler and rocker, with their lengths, masses and inertias; each has its centre of mass
/// at this distance below its first hinge, in its own axes.
struct FourBar {
    lengths: [f64; 3],
    masses: [f64; 3],
    centers: [f64; 3],
    inertias: [f64; 3],
    /// Second hinge of the frame, x and z.
    hinge: Vector2<f64>,
}

/// A point `(x, z)` of a body that is turned by `angle` about y, and its derivative by the angle.
fn turned(angle: f64, [x, z]: [f64; 2]) -> (Vector2<f64>, Vector2<f64>) {
    let (sin, cos) = angle.sin_cos();
    (Vector2::new(x * cos + z * sin, z * cos - x * sin), Vector2::new(z * cos - x * sin, -x * cos - z * sin))
}

impl FourBar {
    /// A random one at these angles of crank, coupler and rocker from the vertical.
    fn random(numbers: &mut Numbers, [crank, coupler, rocker]: [f64; 3]) -> Self {
        let mut draw = |low: f64, high: f64| [0; 3].map(|_| numbers.between(low, high));
        let (lengths, masses) = (draw(0.3, 0.6), draw(0.5, 2.0));
        let (centers, inertias) = (draw(0.1, 0.3), draw(0.01, 0.05));
        let end = turned(crank, [0.0, -lengths[0]]).0 + turned(coupler, [lengths[1], 0.0]).0;
        let hinge = end - turned(rocker, [0.0, -lengths[2]]).0;
        FourBar { lengths, masses, centers, inertias, hinge }
    }

    fn model(&self) -> Model {
        let hinge = |name: &str, parent: &str, [x, z]: [f64; 2]| Joint {
            X_PF: Isometry3::translation(x, 0.0, z),
            ..joint(name, JointKind::Continuous, parent, name, Vector3::y())
        };
        let names = ["crank", "coupler", "rocker"];
        let bars = (0..3).map(|i| link(names[i], self.masses[i], self.centers[i], self.inertias[i]));
        Model {
            name: "four_bar".into(),
            links: std::iter::once(Link { name: "base".into(), ..Link::default() }).chain(bars).collect(),
            joints: vec![
                hinge("crank", "base", [0.0; 2]),
                hinge("coupler", "crank", [0.0, -self.lengths[0]]),
                hinge("rocker", "base", self.hinge.into()),
            ],
            ..Model::default()
        }
    }

    /// Angles of coupler and rocker at this one of the crank, near those given, and their derivatives by it.
    fn closed(&self, crank: f64, near: Vector2<f64>) -> (Vector2<f64>, Vector2<f64>) {
        let mut found = near;
        let ((_, by_crank), mut matrix) = (turned(crank, [0.0, -self.lengths[0]]), Matrix2::identity());
        for _ in 0..20 {
            let (coupler, by_coupler) = turned(found.x, [self.lengths[1], 0.0]);
            let (rocker, by_rocker) = turned(found.y, [0.0, -self.lengths[2]]);
            matrix = Matrix2::from_columns(&[by_coupler, -by_rocker]).try_inverse().expect("no dead point");
            found -= matrix * (turned(crank, [0.0, -self.lengths[0]]).0 + coupler - rocker - self.hinge);
        }
        (found, -matrix * by_crank)
    }

    /// Inertia and potential energy at this angle of the crank.
    fn energies(&self, crank: f64, near: Vector2<f64>) -> (f64, f64) {
        let (angles, by_crank) = self.closed(crank, near);
        let (joint, of_joint) = turned(crank, [0.0, -self.lengths[0]]);
        let center = |i: usize, angle: f64| turned(angle, [0.0, -self.centers[i]]);
        let (first, of_first) = center(0, crank);
        let (second, of_second) = center(1, angles.x);
        let (third, of_third) = center(2, angles.y);
        let bodies = [
            (first.y, of_first, 1.0),
            (joint.y + second.y, of_joint + of_second * by_crank.x, by_crank.x),
            (self.hinge.y + third.y, of_third * by_crank.y, by_crank.y),
        ];
        bodies.iter().enumerate().fold((0.0, 0.0), |(inertia, energy), (i, (z, way, turn))| {
            let own = self.masses[i] * way.norm_squared() + self.inertias[i] * turn * turn;
            (inertia + own, energy + self.masses[i] * G * z)
        })
    }

    /// Acceleration of the crank: `M q'' + M' q'^2 / 2 + V' = 0`.
    fn acceleration(&self, crank: f64, speed: f64, near: Vector2<f64>) -> f64 {
        let inertia = self.energies(crank, near).0;
        let by_inertia = slope(2e-4, |step| self.energies(crank + step, near).0);
        let by_energy = slope(2e-4, |step| self.energies(crank + step, near).1);
        -(by_inertia * speed * speed / 2.0 + by_energy) / inertia
    }
}

/// Derivative at zero by differences of fourth order.
fn slope(step: f64, value: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (value(step) - value(-step)) - value(2.0 * step) + value(-2.0 * step)) / (12.0 * step)
}

/// The linear model of a loop in motion is that of the one equation that is left of it.
#[test]
fn random_four_bar_loops_in_motion_are_their_one_equation() {
    let mut numbers = Numbers(504);
    for draw in 0..40 {
        let angles = [numbers.between(-0.8, 0.8), numbers.between(-0.5, 0.5), numbers.between(-0.8, 0.8)];
        let speed = numbers.between(-3.0, 3.0);
        let bars = FourBar::random(&mut numbers, angles);
        let end = Attachment::at("p/coupler", [bars.lengths[1], 0.0, 0.0]);
        let closes = Constraint::ball("loop", end, Attachment::at("p/rocker", [0.0, 0.0, -bars.lengths[2]]));
        let plant = PlantBuilder::new().model("p", bars.model(), Base::fixed()).constraint(closes);
        let mut b = DiagramBuilder::new("loop");
        b.add("plant", plant.build().unwrap());
        let diagram = b.build().unwrap();
        let near = Vector2::new(angles[1], angles[2]);
        let rates = bars.closed(angles[0], near).1;
        let mut state = diagram.initial_state();
        let positions = [angles[0], angles[1] - angles[0], angles[2]];
        let velocities = [speed, speed * (rates.x - 1.0), speed * rates.y];
        state.continuous.copy_from_slice(&[positions, velocities].concat());
        let contact = [LinearContact::Law, LinearContact::Hold, LinearContact::Without][draw % 3];
        let mut linearizer = linearizer(&diagram, &[], contact).preferring(vec!["plant.p.crank.".into()]);
        let found = linearizer.at(&state, &[]).unwrap();
        assert_eq!(found.state_names, ["plant.p.crank.q", "plant.p.crank.v"], "{draw}");
        let expected = bars.acceleration(angles[0], speed, near);
        assert_near(found.rates[1], expected, 1e-7);
        let by_angle = slope(2e-4, |step| bars.acceleration(angles[0] + step, speed, near));
        let by_speed = slope(2e-4, |step| bars.acceleration(angles[0], speed + step, near));
        let scale = by_angle.abs().max(by_speed.abs()).max(1.0);
        assert_near(entry(&found, ".v", ".q") / scale, by_angle / scale, 1e-6);
        assert_near(entry(&found, ".v", ".v") / scale, by_speed / scale, 1e-6);
    }
}

/// Geared pendulums of which one moves alone go on together, with the mean of both speeds.
#[test]
fn velocities_that_do_not_fit_are_those_nearest() {
    let model = scenes::double_pendulum([0.5, 0.4], [1.0, 0.7]);
    let couples = Constraint::coupler("gear", ["p/upper", "p/lower"], 1.0, 0.0);
    let plant = PlantBuilder::new().model("p", model, Base::fixed()).constraint(couples);
    let mut b = DiagramBuilder::new("geared");
    b.add("plant", plant.build().unwrap());
    let diagram = b.build().unwrap();
    let mut state = diagram.initial_state();
    state.continuous.copy_from_slice(&[0.2, 0.2, 1.0, 0.0]);
    let mut apart = linearizer(&diagram, &[], LinearContact::Law);
    let found = apart.at(&state, &[]).unwrap();
    state.continuous.copy_from_slice(&[0.2, 0.2, 0.5, 0.5]);
    let expected = linearizer(&diagram, &[], LinearContact::Law).at(&state, &[]).unwrap();
    assert!((&found.a - &expected.a).amax() < 1e-9 * expected.a.amax(), "{} {}", found.a, expected.a);
}
