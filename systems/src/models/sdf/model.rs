//! `<model>`: links, joints, frames, and models in it.

use super::draft::Draft;
use super::frames::{Kind, MODEL, Stated, WORLD, Written, here};
use super::placing::Site;
use super::text::flag;
use super::{bushings, includes, joints, links, pose};
use crate::models::common::filters;
use crate::models::faults::SdfFault;
use crate::models::report::Report;
use crate::models::xml::{Element, Known};
use crate::multibody::Model;
use nalgebra::Isometry3;

const MODEL_ELEMENT: Known = Known {
    attributes: &["name", "canonical_link"],
    once: &["pose", "static", "self_collide"],
    many: &["link", "joint", "frame", "model", "include", filters::GROUP, bushings::BUSHING],
    ignored: &["plugin", "allow_auto_disable", "enable_wind", "gripper"],
    ignored_attributes: &[],
};
const FRAME: Known =
    Known { attributes: &["name", "attached_to"], once: &["pose"], many: &[], ignored: &[], ignored_attributes: &[] };

/// Models in models beyond this are refused.
pub(super) const MAX_LEVELS: usize = 16;

impl Draft {
    /// Reads a model whose names begin with `scope`.
    pub fn read(&mut self, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
        element.check(&MODEL_ELEMENT, report);
        if self.level >= MAX_LEVELS {
            report.fault(element.span(), SdfFault::TooDeep { levels: MAX_LEVELS }.into());
            return;
        }
        self.level += 1;
        let name = element.required_name("model", report);
        let is_static = flag(element, "static", report) == Some(true);
        if scope.is_empty() {
            self.model.name = name;
            self.is_static = is_static;
            self.X_WM = pose::read(element, report).X;
        } else if is_static {
            self.differs(element, "is static in a model that may move, where it does what that does", report);
        }
        let first = self.model.links.len();
        for child in element.children() {
            match child.name() {
                "link" => links::read(self, child, scope, report),
                "joint" => joints::read(self, child, scope, report),
                "frame" => self.frame(child, scope, report),
                "model" => {
                    let inner = child.required_name("model", report);
                    self.inner(child, &inner, None, scope, report);
                }
                bushings::BUSHING => bushings::read(self, child, scope, report),
                "include" => includes::read(self, child, scope, report),
                _ => {}
            }
        }
        let own: Vec<String> = self.model.links[first..].iter().map(|link| link.name.clone()).collect();
        // A model is fixed to its first link, or to that which it says.
        let canonical = element.attribute("canonical_link").map(|link| format!("{scope}{}", link.value));
        let canonical = canonical.or_else(|| own.first().cloned());
        self.fix_model(scope, canonical);
        if flag(element, "self_collide", report) == Some(false) {
            for (i, a) in own.iter().enumerate() {
                self.model.scene.apart.extend(own[..i].iter().map(|b| [b.clone(), a.clone()]));
            }
        }
        filters::read(element, &mut self.model, scope, report);
        self.level -= 1;
    }

    /// Reads a model in the model, by the name and, where one is given, at the pose of what includes it.
    pub fn inner(
        &mut self,
        element: Element<'_, '_>,
        name: &str,
        placed: Option<pose::Pose>,
        scope: &str,
        report: &mut Report<'_>,
    ) {
        if let Some(placement) = element.attribute("placement_frame") {
            let what = "has a placement_frame, which is not read";
            report.fault(placement.span, SdfFault::Other { element: element.describe(), what }.into());
        }
        let inside = format!("{scope}{name}::");
        let pose = placed.unwrap_or_else(|| pose::read(element, report));
        let model_frame = format!("{inside}{MODEL}");
        let kind = Kind::FixedTo(model_frame.clone());
        let relative_to = here(&model_frame, element);
        let (X, span) = (Isometry3::identity(), element.span());
        self.frames.add(format!("{scope}{name}"), Stated { kind, X, relative_to }, span.clone(), report);
        let relative_to = pose.relative_to.map(|written| written.within(scope));
        let relative_to = relative_to.unwrap_or_else(|| here(&format!("{scope}{MODEL}"), element));
        // What it is fixed to is known when its links are.
        let kind = Kind::FixedTo(format!("{inside}canonical link"));
        self.frames.add(model_frame, Stated { kind, X: pose.X, relative_to }, span, report);
        self.read(element, &inside, report);
    }

    fn fix_model(&mut self, scope: &str, link: Option<String>) {
        if let (false, Some(link)) = (scope.is_empty(), link) {
            self.frames.alias(format!("{scope}canonical link"), link);
        } else if let Some(link) = link_of_main(&self.model) {
            self.frames.alias(format!("{scope}canonical link"), link);
        }
    }

    fn frame(&mut self, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
        element.check(&FRAME, report);
        let name = format!("{scope}{}", element.required_name("frame", report));
        let attached = element.attribute("attached_to").filter(|name| !name.value.is_empty());
        let attached = attached.map(|name| Written::of(&name, element).within(scope));
        let attached = attached.unwrap_or_else(|| here(&format!("{scope}{MODEL}"), element));
        let pose = pose::read(element, report);
        let relative_to = pose.relative_to.map_or_else(|| attached.clone(), |written| written.within(scope));
        let stated = Stated { kind: Kind::FixedTo(attached.name), X: pose.X, relative_to };
        self.frames.add(name.clone(), stated, element.span(), report);
        self.sites.push(Site { name });
    }
}

fn link_of_main(model: &Model) -> Option<String> {
    model.links.iter().map(|link| &link.name).find(|name| *name != WORLD).cloned()
}
