//! `<world>` and `<model>`: links, joints, frames, and nested models.
//!
//! Names within a nested model begin with its name, `arm::link`; those within a world do not. A model is placed by its
//! own frame or by its `placement_frame`.

use super::draft::{Draft, Placed};
use super::frames::{Kind, MAX_LEVELS, MODEL, Stated, WORLD, Written, here};
use super::placing::Site;
use super::text::flag;
use super::{bushings, includes, joints, links, pose};
use crate::common::filters;
use crate::faults::SdfFault;
use crate::report::Report;
use crate::xml::{Element, Known};
use nalgebra::{Isometry3, Vector3};

const MODEL_ELEMENT: Known = Known {
    attributes: &["name", "canonical_link", "placement_frame"],
    once: &["pose", "static", "self_collide"],
    many: &["link", "joint", "frame", "model", "include", filters::GROUP, bushings::BUSHING],
    ignored: &["plugin", "allow_auto_disable", "enable_wind", "gripper"],
    ignored_attributes: &[],
};
const WORLD_ELEMENT: Known = Known {
    attributes: &["name"],
    once: &["gravity"],
    many: &[
        "joint",
        "frame",
        "model",
        "include",
        filters::GROUP,
        bushings::BUSHING,
        // Visual content, and parts for Gazebo itself.
        "light",
        "scene",
        "gui",
        "physics",
        "spherical_coordinates",
        "magnetic_field",
        "audio",
    ],
    ignored: &["plugin", "wind", "atmosphere", "actor", "road", "population", "state"],
    ignored_attributes: &[],
};
const FRAME: Known =
    Known { attributes: &["name", "attached_to"], once: &["pose"], many: &[], ignored: &[], ignored_attributes: &[] };

impl Draft {
    /// Reads a world: its models, joints and frames.
    pub fn read_world(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) {
        element.check(&WORLD_ELEMENT, report);
        self.model.name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
        let physics = element.child("physics").filter(|_| self.version.has_gravity_in_physics());
        let of_world = |name: &str| element.child(name).or_else(|| physics?.child(name));
        if let Some(gravity) = of_world("gravity") {
            self.model.scene.gravity = gravity.content().numbers::<3>(report).map(Vector3::from);
        }
        if let Some(field) = of_world("magnetic_field") {
            self.field_W = field.content().numbers::<3>(report).map_or(self.field_W, Vector3::from);
        }
        self.read_scene(element, report);
    }

    /// Reads the content of a world, or models beside each other in a file.
    pub fn read_scene(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) {
        self.needs_world(element, report);
        self.model_frame = WORLD.to_owned();
        self.read_parts(element, "", report);
        filters::read(element, &mut self.model, "", report);
    }

    /// Reads the only model of a file.
    pub fn read_outermost(&mut self, element: Element<'_, '_>, report: &mut Report<'_>) {
        self.model.name = element.required_name("model", report);
        self.X_WM = pose::read(element, report).X;
        self.placed_by = placement_frame(element, report);
        self.read(element, "", report);
    }

    /// Reads a model whose names begin with `scope`.
    fn read(&mut self, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
        element.check(&MODEL_ELEMENT, report);
        if self.level >= MAX_LEVELS {
            report.fault(element.span(), SdfFault::TooDeep { levels: MAX_LEVELS }.into());
            return;
        }
        self.level += 1;
        let outer = self.stands_still;
        self.stands_still |= flag(element, "static", report) == Some(true);
        let (first, had_world) = (self.model.links.len(), self.frames.has(WORLD));
        self.read_parts(element, scope, report);
        self.stands_still = outer;
        // The world comes before all others.
        let first = first + usize::from(self.frames.has(WORLD) && !had_world);
        let own: Vec<String> = self.model.links[first..].iter().map(|link| link.name.clone()).collect();
        // A model is fixed to its first link, or to its `canonical_link`.
        let canonical = element.attribute("canonical_link").map(|link| format!("{scope}{}", link.value));
        if let Some(canonical) = canonical.or_else(|| own.first().cloned()) {
            self.frames.alias(self.model_frame.clone(), canonical);
        }
        if flag(element, "self_collide", report) == Some(false) {
            for (i, a) in own.iter().enumerate() {
                self.model.scene.apart.extend(own[..i].iter().map(|b| [b.clone(), a.clone()]));
            }
        }
        filters::read(element, &mut self.model, scope, report);
        self.level -= 1;
    }

    fn read_parts(&mut self, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
        for child in element.children() {
            match child.name() {
                "link" => links::read(self, child, scope, report),
                "joint" => joints::read(self, child, scope, report),
                "frame" => self.frame(child, scope, report),
                "model" => {
                    let placed = Placed::own(child, report);
                    self.inner(child, placed, scope, report);
                }
                bushings::BUSHING => bushings::read(self, child, scope, report),
                "include" => includes::read(self, child, scope, report),
                _ => {}
            }
        }
    }

    /// Reads a nested model in the model, or a model in the world.
    pub fn inner(&mut self, element: Element<'_, '_>, placed: Placed, scope: &str, report: &mut Report<'_>) {
        let Placed { name, pose, by, stands_still, is_merged } = placed;
        let (inside, model_frame) = match is_merged {
            true => (scope.to_owned(), format!("{scope}_merged__{name}__model__")),
            false => (format!("{scope}{name}::"), format!("{scope}{name}::{MODEL}")),
        };
        let pose = pose.unwrap_or_else(|| pose::read(element, report));
        let relative_to = self.relative_to(pose.relative_to, element, scope, report);
        let by = by.or_else(|| placement_frame(element, report));
        let placed_by = by.map(|by| Written { name: format!("{inside}{}", by.name), ..by });
        if !is_merged {
            let (kind, relative_to) = (Kind::FixedTo(model_frame.clone()), here(&model_frame, element, report));
            let stated = Stated { kind, X: Isometry3::identity(), relative_to, placed_by: None };
            self.frames.add(format!("{scope}{name}"), stated, element, report);
        }
        // The link that it is fixed to is known once its links are.
        let kind = Kind::FixedTo(String::new());
        let stated = Stated { kind, X: pose.X, relative_to, placed_by };
        self.frames.add(model_frame.clone(), stated, element, report);
        let outer = std::mem::replace(&mut self.model_frame, model_frame);
        let outer_still = self.stands_still;
        self.stands_still |= stands_still;
        self.read(element, &inside, report);
        (self.model_frame, self.stands_still) = (outer, outer_still);
    }

    fn frame(&mut self, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
        element.check(&FRAME, report);
        let name = format!("{scope}{}", element.required_name("frame", report));
        let attached = element.attribute("attached_to").filter(|name| !name.value.is_empty());
        let attached = attached.map(|name| Written::of(&name, element, report));
        let attached = self.relative_to(attached, element, scope, report);
        let pose = pose::read(element, report);
        let relative_to = pose.relative_to.map_or_else(|| attached.clone(), |written| self.within(written, scope));
        let stated = Stated { kind: Kind::FixedTo(attached.name), X: pose.X, relative_to, placed_by: None };
        self.frames.add(name.clone(), stated, element, report);
        self.sites.push(Site { name });
    }
}

/// The placement frame of a model.
fn placement_frame(element: Element<'_, '_>, report: &Report<'_>) -> Option<Written> {
    let name = element.attribute("placement_frame").filter(|name| !name.value.is_empty())?;
    Some(Written::of(&name, element, report))
}
