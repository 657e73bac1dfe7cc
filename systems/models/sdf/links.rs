//! `<link>`: a rigid body.

use super::draft::Draft;
use super::frames::{Kind, Stated};
use super::{geometry, inertial, pose};
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Link;

const LINK: Known = Known {
    attributes: &["name"],
    once: &["pose", "inertial"],
    many: &["collision", "visual", "sensor"],
    ignored: &[
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

/// Reads a link; faulty parts are left out.
pub(super) fn read(draft: &mut Draft, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
    element.check(&LINK, report);
    let name = format!("{scope}{}", element.required_name("link", report));
    let pose = pose::read(element, report);
    let relative_to = draft.relative_to(pose.relative_to, element, scope, report);
    let stated = Stated { kind: Kind::Link, X: pose.X, relative_to, placed_by: None };
    draft.frames.add(name.clone(), stated, element, report);
    if draft.stands_still {
        draft.still.insert(name.clone());
    }
    draft.read_sensors(element, &name, scope, report);
    let mut link = Link { name, ..Link::default() };
    let mut densities = Vec::new();
    for child in element.children() {
        match child.name() {
            "collision" => {
                geometry::read_collision(child, &mut link, report);
                densities.resize(link.collisions.len(), inertial::density(child, report));
            }
            "visual" => geometry::read_visual(child, &mut link, report),
            _ => {}
        }
    }
    link.inertia = inertial::read(element, &link, &densities, report);
    draft.model.links.push(link);
}
