//! Springs, bushings and constraints between links: `<drake:linear_spring_damper>`, `<drake:linear_bushing_rpy>`,
//! `<drake:ball_constraint>`, `<drake:distance_constraint>`, `<drake:tendon_constraint>`; and `<frame>`.
//!
//! A spring is a compliant distance, a bushing a weld with its own compliance along and about each axis of its first
//! frame. A step treats both implicitly, like other constraints.

use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Attribute, Element, Known};
use kinegraph_multibody::Model;
use kinegraph_multibody::scene_data::{ConstraintCompliance, Coupling, CouplingLaw, LinkFrame, Stop, Tendon};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use std::collections::HashMap;

pub(super) const ELEMENTS: [&str; 6] = [
    "frame",
    "drake:linear_spring_damper",
    "drake:linear_bushing_rpy",
    "drake:ball_constraint",
    "drake:distance_constraint",
    "drake:tendon_constraint",
];

const FRAME: Known =
    Known { attributes: &["name", "link", "xyz", "rpy"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const NAMES: Known = Known { attributes: &["name", "a"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };

/// Reads the force elements of a robot; `joints` are those of the model by name.
pub(super) fn read(
    robot: Element<'_, '_>,
    model: &mut Model,
    joints: &HashMap<String, usize>,
    report: &mut Report<'_>,
) {
    let elements = |name: &'static str| robot.children().filter(move |child| child.name() == name);
    for frame in elements("frame") {
        let read = read_frame(frame, model, report);
        model.scene.frames.extend(read);
    }
    for kind in &ELEMENTS[1..] {
        for (i, element) in elements(kind).enumerate() {
            let kind = kind.trim_start_matches("drake:");
            let reader = Reader { element, kind, name: format!("{kind}{i}") };
            reader.read(model, joints, report);
        }
    }
}

fn read_frame(element: Element<'_, '_>, model: &Model, report: &mut Report<'_>) -> Option<LinkFrame> {
    element.check(&FRAME, report);
    let name = element.required_name("frame", report);
    let link = element.required("link", report)?;
    known_link(model, &link, element, report)?;
    let mut numbers = |name: &str| element.attribute(name).and_then(|a| a.numbers(report)).unwrap_or([0.0; 3]);
    let (xyz, [roll, pitch, yaw]) = (numbers("xyz"), numbers("rpy"));
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    let X_LF = Isometry3::from_parts(Translation3::from(xyz), turn);
    Some(LinkFrame { name, link: link.value.to_owned(), X_LF })
}

/// The name of an existing link or of the world; `None` after a fault.
fn known_link(
    model: &Model,
    name: &Attribute<'_, '_>,
    element: Element<'_, '_>,
    report: &mut Report<'_>,
) -> Option<String> {
    if model.links.iter().any(|link| link.name == name.value) {
        return Some(name.value.to_owned());
    }
    let nearest = report.nearest(name.value, model.links.iter().map(|link| link.name.as_str()));
    let (element, name_of) = (element.describe(), name.value.to_owned());
    report.fault(name.span.clone(), FaultKind::UnknownName { element, what: "link", name: name_of, nearest });
    None
}

/// An element, with children named `drake:KIND_…`.
struct Reader<'a, 'i> {
    element: Element<'a, 'i>,
    kind: &'a str,
    /// Name of the resulting coupling.
    name: String,
}

impl<'a, 'i> Reader<'a, 'i> {
    fn read(self, model: &mut Model, joints: &HashMap<String, usize>, report: &mut Report<'_>) {
        self.check(report);
        let law = match self.kind {
            "linear_spring_damper" => self.spring(model, report),
            "linear_bushing_rpy" => self.bushing(model, report),
            "ball_constraint" => self.points(model, report).map(CouplingLaw::Ball),
            "distance_constraint" => self.distance(model, report),
            _ => self.tendon(model, joints, report),
        };
        let Some(law) = law else { return };
        model.scene.couplings.push(Coupling { name: self.name, active: true, law });
    }

    /// Notes the children that are not read.
    fn check(&self, report: &mut Report<'_>) {
        const PARTS: [&str; 18] = [
            "body_A",
            "body_B",
            "p_AP",
            "p_BQ",
            "free_length",
            "distance",
            "stiffness",
            "damping",
            "joint",
            "offset",
            "lower_limit",
            "upper_limit",
            "frameA",
            "frameC",
            "torque_stiffness",
            "torque_damping",
            "force_stiffness",
            "force_damping",
        ];
        for child in self.element.children() {
            let part = self.part_of(child.name());
            if !part.is_some_and(|part| PARTS.contains(&part)) {
                let (element, parent) = (child.name().to_owned(), self.element.name().to_owned());
                report.note(child.span(), NoteKind::IgnoredElement { element, parent });
            } else if part == Some("joint") {
                child.check(&NAMES, report);
            }
        }
    }

    /// Part of the element that a child stands for: `p_AP` for `drake:distance_constraint_p_AP`.
    fn part_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let prefix = if self.kind == "linear_bushing_rpy" { "bushing" } else { self.kind };
        name.strip_prefix("drake:")?.strip_prefix(prefix)?.strip_prefix('_')
    }

    fn children(&self, part: &'static str) -> impl Iterator<Item = Element<'a, 'i>> + '_ {
        self.element.children().filter(move |child| self.part_of(child.name()) == Some(part))
    }

    fn child(&self, part: &'static str) -> Option<Element<'a, 'i>> {
        self.children(part).next()
    }

    fn required(&self, part: &'static str, report: &mut Report<'_>) -> Option<Element<'a, 'i>> {
        let found = self.child(part);
        if found.is_none() {
            report.fault(
                self.element.span(),
                FaultKind::MissingElement { element: self.element.describe(), child: part },
            );
        }
        found
    }

    /// A number of zero or more; `None` if there is none, or after a fault.
    fn magnitude(&self, part: &'static str, report: &mut Report<'_>) -> Option<f64> {
        let value = self.child(part)?.value(report)?;
        let number = value.limit(report)?;
        value.not_negative(number, report)
    }

    fn link(&self, part: &'static str, model: &Model, report: &mut Report<'_>) -> Option<String> {
        let element = self.required(part, report)?;
        let name = element.required("name", report)?;
        known_link(model, &name, self.element, report)
    }

    /// Points P of A and Q of B.
    fn points(&self, model: &Model, report: &mut Report<'_>) -> Option<[(String, Isometry3<f64>); 2]> {
        let links = [self.link("body_A", model, report), self.link("body_B", model, report)];
        let mut point = |part: &'static str| match self.child(part) {
            Some(element) => element.value(report)?.numbers::<3>(report),
            None => Some([0.0; 3]),
        };
        let [p, q] = [point("p_AP")?, point("p_BQ")?];
        let [a, b] = links;
        Some([(a?, Isometry3::translation(p[0], p[1], p[2])), (b?, Isometry3::translation(q[0], q[1], q[2]))])
    }

    fn spring(&self, model: &Model, report: &mut Report<'_>) -> Option<CouplingLaw> {
        let ends = self.points(model, report);
        let length = self.required("free_length", report)?.value(report)?;
        let number = length.number(report)?;
        let length = length.positive(number, report)?;
        let stiffness = self.required("stiffness", report).and_then(|_| self.magnitude("stiffness", report))?;
        let compliance =
            Some(ConstraintCompliance { stiffness, damping: self.magnitude("damping", report).unwrap_or(0.0) });
        if stiffness == 0.0 {
            self.differs("has no stiffness and is ignored", report);
            return None;
        }
        Some(CouplingLaw::Distance { ends: ends?, length, compliance })
    }

    fn distance(&self, model: &Model, report: &mut Report<'_>) -> Option<CouplingLaw> {
        let ends = self.points(model, report);
        let length = self.required("distance", report)?.value(report)?;
        let number = length.number(report)?;
        let length = length.positive(number, report)?;
        let stiffness = self.magnitude("stiffness", report).filter(|stiffness| stiffness.is_finite());
        let damping = self.magnitude("damping", report).unwrap_or(0.0);
        let compliance = stiffness.map(|stiffness| ConstraintCompliance { stiffness, damping });
        Some(CouplingLaw::Distance { ends: ends?, length, compliance })
    }

    fn bushing(&self, model: &Model, report: &mut Report<'_>) -> Option<CouplingLaw> {
        let ends = [self.frame("frameA", model, report), self.frame("frameC", model, report)];
        let [a, b] = ends;
        let ends = [a?, b?];
        let mut by_axis = |stiffness: &'static str, damping: &'static str| {
            let mut triple = |part: &'static str| {
                let value = self.required(part, report)?.value(report)?;
                let numbers = value.numbers::<3>(report)?;
                numbers.into_iter().try_for_each(|x| value.not_negative(x, report).map(drop))?;
                Some(numbers)
            };
            let (k, d) = (triple(stiffness)?, triple(damping)?);
            Some([0, 1, 2].map(|i| ConstraintCompliance { stiffness: k[i], damping: d[i] }))
        };
        let (angular, linear) =
            (by_axis("torque_stiffness", "torque_damping")?, by_axis("force_stiffness", "force_damping")?);
        Some(CouplingLaw::Bushing { ends, linear, angular })
    }

    /// A link or a frame of the robot.
    fn frame(&self, part: &'static str, model: &Model, report: &mut Report<'_>) -> Option<(String, Isometry3<f64>)> {
        let name = self.required(part, report)?.required("name", report)?;
        match model.scene.frames.iter().find(|frame| frame.name == name.value) {
            Some(frame) => Some((frame.link.clone(), frame.X_LF)),
            None => known_link(model, &name, self.element, report).map(|link| (link, Isometry3::identity())),
        }
    }

    /// `lower <= Σ a q + offset <= upper`.
    fn tendon(
        &self,
        model: &mut Model,
        indices: &HashMap<String, usize>,
        report: &mut Report<'_>,
    ) -> Option<CouplingLaw> {
        let mut joints = Vec::new();
        for element in self.children("joint") {
            let name = element.required("name", report)?;
            let coefficient = element.required_number("a", report)?;
            if !indices.contains_key(name.value) {
                let nearest = report.nearest(name.value, indices.keys().map(String::as_str));
                let (element, name_of) = (self.element.describe(), name.value.to_owned());
                report.fault(name.span, FaultKind::UnknownJoint { element, name: name_of, nearest });
                return None;
            }
            joints.push((name.value.to_owned(), coefficient));
        }
        let mut number = |part: &'static str, otherwise: f64| {
            let value = self.child(part).and_then(|child| child.value(report));
            value.and_then(|value| value.limit(report)).unwrap_or(otherwise)
        };
        let offset = number("offset", 0.0);
        let range = (number("lower_limit", f64::NEG_INFINITY) - offset, number("upper_limit", f64::INFINITY) - offset);
        let (stiffness, damping) = (number("stiffness", f64::INFINITY), number("damping", 0.0));
        if stiffness.is_finite() {
            if damping != 0.0 {
                self.differs("has a damping, which is not simulated", report);
            }
            let stop = Some((range, Stop { stiffness, dissipation: 0.0 }));
            let rest = (f64::NEG_INFINITY, f64::INFINITY);
            model.scene.tendons.push(Tendon { rest, stop, ..Tendon::new(self.name.clone(), joints) });
            return None;
        }
        if range.0 == range.1 && !joints.is_empty() {
            return Some(CouplingLaw::Joints { joints, offset: range.0, compliance: None });
        }
        self.differs("is rigid and no equality of joints, and is not simulated", report);
        None
    }

    fn differs(&self, how: &'static str, report: &mut Report<'_>) {
        report.note(self.element.span(), NoteKind::ElementDiffers { element: self.element.describe(), how });
    }
}
