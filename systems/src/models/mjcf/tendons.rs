//! Fixed tendons: weighted sums of joint positions, which actuators pull and equalities hold, with springs, dampers and
//! ranges of their own. Of a tendon over one joint range, dry friction and armature are those of the joint.

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::joints::Joints;
use super::known;
use super::log::Log;
use super::names::Names;
use super::settings::Settings;
use super::surfaces::{self, Law};
use crate::models::mjcf_fault::MjcfFault;
use crate::multibody::{Joint, JointKind, scene_data};

/// A tendon: its joints and their coefficients; none if it is not simulated.
#[derive(Clone, Debug)]
pub(super) struct Tendon<'a> {
    pub element: &'a Element,
    pub joints: Vec<(String, f64)>,
    /// Its name among those of the model that act by themselves.
    pub name: Option<String>,
    /// The range of its length, and what happens beyond it, per unit of mass.
    pub range: Option<((f64, f64), Law)>,
}

/// The tendons of a model, by index and name.
pub(super) struct Tendons<'a> {
    pub tendons: Vec<Tendon<'a>>,
    pub names: Names,
}

/// Reads all tendons; what belongs to single joints is put on them, what acts by itself into `acting`.
pub(super) fn read<'a>(
    root: &'a Element,
    classes: &Classes,
    settings: &Settings,
    joints: &Joints<'_>,
    (model, acting): (&mut [Joint], &mut Vec<scene_data::Tendon>),
    log: &mut Log<'_>,
) -> Tendons<'a> {
    let elements: Vec<&Element> = root.all("tendon").flat_map(|section| &section.children).collect();
    let named: Vec<_> = elements.iter().map(|element| (*element, "tendon".to_owned())).collect();
    let (names, found) = Names::of("tendon", &named, log);
    let mut reader = Reader { classes, settings, joints, model, acting };
    let tendons = elements.into_iter().zip(found).map(|(element, name)| match element.name.as_str() {
        "fixed" => reader.fixed(element, name, log),
        "spatial" => {
            log.differs(element, "is a spatial tendon, which is not simulated");
            Tendon { element, joints: Vec::new(), name: None, range: None }
        }
        _ => {
            known::unknown_element(element, log);
            Tendon { element, joints: Vec::new(), name: None, range: None }
        }
    });
    Tendons { tendons: tendons.collect(), names }
}

struct Reader<'r, 'e> {
    classes: &'r Classes,
    settings: &'r Settings,
    joints: &'r Joints<'e>,
    model: &'r mut [Joint],
    acting: &'r mut Vec<scene_data::Tendon>,
}

impl Reader<'_, '_> {
    fn fixed<'a>(&mut self, element: &'a Element, name: String, log: &mut Log<'_>) -> Tendon<'a> {
        known::check_attributes(element, log);
        let f = Fields { element, defaults: self.classes.defaults(element, "tendon", log) };
        let mut tendon = Tendon { element, joints: Vec::new(), name: None, range: None };
        for part in element.all("joint") {
            let coefficient = Fields::alone(part).number_or("coef", 1.0, log);
            if let Some(joint) = single(self.joints, part, "joint", log) {
                match tendon.joints.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, sum)) => *sum += coefficient,
                    None => tendon.joints.push((joint, coefficient)),
                }
            }
        }
        if tendon.joints.iter().any(|(_, coefficient)| *coefficient != 0.0) {
            self.own_forces(&f, &mut tendon, name, log);
        }
        tendon
    }

    /// What the tendon does by itself.
    fn own_forces(&mut self, f: &Fields<'_>, tendon: &mut Tendon<'_>, name: String, log: &mut Log<'_>) {
        let s = self.settings;
        let magnitude = |key: &str, on: bool, log: &mut Log<'_>| if on { f.magnitude_or(key, 0.0, log) } else { 0.0 };
        let (stiffness, damping) = (magnitude("stiffness", s.springs, log), magnitude("damping", s.dampers, log));
        let (friction, armature) = (magnitude("frictionloss", s.friction_loss, log), magnitude("armature", true, log));
        let range = f.range("range", "limited", s.autolimits, log).filter(|_| s.limits);
        if let [(joint, coefficient)] = &tendon.joints[..] {
            if let Some(of_model) = self.model.iter_mut().find(|of_model| of_model.name == *joint) {
                of_model.friction += friction * coefficient.abs();
                of_model.armature += armature * coefficient * coefficient;
                if let Some((least, most)) = range {
                    let (a, b) = (least / coefficient, most / coefficient);
                    let (lower, upper) = of_model.limits;
                    of_model.limits = (lower.max(a.min(b)), upper.min(a.max(b)));
                }
            }
        } else {
            if friction != 0.0 || armature != 0.0 {
                log.differs(tendon.element, "runs over several joints: its friction and armature are not simulated");
            }
            let law = surfaces::law_of(f, ["solreflimit", "solimplimit"], s.gravity.norm(), log);
            tendon.range = range.zip(law);
        }
        if stiffness == 0.0 && damping == 0.0 && tendon.range.is_none() {
            return;
        }
        tendon.name = Some(name.clone());
        let rest = self.rest(f, &tendon.joints, log);
        let joints = tendon.joints.clone();
        self.acting.push(scene_data::Tendon { name, joints, stiffness, damping, rest, stop: None });
    }

    /// The lengths between which the spring is slack: as written; not written, that where all springs of joints are at
    /// rest.
    fn rest(&self, f: &Fields<'_>, joints: &[(String, f64)], log: &mut Log<'_>) -> (f64, f64) {
        match f.list("springlength", log).as_deref() {
            Some([one]) if *one >= 0.0 => (*one, *one),
            Some([least, most]) if (*least, *most) != (-1.0, -1.0) && least <= most => (*least, *most),
            _ => {
                let at = |joint: &str| {
                    let written = self.joints.all.iter().find(|written| written.name == joint);
                    written.map_or(0.0, |written| written.spring_rest)
                };
                let length = joints.iter().map(|(joint, coefficient)| coefficient * at(joint)).sum();
                (length, length)
            }
        }
    }
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
