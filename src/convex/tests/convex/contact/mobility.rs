//! Tests of `src/convex/contact/mobility.rs`.

use kinegraph_convex::contact::{ContactMaterial, ContactRow, Problem, tangential_delassus};
use nalgebra::{DMatrix, DVector, Vector3};

#[test]
fn the_mobility_of_a_point_is_the_mean_over_two_tangents() {
    // Four velocities, of which the first does not move the body.
    let n = 4;
    let noise = |i: usize, j: usize| ((3 * i + 7 * j) as f64 * 1.7).sin();
    let root = DMatrix::from_fn(n, n, noise);
    let mass = &root * root.transpose() + DMatrix::identity(n, n) * 0.3;
    let mut jacobian = DMatrix::from_fn(6, n, |i, j| noise(j, i + 5));
    jacobian.column_mut(0).fill(0.0);
    let mut problem = Problem::default();
    problem.add_clique(mass.as_slice(), &[0.0; 4], &[0.0; 4], &[0.0; 4]);
    let body = problem.add_body(Some(0), false, jacobian.as_slice(), 1.0);
    let inverse = mass.clone().try_inverse().expect("a mass matrix");
    for (p, normal) in [([0.3, -0.2, 0.5], [0.0, 0.0, 1.0]), ([-1.0, 0.4, 0.1], [1.0, 2.0, -0.5])] {
        let (p, normal) = (Vector3::from(p), Vector3::from(normal).normalize());
        let along = |t: &Vector3<f64>| {
            let torque = p.cross(t);
            let row = DVector::from_fn(n, |j, _| {
                let column = jacobian.column(j);
                column.fixed_rows::<3>(0).dot(&torque) + column.fixed_rows::<3>(3).dot(t)
            });
            row.dot(&(&inverse * &row))
        };
        let first = normal.cross(&Vector3::new(0.3, 0.9, -0.4)).normalize();
        let expected = tangential_delassus(0.5 * (along(&first) + along(&normal.cross(&first))));
        let found = problem.delassus(body, &p, &normal);
        assert!((found.0 - expected).abs() < 1e-12 * expected, "{found:?} {expected}");
        assert!((found.1 - along(&normal)).abs() < 1e-12 * found.1, "{found:?} {}", along(&normal));
    }
    // A row alone.
    problem.mobilities.rows = jacobian.row(4).iter().map(|&x| Vector3::new(x, 0.0, 0.0)).collect();
    let row: DVector<f64> = jacobian.row(4).transpose();
    let expected = row.dot(&(&inverse * &row));
    let found = problem.mobility_of_rows(0).expect("a factor");
    assert!((found - Vector3::new(expected, 0.0, 0.0)).norm() < 1e-12 * expected);
}

#[test]
fn what_is_known_of_one_problem_is_not_reported_of_the_next() {
    let mut problem = Problem::default();
    let mut delassus = |mass: f64| {
        problem.clear();
        problem.add_clique(&[mass], &[0.0], &[0.0], &[0.0]);
        let world = problem.add_body(None, false, &[], 0.0);
        let body = problem.add_body(Some(0), false, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], mass);
        let (p, normal) = (Vector3::zeros(), Vector3::z());
        problem.add_contact(&ContactRow {
            body_a: world,
            body_b: body,
            p_AC: p,
            p_BC: p,
            normal,
            bias_velocity: p,
            depth: 0.01,
            material: ContactMaterial {
                stiffness: 1e4,
                dissipation: 1.0,
                static_friction: 0.5,
                dynamic_friction: 0.5,
                stiction_tolerance: 1e-4,
                ..ContactMaterial::default()
            },
            key: 1,
            ..ContactRow::default()
        });
        problem.delassus(body, &p, &normal).0
    };
    assert_eq!(delassus(1.0), 4.0 * delassus(4.0));
}
