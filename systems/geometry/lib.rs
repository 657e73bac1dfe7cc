//! Collision shapes, and contact between them.
//!
//! [`touches`] is a pure function of the two shapes and their poses: the same arguments give the same bits at any time.
//! An error-controlled integrator needs that, which is why no contact cache, warm start or previous manifold appears
//! anywhere below this module.
//!
//! Method for a pair (all our shapes but half-spaces and triangle meshes are bounded and convex):
//! 1. [`normal`] finds the unit direction n that minimizes the support overlap
//!    `D(n) = h_A(n) + h_B(-n)`: the minimal translation direction for overlaps, the direction of the
//!    shortest distance for gaps. `D` is the depth (negative: the gap).
//! 2. [`manifold`] intersects the touching features (face, cap, side, segment, point) along n.
//! 3. `Deepest` is the mean of the points that tie for the greatest depth.
//!
//! Half-spaces need no such search and have a module of their own, [`plane`]; balls mostly need no search at all
//! ([`ball`]); triangle meshes are many convex faces ([`exact_mesh`]), and two of them touch wherever their distance
//! has a local minimum ([`local_minima`]). The supported pairs are one table ([`pairs`]).

mod aabb;
mod any_normal;
#[doc(hidden)]
pub mod ball;
#[doc(hidden)]
pub mod box_box;
#[doc(hidden)]
pub mod box_tree;
pub mod broad_phase;
#[doc(hidden)]
pub mod cap;
mod cells;
mod check;
mod collision_shape;
mod convex;
mod curved;
mod cylinder_normal;
#[doc(hidden)]
pub mod direction;
mod drawing;
mod exact_mesh;
mod feature;
mod gjk_point;
#[doc(hidden)]
pub mod hull;
#[doc(hidden)]
pub mod hull_normal;
pub mod hydroelastic;
mod local_minima;
#[doc(hidden)]
pub mod manifold;
mod mass_properties;
mod mesh_touch;
#[doc(hidden)]
pub mod nearest_point;
mod neighbours;
mod normal;
pub mod overlap;
mod pairs;
mod parry;
mod placed;
mod plane;
mod ray;
#[doc(hidden)]
pub mod ray_tree;
mod root;
mod scene_query;
mod seen;
mod shape;
mod shapes;
#[doc(hidden)]
pub mod shares;
#[doc(hidden)]
pub mod solid;
#[doc(hidden)]
pub mod spin;
mod touch;

pub use aabb::Aabb;
pub use check::{ShapeFault, check_shape};
pub use collision_shape::{CollisionShape, ContactFeature, PlaneContact, rim_points};
pub use drawing::{Drawing, FileReference};
pub use exact_mesh::{ExactMesh, ExactMeshError, MeshDefect};
pub use hull::{ConvexHull, HullError};
pub use mass_properties::MassProperties;
pub use neighbours::Neighbours;
pub use pairs::{UnsupportedShapes, shown_gap, supported, takes_a_search};
pub use ray::{Ray, RayHit};
pub use scene_query::{PosesMismatch, SceneHit, SceneQuery, SceneShape};
pub use shape::{CustomShape, Shape, ShapeKind, aabb};
pub use touch::{Points, Touch};

use nalgebra::Isometry3;

/// Appends to `out` the points where A and B overlap or are less than `margin` \[m\] apart (`depth > -margin`).
///
/// Pairs that are not [`supported`] never touch. Poses that are not finite give nothing.
pub fn touches(
    a: &Shape,
    X_WA: &Isometry3<f64>,
    b: &Shape,
    X_WB: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let start = out.len();
    pairs::touches(a, X_WA, b, X_WB, points, margin, out);
    // Non-finite poses end here; everything else is finite by construction.
    let mut kept = start;
    for i in start..out.len() {
        if out[i].depth.is_finite() && out[i].p_WC.iter().chain(out[i].normal.iter()).all(|x| x.is_finite()) {
            out.swap(kept, i);
            kept += 1;
        }
    }
    out.truncate(kept);
}
