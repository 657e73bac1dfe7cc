//! Friction that depends on the direction of sliding.
//!
//! A surface with a grain has the coefficient `m1` along a direction d of its link, and `m2` in all directions
//! orthogonal to it. That is the tensor `m2 1 + (m1 - m2) d d'`, of which the plane of contact with its projection P
//! has a part:
//!
//! ```text
//! A = m2 P + (m1 - m2) (P d) (P d)'
//! ```
//!
//! Where d lies in the plane, the coefficients are m1 and m2; where d is its normal, friction is m2 in all directions;
//! between both they change with the square of the cosine, without a jump.
//!
//! **Two surfaces** A and B have the coefficients of a pair by the rule for plain ones, direction by direction: their
//! harmonic mean `2 (A⁻¹ + B⁻¹)⁻¹ = 2 (A - A (A + B)⁻¹ A)`, or the larger one, `(A + B + |A - B|)/2`, with the modulus
//! of a matrix by its eigenvalues. Along axes that both share these are the rules for numbers.
//!
//! With the principal coefficients `s1 >= s2` of the pair, its friction is s1, and its grain is the direction of s2
//! with the length `sqrt(1 - s2/s1)`: [`ContactPoint::grain`].

use super::collision_geometry::Geometry;
use super::pair_surface::FrictionRule;
use crate::scene_data::Grain;
use kinegraph_core::convex::ContactPoint;
use nalgebra::{Isometry3, Matrix2, SymmetricEigen, Vector2, Vector3};

/// Part of the larger coefficient by which both must differ to be two.
const ALIKE: f64 = 1e-12; // rounding

/// Grain of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShapeGrain {
    /// Unit vector in the frame of the shape; zero where none was given, which is no direction at all.
    along: Vector3<f64>,
    across: f64,
}

impl ShapeGrain {
    /// The grain of a shape at `X_BG` in its link.
    pub fn new(grain: &Grain, X_BG: &Isometry3<f64>) -> Self {
        let along = Vector3::from(grain.along).try_normalize(0.0).unwrap_or_default();
        ShapeGrain { along: X_BG.rotation.inverse() * along, across: grain.across }
    }
}

/// Gives the contact points of two shapes at their poses the friction of the pair.
pub(super) fn lay(sides: [(&Geometry, &Isometry3<f64>); 2], found: &mut [ContactPoint]) {
    let rule = FrictionRule::of(sides[0].0, sides[1].0);
    for point in found {
        let normal = Vector3::from(point.normal);
        let mut least = Vector3::zeros();
        least[normal.iamin()] = 1.0;
        let u = least.cross(&normal).normalize();
        let v = normal.cross(&u);
        let tensor = |(g, X_WG): (&Geometry, &Isometry3<f64>), along: f64| {
            let Some(grain) = g.grain else { return Matrix2::identity() * along };
            let d = X_WG.rotation * grain.along;
            let d = Vector2::new(d.dot(&u), d.dot(&v));
            Matrix2::identity() * grain.across + d * d.transpose() * (along - grain.across)
        };
        let pair = |of: fn(&Geometry) -> f64| {
            let [a, b] = sides.map(|side| tensor(side, stated(rule, side.0).unwrap_or_else(|| of(side.0))));
            SymmetricEigen::new(combined(rule, &a, &b))
        };
        let moving = pair(|g| g.material.dynamic_friction);
        let (most, least) = if moving.eigenvalues[0] >= moving.eigenvalues[1] { (0, 1) } else { (1, 0) };
        let [most, weakest] = [most, least].map(|i| moving.eigenvalues[i].max(0.0));
        let part = if most > 0.0 { 1.0 - weakest / most } else { 0.0 };
        let direction = moving.eigenvectors.column(least);
        let length = if part > ALIKE { part.sqrt() } else { 0.0 };
        point.grain = ((u * direction[0] + v * direction[1]) * length).into();
        point.dynamic_friction = most;
        point.static_friction = pair(|g| g.material.static_friction).eigenvalues.max().max(most);
    }
}

/// Coefficient that the file states for a shape along its grain, where the rule is not that of the materials.
fn stated(rule: FrictionRule, g: &Geometry) -> Option<f64> {
    g.surface.filter(|_| rule != FrictionRule::Mean).map(|surface| surface.friction)
}

/// Coefficients of a pair, from those of its sides.
fn combined(rule: FrictionRule, a: &Matrix2<f64>, b: &Matrix2<f64>) -> Matrix2<f64> {
    let by_eigenvalues = |m: Matrix2<f64>, of: &dyn Fn(f64, f64) -> f64| {
        let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(m);
        let largest = eigenvalues.amax();
        eigenvectors * Matrix2::from_diagonal(&eigenvalues.map(|x| of(x, largest))) * eigenvectors.transpose()
    };
    match rule {
        FrictionRule::OfA => *a,
        FrictionRule::OfB => *b,
        FrictionRule::Larger => (a + b + by_eigenvalues(a - b, &|x, _| x.abs())) * 0.5,
        // Where neither side has friction, the pair has none.
        FrictionRule::Mean => {
            let inverse = by_eigenvalues(a + b, &|x, largest| if x > ALIKE * largest { 1.0 / x } else { 0.0 });
            (a - a * inverse * a) * 2.0
        }
    }
}
