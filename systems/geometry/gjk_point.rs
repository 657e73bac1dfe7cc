//! The point of a shape of a program nearest to a point, by GJK.

use super::CollisionShape;
use nalgebra::Vector3;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

/// Support mapping of a shape of a program.
struct OfShape<'a>(&'a dyn CollisionShape);

impl SupportMap for OfShape<'_> {
    fn local_support_point(&self, dir: Vector) -> Vector {
        self.0.support(&dir.into()).unwrap_or_default().into()
    }
}

/// A point at the origin.
struct Origin;

impl SupportMap for Origin {
    fn local_support_point(&self, _dir: Vector) -> Vector {
        Vector::ZERO
    }
}

/// The point of the convex hull of a shape nearest to `p`, both in its frame; `p` itself if it is inside.
pub(super) fn nearest(shape: &dyn CollisionShape, p: &Vector3<f64>) -> Vector3<f64> {
    let X = Pose::from_translation((*p).into());
    let (hull, point) = (OfShape(shape), Origin);
    let start = X.translation.try_normalize().unwrap_or(Vector::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(&X, &hull, &point, start));
    match gjk::closest_points(&X, &hull, &point, f64::MAX, true, &mut simplex) {
        GJKResult::ClosestPoints(near, _, _) => near.into(),
        _ => *p,
    }
}
