//! One model of a plant.

use super::changes::{self, Changes, JointChange, LinkChange, MaterialChange};
use super::meshes::{MeshesOf, MeshesSpec};
use super::pose::{self, Pose};
use crate::decode::is_name;
use crate::form::{
    Choice, Decode, FaultKind, FileName, Item, Key, ListOf, MODEL_FILE, MapOf, Name, Needs, Optional, Position, Reader,
    Section, Text, Value, Vector, WithDefault, needs, optional, with_default,
};
use crate::names::Names;
use kinegraph_models::{InertiaPolicy, MissingMeshes};
use std::path::PathBuf;

/// One model: a file with a name, a pose and a base.
#[derive(Clone, Debug)]
pub struct ModelSpec {
    /// Name, unique within the plant.
    pub name: String,
    /// Place where the model begins in the diagram file.
    pub at: Position,
    /// The model file.
    pub file: PathBuf,
    /// Place where the model file is named.
    pub file_at: Position,
    /// Treatment of inertias that no body can have.
    pub inertia: InertiaPolicy,
    /// Treatment of collision meshes that cannot be read.
    pub missing_meshes: MissingMeshes,
    /// Collision geometry of its meshes.
    pub meshes: MeshesSpec,
    /// Base of the model's root link; `None`: as the model file states.
    pub base: Option<Base>,
    /// Place where the base is named.
    pub base_at: Position,
    /// Pose of the root link in the base's frame; at time zero for a floating base.
    pub pose: Pose,
    /// Velocity of a floating base at time zero.
    pub velocity: Velocity,
    /// Joints that have motors.
    pub actuated: Actuated,
    /// Place of `actuated`.
    pub actuated_at: Position,
    /// Name of the state in the model file in which it starts.
    pub keyframe: Option<String>,
    /// Place of `keyframe`.
    pub keyframe_at: Position,
    /// Source of the contact law of its shapes.
    pub surfaces: Surfaces,
    /// Values in place of those of the model file.
    pub changes: Changes,
}

/// Source of the contact law of a model's shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surfaces {
    /// The model file, if it states a law.
    File,
    /// The plant.
    Plant,
}

/// Base of a model's root link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// Fixed to the world.
    Fixed,
    /// Free.
    Floating,
    /// Welded to a link of a model that is listed before this one.
    Link {
        /// The model.
        model: String,
        /// Its link.
        link: String,
    },
}

/// Velocity of a floating base, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Angular velocity \[rad/s\].
    pub angular: [f64; 3],
    /// Velocity of the root link's origin \[m/s\].
    pub linear: [f64; 3],
}

/// Joints that have motors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actuated {
    /// The joints named by transmissions; every joint of a file without transmissions.
    Default,
    /// Every joint.
    All,
    /// No joint.
    None,
    /// These joints.
    Joints(Vec<String>),
}

/// One item of `models`.
pub(super) const SECTION: Section<ModelSpec> =
    Section { about: "a model, such as `{name: arm, file: arm.urdf, base: fixed}`", read };

const NAME: Needs<Name> = needs("name", Name, "unique in the plant");
const FILE: Needs<FileName> = needs(
    "file",
    MODEL_FILE,
    "a URDF, SDFormat or MJCF file in the folder of the diagram file, or below it, or `package://NAME/...`. Its \
     collision meshes (`.obj`, `.stl`, `.ply`, `.dae`, `.msh`, `.vtk`, `.gltf`, `.glb`) collide as `meshes` says",
);
pub(super) const BASE: Optional<BaseOf> = optional(
    "base",
    BaseOf,
    "the file says it (MJCF); a URDF file does not",
    "`fixed`: the root link is fixed to the world; `floating`: it is free; `MODEL/LINK`: welded to a link of a model that \
     stands before this one. An MJCF file says itself what floats: the root link is its world",
);
pub(super) const KEYFRAME: Optional<Text> = optional(
    "keyframe",
    Text { about: "the name of a keyframe" },
    "none",
    "the named state of an MJCF file in which the model starts; `initial` changes single joints of it",
);
const SURFACES: WithDefault<Choice<Surfaces>> = with_default(
    "surfaces",
    Choice { what: "origin of contact laws", options: &[("file", Surfaces::File), ("plant", Surfaces::Plant)] },
    Surfaces::File,
    "whose stiffness, dissipation and friction its shapes have: that of the model `file` (MJCF), or the `contact` of the \
     `plant`. Which shapes touch each other the file says in any case",
);
const POSE: Optional<Section<Pose>> =
    optional("pose", pose::SECTION, "identity", "of the root link in the frame of the base");
const VELOCITY: Optional<Section<Velocity>> = optional(
    "velocity",
    Section { about: "a velocity, such as `{linear: [1, 0, 0]}`", read: read_velocity },
    "zero",
    "of a floating base, in world axes; the joints are at rest but for `initial`: it is that of the whole model",
);
const INERTIA: WithDefault<Choice<InertiaPolicy>> = with_default(
    "inertia",
    Choice {
        what: "treatment of impossible inertias",
        options: &[("raw", InertiaPolicy::Raw), ("project", InertiaPolicy::Project), ("strict", InertiaPolicy::Strict)],
    },
    InertiaPolicy::Raw,
    "of a link that no body has: `raw` takes it as written, as long as what the link is welded to makes up for it; \
     `project` takes the nearest possible one; `strict` refuses the file",
);
const MISSING_MESHES: WithDefault<Choice<MissingMeshes>> = with_default(
    "missing_meshes",
    Choice {
        what: "treatment of lost meshes",
        options: &[("error", MissingMeshes::Error), ("ignore", MissingMeshes::Ignore)],
    },
    MissingMeshes::Error,
    "of collision meshes that are not found, not read, or flat: `error`, or `ignore` to leave them out",
);
pub(super) const MESHES: Optional<MeshesOf> = optional(
    "meshes",
    MeshesOf,
    "hull",
    "what of its collision meshes collides: the convex `hull`, the mesh `decomposed` into convex parts, or its triangles \
     (`exact`: rigid, from their front side, against convex shapes); or a map `{LINK: decomposed, LINK/COLLISION: exact, \
     default: hull}`",
);
pub(super) const ACTUATED: Optional<ActuatedOf> = optional(
    "actuated",
    ActuatedOf,
    "the joints of transmissions",
    "which joints have motors; where the file names no transmissions, every joint of one axis that is no mimic joint has",
);

pub(super) const LINKS: Optional<MapOf<Section<LinkChange>>> = optional(
    "links",
    MapOf { each: changes::LINK, about: "links with their values, such as `{box: {mass: 2}}`" },
    "as in the file",
    "values of links in place of those of the file",
);
pub(super) const JOINTS: Optional<MapOf<Section<JointChange>>> = optional(
    "joints",
    MapOf { each: changes::JOINT, about: "joints with their values, such as `{hinge: {damping: 0.1}}`" },
    "as in the file",
    "values of joints in place of those of the file",
);
pub(super) const MATERIALS: Optional<MapOf<Section<MaterialChange>>> = optional(
    "materials",
    MapOf {
        each: changes::MATERIAL,
        about: "links with the contact laws of their shapes, such as `{pad: {friction: 1}}`",
    },
    "as in the file",
    "contact laws of shapes in place of those of the file, by `LINK`, `LINK/COLLISION` or `default`",
);

fn read(r: &mut Reader<'_>) -> Option<ModelSpec> {
    let (name, file) = (r.get(&NAME), r.get(&FILE));
    // A URDF file needs a base, which is known before the file is read.
    let is_urdf = file.as_ref().is_none_or(|file: &PathBuf| file.extension().is_some_and(|e| e == "urdf"));
    let base = if is_urdf { r.get_required(&BASE) } else { r.get(&BASE) };
    let (inertia, missing_meshes) = (r.get(&INERTIA), r.get(&MISSING_MESHES));
    let meshes = r.get(&MESHES).unwrap_or_default();
    let pose = r.get(&POSE).unwrap_or_default();
    let velocity = r.get(&VELOCITY).unwrap_or_default();
    let actuated = r.get(&ACTUATED).unwrap_or(Actuated::Default);
    let (keyframe, surfaces) = (r.get(&KEYFRAME), r.get(&SURFACES));
    let changes = Changes {
        links: r.get(&LINKS).unwrap_or_default(),
        joints: r.get(&JOINTS).unwrap_or_default(),
        materials: r.get(&MATERIALS).unwrap_or_default(),
    };
    if is_urdf && base.is_none() {
        return None;
    }
    if r.has(VELOCITY) && base.as_ref().is_some_and(|base| *base != Base::Floating) {
        r.conflict(VELOCITY, "only a model with `base: floating` has a velocity of its own");
    }
    Some(ModelSpec {
        name: name?,
        at: r.at(),
        file: file?,
        file_at: r.at_key(FILE),
        inertia,
        missing_meshes,
        meshes,
        base,
        base_at: r.at_key(BASE),
        pose,
        velocity,
        actuated,
        actuated_at: r.at_key(ACTUATED),
        keyframe,
        keyframe_at: r.at_key(KEYFRAME),
        surfaces,
        changes,
    })
}

const ANGULAR: WithDefault<Vector<3>> =
    with_default("angular", Vector { about: "[x, y, z] in rad/s" }, [0.0; 3], "angular velocity [rad/s]");
const LINEAR: WithDefault<Vector<3>> =
    with_default("linear", Vector { about: "[x, y, z] in m/s" }, [0.0; 3], "velocity of the root link's origin [m/s]");

fn read_velocity(r: &mut Reader<'_>) -> Option<Velocity> {
    let (angular, linear) = (r.get(&ANGULAR), r.get(&LINEAR));
    Some(Velocity { angular, linear })
}

/// Checks that names are unique, and that a model is welded only to one listed before it (so that no ring of welds can
/// arise).
pub(super) fn check(r: &Reader<'_>, list: impl Key, models: &[ModelSpec]) {
    let all: Names = models.iter().map(|m| m.name.as_str()).collect();
    let mut before = Names::default();
    for (i, model) in models.iter().enumerate() {
        let path = |key: &dyn Key| format!("{}[{i}].{}", r.path_of(&list), key.key());
        if let Some(Base::Link { model: parent, link }) = &model.base {
            if !all.contains(parent) {
                before.check(parent, "model", || path(&BASE), model.base_at, r.loader());
            } else if *parent == model.name {
                let message = format!("`{parent}` cannot be held by its own link");
                r.report(model.base_at, FaultKind::Conflict { path: path(&BASE), message });
            } else if !before.contains(parent) {
                let message = format!("`{parent}/{link}` must stand before `{}` in the list of models", model.name);
                r.report(model.base_at, FaultKind::Conflict { path: path(&BASE), message });
            }
        }
        if !before.insert(&model.name) {
            let message = format!("an earlier model is named `{}` too", model.name);
            r.report(model.at, FaultKind::Conflict { path: path(&NAME), message });
        }
    }
}

/// `fixed`, `floating` or `MODEL/LINK`.
pub(super) struct BaseOf;

impl Decode for BaseOf {
    type Output = Base;
    fn expects(&self) -> String {
        "fixed, floating or MODEL/LINK".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Base> {
        let Value::Text(text) = &item.node.value else {
            item.wrong(self.expects());
            return None;
        };
        if let Some((model, link)) = text.split_once('/')
            && is_name(model)
            && !link.is_empty()
        {
            return Some(Base::Link { model: model.into(), link: link.into() });
        }
        Choice {
            what: "base",
            options: &[("fixed", Held::Fixed), ("floating", Held::Floating), ("MODEL/LINK", Held::Not)],
        }
        .decode(item)
        .and_then(|held| match held {
            Held::Fixed => Some(Base::Fixed),
            Held::Floating => Some(Base::Floating),
            Held::Not => None,
        })
    }
}

/// Bases that are plain words.
#[derive(Clone, Copy)]
enum Held {
    Fixed,
    Floating,
    Not,
}

/// `all`, `none` or a list of joints.
pub(super) struct ActuatedOf;

impl Decode for ActuatedOf {
    type Output = Actuated;
    fn expects(&self) -> String {
        "all, none or a list of joints".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Actuated> {
        match &item.node.value {
            Value::Text(text) if text == "all" => Some(Actuated::All),
            Value::Text(text) if text == "none" => Some(Actuated::None),
            Value::List(_) => ListOf { each: Text { about: "the name of a joint" }, about: "a list of joints" }
                .decode(item)
                .map(Actuated::Joints),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}
