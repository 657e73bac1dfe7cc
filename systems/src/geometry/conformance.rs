//! What every way to touch must hold to, shape by shape: the same answer in either order, wherever the pair stands and
//! whatever its size; depth and normal as brute force finds them; and no jump along a sweep.

use super::{ExactMesh, Points, Shape, Touch, aabb, supported, touches};
use crate::geometry::ConvexHull;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// One of each kind, of about unit size; of meshes one that is convex and one that is not, scaled by `s`.
fn shapes(s: f64) -> Vec<Shape> {
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

/// Numbers between -1 and 1, the same every time.
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

/// All supported pairs, once each, with a pose of the second that touches the first a little: moved along a line until
/// it is nearly `depth` deep.
fn pairs(s: f64, depth: f64, mut visit: impl FnMut(&Shape, &Shape, &Isometry3<f64>)) {
    let mut numbers = Numbers(7);
    for (i, a) in shapes(s).iter().enumerate() {
        for b in &shapes(s)[i..] {
            if supported(a, b).is_err() {
                continue;
            }
            for _ in 0..6 {
                let turn = numbers.turn();
                // From above, where terrain and ground have their front.
                let way = Vector3::new(0.3 * numbers.one(), 0.3 * numbers.one(), 1.0).normalize();
                let way = if let Shape::HalfSpace | Shape::Mesh(_) = b { -way } else { way };
                let turn = if let Shape::HalfSpace | Shape::Mesh(_) = b { UnitQuaternion::identity() } else { turn };
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

#[test]
fn the_other_order_gives_the_same_force() {
    pairs(1.0, 1e-3, |a, b, Y| {
        let X = Isometry3::identity();
        let ([f, m], [g, n]) = (wrench(&found(a, &X, b, Y, 0.01)), wrench(&found(b, Y, a, &X, 0.01)));
        assert!((f + g).norm() < 1e-8 && (m + n).norm() < 1e-6, "{} {}: {f} {g}", a.kind(), b.kind());
    });
}

#[test]
fn a_pair_turned_and_moved_touches_alike() {
    let mut numbers = Numbers(3);
    pairs(1.0, 1e-3, |a, b, Y| {
        let X = Isometry3::from_parts((numbers.vector() * 2.0).into(), numbers.turn());
        let [f, m] = wrench(&found(a, &Isometry3::identity(), b, Y, 0.01));
        let [g, n] = wrench(&found(a, &X, b, &(X * Y), 0.01));
        let n = n - X.translation.vector.cross(&g);
        let (f, m) = (X.rotation * f, X.rotation * m);
        assert!((f - g).norm() < 1e-8 && (m - n).norm() < 1e-6, "{} {}: {f} {g}", a.kind(), b.kind());
    });
}

#[test]
fn a_pair_of_another_size_touches_alike() {
    for scale in [1e-2, 10.0] {
        let mut small = Vec::new();
        pairs(1.0, 1e-3, |a, b, Y| small.push((a.kind(), b.kind(), wrench(&found(a, &Isometry3::identity(), b, Y, 0.01)))));
        let mut i = 0;
        pairs(scale, 1e-3 * scale, |a, b, Y| {
            let [f, m] = wrench(&found(a, &Isometry3::identity(), b, Y, 0.01 * scale));
            let [g, n] = small[i].2;
            i += 1;
            let off = (f / scale - g).norm() + 1e-2 * (m / (scale * scale) - n).norm();
            assert!(off < 2e-7, "{} {}: {off}", a.kind(), b.kind());
        });
    }
}

/// Points of a convex shape: none is farther along any direction than the support says.
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
        _ => false,
    };
    // From the middle outwards as far as it is inside.
    let reach = (bounds.max - bounds.min).norm();
    for _ in 0..4000 {
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

/// Along the normal the pair overlaps by its depth, as far as points tell, and along no sampled direction by less.
#[test]
fn depth_and_normal_are_those_of_brute_force() {
    let mut numbers = Numbers(5);
    pairs(1.0, 5e-3, |a, b, Y| {
        let (Some(p), Some(q)) = (sampled(a), sampled(b)) else { return };
        let q: Vec<_> = q.iter().map(|q| (Y * nalgebra::Point3::from(*q)).coords).collect();
        let overlap = |n: &Vector3<f64>| {
            let top = p.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
            top - q.iter().map(|q| q.dot(n)).fold(f64::INFINITY, f64::min)
        };
        let all = found(a, &Isometry3::identity(), b, Y, 0.0);
        let deepest = all.iter().copied().reduce(|s, t| if t.depth > s.depth { t } else { s });
        let Some(deepest) = deepest else { return };
        // Samples miss up to a hundredth of the size.
        let (n, title) = (deepest.normal, format!("{} {}", a.kind(), b.kind()));
        assert!((overlap(&n) - deepest.depth).abs() < 2.5e-2, "{title}: {} {}", overlap(&n), deepest.depth);
        for _ in 0..300 {
            let Some(m) = (n + numbers.vector() * 0.5).try_normalize(1e-3) else { continue };
            assert!(overlap(&m) > deepest.depth - 2.5e-2, "{title}: {m} {}", overlap(&m));
        }
    });
}

/// Force and moment change no faster than the pair moves, times what its stiffness per length is.
#[test]
fn nothing_jumps_along_a_sweep() {
    let mut numbers = Numbers(13);
    pairs(1.0, 2e-3, |a, b, Y| {
        let (way, spin) = (numbers.vector(), numbers.vector());
        let at = |t: f64| {
            let turn = UnitQuaternion::from_scaled_axis(spin * t);
            Isometry3::from_parts((Y.translation.vector + way * t).into(), turn * Y.rotation)
        };
        let mut last: Option<[Vector3<f64>; 2]> = None;
        for step in 0..400 {
            let now = wrench(&found(a, &Isometry3::identity(), b, &at(1e-5 * f64::from(step)), 0.01));
            if let Some([f, m]) = last {
                let (df, dm) = ((now[0] - f).norm(), (now[1] - m).norm());
                assert!(df < 1.5e-4 && dm < 3e-4, "{} {}: {df} {dm} at {step}", a.kind(), b.kind());
            }
            last = Some(now);
        }
    });
}

#[test]
fn what_cannot_touch_says_so() {
    let all = shapes(1.0);
    let [.., terrain, ground] = &all[..] else { panic!() };
    let text = |a: &Shape, b: &Shape| supported(a, b).unwrap_err().to_string();
    assert_eq!(text(ground, ground), "a half-space and a half-space cannot touch each other");
    assert_eq!(text(terrain, &all[7]), "a triangle mesh and a triangle mesh cannot touch each other");
    for a in &all {
        for b in &all {
            let odd = |s: &Shape| matches!(s, Shape::Mesh(_));
            let expected = !(odd(a) && odd(b)) && !(*a == Shape::HalfSpace && *b == Shape::HalfSpace);
            assert_eq!(supported(a, b).is_ok(), expected, "{} {}", a.kind(), b.kind());
        }
    }
}
