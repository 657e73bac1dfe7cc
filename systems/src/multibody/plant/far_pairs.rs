//! Pairs of shapes that are farther apart than they can come nearer within a step.
//!
//! A query for a step looks at gaps as wide as the fastest body moves twice. Links beside each other are always that
//! near, and hardly move against each other: to find where they are nearest, with all points there, would take most of
//! the time, and nothing would come of it.

use super::collision::CollisionWorld;
use crate::convex::FarPair;
use crate::geometry;
use nalgebra::Isometry3;

impl CollisionWorld {
    /// Two shapes, by index, at their poses, if it is quickly shown that their gap is wider than `nearer` says of their
    /// bodies; gaps up to `margin` count.
    pub fn far_pair(
        &self,
        shapes: [usize; 2],
        [X_WA, X_WB]: [&Isometry3<f64>; 2],
        margin: f64,
        nearer: &dyn Fn([usize; 2], f64) -> f64,
    ) -> Option<FarPair> {
        let [a, b] = shapes.map(|shape| &self.geometries()[shape]);
        let has_surface = [a, b].iter().any(|g| g.pressure.is_some() || g.volume.is_some());
        if has_surface || !geometry::takes_a_search(&a.shape, &b.shape) {
            return None;
        }
        let distance = self.touch_as(shapes[0], shapes[1]).margin;
        let (bodies, beyond) = ([a.body, b.body], 0.5 * (margin + distance));
        let gap = nearer(bodies, beyond);
        let is_far = gap < margin && geometry::are_apart(&a.shape, X_WA, &b.shape, X_WB, gap + distance);
        is_far.then_some(FarPair { bodies, shapes, gap, beyond })
    }
}
