//! A controller's model of its robot: from a file or from the plant, with rigid loads that the robot carries.

use super::multibody_plant::MultibodyPlant;
use super::multibody_plant::pose::{Pose, SECTION};
use super::multibody_plant::{Base, ModelSpec, gravity_of, material_of};
use crate::form::{
    FaultKind, FileName, Key, ListOf, MODEL_FILE, Name, Needs, Optional, Placed, Position, Reader, Section, Site, Text,
    Vector, needs, optional,
};
use crate::names::unknown;
use kinegraph_multibody::Model;
use nalgebra::{Isometry3, Vector3};
use std::path::PathBuf;
use std::sync::Arc;

/// Description of a controller's model in a diagram file.
#[derive(Clone, Debug)]
pub struct RobotModel {
    from: From,
    gravity: Option<[f64; 3]>,
    base_pose: Option<Pose>,
}

/// Source of the model.
#[derive(Clone, Debug)]
enum From {
    File(PathBuf),
    Plant(SubModel),
}

/// A model of a plant in the same file.
#[derive(Clone, Debug)]
struct SubModel {
    plant: String,
    model: String,
    at: Position,
    lump: Vec<(Position, String)>,
}

/// The model, its pose, and gravity.
pub(super) struct Resolved {
    pub model: Arc<Model>,
    /// Gravity in world axes \[m/s²\].
    pub gravity: Vector3<f64>,
    /// Pose of the root link in the world.
    pub X_WR: Isometry3<f64>,
}

const MODEL: Optional<Section<PathBuf>> = optional(
    "model",
    Section { about: "the controller's model, such as `{file: robot.urdf}`", read: |r| r.get(&FILE) },
    "required without `plant_model`",
    "the controller's own model; its root link is fixed to the world",
);
const FILE: Needs<FileName> = needs("file", MODEL_FILE, "the model");
const PLANT_MODEL: Optional<Section<SubModel>> = optional(
    "plant_model",
    Section { about: "a model of a plant, such as `{of: plant.arm, lump: [hand]}`", read: read_sub_model },
    "required without `model`",
    "instead of `model`: a model of the plant as it stands there, with `base_pose` and gravity of the plant",
);
const OF: Needs<Text> = needs(
    "of",
    Text { about: "a model of a plant, as `PLANT.MODEL`" },
    "the robot: a model of a plant in the same file, its root link fixed to the world",
);
const LUMP: Optional<ListOf<Placed<Name>>> = optional(
    "lump",
    ListOf { each: Placed(Name), about: "a list of models" },
    "none",
    "other models of the plant that it carries, as rigid parts of it: their joints hold the positions of `initial`",
);
const GRAVITY: Optional<Vector<3>> = optional(
    "gravity",
    Vector { about: "[x, y, z] in m/s²" },
    "`[0, 0, -9.81]`; with `plant_model` that of the plant",
    "gravity that it compensates, in world axes [m/s²]",
);
const BASE_POSE: Optional<Section<Pose>> = optional(
    "base_pose",
    SECTION,
    "identity; with `plant_model` that in the plant",
    "of the model's root link in the world: that of the robot in the plant, where it hangs from a wall or a ceiling",
);

impl RobotModel {
    /// Reads its parameters.
    pub(super) fn read(r: &mut Reader<'_>) -> Option<RobotModel> {
        let sub_model = r.get(&PLANT_MODEL);
        let from = if r.has(PLANT_MODEL) {
            r.get(&MODEL);
            for key in [MODEL.key(), BASE_POSE.key()].into_iter().filter(|key| r.has(*key)) {
                r.conflict(key, "`plant_model` says that already: keep one of the two");
            }
            sub_model.map(From::Plant)
        } else {
            r.get_required(&MODEL).map(From::File)
        };
        let (gravity, base_pose) = (r.get(&GRAVITY), r.get(&BASE_POSE));
        Some(RobotModel { from: from?, gravity, base_pose })
    }

    /// Plant whose model is used, and the place where it is named.
    pub(super) fn beside(&self) -> Option<(&str, Position)> {
        match &self.from {
            From::File(_) => None,
            From::Plant(sub) => Some((&sub.plant, sub.at)),
        }
    }

    /// Loads the model; `None` after faults were recorded.
    pub(super) fn resolve(&self, site: &Site<'_>) -> Option<Resolved> {
        match &self.from {
            From::File(file) => Some(Resolved {
                model: site.loader.model(file)?,
                gravity: self.gravity.unwrap_or([0.0, 0.0, -9.81]).into(),
                X_WR: self.base_pose.unwrap_or_default().isometry(),
            }),
            From::Plant(sub) => {
                let mut found = sub.resolve(site)?;
                if let Some(gravity) = self.gravity {
                    found.gravity = gravity.into();
                }
                Some(found)
            }
        }
    }
}

fn read_sub_model(r: &mut Reader<'_>) -> Option<SubModel> {
    let (of, lump) = (r.get(&OF), r.get(&LUMP).unwrap_or_default());
    let (of, at) = (of?, r.at_key(OF));
    let Some((plant, model)) = of.split_once('.') else {
        r.wrong(OF, "a model of a plant, as `PLANT.MODEL`", format!("`{of}`"));
        return None;
    };
    Some(SubModel { plant: plant.into(), model: model.into(), at, lump })
}

impl SubModel {
    fn resolve(&self, site: &Site<'_>) -> Option<Resolved> {
        let Some(plant) = site.beside_spec.and_then(|spec| spec.downcast::<MultibodyPlant>()) else {
            let message = format!("`{}` is no multibody_plant", self.plant);
            site.loader.report(self.at, FaultKind::Conflict { path: self.path(site, OF.key()), message });
            return None;
        };
        let names = || plant.models.iter().map(|model| model.name.as_str());
        let known = |(name, at, key): (&str, Position, &str)| {
            let found = plant.models.iter().find(|model| model.name == name);
            if found.is_none() {
                site.loader.report(at, unknown(name, "model", self.path(site, key), names(), site.loader));
            }
            found
        };
        let own = known((&self.model, self.at, OF.key()));
        let parts: Vec<Option<&ModelSpec>> =
            self.lump.iter().map(|(at, name)| known((name, *at, LUMP.key()))).collect();
        let (own, parts) = (own?, parts.into_iter().collect::<Option<Vec<_>>>()?);
        let X_WR = self.pose_in_world(plant, own, site)?;
        let carried = |name: &str| parts.iter().any(|part| part.name == name);
        let mut model = Model::clone(&*load(own, plant, site)?);
        // In the order of the plant, each model comes after the one it is welded to.
        for part in plant.models.iter().filter(|model| carried(&model.name)) {
            let link = match &part.base {
                Some(Base::Link { model, link }) if *model == own.name => link.clone(),
                Some(Base::Link { model, link }) if carried(model) => format!("{model}/{link}"),
                _ => {
                    let at = self.lump.iter().find(|(_, name)| *name == part.name).map_or(self.at, |(at, _)| *at);
                    let message = format!(
                        "`{}` is not carried by `{}`: its `base` is no link of it, nor of another model of the list",
                        part.name, own.name
                    );
                    site.loader.report(at, FaultKind::Conflict { path: self.path(site, LUMP.key()), message });
                    return None;
                }
            };
            let position = |joint: &str| {
                let initial = plant.initial.iter().filter(|initial| initial.name == part.name);
                let mut initial = initial.flat_map(|initial| &initial.value);
                initial.find(|initial| initial.name == joint).map_or(0.0, |initial| initial.value.q)
            };
            model.add_rigid_part(&part.name, &*load(part, plant, site)?, &link, part.pose.isometry(), position);
        }
        let gravity = gravity_of(plant, plant.models.iter().filter_map(|model| load(model, plant, site)));
        Some(Resolved { model: Arc::new(model), gravity: gravity.into(), X_WR })
    }

    /// Pose of a model's root link in the world, if it is constant.
    fn pose_in_world(&self, plant: &MultibodyPlant, of: &ModelSpec, site: &Site<'_>) -> Option<Isometry3<f64>> {
        let (mut X, mut at) = (of.pose.isometry(), of);
        while let Some(Base::Link { model, link }) = &at.base {
            let parent = plant.models.iter().find(|parent| parent.name == *model)?;
            let Some(X_RL) = load(parent, plant, site)?.rigid_pose(link) else { break };
            X = parent.pose.isometry() * X_RL * X;
            at = parent;
        }
        if matches!(at.base, None | Some(Base::Fixed)) {
            return Some(X);
        }
        let message = format!(
            "the root link of `{}` moves, and this controller wants a robot that is fixed to the world: give it a \
             model of its own with `model`",
            of.name
        );
        site.loader.report(self.at, FaultKind::Conflict { path: self.path(site, OF.key()), message });
        None
    }

    fn path(&self, site: &Site<'_>, key: &str) -> String {
        format!("{}.{}.{key}", site.path, PLANT_MODEL.key())
    }
}

/// Loads the model with the plant's settings.
fn load(spec: &ModelSpec, plant: &MultibodyPlant, site: &Site<'_>) -> Option<Arc<Model>> {
    let meshes = kinegraph_models::MeshCollisions::default();
    let model = site.loader.model_with(&spec.file, spec.inertia, spec.missing_meshes, meshes)?;
    Some(spec.changes.of(model, &material_of(plant)))
}
