//! `<sensor>`: what is physical of it, as sensors of the model; the rest gets a note.
//!
//! Noise of the file is no part of MuJoCo's simulation either; delays and intervals are those of the blocks behind a
//! sensor here (`zero_order_hold`, `transport_delay`).

use super::actuators;
use super::bodies::Bodies;
use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::geoms::{Form, Geom};
use super::joints::Joints;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::schema::words::{GeomType, OBJECTS, Object, SITES};
use super::schema::{self, Status};
use super::solids::Solid;
use super::tendons::{self, Tendons};
use crate::faults::MjcfFault;
use kinegraph_geometry::Shape;
use kinegraph_multibody::scene_data::{Actuator, LinkFrame};
use kinegraph_multibody::sensor_data::{FrameOnLink, Length, ModelSensor, OfFrame, OfSubtree, Quantity};
use kinegraph_multibody::{Inertia, JointKind};
use nalgebra::{Isometry3, Vector3};

/// Parts of a model that sensors may name.
pub(super) struct Sensed<'a, 'e> {
    pub bodies: &'a Bodies<'e>,
    pub inertias: &'a [Option<Inertia>],
    pub joints: &'a Joints<'e>,
    pub geoms: (&'a Names, &'a [Geom<'e>]),
    pub sites: (&'a Names, &'a [LinkFrame]),
    pub tendons: &'a Tendons<'e>,
    pub actuators: &'a [actuators::Written<'e>],
    pub classes: &'a Classes,
}

/// Reads all sensors that are simulated, in their order.
pub(super) fn read(root: &Element, sensed: &Sensed<'_, '_>, log: &mut Log<'_>) -> Vec<ModelSensor> {
    let elements: Vec<&Element> = root.all("sensor").flat_map(|section| &section.children).collect();
    let titles: Vec<_> = elements.iter().map(|element| (*element, element.name.clone())).collect();
    let (_, names) = Names::of("sensor", &titles, log);
    let magnetic = root.all("option").filter_map(|option| Fields::alone(option).exactly::<3>("magnetic", log)).last();
    let field_W = Vector3::from(magnetic.unwrap_or([0.0, -0.5, 0.0]));
    let mut found = Vec::new();
    for (element, name) in elements.into_iter().zip(names) {
        let kind = element.name.as_str();
        recognition::check_spelling(element, log);
        if schema::status_within(kind, "sensor") == Some(Status::Ignored) {
            log.ignored(&element.at, kind, None);
            continue;
        }
        let mut one = One { element, sensed, field_W };
        let Some(quantity) = one.quantity(log) else { continue };
        let f = Fields::alone(element);
        let cutoff = f.magnitude_or("cutoff", 0.0, log);
        let cutoff = if cutoff > 0.0 { cutoff } else { f64::INFINITY };
        found.push(ModelSensor { name, quantity, cutoff });
    }
    found
}

struct One<'a, 'e, 's> {
    element: &'s Element,
    sensed: &'a Sensed<'a, 'e>,
    field_W: Vector3<f64>,
}

impl One<'_, '_, '_> {
    fn quantity(&mut self, log: &mut Log<'_>) -> Option<Quantity> {
        use OfFrame::{
            AngularAcceleration, AngularVelocity, Axis, Force, LinearAcceleration, LinearVelocity, Orientation,
            OwnAngularVelocity, OwnLinearVelocity, Position, SpecificForce, Torque,
        };
        let at_site = |what: OfFrame, one: &Self, log: &mut Log<'_>| {
            Some(Quantity::Frame { frame: one.site(log)?, seen_from: None, what })
        };
        let of_subtree = |what: OfSubtree, one: &Self, log: &mut Log<'_>| {
            let body = one.sensed.bodies.names.required("body", one.element, "body", log)?;
            Some(Quantity::Subtree { link: one.sensed.bodies.bodies[body].name.clone(), what })
        };
        match self.element.name.as_str() {
            "accelerometer" => at_site(SpecificForce, self, log),
            "velocimeter" => at_site(OwnLinearVelocity, self, log),
            "gyro" => at_site(OwnAngularVelocity, self, log),
            "force" => at_site(Force, self, log),
            "torque" => at_site(Torque, self, log),
            "magnetometer" => Some(Quantity::Field { frame: self.site(log)?, field_W: self.field_W }),
            "touch" => Some(Quantity::Touch { frame: self.site(log)?, zone: self.zone(log)? }),
            "rangefinder" => {
                if self.element.attribute("site").is_none() {
                    log.differs(self.element, "looks from a camera, which is not simulated");
                    return None;
                }
                Some(Quantity::Range(self.site(log)?))
            }
            "jointpos" => Some(Quantity::Length(self.joint(log)?)),
            "jointvel" => Some(Quantity::Rate(self.joint(log)?)),
            "tendonpos" => Some(Quantity::Length(self.tendon(log)?)),
            "tendonvel" => Some(Quantity::Rate(self.tendon(log)?)),
            "actuatorpos" => Some(Quantity::Length(self.pulled(log)?)),
            "actuatorvel" => Some(Quantity::Rate(self.pulled(log)?)),
            "actuatorfrc" => self.actuator_force(log),
            "jointactuatorfrc" => Some(Quantity::JointEffort(self.single(log)?)),
            "ballquat" => Some(Quantity::Turn(self.ball(log)?)),
            "ballangvel" => Some(Quantity::TurnRate(self.ball(log)?)),
            "jointlimitpos" => Some(Quantity::StopDistance(self.single(log)?)),
            "jointlimitvel" => Some(Quantity::StopRate(self.single(log)?)),
            "jointlimitfrc" => Some(Quantity::StopForce(self.single(log)?)),
            "framepos" => self.frame(Position, log),
            "framequat" => self.frame(Orientation, log),
            "framexaxis" => self.frame(Axis(0), log),
            "frameyaxis" => self.frame(Axis(1), log),
            "framezaxis" => self.frame(Axis(2), log),
            "framelinvel" => self.frame(LinearVelocity, log),
            "frameangvel" => self.frame(AngularVelocity, log),
            "framelinacc" => self.frame(LinearAcceleration, log),
            "frameangacc" => self.frame(AngularAcceleration, log),
            "subtreecom" => of_subtree(OfSubtree::CenterOfMass, self, log),
            "subtreelinvel" => of_subtree(OfSubtree::LinearVelocity, self, log),
            "subtreeangmom" => of_subtree(OfSubtree::AngularMomentum, self, log),
            "e_potential" => Some(Quantity::PotentialEnergy),
            "e_kinetic" => Some(Quantity::KineticEnergy),
            "clock" => Some(Quantity::Time),
            _ => {
                recognition::unknown_element(self.element, log);
                None
            }
        }
    }

    fn site_index(&self, log: &mut Log<'_>) -> Option<usize> {
        self.sensed.sites.0.required("site", self.element, "site", log)
    }

    fn site(&self, log: &mut Log<'_>) -> Option<FrameOnLink> {
        Some(of_site(&self.sensed.sites.1[self.site_index(log)?]))
    }

    /// The volume of the site.
    fn zone(&self, log: &mut Log<'_>) -> Option<Shape> {
        let index = self.site_index(log)?;
        let part = self.sensed.bodies.bodies.iter().flat_map(|body| &body.sites).nth(index)?;
        let f = self.sensed.classes.fields(part.element, "site", part.class, log);
        let mut size = [0.005; 3];
        f.overlay("size", &mut size, log);
        if let Some([a, b, c, d, e, g]) = f.exactly::<6>("fromto", log) {
            // Beside its half width a site from one point to another has half their distance.
            let half = 0.5 * (Vector3::new(a, b, c) - Vector3::new(d, e, g)).norm();
            size = [
                size[0],
                if f.text("type").is_some_and(|t| t == "box" || t == "ellipsoid") { size[0] } else { half },
                half,
            ];
        }
        Some(match f.word("type", &SITES, GeomType::Sphere, log) {
            GeomType::Capsule => Shape::Capsule { radius: size[0], half_length: size[1] },
            GeomType::Ellipsoid => Shape::Ellipsoid { semi_axes: size.into() },
            GeomType::Cylinder => Shape::Cylinder { radius: size[0], half_length: size[1] },
            GeomType::Box => Shape::Box { half_extents: size.into() },
            _ => Shape::Sphere { radius: size[0] },
        })
    }

    fn single(&self, log: &mut Log<'_>) -> Option<String> {
        tendons::single(self.sensed.joints, self.element, "joint", log)
    }

    fn joint(&self, log: &mut Log<'_>) -> Option<Length> {
        Some(Length::Joints(vec![(self.single(log)?, 1.0)]))
    }

    fn ball(&self, log: &mut Log<'_>) -> Option<String> {
        let joints = self.sensed.joints;
        let joint = &joints.all[joints.names.required("joint", self.element, "joint", log)?];
        if joint.kind != JointKind::Ball {
            let text = format!("joint {:?} is no ball joint", joint.name);
            log.fault(&self.element.at, MjcfFault::Other { element: self.element.describe(), text });
            return None;
        }
        Some(joint.name.clone())
    }

    fn tendon(&self, log: &mut Log<'_>) -> Option<Length> {
        let tendons = self.sensed.tendons;
        let tendon = &tendons.tendons[tendons.names.required("tendon", self.element, "tendon", log)?];
        match &tendon.spatial {
            Some(name) => Some(Length::Tendon(name.clone(), 1.0)),
            None if tendon.joints.is_empty() => {
                log.differs(self.element, "measures a tendon that is not simulated");
                None
            }
            None => Some(Length::Joints(tendon.joints.clone())),
        }
    }

    fn actuator(&self, log: &mut Log<'_>) -> Option<&Actuator> {
        let element = self.element;
        let Some(name) = element.value("actuator").map(str::trim) else {
            log.fault(&element.at, MjcfFault::Missing { element: element.describe(), attribute: "actuator" });
            return None;
        };
        let mut all = self.sensed.actuators.iter().map(|written| &written.actuator);
        let found = all.clone().find(|actuator| actuator.name == name);
        if found.is_none() {
            let nearest = log.nearest(name, all.by_ref().map(|actuator| actuator.name.as_str()));
            let (element_name, name) = (element.describe(), name.to_owned());
            let at = element.attribute("actuator").map_or(&element.at, |a| &a.at);
            log.fault(at, MjcfFault::Unknown { element: element_name, what: "actuator", name, nearest });
        }
        found
    }

    /// The length of what an actuator drives.
    fn pulled(&self, log: &mut Log<'_>) -> Option<Length> {
        let actuator = self.actuator(log)?;
        match &actuator.tendon {
            Some((tendon, gear)) => Some(Length::Tendon(tendon.clone(), *gear)),
            None if actuator.joints.is_empty() => {
                log.differs(self.element, "measures an actuator that drives nothing here");
                None
            }
            None => Some(Length::Joints(actuator.joints.clone())),
        }
    }

    /// The force of an actuator is known where nothing else drives one of its joints.
    fn actuator_force(&self, log: &mut Log<'_>) -> Option<Quantity> {
        let actuator = self.actuator(log)?;
        let drives = |other: &Actuator, joint: &str| other.joints.iter().any(|(driven, _)| driven == joint);
        let others = || self.sensed.actuators.iter().map(|written| &written.actuator);
        let is_alone = |joint: &str| {
            others().filter(|other| drives(other, joint)).count() == 1 && others().all(|other| other.tendon.is_none())
        };
        let alone = actuator.joints.iter().find(|(joint, coefficient)| *coefficient != 0.0 && is_alone(joint));
        if alone.is_none() {
            log.differs(
                self.element,
                "measures the force of an actuator that drives no joint alone, which is not known apart from others",
            );
        }
        let (joint, coefficient) = alone?;
        Some(Quantity::ActuatorForce { joint: joint.clone(), coefficient: *coefficient })
    }

    fn frame(&self, what: OfFrame, log: &mut Log<'_>) -> Option<Quantity> {
        let frame = self.object("objtype", "objname", what, log)?;
        let is_of_world = matches!(what, OfFrame::LinearAcceleration | OfFrame::AngularAcceleration);
        let has_reference = !is_of_world && self.element.attribute("refname").is_some();
        let seen_from = if has_reference { Some(self.object("reftype", "refname", what, log)?) } else { None };
        Some(Quantity::Frame { frame, seen_from, what })
    }

    /// The frame of an object: `xbody` is that of the body, `body` that of its inertia.
    fn object(&self, kind: &'static str, name: &'static str, what: OfFrame, log: &mut Log<'_>) -> Option<FrameOnLink> {
        let (element, sensed) = (self.element, self.sensed);
        if element.attribute(kind).is_none() {
            log.fault(&element.at, MjcfFault::Missing { element: element.describe(), attribute: kind });
            return None;
        }
        match Fields::alone(element).word(kind, &OBJECTS, Object::XBody, log) {
            kind @ (Object::Body | Object::XBody) => {
                let body = sensed.bodies.names.required("body", element, name, log)?;
                let link = sensed.bodies.bodies[body].name.clone();
                let inertia = sensed.inertias[body].filter(|_| kind == Object::Body);
                let axes = matches!(what, OfFrame::Orientation | OfFrame::Axis(_));
                if inertia.is_some() && (axes || name == "refname") {
                    log.differs(element, "measures the axes of an inertia; here they are those of the body");
                }
                let center = inertia.map_or_else(Vector3::zeros, |inertia| inertia.p_BoBcm);
                Some(FrameOnLink { link, X_LF: Isometry3::translation(center.x, center.y, center.z) })
            }
            Object::Geom => {
                let geom = &sensed.geoms.1[sensed.geoms.0.required("geom", element, name, log)?];
                if !matches!(geom.form, Form::Plane(_) | Form::Solid(Solid::Sphere { .. } | Solid::Box(_)))
                    && geom.fields.has("mesh")
                {
                    log.differs(element, "measures the frame of a mesh, which stands elsewhere in it here");
                }
                Some(FrameOnLink { link: sensed.bodies.bodies[geom.body].name.clone(), X_LF: geom.X_BG })
            }
            Object::Site => Some(of_site(&sensed.sites.1[sensed.sites.0.required("site", element, name, log)?])),
            Object::Camera => {
                log.differs(element, "measures a camera, which is not simulated");
                None
            }
        }
    }
}

fn of_site(site: &LinkFrame) -> FrameOnLink {
    FrameOnLink { link: site.link.clone(), X_LF: site.X_LF }
}
