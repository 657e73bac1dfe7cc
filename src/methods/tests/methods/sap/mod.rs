//! The law against its definition and against derivatives; closed forms of rest, creep and gliding; the pizza saver;
//! options.

use kinegraph_convex::contact::{ContactMaterial, ContactRow, JointStops, Problem, Rebound, Solution, VelocityLaw};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::common::pools::Potential;
use kinegraph_convex::solvers::{ContactSolver, SolveFailure, SolveFault, SolveReport};
use kinegraph_core::scalar::{Jet, partial, seed};
use kinegraph_methods::sap::inertia::InertiaFactors;
use kinegraph_methods::sap::weights::Weights;
use kinegraph_methods::sap::{ConeLaw, Digits, LineSearch, Precision, Sap, SolverOptions, StopLaw, WeightMode};
use nalgebra::{Matrix3, Rotation3, Vector3};

mod closed_forms;
mod inertia;
mod pizza_saver;

/// A small deterministic generator of numbers in [0, 1).
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
    fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-size, size))
    }
}

fn random_law(r: &mut Random) -> ConeLaw {
    let compliance = [10f64.powf(r.between(-4.0, 0.0)), 10f64.powf(r.between(-4.0, 0.0))];
    let friction = r.between(0.05, 1.5);
    ConeLaw::new(r.vector(1.0).normalize(), friction, [compliance[0], compliance[1]], r.between(-0.1, 0.1))
}

/// The impulse is the point of the cone nearest to y, in the norm of R: none of many others is nearer.
#[test]
fn the_impulse_is_the_nearest_of_the_cone() {
    let mut r = Random(1);
    let mut seen = [0; 3];
    for _ in 0..300 {
        let law = random_law(&mut r);
        let vc = r.vector(0.2);
        let n = law.normal;
        let vn = n.dot(&vc);
        let (yn, yt) = ((law.target - vn) / law.normal_compliance, (n * vn - vc) / law.tangential_compliance);
        let distance = |g: &Vector3<f64>| {
            let gn = n.dot(g);
            law.normal_compliance * (gn - yn).powi(2) + law.tangential_compliance * (g - n * gn - yt).norm_squared()
        };
        let found = law.impulse(&vc);
        seen[law.region(&vc) as usize] += 1;
        let normal = n.dot(&found);
        assert!(normal >= 0.0 && (found - n * normal).norm() <= law.friction * normal * (1.0 + 1e-9) + 1e-12);
        // Candidates in the plane of n and y_t, which contains the nearest point: along the edge of the cone, and
        // within.
        let t = yt.normalize();
        let best = distance(&found);
        let scale = best + distance(&Vector3::zeros());
        for i in 0..200 {
            for k in 0..=20 {
                let gn = 2.0 * (yn.abs() + yt.norm() + 1e-9) * f64::from(i) / 200.0;
                let other = n * gn + t * (law.friction * gn * f64::from(k) / 20.0);
                assert!(distance(&other) >= best - 1e-8 * scale);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn impulse_and_hessian_are_derivatives_of_the_cost() {
    let mut r = Random(2);
    for _ in 0..2000 {
        let law = random_law(&mut r);
        let vc = r.vector(0.2);
        let jet: Vector3<Jet> = Vector3::from_fn(|i, _| seed(vc[i], i, 1.0));
        let (cost, impulse) = (law.cost(&jet), law.impulse(&jet));
        let (found, hessian) = law.impulse_and_hessian(&vc);
        let gradient = Vector3::from_fn(|i, _| partial(&cost, i));
        let size = found.norm().max(1e-3);
        assert!((gradient + found).norm() < 1e-8 * size, "{gradient} {found}");
        let by_jets = Matrix3::from_fn(|i, j| -partial(&impulse[i], j));
        let size = hessian.norm().max(1e-9);
        assert!((by_jets - hessian).norm() < 1e-9 * size, "{by_jets} {hessian}");
        assert!((hessian - hessian.transpose()).norm() < 1e-12 * size);
        assert!(hessian.symmetric_eigenvalues().min() > -1e-9 * size);
        let uc = r.vector(1.0);
        let (slope, curvature) = law.along(&vc, &uc);
        assert!((slope + found.dot(&uc)).abs() < 1e-12 * found.norm().max(1e-12) * 10.0);
        assert!((curvature - uc.dot(&(hessian * uc))).abs() < 1e-9 * size);
    }
}

#[test]
fn the_impulse_is_continuous_where_regions_meet() {
    let mut r = Random(3);
    for _ in 0..300 {
        let law = random_law(&mut r);
        let (mut a, mut b) = (r.vector(0.3), r.vector(0.3));
        if law.region(&a) == law.region(&b) {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (a + b);
            if law.region(&middle) == law.region(&a) { a = middle } else { b = middle }
        }
        let stiffness = 1.0 / law.normal_compliance.min(law.tangential_compliance);
        assert!((law.impulse(&a) - law.impulse(&b)).norm() < 1e-6 + 10.0 * stiffness * (a - b).norm());
    }
}

/// A rotation about the normal rotates the result with it.
#[test]
fn friction_is_isotropic_along_the_surface() {
    let mut r = Random(4);
    for _ in 0..500 {
        let law = random_law(&mut r);
        let vc = r.vector(0.2);
        let turn = Rotation3::new(law.normal * r.between(-3.0, 3.0));
        let (turned, plain) = (law.impulse(&(turn * vc)), turn * law.impulse(&vc));
        assert!((turned - plain).norm() < 1e-12 * (1.0 + plain.norm()));
    }
}

#[test]
fn stops_are_springs_of_a_tenth_of_the_step() {
    let stops = |gap: f64| JointStops {
        velocity: 0,
        lower_gap: gap,
        upper_gap: f64::INFINITY,
        correction_speed: f64::INFINITY,
        max_step: 0.1,
        rebound: Rebound::default(),
    };
    let (h, w) = (0.01, 2.0);
    for gap in [1e-3, 0.0, -1e-3] {
        let law = StopLaw::of(&stops(gap), w, h);
        let target = -gap / (2.0 * h);
        assert_eq!(law.impulse(target + 1e-9), 0.0);
        let compliance = 0.01 / (4.0 * std::f64::consts::PI.powi(2)) * w;
        assert!((law.impulse(target - 0.3) - 0.3 / compliance).abs() < 1e-9 / compliance);
        for v in [target - 0.2, target + 0.2] {
            let jet = seed(v, 0, 1.0);
            assert!((partial(&law.cost(jet), 0) + law.impulse(v)).abs() < 1e-9);
            assert!((partial(&law.impulse(jet), 0) + law.hessian(v)).abs() < 1e-9);
        }
    }
}

/// A mass that touches the ground at its centre, with this `depth` and these forces.
struct Mass {
    mass: f64,
    velocity: [f64; 3],
    depth: f64,
    force: [f64; 3],
    stiffness: f64,
    friction: f64,
}

fn one_mass(m: &Mass, h: f64) -> Problem {
    let mut p = Problem::default();
    p.clear();
    let world = p.add_body(None, false, &[], 0.0);
    let diagonal = Matrix3::from_diagonal_element(m.mass);
    let clique = p.add_clique(diagonal.as_slice(), &[0.0; 3], &[0.0; 3], &m.velocity);
    let mut jacobian = [0.0; 18];
    (0..3).for_each(|i| jacobian[6 * i + 3 + i] = 1.0);
    let body = p.add_body(Some(clique), false, &jacobian, m.mass);
    p.add_contact(&ContactRow {
        body_a: world,
        body_b: body,
        p_AC: Vector3::zeros(),
        p_BC: Vector3::zeros(),
        normal: Vector3::z(),
        bias_velocity: Vector3::zeros(),
        depth: m.depth,
        material: ContactMaterial {
            stiffness: m.stiffness,
            dissipation: 0.0,
            static_friction: m.friction,
            dynamic_friction: m.friction,
            stiction_tolerance: 1e-4,
            ..ContactMaterial::default()
        },
        key: 1,
        ..ContactRow::default()
    });
    p.finish();
    p.step_terms.force.copy_from_slice(&m.force);
    p.set_step(h);
    p
}

fn solve(options: SolverOptions, p: &Problem) -> Result<(Solution, SolveReport), SolveFailure> {
    let mut solution = Solution::from_velocity(p.start_velocity().to_vec());
    let mut sap = Sap::new(options);
    sap.set_step(p);
    let report = sap.solve(p, 0.0, &mut solution, &mut Stopwatch::default())?;
    Ok((solution, report))
}

const LINE_SEARCHES: [LineSearch; 3] = [LineSearch::ExactRoot, LineSearch::ArmijoDecay, LineSearch::MonotoneDecay];

/// Without active elements the velocities are exactly those of free motion; a guess that is the solution is kept.
#[test]
fn a_guess_that_is_the_solution_takes_no_iteration() {
    let mut mass = Mass {
        mass: 2.0,
        velocity: [0.1, -0.2, 3.0],
        depth: 1e-3,
        force: [1.0, 2.0, 0.0],
        stiffness: 1e4,
        friction: 0.5,
    };
    let p = one_mass(&mass, 0.01);
    let (solution, report) = solve(SolverOptions::default(), &p).expect("a solution");
    assert_eq!(report.iterations, 0);
    for (v, star) in solution.velocity.iter().zip([0.1 + 0.005, -0.2 + 0.01, 3.0]) {
        assert!((v - star).abs() < 1e-15);
    }
    mass.velocity = [0.0, 0.0, -0.5];
    let p = one_mass(&mass, 0.01);
    let (solution, first) = solve(SolverOptions::default(), &p).expect("a solution");
    assert!(first.iterations > 0);
    let mut again = Solution::from_velocity(solution.velocity.clone());
    let mut sap = Sap::default();
    sap.set_step(&p);
    let report = sap.solve(&p, 0.0, &mut again, &mut Stopwatch::default()).expect("a solution");
    assert_eq!((report.iterations, &again.velocity), (0, &solution.velocity));
}

/// A sticking contact has a quadratic cost.
#[test]
fn the_exact_search_takes_one_step_to_the_minimum_of_a_quadratic() {
    let mass =
        Mass { mass: 1.0, velocity: [0.0; 3], depth: 1e-2, force: [0.1, 0.0, -9.81], stiffness: 1e3, friction: 10.0 };
    let (_, report) = solve(SolverOptions::default(), &one_mass(&mass, 0.01)).expect("a solution");
    assert_eq!(report.iterations, 1);
}

#[test]
fn line_searches_find_the_same_minimum() {
    let mut r = Random(5);
    for _ in 0..200 {
        let mass = Mass {
            mass: r.between(0.1, 10.0),
            velocity: r.vector(2.0).into(),
            depth: r.between(0.0, 1e-2),
            force: r.vector(30.0).into(),
            stiffness: 10f64.powf(r.between(3.0, 7.0)),
            friction: r.between(0.0, 1.0),
        };
        let p = one_mass(&mass, 0.01);
        let found = LINE_SEARCHES.map(|line_search| {
            let options = SolverOptions {
                line_search,
                cost_abs_tol: Some(0.0),
                cost_rel_tol: Some(0.0),
                relative_tolerance: 1e-9,
                ..SolverOptions::default()
            };
            solve(options, &p).expect("a solution").0.velocity
        });
        let size = found[0].iter().fold(1e-2, |a: f64, b| a.max(b.abs()));
        for other in &found[1..] {
            assert!(found[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-6 * size), "{found:?}");
        }
    }
}

/// For every line search, no iteration increases the cost. The cost of a point mass, written out here, is evaluated
/// after one, two, three … iterations.
#[test]
fn no_iteration_increases_the_cost() {
    let mut r = Random(6);
    let mut iterations = 0;
    for _ in 0..200 {
        let mass = Mass {
            mass: r.between(0.1, 10.0),
            velocity: r.vector(2.0).into(),
            depth: r.between(0.0, 1e-2),
            force: r.vector(30.0).into(),
            stiffness: 10f64.powf(r.between(3.0, 7.0)),
            friction: r.between(0.0, 1.0),
        };
        let (h, p) = (0.01, one_mass(&mass, 0.01));
        for line_search in LINE_SEARCHES {
            let mut sap = Sap::new(SolverOptions { line_search, relative_tolerance: 1e-9, ..SolverOptions::default() });
            sap.set_step(&p);
            let free = Vector3::from(mass.velocity) + Vector3::from(mass.force) * (h / mass.mass);
            let mut cost = |v: &[f64]| {
                sap.pools.contact.evaluate(&p, &p.islands()[0], v);
                let from_free = Vector3::from_column_slice(v) - free;
                0.5 * mass.mass * from_free.norm_squared() + sap.pools.contact.cost(&p, &p.islands()[0], v)
            };
            let mut last = cost(p.start_velocity());
            for max_iterations in 1..100 {
                let options =
                    SolverOptions { max_iterations, line_search, relative_tolerance: 1e-9, ..SolverOptions::default() };
                let mut solution = Solution::from_velocity(p.start_velocity().to_vec());
                let mut limited = Sap::new(options);
                limited.set_step(&p);
                let done = limited.solve(&p, 0.0, &mut solution, &mut Stopwatch::default()).is_ok();
                let next = cost(&solution.velocity);
                assert!(next <= last + 1e-12 * (1.0 + last.abs()), "{line_search:?}: {last} to {next}");
                last = next;
                iterations += 1;
                if done {
                    break;
                }
            }
        }
    }
    assert!(iterations > 1000, "{iterations}: hardly anything was solved");
}

/// Single precision differs from double precision, but not by much.
#[test]
fn single_precision_changes_results_by_its_rounding_only() {
    let mass = Mass {
        mass: 1.3,
        velocity: [0.7, 0.1, -0.4],
        depth: 1e-3,
        force: [0.3, 0.7, -9.81],
        stiffness: 1e5,
        friction: 0.3,
    };
    let p = one_mass(&mass, 0.01);
    let double = Precision::default();
    let run = |precision, weights| {
        let options = SolverOptions { precision, weights, relative_tolerance: 1e-12, ..SolverOptions::default() };
        solve(options, &p).expect("a solution")
    };
    for weights in [WeightMode::BodyInertia, WeightMode::DiagDelassus, WeightMode::BlockDelassus] {
        let (exact, _) = run(double, weights);
        for (precision, shows) in [
            (Precision { free_motion: Digits::Single, ..double }, true),
            (Precision { weights: Digits::Single, ..double }, true),
            // Directions of lower precision lead to the same minimum.
            (Precision { linear: Digits::Single, ..double }, false),
        ] {
            let (rounded, _) = run(precision, weights);
            let off = exact.velocity.iter().zip(&rounded.velocity).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{precision:?}: {off:e}");
            assert!(!shows || off > 1e-14, "{precision:?} {weights:?}: {off:e}");
        }
    }
}

/// All weight modes agree for a point mass; they differ for a body that turns as it is pushed off its centre.
#[test]
fn weights_of_a_point_mass() {
    let mass = Mass { mass: 4.0, velocity: [0.0; 3], depth: 0.0, force: [0.0; 3], stiffness: 1e4, friction: 0.5 };
    let p = one_mass(&mass, 0.01);
    let mut weights = Weights::<f64>::default();
    let mut factors = InertiaFactors::<f64>::default();
    factors.factor(&p);
    let mut of = |mode| weights.weight(mode, &p, &factors, &p.contacts.patches[0], &p.contacts.points[0]);
    assert!((of(WeightMode::BodyInertia).normal - 0.25).abs() < 1e-15);
    assert!((of(WeightMode::DiagDelassus).tangential - 0.25 / 3f64.sqrt()).abs() < 1e-15);
    let block = of(WeightMode::BlockDelassus);
    assert!((block.normal - 0.25).abs() < 1e-15 && (block.tangential - 0.25 / 2f64.sqrt()).abs() < 1e-15);
}
