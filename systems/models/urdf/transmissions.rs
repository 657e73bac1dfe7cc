//! `<transmission>`: joints with an actuator, and the inertia of its rotor.
//!
//! A rotor of inertia J behind a gear of ratio g adds `g² J` to the joint's inertia (the armature). Both come from the
//! extension tags `drake:rotor_inertia` and `drake:gear_ratio` of `<actuator>`; several actuators on a joint add up.

use super::joints::{has_one_coordinate, kind_name};
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Model;
use kinegraph_multibody::scene_data::{Actuator, Factor};
use std::collections::{HashMap, HashSet};

const ROTOR_INERTIA: &str = "drake:rotor_inertia";
const GEAR_RATIO: &str = "drake:gear_ratio";
const GAINS: &str = "drake:controller_gains";

const TRANSMISSION: Known = Known {
    attributes: &["name", "type"],
    once: &["type"],
    many: &["joint", "actuator"],
    ignored: &["mechanicalReduction", "robotNamespace", "leftActuator", "rightActuator", "compensator"],
    ignored_attributes: &[],
};
const JOINT: Known = Known {
    attributes: &["name"],
    once: &[],
    many: &["hardwareInterface"],
    ignored: &["mechanicalReduction", "role", "offset"],
    ignored_attributes: &[],
};
const ACTUATOR: Known = Known {
    attributes: &["name"],
    once: &[ROTOR_INERTIA, GEAR_RATIO, GAINS],
    many: &["hardwareInterface"],
    ignored: &["mechanicalReduction", "role"],
    ignored_attributes: &[],
};
const GAIN: Known = Known { attributes: &["p", "d"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const VALUE: Known = Known { attributes: &["value"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };

/// Fills `model.transmissions` and the armatures; `indices` are the joints by name.
pub(super) fn read(
    robot: Element<'_, '_>,
    model: &mut Model,
    indices: &HashMap<String, usize>,
    report: &mut Report<'_>,
) {
    let mut driven = HashSet::new();
    let mut servos: Vec<(String, Option<[f64; 2]>)> = Vec::new();
    for transmission in robot.children().filter(|child| child.name() == "transmission") {
        transmission.check(&TRANSMISSION, report);
        if !is_simple(transmission, report) {
            continue;
        }
        let armature: f64 = elements(transmission, "actuator").map(|actuator| read_armature(actuator, report)).sum();
        let gains = elements(transmission, "actuator").find_map(|actuator| read_gains(actuator, report));
        for joint in elements(transmission, "joint") {
            let Some(index) = read_joint(joint, transmission, model, indices, report) else { continue };
            model.joints[index].armature += armature;
            if driven.insert(index) {
                let name = model.joints[index].name.clone();
                if gains.is_some() {
                    report.note(joint.span(), NoteKind::Servo { joint: name.clone() });
                }
                servos.push((name.clone(), gains));
                model.transmissions.push(name);
            }
        }
    }
    if servos.iter().any(|(_, gains)| gains.is_some()) {
        model.scene.actuators = servos.into_iter().map(|(joint, gains)| actuator(joint, gains)).collect();
    }
}

/// Proportional and derivative gain of a servo.
fn read_gains(actuator: Element<'_, '_>, report: &mut Report<'_>) -> Option<[f64; 2]> {
    let gains = actuator.child(GAINS)?;
    gains.check(&GAIN, report);
    let [p, d] = [gains.magnitude_or("p", 0.0, report), gains.magnitude_or("d", 0.0, report)];
    (p > 0.0 || d > 0.0).then_some([p, d])
}

/// A motor, or a servo with the effort `p (u - q) - d q̇`.
fn actuator(joint: String, gains: Option<[f64; 2]>) -> Actuator {
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let (gain, bias) = gains.map_or((1.0, [0.0; 3]), |[p, d]| (p, [0.0, -p, -d]));
    Actuator {
        tendon: None,
        push: None,
        contacts: None,
        activation: None,
        name: joint.clone(),
        joints: vec![(joint, 1.0)],
        gain: Factor::Affine([gain, 0.0, 0.0]),
        bias: Factor::Affine(bias),
        control_range: free,
        force_range: free,
        idle: 0.0,
    }
}

fn elements<'a, 'i>(parent: Element<'a, 'i>, name: &'static str) -> impl Iterator<Item = Element<'a, 'i>> {
    parent.children().filter(move |child| child.name() == name)
}

/// True for a simple transmission. The type is an element's text (ROS) or an attribute (PR2); without a type it is
/// simple.
fn is_simple(transmission: Element<'_, '_>, report: &mut Report<'_>) -> bool {
    let element = transmission.child("type").map(|element| (element.text(), element.span()));
    let written = element.or_else(|| transmission.attribute("type").map(|kind| (kind.value, kind.span)));
    let Some((found, span)) = written.filter(|(found, _)| !found.contains("SimpleTransmission")) else { return true };
    let name = transmission.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    report.note(span, NoteKind::TransmissionType { transmission: name, found: found.to_owned() });
    false
}

fn read_armature(actuator: Element<'_, '_>, report: &mut Report<'_>) -> f64 {
    actuator.check(&ACTUATOR, report);
    // A gear ratio may be negative (the rotor turns the other way), a rotor's inertia may not.
    let mut value = |name: &str| {
        let element = actuator.child(name)?;
        element.check(&VALUE, report);
        let value = element.required("value", report)?;
        let number = value.number(report)?;
        if name == ROTOR_INERTIA { value.not_negative(number, report) } else { Some(number) }
    };
    let (gear, rotor_inertia) = (value(GEAR_RATIO).unwrap_or(1.0), value(ROTOR_INERTIA).unwrap_or(0.0));
    gear * gear * rotor_inertia
}

/// The index of the joint that a transmission drives.
fn read_joint(
    element: Element<'_, '_>,
    transmission: Element<'_, '_>,
    model: &Model,
    indices: &HashMap<String, usize>,
    report: &mut Report<'_>,
) -> Option<usize> {
    element.check(&JOINT, report);
    let name = element.required("name", report)?;
    let Some(index) = indices.get(name.value).copied() else {
        let nearest = report.nearest(name.value, model.joints.iter().map(|joint| joint.name.as_str()));
        let (transmission, name_of) = (transmission.describe(), name.value.to_owned());
        // A transmission without a joint has no effect: files cut out of larger robots are full of these.
        report.note(name.span, NoteKind::TransmissionOfNoJoint { transmission, name: name_of, nearest });
        return None;
    };
    let joint = &model.joints[index];
    if !has_one_coordinate(joint.kind) {
        let kind = NoteKind::TransmissionIgnored { joint: joint.name.clone(), kind: kind_name(joint.kind) };
        report.note(name.span, kind);
        return None;
    }
    Some(index)
}
