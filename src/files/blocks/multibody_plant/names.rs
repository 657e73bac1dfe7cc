//! Checks names of links and joints in a plant's description against the models that were read. Each wrong name is a
//! fault at its own place.

use super::collisions::EXCLUDE;
use super::element::JointRef;
use super::fibre;
use super::model::{self, Actuated, Base, ModelSpec};
use super::read::{BELTS, COLLISIONS, CONSTRAINTS, FIBRES, INITIAL, JOINT, LOCKABLE, LOCKED, MODELS, SPRINGS, STOPS};
use super::spec::MultibodyPlant;
use super::{belt, constraint};
use crate::form::{Decode, FaultKind, Key, Position, Site};
use crate::names::unknown;
use kinegraph_multibody::{Joint, JointKind, Link, Model};
use std::collections::HashMap;
use std::sync::Arc;

/// Models of a plant by name. A model that could not be read is left out, so that its names cause no further faults.
pub(super) struct Joints<'a> {
    site: &'a Site<'a>,
    models: HashMap<&'a str, &'a Model>,
}

impl<'a> Joints<'a> {
    pub fn new(site: &'a Site<'a>, spec: &'a MultibodyPlant, models: &'a [Option<Arc<Model>>]) -> Self {
        let named = spec.models.iter().zip(models);
        let models = named.filter_map(|(m, model)| Some((m.name.as_str(), model.as_deref()?))).collect();
        Joints { site, models }
    }

    /// The model of this name, if it could be read.
    pub(super) fn model(&self, name: &str) -> Option<&'a Model> {
        self.models.get(name).copied()
    }

    pub(super) fn site(&self) -> &Site<'a> {
        self.site
    }

    /// True if every link and joint in `spec` exists and is of the kind its use requires.
    pub fn check(&self, spec: &MultibodyPlant) -> bool {
        let mut good = true;
        let item = |list: &dyn Key, i: usize, key: &dyn Key| format!("{}[{i}].{}", list.key(), key.key());
        for (i, m) in spec.models.iter().enumerate() {
            good &= self.check_base(i, m) && self.check_keyframe(i, m);
            good &= self.check_meshes(i, m) && self.check_changes(i, m);
            if let Some(Base::Link { model, link }) = &m.base {
                good &= self.check_link(model, link, m.base_at, &item(&MODELS, i, &model::BASE));
            }
            if let Actuated::Joints(joints) = &m.actuated {
                for joint in joints {
                    good &= self.check_joint(&m.name, joint, m.actuated_at, &item(&MODELS, i, &model::ACTUATED));
                }
            }
        }
        for model in &spec.initial {
            let path = format!("{}.{}", INITIAL.key(), model.name);
            for joint in &model.value {
                good &= self.check_joint(&model.name, &joint.name, joint.at, &path);
            }
        }
        for model in &spec.stops {
            let path = format!("{}.{}", STOPS.key(), model.name);
            for joint in &model.value {
                good &= self.check_stops(&model.name, &joint.name, joint.at, &path);
            }
        }
        for model in &spec.collisions {
            for link in model.value.exclude.iter().flatten() {
                let path = format!("{}.{}.{}", COLLISIONS.key(), model.name, EXCLUDE.key());
                good &= self.check_link(&model.name, link, model.value.exclude_at, &path);
            }
        }
        for (i, spring) in spec.springs.iter().enumerate() {
            good &= self.check_joint(&spring.model, &spring.joint, spring.at, &item(&SPRINGS, i, &JOINT));
        }
        for (i, belt) in spec.belts.iter().enumerate() {
            if let Some((model, link)) = &belt.link {
                good &= self.check_link(model, link, belt.at, &item(&BELTS, i, &belt::LINK));
            }
        }
        for (i, fibre) in spec.fibres.iter().enumerate() {
            for (end, link) in fibre.links.iter().enumerate() {
                let Some((model, link, at)) = link else { continue };
                let path = format!("{}[{i}].{}", FIBRES.key(), fibre::end_key(end));
                good &= self.check_link(model, link, *at, &path);
            }
        }
        for (i, constraint) in spec.constraints.iter().enumerate() {
            for (frame, key) in constraint.law.frames().iter().zip([constraint::A, constraint::B]) {
                if let Some((model, link)) = &frame.link {
                    let path = format!("{}.{}", item(&CONSTRAINTS, i, &key), constraint::LINK.key());
                    good &= self.check_link(model, link, frame.at, &path);
                }
            }
            for joint in constraint.law.joints() {
                let path = item(&CONSTRAINTS, i, &constraint::JOINTS);
                good &= self.check_joint(&joint.model, &joint.joint, joint.at, &path);
            }
        }
        for (joints, key) in [(&spec.locked, LOCKED), (&spec.lockable, LOCKABLE)] {
            for joint in joints {
                good &= self.check_lock(joint, spec, key.key());
            }
        }
        good
    }

    /// True if `base` agrees with the model file: it is required, unless the file states itself which links float.
    fn check_base(&self, i: usize, m: &ModelSpec) -> bool {
        let Some(found) = self.models.get(m.name.as_str()) else { return true };
        let path = self.path(&format!("{}[{i}]", MODELS.key()));
        let parts = &found.scene.separate_roots;
        let kind = match (&m.base, found.scene.root_is_world) {
            (Some(_), _) if !parts.is_empty() => {
                let names = parts.iter().take(4).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let (count, more) = (parts.len(), if parts.len() > 4 { ", …" } else { "" });
                let message = format!(
                    "the file of `{}` falls into {count} separate parts, because these links are no joint's child: \
                     {names}{more}; connect them by joints, or leave `base` out: each part floats then",
                    m.name
                );
                FaultKind::Conflict { path, message }
            }
            (None, false) => {
                FaultKind::MissingKey { path, key: model::BASE.key().into(), expected: model::BaseOf.expects() }
            }
            (Some(Base::Floating), true) => {
                let message = "the file says itself what floats; leave `base` out, or fix its world".into();
                FaultKind::Conflict { path, message }
            }
            _ => return true,
        };
        let at = if m.base.is_some() { m.base_at } else { m.at };
        self.site.loader.report(at, kind);
        false
    }

    /// True if the file has the keyframe in which the model starts.
    fn check_keyframe(&self, i: usize, m: &ModelSpec) -> bool {
        let (Some(found), Some(key)) = (self.models.get(m.name.as_str()), &m.keyframe) else { return true };
        let keys = found.scene.keyframes.iter().map(|key| key.name.as_str());
        let path = format!("{}[{i}].{}", MODELS.key(), model::KEYFRAME.key());
        self.check_name(key, &format!("keyframe of {}", m.name), keys, m.keyframe_at, &path)
    }

    /// True if the links and collision shapes with their own settings of meshes exist.
    fn check_meshes(&self, i: usize, m: &ModelSpec) -> bool {
        let Some(found) = self.models.get(m.name.as_str()) else { return true };
        let path = format!("{}[{i}].{}", MODELS.key(), model::MESHES.key());
        let what = format!("link or collision shape of {}", m.name);
        // The parts of a mesh are numbered after the name of the shape.
        let shape = |name: &str| name.split('~').next().unwrap_or_default().to_owned();
        let shapes = |link: &Link| {
            let of_link = link.collisions.iter().map(|c| format!("{}/{}", link.name, shape(&c.name)));
            std::iter::once(link.name.clone()).chain(of_link).collect::<Vec<_>>()
        };
        let names: Vec<String> = found.links.iter().flat_map(shapes).collect();
        let mut good = true;
        for of in &m.meshes.named {
            good &= self.check_name(&of.name, &what, names.iter().map(String::as_str), of.at, &path);
        }
        good
    }

    /// True if the joint can move: any joint but a fixed one, or a floating base by the name of its link.
    fn check_lock(&self, joint: &JointRef, spec: &MultibodyPlant, path: &str) -> bool {
        let Some(found) = self.models.get(joint.model.as_str()) else { return true };
        let movable = found.joints.iter().filter(|j| j.kind != JointKind::Fixed).map(|j| j.name.as_str());
        let floats = spec.models.iter().any(|m| m.name == joint.model && m.base == Some(Base::Floating));
        let is_root = |link: &str| found.joints.iter().all(|j| j.child != link);
        let root = found.links.iter().map(|l| l.name.as_str()).filter(|link| floats && is_root(link));
        let what = format!("movable joint of {}", joint.model);
        self.check_name(&joint.joint, &what, movable.chain(root), joint.at, path)
    }

    pub(super) fn check_link(&self, model: &str, link: &str, at: Position, path: &str) -> bool {
        let Some(found) = self.models.get(model) else { return true };
        let links = found.links.iter().map(|l| l.name.as_str());
        self.check_name(link, &format!("link of {model}"), links, at, path)
    }

    pub(super) fn check_joint(&self, model: &str, joint: &str, at: Position, path: &str) -> bool {
        let Some(found) = self.models.get(model) else { return true };
        let kind = found.joints.iter().find(|j| j.name == joint).map(|j| j.kind);
        let why = match kind {
            Some(JointKind::Fixed) => "is fixed: it has no position",
            Some(JointKind::Ball | JointKind::Floating | JointKind::Universal | JointKind::Planar) => {
                "has no single axis: it has no single position"
            }
            Some(JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic | JointKind::Screw) => return true,
            None => {
                let movable = found.joints.iter().filter(|j| j.kind != JointKind::Fixed);
                return self.check_name(
                    joint,
                    &format!("joint of {model}"),
                    movable.map(|j| j.name.as_str()),
                    at,
                    path,
                );
            }
        };
        let (path, message) = (self.path(path), format!("joint `{model}/{joint}` {why}"));
        self.site.loader.report(at, FaultKind::Conflict { path, message });
        false
    }

    /// True if the joint has limits.
    fn check_stops(&self, model: &str, joint: &str, at: Position, path: &str) -> bool {
        let found = self.models.get(model).and_then(|found| found.joints.iter().find(|j| j.name == joint));
        let limited = |j: &Joint| j.kind != JointKind::Continuous && (j.limits.0.is_finite() || j.limits.1.is_finite());
        let known = self.check_joint(model, joint, at, path);
        if !known || found.is_none_or(limited) {
            return known;
        }
        let (path, message) = (self.path(path), format!("joint `{model}/{joint}` has no stops: it has no limits"));
        self.site.loader.report(at, FaultKind::Conflict { path, message });
        false
    }

    pub(super) fn check_name<'n>(
        &self,
        name: &str,
        what: &str,
        mut valid: impl Iterator<Item = &'n str> + Clone,
        at: Position,
        path: &str,
    ) -> bool {
        let known = valid.clone().any(|n| n == name);
        if !known {
            let kind = match valid.next() {
                None => {
                    let message = format!("unknown {what} `{name}`; that model has none");
                    FaultKind::Conflict { path: self.path(path), message }
                }
                Some(first) => {
                    unknown(name, what, self.path(path), std::iter::once(first).chain(valid), self.site.loader)
                }
            };
            self.site.loader.report(at, kind);
        }
        known
    }

    pub(super) fn path(&self, path: &str) -> String {
        format!("{}.{path}", self.site.path)
    }
}
