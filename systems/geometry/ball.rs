//! Balls against balls, boxes and the ground: closed forms that need no features and no frame but the world's.
//!
//! A ball touches at one point, so [`Points`] makes no difference. The same pair in either order gives the same bits,
//! with the normal reversed: every expression is symmetric in the two shapes, or is written for the ball, whichever of
//! the two it is.

use super::direction::TOUCHING;
use super::{Points, Shape, Touch};
use nalgebra::{Isometry3, Vector3};

/// Result of the closed form for a pair with a ball.
pub enum BallContact {
    /// At least the margin apart, or not finite.
    Apart,
    /// The contact point.
    Touching(Touch),
    /// No closed form: the general method has to decide.
    Unknown,
}

/// The contact of two shapes, one of which is a ball.
pub fn touch(
    a: &Shape,
    X_WA: &Isometry3<f64>,
    b: &Shape,
    X_WB: &Isometry3<f64>,
    points: Points,
    margin: f64,
) -> BallContact {
    let (p_WA, p_WB) = (X_WA.translation.vector, X_WB.translation.vector);
    let found = match (a, b) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => ball_ball(&p_WA, *ra, &p_WB, *rb, margin),
        (Shape::Sphere { radius }, Shape::Box { half_extents }) => {
            ball_box(&p_WA, *radius, X_WB, half_extents, margin).reversed()
        }
        (Shape::Box { half_extents }, Shape::Sphere { radius }) => ball_box(&p_WB, *radius, X_WA, half_extents, margin),
        (Shape::HalfSpace, Shape::Sphere { radius }) => ball_ground(&p_WB, *radius, X_WA, points),
        (Shape::Sphere { radius }, Shape::HalfSpace) => ball_ground(&p_WA, *radius, X_WB, points).reversed(),
        _ => BallContact::Unknown,
    };
    match found {
        BallContact::Touching(touch) if !(touch.depth > -margin && touch.depth.is_finite()) => BallContact::Apart,
        found => found,
    }
}

impl BallContact {
    /// The result with the shapes in the other order.
    fn reversed(self) -> Self {
        match self {
            BallContact::Touching(touch) => BallContact::Touching(Touch { normal: -touch.normal, ..touch }),
            other => other,
        }
    }
}

fn touching(p_WC: Vector3<f64>, normal: Vector3<f64>, depth: f64) -> BallContact {
    BallContact::Touching(Touch { p_WC, normal, depth, share: 1.0, feature: 0 })
}

fn ball_ball(p_WA: &Vector3<f64>, ra: f64, p_WB: &Vector3<f64>, rb: f64, margin: f64) -> BallContact {
    let d = p_WB - p_WA;
    let (square, reach) = (d.norm_squared(), ra + rb + margin);
    if square.is_nan() || square >= reach * reach {
        return BallContact::Apart;
    }
    let distance = square.sqrt();
    // Centres that coincide leave the direction open: up, or down if B is the lower side.
    let n = if distance > TOUCHING * (ra + rb) {
        d / distance
    } else {
        Vector3::new(0.0, 0.0, if d.z < 0.0 { -1.0 } else { 1.0 })
    };
    touching((p_WA + p_WB) * 0.5 + n * (0.5 * (ra - rb)), n, ra + rb - d.dot(&n))
}

/// Contact from the box to the ball. A centre inside the box is left to the general method.
fn ball_box(p_WS: &Vector3<f64>, radius: f64, X_WG: &Isometry3<f64>, half: &Vector3<f64>, margin: f64) -> BallContact {
    let q = X_WG.rotation.inverse_transform_vector(&(p_WS - X_WG.translation.vector));
    let d = q - Vector3::new(q.x.min(half.x).max(-half.x), q.y.min(half.y).max(-half.y), q.z.min(half.z).max(-half.z));
    let (square, reach) = (d.norm_squared(), radius + margin);
    if square >= reach * reach {
        return BallContact::Apart;
    }
    let distance = square.sqrt();
    if distance.is_nan() || distance <= TOUCHING * (radius + half.norm()) {
        return BallContact::Unknown;
    }
    let (n, depth) = (X_WG.rotation * (d / distance), radius - distance);
    touching(p_WS - n * (radius - 0.5 * depth), n, depth)
}

/// Contact from the ground to the ball, as in [`plane`](super::plane).
fn ball_ground(p_WS: &Vector3<f64>, radius: f64, X_WP: &Isometry3<f64>, points: Points) -> BallContact {
    let n = X_WP.rotation * Vector3::z();
    let height = n.dot(&(p_WS - X_WP.translation.vector));
    let offset = -n * radius;
    let depth = -(height + n.dot(&offset));
    let p_WC = p_WS + offset + n * (0.5 * depth);
    touching(p_WC, n, if points == Points::Deepest { radius - height } else { depth })
}
