//! Tendons, which actuators pull, with springs, dampers and ranges of their own: spatial ones along sites, over geoms
//! and pulleys; fixed ones, weighted sums of joint positions, which equalities hold. Of a tendon over one joint range,
//! dry friction and armature are those of the joint.

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::geoms::{Form, Geom};
use super::joints::Joints;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::settings::Settings;
use super::solids::Solid;
use super::surfaces::{self, Law};
use crate::faults::MjcfFault;
use kinegraph_multibody::scene_data::{LinkFrame, PathPart, SpatialTendon, WrapForm};
use kinegraph_multibody::{Joint, JointKind, scene_data};

/// MuJoCo refuses such a file.
pub(super) const HEAVY_WRAP: &str = "wraps over a geom: its armature is not simulated";

/// True if a string wraps over something.
pub(super) fn wraps(path: &[PathPart]) -> bool {
    path.iter().any(|part| matches!(part, PathPart::Wrap { .. }))
}

/// A tendon: its joints and their coefficients; none if it is not simulated.
#[derive(Clone, Debug)]
pub(super) struct Tendon<'a> {
    pub element: &'a Element,
    pub joints: Vec<(String, f64)>,
    /// Its name among those of the model that act by themselves.
    pub name: Option<String>,
    /// Of a spatial tendon: its name among those of the model.
    pub spatial: Option<String>,
    /// True if its spring is at rest where all springs of joints are.
    pub rests_with_joints: bool,
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
    places: &Places<'_, '_>,
    model: &mut [Joint],
    acting: &mut Acting,
    log: &mut Log<'_>,
) -> Tendons<'a> {
    let elements: Vec<&Element> = root.all("tendon").flat_map(|section| &section.children).collect();
    let named: Vec<_> = elements.iter().map(|element| (*element, "tendon".to_owned())).collect();
    let (names, found) = Names::of("tendon", &named, log);
    let mut reader = Reader { classes, settings, joints: places.joints, places, model, acting };
    let tendons = elements.into_iter().zip(found).map(|(element, name)| match element.name.as_str() {
        "fixed" => reader.fixed(element, name, log),
        "spatial" => reader.spatial(element, name, log),
        _ => {
            recognition::unknown_element(element, log);
            Tendon::none(element)
        }
    });
    Tendons { tendons: tendons.collect(), names }
}

/// Tendons that act by themselves.
#[derive(Debug, Default)]
pub(super) struct Acting {
    pub fixed: Vec<scene_data::Tendon>,
    pub spatial: Vec<SpatialTendon>,
}

/// Parts of a model that strings may follow: joints, bodies, geoms and sites, with their names.
pub(super) struct Places<'r, 'e> {
    pub joints: &'r Joints<'e>,
    pub bodies: &'r [String],
    pub geoms: (&'r Names, &'r [Geom<'e>]),
    pub sites: (&'r Names, &'r [LinkFrame]),
}

struct Reader<'r, 'e> {
    classes: &'r Classes,
    settings: &'r Settings,
    joints: &'r Joints<'e>,
    model: &'r mut [Joint],
    places: &'r Places<'r, 'e>,
    acting: &'r mut Acting,
}

impl<'a> Tendon<'a> {
    /// One that is not simulated.
    fn none(element: &'a Element) -> Self {
        let (joints, name, spatial, range) = (Vec::new(), None, None, None);
        Tendon { element, joints, name, spatial, rests_with_joints: false, range }
    }
}

impl Reader<'_, '_> {
    fn fixed<'a>(&mut self, element: &'a Element, name: String, log: &mut Log<'_>) -> Tendon<'a> {
        recognition::check_attributes(element, log);
        let f = Fields { element, defaults: self.classes.defaults(element, "tendon", log) };
        let mut tendon = Tendon::none(element);
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

    /// Reads the forces that the tendon exerts by itself, its armature and its range.
    fn own_forces(&mut self, f: &Fields<'_>, tendon: &mut Tendon<'_>, name: String, log: &mut Log<'_>) {
        let s = self.settings;
        let magnitude = |key: &str, on: bool, log: &mut Log<'_>| if on { f.magnitude_or(key, 0.0, log) } else { 0.0 };
        let (stiffness, damping, terms) = s.spring_and_damper(f, log);
        let (friction, armature) = (magnitude("frictionloss", s.friction_loss, log), magnitude("armature", true, log));
        let range = f.range("range", "limited", s.of(f.element).autolimits, log).filter(|_| s.limits);
        let mut of_scene = scene_data::Tendon::new(name.clone(), tendon.joints.clone());
        if let [(joint, coefficient)] = &tendon.joints[..] {
            if let Some(of_model) = self.model.iter_mut().find(|of_model| of_model.name == *joint) {
                of_model.friction += friction * coefficient.abs();
                if friction != 0.0 && surfaces::creep_of(f, log).is_some() {
                    log.differs(f.element, "has the friction of its one joint, which creeps as the joint says");
                }
                of_model.armature += armature * coefficient * coefficient;
                if let Some((least, most)) = range {
                    let (a, b) = (least / coefficient, most / coefficient);
                    let (lower, upper) = of_model.limits;
                    of_model.limits = (lower.max(a.min(b)), upper.min(a.max(b)));
                }
            }
        } else {
            of_scene.armature = armature;
            (of_scene.friction, of_scene.creep) = (friction, surfaces::creep_of(f, log).unwrap_or(0.0));
            let law = surfaces::law_of(f, ["solreflimit", "solimplimit"], s.gravity.norm(), log);
            tendon.range = range.zip(law);
        }
        (of_scene.stiffness, of_scene.damping, of_scene.terms) = (stiffness, damping, terms);
        if of_scene == scene_data::Tendon::new(name.clone(), tendon.joints.clone()) && tendon.range.is_none() {
            return;
        }
        tendon.name = Some(name);
        of_scene.rest = self.rest(f, &tendon.joints, log);
        self.acting.fixed.push(of_scene);
    }

    /// A string along sites, over geoms and pulleys.
    fn spatial<'a>(&mut self, element: &'a Element, name: String, log: &mut Log<'_>) -> Tendon<'a> {
        recognition::check_attributes(element, log);
        let f = Fields { element, defaults: self.classes.defaults(element, "tendon", log) };
        let mut tendon = Tendon::none(element);
        let parts = element.children.iter().map(|part| self.part(part, log));
        let Some(path) = parts.collect::<Option<Vec<PathPart>>>() else { return tendon };
        let is_site = |part: Option<&PathPart>| matches!(part, Some(PathPart::Site { .. }));
        let between = path.iter().enumerate().filter(|(_, part)| matches!(part, PathPart::Wrap { .. }));
        if between.clone().any(|(i, _)| i == 0 || !is_site(path.get(i - 1)) || !is_site(path.get(i + 1))) {
            let text = "a geom that it wraps over stands between two sites".to_owned();
            log.fault(&element.at, MjcfFault::Other { element: element.describe(), text });
            return tendon;
        }
        let s = self.settings;
        let magnitude = |key: &str, on: bool, log: &mut Log<'_>| if on { f.magnitude_or(key, 0.0, log) } else { 0.0 };
        let (stiffness, damping, terms) = s.spring_and_damper(&f, log);
        let friction = magnitude("frictionloss", s.friction_loss, log);
        let mut armature = magnitude("armature", true, log);
        if armature != 0.0 && wraps(&path) {
            armature = 0.0;
            log.differs(element, HEAVY_WRAP);
        }
        let range = f.range("range", "limited", s.of(f.element).autolimits, log).filter(|_| s.limits);
        tendon.range = range.zip(surfaces::law_of(&f, ["solreflimit", "solimplimit"], s.gravity.norm(), log));
        let rest = match f.list("springlength", log).as_deref() {
            Some([one]) if *one >= 0.0 => Some((*one, *one)),
            Some([least, most]) if (*least, *most) != (-1.0, -1.0) && least <= most => Some((*least, *most)),
            _ => None,
        };
        let pulls = stiffness != 0.0 || terms.spring != [0.0; 2];
        tendon.rests_with_joints = rest.is_none() && pulls;
        tendon.spatial = Some(name.clone());
        let rest = rest.unwrap_or((0.0, f64::INFINITY));
        let stop = None;
        let creep = surfaces::creep_of(&f, log).unwrap_or(0.0);
        self.acting.spatial.push(SpatialTendon {
            name,
            path,
            stiffness,
            damping,
            terms,
            rest,
            stop,
            armature,
            friction,
            creep,
        });
        tendon
    }

    /// One place of a string.
    fn part(&self, part: &Element, log: &mut Log<'_>) -> Option<PathPart> {
        let Places { bodies, geoms, sites, .. } = *self.places;
        match part.name.as_str() {
            "site" => {
                let site = &sites.1[sites.0.required("site", part, "site", log)?];
                Some(PathPart::Site { link: site.link.clone(), p_LS: site.X_LF.translation.vector })
            }
            "geom" => {
                // Geoms that were not read are missing from the list: it is the name that counts.
                geoms.0.required("geom", part, "geom", log)?;
                let name = part.value("geom").unwrap_or_default().trim();
                let geom = geoms.1.iter().find(|geom| geom.name == name)?;
                let (form, radius) = match geom.form {
                    Form::Solid(Solid::Sphere { r: radius }) => (WrapForm::Sphere, radius),
                    Form::Solid(Solid::Cylinder { r: radius, .. }) => (WrapForm::Cylinder, radius),
                    _ => {
                        let text = format!("geom {name:?} is neither a sphere nor a cylinder");
                        log.fault(&part.at, MjcfFault::Other { element: part.describe(), text });
                        return None;
                    }
                };
                let side = match part.attribute("sidesite") {
                    Some(_) => {
                        let site = &sites.1[sites.0.named("site", part, "sidesite", log)?];
                        Some((site.link.clone(), site.X_LF.translation.vector))
                    }
                    None => None,
                };
                let link = bodies[geom.body].clone();
                Some(PathPart::Wrap { link, X_LG: geom.X_BG, form, radius, side })
            }
            "pulley" => {
                let divisor = Fields::alone(part).number_or("divisor", 1.0, log);
                if divisor <= 0.0 {
                    Fields::alone(part).fault_range("divisor", divisor, "greater than zero", log);
                    return None;
                }
                Some(PathPart::Pulley { divisor })
            }
            _ => {
                recognition::unknown_element(part, log);
                None
            }
        }
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
