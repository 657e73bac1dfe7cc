//! Rules for every contact method, shape by shape: the same result in either order, at any place and of any size; depth
//! and normal as brute force finds them; and no jump along a sweep.

use kinegraph_geometry::nearest_point::nearest_on_ellipsoid;
use kinegraph_geometry::{
    CollisionShape, ConvexHull, Drawing, ExactMesh, MassProperties, Points, Ray, RayHit, Shape, ShapeKind, Touch, aabb,
    supported, touches,
};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tolerance for rounding, relative to the depth.
const ROUNDING: f64 = 1e-3;

/// Largest change of a force, relative to the motion of the pair.
const JUMP: f64 = 10.0;

/// One shape of each kind, of about unit size; of meshes, one that is convex and one that is not; scaled by `s`.
pub fn shapes(s: f64) -> Vec<Shape> {
    let points: Vec<Vector3<f64>> = [[-0.5, -0.4, -0.3], [0.6, -0.4, -0.3], [0.0, 0.7, -0.3], [0.1, 0.0, 0.6]]
        .iter()
        .map(|p| Vector3::from(*p) * s)
        .collect();
    let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let heights: Vec<f64> = (0..25).map(|i| 0.2 * s * f64::from((i * 7) % 5) / 5.0).collect();
    vec![
        Shape::Sphere { radius: 0.5 * s },
        Shape::Box { half_extents: Vector3::new(0.5, 0.4, 0.3) * s },
        Shape::Cylinder { radius: 0.4 * s, half_length: 0.5 * s },
        Shape::Capsule { radius: 0.3 * s, half_length: 0.4 * s },
        Shape::Ellipsoid { semi_axes: Vector3::new(0.6, 0.4, 0.3) * s },
        Shape::Cone { radius: 0.5 * s, half_length: 0.4 * s },
        Shape::Convex(Arc::new(ConvexHull::new(&points).unwrap())),
        Shape::Mesh(Arc::new(ExactMesh::new(&points, &triangles).unwrap())),
        Shape::Mesh(Arc::new(ExactMesh::height_field(&heights, 5, 5, [2.0 * s, 2.0 * s]).unwrap())),
        Shape::HalfSpace,
    ]
}

/// A shape of a program, known by its support mapping alone: an ellipsoid swept by a ball.
#[derive(Debug)]
struct Pebble {
    semi_axes: Vector3<f64>,
    radius: f64,
}

impl CollisionShape for Pebble {
    fn name(&self) -> &'static str {
        "pebble"
    }
    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        let stretched = self.semi_axes.component_mul(direction);
        let core = self.semi_axes.component_mul(&stretched) / stretched.norm();
        Some(core + direction.normalize() * self.radius)
    }
    fn half_thickness(&self) -> f64 {
        self.semi_axes.min() + self.radius
    }
    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }
    fn cast_ray(&self, _ray: &Ray) -> Option<RayHit> {
        None
    }
    fn drawing(&self) -> Drawing {
        Drawing::Triangles { vertices: Vec::new(), triangles: Vec::new() }
    }
}

/// A pebble of about unit size.
const PEBBLE: Pebble = Pebble { semi_axes: Vector3::new(0.5, 0.3, 0.2), radius: 0.1 };

/// All shapes, that of a program included, scaled by `s`.
fn all_shapes(s: f64) -> Vec<Shape> {
    let pebble = Shape::custom(Pebble { semi_axes: PEBBLE.semi_axes * s, radius: PEBBLE.radius * s });
    shapes(s).into_iter().chain([pebble]).collect()
}

/// A reproducible sequence of numbers between -1 and 1.
struct Numbers(u64);

impl Numbers {
    fn one(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.one(), self.one(), self.one())
    }
    fn turn(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector() * 3.0)
    }
}

fn found(a: &Shape, X: &Isometry3<f64>, b: &Shape, Y: &Isometry3<f64>, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    touches(a, X, b, Y, Points::Manifold, margin, &mut out);
    out
}

/// Visits all supported pairs, once each, with a pose at which the second touches the first slightly: moved along a
/// line until it is nearly `depth` deep.
fn pairs(s: f64, depth: f64, mut visit: impl FnMut(&Shape, &Shape, &Isometry3<f64>)) {
    let (mut of_built_in, mut of_custom) = (Numbers(7), Numbers(17));
    for (i, a) in all_shapes(s).iter().enumerate() {
        for b in &all_shapes(s)[i..] {
            if supported(a, b, Points::Manifold).is_err() {
                continue;
            }
            let is_custom = [a, b].iter().any(|shape| matches!(shape, Shape::Custom(_)));
            let numbers = if is_custom { &mut of_custom } else { &mut of_built_in };
            for _ in 0..6 {
                let turn = numbers.turn();
                // From above, where terrain and ground have their front.
                let way = Vector3::new(0.3 * numbers.one(), 0.3 * numbers.one(), 1.0).normalize();
                let way = if let Shape::HalfSpace | Shape::Mesh(_) = b { -way } else { way };
                let turn = match b {
                    Shape::HalfSpace => UnitQuaternion::identity(),
                    Shape::Mesh(_) => UnitQuaternion::from_scaled_axis(numbers.vector() * 0.3),
                    _ => turn,
                };
                let at = |t: f64| Isometry3::from_parts((way * t).into(), turn);
                let deepest = |t: f64| {
                    let all = found(a, &Isometry3::identity(), b, &at(t), 0.0);
                    all.iter().map(|t| t.depth).fold(0.0, f64::max)
                };
                let (mut apart, mut near) = (4.0 * s, 0.0);
                for _ in 0..60 {
                    let middle = 0.5 * (apart + near);
                    if deepest(middle) > depth { near = middle } else { apart = middle }
                }
                visit(a, b, &at(apart));
            }
        }
    }
}

fn wrench(touches: &[Touch]) -> [Vector3<f64>; 2] {
    touches.iter().fold([Vector3::zeros(); 2], |[f, m], t| {
        let push = t.normal * (t.share * t.depth.max(0.0));
        [f + push, m + t.p_WC.cross(&push)]
    })
}

/// The largest measured value of each pair of kinds.
#[derive(Default)]
struct Worst(BTreeMap<String, f64>);

impl Worst {
    fn note(&mut self, a: &Shape, b: &Shape, value: f64) {
        let worst = self.0.entry(format!("{} with {}", a.kind(), b.kind())).or_insert(0.0);
        *worst = worst.max(if value.is_nan() { f64::INFINITY } else { value });
    }
    fn below(self, limit: f64) {
        let over: Vec<_> = self.0.iter().filter(|(_, value)| **value > limit).collect();
        assert!(over.is_empty(), "{over:#?}");
    }
}

/// Difference of two wrenches, relative to the depth of the pair; moments for a size of one.
fn apart([f, m]: [Vector3<f64>; 2], [g, n]: [Vector3<f64>; 2], depth: f64) -> f64 {
    ((f - g).norm() + 0.1 * (m - n).norm()) / depth
}

#[test]
fn the_other_order_gives_the_same_force() {
    let mut worst = Worst::default();
    pairs(1.0, 1e-3, |a, b, Y| {
        let X = Isometry3::identity();
        let [g, n] = wrench(&found(b, Y, a, &X, 0.01));
        worst.note(a, b, apart(wrench(&found(a, &X, b, Y, 0.01)), [-g, -n], 1e-3));
    });
    worst.below(ROUNDING);
}

#[test]
fn a_pair_turned_and_moved_touches_alike() {
    let (mut worst, mut numbers) = (Worst::default(), Numbers(3));
    pairs(1.0, 1e-3, |a, b, Y| {
        let X = Isometry3::from_parts((numbers.vector() * 2.0).into(), numbers.turn());
        let [f, m] = wrench(&found(a, &Isometry3::identity(), b, Y, 0.01));
        let [g, n] = wrench(&found(a, &X, b, &(X * Y), 0.01));
        let n = n - X.translation.vector.cross(&g);
        worst.note(a, b, apart([X.rotation * f, X.rotation * m], [g, n], 1e-3));
    });
    worst.below(ROUNDING);
}

#[test]
fn a_pair_of_another_size_touches_alike() {
    for scale in [1e-2, 10.0] {
        let (mut worst, mut unit) = (Worst::default(), Vec::new());
        pairs(1.0, 1e-3, |a, b, Y| unit.push((*Y, wrench(&found(a, &Isometry3::identity(), b, Y, 0.01)))));
        let mut i = 0;
        pairs(scale, 1e-3 * scale, |a, b, _| {
            let (Y, expected) = unit[i];
            i += 1;
            let Y = Isometry3::from_parts((Y.translation.vector * scale).into(), Y.rotation);
            let [f, m] = wrench(&found(a, &Isometry3::identity(), b, &Y, 0.01 * scale));
            worst.note(a, b, apart([f / scale, m / (scale * scale)], expected, 1e-3));
        });
        worst.below(ROUNDING);
    }
}

/// Sampled points of a convex shape, checked against its support function.
fn sampled(shape: &Shape) -> Option<Vec<Vector3<f64>>> {
    let mut numbers = Numbers(11);
    let mut points = Vec::new();
    match shape {
        Shape::HalfSpace | Shape::Mesh(_) => return None,
        Shape::Convex(hull) => return Some(hull.vertices().collect()),
        _ => {}
    }
    let bounds = aabb(shape, &Isometry3::identity());
    let is_inside = |p: &Vector3<f64>| match *shape {
        Shape::Sphere { radius } => p.norm() <= radius,
        Shape::Box { half_extents } => (0..3).all(|i| p[i].abs() <= half_extents[i]),
        Shape::Cylinder { radius, half_length } => p.x.hypot(p.y) <= radius && p.z.abs() <= half_length,
        Shape::Capsule { radius, half_length } => {
            (p - Vector3::z() * p.z.clamp(-half_length, half_length)).norm() <= radius
        }
        Shape::Ellipsoid { semi_axes } => p.component_div(&semi_axes).norm() <= 1.0,
        Shape::Cone { radius, half_length } => {
            p.z.abs() <= half_length && p.x.hypot(p.y) <= radius * (half_length - p.z) / (2.0 * half_length)
        }
        Shape::Custom(_) => {
            let Pebble { semi_axes, radius } = PEBBLE;
            (p - nearest_on_ellipsoid(&semi_axes, p)).norm() <= radius
        }
        _ => false,
    };
    // From the middle outwards as far as it is inside.
    let reach = (bounds.max - bounds.min).norm();
    for _ in 0..2000 {
        let Some(way) = numbers.vector().try_normalize(1e-3) else { continue };
        let (mut inside, mut outside) = (0.0, reach);
        for _ in 0..40 {
            let middle = 0.5 * (inside + outside);
            if is_inside(&(way * middle)) { inside = middle } else { outside = middle }
        }
        points.push(way * inside);
    }
    Some(points)
}

/// Along the normal the pair overlaps by its depth, as far as sampled points show it, and along no sampled direction by
/// less.
#[test]
fn depth_and_normal_are_those_of_brute_force() {
    let (mut worst, mut numbers) = (Worst::default(), Numbers(5));
    pairs(1.0, 5e-3, |a, b, Y| {
        let (Some(p), Some(q)) = (sampled(a), sampled(b)) else { return };
        let q: Vec<_> = q.iter().map(|q| (Y * nalgebra::Point3::from(*q)).coords).collect();
        let overlap = |n: &Vector3<f64>| {
            let top = p.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
            top - q.iter().map(|q| q.dot(n)).fold(f64::INFINITY, f64::min)
        };
        let all = found(a, &Isometry3::identity(), b, Y, 0.0);
        let deepest = all.iter().copied().reduce(|s, t| if t.depth > s.depth { t } else { s });
        let Some(Touch { normal: n, depth, .. }) = deepest else { return worst.note(a, b, f64::NAN) };
        worst.note(a, b, (overlap(&n) - depth).abs());
        for _ in 0..100 {
            let Some(m) = (n + numbers.vector() * 0.5).try_normalize(1e-3) else { continue };
            worst.note(a, b, depth - overlap(&m));
        }
    });
    // What samples miss.
    worst.below(5e-2);
}

/// Force and moment do not jump as the pair moves, in steps of 1e-5 of its size.
#[test]
fn contact_forces_are_continuous_along_a_motion() {
    let (mut worst, mut numbers) = (Worst::default(), Numbers(13));
    pairs(1.0, 2e-3, |a, b, Y| {
        let (way, spin) = (numbers.vector(), numbers.vector());
        let at = |t: f64| {
            let turn = UnitQuaternion::from_scaled_axis(spin * t);
            Isometry3::from_parts((Y.translation.vector + way * t).into(), turn * Y.rotation)
        };
        let touch = |step: usize| found(a, &Isometry3::identity(), b, &at(1e-5 * step as f64), 0.01);
        for step in 0..200 {
            let jump = apart(wrench(&touch(step)), wrench(&touch(step + 1)), 1e-5);
            if jump > JUMP {
                // Shown where the test fails, to be read as a person would.
                for t in touch(step).iter().chain(&touch(step + 1)).filter(|t| t.depth > 0.0) {
                    println!("{} {} {step}: {:?} {:?} {:e} {}", a.kind(), b.kind(), t.p_WC, t.normal, t.depth, t.share);
                }
            }
            worst.note(a, b, jump);
        }
    });
    worst.below(JUMP);
}

#[test]
fn pairs_that_cannot_touch_are_refused_with_a_message() {
    let all = shapes(1.0);
    let [.., terrain, ground] = &all[..] else { panic!() };
    let text = |a: &Shape, b: &Shape| supported(a, b, Points::Manifold).unwrap_err().to_string();
    assert_eq!(text(ground, ground), "a half-space and a half-space cannot touch each other");
    assert_eq!(text(terrain, &all[7]), "a triangle mesh and a triangle mesh cannot touch each other");
    for a in &all {
        for b in &all {
            let both_are = |kind: ShapeKind| a.kind() == kind && b.kind() == kind;
            let expected = both_are(ShapeKind::Mesh) || both_are(ShapeKind::HalfSpace);
            assert_eq!(supported(a, b, Points::Manifold).is_err(), expected, "{} {}", a.kind(), b.kind());
        }
    }
}
