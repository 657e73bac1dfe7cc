//! Pairs of shapes that are too far apart to meet within a step.
//!
//! A query for a step covers gaps up to twice the motion of the fastest body. Neighbouring links are always that near,
//! and hardly move relative to each other: finding their nearest points would take most of the time, without effect.

use super::collision::CollisionWorld;
use kinegraph_core::convex::FarPair;
use kinegraph_geometry as geometry;
use nalgebra::Isometry3;

/// Bound of the distance of two shapes.
pub(super) enum Distance {
    /// They may come near enough.
    Near,
    /// They cannot come near enough.
    Far(FarPair),
    /// Their gap exceeds the margin of the query.
    Beyond,
}

impl CollisionWorld {
    /// Quick bound of the distance of two shapes, by index, at their poses: far if their gap exceeds the distance
    /// `nearer` for their bodies, beyond if it exceeds `margin`.
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
