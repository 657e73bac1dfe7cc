//! Pairs of shapes that are farther apart than they can come nearer within a step.
//!
//! A query for a step looks at gaps as wide as the fastest body moves twice. Links beside each other are always that
//! near, and hardly move against each other: to find where they are nearest, with all points there, would take most of
//! the time, and nothing would come of it.

use super::collision::CollisionWorld;
use kinegraph_core::convex::FarPair;
use kinegraph_geometry as geometry;
use nalgebra::Isometry3;

/// What is quickly known of two shapes.
pub(super) enum Distance {
    /// They may be near.
    Near,
    /// They cannot come near enough.
    Far(FarPair),
    /// No gap that is looked for is so wide.
    Beyond,
}

impl CollisionWorld {
    /// What is quickly known of two shapes, by index, at their poses: whether their gap is wider than `nearer` says of
    /// their bodies; gaps up to `margin` are looked for.
    pub fn distance_of(
        &self,
        shapes: [usize; 2],
        [X_WA, X_WB]: [&Isometry3<f64>; 2],
        margin: f64,
        nearer: &dyn Fn([usize; 2], f64) -> f64,
    ) -> Distance {
        let [a, b] = shapes.map(|shape| &self.geometries()[shape]);
        let has_surface = [a, b].iter().any(|g| g.pressure.is_some() || g.volume.is_some());
        if has_surface || !geometry::takes_a_search(&a.shape, &b.shape) {
            return Distance::Near;
        }
        let touching = self.margin_of_pair(shapes[0], shapes[1]);
        let (bodies, beyond) = ([a.body, b.body], 0.5 * (margin + touching));
        let least = nearer(bodies, beyond).min(margin) + touching;
        match geometry::shown_gap(&a.shape, X_WA, &b.shape, X_WB, least).map(|gap| gap - touching) {
            None => Distance::Near,
            Some(gap) if gap >= margin => Distance::Beyond,
            Some(gap) => Distance::Far(FarPair { bodies, shapes, gap, beyond }),
        }
    }
}
