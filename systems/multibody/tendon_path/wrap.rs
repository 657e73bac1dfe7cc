//! The shortest path of a string over a sphere or a cylinder.
//!
//! In the plane through both ends and the centre of a sphere, and in the plane across the axis of a cylinder, the path
//! is two tangents to a circle and the arc between them; along the axis of a cylinder it rises in proportion to its
//! length.
//!
//! Of the two ways around, the string takes the shorter one, and it goes straight if the straight line clears the
//! circle. A side site that lies opposite both ends, `side = -(α from + β to)` with α, β > 0, keeps it on the other
//! way, even if the straight line clears the circle. Anywhere else a side site outside the shape has no effect. A side
//! site within the shape keeps the string within it: then it touches the circle from inside, at the point where the sum
//! of both distances is least.

use crate::scene_data::WrapForm;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Vector2, Vector3};

/// Lengths below this \[m\] count as zero.
const MIN_LENGTH: f64 = 1e-15;
/// Start of Newton's method for the touch from inside, relative to its upper bound.
const START: f64 = 1.0 - 1e-7;
const TOLERANCE: f64 = 1e-14;
const MAX_ITERATIONS: usize = 50;

/// The points at which a string from `from` to `to` meets and leaves the shape, and its length in between \[m\];
/// `None`: it goes straight. All in the frame of the shape; `side` is the side site.
pub fn wrap<S: Scalar>(
    form: WrapForm,
    radius: f64,
    from: &Vector3<S>,
    to: &Vector3<S>,
    side: Option<Vector3<S>>,
) -> Option<(Vector3<S>, Vector3<S>, S)> {
    if from.norm().value() < MIN_LENGTH || to.norm().value() < MIN_LENGTH {
        return None;
    }
    let [x, y] = match form {
        WrapForm::Sphere => {
            let x = from.normalize();
            let normal = from.cross(to);
            let normal = if normal.norm().value() < MIN_LENGTH { any_across(&x) } else { normal.normalize() };
            [x, normal.cross(&x)]
        }
        WrapForm::Cylinder => [Vector3::x(), Vector3::y()],
    };
    let plane = |p: &Vector3<S>| Vector2::new(p.dot(&x), p.dot(&y));
    let (a, b) = (plane(from), plane(to));
    let inside = side.is_some_and(|side| side.norm().value() < radius);
    let (p, q, arc) = if inside {
        let touch = touch_from_inside(&a, &b, radius)?;
        (touch, touch, S::zero())
    } else {
        let side = side.map(|side| plane(&side)).map(|side| Vector2::new(side.x.value(), side.y.value()));
        around(&a, &b, radius, side)?
    };
    let space = |p: &Vector2<S>| x * p.x + y * p.y;
    let (mut met, mut left, mut length) = (space(&p), space(&q), arc);
    if form == WrapForm::Cylinder {
        let (before, after) = ((p - a).norm(), (b - q).norm());
        let (all, rise) = (before + arc + after, to.z - from.z);
        met.z = from.z + rise * before / all;
        left.z = from.z + rise * (before + arc) / all;
        let height = left.z - met.z;
        // A touch at one point has no length, and no derivative of one.
        if arc.value() > 0.0 {
            length = (arc * arc + height * height).sqrt();
        }
    }
    Some((met, left, length))
}

/// A unit vector across another.
fn any_across<S: Scalar>(x: &Vector3<S>) -> Vector3<S> {
    let other = if x.x.value().abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    x.cross(&other).normalize()
}

/// Tangents from both points to a circle about the origin, and the arc between them.
fn around<S: Scalar>(
    a: &Vector2<S>,
    b: &Vector2<S>,
    radius: f64,
    side: Option<Vector2<f64>>,
) -> Option<(Vector2<S>, Vector2<S>, S)> {
    let square = radius * radius;
    let (aa, bb) = (a.norm_squared(), b.norm_squared());
    if aa.value() < square || bb.value() < square {
        return None;
    }
    let value = |v: &Vector2<S>| Vector2::new(v.x.value(), v.y.value());
    let (from, to) = (value(a), value(b));
    let shorter = if from.perp(&to) < 0.0 { 1.0 } else { -1.0 };
    let is_far = side.is_some_and(|side| is_opposite(&from, &to, &side));
    if !is_far && clears(&from, &to, radius) {
        return None;
    }
    let sign = if is_far { -shorter } else { shorter };
    let turned = |p: &Vector2<S>, sign: f64| Vector2::new(p.y, -p.x) * S::constant(sign * radius);
    let touch = |p: &Vector2<S>, pp: S, sign: f64| {
        let reach = (pp - S::constant(square)).max(S::zero());
        let reach = if reach.value() > 0.0 { reach.sqrt() } else { S::zero() };
        (p * S::constant(square) + turned(p, sign) * reach) / pp
    };
    let (p, q) = (touch(a, aa, sign), touch(b, bb, -sign));
    if cross_each_other(a, &p, b, &q) {
        return None;
    }
    let angle = (p.x * q.y - p.y * q.x).atan2(p.dot(&q));
    // Around in the direction of the path: clockwise for the first.
    let turn = angle * S::constant(-sign);
    let turn = if turn.value() < 0.0 { turn + S::constant(std::f64::consts::TAU) } else { turn };
    Some((p, q, turn * S::constant(radius)))
}

/// True if a side site in this direction from the centre lies opposite both ends: in the sector between them, rotated
/// by half a turn. For ends opposite each other that is a half plane.
fn is_opposite(from: &Vector2<f64>, to: &Vector2<f64>, side: &Vector2<f64>) -> bool {
    let sense = if from.perp(to) < 0.0 { -1.0 } else { 1.0 };
    sense * side.perp(to) < 0.0 && sense * from.perp(side) < 0.0
}

/// True if the straight line between the ends clears the circle.
fn clears(from: &Vector2<f64>, to: &Vector2<f64>, radius: f64) -> bool {
    let line = to - from;
    let square = line.norm_squared();
    let share = if square < MIN_LENGTH * MIN_LENGTH { 0.0 } else { (-line.dot(from) / square).clamp(0.0, 1.0) };
    (from + line * share).norm_squared() > radius * radius
}

/// True if the straight lines from a to p and from b to q cross.
fn cross_each_other<S: Scalar>(a: &Vector2<S>, p: &Vector2<S>, b: &Vector2<S>, q: &Vector2<S>) -> bool {
    let value = |v: &Vector2<S>| Vector2::new(v.x.value(), v.y.value());
    let (a, p, b, q) = (value(a), value(p), value(b), value(q));
    let (u, w) = (p - a, q - b);
    let det = w.y * u.x - w.x * u.y;
    if det.abs() < MIN_LENGTH {
        return false;
    }
    let first = (w.x * (a.y - b.y) - w.y * (a.x - b.x)) / det;
    let second = (u.x * (a.y - b.y) - u.y * (a.x - b.x)) / det;
    (0.0..=1.0).contains(&first) && (0.0..=1.0).contains(&second)
}

/// The point at which a string within a circle touches it: there it makes the same angle with both parts.
///
/// With z the sine of that angle, `asin(A z) + asin(B z) - 2 asin z + G = 0` for A and B the radius over both distances
/// from the centre and G the angle between them.
fn touch_from_inside<S: Scalar>(a: &Vector2<S>, b: &Vector2<S>, radius: f64) -> Option<Vector2<S>> {
    let (la, lb) = (a.norm(), b.norm());
    if la.value() <= radius || lb.value() <= radius || radius < MIN_LENGTH {
        return None;
    }
    let line = b - a;
    if line.norm_squared().value() > MIN_LENGTH {
        let share = (-line.dot(a) / line.norm_squared()).value();
        if share > 0.0 && share < 1.0 && (a + line * S::constant(share)).norm().value() <= radius {
            return None;
        }
    }
    let r = S::constant(radius);
    let middle = (a + b).normalize() * r;
    let (A, B) = (r / la, r / lb);
    let angle = (a.x * b.y - a.y * b.x).atan2(a.dot(b));
    let G = if angle.value() < 0.0 { -angle } else { angle };
    if G.value() < 1e-8 {
        return Some(middle);
    }
    let residual = |z: S| (A * z).asin() + (B * z).asin() - z.asin() * S::constant(2.0) + G;
    let slope = |z: S| {
        let root = |factor: S| factor / (S::one() - factor * factor * z * z).sqrt();
        root(A) + root(B) - S::constant(2.0) / (S::one() - z * z).sqrt()
    };
    let mut z = S::constant(START);
    if residual(z).value() > 0.0 {
        return Some(middle);
    }
    for _ in 0..MAX_ITERATIONS {
        let step = residual(z) / slope(z);
        z -= step;
        if step.value().abs() < TOLERANCE {
            break;
        }
    }
    // One more iteration, so that derivatives converge as well.
    z -= residual(z) / slope(z);
    let (start, own) = if angle.value() > 0.0 { (a, A) } else { (b, B) };
    let turn = z.asin() - (own * z).asin();
    let (sin, cos) = turn.sin_cos();
    let along = start.normalize() * r;
    Some(Vector2::new(along.x * cos - along.y * sin, along.x * sin + along.y * cos))
}
