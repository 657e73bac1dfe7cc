//! The collision shapes of a plant, for rays.

use super::block::MultibodyPlant;
use kinegraph_geometry::{SceneQuery, SceneShape};

impl MultibodyPlant {
    /// The collision shapes of the plant for rays, with all bodies but the world at its origin until
    /// [`place`](SceneQuery::place) is called.
    pub fn scene_query(&self) -> SceneQuery {
        let placed = |g: &super::collision_geometry::Geometry| SceneShape {
            name: g.name.clone(),
            body: g.body,
            X_BG: g.X_BG,
            shape: g.shape.seen(g.surface.and_then(|surface| surface.sheet)),
        };
        SceneQuery::new(self.collision.geometries().iter().map(placed), self.tree.bodies().len())
    }
}
