//! The interface of convex solids for contact of pairs, in world or in the solid's own axes. Built-in solids have
//! closed forms; a shape of a program uses its [`CollisionShape`](super::CollisionShape).

use super::feature::Feature;
use super::placed::Placed;
use nalgebra::Vector3;
use std::ops::Range;

/// A bounded convex solid about its centre; `placed` is its pose. Lengths are metres.
pub(super) trait Convex<'a> {
    /// Support function along the unit vector `n`, which is in its own axes.
    fn reach_local(&self, n: &Vector3<f64>) -> f64;

    /// Support function along a direction in world, from the centre.
    fn reach(&self, placed: &Placed, n: &Vector3<f64>) -> f64 {
        self.reach_local(&placed.turned(n))
    }

    /// True if its support function is the same along n and -n, for all n.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Radius of the ball around the centre that contains it.
    fn size(&self) -> f64;

    /// Vector from the centre to the support point along `n`, in world; to the middle of the feature if that is not
    /// unique.
    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64>;

    /// A point farthest along a direction, both in its own axes; any if there are several. For a capsule, a point of
    /// its segment.
    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64>;

    /// The point nearest to `p`, both in its own axes; `p` itself if it is inside. For a capsule, a point of its
    /// segment.
    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64>;

    /// The feature that touches along `n`, in world.
    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a>;

    /// Visits all points that can touch a half-space of normal `n`: the vector from the centre in world, the share of
    /// the stiffness, and the number of the point.
    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, visit: impl FnMut(Vector3<f64>, f64, u32));

    /// The axes along which its surface has straight lines, on all sides.
    fn straight_axes(&self) -> Range<usize> {
        0..0
    }

    /// The axes along which it has flat sides, one on either end.
    fn flat_axes(&self) -> Range<usize> {
        0..0
    }

    /// For a body of revolution about a segment of its third axis: the vector from there to the surface towards `n`,
    /// and half of the length of the segment.
    fn rod(&self, _placed: &Placed, _n: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        None
    }
}
