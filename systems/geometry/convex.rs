//! What pairs of convex solids ask of one of them, in world or in its own axes. Built-in solids have closed forms;
//! a shape of a program answers by its [`CollisionShape`](super::CollisionShape).

use super::feature::Feature;
use super::placed::Placed;
use nalgebra::Vector3;
use std::ops::Range;

/// A bounded convex solid about its centre; `placed` is where it stands. Lengths are metres.
pub(super) trait Convex<'a> {
    /// Support function: how far it reaches along the unit vector `n`, which is in its own axes.
    fn reach_local(&self, n: &Vector3<f64>) -> f64;

    /// The same for a direction in world.
    fn reach(&self, placed: &Placed, n: &Vector3<f64>) -> f64 {
        self.reach_local(&placed.turned(n))
    }

    /// Whether it reaches as far along any n as along -n.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Radius of the ball around the centre that holds it.
    fn size(&self) -> f64;

    /// From the centre to the point farthest along `n` in world; the middle of the feature where that is not unique.
    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64>;

    /// A point farthest along a direction, both in its own axes; of several, any. Of a capsule, that of its segment.
    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64>;

    /// The point nearest to `p`, both in its own axes; `p` itself if it is inside. Of a capsule, that of its segment.
    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64>;

    /// What touches along `n` in world.
    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a>;

    /// Visits all points that can touch a half-space of normal `n`: from the centre in world, the share of the
    /// stiffness, and which point it is.
    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, visit: impl FnMut(Vector3<f64>, f64, u32));

    /// Along which of its axes it has straight lines on its surface, on all sides.
    fn straight_axes(&self) -> Range<usize> {
        0..0
    }

    /// Along which of its axes it has flat sides, one on either end.
    fn flat_axes(&self) -> Range<usize> {
        0..0
    }

    /// Of a body of revolution about a segment of its third axis: from there to the surface towards `n`, and half of
    /// the length of the segment.
    fn rod(&self, _placed: &Placed, _n: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        None
    }
}
