//! Forces known in closed form. H is the least half size of a box.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI};

const E: f64 = 1e6;
const R: f64 = 0.1;

fn rigid_ground() -> Field {
    field(&Shape::HalfSpace, Compliance::Rigid, &Tessellation::new(1.0))
}

/// A box with the footprint `2 a x 2 b` whose pressure grows with `gradient`, pressed flat by `d`.
fn box_force(gradient: f64, a: f64, b: f64, d: f64) -> f64 {
    gradient * (4.0 * a * b * d - 2.0 * (a + b) * d * d + 4.0 / 3.0 * d.powi(3))
}

/// A ball pressed by `d` against a rigid plane.
fn ball_force(d: f64) -> f64 {
    PI * E * d * d * (1.0 - 2.0 * d / (3.0 * R))
}

/// Distance by which an inscribed ball recedes at a resolution.
fn sagitta(resolution: f64) -> f64 {
    let subdivisions = ((PI / (0.5 * resolution / R).asin()).log2().ceil() - 2.0).max(0.0);
    R * (1.0 - (PI / 2.0_f64.powf(subdivisions + 2.0)).cos())
}

#[test]
fn boxes_on_a_rigid_plane() {
    for (size, H) in [([0.2, 0.3, 0.4], 0.1), ([0.2, 0.2, 0.4], 0.1), ([0.3, 0.3, 0.1], 0.05), ([0.1, 0.1, 0.1], 0.05)]
    {
        let cuboid = field(&cuboid(size[0], size[1], size[2]), soft(E), &Tessellation::new(1.0));
        for d in [1e-6, 1e-3, 0.01, 0.04] {
            let found = surface(&rigid_ground(), &Isometry3::identity(), &cuboid, &at(0.0, 0.0, 0.5 * size[2] - d));
            let (a, b) = (0.5 * size[0], 0.5 * size[1]);
            let what = format!("{size:?} pressed by {d} m");
            let force = found.wrench(&Vector3::zeros()).0;
            assert_near(force.z, box_force(E / H, a, b, d), 1e-12, &what);
            assert!(force.xy().norm() < 1e-12 * force.z, "{what}");
            assert_near(found.area(), 4.0 * a * b, 1e-12, &what);
            let k = E / H * (4.0 * a * b - 4.0 * (a + b) * d + 4.0 * d * d);
            assert_near(found.stiffness(), k, 1e-12, &what);
        }
    }
}

#[test]
fn a_rigid_box_on_a_compliant_half_space() {
    let cuboid = field(&cuboid(0.2, 0.3, 0.4), Compliance::Rigid, &Tessellation::new(1.0));
    for d in [1e-6, 1e-3, 0.03] {
        let found = surface(&soft_ground(E, 0.1), &Isometry3::identity(), &cuboid, &at(1.0, 2.0, 0.2 - d));
        let force = found.wrench(&Vector3::zeros()).0;
        assert_near(force.z, E * 0.06 * d / 0.1, 1e-12, "force");
        assert_near(found.stiffness(), E * 0.06 / 0.1, 1e-12, "stiffness");
        // What pushes on its sides cancels.
        assert!(force.xy().norm() < 1e-12 * force.z);
    }
}

/// The softer one deforms like one of two springs in series.
#[test]
fn compliant_boxes_on_compliant_boxes_and_half_spaces() {
    let cube = |modulus| field(&cuboid(0.2, 0.2, 0.2), soft(modulus), &Tessellation::new(1.0));
    for d in [1e-3, 0.02] {
        let expected = box_force(E / 0.1, 0.1, 0.1, 0.75 * d);
        let X = at(0.0, 0.0, 0.2 - d);
        assert_near(push(&cube(3.0 * E), &cube(E), &X), expected, 1e-12, "cube on cube");
        let X = at(0.3, 0.0, 0.1 - d);
        assert_near(push(&soft_ground(3.0 * E, 0.1), &cube(E), &X), expected, 1e-12, "cube on half-space");
    }
    assert_near(push(&cube(3.0 * E), &cube(E), &at(0.0, 0.0, 0.199)), 297.755_625, 1e-12, "cube on cube");
}

#[test]
fn inscribed_balls_converge_with_the_square_of_the_resolution() {
    let ball = |compliance, h| field(&Shape::Sphere { radius: R }, compliance, &inscribed(h));
    let d = 0.03;
    type Case<'a> = (&'a str, f64, &'a dyn Fn(f64) -> f64);
    let cases: [Case; 3] = [
        ("rigid plane", ball_force(d), &|h| push(&rigid_ground(), &ball(soft(E), h), &at(0.0, 0.0, R - d))),
        ("each other", ball_force(0.5 * d), &|h| {
            push(&ball(soft(E), h), &ball(soft(E), h), &at(0.0, 0.0, 2.0 * R - d))
        }),
        ("compliant plane", E / 0.1 * PI * (R * d * d - d.powi(3) / 3.0), &|h| {
            push(&soft_ground(E, 0.1), &ball(Compliance::Rigid, h), &at(0.0, 0.0, R - d))
        }),
    ];
    for (what, expected, force) in cases {
        let errors = [0.02, 0.01, 0.005].map(|h| 1.0 - force(h) / expected);
        let ratios = [errors[0] / errors[1], errors[1] / errors[2]];
        assert!(ratios.iter().all(|ratio| (3.3..4.7).contains(ratio)), "{what}: {errors:?}");
        assert!(errors[2] < 1e-2, "{what}: {errors:?}");
    }
}

#[test]
fn balls_that_keep_their_volume_are_right_from_small_depths_on() {
    // Directions that fill the sphere evenly: the golden spiral.
    const ORIENTATIONS: usize = 48;
    let orientations: Vec<_> = (0..ORIENTATIONS)
        .map(|i| {
            let (z, turn) = (1.0 - (2.0 * i as f64 + 1.0) / ORIENTATIONS as f64, 2.399_963_229_728_653 * i as f64);
            let down = Vector3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z);
            nalgebra::UnitQuaternion::rotation_between(&down, &-Vector3::z()).unwrap()
        })
        .collect();
    for h in [0.02, 0.01] {
        let ball = field(&Shape::Sphere { radius: R }, soft(E), &Tessellation::new(h));
        let sg = sagitta(h);
        let ratios = |d: f64| {
            let force = |turn: &nalgebra::UnitQuaternion<f64>| {
                push(&rigid_ground(), &ball, &Isometry3::from_parts(Vector3::new(0.0, 0.0, R - d).into(), *turn))
            };
            orientations.iter().map(|turn| force(turn) / ball_force(d)).collect::<Vec<_>>()
        };
        for depth in [6.0, 10.0, 20.0, 60.0] {
            let mean = ratios(depth * sg).iter().sum::<f64>() / ORIENTATIONS as f64;
            assert!((mean - 1.0).abs() < 0.02, "h = {h}, {depth} sagittas: {mean}");
        }
        // What is left is a ripple with the orientation, within 3 % of its mean but for the flattest faces.
        let deep = ratios(20.0 * sg);
        let within = |part: f64| deep.iter().filter(|ratio| (*ratio - 1.0).abs() < part).count();
        assert!(within(0.07) == ORIENTATIONS && within(0.03) >= 3 * ORIENTATIONS / 4, "{deep:?}");
    }
}

#[test]
fn an_ellipsoid_on_a_rigid_plane() {
    let (a, b, c, d) = (0.1, 0.2, 0.3, 0.03);
    let expected = PI * E * a * b * (d / c) * (d / c) * (1.0 - 2.0 * d / (3.0 * c));
    let force = |h: f64| {
        let ellipsoid = Field::ellipsoid(Vector3::new(a, b, c), soft(E), &inscribed(h)).unwrap();
        push(&rigid_ground(), &ellipsoid, &at(0.0, 0.0, c - d))
    };
    let errors = [0.04, 0.02, 0.01].map(|h| 1.0 - force(h) / expected);
    assert!(errors.windows(2).all(|e| (3.3..4.7).contains(&(e[0] / e[1]))), "{errors:?}");
}

#[test]
fn a_cylinder_that_stands() {
    let (radius, half_length, h): (f64, f64, f64) = (0.05, 0.1, 0.02);
    let n = (2.0 * PI * radius / h).ceil();
    let polygon = 0.5 * n * radius * radius * (2.0 * PI / n).sin();
    for (tessellation, area) in [(inscribed(h), polygon), (Tessellation::new(h), PI * radius * radius)] {
        let cylinder = field(&Shape::Cylinder { radius, half_length }, soft(E), &tessellation);
        for d in [1e-3, 0.01, 0.03_f64] {
            let r = radius;
            let expected = E / r * area / (r * r) * (r * r * d - r * d * d + d.powi(3) / 3.0);
            assert_near(push(&rigid_ground(), &cylinder, &at(0.0, 0.0, half_length - d)), expected, 1e-12, "cylinder");
        }
    }
}

#[test]
fn a_capsule_that_lies() {
    let shape = Shape::Capsule { radius: 0.05, half_length: 0.1 };
    let force = |tessellation, d: f64| {
        let X = turned(Vector3::y(), FRAC_PI_2, Vector3::new(0.0, 0.0, 0.05 - d));
        push(&rigid_ground(), &field(&shape, soft(E), &tessellation), &X)
    };
    for (d, expected) in [(0.01, 1836.129), (0.03, 8354.733)] {
        let errors = [0.02, 0.01, 0.005].map(|h| 1.0 - force(inscribed(h), d) / expected);
        assert!(errors[1] < 0.4 * errors[0] && errors[2] < 0.4 * errors[1] && errors[2] > 0.0, "{d}: {errors:?}");
        let kept = force(Tessellation::new(0.005), d) / expected - 1.0;
        assert!(kept.abs() < 0.2 * errors[2], "{d}: {kept}");
    }
}

/// Curved shapes enclose the volume that they should.
#[test]
fn volumes_are_preserved() {
    let volumes = [
        (Shape::Sphere { radius: R }, 4.0 / 3.0 * PI * R.powi(3)),
        (Shape::Cylinder { radius: R, half_length: 0.03 }, PI * R * R * 0.06),
        (Shape::Cylinder { radius: R, half_length: 0.3 }, PI * R * R * 0.6),
        (Shape::Capsule { radius: R, half_length: 0.2 }, PI * R * R * (0.4 + 4.0 / 3.0 * R)),
    ];
    for (shape, volume) in volumes {
        let Field::Compliant(mesh) = field(&shape, soft(E), &Tessellation::new(0.03)) else { panic!() };
        assert_near(mesh.volume(), volume, 1e-13, &format!("{shape:?}"));
    }
}

/// A margin adds polygons where bodies are about to touch, and takes nothing from those that touch.
#[test]
fn a_margin_splits_polygons_where_the_pressure_is_zero() {
    let cube = |margin| field(&cuboid(0.2, 0.2, 0.2), soft(E), &Tessellation { margin, ..Tessellation::new(1.0) });
    let pushing = |surface: &Surface| -> f64 {
        surface.faces.iter().filter(|face| !face.speculative).map(Face::elastic_force).sum()
    };
    let ball = |margin| field(&Shape::Sphere { radius: R }, soft(E), &Tessellation { margin, ..inscribed(0.02) });
    for d in [-5e-4, 5e-4, 1e-3] {
        let on_plane = |body: &Field, height: f64| {
            surface(&rigid_ground(), &Isometry3::identity(), body, &at(0.0, 0.0, height - d))
        };
        let with = on_plane(&cube(1e-3), 0.1);
        let expected = if d > 0.0 { box_force(E / 0.1, 0.1, 0.1, d) } else { 0.0 };
        assert!((pushing(&with) - expected).abs() < 1e-11, "{d}: {} and {expected}", pushing(&with));
        assert!(with.faces.iter().all(|face| face.speculative == (face.pressure < 0.0)));
        assert!(with.faces.iter().any(|face| face.speculative));
        let (with, without) = (on_plane(&ball(1e-3), R), on_plane(&ball(0.0), R));
        assert!((pushing(&with) - pushing(&without)).abs() < 2e-2 * pushing(&without) + 1e-12, "{d}");
    }
}
