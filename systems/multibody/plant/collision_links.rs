//! Links of models that stand between joints, and links that belong to a scene.

use super::model::PlantModel;
use crate::Tree;

/// Properties of the links of all models that determine which bodies are neighbours.
pub(super) struct Links {
    /// True for bodies that only connect two joints of one body.
    between_joints: Vec<bool>,
    /// True for bodies of files that describe a scene.
    pub in_scene: Vec<bool>,
}

impl Links {
    pub fn new(tree: &Tree, models: &[PlantModel]) -> Self {
        let (mut between_joints, mut in_scene) = (vec![false; tree.bodies().len()], vec![false; tree.bodies().len()]);
        for (model, part) in models.iter().zip(tree.models()) {
            in_scene[part.bodies.clone()].fill(model.model.scene.root_is_world);
            for link in model.model.links.iter().filter(|link| link.between_joints) {
                if let Some(body) = tree.body(&format!("{}/{}", model.name, link.name)) {
                    between_joints[body] = true;
                }
            }
        }
        Links { between_joints, in_scene }
    }

    /// The body itself, or, if it stands between joints, the nearest ancestor that does not.
    pub fn beyond(&self, mut body: usize, tree: &Tree) -> usize {
        while self.between_joints[body] {
            body = tree.bodies()[body].parent;
        }
        body
    }
}
