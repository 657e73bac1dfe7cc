//! Tests of `src/convex/solvers/icf/inertia.rs`.

use kinegraph_convex::contact::{ContactMaterial, ContactRow, Problem};
use kinegraph_convex::solvers::icf::inertia::{Inertia, LANES};
use nalgebra::{DMatrix, Vector3, Vector6};

/// For links of one clique and of two, and a link and a free body: `e' J A^-1 J' e` of dense matrices, along one
/// direction and along three.
#[test]
fn compliances_of_links_and_free_bodies() {
    let noise = |i: usize, j: usize| ((3 * i + 7 * j) as f64 * 1.7).sin();
    let vector = |j: usize| Vector3::new(noise(0, j), noise(1, j), noise(2, j));
    let sizes = [7, 5, 6];
    let first = |clique: usize| sizes[..clique].iter().sum::<usize>();
    let mut problem = Problem::default();
    let mut whole = DMatrix::zeros(18, 18);
    for (c, n) in sizes.into_iter().enumerate() {
        let root = DMatrix::from_fn(n, n, |i, j| noise(i, j + n) + if i == j { 2.0 } else { 0.0 });
        let mass = (c + 1) as f64 * &root * root.transpose();
        whole.view_mut((first(c), first(c)), (n, n)).copy_from(&mass);
        problem.add_clique(mass.as_slice(), &vec![0.0; n], &vec![0.0; n], &vec![0.0; n]);
    }
    // The clique of each body, and how many of its coordinates move it; the last is the ground.
    let bodies = [(0, 7), (0, 4), (1, 5), (2, 6), (3, 0)];
    let jacobians: Vec<DMatrix<f64>> = bodies
        .iter()
        .enumerate()
        .map(|(b, &(clique, moving))| {
            let entry = |i, j: usize| if clique == 2 { f64::from(i == j) } else { noise(i + 6 * j, b) };
            let mut all = DMatrix::zeros(6, 18);
            (0..moving).for_each(|j| (0..6).for_each(|i| all[(i, first(clique) + j)] = entry(i, j)));
            let own =
                sizes.get(clique).map_or(Vec::new(), |&n| all.columns(first(clique), n).iter().copied().collect());
            match clique {
                3 => problem.add_body(None, false, &[], 0.0),
                2 => problem.add_body(Some(2), true, &[], 1.0),
                clique => problem.add_body(Some(clique), false, &own, 1.0),
            };
            all
        })
        .collect();
    // Each body has its own point.
    problem.contacts.witnesses = true;
    for (k, [body_a, body_b]) in
        [[4, 0], [1, 0], [1, 0], [2, 0], [2, 0], [2, 0], [3, 0], [0, 3], [0, 3]].into_iter().enumerate()
    {
        let row = ContactRow {
            body_a,
            body_b,
            p_AC: vector(k),
            p_BC: vector(k + 10),
            normal: Vector3::z(),
            depth: 0.01,
            material: ContactMaterial {
                stiffness: 1e4,
                static_friction: 0.5,
                dynamic_friction: 0.5,
                stiction_tolerance: 1e-4,
                ..ContactMaterial::default()
            },
            key: k as u64,
            grain: if k % 2 == 0 { Vector3::zeros() } else { Vector3::new(0.5, -0.4, 0.0) },
            ..ContactRow::default()
        };
        problem.add_contact(&row);
    }
    problem.finish();
    problem.set_step(1e-3);
    let directions = [0, 1, 2].map(|k| vector(k + 20).normalize());
    let (mut inertia, inverse) = (Inertia::default(), whole.try_inverse().expect("inertia"));
    for island in problem.islands() {
        assert!(inertia.factor(&problem, island));
        for patch in island.patches.iter().map(|&p| &problem.contacts.patches[p]) {
            let pair = &problem.contacts.points[patch.points.start];
            let found = inertia.compliances(&problem, patch, &directions.map(|direction| (pair, direction)));
            for (found, e) in found.into_iter().zip(&directions) {
                let scaled = e - pair.grain * pair.grain.dot(e);
                let row = |body: usize, point: &Vector3<f64>| {
                    let (torque, e) = (point.cross(&scaled), scaled);
                    jacobians[body].transpose() * Vector6::new(torque.x, torque.y, torque.z, e.x, e.y, e.z)
                };
                let row = row(patch.body_b, &pair.p_BC) - row(patch.body_a, &pair.p_AC);
                let expected = row.dot(&(&inverse * &row));
                let [alone, ..] = inertia.compliances(&problem, patch, &[(pair, *e)]);
                for found in [found, alone] {
                    assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
                }
            }
            // Points side by side have what each has alone, to the last bit.
            let points = problem.contacts.points[patch.points.clone()].iter().take(LANES);
            let points: Vec<_> = points.zip(directions.iter().cycle()).map(|(pair, e)| (pair, *e)).collect();
            let together = inertia.compliances(&problem, patch, &points);
            for (point, found) in points.iter().zip(together) {
                assert_eq!(inertia.compliances(&problem, patch, &[*point])[0], found);
            }
        }
    }
}
