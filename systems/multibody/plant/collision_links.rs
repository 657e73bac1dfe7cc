//! Which links of models stand between joints, and which belong to a scene.

use super::model::PlantModel;
use crate::Tree;

/// What of the links of all models decides which bodies are neighbours.
pub(super) struct Links {
    /// Bodies that only stand between two joints of one body.
    between_joints: Vec<bool>,
    /// Bodies of files that describe a scene.
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

    /// The body itself, or where it stands between joints, the one that carries it.
    pub fn beyond(&self, mut body: usize, tree: &Tree) -> usize {
        while self.between_joints[body] {
            body = tree.bodies()[body].parent;
        }
        body
    }
}
