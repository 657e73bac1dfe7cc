//! Force and moment are continuous functions of the pose, and nearly everywhere differentiable: along a path over
//! faces, edges and vertices, the largest change in a step halves with the step.

use super::*;

/// The largest changes of force \[N\] and moment \[N m\] along a path in this number of steps.
fn largest_change(a: &Field, b: &Field, path: &dyn Fn(f64) -> Isometry3<f64>, steps: usize) -> [f64; 2] {
    let mut found = Surface::default();
    let mut last = None;
    let mut largest = [0.0_f64; 2];
    for i in 0..=steps {
        contact_surface(a, &Isometry3::identity(), b, &path(i as f64 / steps as f64), &mut found).unwrap();
        let (force, moment) = found.wrench(&Vector3::zeros());
        if let Some((f, m)) = last.replace((force, moment)) {
            largest = [largest[0].max((force - f).norm()), largest[1].max((moment - m).norm())];
        }
    }
    largest
}

#[test]
fn forces_change_by_half_as_much_in_half_a_step() {
    let E = 1e6;
    let tessellation = Tessellation::new(0.03);
    let ground = field(&Shape::HalfSpace, Compliance::Rigid, &tessellation);
    let cube = field(&cuboid(0.2, 0.2, 0.2), soft(E), &tessellation);
    let ball = field(&Shape::Sphere { radius: 0.1 }, soft(E), &tessellation);
    let cylinder = field(&Shape::Cylinder { radius: 0.1, half_length: 0.12 }, soft(E), &tessellation);
    let tumble = |s: f64| turned(Vector3::new(0.48, 0.6, 0.64), 3.0 * s, Vector3::new(0.3 * s, 0.1 * s, 0.1));
    let across = |s: f64| turned(Vector3::new(0.48, 0.6, 0.64), 0.5 * s, Vector3::new(0.4 * s - 0.2, 0.03, 0.17));
    type Case<'a> = (&'a str, &'a Field, &'a Field, &'a dyn Fn(f64) -> Isometry3<f64>);
    let soft_ground = soft_ground(E, 0.1);
    let cases: [Case; 5] = [
        ("a cube tumbles over the ground", &ground, &cube, &tumble),
        ("a cylinder tumbles over the ground", &ground, &cylinder, &tumble),
        ("a ball sinks into compliant ground", &soft_ground, &ball, &tumble),
        ("a ball passes over a ball", &ball, &ball, &across),
        ("a polyhedron tumbles", &ground, &field(&polyhedron(), soft(E), &tessellation), &tumble),
    ];
    for (what, a, b, path) in cases {
        let (coarse, fine) = (largest_change(a, b, path, 5_000), largest_change(a, b, path, 10_000));
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let ratio = coarse / fine;
            assert!((1.8..2.2).contains(&ratio), "{what}: {coarse} and {fine}");
        }
    }
}
