//! `<link>`: a rigid body.

use super::draft::Draft;
use super::frames::{Kind, MODEL, Stated, here};
use super::{geometry, inertial, pose};
use crate::models::report::Report;
use crate::models::xml::{Element, Known};
use crate::multibody::Link;

const LINK: Known = Known {
    attributes: &["name"],
    once: &["pose", "inertial"],
    many: &["collision", "visual"],
    ignored: &[
        "sensor",
        "projector",
        "audio_sink",
        "audio_source",
        "battery",
        "light",
        "particle_emitter",
        "velocity_decay",
        "gravity",
        "kinematic",
        "self_collide",
        "enable_wind",
        "must_be_base_link",
    ],
    ignored_attributes: &[],
};

/// Reads a link; parts at fault are left out.
pub(super) fn read(draft: &mut Draft, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
    element.check(&LINK, report);
    let name = format!("{scope}{}", element.required_name("link", report));
    let pose = pose::read(element, report);
    let relative_to = pose.relative_to.map(|written| written.within(scope));
    let relative_to = relative_to.unwrap_or_else(|| here(&format!("{scope}{MODEL}"), element));
    draft.frames.add(name.clone(), Stated { kind: Kind::Link, X: pose.X, relative_to }, element.span(), report);
    let inertia = inertial::read(element, &name, report);
    let mut link = Link { name, inertia, ..Link::default() };
    for child in element.children() {
        match child.name() {
            "collision" => geometry::read_collision(child, &mut link, report),
            "visual" => geometry::read_visual(child, &mut link, report),
            _ => {}
        }
    }
    draft.model.links.push(link);
}
