//! Interface to parry's queries (and its glam types), used only here and in [`gjk_point`](super::gjk_point): a first
//! direction for pairs with a cylinder, a hull, a curved shape or one of a program.
//!
//! Only GJK and EPA are used, always from scratch. Manifolds of parry depend on earlier poses, its half-space contact
//! has the argument order wrong in one direction, and its curved features have four points of its own choice: none of
//! that is used.

use super::solid::Solid;
use nalgebra::{Isometry3, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;
use std::cell::RefCell;

thread_local! {
    /// EPA's vectors, kept so that a query allocates nothing after warm-up; EPA clears them before each use.
    static WORKSPACE: RefCell<EPA> = RefCell::new(EPA::new());
}

/// Support mapping along our own axes (parry's cylinder is along y); for round solids that of the segment alone, whose
/// radius the caller adds.
struct Support<'a>(&'a Solid<'a>);

impl SupportMap for Support<'_> {
    fn local_support_point(&self, dir: Vector) -> Vector {
        self.0.corner(&dir.into()).into()
    }
}

fn pose(X: &Isometry3<f64>) -> Pose {
    Pose::from_parts(X.translation.vector.into(), X.rotation.into())
}

/// Result of GJK and EPA for two solids.
pub(super) enum GjkAnswer {
    /// At least the margin apart.
    Beyond,
    /// The direction of contact, from A into B, and its claimed depth (negative: a gap).
    Found(Vector3<f64>, f64),
    /// No usable result (flat simplices at touching).
    Unknown,
}

/// A direction from A into B along which GJK finds solids without a radius of their own farther apart than `distance`;
/// `None` if there is none, or it found none.
pub(super) fn separating(a: &Solid, b: &Solid, distance: f64) -> Option<Vector3<f64>> {
    let X_AB = pose(&a.pose.inv_mul(&b.pose));
    let (sa, sb) = (Support(a), Support(b));
    let start = X_AB.translation.try_normalize().unwrap_or(Vector::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(&X_AB, &sa, &sb, start));
    match gjk::closest_points(&X_AB, &sa, &sb, distance, false, &mut simplex) {
        GJKResult::NoIntersection(n) => (a.pose.rotation * Vector3::from(n)).try_normalize(1e-6),
        _ => None,
    }
}

/// Direction from A into B.
pub(super) fn direction(a: &Solid, b: &Solid, margin: f64) -> GjkAnswer {
    let X_AB = pose(&a.pose.inv_mul(&b.pose));
    let (sa, sb) = (Support(a), Support(b));
    let start = X_AB.translation.try_normalize().unwrap_or(Vector::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(&X_AB, &sa, &sb, start));
    let world = |n: Vector| (a.pose.rotation * Vector3::from(n)).try_normalize(1e-6);
    let found = match gjk::closest_points(&X_AB, &sa, &sb, margin, true, &mut simplex) {
        GJKResult::NoIntersection(_) => return GjkAnswer::Beyond,
        GJKResult::ClosestPoints(pa, pb, n) => Some((pa, pb, n)),
        GJKResult::Proximity(_) => None,
        GJKResult::Intersection => {
            WORKSPACE.with(|epa| epa.try_borrow_mut().ok()?.closest_points(&X_AB, &sa, &sb, &simplex))
        }
    };
    found.and_then(|(pa, pb, n)| Some(GjkAnswer::Found(world(n)?, (pa - pb).dot(n)))).unwrap_or(GjkAnswer::Unknown)
}
