//! Checks that the links, joints and shapes exist whose values a diagram file replaces.

use super::changes::{Changes, DEFAULT};
use super::model::{self, ModelSpec};
use super::names::Joints;
use super::read::MODELS;
use crate::form::{FaultKind, Key};
use kinegraph_multibody::{JointKind, Link};

impl Joints<'_> {
    /// True if model `i` has all that its replaced values are of.
    pub(super) fn check_changes(&self, i: usize, m: &ModelSpec) -> bool {
        let Some(found) = self.model(&m.name) else { return true };
        let path = |key: &dyn Key| format!("{}[{i}].{}", MODELS.key(), key.key());
        let Changes { links, joints, materials } = &m.changes;
        let mut good = true;
        for of in links {
            good &= self.check_link(&m.name, &of.name, of.at, &path(&model::LINKS));
            let link = found.links.iter().find(|link| link.name == of.name);
            let is_massless = |link: &Link| link.inertia.is_none_or(|inertia| inertia.mass == 0.0);
            if link.is_some_and(is_massless) && of.value.mass.is_none() {
                let message = format!("link `{}/{}` has no mass in its file: give it a `mass` too", m.name, of.name);
                good = self.refuse(&path(&model::LINKS), of.at, message);
            }
        }
        for of in joints {
            let joint = found.joints.iter().find(|joint| joint.name == of.name);
            let is_known = joint.is_some_and(|joint| joint.kind != JointKind::Fixed) && !of.value.needs_axis();
            good &= is_known || self.check_joint(&m.name, &of.name, of.at, &path(&model::JOINTS));
        }
        let of_link = |link: &Link| {
            let shapes = link.collisions.iter().filter(|shape| !shape.name.is_empty());
            let shape = |name: &str| format!("{}/{}", link.name, name.split('~').next().unwrap_or_default());
            std::iter::once(link.name.clone()).chain(shapes.map(|s| shape(&s.name))).collect::<Vec<_>>()
        };
        let shapes: Vec<String> = found.links.iter().filter(|l| !l.collisions.is_empty()).flat_map(of_link).collect();
        let what = format!("link with collision shapes of {}", m.name);
        for of in materials.iter().filter(|of| of.name != DEFAULT) {
            let names = shapes.iter().map(String::as_str);
            good &= self.check_name(&of.name, &what, names, of.at, &path(&model::MATERIALS));
        }
        good
    }

    fn refuse(&self, path: &str, at: crate::form::Position, message: String) -> bool {
        self.site().loader.report(at, FaultKind::Conflict { path: self.path(path), message });
        false
    }
}
