//! Orders of the kept end where contact lasts, over steps of one length.

use kinegraph_convex::contact::ContactForces;
use kinegraph_convex::solvers::icf::{Solver, SolverOptions};
use kinegraph_diagram::{Diagram, DiagramBuilder, State};
use kinegraph_engine::integrators::cenic::attempt::Doubling;
use kinegraph_engine::integrators::{
    Aim, CenicTuning, IcfStep, Options, Prepared, Rule, RuleSwitches, Statistics, ToSolve,
};
use kinegraph_geometry::Shape;
use kinegraph_multibody::plant::{ContactParameters, Material};
use kinegraph_multibody::{Base, Collision, Inertia, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

/// A body of 1 kg on the ground, pressed in by the depth that its weight explains.
struct Rolling {
    shape: Shape,
    moments: [f64; 3],
    orientation: UnitQuaternion<f64>,
    height: f64,
    angular: Vector3<f64>,
    linear: Vector3<f64>,
    gravity: [f64; 3],
}

impl Rolling {
    fn diagram(self) -> Diagram {
        let inertia = Inertia {
            mass: 1.0,
            p_BoBcm: Vector3::zeros(),
            I_BBcm: Matrix3::from_diagonal(&Vector3::from(self.moments)),
        };
        let collision =
            Collision { name: String::new(), X_BG: Isometry3::identity(), shape: self.shape, surface: None };
        let link = Link { name: "b".into(), inertia: Some(inertia), collisions: vec![collision], ..Link::default() };
        let model = Model { name: "b".into(), links: vec![link], ..Model::default() };
        let place = Translation3::new(0.0, 0.0, self.height + self.gravity[2] / 1e5);
        let base = Base::Floating {
            X_WR: Isometry3::from_parts(place, self.orientation),
            w_WR: self.angular,
            v_WR: self.linear,
        };
        let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction: 0.7, dynamic_friction: 0.7 };
        let contact = ContactParameters { pair, stiction_tolerance: 1e-3, ..ContactParameters::default() };
        let plant = PlantBuilder::new().gravity(self.gravity).ground(0.0).contact(contact).model("b", model, base);
        let mut builder = DiagramBuilder::new("rolling");
        builder.add("plant", plant.build().unwrap());
        builder.build().unwrap()
    }
}

/// A ball that rolls down a plane, faster and faster, while it spins about the normal.
fn ball() -> Diagram {
    let (radius, speed) = (0.1, 1.0);
    let arm = radius - 0.5 * 9.81 / 1e5;
    Rolling {
        shape: Shape::Sphere { radius },
        moments: [0.004; 3],
        orientation: UnitQuaternion::identity(),
        height: radius,
        angular: Vector3::new(0.0, speed / arm, 20.0),
        linear: Vector3::new(speed, 0.0, 0.0),
        gravity: [2.0, 1.0, -9.81],
    }
    .diagram()
}

/// A coin that rolls on its rim, leaning.
fn coin() -> Diagram {
    let (radius, half, lean) = (0.1, 0.01, 0.4);
    let orientation = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2 - lean);
    let axis = orientation * Vector3::z();
    let down = (axis * axis.z - Vector3::z()).normalize();
    let point = down * radius - axis * half * axis.z.signum();
    let angular = axis * 12.0;
    let across = radius * radius / 4.0 + half * half / 3.0;
    Rolling {
        shape: Shape::Cylinder { radius, half_length: half },
        moments: [across, across, 0.5 * radius * radius],
        orientation,
        height: -point.z,
        angular,
        linear: -angular.cross(&point),
        gravity: [0.0, 0.0, -9.81],
    }
    .diagram()
}

/// Attempts a step of length `h` from `state` and keeps the order that is asked for.
fn attempt(scheme: &mut Doubling, start: &mut Prepared, state: &State, h: f64, third: bool, aim: &Aim<'_>) {
    let (tolerance, statistics) = (aim.tuning.solver_tolerance * aim.accuracy, &mut Statistics::default());
    start.prepare(&mut scheme.method, state, h, statistics).unwrap();
    let start = &mut start.point;
    scheme.solve_full(start, h, tolerance, aim, statistics).unwrap();
    scheme.solve_first_half(start, h, tolerance, false, statistics).unwrap();
    scheme.solve_second_half(start, state, h, tolerance, statistics).unwrap();
    scheme.first_difference(start, h, true, aim);
    if third {
        let Doubling { method, thirds, kept, .. } = &mut *scheme;
        let (solving, halves) = (ToSolve { h, tolerance }, [&kept.half, &kept.end]);
        thirds.solve(method, start, state, solving, halves, statistics).unwrap();
    }
    scheme.keep(start, h, true, third, aim, statistics);
    assert_eq!(scheme.kept.third, third);
    assert!(third || scheme.kept.is_improved());
}

/// The state at `end` \[s\] after steps of length `h`, of which the second order or the third is kept.
fn run(diagram: &Diagram, h: f64, end: f64, third: bool) -> State {
    let options = Options::cenic(1e-3);
    let solver = Solver::new(SolverOptions { min_tolerance: 1e-15, ..SolverOptions::default() });
    let mut scheme = Doubling::new(IcfStep::new(diagram, (&options).into(), solver));
    let (forces, tuning) = (ContactForces::default(), CenicTuning { solver_tolerance: 1e-12, ..CenicTuning::DEFAULT });
    let on = RuleSwitches::ALL.without(Rule::Refinement).without(Rule::FrictionOnset);
    let aim = Aim { accuracy: 1.0, on, longest_crossing: None, tuning: &tuning, forces: &forces };
    let (mut state, mut start) = (diagram.initial_state(), Prepared::default());
    let steps = (end / h).round() as usize;
    for step in 0..steps {
        scheme.begin();
        attempt(&mut scheme, &mut start, &state, h, third, &aim);
        state.continuous.clone_from(&scheme.kept.end.continuous);
        state.time = end * (step + 1) as f64 / steps as f64;
    }
    state
}

/// Errors of the pose after steps of 20, 10, 5 and 2.5 ms, by the larger of place \[m\] and half the angle.
fn errors(diagram: &Diagram, exact: &State, end: f64, third: bool) -> [f64; 4] {
    [0.02, 0.01, 0.005, 0.0025].map(|h| {
        let (x, y) = (run(diagram, h, end, third).continuous, &exact.continuous);
        let apart = |s: f64| (0..4).map(|i| (s * x[i] - y[i]).powi(2)).sum::<f64>().sqrt();
        let place = (4..7).map(|i| (x[i] - y[i]).abs()).fold(0.0, f64::max);
        apart(1.0).min(apart(-1.0)).max(place)
    })
}

/// Ratio of errors by a halving of the step.
fn falls(errors: &[f64; 4]) -> [f64; 3] {
    std::array::from_fn(|i| errors[i] / errors[i + 1])
}

#[test]
fn a_ball_that_rolls_and_spins() {
    let (diagram, end) = (ball(), 1.0);
    let exact = run(&diagram, 6.25e-4, end, true);
    let [second, third] = [false, true].map(|third| errors(&diagram, &exact, end, third));
    assert!(second[1] <= 1e-4 && falls(&second).iter().all(|fall| (3.5..4.5).contains(fall)), "{second:?}");
    assert!(third[1] <= 1e-7 && falls(&third)[..2].iter().all(|fall| *fall > 7.0), "{third:?}");
}

/// Contact points go around: freezing them within a part of a step costs an order of velocities. Long steps over the
/// end of sliding have no third solution.
#[test]
fn a_coin_on_its_rim() {
    let (diagram, end) = (coin(), 0.6);
    let exact = run(&diagram, 1.5625e-4, end, true);
    let [second, third] = [false, true].map(|third| errors(&diagram, &exact, end, third));
    assert!(second[1] <= 2e-3 && third[1] <= 1e-3, "{second:?} {third:?}");
    assert!((0..2).all(|i| third[i] < second[i]) && third[2] < 0.1 * third[0], "{second:?} {third:?}");
    assert!((2..4).all(|i| third[i] < 0.35 * second[i]), "{second:?} {third:?}");
}
