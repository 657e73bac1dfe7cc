//! The scene of a plant, to draw.

use super::belt::{PlacedBelt, SurfaceMotion};
use super::block::MultibodyPlant;
use super::constraints::{Frame, PlacedConstraint};
use super::model::PlantModel;
use crate::{ModelPart, Tree, Visual};
use kinegraph_core::scene::{
    Anchor, BeltMotion, PlantScene, Pose, SceneBelt, SceneBody, SceneConstraint, SceneFrame, SceneShape,
};

/// The visual shapes of a body that has some.
#[derive(Clone, Debug)]
pub(super) struct BodyVisuals {
    pub body: usize,
    pub visuals: Vec<Visual>,
}

/// The visual shapes of all models.
pub(super) fn visuals(tree: &Tree, models: Vec<PlantModel>) -> Vec<BodyVisuals> {
    let links = models.into_iter().flat_map(|m| {
        let name = m.name;
        m.model.links.into_iter().map(move |link| (format!("{name}/{}", link.name), link.visuals))
    });
    let drawn = links.filter(|(_, visuals)| !visuals.is_empty());
    drawn.filter_map(|(name, visuals)| Some(BodyVisuals { body: tree.body(&name)?, visuals })).collect()
}

impl MultibodyPlant {
    /// Scene to draw, without the poses of the bodies.
    pub(super) fn draw(&self, name: &str) -> PlantScene {
        let tree = &self.tree;
        let mut bodies: Vec<SceneBody> = tree
            .bodies()
            .iter()
            .enumerate()
            .map(|(b, body)| SceneBody {
                name: body.name.clone(),
                parent: (b > 0).then_some(body.parent),
                joint: body.joint.map(|joint| tree.joints()[joint].name.clone()),
                moving: body.clique.is_some(),
                ..SceneBody::default()
            })
            .collect();
        let (ground, shapes): (Vec<_>, Vec<_>) = self.collision.geometries().iter().partition(|g| g.ground);
        for g in shapes {
            let (name, pose) = (g.name.clone(), Pose::from(&g.X_BG));
            let shape = SceneShape { name, pose, geometry: (&g.shape).into(), appearance: None };
            bodies[g.body].collisions.push(shape);
        }
        for BodyVisuals { body, visuals } in &self.visuals {
            bodies[*body].visuals.extend(visuals.iter().map(|v| SceneShape {
                name: v.name.clone(),
                pose: Pose::from(&v.X_BG),
                geometry: v.geometry.clone(),
                appearance: v.appearance.as_deref().cloned(),
            }));
        }
        let base = |m: &ModelPart| SceneFrame { name: m.name.clone(), body: m.bodies.start, pose: Pose::default() };
        PlantScene {
            name: name.into(),
            bodies,
            frames: tree.models().iter().map(base).collect(),
            ground: ground.first().map(|g| g.X_BG.translation.z),
            belts: self.belts.iter().map(belt).collect(),
            constraints: self.constraints.constraints.iter().map(constraint).collect(),
        }
    }
}

fn belt(belt: &PlacedBelt) -> SceneBelt {
    let motion = match belt.motion {
        SurfaceMotion::Around(axis) => BeltMotion::Axis(axis),
        SurfaceMotion::Along(direction) => BeltMotion::Direction(direction),
    };
    SceneBelt { name: belt.name.clone(), body: belt.body, motion, speed: belt.speed }
}

fn constraint(constraint: &PlacedConstraint) -> SceneConstraint {
    let anchor = |frame: &Frame| Anchor { body: frame.body, pose: Pose::from(&frame.X_BF) };
    let anchors = constraint.law.frames().iter().map(anchor).collect();
    SceneConstraint { name: constraint.name.clone(), kind: constraint.law.kind(), anchors }
}
