//! Locked velocities take no part.

use super::*;

/// The fixture's first clique with some velocities locked is the problem that has only the others.
#[test]
fn locking_is_the_elimination_of_velocities() {
    let mut r = Random(9);
    let a = DMatrix::from_fn(4, 4, |_, _| r.next());
    let mass = &a * a.transpose() + DMatrix::identity(4, 4) * 0.5;
    let v0: Vec<f64> = (0..4).map(|_| r.next()).collect();
    let k: Vec<f64> = (0..4).map(|_| r.next()).collect();
    let j: Vec<f64> = (0..24).map(|_| r.next()).collect();
    let (p_AP, p_BQ, g0) = (r.vector(0.3), r.vector(0.3), r.vector(0.01));
    let mut p = Problem::default();
    p.clear();
    p.add_clique(mass.as_slice(), &[0.1; 4], &k, &v0);
    p.lock(1);
    p.lock(3);
    let (world, b) = (p.add_body(None, false, &[], 1.0), p.add_body(Some(0), false, &j, 1.0));
    for i in 0..4 {
        p.add_stops(i, 1e-3, 1e-3);
    }
    p.add_rows(Rows::Point { body_a: world, p_AP, body_b: b, p_BQ }, g0, None);
    p.add_rows(Rows::Coordinates { first: 0, entries: &[(0, 1.0), (3, -2.0)] }, Vector3::new(0.1, 0.0, 0.0), None);
    p.add_rows(Rows::Coordinates { first: 0, entries: &[(1, 1.0), (3, -2.0)] }, Vector3::new(0.1, 0.0, 0.0), None);
    p.finish();
    p.feedback = vec![FeedbackBlock {
        velocities: vec![0, 1, 2],
        gain: (DMatrix::identity(3, 3) * 3.0).as_slice().into(),
        ..FeedbackBlock::default()
    }];
    p.finish();
    p.step_terms.force.copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
    p.elements.push(LimitedEffort { velocity: 3, gain: 2.3, bias: -0.5, limit: 1.0 });
    p.set_step(0.01);
    let mut v = p.start_velocity().to_vec();
    assert_eq!((v[1], v[3]), (0.0, 0.0));
    Solver::default().solve_for(&p, 1e-8, &mut v).unwrap();
    assert_eq!((v[1], v[3]), (0.0, 0.0));

    let keep = [0, 2];
    let sub = DMatrix::from_fn(2, 2, |i, j| mass[(keep[i], keep[j])]);
    let mut q = Problem::default();
    q.clear();
    q.add_clique(sub.as_slice(), &[0.1; 2], &keep.map(|i| k[i]), &keep.map(|i| v0[i]));
    let columns: Vec<f64> = keep.iter().flat_map(|i| j[6 * i..6 * i + 6].to_vec()).collect();
    let (world, b) = (q.add_body(None, false, &[], 1.0), q.add_body(Some(0), false, &columns, 1.0));
    q.add_stops(0, 1e-3, 1e-3);
    q.add_stops(1, 1e-3, 1e-3);
    q.add_rows(Rows::Point { body_a: world, p_AP, body_b: b, p_BQ }, g0, None);
    q.add_rows(Rows::Coordinates { first: 0, entries: &[(0, 1.0)] }, Vector3::new(0.1, 0.0, 0.0), None);
    q.feedback =
        vec![FeedbackBlock { velocities: vec![0, 1], gain: vec![3.0, 0.0, 0.0, 3.0], ..FeedbackBlock::default() }];
    q.finish();
    q.step_terms.force.copy_from_slice(&[1.0, 3.0]);
    // The momentum of what is locked stays: M_ul v_l, as an impulse.
    for (force, &i) in q.step_terms.force.iter_mut().zip(&keep) {
        *force += (mass[(i, 1)] * v0[1] + mass[(i, 3)] * v0[3]) / 0.01;
    }
    q.set_step(0.01);
    let mut u = q.start_velocity().to_vec();
    Solver::default().solve_for(&q, 1e-8, &mut u).unwrap();
    for (a, b) in [(v[0], u[0]), (v[2], u[1])] {
        assert!(close(a, b, 1.0, 1e-9), "{a} and {b}");
    }
}

#[test]
fn a_free_body_may_be_locked_in_part_or_as_a_whole() {
    let mut p = Problem::default();
    p.clear();
    p.add_clique(DMatrix::<f64>::identity(6, 6).as_slice(), &[0.0; 6], &[0.0; 6], &[1.0; 6]);
    p.lock(0);
    p.lock(5);
    let b = p.add_body(Some(0), true, &[], 1.0);
    let (w, v) = p.velocity_of(b);
    assert_eq!((w, v), (Vector3::new(0.0, 1.0, 1.0), Vector3::new(1.0, 1.0, 0.0)));
    assert_eq!(p.point_velocity(b, &Vector3::x(), &[1.0; 6]), Vector3::new(1.0, 2.0, -1.0));
}
