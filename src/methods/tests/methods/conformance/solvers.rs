//! Properties of every contact solver, with any laws. A solver enrols with one line and the violation of its laws.

use kinegraph_convex::contact::{
    ContactImpulse, ContactMaterial, ContactRow, FeedbackBlock, JointStops, LimitedEffort, Problem, RowCompliance,
    Rows, Solution, add_wrench,
};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::icf::Method;
use kinegraph_convex::solvers::{ContactSolver, icf};
use kinegraph_methods::projected_gauss_seidel::{self, ProjectedGaussSeidel};
use kinegraph_methods::sap::{self, Sap};
use kinegraph_methods::theta_gamma::ThetaGamma;
use kinegraph_methods::volume::VolumeContact;
use nalgebra::{DMatrix, Vector3};
use std::path::Path;

const STEP: f64 = 5e-3;
const TOLERANCE: f64 = 1e-9;

/// A free box that slides and turns on the ground, with a heavier one on it; a slider that a limited motor presses
/// against its stop, joined to the lower box by a compliant constraint.
fn add_scene(p: &mut Problem, grain: Vector3<f64>) {
    let world = p.add_body(None, false, &[], 1.0);
    let boxes = [(1.0, 0.6, -0.2), (3.0, -0.3, -0.1)].map(|(mass, vx, vz)| {
        let inertia = [0.02, 0.03, 0.025].map(|i| i * mass);
        let mass_matrix = DMatrix::from_diagonal(&nalgebra::DVector::from_vec(
            inertia.into_iter().chain([mass; 3]).collect::<Vec<f64>>(),
        ));
        let k = [0.0, 0.0, 0.0, 0.0, 0.0, 9.81 * mass];
        let clique = p.add_clique(mass_matrix.as_slice(), &[0.0; 6], &k, &[0.1, -0.2, 0.4, vx, 0.1, vz]);
        p.add_body(Some(clique), true, &[], mass)
    });
    let slider = p.add_clique(&[0.5], &[0.2], &[0.0], &[0.3]);
    let along = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let cart = p.add_body(Some(slider), false, &along, 0.5);
    for (number, (a, b, height)) in [(world, boxes[0], 0.0), (boxes[0], boxes[1], 0.2)].into_iter().enumerate() {
        for corner in 0..4 {
            let (x, y) = ([-0.1, 0.1][corner % 2], [-0.1, 0.1][corner / 2]);
            p.add_contact(&ContactRow {
                body_a: a,
                body_b: b,
                p_AC: Vector3::new(x, y, if height == 0.0 { 0.0 } else { 0.1 }),
                p_BC: Vector3::new(x, y, -0.1),
                normal: Vector3::z(),
                bias_velocity: Vector3::new(0.05, 0.0, 0.0),
                depth: 1e-4 * (1.0 + corner as f64),
                material: ContactMaterial {
                    stiffness: 2e4,
                    dissipation: 0.5,
                    static_friction: 0.4,
                    dynamic_friction: 0.4,
                    stiction_tolerance: 1e-4,
                    ..ContactMaterial::default()
                },
                key: (10 * number + corner) as u64,
                grain,
                ..ContactRow::default()
            });
        }
    }
    let velocity = p.size() - 1;
    p.add_stops(velocity, 0.5, 1e-3);
    let leash = Rows::Distance {
        body_a: cart,
        p_AP: Vector3::zeros(),
        body_b: boxes[0],
        p_BQ: Vector3::new(0.0, 0.0, 0.05),
        direction: Vector3::new(1.0, 0.0, 0.0),
    };
    p.add_rows(leash, Vector3::new(0.02, 0.0, 0.0), Some(RowCompliance { stiffness: 300.0, damping: 2.0 }));
}

/// The scene in several copies, with feedback on the last box; `grain` of the contacts.
fn scene_with(copies: usize, grain: Vector3<f64>) -> Problem {
    let mut p = Problem::default();
    p.clear();
    p.settings.correction_speed = 1.0;
    (0..copies).for_each(|_| add_scene(&mut p, grain));
    let size = p.size() / copies;
    p.feedback = (0..copies)
        .map(|copy| {
            let velocities = vec![copy * size + 9, copy * size + 10];
            FeedbackBlock { velocities, gain: vec![4.0, 1.0, 1.0, 6.0], ..FeedbackBlock::default() }
        })
        .collect();
    p.finish();
    for copy in 0..copies {
        p.elements.push(LimitedEffort { velocity: (copy + 1) * size - 1, gain: 2.0, bias: 30.0, limit: 12.0 });
        p.step_terms.force[copy * size + 4] = 2.0;
    }
    p.set_step(STEP);
    p
}

fn solve<S: ContactSolver + Clone>(solver: &mut S, p: &Problem) -> Solution {
    let mut solution = Solution::from_velocity(p.start_velocity().to_vec());
    solver.set_step(p);
    solver.solve(p, TOLERANCE, &mut solution, &mut Stopwatch::default()).expect("a solution");
    solution
}

/// Residual of the balance `A v - r - J' γ`.
fn imbalance(p: &Problem, solution: &Solution) -> f64 {
    let mut left: Vec<f64> = p.step_terms.momentum.iter().map(|r| -r).collect();
    p.islands().iter().for_each(|island| p.add_product(island, &solution.velocity, &mut left));
    for patch in &p.contacts.patches {
        for i in patch.points.clone() {
            let pair = &p.contacts.points[i];
            let gamma = &pair.scaled(&solution.pairs[i].impulse);
            add_wrench(p, patch.body_b, &pair.p_BC.cross(gamma), gamma, -1.0, &mut left);
            add_wrench(p, patch.body_a, &pair.p_AC.cross(gamma), gamma, 1.0, &mut left);
        }
    }
    for (group, gamma) in solution.rows.iter().enumerate() {
        p.add_row_impulse(group, &-gamma, 0, &mut left);
    }
    let stops = p.elements.of::<JointStops>().iter().map(|stops| stops.velocity);
    stops.zip(solution.impulses_of::<JointStops>()).for_each(|(v, gamma)| left[v] -= gamma);
    let efforts = p.elements.of::<LimitedEffort>().iter().map(|effort| effort.velocity);
    efforts.zip(solution.impulses_of::<LimitedEffort>()).for_each(|(v, gamma)| left[v] -= gamma);
    left.iter().zip(&p.trees.scale).map(|(x, d)| (x * d).abs()).fold(0.0, f64::max)
}

/// Number of solutions of the laws of a solver. (Rigid corners share a weight in many ways.)
#[derive(Clone, Copy, PartialEq)]
enum Solutions {
    One,
    Several,
}

/// Largest violation of the laws of a solver by its solution.
type Violation = fn(&Problem, &Solution) -> f64;

fn check<S: ContactSolver + Clone>(new: impl Fn() -> S, solutions: Solutions, tolerance: f64, violation: Violation) {
    // With the same friction in all directions, with a third of it in one, and with none in one.
    for grain in [Vector3::zeros(), Vector3::new(0.6, -0.5, 0.0), Vector3::y()] {
        check_scene(&new, &|copies| scene_with(copies, grain), solutions, tolerance, violation);
    }
}

fn check_scene<S: ContactSolver + Clone>(
    new: &impl Fn() -> S,
    scene: &impl Fn(usize) -> Problem,
    solutions: Solutions,
    tolerance: f64,
    violation: Violation,
) {
    let p = scene(1);
    let solution = solve(&mut new(), &p);
    assert!(imbalance(&p, &solution) < tolerance, "balance: {:e}", imbalance(&p, &solution));
    assert!(violation(&p, &solution) < tolerance, "laws: {:e}", violation(&p, &solution));
    // For every law: contacts push, friction opposes sliding.
    for (pair, found) in p.contacts.points.iter().zip(&solution.pairs) {
        let normal = found.impulse.dot(&pair.normal);
        let (slip, friction) =
            (found.velocity - pair.normal * found.velocity.dot(&pair.normal), found.impulse - pair.normal * normal);
        assert!(normal >= 0.0 && friction.dot(&slip) <= tolerance, "{found:?}");
    }
    assert!(solution.pairs.iter().any(|pair| pair.impulse.norm() > 0.0));
    let effort = p.elements.of::<LimitedEffort>()[0];
    let impulse = STEP * effort.effort(solution.velocity[effort.velocity]);
    assert!((solution.impulses_of::<LimitedEffort>()[0] - impulse).abs() < tolerance);
    assert!(solution.impulses_of::<JointStops>()[0] < 0.0, "the motor presses against the upper stop");

    // The result does not depend on earlier problems or steps, nor on being a copy of the solver.
    let mut used = new();
    let mut other = scene(2);
    other.set_step(3e-3);
    solve(&mut used, &other);
    for solver in [&mut used.clone(), &mut used] {
        assert_eq!(solve(solver, &p).velocity, solution.velocity);
    }
    // Copies are separate islands: each has the bits of a single one, without more iterations.
    let twice = scene(2);
    assert_eq!(twice.islands().len(), 2);
    let both = solve(&mut used, &twice);
    let (first, second) = both.velocity.split_at(p.size());
    assert_eq!((first, second), (&solution.velocity[..], &solution.velocity[..]));
    // A solve from the solution leads to a solution, the same one if it is unique.
    let mut again = Solution::from_velocity(solution.velocity.clone());
    again.forces.clone_from(&solution.forces);
    used.set_step(&p);
    used.solve(&p, TOLERANCE, &mut again, &mut Stopwatch::default()).expect("a solution");
    assert!(imbalance(&p, &again) < tolerance && violation(&p, &again) < tolerance);
    for (a, b) in again.velocity.iter().zip(&solution.velocity).filter(|_| solutions == Solutions::One) {
        assert!((a - b).abs() < tolerance, "{a} and {b}");
    }
    // A failure is returned as a value.
    let mut bad = scene(1);
    bad.step_terms.force[3] = f64::NAN;
    bad.set_step(STEP);
    used.set_step(&bad);
    let mut lost = Solution::from_velocity(bad.start_velocity().to_vec());
    assert!(used.solve(&bad, TOLERANCE, &mut lost, &mut Stopwatch::default()).is_err());

    check_backsolve(used, &p, &solution);
}

/// The backsolve `H^-1` of a small change of the momenta is the change of the solution.
fn check_backsolve<S: ContactSolver + Clone>(mut solver: S, p: &Problem, solution: &Solution) {
    let change = 1e-6;
    for i in 0..p.size() {
        let mut moved = p.clone();
        moved.step_terms.force[i] += change / STEP;
        moved.set_step(STEP);
        let end = solve(&mut solver, &moved);
        let mut rhs = vec![0.0; p.size()];
        rhs[i] = change;
        solver.set_step(p);
        if !solver.backsolve(p, solution, &mut rhs) {
            assert_eq!(rhs[i], change, "what is not known leaves the momenta as they are");
            return;
        }
        let largest = rhs.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for ((after, before), by) in end.velocity.iter().zip(&solution.velocity).zip(&rhs) {
            assert!((after - before - by).abs() < 1e-3 * largest, "{} and {by}, {i}", after - before);
        }
    }
}

/// Enrols contact solvers: name of the test, a solver, the number of solutions of its laws, the required tolerance, and
/// the violation of its laws.
macro_rules! enrol {
    ($($name:ident: $solver:expr, $solutions:ident, $tolerance:expr, $laws:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check(|| $solver, Solutions::$solutions, $tolerance, $laws);
            }
        )*
    };
}

enrol! {
    icf_by_primal_dual: icf::Solver::new(by(Method::PrimalDual)), One, 1e-6, of_materials;
    icf_by_newton: icf::Solver::new(by(Method::Newton)), One, 1e-6, of_materials;
    sap: Sap::default(), One, 1e-6, near_rigid;
    sap_with_whole_weights: Sap::new(with_whole_weights()), One, 1e-6, near_rigid;
    projected_gauss_seidel: ProjectedGaussSeidel::default(), Several, 1e-5, |p, solution| {
        rigid(p, solution, projected_gauss_seidel::CORRECTION, 0.0)
    };
    volume: VolumeContact::default(), Several, 1e-5, |p, solution| {
        rigid(p, solution, projected_gauss_seidel::CORRECTION, 0.0)
    };
    theta_gamma: ThetaGamma::default(), Several, 1e-5, |p, solution| {
        let options = ThetaGamma::default().options;
        rigid(p, solution, options.correction, options.slop)
    };
}

/// Every solver in the folder has a line.
#[test]
fn every_contact_solver_is_enrolled() {
    let methods = &Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (_, enrolled) = include_str!("solvers.rs").split_once("\nenrol! {").expect("the lines");
    let (enrolled, _) = enrolled.split_once("\n}").expect("their end");
    let files = |folder: &Path| std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let own = files(&methods.join("../convex/solvers"));
    for solver in own.chain(files(methods)).filter(|path| path.is_dir()) {
        let texts = files(&solver).map(|file| std::fs::read_to_string(file).unwrap_or_default());
        for text in texts {
            let Some((_, rest)) = text.split_once("impl ContactSolver for ") else { continue };
            let name = rest.split([' ', '<']).next().expect("a name");
            assert!(enrolled.contains(&format!("{name}::")), "{name} of {} has no line in `enrol!`", solver.display());
        }
    }
}

fn by(method: Method) -> icf::SolverOptions {
    icf::SolverOptions { method, ..icf::SolverOptions::default() }
}

fn with_whole_weights() -> sap::SolverOptions {
    sap::SolverOptions { weights: sap::WeightMode::BlockDelassus, ..sap::SolverOptions::default() }
}

/// The compliant law of the materials.
fn of_materials(p: &Problem, solution: &Solution) -> f64 {
    let laws = p.contacts.points.iter().map(|pair| icf::pools::ContactLaw::new(pair, p.step_terms.dt));
    let pairs = laws.zip(&solution.pairs);
    pairs.map(|(law, pair)| (law.impulse(&pair.velocity) - pair.impulse).norm()).fold(0.0, f64::max)
}

/// Normal and tangential parts of the impulse and of the velocity.
fn parts(pair: &ContactRow, found: &ContactImpulse) -> ((f64, Vector3<f64>), (f64, Vector3<f64>)) {
    let split = |x: &Vector3<f64>| (x.dot(&pair.normal), x - pair.normal * x.dot(&pair.normal));
    (split(&found.impulse), split(&found.velocity))
}

/// Violations of a near-rigid law: friction outside of its cone, and impulses of separating bodies.
fn near_rigid(p: &Problem, solution: &Solution) -> f64 {
    let off = |(pair, found): (&ContactRow, &ContactImpulse)| {
        let ((n, t), (vn, _)) = parts(pair, found);
        let parted = vn > pair.depth / p.step_terms.dt + t.norm();
        (t.norm() - pair.start.friction * n).max(if parted { n } else { 0.0 })
    };
    p.contacts.points.iter().zip(&solution.pairs).map(off).fold(0.0, f64::max)
}

/// Violations of Signorini's law, of Coulomb's cone, and of maximal friction against the sliding velocity. A step
/// removes the part `correction` of the depth beyond `slop`.
fn rigid(p: &Problem, solution: &Solution, correction: f64, slop: f64) -> f64 {
    let off = |(pair, found): (&ContactRow, &ContactImpulse)| {
        let ((n, t), (vn, vt)) = parts(pair, found);
        let gap = vn - correction * (pair.depth - slop) / p.step_terms.dt;
        let signorini = (-gap).max(0.0).max(gap.min(n));
        let cone = (t.norm() - pair.start.friction * n).max(0.0);
        let sliding = (t * vt.norm() + vt * (pair.start.friction * n)).norm();
        signorini.max(cone).max(sliding)
    };
    p.contacts.points.iter().zip(&solution.pairs).map(off).fold(0.0, f64::max)
}
