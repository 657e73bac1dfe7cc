//! Collision geometry of the meshes of a model.

use crate::form::{Choice, Decode, Item, MapOf, Named, Value};
use kinegraph_models::{MeshCollision, MeshCollisions};

const HOW: Choice<MeshCollision> = Choice {
    what: "way for a mesh to collide",
    options: &[
        ("hull", MeshCollision::Hull),
        ("decomposed", MeshCollision::Decomposed),
        ("exact", MeshCollision::Exact),
    ],
};
const MAP: MapOf<Choice<MeshCollision>> =
    MapOf { each: HOW, about: "hull, decomposed, exact or a map such as `{LINK: exact, default: hull}`" };

/// Key for all meshes that are not named.
const DEFAULT: &str = "default";

/// Collision geometry of each collision mesh.
#[derive(Clone, Debug, Default)]
pub struct MeshesSpec {
    /// For all meshes that are not named.
    pub default: MeshCollision,
    /// For the meshes of named links, and of single shapes (`LINK/COLLISION`).
    pub named: Vec<Named<MeshCollision>>,
}

impl MeshesSpec {
    /// Converts the settings to those of the reader of model files.
    pub fn collisions(&self) -> MeshCollisions {
        let named = self.named.iter().map(|of| (of.name.clone(), of.value)).collect();
        MeshCollisions { default: self.default, named }
    }
}

/// A word, or a map.
pub(super) struct MeshesOf;

impl Decode for MeshesOf {
    type Output = MeshesSpec;
    fn expects(&self) -> String {
        MAP.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<MeshesSpec> {
        if let Value::Text(_) = item.node.value {
            return HOW.decode(item).map(|default| MeshesSpec { default, named: Vec::new() });
        }
        let mut named = MAP.decode(item)?;
        let default = named.iter().find(|of| of.name == DEFAULT).map(|of| of.value).unwrap_or_default();
        named.retain(|of| of.name != DEFAULT);
        Some(MeshesSpec { default, named })
    }
}
