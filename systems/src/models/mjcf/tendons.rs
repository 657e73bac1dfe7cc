//! Fixed tendons: weighted sums of joint positions, which actuators pull and equalities hold.

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::joints::Joints;
use super::known;
use super::log::Log;
use super::names::Names;
use crate::models::mjcf_fault::MjcfFault;
use crate::multibody::JointKind;

/// A tendon: its joints and their coefficients; none if it is not simulated.
#[derive(Clone, Debug, Default)]
pub(super) struct Tendon {
    pub joints: Vec<(String, f64)>,
}

/// The tendons of a model, by index and name.
pub(super) struct Tendons {
    pub tendons: Vec<Tendon>,
    pub names: Names,
}

/// Reads all tendons.
pub(super) fn read(root: &Element, classes: &Classes, joints: &Joints<'_>, log: &mut Log<'_>) -> Tendons {
    let elements: Vec<&Element> = root.all("tendon").flat_map(|section| &section.children).collect();
    let named: Vec<_> = elements.iter().map(|element| (*element, "tendon".to_owned())).collect();
    let (names, _) = Names::of("tendon", &named, log);
    let tendons = elements.iter().map(|element| match element.name.as_str() {
        "fixed" => read_fixed(element, classes, joints, log),
        "spatial" => {
            log.differs(element, "is a spatial tendon, which is not simulated");
            Tendon::default()
        }
        _ => {
            known::unknown_element(element, log);
            Tendon::default()
        }
    });
    Tendons { tendons: tendons.collect(), names }
}

fn read_fixed(element: &Element, classes: &Classes, joints: &Joints<'_>, log: &mut Log<'_>) -> Tendon {
    known::check_attributes(element, log);
    let f = Fields { element, defaults: classes.defaults(element, "tendon", log) };
    let acts = |name: &str, log: &mut Log<'_>| f.number_or(name, 0.0, log) != 0.0;
    if acts("stiffness", log) || acts("damping", log) || acts("frictionloss", log) || acts("armature", log) {
        log.differs(element, "has stiffness, damping, friction or armature of its own, which are not simulated");
    }
    if f.has("range") && f.text("limited") != Some("false") {
        log.differs(element, "has a range, which is not simulated");
    }
    let mut tendon = Tendon::default();
    for part in element.all("joint") {
        let coefficient = Fields::alone(part).number_or("coef", 1.0, log);
        if let Some(joint) = single(joints, part, "joint", log) {
            tendon.joints.push((joint, coefficient));
        }
    }
    tendon
}

/// The name in the model of the joint of one coordinate that an attribute names.
pub(super) fn single(
    joints: &Joints<'_>,
    element: &Element,
    attribute: &'static str,
    log: &mut Log<'_>,
) -> Option<String> {
    let joint = &joints.all[joints.names.required("joint", element, attribute, log)?];
    if matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
        return Some(joint.name.clone());
    }
    let at = element.attribute(attribute).map_or(&element.at, |a| &a.at);
    let text = format!("joint {:?} has more than one coordinate", joint.name);
    log.fault(at, MjcfFault::Other { element: element.describe(), text });
    None
}
