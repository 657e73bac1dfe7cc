//! The pizza saver: a plate on three points that a moment turns \[Drake, sap_solver_test\].

use super::*;

const M: f64 = 3.0;
const R: f64 = 1.5;
const G: f64 = 10.0;
const H: f64 = 0.01;

struct Plate {
    friction: f64,
    stiffness: f64,
    relaxation: f64,
    moment: f64,
    push: f64,
    beta: f64,
    steps: usize,
}

struct Found {
    velocity: Vec<f64>,
    /// Sum of contact impulses, along x, y, z and about z.
    total: [f64; 4],
    /// Slip, friction and normal impulse of each point.
    points: Vec<(f64, f64, f64)>,
    iterations: usize,
}

/// Angle and position are integrated with the velocities at the end of each step. It starts turned by 36 degrees.
fn run(plate: &Plate, options: SolverOptions) -> Result<Found, SolveFailure> {
    let options = SolverOptions { relaxation_time: Some(plate.relaxation), beta: plate.beta, ..options };
    let mut q = [0.0, 0.0, 0.0, std::f64::consts::PI / 5.0];
    let mut found = Found { velocity: vec![0.0; 4], total: [0.0; 4], points: Vec::new(), iterations: 0 };
    for _ in 0..plate.steps {
        let mut p = Problem::default();
        p.clear();
        let world = p.add_body(None, false, &[], 0.0);
        let inertia = M * R * R;
        let mut mass = [0.0; 16];
        [M, M, M, inertia].iter().enumerate().for_each(|(i, m)| mass[5 * i] = *m);
        let clique = p.add_clique(&mass, &[0.0; 4], &[0.0; 4], &found.velocity);
        // Columns of x, y, z and the turn about z.
        let mut jacobian = [0.0; 24];
        (0..3).for_each(|i| jacobian[6 * i + 3 + i] = 1.0);
        jacobian[18 + 2] = 1.0;
        let body = p.add_body(Some(clique), false, &jacobian, M);
        let corners = [[-3f64.sqrt() / 2.0, -0.5], [3f64.sqrt() / 2.0, -0.5], [0.0, 1.0]];
        let (s, c) = q[3].sin_cos();
        for (key, [x, y]) in corners.into_iter().enumerate() {
            let at = Vector3::new(c * x - s * y, s * x + c * y, 0.0) * R;
            p.add_contact(&ContactRow {
                body_a: world,
                body_b: body,
                p_AC: at,
                p_BC: at,
                normal: Vector3::z(),
                bias_velocity: Vector3::zeros(),
                depth: -q[2],
                material: ContactMaterial {
                    stiffness: plate.stiffness,
                    dissipation: 0.0,
                    static_friction: plate.friction,
                    dynamic_friction: plate.friction,
                    stiction_tolerance: 1e-4,
                    ..ContactMaterial::default()
                },
                key: key as u64,
                ..ContactRow::default()
            });
        }
        p.finish();
        p.step_terms.force.copy_from_slice(&[plate.push, 0.0, -M * G, plate.moment]);
        p.set_step(H);
        let (solution, report) = solve(options, &p)?;
        found.iterations += report.iterations;
        found.velocity.clone_from(&solution.velocity);
        q.iter_mut().zip(&found.velocity).for_each(|(q, v)| *q += H * v);
        found.total = [0.0; 4];
        found.points.clear();
        for (pair, at) in solution.pairs.iter().zip(&p.contacts.points) {
            let (impulse, slip) = (pair.impulse, pair.velocity.xy().norm());
            found.total[..3].iter_mut().zip(impulse.iter()).for_each(|(sum, x)| *sum += x);
            found.total[3] += at.p_BC.x * impulse.y - at.p_BC.y * impulse.x;
            found.points.push((slip, impulse.xy().norm(), impulse.z));
        }
    }
    Ok(found)
}

fn sticking() -> Plate {
    Plate { friction: 2.0 / 3.0, stiffness: 1e4, relaxation: 0.02, moment: 20.0, push: 0.0, beta: 1.0, steps: 40 }
}

#[test]
fn the_plate_sticks_below_the_friction_limit() {
    for line_search in LINE_SEARCHES {
        let found = run(&sticking(), SolverOptions { line_search, ..SolverOptions::default() }).expect("a solution");
        let expected = [0.0, 0.0, H * M * G, -H * 20.0];
        let size = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
        let off = found.total.iter().zip(expected).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        // The line search that halves ends at a larger error.
        let accuracy = if line_search == LineSearch::MonotoneDecay { 1e-5 } else { 1e-6 };
        assert!(off < accuracy * size, "{line_search:?}: {:?}", found.total);
        assert!(found.velocity[..3].iter().all(|v| v.abs() < 1e-7), "{:?}", found.velocity);
        for (slip, friction, _) in &found.points {
            assert!(*slip <= 1e-3 * 2.0 / 3.0 * H * G, "{slip:e}");
            assert!((slip / 1.2096e-5 - 1.0).abs() < 1e-3, "{slip:e}");
            assert!((friction / (H * 20.0 / (3.0 * R)) - 1.0).abs() < 1e-5, "{friction}");
        }
        let most = [(LineSearch::ExactRoot, 40), (LineSearch::ArmijoDecay, 45), (LineSearch::MonotoneDecay, 45)];
        let (_, most) = most.into_iter().find(|(one, _)| *one == line_search).expect("a line search");
        assert!(found.iterations <= most, "{line_search:?}: {}", found.iterations);
    }
}

#[test]
fn the_plate_turns_above_the_friction_limit_with_friction_on_the_cone() {
    for line_search in LINE_SEARCHES {
        let plate = Plate { moment: 40.0, relaxation: 0.01, beta: 1e-15, steps: 10, ..sticking() };
        let found = run(&plate, SolverOptions { line_search, ..SolverOptions::default() }).expect("a solution");
        for (_, friction, normal) in &found.points {
            assert!((friction / normal - plate.friction).abs() < 1e-9, "{}", friction / normal);
        }
        assert!((found.velocity[3] - 0.13517135).abs() < 1e-5, "{line_search:?}: {}", found.velocity[3]);
    }
}

#[test]
fn a_stiffness_that_no_number_holds_is_softened_to_the_step() {
    let rigid = Plate { stiffness: 1e20, ..sticking() };
    let found = run(&rigid, SolverOptions::default()).expect("a solution");
    assert!((found.total[2] / (H * M * G) - 1.0).abs() < 1e-6);
    // Without regularization, the result is correct or the failure is reported.
    match run(&Plate { beta: f64::EPSILON, ..rigid }, SolverOptions::default()) {
        Ok(found) => assert!((found.total[2] / (H * M * G) - 1.0).abs() < 1e-3, "{:?}", found.total),
        Err(failure) => assert!(failure.gradient_norm > failure.tolerance, "{failure}"),
    }
}

#[test]
fn a_solve_that_does_not_arrive_is_reported() {
    let options = SolverOptions { max_iterations: 1, relative_tolerance: 1e-12, ..SolverOptions::default() };
    let failure = run(&Plate { moment: 40.0, ..sticking() }, options).map(drop).expect_err("a failure");
    assert!(failure.fault == SolveFault::IterationLimit && failure.iterations == 1, "{failure}");
}

#[test]
fn without_friction_a_push_accelerates() {
    let plate = Plate { friction: 0.0, push: 1.0, moment: 0.0, steps: 30, ..sticking() };
    let found = run(&plate, SolverOptions::default()).expect("a solution");
    assert!((found.velocity[0] - 0.1).abs() < 1e-7, "{}", found.velocity[0]);
}
