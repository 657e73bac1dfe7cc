//! Overlaps against an enumeration of corners, closed forms, finite differences; tessellation, random scenes.

use kinegraph_geometry::hydroelastic::Tessellation;
use kinegraph_geometry::overlap::{Moments, Patch, Solid, SolidError, overlap};
use kinegraph_geometry::{ConvexHull, Shape};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: Vector3::new(x, y, z) }
}

fn solid(shape: &Shape) -> Solid {
    Solid::new(shape, &Tessellation::new(0.2 * shape.half_thickness().clamp(1e-3, 1.0))).unwrap()
}

fn found(a: &Shape, X_WA: &Isometry3<f64>, b: &Shape, X_WB: &Isometry3<f64>) -> Option<Patch> {
    let mut patch = Patch::default();
    overlap(&solid(a), X_WA, &solid(b), X_WB, || None, &mut patch).then_some(patch)
}

fn pose(random: &mut Random, reach: f64) -> Isometry3<f64> {
    let mut triple = |size: f64| Vector3::from_fn(|_, _| size * (2.0 * random.unit() - 1.0));
    Isometry3::new(triple(reach), triple(3.0))
}

/// All planes of both boxes, and the volume that they enclose: corners are triples of planes, faces their corners in
/// order.
fn enumerated(halves: [Vector3<f64>; 2], poses: [&Isometry3<f64>; 2]) -> f64 {
    let planes: Vec<(Vector3<f64>, f64)> = (0..12)
        .map(|i| {
            let (side, axis, sign) = (i / 6, i / 2 % 3, if i % 2 == 0 { 1.0 } else { -1.0 });
            let n = poses[side].rotation * (Vector3::ith(axis, sign));
            (n, halves[side][axis] + n.dot(&poses[side].translation.vector))
        })
        .collect();
    let mut on: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); 12];
    for i in 0..12 {
        for j in 0..i {
            for k in 0..j {
                let rows = Matrix3::from_rows(&[planes[i].0, planes[j].0, planes[k].0].map(|n| n.transpose()));
                let Some(inverse) = rows.try_inverse() else { continue };
                let p = inverse * Vector3::new(planes[i].1, planes[j].1, planes[k].1);
                if planes.iter().all(|(n, d)| n.dot(&p) <= d + 1e-12) {
                    [i, j, k].iter().for_each(|&plane| on[plane].push(p));
                }
            }
        }
    }
    let mut volume = 0.0;
    for ((n, d), mut corners) in planes.iter().zip(on) {
        if corners.len() < 3 {
            continue;
        }
        let middle = corners.iter().sum::<Vector3<f64>>() / corners.len() as f64;
        let u = n.cross(&if n.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() }).normalize();
        let angle = |p: &Vector3<f64>| (p - middle).dot(&n.cross(&u)).atan2((p - middle).dot(&u));
        corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
        volume += pairs.map(|(p, q)| (p - middle).cross(&(q - middle)).dot(n)).sum::<f64>() * 0.5 * d / 3.0;
    }
    volume
}

#[test]
fn volume_normal_and_balance_of_two_boxes_in_random_poses() {
    let mut random = Random::new(1);
    let (mut count, mut edges) = (0, 0);
    while count < 1000 {
        let halves = [0, 1].map(|_| Vector3::from_fn(|_, _| 0.5 + random.unit()));
        let (a, b) = (cuboid(halves[0].x, halves[0].y, halves[0].z), cuboid(halves[1].x, halves[1].y, halves[1].z));
        let (X, Y) = (pose(&mut random, 1.0), pose(&mut random, 1.0));
        let Some(patch) = found(&a, &X, &b, &Y) else { continue };
        let expected = enumerated(halves, [&X, &Y]);
        assert!((patch.volume - expected).abs() < 1e-12, "{} {expected}", patch.volume);
        let balance: Vector3<f64> = patch.areas().iter().sum();
        assert!(balance.norm() < 1e-13, "{balance}");
        // The depth integrates to the volume, its torque about the centre to nothing.
        let (mut sum, mut moment, mut area) = (0.0, Vector3::zeros(), 0.0);
        patch.points(|point| {
            sum += point.area * point.depth;
            area += point.area;
            moment += (point.p_WC - patch.center) * (point.area * point.depth);
        });
        assert!((sum - patch.volume).abs() < 1e-12 && moment.norm() < 1e-12, "{sum} {} {moment}", patch.volume);
        assert!((area - patch.area).abs() < 1e-12);
        // Minus the gradient of the volume.
        let h = 1e-5;
        let moved =
            |d: Vector3<f64>| found(&a, &X, &b, &(nalgebra::Translation3::from(d) * Y)).map_or(0.0, |p| p.volume);
        let gradient = Vector3::from_fn(|i, _| (moved(Vector3::ith(i, h)) - moved(Vector3::ith(i, -h))) / (2.0 * h));
        let turned = (-gradient.normalize() - patch.normal).norm();
        assert!(turned < 1e-6 || gradient.norm() < 1e-3, "{turned} {gradient}");
        assert!(patch.area > gradient.norm() - 1e-6);
        edges += usize::from(patch.cells().len() > 2);
        count += 1;
    }
    assert!(edges > 100);
}

#[test]
fn slab_and_wedge_have_their_closed_forms() {
    // 0.2 x 0.3, 0.01 thick.
    let patch = found(
        &Shape::HalfSpace,
        &Isometry3::identity(),
        &cuboid(0.1, 0.15, 0.2),
        &Isometry3::translation(0.3, 0.2, 0.19),
    )
    .unwrap();
    assert!((patch.volume - 6e-4).abs() < 1e-17 && patch.normal == Vector3::z());
    assert!((patch.center - Vector3::new(0.3, 0.2, -0.005)).norm() < 1e-15);
    let Moments { q, c } = patch.moments();
    let (x, y, area) = (0.2_f64, 0.3_f64, 0.06);
    let turning = [y * y / 12.0, x * x / 12.0, (x * x + y * y) / 12.0];
    for (i, turning) in turning.into_iter().enumerate() {
        assert!((q[(i, i)] - 2.0 * area).abs() < 1e-14);
        assert!((q[(i + 3, i + 3)] - 2.0 * area * turning).abs() < 1e-14);
        assert!((0..3).all(|j| q[(i, j + 3)].abs() < 1e-14));
        assert!(c[i + 3] == 0.0);
    }
    assert!((c[2] - 6e-4).abs() < 1e-14);
    // A box turned about its lower edge: a wedge of the section x²/2 tan(angle).
    let (angle, deep) = (0.3_f64, 0.02);
    let turned = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
    let corner = turned * Vector3::new(0.1, 0.0, -0.2);
    let X = Isometry3::from_parts(nalgebra::Translation3::new(0.0, 0.0, -deep - corner.z), turned);
    let patch = found(&Shape::HalfSpace, &Isometry3::identity(), &cuboid(0.1, 0.15, 0.2), &X).unwrap();
    let section = 0.5 * deep * deep * (angle.tan() + 1.0 / angle.tan());
    assert!((patch.volume - section * 0.3).abs() < 1e-16, "{} {}", patch.volume, section * 0.3);
    assert_eq!(patch.normal, Vector3::z());
    assert!((patch.area - deep * (angle.tan() + 1.0 / angle.tan()) * 0.3).abs() < 1e-15);
    assert!((patch.center.z + deep / 3.0).abs() < 1e-15);
    assert_eq!(patch.outline().len(), 4);
}

#[test]
fn over_an_edge_the_normal_turns_without_a_jump() {
    let (ground, upper) = (cuboid(0.1, 0.1, 0.1), cuboid(0.03, 0.03, 0.03));
    let normal =
        |x: f64| found(&ground, &Isometry3::identity(), &upper, &Isometry3::translation(x, 0.0, 0.129)).unwrap().normal;
    assert_eq!(normal(0.069), Vector3::z());
    let mut last = normal(0.069);
    for i in 0..=200 {
        let n = normal(0.069 + 1e-5 * f64::from(i));
        assert!((n - last).norm() < 0.03, "{i} {n}");
        last = n;
    }
    // Past the side, V spans the top and that side.
    assert!(last.x > 0.01 && last.z > 0.5, "{last}");
}

#[test]
fn a_face_contact_does_not_depend_on_how_its_sides_are_cut() {
    let mut random = Random::new(2);
    let half = Vector3::new(0.1, 0.15, 0.2);
    let mut points = Vec::new();
    for corner in 0..8 {
        points.push(Vector3::from_fn(|axis, _| if corner >> axis & 1 == 1 { half[axis] } else { -half[axis] }));
    }
    for _ in 0..60 {
        let mut p = Vector3::from_fn(|axis, _| half[axis] * (2.0 * random.unit() - 1.0));
        let axis = (3.0 * random.unit()) as usize % 3;
        p[axis] = f64::copysign(half[axis], random.unit() - 0.5);
        points.push(p);
    }
    let cut = Shape::Convex(Arc::new(ConvexHull::new(&points).unwrap()));
    let other = cuboid(0.3, 0.3, 0.1);
    for tilt in [0.0, 1e-9, 1e-4, 0.1] {
        let X = Isometry3::new(Vector3::new(0.02, 0.03, 0.299), Vector3::new(tilt, -0.5 * tilt, 0.4));
        let [one, two] = [&cuboid(half.x, half.y, half.z), &cut]
            .map(|shape| found(&other, &Isometry3::identity(), shape, &X).unwrap());
        assert!((one.volume / two.volume - 1.0).abs() < 1e-11, "{tilt} {} {}", one.volume, two.volume);
        assert!((one.volume - two.volume).abs() < 1e-12 * 0.012);
        assert!((one.center - two.center).norm() < 1e-12 && (one.normal - two.normal).norm() < 1e-12);
        assert!((one.moments().q - two.moments().q).amax() < 1e-12);
        assert_eq!(one.cells().len(), two.cells().len());
    }
}

#[test]
fn curved_shapes_are_hulls_within_the_stated_tolerance() {
    let depth = 0.02_f64;
    for (shape, volume) in [
        (Shape::Sphere { radius: 0.1 }, std::f64::consts::PI * depth * depth * (0.1 - depth / 3.0)),
        (Shape::Cylinder { radius: 0.1, half_length: 0.1 }, std::f64::consts::PI * 0.01 * depth),
    ] {
        let solid = Solid::new(&shape, &Tessellation::new(0.01)).unwrap();
        let mut patch = Patch::default();
        let X = Isometry3::translation(0.0, 0.0, 0.1 - depth);
        assert!(overlap(
            &Solid::new(&Shape::HalfSpace, &Tessellation::new(0.01)).unwrap(),
            &Isometry3::identity(),
            &solid,
            &X,
            || None,
            &mut patch
        ));
        assert!((patch.volume / volume - 1.0).abs() < 0.02, "{} {volume}", patch.volume);
        let ideal = shape.mass_properties().unwrap().volume;
        let hull = ConvexHull::new(solid.vertices()).unwrap().volume();
        assert!((hull / ideal - 1.0).abs() < 2e-3, "{hull} {ideal}");
    }
    assert_eq!(
        Solid::new(&Shape::Sphere { radius: 0.1 }, &Tessellation::new(0.0)),
        Err(SolidError::OutOfRange { what: "resolution", value: 0.0 })
    );
    assert!(matches!(
        Solid::new(&Shape::Sphere { radius: 1.0 }, &Tessellation::new(1e-4)),
        Err(SolidError::TooFine { .. })
    ));
}

#[test]
fn random_scenes_give_numbers_or_nothing() {
    let mut random = Random::new(3);
    let mut hits = 0;
    for i in 0..400 {
        let shape = |random: &mut Random| {
            let size = 10.0_f64.powf(-3.0 * random.unit());
            match i % 7 {
                0 => Shape::HalfSpace,
                1 => Shape::Sphere { radius: size },
                2 => Shape::Cylinder { radius: size, half_length: size * random.unit() + 1e-3 },
                3 => Shape::Capsule { radius: size, half_length: size * random.unit() + 1e-3 },
                4 => Shape::Cone { radius: size, half_length: size },
                _ => cuboid(size, size * (0.01 + random.unit()), size),
            }
        };
        let (a, b) = (shape(&mut random), cuboid(0.1, 0.1, 0.1));
        let place = |random: &mut Random| match i % 3 {
            // Aligned: planes coincide, corners lie in planes.
            0 => Isometry3::translation(0.1 * f64::from(i % 5), 0.0, 0.1 * f64::from(i % 4) - 0.1),
            1 => pose(random, 0.1),
            _ => Isometry3::new(Vector3::new(0.0, 0.0, 0.1), Vector3::new(1e-12 * random.unit(), 1e-9, 0.0)),
        };
        let (X, Y) = (place(&mut random), place(&mut random));
        let mut patch = Patch::default();
        let coarse =
            |shape: &Shape| Solid::new(shape, &Tessellation::new(0.5 * shape.half_thickness().min(1.0))).unwrap();
        if overlap(&coarse(&a), &X, &coarse(&b), &Y, || Some(Vector3::z()), &mut patch) {
            hits += 1;
            assert!((patch.normal.norm() - 1.0).abs() < 1e-12 && patch.volume > 0.0 && patch.area > 0.0);
            let (mut sum, mut least) = (0.0, f64::INFINITY);
            patch.points(|point| {
                sum += point.area * point.depth;
                least = least.min(point.area).min(point.depth);
                assert!(point.p_WC.iter().all(|x| x.is_finite()));
                // No longer than the smaller of both.
                assert!(point.depth < 0.4, "{i} {}", point.depth);
            });
            assert!(least >= 0.0 && (sum / patch.volume - 1.0).abs() < 1e-6, "{i} {sum} {}", patch.volume);
        }
    }
    assert!(hits > 100, "{hits}");
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert!(found(&cuboid(1.0, 1.0, 1.0), &nowhere, &cuboid(1.0, 1.0, 1.0), &Isometry3::identity()).is_none());
}
