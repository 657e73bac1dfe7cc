//! Properties of every element, with any law. An element enrols with one line: how one is made at random, and its kind.
//!
//! - impulse and Hessian of the law are the dual derivatives of its cost, and the cost is convex;
//! - the force at rest is minus the dual derivative of the energy, and a passive element dissipates energy in any
//!   motion;
//! - the impulse of a step, over its length, tends to the continuous force, to first order, unless the element is
//!   rigid;
//! - an element that was moved and stepped back is unchanged;
//! - every solver applies its law, records its impulse, and balances momentum with it.

use kinegraph_convex::contact::{
    CompliantStop, ContactLaw, ContactMaterial, ContactRow, Element, ElementVisitor, ForceContext, JointFriction,
    JointStops, LawContext, LimitedEffort, Problem, Rebound, RowCompliance, RowFriction, RowFrictionLaw, RowGroup,
    RowLaw, RowRangeLaw, Solution, VelocityLaw, visit,
};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::icf;
use kinegraph_convex::solvers::{ContactSolver, SolveFault};
use kinegraph_core::Scalar;
use kinegraph_core::convex::{RowRange, StopCompliance};
use kinegraph_core::scalar::{partial, seed};
use kinegraph_methods::projected_gauss_seidel::ProjectedGaussSeidel;
use kinegraph_methods::sap::Sap;
use kinegraph_methods::theta_gamma::ThetaGamma;
use nalgebra::{Matrix3, Vector3};

/// Small deterministic generator.
struct Random(u64);

impl Random {
    /// In [-1, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn log(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (self.next() * 0.5 + 0.5) * (high / low).ln()).exp()
    }
}

/// Kind of an element, by its effect on energy.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Passive: it stores or dissipates energy, and steps of all lengths discretize one force.
    Passive,
    /// Passive, without a limit of the force: its stiffness grows as the step becomes shorter.
    Rigid,
    /// Active: it may supply energy.
    Active,
}

const SAMPLES: usize = 300;
const MASS: f64 = 0.8;

fn context(dt: f64) -> LawContext {
    LawContext { dt, inverse_mass: 1.0 / MASS, inertia: MASS }
}

fn close(a: f64, b: f64, scale: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * scale.abs().max(a.abs()).max(b.abs()).max(1e-12)
}

fn force<E: Element>(element: &E, moved: f64, velocity: f64) -> f64 {
    element.force(&ForceContext { moved, velocity, mobility: 1.0 / MASS, locked: false })
}

/// The law is a gradient field of a convex cost.
fn check_law<E: Element>(element: &E, r: &mut Random) {
    let law = E::Law::new(element, &context(r.log(1e-5, 0.1)));
    let v = r.next() * r.log(1e-6, 10.0);
    let jet = seed(v, 0, 1.0);
    let (impulse, hessian) = (law.impulse(v), law.hessian(v));
    assert!(close(-partial(&law.cost(jet), 0), impulse, 0.0, 1e-11), "{element:?} at {v}: {impulse}");
    assert!(close(-partial(&law.impulse(jet), 0), hessian, 0.0, 1e-11), "{element:?} at {v}: {hessian}");
    assert!(hessian >= 0.0, "{element:?} at {v}");
    let (w, middle) = (v + r.next(), |w: f64| 0.5 * (v + w));
    let (above, below) = (0.5 * (law.cost(v) + law.cost(w)), law.cost(middle(w)));
    assert!(below <= above + 1e-9 * above.abs().max(1e-9), "{element:?}: not convex from {v} to {w}");
}

/// The force is the negative gradient of the energy.
fn check_energy<E: Element>(element: &E, r: &mut Random) {
    let (x, v) = (0.05 * r.next(), r.next());
    let slope = partial(&element.energy(seed(x, 0, 1.0)), 0);
    let at_rest = force(element, x, 0.0);
    // A rigid element has no energy of its own, since a step never stores any.
    if slope != 0.0 {
        assert!(close(-slope, at_rest, 0.0, 1e-11), "{element:?} at {x}: {slope} and {at_rest}");
        assert!(element.energy(x) >= 0.0);
    }
    let taken = (force(element, x, v) - at_rest) * v;
    assert!(taken <= 1e-9 * at_rest.abs().max(1.0), "{element:?} brings energy in: {taken} W at {x}, {v}");
    // The derivatives of the force are correct.
    let h = 1e-7;
    let at = ForceContext { moved: seed(x, 0, 1.0), velocity: seed(v, 1, 1.0), mobility: 1.0 / MASS, locked: false };
    let jet = element.force(&at);
    assert!(close(jet.value(), force(element, x, v), 0.0, 1e-14));
    let by_difference = (force(element, x, v + h) - force(element, x, v - h)) / (2.0 * h);
    assert!(close(partial(&jet, 1), by_difference, force(element, x, v).abs() / h, 1e-7), "{element:?} at {x}, {v}");
}

/// The impulse of a step tends to the force times the step.
fn check_limit<E: Element>(element: &E, r: &mut Random) {
    let v = 0.1 * r.next();
    let expected = force(element, 0.0, v);
    let error = |dt: f64| (E::Law::new(element, &context(dt)).impulse(v) / dt - expected).abs();
    let (coarse, fine) = (error(1e-6), error(1e-8));
    let scale = expected.abs().max(1.0);
    assert!(fine <= 0.02 * coarse + 1e-6 * scale, "{element:?} at {v}: off by {coarse} N and {fine} N of {expected} N");
}

fn check_stepping_back<E: Element + PartialEq>(element: &E, r: &mut Random) {
    let by = r.next();
    let there_and_back = element.moved(by).moved(-by).begun_as(element);
    let (a, b) = (force(&there_and_back, 0.0, 0.1), force(element, 0.0, 0.1));
    assert!(close(a, b, 0.0, 1e-4), "{element:?} {there_and_back:?}");
    let (a, b) = (force(&element.moved(by), 0.0, 0.1), force(element, by, 0.1));
    assert!(close(a, b, 0.0, 1e-9), "what moved is what it is there: {element:?}");
}

/// Problem with a mass that a load presses on the element.
fn problem<E: Element>(element: E, dt: f64, load: f64, v0: f64) -> Problem {
    let mut p = Problem::default();
    p.clear();
    p.settings.correction_speed = 1.0;
    p.add_clique(&[MASS], &[0.0], &[-load], &[v0]);
    p.finish();
    p.elements.push(element);
    p.set_step(dt);
    p
}

/// A solver applies the law of the element, and records its impulse.
fn check_solver<E: Element, S: ContactSolver>(solver: &mut S, name: &str, element: E, r: &mut Random) -> bool {
    let dt = r.log(1e-4, 1e-2);
    let p = problem(element, dt, 20.0 * r.next(), 0.2 * r.next());
    let mut solution = Solution::from_velocity(p.start_velocity().to_vec());
    solver.set_step(&p);
    solver.solve(&p, 1e-12, &mut solution, &mut Stopwatch::default()).expect(name);
    let recorded = p.forces_of::<E>(&solution).next().expect("a force");
    let momentum = MASS * (solution.velocity[0] - p.trees.v0[0]) + dt * p.trees.bias[0];
    let scale = (MASS * solution.velocity[0]).abs().max(dt * p.trees.bias[0].abs()).max(MASS * p.trees.v0[0].abs());
    let off = momentum - dt * recorded;
    assert!(off.abs() <= 1e-7 * scale, "{name} with {element:?}: {recorded} N recorded, {off} N s left");
    recorded != 0.0
}

fn check<E: Element + PartialEq>(make: fn(&mut Random) -> E, kind: Kind) {
    let mut r = Random(7);
    let mut acted = [0; 4];
    for _ in 0..SAMPLES {
        let element = make(&mut r);
        check_law(&element, &mut r);
        if kind != Kind::Active {
            check_energy(&element, &mut r);
        }
        if kind != Kind::Rigid {
            check_limit(&element, &mut r);
        }
        check_stepping_back(&element, &mut r);
        acted[0] += usize::from(check_solver(&mut icf::Solver::default(), "icf", element, &mut r));
        acted[1] += usize::from(check_solver(&mut Sap::default(), "sap", element, &mut r));
        let mut sweeps = ProjectedGaussSeidel::default();
        sweeps.options.min_tolerance = 1e-12;
        acted[2] += usize::from(check_solver(&mut sweeps, "projected Gauss-Seidel", element, &mut r));
        acted[3] += usize::from(check_solver(&mut ThetaGamma::default(), "theta-gamma", element, &mut r));
    }
    assert!(acted.iter().all(|times| *times > SAMPLES / 10), "{}: acted {acted:?} times", E::NAME);
}

/// Enrols elements: how one is made at random, and its kind.
macro_rules! enrol {
    ($($name:ident: $kind:ident, $make:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check($make, Kind::$kind);
            }
        )*
        const ENROLLED: &[&str] = &[$(stringify!($name)),*];
    };
}

enrol! {
    joint_stops: Rigid, |r| JointStops {
        velocity: 0,
        lower_gap: 2e-3 * r.next(),
        upper_gap: 2e-3 * r.next() + 5e-3,
        correction_speed: 1.0,
        max_step: 0.1,
        rebound: Rebound { restitution: (0.5 * r.next()).max(0.0), ..Rebound::default() },
    };
    compliant_stop: Passive, |r| CompliantStop {
        velocity: 0,
        sign: r.next().signum(),
        gap: 2e-3 * r.next(),
        stiffness: r.log(1e2, 1e6),
        dissipation: (2.0 * r.next()).max(0.0),
        damping: 0.0,
    };
    limited_effort: Active, |r| LimitedEffort {
        velocity: 0,
        gain: (r.next() * 100.0).max(0.0),
        bias: 10.0 * r.next(),
        limit: r.log(1.0, 10.0),
    };
    joint_friction: Passive, |r| JointFriction { velocity: 0, force: r.log(1e-2, 10.0), creep: 1e-5, start: 0.0 };
}

/// Law of an element that acts on more than one velocity: within a step, over three velocities, and its force at the
/// velocities at the start.
trait SpatialLaw: std::fmt::Debug {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S;
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S>;
    fn hessian(&self, v: &Vector3<f64>) -> Matrix3<f64>;
}

impl SpatialLaw for ContactLaw {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S {
        ContactLaw::cost(self, v)
    }
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        ContactLaw::impulse(self, v)
    }
    fn hessian(&self, v: &Vector3<f64>) -> Matrix3<f64> {
        self.impulse_and_hessian(v).1
    }
}

/// Law of a contact whose friction depends on the direction of sliding, over the motion of the bodies.
#[derive(Debug)]
struct WithGrain {
    row: ContactRow,
    law: ContactLaw,
}

impl WithGrain {
    fn scaled<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        let grain = self.row.grain.map(S::constant);
        v - grain * grain.dot(v)
    }
}

impl SpatialLaw for WithGrain {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S {
        self.law.cost(&self.scaled(v))
    }
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        self.scaled(&self.law.impulse(&self.scaled(v)))
    }
    fn hessian(&self, v: &Vector3<f64>) -> Matrix3<f64> {
        self.row.scaled_twice(&self.law.impulse_and_hessian(&self.row.scaled(v)).1)
    }
}

impl SpatialLaw for RowFrictionLaw {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S {
        RowFrictionLaw::cost(self, v)
    }
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        RowFrictionLaw::impulse(self, v)
    }
    fn hessian(&self, v: &Vector3<f64>) -> Matrix3<f64> {
        RowFrictionLaw::hessian(self, v)
    }
}

impl SpatialLaw for RowRangeLaw {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S {
        RowRangeLaw::cost(self, v.x)
    }
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        Vector3::new(RowRangeLaw::impulse(self, v.x), S::zero(), S::zero())
    }
    fn hessian(&self, v: &Vector3<f64>) -> Matrix3<f64> {
        Matrix3::from_diagonal(&Vector3::new(RowRangeLaw::hessian(self, v.x), 0.0, 0.0))
    }
}

impl SpatialLaw for RowLaw {
    fn cost<S: Scalar>(&self, v: &Vector3<S>) -> S {
        (0..3).map(|row| RowLaw::cost(self, row, v[row])).fold(S::zero(), |sum, cost| sum + cost)
    }
    fn impulse<S: Scalar>(&self, v: &Vector3<S>) -> Vector3<S> {
        Vector3::from_fn(|row, _| RowLaw::impulse(self, row, v[row]))
    }
    fn hessian(&self, _: &Vector3<f64>) -> Matrix3<f64> {
        Matrix3::from_diagonal(&RowLaw::hessian(self))
    }
}

fn vector(r: &mut Random, size: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| size * r.next())
}

/// A rigid constraint.
fn group(violation: Vector3<f64>) -> RowGroup {
    RowGroup {
        support: 0..0,
        violation,
        correction: -violation,
        farthest: violation.norm(),
        expected: Vector3::zeros(),
        compliance: None,
        material: false,
        correction_speed: f64::INFINITY,
        delassus: 0.5,
        count: 3,
        softness: 1e-6,
        friction: None,
        range: None,
        bend: 0.0,
        origin: None,
    }
}

/// Law of a random element in a step of length `dt`, the velocities at the start and the force there.
struct Made<L> {
    law: Box<dyn Fn(f64) -> L>,
    start: Vector3<f64>,
    force: Vector3<f64>,
}

fn check_spatial<L: SpatialLaw>(make: fn(&mut Random) -> Made<L>) {
    let mut r = Random(7);
    let mut acted = 0;
    for _ in 0..SAMPLES {
        let Made { law, start, force } = make(&mut r);
        let one = law(r.log(1e-5, 0.1));
        let size = r.log(1e-4, 1.0);
        let v = start + vector(&mut r, size);
        let jet = Vector3::from_fn(|i, _| seed(v[i], i, 1.0));
        let (cost, impulse, hessian) = (one.cost(&jet), one.impulse(&v), one.hessian(&v));
        for i in 0..3 {
            assert!(close(-partial(&cost, i), impulse[i], impulse.norm(), 1e-9), "{one:?} at {v}: {impulse}");
            for k in 0..3 {
                let slope = -partial(&one.impulse(&jet)[i], k);
                assert!(close(slope, hessian[(i, k)], hessian.norm(), 1e-9), "{one:?} at {v}: {hessian}");
            }
        }
        assert!(hessian.symmetric_eigenvalues().min() >= -1e-9 * hessian.norm(), "{one:?} at {v}: {hessian}");
        let w = v + vector(&mut r, size);
        let (above, below) = (0.5 * (one.cost(&v) + one.cost(&w)), one.cost(&(0.5 * (v + w))));
        assert!(below <= above + 1e-9 * above.abs().max(1e-9), "{one:?}: not convex from {v} to {w}");
        // The impulse of a step tends to the force times the step.
        let error = |dt: f64| (law(dt).impulse(&start) / dt - force).norm();
        let (coarse, fine, scale) = (error(1e-6), error(1e-8), force.norm().max(1.0));
        assert!(fine <= 0.02 * coarse + 1e-6 * scale, "{one:?}: off by {coarse} N and {fine} N of {force} N");
        acted += usize::from(force != Vector3::zeros());
    }
    assert!(acted > SAMPLES / 10, "acted {acted} times");
}

/// Enrols elements that act on more than one velocity.
macro_rules! enrol_spatial {
    ($($name:ident: $make:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check_spatial($make);
            }
        )*
    };
}

enrol_spatial! {
    contact: |r| {
        let start = vector(r, 0.5);
        let mut row = ContactRow {
            normal: vector(r, 1.0).normalize(),
            depth: 1e-3 * r.next(),material: ContactMaterial {
            stiffness: r.log(1e2, 1e5),
            dissipation: r.next().max(0.0),
            static_friction: 0.9,
            dynamic_friction: 0.6,
            stiction_tolerance: r.log(1e-2, 1e-1), ..ContactMaterial::default()},
            ..ContactRow::default()
        };
        row.measure(&start, r.log(0.1, 10.0));
        Made { law: Box::new(move |dt| ContactLaw::new(&row, dt)), start, force: row.explicit_force(0.0) }
    };
    contact_with_grain: |r| {
        let start = vector(r, 0.5);
        let normal = vector(r, 1.0).normalize();
        let mut row = ContactRow {
            normal,
            depth: 1e-3 * r.next(),
            material: ContactMaterial {
                stiffness: r.log(1e2, 1e5),
                dissipation: r.next().max(0.0),
                static_friction: 0.9,
                dynamic_friction: 0.6,
                stiction_tolerance: r.log(1e-2, 1e-1),
                ..ContactMaterial::default()
            },
            grain: normal.cross(&vector(r, 1.0)).normalize() * (0.5 + 0.5 * r.next()),
            ..ContactRow::default()
        };
        row.measure(&row.scaled(&start), r.log(0.1, 10.0));
        let force = row.scaled(&row.explicit_force(0.0));
        Made { law: Box::new(move |dt| WithGrain { row, law: ContactLaw::new(&row, dt) }), start, force }
    };
    constraint_rows: |r| {
        let (start, violation) = (vector(r, 0.5), vector(r, 0.05));
        let mut axis = || RowCompliance { stiffness: r.log(1.0, 1e4), damping: r.log(1e-2, 10.0) };
        let group = RowGroup { compliance: Some([axis(), axis(), axis()]), ..group(violation) };
        let force = group.force(&start);
        Made { law: Box::new(move |dt| RowLaw::new(&group, dt)), start, force }
    };
    row_friction: |r| {
        let largest = Vector3::new(r.log(1e-2, 10.0), r.log(1e-2, 10.0), r.log(1e-2, 10.0));
        let friction = RowFriction { largest, shared: r.next() > 0.0, creep: r.log(1e-3, 1.0) };
        let start = vector(r, 0.5);
        Made { law: Box::new(move |dt| RowFrictionLaw::new(&friction, dt)), start, force: friction.force(&start) }
    };
    row_range: |r| {
        let damping = if r.next() > 0.0 { r.log(1e-2, 10.0) } else { 0.0 };
        let dissipation = if damping > 0.0 { 0.0 } else { r.next().max(0.0) };
        let stop = StopCompliance { stiffness: r.log(1e2, 1e5), dissipation, damping };
        let range = RowRange { least: -0.1, most: 0.1 + 0.05 * r.next(), stop };
        let (start, x) = (vector(r, 0.5), 0.2 * r.next());
        let violation = Vector3::new(x, 0.0, 0.0);
        let group = RowGroup { range: Some(range), compliance: None, ..group(violation) };
        let force = group.force(&start);
        Made { law: Box::new(move |dt| RowRangeLaw::new(&range, x, 0.0, dt)), start, force }
    };
}

/// Every element in the list has exactly one line.
#[test]
fn every_element_is_enrolled() {
    struct Count(usize);
    impl ElementVisitor for Count {
        fn visit<E: Element>(&mut self) {
            let file = std::any::type_name::<E>().rsplit("::").nth(1).expect("a file");
            assert!(ENROLLED.contains(&file), "{} has no line in `enrol!`", E::NAME);
            assert_eq!(E::KIND, file, "a kind is called like its file");
            self.0 += 1;
        }
    }
    let mut count = Count(0);
    visit(&mut count);
    assert_eq!(count.0, ENROLLED.len());
}

/// Solvers refuse an element that is not in the list.
#[test]
fn unknown_elements_are_refused_by_all_solvers() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Magnet;
    #[derive(Clone, Copy, Debug)]
    struct MagnetLaw;
    impl VelocityLaw for MagnetLaw {
        type Data = Magnet;
        const KIND: u64 = 99;
        const ONE_SIDED: bool = false;
        fn new(_: &Magnet, _: &LawContext) -> Self {
            MagnetLaw
        }
        fn cost<S: Scalar>(&self, v: S) -> S {
            -v
        }
        fn impulse<S: Scalar>(&self, _: S) -> S {
            S::one()
        }
        fn hessian(&self, _: f64) -> f64 {
            0.0
        }
        fn piece(&self, _: f64) -> u8 {
            0
        }
    }
    impl Element for Magnet {
        const NAME: &'static str = "magnet";
        const KIND: &'static str = "magnet";
        type Law = MagnetLaw;
        fn velocity(&self) -> usize {
            0
        }
        fn moved(self, _: f64) -> Self {
            self
        }
        fn force<S: Scalar>(&self, _: &ForceContext<S>) -> S {
            S::one()
        }
    }
    fn fault(mut solver: impl ContactSolver) -> SolveFault {
        let p = problem(Magnet, 1e-3, 1.0, 0.0);
        let mut solution = Solution::from_velocity(vec![0.0]);
        solver.set_step(&p);
        solver.solve(&p, 1e-9, &mut solution, &mut Stopwatch::default()).expect_err("a magnet").fault
    }
    let expected = SolveFault::UnlistedElement { element: "magnet" };
    assert_eq!(fault(icf::Solver::default()), expected);
    assert_eq!(fault(Sap::default()), expected);
    assert_eq!(fault(ProjectedGaussSeidel::default()), expected);
    assert_eq!(fault(ThetaGamma::default()), expected);
}
