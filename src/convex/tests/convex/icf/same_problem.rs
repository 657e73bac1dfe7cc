//! One problem stated in several ways: its cost, gradient and Hessian are the same.

use super::*;

/// The grouping of velocities only affects speed.
#[test]
fn one_clique_is_three() {
    let [three, one] = [false, true].map(|joined| fixture_of(&mut Random(10), joined));
    assert_eq!((three.trees.cliques.len(), one.trees.cliques.len()), (3, 1));
    let (mut r, n) = (Random(11), three.size());
    for _ in 0..20 {
        let v: Vec<f64> = (0..n).map(|_| r.next()).collect();
        let (a, b) = (total_cost(&three, &v), total_cost(&one, &v));
        assert!(close(a, b, 0.0, 100.0 * f64::EPSILON), "{a} and {b}");
        let [(ga, ha), (gb, hb)] = [&three, &one].map(|p| {
            let (mut work, mut h) = (Assembly::default(), vec![0.0; n * n]);
            let g = gradient_at(p, &v, &mut work);
            hessian_at(p, &v, &mut work, &mut h);
            (g, h)
        });
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        for i in 0..n {
            assert!(close(ga[i], gb[i], norm(&ga), 100.0 * f64::EPSILON), "gradient {i}: {} and {}", ga[i], gb[i]);
            for j in i..n {
                let (a, b) = (ha[i * n + j], hb[i * n + j]);
                assert!(close(a, b, norm(&ha), 100.0 * f64::EPSILON), "Hessian {j},{i}: {a} and {b}");
            }
        }
    }
}

/// Retries and half steps set another length: the problem is then identical to one that never had another.
#[test]
fn another_step_length_gives_the_bits_of_a_fresh_problem() {
    let (mut fresh, mut reused) = (fixture(&mut Random(8)), fixture(&mut Random(8)));
    let mut r = Random(9);
    fresh.set_step(0.003);
    reused.set_step(0.02);
    let n = reused.size();
    let mut work = Assembly::default();
    gradient_at(&reused, &vec![0.1; n], &mut work);
    reused.set_step(0.003);
    for _ in 0..20 {
        let v: Vec<f64> = (0..n).map(|_| r.next()).collect();
        assert_eq!(total_cost(&fresh, &v), total_cost(&reused, &v));
        assert_eq!(gradient_at(&fresh, &v, &mut Assembly::default()), gradient_at(&reused, &v, &mut work));
        let [a, b] = [&fresh, &reused].map(|p| {
            let (mut work, mut h) = (Assembly::default(), vec![0.0; n * n]);
            gradient_at(p, &v, &mut work);
            hessian_at(p, &v, &mut work, &mut h);
            h
        });
        assert_eq!(a, b);
    }
}

/// The pattern of the Hessian is analyzed once for all iterations, steps and problems that share it.
#[test]
fn a_pattern_of_contact_is_analyzed_once() {
    let mut r = Random(12);
    let mut solver = Solver::default();
    for round in 0..5 {
        let mut p = fixture(&mut r);
        for dt in [0.01, 0.005] {
            p.set_step(dt);
            let mut v = p.start_velocity().to_vec();
            assert!(solver.solve_for(&p, 1e-8, &mut v).unwrap().iterations > 1);
        }
        assert_eq!(solver.pattern_counts(), (2 * round + 1, 1));
    }
}

fn two_free_bodies(apart: Vector3<f64>) -> Problem {
    let mut p = Problem::default();
    let identity: Vec<f64> = (0..36).map(|i| f64::from(u8::from(i % 7 == 0))).collect();
    let [a, b] = [0, 1].map(|_| {
        let clique = p.add_clique(&identity, &[0.0; 6], &[0.0; 6], &[0.0; 6]);
        p.add_body(Some(clique), true, &[], 1.0)
    });
    for (i, shift) in [Vector3::zeros(), apart].into_iter().enumerate() {
        let p_AC = Vector3::new(0.1 * i as f64, 0.0, 0.5);
        p.add_contact(&ContactRow {
            body_a: a,
            body_b: b,
            p_AC,
            p_BC: p_AC - Vector3::z() + shift,
            normal: Vector3::z(),
            bias_velocity: Vector3::zeros(),
            depth: 1e-3,
            material: ContactMaterial {
                stiffness: 1e4,
                dissipation: 0.0,
                static_friction: 0.5,
                dynamic_friction: 0.5,
                stiction_tolerance: 1e-3,
                ..ContactMaterial::default()
            },
            key: i as u64,
            ..ContactRow::default()
        });
    }
    p
}

/// The contract of `Problem::add_pair`: the points of a patch have one p_AB, to rounding.
#[test]
fn points_that_agree_share_a_patch() {
    let p = two_free_bodies(Vector3::new(1e-14, 0.0, -1e-14));
    assert_eq!((p.contacts.patches.len(), p.contacts.points.len()), (1, 2));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "differ in p_AC - p_BC")]
fn points_that_disagree_about_the_origins_are_refused_in_debug_builds() {
    two_free_bodies(Vector3::new(1e-3, 0.0, 0.0));
}
