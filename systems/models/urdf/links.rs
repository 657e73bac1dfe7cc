//! `<link>`: a rigid body.

use super::geometry::read_collision;
use super::inertia::read_inertial;
use super::material::Materials;
use super::visual::read_visual;
use crate::common::proximity;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Link;
use std::collections::{HashMap, HashSet};

const LINK: Known = Known {
    attributes: &["name"],
    once: &["inertial"],
    many: &["collision", "visual"],
    ignored: &["contact", "self_collision_checking", "collision_checking", "sensor", "gravity"],
    ignored_attributes: &["type"],
};

/// The world's name in a URDF file.
pub(super) const WORLD: &str = "world";

/// The names of links that are the child of a joint, except those fixed to the world.
pub(super) fn children_of_joints(robot: Element<'_, '_>) -> HashSet<String> {
    let joints = || robot.children().filter(|child| ["joint", "drake:joint"].contains(&child.name()));
    let link = |joint: Element<'_, '_>, role: &str| Some(joint.child(role)?.attribute("link")?.value.to_owned());
    let fixed = |joint: &Element<'_, '_>| joint.attribute("type").is_some_and(|kind| kind.value == "fixed");
    let mut below: HashMap<String, Vec<String>> = HashMap::new();
    for joint in joints().filter(fixed) {
        if let (Some(parent), Some(child)) = (link(joint, "parent"), link(joint, "child")) {
            below.entry(parent).or_default().push(child);
        }
    }
    let mut moved: HashSet<String> = joints().filter_map(|joint| link(joint, "child")).collect();
    let mut open = vec![WORLD.to_owned()];
    while let Some(next) = open.pop() {
        for child in below.remove(&next).into_iter().flatten() {
            moved.remove(&child);
            open.push(child);
        }
    }
    moved
}

/// True if an `<inertial>` states a mass of zero.
fn has_no_mass(inertial: Element<'_, '_>) -> bool {
    let mass = inertial.child("mass").and_then(|mass| mass.attribute("value"));
    mass.is_some_and(|mass| mass.value.trim().parse::<f64>().is_ok_and(|mass| mass == 0.0))
}

/// Reads a link; faulty parts are left out. `moved` are the links that have a joint and are not fixed to the world. For
/// other links rotational inertia without mass is ignored: on a fixed base it has no effect, and a floating base needs
/// mass.
pub(super) fn read_link(
    element: Element<'_, '_>,
    moved: &HashSet<String>,
    materials: &mut Materials,
    report: &mut Report<'_>,
) -> Link {
    element.check(&LINK, report);
    let name = element.required_name("link", report);
    let inertia = match element.child("inertial") {
        Some(inertial) if name == WORLD => {
            report.note(inertial.span(), NoteKind::WorldInertia);
            None
        }
        Some(inertial) if has_no_mass(inertial) && !moved.contains(&name) => {
            report.note(inertial.span(), NoteKind::Massless { link: name.clone() });
            None
        }
        Some(inertial) => read_inertial(inertial, &name, report),
        None if name == WORLD => None,
        None => {
            report.note(element.span(), NoteKind::Massless { link: name.clone() });
            None
        }
    };
    let shapes = |kind| element.children().filter(move |child| child.name() == kind);
    let (mut collisions, mut proximity) = (Vec::new(), Vec::new());
    for shape in shapes("collision") {
        let said = proximity::read(shape, report);
        for collision in read_collision(shape, &name, report) {
            proximity.extend(said.map(|said| (collisions.len(), said)));
            collisions.push(collision);
        }
    }
    let visuals = shapes("visual").filter_map(|shape| read_visual(shape, &name, materials, report)).collect();
    Link { name, inertia, collisions, proximity, visuals, ..Link::default() }
}
